//! `plumb run`

use super::coverage::{self, Point};
use crate::args::Run;
use crate::output;
use campaign::{Error, exit};
use csyntax::source::{Diagnostic, SourceMap, Span};
use frontend::{Checked, Refusal, Text, Unmergeable, diagnostics};
use machine::{Budget, Exit, Options, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// A program that was run.
pub struct Answer {
    /// What the machine says.
    pub run: machine::Run,
    /// Turns its spans into places.
    pub source: SourceMap,
    /// What the parser and checker found worth saying.
    pub warnings: Vec<Diagnostic>,
    /// Statements and how often each ran, in the order of the text; empty unless [`Options::profile`].
    pub coverage: Vec<Point>,
}

/// Runs the command.
pub fn run(args: &Run) -> Result<u8, Error> {
    let cc = args.cc.options();
    let text = read(&args.files, &cc)?;
    if let Some(note) = &text.note {
        output::error_bytes(format!("plumb: note: {note}\n").as_bytes());
    }
    let mut options = Options {
        target: cc.target(),
        args: args.args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        stdin: args.stdin.as_deref().map(super::input).transpose()?.unwrap_or_default(),
        profile: args.profile || args.coverage,
        allow_misaligned: args.allow_misaligned,
        allow_aliasing: args.allow_aliasing,
        // Only the JSON report says whether unspecified choices matter.
        judge: args.json,
        ..Options::default()
    };
    if let Some(steps) = args.max_steps {
        options.max_steps = steps;
    }
    let answer = answer(&text, &options)?;
    let warnings = diagnostics::render(&answer.warnings, &answer.source, &text.bytes, 20);
    if args.json {
        output::json(&report(&answer, args.profile || args.coverage));
    } else {
        output::bytes(&answer.run.stdout);
        output::error_bytes(&answer.run.stderr);
        output::error_bytes(warnings.as_bytes());
        output::error_bytes(explain(&answer, &text).as_bytes());
        if args.coverage {
            output::error_bytes(coverage::lines(&answer).as_bytes());
        }
        if args.profile {
            output::error_bytes(coverage::statements(&answer).as_bytes());
        }
    }
    Ok(code(&answer.run.verdict, args.propagate_exit))
}

/// The program's text; that of several files is all of them merged, and so are the places in it that messages name.
fn read(files: &[PathBuf], cc: &frontend::Options) -> Result<Text, Error> {
    if let [file] = files {
        return Ok(frontend::read(file, cc)?);
    }
    let read: Result<Vec<Text>, _> = files.iter().map(|file| frontend::read(file, cc)).collect();
    let read = read?;
    let name = read.iter().map(|text| text.name.as_str()).collect::<Vec<_>>().join("+");
    let note = read.iter().find_map(|text| text.note.clone());
    let units: Vec<_> = read.into_iter().map(|text| (text.name, text.bytes)).collect();
    match frontend::merge(&units) {
        Ok(text) => Ok(Text { name, bytes: text.into_bytes(), note }),
        Err(Unmergeable::NotC(message)) => Err(Error::NotC(message)),
        Err(why @ Unmergeable::Named { .. }) => Err(Error::Usage(why.to_string())),
    }
}

/// Gives the text its meaning.
fn answer(text: &Text, options: &Options) -> Result<Answer, Error> {
    let failed = |said: String| {
        Error::Internal(format!("plumb failed on `{}`: {said}; please report it with the file", text.name))
    };
    let Checked { unit, source, warnings } = match frontend::check(&text.bytes, &text.name, &options.target) {
        Ok(checked) => checked,
        Err(Refusal::NotC(refused)) => return Err(Error::NotC(refused.render(&text.bytes))),
        Err(Refusal::Unsupported { what, span, source }) => {
            let run = machine::Run::unsupported(what, span);
            return Ok(Answer { run, source, warnings: Vec::new(), coverage: Vec::new() });
        }
        Err(Refusal::Internal(said)) => return Err(failed(said)),
    };
    let work = || {
        let run = if options.judge { machine::judge(&unit, options) } else { machine::run(&unit, options) };
        let coverage = if options.profile { coverage::of(&unit, &run) } else { Vec::new() };
        Answer { run, source, warnings, coverage }
    };
    frontend::guarded(work).map_err(failed)
}

fn code(verdict: &Verdict, propagate: bool) -> u8 {
    match verdict {
        Verdict::Defined(outcome) if propagate => match outcome.exit {
            Exit::Code(code) => code,
            Exit::Signal(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        },
        Verdict::Defined(_) => exit::OK,
        Verdict::Undefined { .. } => exit::UNDEFINED,
        Verdict::Unsupported { .. } => exit::UNSUPPORTED,
        Verdict::Exhausted(_) => exit::UNKNOWN,
    }
}

/// What to say of a program that is not defined.
fn explain(answer: &Answer, text: &Text) -> String {
    let place =
        |kind: &str, words: &str, span| diagnostics::message(kind, words, span, &answer.source, &text.bytes);
    match &answer.run.verdict {
        Verdict::Defined(_) => String::new(),
        Verdict::Undefined { ub, span, detail, stack } => {
            let words = format!("undefined behaviour: {detail} [{}, C11 {}]", ub.name(), ub.clause());
            let mut said = place("error", &words, *span);
            for pair in stack.windows(2) {
                let words = format!("`{}` was called here, in `{}`", pair[0].0, pair[1].0);
                said.push_str(&place("note", &words, pair[1].1));
            }
            said
        }
        Verdict::Unsupported { what, span } => place("error", &format!("not supported: {what}"), *span),
        Verdict::Exhausted(budget) => {
            let advice = match budget {
                Budget::Steps => "; raise it with --max-steps",
                Budget::Memory | Budget::Output | Budget::Depth => "",
            };
            format!("{}: error: the budget of {} ran out{advice}\n", text.name, budget.name())
        }
    }
}

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// The answer.
    Run(Box<Report>),
}

/// The machine's answer.
#[derive(Serialize, JsonSchema)]
pub struct Report {
    /// Which of the four.
    verdict: VerdictName,
    /// The exit status of a defined program that exits.
    exit: Option<u8>,
    /// The signal that ends a defined program otherwise.
    signal: Option<i32>,
    /// What it printed until it ended or was stopped; bytes that are not UTF-8 are replaced.
    stdout: String,
    /// The same in hexadecimal, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout_hex: Option<String>,
    /// What it wrote to standard error.
    stderr: String,
    /// Steps of the machine.
    steps: u64,
    /// The undefined behaviour.
    ub: Option<UbReport>,
    /// Of a defined program: does its behaviour depend on where objects lie?
    #[serde(skip_serializing_if = "Option::is_none")]
    address_dependent: Option<bool>,
    /// Of a defined program: does it depend on an order of evaluation that C leaves open?
    #[serde(skip_serializing_if = "Option::is_none")]
    order_dependent: Option<bool>,
    /// What is not supported.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsupported: Option<UnsupportedReport>,
    /// The budget that ran out: steps, memory, output or depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    exhausted: Option<&'static str>,
    /// With --profile or --coverage: every statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    statements: Option<Vec<coverage::Statement>>,
}

/// The name of a verdict.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum VerdictName {
    /// It has one meaning.
    Defined,
    /// It is undefined.
    Undefined,
    /// The machine does not support something it uses.
    Unsupported,
    /// A budget ran out.
    Exhausted,
}

