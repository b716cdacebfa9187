//! Guesses: where to cut both programs, and what relates their values there.
//!
//! In: the shapes of both programs, what runs showed ([`Observed`]), the symbolic states in which a point is first
//! reached ([`states`]), hints. Out: synchronisation points with candidate relations. All of it is guesswork that
//! `prove` confirms or drops (Houdini): a wrong guess costs time, never soundness.
//!
//! To add a kind of guess: a file with a [`Guess`], a line of [`GUESSES`], a case in `tests.rs`. A guess that has to know
//! the languages is the same trait over what it knows, in a registry of the pair of languages ([`Knowing`]).

pub(crate) mod again;
mod align;
mod constants;
mod derived;
mod equals;
mod halves;
mod hints;
mod joins;
mod made;
mod memories;
mod names;
mod observed;
pub(crate) mod postponed;
mod slots;
pub(crate) mod states;
#[cfg(test)]
mod tests;

pub(crate) use align::{align, blocks, elsewhere};
pub use hints::Hints;
pub(crate) use joins::joins;
pub use observed::{Observed, ObservedSide};
pub(crate) use observed::{constant, equal};

use crate::model::{Constraint, PointId, Shape, SyncPoint};
use crate::run::CoRun;
use smt::Bv;

/// Most partners of one variable.
const PARTNERS: usize = 6;

/// A kind of guess about what relates the states at a pair of points. `K` is what it has to know of the two programs
/// besides what runs showed.
pub trait Guess<K = ()> {
    /// Relations that may hold there, those that define a variable by itself in front.
    fn relations(&self, known: &K, at: &Observed<'_>) -> Vec<Constraint>;
}

/// Every kind of guess that needs no language. Relations are built in this order: what defines a variable by itself
/// comes first.
pub(crate) const GUESSES: &[&dyn Guess] = &[
    &memories::Memories,
    &names::Names,
    &equals::Equals,
    &constants::Constants,
    &derived::Derived,
    &slots::Slots,
    &halves::Halves,
];

/// The guesses of a pair of languages, with what they have to know: a guess themselves.
pub struct Knowing<'a, K> {
    /// What the guesses know.
    pub known: &'a K,
    /// Each kind of guess.
    pub registry: &'a [&'a dyn Guess<K>],
}

impl<K> Guess for Knowing<'_, K> {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        self.registry.iter().flat_map(|guess| guess.relations(self.known, at)).collect()
    }
}

/// A pair of points with everything that is guessed there: what the languages guess in front, the last of it first.
pub(crate) fn candidates(
    of_languages: &[&dyn Guess],
    shapes: (&Shape, &Shape),
    at: (PointId, PointId),
    (runs, objects): (&[CoRun], &[(String, Bv)]),
) -> SyncPoint {
    let observed = Observed::of(shapes, at, runs, objects);
    let all = |guesses: &[&dyn Guess]| -> Vec<Constraint> {
        guesses.iter().flat_map(|guess| guess.relations(&(), &observed)).collect()
    };
    let general = all(GUESSES);
    let mut constraints: Vec<Constraint> = Vec::new();
    for c in all(of_languages) {
        if !general.contains(&c) && !constraints.contains(&c) {
            constraints.push(c);
        }
    }
    constraints.reverse();
    constraints.extend(general);
    SyncPoint { left: at.0, right: at.1, constraints }
}
