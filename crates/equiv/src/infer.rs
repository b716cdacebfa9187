//! Synchronisation points inferred: loops of both sides aligned by names, nesting and co-execution,
//! then the equalities between live values that held in every run. All of it is guesswork that the
//! fixpoint in `prove` confirms or drops: a wrong guess costs time, never soundness.

use crate::exec::{CoRun, Outcome};
use crate::sync::numbered;
use crate::{Constraint, Expr, PointId, PointKind, Shape, Side, SyncPoint, Val, VarSort};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Bv, Concrete};

/// A loop: its header, the points in it, how deep it is nested.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub header: PointId,
    pub body: FxHashSet<PointId>,
    pub depth: usize,
}

/// The loops of a shape, headers in reverse postorder. Every cycle passes one of the headers.
pub(crate) fn loops(shape: &Shape) -> Vec<Loop> {
    let n = shape.points.len();
    let mut preds: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, p) in shape.points.iter().enumerate() {
        for s in &p.succs {
            preds[s.index()].push(i);
        }
    }
    // Depth first; an edge to a point on the path is a back edge.
    let mut state = vec![0u8; n];
    let mut post = Vec::new();
    let mut back: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for root in 0..n {
        if state[root] != 0 {
            continue;
        }
        let mut stack = vec![(root, 0usize)];
        state[root] = 1;
        while let Some((p, i)) = stack.pop() {
            match shape.points[p].succs.get(i).map(|s| s.index()) {
                None => {
                    state[p] = 2;
                    post.push(p);
                }
                Some(s) => {
                    stack.push((p, i + 1));
                    match state[s] {
                        0 => {
                            state[s] = 1;
                            stack.push((s, 0));
                        }
                        1 => back.entry(s).or_default().push(p),
                        _ => {}
                    }
                }
            }
        }
    }
    let mut out: Vec<Loop> = Vec::new();
    for &h in post.iter().rev() {
        let Some(latches) = back.get(&h) else { continue };
        let mut body: FxHashSet<PointId> = FxHashSet::default();
        body.insert(PointId(h as u32));
        let mut stack = latches.clone();
        while let Some(p) = stack.pop() {
            if body.insert(PointId(p as u32)) {
                stack.extend(preds[p].iter().copied());
            }
        }
        out.push(Loop { header: PointId(h as u32), body, depth: 0 });
    }
    for i in 0..out.len() {
        let h = out[i].header;
        out[i].depth = out.iter().filter(|l| l.body.contains(&h)).count();
    }
    out
}

/// Does every cycle of the loop pass the point?
fn cuts(shape: &Shape, l: &Loop, at: PointId) -> bool {
    if !l.body.contains(&at) {
        return false;
    }
    // From the header round to the header without the point?
    let mut seen: FxHashSet<PointId> = FxHashSet::default();
    let mut stack = vec![l.header];
    if at == l.header {
        return true;
    }
    while let Some(p) = stack.pop() {
        for s in &shape.point(p).succs {
            if *s == at || !l.body.contains(s) {
                continue;
            }
            if *s == l.header {
                return false;
            }
            if seen.insert(*s) {
                stack.push(*s);
            }
        }
    }
    true
}

/// The visits of a point in a run: how many events came before each.
fn pulse(run: &CoRun, side: usize, at: PointId) -> Vec<usize> {
    run.visits[side].iter().filter(|v| v.at == at).map(|v| v.events).collect()
}

/// Are the two points visited alike in all runs? `None` when no run visits either.
fn alike(runs: &[CoRun], l: PointId, r: PointId) -> Option<bool> {
    let mut seen = false;
    for run in runs.iter().filter(|r| r.outcome == Outcome::Same) {
        let (a, b) = (pulse(run, 0, l), pulse(run, 1, r));
        if a != b {
            return Some(false);
        }
        seen |= !a.is_empty();
    }
    seen.then_some(true)
}

/// How much the names of two points say for their being one. Numbers are given anew in every program: they say little,
/// unless one of the points gives the other's name as its own.
fn same_name(left: &Shape, right: &Shape, l: PointId, r: PointId) -> i64 {
    let (a, b) = (left.point(l), right.point(r));
    if a.aliases.contains(&b.name) || b.aliases.contains(&a.name) {
        24
    } else if a.name != b.name {
        0
    } else if a.name.bytes().all(|c| c.is_ascii_digit()) {
        4
    } else {
        16
    }
}

/// Have two programs the same points in the same order, up to their names? Two versions of one program mostly do that
/// differ within blocks only, and a program and itself.
fn same_structure(left: &Shape, right: &Shape) -> bool {
    let mut pairs = left.points.iter().zip(&right.points);
    left.points.len() == right.points.len() && pairs.all(|(l, r)| l.kind == r.kind && l.succs == r.succs)
}

