//! The distance between a seed and a variant: how much their control-flow graphs differ, less what the variant grew
//! or shrank (Athena's objective).

use super::flow::{Flow, Overlay, Unchanged, flow, is_own};
use crate::strategies::Settings;
use csyntax::ast::{Ast, StmtId};
use std::cmp::Ordering;

/// Sizes of one function's node and edge sets, and of what they share with the seed's.
#[derive(Copy, Clone, Default, Debug)]
struct Counts {
    nodes: usize,
    edges: usize,
    common_nodes: usize,
    common_edges: usize,
}

/// How many nodes, and the edges in order.
type Sets = (usize, Vec<(u64, u64)>);

/// Node and edge sets of the functions of a seed.
#[derive(Debug)]
pub struct Graphs {
    /// Bodies, by the numbers of functions.
    bodies: Vec<Option<StmtId>>,
    sets: Vec<Sets>,
    nodes: usize,
    edges: usize,
}

impl Graphs {
    /// Those of a program.
    pub fn of(ast: &Ast, bodies: Vec<Option<StmtId>>) -> Graphs {
        let set = |Flow { nodes, edges }: Flow| (nodes.len(), sorted(edges));
        let sets: Vec<Sets> = bodies
            .iter()
            .map(|body| set(body.map_or(Flow::default(), |b| flow(ast, b, &Unchanged))))
            .collect();
        let nodes = sets.iter().map(|(nodes, _)| nodes).sum();
        let edges = sets.iter().map(|(_, edges)| edges.len()).sum();
        Graphs { bodies, sets, nodes, edges }
    }
}

/// The graphs of a seed, and the sums over the functions of a variant.
pub struct Distance<'a> {
    ast: &'a Ast,
    seed: &'a Graphs,
    now: Vec<Counts>,
}

impl<'a> Distance<'a> {
    /// Starts at the seed itself.
    pub fn new(ast: &'a Ast, seed: &'a Graphs) -> Distance<'a> {
        let whole = |(nodes, edges): &Sets| Counts {
            nodes: *nodes,
            edges: edges.len(),
            common_nodes: *nodes,
            common_edges: edges.len(),
        };
        Distance { ast, seed, now: seed.sets.iter().map(whole).collect() }
    }

    /// The distance if one function were as `overlay` has it and the others as now, and what to give to
    /// [`Distance::accept`].
    pub fn propose(&self, function: usize, overlay: &dyn Overlay, settings: &Settings) -> (f64, Proposal) {
        let body = self.seed.bodies[function];
        let Flow { nodes, edges } = body.map_or(Flow::default(), |body| flow(self.ast, body, overlay));
        let edges = sorted(edges);
        let counts = Counts {
            nodes: nodes.len(),
            edges: edges.len(),
            common_nodes: nodes.iter().filter(|node| is_own(**node)).count(),
            common_edges: common(&edges, &self.seed.sets[function].1),
        };
        let all = self.now.iter().enumerate().map(|(k, now)| if k == function { &counts } else { now });
        (self.measure(all, settings), Proposal { function, counts })
    }

    /// Makes a proposal the present.
    pub fn accept(&mut self, proposal: Proposal) {
        self.now[proposal.function] = proposal.counts;
    }

    fn measure<'c>(&self, all: impl Iterator<Item = &'c Counts>, settings: &Settings) -> f64 {
        let mut sum = Counts::default();
        for counts in all {
            sum.nodes += counts.nodes;
            sum.edges += counts.edges;
            sum.common_nodes += counts.common_nodes;
            sum.common_edges += counts.common_edges;
        }
        let Graphs { nodes, edges, .. } = *self.seed;
        let size = (sum.nodes as f64 - nodes as f64).abs() / (nodes as f64).max(1.0);
        settings.alpha * jaccard(nodes, sum.nodes, sum.common_nodes)
            + settings.beta * jaccard(edges, sum.edges, sum.common_edges)
            - settings.gamma * size
    }
}

/// A function's counts after a change.
pub struct Proposal {
    function: usize,
    counts: Counts,
}

fn sorted(mut edges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// How many edges two lists in order have in common.
fn common(mut a: &[(u64, u64)], mut b: &[(u64, u64)]) -> usize {
    let mut count = 0;
    while let ([x, rest @ ..], [y, others @ ..]) = (a, b) {
        let order = x.cmp(y);
        count += usize::from(order == Ordering::Equal);
        if order != Ordering::Greater {
            a = rest;
        }
        if order != Ordering::Less {
            b = others;
        }
    }
    count
}

/// 1 - |A and B| / |A or B|; 0 for two empty sets.
fn jaccard(a: usize, b: usize, common: usize) -> f64 {
    let either = a + b - common;
    if either == 0 { 0.0 } else { 1.0 - common as f64 / either as f64 }
}

#[cfg(test)]
mod tests {
    use super::{common, jaccard};

    #[test]
    fn edges_in_common_are_counted_once() {
        let a = [(1, 2), (2, 3), (2, 4), (9, 1)];
        assert_eq!(common(&a, &a), 4);
        assert_eq!(common(&a, &[(0, 7), (2, 4), (3, 1), (9, 1), (9, 9)]), 2);
        assert_eq!(common(&a, &[]), 0);
    }

    #[test]
    fn equal_sets_are_near_and_disjoint_ones_far() {
        assert_eq!(jaccard(5, 5, 5), 0.0);
        assert_eq!(jaccard(5, 3, 0), 1.0);
        assert_eq!(jaccard(0, 0, 0), 0.0);
        assert!((jaccard(4, 4, 2) - 2.0 / 3.0).abs() < 1e-12);
    }
}
