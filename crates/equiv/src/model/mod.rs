//! What a proof speaks of: programs as points and steps, relations between their values, verdicts and what comes with
//! them.
//!
//! In: a language's [`Semantics`], what makes states of two languages compatible ([`Acceptability`]), [`Options`].
//! Out: the vocabulary of all other rooms; the symbolic states that a synchronisation point stands for ([`pair_states`]).
//! What everything may cost is one table ([`budget`]).
//! Knows nothing of how anything is run, guessed, proved or refuted.

mod accept;
pub mod budget;
mod certificate;
mod counterexample;
mod inputs;
mod label;
mod loops;
mod options;
mod premise;
mod reason;
mod relate;
mod semantics;
mod sync;
mod verdict;

pub use accept::{Acceptability, SameNames, equal_val, equal_vals};
pub use certificate::Certificate;
pub use counterexample::{Counterexample, Replay};
pub use inputs::{Inputs, Seen};
pub use label::{Label, Promise, Promised};
pub(crate) use loops::{Loop, depth_first, loops};
pub use options::Options;
pub use premise::{Premise, Premises, Stated, state};
pub use reason::{Ending, Limit, ProblemKind, Reason, ReasonKind};
pub(crate) use relate::{PairStates, eval_expr, pair_states, term_of, term_sort, val_of};
pub use semantics::{
    Event, EventKind, Next, Place, Point, PointId, PointKind, Semantics, Shape, State, Successor, Val,
    VarDecl, VarSort,
};
pub(crate) use sync::numbered;
pub use sync::{Constraint, Expr, Extreme, Operation, Side, SyncPoint};
pub use verdict::{Report, Verdict, VerdictKind};
