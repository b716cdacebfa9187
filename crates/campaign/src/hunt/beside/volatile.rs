//! Accesses to volatile objects that a compiled program makes otherwise than the abstract machine.

use super::{Beside, micros, write_row};
use crate::accesses::{self, Meant, TRAPS, Watched, with_traps};
use crate::configurations::profile::is_trained;
use crate::configurations::{Configuration, INPUT, OUTPUT};
use crate::error::Error;
use crate::findings::Evidence;
use crate::hunt::context::{Hunt, held};
use crate::hunt::meaning::{Meaning, machine_options};
use crate::hunt::observe::limits;
use crate::hunt::raise::Tested;
use crate::oracles::volatile::AccessFacts;
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, Named, OracleName, Stage};
use std::fs;
use std::sync::PoisonError;
use toolchain::compiler::CompileOutcome;

/// Runs the program of each configuration under the tracer.
pub(super) fn changed(
    hunt: &Hunt<'_>,
    tested: &Tested<'_>,
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    for (model, meaning) in tested.meanings.models.iter().enumerate() {
        if !matches!(meaning.truth, Truth::Known { .. }) || meaning.units.is_some() {
            continue;
        }
        let meant = Meant::of(&meaning.text, &machine_options(hunt, &hunt.plan.models[model]));
        if meant.left_out > 0 {
            not_asked(hunt, "too many places or accesses", meant.left_out);
        }
        if meant.is_empty() {
            continue;
        }
        for (number, configuration) in hunt.plan.configurations.iter().enumerate() {
            if configuration.model != model || !is_asked(configuration) || !tested.program.is_for(number) {
                continue;
            }
            if let Some(why) = &hunt.plan.unwatchable {
                not_asked(hunt, why, 1);
                continue;
            }
            let Some(()) = ask(hunt, (tested, meaning), configuration, &meant, beside)? else {
                return Ok(None);
            };
        }
    }
    Ok(Some(()))
}

/// Can its programs be watched as they are run in a hunt?
fn is_asked(configuration: &Configuration) -> bool {
    accesses::is_asked(&configuration.tested)
        && !configuration.is_sanitized()
        && !is_trained(configuration.level.split_whitespace())
}

fn not_asked(hunt: &Hunt<'_>, why: &str, count: usize) {
    *held(&hunt.volatile).not_asked.entry(why.to_owned()).or_default() += count as u64;
}

/// Compiles the program, watches it, and raises an alarm for the first place that is treated otherwise.
fn ask(
    hunt: &Hunt<'_>,
    (tested, meaning): (&Tested<'_>, &Meaning),
    configuration: &Configuration,
    meant: &Meant,
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    let no_dir = |error: std::io::Error| Error::file("make a directory in", hunt.scratch.path(), &error);
    let (dir, cwd) = (hunt.scratch.dir().map_err(no_dir)?, hunt.scratch.dir().map_err(no_dir)?);
    let input = dir.file(INPUT);
    fs::write(&input, &meaning.text).map_err(|error| Error::file("write", &input, &error))?;
    let shared = hunt.quiet.read().unwrap_or_else(PoisonError::into_inner);
    let reading = &configuration.reading(&meaning.text);
    let job = reading.compilation(dir.path(), &hunt.options.compile_limits());
    let compiled = configuration.tested.compiler.compile(&job);
    beside.compilers_us += micros(&compiled.usage);
    match compiled.outcome {
        CompileOutcome::Ok => {}
        CompileOutcome::Cancelled => return Ok(None),
        _ => return Ok(Some(())),
    }
    let limits = with_traps(limits(hunt, &meaning.truth, Stage::Run, false));
    let Some(spec) = reading.execute(dir.path(), cwd.path(), &limits, &hunt.options.input) else {
        return Ok(Some(()));
    };
    let watched = match meant.watch(&dir.file(OUTPUT), &spec) {
        Ok(watched) => watched,
        Err(None) => return Ok(None),
        Err(Some(why)) => {
            not_asked(hunt, &why, 1);
            return Ok(Some(()));
        }
    };
    drop(shared);
    count(hunt, &watched);
    match watched.wrong.first() {
        Some(facts) => raise(hunt, (tested, meaning), configuration, facts, beside),
        None => Ok(Some(())),
    }
}

fn count(hunt: &Hunt<'_>, watched: &Watched) {
    if watched.left_out > 0 {
        not_asked(hunt, "objects in parts or without symbols", watched.left_out);
    }
    if watched.compared.is_empty() {
        return;
    }
    let mut counts = held(&hunt.volatile);
    counts.compared += 1;
    counts.places += watched.compared.len() as u64;
    counts.accesses += watched.accesses;
}

fn raise(
    hunt: &Hunt<'_>,
    (tested, meaning): (&Tested<'_>, &Meaning),
    configuration: &Configuration,
    facts: &AccessFacts,
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    let family = configuration.family().name();
    let alarm = Alarm {
        kind: FindingKind::Volatile,
        oracle: OracleName::Volatile,
        stage: Stage::Run,
        signature: format!("{family} {}: {}", configuration.level_of_any_text(), facts.difference.name()),
        summary: facts.summary(),
        doubt: None,
    };
    let evidence = Evidence {
        campaign: hunt.key,
        seed: tested.seed,
        program: &tested.program.name,
        text: &meaning.text,
        source_command: tested.program.command.as_deref(),
        variant: None,
        units: None,
        configuration: &configuration.reading(&meaning.text),
        alarm: &alarm,
        against: None,
        accesses: Some(facts),
        truth: &meaning.truth,
        run: None,
        compiler_stderr: &[],
        input: &hunt.options.input,
        limit: limits(hunt, &meaning.truth, Stage::Run, true).cpu.unwrap_or_default() + TRAPS,
    };
    write_row(hunt, &evidence, beside)
}
