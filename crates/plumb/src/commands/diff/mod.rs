//! `plumb diff`: two versions of machine code, function by function. What the cheap comparison leaves open is proved in
//! worker processes.

mod baseline;
mod json;
mod reports;
mod totals;
pub mod worker;

#[cfg(test)]
pub use json::Line;
pub use worker::Pairs;
pub use worker::run as work;

use crate::args::Diff;
use crate::commands::items::{self, share};
use campaign::Error;
use campaign::store::Store;
use crossver::buckets::Rules;
use crossver::equality::verdict::WhyKind;
use crossver::objects::{Bytes, Image, Loaded, map, parse};
use crossver::project::cache::Cache;
use crossver::project::compile::Command;
use crossver::project::sources::{self, Source};
use crossver::replay::Replayer;
use crossver::report::{Compared, Comparison, FileReport, in_parallel};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use toolchain::scratch::{Scratch, ScratchRoot};
use toolchain::stop;
use totals::Totals;
use worker::{Job, Worker};

/// What is kept for all files.
struct Kept {
    /// What was found out before.
    cache: Option<Cache>,
    /// Runs functions.
    replayer: Replayer,
    /// Puts differences into buckets.
    rules: Rules,
    /// The functions to compare; all where none is named.
    only: Vec<String>,
    /// The store whose workers take part.
    store: Option<Store>,
}

/// Two files to compare.
struct Unit {
    /// How reports name it.
    label: String,
    old: PathBuf,
    new: PathBuf,
}

/// What became of a unit: reports of its objects, or why there are none.
type Outcome = Result<Found, Failure>;

/// Reports of the objects of a unit.
#[derive(Default)]
struct Found {
    /// By member name.
    reports: Vec<(Option<String>, FileReport)>,
    /// Functions that are open and not in the sample.
    skipped: u64,
}

/// Why a unit has no report.
struct Failure {
    verdict: json::FileVerdict,
    why: String,
}

/// Runs the command.
pub fn run(args: &Diff) -> Result<u8, Error> {
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |jobs| usize::from(jobs.get()),
    );
    let cache = if args.no_cache { None } else { Cache::of_user() };
    let rules = rules_of(args.rules.as_deref())?;
    let store = items::open(args.store.as_deref())?;
    let known = baseline::Known::of(args.baseline.as_deref())?;
    let kept = Kept { cache, replayer: Replayer::default(), rules, only: args.function.clone(), store };
    match args.cc.as_slice() {
        [] => {
            let [old, new] = args.files.as_slice() else {
                return Err(Error::Usage(format!(
                    "two files are compared, OLD and NEW, not {}; or name two compilers with --cc and C files",
                    args.files.len()
                )));
            };
            let unit = Unit { label: new.display().to_string(), old: old.clone(), new: new.clone() };
            let mut totals = Totals::new(1, known);
            let outcome = compare(args, &unit, &kept, jobs);
            totals.tell(args, &unit.label, outcome);
            totals.end(args, &kept.rules)
        }
        [old, new] => compiled(args, (old, new), (&kept, known), jobs),
        more => {
            let many = more.len();
            Err(Error::Usage(format!("--cc names two compilers, the old and the new, not {many}")))
        }
    }
}

/// The rules of a file, and those that come with plumb.
pub fn rules_of(file: Option<&Path>) -> Result<Rules, Error> {
    let Some(file) = file else { return Ok(Rules::default()) };
    let text = std::fs::read_to_string(file).map_err(|error| Error::file("read", file, &error))?;
    Rules::parse(&text).map_err(|why| Error::Usage(format!("{}: {why}", file.display())))
}

