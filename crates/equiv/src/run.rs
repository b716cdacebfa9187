//! One proof: run both sides to find differences and guesses, reduce the guesses to what is
//! inductive, check all obligations, and say what came of it.

use crate::budget::{BLOCK_QUERY_LONG, ENTRY_MODEL, ROUND_GROWTH, ROUNDS_BOUNDED, RUN, RUNS};
use crate::check::{Checker, Edge, PointResult, Problem};
use crate::exec::{self, CoRun, Outcome, Steps, co_run, concretise, describe_inputs};
use crate::plan::{Attempt, Plan, Shortage, first_round, is_local};
use crate::premise::{Premise, Premises, state};
use crate::reason::{Limit, ProblemKind, Reason, ReasonKind};
use crate::refute::Answers;
use crate::region;
use crate::relate::PairStates;
use crate::search::Closed;
use crate::settle::{Inputs, settle};
use crate::verdict::{Certificate, Counterexample, Replay, Verdict};
use crate::witness::Witnesses;
use crate::{
    Acceptability, Constraint, Options, PointId, PointKind, Semantics, Shape, State, SyncPoint, infer,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::effort::{Deadline, Effort};
use smt::tactic::Prover;
use smt::{Answer, Bv, Concrete, Model, Rng, Solver};
use std::collections::{BTreeMap, VecDeque};

pub(crate) struct Run<'a, L, R, A> {
    pub checker: Checker<'a, L, R, A>,
    runs: Vec<CoRun>,
    /// Objects met in the runs, with the addresses they had: the same in all runs.
    objects: BTreeMap<String, Bv>,
    base: Concrete,
    /// What the world answers in a run on a model.
    pub answers: Answers,
    /// Candidates that turned out not to be preserved, by the points they were guessed at.
    pub dropped: FxHashMap<(PointId, PointId), Vec<Constraint>>,
    bisimulation: bool,
    /// What the last whole round left open.
    open: Option<Reason>,
}

/// What came of a round of attempts.
enum Round {
    /// This.
    Decided(Verdict),
    /// Something stays open; and what was given up for want of work.
    Open(Open, Shortage),
}

/// What stays open: the points, which of them, and what there.
type Open = Option<(Vec<SyncPoint>, usize, Problem)>;

pub(crate) type Start = (State<Concrete>, State<Concrete>);

impl<'a, L: Semantics, R: Semantics, A: Acceptability> Run<'a, L, R, A> {
    pub fn new(
        left: &'a L,
        right: &'a R,
        accept: &'a A,
        opts: &'a Options,
        solver: Box<dyn Solver>,
        bisimulation: bool,
    ) -> Self {
        let prover = Prover::new(solver, opts.memory);
        let checker = Checker {
            left,
            right,
            accept,
            opts,
            prover,
            witnesses: Witnesses::default(),
            answered: Vec::new(),
        };
        Run {
            checker,
            runs: Vec::new(),
            objects: BTreeMap::new(),
            base: Concrete::new(opts.seed),
            answers: Answers::default(),
            dropped: FxHashMap::default(),
            bisimulation,
            open: None,
        }
    }

