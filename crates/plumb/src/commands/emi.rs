//! `plumb emi`

use crate::args::Emi;
use crate::output;
use campaign::{Error, exit};
use csyntax::target::Target;
use frontend::Text;
use machine::Options;
use mutate::athena::Database;
use mutate::choices::Choices;
use mutate::proteus;
use mutate::{Chosen, Edit, Input, Refusal, Seed, Settings, Strategy, Variant, Wrong, to_log};
use schemars::JsonSchema;
use serde::Serialize;
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

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A variant.
    Variant(VariantLine),
    /// The last line.
    Summary(Counts),
}

/// A variant.
#[derive(Serialize, JsonSchema)]
pub struct VariantLine {
    /// Its number, from 0.
    variant: u64,
    /// Whether it behaves as its seed.
    verdict: VariantVerdict,
    /// Of a wrong one: what it does otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Its file.
    file: PathBuf,
    /// The log of its edits, for --replay.
    log: PathBuf,
    /// How many edits made it.
    edits: usize,
    /// How many of them each strategy made.
    by: BTreeMap<String, u64>,
    /// With --minimize: the strategies of the edits that the test needs; `seed` if it needs none; null where the test
    /// does not hold for the variant.
    needs: Option<String>,
    /// With --split: the files of its units.
    units: Vec<PathBuf>,
}

/// Whether a variant behaves as its seed.
#[derive(Copy, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VariantVerdict {
    /// It does.
    Ok,
    /// It does not: a bug of plumb.
    Wrong,
    /// The machine ran out of budget before that was known.
    Exhausted,
}

/// Why a program has no variants.
#[derive(Copy, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalName {
    /// It is undefined on an input.
    Undefined,
    /// The machine does not support something it uses.
    Unsupported,
    /// A budget of the machine ran out.
    Exhausted,
}

/// What became of all variants.
#[derive(Default, Serialize, JsonSchema)]
pub struct Counts {
    /// Variants written.
    variants: u64,
    /// Those that behave otherwise than their seed.
    wrong: u64,
    /// Those without an edit.
    unchanged: u64,
    /// Steps of the longest run of the seed.
    seed_steps: u64,
    /// With --minimize: variants for which the test holds, by the strategies it needs.
    interesting_by_strategy: BTreeMap<String, u64>,
    /// With --split: variants that could not be split.
    not_split: u64,
    /// Why the program has no variants, as `plumb run` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<RefusalName>,
    /// The same for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Units that splitting makes at most, where --split does not say.
const PARTS: usize = 4;

/// Runs the command.
pub fn run(args: &Emi) -> Result<u8, Error> {
    let chosen = chosen(&args.strategy)?;
    let needs_database = chosen.needs_database() && args.replay.is_none();
    let Chosen { editing, splitting } = chosen;
    let parts = args.split.map(usize::from).or(splitting.map(|_| PARTS));
    let mut settings = settings(&args.set)?;
    settings.point_probability = args.probability;
    let test = args.minimize.as_deref().map(runnable);
    let cc = args.cc.options();
    let text = frontend::read(&args.file, &cc)?;
    if let Some(note) = &text.note {
        output::error_bytes(format!("plumb: note: {note}\n").as_bytes());
    }
    let options = Options { target: cc.target(), max_steps: args.max_steps, ..Options::default() };
    let inputs = inputs(args)?;
    let (seed, database) = std::thread::scope(|scope| {
        let learnt = scope.spawn(|| {
            if !needs_database {
                return Ok(None);
            }
            let generated = || campaign::variants::generated(&generate::Options::default());
            corpus(&args.corpus, &cc).map(|named| named.or_else(|| Some(generated())))
        });
        (Seed::new(&text.bytes, &text.name, &options, &inputs), joined(learnt))
    });
    let seed = match seed {
        Ok(seed) => seed,
        Err(refusal) => return refuse(args, &refusal, &text, &options.target),
    };
    settings.database = database?;
    std::fs::create_dir_all(&args.output).map_err(|error| Error::file("make", &args.output, &error))?;
    let replayed = args.replay.as_deref().map(|log| replay(&seed, log)).transpose()?;
    let number = if replayed.is_some() { 1 } else { args.number };
    let make = |index: u64| {
        let made = match &replayed {
            Some(made) => made.clone(),
            None => mutate::variant(&seed, &editing, &settings, args.seed, index)
                .map_err(|misfit| Error::Internal(misfit.to_string()))?,
        };
        let checked = mutate::check(&seed, &made.text, &made.edits);
        Ok::<_, Error>((made, checked))
    };
    let processors = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = args.jobs.map_or_else(processors, NonZeroUsize::from);
    let mut counts = Counts { seed_steps: seed.steps, ..Counts::default() };
    let writer = Writer { args, seed: &seed, parts, test };
    for (index, made) in in_order(number, jobs, &make) {
        let (made, checked) = made?;
        output::check()?;
        let line = match checked {
            Ok(()) => writer.right(made, index, &mut counts)?,
            Err(wrong) => writer.wrong(&made, &wrong, index, &mut counts)?,
        };
        if args.json {
            output::json(&Line::Variant(line));
        }
    }
    let code = match () {
        () if counts.wrong > 0 => exit::ALARM,
        () if counts.variants < number => exit::UNKNOWN,
        () => exit::OK,
    };
    writer.end(counts, &text.name);
    Ok(code)
}

/// Writes variants.
struct Writer<'a> {
    args: &'a Emi,
    seed: &'a Seed,
    /// With splitting: units at most.
    parts: Option<usize>,
    /// The test of --minimize.
    test: Option<PathBuf>,
}

