//! The inputs of a counterexample as numbers, and the events met on them.

use super::{EventKind, Label, Val};
use smt::Concrete;

/// An event as a run met it, or its end.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What kind of event; none for the end.
    pub event: Option<EventKind>,
    /// What it does.
    pub label: Label,
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
    /// The right ran into an error.
    pub right_errs: bool,
    /// All that differs is values that the right leaves open, so that a run of it may agree by chance.
    pub right_leaves_open: bool,
}
