//! What memory holds at a point of what a side is about to load there: words beside its variables, which the other side may
//! have in one.

use crate::machine_code::{LoadAhead, Program};
use equiv::{Expr, ObservedSide};
use smt::Bv;

/// The name of memory as a variable.
const MEMORY: &str = "mem";

/// A word of memory.
pub(super) struct Word {
    /// The load, over variables of the side.
    pub expr: Expr,
    /// Its bits.
    pub width: u32,
    /// What it was at each visit.
    pub values: Vec<Bv>,
}

/// What the program of a side is about to load.
pub(super) fn words(program: &Program, side: &ObservedSide<'_>) -> Vec<Word> {
    let loaded = |load: &LoadAhead| {
        let (addresses, address) = placed(load, side)?;
        let values = side.loaded(MEMORY, &addresses, load.bytes).filter(|values| !values.is_empty())?;
        let memory = Expr::Var(side.side, MEMORY.to_owned());
        let expr = Expr::Load(Box::new(memory), Box::new(address), load.bytes);
        Some(Word { expr, width: 8 * load.bytes, values })
    };
    program.loads_ahead(side.at).iter().filter_map(loaded).collect()
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
