//! Comparisons that every path to a point has passed, nearest first. In SSA form they stay true as long as the values
//! are live together: loops that count up to `n` need that the counter is below `n`.

use super::definitions::over;
use crate::llvm_ir::ast::{BlockId, IntPred, Op, Operand};
use crate::llvm_ir::program::{Here, scaled, sum};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed};
use smt::Bv;

/// Most comparisons of a point on a side.
const COMPARISONS: usize = 12;

/// Those of the source, and those that an optimiser made of them, which may say more of a single value: that a shift of
/// one is below a bound.
pub(super) struct Comparisons;

impl Guess<Opt<'_, '_>> for Comparisons {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = of(Here { program: known.right, side: at.right.side, at: at.right.at });
        out.extend(of(Here { program: known.left, side: at.left.side, at: at.left.at }));
        out
    }
}

fn of(here: Here<'_, '_>) -> Vec<Constraint> {
    let d = here.program.dominators();
    let mut block = here.program.block_at(here.at).0 as usize;
    let mut out = Vec::new();
    while out.len() < COMPARISONS {
        // A loop is come to by one way, and then only by its own.
        let own = |p: &usize| d.dominates(block, *p);
        let ways: Vec<usize> = d.preds[block].iter().copied().filter(|p| !own(p)).collect();
        if let [before] = ways[..] {
            out.extend(passed(&here, before, block));
        }
        match d.idom[block] {
            Some(up) if up != block => block = up,
            _ => break,
        }
    }
    out
}

/// What a conditional branch from one block says in the other.
fn passed(here: &Here<'_, '_>, from: usize, to: usize) -> Option<Constraint> {
    let last = here.program.ir.f.block_insts(BlockId(from as u32)).last()?;
    let Op::CondBr { cond: Operand::Local(cond), then, other } = &last.op else { return None };
    if then == other {
        return None;
    }
    let holds = then.0 as usize == to;
    let Op::ICmp { pred, ty, lhs, rhs, .. } = &here.program.definition(*cond)?.1.op else { return None };
    let sides = [*lhs, *rhs].map(|o| over(here, o, *ty).or_else(|| here.moved(o, *ty)));
    let [Some(x), Some(y)] = sides else {
        return no_extreme(*pred, holds, sides, here.program.bits_of(*ty)?);
    };
    let constant = |e: &Expr| matches!(e, Expr::Const(_));
    if constant(&x) && constant(&y) {
        return None;
    }
    let zero = |e: &Expr| matches!(e, Expr::Const(k) if k.is_zero());
    match pred {
        IntPred::Eq | IntPred::Ne if (*pred == IntPred::Eq) == holds => Some(Constraint { a: x, b: y }),
        IntPred::Eq | IntPred::Ne if zero(&y) => less(false, y, x, true),
        _ => {
            let (signed, swapped, yes) = order(*pred)?;
            let (x, y) = if swapped { (y, x) } else { (x, y) };
            less(signed, x, y, yes == holds)
        }
    }
}

/// An order as "less": with a sign, of the operands swapped, whether that holds; none of equality.
fn order(pred: IntPred) -> Option<(bool, bool, bool)> {
    Some(match pred {
        IntPred::Ult => (false, false, true),
        IntPred::Ugt => (false, true, true),
        IntPred::Uge => (false, false, false),
        IntPred::Ule => (false, true, false),
        IntPred::Slt => (true, false, true),
        IntPred::Sgt => (true, true, true),
        IntPred::Sge => (true, false, false),
        IntPred::Sle => (true, true, false),
        IntPred::Eq | IntPred::Ne => return None,
    })
}

/// What is below something that is not at hand is not the greatest number, and what is above is not the least: a step more
/// does not leave the width.
fn no_extreme(pred: IntPred, holds: bool, sides: [Option<Expr>; 2], width: u32) -> Option<Constraint> {
    let (signed, swapped, yes) = order(pred)?;
    let [x, y] = sides;
    let (x, y) = if swapped { (y, x) } else { (x, y) };
    let (least, most) = match signed {
        true => (Bv::smin(width), Bv::smin(width).sub(&Bv::one(width))),
        false => (Bv::zero(width), Bv::ones(width)),
    };
    match (x, y) {
        _ if yes != holds => None,
        (Some(Expr::Const(_)), _) | (_, Some(Expr::Const(_))) => None,
        (Some(x), _) => less(signed, x, Expr::Const(most), true),
        (None, y) => less(signed, Expr::Const(least), y?, true),
    }
}

/// That one value is less than another, or is not.
pub(super) fn less(signed: bool, x: Expr, y: Expr, yes: bool) -> Option<Constraint> {
    let k = if yes { Bv::one(1) } else { Bv::zero(1) };
    Some(Constraint { a: Expr::Less(signed, Box::new(x), Box::new(y)), b: Expr::Const(k) })
}

/// What a comparison gives: one where it holds, zero elsewhere.
pub(super) fn compared(pred: IntPred, x: Expr, y: Expr, width: u32) -> Option<Expr> {
    if matches!((&x, &y), (Expr::Const(_), Expr::Const(_))) {
        return None;
    }
    let below = |signed: bool, x: Expr, y: Expr| Expr::Less(signed, Box::new(x), Box::new(y));
    let not = |e: Expr| Expr::Offset(Box::new(e), Bv::one(1));
    let zero = Expr::Const(Bv::zero(width));
    Some(match pred {
        IntPred::Ult => below(false, x, y),
        IntPred::Ugt => below(false, y, x),
        IntPred::Uge => not(below(false, x, y)),
        IntPred::Ule => not(below(false, y, x)),
        IntPred::Slt => below(true, x, y),
        IntPred::Sgt => below(true, y, x),
        IntPred::Sge => not(below(true, x, y)),
        IntPred::Sle => not(below(true, y, x)),
        // What differs is a distance apart that is above zero.
        IntPred::Ne => below(false, zero, sum(x, scaled(y, Bv::ones(width)))),
        IntPred::Eq => not(below(false, zero, sum(x, scaled(y, Bv::ones(width))))),
    })
}
