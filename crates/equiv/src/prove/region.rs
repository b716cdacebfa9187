//! Symbolic execution of one side from a state to its cut-successors (function `next` of
//! algorithm 1), states merging where paths join.

use crate::model::{Event, Next, Place, PointId, Semantics, Shape, State, Val, depth_first};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::effort::{Deadline, Spent, Work, count};
use smt::{Domain, Node, Pool, Symbolic, TermId};
use std::collections::BTreeMap;

/// When a state is reached. The two parts together say it exactly; they are kept apart because paths that join again
/// then often have conditions that are the same on both sides, and values that are chosen by the same conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct When {
    /// By which path.
    pub path: TermId,
    /// That no error state came before.
    pub fine: TermId,
}

impl When {
    /// Always.
    pub fn always(pool: &mut Pool) -> When {
        let yes = pool.bool(true);
        When { path: yes, fine: yes }
    }
}

/// Where one side stopped, and when.
pub(crate) struct Stop {
    pub when: When,
    pub kind: StopKind,
}

pub(crate) enum StopKind {
    /// At a cut point.
    Cut(State<Symbolic>),
    /// At the end.
    Exit(Vec<Val<Symbolic>>),
    /// At an event, to go on behind it.
    Event(Event<Symbolic>, State<Symbolic>),
    /// In an error state: the error, where one of its places is, and each of the ways there with its own place.
    Error(String, Place, Vec<(When, Place)>),
    /// At something not modelled.
    Unsupported(String, Place),
    /// Past the bound of a bounded check.
    Beyond,
    /// Where the ways on from a state may not cover everything: behaviour that would go unseen.
    Gap,
}

impl StopKind {
    /// In words, for messages.
    pub fn describe(&self, shape: &Shape) -> String {
        match self {
            StopKind::Cut(s) => format!("at {}", shape.point(s.at).name),
            StopKind::Exit(_) => "exits".into(),
            StopKind::Event(e, _) => format!("does {}", e.label),
            StopKind::Error(k, p, _) => format!("error {k} at {p}"),
            StopKind::Unsupported(k, p) => format!("unsupported {k} at {p}"),
            StopKind::Beyond => "goes on past the bound".into(),
            StopKind::Gap => "has no successor".into(),
        }
    }
}

/// Why a region could not be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RegionFail {
    /// A cycle without a cut passes here.
    Uncut(PointId),
    /// Too many terms.
    Terms,
    /// The budget of work was used up, or the ceiling on time reached.
    Spent(Spent),
}

/// Limits of one region.
pub(crate) struct RegionLimits {
    /// How often one point may be passed.
    pub passes: u32,
    /// Paths that pass a point more often end there, instead of failing the region.
    pub bounded: bool,
    pub deadline: Deadline,
    /// Most terms in the pool.
    pub terms: usize,
}

/// The order in which points are run, predecessors first where cuts break all cycles.
pub(crate) fn ranks(shape: &Shape, cuts: &FxHashSet<PointId>) -> Vec<u32> {
    let n = shape.points.len();
    let mut rank = vec![u32::MAX; n];
    let roots = std::iter::once(0).chain(cuts.iter().map(|c| c.index())).chain(0..n);
    // Edges into cuts end a region.
    let (post, _) = depth_first(n, roots, |p| &shape.points[p].succs, |s| !cuts.contains(&s));
    for (i, p) in post.iter().rev().enumerate() {
        rank[*p] = i as u32;
    }
    rank
}

/// Whether some cycle passes none of these cuts.
pub(crate) fn cycle_without(shape: &Shape, cuts: &FxHashSet<PointId>) -> bool {
    let free = |p: &PointId| !cuts.contains(p);
    let mut into = vec![0u32; shape.points.len()];
    for s in shape.points.iter().flat_map(|p| &p.succs).filter(|s| free(s)) {
        into[s.index()] += 1;
    }
    // Points that nothing leads to any more, and those that only they led to: what is left lies on or behind a cycle.
    let all = || (0..shape.points.len() as u32).map(PointId);
    let mut todo: Vec<PointId> = all().filter(|p| cuts.contains(p) || into[p.index()] == 0).collect();
    let mut done = 0;
    while let Some(p) = todo.pop() {
        done += 1;
        for s in shape.point(p).succs.iter().filter(|s| free(s)) {
            into[s.index()] -= 1;
            if into[s.index()] == 0 {
                todo.push(*s);
            }
        }
    }
    done < shape.points.len()
}