/// Pairs of points at which to cut the loops. `attempt` 0 prefers structure and names, 1 what was observed.
pub(crate) fn align(left: &Shape, right: &Shape, runs: &[CoRun], attempt: u32) -> Vec<(PointId, PointId)> {
    let (ll, rl) = (loops(left), loops(right));
    if attempt == 0 && same_structure(left, right) {
        return ll.iter().map(|l| (l.header, l.header)).collect();
    }
    let mut scored = Vec::new();
    let places = |s: &Shape, ls: &[Loop]| -> Vec<Vec<PointId>> { ls.iter().map(|l| places(s, l)).collect() };
    let (pl, pr) = (places(left, &ll), places(right, &rl));
    for (i, a) in ll.iter().enumerate() {
        for (j, b) in rl.iter().enumerate() {
            let Some((score, pair)) = best_cut((left, a, &pl[i]), (right, b, &pr[j]), runs, attempt) else {
                continue;
            };
            let score = score - 8 * (a.depth as i64 - b.depth as i64).abs();
            scored.push((score, i, j, pair));
        }
    }
    // The surest pair of loops first; of equals the first on the left, with what comes closest to it.
    scored.sort_by_key(|(score, i, j, _)| (std::cmp::Reverse(*score), *i, i.abs_diff(*j)));
    let (mut done, mut used) = (FxHashSet::default(), FxHashSet::default());
    let mut out = Vec::new();
    for (_, i, j, pair) in scored {
        if !done.contains(&i) && !used.contains(&j) {
            done.insert(i);
            used.insert(j);
            out.push((i, pair));
        }
    }
    out.sort_unstable();
    out.into_iter().map(|(_, pair)| pair).collect()
}

/// Pairs of block heads that go by one name and that no run visited differently: a cut at each of them, in the order
/// of the left, leaves obligations of a block each. `taken` are cut already, perhaps with other partners.
pub(crate) fn blocks(
    left: &Shape,
    right: &Shape,
    runs: &[CoRun],
    taken: &[(PointId, PointId)],
) -> Vec<(PointId, PointId)> {
    let mut by_name: FxHashMap<&str, PointId> = FxHashMap::default();
    let heads = |s: &'_ Shape| -> Vec<PointId> {
        let block = |p: &PointId| s.point(*p).kind == PointKind::Block;
        (0..s.points.len() as u32).map(PointId).filter(block).collect()
    };
    for q in heads(right) {
        let point = right.point(q);
        for name in point.aliases.iter().chain([&point.name]) {
            by_name.entry(name).or_insert(q);
        }
    }
    let (mut used_l, mut used_r): (FxHashSet<PointId>, FxHashSet<PointId>) = taken.iter().copied().unzip();
    let mut out = Vec::new();
    for p in heads(left) {
        let point = left.point(p);
        let Some(q) = point.aliases.iter().chain([&point.name]).find_map(|n| by_name.get(n.as_str())) else {
            continue;
        };
        if alike(runs, p, *q) != Some(false) && !used_l.contains(&p) && !used_r.contains(q) {
            used_l.insert(p);
            used_r.insert(*q);
            out.push((p, *q));
        }
    }
    out
}

/// Does the loop's header decide whether to go on, rather than the end of its body?
fn tests_first(shape: &Shape, l: &Loop) -> bool {
    let next = &shape.point(l.header).succs;
    !next.contains(&l.header) && next.iter().any(|s| !l.body.contains(s))
}

/// Is it the first point in a loop behind a header that may leave it: where the loop begins once its test has moved to
/// the end?
fn rotated(shape: &Shape, l: &Loop, at: PointId) -> bool {
    at != l.header && tests_first(shape, l) && shape.point(l.header).succs.contains(&at)
}

/// Places at which a loop could be cut.
fn places(shape: &Shape, l: &Loop) -> Vec<PointId> {
    let mut v: Vec<PointId> = l.body.iter().copied().filter(|p| cuts(shape, l, *p)).collect();
    v.sort_unstable();
    v.truncate(24);
    v
}

/// The best pair of points to cut two loops at, with a score.
fn best_cut(
    (left, a, places): (&Shape, &Loop, &[PointId]),
    (right, b, others): (&Shape, &Loop, &[PointId]),
    runs: &[CoRun],
    attempt: u32,
) -> Option<(i64, (PointId, PointId))> {
    let mut best: Option<(i64, (PointId, PointId))> = None;
    for &p in places {
        for &q in others {
            let headers = p == a.header && q == b.header;
            let named = same_name(left, right, p, q);
            let score = match alike(runs, p, q) {
                // Where a test moved to the end the headers still look alike in short runs.
                Some(true) if q == b.header && rotated(left, a, p) && !tests_first(right, b) => 60 + named,
                Some(true) => 40 + 8 * i64::from(headers) + named,
                Some(false) if attempt == 0 && headers && named > 0 => 4 + named,
                Some(false) => continue,
                None if q == b.header && rotated(left, a, p) && !tests_first(right, b) => 14 + named,
                None => 8 * i64::from(headers) + named,
            };
            if best.is_none_or(|(s, _)| score > s) {
                best = Some((score, (p, q)));
            }
        }
    }
    best
}

