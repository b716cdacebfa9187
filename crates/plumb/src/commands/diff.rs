//! `plumb diff`: two versions of machine code, function by function.

use crate::args::Diff;
use crate::output::{self, Exit};
use campaign::Error;
use campaign::hunt::progress::counted;
use crossver::equality::verdict::VerdictKind;
use crossver::objects::{Bytes, Loaded, map, parse};
use crossver::project::cache::Cache;
use crossver::project::compile::Command;
use crossver::project::sources::{self, Source};
use crossver::report::{FileReport, FunctionReport, LoneReport, compare_images, in_parallel};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use toolchain::scratch::{Scratch, ScratchRoot};
use toolchain::stop;

/// Processor time for the proof of one pair of functions.
const TIME: std::time::Duration = std::time::Duration::from_secs(10);

/// Two files to compare.
struct Unit {
    /// How reports name it.
    label: String,
    old: PathBuf,
    new: PathBuf,
}

/// What became of a unit: reports of its objects by member name, or why there are none.
type Outcome = Result<Vec<(Option<String>, FileReport)>, Failure>;

/// Why a unit has no report.
struct Failure {
    /// `unreadable`, or `not-compiled`.
    verdict: &'static str,
    why: String,
}

/// Runs the command.
pub fn run(args: &Diff) -> Result<u8, Error> {
    let jobs = args.jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        |jobs| usize::from(jobs.get()),
    );
    let cache = if args.no_cache { None } else { Cache::of_user() };
    let mut totals = Totals::default();
    match args.cc.as_slice() {
        [] => {
            let [old, new] = args.files.as_slice() else {
                return Err(Error::Usage(format!(
                    "two files are compared, OLD and NEW, not {}; or name two compilers with --cc and C files",
                    args.files.len()
                )));
            };
            let unit = Unit { label: new.display().to_string(), old: old.clone(), new: new.clone() };
            let outcome = compare(&unit, cache.as_ref(), jobs);
            totals.tell(args, &unit.label, outcome);
        }
        [old, new] => compiled(args, (old, new), cache.as_ref(), jobs, &mut totals)?,
        more => {
            let many = more.len();
            return Err(Error::Usage(format!("--cc names two compilers, the old and the new, not {many}")));
        }
    }
    totals.end(args)
}

