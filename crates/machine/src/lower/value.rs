//! Values: rvalues into registers, conditions into jumps, aggregates into places.

use super::func::{FnLower, Same, deep};
use super::ops;
use super::place::{Base, Dyn, Place, canonical};
use crate::bytecode::{Constant, Insn, Reg, WideOp};
use crate::class::Scalar;
use crate::ub::Ub;
use csyntax::tree::{Conversion, ExprId, ExprKind, Op, Rel};
use csyntax::types::{FloatKind, QTy, Ty, TyKind};

/// What is said where gcc's types for wide bit-fields and those of others give different results.
pub(super) const WIDE_BITS: &str = "arithmetic on a bit-field wider than int, where gcc and clang differ";

impl FnLower<'_, '_> {
    /// Evaluates a scalar rvalue, into `want` if given. Without, the register may be a variable's own: it is valid
    /// until the next sequence point.
    pub fn value(&mut self, e: ExprId, want: Option<Reg>) -> Reg {
        if let Some(&reg) = self.ahead.get(&e) {
            return self.mov(want, reg);
        }
        let old = std::mem::replace(&mut self.span, self.lw.unit[e].span);
        let reg = deep(|| self.value_kind(e, want));
        self.span = old;
        reg
    }

    fn value_kind(&mut self, e: ExprId, want: Option<Reg>) -> Reg {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let ty = expr.ty.ty;
        match &expr.kind {
            ExprKind::Int(value) => {
                let Some(scalar) = self.scalar(ty) else { return self.unsupported("this constant") };
                let (lo, hi) = canonical(scalar, *value);
                self.konst(want, lo, hi)
            }
            ExprKind::Float(bits) => {
                let bits = match bits.kind {
                    FloatKind::Float16 | FloatKind::Float | FloatKind::Double => (bits.bits as u64, 0),
                    FloatKind::LongDouble | FloatKind::Float128 => {
                        (bits.bits as u64, (bits.bits >> 64) as u64)
                    }
                };
                self.konst(want, bits.0, bits.1)
            }
            ExprKind::VlaLen(vla) => match self.vlas.get(&vla.0) {
                Some(&reg) => self.mov(want, reg),
                None => self.unsupported("a variable length used before its declaration"),
            },
            ExprKind::LabelAddr(label) => {
                let c = match (self.function, self.init_owner) {
                    (None, Some(owner)) => match self.lw.labels.get(&(owner, *label)) {
                        Some(&c) => c,
                        None => return self.unsupported("the address of this label"),
                    },
                    _ => self.label_constant(*label),
                };
                let d = self.dst(want);
                self.emit(Insn::Const { d, c });
                d
            }
            ExprKind::LabelAddrOuter(owner, label) => match self.lw.labels.get(&(*owner, *label)) {
                Some(&c) => {
                    let d = self.dst(want);
                    self.emit(Insn::Const { d, c });
                    d
                }
                None => self.unsupported("the address of this label"),
            },
            ExprKind::Load(lv) => {
                let place = self.place(*lv);
                self.load(place, want)
            }
            ExprKind::Decay(lv) => {
                let fresh = self.next;
                let place = self.place(*lv);
                let reg = self.address(place, false);
                self.mov_last(want, reg, fresh)
            }
            ExprKind::AddrOf(lv) => {
                let fresh = self.next;
                let reg = self.address_of(*lv);
                self.mov_last(want, reg, fresh)
            }
            ExprKind::Convert { kind, value, .. } => self.convert(*kind, *value, ty, want),
            ExprKind::Neg(a) => self.negate(*a, ty, want),
            ExprKind::BitNot(a) => {
                let Some(scalar) = self.scalar(ty) else { return self.unsupported("this operand of ~") };
                if self.wide_bits(*a) == Some(false) {
                    return self.unsupported(WIDE_BITS);
                }
                let a = self.value(*a, None);
                let d = self.dst(want);
                self.emit(match ops::arith(scalar) {
                    ops::Arith::U32 => Insn::NotU32 { d, a },
                    ops::Arith::Wide(signed) => Insn::Wide { d, a, b: a, op: WideOp::Not, signed },
                    ops::Arith::I32
                    | ops::Arith::I64
                    | ops::Arith::U64
                    | ops::Arith::F32
                    | ops::Arith::F64
                    | ops::Arith::Soft => Insn::Not { d, a },
                });
                d
            }
            ExprKind::Not(a) => {
                let a = self.truth(*a);
                let d = self.dst(want);
                self.emit(Insn::LogNot { d, a });
                d
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, ty, want),
            ExprKind::Compare(rel, a, b) => self.compare(*rel, *a, *b, want),
            ExprKind::PtrAdd { ptr, index, negative, scale } => {
                self.ptr_add(*ptr, *index, *negative, *scale, want)
            }
            ExprKind::PtrDiff(a, b, scale) => {
                let elem = match unit.types.kind(unit[*a].ty.ty) {
                    TyKind::Pointer(to) => self.step_size(to.ty),
                    _ => 1,
                };
                let open = self.open_pair(*a, *b);
                let ra = self.value(*a, None);
                self.next_pair(open);
                let rb = self.value(*b, None);
                self.close_pair(open);
                let scale = scale.map(|s| self.value(s, None));
                let d = self.dst(want);
                match scale {
                    Some(scale) => self.emit(Insn::PDiffR { d, a: ra, b: rb, scale }),
                    None => self.emit(Insn::PDiff { d, a: ra, b: rb, scale: elem as u32 }),
                };
                d
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let mark = self.seq_mark();
                let (no, end) = (self.label(), self.label());
                self.branch(e, no, false);
                let d = self.dst(want);
                self.emit(Insn::K { d, k: 1 });
                self.jump(end);
                self.place_label(no);
                self.emit(Insn::K { d, k: 0 });
                self.place_label(end);
                // Coarse: the right operand counts as complete too.
                self.seq_point(mark);
                d
            }
            ExprKind::Cond(c, t, f) => {
                let (no, end) = (self.label(), self.label());
                let mark = self.seq_mark();
                self.branch(*c, no, false);
                self.seq_point(mark);
                if self.scalar(ty).is_none() {
                    self.discard(*t);
                    self.jump(end);
                    self.place_label(no);
                    self.discard(*f);
                    self.place_label(end);
                    return want.unwrap_or(0);
                }
                let d = self.dst(want);
                let next = self.next;
                self.value(*t, Some(d));
                self.release(next);
                self.jump(end);
                self.place_label(no);
                self.value(*f, Some(d));
                self.release(next);
                self.place_label(end);
                d
            }
            ExprKind::CondElvis { cond, value, other } => {
                let operands = [*cond, *value, *other];
                if self.scalar(ty).is_none() {
                    self.elvis(operands, |fl, arm| fl.discard(arm));
                    return want.unwrap_or(0);
                }
                let d = self.dst(want);
                self.elvis(operands, |fl, arm| {
                    let next = fl.next;
                    fl.value(arm, Some(d));
                    fl.release(next);
                });
                d
            }
            ExprKind::Same => match self.same.last() {
                Some(&Same::Reg(reg)) => self.mov(want, reg),
                Some(Same::Place(_)) | None => self.unsupported("this compound assignment"),
            },
            ExprKind::Comma(a, b) => {
                let mark = self.seq_mark();
                self.discard(*a);
                self.seq_point(mark);
                self.value(*b, want)
            }
            ExprKind::Assign(lv, rv) => {
                let s = self.assign(*lv, *rv);
                self.mov(want, s)
            }
            ExprKind::CompoundAssign { place, compute } => {
                let (_, new) = self.update(*place, *compute);
                self.mov(want, new)
            }
            ExprKind::IncDec { place, compute, post } => {
                let keep = *post;
                let (old, new) = self.update_keeping(*place, *compute, keep);
                self.mov(want, if keep { old } else { new })
            }
            ExprKind::Call(callee, args) => self.call(*callee, args, want, true),
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, expr.ty, want),
            ExprKind::StmtExpr { block, value } => self.statement_value(*block, *value, want),
            ExprKind::VaArg(list) => {
                let p = self.value(*list, None);
                let scalar = self.scalar(ty);
                self.lw.program.va_args.push((ty, scalar, 0));
                let v = self.lw.program.va_args.len() as u32 - 1;
                let d = self.dst(want);
                self.emit(Insn::VaArg { d, p, v, passed: self.is_passed(*list) });
                d
            }
            ExprKind::PartOf(value, imag) => {
                let (re, im) = self.complex(*value);
                self.mov(want, if *imag { im } else { re })
            }
            ExprKind::VlaEval(vlas, inner) => {
                vlas.iter().for_each(|v| self.vla_eval(*v));
                self.value(*inner, want)
            }
            ExprKind::Function(id) => self.constant(want, Constant::Function(id.0)),
            ExprKind::Complex(..)
            | ExprKind::Object(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLit(_)
            | ExprKind::Materialize(..)
            | ExprKind::VectorElem(..)
            | ExprKind::ComplexPart { .. } => {
                debug_assert!(false, "an lvalue where a value belongs: {:?}", expr.kind);
                self.unsupported("this expression")
            }
        }
    }

