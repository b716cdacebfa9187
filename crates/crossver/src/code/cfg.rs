//! Basic blocks of a function, with the places that jump tables lead to.

use super::{Code, Flow, Insn};
use std::collections::{BTreeMap, BTreeSet};

/// A basic block: instructions of one stretch that are entered at the first and left behind the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The stretch.
    pub stretch: usize,
    /// The first instruction, by index in the stretch.
    pub first: usize,
    /// The instruction behind the last.
    pub end: usize,
    /// Blocks that may follow, by index; a call's return place among them.
    pub next: Vec<usize>,
    /// Whether the function may be left behind it: a return, or a jump to another function.
    pub leaves: bool,
    /// Whether a jump leads to places that were not found.
    pub open: bool,
}

/// The blocks of a function; the entry is the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// The blocks.
    pub blocks: Vec<Block>,
}

/// Where jumps go that the instruction alone does not tell.
pub trait Targets {
    /// The place in the function that a jump's relocation names: section and address.
    fn jump(&self, stretch: usize, insn: &Insn) -> Option<(usize, u64)>;

    /// The places in the function that its tables hold.
    fn tables(&self) -> Vec<(usize, u64)>;

    /// Whether a call never returns.
    fn endless(&self, stretch: usize, insn: &Insn) -> bool;
}

impl Graph {
    /// Cuts code into blocks.
    #[must_use]
    pub fn of(code: &Code, targets: &dyn Targets) -> Graph {
        let tables: Vec<(usize, usize)> =
            targets.tables().into_iter().filter_map(|(section, at)| code.find(section, at)).collect();
        let leaders = leaders(code, targets, &tables);
        let places: Vec<(usize, usize)> = leaders.iter().copied().collect();
        let index: BTreeMap<(usize, usize), usize> = places.iter().copied().zip(0..).collect();
        let mut blocks = Vec::with_capacity(places.len());
        for (n, (stretch, first)) in places.iter().copied().enumerate() {
            let limit = code.stretches[stretch].insns.len();
            let end = places.get(n + 1).filter(|(s, _)| *s == stretch).map_or(limit, |(_, at)| *at);
            let mut block = Block { stretch, first, end, next: Vec::new(), leaves: false, open: false };
            successors(code, targets, &mut block, &index, &tables);
            blocks.push(block);
        }
        Graph { blocks }
    }
}

fn destination(code: &Code, targets: &dyn Targets, stretch: usize, insn: &Insn) -> Option<(usize, usize)> {
    let (section, at) = targets.jump(stretch, insn)?;
    code.find(section, at)
}

fn leaders(code: &Code, targets: &dyn Targets, tables: &[(usize, usize)]) -> BTreeSet<(usize, usize)> {
    let mut leaders: BTreeSet<(usize, usize)> = tables.iter().copied().collect();
    for (n, stretch) in code.stretches.iter().enumerate() {
        if !stretch.insns.is_empty() {
            leaders.insert((n, 0));
        }
        for (at, insn) in stretch.insns.iter().enumerate() {
            let cuts = match insn.flow {
                Flow::Next | Flow::IndirectCall => false,
                Flow::Call => targets.endless(n, insn),
                Flow::Jump | Flow::IndirectJump | Flow::Return | Flow::Trap => true,
            };
            if insn.flow == Flow::Jump {
                leaders.extend(destination(code, targets, n, insn));
            }
            let gap = stretch.insns.get(at + 1).is_some_and(|next| next.at != insn.end());
            if (cuts || gap) && at + 1 < stretch.insns.len() {
                leaders.insert((n, at + 1));
            }
        }
    }
    leaders
}

fn successors(
    code: &Code,
    targets: &dyn Targets,
    block: &mut Block,
    index: &BTreeMap<(usize, usize), usize>,
    tables: &[(usize, usize)],
) {
    let stretch = &code.stretches[block.stretch];
    let Some(last) = block.end.checked_sub(1).and_then(|n| stretch.insns.get(n)) else { return };
    match last.flow {
        Flow::Jump => match destination(code, targets, block.stretch, last) {
            Some(place) => block.next.extend(index.get(&place)),
            None => block.leaves = true,
        },
        Flow::IndirectJump => {
            block.next.extend(tables.iter().filter_map(|place| index.get(place)));
            block.open = tables.is_empty();
        }
        Flow::Return => block.leaves = true,
        Flow::Trap | Flow::Next | Flow::IndirectCall => {}
        Flow::Call if targets.endless(block.stretch, last) => return,
        Flow::Call => {}
    }
    let adjacent = stretch.insns.get(block.end).is_some_and(|next| next.at == last.end());
    if !last.ends() && adjacent {
        block.next.extend(index.get(&(block.stretch, block.end)));
    }
    block.next.sort_unstable();
    block.next.dedup();
}
