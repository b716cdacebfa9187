//! Memory that the target is about to access at the head of a loop, where the source has before: it may. Optimisers make
//! one access at the head of those that lie in front of a loop and at the end of its body.

use crate::llvm_ir::ast::{Op, Operand};
use crate::llvm_ir::program::Here;
use crate::llvm_ir::types::{TypeId, Types};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed};
use smt::Bv;

/// Most accesses of a point.
const ACCESSES: usize = 3;

/// The largest access in bytes.
const BYTES: u32 = 8;

/// Those of the target.
pub(super) struct Reachable;

impl Guess<Opt<'_, '_>> for Reachable {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let here = Here { program: known.right, side: at.right.side, at: at.right.at };
        let f = here.program.ir.f;
        let block = &f.blocks[here.program.block_at(here.at).0 as usize];
        let insts = &f.insts[block.first as usize..block.end as usize];
        let before_calls = insts.iter().take_while(|inst| !matches!(inst.op, Op::Call { .. }));
        let accesses = before_calls.filter_map(|inst| match &inst.op {
            Op::Load { ty, ptr, access } if access.is_plain() => Some((*ty, *ptr, access, false)),
            Op::Store { ty, ptr, access, .. } if access.is_plain() => Some((*ty, *ptr, access, true)),
            _ => None,
        });
        let phi = |o: Operand| {
            let mut phis = insts.iter().filter(|inst| matches!(inst.op, Op::Phi { .. }));
            phis.any(|inst| inst.result.is_some_and(|l| o == Operand::Local(l)))
        };
        let found = accesses.filter_map(|(ty, ptr, access, write)| {
            let address = address(&here, ptr, &phi)?;
            Some(permitted(&here, &address, (ty, access.align), write))
        });
        found.take(ACCESSES).flatten().collect()
    }
}

/// A pointer that differs from round to round, over what is live at a point.
fn address(here: &Here<'_, '_>, operand: Operand, phi: &impl Fn(Operand) -> bool) -> Option<Expr> {
    if phi(operand) {
        return here.expr(operand, Types::PTR);
    }
    let Operand::Local(local) = operand else { return None };
    let Op::Gep { source, base, indices, .. } = &here.program.definition(local)?.1.op else { return None };
    let moves = phi(*base) || indices.iter().any(|(_, index)| phi(*index));
    let base = here.expr(*base, Types::PTR).filter(|_| moves)?;
    here.stepped(base, *source, indices)
}

/// That each byte of a value in memory may be read, or written, and that it lies where its alignment says.
fn permitted(
    here: &Here<'_, '_>,
    address: &Expr,
    (ty, align): (TypeId, Option<u64>),
    write: bool,
) -> Vec<Constraint> {
    let bytes = here.program.bits_of(ty).map_or(0, |bits| bits.div_ceil(8));
    if bytes > BYTES {
        return Vec::new();
    }
    let one = |i: u32| {
        let at = Expr::Offset(Box::new(address.clone()), Bv::new(64, u128::from(i)));
        let at = if i == 0 { address.clone() } else { at };
        let map = Box::new(Expr::Var(here.side, "perm".into()));
        let grant = Box::new(Expr::Load(map, Box::new(at), 1));
        // Nothing, reading, or both: zero, one, or any other number.
        let too_little = Expr::Below(grant, Bv::new(8, if write { 2 } else { 1 }));
        Constraint { a: too_little, b: Expr::Const(Bv::zero(1)) }
    };
    let low = align.filter(|a| a.is_power_of_two()).map_or(0, u64::trailing_zeros);
    let aligned = (low > 0).then(|| Constraint {
        a: Expr::Trunc(Box::new(address.clone()), low),
        b: Expr::Const(Bv::zero(low)),
    });
    (0..bytes).map(one).chain(aligned).collect()
}
