//! Memory as all languages here have it: one flat array of bytes with a map of permissions, shared by both programs of a
//! pair. Nothing in this room knows a language; states hold the arrays, and languages say which accesses they make.

pub mod access;
pub(crate) mod atomic;
pub mod blocks;
pub(crate) mod masked;
pub mod objects;
pub mod promoted;
pub(crate) mod stack;
pub mod volatile;

use equiv::VarSort;

/// The sort of memories.
pub(crate) const MEM: VarSort = VarSort::Mem { address: 64 };
