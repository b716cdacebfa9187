//! `plumb gen`

use crate::args::Gen;
use crate::output;
use campaign::sources::known::{self, Known, Unknown};
use campaign::{Error, exit};
use generate::options::{LIMITS, SWITCHES};
use generate::{Limit, Options, Program, SafeMath, Switch, manual, rewrite};
use machine::{Exit, Options as Machine};
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The generator's own options, for the help text.
pub fn help() -> String {
    let mut text = "Generator options, named as Csmith's:\n".to_owned();
    for info in SWITCHES {
        let now = if info.default { "on" } else { "off" };
        let flag = format!("--[no-]{}", info.flag);
        let _ = writeln!(text, "  {flag:<32} {} [{now}]", info.doc);
    }
    for info in LIMITS {
        let flag = format!("--{} N", info.flag);
        let _ = writeln!(text, "  {flag:<32} {} [{}]", info.doc, info.default);
    }
    let modes = SafeMath::ALL.map(|m| m.1).join("|");
    let flag = format!("--safe-math {modes}");
    let _ = writeln!(text, "  {flag}\n  {:<32} how overflow is kept out [analysis; hunts: elided]", "");
    for (flag, value, doc) in generate::command_line::TEXTS {
        let _ = writeln!(text, "  {:<32} {doc}", format!("--{flag} {value}"));
    }
    for (flag, doc) in generate::command_line::WORDS {
        let _ = writeln!(text, "  {:<32} {doc}", format!("--{flag}"));
    }
    text
}

/// Runs the command.
pub fn run(args: &Gen, generator: &[String]) -> Result<u8, Error> {
    let mut words = generator.to_vec();
    let mut recorded = None;
    let delta = Delta::of(generator)?;
    let replayed = delta.input.as_ref().or(args.replay.as_ref());
    if let Some(path) = replayed {
        let text = fs::read_to_string(path).map_err(|error| Error::file("read", path, &error))?;
        let wrong = |error: generate::ChoicesError| Error::Usage(format!("`{}`: {error}", path.display()));
        let (options, choices) = generate::read_choices(&text).map_err(wrong)?;
        words = options;
        words.extend_from_slice(generator);
        recorded = Some(if delta.reduces { generate::shortened(&choices, args.seed) } else { choices });
    }
    let options = Options::parse(&words).map_err(|error| Error::Usage(error.to_string()))?;
    dump_weights(&words, args.seed, &options)?;
    if args.list {
        list(args.json);
        return Ok(exit::OK);
    }
    let directory = split_directory(&words).or_else(|| args.output.clone());
    let walk = RefCell::new(Walk { all: generate::Exhaustive::new(&options), next: 1 });
    let words = without_delta(&words);
    let choices = delta.output.or_else(|| args.choices.clone());
    let maker = Maker { args, options: &options, words: &words, choices, walk };
    match (args.count, directory) {
        (Some(count), Some(dir)) => maker.many(count, &dir),
        (Some(_), None) => Err(Error::Usage("--count needs -o DIR".to_owned())),
        (None, output) => maker.one(recorded.as_deref(), output.as_deref()),
    }
}

/// Csmith's names for recording, replaying and shortening choices.
struct Delta {
    /// The choices to start from.
    input: Option<PathBuf>,
    /// Where those of the program go.
    output: Option<PathBuf>,
    /// Is a stretch of them taken out?
    reduces: bool,
}

impl Delta {
    fn of(words: &[String]) -> Result<Delta, Error> {
        let file = |flag| value(words, flag).map(PathBuf::from);
        let (monitors, goes) =
            (value(words, "--delta-monitor").is_some(), value(words, "--go-delta").is_some());
        let (input, output) = (file("--delta-input"), file("--delta-output"));
        if goes && input.is_none() {
            return Err(Error::Usage("--go-delta needs --delta-input FILE".to_owned()));
        }
        if monitors && output.is_none() && !goes {
            return Err(Error::Usage("--delta-monitor needs --delta-output FILE".to_owned()));
        }
        let reduces = goes && !words.iter().any(|word| word == "--no-delta-reduction");
        let input = input.filter(|_| goes);
        let output = if reduces { output.or_else(|| input.clone()) } else { output.filter(|_| monitors) };
        Ok(Delta { input, output, reduces })
    }
}

