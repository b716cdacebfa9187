//! Runs from where a point is first reached, for points that no run from the entry came to: behind a call that has to find
//! something, say. What they show is where guesses begin, like what other runs show; nothing is refuted by them, since no
//! run may ever come there.

use super::check::Checker;
use crate::guess::{self, again};
use crate::model::{Acceptability, Constraint, PairStates, PointId, Semantics, term_of};
use crate::run::{CoRun, Outcome, Steps, co_run, concretise, domain_of};
use smt::TermId;
use smt::effort::Deadline;

/// Steps of a run: a few rounds of a loop are enough.
const STEPS: u32 = 400;

impl<L: Semantics, R: Semantics, A: Acceptability> Checker<'_, L, R, A> {
    /// What runs from these states on show of the points that they stand at.
    pub(super) fn simulated(
        &mut self,
        from: usize,
        facts: &[TermId],
        (l, r): again::Both<'_>,
        known: &[Constraint],
    ) -> Vec<Constraint> {
        if !self.unseen.contains(&(l.at, r.at)) {
            return Vec::new();
        }
        let states = PairStates { left: l.clone(), right: r.clone(), assume: facts.to_vec() };
        let terms: Vec<TermId> = l.vals.iter().chain(&r.vals).map(term_of).collect();
        let pool = &self.prover.d.pool;
        let mut runs: Vec<CoRun> = Vec::new();
        for (n, m) in self.witnesses.models(pool, from, facts, &terms).into_iter().enumerate() {
            let mut d = domain_of(pool, &m, self.opts.seed.wrapping_add(n as u64));
            let start = concretise(pool, &m, &states);
            let limit = Steps { left: STEPS, until: Deadline::after(self.opts.one_run()) };
            let mut run = co_run(self.left, self.right, self.accept, &mut d, start, limit);
            // Where they come to differ, the states were not related as they are where the program comes there.
            if run.outcome == Outcome::Differ {
                run.outcome = Outcome::Open;
            }
            runs.push(run);
        }
        let shapes = (self.left.shape(), self.right.shape());
        let point = guess::candidates(self.guesses, shapes, (l.at, r.at), (&runs, &[]));
        point.constraints.into_iter().filter(|c| !known.contains(c)).collect()
    }
}

/// Whether a run came to both points.
pub(crate) fn came(run: &CoRun, at: (PointId, PointId)) -> bool {
    let visited = |side: usize, point| run.visits[side].iter().any(|visit| visit.at == point);
    visited(0, at.0) && visited(1, at.1)
}
