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
