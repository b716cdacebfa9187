//! Slots: values of one side that the other keeps in memory, at a declared object.

use super::observed::ObservedSide;
use super::{Guess, Observed, equal};
use crate::model::{Constraint, Expr, Val, VarSort};
use smt::Bv;

/// Most objects that are looked at.
const OBJECTS: usize = 64;

/// Widest value looked for, in bits.
const WIDEST: u32 = 128;

/// What the left keeps in memory, then what the right does.
pub(crate) struct Slots;

impl Guess for Slots {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        if at.visited {
            slots(&at.left, &at.right, at.objects, &mut out);
            slots(&at.right, &at.left, at.objects, &mut out);
        }
        out
    }
}

fn slots(
    keeps: &ObservedSide<'_>,
    has: &ObservedSide<'_>,
    objects: &[(String, Bv)],
    out: &mut Vec<Constraint>,
) {
    for (m, memories) in keeps.columns.iter().enumerate() {
        let VarSort::Mem { address } = keeps.vars[m].sort else { continue };
        for (name, at) in objects.iter().filter(|o| o.1.width() == address).take(OBJECTS) {
            for (v, values) in has.columns.iter().enumerate() {
                let VarSort::Bv(bits) = has.vars[v].sort else { continue };
                if bits % 8 != 0 || bits > WIDEST {
                    continue;
                }
                let hit = memories.iter().zip(values).all(|(m, v)| match (m, v) {
                    (Val::Mem(m), Val::Bv(v)) => m.load(at, bits / 8) == *v,
                    (Val::Bv(_), _) | (Val::Mem(_), Val::Mem(_)) => false,
                });
                if hit {
                    let symbol = Expr::Symbol(name.clone(), address);
                    let load = Expr::Load(Box::new(keeps.var(m)), Box::new(symbol), bits / 8);
                    out.push(equal(has.var(v), load));
                }
            }
        }
    }
}