/// The options that shape a program: a file of choices keeps no others.
fn without_delta(words: &[String]) -> Vec<String> {
    let mut left = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let taken = Options::words(word, words.get(at + 1).map(String::as_str)).max(1);
        let name = word.trim_start_matches("--").split('=').next().unwrap_or_default();
        if !(name.starts_with("delta-") || name == "go-delta" || name == "no-delta-reduction") {
            left.extend_from_slice(&words[at..(at + taken).min(words.len())]);
        }
        at += taken;
    }
    left
}

/// The value of an option that only this command acts on.
fn value<'a>(words: &'a [String], flag: &str) -> Option<&'a str> {
    let at =
        words.iter().rposition(|w| w == flag || w.strip_prefix(flag).is_some_and(|r| r.starts_with('=')))?;
    match words[at].split_once('=') {
        Some((_, value)) => Some(value),
        None => words.get(at + 1).map(String::as_str),
    }
}

fn split_directory(words: &[String]) -> Option<PathBuf> {
    value(words, "--split-files-dir").map(PathBuf::from)
}

fn dump_weights(words: &[String], seed: u64, options: &Options) -> Result<(), Error> {
    if let Some(path) = value(words, "--dump-default-probabilities") {
        write(Path::new(path), &Options::default().probabilities())?;
    }
    if let Some(path) = value(words, "--dump-random-probabilities") {
        write(Path::new(path), &options.of_seed(seed).probabilities())?;
    }
    Ok(())
}

fn list(as_json: bool) {
    if !as_json {
        return output::bytes(manual::reference().as_bytes());
    }
    let constructs = manual::constructs()
        .map(|c| ConstructLine { name: c.name, kind: c.kind, weight: c.weight.into(), doc: c.doc })
        .collect();
    let switches =
        SWITCHES.iter().map(|s| SwitchLine { flag: s.flag, default: s.default, doc: s.doc }).collect();
    let limits = LIMITS
        .iter()
        .map(|l| LimitLine { flag: l.flag, default: l.default, min: l.min, max: l.max, doc: l.doc })
        .collect();
    output::json(&Line::List { constructs, switches, limits });
}

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A program.
    Program(ProgramLine),
    /// With --count, the last line.
    Summary {
        /// How many programs were written.
        programs: u64,
        /// Their bytes.
        bytes: usize,
    },
    /// With --list.
    List {
        /// What programs are made of.
        constructs: Vec<ConstructLine>,
        /// What is turned on and off.
        switches: Vec<SwitchLine>,
        /// Numbers.
        limits: Vec<LimitLine>,
    },
}

/// A program.
#[derive(Serialize, JsonSchema)]
pub struct ProgramLine {
    /// Its seed.
    seed: u64,
    /// Where it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    /// With --units: where its units were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Vec<PathBuf>>,
    /// Its text, where it was not written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Bytes of text.
    bytes: usize,
    /// Its statements.
    statements: u32,
    /// Its functions.
    functions: u32,
    /// Calls that guard an operation.
    guards: usize,
    /// What it must print, with --expect or --self-check.
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<String>,
    /// The share of its statements that run, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    executed: Option<f64>,
    /// Steps of the abstract machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
}

/// A construct.
#[derive(Serialize, JsonSchema)]
pub struct ConstructLine {
    /// Its name, for --weight.
    name: &'static str,
    /// Statement or expression.
    kind: &'static str,
    /// Its default weight.
    weight: u64,
    /// What it is.
    doc: &'static str,
}

/// A switch.
#[derive(Serialize, JsonSchema)]
pub struct SwitchLine {
    /// Its name.
    flag: &'static str,
    /// Whether it is on.
    default: bool,
    /// What it does.
    doc: &'static str,
}

