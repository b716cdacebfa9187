//! The bits of an exact quotient that is not exact.
//!
//! `udiv exact` and `sdiv exact` are poison where there is a remainder; poison may have any bits. Compilers divide exactly
//! by a constant with a shift (for the even part of the divisor) and a multiplication by the inverse of the odd part
//! modulo a power of two. Where there is no remainder that is the quotient; where there is one it is some number, and the
//! source's poison may have the bits of that number. So the source computes the same in either case, as poison where
//! there is a remainder, and the target's result need not be shown to be a quotient at all.
//!
//! Where the target divides, or the divisor is a power of two, the form that the target has is the nearer one.

use super::{Choice, Target};
use crate::domain::{BitOp, Domain};
use smt::Bv;

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "exact-quotient",
    open: "the bits of an exact quotient that leaves a remainder",
    taken: "those of a shift and a multiplication by an inverse",
    pair: "equivalent/exact_quotient.mir",
};

/// How exact quotients are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quotients {
    /// As quotients.
    Divided,
    /// By a shift where the divisor is a power of two, else as quotients.
    #[default]
    Shifted,
    /// By a shift and a multiplication.
    Multiplied,
}

/// The form that fits a target.
pub fn choose(target: &impl Target) -> Quotients {
    if target.divides() { Quotients::Shifted } else { Quotients::Multiplied }
}

impl Quotients {
    /// The bits of an exact quotient by a constant that is not zero; none where they are the quotient's.
    pub fn bits<D: Domain>(self, d: &mut D, a: &D::Bv, divisor: &Bv, signed: bool) -> Option<D::Bv> {
        match self {
            Quotients::Divided => return None,
            Quotients::Shifted if divisor.power_of_two().is_none() => return None,
            Quotients::Shifted | Quotients::Multiplied => {}
        }
        let width = d.width(a);
        let zeros = divisor.trailing_zeros();
        let odd = if signed { divisor.ashr_by(zeros) } else { divisor.lshr_by(zeros) };
        // Newton's iteration for the inverse modulo a power of two: each step doubles the correct bits.
        let two = Bv::new(width, 2);
        let mut inverse = odd.clone();
        for _ in 0..6 {
            inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        }
        let shift = d.num(width, u128::from(zeros));
        let shifted = d.bin(if signed { BitOp::Ashr } else { BitOp::Lshr }, a, &shift);
        let inverse = d.constant(inverse);
        Some(d.bin(BitOp::Mul, &shifted, &inverse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Concrete;

    #[test]
    fn without_a_remainder_it_is_the_quotient() {
        let mut d = Concrete::new(1);
        for (divisor, quotient) in [(24, 5), (3, 7), (8, 9), (40, 12345)] {
            let a = Bv::new(64, divisor * quotient);
            let bits = Quotients::Multiplied.bits(&mut d, &a, &Bv::new(64, divisor), true);
            assert_eq!(bits, Some(Bv::new(64, quotient)), "{divisor} * {quotient}");
        }
    }
}
