//! What the oracles say of a program, and whether it is believed.

use super::context::Hunt;
use super::meaning::Meaning;
use super::observe::observe;
use crate::error::Error;
use crate::oracles::{self, Case, Observation};
use crate::truth::Truth;
use crate::verdict::Judgement;
use toolchain::compiler::CompileOutcome;
use toolchain::process::Outcome;

/// Judges all observations. What looks like an alarm or a time-out is observed again with nothing beside it, and
/// only what shows again is believed. `None` when plumb was stopped.
pub(super) fn judge(
    hunt: &Hunt<'_>,
    meanings: &[Meaning],
    truths: &[Truth],
    observations: &mut [Observation],
) -> Result<Option<Vec<Judgement>>, Error> {
    let ask = |observations: &[Observation], index: usize| {
        let case = Case {
            configurations: &hunt.plan.configurations,
            truths,
            observations,
            differential: hunt.options.differential,
        };
        oracles::judge(&case, &observations[index])
    };
    let first: Vec<Judgement> = (0..observations.len()).map(|index| ask(observations, index)).collect();
    for (index, judgement) in first.iter().enumerate() {
        let seen = &observations[index];
        if matches!(judgement, Judgement::Alarm(_)) || ran_out_of_time(seen) {
            let number = seen.configuration;
            let model = hunt.plan.configurations[number].model;
            match observe(hunt, number, &meanings[model], true)? {
                Some(again) => observations[index] = again,
                None => return Ok(None),
            }
        }
    }
    let second = (0..observations.len()).map(|index| ask(observations, index));
    Ok(Some(first.iter().zip(second).map(|(first, second)| believe(first, second)).collect()))
}

fn ran_out_of_time(seen: &Observation) -> bool {
    matches!(seen.compile.outcome, CompileOutcome::TimedOut(_))
        || seen.run.as_ref().is_some_and(|run| matches!(run.outcome, Outcome::TimedOut(_)))
}

fn believe(first: &Judgement, second: Judgement) -> Judgement {
    match (first, second) {
        (Judgement::Alarm(alarm), Judgement::Pass | Judgement::Silent) => {
            Judgement::Inconclusive(format!("not seen again when repeated: {}", alarm.kind.name()))
        }
        (_, second) => second,
    }
}
