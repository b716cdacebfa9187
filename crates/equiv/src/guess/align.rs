//! Synchronisation points: loops of both sides aligned by names, nesting and co-execution, and blocks by names.

use crate::model::{Loop, PointId, PointKind, Shape, Val, loops};
use crate::run::{CoRun, Outcome};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{ArrayVal, Concrete};

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
fn pulse(run: &CoRun, side: usize, at: PointId) -> impl Iterator<Item = usize> {
    run.visits[side].iter().filter(move |v| v.at == at).map(|v| v.events)
}

/// Are the two points visited alike in all runs? `None` when no run visits either.
pub(super) fn alike(runs: &[CoRun], l: PointId, r: PointId) -> Option<bool> {
    let mut seen = false;
    for run in runs.iter().filter(|r| r.outcome == Outcome::Same) {
        if !pulse(run, 0, l).eq(pulse(run, 1, r)) {
            return Some(false);
        }
        seen = seen || pulse(run, 0, l).next().is_some();
    }
    seen.then_some(true)
}

/// How much the names of two points say for their being one. Numbers are given anew in every program: they say little,
/// unless one of the points gives the other's name as its own.
pub(super) fn same_name(left: &Shape, right: &Shape, l: PointId, r: PointId) -> i64 {
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

/// How much it says that two loops are in the same place: as much as a number that both have for a name.
const PLACE: i64 = 4;

/// How much more it says where they have as many points: what looks like a test that moved is often another loop's.
const SIZE: i64 = 8;

/// How much it says that memory is the same wherever runs come by: of loops that go round as often, one may have written what
/// the other only reads.
const MEMORY: i64 = 12;

/// At how many of eight visits both sides' memories were the same.
fn same_memory(runs: &[CoRun], (l, r): (PointId, PointId)) -> i64 {
    fn memories(visit: &[Val<Concrete>]) -> impl Iterator<Item = &ArrayVal> {
        visit.iter().filter_map(|v| match v {
            Val::Mem(m) => Some(m),
            Val::Bv(_) => None,
        })
    }
    let (mut same, mut seen) = (0, 0);
    for run in runs.iter().filter(|r| r.outcome == Outcome::Same) {
        let visits = |side: usize, at: PointId| {
            run.visits[side].iter().filter(move |v| v.at == at).filter_map(|v| v.vals.as_ref()).take(4)
        };
        for (a, b) in visits(0, l).zip(visits(1, r)) {
            same += i64::from(memories(a).eq(memories(b)));
            seen += 1;
        }
    }
    if seen == 0 { 0 } else { 8 * same / seen }
}

/// How much it says of two cuts that both sides can be at them together.
const MET: i64 = 80;

/// Pairs of points at which to cut the loops. `attempt` 0 prefers structure and names, 1 what was observed. Both sides can
/// be at each of the pairs `met` together.
pub(crate) fn align(
    (left, right): (&Shape, &Shape),
    runs: &[CoRun],
    met: &[(PointId, PointId)],
    attempt: u32,
) -> Vec<(PointId, PointId)> {
    let (mut ll, mut rl) = (loops(left), loops(right));
    one_of_two((left, &mut ll), (right, &mut rl));
    if attempt == 0 && met.is_empty() && same_structure(left, right) {
        return ll.iter().map(|l| (l.header, l.header)).collect();
    }
    let mut scored = Vec::new();
    let places = |s: &Shape, ls: &[Loop]| -> Vec<Vec<PointId>> { ls.iter().map(|l| places(s, l)).collect() };
    let (pl, pr) = (places(left, &ll), places(right, &rl));
    for (i, a) in ll.iter().enumerate() {
        for (j, b) in rl.iter().enumerate() {
            let Some((score, pair)) = best_cut((left, a, &pl[i]), (right, b, &pr[j]), (runs, met), attempt)
            else {
                continue;
            };
            // Of as many loops those in the same place are likely one.
            let place = match i == j && ll.len() == rl.len() {
                true if a.body.len() == b.body.len() => PLACE + SIZE,
                true => PLACE,
                false => 0,
            };
            let score = score + place + MEMORY * same_memory(runs, pair) / 8
                - 8 * (a.depth as i64 - b.depth as i64).abs();
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

/// Where one side has more loops, takes some of them for one: a loop with two ways back, of which that side made two. The outer
/// one's header leads into the inner one's and nowhere else, so that all that goes round the outer one passes that, too.
/// Where the other side has such pairs as well, some are loops in loops.
fn one_of_two((a, of_a): (&Shape, &mut Vec<Loop>), (b, of_b): (&Shape, &mut Vec<Loop>)) {
    if of_a.len() > of_b.len() {
        return one_of_two((b, of_b), (a, of_a));
    }
    let outer = |shape: &Shape, all: &[Loop]| -> Vec<PointId> {
        let headers: FxHashSet<PointId> = all.iter().map(|l| l.header).collect();
        let leads_on = |h: &PointId| matches!(shape.point(*h).succs[..], [next] if next != *h && headers.contains(&next));
        all.iter().map(|l| l.header).filter(leads_on).collect()
    };
    let mut more = outer(b, of_b);
    more.truncate(more.len().saturating_sub(outer(a, of_a).len()));
    if more.len() != of_b.len() - of_a.len() {
        return;
    }
    // The innermost first: the loop that is left has all their bodies.
    for h in more.iter().rev() {
        let Some(i) = of_b.iter().position(|l| l.header == *h) else { continue };
        let outer = of_b.remove(i);
        if let Some(inner) = of_b.iter_mut().find(|l| b.point(*h).succs.contains(&l.header)) {
            inner.body.extend(outer.body);
        }
    }
    for i in 0..of_b.len() {
        of_b[i].depth = of_b.iter().filter(|l| l.body.contains(&of_b[i].header)).count();
    }
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

/// May the loop be left at the end of its body, on the way back to its header?
fn tests_last(shape: &Shape, l: &Loop) -> bool {
    l.body
        .iter()
        .map(|p| &shape.point(*p).succs)
        .any(|next| next.contains(&l.header) && next.iter().any(|s| !l.body.contains(s)))
}

/// Has the test of a loop's header moved to the end of the other's body? Its header may leave that one too, by a test that came
/// second.
fn test_moved((left, a): (&Shape, &Loop), (right, b): (&Shape, &Loop)) -> bool {
    tests_first(left, a) && (!tests_first(right, b) || tests_last(right, b) && !tests_last(left, a))
}

/// Is it the first point in a loop behind a header that may leave it: where the loop begins once its test has moved to
/// the end?
fn rotated(shape: &Shape, l: &Loop, at: PointId) -> bool {
    at != l.header && tests_first(shape, l) && shape.point(l.header).succs.contains(&at)
}

/// Is it a point behind a test that may leave the loop, before which nothing happens in it that others see? The test may be
/// several (`i < n && p`).
fn behind_test(shape: &Shape, l: &Loop, at: PointId) -> bool {
    if at == l.header {
        return false;
    }
    let (mut seen, mut stack, mut behind) = (FxHashSet::default(), vec![l.header], false);
    seen.insert(l.header);
    while let Some(p) = stack.pop() {
        let next = &shape.point(p).succs;
        behind |= next.contains(&at) && next.iter().any(|s| !l.body.contains(s));
        for s in next.iter().filter(|s| **s != at && l.body.contains(s)) {
            if shape.point(*s).kind == PointKind::AfterEvent {
                return false;
            }
            if seen.insert(*s) {
                stack.push(*s);
            }
        }
    }
    behind
}

/// Places at which a loop could be cut.
fn places(shape: &Shape, l: &Loop) -> Vec<PointId> {
    let mut v: Vec<PointId> = l.body.iter().copied().filter(|p| cuts(shape, l, *p)).collect();
    v.sort_unstable();
    v.truncate(24);
    v
}

/// Other pairs of points to cut the loops at that one pair among all `cuts` cuts: at the headers, or at what follows the header of
/// either. No run that came there tells them apart.
pub(crate) fn elsewhere(
    left: &Shape,
    right: &Shape,
    runs: &[CoRun],
    (n, cut): (usize, &[(PointId, PointId)]),
) -> Vec<(PointId, PointId)> {
    let innermost = |s: &Shape, at: PointId| {
        let all = loops(s).into_iter().filter(|l| cuts(s, l, at));
        all.min_by_key(|l| l.body.len())
    };
    let (Some(a), Some(b)) = (innermost(left, cut[n].0), innermost(right, cut[n].1)) else {
        return Vec::new();
    };
    let behind = |s: &Shape, l: &Loop| {
        let next = &s.point(l.header).succs;
        let also = |p: &PointId| *p != l.header && (next.contains(p) || behind_test(s, l, *p));
        places(s, l).into_iter().filter(also).collect::<Vec<_>>()
    };
    let own = [vec![a.header], behind(left, &a)].concat();
    let others = [vec![b.header], behind(right, &b)].concat();
    // What cuts other loops already cuts these, too, or other ones.
    let taken = |(k, (l, r)): (usize, &(PointId, PointId)), p, q| k != n && (*l == p || *r == q);
    let free = |p, q| (p, q) != cut[n] && !cut.iter().enumerate().any(|c| taken(c, p, q));
    let pairs = own.iter().flat_map(|p| others.iter().map(move |q| (*p, *q)));
    pairs.filter(|(p, q)| free(*p, *q) && alike(runs, *p, *q) != Some(false)).collect()
}

/// The best pair of points to cut two loops at, with a score.
fn best_cut(
    (left, a, places): (&Shape, &Loop, &[PointId]),
    (right, b, others): (&Shape, &Loop, &[PointId]),
    (runs, met): (&[CoRun], &[(PointId, PointId)]),
    attempt: u32,
) -> Option<(i64, (PointId, PointId))> {
    let mut best: Option<(i64, (PointId, PointId))> = None;
    let moved = test_moved((left, a), (right, b));
    for &p in places {
        for &q in others {
            let headers = p == a.header && q == b.header;
            let named = same_name(left, right, p, q);
            let score = match alike(runs, p, q) {
                // Where a test moved to the end the headers still look alike in short runs.
                Some(true) if q == b.header && rotated(left, a, p) && moved => 60 + named,
                Some(true) => 40 + 8 * i64::from(headers) + named,
                Some(false) if attempt == 0 && headers && named > 0 => 4 + named,
                Some(false) => continue,
                None if q == b.header && rotated(left, a, p) && moved => 14 + named,
                None => 8 * i64::from(headers) + named,
            };
            let score = score + if met.contains(&(p, q)) { MET } else { 0 };
            if best.is_none_or(|(s, _)| score > s) {
                best = Some((score, (p, q)));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Point;

    /// A graph of points by their successors; names begin with a number.
    fn shape(first: u32, succs: &[&[u32]]) -> Shape {
        let point = |(n, next): (usize, &&[u32])| Point {
            name: (first + n as u32).to_string(),
            aliases: Vec::new(),
            kind: if n == 0 { PointKind::Entry } else { PointKind::Block },
            vars: Vec::new(),
            succs: next.iter().map(|s| PointId(*s)).collect(),
        };
        Shape { name: "f".into(), points: succs.iter().enumerate().map(point).collect() }
    }

    /// Two loops in a loop, the first with two tests, so that its header does not leave it: the second one's test has not
    /// moved to its end. No run came there, and a block at the loop's exit is new.
    #[test]
    fn loops_that_no_run_came_to_are_paired_in_their_order() {
        let body: [&[u32]; 8] = [&[1], &[2, 9], &[3], &[4, 5], &[5], &[3, 6], &[7, 8], &[6]];
        let left = shape(10, &[&body[..], &[&[1], &[]]].concat());
        let mut with_exit = [&body[..], &[&[1], &[], &[9]]].concat();
        with_exit[1] = &[2, 10];
        let right = shape(100, &with_exit);
        let at = |n: u32| (PointId(n), PointId(n));
        assert_eq!(align((&left, &right), &[], &[], 0), [at(1), at(3), at(6)]);
    }

    /// A loop with two ways back, of which the other side made two: one of these is cut.
    #[test]
    fn two_ways_back_are_one_loop() {
        let left = shape(10, &[&[1], &[2, 5], &[3, 4], &[1], &[1], &[]]);
        let right = shape(100, &[&[1], &[2], &[3, 6], &[4, 5], &[2], &[1], &[]]);
        assert_eq!(align((&left, &right), &[], &[], 0), [(PointId(1), PointId(2))]);
        assert_eq!(align((&right, &left), &[], &[], 0), [(PointId(2), PointId(1))]);
    }
}
