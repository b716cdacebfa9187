//! Solvers behind one trait: what is asked, what is answered, within which limits.

mod cache;
mod external;
mod portfolio;

pub use cache::Cached;
pub use external::{External, PROGRAMS, SolverProgram, found};
pub use portfolio::Portfolio;

use crate::clock::Instant;
use crate::{Model, Node, Pool, TermId};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Limits of one query. They hold: a solver that reaches one answers `Unknown`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Memory of the search, in bytes.
    pub memory: u64,
    /// Any of them set from elsewhere stops the query early.
    pub cancel: Vec<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Some(Duration::from_secs(10)), memory: 1 << 30, cancel: Vec::new() }
    }
}

impl Limits {
    /// Only a time limit, the rest as usual.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.time.and_then(|t| Instant::now().checked_add(t))
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The time was used up.
    Time,
    /// The memory was used up.
    Memory,
    /// Stopped from elsewhere.
    Cancelled,
    /// The method does not decide this.
    Incomplete(String),
    /// The backend failed.
    Backend(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Time => f.write_str("time limit"),
            Why::Memory => f.write_str("memory limit"),
            Why::Cancelled => f.write_str("cancelled"),
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
