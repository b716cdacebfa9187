//! What closed obligations amount to: a proof, unless nothing can be reached, and what it rests on.

use super::problem::{Edge, PointResult};
use super::proof_search::ProofSearch;
use super::region;
use crate::model::{
    Acceptability, Certificate, PointId, Premise, Premises, ReasonKind, Semantics, SyncPoint, Verdict,
};
use crate::run::Outcome;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Domain;
use std::collections::VecDeque;

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// All obligations hold: proved, unless that says nothing.
    pub(crate) fn closed(
        &mut self,
        points: Vec<SyncPoint>,
        results: &[PointResult],
        mut premises: Premises,
    ) -> Verdict {
        let says_something = self.reaches_something(results);
        if !says_something && self.checker.accept.erring_left() && self.left_errs(results) {
            premises.entry(Premise::LeftErrs).or_default();
        } else if !says_something {
            return Verdict::Unknown(Box::new(self.reason(ReasonKind::Vacuous, points.first(), None)));
        }
        // What is declared is an address, one to a name. Any other name stands for an unknown value.
        let d = &mut self.checker.prover.d;
        let mut is_address = |name: &str, width: u32| {
            let value = d.symbol(name, width);
            d.pool.is_object(value)
        };
        let told = points.iter().flat_map(|p| &p.constraints).any(|c| c.names_other_than(&mut is_address));
        let c = &self.checker;
        let twice = told || results.iter().any(|r| r.ran_on);
        if names_twice(c.left, &points, |p| p.left, twice)
            || names_twice(c.right, &points, |p| p.right, twice)
        {
            premises.entry(Premise::OneValueAName).or_default();
        }
        let certificate = Certificate::new(c.left.shape(), c.right.shape(), self.bisimulation, points);
        if premises.is_empty() {
            Verdict::Proved(certificate)
        } else {
            Verdict::Conditional { assumptions: premises, certificate }
        }
    }

    /// Whether the left errs whatever it is given: none of the ways both sides have from the entry can be taken. (An
    /// obligation of its own says so of ways that only one of them has.)
    fn left_errs(&mut self, results: &[PointResult]) -> bool {
        results[0].edges.iter().all(|(_, facts)| self.checker.cannot_happen(facts))
    }

    /// Can an exit or event be reached, both sides together? A proof where nothing can is none.
    fn reaches_something(&mut self, results: &[PointResult]) -> bool {
        if self.runs.iter().any(|r| r.outcome == Outcome::Same || r.events > 0) {
            return true;
        }
        // The shortest way there whose steps can each be taken.
        let (mut known, mut never) = (FxHashSet::default(), FxHashSet::default());
        while let Some(way) = shortest(results, &never) {
            let open = way.into_iter().find(|step| !known.contains(step));
            let Some((i, n)) = open else { return true };
            let facts = &results[i].edges[n].1;
            if self.checker.can_happen(i, facts) {
                known.insert((i, n))
            } else {
                never.insert((i, n))
            };
        }
        false
    }
}

/// The fewest edges from the first point to an exit or event, none of which is ruled out: the points they begin at, and
/// which edges of those they are.
fn shortest(results: &[PointResult], never: &FxHashSet<(usize, usize)>) -> Option<Vec<(usize, usize)>> {
    let mut from: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    let mut todo = VecDeque::from([0]);
    while let Some(i) = todo.pop_front() {
        for (n, (edge, _)) in results[i].edges.iter().enumerate().filter(|(n, _)| !never.contains(&(i, *n))) {
            match edge {
                Edge::Exit | Edge::Event => {
                    let mut way = vec![(i, n)];
                    let mut at = i;
                    while let Some(step) = from.get(&at).filter(|_| at != 0) {
                        way.push(*step);
                        at = step.0;
                    }
                    way.reverse();
                    return Some(way);
                }
                Edge::Sync(j) => {
                    if *j != 0 && !from.contains_key(j) {
                        from.insert(*j, (i, n));
                        todo.push_back(*j);
                    }
                }
            }
        }
    }
    None
}

/// Whether a proof rests on this: a program's names for unknown values may stand for one value where there are two, as a
/// point may be passed twice between two cuts, or a relation hands the name on: known where `twice`, else looked for.
fn names_twice(
    program: &impl Semantics,
    points: &[SyncPoint],
    cut: impl Fn(&SyncPoint) -> PointId,
    twice: bool,
) -> bool {
    if !program.rests_on_names() {
        return false;
    }
    let cuts: FxHashSet<PointId> = points.iter().map(cut).collect();
    twice || region::cycle_without(program.shape(), &cuts)
}