/// An undefined behaviour.
#[derive(Serialize, JsonSchema)]
struct UbReport {
    /// The stable name.
    name: &'static str,
    /// The clause of C11.
    clause: &'static str,
    /// The rule.
    text: &'static str,
    /// What happened.
    detail: String,
    /// Where.
    at: coverage::At,
    /// The functions that were running, the innermost first.
    stack: Vec<Frame>,
}

/// A function that was running.
#[derive(Serialize, JsonSchema)]
struct Frame {
    /// Its name.
    function: String,
    /// Where it was called.
    called_from: coverage::At,
}

/// What the machine does not support.
#[derive(Serialize, JsonSchema)]
struct UnsupportedReport {
    /// What.
    what: String,
    /// Where.
    at: coverage::At,
}

fn report(answer: &Answer, statements: bool) -> Line {
    let run = &answer.run;
    let at = |span: Span| coverage::At::of(answer.source.place(span.lo));
    let hex = || run.stdout.iter().map(|b| format!("{b:02x}")).collect();
    let mut report = Report {
        verdict: VerdictName::Defined,
        exit: None,
        signal: None,
        stdout: String::from_utf8_lossy(&run.stdout).into_owned(),
        stdout_hex: std::str::from_utf8(&run.stdout).is_err().then(hex),
        stderr: String::from_utf8_lossy(&run.stderr).into_owned(),
        steps: run.steps,
        ub: None,
        address_dependent: None,
        order_dependent: None,
        unsupported: None,
        exhausted: None,
        statements: statements.then(|| coverage::points(answer)),
    };
    match &run.verdict {
        Verdict::Defined(outcome) => {
            match outcome.exit {
                Exit::Code(code) => report.exit = Some(code),
                Exit::Signal(signal) => report.signal = Some(signal),
            }
            report.address_dependent = Some(outcome.address_dependent);
            report.order_dependent = Some(outcome.order_dependent);
        }
        Verdict::Undefined { ub, span, detail, stack } => {
            let frame =
                |(name, call): &(String, Span)| Frame { function: name.clone(), called_from: at(*call) };
            let stack = stack.iter().map(frame).collect();
            let (name, clause, text) = (ub.name(), ub.clause(), ub.text());
            report.verdict = VerdictName::Undefined;
            report.ub =
                Some(UbReport { name, clause, text, detail: detail.to_string(), at: at(*span), stack });
        }
        Verdict::Unsupported { what, span } => {
            report.verdict = VerdictName::Unsupported;
            report.unsupported = Some(UnsupportedReport { what: what.to_string(), at: at(*span) });
        }
        Verdict::Exhausted(budget) => {
            report.verdict = VerdictName::Exhausted;
            report.exhausted = Some(budget.name());
        }
    }
    Line::Run(Box::new(report))
}
