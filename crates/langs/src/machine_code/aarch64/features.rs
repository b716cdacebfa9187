//! What an instruction says of the block that it stands in, whatever registers were chosen.

use super::super::partners::{Feature, hashed};
use super::insn::Insn;

/// The features of an instruction: what kind it is, and how many bytes of memory it accesses.
pub(crate) fn of(insn: &Insn) -> Vec<Feature> {
    insn.op.iter().map(|op| (hashed((std::mem::discriminant(op), insn.bytes())), 1)).collect()
}
