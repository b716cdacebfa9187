//! One program through the machine and every configuration.

use super::worker::Hunt;
use crate::configuration::{Configuration, INPUT, unit_file};
use crate::emi::Units;
use crate::error::Error;
use crate::findings::{self, Evidence};
use crate::oracles::{self, Case, Observation};
use crate::preprocess;
use crate::sources::{Failure, Program};
use crate::store::{ProgramRow, ResultRow};
use crate::truth::{self, Truth};
use crate::verdict::{Judgement, Limit, Rejection, Stage};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use toolchain::compiler::{CompileOutcome, Compiled, PreprocessError, Source};
use toolchain::process::{Limits, Outcome, SpawnError, Usage, run};

/// How much longer a job may take that has the machine for itself.
const ALONE: u32 = 2;

/// The text and meaning of a program in one data model.
pub(super) struct Meaning {
    pub text: Arc<[u8]>,
    pub truth: Truth,
    /// Compiled instead of the text.
    pub units: Option<Arc<Units>>,
}

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
    let (program, descended) = match super::variant::of(hunt, program, number, index) {
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
                Some(descended) => super::variant::smallest(hunt, descended, seen, alarm)?,
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

/// The program's text and meaning in each data model. `None` when plumb was stopped.
fn meanings(hunt: &Hunt<'_>, program: &Program, units: Option<Arc<Units>>) -> Option<Vec<Meaning>> {
    let needed = preprocess::is_needed(&program.text);
    let plain: Arc<[u8]> = Arc::from(program.text.as_slice());
    let mut all = Vec::new();
    for (number, target) in hunt.plan.models.iter().enumerate() {
        let text = if needed {
            match preprocessed(hunt, program, number) {
                Ok(text) => Arc::from(text),
                Err(PreprocessError::Cancelled) => return None,
                Err(error) => {
                    let truth = Truth::rejected("not preprocessed", error.to_string(), Limit::Program);
                    all.push(Meaning { text: Arc::clone(&plain), truth, units: None });
                    continue;
                }
            }
        } else {
            Arc::clone(&plain)
        };
        let truth = truth::of(&text, &program.name, &machine_options(hunt, target));
        all.push(Meaning { text, truth, units: units.clone() });
    }
    Some(all)
}

/// How the machine runs programs of this campaign.
pub(super) fn machine_options(hunt: &Hunt<'_>, target: &csyntax::target::Target) -> machine::Options {
    machine::Options {
        target: target.clone(),
        max_steps: hunt.options.max_steps,
        ..machine::Options::default()
    }
}

/// Preprocesses with the first compiler of a data model: its headers fit.
pub(super) fn preprocessed(
    hunt: &Hunt<'_>,
    program: &Program,
    model: usize,
) -> Result<Vec<u8>, PreprocessError> {
    let of_model = |c: &&Configuration| c.model == model;
    let command = match hunt.plan.configurations.iter().find(of_model) {
        Some(configuration) => configuration.tested.compiler.name(),
        None => "cc".to_owned(),
    };
    let include = program.include.iter().map(|dir| {
        let mut word = std::ffi::OsString::from("-I");
        word.push(dir);
        word
    });
    let source = match &program.file {
        Some(path) => Source::File(path.clone()),
        None => Source::Text { bytes: Arc::from(program.text.as_slice()), dir: PathBuf::from(".") },
    };
    let include: Vec<_> = include.collect();
    preprocess::run(hunt.options.preprocessor, Some(&command), &include, &source).map(|done| done.text)
}

fn limits(hunt: &Hunt<'_>, truth: &Truth, stage: Stage, alone: bool) -> Limits {
    let mut limits = match (stage, truth) {
        (Stage::Compile, _) => hunt.options.compile_limits(),
        (Stage::Run, Truth::Known { outcome, steps }) => {
            hunt.options.run_limits(*steps, outcome.stdout.len())
        }
        (Stage::Run, Truth::Rejected(_)) => hunt.options.run_limits(0, 1 << 20),
    };
    if alone {
        let longer = |time: Option<Duration>| time.map(|time| time * ALONE);
        limits.wall = longer(limits.wall);
        limits.cpu = longer(limits.cpu);
    }
    limits
}

/// Compiles and runs in one configuration. `None` when plumb was stopped.
pub(super) fn observe(
    hunt: &Hunt<'_>,
    number: usize,
    meaning: &Meaning,
    alone: bool,
) -> Result<Option<Observation>, Error> {
    let configuration = &hunt.plan.configurations[number];
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
    let compile = match &meaning.units {
        Some(units) => compile_units(configuration, units, dir.path(), &compile_limits)?,
        None => {
            configuration.tested.compiler.compile(&configuration.compilation(dir.path(), &compile_limits))
        }
    };
    if let Some(error) = fatal(configuration, &compile.outcome) {
        return Err(error);
    }
    let run = match compile.outcome {
        CompileOutcome::Ok => {
            let limits = limits(hunt, &meaning.truth, Stage::Run, alone);
            configuration.execute(dir.path(), cwd.path(), &limits).map(|spec| run(&spec))
        }
        CompileOutcome::Cancelled => return Ok(None),
        _ => None,
    };
    if run.as_ref().is_some_and(|run| run.outcome == Outcome::Cancelled) {
        return Ok(None);
    }
    Ok(Some(Observation { configuration: number, compile, run, alone }))
}

/// Compiles each unit and links them; the first step that fails is the answer, with what all steps cost.
fn compile_units(
    configuration: &Configuration,
    units: &Units,
    dir: &Path,
    limits: &Limits,
) -> Result<Compiled, Error> {
    let compiler = &configuration.tested.compiler;
    let mut objects = Vec::with_capacity(units.texts.len());
    let mut spent = Usage::default();
    let mut add = |mut done: Compiled| {
        spent.user += done.usage.user;
        spent.system += done.usage.system;
        spent.wall += done.usage.wall;
        spent.max_rss = spent.max_rss.max(done.usage.max_rss);
        done.usage = spent;
        done
    };
    for (number, text) in units.texts.iter().enumerate() {
        let (source, object) = (dir.join(unit_file(number)), dir.join(format!("unit-{number}.o")));
        fs::write(&source, text).map_err(|error| Error::file("write", &source, &error))?;
        let level = units.level(number, &configuration.level);
        let done = add(compiler.compile(&configuration.unit(&source, &object, level, units.lto, limits)));
        if done.outcome != CompileOutcome::Ok {
            return Ok(done);
        }
        objects.push(object);
    }
    Ok(add(compiler.compile(&configuration.link(&objects, dir, units.lto, limits))))
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

/// Judges all observations. What looks like an alarm or a time-out is observed again with nothing beside it, and
/// only what shows again is believed. `None` when plumb was stopped.
fn judge(
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
