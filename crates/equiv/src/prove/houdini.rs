//! Houdini: removes candidate relations until the rest is inductive, preserved from every point to every point. Cuts that
//! lose what is needed behind them are taken back, and only what either touches is checked again.

use super::check::{Barred, Task};
use super::plan::{Plan, Shortage};
use super::problem::{Edge, PointResult, Problem};
use super::proof_search::ProofSearch;
use crate::model::budget::LATE_CUTS;
use crate::model::{
    Acceptability, Constraint, Expr, Limit, PointId, Premises, ProblemKind, Semantics, Shape, Side,
    SyncPoint, state,
};
use rustc_hash::FxHashSet;
use smt::Bv;
use smt::effort::Effort;

/// What came of a set of synchronisation points.
pub(crate) enum Closed {
    /// Everything holds, resting on this.
    Yes(Vec<SyncPoint>, Vec<PointResult>, Premises),
    /// Something at this point does not, and what was given up before for want of work.
    No(Vec<SyncPoint>, usize, Problem, Shortage),
}

/// The points of a search and what is known of each.
struct Candidates {
    points: Vec<SyncPoint>,
    results: Vec<Option<PointResult>>,
    /// Whether a point's relations were completed where it was first reached.
    found: Vec<bool>,
    /// The points met from each, whether or not its check came to an end.
    next: Vec<FxHashSet<usize>>,
    /// Relations that were dropped, each with the point from which it is not preserved.
    lost: Vec<Vec<(Constraint, (PointId, PointId))>>,
    /// Relations that were claimed where a point was reached again: each once, and so many times.
    again: Vec<(FxHashSet<Constraint>, u32)>,
    /// What was given up for want of work.
    shortage: Shortage,
}

/// How many partners of a value are tried where they count.
const WEAKER: usize = 2;

/// How often more is claimed at a point that is reached again.
const AGAIN: u32 = 4;

impl Candidates {
    /// Hints are taken as they stand; the relations of other points are completed where they are first reached.
    fn new(points: Vec<SyncPoint>, given: bool) -> Candidates {
        let n = points.len();
        let found =
            points.iter().enumerate().map(|(i, p)| i == 0 || (given && !p.constraints.is_empty())).collect();
        Candidates {
            points,
            results: (0..n).map(|_| None).collect(),
            found,
            next: vec![FxHashSet::default(); n],
            lost: vec![Vec::new(); n],
            again: vec![Default::default(); n],
            shortage: Shortage::default(),
        }
    }

    fn pair(&self, i: usize) -> (PointId, PointId) {
        (self.points[i].left, self.points[i].right)
    }

    /// What was dropped for good at points whose relations are still to be completed.
    fn barred(&self) -> Barred {
        let open = (0..self.points.len()).filter(|i| !self.found[*i] && !self.lost[*i].is_empty());
        open.map(|i| (self.pair(i), self.lost[i].iter().map(|(c, _)| c.clone()).collect())).collect()
    }

    /// More is claimed at a point than before: whoever leads there has more to show.
    fn claim_more(&mut self, k: usize) {
        self.results[k] = None;
        for (result, next) in self.results.iter_mut().zip(&self.next) {
            if next.contains(&k) {
                *result = None;
            }
        }
    }

    /// Claims what was seen where a point was reached again; whether there was anything new.
    fn claim_again(&mut self, all: Vec<(usize, Constraint)>) -> bool {
        let mut grown: Vec<usize> = Vec::new();
        for (k, c) in all {
            let lost = self.lost[k].iter().any(|(gone, _)| *gone == c);
            let (seen, times) = &mut self.again[k];
            if !lost && *times < AGAIN && !self.points[k].constraints.contains(&c) && seen.insert(c.clone()) {
                self.points[k].constraints.push(c);
                grown.push(k);
            }
        }
        grown.dedup();
        for k in &grown {
            self.again[*k].1 += 1;
            self.claim_more(*k);
        }
        !grown.is_empty()
    }

