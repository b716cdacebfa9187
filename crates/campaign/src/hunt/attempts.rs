//! One program in one configuration, until the compiler answers: with drawn options and without, for older C, and at an
//! executor before it is done here.

use super::context::Hunt;
use super::elsewhere::{self, Elsewhere};
use super::meaning::Meaning;
use super::observe::{At, observe};
use crate::configurations::profile::together;
use crate::error::Error;
use crate::oracles::Observation;
use toolchain::compiler::CompileOutcome;

/// Compiles and runs with the options that were drawn. Where these keep the compiler from an answer (it refuses some
/// together, or takes too long for them), without them.
pub(super) fn observe_drawn(
    hunt: &Hunt<'_>,
    configuration: usize,
    drawn: &[String],
    meaning: &Meaning,
) -> Result<Option<Observation>, Error> {
    let seen = observe_older(hunt, At { configuration, drawn }, meaning)?;
    let answers =
        |outcome: &CompileOutcome| matches!(outcome, CompileOutcome::Ok | CompileOutcome::Crashed(_));
    match seen {
        Some(seen) if !drawn.is_empty() && !answers(&seen.compile.outcome) => {
            Ok(after(&seen, observe_older(hunt, At { configuration, drawn: &[] }, meaning)?))
        }
        seen => Ok(seen),
    }
}

/// Compiles and runs; a program that the compiler refuses once more with the options for older C, and then with those for
/// C23, if it has such. (What C23 alone makes valid means the same in all that take it.)
fn observe_older(hunt: &Hunt<'_>, at: At<'_>, meaning: &Meaning) -> Result<Option<Observation>, Error> {
    let tested = &hunt.plan.configurations[at.configuration].tested;
    let mut seen = observe_first(hunt, at, meaning)?;
    for asked in [&tested.older, &tested.newer] {
        let Some(before) = &seen else { break };
        if asked.is_empty() || !matches!(before.compile.outcome, CompileOutcome::Rejected { .. }) {
            continue;
        }
        let words: Vec<String> = at.drawn.iter().chain(asked).cloned().collect();
        seen = after(before, observe_first(hunt, At { drawn: &words, ..at }, meaning)?);
    }
    Ok(seen)
}

/// What was seen last, with what the attempt before cost.
fn after(before: &Observation, seen: Option<Observation>) -> Option<Observation> {
    seen.map(|mut seen| {
        seen.compile.usage = together(seen.compile.usage, before.compile.usage);
        seen
    })
}

/// Compiles and runs once: at the executor, if there is one and its answer is one; else here.
fn observe_first(hunt: &Hunt<'_>, at: At<'_>, meaning: &Meaning) -> Result<Option<Observation>, Error> {
    if let Some(executor) = &hunt.options.executor {
        match elsewhere::observe(hunt, executor.as_ref(), at, meaning)? {
            Elsewhere::Passed(seen) => return Ok(Some(*seen)),
            Elsewhere::Stopped => return Ok(None),
            Elsewhere::Unknown => {}
        }
    }
    observe(hunt, at, meaning, false)
}