/// Compiles every source with both compilers and compares what they made.
fn compiled(
    args: &Diff,
    (old, new): (&str, &str),
    (kept, known): (&Kept, baseline::Known),
    jobs: usize,
) -> Result<u8, Error> {
    let command =
        |text: &str| Command::parse(text).map_err(|why| Error::Tool { tool: format!("--cc '{text}'"), why });
    let commands = (command(old)?, command(new)?);
    let sources = sources_of(args)?;
    let root = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let scratch = root.dir().map_err(|error| Error::file("make", root.path(), &error))?;
    let words = args.cc_words.words();
    let mut totals = Totals::new(sources.len(), known);
    let numbered: Vec<(usize, &Source)> = sources.iter().enumerate().collect();
    // Chunks, so that lines come out while the rest is still to do.
    for chunk in numbered.chunks(jobs.max(1) * 8) {
        let outcomes = in_parallel(jobs, chunk, |(n, source)| {
            let unit = made(args, &scratch, &commands, (*n, source), &words);
            unit.and_then(|unit| {
                let outcome = compare(args, &unit, kept, 1);
                if args.keep.is_none() {
                    // The disk holds no more than what is being compared.
                    let _ = std::fs::remove_file(&unit.old);
                    let _ = std::fs::remove_file(&unit.new);
                }
                outcome
            })
        });
        for ((_, source), outcome) in chunk.iter().zip(outcomes) {
            totals.tell(args, &source.file.display().to_string(), outcome);
        }
        if stop::requested() {
            return Err(Error::Resource(format!("stopped after {} files", totals.files)));
        }
    }
    totals.end(args, &kept.rules)
}

fn sources_of(args: &Diff) -> Result<Vec<Source>, Error> {
    let usage = |error: sources::SourcesError| Error::Usage(error.to_string());
    let mut all = Vec::new();
    if let Some(dir) = &args.project {
        all.extend(sources::of_project(dir).map_err(usage)?);
    }
    for file in &args.files {
        if file.extension().is_some_and(|e| e == "json") {
            all.extend(sources::of_commands(file).map_err(usage)?);
            continue;
        }
        std::fs::metadata(file).map_err(|error| Error::file("read", file, &error))?;
        all.push(Source { file: file.clone(), directory: None, options: Vec::new() });
    }
    if all.is_empty() {
        let why = "nothing to compile: name C files, a compile_commands.json or --project DIR".to_owned();
        return Err(Error::Usage(why));
    }
    Ok(all)
}

/// Compiles one source with both.
fn made(
    args: &Diff,
    scratch: &Scratch,
    commands: &(Command, Command),
    (n, source): (usize, &Source),
    words: &[OsString],
) -> Result<Unit, Failure> {
    let dir = args.keep.clone().unwrap_or_else(|| scratch.path().to_owned());
    let failed = |why: String| Failure { verdict: json::FileVerdict::NotCompiled, why };
    std::fs::create_dir_all(&dir).map_err(|error| failed(error.to_string()))?;
    let stem = source.file.file_stem().map_or_else(|| "file".into(), |s| s.to_string_lossy().into_owned());
    let object = |side: &str| dir.join(format!("{n}-{stem}.{side}.o"));
    let unit = Unit { label: source.file.display().to_string(), old: object("old"), new: object("new") };
    for (command, output) in [(&commands.0, &unit.old), (&commands.1, &unit.new)] {
        command
            .compile(source, words, output)
            .map_err(|why| failed(format!("{}: {}: {why}", command.name, source.file.display())))?;
    }
    Ok(unit)
}

/// Compares two files, or takes what was found out about the same contents before.
fn compare(args: &Diff, unit: &Unit, known: &Kept, jobs: usize) -> Outcome {
    let cache = known.cache.as_ref();
    let load = |path: &Path| -> Result<(Bytes, Loaded), Failure> {
        let bytes = map(path).map_err(unreadable)?;
        let loaded = parse(&path.display().to_string(), &bytes).map_err(unreadable)?;
        Ok((bytes, loaded))
    };
    let (old, new) = (load(&unit.old)?, load(&unit.new)?);
    for skipped in old.1.skipped.iter().chain(&new.1.skipped) {
        eprintln!("plumb: {skipped}");
    }
    let rules = args.rules.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let limits = format!("{} {} {rules} {:?}", args.timeout.as_millis(), args.memory, known.only);
    let key = Cache::key(old.0.get(), new.0.get(), &limits);
    let single = matches!((old.1.images.as_slice(), new.1.images.as_slice()), ([(None, _)], [(None, _)]));
    if let Some(report) = cache.filter(|_| single).and_then(|cache| cache.get(&key)) {
        return Ok(Found { reports: vec![(None, report)], skipped: 0 });
    }
    let mut found = Found::default();
    let mut partners: BTreeMap<Option<&str>, _> = BTreeMap::new();
    for (name, image) in &new.1.images {
        partners.insert(if single { None } else { name.as_deref() }, image);
    }
    for (name, image) in &old.1.images {
        let Some(partner) = partners.remove(&name.as_deref()) else {
            return Err(lacks(&unit.new, name.as_deref()));
        };
        let job = Job {
            old: unit.old.clone(),
            new: unit.new.clone(),
            member: name.clone(),
            time: args.timeout,
            memory: args.memory << 20,
        };
        let (report, skipped) =
            images((image, partner), &job, (args.sample.map_or(1, |n| n.get()), jobs), known)?;
        found.skipped += skipped;
        found.reports.push((name.clone(), report));
    }
    if let Some((name, _)) = partners.into_iter().next() {
        return Err(lacks(&unit.old, name));
    }
    // What ran out of time or memory may do better another time.
    if let (Some(cache), [(None, report)], 0) = (cache, found.reports.as_slice(), found.skipped)
        && !report.functions.iter().any(|f| f.why.is_some_and(WhyKind::is_ending))
    {
        cache.put(&key, report);
    }
    Ok(found)
}

