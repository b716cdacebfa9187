//! Values carried round a loop in place of memory: what is loaded ahead of the loop or at its end, or was stored, is what
//! memory holds at that address at the loop's head. Optimisers make such values of loads that a loop repeats.

use super::loads::held;
use crate::llvm_ir::ast::{Access, BlockId, Inst, LocalId, Op, Operand};
use crate::llvm_ir::program::Here;
use crate::llvm_ir::types::TypeId;
use crate::pairs::opt::Opt;
use equiv::{Constraint, Guess, Observed};

/// Most values of a point that stand for memory.
const VALUES: usize = 8;

/// Most addresses tried of one value.
const ADDRESSES: usize = 3;

/// Most PHIs that a value comes through.
const PHIS: usize = 8;

/// Those of the target.
pub(super) struct Carried;

impl Guess<Opt<'_, '_>> for Carried {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let here = Here { program: known.right, side: at.right.side, at: at.right.at };
        let all = here.program.values_at(here.at).map(|l| (l, accessed(&here, l)));
        let some = all.filter(|(_, found)| !found.is_empty()).take(VALUES);
        let one = |(l, found): (LocalId, Vec<_>)| {
            let each = found.into_iter().filter_map(|access| held(&here, &at.left, l, access));
            each.take(ADDRESSES).collect::<Vec<_>>()
        };
        some.flat_map(one).collect()
    }
}

/// What a value was loaded from, or stored to, on the ways on which it comes into a PHI. Where addresses differ from way to
/// way, a PHI beside it says which it is.
fn accessed<'a>(here: &Here<'a, '_>, phi: LocalId) -> Vec<(TypeId, Operand, &'a Access)> {
    let program = here.program;
    let mut out: Vec<(TypeId, Operand, &Access)> = Vec::new();
    let mut seen = vec![phi];
    let mut at = 0;
    while at < seen.len() && seen.len() <= PHIS {
        let Some((_, Inst { op: Op::Phi { incoming, .. }, .. })) = program.definition(seen[at]) else {
            break;
        };
        let first = seen[at] == phi;
        at += 1;
        for (value, from) in incoming {
            let Operand::Local(local) = *value else { continue };
            if is_phi(here, local) && !seen.contains(&local) {
                seen.push(local);
            }
            for (ty, ptr, access) in accesses(here, local) {
                let beside = if first { phis_of(here, phi, ptr, *from) } else { Vec::new() };
                for place in beside.into_iter().chain([ptr]) {
                    if !out.iter().any(|o| (o.0, o.1) == (ty, place)) {
                        out.push((ty, place, access));
                    }
                }
            }
        }
    }
    out
}

fn is_phi(here: &Here<'_, '_>, local: LocalId) -> bool {
    here.program.definition(local).is_some_and(|(_, inst)| matches!(inst.op, Op::Phi { .. }))
}

/// What a value was loaded from, and stored to.
fn accesses<'a>(here: &Here<'a, '_>, local: LocalId) -> Vec<(TypeId, Operand, &'a Access)> {
    let one = |inst: &'a Inst| match &inst.op {
        Op::Load { ty, ptr, access } if inst.result == Some(local) => Some((*ty, *ptr, access)),
        Op::Store { ty, value, ptr, access } if *value == Operand::Local(local) => Some((*ty, *ptr, access)),
        _ => None,
    };
    here.program.ir.f.insts.iter().filter_map(one).collect()
}

/// The other PHIs of a block that are a value where control comes from a block.
fn phis_of(here: &Here<'_, '_>, phi: LocalId, value: Operand, from: BlockId) -> Vec<Operand> {
    let Some((at, _)) = here.program.definition(phi) else { return Vec::new() };
    let f = here.program.ir.f;
    let block = f.blocks.iter().find(|b| (b.first..b.end).contains(&at));
    let insts = block.map(|b| &f.insts[b.first as usize..b.end as usize]).unwrap_or_default();
    let same = |inst: &Inst| match &inst.op {
        Op::Phi { incoming, .. } => incoming.iter().any(|(v, b)| *v == value && *b == from),
        _ => false,
    };
    let others = insts.iter().filter(|i| i.result != Some(phi) && same(i));
    others.filter_map(|i| i.result).map(Operand::Local).collect()
}
