//! What checking a synchronisation point finds: problems, what can follow, what it rests on; and the facts of a pair of
//! stops.

use super::plan::Shortage;
use super::region::{Stop, StopKind};
use crate::model::{Constraint, PointId, Premises, ProblemKind};
use crate::run::Answered;
use rustc_hash::FxHashSet;
use smt::{Model, TermId, Why};

/// Something not shown, with what speaks against it.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub kind: ProblemKind,
    pub model: Option<Box<Model>>,
    pub why: Option<Why>,
    /// The cut points, left and right, at which the two sides do not meet.
    pub cuts: (Option<PointId>, Option<PointId>),
    /// What the model makes true, if there is one.
    pub facts: Vec<TermId>,
    /// The events that may have come before, from the point on that was checked.
    pub answered: Vec<Answered>,
}

impl Problem {
    /// A problem that nothing more is known of.
    pub fn of(kind: ProblemKind) -> Self {
        let (facts, answered) = (Vec::new(), Vec::new());
        Problem { kind, model: None, why: None, cuts: (None, None), facts, answered }
    }

    /// Was only work or memory lacking?
    pub fn late(&self) -> bool {
        self.why.is_some() || matches!(self.kind, ProblemKind::Budget { .. })
    }

    /// Where one side comes to a cut and the other does not: a side that runs on may yet come to where the other is.
    pub fn missed(&self) -> bool {
        self.apart().is_some_and(|cuts| cuts != (None, None))
    }

    /// Where the sides do not meet: the cuts, as far as there is one on a side.
    pub fn apart(&self) -> Option<(Option<PointId>, Option<PointId>)> {
        let kind = matches!(self.kind, ProblemKind::Mismatch { .. } | ProblemKind::RightError { .. });
        kind.then_some(self.cuts)
    }

    /// What was lacking.
    pub fn shortage(&self) -> Shortage {
        Shortage { any: self.late(), ..Shortage::of(self.why.as_ref()) }
    }
}

/// What can happen next from a synchronisation point, as far as it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    /// Another synchronisation point.
    Sync(usize),
    /// Both exit.
    Exit,
    /// Both do an event.
    Event,
}

/// What checking one point found.
#[derive(Default)]
pub(crate) struct PointResult {
    /// Constraints (target point, index) that are not preserved.
    pub broken: FxHashSet<(usize, usize)>,
    pub problems: Vec<Problem>,
    /// What may hold at a point that is reached again (the point, a relation), to be claimed there.
    pub again: Vec<(usize, Constraint)>,
    /// What can follow, with the condition under which it does.
    pub edges: Vec<(Edge, Vec<TermId>)>,
    /// What the obligations rest on.
    pub premises: Premises,
    /// The cut points that ended the ways on, left and right: the result says the same whatever else is cut.
    pub met: (FxHashSet<PointId>, FxHashSet<PointId>),
    /// What was given up for want of work.
    pub shortage: Shortage,
    /// Whether a side ran on through a cut, so that it may pass a point twice between two cuts.
    pub ran_on: bool,
}

/// The facts of a pair of stops. What says that no error came before is by far the largest part of them, and seldom
/// needed.
pub(crate) struct PairFacts {
    pub all: Vec<TermId>,
    /// How many come before those about errors.
    light: usize,
}

impl PairFacts {
    /// Those of a pair that is reached on a path, with what is assumed and that neither side has erred.
    pub fn new(assumed: &[TermId], path: TermId, no_errors: [TermId; 2]) -> PairFacts {
        let mut all = assumed.to_vec();
        all.push(path);
        let light = all.len();
        all.extend(no_errors);
        PairFacts { all, light }
    }

    /// Without those about errors.
    pub fn light(&self) -> &[TermId] {
        &self.all[..self.light]
    }
}

/// The cut point at which a side stopped.
pub(crate) fn cut_point(s: &Stop) -> Option<PointId> {
    match &s.kind {
        StopKind::Cut(state) => Some(state.at),
        StopKind::Exit(_)
        | StopKind::Event(..)
        | StopKind::Error(..)
        | StopKind::Unsupported(..)
        | StopKind::Beyond
        | StopKind::Gap => None,
    }
}