/// A limit.
#[derive(Serialize, JsonSchema)]
pub struct LimitLine {
    /// Its name.
    flag: &'static str,
    /// Its value.
    default: u64,
    /// The least.
    min: u64,
    /// The most.
    max: u64,
    /// What it limits.
    doc: &'static str,
}

/// A program ready to be written.
struct Made {
    program: Program,
    /// What stands above it.
    comment: String,
    known: Option<Known>,
}

/// All programs, where `--dfs-exhaustive` goes through them.
struct Walk {
    all: generate::Exhaustive,
    /// The number of the next, from 1, as the default seed is.
    next: u64,
}

impl Walk {
    /// The program of a number that was not passed yet.
    fn number(&mut self, number: u64) -> Option<Program> {
        let skipped = usize::try_from(number.saturating_sub(self.next)).ok()?;
        self.next = number.max(self.next).saturating_add(1);
        self.all.nth(skipped)
    }
}

struct Maker<'a> {
    args: &'a Gen,
    options: &'a Options,
    words: &'a [String],
    /// Where the choices go.
    choices: Option<PathBuf>,
    walk: RefCell<Walk>,
}

impl Maker<'_> {
    /// The program of a seed or of recorded choices, run where something of it must be known.
    fn make(&self, seed: u64, recorded: Option<&[u32]>) -> Result<Made, Error> {
        let mut program = match recorded {
            Some(choices) => generate::replay(choices, self.options),
            None if self.options.exhaustive => {
                let past =
                    || Error::Usage(format!("there are fewer than {seed} programs with these options"));
                self.walk.borrow_mut().number(seed).ok_or_else(past)?
            }
            None => generate::generate(seed, self.options),
        };
        if let Some(path) = &self.choices {
            // Draws behind the end of a replayed sequence are no part of it: with them it would not end there.
            let choices = recorded.unwrap_or(&program.choices);
            write(path, &generate::write_choices(self.words, choices))?;
        }
        let machine = Machine { max_steps: self.args.machine_steps, ..Machine::default() };
        let failed = |why: Unknown| match why {
            Unknown::Exhausted(_) => Error::Resource(format!("seed {seed}: {why}; raise --machine-steps")),
            Unknown::NoChecksum => Error::Usage(format!("seed {seed}: {why}")),
            Unknown::NotDefined(_) => Error::Internal(format!("seed {seed}: {why}")),
        };
        if self.options.guarding() == SafeMath::Elided {
            known::elide(&mut program, &machine).map_err(failed)?;
        }
        let (mut comment, mut known) = (self.header(seed, recorded.is_some()), None);
        if self.args.expect || self.args.self_check {
            let found = known::answer(&program, &machine).map_err(failed)?;
            let checksum =
                rewrite::checksum(&found.outcome.stdout).ok_or(Unknown::NoChecksum).map_err(failed)?;
            comment.push_str(&expectation(&found));
            if self.args.self_check {
                program.expect(checksum);
            }
            known = Some(found);
        }
        if self.options.on(Switch::Freestanding) {
            program.without_library();
        }
        Ok(Made { program, comment, known })
    }

    /// The comment that a program begins with: what writes it again.
    fn header(&self, seed: u64, replayed: bool) -> String {
        if self.words.iter().any(|word| word == "--concise") {
            return String::new();
        }
        let from = if replayed { "--replay FILE".to_owned() } else { format!("--seed {seed}") };
        let mut line = format!("/* plumb {}: plumb gen {from}", env!("CARGO_PKG_VERSION"));
        for word in self.options.command_line() {
            line.push(' ');
            line.push_str(&word.replace("*/", "* /"));
        }
        line + " */\n"
    }

    fn one(&self, recorded: Option<&[u32]>, output: Option<&Path>) -> Result<u8, Error> {
        let (seed, split) = (self.args.seed, self.units() > 1);
        let made = self.make(seed, recorded)?;
        let mut row = made.row(seed);
        match output {
            Some(dir) if split => {
                make_dir(dir)?;
                row = self.write_units(&made, seed, dir, row)?;
            }
            None if split => return Err(Error::Usage("--units needs -o DIR".to_owned())),
            Some(path) => {
                row.bytes = write_program(path, &made)?;
                row.file = Some(path.to_owned());
            }
            None => {
                let text = made.comment.clone() + &made.program.text();
                if !self.args.json {
                    output::bytes(text.as_bytes());
                    return Ok(exit::OK);
                }
                row.bytes = text.len();
                row.text = Some(text);
            }
        }
        if self.args.json {
            output::json(&Line::Program(row));
        }
        Ok(exit::OK)
    }

    fn units(&self) -> usize {
        self.options.small(Limit::Units) as usize
    }

    fn write_units(
        &self,
        made: &Made,
        seed: u64,
        dir: &Path,
        mut row: ProgramLine,
    ) -> Result<ProgramLine, Error> {
        let mut files = Vec::new();
        for (number, text) in made.program.units(self.units()).into_iter().enumerate() {
            let path = dir.join(format!("{seed}-{}.c", number + 1));
            let text = made.comment.clone() + &text;
            write(&path, &text)?;
            row.bytes += text.len();
            files.push(path);
        }
        row.files = Some(files);
        Ok(row)
    }

    fn many(&self, count: u64, dir: &Path) -> Result<u8, Error> {
        make_dir(dir)?;
        let mut bytes = 0;
        for number in 0..count {
            if toolchain::stop::requested() {
                return Err(Error::Resource(format!("stopped after {number} of {count} programs")));
            }
            output::check()?;
            let seed = self.args.seed.wrapping_add(number);
            let made = self.make(seed, None)?;
            let mut row = made.row(seed);
            if self.units() > 1 {
                row = self.write_units(&made, seed, dir, row)?;
            } else {
                let path = dir.join(format!("{seed}.c"));
                row.bytes = write_program(&path, &made)?;
                row.file = Some(path);
            }
            bytes += row.bytes;
            if self.args.json {
                output::json(&Line::Program(row));
            }
        }
        if self.args.json {
            output::json(&Line::Summary { programs: count, bytes });
        }
        Ok(exit::OK)
    }
}

