//! What a report says, gathered from the finding, its triage, and runs made for the report.

use super::Form;
use super::defined::{Check, checks};
use super::testcase::{Test, test};
use crate::configurations::Tested;
use crate::error::Error;
use crate::findings::{Actual, AgainstFacts, EXPECTED, Expected, REPRO};
use crate::store::FindingRow;
use crate::triage::{Cell, Seen, Subject, Triage, Workshop};
use crate::truth::Truth;
use crate::verdict::{FindingKind, Named, Stage};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use toolchain::process::{Spec, run};

/// All that a report says. Texts are empty where there is nothing to say.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// The finding's identity.
    pub id: String,
    /// One line.
    pub title: String,
    /// The kind of bug, as `wrong code`.
    pub kind: String,
    /// The compiler's command line.
    pub compiler: String,
    /// What it says of itself.
    pub version: String,
    /// Its target.
    pub target: String,
    /// How it was configured, in its own words.
    pub configured: Vec<String>,
    /// The command, as it is to be typed.
    pub command: String,
    /// Is there a program to be run?
    pub runs: bool,
    /// The program; of several units, that of all of them merged.
    pub source: String,
    /// The files that are compiled.
    pub sources: Vec<SourceFile>,
    /// Its lines.
    pub lines: usize,
    /// Is it reduced?
    pub reduced: bool,
    /// The command of plumb that writes the program that it was reduced from.
    pub origin: String,
    /// What it should do.
    pub expected: String,
    /// What it does.
    pub actual: String,
    /// What the compiler said when it failed, in lines.
    pub messages: Vec<String>,
    /// The levels of the table.
    pub levels: Vec<String>,
    /// A line of the table for each compiler.
    pub rows: Vec<Line>,
    /// How it is known that the program is defined.
    pub checks: Vec<Check>,
    /// What is to blame, in words.
    pub culprit: String,
    /// How sure that is, in words.
    pub confidence: String,
    /// The part of the compiler.
    pub stage: String,
    /// The construct that is translated wrongly: the bug is gone where it is computed another way.
    pub construct: String,
    /// What is done to the construct for the bug to be gone.
    pub instead: String,
    /// What proving the pass said.
    pub proof: String,
    /// Versions that show it.
    pub versions: Vec<String>,
    /// What is doubtful.
    pub doubt: String,
    /// What could not be found out.
    pub notes: Vec<String>,
    /// Findings that are the same bug.
    pub members: u64,
    /// The signature.
    pub signature: String,
    /// The test for the compiler's own suite.
    pub test: Option<Test>,
    /// The version of plumb.
    pub plumb: String,
    #[serde(skip)]
    files: Vec<File>,
}

/// A text that is compiled.
#[derive(Clone, Debug, Serialize)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The compiler.
    pub compiler: String,
    /// Its target.
    pub target: String,
    /// What was seen at each level.
    pub cells: Vec<String>,
}

/// A file that belongs to a report.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Is it a program?
    pub executable: bool,
}

impl Facts {
    /// The files that belong to the report.
    pub fn files(&self) -> &[File] {
        &self.files
    }
}

/// Gathers what there is to say of a finding that was triaged. `compilers` are those of this machine.
pub fn gather(
    findings: &Path,
    (row, triage): (&FindingRow, &Triage),
    form: Form,
    compilers: &[Arc<Tested>],
    workshop: &Workshop<'_>,
) -> Result<Facts, Error> {
    let subject = Subject::open(findings, row, workshop)?;
    let (facts, analysis) = (&subject.facts, &triage.analysis);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let compiled = subject.files()?;
    let named = |(name, bytes): &(String, Vec<u8>)| SourceFile { name: name.clone(), text: text(bytes) };
    let sources: Vec<SourceFile> = compiled.iter().map(named).collect();
    let truth = subject.truth(&subject.configuration.tested.target);
    let expected = known(&truth);
    let (levels, rows) = table(&analysis.levels);
    let culprit = analysis.culprit.as_ref().map(ToString::to_string).unwrap_or_default();
    let known_by = analysis.construct();
    let construct = known_by.as_ref().map_or_else(String::new, |detour| detour.name().to_owned());
    let sure = analysis.confidence;
    let confidence = match sure.runs {
        0 => String::new(),
        runs => format!("{} of {runs} repeated runs agree", sure.agreed),
    };
    let test = test(form, facts, &sources, expected.as_ref(), &subject.options());
    let runs = facts.stage == Stage::Run;
    let mut gathered = Facts {
        id: row.id.clone(),
        title: title(&subject, &culprit, &construct),
        kind: kind(facts.kind),
        compiler: facts.compiler.name.clone(),
        version: facts.compiler.version.clone(),
        target: facts.compiler.target.clone(),
        configured: configured(&subject),
        command: command(facts, runs),
        runs,
        lines: sources
            .iter()
            .flat_map(|file| file.text.lines())
            .filter(|line| !line.trim().is_empty())
            .count(),
        source: text(&subject.text),
        sources,
        reduced: subject.reduced,
        origin: facts.source_command.clone().unwrap_or_default(),
        expected: wanted(&subject, expected.as_ref()),
        actual: facts.actual.as_ref().map_or_else(|| facts.summary.clone(), seen),
        messages: if runs { Vec::new() } else { facts.compiler_stderr.lines().map(str::to_owned).collect() },
        levels,
        rows,
        checks: checks(&subject, &truth, compilers)?,
        culprit,
        confidence,
        stage: analysis.stage.map(|stage| stage.text().to_owned()).unwrap_or_default(),
        construct,
        instead: known_by.map_or_else(String::new, |detour| detour.taken().to_owned()),
        proof: analysis.proof.as_ref().map_or_else(String::new, |broken| {
            format!("`plumb prove` refutes what the pass did to `{}` on {}", broken.function, broken.input)
        }),
        versions: analysis.versions_affected.clone(),
        doubt: facts.doubt.clone().unwrap_or_default(),
        notes: analysis.notes.clone(),
        members: triage.members,
        signature: analysis.signature.clone(),
        test,
        plumb: facts.plumb.clone(),
        files: Vec::new(),
    };
    gathered.files = files(&subject, compiled, &gathered, expected.as_ref());
    Ok(gathered)
}

