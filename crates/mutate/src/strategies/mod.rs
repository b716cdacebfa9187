//! The registry of strategies. A new one is one file here, one line in [`STRATEGIES`], one golden test.

mod aggregate;
mod athena;
mod cases;
mod facts;
pub(crate) mod hermes;
mod identity;
mod live;
mod orion;
mod outline;
mod proteus;
mod sweep;
mod unroll;
mod zero;

use crate::choices::Choices;
use crate::edit::Edit;
use crate::proteus::Split;
use crate::seed::Seed;
use csyntax::target::Target;

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
    /// Is it enough for it to know which statements ran? Then it takes seeds whose meaning the machine cannot give.
    fn needs_coverage_only(&self) -> bool {
        false
    }
    /// Does it insert statements that are kept in a database ([`Settings::database`])?
    fn needs_database(&self) -> bool {
        false
    }
    /// What it makes of a variant whose edits are done, where it makes several units of a program instead of edits.
    fn splitter(&self) -> Option<Splitter> {
        None
    }
}

/// Takes a program's text apart into at most so many units; the reason where it cannot be.
pub type Splitter = fn(&str, &Target, usize, &mut Choices) -> Result<Split, &'static str>;

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
    &proteus::Proteus,
];

/// The strategy of a name.
pub fn strategy(name: &str) -> Option<&'static dyn Strategy> {
    STRATEGIES.iter().copied().find(|s| s.name() == name)
}

/// Strategies chosen by name: those that edit, in order, and the one that splits what they made.
#[derive(Clone, Default)]
pub struct Chosen {
    /// Those that edit.
    pub editing: Vec<&'static dyn Strategy>,
    /// The one that makes several units.
    pub splitting: Option<&'static dyn Strategy>,
}

/// A name that no strategy has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no strategy; there are all, {names}", names = names().join(", "))]
pub struct UnknownStrategy(pub String);

impl Chosen {
    /// Those of names separated by commas; `all` is every one.
    pub fn of(names: &[String]) -> Result<Chosen, UnknownStrategy> {
        let mut chosen = Chosen::default();
        for name in names.iter().flat_map(|names| names.split(',')).map(str::trim) {
            if name == "all" {
                STRATEGIES.iter().for_each(|strategy| chosen.add(*strategy));
            } else {
                chosen.add(strategy(name).ok_or_else(|| UnknownStrategy(name.to_owned()))?);
            }
        }
        Ok(chosen)
    }

    /// All that edit.
    pub fn all_editing() -> Chosen {
        let mut chosen = Chosen::default();
        STRATEGIES.iter().filter(|s| s.splitter().is_none()).for_each(|strategy| chosen.add(*strategy));
        chosen
    }

    /// Does one of them insert statements of a database ([`Settings::database`])?
    pub fn needs_database(&self) -> bool {
        self.editing.iter().any(|strategy| strategy.needs_database())
    }

    fn add(&mut self, strategy: &'static dyn Strategy) {
        match strategy.splitter() {
            Some(_) => self.splitting = Some(strategy),
            None => self.editing.push(strategy),
        }
    }

    /// Their names.
    pub fn names(&self) -> Vec<&'static str> {
        self.editing.iter().chain(&self.splitting).map(|s| s.name()).collect()
    }
}

/// The names of all strategies.
pub fn names() -> Vec<&'static str> {
    STRATEGIES.iter().map(|s| s.name()).collect()
}
