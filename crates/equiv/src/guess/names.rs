//! Names, where no run came: variables of one name. The rest is read off the states in which the point is first reached
//! (`states.rs`).

use super::{Guess, Observed, equal};
use crate::model::{Constraint, VarSort, numbered};

/// Names that are numbers say nothing: they are given anew in every program.
pub(crate) struct Names;

impl Guess for Names {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        if at.visited {
            return out;
        }
        for (j, r) in at.right.vars.iter().enumerate() {
            for (i, l) in at.left.vars.iter().enumerate() {
                let numbers = matches!(l.sort, VarSort::Bv(_)) && l.sort == r.sort;
                if numbers && l.name == r.name && !numbered(&l.name) {
                    out.push(equal(at.right.var(j), at.left.var(i)));
                }
            }
        }
        out
    }
}
