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

use crate::exec::GONE_PAST;
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
use smt::tactic::{Holds, Prover};
use smt::{Answer, Model, Symbolic, TermId, Why};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

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

    /// Was only time or memory lacking?
    pub fn late(&self) -> bool {
        self.why.is_some() || matches!(self.kind, ProblemKind::Budget { .. })
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
}

pub(crate) struct Checker<'a, L, R, A> {
    pub left: &'a L,
    pub right: &'a R,
    pub accept: &'a A,
    pub opts: &'a Options,
    pub prover: Prover,
    /// Time for a candidate constraint.
    pub candidate_time: Duration,
    /// Time for an obligation.
    pub query_time: Duration,
    /// Blocks are cut, not loops alone.
    pub by_blocks: bool,
    /// Guess bounds of variables too.
    pub bounds: bool,
    /// A candidate was dropped only because its time ran out.
    pub hasty: bool,
    /// Check only runs that pass no point more often than this, without cutting loops.
    pub bound: Option<u32>,
    /// Guess what branches on the way to a point say of its variables.
    pub facts: bool,
    /// Relations not to be guessed at a pair of points.
    pub barred: FxHashMap<(PointId, PointId), FxHashSet<Constraint>>,
    /// States met that break guesses.
    pub witnesses: Witnesses,
    /// The events met from the point that is checked.
    pub answered: Vec<Answered>,
}

/// What all ways into an error have together before they are gone through one by one.
const ALL_WAYS: Duration = Duration::from_millis(300);

/// What each way into an error has to be one that the left has too.
const EACH_WAY: Duration = Duration::from_millis(400);

/// What a query has without what says that no error came before.
const LIGHT: Duration = Duration::from_millis(150);

/// How many of a pair's facts say that no error came before: the last ones, and by far the largest.
const FINE: usize = 2;