    /// Is a `va_list` one that was passed to this function, and not through a pointer to it?
    pub(super) fn is_passed(&self, list: ExprId) -> bool {
        let ExprKind::Load(lv) = self.lw.unit[list].kind else { return false };
        matches!(self.lw.unit[lv].kind, ExprKind::Object(id) if self.lw.unit[id].list)
    }

    /// Element size of pointer steps: 1 for `void` and functions.
    pub fn step_size(&self, ty: Ty) -> u64 {
        match self.lw.unit.types.kind(ty) {
            TyKind::Void | TyKind::Function(_) => 1,
            _ => self.size(ty),
        }
    }

    fn address_of(&mut self, lv: ExprId) -> Reg {
        let unit = self.lw.unit;
        match &unit[lv].kind {
            ExprKind::Function(id) if unit[*id].parent.is_some() => {
                let d = self.temp();
                self.emit(Insn::FnPtr { d, f: id.0 });
                d
            }
            ExprKind::Function(id) => self.constant(None, Constant::Function(id.0)),
            ExprKind::Deref(ptr) => {
                if let ExprKind::PtrAdd { ptr: base, scale: None, negative: false, .. } = &unit[*ptr].kind
                    && let ExprKind::Decay(array) = unit[*base].kind
                    && self.row_length(array).is_none()
                {
                    let place = self.place(lv);
                    return self.end_address(place);
                }
                self.value(*ptr, None)
            }
            _ => {
                let place = self.place(lv);
                self.end_address(place)
            }
        }
    }

