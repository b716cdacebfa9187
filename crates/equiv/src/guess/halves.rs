//! Halves: wide values that always fit into half of their register, as counters and lengths do that are computed there.

use super::observed::ObservedSide;
use super::{Guess, Observed, constant, equal};
use crate::model::{Constraint, Expr, VarSort};

/// The half of a register that numbers are computed in, in bits.
pub(super) const HALF: u32 = 32;

/// Fewest visits that say so.
const FEWEST: usize = 4;

/// Of what changes from visit to visit alone: of what does not, that it is a constant says more.
pub(crate) struct Halves;

impl Guess for Halves {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        if at.visited {
            halves(&at.left, &mut out);
            halves(&at.right, &mut out);
        }
        out
    }
}

fn halves(side: &ObservedSide<'_>, out: &mut Vec<Constraint>) {
    for (i, var) in side.vars.iter().enumerate() {
        let (VarSort::Bv(width), Some(values)) = (var.sort, side.numbers(i)) else { continue };
        let wide = width == 2 * HALF && values.len() >= FEWEST && !constant(values);
        if wide && values.iter().all(|v| v.trunc(HALF).zext(width) == *v) {
            out.push(fits_half(&side.var(i), width));
        }
    }
}

/// A variable of this width is no more than its lower half.
pub(super) fn fits_half(var: &Expr, width: u32) -> Constraint {
    let half = Expr::Trunc(Box::new(var.clone()), HALF);
    equal(var.clone(), Expr::Zext(Box::new(half), width))
}
