//! The compiler died: an internal error, an assertion, a signal.
//!
//! What a dying compiler looks like, and what one that ran into a limit of the hunt looks like, is known by
//! [`toolchain`]; only the first is an alarm.

use super::{Case, Observation, Oracle};
use crate::verdict::{Alarm, Judgement, Kind, Stage};
use toolchain::compiler::CompileOutcome;

/// See the module.
pub struct Crash;

impl Oracle for Crash {
    fn name(&self) -> &'static str {
        "crash"
    }

    fn judge(&self, _: &Case<'_>, seen: &Observation) -> Judgement {
        match &seen.compile.outcome {
            // Others judge these.
            CompileOutcome::Ok | CompileOutcome::NoOutput | CompileOutcome::TimedOut(_) => Judgement::Silent,
            CompileOutcome::Crashed(crash) => Judgement::Alarm(Alarm {
                kind: Kind::Crash,
                oracle: self.name(),
                stage: Stage::Compile,
                signature: crash.signature.clone(),
                summary: match crash.line.trim() {
                    "" => format!("the compiler crashed: {}", crash.signature),
                    line => format!("the compiler crashed: {line}"),
                },
                doubt: None,
            }),
            CompileOutcome::Rejected { .. }
            | CompileOutcome::OutOfMemory { .. }
            | CompileOutcome::OutputLimit(_)
            | CompileOutcome::ProcessLimit
            | CompileOutcome::Cancelled
            | CompileOutcome::NotStarted(_) => {
                Judgement::Inconclusive(format!("compiling: {}", seen.compile.outcome.describe()))
            }
        }
    }
}