    /// `&place`, which may point one past the last element of a named array.
    fn end_address(&mut self, place: Place) -> Reg {
        self.address(place, true)
    }

    /// A scalar as a register that is zero exactly when the scalar compares equal to 0.
    pub fn truth_of(&mut self, reg: Reg, ty: Ty) -> Reg {
        let Some(scalar) = self.scalar(ty) else { return self.unsupported("a condition of this type") };
        if scalar.is_wide() {
            let d = self.temp();
            self.emit(Insn::Wide { d, a: reg, b: reg, op: WideOp::Bool, signed: false });
            d
        } else if scalar.is_float() {
            let d = self.temp();
            self.emit(Insn::Conv { d, a: reg, from: scalar, to: Scalar::Bool });
            d
        } else {
            reg
        }
    }

    /// 1 if a complex value compares unequal to 0.
    pub(super) fn complex_truth(&mut self, e: ExprId) -> Reg {
        let (re, im) = self.complex(e);
        self.parts_truth(self.lw.unit[e].ty.ty, re, im)
    }

    /// 1 if a complex value of type `ty` with these parts compares unequal to 0.
    pub(super) fn parts_truth(&mut self, ty: Ty, re: Reg, im: Reg) -> Reg {
        let elem = self.complex_elem(ty);
        let (re, im) = (self.truth_of(re, elem), self.truth_of(im, elem));
        let (a, b, d) = (self.temp(), self.temp(), self.temp());
        self.emit(Insn::ToBool { d: a, a: re });
        self.emit(Insn::ToBool { d: b, a: im });
        self.emit(Insn::Or { d, a, b });
        d
    }

