//! Language semantics for equivalence: LLVM IR, x86 Machine IR.

pub mod assembly;
pub mod assumption;
pub mod bits;
pub mod cells;
pub mod domain;
pub mod error;
pub mod liveness;
pub mod llvm_ir;
pub mod names;
pub mod native;
pub mod operation;
pub mod pairs;
pub mod x86_mir;
