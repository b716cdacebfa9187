//! The bits of a shift by too much, and with them those above a mask.
//!
//! `shl`, `lshr` and `ashr` by the width of the number or more are poison; poison may have any bits. Processors take the
//! amount modulo 32 or 64 and shift what they have in a register of that width, and so does the source here, as poison.
//! Masks are made of such shifts, `(1 << n) - 1` and `-1 >> (width - n)`, and what instructions make of a mask's length
//! (`bzhi`, `shlx`) agrees with them at every length then, not only at those that are not poison.

use super::Choice;
use crate::domain::{BitOp, Domain, Ext};

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "shift-amount",
    open: "the bits of a shift by the width of the number or more",
    taken: "those of a shift by the amount modulo 32 or 64",
    pair: "equivalent/shift_amount.mir",
};

/// What a shift by too much is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TooFar {
    /// Zeros, or copies of the sign.
    Plain,
    /// A shift by the amount modulo 32, or 64 for numbers of more than 32 bits.
    #[default]
    Modulo,
}

impl TooFar {
    /// The bits of a shift.
    pub fn bits<D: Domain>(self, d: &mut D, op: BitOp, a: &D::Bv, amount: &D::Bv) -> D::Bv {
        let width = d.width(a);
        let near = d.as_const(amount).and_then(|n| n.to_u64()).is_some_and(|n| n < u64::from(width));
        if self == TooFar::Plain || width > 64 || near {
            return d.bin(op, a, amount);
        }
        let wide = if width <= 32 { 32 } else { 64 };
        let x = if op == BitOp::Ashr { d.sfit(a, wide) } else { d.zfit(a, wide) };
        let amount = d.zfit(amount, wide);
        let mask = d.num(wide, u128::from(wide - 1));
        let amount = d.bin(BitOp::And, &amount, &mask);
        let shifted = d.bin(op, &x, &amount);
        d.zfit(&shifted, width)
    }
}