    pub(super) fn truth(&mut self, e: ExprId) -> Reg {
        let ty = self.lw.unit[e].ty.ty;
        if matches!(self.lw.unit.types.kind(ty), TyKind::Complex(_)) {
            return self.complex_truth(e);
        }
        let reg = self.value(e, None);
        self.truth_of(reg, ty)
    }

    /// A value before the conversions that nobody wrote.
    fn unconverted(&self, e: ExprId) -> ExprId {
        let mut e = e;
        while let ExprKind::Convert {
            kind: Conversion::IntToInt | Conversion::NoOp,
            value,
            explicit: false,
        } = self.lw.unit[e].kind
        {
            e = value;
        }
        e
    }

    /// Is this the value of a bit-field wider than `int`? Then whether it is signed. GNU C computes with it in its own
    /// width, other compilers in its declared type.
    fn wide_bits(&self, e: ExprId) -> Option<bool> {
        let unit = self.lw.unit;
        let ExprKind::Load(lv) = unit[self.unconverted(e)].kind else { return None };
        let ExprKind::Member { record, field, .. } = unit[lv].kind else { return None };
        let fields = unit.types.records[record.0 as usize].fields.as_ref();
        let width = fields.and_then(|f| f[field as usize].bits).map_or(0, |b| b.width);
        let ty = unit[lv].ty.ty;
        (width > 32 && u64::from(width) < 8 * self.size(ty))
            .then(|| self.scalar(ty).is_some_and(Scalar::signed))
    }

    /// Can the result of an operation on these operands be another in the width of a bit-field than in its declared
    /// type? An operand of the declared type's own width decides for both; so do operands that both hold unchanged.
    /// `wraps`: the result can have more bits than the operands.
    pub(super) fn width_matters(&self, a: ExprId, b: ExprId, wraps: bool) -> bool {
        let one = |field: ExprId, other: ExprId| {
            let Some(signed) = self.wide_bits(field) else { return false };
            let own = self.unconverted(other);
            let Some(scalar) = self.scalar(self.lw.unit[own].ty.ty) else { return true };
            match self.wide_bits(other) {
                Some(also) => wraps || also != signed,
                None if scalar.bytes(8) >= 8 => false,
                None => wraps || (!signed && scalar.signed() && self.small_const(own).is_none_or(|k| k < 0)),
            }
        };
        one(a, b) || one(b, a)
    }

    fn negate(&mut self, a: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let Some(scalar) = self.scalar(ty) else { return self.unsupported("this operand of -") };
        if self.wide_bits(a).is_some() {
            return self.unsupported(WIDE_BITS);
        }
        let a = self.value(a, None);
        let d = self.dst(want);
        self.emit(match ops::arith(scalar) {
            ops::Arith::I32 => Insn::NegI32 { d, a },
            ops::Arith::U32 => Insn::NegU32 { d, a },
            ops::Arith::I64 => Insn::NegI64 { d, a },
            ops::Arith::U64 => Insn::NegU64 { d, a },
            ops::Arith::Wide(signed) => Insn::Wide { d, a, b: a, op: WideOp::Neg, signed },
            ops::Arith::F32 => Insn::NegF32 { d, a },
            ops::Arith::F64 => Insn::NegF64 { d, a },
            ops::Arith::Soft => Insn::Soft { d, a, b: a, op: crate::bytecode::SoftOp::Neg, kind: scalar },
        });
        d
    }

