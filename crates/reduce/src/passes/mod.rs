//! The registry of passes.

pub mod c;

use crate::{Case, Hint};

/// An idea of how to make a case smaller or simpler. To add one: a file here with a unit struct, a line in [`PASSES`], and
/// a golden under `tests/reduce` that shows a text before and all hints applied after it.
///
/// Passes are pure: the same case gives the same hints in the same order. A hint need not lead to a valid program (the
/// test decides), yet what cannot be valid only costs time.
pub trait Pass: Sync {
    /// The stable name, as `--passes` takes it and progress shows it.
    fn name(&self) -> &'static str;
    /// One line for the manual.
    fn about(&self) -> &'static str;
    /// What it would change, likeliest first.
    fn hints(&self, case: &Case) -> Vec<Hint>;
}

/// All passes, in the order in which they are tried first.
pub const PASSES: &[&dyn Pass] = &[
    &c::items::Format,
    &c::functions::Functions,
    &c::functions::Bodies,
    &c::items::Items,
    &c::unused::Unused,
    &c::unused::UnusedTypes,
    &c::statements::Statements,
    &c::blocks::Unwrap,
    &c::blocks::OneCase,
    &c::blocks::RunOnce,
    &c::statements::Clauses,
    &c::statements::Labels,
    &c::statements::Unreachable,
    &c::functions::FirstReturn,
    &c::functions::Definitions,
    &c::functions::ReturnVoid,
    &c::unused::UnusedLabels,
    &c::unused::Declarators,
    &c::blocks::SwitchToIf,
    &c::blocks::Loops,
    &c::blocks::Flatten,
];
