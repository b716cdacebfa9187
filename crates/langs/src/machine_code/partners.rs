//! Which blocks of two functions are one block of the source: by what they do, and by the partners of those before and
//! behind them (similarity flooding). Two versions of a compiler number blocks differently as soon as one of them lays a loop
//! out otherwise, so that numbers say nothing.
//!
//! A wrong pair costs a proof, never soundness: partners are only where a proof looks for places to cut.

use super::facts::Facts;
use super::flow::successors;
use super::function::{Function, Insn, Place, Reference, Target};
use super::{aarch64, function, riscv, x86};
use std::hash::{Hash, Hasher};

/// Most pairs of blocks that are compared.
const MOST: usize = 1 << 21;

/// Rounds in which likeness goes on to blocks nearby.
const ROUNDS: usize = 5;

/// The least likeness at which two blocks count as partners.
const LEAST: f32 = 0.4;

/// Something that a block does, as a hash, and how much it says.
pub(crate) type Feature = (u64, u32);

/// What a block does: features in order, each once, with their weights added up.
type Features = Vec<Feature>;

/// A hash that is the same in every run.
pub(crate) fn hashed(what: impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The name of a block: after its partner, if partners were looked for.
pub(super) fn block_name(b: usize, partners: Option<&[Option<usize>]>) -> String {
    match partners.map(|list| list.get(b).copied().flatten()) {
        None => format!("block {b}"),
        Some(Some(partner)) => format!("block {partner}"),
        Some(None) => format!("new block {b}"),
    }
}

/// For each block of the second function the one of the first that it stands for.
#[must_use]
pub(crate) fn partners((a, of_a): (&Function, &Facts), (b, of_b): (&Function, &Facts)) -> Vec<Option<usize>> {
    let (n, m) = (a.blocks.len(), b.blocks.len());
    let mut out = vec![None; m];
    if n == 0 || m == 0 || n * m > MOST {
        return out;
    }
    let (left, right) = (Graph::of(a, of_a), Graph::of(b, of_b));
    let own: Vec<f32> = (0..n * m).map(|k| likeness(&left.features[k / m], &right.features[k % m])).collect();
    let mut now = own.clone();
    for _ in 0..ROUNDS {
        let next = |k: usize| {
            let (i, j) = (k / m, k % m);
            let near = |x: &[usize], y: &[usize]| nearby(&now, m, x, y);
            let (before, behind) =
                (near(&left.before[i], &right.before[j]), near(&left.behind[i], &right.behind[j]));
            0.5 * own[k] + 0.25 * before + 0.25 * behind
        };
        now = (0..n * m).map(next).collect();
    }
    let live = |k: &usize| left.reached[k / m] && right.reached[k % m] && now[*k] >= LEAST;
    let mut order: Vec<usize> = (0..n * m).filter(|k| k / m > 0 && k % m > 0).filter(live).collect();
    // Of equals those that come at the same share of the way through.
    let apart = |k: usize| (k / m * m).abs_diff(k % m * n);
    order.sort_by(|x, y| now[*y].total_cmp(&now[*x]).then(apart(*x).cmp(&apart(*y))).then(x.cmp(y)));
    let mut used = vec![false; n];
    (used[0], out[0]) = (true, Some(0));
    for k in order {
        let (i, j) = (k / m, k % m);
        if !used[i] && out[j].is_none() {
            (used[i], out[j]) = (true, Some(i));
        }
    }
    out
}

/// How alike the blocks near two others are: each with the one that is most like it.
fn nearby(now: &[f32], m: usize, x: &[usize], y: &[usize]) -> f32 {
    if x.is_empty() || y.is_empty() {
        return if x.len() == y.len() { 1.0 } else { 0.0 };
    }
    let of = |i: usize, j: usize| now[i * m + j];
    let best = |list: &mut dyn Iterator<Item = f32>| list.fold(0.0f32, f32::max);
    let from: f32 = x.iter().map(|i| best(&mut y.iter().map(|j| of(*i, *j)))).sum();
    let back: f32 = y.iter().map(|j| best(&mut x.iter().map(|i| of(*i, *j)))).sum();
    (from + back) / (x.len() + y.len()) as f32
}

/// The share of what either does that both do.
fn likeness(a: &Features, b: &Features) -> f32 {
    let (mut i, mut j, mut both, mut either) = (0, 0, 0u32, 0u32);
    while i < a.len() || j < b.len() {
        match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                (both, either, i, j) = (both + x.1.min(y.1), either + x.1.max(y.1), i + 1, j + 1);
            }
            (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => (either, i) = (either + x.1, i + 1),
            (_, Some(y)) => (either, j) = (either + y.1, j + 1),
            (_, None) => break,
        }
    }
    // Blocks that do nothing of note are told by their neighbours.
    if either == 0 { 0.5 } else { both as f32 / either as f32 }
}

/// The blocks of a function, with what they do.
struct Graph {
    features: Vec<Features>,
    before: Vec<Vec<usize>>,
    behind: Vec<Vec<usize>>,
    reached: Vec<bool>,
}

impl Graph {
    fn of(f: &Function, facts: &Facts) -> Graph {
        let n = f.blocks.len();
        let reached: Vec<bool> = f.blocks.iter().map(|b| facts.reached(b.first)).collect();
        let behind: Vec<Vec<usize>> =
            (0..n).map(|b| if reached[b] { successors(f, facts, b) } else { Vec::new() }).collect();
        let mut before = vec![Vec::new(); n];
        for (b, list) in behind.iter().enumerate() {
            list.iter().for_each(|to| before[*to].push(b));
        }
        let features = |block: &function::Block| {
            let mut list: Features = f.insns[block.first..block.end].iter().flat_map(of_insn).collect();
            list.sort_unstable();
            list.dedup_by(|x, y| {
                let same = x.0 == y.0;
                y.1 += if same { x.1 } else { 0 };
                same
            });
            list
        };
        Graph { features: f.blocks.iter().map(features).collect(), before, behind, reached }
    }
}

/// What an instruction says of its block.
fn of_insn(insn: &Insn) -> Vec<Feature> {
    let mut out = match &insn.decoded {
        function::Decoded::X86(decoded) => x86::features::of(decoded, insn.memory.is_some()),
        function::Decoded::AArch64(decoded) => aarch64::features::of(decoded),
        function::Decoded::RiscV(decoded) => riscv::features::of(decoded),
    };
    if let Some(Target::Function(name)) = &insn.target {
        out.push((hashed(("call", name)), 10));
    }
    for reference in [&insn.memory, &insn.immediate].into_iter().flatten() {
        let place = |place: &Place| (hashed(("place", &place.name, place.offset)), 5);
        match reference {
            Reference::Place(p)
            | Reference::Indirect(p)
            | Reference::ThreadOffset(p)
            | Reference::IndirectThreadOffset(p) => out.push(place(p)),
            Reference::Table(_) => out.push((hashed("table"), 5)),
        }
    }
    out
}