/// The values of one variable over all paired visits.
type Column = Vec<Val<Concrete>>;

/// The values of all variables, visit by visit.
type Samples<'a> = Vec<&'a Vec<Val<Concrete>>>;

fn same(a: &Val<Concrete>, b: &Val<Concrete>) -> bool {
    match (a, b) {
        (Val::Bv(x), Val::Bv(y)) => x == y,
        (Val::Mem(x), Val::Mem(y)) => x == y,
        (Val::Bv(_), Val::Mem(_)) | (Val::Mem(_), Val::Bv(_)) => false,
    }
}

fn columns(samples: &Samples<'_>, n: usize) -> Vec<Column> {
    (0..n).map(|i| samples.iter().map(|v| v[i].clone()).collect()).collect()
}

/// Hash key of a column of bit-vectors.
fn signature(c: &Column) -> Option<Vec<Bv>> {
    c.iter()
        .map(|v| match v {
            Val::Bv(b) => Some(b.clone()),
            Val::Mem(_) => None,
        })
        .collect()
}

/// Most pairs of visits looked at for one synchronisation point.
const MAX_SAMPLES: usize = 256;

/// The candidate constraints at a pair of points.
pub(crate) fn candidates(
    left: &Shape,
    right: &Shape,
    at: (PointId, PointId),
    runs: &[CoRun],
    objects: &[(String, Bv)],
) -> SyncPoint {
    let (mut vl, mut vr): (Samples<'_>, Samples<'_>) = (Vec::new(), Vec::new());
    for run in runs.iter().filter(|r| r.outcome == Outcome::Same) {
        let a = run.visits[0].iter().filter(|v| v.at == at.0);
        let b = run.visits[1].iter().filter(|v| v.at == at.1);
        for (x, y) in a.zip(b) {
            if let (Some(x), Some(y)) = (&x.vals, &y.vals)
                && vl.len() < MAX_SAMPLES
            {
                vl.push(x);
                vr.push(y);
            }
        }
    }
    let (ldecl, rdecl) = (&left.point(at.0).vars, &right.point(at.1).vars);
    let (lc, rc) = (columns(&vl, ldecl.len()), columns(&vr, rdecl.len()));
    let lvar = |i: usize| Expr::Var(Side::Left, ldecl[i].name.clone());
    let rvar = |i: usize| Expr::Var(Side::Right, rdecl[i].name.clone());
    let mut out: Vec<Constraint> = Vec::new();
    let mut weak: Vec<Constraint> = Vec::new();

    // Memories: equal where they were; of those that both sides name alike only one with its like.
    for (j, r) in rdecl.iter().enumerate() {
        for (i, l) in ldecl.iter().enumerate() {
            let mems =
                matches!((l.sort, r.sort), (VarSort::Mem { .. }, VarSort::Mem { .. })) && l.sort == r.sort;
            let named = l.name == r.name
                || !ldecl.iter().any(|l| l.name == r.name) && !rdecl.iter().any(|r| r.name == l.name);
            if mems && named && lc[i].iter().zip(&rc[j]).all(|(x, y)| same(x, y)) {
                out.push(Constraint { a: rvar(j), b: lvar(i) });
            }
        }
    }
    if vl.is_empty() {
        // Nothing seen: same names. The rest is read off the states in which the point is first reached.
        for (j, r) in rdecl.iter().enumerate() {
            for (i, l) in ldecl.iter().enumerate() {
                let bvs = matches!(l.sort, VarSort::Bv(_)) && l.sort == r.sort;
                if bvs && l.name == r.name && !numbered(&l.name) {
                    out.push(Constraint { a: rvar(j), b: lvar(i) });
                }
            }
        }
        return SyncPoint { left: at.0, right: at.1, constraints: out };
    }
    let mut by_sig: FxHashMap<Vec<Bv>, Vec<usize>> = FxHashMap::default();
    for (i, c) in lc.iter().enumerate() {
        if let Some(s) = signature(c) {
            by_sig.entry(s).or_default().push(i);
        }
    }
    let constant = |s: &[Bv]| s.windows(2).all(|w| w[0] == w[1]);
    // Constants: the left's and the right's.
    for (side, cols) in [(Side::Left, &lc), (Side::Right, &rc)] {
        for (i, c) in cols.iter().enumerate() {
            if let Some(s) = signature(c).filter(|s| constant(s)) {
                let v = if side == Side::Left { lvar(i) } else { rvar(i) };
                weak.push(Constraint { a: v, b: Expr::Const(s[0].clone()) });
            }
        }
    }
    for (j, r) in rdecl.iter().enumerate() {
        let (VarSort::Bv(w), Some(s)) = (r.sort, signature(&rc[j])) else { continue };
        let equal = by_sig.get(&s).cloned().unwrap_or_default();
        // The same name first: it then defines the variable.
        let mut equal: Vec<usize> = equal.into_iter().filter(|i| ldecl[*i].sort == r.sort).collect();
        equal.sort_by_key(|i| ldecl[*i].name != r.name);
        for &i in equal.iter().take(6) {
            out.push(Constraint { a: rvar(j), b: lvar(i) });
        }
        if constant(&s) && !equal.is_empty() {
            continue;
        }
        let mut found = equal.len();
        for (i, l) in ldecl.iter().enumerate() {
            let (VarSort::Bv(lw), Some(t)) = (l.sort, signature(&lc[i])) else { continue };
            if lw != w && found < 6 {
                let before = weak.len();
                widths(&s, &t, w, lw, rvar(j), lvar(i), &mut weak);
                found += usize::from(weak.len() > before);
            } else if lw == w && equal.is_empty() && !constant(&t) && found < 4 {
                let k = s[0].sub(&t[0]);
                if s.iter().zip(&t).all(|(x, y)| x.sub(y) == k) {
                    weak.push(Constraint { a: rvar(j), b: Expr::Offset(Box::new(lvar(i)), k) });
                    found += 1;
                }
            }
        }
    }
    slots(Side::Left, (ldecl, &lc), (rdecl, &rc), objects, &mut weak);
    slots(Side::Right, (rdecl, &rc), (ldecl, &lc), objects, &mut weak);
    out.extend(weak);
    SyncPoint { left: at.0, right: at.1, constraints: out }
}

