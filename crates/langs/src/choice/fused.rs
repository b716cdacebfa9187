//! Whether a product and a sum are rounded once or twice.
//!
//! `llvm.fmuladd` leaves it to the compiler (LLVM's language reference, "llvm.fmuladd"): C lets a compiler contract what
//! stands in one expression (C11 6.5p8). Against a target that multiplies and adds in one instruction the source does it
//! too, everywhere, and else it does each by itself.

use super::{Choice, Target};

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "fused",
    open: "whether `llvm.fmuladd` rounds once or twice",
    taken: "once against a target that multiplies and adds in one instruction",
    pair: "equivalent/avx_fused.mir",
};

/// How often products and sums are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sums {
    /// Both are.
    #[default]
    Twice,
    /// Only the sum is.
    Once,
}

/// What fits a target.
pub fn choose(target: &impl Target) -> Sums {
    if target.fuses() { Sums::Once } else { Sums::Twice }
}
