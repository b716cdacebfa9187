//! The inputs of a counterexample as numbers, and the events met on them.

use super::Val;
use smt::Concrete;

/// How the end of a run is called among events.
pub const EXIT: &str = "exit";

/// An event as a run met it, or its end.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What it is; [`EXIT`] is the end.
    pub label: String,
    /// What the left handed over.
    pub args: Vec<Val<Concrete>>,
    /// What came back; nothing of an event that the right did not have.
    pub results: Vec<Val<Concrete>>,
}

/// The inputs of a counterexample as numbers, and what was met on them.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The left entry's variables.
    pub vars: Vec<(String, Val<Concrete>)>,
    /// The domain that both sides ran in: addresses of objects, accesses.
    pub domain: Concrete,
    /// The left's events, the last of which the right may not have had.
    pub seen: Vec<Seen>,
}
