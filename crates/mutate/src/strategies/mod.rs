//! The registry of strategies. A new one is one file here, one line in [`STRATEGIES`], one golden test.

mod aggregate;
mod athena;
mod cases;
mod facts;
mod hermes;
mod identity;
mod live;
mod orion;
mod outline;
mod sweep;
mod unroll;
mod zero;

use crate::choices::Choices;
use crate::edit::Edit;
use crate::seed::Seed;

pub use crate::settings::Settings;
pub(crate) use orion::prunable;

/// A way to change a program without changing what it does on its inputs.
///
/// To add one: write a file in `strategies/` with a type that implements this trait, name it in [`STRATEGIES`], and
/// add a program and the expected variant to the golden tests. Rules: every decision comes from `draw`; every edit
/// must be right on its own and in any company (minimisation keeps any subset, and strategies are mixed); code that
/// runs must be proved by the seed's profile to leave all state as it was; code that does not run must compile.
pub trait Strategy: Sync {
    /// Its name on the command line and in edit logs.
    fn name(&self) -> &'static str;
    /// What it does, in a line.
    fn about(&self) -> &'static str;
    /// The edits of one variant. May be none where the seed offers no place.
    fn edits(&self, seed: &Seed, settings: &Settings, draw: &mut Choices) -> Vec<Edit>;
}

/// All strategies, in the order of their papers.
pub const STRATEGIES: &[&dyn Strategy] = &[
    &orion::Orion,
    &athena::Athena,
    &hermes::Hermes,
    &identity::Identity,
    &zero::Zero,
    &outline::Outline,
    &unroll::Unroll,
    &cases::Cases,
    &aggregate::Aggregate,
    &facts::Facts,
    &sweep::Sweep,
];

/// The strategy of a name.
pub fn strategy(name: &str) -> Option<&'static dyn Strategy> {
    STRATEGIES.iter().copied().find(|s| s.name() == name)
}
