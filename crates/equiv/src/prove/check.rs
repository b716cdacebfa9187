//! Algorithm 1, symbolically, for one synchronisation point: both sides run to their cut-successors,
//! and every pair of successors that can happen together must be related again.
//!
//! Path conditions are compared in the positive form of section 3: with successors that exclude each
//! other and cover everything, "the left condition implies the right one" is that the left condition
//! excludes the conditions of all other right successors. So each pair of successors is either shown
//! related (under both conditions), or shown impossible.
//!
//! Events (calls, volatile accesses) match in place: both sides go on from them with the same
//! results, in the states they are in, so that no relation has to be guessed behind a call.

use super::plan::{Plan, Shortage};
use super::problem::{Edge, PairFacts, PointResult, Problem, cut_point};
use super::region::{self, RegionFail, RegionLimits, Stop, StopKind, When};
use crate::guess::Guess;
use crate::model::budget::{ONE_SIDED, REACHABLE, WITHOUT_ERRORS};
use crate::model::{
    Acceptability, Constraint, Limit, Options, PairStates, PointId, Premise, ProblemKind, Semantics, Shape,
    Side, State, SyncPoint, Val, VarSort, equal_val, eval_expr, pair_states, term_sort, val_of,
};
use crate::run::{Answered, Witnesses};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::effort::{Effort, Spent};
use smt::tactic::{Holds, Prover};
use smt::{Answer, Symbolic, TermId, Why};
use std::collections::BTreeMap;

/// Relations not to be guessed at a pair of points.
pub(crate) type Barred = FxHashMap<(PointId, PointId), FxHashSet<Constraint>>;

/// How a point is to be checked.
#[derive(Clone, Copy)]
pub(crate) struct Task<'t> {
    pub plan: &'t Plan,
    /// Constraints of successors that aren't preserved are reported as broken, to be dropped; otherwise as problems.
    pub drop: bool,
    pub barred: &'t Barred,
}

/// Checks the obligations of one synchronisation point after the other.
pub(crate) struct Checker<'a, L, R, A> {
    pub left: &'a L,
    pub right: &'a R,
    pub accept: &'a A,
    /// What the languages guess.
    pub guesses: &'a [&'a dyn Guess],
    pub opts: &'a Options,
    pub prover: Prover,
    /// States met that break guesses.
    pub witnesses: Witnesses,
    /// The events met from the point that is checked.
    pub answered: Vec<Answered>,
    /// The states in which points were first reached.
    pub first: FxHashMap<(PointId, PointId), (State<Symbolic>, State<Symbolic>)>,
    /// Points that no run came to.
    pub unseen: FxHashSet<(PointId, PointId)>,
    /// Short cuts that led nowhere for want of work, by the points that were checked and the words for them, with what
    /// they could spend: where a point is checked again with fewer relations, they would again.
    pub vain: FxHashMap<((PointId, PointId), String), Effort>,
}

/// The order in which pairs of points are gone through.
type PairKey = ((u32, u32), (PointId, PointId));

pub(super) struct Pair {
    left: State<Symbolic>,
    right: State<Symbolic>,
    /// The paths of both sides; that the left has not erred. That the right has not is shown, not assumed.
    when: When,
}

/// What may be spent on a constraint. What says something of one side alone is seldom needed, and as a rule true at a
/// glance or not at all; without the variables of one name, memory above all, nothing is proved.
fn budget_of(constraint: &Constraint, candidate: bool, plan: &Plan) -> Effort {
    let budget = plan.budget;
    match candidate {
        false => budget.query,
        true if constraint.by_name() => budget.candidate.times(4).min(budget.query),
        true if constraint.across() => budget.candidate,
        true => ONE_SIDED.max(budget.candidate.percent(12)).min(budget.candidate),
    }
}

/// Errors of the right that the left is known to have too, or not, by their kind.
pub(super) type Covered = BTreeMap<String, bool>;

/// The point that is explored.
pub(super) struct Exploration<'e, 't> {
    i: usize,
    points: &'e mut [SyncPoint],
    /// Which points were reached before.
    found: &'e mut [bool],
    task: &'e Task<'t>,
    /// What is assumed there.
    assume: Vec<TermId>,
    /// The states there.
    start: (State<Symbolic>, State<Symbolic>),
    /// Where each side stops.
    pub(super) left: Stopping,
    pub(super) right: Stopping,
    pub(super) limits: RegionLimits,
}

