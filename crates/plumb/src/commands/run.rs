//! `plumb run`

use super::coverage::{self, Point};
use crate::args::Run;
use crate::output;
use campaign::{Error, exit};
use csyntax::source::{Diagnostic, SourceMap, Span};
use frontend::{Checked, Refusal, Text, diagnostics};
use machine::{Budget, Exit, Options, Verdict};
use serde_json::{Value, json};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

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
    let text = frontend::read(&args.file, &cc)?;
    if let Some(note) = &text.note {
        output::error_bytes(format!("plumb: note: {note}\n").as_bytes());
    }
    let mut options = Options {
        target: cc.target(),
        args: args.args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        stdin: args.stdin.as_deref().map(input).transpose()?.unwrap_or_default(),
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
        let mut report = report(&answer);
        if args.profile || args.coverage {
            report["statements"] = coverage::points(&answer);
        }
        output::json(&report);
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

fn input(path: &Path) -> Result<Vec<u8>, Error> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        return read.map(|_| bytes).map_err(|error| Error::file("read", path, &error));
    }
    std::fs::read(path).map_err(|error| Error::file("read", path, &error))
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

fn report(answer: &Answer) -> Value {
    let run = &answer.run;
    let (verdict, code, signal) = match &run.verdict {
        Verdict::Defined(outcome) => match outcome.exit {
            Exit::Code(code) => ("defined", Some(code), None),
            Exit::Signal(signal) => ("defined", None, Some(signal)),
        },
        Verdict::Undefined { .. } => ("undefined", None, None),
        Verdict::Unsupported { .. } => ("unsupported", None, None),
        Verdict::Exhausted(_) => ("exhausted", None, None),
    };
    let mut report = json!({
        "verdict": verdict, "exit": code, "signal": signal, "stdout": String::from_utf8_lossy(&run.stdout),
        "stderr": String::from_utf8_lossy(&run.stderr), "steps": run.steps, "ub": null,
    });
    if std::str::from_utf8(&run.stdout).is_err() {
        let hex: String = run.stdout.iter().map(|b| format!("{b:02x}")).collect();
        report["stdout_hex"] = hex.into();
    }
    let place = |span: Span| {
        let place = answer.source.place(span.lo);
        json!({ "file": place.file, "line": place.line, "column": place.column })
    };
    match &run.verdict {
        Verdict::Defined(outcome) => {
            report["address_dependent"] = outcome.address_dependent.into();
            report["order_dependent"] = outcome.order_dependent.into();
        }
        Verdict::Undefined { ub, span, detail, stack } => {
            let stack: Vec<Value> = stack
                .iter()
                .map(|(name, call)| json!({ "function": name, "called_from": place(*call) }))
                .collect();
            report["ub"] = json!({
                "name": ub.name(), "clause": ub.clause(), "text": ub.text(), "detail": detail,
                "at": place(*span), "stack": stack,
            });
        }
        Verdict::Unsupported { what, span } => {
            report["unsupported"] = json!({ "what": what, "at": place(*span) });
        }
        Verdict::Exhausted(budget) => report["exhausted"] = budget.name().into(),
    }
    report
}
