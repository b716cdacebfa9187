//! The C abstract machine: says what a C program means, or why it means nothing.
//!
//! [`run`] takes a checked unit, lowers it to typed bytecode ([`lower`]) and runs that ([`vm`]) with every check
//! of C11 on, within hard budgets. The answer is a [`Verdict`], never a boolean.

pub mod bytecode;
pub mod class;
pub mod kin;
pub mod libc;
pub mod lower;
pub mod mem;
pub mod profile;
pub mod restrict;
pub mod stop;
pub mod ub;
pub mod verdict;
pub mod verify;
pub mod vm;
pub mod volatile;

pub use ub::Ub;
pub use verdict::{Budget, Exit, Options, Outcome, Run, Verdict};

use csyntax::source::Span;
use csyntax::tree::Unit;
use lower::Lowered;

/// Runs a checked unit. Never panics on any unit that the checker made.
pub fn run(unit: &Unit, options: &Options) -> Run {
    let run = match Lowered::new(unit, options) {
        Ok(lowered) => execute(unit, &lowered, options),
        Err(what) => unsupported(what),
    };
    if run.cold { self::run(unit, &whole(options)) } else { run }
}

/// With nothing left out.
fn whole(options: &Options) -> Options {
    Options { cold: None, ..options.clone() }
}

/// A run, and the runs with the other choices where something unspecified could have mattered.
#[derive(Debug)]
pub struct Runs {
    /// The run.
    pub run: Run,
    /// With objects at other addresses, where addresses were seen.
    pub moved: Option<Run>,
    /// In the other order of evaluation, where an order was chosen that a call could tell apart.
    pub mirrored: Option<Run>,
}

/// Runs a unit, and again with the other choice if that could matter: objects at other addresses where addresses were
/// seen (or there is what only a compiler can answer), operands right to left where both sides call. A program that is
/// not defined is run once.
pub fn runs(unit: &Unit, options: &Options) -> Runs {
    let lowered = match Lowered::new(unit, options) {
        Ok(lowered) => lowered,
        Err(what) => return Runs { run: unsupported(what), moved: None, mirrored: None },
    };
    let run = execute(unit, &lowered, options);
    if run.cold {
        return runs(unit, &whole(options));
    }
    let mut all = Runs { run, moved: None, mirrored: None };
    let Verdict::Defined(outcome) = &all.run.verdict else { return all };
    if outcome.address_dependent || lowered.program().asks_compiler {
        let shifted = Options { layout_shift: options.layout_shift + 0x35_7000, ..options.clone() };
        all.moved = Some(self::run(unit, &shifted));
    }
    if !all.run.reordered.is_empty() {
        let mirrored = match lowered.mirror(options, &all.run.reordered) {
            Ok(mirrored) => execute(unit, &mirrored, options),
            Err(what) => unsupported(what),
        };
        let again = || self::run(unit, &Options { reverse: !options.reverse, ..whole(options) });
        all.mirrored = Some(if mirrored.cold { again() } else { mirrored });
    }
    all
}

/// As [`runs`]; the outcome says whether behaviour changed.
pub fn judge(unit: &Unit, options: &Options) -> Run {
    let Runs { mut run, moved, mirrored } = runs(unit, options);
    // One of the choices that C leaves open leads there.
    if let Some(moved) = moved.as_ref().filter(|moved| matches!(moved.verdict, Verdict::Undefined { .. })) {
        return moved.clone();
    }
    if let Verdict::Defined(outcome) = &mut run.verdict {
        outcome.address_dependent = moved.is_some_and(|other| other.differs(outcome));
        outcome.order_dependent = mirrored.is_some_and(|other| other.differs(outcome));
    }
    run
}

impl Run {
    /// The answer to a program that was not started, since the machine has no meaning for something in its text.
    pub fn unsupported(what: String, span: Span) -> Run {
        stopped(Verdict::Unsupported { what, span })
    }

    /// Is what this run shows anything but this outcome?
    pub fn differs(&self, outcome: &Outcome) -> bool {
        match &self.verdict {
            Verdict::Defined(again) => {
                (again.exit, &again.stdout, &again.stderr) != (outcome.exit, &outcome.stdout, &outcome.stderr)
            }
            Verdict::Undefined { .. } | Verdict::Unsupported { .. } | Verdict::Exhausted(_) => true,
        }
    }
}

fn execute(unit: &Unit, lowered: &Lowered<'_>, options: &Options) -> Run {
    match vm::Vm::new(unit, lowered.program(), options) {
        Ok(vm) => vm.run(),
        Err(stop) => stopped(match *stop {
            stop::Stop::Exhausted(budget) => Verdict::Exhausted(budget),
            other => Verdict::Unsupported { what: format!("{other:?}"), span: Span::NONE },
        }),
    }
}

fn unsupported(what: lower::Unsupported) -> Run {
    stopped(Verdict::Unsupported { what: what.what, span: what.span })
}

fn stopped(verdict: Verdict) -> Run {
    Run {
        verdict,
        steps: 0,
        stdout: Vec::new(),
        stderr: Vec::new(),
        profile: Default::default(),
        volatile: Vec::new(),
        reordered: Vec::new(),
        cold: false,
    }
}
