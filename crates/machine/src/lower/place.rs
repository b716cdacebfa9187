//! Places: lvalues as base + constant offset + dynamic part, and loads and stores through them.

use super::func::{FnLower, Loc, deep};
use super::tags::RecordPath;
use crate::bytecode::{ArrayRef, Constant, Insn, Reg};
use crate::class::Scalar;
use csyntax::tree::{Conversion, ExprId, ExprKind, ObjId, Op, Storage};
use csyntax::types::{ArrayLen, BitField, QTy, RecordId, Ty, TyKind, VlaId};

/// Where a place starts.
#[derive(Copy, Clone, Debug)]
pub(super) enum Base {
    /// A register variable.
    Reg(Reg),
    /// A frame local.
    Local(u16),
    /// A static, by index.
    Static(u32),
    /// A pointer in a register.
    Ptr(Reg),
}

/// The part of an address that is only known at run time.
#[derive(Copy, Clone, Debug)]
pub(super) enum Dyn {
    /// None.
    None,
    /// A checked byte offset in a register.
    Off(Reg),
    /// A pending checked array step: index register, element count, element size.
    Arr(Reg, u64, u64),
    /// A pending step from a pointer: index register, element size.
    Scaled(Reg, u16),
}

/// An lvalue.
#[derive(Copy, Clone, Debug)]
pub(super) struct Place {
    pub base: Base,
    pub off: i64,
    pub dynamic: Dyn,
    pub ty: QTy,
    /// Alignment that the path guarantees.
    pub align: u64,
    pub bits: Option<BitField>,
    /// Innermost union on the path, as offsets from the base.
    pub union: Option<UnionSpan>,
    /// The record through a pointer to which the path leads, where it does.
    pub path: Option<RecordPath>,
    /// Does the path lead through a `may_alias` record?
    pub any: bool,
    /// Is it (a part of) a declared register variable whose reads must be checked?
    pub var: bool,
}

/// A union on the way to a place: where it lies, and where its member that the path takes lies.
#[derive(Copy, Clone, Debug)]
pub(super) struct UnionSpan {
    pub start: i64,
    pub size: u64,
    pub member: i64,
    pub member_size: u64,
}

impl UnionSpan {
    /// The same, seen from a base `by` bytes further.
    pub fn rebased(self, by: i64) -> UnionSpan {
        UnionSpan { start: self.start - by, member: self.member - by, ..self }
    }

    /// A read that may see any type (bit casts).
    pub fn any(at: i64) -> UnionSpan {
        UnionSpan { start: at, size: 0, member: at, member_size: 0 }
    }
}

impl Place {
    fn new(base: Base, ty: QTy, align: u64) -> Place {
        Place {
            base,
            off: 0,
            dynamic: Dyn::None,
            ty,
            align,
            bits: None,
            union: None,
            path: None,
            any: false,
            var: false,
        }
    }

    /// The same, its address being in a register.
    pub fn at(self, p: Reg) -> Place {
        let union = self.union.map(|union| union.rebased(self.off));
        let path = self.path.map(|path| path.rebased(self.off));
        Place { base: Base::Ptr(p), off: 0, dynamic: Dyn::None, union, path, ..self }
    }
}

impl FnLower<'_, '_> {
    /// A place at an object.
    pub fn object_place(&mut self, id: ObjId) -> Place {
        let object = &self.lw.unit[id];
        let (ty, align) = (object.ty, object.align);
        let loc = match self.locs.get(&id) {
            Some(&loc) => loc,
            None if object.storage != Storage::Static && object.owner != self.function => {
                return self.outer_place(id);
            }
            None => self.allocate(id),
        };
        match loc {
            Loc::Reg(reg) => {
                Place { var: true, ..Place::new(Base::Reg(reg), ty, self.align(ty.ty).max(align)) }
            }
            Loc::Local(local) => Place::new(Base::Local(local), ty, align.max(1)),
            Loc::Static(u32::MAX) => {
                let name = object.name.map_or("?", |n| self.lw.unit.names.name(n));
                let reg = self.unsupported(format!("the object '{name}', which is defined elsewhere"));
                Place::new(Base::Ptr(reg), ty, 1)
            }
            Loc::Static(index) => Place::new(Base::Static(index), ty, align.max(1)),
            Loc::Ref(reg) => Place::new(Base::Ptr(reg), ty, align.max(1)),
        }
    }

