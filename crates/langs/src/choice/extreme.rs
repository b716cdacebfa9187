//! What the greater or lesser of two floating-point numbers is where that is open.
//!
//! `llvm.minnum` and `llvm.maxnum` may give either of two zeros, and of NaNs any (LLVM's language reference,
//! "llvm.minnum"). Processors compare and take one of the operands: the second where neither is less. Selection puts the
//! first operand there, and the second in place of the result where the first is a NaN; where it knows that no operand
//! or that not the second is one, it does without that and leaves the operands in their order.

use super::Choice;
use crate::domain::Domain;
use crate::floats::{FloatPred, float_compare};
use crate::operation::Format;

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "extreme",
    open: "which of two zeros `llvm.minnum` and `llvm.maxnum` give, and which NaN",
    taken: "the operand that a comparison and a choice give",
    pair: "equivalent/greater_and_lesser.mir",
};

/// How the greater or lesser of two numbers comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Extremes {
    /// Where it is open it is known by name alone.
    #[default]
    ByName,
    /// By a comparison and a choice.
    Compared,
}

/// The greater number, or else the lesser, of a format that is compared by bits. `in_order` where the second is known not
/// to be a NaN, or neither is.
pub fn compared<D: Domain>(
    d: &mut D,
    (greater, format): (bool, Format),
    (a, b): (&D::Bv, &D::Bv),
    in_order: bool,
) -> D::Bv {
    let pred = if greater { FloatPred::Ogt } else { FloatPred::Olt };
    if in_order {
        let first = float_compare(d, pred, format, a, b);
        return d.ite(&first, a, b);
    }
    let second = float_compare(d, pred, format, b, a);
    let open = float_compare(d, FloatPred::Uno, format, a, a);
    let second = d.or(&second, &open);
    d.ite(&second, b, a)
}