fn known(truth: &Truth) -> Option<Expected> {
    match truth {
        Truth::Known { outcome, steps } => {
            let (exit, signal) = match outcome.exit {
                machine::Exit::Code(code) => (Some(code), None),
                machine::Exit::Signal(signal) => (None, Some(signal)),
            };
            let stdout = String::from_utf8_lossy(&outcome.stdout).into_owned();
            Some(Expected { exit, signal, stdout, steps: *steps })
        }
        Truth::Opaque { .. } | Truth::Rejected(_) => None,
    }
}

fn kind(kind: FindingKind) -> String {
    match kind {
        FindingKind::Crash => "crash of the compiler",
        FindingKind::Hang => "endless compilation or program",
        FindingKind::WrongCode => "wrong code",
        FindingKind::Refusal => "refused program",
        FindingKind::FalseReport => "false report of a sanitizer",
        FindingKind::MissedOptimisation => "missed optimisation",
        FindingKind::Volatile => "wrong accesses to a volatile object",
        FindingKind::DebugInfo => "code that depends on debug information",
        FindingKind::SlowCompilation => "slow compilation",
    }
    .to_owned()
}

fn title(subject: &Subject<'_>, culprit: &str, construct: &str) -> String {
    let facts = &subject.facts;
    let level = match subject.options() {
        level if level.is_empty() => level,
        level => format!(" at {level}"),
    };
    let version = &facts.compiler.version;
    match facts.kind {
        FindingKind::Crash => format!("{version}: {}{level}", facts.signature),
        FindingKind::Hang
        | FindingKind::WrongCode
        | FindingKind::FalseReport
        | FindingKind::Refusal
        | FindingKind::MissedOptimisation
        | FindingKind::DebugInfo
        | FindingKind::Volatile
        | FindingKind::SlowCompilation => {
            let by = culprit.split(';').next().unwrap_or_default();
            let by = [by, construct].into_iter().find(|by| !by.is_empty());
            let by = by.map(|by| format!(" ({by})")).unwrap_or_default();
            format!("{version}: {}{level}{by}", kind(facts.kind))
        }
    }
}