/// What a guess about one side alone has at least.
const ONE_SIDED: Duration = Duration::from_millis(60);

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

    /// Checks point `i`. With `drop`, constraints of successors that aren't preserved are reported
    /// as broken, to be dropped; without, as problems.
    pub fn check_point(&mut self, i: usize, points: &[SyncPoint], drop: bool) -> PointResult {
        let mut points = points.to_vec();
        let mut found = vec![true; points.len()];
        self.explore_point(i, &mut points, &mut found, drop)
    }

    /// As [`Self::check_point`]; a point not found before gets, when it is first reached, the relations that hold
    /// between the states reached there besides the ones guessed.
    pub fn explore_point(
        &mut self,
        i: usize,
        points: &mut [SyncPoint],
        found: &mut [bool],
        drop: bool,
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
            passes: self.bound.unwrap_or(self.opts.passes),
            bounded: self.bound.is_some(),
            deadline: self.prover.deadline,
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
                    let mut facts = start.assume.clone();
                    facts.extend([path, fine, b.when.fine]);
                    self.note_unmodelled(&mut out, &facts);
                    // Where one side's way alone is the way of both, they belong together as a matter of course.
                    let pool = &mut self.prover.d.pool;
                    let (lp, rp) =
                        (pool.and(pair.when.path, a.when.path), pool.and(pair.when.path, b.when.path));
                    let together = path == lp || path == rp;
                    if !self.explore((i, points), found, (&facts, together), a, b) {
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
                                let yes = self.errs_too(&base, &l, error, ways);
                                covered.insert(error.clone(), yes);
                                yes
                            }
                        };
                        base.extend([a.when.path, fine]);
                        if covered || ways.len() > 1 && self.never_errs(&base, &facts, a, ways) {
                            continue;
                        }
                    }
                    if let Some(cont) = self.successors(&mut out, (i, points), drop, facts, a, b) {
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
        let kind = match e {
            RegionFail::Uncut(p) => ProblemKind::Uncut { side, point: shape.point(p).name.clone() },
            RegionFail::Budget(limit) => ProblemKind::Budget { limit },
        };
        Problem::of(kind)
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
        drop: bool,
        facts: Vec<TermId>,
        a: &Stop,
        b: &Stop,
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
                    self.impossible(out, points, &facts, a, b);
                }
                None
            }
            // Only in a bounded check: what comes later is not looked at.
            (StopKind::Beyond, _) | (_, StopKind::Beyond) => None,
            (StopKind::Cut(l), StopKind::Cut(r)) => {
                let Some(j) = points.iter().position(|p| p.left == l.at && p.right == r.at) else {
                    self.impossible(out, points, &facts, a, b);
                    return None;
                };
                self.constraints(out, (i, j), &points[j], drop, &facts, l, r);
                out.edges.push((Edge::Sync(j), facts));
                None
            }
            (StopKind::Exit(l), StopKind::Exit(r)) => {
                let goal = self.accept.exit(&mut self.prover.d, l, r);
                self.note_unmodelled(out, &[goal]);
                let what = || format!("exits of {} and {}", ls.name, rs.name);
                self.require(out, &facts, goal, ProblemKind::ExitDiffers, &what);
                out.edges.push((Edge::Exit, facts));
                None
            }
            (StopKind::Event(e, l), StopKind::Event(f, r)) => {
                let Some(goal) = self.accept.event(&mut self.prover.d, e, f) else {
                    self.impossible(out, points, &facts, a, b);
                    return None;
                };
                self.note_unmodelled(out, &[goal]);
                let what = || format!("arguments of {}", e.label);
                self.require(out, &facts, goal, ProblemKind::EventDiffers { event: e.label.clone() }, &what);
                out.edges.push((Edge::Event, facts.clone()));
                let mut values = Vec::new();
                let mut fresh = |d: &mut Symbolic, s: VarSort| {
                    let t = d.pool.fresh(&format!("result:{}", e.label), term_sort(s));
                    values.push(t);
                    val_of(s, t)
                };
                let d = &mut self.prover.d;
                let (lv, rv) = self.accept.results(d, e, f, &mut fresh);
                self.answered.push(Answered { facts: facts.clone(), label: e.label.clone(), values });
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
                self.impossible(out, points, &facts, a, b);
                None
            }
        }
    }

    /// The constraints of the successor's point; a model that refutes one may refute others.
    #[allow(clippy::too_many_arguments)]
    fn constraints(
        &mut self,
        out: &mut PointResult,
        (i, j): (usize, usize),
        target: &SyncPoint,
        drop: bool,
        facts: &[TermId],
        l: &State<Symbolic>,
        r: &State<Symbolic>,
    ) {
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
            self.witness(i, facts, &goals, &mut refuted);
        }
        for n in 0..goals.len() {
            let (k, goal, memory) = goals[n];
            if refuted.contains(&k) || out.broken.contains(&(j, k)) {
                out.broken.insert((j, k));
                continue;
            }
            let candidate = drop && !(memory && self.by_blocks);
            let text = &target.constraints[k];
            // What says something of one side alone is seldom needed, and as a rule true at a glance or not at all;
            // without the variables of one name, memory above all, nothing is proved.
            let time = match candidate {
                false => self.query_time,
                true if text.by_name() => (self.candidate_time * 4).min(self.query_time),
                true if text.across() => self.candidate_time,
                true => ONE_SIDED.max(self.candidate_time / 8).min(self.candidate_time),
            };
            let what = || text.to_string();
            let holds = match text.by_name() {
                true => self.implied(facts, goal, time, &what),
                false => self.prover.implied(facts, goal, time, &what),
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
                        self.witness(i, facts, &goals[n + 1..], &mut refuted);
                    }
                    (Some(m), None)
                }
                Holds::Unknown(w) => (None, Some(w)),
            };
            // Memory that has become another between two blocks is seldom missed by nothing behind them.
            if memory && self.by_blocks {
                let kind = ProblemKind::Constraint { constraint: text.to_string() };
                let cuts = (Some(target.left), Some(target.right));
                let facts = self.against(facts, goal);
                out.problems.push(Problem { model, why, cuts, facts, ..Problem::of(kind) });
                return;
            }
            if drop {
                self.hasty |= why.is_some();
                out.broken.insert((j, k));
            } else {
                let kind = ProblemKind::Constraint { constraint: text.to_string() };
                let facts = self.against(facts, goal);
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
        matches!(self.prover.possible(facts, self.opts.query_time, &what), Answer::Sat(_))
    }

    /// Whether a pair's facts imply a goal: tried without the largest of them first.
    fn implied(
        &mut self,
        facts: &[TermId],
        goal: TermId,
        time: Duration,
        what: &dyn Fn() -> String,
    ) -> Holds {
        if self.prover.follows(facts, goal) {
            return Holds::Yes;
        }
        // Between blocks little is left out.
        let light = &facts[..facts.len().saturating_sub(FINE)];
        if !self.by_blocks
            && matches!(self.prover.implied(light, goal, LIGHT.min(time / 2), what), Holds::Yes)
        {
            return Holds::Yes;
        }
        self.prover.implied(facts, goal, time, what)
    }

    fn require(
        &mut self,
        out: &mut PointResult,
        facts: &[TermId],
        goal: TermId,
        kind: ProblemKind,
        what: &dyn Fn() -> String,
    ) {
        match self.implied(facts, goal, self.query_time, what) {
            Holds::Yes => {}
            Holds::No(m) => {
                let facts = self.against(facts, goal);
                out.problems.push(Problem { model: Some(m), facts, ..Problem::of(kind) });
            }
            Holds::Unknown(w) => out.problems.push(Problem { why: Some(w), ..Problem::of(kind) }),
        }
    }

    /// Whether, wherever the right goes wrong in one of the ways listed, the left does too: by the paths there and the
    /// errors at their ends alone. Behind an error the left may be taken to go on, since it only matters that it erred.
    /// So the question is about one place of each program, not about all that leads to a stop, and asked once for all
    /// stops.
    fn errs_too(&mut self, base: &[TermId], left: &[Stop], error: &str, ways: &[(When, Place)]) -> bool {
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
        let time = EACH_WAY.min(self.query_time);
        for (when, place) in ways {
            let what = || format!("the left errs where the right does at {place}");
            let mut facts = base.clone();
            facts.push(when.path);
            if !matches!(self.prover.possible(&facts, time, &what), Answer::Unsat) {
                return false;
            }
        }
        true
    }

    /// Whether the right goes wrong in none of the ways listed, where `base` holds: asked all at once for a moment
    /// (`facts`), then one way after the other. Each way's path decides most of the choices that merged states
    /// left open, so that what the left may access there is often the very condition that the right needs.
    fn never_errs(&mut self, base: &[TermId], facts: &[TermId], a: &Stop, ways: &[(When, Place)]) -> bool {
        let l = a.kind.describe(self.left.shape());
        let what = || format!("never: left {l} while right errs");
        match self.prover.possible(facts, ALL_WAYS.min(self.query_time), &what) {
            Answer::Unsat => return true,
            Answer::Sat(_) => return false,
            Answer::Unknown(_) => {}
        }
        for (when, place) in ways {
            let what = || format!("never: left {l} while right errs at {place}");
            let mut facts = base.to_vec();
            facts.extend([when.path, when.fine]);
            if !matches!(self.prover.possible(&facts, self.query_time, &what), Answer::Unsat) {
                return false;
            }
        }
        true
    }

    /// When the left, from a cut, errs before anything of it can be seen, in a way that permits everything: the right
    /// may have erred already, where it computes ahead what the left is about to. None where that is not known.
    ///
    /// Accesses that execution goes on behind, whatever they give, are passed; at most so many in a row.
    fn doomed(&mut self, points: &[SyncPoint], at: &State<Symbolic>, passes: u32) -> Option<TermId> {
        let cuts: FxHashSet<PointId> = points.iter().map(|p| p.left).collect();
        let ranks = region::ranks(self.left.shape(), &cuts);
        let limits = RegionLimits {
            passes: self.opts.passes,
            bounded: false,
            deadline: self.prover.deadline,
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
                    let later = self.doomed_behind(points, e, after, passes - 1)?;
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
        event: &Event<Symbolic>,
        after: &State<Symbolic>,
        passes: u32,
    ) -> Option<TermId> {
        let d = &mut self.prover.d;
        let mut results = Vec::new();
        for sort in &event.results {
            let t = d.pool.fresh(&format!("result:{}", event.label), term_sort(*sort));
            results.push(val_of(*sort, t));
        }
        let state = self.left.resume(d, after.clone(), &results);
        self.doomed(points, &state, passes)
    }

    /// When the left is bound to err where it stopped while the right does something else, and what that rests on.
    fn bound_to_err(
        &mut self,
        points: &[SyncPoint],
        a: &Stop,
        b: &Stop,
    ) -> Option<(TermId, Option<Premise>)> {
        match (&a.kind, &b.kind) {
            (_, StopKind::Unsupported(..) | StopKind::Gap) => None,
            (StopKind::Cut(at), _) => Some((self.doomed(points, at, 0)?, None)),
            (StopKind::Event(e, after), StopKind::Error(..)) if self.accept.goes_on(e) => {
                Some((self.doomed_behind(points, e, after, GONE_PAST)?, Some(Premise::GoesOn)))
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
        facts: &[TermId],
        a: &Stop,
        b: &Stop,
    ) {
        let (l, r) = (a.kind.describe(self.left.shape()), b.kind.describe(self.right.shape()));
        let what = || format!("never: left {l} while right {r}");
        if self.prover.contradict(facts) {
            return;
        }
        let light = &facts[..facts.len().saturating_sub(FINE)];
        if !self.by_blocks
            && matches!(self.prover.possible(light, LIGHT.min(self.query_time / 2), &what), Answer::Unsat)
        {
            return;
        }
        let mut facts = facts.to_vec();
        let mut answer = self.prover.possible(&facts, self.query_time, &what);
        if !matches!(answer, Answer::Unsat)
            && let Some((doomed, rests_on)) = self.bound_to_err(points, a, b)
        {
            facts.push(self.prover.d.pool.not(doomed));
            answer = self.prover.possible(&facts, self.query_time, &what);
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
