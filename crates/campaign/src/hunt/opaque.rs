//! What a program does whose meaning the machine cannot give: what the compilers make of it without optimisation
//! (Orion, PLDI 2014). Nothing is known where that is not the same in a strict majority of the compilers, differs from
//! run to run, or where sanitizers object; nor where no compiler has sanitizers.

use super::context::Hunt;
use super::meaning::{Meaning, machine_options};
use crate::configurations::{Configuration, INPUT};
use crate::truth::{self, Truth};
use crate::verdict::Limit;
use machine::Outcome as Means;
use mutate::opaque::{REPORT, Unprofiled, outcome};
use mutate::{Input, Seed};
use std::fs;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use toolchain::compiler::CompileOutcome;
use toolchain::process::{Outcome, run};

/// The level of the programs that are asked.
const PLAIN: &str = "-O0";
/// The sanitizers that are asked, with variables that are never zero by chance.
const CHECKED: &[&str] =
    &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ftrivial-auto-var-init=pattern"];
/// Standard output of a program that is asked.
const MOST_OUTPUT: usize = 1 << 20;

/// Makes opaque what the machine cannot tell and the compilers can.
pub(super) fn fill(hunt: &Hunt<'_>, meanings: &mut [Meaning]) {
    for (model, meaning) in meanings.iter_mut().enumerate() {
        let Truth::Rejected(why) = &meaning.truth else { continue };
        if why.limit() != Limit::Unsupported || meaning.units.is_some() {
            continue;
        }
        if let Some(outcome) = reference(hunt, &meaning.text, model) {
            meaning.truth = Truth::Opaque { outcome, why: why.clone() };
        }
    }
}

/// The seed of an opaque text: what of it runs is what a compiled program with probes reports. Seeds are those of the
/// first data model.
pub(super) fn seed(hunt: &Hunt<'_>, seed: Unprofiled, text: &[u8]) -> Option<Seed> {
    let options = machine_options(hunt, &hunt.plan.models[0]);
    match truth::of(text, INPUT, &options) {
        Truth::Rejected(why) if why.limit() == Limit::Unsupported => {}
        // What depends on addresses, say, is refused by the machine for a reason of the program's.
        Truth::Rejected(_) | Truth::Known { .. } | Truth::Opaque { .. } => return None,
    }
    let means = reference(hunt, text, 0)?;
    let probed = seed.probed()?;
    let report = compilers(hunt, 0).iter().find_map(|compiler| {
        let (done, report) = once(hunt, compiler, probed.text.as_bytes())?;
        report.filter(|_| done == (means.exit, means.stdout.clone()))
    })?;
    let input = Input { args: hunt.options.input.args.clone(), stdin: hunt.options.input.stdin.clone() };
    seed.ran(&probed, &report, (input, means))
}

/// How a program exited and what it printed.
type Did = (machine::Exit, Vec<u8>);

/// What the program does in a strict majority of the compilers of a data model.
fn reference(hunt: &Hunt<'_>, text: &[u8], model: usize) -> Option<Means> {
    let compilers = compilers(hunt, model);
    let stable = |compiler: &Configuration| {
        let (first, _) = once(hunt, compiler, text)?;
        (once(hunt, compiler, text)?.0 == first).then_some(first)
    };
    let answers: Vec<Option<Did>> = compilers.iter().map(stable).collect();
    let votes = |did: &Did| answers.iter().flatten().filter(|other| *other == did).count();
    let chosen = answers.iter().flatten().find(|did| 2 * votes(did) > answers.len())?;
    let words: Vec<String> = CHECKED.iter().map(|word| (*word).to_owned()).collect();
    let checked = compilers.iter().find_map(|compiler| once(hunt, &compiler.with(&words), text))?;
    match (&checked.0, chosen) {
        (checked, chosen) if checked != chosen => None,
        (_, (machine::Exit::Code(status), stdout)) => Some(outcome(*status, stdout.clone())),
        (_, (machine::Exit::Signal(_), _)) => None,
    }
}

/// Each compiler of a data model, without optimisation.
fn compilers(hunt: &Hunt<'_>, model: usize) -> Vec<Configuration> {
    let mut all: Vec<Configuration> = Vec::new();
    for configuration in hunt.plan.configurations.iter().filter(|c| c.model == model) {
        if !all.iter().any(|known| Arc::ptr_eq(&known.tested, &configuration.tested)) {
            all.push(Configuration { level: PLAIN.to_owned(), ..configuration.clone() });
        }
    }
    all
}

/// Compiles and runs a text; what it did, where it exited, and the report of its probes, where it wrote one.
fn once(hunt: &Hunt<'_>, configuration: &Configuration, text: &[u8]) -> Option<(Did, Option<Vec<u8>>)> {
    let (dir, cwd) = (hunt.scratch.dir().ok()?, hunt.scratch.dir().ok()?);
    fs::write(dir.file(INPUT), text).ok()?;
    let _shared = hunt.quiet.read().unwrap_or_else(PoisonError::into_inner);
    let job = configuration.reading(text).compilation(dir.path(), &hunt.options.compile_limits());
    if configuration.tested.compiler.compile(&job).outcome != CompileOutcome::Ok {
        return None;
    }
    let did = execute(hunt, configuration, dir.path(), cwd.path())?;
    Some((did, fs::read(cwd.file(REPORT)).ok()))
}

fn execute(hunt: &Hunt<'_>, configuration: &Configuration, dir: &Path, cwd: &Path) -> Option<Did> {
    let limits = hunt.options.run_limits(0, MOST_OUTPUT);
    let done = run(&configuration.execute(dir, cwd, &limits, &hunt.options.input)?);
    match done.outcome {
        Outcome::Exited(status) => Some((machine::Exit::Code(u8::try_from(status).ok()?), done.stdout)),
        Outcome::Signaled(_)
        | Outcome::TimedOut(_)
        | Outcome::OutputLimit(_)
        | Outcome::ProcessLimit
        | Outcome::Cancelled
        | Outcome::SpawnFailed(_) => None,
    }
}
