//! What values at a point are made of, operands first. In SSA form it stays true as long as they are live together: of
//! sums hoisted out of a loop no pair of variables of both sides says what they are.

use super::comparisons::compared;
use crate::llvm_ir::ast::{BinOp, CastOp, Inst, LocalId, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::program::{Here, poison_flag, scaled, sum};
use crate::llvm_ir::types::TypeId;
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Extreme, Guess, Observed, ObservedSide, Operation};
use smt::Bv;

/// Most definitions of a point.
const DEFINITIONS: usize = 64;

/// Those of the source, then those of the target.
pub(super) struct Definitions;

impl Guess<Opt<'_, '_>> for Definitions {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        for (program, seen) in [(known.left, &at.left), (known.right, &at.right)] {
            out.extend(definitions(&Here { program, side: seen.side, at: seen.at }, seen));
        }
        out
    }
}

/// Operands last: what comes last is tried first.
fn definitions(here: &Here<'_, '_>, seen: &ObservedSide<'_>) -> Vec<Constraint> {
    let values = here.program.values_at(here.at);
    let mut defined: Vec<(u32, LocalId)> =
        values.filter_map(|l| here.program.definition(l).map(|(def, _)| (def, l))).collect();
    defined.sort_unstable();
    let one = |(_, l): (u32, LocalId)| {
        let inst = here.program.definition(l)?.1;
        let b = here.constant_call(l).or_else(|| made_of(here, &inst.op))?;
        let value = Constraint { a: here.value(l), b };
        Some([Some(value), poisoned(here, seen, l, inst)])
    };
    let made = defined.into_iter().filter_map(one).take(DEFINITIONS);
    let mut out: Vec<Constraint> = made.flatten().flatten().collect();
    out.reverse();
    out
}

/// That a value is poison where what it is made of is: said of what optimisers put in front of loops to count them.
fn poisoned(here: &Here<'_, '_>, seen: &ObservedSide<'_>, l: LocalId, inst: &Inst) -> Option<Constraint> {
    let flag = |l: LocalId| {
        let name = poison_flag(&here.program.local_name(l, 0));
        seen.has(&name, 1).then_some(Expr::Var(here.side, name))
    };
    let of: Vec<Operand> = match &inst.op {
        Op::Cast { op: CastOp::ZExt | CastOp::SExt, value, .. } => vec![*value],
        Op::Call(call) if extreme(&inst.op).is_some() => call.args.iter().map(|a| a.value).collect(),
        _ => return None,
    };
    let flags = of.into_iter().filter_map(|o| match o {
        Operand::Local(l) => flag(l),
        Operand::Const(_) => None,
    });
    let b = flags.reduce(|x, y| Expr::Either(Box::new(x), Box::new(y)))?;
    Some(Constraint { a: flag(l)?, b })
}

/// Which of two numbers an operation takes, if that is what it does.
fn extreme(op: &Op) -> Option<Extreme> {
    match op {
        Op::Call(call) => match call.intrinsic? {
            (Intrinsic::MinMax(signed, max), _) => Some(Extreme { signed, max }),
            _ => None,
        },
        _ => None,
    }
}

/// The operation of relations that computes what an instruction does; none where relations have no such.
fn operation(op: BinOp) -> Option<Operation> {
    match op {
        BinOp::Mul => Some(Operation::Product),
        BinOp::UDiv => Some(Operation::Quotient),
        BinOp::URem => Some(Operation::Remainder),
        BinOp::And => Some(Operation::Both),
        BinOp::Xor => Some(Operation::Differing),
        BinOp::Shl => Some(Operation::Left),
        BinOp::LShr => Some(Operation::Right),
        BinOp::AShr => Some(Operation::RightSigned),
        _ => None,
    }
}

/// How many operations deep a value is said over those of a point.
const DEEP: u32 = 3;

/// The expression that an operation computes, over values of a point: what is no more there as what it was made of.
pub(super) fn made_of(here: &Here<'_, '_>, op: &Op) -> Option<Expr> {
    made(here, op, DEEP)
}

