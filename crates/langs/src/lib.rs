//! Language semantics for equivalence: LLVM IR, x86 Machine IR.
