//! The C abstract machine: says what a C program means, or why it means nothing.
//!
//! [`run`] takes a checked unit, lowers it to typed bytecode ([`lower`]) and runs that ([`vm`]) with every check
//! of C11 on, within hard budgets. The answer is a [`Verdict`], never a boolean.

pub mod ub;
pub mod verdict;

pub use ub::Ub;
pub use verdict::{Budget, Exit, Options, Outcome, Run, Verdict};
