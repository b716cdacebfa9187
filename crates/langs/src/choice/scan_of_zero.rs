//! What a scan for a set bit finds in zero.
//!
//! `ctlz` and `cttz` with their flag set are poison for zero; poison may have any bits. Processors have two kinds of
//! instructions: counts (`lzcnt`, `tzcnt`), which give the width for zero, and scans (`bsr`, `bsf`), which leave
//! something or other. The source's poison is taken to be the width against a target that counts only, and else what the
//! scan leaves: an unknown that both programs call the same, by the scan's number among those of its block of the source.
//! That a scan in one block leaves the same each time it is run is an assumption, which verdicts state.

use super::{Choice, Target};

/// The choice.
pub const CHOICE: Choice = Choice {
    name: "scan-of-zero",
    open: "the result of `ctlz` and `cttz` of zero where that is poison",
    taken: "what the target's scan leaves, or the width where it counts",
    pair: "equivalent/scan_of_zero.mir",
};

/// What the poison of a scan of zero is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OfZero {
    /// What the target's scan leaves.
    #[default]
    Left,
    /// The width of the number.
    Width,
}

/// What fits a target.
pub fn choose(target: &impl Target) -> OfZero {
    match target.counts_and_scans() {
        (true, false) => OfZero::Width,
        (_, true) | (false, false) => OfZero::Left,
    }
}

/// The name of what a scan of zero leaves: scans are numbered by the source's blocks, in both programs. The machine may
/// leave anything, which the name says; that one instruction run twice between two cuts leaves the same both times is
/// all that it adds.
pub fn left(block: &str, number: usize) -> String {
    format!("scan {number} of zero in {block}")
}
