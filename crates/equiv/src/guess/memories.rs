//! Memories: equal where they were in every run.

use super::{Guess, Observed, ObservedSide, equal};
use crate::model::{Constraint, Val, VarDecl, VarSort};
use rustc_hash::FxHashSet;
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

/// Which of a side's variables are memories.
fn memories<'a>(side: &ObservedSide<'a>) -> impl Iterator<Item = (usize, &'a VarDecl)> {
    side.vars.iter().enumerate().filter(|(_, v)| matches!(v.sort, VarSort::Mem { .. }))
}

impl Guess for Memories {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let (left, right) = (&at.left, &at.right);
        let [of_left, of_right] =
            [left, right].map(|s| s.vars.iter().map(|v| &*v.name).collect::<FxHashSet<&str>>());
        let mut out = Vec::new();
        for (j, r) in memories(right) {
            for (i, l) in memories(left) {
                let named = l.name == r.name || !(of_left.contains(&*r.name) || of_right.contains(&*l.name));
                let mut values = left.columns[i].iter().zip(&right.columns[j]);
                if l.sort == r.sort && named && values.all(|(x, y)| same(x, y)) {
                    out.push(equal(right.var(j), left.var(i)));
                }
            }
        }
        out
    }
}
