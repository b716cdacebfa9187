//! What is looked for beside wrong code, where it is asked for: optimisations that one configuration misses and another
//! does not, compilations that cost out of line, code that debug information changes, and accesses to volatile objects.
//! All are about a program whose meaning is known; none changes the verdict on it.

mod debug_info;
mod missed;
mod slow;
mod volatile;

use super::context::Hunt;
use super::meaning::Meaning;
use super::observe::limits;
use super::raise::{Raised, Tested, write};
use crate::configurations::{Configuration, INPUT, OUTPUT};
use crate::error::Error;
use crate::findings::{Against, Evidence};
use crate::oracles::Observation;
use crate::store::FindingRow;
use crate::verdict::{Alarm, FindingKind, Stage};
use std::fs;
use std::sync::PoisonError;
use toolchain::compiler::{CompileOutcome, Compiled};
use toolchain::process::Usage;

/// What looking came to.
#[derive(Default)]
pub(super) struct Beside {
    /// What was found.
    pub findings: Vec<FindingRow>,
    /// CPU time of compilers, in microseconds.
    pub compilers_us: u64,
}

/// Looks for what was asked for. `None` when plumb was stopped.
pub(super) fn look(
    hunt: &Hunt<'_>,
    tested: &Tested<'_>,
    observations: &[Observation],
) -> Result<Option<Beside>, Error> {
    let mut beside = Beside::default();
    for kind in &hunt.options.also {
        let done = match kind {
            FindingKind::MissedOptimisation => missed::missed(hunt, tested, &mut beside)?,
            FindingKind::SlowCompilation => slow::slow(hunt, tested, observations, &mut beside)?,
            FindingKind::DebugInfo => debug_info::changed(hunt, tested, &mut beside)?,
            FindingKind::Volatile => volatile::changed(hunt, tested, &mut beside)?,
            // What every hunt looks for.
            FindingKind::Crash
            | FindingKind::Refusal
            | FindingKind::Hang
            | FindingKind::WrongCode
            | FindingKind::FalseReport => Some(()),
        };
        if done.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(beside))
}

/// Compiles a text to assembly; also the assembly, if there is some. `None` when plumb was stopped.
fn assembly(
    hunt: &Hunt<'_>,
    configuration: &Configuration,
    text: &[u8],
    alone: bool,
) -> Result<Option<(Compiled, String)>, Error> {
    let no_dir = |error: std::io::Error| Error::file("make a directory in", hunt.scratch.path(), &error);
    let dir = hunt.scratch.dir().map_err(no_dir)?;
    let input = dir.file(INPUT);
    fs::write(&input, text).map_err(|error| Error::file("write", &input, &error))?;
    let job = configuration.reading(text).assembly(dir.path(), &hunt.options.compile_limits());
    // One of the two is held while the job runs.
    let (shared, only);
    if alone {
        only = hunt.quiet.write().unwrap_or_else(PoisonError::into_inner);
        let _ = &only;
    } else {
        shared = hunt.quiet.read().unwrap_or_else(PoisonError::into_inner);
        let _ = &shared;
    }
    let compiled = configuration.tested.compiler.compile(&job);
    if compiled.outcome == CompileOutcome::Cancelled {
        return Ok(None);
    }
    let path = dir.file(OUTPUT);
    let text = match compiled.outcome {
        CompileOutcome::Ok => fs::read(&path).map_err(|error| Error::file("read", &path, &error))?,
        _ => Vec::new(),
    };
    Ok(Some((compiled, String::from_utf8_lossy(&text).into_owned())))
}

/// Writes the finding, unless its reproducer denies it.
fn raise(
    hunt: &Hunt<'_>,
    (tested, meaning): (&Tested<'_>, &Meaning),
    text: &[u8],
    (configuration, alarm, against): (&Configuration, &Alarm, &Against),
    beside: &mut Beside,
) -> Result<Option<()>, Error> {
    let limit = limits(hunt, &meaning.truth, Stage::Compile, true).cpu.unwrap_or_default();
    let configuration = &configuration.reading(text);
    let against = &Against { configuration: against.configuration.reading(text), ..against.clone() };
    let evidence = Evidence {
        campaign: hunt.key,
        seed: tested.seed,
        program: &tested.program.name,
        text,
        // With a marker it is no program that a command writes.
        source_command: None,
        variant: None,
        units: None,
        configuration,
        alarm,
        against: Some(against),
        accesses: None,
        truth: &meaning.truth,
        run: None,
        compiler_stderr: &[],
        input: &hunt.options.input,
        limit,
    };
    write_row(hunt, &evidence, beside)
}

fn write_row(hunt: &Hunt<'_>, evidence: &Evidence<'_>, beside: &mut Beside) -> Result<Option<()>, Error> {
    Ok(match write(hunt, evidence)? {
        Raised::Finding(row) => {
            beside.findings.push(*row);
            Some(())
        }
        // It is not there when looked at again.
        Raised::Denied => Some(()),
        Raised::Stopped => None,
    })
}

fn micros(usage: &Usage) -> u64 {
    u64::try_from(usage.cpu().as_micros()).unwrap_or(u64::MAX)
}
