//! The search for a proof of one pair of programs: the checker, what concrete runs showed, what was dropped, and why
//! nothing came of it if so.

use super::check::Checker;
use crate::guess::Guess;
use crate::model::{
    Acceptability, Constraint, Limit, Options, PointId, Reason, ReasonKind, Semantics, Shape, SyncPoint,
};
use crate::run::{Answers, CoRun, Witnesses};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::tactic::Prover;
use smt::{Bv, Concrete};
use std::collections::BTreeMap;

/// The search for a proof, or a refutation.
pub(crate) struct ProofSearch<'a, L, R, A> {
    /// Checks obligations.
    pub checker: Checker<'a, L, R, A>,
    /// The runs in which both sides did not differ.
    pub runs: Vec<CoRun>,
    /// Objects met in the runs, with the addresses they had: the same in all runs.
    pub objects: BTreeMap<String, Bv>,
    /// What all runs have in common.
    pub base: Concrete,
    /// What the world answers in a run on a model.
    pub answers: Answers,
    /// Candidates that turned out not to be preserved, by the points they were guessed at.
    pub dropped: FxHashMap<(PointId, PointId), Vec<Constraint>>,
    /// Is equivalence shown in both directions?
    pub bisimulation: bool,
    /// Cuts that a solver found both sides at together, though they were not paired.
    pub met: Vec<(PointId, PointId)>,
    /// The same of all attempts so far.
    pub met_once: Vec<(PointId, PointId)>,
    /// What the last whole round left open.
    pub open: Option<Reason>,
}

impl<'a, L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'a, L, R, A> {
    /// A search that knows nothing yet.
    pub fn new(
        (left, right): (&'a L, &'a R),
        accept: &'a A,
        guesses: &'a [&'a dyn Guess],
        opts: &'a Options,
        bisimulation: bool,
    ) -> Self {
        let prover = Prover::new(opts.solver(), opts.memory);
        let checker = Checker {
            left,
            right,
            accept,
            guesses,
            opts,
            prover,
            witnesses: Witnesses::default(),
            answered: Vec::new(),
            first: FxHashMap::default(),
            unseen: FxHashSet::default(),
            vain: FxHashMap::default(),
        };
        ProofSearch {
            checker,
            runs: Vec::new(),
            objects: BTreeMap::new(),
            base: Concrete::new(opts.seed),
            answers: Answers::default(),
            dropped: FxHashMap::default(),
            bisimulation,
            met: Vec::new(),
            met_once: Vec::new(),
            open: None,
        }
    }

    /// The entries, related as the acceptability says: trusted, not proved.
    pub fn entry(&self) -> SyncPoint {
        let c = &self.checker;
        let constraints = c.accept.entry(c.left.shape(), c.right.shape());
        SyncPoint { left: Shape::ENTRY, right: Shape::ENTRY, constraints }
    }

    /// The terms.
    pub fn pool(&self) -> &smt::Pool {
        &self.checker.prover.d.pool
    }

    /// Why there is no answer, from a point on if it was there.
    pub fn reason(&self, kind: ReasonKind, at: Option<&SyncPoint>, solver: Option<smt::Why>) -> Reason {
        let c = &self.checker;
        let name = |p: &SyncPoint| {
            (c.left.shape().point(p.left).name.clone(), c.right.shape().point(p.right).name.clone())
        };
        let words = |all: &[Constraint]| all.iter().map(ToString::to_string).collect();
        let plain = Reason::of(kind);
        Reason {
            at: at.map(name),
            relation: at.map(|p| words(&p.constraints)).unwrap_or_default(),
            dropped: at
                .and_then(|p| self.dropped.get(&(p.left, p.right)))
                .map(|d| words(d))
                .unwrap_or_default(),
            limit: solver.as_ref().and_then(Limit::of).or(plain.limit),
            solver,
            costliest: c.prover.stats.costliest.as_ref().map(|(q, t)| (q.clone(), t.as_millis() as u64)),
            ..plain
        }
    }
}
