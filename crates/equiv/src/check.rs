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

use crate::budget::{ALL_ERROR_PATHS, ERROR_PATH, ONE_SIDED, REACHABLE, WITHOUT_ERRORS};
use crate::exec::GONE_PAST;
use crate::plan::{Plan, Shortage};
use crate::premise::{Premise, Premises, state};
use crate::reason::{Limit, ProblemKind};
use crate::refute::Answered;
use crate::region::{self, RegionFail, RegionLimits, Stop, StopKind, When};
use crate::relate::{eval_expr, pair_states, term_sort, val_of};
use crate::witness::Witnesses;
use crate::{
    Acceptability, Constraint, Event, Options, Place, PointId, Semantics, Side, State, SyncPoint, Val,
    VarSort,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::effort::{Deadline, Effort, Spent};
use smt::tactic::{Holds, Prover};
use smt::{Answer, Model, Symbolic, TermId, Why};
use std::collections::{BTreeMap, BTreeSet};

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
    /// What can follow, with the condition under which it does.
    pub edges: Vec<(Edge, Vec<TermId>)>,
    /// What the obligations rest on.
    pub premises: Premises,
    /// The cut points that ended the ways on, left and right: the result says the same whatever else is cut.
    pub met: (FxHashSet<PointId>, FxHashSet<PointId>),
    /// What was given up for want of work.
    pub shortage: Shortage,
}

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

/// The facts of a pair of stops. What says that no error came before is by far the largest part of them, and seldom
/// needed.
struct PairFacts {
    all: Vec<TermId>,
    /// How many come before those about errors.
    light: usize,
}

impl PairFacts {
    fn new(assumed: &[TermId], path: TermId, no_errors: [TermId; 2]) -> PairFacts {
        let mut all = assumed.to_vec();
        all.push(path);
        let light = all.len();
        all.extend(no_errors);
        PairFacts { all, light }
    }

    /// Without those about errors.
    fn light(&self) -> &[TermId] {
        &self.all[..self.light]
    }
}

pub(crate) struct Checker<'a, L, R, A> {
    pub left: &'a L,
    pub right: &'a R,
    pub accept: &'a A,
    pub opts: &'a Options,
    pub prover: Prover,
    /// States met that break guesses.
    pub witnesses: Witnesses,
    /// The events met from the point that is checked.
    pub answered: Vec<Answered>,
}

/// The order in which pairs of points are gone through.
type PairKey = ((u32, u32), (PointId, PointId));

struct Pair {
    left: State<Symbolic>,
    right: State<Symbolic>,
    /// The paths of both sides; that the left has not erred. That the right has not is shown, not assumed.
    when: When,
}