    pub(crate) fn entry(&self) -> SyncPoint {
        let c = &self.checker;
        let constraints = c.accept.entry(c.left.shape(), c.right.shape());
        SyncPoint { left: Shape::ENTRY, right: Shape::ENTRY, constraints }
    }

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
        if let Some(c) = self.sample(&states, (runs, seed), true, Deadline::after(RUNS)) {
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
        let mut lacking = Shortage::default();
        let mut tried: Vec<Vec<SyncPoint>> = Vec::new();
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let local = hints.is_empty() && is_local(l, r);
        let attempts = Attempt::order(local);
        self.dropped.clear();
        for attempt in attempts.into_iter().take(if self.checker.opts.hurried { 1 } else { attempts.len() }) {
            let plan = attempt.plan(budget, end, local);
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
                    // What stays open at a cut of blocks says less than what stays open between loops.
                    if attempt != Attempt::Blocks || failed.is_none() {
                        failed = Some((points, at, problem));
                    }
                }
            }
        }
        Round::Open(failed, lacking)
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
        let more = infer::blocks(l, r, &self.runs, &taken);
        points.extend(more.into_iter().map(|at| self.candidates(at)));
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

    /// All obligations hold: proved, unless that says nothing.
    fn closed(&mut self, points: Vec<SyncPoint>, results: &[PointResult], mut premises: Premises) -> Verdict {
        if !self.reaches_something(results) {
            return Verdict::Unknown(Box::new(self.reason(ReasonKind::Vacuous, points.first(), None)));
        }
        let c = &self.checker;
        if names_twice(c.left, &points, |p| p.left) || names_twice(c.right, &points, |p| p.right) {
            premises.entry(Premise::OneValueAName).or_default();
        }
        let certificate = Certificate::new(c.left.shape(), c.right.shape(), self.bisimulation, points);
        if premises.is_empty() {
            Verdict::Proved(certificate)
        } else {
            Verdict::Conditional { assumptions: premises, certificate }
        }
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

    /// The points to try, with candidate constraints.
    fn guess(&mut self, entry: &SyncPoint, attempt: u32) -> Vec<SyncPoint> {
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let mut points = vec![entry.clone()];
        for at in infer::align(l, r, &self.runs, attempt) {
            if at != (Shape::ENTRY, Shape::ENTRY) {
                points.push(self.candidates(at));
            }
        }
        points
    }

    /// A point with candidate constraints.
    fn candidates(&self, at: (PointId, PointId)) -> SyncPoint {
        let (l, r) = (self.checker.left.shape(), self.checker.right.shape());
        let objects: Vec<(String, Bv)> = self.objects.iter().map(|(n, a)| (n.clone(), a.clone())).collect();
        let mut p = infer::candidates(l, r, at, &self.runs, &objects);
        for c in self.checker.accept.candidates((l, at.0), (r, at.1)) {
            if !p.constraints.contains(&c) {
                p.constraints.insert(0, c);
            }
        }
        p
    }

    /// Runs on random related inputs; a difference is a refutation.
    pub(crate) fn sample(
        &mut self,
        states: &PairStates,
        (n, seed): (u32, u64),
        keep: bool,
        until: Deadline,
    ) -> Option<Counterexample> {
        let mut rng = Rng(seed);
        let mut misses = 0;
        for _ in 0..n {
            if until.passed().is_some() {
                return None;
            }
            let mut m = exec::random_model(&self.checker.prover.d.pool, states, &mut rng);
            if misses > 4 {
                // Random values seldom satisfy the entry condition: ask for some.
                let what = || "inputs that satisfy the entry condition".to_owned();
                match self.checker.prover.possible(&states.assume, ENTRY_MODEL, &what) {
                    Answer::Sat(found) => m = found,
                    Answer::Unsat | Answer::Unknown(_) => return None,
                }
            }
            let seed = rng.next();
            let Some((run, start)) = self.run_model(states, &m, seed) else {
                misses += 1;
                continue;
            };
            if run.outcome == Outcome::Differ && !run.unmodelled {
                if let Some(c) = self.counterexample(states, (&m, seed), (run, start)) {
                    return Some(c);
                }
                continue;
            }
            if keep {
                self.runs.push(run);
            }
            if misses > 4 {
                return None;
            }
        }
        None
    }

    /// The domain of runs on a model.
    pub fn domain(&self, m: &Model, seed: u64) -> Concrete {
        let mut d = exec::domain_of(self.pool(), m, seed);
        for (k, v) in &self.base.symbols {
            if self.base.objects.contains_key(k) {
                d.symbols.entry(k.clone()).or_insert_with(|| v.clone());
            }
        }
        for (name, v) in &self.answers.bits {
            d.points.insert((name.clone(), Vec::new()), v.clone());
        }
        d.memories.extend(self.answers.memories.iter().map(|(name, m)| (name.clone(), m.clone())));
        d
    }

    pub fn pool(&self) -> &smt::Pool {
        &self.checker.prover.d.pool
    }

    /// Runs both sides on a model of the entry states; `None` when the model is none.
    pub(crate) fn run_model(&mut self, states: &PairStates, m: &Model, seed: u64) -> Option<(CoRun, Start)> {
        let mut d = self.domain(m, seed);
        let (run, start) = self.run_in(states, m, &mut d)?;
        for (k, size) in &d.objects {
            if let Some(v) = d.symbols.get(k) {
                self.objects.insert(k.0.clone(), v.clone());
                self.base.symbols.insert(k.clone(), v.clone());
                self.base.objects.insert(k.clone(), *size);
            }
        }
        Some((run, start))
    }

    /// As [`Self::run_model`], in a domain that is given.
    pub fn run_in(&self, states: &PairStates, m: &Model, d: &mut Concrete) -> Option<(CoRun, Start)> {
        let c = &self.checker;
        let pool = self.pool();
        // Conditions over addresses of objects hold by construction of the concrete ones.
        let holds = m.eval_all(pool, &states.assume).iter().all(smt::Value::as_bool);
        if !holds {
            return None;
        }
        let start = concretise(pool, m, states);
        let limit = Steps { left: c.opts.steps, until: Deadline::after(RUN) };
        let run = co_run(c.left, c.right, c.accept, d, (start.0.clone(), start.1.clone()), limit);
        Some((run, start))
    }

    /// Whether both sides, run again from the same inputs, do the same things: a difference that does not come again
    /// is none.
    fn replays(&self, run: &CoRun, start: &Start, mut before: Concrete) -> bool {
        let c = &self.checker;
        let limit = Steps { left: c.opts.steps, until: Deadline::after(RUNS) };
        let again = co_run(c.left, c.right, c.accept, &mut before, start.clone(), limit);
        again.outcome == Outcome::Differ
            && again.traces == run.traces
            && again.differences == run.differences
            && !again.unmodelled
    }

    /// What is told of a difference; of the same at addresses that a process may have, where there is one. None where
    /// it does not come again.
    pub(crate) fn counterexample(
        &self,
        states: &PairStates,
        (m, seed): (&Model, u64),
        (run, start): (CoRun, Start),
    ) -> Option<Counterexample> {
        let (run, start, before, domain) = match settle(self, states, m, seed) {
            Some(at) => (at.run, at.start, at.before, Some(at.after)),
            None => (run, start, self.domain(m, seed), None),
        };
        if !self.replays(&run, &start, before) {
            return None;
        }
        // A run stops where the sides first differ: at the last entries of its traces.
        let last = run.traces[0].len().max(run.traces[1].len()).saturating_sub(1);
        let shapes = [self.checker.left.shape(), self.checker.right.shape()];
        let path = |side: usize| {
            let mut out: Vec<Vec<String>> = vec![Vec::new(); last + 1];
            for v in &run.visits[side] {
                if let Some(segment) = out.get_mut(v.events) {
                    segment.push(shapes[side].point(v.at).name.clone());
                }
            }
            out
        };
        let paths = [path(0), path(1)];
        let names = shapes[0].point(start.0.at).vars.iter().map(|v| v.name.clone());
        let vars = names.zip(start.0.vals.iter().cloned()).collect();
        let numbers = domain.map(|domain| Box::new(Inputs { vars, domain, seen: run.seen }));
        let [left, right] = run.traces;
        let mut inputs = describe_inputs(shapes[0], &start.0);
        inputs.extend(self.answers.describe());
        Some(Counterexample {
            inputs,
            first_difference: last,
            left,
            right,
            paths,
            differences: run.differences,
            replayed: Replay::InModel,
            numbers,
        })
    }

    pub(crate) fn reason(
        &self,
        kind: ReasonKind,
        at: Option<&SyncPoint>,
        solver: Option<smt::Why>,
    ) -> Reason {
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
/// point may be passed twice between two cuts, or a relation hands the name on.
fn names_twice(program: &impl Semantics, points: &[SyncPoint], cut: impl Fn(&SyncPoint) -> PointId) -> bool {
    if !program.rests_on_names() {
        return false;
    }
    let cuts: FxHashSet<PointId> = points.iter().map(cut).collect();
    let told = points.iter().flat_map(|p| &p.constraints).any(Constraint::names_unknown);
    told || region::cycle_without(program.shape(), &cuts)
}

/// The hints behind the entry, which is never theirs to state.
fn with_entry(entry: &SyncPoint, hints: &[SyncPoint]) -> Vec<SyncPoint> {
    let mut out = vec![entry.clone()];
    out.extend(hints.iter().filter(|h| (h.left, h.right) != (entry.left, entry.right)).cloned());
    out
}
