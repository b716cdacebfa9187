//! Pairs of languages: how arguments, memory, results and calls of two programs relate.

mod isel;
mod opt;
mod prove;

pub use isel::{Isel, Pair, isel_functions, isel_pair};
pub use opt::{Opt, answer_opt, opt_functions, prove_opt};
pub use prove::{Ask, answer_isel, prove_isel};
