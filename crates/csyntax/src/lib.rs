//! C syntax and types: what every other part of plumb means by "a C program".
//!
//! Pipeline: preprocessed text -> [`lex`] -> [`parse`] -> [`ast::Ast`] -> [`check`] -> [`tree::Unit`].
//! The AST is syntactic and is what generator, mutators and reducer build and edit; [`print`] writes it back.
//! The typed tree has names resolved, conversions explicit and initialisers flattened; the machine lowers it.
//! No I/O happens in this crate.

pub mod ast;
pub mod check;
pub mod equal;
mod id;
pub mod intern;
pub mod lex;
pub mod parse;
pub mod prefix;
pub mod print;
pub mod soft;
pub mod source;
pub mod target;
pub mod tree;
pub mod types;
pub mod visit;
