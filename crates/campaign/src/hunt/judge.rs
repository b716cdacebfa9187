//! What the oracles say of a program, and whether it is believed.

use super::context::Hunt;
use super::meaning::Meanings;
use super::observe::{At, observe};
use crate::error::Error;
use crate::oracles::{self, Case, Observation};
use crate::truth::Truth;
use crate::verdict::{Inconclusive, InconclusiveKind, Named, Verdict};
use toolchain::compiler::CompileOutcome;
use toolchain::process::Outcome;

/// Judges all observations. What looks like an alarm or a time-out is observed again with nothing beside it, and
/// only what shows again is believed. `None` when plumb was stopped.
pub(super) fn judge(
    hunt: &Hunt<'_>,
    meanings: &Meanings,
    truths: &[Truth],
    observations: &mut [Observation],
) -> Result<Option<Vec<Verdict>>, Error> {
    let ask = |observations: &[Observation], index: usize| {
        let case = Case {
            configurations: &hunt.plan.configurations,
            truths,
            observations,
            differential: hunt.options.differential,
        };
        oracles::judge(&case, &observations[index])
    };
    let first: Vec<Verdict> = (0..observations.len()).map(|index| ask(observations, index)).collect();
    for (index, judgement) in first.iter().enumerate() {
        let seen = &observations[index];
        if matches!(judgement, Verdict::Alarm(_)) || ran_out_of_time(seen) {
            let (configuration, drawn) = (seen.configuration, seen.drawn.clone());
            let meaning = meanings.of(hunt, configuration);
            match observe(hunt, At { configuration, drawn: &drawn }, meaning, true)? {
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

fn believe(first: &Verdict, second: Verdict) -> Verdict {
    match (first, second) {
        (Verdict::Alarm(alarm), Verdict::Pass) => {
            Verdict::Inconclusive(Inconclusive::said(InconclusiveKind::NotRepeated, alarm.kind.name()))
        }
        (_, second) => second,
    }
}