    fn binary(&mut self, op: Op, a: ExprId, b: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let Some(scalar) = self.scalar(ty) else { return self.unsupported("an operation on this type") };
        let apart = match op {
            Op::Shl => self.wide_bits(a).is_some(),
            Op::Shr => false,
            Op::Add | Op::Sub | Op::Mul => self.width_matters(a, b, true),
            // Only the least value divided by -1 has more bits than before.
            Op::Div | Op::Rem => {
                let divisor = self.small_const(self.unconverted(b));
                let wraps = self.wide_bits(a) == Some(true) && divisor.is_none_or(|k| k == -1);
                self.width_matters(a, b, wraps)
            }
            Op::And | Op::Or | Op::Xor => self.width_matters(a, b, false),
        };
        if apart {
            return self.unsupported(WIDE_BITS);
        }
        let swap =
            matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor) && self.small_const(a).is_some();
        let (left, right) = if swap { (b, a) } else { (a, b) };
        if let Some(k) = self.small_const(right)
            && let Some(insn) = ops::binary_k(op, scalar, 0, 0, k)
        {
            let a = self.value(left, None);
            let d = self.dst(want);
            self.emit(ops::binary_k(op, scalar, d, a, k).unwrap_or(insn));
            return d;
        }
        let (ra, mut rb) = self.operands(a, b);
        if matches!(op, Op::Shl | Op::Shr) {
            let count = self.scalar(self.lw.unit[b].ty.ty);
            if count.is_some_and(Scalar::is_wide) {
                let d = self.temp();
                self.emit(Insn::Conv { d, a: rb, from: count.unwrap_or(Scalar::I128), to: Scalar::I64 });
                rb = d;
            }
        }
        let d = self.dst(want);
        match ops::binary(op, scalar, d, ra, rb) {
            Some(insn) => {
                self.emit(insn);
                d
            }
            None => self.unsupported("an operator on this type"),
        }
    }

    /// Evaluates two unsequenced operands. A register variable that a statement expression on the other side could
    /// change is no exception: that would be undefined, and is found as such.
    pub(super) fn operands(&mut self, a: ExprId, b: ExprId) -> (Reg, Reg) {
        let open = self.open_pair(a, b);
        if self.right_first(a, b) {
            let rb = self.value(b, None);
            self.next_pair(open);
            let ra = self.value(a, None);
            self.close_pair(open);
            return (ra, rb);
        }
        let ra = self.value(a, None);
        self.next_pair(open);
        let rb = self.value(b, None);
        self.close_pair(open);
        (ra, rb)
    }

    fn compare(&mut self, rel: Rel, a: ExprId, b: ExprId, want: Option<Reg>) -> Reg {
        let left = self.lw.unit[a].ty.ty;
        let Some(scalar) = self.scalar(left) else {
            let elem = self.scalar(self.complex_elem(left));
            return match (self.lw.unit.types.kind(left), elem) {
                (TyKind::Complex(_), Some(elem)) => {
                    let equal = self.complex_equal(a, b, elem);
                    let d = self.dst(want);
                    let same = rel == Rel::Eq;
                    self.emit(if same { Insn::Mov { d, a: equal } } else { Insn::LogNot { d, a: equal } });
                    d
                }
                _ => self.unsupported("a comparison of this type"),
            };
        };
        if self.width_matters(a, b, false) {
            return self.unsupported(WIDE_BITS);
        }
        let (ra, rb) = self.operands(a, b);
        self.restrict_meet(rel, scalar == Scalar::Ptr, ra, rb);
        let d = self.dst(want);
        if self.asks_identity(rel, a, b) {
            self.emit(Insn::PEq { d, a: ra, b: rb });
            if rel == Rel::Ne {
                self.emit(Insn::LogNot { d, a: d });
            }
            return d;
        }
        let (rel, swap) = ops::normal(rel);
        let (ra, rb) = if swap { (rb, ra) } else { (ra, rb) };
        self.emit(ops::compare(rel, scalar, d, ra, rb));
        d
    }

    /// Does a comparison ask whether two pointers are equal, neither of them a null pointer constant?
    pub(super) fn asks_identity(&self, rel: Rel, a: ExprId, b: ExprId) -> bool {
        let pointer = |e: ExprId| self.scalar(self.lw.unit[e].ty.ty) == Some(Scalar::Ptr) && !self.is_null(e);
        matches!(rel, Rel::Eq | Rel::Ne) && pointer(a) && pointer(b)
    }

    fn is_null(&self, e: ExprId) -> bool {
        let mut e = e;
        loop {
            match self.lw.unit[e].kind {
                ExprKind::Convert { kind: Conversion::PtrToPtr | Conversion::NoOp, value, .. } => e = value,
                ExprKind::Convert { kind: Conversion::IntToPtr, value, .. } => {
                    return self.constant_int(value) == Some(0);
                }
                ExprKind::Int(value) => return value == 0,
                _ => return false,
            }
        }
    }

    fn ptr_add(
        &mut self,
        ptr: ExprId,
        index: ExprId,
        negative: bool,
        scale: Option<ExprId>,
        want: Option<Reg>,
    ) -> Reg {
        let size = match self.lw.unit.types.kind(self.lw.unit[ptr].ty.ty) {
            TyKind::Pointer(to) => self.step_size(to.ty) as i64,
            _ => 1,
        };
        let open = self.open_pair(ptr, index);
        let p = self.value(ptr, None);
        if let (Some(k), None) = (self.small_const(index), scale) {
            self.close_pair(open);
            let by = i64::from(k).wrapping_mul(size) * if negative { -1 } else { 1 };
            if let Ok(k) = i32::try_from(by) {
                let d = self.dst(want);
                self.emit(Insn::PAddK { d, p, k });
                return d;
            }
        } else {
            self.next_pair(open);
        }
        let i = self.index_value(index);
        if !(self.small_const(index).is_some() && scale.is_none()) {
            self.close_pair(open);
        }
        match scale {
            Some(scale) => {
                let scale = self.value(scale, None);
                let d = self.dst(want);
                self.emit(Insn::PAddR { d, p, i, scale, negative });
                d
            }
            None => {
                let d = self.dst(want);
                let scale = if negative { -size } else { size };
                match i32::try_from(scale) {
                    Ok(scale) => self.emit(Insn::PAdd { d, p, i, scale }),
                    Err(_) => {
                        let scale = self.konst(None, size as u64, 0);
                        self.emit(Insn::PAddR { d, p, i, scale, negative })
                    }
                };
                d
            }
        }
    }

    /// Evaluates for side effects only.
    pub fn discard(&mut self, e: ExprId) {
        deep(|| self.discard_kind(e));
    }

    fn discard_kind(&mut self, e: ExprId) {
        let unit = self.lw.unit;
        let expr = &unit[e];
        let old = std::mem::replace(&mut self.span, expr.span);
        let next = self.next;
        match &expr.kind {
            ExprKind::Call(callee, args) => {
                if self.in_memory(expr.ty.ty) {
                    self.aggregate(e);
                } else {
                    self.call(*callee, args, None, false);
                }
            }
            ExprKind::Convert { kind: Conversion::ToVoid, value, .. } => self.discard(*value),
            ExprKind::Comma(a, b) => {
                self.discard(*a);
                self.discard(*b);
            }
            ExprKind::Cond(c, t, f) => {
                let (no, end) = (self.label(), self.label());
                self.branch(*c, no, false);
                self.discard(*t);
                self.jump(end);
                self.place_label(no);
                self.discard(*f);
                self.place_label(end);
            }
            ExprKind::IncDec { place, compute, .. } if self.scalar(expr.ty.ty).is_some() => {
                self.update_keeping(*place, *compute, false);
            }
            ExprKind::StmtExpr { block, value } => {
                if value.is_some_and(|v| self.in_memory(unit[v].ty.ty)) {
                    self.aggregate(e);
                } else {
                    self.statement_value(*block, *value, None);
                }
            }
            _ if self.scalar(expr.ty.ty).is_some() => {
                self.value(e, None);
            }
            _ if self.in_memory(expr.ty.ty) && self.is_rvalue(e) => {
                self.aggregate(e);
            }
            _ if matches!(unit.types.kind(expr.ty.ty), TyKind::Void) => match &expr.kind {
                ExprKind::Builtin(..) | ExprKind::VlaEval(..) => {
                    self.value(e, None);
                }
                // `*p` of a pointer to void, evaluated for nothing.
                ExprKind::Deref(ptr) => self.discard(*ptr),
                ExprKind::Load(lv) => {
                    if let ExprKind::Deref(ptr) = unit[*lv].kind {
                        self.discard(ptr);
                    }
                }
                _ => {
                    self.value(e, None);
                }
            },
            _ if matches!(unit.types.kind(expr.ty.ty), TyKind::Function(_)) => {
                if let ExprKind::Deref(ptr) = expr.kind {
                    self.discard(ptr)
                }
            }
            _ => {
                self.place(e);
            }
        }
        self.release(next);
        self.span = old;
    }

    fn is_rvalue(&self, e: ExprId) -> bool {
        !matches!(
            self.lw.unit[e].kind,
            ExprKind::Object(_)
                | ExprKind::Str(_)
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
                | ExprKind::CompoundLit(_)
                | ExprKind::Materialize(..)
                | ExprKind::VectorElem(..)
                | ExprKind::ComplexPart { .. }
                | ExprKind::Function(_)
        )
    }

    /// `lv = rv` of scalars; gives the stored value.
    fn assign(&mut self, lv: ExprId, rv: ExprId) -> Reg {
        let open = self.open_store(lv, rv);
        // A register variable as destination takes the value directly.
        if let ExprKind::Object(id) = self.lw.unit[lv].kind {
            let place = self.object_place(id);
            if let Base::Reg(d) = place.base {
                self.next_store(open);
                let s = if open == 0 { self.value(rv, Some(d)) } else { self.value(rv, None) };
                self.check_store(open, place);
                self.close_store(open);
                self.store(place, s, false);
                return d;
            }
            self.next_store(open);
            let s = self.stored_value(&place, rv);
            let s = self.bit_value(&place, s, rv);
            let place = self.check_store(open, place);
            self.close_store(open);
            self.store(place, s, false);
            return s;
        }
        let (place, s) = if self.right_first(lv, rv) {
            let s = self.value(rv, None);
            self.next_store(open);
            (self.place(lv), s)
        } else {
            let place = self.place(lv);
            let place = if self.calls(rv) { self.pin(place) } else { place };
            self.next_store(open);
            (place, self.stored_value(&place, rv))
        };
        let s = self.bit_value(&place, s, rv);
        let place = self.check_store(open, place);
        self.close_store(open);
        self.store(place, s, false);
        s
    }

    /// Computes pending address parts now, before a call on the other side can change what they depend on.
    pub fn pin(&mut self, place: Place) -> Place {
        match place.base {
            Base::Reg(_) => place,
            Base::Local(_) | Base::Static(_) if matches!(place.dynamic, Dyn::None) => place,
            Base::Local(_) | Base::Static(_) | Base::Ptr(_) => {
                let place = self.settle(place);
                let p = match place.base {
                    Base::Ptr(p) => p,
                    Base::Reg(_) | Base::Local(_) | Base::Static(_) => return place,
                };
                let d = self.temp();
                self.emit(Insn::Mov { d, a: p });
                Place { base: Base::Ptr(d), ..place }
            }
        }
    }

    /// The value an assignment of `rv` to a bit-field yields: truncated to its width. A floating value that the width
    /// does not have is converted to no value (C11 6.3.1.4p1).
    fn bit_value(&mut self, place: &Place, s: Reg, rv: ExprId) -> Reg {
        let (Some(bits), Some(scalar)) = (place.bits, self.scalar(place.ty.ty)) else { return s };
        let width = u32::from(bits.width);
        if scalar == Scalar::Bool || width >= 64 {
            return s;
        }
        let (d, k) = (self.temp(), (64 - width) as i32);
        self.emit(Insn::ShlU64K { d, a: s, k });
        self.emit(if scalar.signed() { Insn::ShrSK { d, a: d, k } } else { Insn::ShrUK { d, a: d, k } });
        let kind = &self.lw.unit[rv].kind;
        if let ExprKind::Convert { kind: Conversion::FloatToInt, explicit: false, .. } = kind {
            let fits = self.label();
            self.emit(Insn::JEq { a: s, b: d, t: fits.0 });
            self.undefined(Ub::FloatToIntRange, "the value does not fit the bit-field");
            self.place_label(fits);
        }
        d
    }

    /// Compound assignment and steps: gives the old and the new value.
    fn update(&mut self, lv: ExprId, compute: ExprId) -> (Reg, Reg) {
        self.update_keeping(lv, compute, false)
    }

    fn update_keeping(&mut self, lv: ExprId, compute: ExprId, keep: bool) -> (Reg, Reg) {
        let open = self.open_store(lv, compute);
        let place = self.place(lv);
        let place = self.settle_twice(place);
        let ahead = self.right_operand(compute);
        self.next_store(open);
        if let Some(right) = ahead {
            let reg = self.value(right, None);
            // The operand may be a variable's own register; the store below cannot come between.
            self.ahead.insert(right, reg);
        }
        let raw = self.load(place, None);
        let old = if keep && matches!(place.base, Base::Reg(_)) {
            let d = self.temp();
            self.emit(Insn::Mov { d, a: raw });
            d
        } else {
            raw
        };
        self.same.push(Same::Reg(raw));
        let want = match place.base {
            Base::Reg(d) if open == 0 => Some(d),
            Base::Reg(_) | Base::Local(_) | Base::Static(_) | Base::Ptr(_) => None,
        };
        let new = self.value(compute, want);
        self.same.pop();
        if let Some(right) = ahead {
            self.ahead.remove(&right);
        }
        let new = self.bit_value(&place, new, compute);
        let place = self.check_store(open, place);
        self.close_store(open);
        self.store(place, new, false);
        let new = match place.base {
            Base::Reg(d) => d,
            Base::Local(_) | Base::Static(_) | Base::Ptr(_) => new,
        };
        (old, new)
    }

    /// A place that is loaded and stored: pending steps with checks are done once.
    pub(super) fn settle_twice(&mut self, place: Place) -> Place {
        match (place.base, place.dynamic) {
            (Base::Ptr(_), Dyn::Scaled(..)) | (_, Dyn::Arr(..)) => self.settle(place),
            _ => place,
        }
    }

    /// The right operand inside a compound assignment's computation, if it needs evaluating ahead of the load.
    fn right_operand(&self, compute: ExprId) -> Option<ExprId> {
        let unit = self.lw.unit;
        let mut e = compute;
        loop {
            match &unit[e].kind {
                ExprKind::Convert { value, .. } => e = *value,
                ExprKind::Binary(_, _, right) if self.scalar(unit[*right].ty.ty).is_some() => {
                    let simple = self.constant_int(*right).is_some()
                        || matches!(unit[*right].kind, ExprKind::Float(_));
                    return (!simple).then_some(*right);
                }
                ExprKind::PtrAdd { index, .. } => {
                    let simple = matches!(unit[*index].kind, ExprKind::Int(_));
                    return (!simple).then_some(*index);
                }
                _ => return None,
            }
        }
    }

    /// The place of a temporary local.
    pub fn local_place(&mut self, local: u16, ty: QTy) -> Place {
        let reg = Base::Local(local);
        let align = self.align(ty.ty);
        Place {
            base: reg,
            off: 0,
            dynamic: Dyn::None,
            ty: QTy { ty: ty.ty, quals: csyntax::ast::Quals::NONE },
            align,
            bits: None,
            union: None,
            any: false,
            var: false,
        }
    }

    /// Evaluates `value` and stores it; any type.
    pub fn store_value(&mut self, place: Place, value: ExprId, initial: bool) {
        if self.scalar(place.ty.ty).is_some() {
            let want = match place.base {
                Base::Reg(d) => Some(d),
                Base::Local(_) | Base::Static(_) | Base::Ptr(_) => None,
            };
            let s = self.value(value, want);
            if place.bits.is_some() {
                self.bit_value(&place, s, value);
            }
            self.store(place, s, initial);
        } else if let (true, ExprKind::Call(callee, args)) = (initial, &self.lw.unit[value].kind) {
            // A fresh object takes the result directly.
            let (callee, args) = (*callee, args.clone());
            let p = self.address(place, false);
            self.call_into(callee, &args, p);
        } else {
            let src = self.aggregate(value);
            self.copy(place, src, initial);
        }
    }
}
