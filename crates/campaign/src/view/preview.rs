//! What a report of a finding would begin with, of what is known without running anything: a page that only reads shows it.

use super::model::FindingView;
use crate::findings::{Actual, Expected};
use crate::triage::Seen;
use crate::verdict::{FindingKind, Named};
use std::fmt::Write as _;

/// Lines of a program that are shown whole.
const LINES: usize = 60;

/// The text; `None` where the finding has no facts.
pub(super) fn preview(view: &FindingView) -> Option<String> {
    let facts = view.facts.as_ref()?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}: {}\n", facts.kind.name(), facts.summary);
    let _ = writeln!(text, "compiler: {}\ntarget:   {}", facts.compiler.version, facts.compiler.target);
    for command in &facts.commands {
        let _ = writeln!(text, "command:  {}", command.join(" "));
    }
    if let Some(against) = &facts.against {
        let _ = writeln!(text, "better:   {}: {}", against.configuration, against.command.join(" "));
    }
    for line in &view.blame {
        let _ = writeln!(text, "culprit:  {line}");
    }
    if let Some(source) = view.reduced.as_ref().or(view.source.as_ref()) {
        let lines: Vec<&str> = source.text.lines().collect();
        let _ = writeln!(text, "\n{}", lines[..lines.len().min(LINES)].join("\n"));
        if lines.len() > LINES {
            let _ = writeln!(text, "... {} more lines; `plumb triage` reduces it", lines.len() - LINES);
        }
    }
    if let Some(expected) = &facts.expected
        && facts.kind != FindingKind::Crash
        && facts.against.is_none()
    {
        let _ = writeln!(text, "\nexpected: {}{}", end(expected), output(&expected.stdout));
    }
    match &facts.actual {
        Some(actual) => {
            let _ = writeln!(text, "actual:   {}{}", actual_end(actual), output(&actual.stdout));
        }
        None => {
            let said = if facts.against.is_some() { &facts.summary } else { &facts.compiler_stderr };
            let _ = writeln!(text, "\nactual:   {}", said.trim_end());
        }
    }
    for cell in &view.levels {
        let seen = match &cell.seen {
            Seen::Shows => "wrong",
            Seen::Right => "right",
            Seen::Unknown { why } => why,
        };
        let _ = writeln!(text, "{:<28} {:<8} {seen}", cell.compiler, cell.level);
    }
    Some(text)
}

fn output(stdout: &str) -> String {
    if stdout.is_empty() { String::new() } else { format!(", and this output\n{}", stdout.trim_end()) }
}

fn end(expected: &Expected) -> String {
    match (expected.exit, expected.signal) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "it ends".to_owned(),
    }
}

fn actual_end(actual: &Actual) -> String {
    match (actual.exit, actual.signal) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => actual.ended.text().to_owned(),
    }
}
