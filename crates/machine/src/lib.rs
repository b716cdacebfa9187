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
pub mod restrict;
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
    run_noting_order(unit, options).0
}

/// Runs a unit, and if something unspecified could have mattered, again with the other choice: objects at other
/// addresses where addresses were seen, operands right to left where both sides call. The outcome says whether
/// behaviour changed.
pub fn judge(unit: &Unit, options: &Options) -> Run {
    let (mut run, order_chosen) = run_noting_order(unit, options);
    let Verdict::Defined(outcome) = &mut run.verdict else { return run };
    let differs = |outcome: &Outcome, other: Options| match self::run(unit, &other).verdict {
        Verdict::Defined(again) => {
            (again.exit, &again.stdout, &again.stderr) != (outcome.exit, &outcome.stdout, &outcome.stderr)
        }
        Verdict::Undefined { .. } | Verdict::Unsupported { .. } | Verdict::Exhausted(_) => true,
    };
    if outcome.address_dependent {
        let moved = Options { layout_shift: options.layout_shift + 0x35_7000, ..options.clone() };
        outcome.address_dependent = differs(outcome, moved);
    }
    if order_chosen {
        outcome.order_dependent = differs(outcome, Options { reverse: !options.reverse, ..options.clone() });
    }
    run
}

fn run_noting_order(unit: &Unit, options: &Options) -> (Run, bool) {
    let program = match lower::lower(unit, options) {
        Ok(program) => program,
        Err(what) => return (stopped(Verdict::Unsupported { what: what.what, span: what.span }), false),
    };
    let run = match vm::Vm::new(unit, &program, options) {
        Ok(vm) => vm.run(),
        Err(stop) => stopped(match *stop {
            stop::Stop::Exhausted(budget) => Verdict::Exhausted(budget),
            other => Verdict::Unsupported { what: format!("{other:?}"), span: Span::NONE },
        }),
    };
    (run, program.order_chosen)
}

fn stopped(verdict: Verdict) -> Run {
    Run { verdict, steps: 0, stdout: Vec::new(), stderr: Vec::new(), profile: Default::default() }
}
