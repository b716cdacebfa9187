//! A counter that goes on while it is below `n` is at most `n` at the loop's head, which says where it stands behind the
//! loop. So is one that an optimiser has go on while it is not `n`. One that goes on while it is at most `n`, or by more than
//! one at a time, ends up to a step beyond: optimisers that know where put the number behind the loop.
//! One that steps before it is compared (`while (--n)`) has not come to where it ends.

use super::comparisons::less;
use crate::llvm_ir::ast::{BinOp, BlockId, Inst, IntPred, LocalId, Op, Operand};
use crate::llvm_ir::program::{Here, Program};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed};
use smt::Bv;

/// Most limits of a point.
const LIMITS: usize = 8;

/// Most counters of a point on a side.
const COUNTERS: usize = 6;

/// Those of the source, and those of counters of the target that end by equality.
pub(super) struct Limits;

impl Guess<Opt<'_, '_>> for Limits {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let target = Here { program: known.right, side: at.right.side, at: at.right.at };
        let source = Here { program: known.left, side: at.left.side, at: at.left.at };
        let mut out = limits(&target, ends_at);
        out.extend(beyond(&source));
        out.extend(short_of(&source));
        out.extend(limits(&source, limit));
        out
    }
}

/// What the comparisons of a side say of counters at a point.
fn limits(here: &Here<'_, '_>, of: fn(&Here<'_, '_>, BlockId, &Op) -> Option<Constraint>) -> Vec<Constraint> {
    let head = here.program.block_at(here.at);
    let compared = here.program.ir.f.insts.iter().filter(|i| matches!(i.op, Op::ICmp { .. }));
    compared.filter_map(|i| of(here, head, &i.op)).take(LIMITS).collect()
}

/// What a counter of a block is compared with to end: the counter is not above it. Where it is compared after its step
/// the comparisons of the source say as much.
fn ends_at(here: &Here<'_, '_>, head: BlockId, op: &Op) -> Option<Constraint> {
    let Op::ICmp { pred: IntPred::Eq | IntPred::Ne, ty, lhs, rhs, .. } = op else { return None };
    let is_counter = |x: Operand| counter(here.program, head, x) == Some(x);
    let (phi, end) = [(*lhs, *rhs), (*rhs, *lhs)].into_iter().find(|(x, _)| is_counter(*x))?;
    less(false, here.expr(end, *ty)?, here.expr(phi, *ty)?, false)
}

/// What a comparison limits a counter of a block to, or the counter of what it limits.
fn limit(here: &Here<'_, '_>, head: BlockId, op: &Op) -> Option<Constraint> {
    let Op::ICmp { pred, ty, lhs, rhs, .. } = op else { return None };
    let signed = has_sign(*pred)?;
    let counters = [*lhs, *rhs].map(|o| counter(here.program, head, o));
    if counters == [None, None] {
        return None;
    }
    let [x, y] =
        [(counters[0], *lhs), (counters[1], *rhs)].map(|(counter, o)| here.expr(counter.unwrap_or(o), *ty));
    // `i < n` or `i <= n`: never `n < i`.
    match pred {
        IntPred::Ult | IntPred::Ule | IntPred::Slt | IntPred::Sle => less(signed, y?, x?, false),
        _ => less(signed, x?, y?, false),
    }
}

/// How far counters get that are compared before they step: `while (i <= n) i += k` leaves `i <= n + k`, and
/// `while (i < n) i += k` leaves `i <= n + k - 1`. Both are guessed, whatever the comparison.
fn beyond(here: &Here<'_, '_>) -> Vec<Constraint> {
    let counters = counted(here);
    let mut out = Vec::new();
    for inst in &here.program.ir.f.insts {
        let Op::ICmp { pred, ty, lhs, rhs, .. } = &inst.op else { continue };
        let Some(signed) = has_sign(*pred) else { continue };
        for (x, end) in [(*lhs, *rhs), (*rhs, *lhs)] {
            let found = counters.iter().find(|(l, ..)| Operand::Local(*l) == x);
            let (Some((phi, by, width)), Some(end)) = (found, here.expr(end, *ty)) else { continue };
            for apart in [*by, by - by.signum()] {
                // By a step of one below `n` the counter ends at `n`: `limit` guesses that.
                if apart != 0 {
                    let (counter, last) = (here.value(*phi), moved(&end, apart, *width));
                    out.extend(match *by > 0 {
                        true => less(signed, last, counter, false),
                        false => less(signed, counter, last, false),
                    });
                }
            }
        }
    }
    out.truncate(LIMITS);
    out
}

/// Counters that step first and end where that gives a number are on this side of it at the head: `while (--n)`.
fn short_of(here: &Here<'_, '_>) -> Vec<Constraint> {
    let (counters, head) = (counted(here), here.program.block_at(here.at));
    let mut out = Vec::new();
    for inst in &here.program.ir.f.insts {
        let Op::ICmp { pred: IntPred::Eq | IntPred::Ne, ty, lhs, rhs, .. } = &inst.op else { continue };
        for (x, end) in [(*lhs, *rhs), (*rhs, *lhs)] {
            let of = counter(here.program, head, x).filter(|phi| *phi != x);
            let found = counters.iter().find(|(l, ..)| Some(Operand::Local(*l)) == of);
            let (Some((phi, by, _)), Some(end)) = (found, here.expr(end, *ty)) else { continue };
            let counter = here.value(*phi);
            out.extend(match *by > 0 {
                true => less(false, counter, end, true),
                false => less(false, end, counter, true),
            });
        }
    }
    out.truncate(LIMITS);
    out
}

/// An expression with a number added to it.
fn moved(e: &Expr, by: i64, width: u32) -> Expr {
    let by = Bv::from_i128(width, by.into());
    match e {
        Expr::Const(k) => Expr::Const(k.add(&by)),
        _ => Expr::Offset(Box::new(e.clone()), by),
    }
}

/// Whether a comparison is signed; none where it asks for equality alone.
fn has_sign(pred: IntPred) -> Option<bool> {
    match pred {
        IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge => Some(false),
        IntPred::Slt | IntPred::Sle | IntPred::Sgt | IntPred::Sge => Some(true),
        IntPred::Eq | IntPred::Ne => None,
    }
}

/// The PHI of a block that an operand is, or is made of in one step.
fn counter(program: &Program<'_>, head: BlockId, operand: Operand) -> Option<Operand> {
    let block = &program.ir.f.blocks[head.0 as usize];
    let phi = |o: Operand| match o {
        Operand::Local(l) => program.definition(l).is_some_and(|(at, inst)| {
            matches!(inst.op, Op::Phi { .. }) && (block.first..block.end).contains(&at)
        }),
        Operand::Const(_) => false,
    };
    if phi(operand) {
        return Some(operand);
    }
    let Operand::Local(local) = operand else { return None };
    match &program.definition(local)?.1.op {
        Op::Binary { op: BinOp::Add, lhs, rhs, .. } => [*lhs, *rhs].into_iter().find(|o| phi(*o)),
        _ => None,
    }
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