    /// Of values of the right that lost their last partner: that they are it where that counts, which its flag says (what is
    /// poison on the left may be anything on the right). Whether there was anything new.
    fn claim_weaker(&mut self, k: usize, left: &Shape) -> bool {
        let point = &self.points[k];
        let mut new: Vec<Constraint> = Vec::new();
        for (lost, _) in self.lost[k].iter().rev() {
            let (Expr::Var(Side::Right, _), false) = (&lost.a, lost.b.names(Side::Right)) else { continue };
            let alike = |c: &&Constraint| c.a == lost.a && c.b.names(Side::Left);
            let tried = self.lost[k].iter().filter(|(c, _)| c.a == lost.a && c.b.names(Side::Right)).count();
            if tried >= WEAKER || point.constraints.iter().chain(&new).any(|c| alike(&c)) {
                continue;
            }
            let mut values = Vec::new();
            lost.b.each_variable(&mut |_, name| values.push(name.to_owned()));
            let [value] = values.as_slice() else { continue };
            let Some(flag) = left.flag_of(point.left, value) else { continue };
            let flag = Expr::Var(Side::Left, flag.to_owned());
            let never = Constraint { a: flag.clone(), b: Expr::Const(Bv::zero(1)) };
            if point.constraints.contains(&never) {
                continue;
            }
            let either = Expr::Choice(Box::new(flag), Box::new(lost.a.clone()), Box::new(lost.b.clone()));
            let weaker = Constraint { a: lost.a.clone(), b: either };
            if !self.lost[k].iter().any(|(c, _)| *c == weaker) {
                new.push(weaker);
            }
        }
        let grown = !new.is_empty();
        if grown {
            self.points[k].constraints.extend(new);
            self.claim_more(k);
        }
        grown
    }

    /// Cuts no more at these points. What was shown from a point stands unless it ended at one of them, or leads to
    /// one where more is claimed now: a relation that was lost behind these cuts is claimed once more.
    fn take_back(&mut self, gone: &FxHashSet<usize>) {
        let left: FxHashSet<PointId> = gone.iter().map(|g| self.points[*g].left).collect();
        let right: FxHashSet<PointId> = gone.iter().map(|g| self.points[*g].right).collect();
        for result in &mut self.results {
            if result.as_ref().is_some_and(|r| r.met.0.iter().any(|p| left.contains(p)))
                || result.as_ref().is_some_and(|r| r.met.1.iter().any(|p| right.contains(p)))
            {
                *result = None;
            }
        }
        let mut behind: FxHashSet<usize> = FxHashSet::default();
        let mut todo: Vec<usize> = gone.iter().copied().collect();
        while let Some(i) = todo.pop() {
            if behind.insert(i) {
                todo.extend(self.next[i].iter().copied());
            }
        }
        let from: FxHashSet<(PointId, PointId)> = behind.iter().map(|i| self.pair(*i)).collect();
        let first: FxHashSet<usize> = gone.iter().flat_map(|g| self.next[*g].iter().copied()).collect();
        for &k in behind.iter().filter(|k| **k != 0 && !gone.contains(k)) {
            let (back, stay): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.lost[k]).into_iter().partition(|(_, p)| from.contains(p));
            self.lost[k] = stay;
            let more = !back.is_empty() || first.contains(&k);
            self.points[k].constraints.extend(back.into_iter().map(|(c, _)| c));
            if first.contains(&k) {
                self.found[k] = false;
            }
            if more {
                self.claim_more(k);
            }
        }
        self.remove(|i| gone.contains(&i));
    }

    /// Forgets some of the points.
    fn remove(&mut self, gone: impl Fn(usize) -> bool) {
        let n = self.points.len();
        let mut place: Vec<Option<usize>> = Vec::with_capacity(n);
        let mut count = 0;
        for i in 0..n {
            place.push((!gone(i)).then_some(count));
            count += usize::from(!gone(i));
        }
        for result in &mut self.results {
            let Some(r) = result else { continue };
            let mut whole = true;
            for (edge, _) in &mut r.edges {
                if let Edge::Sync(j) = edge {
                    whole &= place[*j].is_some();
                    *j = place[*j].unwrap_or(0);
                }
            }
            if !whole {
                *result = None;
            }
        }
        for next in &mut self.next {
            *next = next.iter().filter_map(|j| place[*j]).collect();
        }
        retain(&mut self.points, &place);
        retain(&mut self.results, &place);
        retain(&mut self.found, &place);
        retain(&mut self.next, &place);
        retain(&mut self.lost, &place);
        retain(&mut self.again, &place);
    }
}

