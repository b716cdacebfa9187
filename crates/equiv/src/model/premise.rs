//! What a proof rests on beside the semantics of both programs, in the engine's own terms. The languages say what each
//! means to people ([`crate::model::Verdict::resting_on`]).

use smt::OperationClass;
use std::collections::{BTreeMap, BTreeSet};

/// Something that is taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Premise {
    /// Operations of this class, which are not modelled, mean the same on both sides.
    Operation(OperationClass),
    /// Execution goes on behind some events ([`crate::Acceptability::goes_on`]).
    GoesOn,
    /// A name for an unknown value stands for one value where its point is passed twice
    /// ([`crate::Semantics::rests_on_names`]).
    OneValueAName,
    /// The left errs whatever it is given, which permits everything ([`crate::Acceptability::erring_left`]).
    LeftErrs,
}

/// What is taken for granted, each with the names of what it is taken of (empty where there is nothing to name).
pub type Stated<A> = BTreeMap<A, BTreeSet<String>>;

/// What a proof rests on.
pub type Premises = Stated<Premise>;

/// Adds what another list states.
pub fn state<A: Ord>(all: &mut Stated<A>, more: impl IntoIterator<Item = (A, BTreeSet<String>)>) {
    for (what, of) in more {
        all.entry(what).or_default().extend(of);
    }
}
