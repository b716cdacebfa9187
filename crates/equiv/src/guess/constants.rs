//! Constants: variables of either side that had one value in every run.

use super::{Guess, Observed, constant, equal};
use crate::model::{Constraint, Expr};

/// The left's and the right's.
pub(crate) struct Constants;

impl Guess for Constants {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        for side in [&at.left, &at.right].into_iter().filter(|_| at.visited) {
            for i in 0..side.vars.len() {
                if let Some(values) = side.numbers(i).filter(|v| constant(v)) {
                    out.push(equal(side.var(i), Expr::Const(values[0].clone())));
                }
            }
        }
        out
    }
}