/// Relations between values of different widths.
fn widths(s: &[Bv], t: &[Bv], w: u32, lw: u32, r: Expr, l: Expr, out: &mut Vec<Constraint>) {
    if w > lw {
        if s.iter().zip(t).all(|(x, y)| *x == y.zext(w)) {
            out.push(Constraint { a: r.clone(), b: Expr::Zext(Box::new(l.clone()), w) });
        }
        if lw > 1 && s.iter().zip(t).all(|(x, y)| *x == y.sext(w)) {
            out.push(Constraint { a: r.clone(), b: Expr::Sext(Box::new(l.clone()), w) });
        }
        if lw > 1 && s.iter().zip(t).all(|(x, y)| x.trunc(lw) == *y) {
            out.push(Constraint { a: l, b: Expr::Trunc(Box::new(r), lw) });
        }
    } else {
        if s.iter().zip(t).all(|(x, y)| x.zext(lw) == *y) {
            out.push(Constraint { a: l.clone(), b: Expr::Zext(Box::new(r.clone()), lw) });
        }
        if w > 1 && s.iter().zip(t).all(|(x, y)| x.sext(lw) == *y) {
            out.push(Constraint { a: l.clone(), b: Expr::Sext(Box::new(r.clone()), lw) });
        }
        if w > 1 && s.iter().zip(t).all(|(x, y)| y.trunc(w) == *x) {
            out.push(Constraint { a: r, b: Expr::Trunc(Box::new(l), w) });
        }
    }
}

/// Values of one side that the other keeps in memory, at a declared object.
fn slots(
    mem_side: Side,
    (mdecl, mc): (&[crate::VarDecl], &[Column]),
    (vdecl, vc): (&[crate::VarDecl], &[Column]),
    objects: &[(String, Bv)],
    out: &mut Vec<Constraint>,
) {
    let val_side = if mem_side == Side::Left { Side::Right } else { Side::Left };
    for (m, col) in mdecl.iter().zip(mc) {
        let VarSort::Mem { address } = m.sort else { continue };
        for (name, at) in objects.iter().filter(|o| o.1.width() == address).take(64) {
            for (v, vals) in vdecl.iter().zip(vc) {
                let VarSort::Bv(bits) = v.sort else { continue };
                if bits % 8 != 0 || bits > 128 {
                    continue;
                }
                let hit = col.iter().zip(vals).all(|(m, v)| match (m, v) {
                    (Val::Mem(m), Val::Bv(v)) => m.load(at, bits / 8) == *v,
                    (Val::Bv(_), _) | (Val::Mem(_), Val::Mem(_)) => false,
                });
                if hit {
                    let load = Expr::Load(
                        Box::new(Expr::Var(mem_side, m.name.clone())),
                        Box::new(Expr::Symbol(name.clone(), address)),
                        bits / 8,
                    );
                    out.push(Constraint { a: Expr::Var(val_side, v.name.clone()), b: load });
                }
            }
        }
    }
}