/// Where one side stops, and in which order it runs through its points until then.
pub(super) struct Stopping {
    pub cuts: FxHashSet<PointId>,
    pub ranks: Vec<u32>,
}

impl Stopping {
    fn at(shape: &Shape, cuts: FxHashSet<PointId>) -> Stopping {
        Stopping { ranks: region::ranks(shape, &cuts), cuts }
    }
}

/// How a pair of stops is reached from the point that is explored.
pub(super) struct Way<'s> {
    /// Both sides' paths to the states that they ran from; that the left has not erred.
    pub when: When,
    /// That the right has not erred on its way, where it ran on through a cut.
    pub right_fine: TermId,
    /// All stops of the left.
    pub left: &'s [Stop],
    /// How many stores left something open before the left ran from there.
    pub stored: usize,
    /// How often a side may run on through a cut.
    pub steps: u32,
}

/// Pairs of states behind events that are still to be gone on from, in reverse postorder of both programs.
type Ahead = BTreeMap<PairKey, Pair>;

impl Exploration<'_, '_> {
    fn key(&self, pair: &Pair) -> PairKey {
        let rank = |of: &Stopping, at: PointId| of.ranks.get(at.index()).copied().unwrap_or(u32::MAX);
        let (l, r) = (pair.left.at, pair.right.at);
        ((rank(&self.left, l), rank(&self.right, r)), (l, r))
    }
}

