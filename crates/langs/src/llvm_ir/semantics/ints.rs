//! Integer operations: arithmetic, comparisons, casts.

use super::{Ir, Res, Scalar, State, Value, compare_op};
use crate::bits::overflows;
use crate::choice::Choices;
use crate::domain::{BitOp, CmpOp, Domain, Ext};
use crate::llvm_ir::ast::{BinOp, CastOp, Flags, IntPred};
use crate::llvm_ir::types::{Type, TypeId};
use crate::operation::Arithmetic;

impl Ir<'_> {
    /// A binary operation whose undefined behaviour goes to the state.
    pub(super) fn binary<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (op, flags): (BinOp, Flags),
        elem: TypeId,
        operands: (&Value<D>, &Value<D>),
    ) -> Res<Value<D>> {
        let mut ub = st.ub.clone();
        let value = self.binary_with(d, &mut ub, (op, flags), elem, operands)?;
        st.ub = ub;
        Ok(value)
    }

    pub(super) fn binary_with<D: Domain>(
        &self,
        d: &mut D,
        ub: &mut D::Bool,
        (op, flags): (BinOp, Flags),
        elem: TypeId,
        (a, b): (&Value<D>, &Value<D>),
    ) -> Res<Value<D>> {
        let float = arithmetic(op);
        self.lanes(d, a, b, &mut |d, x, y| match float {
            Some(float) => self.float_binary(d, (float, flags), elem, x, y),
            None => Ok(int_binary(d, ub, op, flags, (x, y), &self.choices)),
        })
    }

    pub(super) fn icmp<D: Domain>(
        &self,
        d: &mut D,
        flags: Flags,
        pred: IntPred,
        a: &Value<D>,
        b: &Value<D>,
    ) -> Res<Value<D>> {
        let (op, swap, negate) = compare_op(pred);
        self.lanes(d, a, b, &mut |d, x, y| {
            let (l, r) = if swap { (y, x) } else { (x, y) };
            let mut holds = d.cmp(op, &l.bits, &r.bits);
            if negate {
                holds = d.not(&holds);
            }
            let bits = d.bool_to_bv(&holds);
            let mut poison = d.or(&x.poison, &y.poison);
            if flags.has(Flags::SAMESIGN) {
                let (s, t) = (d.sign(&x.bits), d.sign(&y.bits));
                let not_t = d.not(&t);
                let same = d.ite_bool(&s, &t, &not_t);
                let differ = d.not(&same);
                poison = d.or(&poison, &differ);
            }
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }

    pub(super) fn cast<D: Domain>(
        &self,
        d: &mut D,
        (op, flags, signed): (CastOp, Flags, bool),
        v: &Value<D>,
        from: TypeId,
        to: TypeId,
    ) -> Res<Value<D>> {
        let (from_elem, to_elem) = (self.elem_type(from), self.elem_type(to));
        if op == CastOp::BitCast {
            return self.bitcast(d, v, from, to);
        }
        let width = self.scalar_bits(to_elem)?;
        if let Type::Int(_) | Type::Ptr(_) = self.m.types.resolve(to_elem)
            && let Type::Int(_) | Type::Ptr(_) = self.m.types.resolve(from_elem)
        {
            return self.lanes(d, v, v, &mut |d, x, _| {
                let mut poison = x.poison.clone();
                // Poison may have any bits: those that selection gives it make both sides equal everywhere.
                let bits = match op {
                    CastOp::SExt => d.sfit(&x.bits, width),
                    CastOp::ZExt if signed && flags.has(Flags::NNEG) => d.sfit(&x.bits, width),
                    _ => d.zfit(&x.bits, width),
                };
                let from_width = d.width(&x.bits);
                if op == CastOp::Trunc && flags.has(Flags::NUW) {
                    let back = d.zfit(&bits, from_width);
                    let lost = d.ne(&back, &x.bits);
                    poison = d.or(&poison, &lost);
                }
                if op == CastOp::Trunc && flags.has(Flags::NSW) {
                    let back = d.sfit(&bits, from_width);
                    let lost = d.ne(&back, &x.bits);
                    poison = d.or(&poison, &lost);
                }
                if op == CastOp::ZExt && flags.has(Flags::NNEG) {
                    let negative = d.sign(&x.bits);
                    poison = d.or(&poison, &negative);
                }
                if op == CastOp::AddrSpaceCast {
                    return self.unsupported("addrspacecast");
                }
                Ok(Scalar::with_poison(d, bits, poison))
            });
        }
        self.float_cast(d, (op, flags), v, from_elem, to_elem)
    }
}

/// The arithmetic on floating-point numbers that an operation is, if it is one.
fn arithmetic(op: BinOp) -> Option<Arithmetic> {
    match op {
        BinOp::FAdd => Some(Arithmetic::Add),
        BinOp::FSub => Some(Arithmetic::Sub),
        BinOp::FMul => Some(Arithmetic::Mul),
        BinOp::FDiv => Some(Arithmetic::Div),
        BinOp::FRem => Some(Arithmetic::Rem),
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => None,
        BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::And | BinOp::Or | BinOp::Xor => None,
    }
}

/// The operation on bits that an operation on integers is.
fn bit_operation(op: BinOp) -> BitOp {
    match op {
        BinOp::Add => BitOp::Add,
        BinOp::Sub => BitOp::Sub,
        BinOp::Mul => BitOp::Mul,
        BinOp::UDiv => BitOp::UDiv,
        BinOp::SDiv => BitOp::SDiv,
        BinOp::URem => BitOp::URem,
        BinOp::SRem => BitOp::SRem,
        BinOp::Shl => BitOp::Shl,
        BinOp::LShr => BitOp::Lshr,
        BinOp::AShr => BitOp::Ashr,
        BinOp::And => BitOp::And,
        BinOp::Or => BitOp::Or,
        BinOp::Xor | BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem => BitOp::Xor,
    }
}

/// A binary operation on integers; division's undefined behaviour is noted in `ub`.
fn int_binary<D: Domain>(
    d: &mut D,
    ub: &mut D::Bool,
    op: BinOp,
    flags: Flags,
    (x, y): (&Scalar<D>, &Scalar<D>),
    choices: &Choices,
) -> Scalar<D> {
    let (a, b) = (&x.bits, &y.bits);
    let mut poison = d.or(&x.poison, &y.poison);
    let bit_op = bit_operation(op);
    let bits = chosen_bits(d, (op, bit_op), flags, choices, (a, b));
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul => {
            for (flag, signed) in [(Flags::NSW, true), (Flags::NUW, false)] {
                if flags.has(flag) {
                    let over = overflows(d, bit_op, a, b, signed);
                    poison = d.or(&poison, &over);
                }
            }
        }
        BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
            note_division(d, ub, matches!(op, BinOp::SDiv | BinOp::SRem), x, y);
            if flags.has(Flags::EXACT) {
                let rest = if op == BinOp::SDiv { BitOp::SRem } else { BitOp::URem };
                let rest = d.bin(rest, a, b);
                let zero = d.is_zero(&rest);
                let inexact = d.not(&zero);
                poison = d.or(&poison, &inexact);
            }
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            poison = shift_poison(d, poison, (op, bit_op), flags, (a, b))
        }
        BinOp::Or if flags.has(Flags::DISJOINT) => {
            let both = d.bin(BitOp::And, a, b);
            let none = d.is_zero(&both);
            let some = d.not(&none);
            poison = d.or(&poison, &some);
        }
        BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv
        | BinOp::FRem => {}
    }
    Scalar::with_poison(d, bits, poison)
}

