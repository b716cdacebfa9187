//! One program through the machine and every configuration.

use super::context::Hunt;
use super::judge::judge;
use super::meaning::meanings;
use super::observe::{limits, observe};
use super::variant;
use crate::error::Error;
use crate::findings::{self, Evidence};
use crate::oracles::Observation;
use crate::sources::{Failure, Program};
use crate::store::{ProgramRow, ResultRow};
use crate::truth::Truth;
use crate::verdict::{Judgement, Limit, Rejection};
use std::sync::Arc;
use std::time::Duration;

/// Tests one program. `None` when plumb was stopped meanwhile.
pub(super) fn program(hunt: &Hunt<'_>, seed: u64) -> Result<Option<ProgramRow>, Error> {
    let mut row = ProgramRow {
        seed,
        name: format!("seed {seed}"),
        rejected: None,
        detail: String::new(),
        strategies: String::new(),
        compilers_us: 0,
        plumb_us: 0,
        results: Vec::new(),
        findings: Vec::new(),
    };
    let (number, index) = match hunt.mutator {
        Some(mutator) => mutator.locate(seed - hunt.base()),
        None => (seed - hunt.base(), 0),
    };
    let program = match take(hunt, hunt.base() + number) {
        Ok(program) => program,
        Err(Failure::Stopped) => return Ok(None),
        Err(Failure::None(why)) => {
            row.rejected = Some(why.split(": ").next().unwrap_or_default().to_owned());
            row.detail = why;
            return Ok(Some(row));
        }
    };
    row.name.clone_from(&program.name);
    let (program, descended) = match variant::of(hunt, program, number, index) {
        Ok(made) => made,
        Err(Failure::Stopped) => return Ok(None),
        Err(Failure::None(why)) => {
            row.name = format!("{}, variant {index}", row.name);
            row.rejected = Some(why.split(": ").next().unwrap_or_default().to_owned());
            row.detail = why;
            return Ok(Some(row));
        }
    };
    row.name.clone_from(&program.name);
    let units = match &descended {
        Some(descended) => descended.variant.units.clone(),
        None => program.units.clone(),
    };
    let units = units.map(Arc::new);
    let Some(meanings) = meanings(hunt, &program, units) else { return Ok(None) };
    if let Some(descended) = &descended {
        row.strategies = descended.variant.strategies(false).join(",");
        if let Some(why) = descended.differs(&meanings[0].truth) {
            row.rejected = Some("wrong variant (please report it)".to_owned());
            row.detail = format!("{why}; its edits: {}", mutate::to_log(&descended.variant.edits));
            return Ok(Some(row));
        }
    }
    let usable = |truth: &Truth| match truth {
        Truth::Known { .. } => true,
        Truth::Rejected(rejection) => hunt.options.differential && rejection.limit != Limit::Program,
    };
    if !meanings.iter().any(|m| usable(&m.truth)) {
        if let Some(Truth::Rejected(rejection)) = meanings.first().map(|m| &m.truth) {
            row.rejected = Some(rejection.reason.clone());
            row.detail.clone_from(&rejection.detail);
        }
        return Ok(Some(row));
    }
    let mut observations = Vec::new();
    for (number, configuration) in hunt.plan.configurations.iter().enumerate() {
        let meaning = &meanings[configuration.model];
        match &meaning.truth {
            Truth::Rejected(rejection) if !usable(&meaning.truth) => {
                row.results.push(rejected(number, rejection))
            }
            Truth::Known { .. } | Truth::Rejected(_) => match observe(hunt, number, meaning, false)? {
                Some(seen) => observations.push(seen),
                None => return Ok(None),
            },
        }
    }
    let truths: Vec<Truth> = meanings.iter().map(|m| m.truth.clone()).collect();
    let Some(judged) = judge(hunt, &meanings, &truths, &mut observations)? else { return Ok(None) };
    for (seen, judgement) in observations.iter().zip(&judged) {
        row.compilers_us += cost(seen);
        row.results.push(result(seen, judgement));
        if let Judgement::Alarm(alarm) = judgement {
            let configuration = &hunt.plan.configurations[seen.configuration];
            let smallest = match &descended {
                Some(descended) => variant::smallest(hunt, descended, seen, alarm)?,
                None => None,
            };
            let (descent, found) = smallest.map_or((None, None), |(d, found)| (Some(d), found));
            let found = found.as_ref();
            let meaning = found.map_or(&meanings[configuration.model], |(meaning, _, _)| meaning);
            let (seen, alarm) = found.map_or((seen, alarm), |(_, seen, alarm)| (seen, alarm));
            let limits = limits(hunt, &meaning.truth, alarm.stage, true);
            let evidence = Evidence {
                campaign: hunt.key,
                seed,
                program: &program.name,
                text: &meaning.text,
                variant: descent.as_ref(),
                units: meaning.units.as_deref(),
                configuration,
                alarm,
                truth: &meaning.truth,
                run: seen.run.as_ref(),
                compiler_stderr: &seen.compile.stderr,
                limit: limits.cpu.unwrap_or_default(),
            };
            findings::write(&hunt.findings(), &evidence)?;
            row.findings.push(evidence.row());
        }
    }
    Ok(Some(row))
}

/// Asks the source. A generator that panics has found a bug of plumb, which must not end the hunt.
fn take(hunt: &Hunt<'_>, seed: u64) -> Result<Program, Failure> {
    let ask = std::panic::AssertUnwindSafe(|| hunt.source.program(seed));
    std::panic::catch_unwind(ask).unwrap_or_else(|_| {
        Err(Failure::None("plumb failed (please report it): the generator panicked".to_owned()))
    })
}

fn rejected(configuration: usize, rejection: &Rejection) -> ResultRow {
    ResultRow { configuration, verdict: "rejected", why: rejection.reason.clone(), compile_us: 0, run_us: 0 }
}

fn result(seen: &Observation, judgement: &Judgement) -> ResultRow {
    let why = match judgement {
        Judgement::Silent | Judgement::Pass | Judgement::Alarm(_) => String::new(),
        Judgement::Inconclusive(why) => why.clone(),
    };
    let verdict = judgement.name();
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    ResultRow {
        configuration: seen.configuration,
        verdict,
        why,
        compile_us: micros(seen.compile.usage.cpu()),
        run_us: seen.run.as_ref().map_or(0, |run| micros(run.usage.cpu())),
    }
}

fn cost(seen: &Observation) -> u64 {
    let run = seen.run.as_ref().map_or(Duration::ZERO, |run| run.usage.cpu());
    u64::try_from((seen.compile.usage.cpu() + run).as_micros()).unwrap_or(u64::MAX)
}
