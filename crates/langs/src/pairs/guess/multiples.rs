//! The low bits of a counter that are the same in every round: of one that goes by twos from an even number, or by the
//! size of what it runs over. Optimisers know them, and add by setting bits.

use crate::llvm_ir::ast::{BinOp, CastOp, LocalId, Op, Operand};
use crate::llvm_ir::program::{Here, Program};
use crate::pairs::opt::Opt;
use equiv::{Constraint, Expr, Guess, Observed};
use rustc_hash::FxHashMap;
use smt::Bv;

/// Most rounds of a loop in which fewer bits are found to stay.
const ROUNDS: usize = 8;

/// The longest chain of definitions looked through.
const CHAIN: u32 = 12;

/// Those of the source.
pub(super) struct Multiples;

impl Guess<Opt<'_, '_>> for Multiples {
    fn relations(&self, known: &Opt<'_, '_>, at: &Observed<'_>) -> Vec<Constraint> {
        let here = Here { program: known.left, side: at.left.side, at: at.left.at };
        let one = |local: LocalId| {
            let Op::Phi { ty, .. } = here.program.definition(local)?.1.op else { return None };
            let width =
                here.program.bits_of(ty).filter(|w| at.left.has(&here.program.local_name(local, 0), *w))?;
            let low = phi(here.program, local, &mut FxHashMap::default(), CHAIN)?;
            let (bits, rest) = (low.bits, Bv::new(low.bits.max(1), u128::from(low.value)));
            (bits > 0 && bits < width).then(|| Constraint {
                a: Expr::Trunc(Box::new(here.value(local)), bits),
                b: Expr::Const(rest),
            })
        };
        here.program.values_at(here.at).filter_map(one).collect()
    }
}

/// How many low bits of a number are known, and which they are; of more than 64 bits those.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Low {
    bits: u32,
    value: u64,
}

impl Low {
    const NOTHING: Low = Low { bits: 0, value: 0 };

    fn new(bits: u32, value: u64) -> Low {
        let bits = bits.min(64);
        Low { bits, value: if bits == 64 { value } else { value & ((1 << bits) - 1) } }
    }

    /// What is known of a number that is one of two.
    fn either(self, other: Low) -> Low {
        let alike = (self.value ^ other.value).trailing_zeros();
        Low::new(self.bits.min(other.bits).min(alike), self.value)
    }
}

/// What is known of a PHI's value, if anything comes into it; what is `assumed` of those that it may come back through.
fn phi(
    program: &Program<'_>,
    local: LocalId,
    assumed: &mut FxHashMap<LocalId, Option<Low>>,
    deep: u32,
) -> Option<Low> {
    let Op::Phi { incoming, .. } = &program.definition(local)?.1.op else { return None };
    for _ in 0..ROUNDS {
        let before = *assumed.entry(local).or_insert(None);
        let mut now: Option<Low> = None;
        for (value, _) in incoming {
            let Some(low) = low(program, *value, assumed, deep.checked_sub(1)?) else { continue };
            now = Some(now.map_or(low, |n| n.either(low)));
        }
        assumed.insert(local, now);
        if now == before {
            return now;
        }
    }
    Some(Low::NOTHING)
}

/// What is known of an operand; nothing where it is not known yet whether control gets there.
fn low(
    program: &Program<'_>,
    operand: Operand,
    assumed: &mut FxHashMap<LocalId, Option<Low>>,
    deep: u32,
) -> Option<Low> {
    let Operand::Local(local) = operand else {
        return Some(program.ir.small_constant(operand).map_or(Low::NOTHING, |k| Low::new(64, k as u64)));
    };
    if let Some(known) = assumed.get(&local) {
        return *known;
    }
    let (Some((_, inst)), Some(deep)) = (program.definition(local), deep.checked_sub(1)) else {
        return Some(Low::NOTHING);
    };
    let mut of = |operand: Operand| low(program, operand, assumed, deep);
    match &inst.op {
        Op::Phi { .. } => phi(program, local, assumed, deep),
        Op::Binary { op, lhs, rhs, .. } => {
            let (x, y) = (of(*lhs)?, of(*rhs)?);
            let both = x.bits.min(y.bits);
            Some(match op {
                BinOp::Add => Low::new(both, x.value.wrapping_add(y.value)),
                BinOp::Sub => Low::new(both, x.value.wrapping_sub(y.value)),
                BinOp::Or => Low::new(both, x.value | y.value),
                BinOp::Xor => Low::new(both, x.value ^ y.value),
                BinOp::And => {
                    // Zeros of one are zeros of both.
                    let zeros = |a: Low| a.value.trailing_zeros().min(a.bits);
                    Low::new(both.max(zeros(x)).max(zeros(y)), x.value & y.value)
                }
                BinOp::Mul => {
                    let by =
                        |a: Low, b: Low| if b.bits == 64 { a.bits + b.value.trailing_zeros() } else { 0 };
                    Low::new(both.max(by(x, y)).max(by(y, x)), x.value.wrapping_mul(y.value))
                }
                BinOp::Shl if y.bits == 64 && y.value < 64 => {
                    Low::new(x.bits + y.value as u32, x.value << y.value)
                }
                _ => Low::NOTHING,
            })
        }
        Op::Cast { op: CastOp::ZExt | CastOp::SExt, from, value, .. } => {
            let (x, from) = (of(*value)?, program.bits_of(*from)?);
            Some(Low::new(x.bits.min(from), x.value))
        }
        Op::Cast { op: CastOp::Trunc, value, .. } => of(*value),
        _ => Some(Low::NOTHING),
    }
}
