//! Cut-bisimulation between programs of any two languages.
//!
//! A language is a [`Semantics`]: program points, an entry state, steps. A proof relates pairs of
//! points ([`SyncPoint`]) by constraints over the values live there, and shows that from related
//! states both programs reach related states again.
//!
//! The rooms, lowest first; imports run downwards (`crates/plumb/tests/tidy.rs`): `model` is what all others speak of,
//! `run` runs both sides on numbers, `guess` proposes points and relations, `prove` keeps those that are inductive,
//! `refute` runs what stays open, `report` makes words of verdicts, `answer` has the ways in.

mod answer;
mod guess;
mod model;
mod prove;
mod refute;
mod report;
mod run;

pub use answer::{Programs, compare, prove, recheck};
pub use guess::{Guess, Hints, Knowing, Observed, ObservedSide};
pub use model::budget;
pub use model::{
    Acceptability, Certificate, Constraint, Counterexample, Ending, Event, EventKind, Expr, Extreme, Inputs,
    Label, Limit, Next, Operation, Options, Place, Point, PointId, PointKind, Premise, Premises, ProblemKind,
    Promise, Promised, Reason, ReasonKind, Replay, Report, SameNames, Seen, Semantics, Shape, Side, State,
    Stated, Successor, SyncPoint, Val, VarDecl, VarSort, Verdict, VerdictKind, equal_val, equal_vals, state,
};
pub use report::Assumed;
pub use smt::tactic::Stats;