fn unreadable(error: crossver::objects::ObjectError) -> Failure {
    Failure { verdict: json::FileVerdict::Unreadable, why: error.to_string() }
}

fn lacks(file: &Path, member: Option<&str>) -> Failure {
    let why = format!("{} has no `{}`", file.display(), member.unwrap_or("single object"));
    Failure { verdict: json::FileVerdict::Unreadable, why }
}

/// What workers of a store say of pairs; of those that have no answer when this process is stopped nothing.
fn shared(
    store: &Store,
    jobs: usize,
    job: &Job,
    pairs: &[usize],
) -> Result<BTreeMap<usize, worker::Answer>, Failure> {
    let mut answers = BTreeMap::new();
    let tasks = [(job, pairs.to_vec())];
    let done = share::<Pairs>(store, jobs, &tasks, |_, number, answer| {
        answers.insert(pairs[number], answer);
    });
    done.map(|()| answers)
        .map_err(|error| Failure { verdict: json::FileVerdict::Unreadable, why: error.to_string() })
}

/// Compares two objects: all functions the cheap way here, and one in `every` of those that stay open by proof in
/// workers. Also says how many were not tried.
fn images(
    (old, new): (&Image, &Image),
    job: &Job,
    (every, jobs): (u32, usize),
    kept_for_all: &Kept,
) -> Result<(FileReport, u64), Failure> {
    let comparison = Comparison::new(old, new, jobs).map_err(unreadable)?;
    let numbers: Vec<usize> = (0..comparison.pairs()).collect();
    let all = in_parallel(jobs, &numbers, |n| comparison.cheap(*n));
    let mut all: Vec<Option<Compared>> = all;
    let mut open: Vec<usize> = Vec::new();
    let mut skipped = 0;
    let only = &kept_for_all.only;
    for n in numbers {
        if !only.is_empty() {
            all[n] = all[n].take().filter(|found| only.contains(&found.function.function));
        }
        let Some(found) = all[n].as_ref().filter(|found| found.open) else { continue };
        if worker::chosen(&found.function.function, every) {
            open.push(n);
        } else {
            skipped += 1;
            all[n] = None;
        }
    }
    let answers = match &kept_for_all.store {
        Some(store) => shared(store, jobs, job, &open)?,
        None => BTreeMap::new(),
    };
    // A worker reads the files once and is kept for the pairs that follow.
    let kept: Mutex<Vec<Worker>> = Mutex::new(Vec::new());
    let proved = in_parallel(jobs, &open, |n| {
        let cheap = all[*n].as_ref()?;
        let mut found = match (&kept_for_all.store, answers.get(n)) {
            (None, _) => worker::ask(&kept, job, *n, cheap),
            (Some(_), answer) => worker::told(answer.cloned(), cheap),
        };
        found.replay(&kept_for_all.replayer, &kept_for_all.rules);
        Some(found)
    });
    for (n, answer) in open.into_iter().zip(proved) {
        all[n] = answer;
    }
    Ok((comparison.report(all.into_iter().flatten().collect()), skipped))
}
