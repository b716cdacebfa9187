//! Conversions: lvalues to values, promotions, the usual arithmetic conversions, casts, conversion as if by
//! assignment (6.3, 6.5.4, 6.5.16.1).

use super::fold::Const;
use super::{At, Checker};
use crate::ast::Quals;
use crate::tree::{Conversion, ExprId, ExprKind};
use crate::types::{ArrayLen, FloatKind, IntKind, QTy, Ty, TyKind};

/// What a value is converted for; names the place in messages.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Assign,
    Init,
    Argument,
    Return,
}

impl Purpose {
    fn text(self) -> &'static str {
        match self {
            Purpose::Assign => "assignment",
            Purpose::Init => "initialisation",
            Purpose::Argument => "argument",
            Purpose::Return => "return",
        }
    }
}

/// The interned type of a standard integer kind, or of `__int128`; `None` of bit-precise ones, which are interned as they
/// are met.
fn fixed_int_ty(kind: IntKind) -> Option<Ty> {
    Some(match kind {
        IntKind::Bool => Ty::BOOL,
        IntKind::Char => Ty::CHAR,
        IntKind::SChar => Ty::SCHAR,
        IntKind::UChar => Ty::UCHAR,
        IntKind::Short => Ty::SHORT,
        IntKind::UShort => Ty::USHORT,
        IntKind::Int => Ty::INT,
        IntKind::UInt => Ty::UINT,
        IntKind::Long => Ty::LONG,
        IntKind::ULong => Ty::ULONG,
        IntKind::LLong => Ty::LLONG,
        IntKind::ULLong => Ty::ULLONG,
        IntKind::Int128 => Ty::INT128,
        IntKind::UInt128 => Ty::UINT128,
        IntKind::BitInt(_) | IntKind::UBitInt(_) => return None,
    })
}

/// The interned type of a floating kind.
pub(super) fn float_ty(kind: FloatKind) -> Ty {
    match kind {
        FloatKind::Float16 => Ty::FLOAT16,
        FloatKind::Float => Ty::FLOAT,
        FloatKind::Double => Ty::DOUBLE,
        FloatKind::LongDouble => Ty::LONG_DOUBLE,
        FloatKind::Float128 => Ty::FLOAT128,
    }
}

fn unsigned(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Bool => IntKind::Bool,
        IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
        IntKind::Short | IntKind::UShort => IntKind::UShort,
        IntKind::Int | IntKind::UInt => IntKind::UInt,
        IntKind::Long | IntKind::ULong => IntKind::ULong,
        IntKind::LLong | IntKind::ULLong => IntKind::ULLong,
        IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
        IntKind::BitInt(width) | IntKind::UBitInt(width) => IntKind::UBitInt(width),
    }
}

