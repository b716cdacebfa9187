//! Pairs of languages: how arguments, memory, results and calls of two programs relate.

mod isel;
mod open;
mod opt;
mod prove;
mod registers;

pub use isel::{Isel, Pair, isel_functions, isel_pair, isel_pair_trusting};
pub(crate) use opt::opt_left;
pub use opt::{answer_opt, opt_functions, prove_opt, run_opt_trusting};
pub use prove::{
    Ask, Report, answer_isel, prove_isel, prove_machine_function_with_itself, run_isel_trusting,
};
pub use registers::Registers;