impl Made {
    /// What is known of the program, not yet of its text.
    fn row(&self, seed: u64) -> ProgramLine {
        let (stats, known) = (&self.program.stats, self.known.as_ref());
        ProgramLine {
            seed,
            file: None,
            files: None,
            text: None,
            bytes: 0,
            statements: stats.statements,
            functions: stats.functions,
            guards: self.program.guards.len(),
            stdout: known.map(|known| String::from_utf8_lossy(&known.outcome.stdout).into_owned()),
            executed: known.map(|known| known.executed.0 as f64 / known.executed.1.max(1) as f64),
            steps: known.map(|known| known.steps),
        }
    }
}

fn make_dir(dir: &Path) -> Result<(), Error> {
    fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, &error))
}

/// Writes a program's file and returns its size.
fn write_program(path: &Path, made: &Made) -> Result<usize, Error> {
    let text = made.comment.clone() + &made.program.text();
    write(path, &text)?;
    Ok(text.len())
}

/// What a program must do, as a comment.
fn expectation(known: &Known) -> String {
    let (accesses, trace) = known.outcome.volatile_trace;
    let end = match known.outcome.exit {
        Exit::Code(code) => format!("exit: {code}"),
        Exit::Signal(signal) => format!("signal: {signal}"),
    };
    let mut text = "/* expected\n".to_owned();
    for line in String::from_utf8_lossy(&known.outcome.stdout).lines() {
        let _ = writeln!(text, " * stdout: {line}");
    }
    let _ = writeln!(text, " * {end}\n * volatile accesses: {accesses}, trace {trace:016x}\n */");
    text
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|error| Error::file("write", path, &error))
}
