//! x86-64 Machine IR after instruction selection: the `.mir` files LLVM prints, and what they mean.

mod asm_words;
pub mod ast;
mod body;
mod choices;
mod classes;
mod parse;
pub mod program;
pub mod semantics;
mod yaml;

pub use parse::parse;
