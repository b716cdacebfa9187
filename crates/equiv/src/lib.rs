//! Cut-bisimulation between programs of any two languages.
//!
//! A language is a [`Semantics`]: program points, an entry state, steps. A proof relates pairs of
//! points ([`SyncPoint`]) by constraints over the values live there, and shows that from related
//! states both programs reach related states again.

mod accept;
pub mod budget;
mod check;
mod discover;
mod exec;
mod guess;
mod hints;
mod infer;
mod plan;
mod premise;
mod prove;
mod reason;
mod refute;
mod region;
mod relate;
mod report;
mod run;
mod search;
mod semantics;
mod settle;
mod sync;
mod trace;
mod verdict;
mod witness;

pub use accept::{Acceptability, SameNames, equal_val, equal_vals};
pub use exec::{EXIT, Seen};
pub use premise::{Premise, Premises, Stated, state};
pub use prove::{Options, Programs, compare, prove, recheck};
pub use reason::{Ending, Limit, ProblemKind, Reason, ReasonKind};
pub use report::Assumed;
pub use semantics::{
    Event, Next, Place, Point, PointId, PointKind, Semantics, Shape, State, Successor, Val, VarDecl, VarSort,
};
pub use settle::Inputs;
pub use smt::tactic::Stats;
pub use sync::{Constraint, Expr, Side, SyncPoint};
pub use verdict::{Certificate, Counterexample, Hints, Replay, Report, Verdict, VerdictKind};