/// Notes when a division is undefined.
fn note_division<D: Domain>(d: &mut D, ub: &mut D::Bool, signed: bool, x: &Scalar<D>, y: &Scalar<D>) {
    let width = d.width(&x.bits);
    let zero = d.is_zero(&y.bits);
    *ub = d.or(ub, &zero);
    let bad = y.anything(d);
    *ub = d.or(ub, &bad);
    if signed {
        let least = d.constant(smt::Bv::smin(width));
        let minus_one = d.constant(smt::Bv::ones(width));
        let (p, q) = (d.eq(&x.bits, &least), d.eq(&y.bits, &minus_one));
        let over = d.and(&p, &q);
        *ub = d.or(ub, &over);
        // A poison dividend might be the least number.
        let bad = x.anything(d);
        let bad = d.and(&bad, &q);
        *ub = d.or(ub, &bad);
    }
}

/// When a shift is poison besides its operands.
fn shift_poison<D: Domain>(
    d: &mut D,
    mut poison: D::Bool,
    (op, bit_op): (BinOp, BitOp),
    flags: Flags,
    (a, b): (&D::Bv, &D::Bv),
) -> D::Bool {
    let width = d.width(a);
    let limit = d.num(width, u128::from(width));
    // `width` itself always fits in `width` bits, except for i1, where every amount but 0 is too large.
    let fits = if width == 1 { d.is_zero(b) } else { d.cmp(CmpOp::Ult, b, &limit) };
    let far = d.not(&fits);
    poison = d.or(&poison, &far);
    if op == BinOp::Shl {
        let strict = d.bin(BitOp::Shl, a, b);
        for (flag, back) in [(Flags::NSW, BitOp::Ashr), (Flags::NUW, BitOp::Lshr)] {
            if flags.has(flag) {
                let back = d.bin(back, &strict, b);
                let lost = d.ne(&back, a);
                poison = d.or(&poison, &lost);
            }
        }
    } else if flags.has(Flags::EXACT) {
        let strict = d.bin(bit_op, a, b);
        let back = d.bin(BitOp::Shl, &strict, b);
        let lost = d.ne(&back, a);
        poison = d.or(&poison, &lost);
    }
    poison
}

/// The bits of a result. Where it is poison they may be any, and are those that were chosen.
fn chosen_bits<D: Domain>(
    d: &mut D,
    (op, bit_op): (BinOp, BitOp),
    flags: Flags,
    choices: &Choices,
    (a, b): (&D::Bv, &D::Bv),
) -> D::Bv {
    let width = d.width(a);
    match op {
        BinOp::Shl | BinOp::LShr | BinOp::AShr => choices.shifts.bits(d, bit_op, a, b),
        BinOp::UDiv | BinOp::SDiv if flags.has(Flags::EXACT) && width <= 64 => {
            let divisor = d.as_const(b).filter(|n| !n.is_zero());
            let signed = op == BinOp::SDiv;
            let chosen = divisor.and_then(|divisor| choices.quotients.bits(d, a, &divisor, signed));
            chosen.unwrap_or_else(|| d.bin(bit_op, a, b))
        }
        BinOp::Mul if width > 64 && width <= 128 => crate::bits::wide_mul(d, a, b),
        _ => d.bin(bit_op, a, b),
    }
}