impl Writer<'_> {
    fn path(&self, index: u64) -> PathBuf {
        let stem = self.args.file.file_stem().map_or("stdin".into(), |stem| stem.to_string_lossy());
        self.args.output.join(format!("{stem}-{index}.c"))
    }

    /// Writes a variant that behaves as its seed.
    fn right(&self, made: Variant, index: u64, counts: &mut Counts) -> Result<VariantLine, Error> {
        let path = self.path(index);
        counts.unchanged += u64::from(made.edits.is_empty());
        let (made, class) = match &self.test {
            Some(test) => smallest(self.seed, made, test, &path)?,
            None => (made, None),
        };
        if let Some(class) = &class {
            *counts.interesting_by_strategy.entry(class.clone()).or_default() += 1;
        }
        let units = match self.parts {
            Some(parts) => split(self.seed, &made, parts, self.args.seed, index, &path)?,
            None => Vec::new(),
        };
        counts.not_split += u64::from(self.parts.is_some() && units.is_empty());
        let log = path.with_extension("edits.jsonl");
        write(&path, &made.text)?;
        write(&log, &to_log(&made.edits))?;
        counts.variants += 1;
        let line = VariantLine {
            variant: index,
            verdict: VariantVerdict::Ok,
            why: None,
            file: path,
            log,
            edits: made.edits.len(),
            by: by_strategy(&made.edits),
            needs: class,
            units,
        };
        Ok(line)
    }

    /// Keeps a variant that does not.
    fn wrong(
        &self,
        made: &Variant,
        wrong: &Wrong,
        index: u64,
        counts: &mut Counts,
    ) -> Result<VariantLine, Error> {
        let path = self.path(index);
        counts.unchanged += u64::from(made.edits.is_empty());
        counts.wrong += u64::from(!wrong.exhausted);
        let (log, file) = (path.with_extension("wrong.jsonl"), path.with_extension("wrong.c"));
        write(&log, &to_log(&made.edits))?;
        write(&file, &made.text)?;
        eprintln!("plumb: variant {index} not written: {}; its edits are in `{}`", wrong.why, log.display());
        Ok(VariantLine {
            variant: index,
            verdict: if wrong.exhausted { VariantVerdict::Exhausted } else { VariantVerdict::Wrong },
            why: Some(wrong.why.clone()),
            file,
            log,
            edits: made.edits.len(),
            by: by_strategy(&made.edits),
            needs: None,
            units: Vec::new(),
        })
    }

    fn end(&self, counts: Counts, name: &str) {
        if let Some(test) = self.test.as_ref().filter(|_| counts.interesting_by_strategy.is_empty()) {
            eprintln!("plumb: note: `{}` exits with 0 for no variant: nothing was minimised", test.display());
        }
        if self.args.json {
            return output::json(&Line::Summary(counts));
        }
        let same = match counts.unchanged {
            0 => String::new(),
            unchanged => format!("; {unchanged} equal the seed: nothing in it suits these strategies"),
        };
        for (class, count) in &counts.interesting_by_strategy {
            eprintln!("{count} interesting by {class}");
        }
        if counts.not_split > 0 {
            let why = "there is one definition only, or what ties the program together";
            eprintln!("{} not split: {why}", counts.not_split);
        }
        eprintln!("{} variants of {name} in {}{same}", counts.variants, self.args.output.display());
    }
}

