//! Running on through a cut: a side that comes to a cut while the other is elsewhere goes on from there, and what it comes
//! to next is held against what the other has come to. So a side may come to the head of its loop once more before it
//! leaves the loop, where the other leaves at once, or go round where the other has the round written out.
//!
//! That is as sound as any region: from related states both sides still run a finite way to related ones.

use super::check::{Checker, Covered, Exploration, Pair, Stopping, Way};
use super::problem::{PointResult, Problem, cut_point};
use super::region::{self, Stop, StopKind, When};
use crate::model::{Acceptability, Semantics};
use smt::{Pool, TermId};

impl<L: Semantics, R: Semantics, A: Acceptability> Checker<'_, L, R, A> {
    /// The states to go on from where one of the sides, or the other, runs on from the cut at which it stopped. None where
    /// that leaves a problem, too: the first one is the one to tell.
    pub(super) fn run_on(
        &mut self,
        out: &mut PointResult,
        from: &mut Exploration<'_, '_>,
        way: &Way<'_>,
        (a, b): (&Stop, &Stop),
    ) -> Option<Vec<Pair>> {
        if !out.problems.last().is_some_and(Problem::missed) {
            return None;
        }
        let told = std::mem::take(&mut out.problems);
        let mut found = self.left_runs_on(out, from, way, (a, b));
        if found.is_none() {
            found = self.right_runs_on(out, from, way, (a, b));
        }
        match found {
            Some(_) => out.ran_on = true,
            None => out.problems = told,
        }
        found
    }

    fn left_runs_on(
        &mut self,
        out: &mut PointResult,
        from: &mut Exploration<'_, '_>,
        way: &Way<'_>,
        (a, b): (&Stop, &Stop),
    ) -> Option<Vec<Pair>> {
        let StopKind::Cut(state) = &a.kind else { return None };
        let Stopping { cuts, ranks } = &from.left;
        let stops = region::run(&mut self.prover.d, self.left, state, (cuts, ranks), &from.limits).ok()?;
        out.met.0.extend(stops.iter().filter_map(cut_point));
        let when = behind(&mut self.prover.d.pool, way.when, (a.when.path, a.when.fine));
        let way = Way { when, left: &stops, steps: way.steps - 1, ..*way };
        self.each(out, from, &way, stops.iter().map(|s| (s, b)))
    }

    fn right_runs_on(
        &mut self,
        out: &mut PointResult,
        from: &mut Exploration<'_, '_>,
        way: &Way<'_>,
        (a, b): (&Stop, &Stop),
    ) -> Option<Vec<Pair>> {
        let StopKind::Cut(state) = &b.kind else { return None };
        let Stopping { cuts, ranks } = &from.right;
        let stops = region::run(&mut self.prover.d, self.right, state, (cuts, ranks), &from.limits).ok()?;
        out.met.1.extend(stops.iter().filter_map(cut_point));
        let pool = &mut self.prover.d.pool;
        // That the right has not erred is shown, never assumed of what it goes on to.
        let right_fine = pool.and(way.right_fine, b.when.fine);
        let always = pool.bool(true);
        let when = behind(pool, way.when, (b.when.path, always));
        let way = Way { when, right_fine, steps: way.steps - 1, ..*way };
        self.each(out, from, &way, stops.iter().map(|s| (a, s)))
    }

    /// The states to go on from for each pair of stops; none, and no problem left, where one of them is open.
    fn each<'s>(
        &mut self,
        out: &mut PointResult,
        from: &mut Exploration<'_, '_>,
        way: &Way<'_>,
        pairs: impl Iterator<Item = (&'s Stop, &'s Stop)>,
    ) -> Option<Vec<Pair>> {
        let (mut covered, mut next) = (Covered::new(), Vec::new());
        for both in pairs {
            next.extend(self.stop_pair(out, from, way, both, &mut covered));
            if !out.problems.is_empty() {
                out.problems.clear();
                return None;
            }
        }
        Some(next)
    }
}

/// When a state is reached behind another one, by a path and without an error on it.
fn behind(pool: &mut Pool, when: When, (path, fine): (TermId, TermId)) -> When {
    When { path: pool.and(when.path, path), fine: pool.and(when.fine, fine) }
}