/// Compiles every source with both compilers and compares what they made.
fn compiled(
    args: &Diff,
    (old, new): (&str, &str),
    cache: Option<&Cache>,
    jobs: usize,
    totals: &mut Totals,
) -> Result<(), Error> {
    let command =
        |text: &str| Command::parse(text).map_err(|why| Error::Tool { tool: format!("--cc '{text}'"), why });
    let commands = (command(old)?, command(new)?);
    let sources = sources_of(args)?;
    let root = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
    let scratch = root.dir().map_err(|error| Error::file("make", root.path(), &error))?;
    let words = args.cc_words.words();
    let done = AtomicUsize::new(0);
    let numbered: Vec<(usize, &Source)> = sources.iter().enumerate().collect();
    // Chunks, so that lines come out while the rest is still to do.
    for chunk in numbered.chunks(jobs.max(1) * 8) {
        let outcomes = in_parallel(jobs, chunk, |(n, source)| {
            let unit = made(args, &scratch, &commands, (*n, source), &words);
            let outcome = unit.and_then(|unit| {
                let outcome = compare(&unit, cache, 1);
                if args.keep.is_none() {
                    // The disk holds no more than what is being compared.
                    let _ = std::fs::remove_file(&unit.old);
                    let _ = std::fs::remove_file(&unit.new);
                }
                outcome
            });
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(50) {
                eprintln!("{done} of {} files", numbered.len());
            }
            outcome
        });
        for ((_, source), outcome) in chunk.iter().zip(outcomes) {
            totals.tell(args, &source.file.display().to_string(), outcome);
        }
        if stop::requested() {
            return Err(Error::Resource(format!("stopped after {} files", totals.files)));
        }
    }
    Ok(())
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
    let failed = |why: String| Failure { verdict: "not-compiled", why };
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
fn compare(unit: &Unit, cache: Option<&Cache>, jobs: usize) -> Outcome {
    let unreadable =
        |error: crossver::objects::ObjectError| Failure { verdict: "unreadable", why: error.to_string() };
    let load = |path: &Path| -> Result<(Bytes, Loaded), Failure> {
        let bytes = map(path).map_err(unreadable)?;
        let loaded = parse(&path.display().to_string(), &bytes).map_err(unreadable)?;
        Ok((bytes, loaded))
    };
    let (old, new) = (load(&unit.old)?, load(&unit.new)?);
    for skipped in old.1.skipped.iter().chain(&new.1.skipped) {
        eprintln!("plumb: {skipped}");
    }
    let key = Cache::key(old.0.get(), new.0.get());
    let single = matches!((old.1.images.as_slice(), new.1.images.as_slice()), ([(None, _)], [(None, _)]));
    if let Some(report) = cache.filter(|_| single).and_then(|cache| cache.get(&key)) {
        return Ok(vec![(None, report)]);
    }
    let mut reports = Vec::new();
    let mut partners: BTreeMap<Option<&str>, _> = BTreeMap::new();
    for (name, image) in &new.1.images {
        partners.insert(if single { None } else { name.as_deref() }, image);
    }
    for (name, image) in &old.1.images {
        let Some(partner) = partners.remove(&name.as_deref()) else {
            let why =
                format!("{} has no `{}`", unit.new.display(), name.as_deref().unwrap_or("single object"));
            return Err(Failure { verdict: "unreadable", why });
        };
        reports.push((name.clone(), compare_images(image, partner, jobs, TIME).map_err(unreadable)?));
    }
    if let Some((name, _)) = partners.into_iter().next() {
        let why = format!("{} has no `{}`", unit.old.display(), name.unwrap_or("single object"));
        return Err(Failure { verdict: "unreadable", why });
    }
    if let (Some(cache), [(None, report)]) = (cache, reports.as_slice()) {
        cache.put(&key, report);
    }
    Ok(reports)
}

/// Counts over all files.
#[derive(Default)]
struct Totals {
    files: u64,
    failed: u64,
    pairs: u64,
    verdicts: BTreeMap<VerdictKind, u64>,
    how: BTreeMap<&'static str, u64>,
    by: BTreeMap<&'static str, u64>,
    differences: BTreeMap<String, u64>,
    lone: [u64; 2],
    lone_global: u64,
    same_objects: u64,
    different_objects: u64,
    opcodes: BTreeMap<String, u64>,
    instructions: (u64, u64),
    not_compiled: u64,
}

impl Totals {
    /// Reports a file, and counts it.
    fn tell(&mut self, args: &Diff, label: &str, outcome: Outcome) {
        self.files += 1;
        let reports = match outcome {
            Ok(reports) => reports,
            Err(failure) => {
                self.failed += 1;
                self.not_compiled += u64::from(failure.verdict == "not-compiled");
                eprintln!("plumb: {}", failure.why);
                if args.json {
                    let (verdict, why) = (failure.verdict, failure.why);
                    output::json(&json!({ "type": "file", "file": label, "verdict": verdict, "why": why }));
                }
                return;
            }
        };
        for (member, report) in reports {
            let file = member.map_or_else(|| label.to_owned(), |member| format!("{label}({member})"));
            self.count(&report);
            if args.json { lines_json(&file, &report) } else { lines(args, &file, &report) }
        }
    }

    fn count(&mut self, report: &FileReport) {
        fn add(map: &mut BTreeMap<String, u64>, key: &str, n: u64) {
            *map.entry(key.to_owned()).or_default() += n;
        }
        self.pairs += report.functions.len() as u64;
        for f in &report.functions {
            *self.verdicts.entry(f.verdict).or_default() += 1;
            *self.by.entry(f.by.name()).or_default() += 1;
            f.how.iter().for_each(|how| *self.how.entry(how.name()).or_default() += 1);
            f.difference.iter().for_each(|d| add(&mut self.differences, d, 1));
        }
        for lone in &report.lone {
            self.lone[usize::from(!lone.old)] += 1;
            self.lone_global += u64::from(!lone.local);
        }
        self.same_objects += report.same_objects;
        self.different_objects += report.objects.len() as u64;
        report.opcodes.iter().for_each(|(name, n)| add(&mut self.opcodes, name, *n));
        self.instructions.0 += report.instructions.0;
        self.instructions.1 += report.instructions.1;
    }

    /// The summary, and the exit code that the worst of what was found decides.
    fn end(&self, args: &Diff) -> Result<u8, Error> {
        if args.json {
            output::json(&self.to_json(args));
        } else {
            output::line(&self.to_text(args));
        }
        if self.files == self.failed {
            return Ok(Exit::Usage.code());
        }
        let verdicts = self.verdicts.keys().map(|verdict| match verdict {
            VerdictKind::Proved | VerdictKind::Conditional => Exit::Ok,
            VerdictKind::Unsupported => Exit::Unsupported,
            VerdictKind::Unknown => Exit::Unknown,
        });
        let others = [
            (self.failed - self.not_compiled, Exit::Usage),
            (self.lone_global + self.different_objects, Exit::Unknown),
            (self.not_compiled, Exit::Unsupported),
        ];
        let others = others.into_iter().filter(|(n, _)| *n > 0).map(|(_, exit)| exit);
        Ok(verdicts.chain(others).max().unwrap_or(Exit::Ok).code())
    }

    fn to_json(&self, args: &Diff) -> Value {
        let mut all = json!({
            "type": "summary", "files": self.files, "files_failed": self.failed, "functions": self.pairs,
            "verdicts": self.verdicts, "how": self.how, "by": self.by, "differences": self.differences,
            "only_old": self.lone[0], "only_new": self.lone[1],
            "objects": { "same": self.same_objects, "open": self.different_objects },
            "instructions": self.instructions.0, "instructions_unknown": self.instructions.1,
        });
        if args.opcodes {
            all["opcodes"] = json!(self.opcodes);
        }
        all
    }

    fn to_text(&self, args: &Diff) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        let verdicts = joined(self.verdicts.iter().map(|(v, n)| format!("{n} {}", v.name())).collect());
        let how = joined(self.how.iter().map(|(how, n)| format!("{n} {how}")).collect());
        let mut text = format!("{}: {verdicts}", counted(self.pairs, "function pair"));
        if !self.how.is_empty() {
            text.push_str(&format!(" ({how})"));
        }
        if self.lone != [0, 0] {
            text.push_str(&format!("; {} only in the old, {} only in the new", self.lone[0], self.lone[1]));
        }
        if self.different_objects > 0 {
            text.push_str(&format!("; {} objects whose contents are open", self.different_objects));
        }
        if self.failed > 0 {
            text.push_str(&format!("; {} of {} files not compared", self.failed, self.files));
        }
        if args.opcodes {
            let mut ranked: Vec<_> = self.opcodes.iter().collect();
            ranked.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), name.as_str()));
            text.push_str("\ninstructions of functions that stay open:");
            for (name, n) in ranked {
                text.push_str(&format!("\n{n:9}  {name}"));
            }
        }
        text
    }
}

