//! `plumb reduce`

mod finding;
mod ir;
mod key;
mod place;
mod view;

use crate::args::Reduce;
use crate::output;
use campaign::{Error, exit};
use frontend::preprocess::{self, Choice};
use place::Place;
use reduce::interesting::gate::{Gate, NoMeaning};
use reduce::interesting::script::Script;
use reduce::interesting::{All, Interesting};
use reduce::journal::{Journal, State};
use reduce::passes::{PASSES, Pass};
use reduce::{Case, Engine, Options};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use toolchain::process::{Finished, Outcome};
use toolchain::{Cancel, compiler, stop};
#[cfg(test)]
pub use view::Line;
use view::View;

/// Time for the first run of the test.
const FIRST: Duration = Duration::from_secs(300);
/// The least time limit that is chosen for the others, and how often the first run's time it is.
const LEAST: Duration = Duration::from_secs(2);
const TIMES: u32 = 10;
/// Steps of the machine for the original under `--gate`.
const FIRST_STEPS: u64 = 2_000_000_000;
/// The least limit of steps that is chosen for candidates.
const LEAST_STEPS: u64 = 100_000;

/// The passes, for the help text.
pub fn help() -> String {
    let width = PASSES.iter().map(|pass| pass.name().len()).max().unwrap_or(0);
    let line = |pass: &&dyn Pass| format!("  {:<width$}  {}\n", pass.name(), pass.about());
    let all: String = PASSES.iter().map(line).collect();
    format!(
        "Passes:\n{all}\nStopped by Ctrl-C or killed, it goes on where it stood when run again; `s` skips a pass.\n\
         Exit codes: 0 reduced, 2 the test does not hold for the original or cannot be run, 5 stopped early."
    )
}

/// Runs the command.
pub fn run(args: &Reduce) -> Result<u8, Error> {
    if args.all {
        return finding::all(args);
    }
    match (&args.finding, &args.test) {
        (Some(id), _) => finding::run(args, id),
        (None, Some(test)) => by_script(args, test),
        (None, None) if args.files.iter().all(|file| ir::is_ir(file)) => ir::run(args),
        (None, None) => {
            Err(Error::Usage("say what is to stay: --test SCRIPT, --finding ID or --all".to_owned()))
        }
    }
}

fn jobs(args: &Reduce) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    args.jobs.map_or_else(cores, usize::from)
}

/// Reduces files while a script says that they are interesting.
fn by_script(args: &Reduce, test: &Path) -> Result<u8, Error> {
    let passes = chosen(args.passes.as_deref())?;
    let place = Place::new(&args.files, args.output.as_deref())?;
    let jobs = jobs(args);
    let mut script = Script::new(test, jobs, args.timeout.unwrap_or(FIRST))
        .map_err(|error| Error::Resource(format!("cannot make directories for the test: {error}")))?;
    let fingerprint = fingerprint(args, test, &passes)?;
    let resumed = place.resumable(&fingerprint)?;
    let original = match &resumed {
        Some(state) => state.original(),
        None => place.read()?,
    };
    let preprocessed = |name: &str, text: &[u8]| preprocess_text(&place, name, text);
    let mut gate = args.gate.then(|| {
        let steps = args.max_steps.unwrap_or(FIRST_STEPS);
        let options = machine::Options { max_steps: steps, ..machine::Options::default() };
        Gate::new(options, Some(&preprocessed)).joining(join)
    });
    let time = accept(args, test, &original, &script, gate.as_mut())?;
    script.set_time(args.timeout.unwrap_or(time));
    let journal = match &resumed {
        Some(state) => place.resume(state)?,
        None => place.begin(&original, fingerprint)?,
    };
    let mut tests: Vec<&dyn Interesting> = gate.iter().map(|gate| gate as &dyn Interesting).collect();
    tests.push(&script);
    reduce(
        args.json,
        // The gate knows all that the filters would find.
        Options { jobs, passes, filter: !args.no_filter && !args.gate },
        &All(tests),
        &place,
        (&original, resumed),
        &journal,
    )
}

/// Reduces what the test has accepted, and says how it went.
fn reduce(
    json: bool,
    options: Options,
    test: &dyn Interesting,
    place: &Place,
    (original, resumed): (&Case, Option<State>),
    journal: &Journal,
) -> Result<u8, Error> {
    let skip = Arc::new(AtomicBool::new(false));
    let keys = key::Keys::listen(&skip);
    let mut view = View::new(json, place, journal, original, resumed.is_some());
    let engine =
        Engine { options, test, stop: &stop::requested, skip: &skip, journal: Some(journal), others: None };
    let report = engine.reduce(original, resumed, &mut view);
    drop(keys);
    let written = view.end(&report);
    if !report.stopped {
        journal.finish().map_err(|error| Error::file("remove", place.journal(), &error))?;
    }
    written?;
    if let Some(why) = journal.error() {
        eprintln!("plumb: the journal `{}` could not be written: {why}", place.journal().display());
    }
    Ok(if report.stopped { exit::UNKNOWN } else { exit::OK })
}

