//! The distance between a seed and a variant: how much their control-flow graphs differ, less what the variant grew
//! or shrank (Athena's objective).

use super::flow::{Counts, Overlay, Whole, count};
use crate::strategies::Settings;
use csyntax::ast::{Ast, StmtId};
use rustc_hash::FxHashSet;

/// Graphs of the functions of a seed.
#[derive(Debug)]
pub struct Graphs {
    /// Bodies, by the numbers of functions.
    bodies: Vec<Option<StmtId>>,
    functions: Vec<Whole>,
    nodes: usize,
    edges: usize,
}

impl Graphs {
    /// Those of a program.
    pub fn of(ast: &Ast, bodies: Vec<Option<StmtId>>) -> Graphs {
        let functions: Vec<Whole> =
            bodies.iter().map(|body| body.map_or_else(Whole::default, |body| Whole::of(ast, body))).collect();
        let nodes = functions.iter().map(|whole| whole.nodes).sum();
        let edges = functions.iter().map(|whole| whole.edges.len()).sum();
        Graphs { bodies, functions, nodes, edges }
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
        let whole = |whole: &Whole| Counts {
            nodes: whole.nodes,
            edges: whole.edges.len(),
            common_nodes: whole.nodes,
            common_edges: whole.edges.len(),
        };
        Distance { ast, seed, now: seed.functions.iter().map(whole).collect() }
    }

    /// The distance if one function were as `overlay` has it, at the statements `touched` and those in them, and the
    /// others as now; and what to give to [`Distance::accept`].
    pub fn propose(
        &self,
        function: usize,
        overlay: &dyn Overlay,
        touched: &FxHashSet<StmtId>,
        settings: &Settings,
    ) -> (f64, Proposal) {
        let body = self.seed.bodies[function];
        let counts = body.map_or(Counts::default(), |body| {
            count(self.ast, body, overlay, &self.seed.functions[function], touched)
        });
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

/// 1 - |A and B| / |A or B|; 0 for two empty sets.
fn jaccard(a: usize, b: usize, common: usize) -> f64 {
    let either = a + b - common;
    if either == 0 { 0.0 } else { 1.0 - common as f64 / either as f64 }
}

#[cfg(test)]
mod tests {
    use super::jaccard;

    #[test]
    fn equal_sets_are_near_and_disjoint_ones_far() {
        assert_eq!(jaccard(5, 5, 5), 0.0);
        assert_eq!(jaccard(5, 3, 0), 1.0);
        assert_eq!(jaccard(0, 0, 0), 0.0);
        assert!((jaccard(4, 4, 2) - 2.0 / 3.0).abs() < 1e-12);
    }
}
