//! Dominators of a control-flow graph, by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
//! Algorithm", figure 3).

use super::ast::{BlockId, Function};

/// The blocks of a function in reverse postorder, and the immediate dominators.
pub(crate) struct Dominators {
    /// The place of a block in reverse postorder; none where it is unreachable.
    pub order: Vec<Option<usize>>,
    /// The nearest block that every path to a block passes: the first block's is itself.
    pub idom: Vec<Option<usize>>,
    /// The blocks that lead to each.
    pub preds: Vec<Vec<usize>>,
}

impl Dominators {
    /// Those of a graph whose first block is the entry.
    pub fn of(successors: &[Vec<usize>]) -> Dominators {
        let n = successors.len();
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (b, list) in successors.iter().enumerate() {
            list.iter().for_each(|s| preds[*s].push(b));
        }
        let (mut seen, mut post) = (vec![false; n], Vec::with_capacity(n));
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if n > 0 {
            seen[0] = true;
            stack.push((0, 0));
        }
        while let Some((b, i)) = stack.pop() {
            match successors.get(b).and_then(|s| s.get(i)) {
                Some(&s) => {
                    stack.push((b, i + 1));
                    if !std::mem::replace(&mut seen[s], true) {
                        stack.push((s, 0));
                    }
                }
                None => post.push(b),
            }
        }
        let mut order = vec![None; n];
        for (place, b) in post.iter().rev().enumerate() {
            order[*b] = Some(place);
        }
        let mut idom: Vec<Option<usize>> = vec![None; n];
        if n > 0 {
            idom[0] = Some(0);
        }
        loop {
            let mut changed = false;
            for &b in post.iter().rev().filter(|b| **b != 0) {
                let mut new: Option<usize> = None;
                for &p in preds[b].iter().filter(|p| idom[**p].is_some()) {
                    new = Some(new.map_or(p, |other| meet(&idom, &order, p, other)));
                }
                changed |= new != idom[b];
                idom[b] = new;
            }
            if !changed {
                return Dominators { order, idom, preds };
            }
        }
    }

    /// Those of a function's blocks.
    pub fn of_function(f: &Function) -> Dominators {
        let successors = |b: usize| {
            let last = f.block_insts(BlockId(b as u32)).last();
            last.map_or(Vec::new(), |i| i.op.successors().iter().map(|s| s.0 as usize).collect())
        };
        Self::of(&(0..f.blocks.len()).map(successors).collect::<Vec<_>>())
    }

    /// Whether every path to a block passes another, or it is that.
    pub fn dominates(&self, over: usize, block: usize) -> bool {
        let mut at = block;
        while at != over {
            match self.idom[at] {
                Some(up) if up != at => at = up,
                _ => return false,
            }
        }
        true
    }
}

/// The nearest block that dominates two.
fn meet(idom: &[Option<usize>], order: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let up = if order[a] > order[b] { &mut a } else { &mut b };
        match idom[*up] {
            Some(next) if next != *up => *up = next,
            _ => return 0,
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_is_dominated_by_the_fork() {
        // 0 -> 1, 2; both -> 3; 3 -> 1; 4 is unreachable.
        let d = Dominators::of(&[vec![1, 2], vec![3], vec![3], vec![1], vec![3]]);
        assert_eq!(d.idom, [Some(0), Some(0), Some(0), Some(0), None]);
        assert_eq!(d.preds[3], [1, 2, 4]);
        assert!(d.order[4].is_none() && d.order[0] == Some(0));
        assert!(d.dominates(0, 3) && d.dominates(3, 3) && !d.dominates(1, 3) && !d.dominates(0, 4));
    }
}
