//! A counter that only goes up is not below where it began, and one that only goes down not above: what tells a loop that
//! ends by equality from one that ends by order, where the limit may lie on the wrong side of the start.

use super::comparisons::less;
use super::definitions::over;
use crate::llvm_ir::ast::{BinOp, Inst, LocalId, Op, Operand};
use crate::llvm_ir::program::Here;
use crate::pairs::opt::Opt;
use equiv::{Constraint, Guess, Observed};

/// Most counters of a point on a side.
const COUNTERS: usize = 6;

/// Those of the source, and those of the target, whose starts are made of values that the source has.
pub(super) struct Starts;

impl Guess<Opt<'_, '_>> for Starts {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = of(&Here { program: known.right, side: at.right.side, at: at.right.at });
        out.extend(of(&Here { program: known.left, side: at.left.side, at: at.left.at }));
        out
    }
}

fn of(here: &Here<'_, '_>) -> Vec<Constraint> {
    let head = here.program.block_at(here.at);
    let phis = here.program.ir.f.block_insts(head).iter().take_while(|i| matches!(i.op, Op::Phi { .. }));
    phis.filter_map(|i| started(here, i)).take(COUNTERS).flatten().collect()
}

/// Where a counter stands to its start, with and without sign.
fn started(here: &Here<'_, '_>, inst: &Inst) -> Option<Vec<Constraint>> {
    let (Op::Phi { ty, incoming, .. }, Some(phi)) = (&inst.op, inst.result) else { return None };
    let [(a, _), (b, _)] = **incoming else { return None };
    let (up, start) = match (step(here, phi, a), step(here, phi, b)) {
        (Some(by), None) => (by > 0, b),
        (None, Some(by)) => (by > 0, a),
        _ => return None,
    };
    let start = over(here, start, *ty)?;
    let counter = here.value(phi);
    let one = |signed: bool| match up {
        true => less(signed, counter.clone(), start.clone(), false),
        false => less(signed, start.clone(), counter.clone(), false),
    };
    Some([one(false), one(true)].into_iter().flatten().collect())
}

/// The counters of a point: by what each goes on, and how wide it is.
pub(super) fn counted(here: &Here<'_, '_>) -> Vec<(LocalId, i64, u32)> {
    let head = here.program.block_at(here.at);
    let phis = here.program.ir.f.block_insts(head).iter().take_while(|i| matches!(i.op, Op::Phi { .. }));
    let one = |inst: &Inst| {
        let (Op::Phi { ty, incoming, .. }, Some(phi)) = (&inst.op, inst.result) else { return None };
        let by = incoming.iter().find_map(|(next, _)| step(here, phi, *next))?;
        Some((phi, by, here.program.bits_of(*ty)?))
    };
    phis.filter_map(one).take(COUNTERS).collect()
}

/// By what a value is a counter's next one.
fn step(here: &Here<'_, '_>, phi: LocalId, next: Operand) -> Option<i64> {
    let Operand::Local(local) = next else { return None };
    let Op::Binary { op, lhs, rhs, .. } = &here.program.definition(local)?.1.op else { return None };
    let by = here.program.ir.small_constant(*rhs)?;
    match op {
        BinOp::Add if *lhs == Operand::Local(phi) => Some(by),
        BinOp::Sub if *lhs == Operand::Local(phi) => by.checked_neg(),
        _ => None,
    }
}
