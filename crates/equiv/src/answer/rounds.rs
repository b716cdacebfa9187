//! Rounds of attempts: each attempt chooses synchronisation points and a plan, one after the other, with rising patience.

use crate::guess;
use crate::model::budget::{BLOCK_QUERY_LONG, ROUND_GROWTH, ROUNDS_BOUNDED};
use crate::model::{
    Acceptability, Certificate, Limit, PairStates, PointId, PointKind, Premises, ProblemKind, Reason,
    ReasonKind, Semantics, Shape, SyncPoint, Verdict, state,
};
use crate::prove::{
    Attempt, Closed, Plan, Problem, ProofSearch, Shortage, by_names, came, first_round, is_local,
};
use crate::run::Outcome;
use smt::Bv;
use smt::effort::{Deadline, Effort};
use std::collections::VecDeque;

/// How often loops are cut at other points, where the first do not belong together.
const ELSEWHERE: usize = 6;

/// How many pairs of cuts that the sides were met at are kept in mind.
const MET: usize = 6;

/// What came of a round of attempts.
enum Round {
    /// This.
    Decided(Verdict),
    /// Something stays open; and what was given up for want of work.
    Open(Open, Shortage),
}

/// What stays open: the points, which of them, and what there.
type Open = Option<(Vec<SyncPoint>, usize, Problem)>;

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// The whole proof.
    pub fn all(&mut self, hints: &[SyncPoint]) -> Verdict {
        let entry = self.entry();
        let states = match self.checker.states(&entry) {
            Ok(s) => s,
            Err(e) => {
                return Verdict::Unknown(Box::new(self.reason(ReasonKind::Entry { why: e }, None, None)));
            }
        };
        let (runs, seed) = (self.checker.opts.runs, self.checker.opts.seed);
        if let Some(c) = self.sample(&states, (runs, seed), true, Deadline::after(self.checker.opts.series()))
        {
            return Verdict::Refuted(Box::new(c));
        }
        let opts = self.checker.opts;
        let mut budget = opts.first_round.unwrap_or_else(|| first_round(self.checker.left.shape()));
        let most = if opts.bound.is_some() { opts.rounds.min(ROUNDS_BOUNDED) } else { opts.rounds };
        let mut number = 1;
        loop {
            let (open, lacking) = match self.round((&entry, &states), hints, budget) {
                Round::Decided(verdict) => return verdict,
                Round::Open(open, shortage) => (open, shortage),
            };
            let last = number >= most || !lacking.effort || smt::effort::ceiling_reached();
            let verdict = match open {
                Some((points, at, problem)) => {
                    self.refute_or_give_up(&states, &points, (at, problem), (number, last), budget)
                }
                None => Verdict::Unknown(Box::new(self.nothing_tried(Limit::Effort))),
            };
            match verdict {
                Verdict::Unknown(why) if !last => self.open = Some(*why),
                verdict => return verdict,
            }
            number += 1;
            budget = budget.times(ROUND_GROWTH);
        }
    }

    /// The verdict where the ceiling on time was reached: what the last whole round left open, for want of time. It
    /// is this one whatever came of the round that time cut short.
    pub fn out_of_time(&mut self) -> Verdict {
        let open = self.open.take();
        let mut why = open.unwrap_or_else(|| self.nothing_tried(Limit::Time));
        (why.solver, why.limit) = (Some(smt::Why::Time), Some(Limit::Time));
        Verdict::Unknown(Box::new(why))
    }

    /// The reason where no obligation was come to.
    fn nothing_tried(&self, limit: Limit) -> Reason {
        let problem = ProblemKind::Budget { limit };
        self.reason(ReasonKind::Open { problem }, None, None)
    }

    /// One attempt after the other, with so much work for all of them.
    fn round(
        &mut self,
        (entry, states): (&SyncPoint, &PairStates),
        hints: &[SyncPoint],
        budget: Effort,
    ) -> Round {
        let end = Deadline::after(budget);
        let mut failed: Open = None;
        // The first attempt that failed where the sides do not meet.
        let mut apart: Open = None;
        let mut lacking = Shortage::default();
        let mut tried: Vec<Vec<SyncPoint>> = Vec::new();
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let local = hints.is_empty() && is_local(l, r);
        // Each attempt, and whether it is one more, with the cuts at which the sides met.
        let mut ahead: VecDeque<(Attempt, bool)> = Attempt::order(local).map(|a| (a, false)).into();
        let hurried = self.checker.opts.hurried;
        ahead.truncate(if hurried { 1 } else { ahead.len() });
        self.dropped.clear();
        self.met.clear();
        self.met_once.clear();
        while let Some((attempt, more)) = ahead.pop_front() {
            let mut plan = attempt.plan(budget, end, local);
            plan.run_on = if lacking.any { plan.run_on } else { 0 };
            // The entry and the cuts of loops: the first of the points.
            let mut needed = 0;
            let points = match attempt {
                // With hints nothing else is cut.
                Attempt::Quick | Attempt::Blocks if !hints.is_empty() => continue,
                // What failed for other reasons than work fails again.
                Attempt::Names if failed.is_some() && !lacking.any => continue,
                Attempt::Patience if !lacking.any || tried.is_empty() => break,
                Attempt::Patience => {
                    self.dropped.clear();
                    tried.swap_remove(0)
                }
                Attempt::Quick | Attempt::Names if hints.is_empty() => self.guess(entry, 0),
                Attempt::Runs if hints.is_empty() => self.guess(entry, 1),
                Attempt::Blocks => {
                    let (points, first) = self.guess_blocks(entry);
                    needed = first;
                    points
                }
                Attempt::Quick | Attempt::Names | Attempt::Runs => with_entry(entry, hints),
            };
            // The same points again are worth it where their relations are looked for again.
            let again = matches!(attempt, Attempt::Blocks | Attempt::Runs | Attempt::Patience);
            if again && tried.contains(&points) && (points.len() == 1 || !hints.is_empty()) {
                continue;
            }
            if !tried.contains(&points) {
                tried.push(points.clone());
            }
            match self.attempt(attempt, &plan, points, (needed, !hints.is_empty())) {
                Closed::Yes(points, results, premises) => {
                    return Round::Decided(self.closed(points, &results, premises));
                }
                Closed::No(points, at, problem, shortage) => {
                    // A model of the entry may show a difference at once.
                    if at == 0
                        && let Some(c) = self.replay(states, &problem)
                    {
                        return Round::Decided(Verdict::Refuted(Box::new(c)));
                    }
                    lacking.add(shortage);
                    if hints.is_empty() && !hurried && self.note_met(&problem) {
                        ahead.retain(|(_, more)| !more);
                        ahead.push_front((Attempt::Blocks, true));
                        ahead.push_front((Attempt::Quick, true));
                    } else if !ahead.front().is_some_and(|(_, more)| *more) {
                        self.met.clear();
                    }
                    // What came of a guess says less than what stays open without it.
                    if more && failed.is_some() {
                        continue;
                    }
                    if attempt != Attempt::Blocks && apart.is_none() && problem.apart().is_some() {
                        apart = Some((points.clone(), at, problem.clone()));
                    }
                    // What stays open at a cut of blocks says less than what stays open between loops.
                    if attempt != Attempt::Blocks || failed.is_none() {
                        failed = Some((points, at, problem));
                    }
                }
            }
        }
        if let Some(open) = apart.as_ref().or(failed.as_ref()).filter(|_| hints.is_empty() && !lacking.any) {
            let plan = Attempt::Names.plan(budget, end, local);
            if let Some(verdict) = self.run_through(open, &plan).or_else(|| self.cut_elsewhere(open, &plan)) {
                return Round::Decided(verdict);
            }
        }
        Round::Open(failed, lacking)
    }

    /// Keeps in mind that both sides can be at two cuts together that were taken for cuts of different loops; whether that is
    /// news.
    fn note_met(&mut self, problem: &Problem) -> bool {
        match problem.apart() {
            Some((Some(l), Some(r))) if problem.model.is_some() && self.met_once.len() < MET => {
                let news = !self.met_once.contains(&(l, r));
                self.met_once.extend(news.then_some((l, r)));
                self.met.extend(news.then_some((l, r)));
                news
            }
            Some(_) | None => false,
        }
    }

    /// Once more with the same cuts, which a side may run through.
    fn run_through(
        &mut self,
        (points, _, problem): &(Vec<SyncPoint>, usize, Problem),
        plan: &Plan,
    ) -> Option<Verdict> {
        if !problem.missed() {
            return None;
        }
        let cuts: Vec<(PointId, PointId)> = points[1..].iter().map(|p| (p.left, p.right)).collect();
        self.cut_at(&points[0], cuts, plan)
    }

    /// The proof with these cuts, if there is one.
    fn cut_at(
        &mut self,
        entry: &SyncPoint,
        cuts: impl IntoIterator<Item = (PointId, PointId)>,
        plan: &Plan,
    ) -> Option<Verdict> {
        let mut points = vec![entry.clone()];
        for at in cuts {
            points.push(self.candidates(at));
        }
        match self.fixpoint(points, false, plan) {
            Closed::Yes(points, results, premises) => Some(self.closed(points, &results, premises)),
            Closed::No(..) => None,
        }
    }

    /// Loops that no run came to may be cut at points that do not belong together. Where it is a cut that one side comes to
    /// without the other, or that too little is known behind, its loops are cut at other points, one pair after the other.
    fn cut_elsewhere(
        &mut self,
        (points, at, problem): &(Vec<SyncPoint>, usize, Problem),
        plan: &Plan,
    ) -> Option<Verdict> {
        let cuts: Vec<(PointId, PointId)> = points.iter().map(|p| (p.left, p.right)).collect();
        let missed = problem.apart()?;
        let there = |(l, r): &(PointId, PointId)| Some(*l) == missed.0 || Some(*r) == missed.1;
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let mut others: Vec<(usize, usize, (PointId, PointId))> = Vec::new();
        for n in (1..cuts.len()).filter(|n| n == at || there(&cuts[*n])) {
            let all = guess::elsewhere(l, r, &self.runs, (n, &cuts));
            others.extend(all.into_iter().enumerate().map(|(turn, pair)| (turn, n, pair)));
        }
        others.sort_unstable();
        for (_, n, pair) in others.into_iter().take(ELSEWHERE) {
            let again = cuts.iter().enumerate().skip(1).map(|(k, at)| if k == n { pair } else { *at });
            if let Some(verdict) = self.cut_at(&points[0], again, plan) {
                return Some(verdict);
            }
        }
        None
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        plan: &Plan,
        points: Vec<SyncPoint>,
        (needed, given): (usize, bool),
    ) -> Closed {
        match attempt {
            Attempt::Blocks => {
                let patience = BLOCK_QUERY_LONG.min(plan.budget.end.left().percent(25));
                self.fewer_cuts(points, needed, (plan, patience))
            }
            Attempt::Quick | Attempt::Names | Attempt::Runs | Attempt::Patience => {
                self.fixpoint(points, given, plan)
            }
        }
    }

    /// The points to try with every block cut that has a partner, and how many come first that blocks are not cut for.
    fn guess_blocks(&mut self, entry: &SyncPoint) -> (Vec<SyncPoint>, usize) {
        let mut points = self.guess(entry, 0);
        let needed = points.len();
        let taken: Vec<(PointId, PointId)> = points.iter().map(|p| (p.left, p.right)).collect();
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let more = match by_names(l, r) {
            true => guess::blocks(l, r, &self.runs, &taken),
            false => guess::joins(l, r, &self.runs, &taken).0,
        };
        for at in more {
            points.push(self.candidates(at));
        }
        (points, needed)
    }

    /// Random runs, nothing else.
    pub fn compare(&mut self, runs: u32) -> Verdict {
        let entry = self.entry();
        let states = match self.checker.states(&entry) {
            Ok(s) => s,
            Err(e) => {
                return Verdict::Unknown(Box::new(self.reason(ReasonKind::Entry { why: e }, None, None)));
            }
        };
        if let Some(c) = self.sample(&states, (runs, self.checker.opts.seed), true, Deadline::NEVER) {
            return Verdict::Refuted(Box::new(c));
        }
        let ended = self.runs.iter().filter(|r| r.outcome == Outcome::Same || r.events > 0).count();
        Verdict::Unknown(Box::new(self.reason(ReasonKind::Ran { runs, ended: ended as u32 }, None, None)))
    }

    /// Every obligation of a certificate, nothing else.
    pub fn recheck(&mut self, certificate: &Certificate) -> Verdict {
        let c = &self.checker;
        if let Err(e) = certificate.fits(c.left.shape(), c.right.shape()) {
            return Verdict::Unknown(Box::new(self.reason(ReasonKind::Entry { why: e }, None, None)));
        }
        let blocks = c.left.shape().points.iter().filter(|p| p.kind == PointKind::Block).count();
        let by_blocks = 2 * certificate.points.len() > blocks && is_local(c.left.shape(), c.right.shape());
        let mut plan = Plan::check(by_blocks);
        if let Some(budget) = c.opts.first_round {
            plan.budget.end = Deadline::after(budget);
        }
        // The entry relation is trusted: it is the acceptability's, never the certificate's.
        let mut points = certificate.points.clone();
        points[0] = self.entry();
        let mut results = Vec::new();
        let mut premises = Premises::new();
        for i in 0..points.len() {
            let mut r = self.checker.check_point(i, &points, &plan);
            if let Some(p) = r.problems.pop() {
                let why = self.reason(ReasonKind::Open { problem: p.kind }, Some(&points[i]), p.why);
                return Verdict::Unknown(Box::new(why));
            }
            state(&mut premises, r.premises.clone());
            results.push(r);
        }
        self.closed(points, &results, premises)
    }

    /// The points to try, with candidate constraints.
    fn guess(&mut self, entry: &SyncPoint, attempt: u32) -> Vec<SyncPoint> {
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let mut points = vec![entry.clone()];
        for at in guess::align((l, r), &self.runs, &self.met, attempt) {
            if at != (Shape::ENTRY, Shape::ENTRY) {
                points.push(self.candidates(at));
            }
        }
        points
    }

    /// A point with candidate constraints.
    fn candidates(&mut self, at: (PointId, PointId)) -> SyncPoint {
        if !self.runs.iter().any(|run| came(run, at)) {
            self.checker.unseen.insert(at);
        }
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let objects: Vec<(String, Bv)> = self.objects.iter().map(|(n, a)| (n.clone(), a.clone())).collect();
        guess::candidates(self.checker.guesses, (l, r), at, (&self.runs, &objects))
    }
}

/// The hints behind the entry, which is never theirs to state.
fn with_entry(entry: &SyncPoint, hints: &[SyncPoint]) -> Vec<SyncPoint> {
    let mut out = vec![entry.clone()];
    out.extend(hints.iter().filter(|h| (h.left, h.right) != (entry.left, entry.right)).cloned());
    out
}
