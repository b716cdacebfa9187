//! One program through the machine and every configuration.

use super::attempts::observe_drawn;
use super::beside;
use super::context::Hunt;
use super::judge::judge;
use super::meaning::meanings;
use super::observe::limits;
use super::opaque;
use super::raise::{Raised, Tested, write};
use super::shown::fewest_options;
use super::variant;
use crate::error::Error;
use crate::findings::Evidence;
use crate::fingerprint::Fingerprint;
use crate::oracles::Observation;
use crate::sources::{Failure, Program};
use crate::store::{ProgramRow, ResultRow, RowVerdict};
use crate::truth::Truth;
use crate::verdict::{Alarm, Inconclusive, InconclusiveKind, Limit, Named, Rejection, Verdict};
use std::sync::Arc;
use std::time::Duration;

/// What the names of programs end with whose meaning is the compilers' and not the machine's.
const OPAQUE: &str = " (meaning: unoptimised programs')";

/// Tests one program. `None` when plumb was stopped meanwhile.
pub(super) fn program(hunt: &Hunt<'_>, seed: u64) -> Result<Option<ProgramRow>, Error> {
    let mut row = ProgramRow {
        seed,
        name: format!("seed {seed}"),
        rejected: None,
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
        Err(Failure::Rejected(why)) => {
            row.rejected = Some(why);
            return Ok(Some(row));
        }
    };
    row.name.clone_from(&program.name);
    let (program, descended) = match variant::of(hunt, program, number, index) {
        Ok(made) => made,
        Err(Failure::Stopped) => return Ok(None),
        Err(Failure::Rejected(why)) => {
            row.name = format!("{}, variant {index}", row.name);
            row.rejected = Some(why);
            return Ok(Some(row));
        }
    };
    row.name.clone_from(&program.name);
    let units = match &descended {
        Some(descended) => descended.variant.units.clone(),
        None => program.units.clone(),
    };
    let units = units.map(Arc::new);
    let Some(mut meanings) = meanings(hunt, &program, units) else { return Ok(None) };
    if let Some(descended) = &descended {
        row.strategies = descended.strategies().join(",");
        if let Some(truth) = descended.opaque(&meanings.models[0].truth) {
            meanings.models[0].truth = truth;
        }
        if let Some(why) = descended.differs(&meanings.models[0].truth) {
            let edits = descended.log();
            row.rejected = Some(Rejection::WrongVariant(format!("{why}; its edits: {edits}")));
            return Ok(Some(row));
        }
    }
    if hunt.options.differential && descended.is_none() {
        opaque::fill(hunt, &mut meanings.models);
    }
    if meanings.models.iter().any(|meaning| matches!(meaning.truth, Truth::Opaque { .. })) {
        row.name.push_str(OPAQUE);
    }
    let usable = |truth: &Truth| match truth {
        Truth::Known { .. } | Truth::Opaque { .. } => true,
        Truth::Rejected(rejection) => hunt.options.differential && rejection.limit() != Limit::Program,
    };
    if !meanings.models.iter().any(|m| usable(&m.truth)) {
        if let Some(Truth::Rejected(rejection)) = meanings.models.first().map(|m| &m.truth) {
            row.rejected = Some(rejection.clone());
        }
        return Ok(Some(row));
    }
    let mut observations = Vec::new();
    for number in (0..hunt.plan.configurations.len()).filter(|number| program.is_for(*number)) {
        let meaning = meanings.of(hunt, number);
        match &meaning.truth {
            Truth::Rejected(rejection) if !usable(&meaning.truth) => {
                row.results.push(rejected(number, rejection))
            }
            Truth::Known { .. } | Truth::Opaque { .. } | Truth::Rejected(_) => {
                match observe_drawn(hunt, number, &drawn(hunt, seed, number), meaning)? {
                    Some(seen) => observations.push(seen),
                    None => return Ok(None),
                }
            }
        }
    }
    let truths: Vec<Truth> = meanings.models.iter().map(|m| m.truth.clone()).collect();
    let Some(judged) = judge(hunt, &meanings, &truths, &mut observations)? else { return Ok(None) };
    let tested = Tested { seed, program: &program, descended: descended.as_ref(), meanings: &meanings };
    for (seen, verdict) in observations.iter().zip(judged) {
        row.compilers_us += cost(seen);
        let verdict = match verdict {
            Verdict::Alarm(alarm) => match raise(hunt, &tested, seen, &alarm)? {
                Raised::Finding(finding) => {
                    row.findings.push(*finding);
                    RowVerdict::Alarm
                }
                Raised::Denied => {
                    let kind = InconclusiveKind::ReproducerDenies;
                    RowVerdict::Inconclusive(Inconclusive::said(kind, alarm.kind.name()))
                }
                Raised::Stopped => return Ok(None),
            },
            Verdict::Pass => RowVerdict::Pass,
            Verdict::Inconclusive(why) => RowVerdict::Inconclusive(why),
        };
        row.results.push(result(seen, verdict));
    }
    let Some(beside) = beside::look(hunt, &tested, &observations)? else { return Ok(None) };
    row.compilers_us += beside.compilers_us;
    row.findings.extend(beside.findings);
    Ok(Some(row))
}

