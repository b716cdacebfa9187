//! Values that were loaded before a point and may lie in memory still: loads moved out of loops. Their addresses may be
//! dead; the other program, which loads in the loop, has what they are made of under the same names.

use crate::llvm_ir::ast::{Access, LocalId, Op, Operand};
use crate::llvm_ir::program::Here;
use crate::llvm_ir::types::{FloatKind, Type, TypeId, Types};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide};

/// Most values of a point that memory may still hold.
const LOADS: usize = 12;

/// The width of a pointer in bits.
const POINTER: u32 = 64;

/// The longest chain of definitions that an address is put together from.
const CHAIN: u32 = 4;

/// Those of the target.
pub(super) struct Loads;

impl Guess<Opt<'_, '_>> for Loads {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let here = Here { program: known.right, side: at.right.side, at: at.right.at };
        let one = |l: LocalId| match &here.program.definition(l)?.1.op {
            Op::Load { ty, ptr, access } => held(&here, &at.left, l, (*ty, *ptr, access)),
            _ => None,
        };
        here.program.values_at(here.at).filter_map(one).take(LOADS).collect()
    }
}

/// That a value is what memory holds at an address: of plain accesses only.
pub(super) fn held(
    here: &Here<'_, '_>,
    other: &ObservedSide<'_>,
    value: LocalId,
    (ty, ptr, access): (TypeId, Operand, &Access),
) -> Option<Constraint> {
    let bits = match here.program.ir.m.types.resolve(ty) {
        Type::Float(FloatKind::Float) => 32,
        Type::Float(FloatKind::Double) => 64,
        _ => here.program.bits_of(ty)?,
    };
    if !access.is_plain() || bits % 8 != 0 || bits > 64 {
        return None;
    }
    let address = address(here, other, ptr, CHAIN)?;
    let memory = Expr::Var(here.side, "mem".into());
    let b = Expr::Load(Box::new(memory), Box::new(address), bits / 8);
    Some(Constraint { a: here.value(value), b })
}

/// A pointer over what is live at a point on either side, and what lies in memory there.
fn address(here: &Here<'_, '_>, other: &ObservedSide<'_>, operand: Operand, depth: u32) -> Option<Expr> {
    if let Some(e) = here.expr(operand, Types::PTR) {
        return Some(e);
    }
    let Operand::Local(local) = operand else { return None };
    let name = here.program.local_name(local, 0);
    if other.shape.var(other.at, &name).is_some() {
        return Some(Expr::Var(other.side, name));
    }
    match &here.program.definition(local)?.1.op {
        Op::Gep { source, base, indices, .. } if depth > 0 => {
            let base = address(here, other, *base, depth - 1)?;
            here.stepped(base, *source, indices)
        }
        // A pointer that lies in memory itself.
        Op::Load { ty, ptr, access }
            if depth > 0 && here.program.bits_of(*ty) == Some(POINTER) && access.is_plain() =>
        {
            let place = address(here, other, *ptr, depth - 1)?;
            let memory = Expr::Var(here.side, "mem".into());
            Some(Expr::Load(Box::new(memory), Box::new(place), POINTER / 8))
        }
        _ => None,
    }
}
