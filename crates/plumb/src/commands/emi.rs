//! `plumb emi`

use crate::args::Emi;
use crate::output;
use campaign::{Error, exit};
use machine::Options;
use mutate::athena::Database;
use mutate::choices::Choices;
use mutate::proteus;
use mutate::{Chosen, Edit, Input, Refusal, Seed, Settings, Strategy, Variant, Wrong, to_log};
use serde_json::json;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use toolchain::process;

/// The strategies, for the help text.
pub fn help() -> String {
    let line = |s: &&dyn Strategy| format!("  {:<10} {}\n", s.name(), s.about());
    let all: String = mutate::STRATEGIES.iter().map(line).collect();
    let parameters: String = Settings::described()
        .iter()
        .map(|(name, default, about)| format!("  {:<28} {about}\n", format!("{name}={default}")))
        .collect();
    format!(
        "Strategies:\n{all}\nParameters (--set) with \
         their defaults:\n{parameters}\nExit codes: 0 all variants written, 1 a variant was wrong (a bug of plumb), 3 the program is undefined,\n4 unsupported, 5 out of budget."
    )
}

/// Units that splitting makes at most, where --split does not say.
const PARTS: usize = 4;

/// Runs the command.
pub fn run(args: &Emi) -> Result<u8, Error> {
    let Chosen { editing: strategies, splitting } = chosen(&args.strategy)?;
    let parts = args.split.map(usize::from).or(splitting.map(|_| PARTS));
    let mut settings = settings(&args.set)?;
    settings.point_probability = args.probability;
    let cc = args.cc.options();
    let text = frontend::read(&args.file, &cc)?;
    if let Some(note) = &text.note {
        output::error_bytes(format!("plumb: note: {note}\n").as_bytes());
    }
    let options = Options { target: cc.target(), max_steps: args.max_steps, ..Options::default() };
    let inputs = inputs(args)?;
    let athena = strategies.iter().any(|s| s.name() == "athena") && args.replay.is_none();
    let (seed, database) = std::thread::scope(|scope| {
        let learnt = scope.spawn(|| corpus(&args.corpus, &cc, athena));
        (Seed::new(&text.bytes, &text.name, &options, &inputs), joined(learnt))
    });
    let seed = match seed {
        Ok(seed) => seed,
        Err(refusal) => return refuse(args, &refusal),
    };
    settings.database = database?;
    std::fs::create_dir_all(&args.output).map_err(|error| Error::file("make", &args.output, &error))?;
    let stem = args.file.file_stem().map_or("stdin".into(), |s| s.to_string_lossy().into_owned());
    let (mut written, mut wrong, mut unchanged, mut unsplit) = (0u64, 0u64, 0u64, 0u64);
    let mut classes: BTreeMap<String, u64> = BTreeMap::new();
    let replayed = match &args.replay {
        Some(log) => Some(replay(&seed, log)?),
        None => None,
    };
    let number = if replayed.is_some() { 1 } else { args.number };
    let make = |index: u64| {
        let made = match &replayed {
            Some(made) => made.clone(),
            None => mutate::variant(&seed, &strategies, &settings, args.seed, index)
                .map_err(|misfit| Error::Internal(misfit.to_string()))?,
        };
        let checked = mutate::check(&seed, &made.text, &made.edits);
        Ok::<_, Error>((made, checked))
    };
    let processors = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = args.jobs.map_or_else(processors, NonZeroUsize::from);
    for (index, made) in in_order(number, jobs, &make) {
        let (made, checked): (Variant, Result<(), Box<Wrong>>) = made?;
        unchanged += u64::from(made.edits.is_empty());
        let path = args.output.join(format!("{stem}-{index}.c"));
        if let Err(why) = checked {
            wrong += u64::from(!why.exhausted);
            let log = path.with_extension("wrong.jsonl");
            write(&log, &to_log(&made.edits))?;
            write(&path.with_extension("wrong.c"), &made.text)?;
            eprintln!(
                "plumb: variant {index} not written: {}; its edits are in `{}`",
                why.why,
                log.display()
            );
            if args.json {
                output::json(
                    &json!({ "type": "variant", "variant": index, "verdict": "wrong", "why": why.why, "edits": log }),
                );
            }
            continue;
        }
        let (made, class) = match &args.minimize {
            Some(test) => smallest(&seed, made, test, &path)?,
            None => (made, None),
        };
        if let Some(class) = &class {
            *classes.entry(class.clone()).or_default() += 1;
        }
        let units = match parts {
            Some(parts) => split(&seed, &made, parts, args.seed, index, &path)?,
            None => Vec::new(),
        };
        unsplit += u64::from(parts.is_some() && units.is_empty());
        let log = path.with_extension("edits.jsonl");
        write(&path, &made.text)?;
        write(&log, &to_log(&made.edits))?;
        written += 1;
        if args.json {
            output::json(&json!({
                "type": "variant", "variant": index, "verdict": "ok", "file": path, "log": log,
                "edits": made.edits.len(), "by": by_strategy(&made.edits), "needs": class, "units": units,
            }));
        }
    }
    if args.json {
        output::json(&json!({
            "type": "summary", "variants": written, "wrong": wrong, "unchanged": unchanged, "seed_steps": seed.steps,
            "interesting_by_strategy": classes, "not_split": unsplit,
        }));
    } else {
        let same = if unchanged > 0 {
            format!("; {unchanged} equal the seed: nothing in it suits these strategies")
        } else {
            String::new()
        };
        for (class, count) in &classes {
            eprintln!("{count} interesting by {class}");
        }
        if unsplit > 0 {
            eprintln!("{unsplit} not split: there is one definition only, or what ties the program together");
        }
        eprintln!("{written} variants of {} in {}{same}", text.name, args.output.display());
    }
    Ok(if wrong > 0 {
        exit::ALARM
    } else if written < number {
        exit::UNKNOWN
    } else {
        exit::OK
    })
}