    /// An object of the function around this nested one.
    fn outer_place(&mut self, id: ObjId) -> Place {
        let object = &self.lw.unit[id];
        let Some(&(owner, local)) = self.lw.outer.get(&id) else {
            let reg = self.unsupported("a variable-length object of the function around");
            return Place::new(Base::Ptr(reg), object.ty, 1);
        };
        let d = self.temp();
        self.emit(Insn::LeaUp { d, local, owner });
        Place::new(Base::Ptr(d), object.ty, object.align.max(1))
    }

    /// A place behind a pointer register.
    pub fn pointee(&mut self, reg: Reg, ty: QTy) -> Place {
        let align = self.align(ty.ty);
        Place::new(Base::Ptr(reg), ty, align)
    }

    /// Lowers an lvalue.
    pub fn place(&mut self, e: ExprId) -> Place {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let old = std::mem::replace(&mut self.span, expr.span);
        let place = deep(|| self.place_kind(e));
        self.span = old;
        place
    }

    fn place_kind(&mut self, e: ExprId) -> Place {
        let unit = self.lw.unit;
        let expr = &unit[e];
        match &expr.kind {
            ExprKind::Object(id) => self.object_place(*id),
            ExprKind::Str(id) => Place::new(Base::Static(self.lw.strings[id.index()]), expr.ty, 1),
            ExprKind::CompoundLit(id) => {
                if unit[*id].storage != Storage::Static {
                    // One object for each entry of its block, however often it is reached (6.5.2.5p5).
                    if !self.locs.contains_key(id) {
                        self.reborn(*id);
                    }
                    self.initialise(*id);
                }
                self.object_place(*id)
            }
            ExprKind::Materialize(value, id) => {
                self.reborn(*id);
                let place = self.object_place(*id);
                if let Base::Local(local) = place.base {
                    self.temporaries.push(local);
                }
                self.store_value(place, *value, true);
                if let Base::Local(local) = place.base {
                    self.emit(Insn::Seal { local });
                }
                place
            }
            ExprKind::Deref(ptr) => self.deref(*ptr, expr.ty),
            ExprKind::Member { base, record, field } => {
                let place = self.place(*base);
                self.member(place, *record, *field, expr.ty)
            }
            ExprKind::VectorElem(base, index) => {
                let place = self.place(*base);
                let count = match unit.types.kind(unit[*base].ty.ty) {
                    TyKind::Vector(_, n) => u64::from(*n),
                    _ => 0,
                };
                self.index(place, *index, count, expr.ty)
            }
            ExprKind::ComplexPart { base, imag } => {
                let mut place = self.place(*base);
                if *imag {
                    place.off += self.size(expr.ty.ty) as i64;
                }
                place.ty = expr.ty;
                place
            }
            ExprKind::VlaEval(vlas, inner) => {
                vlas.iter().for_each(|v| self.vla_eval(*v));
                self.place(*inner)
            }
            ExprKind::Comma(a, b) => {
                self.discard(*a);
                self.place(*b)
            }
            _ => {
                let reg = if self.scalar(expr.ty.ty).is_none() && self.in_memory(expr.ty.ty) {
                    return self.aggregate(e);
                } else {
                    self.unsupported("this form of lvalue")
                };
                Place::new(Base::Ptr(reg), expr.ty, 1)
            }
        }
    }

