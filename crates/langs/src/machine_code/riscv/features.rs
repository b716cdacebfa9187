//! What an instruction says of the block that it stands in, whatever registers were chosen.

use super::super::partners::{Feature, hashed};
use super::insn::{Binary, Insn, Op};

/// The features of an instruction: what kind it is, and how many bytes of memory it accesses.
pub(crate) fn of(insn: &Insn) -> Vec<Feature> {
    let operation = |op: &Op| match op {
        Op::Binary { binary, .. } => Some(*binary),
        _ => None,
    };
    let which = |binary: Binary| std::mem::discriminant(&binary);
    let one = |op: &Op| {
        let kind = (std::mem::discriminant(op), operation(op).map(which), insn.bytes());
        // Numbers and moves are everywhere.
        let weight = if matches!(operation(op), Some(Binary::Add)) { 1 } else { 2 };
        (hashed(kind), weight)
    };
    insn.op.iter().map(one).collect()
}
