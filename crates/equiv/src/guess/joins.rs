//! Pairs of blocks at which paths join, by what lies before and behind them: for programs whose blocks have no names
//! in common, as after inlining. A cut there leaves no states to merge, so that obligations stay those of a straight
//! piece of each program.
//!
//! Both programs' joins are put in an order that does not hang on which successor a branch names first, and aligned as
//! sequences are (Needleman and Wunsch): what a pair scores is in [`score`]. A wrong pair costs time, never soundness.

use super::align::{alike, same_name};
use crate::model::{PointId, PointKind, Shape, depth_first, loops};
use crate::run::CoRun;
use rustc_hash::FxHashSet;

/// Most joins of a program that are aligned.
const MOST: usize = 256;

/// Where a block lies: events are calls and volatile accesses.
#[derive(Clone, Copy, Default, Debug)]
struct Around {
    /// Most and fewest events on a way from the entry, back edges left out.
    before: (u32, u32),
    /// Most and fewest events from its head to an end.
    behind: (u32, u32),
    /// Most blocks on a way to an end.
    height: u32,
    /// How many loops it is in.
    depth: u32,
    /// Blocks that lead to it, and that it leads to.
    edges: (u32, u32),
}

/// A program's blocks: points by their index, with what is between blocks left out.
struct Blocks {
    succs: Vec<Vec<PointId>>,
    around: Vec<Around>,
    /// Joins in the order in which they are aligned.
    joins: Vec<PointId>,
}

impl Blocks {
    fn of(shape: &Shape) -> Blocks {
        let n = shape.points.len();
        let block = |p: &PointId| shape.point(*p).kind != PointKind::AfterEvent;
        let mut succs: Vec<Vec<PointId>> = vec![Vec::new(); n];
        let mut events = vec![0u32; n];
        for at in (0..n as u32).map(PointId).filter(block) {
            let next = &shape.point(at).succs;
            succs[at.index()] = next.iter().copied().filter(block).collect();
            events[at.index()] = next.iter().filter(|s| !block(s)).count() as u32;
        }
        let mut blocks = Blocks { succs, around: vec![Around::default(); n], joins: Vec::new() };
        blocks.measure(shape, &events);
        // What leads to more comes first, whichever successor is named first.
        for p in 0..n {
            let mut next = std::mem::take(&mut blocks.succs[p]);
            next.sort_by_key(|s| (blocks.around[s.index()].behind, blocks.around[s.index()].height));
            blocks.succs[p] = next;
        }
        let joins = blocks.order().0.into_iter().filter(|p| blocks.around[*p].edges.0 > 1);
        blocks.joins = joins.map(|p| PointId(p as u32)).take(MOST).collect();
        blocks
    }

    /// Reverse postorder from the entry, and the edges back to a block on the way to them.
    fn order(&self) -> (Vec<usize>, FxHashSet<(usize, usize)>) {
        let entry = [Shape::ENTRY.index()];
        let (mut post, back) = depth_first(self.succs.len(), entry, |p| &self.succs[p], |_| true);
        post.reverse();
        (post, back.into_iter().collect())
    }

    /// Fills in what lies around each block.
    fn measure(&mut self, shape: &Shape, events: &[u32]) {
        let (order, back) = self.order();
        for l in loops(shape) {
            for p in &l.body {
                self.around[p.index()].depth += 1;
            }
        }
        let mut reached = vec![false; events.len()];
        for &p in &order {
            let (most, fewest) = self.around[p].before;
            let passed = (most + events[p], fewest + events[p]);
            self.around[p].edges.1 = self.succs[p].len() as u32;
            for s in self.succs[p].iter().map(|s| s.index()) {
                let to = &mut self.around[s];
                to.edges.0 += 1;
                if !back.contains(&(p, s)) {
                    let fewest = if reached[s] { to.before.1.min(passed.1) } else { passed.1 };
                    to.before = (to.before.0.max(passed.0), fewest);
                    reached[s] = true;
                }
            }
        }
        for &p in order.iter().rev() {
            let next = self.succs[p].iter().map(|s| s.index()).filter(|s| !back.contains(&(p, *s)));
            let next = next.map(|s| self.around[s]);
            let (mut most, mut fewest, mut height) = (0, u32::MAX, 0);
            for a in next {
                (most, fewest) = (most.max(a.behind.0), fewest.min(a.behind.1));
                height = height.max(a.height + 1);
            }
            let fewest = if fewest == u32::MAX { 0 } else { fewest };
            let around = &mut self.around[p];
            (around.behind, around.height) = ((most + events[p], fewest + events[p]), height);
        }
    }
}

