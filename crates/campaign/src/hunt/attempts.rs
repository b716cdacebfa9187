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

/// Compiles and runs, asked for C23 if the text is in it and the compiler has to be. A program that it refuses once more
/// without, with the options for older C, and with those for C23, if it has such. (What C23 alone makes valid means the same
/// in all that take it.)
fn observe_older(hunt: &Hunt<'_>, at: At<'_>, meaning: &Meaning) -> Result<Option<Observation>, Error> {
    let tested = &hunt.plan.configurations[at.configuration].tested;
    let with = |asked: &[String]| -> Vec<String> { at.drawn.iter().chain(asked).cloned().collect() };
    let newer = tested.newer_for(&meaning.text);
    let mut tried = vec![with(newer)];
    let mut seen = observe_first(hunt, At { drawn: &tried[0], ..at }, meaning)?;
    // What refuses C23 at one level and takes it at another is compared as it was asked for that.
    let in_c23 = seen.clone().filter(|seen| !newer.is_empty() && is_refused(seen));
    for asked in [&[][..], &tested.older, &tested.newer] {
        let (Some(before), words) = (&seen, with(asked)) else { break };
        if !is_refused(before) || tried.contains(&words) {
            continue;
        }
        seen = after(before, observe_first(hunt, At { drawn: &words, ..at }, meaning)?);
        tried.push(words);
    }
    match (in_c23, &seen) {
        (Some(first), Some(last)) if is_refused(last) => Ok(after(last, Some(first))),
        _ => Ok(seen),
    }
}

fn is_refused(seen: &Observation) -> bool {
    matches!(seen.compile.outcome, CompileOutcome::Rejected { .. })
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
