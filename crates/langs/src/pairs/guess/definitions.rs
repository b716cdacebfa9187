//! What values at a point are made of, operands first. In SSA form it stays true as long as they are live together: of
//! sums hoisted out of a loop no pair of variables of both sides says what they are.

use crate::llvm_ir::ast::{BinOp, CastOp, LocalId, Op};
use crate::llvm_ir::program::{Here, scaled, sum};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed};
use smt::Bv;

/// Most definitions of a point.
const DEFINITIONS: usize = 64;

/// Those of the source, then those of the target.
pub(super) struct Definitions;

impl Guess<Opt<'_, '_>> for Definitions {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = definitions(&Here { program: known.left, side: at.left.side, at: at.left.at });
        out.extend(definitions(&Here { program: known.right, side: at.right.side, at: at.right.at }));
        out
    }
}

/// Operands last: what comes last is tried first.
fn definitions(here: &Here<'_, '_>) -> Vec<Constraint> {
    let values = here.program.values_at(here.at);
    let mut defined: Vec<(u32, LocalId)> =
        values.filter_map(|l| here.program.definition(l).map(|(def, _)| (def, l))).collect();
    defined.sort_unstable();
    let one = |(_, l): (u32, LocalId)| {
        let b = made_of(here, &here.program.definition(l)?.1.op)?;
        Some(Constraint { a: here.value(l), b })
    };
    let mut out: Vec<Constraint> = defined.into_iter().filter_map(one).take(DEFINITIONS).collect();
    out.reverse();
    out
}

/// The expression that an operation computes.
fn made_of(here: &Here<'_, '_>, op: &Op) -> Option<Expr> {
    match op {
        Op::Cast { op, from, value, to, .. } => {
            let (from_bits, bits) = (here.program.bits_of(*from)?, here.program.bits_of(*to)?);
            let x = Box::new(here.expr(*value, *from)?);
            match op {
                CastOp::ZExt => Some(Expr::Zext(x, bits)),
                CastOp::SExt => Some(Expr::Sext(x, bits)),
                CastOp::Trunc if bits < from_bits => Some(Expr::Trunc(x, bits)),
                _ => None,
            }
        }
        Op::Binary { op, ty, lhs, rhs, .. } => {
            let width = here.program.bits_of(*ty)?;
            let (x, y) = (here.expr(*lhs, *ty)?, here.expr(*rhs, *ty)?);
            match (op, x, y) {
                (BinOp::Add, x, y) => Some(sum(x, y)),
                (BinOp::Sub, x, y) => Some(sum(x, scaled(y, Bv::ones(width)))),
                (BinOp::Mul, x, Expr::Const(k)) => Some(scaled(x, k)),
                (BinOp::Shl, x, Expr::Const(k)) => {
                    let k = k.to_u64().filter(|k| *k < u64::from(width.min(127)))?;
                    Some(scaled(x, Bv::new(width, 1 << k)))
                }
                _ => None,
            }
        }
        Op::Gep { source, base_ty, base, indices, .. } => {
            let base = here.expr(*base, *base_ty)?;
            here.stepped(base, *source, indices)
        }
        _ => None,
    }
}