    /// The length of an array of variable length that is an element of another: the bounds of the object are not its own.
    pub(super) fn row_length(&self, array: ExprId) -> Option<Reg> {
        let unit = self.lw.unit;
        match unit.types.kind(unit[array].ty.ty) {
            TyKind::Array(_, ArrayLen::Variable(VlaId(v)))
                if !matches!(unit[array].kind, ExprKind::Object(_)) =>
            {
                self.vlas.get(v).copied()
            }
            _ => None,
        }
    }

    /// An element of such an array, its index checked.
    fn row_element(&mut self, base: ExprId, index: ExprId, scale: Option<ExprId>, n: Reg, ty: QTy) -> Place {
        let open = self.open_pair(base, index);
        let p = self.value(base, None);
        self.next_pair(open);
        let i = self.index_value(index);
        self.close_pair(open);
        self.emit(Insn::CkIndex { i, n });
        let scale = match scale {
            Some(scale) => self.value(scale, None),
            None => self.konst(None, self.size(ty.ty), 0),
        };
        let d = self.temp();
        self.emit(Insn::PAddR { d, p, i, scale, negative: false });
        self.pointee(d, ty)
    }

    /// `*ptr`, with array subscripts kept apart for their own bounds check.
    fn deref(&mut self, ptr: ExprId, ty: QTy) -> Place {
        let unit = self.lw.unit;
        if let ExprKind::PtrAdd { ptr: base, index, negative: false, scale } = unit[ptr].kind
            && let ExprKind::Decay(array) = unit[base].kind
            && let Some(n) = self.row_length(array)
        {
            return self.row_element(base, index, scale, n, ty);
        }
        if let ExprKind::PtrAdd { ptr: base, index, negative: false, scale: None } = &unit[ptr].kind {
            if let ExprKind::Decay(array) = unit[*base].kind
                && let TyKind::Array(_, ArrayLen::Fixed(count)) = unit.types.kind(unit[array].ty.ty)
            {
                // A trailing array of a record may be a flexible one in disguise; inner bounds still hold for
                // every other array.
                let count = if *count == 0 || self.is_trailing(array) { u64::MAX } else { *count };
                return self.subscript(array, *index, count, ty);
            }
            let size = self.size(ty.ty);
            let align = self.align(ty.ty);
            let (base, index) = (*base, *index);
            let open = self.open_pair(base, index);
            let p = self.value(base, None);
            if let Some(k) = self.small_const(index) {
                self.close_pair(open);
                let off = (k as i64).wrapping_mul(size as i64);
                return Place { off, ..Place::new(Base::Ptr(p), ty, align) };
            }
            self.next_pair(open);
            let i = self.index_value(index);
            self.close_pair(open);
            let mut place = Place::new(Base::Ptr(p), ty, align);
            if let Ok(scale) = u16::try_from(size) {
                place.dynamic = Dyn::Scaled(i, scale);
            } else {
                let d = self.temp();
                self.emit(Insn::PAdd { d, p, i, scale: i32::try_from(size).unwrap_or(i32::MAX) });
                place.base = Base::Ptr(d);
            }
            return place;
        }
        let p = self.value(ptr, None);
        self.pointee(p, ty)
    }

    fn subscript(&mut self, array: ExprId, index: ExprId, count: u64, ty: QTy) -> Place {
        let open = self.open_pair(array, index);
        let place = self.place(array);
        self.next_pair(open);
        let place = self.index(place, index, count, ty);
        self.close_pair(open);
        place
    }

    /// Is this lvalue array the last member of a record (so that older code may use it as a flexible one)?
    fn is_trailing(&self, array: ExprId) -> bool {
        let unit = self.lw.unit;
        let ExprKind::Member { base, record, field } = &unit[array].kind else { return false };
        let record = &unit.types.records[record.0 as usize];
        let last = record.fields.as_ref().is_some_and(|f| f.len() == *field as usize + 1);
        last && !record.is_union && matches!(unit[*base].kind, ExprKind::Deref(_))
    }

