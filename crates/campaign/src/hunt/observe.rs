//! One program compiled and run in one configuration.

use super::context::Hunt;
use super::meaning::Meaning;
use crate::configurations::{Configuration, INPUT, profile};
use crate::error::Error;
use crate::oracles::{Compared, Observation, compare};
use crate::truth::Truth;
use crate::verdict::Stage;
use std::fs;
use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;
use toolchain::compiler::CompileOutcome;
use toolchain::process::{Finished, Limits, Outcome, SpawnError, run};

/// How much longer a job may take that has the machine for itself.
const ALONE: u32 = 2;

/// Limits of a stage of testing a program.
pub(super) fn limits(hunt: &Hunt<'_>, truth: &Truth, stage: Stage, alone: bool) -> Limits {
    let mut limits = match (stage, truth) {
        (Stage::Compile, _) => hunt.options.compile_limits(),
        (Stage::Run, Truth::Known { outcome, steps }) => {
            hunt.options.run_limits(*steps, outcome.stdout.len())
        }
        (Stage::Run, Truth::Opaque { outcome, .. }) => hunt.options.run_limits(0, outcome.stdout.len()),
        (Stage::Run, Truth::Rejected(_)) => hunt.options.run_limits(0, 1 << 20),
    };
    if alone {
        let longer = |time: Option<Duration>| time.map(|time| time * ALONE);
        limits.wall = longer(limits.wall);
        limits.cpu = longer(limits.cpu);
    }
    limits
}

/// Where a program is tried: a configuration by its number, and options drawn beside its own.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub configuration: usize,
    pub drawn: &'a [String],
}

/// Compiles and runs once. `None` when plumb was stopped.
pub(super) fn observe(
    hunt: &Hunt<'_>,
    at: At<'_>,
    meaning: &Meaning,
    alone: bool,
) -> Result<Option<Observation>, Error> {
    let configuration = &hunt.plan.configurations[at.configuration].with(at.drawn);
    let no_dir = |error: std::io::Error| Error::file("make a directory in", hunt.scratch.path(), &error);
    let dir = hunt.scratch.dir().map_err(no_dir)?;
    let cwd = hunt.scratch.dir().map_err(no_dir)?;
    let input = dir.file(INPUT);
    fs::write(&input, &meaning.text).map_err(|error| Error::file("write", &input, &error))?;
    // One of the two is held while the job runs.
    let (shared, only);
    if alone {
        only = hunt.quiet.write().unwrap_or_else(PoisonError::into_inner);
        let _ = &only;
    } else {
        shared = hunt.quiet.read().unwrap_or_else(PoisonError::into_inner);
        let _ = &shared;
    }
    let compile_limits = limits(hunt, &meaning.truth, Stage::Compile, alone);
    let run_limits = limits(hunt, &meaning.truth, Stage::Run, alone);
    let start = |configuration: &Configuration, cwd: &Path| {
        let spec = configuration.execute(dir.path(), cwd, &run_limits, &hunt.options.input);
        spec.map(|spec| run(&spec))
    };
    let built = configuration.build(
        &|configuration| match &meaning.units {
            Some(units) => configuration.compile_units(units, dir.path(), &compile_limits, None, &|job| job),
            None => {
                let job = configuration.compilation(dir.path(), &compile_limits);
                Ok(configuration.tested.compiler.compile(&job))
            }
        },
        &|trainer| start(trainer, dir.path()),
    )?;
    let compile = built.compiled;
    if let Some(error) = fatal(configuration, &compile.outcome) {
        return Err(error);
    }
    if let Some(training) = built.training.filter(|run| is_astray(configuration, &meaning.truth, run)) {
        // What has to be judged is the program that was to write the profile, where options drawn say so.
        let drawn: Vec<String> = at.drawn.iter().map(|word| profile::training(word).to_owned()).collect();
        if drawn != at.drawn {
            let run = Some(training);
            return Ok(Some(Observation { configuration: at.configuration, drawn, compile, run, alone }));
        }
    }
    let run = match compile.outcome {
        CompileOutcome::Ok => start(configuration, cwd.path()),
        CompileOutcome::Cancelled => return Ok(None),
        _ => None,
    };
    if run.as_ref().is_some_and(|run| run.outcome == Outcome::Cancelled) {
        return Ok(None);
    }
    let drawn = at.drawn.to_vec();
    Ok(Some(Observation { configuration: at.configuration, drawn, compile, run, alone }))
}

/// Did a run for a profile do something else than the program means?
fn is_astray(configuration: &Configuration, truth: &Truth, run: &Finished) -> bool {
    match truth {
        Truth::Known { outcome, .. } => {
            !matches!(compare(outcome, run, configuration.is_x86()), Compared::Same)
        }
        Truth::Opaque { .. } | Truth::Rejected(_) => false,
    }
}

/// What makes going on pointless: every further program would end the same way.
fn fatal(configuration: &Configuration, outcome: &CompileOutcome) -> Option<Error> {
    match outcome {
        CompileOutcome::DiskFull { line } => Some(Error::Resource(format!(
            "{}: the disk is full ({line}); free some space and run the same command again, nothing committed is \
             lost",
            configuration.label()
        ))),
        CompileOutcome::NotStarted(SpawnError::Cancelled) => None,
        CompileOutcome::NotStarted(error) => Some(Error::Tool {
            tool: configuration.label(),
            why: format!("it no longer starts: {error}; run the same command again when it does"),
        }),
        _ => None,
    }
}
