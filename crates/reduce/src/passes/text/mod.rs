//! Passes that know no language: lines, brackets, tokens.

pub mod blanks;
pub mod brackets;
pub mod chunks;
pub mod comments;
pub mod elements;
pub mod integers;
pub mod lines;
pub mod names;
pub mod peephole;
pub mod pretty;
pub mod statements;
pub mod ternary;
pub mod token_runs;
mod tokened;
pub mod unwrap;
