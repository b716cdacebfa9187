//! The compiler died: an internal error, an assertion, a signal.
//!
//! What a dying compiler looks like, and what one that ran into a limit of the hunt looks like, is known by
//! [`toolchain`]; only the first is an alarm.

use super::{Case, Observation, Oracle};
use crate::configurations::INPUT;
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
                    line => format!("the compiler crashed: {}", without_directories(line)),
                },
                doubt: None,
            }),
            CompileOutcome::Rejected { .. }
            | CompileOutcome::OutOfMemory { .. }
            | CompileOutcome::DiskFull { .. }
            | CompileOutcome::OutputLimit(_)
            | CompileOutcome::ProcessLimit
            | CompileOutcome::Cancelled
            | CompileOutcome::NotStarted(_) => {
                Judgement::Inconclusive(format!("compiling: {}", seen.compile.outcome.describe()))
            }
        }
    }
}

/// A line with `/tmp/x/program.c` shortened to `program.c`: where the hunt kept it is of no interest.
fn without_directories(line: &str) -> String {
    let short = |word: &str| match word.rfind('/') {
        Some(slash) if word[slash + 1..].starts_with(INPUT) => word[slash + 1..].to_owned(),
        Some(_) | None => word.to_owned(),
    };
    line.split(' ').map(short).collect::<Vec<_>>().join(" ")
}