/// The conjuncts of a condition.
pub(crate) fn conjuncts(pool: &Pool, t: TermId) -> Vec<TermId> {
    match pool.node(t) {
        Node::And(xs) => xs.to_vec(),
        Node::Bool(true) => Vec::new(),
        _ => vec![t],
    }
}

/// For exclusive conditions `a` and `b`: a condition that tells them apart where either holds, and
/// their disjunction with what they share taken out.
pub(crate) fn join_conditions(pool: &mut Pool, a: TermId, b: TermId) -> (TermId, TermId) {
    let (ca, cb) = (conjuncts(pool, a), conjuncts(pool, b));
    let shared: Vec<TermId> = ca.iter().copied().filter(|x| cb.contains(x)).collect();
    let ra: Vec<TermId> = ca.into_iter().filter(|x| !shared.contains(x)).collect();
    let rb: Vec<TermId> = cb.into_iter().filter(|x| !shared.contains(x)).collect();
    let (ra, rb) = (pool.and_all(&ra), pool.and_all(&rb));
    let either = pool.or(ra, rb);
    let common = pool.and_all(&shared);
    // The shorter distinction.
    let nb = pool.not(rb);
    let size = |p: &Pool, t: TermId| conjuncts(p, t).len();
    let pick = if size(pool, nb) < size(pool, ra) { nb } else { ra };
    (pick, pool.and(common, either))
}

/// The condition that tells two exclusive states apart, and when either holds.
///
/// `pick` is decided by the paths alone. That is enough: a state's whole condition excludes the other's path, since
/// both have what kept their ways apart from errors in `fine`.
pub(crate) fn join_when(pool: &mut Pool, a: When, b: When) -> (TermId, When) {
    let (pick, path) = join_conditions(pool, a.path, b.path);
    let (fa, fb) = (conjuncts(pool, a.fine), conjuncts(pool, b.fine));
    let mut all: Vec<TermId> = fa.iter().copied().filter(|x| fb.contains(x)).collect();
    let not = pool.not(pick);
    for (choice, mine, other) in [(pick, &fa, &fb), (not, &fb, &fa)] {
        let own: Vec<TermId> = mine.iter().copied().filter(|x| !other.contains(x)).collect();
        let own = pool.and_all(&own);
        all.push(pool.implies(choice, own));
    }
    let fine = pool.and_all(&all);
    (pick, When { path, fine })
}

/// When one error or another is reached. An error's path is no other branch but what makes it one, so that the paths of
/// two errors exclude each other only with what says that the later was not preceded by the earlier.
fn join_errors(pool: &mut Pool, a: When, b: When) -> When {
    let (_, path) = join_conditions(pool, a.path, b.path);
    let (x, y) = (pool.and(a.path, a.fine), pool.and(b.path, b.fine));
    let (_, fine) = join_conditions(pool, x, y);
    When { path, fine }
}

/// A step's condition behind a state's: what says that the step does not err goes to `fine`.
fn extend(pool: &mut Pool, when: When, cond: TermId, no_error: &[TermId]) -> When {
    let (mut fine, mut path) = (vec![when.fine], vec![when.path]);
    for c in conjuncts(pool, cond) {
        if no_error.contains(&c) { fine.push(c) } else { path.push(c) }
    }
    When { path: pool.and_all(&path), fine: pool.and_all(&fine) }
}

/// When none of the exclusive conditions holds.
fn uncovered(pool: &mut Pool, conds: impl Iterator<Item = TermId>) -> TermId {
    let mut rest = pool.bool(true);
    let mut any = pool.bool(false);
    for c in conds {
        let n = pool.not(c);
        rest = pool.and(rest, n);
        any = join_conditions(pool, any, c).1;
    }
    if pool.as_bool(any) == Some(true) { pool.bool(false) } else { rest }
}