    /// Adds an array step.
    pub fn index(&mut self, place: Place, index: ExprId, count: u64, ty: QTy) -> Place {
        let scale = self.size(ty.ty);
        let align = if scale == 0 { 1 } else { place.align.min(1 << scale.trailing_zeros().min(20)) };
        let next = Place { ty, align, ..place };
        if let Some(k) = self.small_const(index)
            && ((k as u64) < count || (count == u64::MAX))
        {
            return Place { off: place.off + (k as i64) * scale as i64, ..next };
        }
        // What a store to an element leaves unspecified is only known for constant steps.
        let union = place.union.map(|_| UnionSpan::any(place.off));
        let path = place.path.map(RecordPath::vague);
        let (place, next) = (Place { union, path, ..place }, Place { union, path, ..next });
        let i = self.index_value(index);
        if count == u64::MAX {
            let p = self.address(place, false);
            let mut out = next.at(p);
            match u16::try_from(scale) {
                Ok(scale) => out.dynamic = Dyn::Scaled(i, scale),
                Err(_) => {
                    let d = self.temp();
                    self.emit(Insn::PAdd { d, p, i, scale: scale as i32 });
                    out.base = Base::Ptr(d);
                }
            }
            return out;
        }
        match place.dynamic {
            Dyn::None => Place { dynamic: Dyn::Arr(i, count, scale), ..next },
            Dyn::Off(_) | Dyn::Arr(..) | Dyn::Scaled(..) => {
                let place = self.settle(place);
                let d = self.temp();
                let r = self.array(ArrayRef { base: 0, count, scale });
                match place.dynamic {
                    Dyn::Off(a) => self.emit(Insn::IdxAdd { d, a, i, r }),
                    _ => self.emit(Insn::IdxOff { d, i, r }),
                };
                Place { base: place.base, off: place.off, dynamic: Dyn::Off(d), ..next }
            }
        }
    }

    pub fn array(&mut self, array: ArrayRef) -> u32 {
        self.lw.program.arrays.push(array);
        self.lw.program.arrays.len() as u32 - 1
    }

    /// An index as a canonical 64-bit value.
    pub fn index_value(&mut self, index: ExprId) -> Reg {
        let reg = self.value(index, None);
        if self.scalar(self.lw.unit[index].ty.ty).is_some_and(Scalar::is_wide) {
            let d = self.temp();
            self.emit(Insn::Conv { d, a: reg, from: Scalar::I128, to: Scalar::I64 });
            return d;
        }
        reg
    }

    /// Resolves pending steps: the dynamic part becomes a byte offset (or is gone into a new pointer).
    pub fn settle(&mut self, place: Place) -> Place {
        match place.dynamic {
            Dyn::None | Dyn::Off(_) => place,
            Dyn::Arr(i, count, scale) => {
                let d = self.temp();
                let r = self.array(ArrayRef { base: 0, count, scale });
                self.emit(Insn::IdxOff { d, i, r });
                Place { dynamic: Dyn::Off(d), ..place }
            }
            Dyn::Scaled(i, scale) => {
                let Base::Ptr(p) = place.base else { return place };
                let d = self.temp();
                self.emit(Insn::PAdd { d, p, i, scale: i32::from(scale) });
                Place { base: Base::Ptr(d), dynamic: Dyn::None, ..place }
            }
        }
    }