impl<L: Semantics, R: Semantics, A: Acceptability> Checker<'_, L, R, A> {
    /// The symbolic states of a point, with everything assumed there.
    pub fn states(&mut self, p: &SyncPoint) -> Result<PairStates, String> {
        let (ls, rs) = (self.left.shape(), self.right.shape());
        let mut s = pair_states(&mut self.prover.d, p, ls, rs)?;
        if p.left == Shape::ENTRY && p.right == Shape::ENTRY {
            let c = self.accept.entry_condition(&mut self.prover.d, &s.left, &s.right);
            s.assume.push(c);
        }
        Ok(s)
    }

    /// Checks point `i`, whose relations are given.
    pub fn check_point(&mut self, i: usize, points: &[SyncPoint], plan: &Plan) -> PointResult {
        let mut points = points.to_vec();
        let mut found = vec![true; points.len()];
        let task = Task { plan, drop: false, barred: &Barred::default() };
        self.explore_point(i, &mut points, &mut found, &task)
    }

    /// As [`Self::check_point`]; a point not found before gets, when it is first reached, the relations that hold
    /// between the states reached there besides the ones guessed.
    pub fn explore_point(
        &mut self,
        i: usize,
        points: &mut [SyncPoint],
        found: &mut [bool],
        task: &Task<'_>,
    ) -> PointResult {
        let mut out = PointResult::default();
        self.answered.clear();
        let (l, r) = (points[i].left.index(), points[i].right.index());
        // A bounded check looks for other models than those that led to nothing.
        self.prover.d.begin(match task.plan.bound {
            Some(passes) => format!("{l} {r} within {passes}"),
            None => format!("{l} {r}"),
        });
        let start = match self.states(&points[i]) {
            Ok(s) => s,
            Err(e) => {
                out.problems.push(Problem::of(ProblemKind::BadConstraint { why: e }));
                return out;
            }
        };
        let left = Stopping::at(self.left.shape(), points.iter().map(|p| p.left).collect());
        let right = Stopping::at(self.right.shape(), points.iter().map(|p| p.right).collect());
        let limits = RegionLimits {
            passes: task.plan.bound.unwrap_or(self.opts.passes),
            bounded: task.plan.bound.is_some(),
            deadline: task.plan.budget.end,
            terms: self.prover.d.pool.len() + self.opts.max_terms,
        };
        let always = When::always(&mut self.prover.d.pool);
        let mut ahead: Ahead = BTreeMap::new();
        let both = (start.left.clone(), start.right.clone());
        let assume = start.assume;
        let mut from = Exploration { i, points, found, task, assume, start: both, left, right, limits };
        // The start comes first whatever its rank.
        let mut next = Some(Pair { left: start.left, right: start.right, when: always });
        let mut pairs = 0u32;
        while let Some(pair) = next.take().or_else(|| ahead.pop_first().map(|(_, p)| p)) {
            pairs += 1;
            if pairs > self.opts.max_pairs {
                out.problems.push(Problem::of(ProblemKind::Budget { limit: Limit::Pairs }));
                break;
            }
            let d = &mut self.prover.d;
            let stored = d.stored.len();
            let l = region::run(d, self.left, &pair.left, (&from.left.cuts, &from.left.ranks), &from.limits);
            let r =
                region::run(d, self.right, &pair.right, (&from.right.cuts, &from.right.ranks), &from.limits);
            match (l, r) {
                (Ok(l), Ok(r)) => self.stops(&mut out, &mut from, (&pair, stored), (&l, &r), &mut ahead),
                (Err(e), _) => out.problems.push(self.region_problem(Side::Left, e)),
                (_, Err(e)) => out.problems.push(self.region_problem(Side::Right, e)),
            }
            if !out.problems.is_empty() {
                break;
            }
        }
        out
    }

    /// Goes through the stops of both sides, each with each, up to the first problem.
    fn stops(
        &mut self,
        out: &mut PointResult,
        from: &mut Exploration<'_, '_>,
        (pair, stored): (&Pair, usize),
        (l, r): (&[Stop], &[Stop]),
        ahead: &mut Ahead,
    ) {
        out.met.0.extend(l.iter().filter_map(cut_point));
        out.met.1.extend(r.iter().filter_map(cut_point));
        // First, since a problem ends it, and what is seen here may solve that.
        let reached = if from.task.drop { l } else { &[] };
        for (a, b) in reached.iter().flat_map(|a| r.iter().map(move |b| (a, b))) {
            self.postponed(out, (from.i, from.points), (&from.start.0, &from.start.1), (a, b));
            if self.composes(from.task.plan) {
                self.again(out, (from.i, from.points), (&from.start.0, &from.start.1), (a, b));
            }
        }
        let mut covered = Covered::new();
        let right_fine = self.prover.d.pool.bool(true);
        let way = Way { when: pair.when, right_fine, left: l, stored, steps: from.task.plan.run_on };
        for (a, b) in l.iter().flat_map(|a| r.iter().map(move |b| (a, b))) {
            for new in self.stop_pair(out, from, &way, (a, b), &mut covered) {
                let key = from.key(&new);
                let merged = match ahead.remove(&key) {
                    None => Some(new),
                    Some(old) => self.join(new, old),
                };
                match merged {
                    Some(p) => drop(ahead.insert(key, p)),
                    None => out.problems.push(Problem::of(ProblemKind::Budget { limit: Limit::Joins })),
                }
            }
            if !out.problems.is_empty() {
                for p in out.problems.iter_mut().filter(|p| p.model.is_some()) {
                    p.answered.clone_from(&self.answered);
                }
                return;
            }
        }
    }

    /// One stop of each side: related, shown not to happen together, gone on from, or a problem. The states to go on from
    /// behind an event.
    pub(super) fn stop_pair(
        &mut self,
        out: &mut PointResult,
        from: &mut Exploration<'_, '_>,
        way: &Way<'_>,
        (a, b): (&Stop, &Stop),
        covered: &mut Covered,
    ) -> Vec<Pair> {
        let task = from.task;
        let pool = &mut self.prover.d.pool;
        let path = pool.and_all(&[way.when.path, a.when.path, b.when.path]);
        if pool.as_bool(path) == Some(false) {
            return Vec::new();
        }
        let fine = pool.and(way.when.fine, a.when.fine);
        let right_fine = pool.and(way.right_fine, b.when.fine);
        let mut assumed = from.assume.clone();
        assumed.extend(self.chosen_by_stores(way.stored, (a, b)));
        let facts = PairFacts::new(&assumed, path, [fine, right_fine]);
        self.note_unmodelled(out, &facts.all);
        // Where one side's path alone is the path of both, they belong together as a matter of course.
        let pool = &mut self.prover.d.pool;
        let (lp, rp) = (pool.and(way.when.path, a.when.path), pool.and(way.when.path, b.when.path));
        let together = path == lp || path == rp;
        if !self.explore((from.i, &mut *from.points), from.found, (&facts.all, together), (a, b), task) {
            return Vec::new();
        }
        if let StopKind::Error(error, _, ways) = &b.kind
            && !matches!(a.kind, StopKind::Error(..) | StopKind::Beyond)
        {
            let mut base = from.assume.clone();
            base.push(way.when.path);
            let covered = match covered.get(error) {
                Some(yes) => *yes,
                None => {
                    let from = (&from.points[from.i], &base[..], way.left);
                    let yes = self.errs_too(out, from, (error, ways), task.plan);
                    covered.insert(error.clone(), yes);
                    yes
                }
            };
            base.extend([a.when.path, fine]);
            let point = &from.points[from.i];
            if covered
                || ways.len() > 1 && self.never_errs(out, (point, &base, &facts.all), (a, ways), task.plan)
            {
                return Vec::new();
            }
        }
        let next = self.successors(out, (from.i, from.points), task, facts, (a, b));
        if !out.problems.is_empty()
            && way.steps > 0
            && let Some(pairs) = self.run_on(out, from, way, (a, b))
        {
            return pairs;
        }
        let pair = |(left, right)| Pair { left, right, when: When { path, fine } };
        next.map(pair).into_iter().collect()
    }

    /// What stores of the left wrote where that was open, since it ran from where the pair began: what the right has there.
    /// For each way of the right the left may choose so when it stores, as none of the right's values depends on it.
    fn chosen_by_stores(&mut self, first: usize, (a, b): (&Stop, &Stop)) -> Vec<TermId> {
        if self.prover.d.stored.len() == first {
            return Vec::new();
        }
        let memories = |l: &[Val<Symbolic>], r: &[Val<Symbolic>]| {
            let both = l.iter().zip(r).filter_map(|both| match both {
                (Val::Mem(l), Val::Mem(r)) => Some((*l, *r)),
                _ => None,
            });
            both.collect::<Vec<_>>()
        };
        let memories = match (&a.kind, &b.kind) {
            (StopKind::Cut(l), StopKind::Cut(r)) => {
                let (ls, rs) = (self.left.shape(), self.right.shape());
                let named = ls.point(l.at).vars.iter().zip(&l.vals);
                let both = named.filter_map(|(var, l)| match (l, &r.vals[rs.var(r.at, &var.name)?]) {
                    (Val::Mem(l), Val::Mem(r)) => Some((*l, *r)),
                    _ => None,
                });
                both.collect()
            }
            (StopKind::Exit(l), StopKind::Exit(r)) => memories(l, r),
            (StopKind::Event(e, _), StopKind::Event(f, _)) => memories(&e.args, &f.args),
            _ => return Vec::new(),
        };
        self.prover.d.chosen_for(first, &memories)
    }

    fn join(&mut self, a: Pair, b: Pair) -> Option<Pair> {
        let d = &mut self.prover.d;
        let (pick, when) = region::join_when(&mut d.pool, a.when, b.when);
        let l = region::merge_vals(d, pick, &a.left.vals, &b.left.vals)?;
        let r = region::merge_vals(d, pick, &a.right.vals, &b.right.vals)?;
        Some(Pair { left: State { at: a.left.at, vals: l }, right: State { at: a.right.at, vals: r }, when })
    }

    fn region_problem(&self, side: Side, e: RegionFail) -> Problem {
        let shape = match side {
            Side::Left => self.left.shape(),
            Side::Right => self.right.shape(),
        };
        let (limit, why) = match e {
            RegionFail::Uncut(p) => {
                return Problem::of(ProblemKind::Uncut { side, point: shape.point(p).name.clone() });
            }
            RegionFail::Terms => (Limit::Terms, None),
            RegionFail::Spent(Spent::Effort) => (Limit::Effort, Some(Why::Effort)),
            RegionFail::Spent(Spent::Time) => (Limit::Time, Some(Why::Time)),
        };
        Problem { why, ..Problem::of(ProblemKind::Budget { limit }) }
    }

    fn note_unmodelled(&mut self, out: &mut PointResult, terms: &[TermId]) {
        let pool = &self.prover.d.pool;
        for t in pool.postorder(terms) {
            if let smt::Node::Apply(f, _) = pool.node(t)
                && let Some(operation) = &pool.func_decl(*f).operation
            {
                let of = out.premises.entry(Premise::Operation(operation.class)).or_default();
                if !of.contains(&operation.name) {
                    of.insert(operation.name.clone());
                }
            }
        }
    }

    /// Relates one pair of successors, or shows that it can't happen. For matching events, the
    /// states to go on from.
    fn successors(
        &mut self,
        out: &mut PointResult,
        (i, points): (usize, &[SyncPoint]),
        task: &Task<'_>,
        facts: PairFacts,
        (a, b): (&Stop, &Stop),
    ) -> Option<(State<Symbolic>, State<Symbolic>)> {
        let (ls, rs) = (self.left.shape(), self.right.shape());
        match (&a.kind, &b.kind) {
            (StopKind::Error(e, ..), right) => {
                let other = match right {
                    StopKind::Error(f, ..) => Some(f.as_str()),
                    StopKind::Cut(_)
                    | StopKind::Exit(_)
                    | StopKind::Event(..)
                    | StopKind::Unsupported(..)
                    | StopKind::Beyond
                    | StopKind::Gap => None,
                };
                if !self.accept.left_error(e, other) {
                    self.impossible(out, points, &facts, (a, b), task.plan);
                }
                None
            }
            // Only in a bounded check: what comes later is not looked at.
            (StopKind::Beyond, _) | (_, StopKind::Beyond) => None,
            (StopKind::Cut(l), StopKind::Cut(r)) => {
                let Some(j) = points.iter().position(|p| p.left == l.at && p.right == r.at) else {
                    self.impossible(out, points, &facts, (a, b), task.plan);
                    return None;
                };
                self.constraints(out, (i, j, &points[j]), task, &facts, (l, r));
                out.edges.push((Edge::Sync(j), facts.all));
                None
            }
            (StopKind::Exit(l), StopKind::Exit(r)) => {
                let goal = self.accept.exit(&mut self.prover.d, l, r);
                self.note_unmodelled(out, &[goal]);
                let what = || format!("exits of {} and {}", ls.name, rs.name);
                self.require(out, &facts, (goal, ProblemKind::ExitDiffers), task.plan, &what);
                out.edges.push((Edge::Exit, facts.all));
                None
            }
            (StopKind::Event(e, l), StopKind::Event(f, r)) => {
                let Some(goal) = self.accept.event(&mut self.prover.d, e, f) else {
                    self.impossible(out, points, &facts, (a, b), task.plan);
                    return None;
                };
                self.note_unmodelled(out, &[goal]);
                let what = || format!("arguments of {}", e.label);
                let kind = ProblemKind::EventDiffers { event: e.label.to_string() };
                self.require(out, &facts, (goal, kind), task.plan, &what);
                out.edges.push((Edge::Event, facts.all.clone()));
                let mut values = Vec::new();
                let mut fresh = |d: &mut Symbolic, s: VarSort| {
                    let t = d.unknown(&format!("result:{}", e.label), term_sort(s));
                    values.push(t);
                    val_of(s, t)
                };
                let d = &mut self.prover.d;
                let (lv, rv) = self.accept.results(d, e, f, &mut fresh);
                self.answered.push(Answered { facts: facts.all, label: e.label.clone(), values });
                let l = self.left.resume(d, l.clone(), &lv);
                let r = self.right.resume(d, r.clone(), &rv);
                Some((l, r))
            }
            (
                StopKind::Cut(_)
                | StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Unsupported(..)
                | StopKind::Gap,
                StopKind::Cut(_)
                | StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Unsupported(..)
                | StopKind::Gap,
            ) => {
                self.impossible(out, points, &facts, (a, b), task.plan);
                None
            }
        }
    }

    /// What the constraints of a point say of two states: which constraint, that it holds, whether it is of memories.
    fn goals(
        &mut self,
        target: &SyncPoint,
        l: &State<Symbolic>,
        r: &State<Symbolic>,
    ) -> Vec<(usize, TermId, bool)> {
        let shapes = (self.left.shape(), self.right.shape());
        let d = &mut self.prover.d;
        let goal = |(k, c): (usize, &Constraint)| {
            let x = eval_expr(d, &c.a, shapes, l, r);
            let y = eval_expr(d, &c.b, shapes, l, r);
            let memory = matches!(x, Some(Val::Mem(_)));
            let goal = match (x, y) {
                (Some(x), Some(y)) => equal_val(d, &x, &y),
                (None, _) | (_, None) => d.pool.bool(false),
            };
            (k, goal, memory)
        };
        target.constraints.iter().enumerate().map(goal).collect()
    }

    /// The constraints of the successor's point; a model that refutes one may refute others.
    fn constraints(
        &mut self,
        out: &mut PointResult,
        (i, j, target): (usize, usize, &SyncPoint),
        task: &Task<'_>,
        facts: &PairFacts,
        (l, r): (&State<Symbolic>, &State<Symbolic>),
    ) {
        let Task { plan, drop, .. } = *task;
        let goals = self.goals(target, l, r);
        let terms: Vec<TermId> = goals.iter().map(|g| g.1).collect();
        self.note_unmodelled(out, &terms);
        let mut refuted: FxHashSet<usize> = FxHashSet::default();
        if drop {
            self.witness(i, &facts.all, &goals, &mut refuted, plan);
        }
        for n in 0..goals.len() {
            let (k, goal, memory) = goals[n];
            if refuted.contains(&k) || out.broken.contains(&(j, k)) {
                out.broken.insert((j, k));
                continue;
            }
            let candidate = drop && !(memory && plan.by_blocks());
            let text = &target.constraints[k];
            let budget = plan.allow(budget_of(text, candidate, plan));
            let what = || text.to_string();
            let holds = match text.by_name() {
                true => self.implied(facts, goal, (plan, budget), &what),
                false => self.prover.implied(&facts.all, goal, budget, &what),
            };
            let (model, why) = match holds {
                Holds::Yes => continue,
                Holds::No(m) => {
                    let values = m.eval_all(&self.prover.d.pool, &terms[n..]);
                    let no = goals[n..].iter().zip(values).filter(|(_, v)| !v.as_bool());
                    refuted.extend(no.map(|((k, ..), _)| *k));
                    if candidate {
                        self.witnesses.learn(i, &m);
                        self.witness(i, &facts.all, &goals[n + 1..], &mut refuted, plan);
                    }
                    (Some(m), None)
                }
                Holds::Unknown(w) => (None, Some(w)),
            };
            // Memory that has become another between two blocks is seldom missed by nothing behind them.
            let lost = memory && plan.by_blocks();
            if !lost && drop {
                out.shortage.add(Shortage::of(why.as_ref()));
                out.broken.insert((j, k));
                continue;
            }
            let kind = ProblemKind::Constraint { constraint: text.to_string() };
            let cuts = if lost { (Some(target.left), Some(target.right)) } else { (None, None) };
            let facts = self.against(&facts.all, goal);
            out.problems.push(Problem { model, why, cuts, facts, ..Problem::of(kind) });
            return;
        }
    }

    /// Whether what an edge from a point says can be: by a state, or by a solver.
    pub fn can_happen(&mut self, from: usize, facts: &[TermId]) -> bool {
        let pool = &mut self.prover.d.pool;
        let no = pool.bool(false);
        if self.witnesses.against(pool, from, facts, &[no])[0] {
            return true;
        }
        let what = || "something is reachable".to_owned();
        matches!(self.prover.possible(facts, REACHABLE, &what), Answer::Sat(_))
    }

    /// Whether facts contradict each other.
    pub fn cannot_happen(&mut self, facts: &[TermId]) -> bool {
        let what = || "nothing is reachable".to_owned();
        matches!(self.prover.possible(facts, REACHABLE, &what), Answer::Unsat)
    }

    /// Whether a pair's facts imply a goal: tried without the largest of them first.
    fn implied(
        &mut self,
        facts: &PairFacts,
        goal: TermId,
        (plan, budget): (&Plan, Effort),
        what: &dyn Fn() -> String,
    ) -> Holds {
        if self.prover.follows(&facts.all, goal) {
            return Holds::Yes;
        }
        // Between blocks little is left out.
        let first = plan.allow(WITHOUT_ERRORS.min(budget.percent(50)));
        if !plan.by_blocks() && matches!(self.prover.implied(facts.light(), goal, first, what), Holds::Yes) {
            return Holds::Yes;
        }
        self.prover.implied(&facts.all, goal, plan.allow(budget), what)
    }

    fn require(
        &mut self,
        out: &mut PointResult,
        facts: &PairFacts,
        (goal, kind): (TermId, ProblemKind),
        plan: &Plan,
        what: &dyn Fn() -> String,
    ) {
        match self.implied(facts, goal, (plan, plan.budget.query), what) {
            Holds::Yes => {}
            Holds::No(m) => {
                let facts = self.against(&facts.all, goal);
                out.problems.push(Problem { model: Some(m), facts, ..Problem::of(kind) });
            }
            Holds::Unknown(w) => out.problems.push(Problem { why: Some(w), ..Problem::of(kind) }),
        }
    }
}

impl<L: Semantics, R: Semantics, A: Acceptability> Checker<'_, L, R, A> {
    /// The facts where a goal does not hold.
    pub fn against(&mut self, facts: &[TermId], goal: TermId) -> Vec<TermId> {
        let mut all = facts.to_vec();
        all.push(self.prover.d.pool.not(goal));
        all
    }
}