/// `a` where the condition holds, `b` elsewhere.
pub(crate) fn merge_vals(
    d: &mut Symbolic,
    c: TermId,
    a: &[Val<Symbolic>],
    b: &[Val<Symbolic>],
) -> Option<Vec<Val<Symbolic>>> {
    if a.len() != b.len() {
        return None;
    }
    a.iter()
        .zip(b)
        .map(|(x, y)| match (x, y) {
            (Val::Bv(p), Val::Bv(q)) if d.width(p) == d.width(q) => Some(Val::Bv(d.ite(&c, p, q))),
            (Val::Mem(p), Val::Mem(q)) if d.pool.sort(*p) == d.pool.sort(*q) => {
                Some(Val::Mem(d.ite_mem(&c, p, q)))
            }
            (Val::Bv(_), _) | (Val::Mem(_), _) => None,
        })
        .collect()
}

/// Adds a stop, merging it with one of the same kind and place.
fn add_stop(d: &mut Symbolic, stops: &mut Vec<Stop>, when: When, kind: StopKind) {
    for s in stops.iter_mut() {
        if let (StopKind::Error(k, _, ways), StopKind::Error(l, _, others)) = (&kind, &mut s.kind)
            && k == l
        {
            others.extend_from_slice(ways);
            s.when = join_errors(&mut d.pool, when, s.when);
            return;
        }
        let (pick, either) = join_when(&mut d.pool, when, s.when);
        let merged = match (&kind, &s.kind) {
            (StopKind::Cut(a), StopKind::Cut(b)) if a.at == b.at => {
                merge_vals(d, pick, &a.vals, &b.vals).map(|vals| StopKind::Cut(State { at: a.at, vals }))
            }
            (StopKind::Exit(a), StopKind::Exit(b)) => merge_vals(d, pick, a, b).map(StopKind::Exit),
            (StopKind::Event(e, a), StopKind::Event(f, b))
                if e.label == f.label && a.at == b.at && e.results == f.results =>
            {
                let args = merge_vals(d, pick, &e.args, &f.args);
                let vals = merge_vals(d, pick, &a.vals, &b.vals);
                args.zip(vals).map(|(args, vals)| {
                    let e = Event { args, ..e.clone() };
                    StopKind::Event(e, State { at: a.at, vals })
                })
            }
            (StopKind::Unsupported(k, p), StopKind::Unsupported(l, q)) if k == l && p == q => {
                Some(StopKind::Unsupported(k.clone(), p.clone()))
            }
            (StopKind::Beyond, StopKind::Beyond) => Some(StopKind::Beyond),
            (StopKind::Gap, StopKind::Gap) => Some(StopKind::Gap),
            (
                StopKind::Cut(_)
                | StopKind::Exit(_)
                | StopKind::Event(..)
                | StopKind::Error(..)
                | StopKind::Unsupported(..)
                | StopKind::Beyond
                | StopKind::Gap,
                _,
            ) => None,
        };
        if let Some(m) = merged {
            *s = Stop { when: either, kind: m };
            return;
        }
    }
    stops.push(Stop { when, kind });
}

/// Runs one side from `start` to its next stops.
pub(crate) fn run<S: Semantics>(
    d: &mut Symbolic,
    sem: &S,
    start: &State<Symbolic>,
    (cuts, ranks): (&FxHashSet<PointId>, &[u32]),
    limits: &RegionLimits,
) -> Result<Vec<Stop>, RegionFail> {
    // A single step may be long in the building of its terms.
    let before = d.pool.rewrite_until(limits.deadline);
    let stops = steps(d, sem, start, cuts, ranks, limits);
    d.pool.rewrite_until(before);
    stops
}