    /// Adds a member step.
    pub fn member(&mut self, place: Place, record: RecordId, field: u32, ty: QTy) -> Place {
        let place = match place.dynamic {
            Dyn::Scaled(..) => self.settle(place),
            Dyn::None | Dyn::Off(_) | Dyn::Arr(..) => place,
        };
        let types = &self.lw.unit.types;
        let may_alias = types.adjusted.get(&place.ty.ty).is_some_and(|adjusted| adjusted.may_alias);
        let path = place.path.or_else(|| {
            let behind = matches!(place.base, Base::Ptr(_));
            behind.then_some(RecordPath { record, start: place.off, exact: true })
        });
        let record = &types.records[record.0 as usize];
        let Some(member) = record.fields.as_ref().and_then(|f| f.get(field as usize)) else { return place };
        let union = if record.is_union && record.fields.as_ref().is_some_and(|f| f.len() > 1) {
            let member_size = match member.bits {
                Some(bits) => u64::from(bits.start + bits.width).div_ceil(8),
                None => self.size(member.ty.ty),
            };
            let at = place.off + member.offset as i64;
            Some(UnionSpan { start: place.off, size: record.size, member: at, member_size })
        } else {
            place.union
        };
        let off_align = if member.offset == 0 { u64::MAX } else { 1 << member.offset.trailing_zeros() };
        Place {
            off: place.off + member.offset as i64,
            bits: member.bits,
            ty,
            align: place.align.min(off_align).min(record.align.max(1)),
            union,
            path,
            any: place.any || record.attrs.may_alias || may_alias,
            ..place
        }
    }

    /// The address of a place as a pointer in a register; `end` allows one past the last element.
    pub fn address(&mut self, place: Place, end: bool) -> Reg {
        let place = match place.dynamic {
            Dyn::Arr(i, count, scale) if end => {
                let d = self.temp();
                let r = self.array(ArrayRef { base: 0, count: count.saturating_add(1), scale });
                self.emit(Insn::IdxOff { d, i, r });
                Place { dynamic: Dyn::Off(d), ..place }
            }
            Dyn::None | Dyn::Off(_) | Dyn::Arr(..) | Dyn::Scaled(..) => self.settle(place),
        };
        let (near, far) = match i32::try_from(place.off) {
            Ok(near) => (near, None),
            Err(_) => (0, Some(place.off)),
        };
        let p = match place.base {
            Base::Reg(_) => self.unsupported("the address of a register variable"),
            Base::Local(local) => {
                let d = self.temp();
                self.emit(Insn::LeaL { d, local, off: near });
                d
            }
            Base::Static(index) => self.constant(None, Constant::Static(index, near.into())),
            Base::Ptr(p) if near == 0 => p,
            Base::Ptr(p) => {
                let d = self.temp();
                self.emit(Insn::PField { d, p, k: near });
                d
            }
        };
        let p = match far {
            Some(off) => {
                let (o, d) = (self.konst(None, off as u64, 0), self.temp());
                self.emit(Insn::POff { d, p, o });
                d
            }
            None => p,
        };
        match place.dynamic {
            Dyn::Off(o) => {
                let d = self.temp();
                self.emit(Insn::POff { d, p, o });
                d
            }
            Dyn::None | Dyn::Arr(..) | Dyn::Scaled(..) => p,
        }
    }

    /// Is a value of this type kept in memory (records, vectors, complex, argument lists)?
    pub fn in_memory(&self, ty: Ty) -> bool {
        match self.lw.unit.types.kind(ty) {
            TyKind::Record(_)
            | TyKind::Vector(..)
            | TyKind::Complex(_)
            | TyKind::VaList
            | TyKind::Array(..) => true,
            TyKind::Void
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Enum(_)
            | TyKind::Pointer(_)
            | TyKind::Function(_) => false,
        }
    }

    /// The end of a full expression: the temporaries made since `mark` of them end (C11 6.2.4p8).
    pub fn end_temporaries(&mut self, mark: usize) {
        for local in self.temporaries.split_off(mark) {
            self.emit(Insn::Leave { local });
        }
    }

    /// The lifetime of an unnamed object begins: a new one each time.
    pub fn reborn(&mut self, id: ObjId) {
        if !self.locs.contains_key(&id) {
            self.allocate(id);
        }
        match self.locs.get(&id) {
            Some(Loc::Local(local)) => {
                let local = *local;
                self.emit(Insn::Enter { local });
            }
            Some(Loc::Reg(v)) => {
                let v = *v;
                self.emit(Insn::MarkUninit { v });
            }
            Some(Loc::Static(_) | Loc::Ref(_)) | None => {}
        }
    }

