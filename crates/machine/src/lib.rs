//! The C abstract machine: says what a C program means, or why it means nothing.
//!
//! [`run`] takes a checked unit, lowers it to typed bytecode ([`lower`]) and runs that ([`vm`]) with every check
//! of C11 on, within hard budgets. The answer is a [`Verdict`], never a boolean.

pub mod bytecode;
pub mod class;
pub mod libc;
pub mod lower;
pub mod mem;
pub mod profile;
pub mod stop;
pub mod ub;
pub mod verdict;
pub mod vm;

pub use ub::Ub;
pub use verdict::{Budget, Exit, Options, Outcome, Run, Verdict};

use csyntax::source::Span;
use csyntax::tree::Unit;

/// Runs a checked unit. Never panics on any unit that the checker made.
pub fn run(unit: &Unit, options: &Options) -> Run {
    let program = match lower::lower(unit, options.profile) {
        Ok(program) => program,
        Err(what) => return stopped(Verdict::Unsupported { what: what.what, span: what.span }),
    };
    match vm::Vm::new(unit, &program, options) {
        Ok(vm) => vm.run(),
        Err(stop) => stopped(match *stop {
            stop::Stop::Exhausted(budget) => Verdict::Exhausted(budget),
            other => Verdict::Unsupported { what: format!("{other:?}"), span: Span::NONE },
        }),
    }
}

fn stopped(verdict: Verdict) -> Run {
    Run { verdict, steps: 0, stdout: Vec::new(), stderr: Vec::new(), profile: Vec::new() }
}