/// The passes of these names, separated by commas; all, if none is named.
fn chosen(names: Option<&str>) -> Result<Vec<&'static dyn Pass>, Error> {
    let names: Vec<&str> = names.map_or_else(Vec::new, |names| names.split(',').collect());
    if let Some(unknown) = names.iter().find(|name| !PASSES.iter().any(|pass| pass.name() == **name)) {
        let why = format!("--passes: there is no pass `{unknown}`; `plumb reduce --help` lists them");
        return Err(Error::Usage(why));
    }
    let named = |pass: &&&dyn Pass| names.is_empty() || names.contains(&pass.name());
    Ok(PASSES.iter().filter(named).copied().collect())
}

/// What decides the result, beside the original and what the test reads elsewhere.
fn fingerprint(args: &Reduce, test: &Path, passes: &[&'static dyn Pass]) -> Result<Vec<u8>, Error> {
    let script = std::fs::read(test).map_err(|error| Error::file("read", test, &error))?;
    let words = format!("{} {} {:?} {}", test.display(), args.gate, args.max_steps, args.no_filter);
    Ok(fingerprint_of(&words, script, passes))
}

/// A fingerprint of words and a text, with the passes and the version.
fn fingerprint_of(words: &str, text: Vec<u8>, passes: &[&'static dyn Pass]) -> Vec<u8> {
    let names: Vec<&str> = passes.iter().map(|pass| pass.name()).collect();
    let head = format!("{} {}", env!("CARGO_PKG_VERSION"), names.join(","));
    Case::new([(head, Vec::new()), (words.to_owned(), text)]).key().to_vec()
}

/// Several files as one text for the gate: units, whose headers are not reduced with them.
fn join(units: &[(String, Vec<u8>)]) -> Result<String, String> {
    let is_unit = |name: &str| name.ends_with(".c") || name.ends_with(".i");
    match units.iter().find(|(name, _)| !is_unit(name)) {
        Some((name, _)) => Err(format!("`{name}` is no `.c` or `.i`, and the machine runs units alone")),
        None => frontend::merge(units).map_err(|why| why.to_string()),
    }
}

/// Holds the test for the original? Gives the time limit for candidates, and sets the gate's limit of steps.
fn accept(
    args: &Reduce,
    test: &Path,
    original: &Case,
    script: &Script,
    gate: Option<&mut Gate<'_>>,
) -> Result<Duration, Error> {
    if let Some(gate) = gate {
        let refused = |why: NoMeaning| Error::Usage(format!("--gate: the original is not defined: {why}"));
        let (_, steps) = gate.meaning(original).map_err(refused)?;
        gate.set_steps(args.max_steps.unwrap_or(steps.saturating_mul(10).max(LEAST_STEPS)));
    }
    let cancel = Cancel::new().map_err(|error| Error::Resource(error.to_string()))?;
    let done = script
        .run(0, original, &cancel)
        .map_err(|error| Error::Resource(format!("cannot prepare the test's directory: {error}")))?;
    if stop::requested() {
        return Err(Error::Resource("stopped while the test looked at the original".to_owned()));
    }
    if done.outcome.success() {
        return Ok(LEAST + done.usage.wall * TIMES);
    }
    Err(Error::Usage(refusal(test, &done)))
}

/// Why the test does not hold for the original, with what it printed.
fn refusal(test: &Path, done: &Finished) -> String {
    let test = test.display();
    let how = match &done.outcome {
        Outcome::Exited(code) => format!("exits with {code}"),
        Outcome::Signaled(signal) => format!("is ended by signal {signal}"),
        Outcome::TimedOut(_) => "runs out of time (see --timeout)".to_owned(),
        Outcome::OutputLimit(_) => "writes without end".to_owned(),
        Outcome::ProcessLimit => "starts processes without end".to_owned(),
        Outcome::Cancelled => "was stopped".to_owned(),
        Outcome::SpawnFailed(error) => return format!("the test `{test}` cannot be run: {error}"),
    };
    let mut text = format!(
        "the test `{test}` does not accept the original: it {how}. It is run in a directory that holds nothing but \
         the file under its own name, and must exit with 0 for what is interesting."
    );
    for (stream, bytes) in [("stdout", &done.stdout), ("stderr", &done.stderr)] {
        let said = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = said.trim_end().lines().collect();
        if !said.trim_end().is_empty() {
            text.push_str(&format!("\nIts {stream} ends:"));
            lines.iter().skip(lines.len().saturating_sub(20)).for_each(|line| {
                text.push_str("\n  ");
                text.push_str(line);
            });
        }
    }
    text
}

/// A candidate's text without directives, as the usual compiler of this machine would have it.
fn preprocess_text(place: &Place, name: &str, text: &[u8]) -> Result<Vec<u8>, String> {
    if !preprocess::is_needed(text) {
        return Ok(text.to_vec());
    }
    let dir = place.home(name).unwrap_or(Path::new(".")).to_owned();
    let source = compiler::Source::Text { bytes: Arc::from(text), dir };
    let done = preprocess::run(Choice::Builtin, None, &[], &source);
    done.map(|done| done.text).map_err(|error| error.to_string())
}

/// Prints a line for people where no JSON is wanted.
fn say(json: bool, text: &str) {
    if !json {
        output::line(text);
    }
}
