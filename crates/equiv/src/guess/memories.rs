//! Memories: equal where they were in every run.

use super::{Guess, Observed, equal};
use crate::model::{Constraint, Val, VarSort};
use smt::Concrete;

/// Of memories that both sides name alike only one with its like.
pub(crate) struct Memories;

fn same(a: &Val<Concrete>, b: &Val<Concrete>) -> bool {
    match (a, b) {
        (Val::Bv(x), Val::Bv(y)) => x == y,
        (Val::Mem(x), Val::Mem(y)) => x == y,
        (Val::Bv(_), Val::Mem(_)) | (Val::Mem(_), Val::Bv(_)) => false,
    }
}

impl Guess for Memories {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let (left, right) = (&at.left, &at.right);
        let mut out = Vec::new();
        for (j, r) in right.vars.iter().enumerate() {
            for (i, l) in left.vars.iter().enumerate() {
                let memories = matches!(l.sort, VarSort::Mem { .. }) && l.sort == r.sort;
                let named = l.name == r.name
                    || !left.vars.iter().any(|l| l.name == r.name)
                        && !right.vars.iter().any(|r| r.name == l.name);
                let mut values = left.columns[i].iter().zip(&right.columns[j]);
                if memories && named && values.all(|(x, y)| same(x, y)) {
                    out.push(equal(right.var(j), left.var(i)));
                }
            }
        }
        out
    }
}
