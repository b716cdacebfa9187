//! Counters are not negative unless they are poison: optimisers know it from where they start, and promise it.

use crate::llvm_ir::ast::{LocalId, Op};
use crate::llvm_ir::program::{Here, Program, poison_flag};
use crate::llvm_ir::types::Type;
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed};
use smt::Bv;

/// Integers of the source that differ from path to path into a block.
pub(super) struct Counters;

fn is_counter(program: &Program<'_>, local: LocalId) -> bool {
    let ty = program.ir.f.locals.get(local.0 as usize).map(|l| program.ir.m.types.resolve(l.ty));
    matches!(ty, Some(Type::Int(8..=64)))
        && program.definition(local).is_some_and(|(_, inst)| matches!(inst.op, Op::Phi { .. }))
}

impl Guess<Opt<'_, '_>> for Counters {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let here = Here { program: known.left, side: at.left.side, at: at.left.at };
        let mut out = Vec::new();
        for local in here.program.values_at(here.at).filter(|l| is_counter(here.program, *l)) {
            let flag = poison_flag(&here.program.local_name(local, 0));
            let width = here.program.bits_of(here.program.ir.f.locals[local.0 as usize].ty);
            let (true, Some(w)) = (at.left.has(&flag, 1), width) else { continue };
            let below = Expr::Below(Box::new(here.value(local)), Bv::smin(w));
            let a = Expr::Either(Box::new(Expr::Var(here.side, flag)), Box::new(below));
            out.push(Constraint { a, b: Expr::Const(Bv::one(1)) });
        }
        out
    }
}
