//! Arithmetic on bit-precise integers (C23 6.2.5, 6.3.1.8): done in 64 or 128 bits, in which registers hold them, and then
//! brought to their width. A signed result that does not fit is undefined (6.5.1p5), an unsigned one wraps.

use super::func::FnLower;
use super::ops;
use crate::bytecode::{Insn, Reg, WideOp};
use crate::class::Scalar;
use crate::ub::Ub;
use csyntax::tree::{ExprId, Op};

impl FnLower<'_, '_> {
    /// `a op b` on two values of one such type (shift counts have their own).
    pub(super) fn binary_bits(
        &mut self,
        op: Op,
        (a, b): (ExprId, ExprId),
        scalar: Scalar,
        want: Option<Reg>,
    ) -> Reg {
        let (ra, mut rb) = self.operands(a, b);
        if matches!(op, Op::Shl | Op::Shr) {
            let count = self.scalar(self.lw.unit[b].ty.ty).unwrap_or(Scalar::I64);
            rb = self.shift_count(rb, count, scalar);
        }
        let raw = self.temp();
        let signed = scalar.signed();
        if signed && op == Op::Rem {
            // Undefined as well where the quotient does not fit (6.5.6p6).
            self.compute(Op::Div, scalar, raw, ra, rb);
            self.check_fits(raw, scalar, Ub::DivisionOverflow, "the quotient");
        }
        self.compute(op, scalar, raw, ra, rb);
        match op {
            Op::Add | Op::Sub | Op::Mul if signed => {
                self.check_fits(raw, scalar, Ub::SignedOverflow, "the result");
            }
            Op::Div if signed => self.check_fits(raw, scalar, Ub::DivisionOverflow, "the quotient"),
            Op::Shl if signed => self.check_fits(raw, scalar, Ub::ShiftOverflow, "the shifted value"),
            Op::Add | Op::Sub | Op::Mul | Op::Shl => self.narrow(raw, scalar),
            Op::Div | Op::Rem | Op::Shr | Op::And | Op::Or | Op::Xor => {}
        }
        self.mov(want, raw)
    }

    fn compute(&mut self, op: Op, scalar: Scalar, d: Reg, a: Reg, b: Reg) {
        if let Some(insn) = ops::binary(op, scalar, d, a, b) {
            self.emit(insn);
        }
    }

    /// `-a`.
    pub(super) fn negate_bits(&mut self, a: Reg, scalar: Scalar, want: Option<Reg>) -> Reg {
        let d = self.temp();
        self.emit(match ops::arith(scalar) {
            ops::Arith::Wide(signed) => Insn::Wide { d, a, b: a, op: WideOp::Neg, signed },
            ops::Arith::I64 => Insn::NegI64 { d, a },
            _ => Insn::NegU64 { d, a },
        });
        if scalar.signed() {
            self.check_fits(d, scalar, Ub::SignedOverflow, "the result");
        } else {
            self.narrow(d, scalar);
        }
        self.mov(want, d)
    }

    /// A shift count in the 64 bits that instructions look at. One of more bits that these do not hold is no less than any
    /// width, or negative (6.5.7p3): its low bits say nothing.
    pub(super) fn low_count(&mut self, count: Reg, of: Scalar) -> Reg {
        if !of.is_wide() {
            return count;
        }
        let (low, again, same) = (self.temp(), self.temp(), self.temp());
        self.emit(Insn::Conv { d: low, a: count, from: of, to: Scalar::I64 });
        self.emit(Insn::Conv { d: again, a: low, from: Scalar::I64, to: of });
        self.emit(Insn::Wide { d: same, a: again, b: count, op: WideOp::Eq, signed: false });
        let ok = self.label();
        self.emit(Insn::JNz { a: same, t: ok.0 });
        self.undefined(Ub::ShiftCount, "a value is shifted by a number that takes more than 64 bits");
        self.place_label(ok);
        low
    }

    /// A shift count as a value of 64 bits that is below the width.
    fn shift_count(&mut self, count: Reg, of: Scalar, shifted: Scalar) -> Reg {
        let count = self.low_count(count, of);
        let width = self.konst(None, shifted.width().into(), 0);
        let ok = self.label();
        self.emit(Insn::JLtU { a: count, b: width, t: ok.0 });
        self.undefined(
            Ub::ShiftCount,
            &format!("a `_BitInt` of {} bits is shifted by that or more", shifted.width()),
        );
        self.place_label(ok);
        count
    }

    /// Stops where a register holds what the width does not.
    fn check_fits(&mut self, value: Reg, scalar: Scalar, ub: Ub, what: &str) {
        if scalar.width() == scalar.register().width() {
            return;
        }
        let fit = self.temp();
        self.emit(Insn::Conv { d: fit, a: value, from: scalar.register(), to: scalar });
        let ok = self.label();
        if scalar.is_wide() {
            let same = self.temp();
            self.emit(Insn::Wide { d: same, a: fit, b: value, op: WideOp::Eq, signed: false });
            self.emit(Insn::JNz { a: same, t: ok.0 });
        } else {
            self.emit(Insn::JEq { a: fit, b: value, t: ok.0 });
        }
        self.undefined(ub, &format!("{what} does not fit {} bits", scalar.width()));
        self.place_label(ok);
    }

    /// Converts a register to a bit-precise integer.
    pub(super) fn bits_of(&mut self, a: Reg, from: Scalar, to: Scalar, want: Option<Reg>) -> Reg {
        let d = self.dst(want);
        if from == Scalar::Ptr {
            let address = self.temp();
            self.emit(Insn::PtrToInt { d: address, a });
            self.emit(Insn::Conv { d, a: address, from: Scalar::U64, to });
        } else {
            self.emit(Insn::Conv { d, a, from, to });
        }
        d
    }
}