/// Writes an alarm's finding, a variant's with the edits that it needs, unless its reproducer denies it.
fn raise(hunt: &Hunt<'_>, tested: &Tested<'_>, seen: &Observation, alarm: &Alarm) -> Result<Raised, Error> {
    let number = seen.configuration;
    let given = tested.meanings.of(hunt, number);
    let cut = fewest_options(hunt, seen, given, alarm)?;
    let (seen, alarm) = cut.as_ref().map_or((seen, alarm), |(seen, alarm)| (seen, alarm));
    let smallest = match tested.descended {
        Some(descended) => variant::smallest(hunt, descended, seen, alarm)?,
        None => None,
    };
    let (descent, found) = smallest.map_or((None, None), |(descent, found)| (Some(descent), found));
    let (meaning, seen, alarm) = match &found {
        Some((meaning, seen, alarm)) => (meaning, seen, alarm),
        None => (given, seen, alarm),
    };
    let configuration = &hunt.plan.configurations[number].with(&seen.drawn);
    let limit = limits(hunt, &meaning.truth, alarm.stage, true).cpu.unwrap_or_default();
    let evidence = Evidence {
        campaign: hunt.key,
        seed: tested.seed,
        program: &tested.program.name,
        text: &meaning.text,
        source_command: tested.program.command.as_deref(),
        variant: descent.as_ref(),
        units: meaning.units.as_deref(),
        configuration,
        alarm,
        against: None,
        accesses: None,
        truth: &meaning.truth,
        run: seen.run.as_ref(),
        compiler_stderr: &seen.compile.stderr,
        input: &hunt.options.input,
        limit,
    };
    write(hunt, &evidence)
}

/// The options drawn for a program in a configuration: a function of both.
fn drawn(hunt: &Hunt<'_>, seed: u64, number: usize) -> Vec<String> {
    let configuration = &hunt.plan.configurations[number];
    let menu = &configuration.tested.menu;
    if menu.is_empty() {
        return Vec::new();
    }
    let named = Fingerprint::default().add(configuration.label().as_bytes()).value();
    let mut choices = mutate::choices::Choices::nth(named, seed);
    if choices.below(100) >= usize::from(hunt.options.drawn) { Vec::new() } else { menu.draw(&mut choices) }
}

/// Asks the source. A generator that panics has found a bug of plumb, which must not end the hunt.
fn take(hunt: &Hunt<'_>, seed: u64) -> Result<Program, Failure> {
    frontend::guarded(|| hunt.source.program(seed)).unwrap_or_else(|said| {
        Err(Failure::Rejected(Rejection::Internal(format!("the generator panicked: {said}"))))
    })
}

fn rejected(configuration: usize, rejection: &Rejection) -> ResultRow {
    let verdict = RowVerdict::Rejected(rejection.clone());
    ResultRow { configuration, verdict, compile_us: 0, run_us: 0 }
}

fn result(seen: &Observation, verdict: RowVerdict) -> ResultRow {
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    ResultRow {
        configuration: seen.configuration,
        verdict,
        compile_us: micros(seen.compile.usage.cpu()),
        run_us: seen.run.as_ref().map_or(0, |run| micros(run.usage.cpu())),
    }
}

fn cost(seen: &Observation) -> u64 {
    let run = seen.run.as_ref().map_or(Duration::ZERO, |run| run.usage.cpu());
    u64::try_from((seen.compile.usage.cpu() + run).as_micros()).unwrap_or(u64::MAX)
}