fn lines_json(file: &str, report: &FileReport) {
    for f in &report.functions {
        let mut line = json!(f);
        line["type"] = "function".into();
        line["file"] = file.into();
        output::json(&line);
    }
    for lone in &report.lone {
        let mut line = json!(lone);
        line["type"] = "only".into();
        line["file"] = file.into();
        output::json(&line);
    }
    for (name, difference) in &report.objects {
        output::json(
            &json!({ "type": "object", "file": file, "object": name, "verdict": "unknown", "text": difference }),
        );
    }
}

fn lines(args: &Diff, file: &str, report: &FileReport) {
    for f in report.functions.iter().filter(|f| args.verbose || f.verdict != VerdictKind::Proved) {
        output::line(&line(file, f));
    }
    for lone in &report.lone {
        output::line(&lone_line(file, lone));
    }
    for (name, difference) in &report.objects {
        output::line(&format!("{file}: object {name}: unknown: {difference}"));
    }
}

fn line(file: &str, f: &FunctionReport) -> String {
    let mut text = format!("{file}: {}: {}", f.function, f.verdict.name());
    if let Some(how) = &f.how {
        text.push_str(&format!(" ({})", how.name()));
    }
    if f.old.name != f.new.name {
        text.push_str(&format!(", was {}, found by {}", f.old.name, f.by.name()));
    }
    if let Some(why) = &f.text {
        text.push_str(&format!(": {why}"));
    }
    if !f.assumptions.is_empty() {
        text.push_str(&format!(", if {}", f.assumptions.join("; ")));
    }
    text
}

fn lone_line(file: &str, lone: &LoneReport) -> String {
    let side = if lone.old { "old" } else { "new" };
    let seen = if lone.local { "local" } else { "global" };
    format!("{file}: {}: only in the {side} ({seen}, {} bytes)", lone.function, lone.bytes)
}
