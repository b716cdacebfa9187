//! What a pair of these languages guesses besides what runs show ([`equiv::Guess`]): most of it from the text of the
//! source, whose variables have names that the proof's points share.
//!
//! To add one: a file with an [`equiv::Guess`], a line of the `GUESSES` of the pair that it is for, a pair of programs
//! that needs it in `tests.rs`.

mod answers;
mod carried;
mod comparisons;
mod counters;
mod definitions;
mod distances;
mod guarded;
mod hidden;
mod inbounds;
mod limits;
mod loads;
mod multiples;
mod peeled;
mod registers;
mod slot_flags;
mod walks;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use distances::Distances;
pub(crate) use guarded::Guarded;
pub(crate) use hidden::Hidden;
pub(crate) use peeled::Peeled;
pub use registers::Registers;
pub(crate) use walks::Walks;

use super::isel::Isel;
use super::opt::Opt;
use equiv::Guess;

impl Isel {
    /// What instruction selection is guessed to do.
    pub const GUESSES: &'static [&'static dyn Guess<Isel>] = &[&registers::Expected];
}

impl<'p> Opt<'p, '_> {
    /// What optimisers are guessed to know. What comes last is tried first.
    pub const GUESSES: &'p [&'p dyn Guess<Self>] = &[
        &answers::Answers,
        &counters::Counters,
        &limits::Limits,
        &multiples::Multiples,
        &comparisons::Comparisons,
        &carried::Carried,
        &loads::Loads,
        &slot_flags::SlotFlags,
        &inbounds::Inbounds,
        &definitions::Definitions,
    ];
}