/// The cut point at which a side stopped.
fn cut_point(s: &Stop) -> Option<PointId> {
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

impl<L: Semantics, R: Semantics, A: Acceptability> Checker<'_, L, R, A> {
    /// The symbolic states of a point, with everything assumed there.
    pub fn states(&mut self, p: &SyncPoint) -> Result<crate::relate::PairStates, String> {
        let (ls, rs) = (self.left.shape(), self.right.shape());
        let mut s = pair_states(&mut self.prover.d, p, ls, rs)?;
        if p.left == crate::Shape::ENTRY && p.right == crate::Shape::ENTRY {
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
        let start = match self.states(&points[i]) {
            Ok(s) => s,
            Err(e) => {
                out.problems.push(Problem::of(ProblemKind::BadConstraint { why: e }));
                return out;
            }
        };
        let cuts_l: FxHashSet<PointId> = points.iter().map(|p| p.left).collect();
        let cuts_r: FxHashSet<PointId> = points.iter().map(|p| p.right).collect();
        let (rank_l, rank_r) =
            (region::ranks(self.left.shape(), &cuts_l), region::ranks(self.right.shape(), &cuts_r));
        let limits = RegionLimits {
            passes: task.plan.bound.unwrap_or(self.opts.passes),
            bounded: task.plan.bound.is_some(),
            deadline: task.plan.budget.end,
            terms: self.prover.d.pool.len() + self.opts.max_terms,
        };
        let always = When::always(&mut self.prover.d.pool);
        let mut todo: BTreeMap<PairKey, Pair> = BTreeMap::new();
        // The start comes first whatever its rank.
        let mut next = Some(Pair { left: start.left, right: start.right, when: always });
        let mut pairs = 0u32;
        while let Some(pair) = next.take().or_else(|| todo.pop_first().map(|(_, p)| p)) {
            pairs += 1;
            if pairs > self.opts.max_pairs {
                out.problems.push(Problem::of(ProblemKind::Budget { limit: Limit::Pairs }));
                break;
            }
            let d = &mut self.prover.d;
            let l = region::run(d, self.left, &pair.left, &cuts_l, &rank_l, &limits);
            let r = region::run(d, self.right, &pair.right, &cuts_r, &rank_r, &limits);
            let (l, r) = match (l, r) {
                (Ok(l), Ok(r)) => (l, r),
                (Err(e), _) => {
                    out.problems.push(self.region_problem(Side::Left, e));
                    break;
                }
                (_, Err(e)) => {
                    out.problems.push(self.region_problem(Side::Right, e));
                    break;
                }
            };
            out.met.0.extend(l.iter().filter_map(cut_point));
            out.met.1.extend(r.iter().filter_map(cut_point));
            // Errors of the right that the left is known to have too, by their kind.
            let mut covered: BTreeMap<String, bool> = BTreeMap::new();
            for a in &l {
                for b in &r {
                    let pool = &mut self.prover.d.pool;
                    let path = pool.and_all(&[pair.when.path, a.when.path, b.when.path]);
                    if pool.as_bool(path) == Some(false) {
                        continue;
                    }
                    let fine = pool.and(pair.when.fine, a.when.fine);
                    let c = When { path, fine };
                    let facts = PairFacts::new(&start.assume, path, [fine, b.when.fine]);
                    self.note_unmodelled(&mut out, &facts.all);
                    // Where one side's way alone is the way of both, they belong together as a matter of course.
                    let pool = &mut self.prover.d.pool;
                    let (lp, rp) =
                        (pool.and(pair.when.path, a.when.path), pool.and(pair.when.path, b.when.path));
                    let together = path == lp || path == rp;
                    if !self.explore((i, points), found, (&facts.all, together), (a, b), task) {
                        continue;
                    }
                    if let StopKind::Error(error, _, ways) = &b.kind
                        && !matches!(a.kind, StopKind::Error(..) | StopKind::Beyond)
                    {
                        let mut base = start.assume.clone();
                        base.push(pair.when.path);
                        let covered = match covered.get(error) {
                            Some(yes) => *yes,
                            None => {
                                let yes = self.errs_too(&mut out, (&base, &l), (error, ways), task.plan);
                                covered.insert(error.clone(), yes);
                                yes
                            }
                        };
                        base.extend([a.when.path, fine]);
                        if covered
                            || ways.len() > 1
                                && self.never_errs(&mut out, (&base, &facts.all), (a, ways), task.plan)
                        {
                            continue;
                        }
                    }
                    if let Some(cont) = self.successors(&mut out, (i, points), task, facts, (a, b)) {
                        let key = (
                            (
                                rank_l.get(cont.0.at.index()).copied().unwrap_or(u32::MAX),
                                rank_r.get(cont.1.at.index()).copied().unwrap_or(u32::MAX),
                            ),
                            (cont.0.at, cont.1.at),
                        );
                        let new = Pair { left: cont.0, right: cont.1, when: c };
                        let merged = match todo.remove(&key) {
                            None => Some(new),
                            Some(old) => self.join(new, old),
                        };
                        match merged {
                            Some(p) => {
                                todo.insert(key, p);
                            }
                            None => {
                                out.problems.push(Problem::of(ProblemKind::Budget { limit: Limit::Joins }))
                            }
                        }
                    }
                    if !out.problems.is_empty() {
                        for p in out.problems.iter_mut().filter(|p| p.model.is_some()) {
                            p.answered.clone_from(&self.answered);
                        }
                        return out;
                    }
                }
            }
        }
        out
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
            if let smt::Node::Apply(f, _) = pool.node(t) {
                if let Some(operation) = &pool.func_decl(*f).operation {
                    let of = out.premises.entry(Premise::Operation(operation.class)).or_default();
                    if !of.contains(&operation.name) {
                        of.insert(operation.name.clone());
                    }
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
                let kind = ProblemKind::EventDiffers { event: e.label.clone() };
                self.require(out, &facts, (goal, kind), task.plan, &what);
                out.edges.push((Edge::Event, facts.all.clone()));
                let mut values = Vec::new();
                let mut fresh = |d: &mut Symbolic, s: VarSort| {
                    let t = d.pool.fresh(&format!("result:{}", e.label), term_sort(s));
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
        let shapes = (self.left.shape(), self.right.shape());
        let mut goals: Vec<(usize, TermId, bool)> = Vec::new();
        for (k, c) in target.constraints.iter().enumerate() {
            let d = &mut self.prover.d;
            let x = eval_expr(d, &c.a, shapes, l, r);
            let y = eval_expr(d, &c.b, shapes, l, r);
            let memory = matches!(x, Some(Val::Mem(_)));
            let goal = match (x, y) {
                (Some(x), Some(y)) => crate::accept::equal_val(d, &x, &y),
                (None, _) | (_, None) => d.pool.bool(false),
            };
            goals.push((k, goal, memory));
        }
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
            // What says something of one side alone is seldom needed, and as a rule true at a glance or not at all;
            // without the variables of one name, memory above all, nothing is proved.
            let budget = match candidate {
                false => plan.budget.query,
                true if text.by_name() => plan.budget.candidate.times(4).min(plan.budget.query),
                true if text.across() => plan.budget.candidate,
                true => ONE_SIDED.max(plan.budget.candidate.percent(12)).min(plan.budget.candidate),
            };
            let budget = plan.allow(budget);
            let what = || text.to_string();
            let holds = match text.by_name() {
                true => self.implied(facts, goal, (plan, budget), &what),
                false => self.prover.implied(&facts.all, goal, budget, &what),
            };
            let (model, why) = match holds {
                Holds::Yes => continue,
                Holds::No(m) => {
                    let pool = &self.prover.d.pool;
                    let terms: Vec<TermId> = goals[n..].iter().map(|g| g.1).collect();
                    for ((k, ..), v) in goals[n..].iter().zip(m.eval_all(pool, &terms)) {
                        if !v.as_bool() {
                            refuted.insert(*k);
                        }
                    }
                    if candidate {
                        self.witnesses.learn(i, &m);
                        self.witness(i, &facts.all, &goals[n + 1..], &mut refuted, plan);
                    }
                    (Some(m), None)
                }
                Holds::Unknown(w) => (None, Some(w)),
            };
            // Memory that has become another between two blocks is seldom missed by nothing behind them.
            if memory && plan.by_blocks() {
                let kind = ProblemKind::Constraint { constraint: text.to_string() };
                let cuts = (Some(target.left), Some(target.right));
                let facts = self.against(&facts.all, goal);
                out.problems.push(Problem { model, why, cuts, facts, ..Problem::of(kind) });
                return;
            }
            if drop {
                out.shortage.add(Shortage::of(why.as_ref()));
                out.broken.insert((j, k));
            } else {
                let kind = ProblemKind::Constraint { constraint: text.to_string() };
                let facts = self.against(&facts.all, goal);
                out.problems.push(Problem { model, why, facts, ..Problem::of(kind) });
                return;
            }
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

    /// Whether, wherever the right goes wrong in one of the ways listed, the left does too: by the paths there and the
    /// errors at their ends alone. Behind an error the left may be taken to go on, since it only matters that it erred.
    /// So the question is about one place of each program, not about all that leads to a stop, and asked once for all
    /// stops.
    fn errs_too(
        &mut self,
        out: &mut PointResult,
        (base, left): (&[TermId], &[Stop]),
        (error, ways): (&str, &[(When, Place)]),
        plan: &Plan,
    ) -> bool {
        let mut base = base.to_vec();
        for stop in left {
            if let StopKind::Error(e, _, ways) = &stop.kind
                && self.accept.left_error(e, Some(error))
            {
                for (when, _) in ways {
                    base.push(self.prover.d.pool.not(when.path));
                }
            }
        }
        for (when, place) in ways {
            let what = || format!("the left errs where the right does at {place}");
            let mut facts = base.clone();
            facts.push(when.path);
            match self.prover.possible(&facts, plan.query_of(ERROR_PATH), &what) {
                Answer::Unsat => {}
                Answer::Sat(_) => return false,
                Answer::Unknown(why) => {
                    out.shortage.add(Shortage::of(Some(&why)));
                    return false;
                }
            }
        }
        true
    }

    /// Whether the right goes wrong in none of the ways listed, where `base` holds: asked all at once for a moment
    /// (`facts`), then one way after the other. Each way's path decides most of the choices that merged states
    /// left open, so that what the left may access there is often the very condition that the right needs.
    fn never_errs(
        &mut self,
        out: &mut PointResult,
        (base, facts): (&[TermId], &[TermId]),
        (a, ways): (&Stop, &[(When, Place)]),
        plan: &Plan,
    ) -> bool {
        let l = a.kind.describe(self.left.shape());
        let what = || format!("never: left {l} while right errs");
        match self.prover.possible(facts, plan.query_of(ALL_ERROR_PATHS), &what) {
            Answer::Unsat => return true,
            Answer::Sat(_) => return false,
            Answer::Unknown(_) => {}
        }
        for (when, place) in ways {
            let what = || format!("never: left {l} while right errs at {place}");
            let mut facts = base.to_vec();
            facts.extend([when.path, when.fine]);
            match self.prover.possible(&facts, plan.query(), &what) {
                Answer::Unsat => {}
                Answer::Sat(_) => return false,
                Answer::Unknown(why) => {
                    out.shortage.add(Shortage::of(Some(&why)));
                    return false;
                }
            }
        }
        true
    }

    /// When the left, from a cut, errs before anything of it can be seen, in a way that permits everything: the right
    /// may have erred already, where it computes ahead what the left is about to. None where that is not known.
    ///
    /// Accesses that execution goes on behind, whatever they give, are passed; at most so many in a row.
    fn doomed(
        &mut self,
        points: &[SyncPoint],
        at: &State<Symbolic>,
        passes: u32,
        end: Deadline,
    ) -> Option<TermId> {
        let cuts: FxHashSet<PointId> = points.iter().map(|p| p.left).collect();
        let ranks = region::ranks(self.left.shape(), &cuts);
        let limits = RegionLimits {
            passes: self.opts.passes,
            bounded: false,
            deadline: end,
            terms: self.prover.d.pool.len() + self.opts.max_terms,
        };
        let stops = region::run(&mut self.prover.d, self.left, at, &cuts, &ranks, &limits).ok()?;
        let mut any = self.prover.d.pool.bool(false);
        for stop in &stops {
            let pool = &mut self.prover.d.pool;
            let mut here = pool.and(stop.when.path, stop.when.fine);
            match &stop.kind {
                StopKind::Error(e, ..) if self.accept.left_error(e, None) => {}
                StopKind::Event(e, after) if passes > 0 && self.accept.goes_on(e) => {
                    let later = self.doomed_behind(points, (e, after), passes - 1, end)?;
                    here = self.prover.d.pool.and(here, later);
                }
                StopKind::Cut(_)
                | StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Unsupported(..)
                | StopKind::Beyond
                | StopKind::Gap => continue,
            }
            any = self.prover.d.pool.or(any, here);
        }
        Some(any)
    }

    /// As [`Self::doomed`], behind an event of the left with results that may be any.
    fn doomed_behind(
        &mut self,
        points: &[SyncPoint],
        (event, after): (&Event<Symbolic>, &State<Symbolic>),
        passes: u32,
        end: Deadline,
    ) -> Option<TermId> {
        let d = &mut self.prover.d;
        let mut results = Vec::new();
        for sort in &event.results {
            let t = d.pool.fresh(&format!("result:{}", event.label), term_sort(*sort));
            results.push(val_of(*sort, t));
        }
        let state = self.left.resume(d, after.clone(), &results);
        self.doomed(points, &state, passes, end)
    }

    /// When the left is bound to err where it stopped while the right does something else, and what that rests on.
    fn bound_to_err(
        &mut self,
        points: &[SyncPoint],
        (a, b): (&Stop, &Stop),
        end: Deadline,
    ) -> Option<(TermId, Option<Premise>)> {
        match (&a.kind, &b.kind) {
            (_, StopKind::Unsupported(..) | StopKind::Gap) => None,
            (StopKind::Cut(at), _) => Some((self.doomed(points, at, 0, end)?, None)),
            (StopKind::Event(e, after), StopKind::Error(..)) if self.accept.goes_on(e) => {
                Some((self.doomed_behind(points, (e, after), GONE_PAST, end)?, Some(Premise::GoesOn)))
            }
            (
                StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Unsupported(..)
                | StopKind::Beyond
                | StopKind::Gap,
                _,
            ) => None,
        }
    }

    /// The pair must not happen: the positive form. (Or the left is bound to err anyway.)
    fn impossible(
        &mut self,
        out: &mut PointResult,
        points: &[SyncPoint],
        facts: &PairFacts,
        (a, b): (&Stop, &Stop),
        plan: &Plan,
    ) {
        let (l, r) = (a.kind.describe(self.left.shape()), b.kind.describe(self.right.shape()));
        let what = || format!("never: left {l} while right {r}");
        if self.prover.contradict(&facts.all) {
            return;
        }
        let first = plan.allow(WITHOUT_ERRORS.min(plan.budget.query.percent(50)));
        if !plan.by_blocks() && matches!(self.prover.possible(facts.light(), first, &what), Answer::Unsat) {
            return;
        }
        let mut facts = facts.all.clone();
        let mut answer = self.prover.possible(&facts, plan.query(), &what);
        if !matches!(answer, Answer::Unsat)
            && let Some((doomed, rests_on)) = self.bound_to_err(points, (a, b), plan.budget.end)
        {
            facts.push(self.prover.d.pool.not(doomed));
            answer = self.prover.possible(&facts, plan.query(), &what);
            state(&mut out.premises, rests_on.map(|premise| (premise, BTreeSet::new())));
        }
        let (model, why) = match answer {
            Answer::Unsat => return,
            Answer::Sat(m) => (Some(Box::new(m)), None),
            Answer::Unknown(w) => (None, Some(w)),
        };
        let unsupported = |side, what: &str, place: &crate::Place| ProblemKind::Unsupported {
            side,
            what: what.to_owned(),
            place: place.to_string(),
        };
        let kind = match (&a.kind, &b.kind) {
            (StopKind::Gap, _) => ProblemKind::NotExhaustive { side: Side::Left },
            (_, StopKind::Gap) => ProblemKind::NotExhaustive { side: Side::Right },
            (StopKind::Unsupported(k, p), _) => unsupported(Side::Left, k, p),
            (_, StopKind::Unsupported(k, p)) => unsupported(Side::Right, k, p),
            (_, StopKind::Error(e, p, _)) => ProblemKind::RightError { error: format!("{e} ({p})") },
            (
                StopKind::Cut(_)
                | StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Beyond,
                StopKind::Cut(_) | StopKind::Exit(_) | StopKind::Event(..) | StopKind::Beyond,
            ) => ProblemKind::Mismatch { left: l, right: r },
        };
        let cuts = (cut_point(a), cut_point(b));
        out.problems.push(Problem { model, why, cuts, facts, ..Problem::of(kind) });
    }
}
