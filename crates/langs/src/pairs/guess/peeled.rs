//! Loads that one side makes at the head of a loop and the other has made already, ahead of the loop and at its end: what the one
//! has in a register is what the other's memory holds there.

use super::words::words;
use crate::machine_code::Program;
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide};
use smt::Bv;

/// Most relations of a point.
const MOST: usize = 8;

/// Knows both programs.
pub(crate) struct Peeled<'a> {
    /// The old one.
    pub left: &'a Program,
    /// The new one.
    pub right: &'a Program,
}

impl Guess for Peeled<'_> {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = carried(self.left, &at.left, &at.right);
        out.extend(carried(self.right, &at.right, &at.left));
        out.truncate(MOST);
        out
    }
}

/// What a side has in variables of what the program of the other is about to load.
fn carried(program: &Program, loads: &ObservedSide<'_>, has: &ObservedSide<'_>) -> Vec<Constraint> {
    let mut out = Vec::new();
    for word in words(program, loads) {
        for (name, width, values) in has.numbered().filter(|(_, width, _)| *width >= word.width) {
            // A register may have more bits than what was loaded into it.
            let is = |made: &dyn Fn(&Bv) -> Bv| {
                values.len() == word.values.len()
                    && word.values.iter().zip(values).all(|(w, v)| made(w) == *v)
            };
            let load = || Box::new(word.expr.clone());
            let b = if width == word.width {
                is(&Bv::clone).then(|| word.expr.clone())
            } else if is(&|w| w.zext(width)) {
                Some(Expr::Zext(load(), width))
            } else {
                is(&|w| w.sext(width)).then(|| Expr::Sext(load(), width))
            };
            out.extend(b.map(|b| Constraint { a: Expr::Var(has.side, name.to_owned()), b }));
        }
    }
    out
}
