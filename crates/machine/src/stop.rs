//! Why a run stops before its end: one type from every check up to the verdict.

use crate::ub::Ub;
use crate::verdict::{Budget, Exit};

/// The reason.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Undefined behaviour, with what happened in words.
    Undefined(Ub, String),
    /// Something the machine does not know.
    Unsupported(String),
    /// A budget ran out.
    Exhausted(Budget),
    /// `exit`, `abort`, or a signal the program raised.
    Exit(Exit),
    /// `longjmp` to the `setjmp` with this number, with this value.
    Longjmp(u64, i32),
    /// A nonlocal goto, out of a function that the library called, to this label constant.
    Goto(u32),
    /// A statement was reached that was left out because it was not expected to run.
    Cold,
}

/// Result of everything that can stop a run; boxed to keep the hot path's results small.
pub type Res<T> = Result<T, Box<Stop>>;

/// Undefined behaviour.
#[cold]
pub fn undefined<T>(ub: Ub, detail: impl Into<String>) -> Res<T> {
    Err(Box::new(Stop::Undefined(ub, detail.into())))
}

/// Unsupported.
#[cold]
pub fn unsupported<T>(what: impl Into<String>) -> Res<T> {
    Err(Box::new(Stop::Unsupported(what.into())))
}

/// Out of budget.
#[cold]
pub fn exhausted<T>(budget: Budget) -> Res<T> {
    Err(Box::new(Stop::Exhausted(budget)))
}