/// How much says that two joins are one; none where something says that they are not.
fn score(
    (left, right): (&Shape, &Shape),
    (a, b): (&Around, &Around),
    runs: &[CoRun],
    (l, r): (PointId, PointId),
) -> Option<i64> {
    if a.depth != b.depth {
        return None;
    }
    let seen = match alike(runs, l, r) {
        Some(true) => 8,
        Some(false) => return None,
        None => 0,
    };
    // Code that one side has twice leaves the most and the fewest as they were.
    let same = |x: (u32, u32), y: (u32, u32)| 3 * i64::from(x.0 == y.0) + 2 * i64::from(x.1 == y.1);
    let events = same(a.before, b.before) + same(a.behind, b.behind);
    if events < 5 {
        return None;
    }
    let edges = i64::from(a.edges.0 == b.edges.0) + i64::from(a.edges.1 == b.edges.1);
    let height = i64::from(a.height == b.height);
    Some(seen + events + 2 * edges + height + same_name(left, right, l, r) / 4)
}

/// Pairs of joins, in the order of the left, each of them in one pair, and how many joins the left has. `taken` are cut
/// already.
pub(crate) fn joins(
    left: &Shape,
    right: &Shape,
    runs: &[CoRun],
    taken: &[(PointId, PointId)],
) -> (Vec<(PointId, PointId)>, usize) {
    let (a, b) = (Blocks::of(left), Blocks::of(right));
    let free = |of: &Blocks, used: &FxHashSet<PointId>| -> Vec<PointId> {
        of.joins.iter().copied().filter(|p| !used.contains(p)).collect()
    };
    let (used_l, used_r): (FxHashSet<PointId>, FxHashSet<PointId>) = taken.iter().copied().unzip();
    let (ls, rs) = (free(&a, &used_l), free(&b, &used_r));
    // The best of what is behind each pair of places, from the end.
    let mut best = vec![vec![0i64; rs.len() + 1]; ls.len() + 1];
    let mut paired = vec![vec![None; rs.len()]; ls.len()];
    for i in (0..ls.len()).rev() {
        for j in (0..rs.len()).rev() {
            let (x, y) = (&a.around[ls[i].index()], &b.around[rs[j].index()]);
            paired[i][j] = score((left, right), (x, y), runs, (ls[i], rs[j]));
            let with = paired[i][j].map_or(i64::MIN, |s| s + best[i + 1][j + 1]);
            best[i][j] = with.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < ls.len() && j < rs.len() {
        match paired[i][j] {
            Some(s) if best[i][j] == s + best[i + 1][j + 1] => {
                out.push((ls[i], rs[j]));
                (i, j) = (i + 1, j + 1);
            }
            _ if best[i][j] == best[i + 1][j] => i += 1,
            _ => j += 1,
        }
    }
    (out, a.joins.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Point;

    /// A graph of blocks by their successors, each with so many events.
    fn shape(blocks: &[(&[u32], u32)]) -> Shape {
        let point =
            |name: String, kind, succs| Point { name, aliases: Vec::new(), kind, vars: Vec::new(), succs };
        let mut points = Vec::new();
        let mut after = Vec::new();
        for (n, (next, events)) in blocks.iter().enumerate() {
            let kind = if n == 0 { PointKind::Entry } else { PointKind::Block };
            let mut succs: Vec<PointId> = next.iter().map(|s| PointId(*s)).collect();
            for _ in 0..*events {
                succs.push(PointId((blocks.len() + after.len()) as u32));
                let on = next.iter().map(|s| PointId(*s)).collect();
                after.push(point(String::new(), PointKind::AfterEvent, on));
            }
            points.push(point(n.to_string(), kind, succs));
        }
        points.extend(after);
        Shape { name: "f".into(), points }
    }

    /// Three times a call that may be left out, numbered anew; one branch is turned round, and the right has no block
    /// between a call and what follows.
    #[test]
    fn joins_are_paired_by_the_calls_around_them() {
        let left = shape(&[
            (&[1, 2], 0),
            (&[2], 1),
            (&[3, 5], 0),
            (&[4], 1),
            (&[5], 0),
            (&[6, 7], 0),
            (&[7], 1),
            (&[], 0),
        ]);
        let right =
            shape(&[(&[1, 2], 0), (&[2], 1), (&[4, 3], 0), (&[4], 1), (&[5, 6], 0), (&[6], 1), (&[], 0)]);
        let at = |l, r| (PointId(l), PointId(r));
        assert_eq!(joins(&left, &right, &[], &[]).0, [at(2, 2), at(5, 4), at(7, 6)]);
        assert_eq!(joins(&left, &right, &[], &[at(5, 4)]).0, [at(2, 2), at(7, 6)]);
    }

    /// A join that one side alone has stays alone.
    #[test]
    fn a_join_of_one_side_has_no_partner() {
        let left = shape(&[(&[1, 2], 0), (&[3], 0), (&[3], 0), (&[4, 5], 0), (&[5], 1), (&[], 0)]);
        let right = shape(&[(&[1, 2], 0), (&[2], 1), (&[], 0)]);
        assert_eq!(joins(&left, &right, &[], &[]).0, [(PointId(5), PointId(2))]);
    }
}
