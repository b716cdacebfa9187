//! The natural loops of a program's graph of points.

use super::{PointId, Shape};
use rustc_hash::{FxHashMap, FxHashSet};

/// A loop: its header, the points in it, how deep it is nested.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub header: PointId,
    pub body: FxHashSet<PointId>,
    pub depth: usize,
}

/// Goes through a graph of `n` points depth first, from one root after the other, along the edges to points that are followed.
/// The points in postorder, and the edges back to a point on the way to them, in the order in which they were met.
pub(crate) fn depth_first<'g>(
    n: usize,
    roots: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> &'g [PointId],
    follow: impl Fn(PointId) -> bool,
) -> (Vec<usize>, Vec<(usize, usize)>) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        Unseen,
        OnTheWay,
        Done,
    }
    let mut marks = vec![Mark::Unseen; n];
    let (mut post, mut back) = (Vec::with_capacity(n), Vec::new());
    for root in roots {
        if marks.get(root) != Some(&Mark::Unseen) {
            continue;
        }
        marks[root] = Mark::OnTheWay;
        let mut stack = vec![(root, 0usize)];
        while let Some((p, i)) = stack.pop() {
            let Some(&s) = next(p).get(i) else {
                marks[p] = Mark::Done;
                post.push(p);
                continue;
            };
            stack.push((p, i + 1));
            match marks[s.index()] {
                Mark::Unseen if follow(s) => {
                    marks[s.index()] = Mark::OnTheWay;
                    stack.push((s.index(), 0));
                }
                Mark::OnTheWay => back.push((p, s.index())),
                Mark::Unseen | Mark::Done => {}
            }
        }
    }
    (post, back)
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
    let (post, edges) = depth_first(n, 0..n, |p| &shape.points[p].succs, |_| true);
    let mut back: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (p, s) in edges {
        back.entry(s).or_default().push(p);
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
