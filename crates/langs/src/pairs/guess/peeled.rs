//! Loads that one side makes at the head of a loop and the other has made already, ahead of the loop and at its end: what the one
//! has in a register is what the other's memory holds there.

use crate::machine_code::{LoadAhead, Program};
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide};
use smt::Bv;

/// Most relations of a point.
const MOST: usize = 6;

/// The name of memory as a variable.
const MEMORY: &str = "mem";

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
    for load in program.loads_ahead(loads.at) {
        let Some((addresses, address)) = placed(&load, loads) else { continue };
        let bits = 8 * load.bytes;
        for (name, width, values) in has.numbered().filter(|(_, width, _)| *width >= bits) {
            let low: Vec<Bv> = values.iter().map(|v| v.extract(bits - 1, 0)).collect();
            if values.is_empty() || !loads.holds(MEMORY, &addresses, &low) {
                continue;
            }
            let memory = Expr::Var(loads.side, MEMORY.to_owned());
            let word = Expr::Load(Box::new(memory), Box::new(address.clone()), load.bytes);
            // A register has more bits than what was loaded into it.
            let extended = |made: &dyn Fn(&Bv) -> Bv| low.iter().zip(values).all(|(low, v)| made(low) == *v);
            let b = if width == bits {
                word
            } else if extended(&|low| low.zext(width)) {
                Expr::Zext(Box::new(word), width)
            } else if extended(&|low| low.sext(width)) {
                Expr::Sext(Box::new(word), width)
            } else {
                continue;
            };
            out.push(Constraint { a: Expr::Var(has.side, name.to_owned()), b });
        }
    }
    out
}

/// The addresses of a load at all visits, and what it is made of.
fn placed(load: &LoadAhead, side: &ObservedSide<'_>) -> Option<(Vec<Bv>, Expr)> {
    let held = |wanted: &str| {
        let found = side.numbered().find(|(name, width, _)| *name == wanted && *width == 64);
        found.map(|(name, _, values)| (Expr::Var(side.side, name.to_owned()), values))
    };
    let (mut address, base) = held(&load.base)?;
    let mut addresses = base.to_vec();
    if let Some((index, scale)) = &load.index {
        let (index, values) = held(index)?;
        let scale = Bv::from_i128(64, i128::from(*scale));
        addresses = addresses.iter().zip(values).map(|(at, n)| at.add(&n.mul(&scale))).collect();
        address = Expr::Sum(Box::new(address), Box::new(Expr::Scaled(Box::new(index), scale)));
    }
    if load.offset != 0 {
        let offset = Bv::from_i128(64, i128::from(load.offset));
        addresses = addresses.iter().map(|at| at.add(&offset)).collect();
        address = Expr::Offset(Box::new(address), offset);
    }
    Some((addresses, address))
}
