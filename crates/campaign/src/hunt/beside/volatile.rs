//! Accesses to volatile objects that a compiled program makes otherwise than the abstract machine.

use super::{Beside, micros, write_row};
use crate::configurations::profile::is_trained;
use crate::configurations::{Configuration, INPUT, OUTPUT};
use crate::error::Error;
use crate::findings::Evidence;
use crate::hunt::context::{Hunt, held};
use crate::hunt::meaning::{Meaning, machine_options};
use crate::hunt::observe::limits;
use crate::hunt::raise::Tested;
use crate::oracles::volatile::{AccessFacts, compare, gone};
use crate::truth::Truth;
use crate::verdict::{Alarm, FindingKind, Named, OracleName, Stage};
use machine::volatile::Place;
use std::fs;
use std::sync::PoisonError;
use std::time::Duration;
use toolchain::accesses::{Executable, Found};
use toolchain::compiler::{CompileOutcome, Family, Runner};
use toolchain::process::Window;

/// Places watched in one program at most; each run of it watches four.
const PLACES: usize = 16;
/// A place that is accessed more often is not watched: each access costs some 50 µs.
const ACCESSES: usize = 2_000;
/// Time for the traps, beside what the program takes.
const TRAPS: Duration = Duration::from_secs(10);

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
        let places = places(hunt, meaning, model);
        if places.is_empty() {
            continue;
        }
        for configuration in &hunt.plan.configurations {
            if configuration.model != model || !is_asked(configuration) {
                continue;
            }
            if let Some(why) = &hunt.plan.unwatchable {
                not_asked(hunt, why, 1);
                continue;
            }
            let Some(()) = ask(hunt, (tested, meaning), configuration, &places, beside)? else {
                return Ok(None);
            };
        }
    }
    Ok(Some(()))
}

/// Is it a compiler that says what it takes for an access, and makes programs that can be watched?
fn is_asked(configuration: &Configuration) -> bool {
    let says_so = match configuration.family() {
        Family::Gcc | Family::Clang | Family::ZigCc => true,
        Family::Tcc | Family::Pcc | Family::Unknown => false,
    };
    says_so
        && configuration.tested.x86 == Some(64)
        && configuration.tested.compiler.runner == Runner::Native
        && !configuration.is_sanitized()
        && !is_trained(configuration.level.split_whitespace())
}

fn not_asked(hunt: &Hunt<'_>, why: &str, count: usize) {
    *held(&hunt.volatile).not_asked.entry(why.to_owned()).or_default() += count as u64;
}

/// The volatile places of a program that are watched.
fn places(hunt: &Hunt<'_>, meaning: &Meaning, model: usize) -> Vec<Place> {
    let options = machine_options(hunt, &hunt.plan.models[model]);
    let Ok(checked) = frontend::check(&meaning.text, INPUT, &options.target) else { return Vec::new() };
    let mut places =
        frontend::guarded(|| machine::volatile::places(&checked.unit, &options)).unwrap_or_default();
    let before = places.len();
    places.retain(|place| place.accesses.len() <= ACCESSES);
    places.truncate(PLACES);
    if places.len() < before {
        not_asked(hunt, "too many places or accesses", before - places.len());
    }
    places
}

/// Compiles the program, watches it, and raises an alarm for the first place that is treated otherwise.
fn ask(
    hunt: &Hunt<'_>,
    (tested, meaning): (&Tested<'_>, &Meaning),
    configuration: &Configuration,
    places: &[Place],
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    let no_dir = |error: std::io::Error| Error::file("make a directory in", hunt.scratch.path(), &error);
    let (dir, cwd) = (hunt.scratch.dir().map_err(no_dir)?, hunt.scratch.dir().map_err(no_dir)?);
    let input = dir.file(INPUT);
    fs::write(&input, &meaning.text).map_err(|error| Error::file("write", &input, &error))?;
    let shared = hunt.quiet.read().unwrap_or_else(PoisonError::into_inner);
    let job = configuration.compilation(dir.path(), &hunt.options.compile_limits());
    let compiled = configuration.tested.compiler.compile(&job);
    beside.compilers_us += micros(&compiled.usage);
    match compiled.outcome {
        CompileOutcome::Ok => {}
        CompileOutcome::Cancelled => return Ok(None),
        _ => return Ok(Some(())),
    }
    let executable = match Executable::open(&dir.file(OUTPUT)) {
        Ok(executable) => executable,
        Err(why) => {
            not_asked(hunt, &why, 1);
            return Ok(Some(()));
        }
    };
    let mut limits = limits(hunt, &meaning.truth, Stage::Run, false);
    limits.wall = limits.wall.map(|time| time + TRAPS);
    limits.cpu = limits.cpu.map(|time| time + TRAPS);
    let Some(spec) = configuration.execute(dir.path(), cwd.path(), &limits, &hunt.options.input) else {
        return Ok(Some(()));
    };
    let renamed = meaning.text.windows(3).any(|word| word == b"asm");
    let (wrong, watched) = find(hunt, &executable, places, renamed);
    let wrong = match (wrong, watched.is_empty()) {
        (Some(wrong), _) => Some(wrong),
        (None, true) => None,
        (None, false) => {
            let asked: Vec<_> =
                watched.iter().map(|(place, window)| (*window, place.accesses.len())).collect();
            match executable.watch(&spec, &asked) {
                Ok(seen) => {
                    count(hunt, &watched);
                    watched.iter().zip(&seen).find_map(|((place, _), seen)| compare(place, seen))
                }
                Err(None) => return Ok(None),
                Err(Some(why)) => {
                    not_asked(hunt, &why, 1);
                    None
                }
            }
        }
    };
    drop(shared);
    match wrong {
        Some(facts) => raise(hunt, (tested, meaning), configuration, &facts, beside),
        None => Ok(Some(())),
    }
}

/// Where places are in a program; or an object that is gone although it is used, unless `asm` may have renamed it.
fn find<'p>(
    hunt: &Hunt<'_>,
    executable: &Executable,
    places: &'p [Place],
    renamed: bool,
) -> (Option<AccessFacts>, Vec<(&'p Place, Window)>) {
    let mut watched = Vec::new();
    for place in places {
        match executable.find(&place.object) {
            Found::Gone if !renamed => return (Some(gone(place)), Vec::new()),
            Found::At(address, size)
                if size == place.object_size
                    && (address + place.offset).is_multiple_of(place.size.into()) =>
            {
                watched.push((place, Window { address: address + place.offset, size: place.size }));
            }
            Found::At(..) | Found::Parts | Found::Gone => {
                not_asked(hunt, "objects in parts or without symbols", 1)
            }
        }
    }
    (None, watched)
}

fn count(hunt: &Hunt<'_>, watched: &[(&Place, Window)]) {
    let mut counts = held(&hunt.volatile);
    counts.compared += 1;
    counts.places += watched.len() as u64;
    counts.accesses += watched.iter().map(|(place, _)| place.accesses.len() as u64).sum::<u64>();
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
        signature: format!("{family} {}: {}", configuration.level, facts.difference.name()),
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
        configuration,
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
