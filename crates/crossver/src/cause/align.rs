//! Both runs side by side: which executed instructions did the same, in the same order.

use super::flow::Flow;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Instructions of the old run and of the new one that did the same: a longest common subsequence.
pub fn pairs(old: &Flow, new: &Flow) -> Vec<[usize; 2]> {
    let tokens = |flow: &Flow| -> (Vec<usize>, Vec<u64>) {
        flow.nodes.iter().enumerate().filter_map(|(n, node)| Some((n, node.token?))).unzip()
    };
    let ((a, old), (b, new)) = (tokens(old), tokens(new));
    let mut out = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            out.extend((0..len).map(|k| [a[old_index + k], b[new_index + k]]));
        }
    }
    out
}

/// Instructions without a partner in the order of both runs that did the same in another order: of two versions one may do
/// earlier what the other does later. Only values that hardly come about twice by chance tell that.
pub fn reordered(flows: [&Flow; 2], pairs: &[[usize; 2]]) -> Vec<[usize; 2]> {
    let [mut old, new] = [0, 1].map(|side| {
        let paired: BTreeSet<usize> = pairs.iter().map(|pair| pair[side]).collect();
        let mut left: BTreeMap<u64, VecDeque<usize>> = BTreeMap::new();
        for (n, node) in flows[side].nodes.iter().enumerate() {
            if let Some(token) = node.token.filter(|_| node.rare && !paired.contains(&n)) {
                left.entry(token).or_default().push_back(n);
            }
        }
        left
    });
    let mut out = Vec::new();
    for (token, list) in new {
        let others = old.remove(&token).unwrap_or_default();
        out.extend(others.into_iter().zip(list).map(|(old, new)| [old, new]));
    }
    out
}