/// Its steps, until none is left to do.
fn steps<S: Semantics>(
    d: &mut Symbolic,
    sem: &S,
    start: &State<Symbolic>,
    cuts: &FxHashSet<PointId>,
    ranks: &[u32],
    limits: &RegionLimits,
) -> Result<Vec<Stop>, RegionFail> {
    let mut stops: Vec<Stop> = Vec::new();
    let mut todo: BTreeMap<(u32, PointId), (When, State<Symbolic>)> = BTreeMap::new();
    let mut passed: FxHashMap<PointId, u32> = FxHashMap::default();
    let always = When::always(&mut d.pool);
    todo.insert((0, start.at), (always, start.clone()));
    while let Some(((_, at), (when, state))) = todo.pop_first() {
        count(Work::Step, 1);
        let passes = passed.entry(at).or_default();
        *passes += 1;
        if *passes > limits.passes {
            if limits.bounded {
                add_stop(d, &mut stops, when, StopKind::Beyond);
                continue;
            }
            return Err(RegionFail::Uncut(at));
        }
        if d.pool.len() > limits.terms {
            return Err(RegionFail::Terms);
        }
        if let Some(spent) = limits.deadline.passed() {
            return Err(RegionFail::Spent(spent));
        }
        let successors = sem.step(d, &state);
        let gap = uncovered(&mut d.pool, successors.iter().map(|s| s.cond));
        if d.pool.as_bool(gap) != Some(false) {
            let c = extend(&mut d.pool, when, gap, &[]);
            add_stop(d, &mut stops, c, StopKind::Gap);
        }
        let mut no_error: Vec<TermId> = Vec::new();
        for s in successors.iter().filter(|s| matches!(s.next, Next::Error(..))) {
            let not = d.pool.not(s.cond);
            no_error.extend(conjuncts(&d.pool, not));
        }
        for s in successors {
            let c = extend(&mut d.pool, when, s.cond, &no_error);
            let both = d.pool.and(c.path, c.fine);
            if d.pool.as_bool(both) == Some(false) {
                continue;
            }
            match s.next {
                Next::Go(to) if cuts.contains(&to.at) => add_stop(d, &mut stops, c, StopKind::Cut(to)),
                Next::Go(to) => {
                    let key = (ranks.get(to.at.index()).copied().unwrap_or(u32::MAX), to.at);
                    let new = match todo.remove(&key) {
                        None => (c, to),
                        Some((c2, other)) => {
                            let (pick, either) = join_when(&mut d.pool, c, c2);
                            match merge_vals(d, pick, &to.vals, &other.vals) {
                                Some(vals) => (either, State { at: to.at, vals }),
                                None => return Err(RegionFail::Uncut(to.at)),
                            }
                        }
                    };
                    todo.insert(key, new);
                }
                Next::Exit(vals) => add_stop(d, &mut stops, c, StopKind::Exit(vals)),
                Next::Event(e, after) => add_stop(d, &mut stops, c, StopKind::Event(e, after)),
                Next::Error(k, p) => {
                    let ways = vec![(c, p.clone())];
                    add_stop(d, &mut stops, c, StopKind::Error(k, p, ways));
                }
                Next::Unsupported(k, p) => add_stop(d, &mut stops, c, StopKind::Unsupported(k, p)),
            }
        }
    }
    Ok(stops)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Point, PointKind};

    #[test]
    fn a_cycle_is_seen_unless_cut() {
        // Entry, then a loop of 1 and 2 inside one of 1, 2 and 3, then 4.
        let next: [&[u32]; 5] = [&[1], &[2], &[1, 3], &[1, 4], &[]];
        let point = |succs: &&[u32]| Point {
            name: String::new(),
            aliases: Vec::new(),
            kind: PointKind::Block,
            vars: Vec::new(),
            succs: succs.iter().map(|s| PointId(*s)).collect(),
        };
        let shape = Shape { name: String::new(), points: next.iter().map(point).collect() };
        let without = |cuts: &[u32]| cycle_without(&shape, &cuts.iter().map(|c| PointId(*c)).collect());
        assert!(without(&[0]) && without(&[0, 3]) && without(&[0, 4]));
        assert!(!without(&[0, 1]) && !without(&[0, 2]));
    }
}