/// The test of --minimize: a file here, or else a program on PATH.
fn runnable(test: &Path) -> PathBuf {
    let here = std::path::absolute(test).ok().filter(|path| path.is_file());
    here.unwrap_or_else(|| test.to_owned())
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

/// The statements of the corpus that was named, which it says; none where none was.
pub fn corpus(paths: &[PathBuf], options: &frontend::Options) -> Result<Option<Arc<Database>>, Error> {
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

/// Arguments of a program as they are written on a command line, separated by blanks.
pub fn words(line: &str) -> Vec<Vec<u8>> {
    line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect()
}

/// Every list of arguments with every file of standard input.
fn inputs(args: &Emi) -> Result<Vec<Input>, Error> {
    let last: Vec<Vec<u8>> = args.args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    let lists: Vec<Vec<Vec<u8>>> =
        if args.argv.is_empty() { vec![last] } else { args.argv.iter().map(|line| words(line)).collect() };
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

fn refuse(args: &Emi, refusal: &Refusal, text: &Text, target: &Target) -> Result<u8, Error> {
    let (verdict, code) = match refusal {
        Refusal::NotC(said) => {
            // The front end shows all that is wrong, with carets.
            return Err(Error::NotC(match frontend::check(&text.bytes, &text.name, target) {
                Err(frontend::Refusal::NotC(refused)) => refused.render(&text.bytes),
                Ok(_) | Err(frontend::Refusal::Unsupported { .. } | frontend::Refusal::Internal(_)) => {
                    said.clone()
                }
            }));
        }
        Refusal::Internal(text) => return Err(Error::Internal(text.clone())),
        Refusal::Undefined { .. } => (RefusalName::Undefined, exit::UNDEFINED),
        Refusal::Unsupported(_) => (RefusalName::Unsupported, exit::UNSUPPORTED),
        Refusal::Exhausted(_) => (RefusalName::Exhausted, exit::UNKNOWN),
    };
    eprintln!("{refusal}");
    if args.json {
        let (verdict, why) = (Some(verdict), Some(refusal.to_string()));
        output::json(&Line::Summary(Counts { verdict, why, ..Counts::default() }));
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
    let mut failed = None;
    let mut holds = |edits: &[Edit]| -> bool {
        let Ok(text) = seed.replay(edits) else { return false };
        if failed.is_some() {
            return false;
        }
        if let Err(error) = write(path, &text) {
            failed = Some(error);
            return false;
        }
        match process::run(&process::Spec::new(test).args([path])).outcome {
            process::Outcome::Exited(0) => true,
            process::Outcome::SpawnFailed(error) => {
                failed = Some(Error::Usage(format!("--minimize {}: {error}", test.display())));
                false
            }
            process::Outcome::Exited(_)
            | process::Outcome::Signaled(_)
            | process::Outcome::TimedOut(_)
            | process::Outcome::OutputLimit(_)
            | process::Outcome::ProcessLimit
            | process::Outcome::Cancelled => false,
        }
    };
    let edits = match () {
        () if !holds(&made.edits) => None,
        () if holds(&[]) => Some(Vec::new()),
        () => Some(mutate::minimize(&made.edits, 10_000, &mut holds)),
    };
    match (failed, edits) {
        (Some(error), _) => Err(error),
        (None, None) => Ok((made, None)),
        (None, Some(edits)) => {
            let text = seed.replay(&edits).map_err(|misfit| Error::Internal(misfit.to_string()))?;
            let class = class(&edits);
            Ok((Variant { text, edits }, Some(class)))
        }
    }
}

/// The strategies of edits, each once; `seed` if there are none.
fn class(edits: &[Edit]) -> String {
    let mut names: Vec<&str> = edits.iter().map(|e| e.strategy.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "seed".to_owned() } else { names.join("+") }
}

/// How many edits each strategy made.
fn by_strategy(edits: &[Edit]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for edit in edits {
        *counts.entry(edit.strategy.clone()).or_insert(0) += 1;
    }
    counts
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|error| Error::file("write", path, &error))
}