impl Checker<'_> {
    /// The type of an integer kind.
    pub(super) fn int_ty(&mut self, kind: IntKind) -> Ty {
        fixed_int_ty(kind).unwrap_or_else(|| self.tree.types.intern(TyKind::Int(kind)))
    }

    // ----- lvalues

    /// Does the node denote an object?
    pub(super) fn is_lvalue(&self, id: ExprId) -> bool {
        self.kind(id).is_place()
            || matches!(*self.kind(id), ExprKind::VlaEval(_, inner) if self.is_lvalue(inner))
    }

    /// The value of an expression: lvalues loaded, arrays and functions turned into pointers.
    pub(super) fn value(&mut self, id: ExprId) -> ExprId {
        let qty = self.qty(id);
        let at = self.at_of(id);
        if let ExprKind::VlaEval(vlas, place) = self.kind(id)
            && self.is_lvalue(*place)
        {
            let (vlas, place) = (vlas.clone(), *place);
            let value = self.value(place);
            return self.with_vlas(vlas, value, at);
        }
        match *self.tykind(qty.ty) {
            TyKind::Function(_) => {
                if let ExprKind::Deref(pointer) = *self.kind(id) {
                    return pointer;
                }
                let ty = self.tree.types.pointer(qty.ty);
                self.push(ExprKind::AddrOf(id), ty, at)
            }
            TyKind::Array(elem, _) => {
                let ty = self.tree.types.pointer(elem);
                let decayed = self.push(ExprKind::Decay(id), ty, at);
                self.copy_const(decayed, id);
                decayed
            }
            TyKind::VaList if self.is_lvalue(id) => self.address(id, at),
            TyKind::Void => match *self.kind(id) {
                ExprKind::Deref(pointer) => self.node_convert(pointer, Ty::VOID, Conversion::ToVoid, false),
                _ => id,
            },
            _ if !self.is_lvalue(id) => id,
            _ => {
                if self.types().layout(qty.ty).is_none() && !self.is_poison(id) {
                    let text = self.show(qty);
                    return self.error_expr(at, format!("the incomplete type '{text}' has no value"));
                }
                if let ExprKind::Object(object) = *self.kind(id)
                    && let Some(&value) = self.constexprs.get(&object)
                {
                    return self.constexpr_value(value, qty.ty, at);
                }
                let narrow = self.place_width(id);
                let ty = self.plain(qty.ty);
                let load = self.push(ExprKind::Load(id), ty, at);
                self.facts[load.index()].narrow = narrow;
                if self.is_poison(id) {
                    self.facts[load.index()] = self.facts[id.index()];
                }
                load
            }
        }
    }

    /// The value of a `constexpr` object.
    fn constexpr_value(&mut self, value: Const, ty: Ty, at: At) -> ExprId {
        let ty = self.plain(ty);
        match value {
            Const::Int(value) => self.int_const(value, ty, at),
            Const::Float(bits) => {
                let id = self.push(ExprKind::Float(bits), ty, at);
                self.set_const(id, value);
                id
            }
        }
    }

    /// `&lvalue` (or function), which makes its object addressed.
    pub(super) fn address(&mut self, id: ExprId, at: At) -> ExprId {
        if let ExprKind::Deref(pointer) = *self.kind(id) {
            return pointer;
        }
        if let ExprKind::VlaEval(vlas, place) = self.kind(id) {
            let (vlas, place) = (vlas.clone(), *place);
            let pointer = self.address(place, at);
            return self.with_vlas(vlas, pointer, at);
        }
        self.mark_addressed(id);
        let qty = self.qty(id);
        let ty = self.tree.types.pointer(qty);
        let node = self.push(ExprKind::AddrOf(id), ty, at);
        self.copy_const(node, id);
        node
    }

    /// Notes that the address of an lvalue's object is taken.
    pub(super) fn mark_addressed(&mut self, mut id: ExprId) {
        loop {
            match *self.kind(id) {
                ExprKind::Object(object) | ExprKind::CompoundLit(object) => {
                    if self.unevaluated > 0 {
                        self.unevaluated_addresses.push(object);
                    } else {
                        self.object(object).addressed = true;
                    }
                    return;
                }
                ExprKind::Member { base, .. } | ExprKind::ComplexPart { base, .. } => id = base,
                ExprKind::VectorElem(base, _) => id = base,
                _ => return,
            }
        }
    }

    /// The width of a bit-field place if narrower than its type, else 0. Those of a `_BitInt` have that type (6.3.1.1p2).
    pub(super) fn place_width(&self, place: ExprId) -> u8 {
        let ExprKind::Member { record, field, .. } = *self.kind(place) else { return 0 };
        if self.types().int_kind(self.ty(place)).is_some_and(|kind| kind.bit_precise().is_some()) {
            return 0;
        }
        let fields = self.types().records[record.0 as usize].fields.as_deref().unwrap_or(&[]);
        match fields.get(field as usize).and_then(|f| f.bits) {
            Some(bits) if u32::from(bits.width) < self.width(self.ty(place)) => bits.width,
            Some(_) | None => 0,
        }
    }

    // ----- single conversions

    /// A conversion node of the given kind.
    pub(super) fn node_convert(&mut self, value: ExprId, to: Ty, kind: Conversion, explicit: bool) -> ExprId {
        let at = self.at_of(value);
        self.node_convert_at(value, to, kind, explicit, at)
    }

    fn node_convert_at(&mut self, value: ExprId, to: Ty, kind: Conversion, explicit: bool, at: At) -> ExprId {
        let poison = self.is_poison(value);
        let id = self.push(ExprKind::Convert { kind, value, explicit }, to, at);
        if poison {
            self.facts[id.index()] = self.facts[value.index()];
        } else {
            self.fold_conversion(id, kind, value);
        }
        id
    }

    /// Converts a value to an arithmetic, pointer, vector or void type, where C has such a conversion at all.
    pub(super) fn convert_to(&mut self, value: ExprId, to: Ty, explicit: bool, at: At) -> Option<ExprId> {
        let from = self.ty(value);
        if from == to {
            return Some(if explicit {
                self.node_convert_at(value, to, Conversion::NoOp, true, at)
            } else {
                value
            });
        }
        if self.is_poison(value) {
            return Some(self.node_convert_at(value, to, Conversion::NoOp, explicit, at));
        }
        let kind = match (self.tykind(from).clone(), self.tykind(to).clone()) {
            (_, TyKind::Void) => Conversion::ToVoid,
            (TyKind::Record(a), TyKind::Record(b)) if a == b => Conversion::NoOp,
            (TyKind::VaList, TyKind::VaList) => Conversion::NoOp,
            (TyKind::Complex(a), TyKind::Complex(b)) => {
                if self.compatible(a, b) {
                    Conversion::NoOp
                } else {
                    Conversion::ComplexToComplex
                }
            }
            (TyKind::Complex(_), _) if self.is_bool(to) => Conversion::ToBool,
            (TyKind::Complex(elem), _) if self.is_real(to) => {
                let part = self.node_convert_at(value, elem, Conversion::ComplexToReal, explicit, at);
                return self.convert_to(part, to, false, at);
            }
            (_, TyKind::Complex(elem)) if self.is_real(from) => {
                let part = self.convert_to(value, elem, false, at)?;
                return Some(self.node_convert_at(part, to, Conversion::RealToComplex, explicit, at));
            }
            (TyKind::Vector(..), TyKind::Vector(..)) => self.bitcast(from, to)?,
            (TyKind::Vector(..), _) | (_, TyKind::Vector(..)) if explicit => {
                if !self.is_integer(from) && !self.is_integer(to) {
                    return None;
                }
                self.bitcast(from, to)?
            }
            (TyKind::Float(a), TyKind::Float(b)) => {
                if a == b {
                    Conversion::NoOp
                } else {
                    Conversion::FloatToFloat
                }
            }
            (TyKind::Pointer(_), TyKind::Pointer(_)) => Conversion::PtrToPtr,
            (TyKind::Pointer(_) | TyKind::Float(_), _) if self.is_bool(to) => Conversion::ToBool,
            (TyKind::Pointer(_), _) if self.is_integer(to) => Conversion::PtrToInt,
            (TyKind::Float(_), _) if self.is_integer(to) => Conversion::FloatToInt,
            (_, TyKind::Pointer(_)) if self.is_integer(from) => Conversion::IntToPtr,
            (_, TyKind::Float(_)) if self.is_integer(from) => Conversion::IntToFloat,
            _ if self.is_integer(from) && self.is_integer(to) => {
                if self.types().int_kind(from) == self.types().int_kind(to)
                    && !self.is_enum(from)
                    && !self.is_enum(to)
                {
                    Conversion::NoOp
                } else if self.is_bool(to) && !self.is_bool(from) {
                    Conversion::ToBool
                } else {
                    Conversion::IntToInt
                }
            }
            _ => return None,
        };
        Some(self.node_convert_at(value, to, kind, explicit, at))
    }

    pub(super) fn is_enum(&self, ty: Ty) -> bool {
        matches!(self.tykind(ty), TyKind::Enum(_))
    }

    fn bitcast(&self, from: Ty, to: Ty) -> Option<Conversion> {
        let (a, b) = (self.types().layout(from)?, self.types().layout(to)?);
        (a.size == b.size).then_some(Conversion::Bitcast)
    }

    /// Converts where a conversion is known to exist; otherwise reports.
    pub(super) fn coerce(&mut self, value: ExprId, to: Ty) -> ExprId {
        let at = self.at_of(value);
        match self.convert_to(value, to, false, at) {
            Some(id) => id,
            None => {
                let (from, to) = (self.show(self.ty(value)), self.show(to));
                self.error_expr(at, format!("no conversion from '{from}' to '{to}'"))
            }
        }
    }

    /// An expression evaluated for its effects alone.
    pub(super) fn voided(&mut self, id: ExprId) -> ExprId {
        let value = self.value(id);
        if self.is_void(self.ty(value)) {
            return value;
        }
        self.node_convert(value, Ty::VOID, Conversion::ToVoid, false)
    }

    // ----- promotions

    /// The type an integer type (with a bit-field's width, or 0) promotes to.
    pub(super) fn promoted_ty(&mut self, ty: Ty, narrow: u8) -> Ty {
        let Some(kind) = self.types().int_kind(ty) else { return ty };
        match narrow {
            0 if kind < IntKind::Int => Ty::INT,
            0 | 33.. => self.int_ty(kind),
            32 if !self.types().int_signed(kind) => Ty::UINT,
            1..=32 => Ty::INT,
        }
    }

    /// The integer promotions; other types stay.
    pub(super) fn promote(&mut self, value: ExprId) -> ExprId {
        let to = self.promoted_ty(self.ty(value), self.facts[value.index()].narrow);
        if to == self.ty(value) { value } else { self.coerce(value, to) }
    }

    /// The default argument promotions.
    pub(super) fn promote_argument(&mut self, value: ExprId) -> ExprId {
        match *self.tykind(self.ty(value)) {
            TyKind::Float(FloatKind::Float) => self.coerce(value, Ty::DOUBLE),
            TyKind::Float(_) => {
                let ty = self.plain(self.ty(value));
                self.coerce(value, ty)
            }
            _ => self.promote(value),
        }
    }

    /// The common type of two arithmetic values (6.3.1.8), given their types after promotion.
    pub(super) fn common_ty(&mut self, a: Ty, b: Ty) -> Ty {
        match (self.tykind(a).clone(), self.tykind(b).clone()) {
            (TyKind::Complex(x), TyKind::Complex(y)) => {
                let elem = self.common_elem(x, y);
                self.tree.types.intern(TyKind::Complex(elem))
            }
            (TyKind::Complex(x), _) => {
                let elem = self.common_elem(x, b);
                self.tree.types.intern(TyKind::Complex(elem))
            }
            (_, TyKind::Complex(y)) => {
                let elem = self.common_elem(a, y);
                self.tree.types.intern(TyKind::Complex(elem))
            }
            (TyKind::Float(x), TyKind::Float(y)) => float_ty(x.max(y)),
            (TyKind::Float(x), _) => float_ty(x),
            (_, TyKind::Float(y)) => float_ty(y),
            _ => {
                let (Some(x), Some(y)) = (self.types().int_kind(a), self.types().int_kind(b)) else {
                    return a;
                };
                let common = self.common_int(x, y);
                self.int_ty(common)
            }
        }
    }

    fn common_elem(&mut self, a: Ty, b: Ty) -> Ty {
        let (a, b) = (self.promoted_elem(a), self.promoted_elem(b));
        self.common_ty(a, b)
    }

    fn promoted_elem(&mut self, ty: Ty) -> Ty {
        self.plain(ty)
    }

    fn common_int(&self, x: IntKind, y: IntKind) -> IntKind {
        let types = self.types();
        let rank = |kind: IntKind| types.int_rank(kind);
        let (sx, sy) = (types.int_signed(x), types.int_signed(y));
        if sx == sy {
            return if rank(x) >= rank(y) { x } else { y };
        }
        let (u, s) = if sx { (y, x) } else { (x, y) };
        if rank(u) >= rank(s) {
            u
        } else if types.int_width(s) > types.int_width(u) {
            s
        } else {
            unsigned(s)
        }
    }

    /// Promotes both and converts both to their common type.
    pub(super) fn usual(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId, Ty) {
        let (a, b) = (self.promote(a), self.promote(b));
        let common = self.common_ty(self.ty(a), self.ty(b));
        (self.coerce(a, common), self.coerce(b, common), common)
    }

    // ----- null pointer constants, assignment

    /// An integer constant zero, or that cast to `void *`.
    pub(super) fn is_null_constant(&self, id: ExprId) -> bool {
        if self.int_of(id) != Some(0) || self.is_poison(id) {
            return false;
        }
        match self.tykind(self.ty(id)) {
            TyKind::Pointer(to) => {
                to.ty == Ty::VOID
                    && to.quals == Quals::NONE
                    && match *self.kind(id) {
                        ExprKind::Convert { value, .. } => {
                            self.is_integer(self.ty(value)) || self.is_null_constant(value)
                        }
                        _ => false,
                    }
            }
            _ => self.is_integer(self.ty(id)),
        }
    }

    /// Converts `value` as if by assignment to an object of type `to`.
    pub(super) fn assign_convert(&mut self, value: ExprId, to: QTy, purpose: Purpose, at: At) -> ExprId {
        let to = self.plain(to.ty);
        let from = self.ty(value);
        if from == to || self.is_poison(value) {
            return if from == to { value } else { self.coerce_quiet(value, to) };
        }
        if let Some(call) = self.retyped_call(value, to) {
            return call;
        }
        let what = purpose.text();
        match (self.tykind(from).clone(), self.tykind(to).clone()) {
            (TyKind::Void, _) => {
                return self.error_expr(at, format!("{what} needs a value, but the expression is void"));
            }
            (TyKind::Pointer(a), TyKind::Pointer(b)) if !self.is_null_constant(value) => {
                self.check_pointers(a, b, what, at);
            }
            (_, TyKind::Pointer(_)) if self.is_integer(from) && !self.is_null_constant(value) => {
                let (from, to) = (self.show(from), self.show(to));
                self.warn(
                    at.span,
                    format!("{what} makes pointer '{to}' from integer '{from}' without a cast"),
                );
            }
            (TyKind::Pointer(_), _) if self.is_integer(to) && !self.is_bool(to) => {
                let (from, to) = (self.show(from), self.show(to));
                self.warn(
                    at.span,
                    format!("{what} makes integer '{to}' from pointer '{from}' without a cast"),
                );
            }
            (TyKind::Vector(..), TyKind::Vector(..))
                if !self.compatible(from, to) && !self.lax_vectors(from, to) =>
            {
                return self.mismatch(value, to, what, at);
            }
            (_, TyKind::Record(_)) => {
                if let Some(id) = self.transparent_value(value, to) {
                    return id;
                }
                if !self.compatible(from, to) {
                    return self.mismatch(value, to, what, at);
                }
            }
            _ => {}
        }
        match self.convert_to(value, to, false, at) {
            Some(id) => id,
            None => self.mismatch(value, to, what, at),
        }
    }

    fn coerce_quiet(&mut self, value: ExprId, to: Ty) -> ExprId {
        let at = self.at_of(value);
        self.convert_to(value, to, false, at).unwrap_or(value)
    }

    fn mismatch(&mut self, value: ExprId, to: Ty, what: &str, at: At) -> ExprId {
        let (from, to) = (self.show(self.ty(value)), self.show(to));
        self.error_expr(at, format!("incompatible types in {what}: expected '{to}', found '{from}'"))
    }

    /// gcc converts vectors implicitly between integer element types of different signedness and same width.
    fn lax_vectors(&self, from: Ty, to: Ty) -> bool {
        match (self.tykind(from), self.tykind(to)) {
            (TyKind::Vector(a, m), TyKind::Vector(b, n)) => {
                m == n
                    && self.is_integer(*a)
                    && self.is_integer(*b)
                    && self.types().layout(*a).map(|l| l.size) == self.types().layout(*b).map(|l| l.size)
            }
            _ => false,
        }
    }

    fn check_pointers(&mut self, from: QTy, to: QTy, what: &str, at: At) {
        let void = self.is_void(from.ty) || self.is_void(to.ty);
        // `_Atomic T` is a type of its own, which has no common representation with `T` (6.2.5p27).
        let alike = from.quals.has(Quals::ATOMIC) == to.quals.has(Quals::ATOMIC);
        let fits = void || alike && (self.compatible(from.ty, to.ty) || self.same_but_sign(from.ty, to.ty));
        if !fits {
            let (from, to) = (self.show(from), self.show(to));
            self.warn(at.span, format!("{what} from pointer to '{from}' to incompatible pointer to '{to}'"));
        } else {
            let lost = from.quals.without(to.quals);
            if lost.has(Quals::CONST) || lost.has(Quals::VOLATILE) {
                self.warn(at.span, format!("{what} discards qualifiers from the pointer's target"));
            }
        }
    }

    fn same_but_sign(&self, a: Ty, b: Ty) -> bool {
        match (self.types().int_kind(a), self.types().int_kind(b)) {
            (Some(x), Some(y)) => unsigned(x) == unsigned(y),
            _ => false,
        }
    }

    /// A value given to a transparent union.
    fn transparent_value(&mut self, value: ExprId, to: Ty) -> Option<ExprId> {
        let TyKind::Record(id) = *self.tykind(to) else { return None };
        if !self.types().records[id.0 as usize].attrs.transparent || self.compatible(self.ty(value), to) {
            return None;
        }
        let fields = self.types().records[id.0 as usize].fields.clone()?;
        let exact = fields.iter().position(|f| self.compatible(f.ty.ty, self.ty(value)));
        let index = exact.or_else(|| {
            fields.iter().position(|f| match (self.pointee(f.ty.ty), self.pointee(self.ty(value))) {
                (Some(a), Some(b)) => self.is_void(a.ty) || self.is_void(b.ty) || self.compatible(a.ty, b.ty),
                (Some(_), None) => self.is_null_constant(value),
                (None, _) => false,
            })
        })?;
        let member = self.plain(fields[index].ty.ty);
        let value = self.coerce(value, member);
        Some(self.node_convert(value, to, Conversion::ToUnion(index as u32), false))
    }

    /// A scalar for a condition.
    pub(super) fn condition(&mut self, id: ExprId) -> ExprId {
        let value = self.value(id);
        if !self.is_scalar(self.ty(value)) && !self.is_poison(value) {
            let text = self.show(self.ty(value));
            let at = self.at_of(id);
            return self.error_expr(at, format!("a condition needs a scalar, found '{text}'"));
        }
        value
    }

    /// `size_t` expression for the size of a type: a constant, or a product with variable lengths.
    pub(super) fn size_expr(&mut self, ty: Ty, at: At) -> Option<ExprId> {
        let size_t = self.types().size_t();
        if let Some(layout) = self.types().layout(ty) {
            return Some(self.int_const(layout.size.into(), size_t, at));
        }
        match *self.tykind(ty) {
            TyKind::Array(elem, len) => {
                let count = match len {
                    ArrayLen::Fixed(n) => self.int_const(n.into(), size_t, at),
                    ArrayLen::Variable(id) => self.push(ExprKind::VlaLen(id), size_t, at),
                    ArrayLen::Unknown => return None,
                };
                let elem = self.size_expr(elem.ty, at)?;
                if self.int_of(elem) == Some(1) {
                    return Some(count);
                }
                let product = self.push(ExprKind::Binary(crate::tree::Op::Mul, count, elem), size_t, at);
                self.fold_binary(product, crate::tree::Op::Mul, count, elem);
                Some(product)
            }
            _ => None,
        }
    }
}
