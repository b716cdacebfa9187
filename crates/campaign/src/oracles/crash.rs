//! The compiler died: an internal error, an assertion, a signal.
//!
//! What a dying compiler looks like, and what one that ran into a limit of the hunt looks like, is known by
//! [`toolchain`]; only the first is an alarm.

use super::{Case, Observation, Oracle};
use crate::verdict::{Alarm, FindingKind, Inconclusive, InconclusiveKind, Judgement, OracleName, Stage};
use toolchain::compiler::CompileOutcome;

/// See the module.
pub struct Crash;

impl Oracle for Crash {
    fn name(&self) -> OracleName {
        OracleName::Crash
    }

    fn judge(&self, _: &Case<'_>, seen: &Observation) -> Judgement {
        match &seen.compile.outcome {
            // Others judge these.
            CompileOutcome::Ok | CompileOutcome::NoOutput | CompileOutcome::TimedOut(_) => Judgement::Silent,
            CompileOutcome::Crashed(crash) => Judgement::Alarm(Alarm {
                kind: FindingKind::Crash,
                oracle: self.name(),
                stage: Stage::Compile,
                signature: crash.signature.clone(),
                summary: match crash.line.trim() {
                    "" => format!("the compiler crashed: {}", crash.signature),
                    line => format!("the compiler crashed: {}", toolchain::scratch::inside(line)),
                },
                doubt: None,
            }),
            CompileOutcome::Rejected { line } => said(InconclusiveKind::CompilerRefused, line),
            CompileOutcome::OutOfMemory { line } => said(InconclusiveKind::CompilerMemory, line),
            CompileOutcome::DiskFull { line } => said(InconclusiveKind::CompilerDisk, line),
            CompileOutcome::OutputLimit(_) => Judgement::undecided(InconclusiveKind::CompilerOutput),
            CompileOutcome::ProcessLimit => Judgement::undecided(InconclusiveKind::CompilerProcesses),
            CompileOutcome::Cancelled => Judgement::undecided(InconclusiveKind::Cancelled),
            CompileOutcome::NotStarted(error) => {
                said(InconclusiveKind::CompilerNotStarted, &error.to_string())
            }
        }
    }
}

fn said(kind: InconclusiveKind, line: &str) -> Judgement {
    Judgement::Inconclusive(Inconclusive::said(kind, line))
}