/// How many variants each thread makes before those made are written.
const AHEAD: u64 = 16;

/// What `make` gives for each number below `count`, in order, made by several threads.
fn in_order<'a, T: Send + 'a>(
    count: u64,
    jobs: NonZeroUsize,
    make: &'a (impl Fn(u64) -> T + Sync),
) -> impl Iterator<Item = (u64, T)> + 'a {
    let jobs = jobs.get() as u64;
    let batch = jobs.saturating_mul(AHEAD);
    (0..count.div_ceil(batch)).flat_map(move |number| {
        let first = number * batch;
        let last = count.min(first.saturating_add(batch));
        let next = AtomicU64::new(first);
        let work = || {
            let mine =
                std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < last));
            mine.map(|n| (n, make(n))).collect::<Vec<_>>()
        };
        let mut made = std::thread::scope(|scope| {
            let others: Vec<_> = (1..jobs.min(last - first)).map(|_| scope.spawn(work)).collect();
            let mut made = work();
            made.extend(others.into_iter().flat_map(joined));
            made
        });
        made.sort_unstable_by_key(|(n, _)| *n);
        made
    })
}

/// What a thread gave; its panic goes on here.
fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The variant that a log describes.
fn replay(seed: &Seed, log: &Path) -> Result<Variant, Error> {
    let text = std::fs::read_to_string(log).map_err(|error| Error::file("read", log, &error))?;
    let refuse = |why: String| Error::File { action: "replay", path: log.to_owned(), why };
    let edits = mutate::from_log(&text).map_err(|error| refuse(format!("it is no log of edits: {error}")))?;
    let text = seed.replay(&edits).map_err(|misfit| refuse(misfit.to_string()))?;
    Ok(Variant { text, edits })
}

/// The strategies named; without any, all that edit.
fn chosen(names: &[String]) -> Result<Chosen, Error> {
    if names.is_empty() {
        return Ok(Chosen::all_editing());
    }
    Chosen::of(names).map_err(|error| Error::Usage(format!("--strategy: {error}")))
}

/// The parameters that `NAME=VALUE` words set.
pub fn settings(words: &[String]) -> Result<Settings, Error> {
    let mut settings = Settings::default();
    for word in words {
        let (name, value) = word
            .split_once('=')
            .ok_or_else(|| Error::Usage(format!("--set {word}: expected NAME=VALUE, as sigma=10")))?;
        settings.set(name.trim(), value).map_err(|why| Error::Usage(format!("--set {word}: {why}")))?;
    }
    Ok(settings)
}

/// What Athena inserts where no corpus is named: the statements of so many generated programs.
const CORPUS: &str = "builtin:20";

