//! Language semantics for equivalence: LLVM IR, x86 Machine IR, machine code, and pairs of them.
//!
//! Rooms, the lowest first; each imports those above it in this list alone, which a test holds:
//! - [`error`], [`names`], [`assumption`], [`operation`], `arithmetic`, [`domain`], [`bits`], [`floats`], [`liveness`]: what any
//!   language needs;
//! - [`memory`]: bytes and blocks, permissions, named objects, promoted stack slots, volatile accesses;
//! - [`abi`]: calling conventions as data, and signatures laid out by them;
//! - [`choice`]: freedoms of the source that the target resolves;
//! - [`x86`]: what the instructions of x86-64 compute, whatever their syntax;
//! - [`assembly`]: inline assembly as both programs show it;
//! - [`llvm_ir`], [`x86_mir`] and [`machine_code`], languages, which do not know each other;
//! - [`pairs`]: what two languages have to do with each other, and proofs with that;
//! - [`native`]: counterexamples run on this machine.
//!
//! To add a language: a room beside the others with a reader, a semantics over any [`domain::Domain`], and a program
//! that implements `equiv::Semantics`; a machine language also implements [`choice::Target`] and asks what its source
//! says of objects by [`memory::objects::NamedObjects`]. Then a file in [`pairs`] that says what must be the same.

pub mod abi;
mod arithmetic;
pub mod assembly;
pub mod assumption;
pub mod bits;
pub mod choice;
pub mod domain;
pub mod error;
pub mod floats;
pub mod liveness;
pub mod llvm_ir;
pub mod machine_code;
pub mod memory;
pub mod names;
pub mod native;
pub mod operation;
pub mod pairs;
pub mod x86;
pub mod x86_mir;