/// What the compiler says of itself when asked with `-v`, as far as reports need it.
fn configured(subject: &Subject<'_>) -> Vec<String> {
    let command = &subject.configuration.tested.compiler.command;
    let done = run(&Spec::from_argv(command).arg("-v").limits(subject.limits().clone()));
    let text = [done.stdout, done.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let telling = ["Configured with", "Target:", "Thread model", "gcc version", "version "];
    let lines = text.lines().map(str::trim).filter(|line| telling.iter().any(|mark| line.contains(mark)));
    // Its version is said already.
    let banner = subject.configuration.tested.compiler.banner.as_str();
    lines.filter(|line| *line != banner).map(str::to_owned).take(8).collect()
}

/// The commands as a person types them.
fn command(facts: &crate::findings::Facts, runs: bool) -> String {
    let mut lines: Vec<String> = facts.commands.iter().map(shell_words::join).collect();
    if runs {
        let arguments = shell_words::join(&facts.arguments);
        lines.push(format!("./program {arguments}").trim_end().to_owned());
    }
    lines.join(" && ")
}

fn wanted(subject: &Subject<'_>, expected: Option<&Expected>) -> String {
    let facts = &subject.facts;
    if let Some(against) = &facts.against {
        return compared(against);
    }
    match (facts.kind, facts.stage, expected) {
        (FindingKind::Crash, _, _) => {
            "the compiler translates the program, or refuses it with an error".to_owned()
        }
        (FindingKind::Hang, Stage::Compile, _) => "the compiler ends".to_owned(),
        (_, Stage::Compile, _) => "the compiler writes a program".to_owned(),
        (_, Stage::Run, Some(expected)) => {
            ended(expected.exit.map(i32::from), expected.signal, "", &expected.stdout)
        }
        (_, Stage::Run, None) => "not known to the abstract machine".to_owned(),
    }
}

/// What a finding that rests on a comparison asks for.
fn compared(against: &AgainstFacts) -> String {
    let (by, version) = (&against.configuration, &against.compiler.version);
    let better = format!("{by} ({version}): {}", shell_words::join(&against.command));
    match (&against.marker, &against.cost) {
        (Some(marker), _) => {
            format!("the call of {marker}, which is never reached, is removed, as it is by {better}")
        }
        (None, Some(cost)) => format!(
            "less than {:.1} times what {by} takes, which is {}: {better}",
            cost.factor,
            cost.measure.amount(cost.better)
        ),
        (None, None) => format!("what {better} does"),
    }
}

fn seen(actual: &Actual) -> String {
    ended(actual.exit, actual.signal, actual.ended.text(), &actual.stdout)
}

fn ended(exit: Option<i32>, signal: Option<i32>, otherwise: &str, stdout: &str) -> String {
    let how = match (exit, signal) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal} ({})", toolchain::crash::signal_name(signal)),
        (None, None) => otherwise.to_owned(),
    };
    match stdout {
        "" => format!("{how}, no output"),
        text => format!("{how}, output:\n{}", text.trim_end_matches('\n')),
    }
}

/// Characters of a cell, at most.
const CELL: usize = 45;

/// Why nothing is known, for a cell: `rejected`, of `the compiler: rejected: program.c:1:12: error: …`.
fn shortly(why: &str) -> String {
    let why = why.strip_prefix("the compiler: ").unwrap_or(why);
    let first = why.split_once(": ").map_or(why, |(first, _)| first);
    let cut: String = first.chars().take(CELL).collect();
    let whole = if cut == first {
        cut.as_str()
    } else {
        cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words)
    };
    whole.replace(['|', '\n'], " ")
}

/// The table: what each compiler did at each level, those that did everything right on one line less.
fn table(cells: &[Cell]) -> (Vec<String>, Vec<Line>) {
    let mut levels: Vec<String> = Vec::new();
    for cell in cells {
        if !levels.contains(&cell.level) {
            levels.push(cell.level.clone());
        }
    }
    let mut rows: Vec<(String, Line)> = Vec::new();
    for cell in cells {
        let at = levels.iter().position(|level| *level == cell.level).unwrap_or(0);
        let text = match &cell.seen {
            Seen::Shows => "**wrong**".to_owned(),
            Seen::Right => "right".to_owned(),
            Seen::Unknown { why } => shortly(why),
        };
        match rows.iter_mut().find(|(name, _)| *name == cell.compiler) {
            Some((_, line)) => line.cells[at] = text,
            None => {
                let mut line = Line {
                    compiler: cell.version.clone(),
                    target: cell.target.clone(),
                    cells: vec![String::new(); levels.len()],
                };
                line.cells[at] = text;
                rows.push((cell.compiler.clone(), line));
            }
        }
    }
    (levels, rows.into_iter().map(|(_, line)| line).collect())
}

fn files(
    subject: &Subject<'_>,
    compiled: Vec<(String, Vec<u8>)>,
    facts: &Facts,
    expected: Option<&Expected>,
) -> Vec<File> {
    let mut files = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>, executable| {
        files.push(File { name: name.to_owned(), bytes, executable });
    };
    for (name, bytes) in compiled {
        add(&name, bytes, false);
    }
    for name in [REPRO, "stdin"] {
        if let Ok(bytes) = fs::read(subject.dir.join(name)) {
            add(name, bytes, name == REPRO);
        }
    }
    if let Some(expected) = expected {
        add(EXPECTED, expected.stdout.clone().into_bytes(), false);
    }
    if let Some(test) = &facts.test {
        add(&test.file, test.text.clone().into_bytes(), false);
    }
    files
}

/// The form that a compiler's maintainers want.
pub fn form_for(family: &str) -> Form {
    match family {
        "gcc" => Form::Gcc,
        "clang" => Form::Llvm,
        _ => Form::Markdown,
    }
}

impl Form {
    /// The form for the makers of the compiler of a finding.
    pub fn of(facts: &crate::findings::Facts) -> Form {
        form_for(&crate::triage::family(facts))
    }
}

/// The stable name of a form, for messages.
pub fn names() -> Vec<&'static str> {
    Form::ALL.iter().map(|form| form.name()).collect()
}
