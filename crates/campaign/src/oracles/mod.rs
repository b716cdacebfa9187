//! Oracles: each decides one kind of question about one program in one configuration.
//!
//! To add an oracle: one file here that implements [`Oracle`], one line in [`ORACLES`], and a canary under
//! `tests/hunt/canaries/` that only it catches. An oracle sees a [`Case`] (the program's true meaning and what
//! every configuration made of it) and judges one of its observations. It never runs anything, so it can be
//! tested with made-up observations. It must not alarm on what the hunt did itself, such as limits it set: the
//! engine repeats every alarm alone on the machine before it is believed, but a limit stays a limit.
//!
//! Three more are asked for by name and compare configurations with each other: [`missed_optimisation`],
//! [`slow_compilation`], [`debug_info`] and [`volatile`]. What they find is no wrong code, so no result of a program in a configuration is theirs.

mod crash;
pub mod debug_info;
mod disagreement;
mod hang;
pub mod missed_optimisation;
pub mod refusal;
mod sanitizer;
pub mod slow_compilation;
mod unoptimised;
pub mod volatile;
mod wrong_code;

pub(crate) use wrong_code::same_signal;
pub use wrong_code::{Compared, compare};

use crate::configurations::Configuration;
use crate::truth::Truth;
use crate::verdict::{Judgement, OracleName, Verdict};
use toolchain::compiler::Compiled;
use toolchain::process::Finished;

/// What one configuration made of the program.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Index into [`Case::configurations`].
    pub configuration: usize,
    /// Options that were drawn for it, beside the configuration's own.
    pub drawn: Vec<String>,
    /// How the compiler ended.
    pub compile: Compiled,
    /// How the compiled program ended; `None` when there was none to run.
    pub run: Option<Finished>,
    /// Whether nothing else ran beside it.
    pub alone: bool,
}

/// One program with its meaning and all observations made so far.
pub struct Case<'a> {
    /// The configurations of the campaign.
    pub configurations: &'a [Configuration],
    /// The truth in each data model of the campaign, by [`Configuration::model`].
    pub truths: &'a [Truth],
    /// What was observed, in no particular order.
    pub observations: &'a [Observation],
    /// Whether compilers may be compared with each other where the machine has no answer.
    pub differential: bool,
}

impl Case<'_> {
    /// The configuration of an observation.
    pub fn configuration(&self, seen: &Observation) -> &Configuration {
        &self.configurations[seen.configuration]
    }

    /// The program's meaning in the data model of an observation.
    pub fn truth(&self, seen: &Observation) -> &Truth {
        &self.truths[self.configuration(seen).model]
    }
}

/// One way to tell that a compiler is wrong. See the module's text for how to add one.
pub trait Oracle: Sync {
    /// The stable name, as in findings.
    fn name(&self) -> OracleName;

    /// Judges one observation in the light of the case. Must depend on nothing else.
    fn judge(&self, case: &Case<'_>, seen: &Observation) -> Judgement;
}

/// All oracles.
pub const ORACLES: &[&dyn Oracle] = &[
    &crash::Crash,
    &hang::Hang,
    &refusal::Refusal,
    // Before the next, which sees of a report that the program ended otherwise.
    &sanitizer::Sanitizer,
    &wrong_code::WrongCode,
    &disagreement::Disagreement,
    &unoptimised::Unoptimised,
];

/// The joined answer of all oracles.
pub fn judge(case: &Case<'_>, seen: &Observation) -> Verdict {
    Verdict::join(ORACLES.iter().map(|oracle| oracle.judge(case, seen)))
}
