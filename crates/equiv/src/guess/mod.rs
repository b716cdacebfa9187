//! Guesses: where to cut both programs, and what relates their values there.
//!
//! In: the shapes of both programs, what runs showed ([`Observed`]), the symbolic states in which a point is first
//! reached ([`states`]), hints. Out: synchronisation points with candidate relations. All of it is guesswork that
//! `prove` confirms or drops (Houdini): a wrong guess costs time, never soundness.
//!
//! To add a kind of guess: a file with a [`Guess`], a line of [`GUESSES`], a test that needs it. What only a language
//! can guess comes from [`crate::model::Acceptability::candidates`].

mod align;
mod constants;
mod derived;
mod equals;
mod hints;
mod memories;
mod names;
mod observed;
mod slots;
pub(crate) mod states;
#[cfg(test)]
mod tests;

pub(crate) use align::{align, blocks};
pub use hints::Hints;
pub(crate) use observed::{Observed, constant, equal};

use crate::model::{Constraint, PointId, Shape, SyncPoint};
use crate::run::CoRun;
use smt::Bv;

/// Most partners of one variable.
const PARTNERS: usize = 6;

/// A kind of guess about a pair of points, from what runs showed there.
pub(crate) trait Guess {
    /// Relations that were true in every run, those to be tried first in front.
    fn relations(&self, at: &Observed<'_>) -> Vec<Constraint>;
}

/// Every kind of guess. Relations are built in this order: what defines a variable by itself comes first.
pub(crate) const GUESSES: &[&dyn Guess] = &[
    &memories::Memories,
    &names::Names,
    &equals::Equals,
    &constants::Constants,
    &derived::Derived,
    &slots::Slots,
];

/// A pair of points with everything that is guessed there.
pub(crate) fn candidates(
    shapes: (&Shape, &Shape),
    at: (PointId, PointId),
    runs: &[CoRun],
    objects: &[(String, Bv)],
) -> SyncPoint {
    let observed = Observed::of(shapes, at, runs, objects);
    let constraints = GUESSES.iter().flat_map(|guess| guess.relations(&observed)).collect();
    SyncPoint { left: at.0, right: at.1, constraints }
}
