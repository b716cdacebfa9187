//! Solvers behind one trait: what is asked, what is answered, within which limits.

mod cache;
mod external;
mod portfolio;

pub use cache::Cached;
pub use external::{External, PROGRAMS, SolverProgram, found};
pub use portfolio::Portfolio;

use crate::effort::Effort;
use crate::{Model, Node, Pool, TermId};
use std::fmt;

/// Limits of one query. They hold: a solver that reaches one answers `Unknown`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Work of the search.
    pub effort: Effort,
    /// Memory of the search, in bytes: an estimate from what it holds, so that it is the same everywhere.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { effort: Effort::mega(10_000), memory: 1 << 30 }
    }
}

impl Limits {
    /// Only a limit on the work, the rest as usual.
    pub fn effort(effort: Effort) -> Limits {
        Limits { effort, ..Limits::default() }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The budget of work was used up: it is at the same step every time.
    Effort,
    /// The ceiling on time was reached, or an external solver took too long.
    Time,
    /// The memory was used up.
    Memory,
    /// The method does not decide this.
    Incomplete(String),
    /// The backend failed.
    Backend(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Effort => f.write_str("effort limit"),
            Why::Time => f.write_str("time limit"),
            Why::Memory => f.write_str("memory limit"),
            Why::Incomplete(s) => write!(f, "not decided: {s}"),
            Why::Backend(s) => write!(f, "solver failed: {s}"),
        }
    }
}

/// The answer to a query. Never a Boolean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Satisfiable, and this model, checked by evaluation, makes everything asserted true.
    Sat(Model),
    /// Unsatisfiable.
    Unsat,
    /// No answer.
    Unknown(Why),
}

/// A backend. What it keeps from one query to the next makes later ones faster; it has no stack of assertions, since a
/// query names all that it asks.
pub trait Solver {
    /// Its name, for messages and the registry.
    fn name(&self) -> &str;

    /// Can these Boolean terms all be true at once?
    fn check(&mut self, pool: &mut Pool, asked: &[TermId], limits: &Limits) -> Answer;

    /// Behind an unsatisfiable answer: terms among those asked, conjunctions taken apart, that cannot all be true by
    /// themselves (an unsatisfiable core). None when the solver does not say.
    fn core(&self) -> Option<&[TermId]> {
        None
    }
}

/// What a query asks: its terms, conjunctions taken apart, with the facts about the objects that occur in them.
pub(crate) fn all_goals(pool: &mut Pool, asked: &[TermId]) -> Vec<TermId> {
    let mut goals: Vec<TermId> = Vec::new();
    for &t in asked {
        match pool.node(t) {
            Node::And(xs) => goals.extend(xs.iter().copied()),
            _ => goals.push(t),
        }
    }
    let bases: Vec<TermId> = pool
        .free_symbols(&goals)
        .into_iter()
        .map(|s| pool.symbol_term(s))
        .filter(|t| pool.is_object(*t))
        .collect();
    if !bases.is_empty() {
        goals.extend(pool.object_axioms(Some(&bases)));
    }
    goals.sort_unstable();
    goals.dedup();
    goals.retain(|g| pool.as_bool(*g) != Some(true));
    goals
}