    /// The value of an integer constant under any number of integer conversions and signs, in its two's complement form.
    pub fn constant_int(&self, e: ExprId) -> Option<u128> {
        let expr = &self.lw.unit[e];
        let value = match expr.kind {
            ExprKind::Int(value) => value,
            ExprKind::Convert { kind: Conversion::IntToInt | Conversion::NoOp, value, .. } => {
                self.scalar(self.lw.unit[value].ty.ty).filter(|s| s.is_int())?;
                self.constant_int(value)?
            }
            ExprKind::Neg(value) => {
                let to = self.scalar(expr.ty.ty).filter(|s| s.is_int() && !s.is_wide())?;
                let negative = (self.constant_int(value)? as i128).wrapping_neg();
                // What overflows is no constant.
                let fits = canonical(to, negative as u128).0 as i64;
                if to.signed() && i128::from(fits) != negative {
                    return None;
                }
                negative as u128
            }
            _ => return None,
        };
        let to = self.scalar(expr.ty.ty).filter(|s| s.is_int())?;
        if to == Scalar::Bool {
            return Some(u128::from(value != 0));
        }
        let (lo, hi) = canonical(to, value);
        Some(match to {
            t if t.is_wide() => u128::from(lo) | u128::from(hi) << 64,
            t if t.signed() => lo as i64 as i128 as u128,
            _ => u128::from(lo),
        })
    }

    /// A small integer constant.
    pub fn small_const(&self, e: ExprId) -> Option<i32> {
        let expr = &self.lw.unit[e];
        match expr.kind {
            ExprKind::Int(value) => {
                let canonical = canonical(self.scalar(expr.ty.ty)?, value);
                i32::try_from(canonical.0 as i64).ok().filter(|_| canonical.1 == 0)
            }
            ExprKind::Convert { value, .. } => {
                // Widening of a constant that the checker left as a conversion.
                let inner = self.small_const(value)?;
                let to = self.scalar(expr.ty.ty)?;
                if !to.is_int() || !self.scalar(self.lw.unit[value].ty.ty)?.is_int() {
                    return None;
                }
                let (lo, hi) = canonical(to, inner as i64 as i128 as u128);
                i32::try_from(lo as i64).ok().filter(|k| hi == 0 && *k == inner)
            }
            // `32 - 7`, as macros write it; what overflows or wraps is left to the run.
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul), a, b) => {
                // Chains of operators are long.
                let literal = |e: ExprId| match self.lw.unit[e].kind {
                    ExprKind::Int(_) | ExprKind::Convert { .. } => self.small_const(e),
                    _ => None,
                };
                let (a, b) = (i64::from(literal(a)?), i64::from(literal(b)?));
                let scalar = self.scalar(expr.ty.ty).filter(|s| s.is_int() && !s.is_wide())?;
                let value = match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    _ => a * b,
                };
                let (lo, hi) = canonical(scalar, value as i128 as u128);
                i32::try_from(value).ok().filter(|_| hi == 0 && lo as i64 == value)
            }
            _ => None,
        }
    }
}

/// The register form of an integer constant.
pub(super) fn canonical(scalar: Scalar, value: u128) -> (u64, u64) {
    let low = value as u64;
    match scalar {
        Scalar::I8 => (low as i8 as i64 as u64, 0),
        Scalar::U8 => (u64::from(low as u8), 0),
        Scalar::Bool => (u64::from(value != 0), 0),
        Scalar::I16 => (low as i16 as i64 as u64, 0),
        Scalar::U16 => (u64::from(low as u16), 0),
        Scalar::I32 => (low as i32 as i64 as u64, 0),
        Scalar::U32 => (u64::from(low as u32), 0),
        Scalar::I64 | Scalar::U64 | Scalar::Ptr => (low, 0),
        Scalar::I128 | Scalar::U128 => (low, (value >> 64) as u64),
        Scalar::Bits(width, signed) => crate::class::extended(value, width, signed),
        Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F80 | Scalar::F128 => (low, (value >> 64) as u64),
    }
}
