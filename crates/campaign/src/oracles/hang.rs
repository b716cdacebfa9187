//! The compiler, or a program that the machine saw end, does not end.
//!
//! Time limits are the hunt's own, and a busy machine makes everything slow: so a time-out counts only for a job
//! that ran alone. For compiled programs the limit grows with the steps the machine needed
//! ([`crate::hunt`]), so a program that is merely long is not called hanging.

use super::{Case, Observation, Oracle};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, InconclusiveKind, Judgement, OracleName, Stage};
use toolchain::compiler::CompileOutcome;
use toolchain::process::{Finished, Outcome, Usage};

/// See the module.
pub struct Hang;

impl Oracle for Hang {
    fn name(&self) -> OracleName {
        OracleName::Hang
    }

    fn judge(&self, case: &Case<'_>, seen: &Observation) -> Judgement {
        if matches!(seen.compile.outcome, CompileOutcome::TimedOut(_)) {
            let text = format!("the compiler did not end within {}", spent(seen.compile.usage));
            return self.answer(seen, Stage::Compile, text);
        }
        let Some(run) = seen.run.as_ref().filter(|run| timed_out(run)) else { return Judgement::Silent };
        match case.truth(seen) {
            Truth::Known { steps, .. } => {
                let text = format!(
                    "the program ends after {steps} steps of the abstract machine, but compiled it was still \
                     running after {}",
                    spent(run.usage)
                );
                self.answer(seen, Stage::Run, text)
            }
            Truth::Opaque { .. } | Truth::Rejected(_) => Judgement::undecided(InconclusiveKind::RunTime),
        }
    }
}

impl Hang {
    fn answer(&self, seen: &Observation, stage: Stage, summary: String) -> Judgement {
        if !seen.alone {
            return Judgement::undecided(match stage {
                Stage::Compile => InconclusiveKind::CompilerTime,
                Stage::Run => InconclusiveKind::RunTime,
            });
        }
        Judgement::Alarm(Alarm {
            kind: FindingKind::Hang,
            oracle: self.name(),
            stage,
            signature: String::new(),
            summary,
            doubt: None,
        })
    }
}

/// Whether a job ran into a time limit.
fn timed_out(job: &Finished) -> bool {
    matches!(job.outcome, Outcome::TimedOut(_))
}

fn spent(usage: Usage) -> String {
    format!("{:.1} s ({:.1} s of CPU time)", usage.wall.as_secs_f64(), usage.cpu().as_secs_f64())
}