fn retain<T>(list: &mut Vec<T>, place: &[Option<usize>]) {
    let mut i = 0;
    list.retain(|_| {
        i += 1;
        place[i - 1].is_some()
    });
}

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// Drops constraints until what is left is preserved from every point to every point, then says
    /// whether all other obligations hold too.
    pub fn fixpoint(&mut self, points: Vec<SyncPoint>, given: bool, plan: &Plan) -> Closed {
        let mut s = Candidates::new(points, given);
        self.checker.vain.clear();
        match self.close(&mut s, plan) {
            None => finish(s),
            Some((at, problem)) => open(s, at, problem),
        }
    }

    /// As [`Self::fixpoint`]; while something stays open at a block, or between blocks, these are cut no more. The
    /// first points are `needed`. An obligation that takes too long gets `patience` first.
    pub fn fewer_cuts(
        &mut self,
        points: Vec<SyncPoint>,
        needed: usize,
        (plan, patience): (&Plan, Effort),
    ) -> Closed {
        let mut plan = *plan;
        let mut s = Candidates::new(points.clone(), false);
        self.checker.vain.clear();
        let mut late = 0;
        loop {
            let Some((at, problem)) = self.close(&mut s, &plan) else { return finish(s) };
            if self.checker.opts.hurried || plan.budget.end.passed().is_some() {
                return open(s, at, problem);
            }
            if problem.late() && plan.budget.query < patience {
                plan.budget.query = patience;
                continue;
            }
            // What is passed on the way may decide it. Few proofs need that, and each fact makes all others dearer.
            if !problem.late() && !plan.guesses.branches {
                plan.guesses.branches = true;
                self.checker.vain.clear();
                let shortage = s.shortage;
                s = Candidates { shortage, ..Candidates::new(points.clone(), false) };
                continue;
            }
            let mut gone: FxHashSet<usize> = FxHashSet::default();
            if !problem.late() || late < LATE_CUTS {
                late += u32::from(problem.late());
                // A relation that is lost on the way from a block was lost there, as far as that is cut for nothing
                // else.
                if at >= needed {
                    gone.insert(at);
                } else {
                    let (l, r) = problem.cuts;
                    let there = |p: &SyncPoint| Some(p.left) == l || Some(p.right) == r;
                    gone.extend((needed..s.points.len()).filter(|i| there(&s.points[*i])));
                }
            }
            if gone.is_empty() {
                return open(s, at, problem);
            }
            s.take_back(&gone);
            self.checker.vain.clear();
        }
    }

    /// Checks every point whose claims, or those of what follows it, changed. What stays open first, if anything.
    fn close(&mut self, s: &mut Candidates, plan: &Plan) -> Option<(usize, Problem)> {
        while let Some(i) = (0..s.points.len()).find(|i| s.found[*i] && s.results[*i].is_none()) {
            let before = s.found.clone();
            let barred = s.barred();
            let task = Task { plan, drop: true, barred: &barred };
            let mut r = self.checker.explore_point(i, &mut s.points, &mut s.found, &task);
            s.shortage.add(r.shortage);
            let met = r.edges.iter().filter_map(|(e, _)| match e {
                Edge::Sync(j) => Some(*j),
                Edge::Exit | Edge::Event => None,
            });
            s.next[i].extend(met);
            for k in (0..before.len()).filter(|k| !before[*k]) {
                if s.found[k] {
                    s.next[i].insert(k);
                    s.claim_more(k);
                }
            }
            let again = std::mem::take(&mut r.again);
            if let Some(p) = r.problems.pop() {
                if s.claim_again(again) {
                    self.checker.vain.clear();
                    continue;
                }
                return Some((i, p));
            }
            let mut broken: Vec<(usize, usize)> = r.broken.iter().copied().collect();
            s.results[i] = Some(r);
            // From the back, so that positions stay right.
            broken.sort_unstable_by(|a, b| b.cmp(a));
            let at: FxHashSet<usize> = broken.iter().map(|b| b.0).collect();
            for (j, k) in broken {
                if j == 0 {
                    // The entry relation is given: it must hold on every return there.
                    let kind = ProblemKind::Constraint { constraint: s.points[0].constraints[k].to_string() };
                    return Some((i, Problem::of(kind)));
                }
                let gone = s.points[j].constraints.remove(k);
                let from = s.pair(i);
                s.lost[j].push((gone.clone(), from));
                self.dropped.entry(s.pair(j)).or_default().push(gone);
                s.results[j] = None;
            }
            let mut grown = s.claim_again(again);
            for j in at {
                grown |= s.claim_weaker(j, self.checker.left.shape());
            }
            if grown {
                self.checker.vain.clear();
            }
        }
        None
    }
}

/// Something stays open.
fn open(s: Candidates, at: usize, problem: Problem) -> Closed {
    let mut shortage = s.shortage;
    shortage.add(problem.shortage());
    Closed::No(s.points, at, problem, shortage)
}

/// All is shown: what of it makes up the proof.
fn finish(mut s: Candidates) -> Closed {
    // Points that are never reached together are no part of the proof.
    let found = s.found.clone();
    let astray = s.results.iter().enumerate().find(|(i, r)| {
        let leads = |e: &Edge| matches!(e, Edge::Sync(j) if !found[*j]);
        found[*i] && r.as_ref().is_none_or(|r| r.edges.iter().any(|(e, _)| leads(e)))
    });
    if let Some((i, _)) = astray {
        return open(s, i, Problem::of(ProblemKind::Budget { limit: Limit::Rounds }));
    }
    s.remove(|i| !found[i]);
    let results: Vec<PointResult> = s.results.into_iter().flatten().collect();
    let mut premises = Premises::new();
    results.iter().for_each(|r| state(&mut premises, r.premises.clone()));
    Closed::Yes(s.points, results, premises)
}
