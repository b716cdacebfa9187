//! Arithmetic on values: operators, comparisons, and steps of pointers.

use super::func::FnLower;
use super::ops;
use crate::bytecode::{Insn, Reg, WideOp};
use crate::class::Scalar;
use csyntax::tree::{Conversion, ExprId, ExprKind, Op, Rel};
use csyntax::types::{Ty, TyKind};

/// What is said where gcc's types for wide bit-fields and those of others give different results.
pub(super) const WIDE_BITS: &str = "arithmetic on a bit-field wider than int, where gcc and clang differ";

impl FnLower<'_, '_> {
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
    pub(super) fn wide_bits(&self, e: ExprId) -> Option<bool> {
        let unit = self.lw.unit;
        let ExprKind::Load(lv) = unit[self.unconverted(e)].kind else { return None };
        let ExprKind::Member { record, field, .. } = unit[lv].kind else { return None };
        // Those of a `_BitInt` have its type.
        if let Some(Scalar::Bits(..)) = self.scalar(unit[lv].ty.ty) {
            return None;
        }
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

    pub(super) fn negate(&mut self, a: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let Some(scalar) = self.scalar(ty) else { return self.unsupported("this operand of -") };
        if self.wide_bits(a).is_some() {
            return self.unsupported(WIDE_BITS);
        }
        let a = self.value(a, None);
        if let Scalar::Bits(..) = scalar {
            return self.negate_bits(a, scalar, want);
        }
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

    /// `~a`.
    pub(super) fn complement(&mut self, a: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
        let Some(scalar) = self.scalar(ty) else { return self.unsupported("this operand of ~") };
        if self.wide_bits(a) == Some(false) {
            return self.unsupported(WIDE_BITS);
        }
        let a = self.value(a, None);
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
        if let Scalar::Bits(_, false) = scalar {
            self.narrow(d, scalar);
        }
        d
    }

    pub(super) fn binary(&mut self, op: Op, a: ExprId, b: ExprId, ty: Ty, want: Option<Reg>) -> Reg {
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
        if let Scalar::Bits(..) = scalar {
            return self.binary_bits(op, (a, b), scalar, want);
        }
        if let Some(d) = self.rotation(op, (a, b), ty, want) {
            return d;
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
            let count = self.scalar(self.lw.unit[b].ty.ty).unwrap_or(Scalar::I64);
            rb = self.low_count(rb, count);
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

    pub(super) fn compare(&mut self, rel: Rel, a: ExprId, b: ExprId, want: Option<Reg>) -> Reg {
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
        self.alive(a, ra);
        self.alive(b, rb);
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

    /// `ptr + index`, or `ptr - index` where `negative`.
    pub(super) fn ptr_add(
        &mut self,
        (ptr, index): (ExprId, ExprId),
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

    /// `a - b` of pointers; `scale` is the size of an element where it is known at run time alone.
    pub(super) fn ptr_difference(
        &mut self,
        a: ExprId,
        b: ExprId,
        scale: Option<ExprId>,
        want: Option<Reg>,
    ) -> Reg {
        let unit = self.lw.unit;
        let elem = match unit.types.kind(unit[a].ty.ty) {
            TyKind::Pointer(to) => self.step_size(to.ty),
            _ => 1,
        };
        let open = self.open_pair(a, b);
        let ra = self.value(a, None);
        self.next_pair(open);
        let rb = self.value(b, None);
        self.close_pair(open);
        let scale = scale.map(|s| self.value(s, None));
        let d = self.dst(want);
        match scale {
            Some(scale) => self.emit(Insn::PDiffR { d, a: ra, b: rb, scale }),
            None => self.emit(Insn::PDiff { d, a: ra, b: rb, scale: elem as u32 }),
        };
        d
    }
}
