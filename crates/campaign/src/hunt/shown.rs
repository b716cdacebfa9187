//! Does one program still raise an alarm in one configuration? Asked while edits and options are cut away.

use super::context::Hunt;
use super::meaning::Meaning;
use super::observe::{At, observe};
use crate::configurations::draw::groups;
use crate::error::Error;
use crate::oracles::{self, Case, Observation};
use crate::verdict::{Alarm, FindingKind, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};
use toolchain::compiler::CompileOutcome;

/// The observation and the alarm, if the program raises the same alarm there.
pub(super) fn shows(
    hunt: &Hunt<'_>,
    at: At<'_>,
    meaning: &Meaning,
    alarm: &Alarm,
) -> Result<Option<(Observation, Alarm)>, Error> {
    let Some(seen) = observe(hunt, at, meaning, false)? else { return Ok(None) };
    let truths = vec![meaning.truth.clone(); hunt.plan.models.len()];
    let mut observations = vec![seen];
    if alarm.kind == FindingKind::Refusal {
        observations.extend(taken_elsewhere(hunt, at, meaning)?);
    }
    let case = Case {
        configurations: &hunt.plan.configurations,
        truths: &truths,
        observations: &observations,
        differential: false,
    };
    let judged = oracles::judge(&case, &observations[0]);
    let seen = observations.swap_remove(0);
    Ok(match judged {
        Verdict::Alarm(again) if again.kind == alarm.kind && again.signature == alarm.signature => {
            Some((seen, again))
        }
        Verdict::Alarm(_) | Verdict::Pass | Verdict::Inconclusive(_) => None,
    })
}

/// What the compiler makes of the program at the first other level at which it takes it.
fn taken_elsewhere(hunt: &Hunt<'_>, at: At<'_>, meaning: &Meaning) -> Result<Option<Observation>, Error> {
    let all = &hunt.plan.configurations;
    for (number, other) in all.iter().enumerate().filter(|(number, _)| *number != at.configuration) {
        if !Arc::ptr_eq(&other.tested, &all[at.configuration].tested) {
            continue;
        }
        let seen = observe(hunt, At { configuration: number, ..at }, meaning, false)?;
        if let Some(seen) = seen.filter(|seen| seen.compile.outcome == CompileOutcome::Ok) {
            return Ok(Some(seen));
        }
    }
    Ok(None)
}

/// Compilations spent on finding the fewest options.
const TRIES: usize = 60;
/// Time spent on it.
const TIME: Duration = Duration::from_secs(120);

/// An alarm with the fewest drawn options that still show it. `None` where there is nothing to cut, or nothing shows.
pub(super) fn fewest_options(
    hunt: &Hunt<'_>,
    seen: &Observation,
    meaning: &Meaning,
    alarm: &Alarm,
) -> Result<Option<(Observation, Alarm)>, Error> {
    let begun = Instant::now();
    let (mut best, mut failed) = (None, None);
    let mut holds = |kept: &[Vec<String>]| {
        if begun.elapsed() > TIME || failed.is_some() {
            return false;
        }
        let at = At { configuration: seen.configuration, drawn: &kept.concat() };
        match shows(hunt, at, meaning, alarm) {
            Ok(Some(found)) => {
                best = Some(found);
                true
            }
            Ok(None) => false,
            Err(error) => {
                failed = Some(error);
                false
            }
        }
    };
    let all = groups(&seen.drawn);
    if !all.is_empty() && !holds(&[]) {
        mutate::minimize(&all, TRIES, holds);
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(best),
    }
}