/// An operand over the values of a point.
pub(super) fn over(here: &Here<'_, '_>, operand: Operand, ty: TypeId) -> Option<Expr> {
    part(here, operand, ty, DEEP)
}

fn part(here: &Here<'_, '_>, operand: Operand, ty: TypeId, deep: u32) -> Option<Expr> {
    here.expr(operand, ty).or_else(|| match operand {
        Operand::Local(local) if deep > 0 => made(here, &here.program.definition(local)?.1.op, deep - 1),
        Operand::Local(_) | Operand::Const(_) => None,
    })
}

fn made(here: &Here<'_, '_>, op: &Op, deep: u32) -> Option<Expr> {
    match op {
        Op::Cast { op, from, value, to, .. } => {
            let (from_bits, bits) = (here.program.bits_of(*from)?, here.program.bits_of(*to)?);
            let x = Box::new(part(here, *value, *from, deep)?);
            match op {
                CastOp::ZExt => Some(Expr::Zext(x, bits)),
                CastOp::SExt => Some(Expr::Sext(x, bits)),
                CastOp::Trunc if bits < from_bits => Some(Expr::Trunc(x, bits)),
                _ => None,
            }
        }
        Op::Binary { op, ty, lhs, rhs, .. } => {
            let width = here.program.bits_of(*ty)?;
            calculated(*op, part(here, *lhs, *ty, deep)?, part(here, *rhs, *ty, deep)?, width)
        }
        Op::ICmp { pred, ty, lhs, rhs, .. } => {
            let (x, y) = (part(here, *lhs, *ty, deep)?, part(here, *rhs, *ty, deep)?);
            compared(*pred, x, y, here.program.bits_of(*ty)?)
        }
        Op::Call(call) => {
            let extreme = extreme(op)?;
            let [x, y] = call.args.get(..2)? else { return None };
            let (x, y) = (part(here, x.value, x.ty, deep)?, part(here, y.value, y.ty, deep)?);
            Some(Expr::Extreme(extreme, Box::new(x), Box::new(y)))
        }
        Op::Gep { source, base_ty, base, indices, .. } => {
            here.stepped(part(here, *base, *base_ty, deep)?, *source, indices)
        }
        _ => None,
    }
}

/// What an operation makes of two numbers.
fn calculated(op: BinOp, x: Expr, y: Expr, width: u32) -> Option<Expr> {
    match (op, x, y) {
        (BinOp::Add, x, y) => Some(sum(x, y)),
        (BinOp::Sub, x, y) => Some(sum(x, scaled(y, Bv::ones(width)))),
        (BinOp::Mul, x, Expr::Const(k)) => Some(scaled(x, k)),
        (BinOp::Shl, x, Expr::Const(k)) => {
            let k = k.to_u64().filter(|k| *k < u64::from(width.min(127)))?;
            Some(scaled(x, Bv::new(width, 1 << k)))
        }
        (BinOp::SDiv, x, Expr::Const(k)) => halved(x, &k),
        (BinOp::SRem, x, Expr::Const(k)) => Some(sum(x.clone(), scaled(halved(x, &k)?, k.neg()))),
        (BinOp::Or, x, y) => Some(Expr::Either(Box::new(x), Box::new(y))),
        (op, x, y) => Some(Expr::Binary(operation(op)?, Box::new(x), Box::new(y))),
    }
}

/// The quotient of a signed number by a power of two, towards zero: what is below zero is made greater before it is shifted.
fn halved(x: Expr, k: &Bv) -> Option<Expr> {
    let width = k.width();
    let by = (1..width.min(64) - 1).find(|by| k.to_u64() == Some(1 << by))?;
    let number = |n: u32| Box::new(Expr::Const(Bv::new(width, u128::from(n))));
    let sign = Expr::Binary(Operation::RightSigned, Box::new(x.clone()), number(width - 1));
    let more = Expr::Binary(Operation::Right, Box::new(sign), number(width - by));
    Some(Expr::Binary(Operation::RightSigned, Box::new(sum(x, more)), number(by)))
}
