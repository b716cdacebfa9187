//! Pairs of languages: how arguments, memory, results and calls of two programs relate.

mod isel;

pub use isel::{Isel, isel_functions, isel_pair};