/// The statements of a corpus; which they are is said of one that was named. `athena` says whether any are needed.
pub fn corpus(
    paths: &[PathBuf],
    options: &frontend::Options,
    athena: bool,
) -> Result<Option<Arc<Database>>, Error> {
    if !athena {
        return Ok(None);
    }
    if paths.is_empty() {
        return campaign::variants::corpus(&[PathBuf::from(CORPUS)], options);
    }
    let database = campaign::variants::corpus(paths, options)?;
    if let Some(database) = &database {
        eprintln!("{} statements taken from the corpus", database.fragments.len());
    }
    Ok(database)
}

/// Writes the units of a variant beside it; none where it cannot be split.
fn split(
    seed: &Seed,
    made: &Variant,
    parts: usize,
    number: u64,
    index: u64,
    path: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let mut draw = Choices::nth(number ^ 0x9807, index);
    let Ok(split) = proteus::split(&made.text, &seed.options.target, parts, &mut draw) else {
        return Ok(Vec::new());
    };
    if let Err(wrong) = mutate::check(seed, &split.whole, &made.edits) {
        return Err(Error::Internal(format!("splitting changed the program: {}", wrong.why)));
    }
    let mut files = Vec::new();
    for (unit, text) in split.units.iter().enumerate() {
        let file = path.with_extension(format!("{unit}.c"));
        write(&file, text)?;
        files.push(file);
    }
    Ok(files)
}

/// Every list of arguments with every file of standard input.
fn inputs(args: &Emi) -> Result<Vec<Input>, Error> {
    let last: Vec<Vec<u8>> = args.args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    let split = |line: &String| line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect();
    let lists: Vec<Vec<Vec<u8>>> =
        if args.argv.is_empty() { vec![last] } else { args.argv.iter().map(split).collect() };
    let mut texts = Vec::new();
    for path in &args.stdin {
        texts.push(std::fs::read(path).map_err(|error| Error::file("read", path, &error))?);
    }
    if texts.is_empty() {
        texts.push(Vec::new());
    }
    let with = |words: &Vec<Vec<u8>>| {
        let words = words.clone();
        texts.iter().map(move |stdin| Input { args: words.clone(), stdin: stdin.clone() })
    };
    Ok(lists.iter().flat_map(with).collect())
}

fn refuse(args: &Emi, refusal: &Refusal) -> Result<u8, Error> {
    let (verdict, code) = match refusal {
        Refusal::NotC(text) => return Err(Error::NotC(text.clone())),
        Refusal::Internal(text) => return Err(Error::Internal(text.clone())),
        Refusal::Undefined { .. } => ("undefined", exit::UNDEFINED),
        Refusal::Unsupported(_) => ("unsupported", exit::UNSUPPORTED),
        Refusal::Exhausted(_) => ("exhausted", exit::UNKNOWN),
    };
    eprintln!("{refusal}");
    if args.json {
        output::json(
            &json!({ "type": "summary", "variants": 0, "verdict": verdict, "why": refusal.to_string() }),
        );
    }
    Ok(code)
}

/// The variant with the fewest edits for which the test still exits with 0, and the strategies of these edits; the test
/// is given the file as its argument.
fn smallest(
    seed: &Seed,
    made: Variant,
    test: &Path,
    path: &Path,
) -> Result<(Variant, Option<String>), Error> {
    let holds = |edits: &[Edit]| -> bool {
        let Ok(text) = seed.replay(edits) else { return false };
        if std::fs::write(path, text).is_err() {
            return false;
        }
        let finished = process::run(&process::Spec::new(test).args([path]));
        matches!(finished.outcome, process::Outcome::Exited(0))
    };
    if !holds(&made.edits) {
        return Ok((made, None));
    }
    let edits = if holds(&[]) { Vec::new() } else { mutate::minimize(&made.edits, 10_000, holds) };
    let text = seed.replay(&edits).map_err(|misfit| Error::Internal(misfit.to_string()))?;
    Ok((Variant { text, edits: edits.clone() }, Some(class(&edits))))
}

/// The strategies of edits, each once; `seed` if there are none.
fn class(edits: &[Edit]) -> String {
    let mut names: Vec<&str> = edits.iter().map(|e| e.strategy.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "seed".to_owned() } else { names.join("+") }
}

/// How many edits each strategy made.
fn by_strategy(edits: &[Edit]) -> serde_json::Value {
    let mut counts = std::collections::BTreeMap::new();
    for edit in edits {
        *counts.entry(edit.strategy.as_str()).or_insert(0u64) += 1;
    }
    json!(counts)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|error| Error::file("write", path, &error))
}
