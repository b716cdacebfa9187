//! Which variables are live where: the usual backward dataflow, for any language here.

use std::ops::Range;

/// A function as liveness sees it.
pub struct Flow {
    /// Number of variables.
    pub variables: usize,
    /// Blocks: instructions, successors, and variables used on the edges out of it.
    pub blocks: Vec<(Range<usize>, Vec<usize>, Vec<usize>)>,
    /// Variables an instruction uses.
    pub uses: Vec<Vec<usize>>,
    /// Variables an instruction defines.
    pub defs: Vec<Vec<usize>>,
}

/// The live variables.
pub struct Live {
    /// At the start of each block, sorted.
    pub at_start: Vec<Vec<usize>>,
    at_end: Vec<Bits>,
}

#[derive(Clone, PartialEq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(n: usize) -> Self {
        Self(vec![0; n.div_ceil(64)])
    }
    fn set(&mut self, i: usize) {
        if let Some(w) = self.0.get_mut(i / 64) {
            *w |= 1 << (i % 64);
        }
    }
    fn clear(&mut self, i: usize) {
        if let Some(w) = self.0.get_mut(i / 64) {
            *w &= !(1 << (i % 64));
        }
    }
    fn merge(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    fn list(&self) -> Vec<usize> {
        let mut out = Vec::new();
        for (w, word) in self.0.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                out.push(w * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
        out
    }
}

fn backward(flow: &Flow, live: &mut Bits, range: Range<usize>) {
    for i in range.rev() {
        flow.defs[i].iter().for_each(|d| live.clear(*d));
        flow.uses[i].iter().for_each(|u| live.set(*u));
    }
}

/// Computes liveness.
pub fn liveness(flow: &Flow) -> Live {
    let n = flow.blocks.len();
    let mut start = vec![Bits::new(flow.variables); n];
    let mut end = vec![Bits::new(flow.variables); n];
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..n).rev() {
            let (range, successors, edge_uses) = &flow.blocks[b];
            let mut live = Bits::new(flow.variables);
            for &s in successors {
                if let Some(first) = start.get(s) {
                    live.merge(first);
                }
            }
            edge_uses.iter().for_each(|u| live.set(*u));
            end[b] = live.clone();
            backward(flow, &mut live, range.clone());
            if live != start[b] {
                start[b] = live;
                changed = true;
            }
        }
    }
    Live { at_start: start.iter().map(Bits::list).collect(), at_end: end }
}

impl Live {
    /// The variables live just after an instruction.
    pub fn after(&self, flow: &Flow, inst: usize) -> Vec<usize> {
        let Some(b) = flow.blocks.iter().position(|(range, ..)| range.contains(&inst)) else {
            return Vec::new();
        };
        let mut live = self.at_end[b].clone();
        backward(flow, &mut live, inst + 1..flow.blocks[b].0.end);
        live.list()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_keeps_what_it_reads() {
        // 0: v0 = ...; 1: v1 = v0 (loop); 2: use v1
        let flow = Flow {
            variables: 2,
            blocks: vec![(0..1, vec![1], vec![]), (1..2, vec![1, 2], vec![]), (2..3, vec![], vec![])],
            uses: vec![vec![], vec![0], vec![1]],
            defs: vec![vec![0], vec![1], vec![]],
        };
        let live = liveness(&flow);
        assert_eq!(live.at_start, vec![vec![], vec![0], vec![1]]);
        assert_eq!(live.after(&flow, 1), vec![0, 1]);
    }
}
