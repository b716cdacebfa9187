//! One finding: what was expected, what came, the program, and what is to blame.

use super::charts;
use super::findings::list;
use super::words::{Links, bytes, count, moment};
use campaign::findings::{Actual, Expected, Facts, REPRO};
use campaign::verdict::Named;
use campaign::view::{FindingView, Text};
use maud::{Markup, html};

/// The page of a finding, or its part of a report.
pub(super) fn content(view: &FindingView, links: Links) -> Markup {
    let row = &view.line.row;
    html! {
        h1 { span.tag.bug { (row.kind.name()) } " " (row.id) }
        p.break { (row.summary) }
        @if let Some(doubt) = &row.doubt { p { span.tag.unsure { "doubtful" } " " (doubt) } }
        @if let Some(other) = &view.counted_for {
            p { "Counted only: the same bug as " a href=(links.finding(other)) { (other) } ", which has the program." }
        }
        @if let Some(trouble) = &view.trouble { div.shout role="alert" { p { (trouble) } } }
        (facts(view))
        @if let Some(facts) = &view.facts { (answers(facts)) }
        (blame(view))
        (text("Reduced program", view.reduced.as_ref(), true))
        (charts::reduction(view))
        (text("Program", view.source.as_ref(), view.reduced.is_none()))
        @if let Some(facts) = &view.facts {
            @if !facts.compiler_stderr.trim().is_empty() {
                h2 { "What the compiler said" }
                pre tabindex="0" { (facts.compiler_stderr) }
            }
        }
        @if let Some(report) = &view.report {
            h2 { "Report" }
            p.small.soft {
                "What a report would begin with; " code { "plumb report " (row.id) } " writes it whole. Nothing is sent anywhere."
            }
            pre.source tabindex="0" { (report) }
        }
        @if !view.others.is_empty() && links == Links::Live {
            h2 { "The same bug" }
            p.soft {
                (count(view.bug.findings, "finding", "findings")) " in " (view.bug.configurations.join(", "))
            }
            (list(&view.others, links))
        }
    }
}

fn facts(view: &FindingView) -> Markup {
    let row = &view.line.row;
    html! {
        dl.facts {
            dt { "Configuration" } dd { (row.configuration) }
            @if let Some(facts) = &view.facts {
                dt { "Compiler" } dd { (facts.compiler.version) " for " (facts.compiler.target) }
                dt { (if facts.commands.len() > 1 { "Commands" } else { "Command" }) }
                dd { @for command in &facts.commands { code { (command.join(" ")) } br; } }
            }
            dt { "Program" } dd { (row.program) }
            @if let Some(command) = view.facts.as_ref().and_then(|facts| facts.source_command.as_ref()) {
                dt { "Made by" } dd { code { (command) } }
            }
            @if !row.strategies.is_empty() { dt { "Needs edits of" } dd { (row.strategies) } }
            @if !row.signature.is_empty() { dt { "Signature" } dd { code { (row.signature) } } }
            dt { "Found" } dd { (moment(view.line.at)) }
            dt { "Reproduce" } dd { code { "sh " (view.directory.join(REPRO).display()) } }
        }
    }
}

fn answers(facts: &Facts) -> Markup {
    html! {
        @if facts.expected.is_some() || facts.actual.is_some() {
            h2 { "What it means and what it does" }
            div.answers {
                @if let Some(expected) = &facts.expected { div { h3 { "Expected: " (expected_end(expected)) } (output(&expected.stdout)) } }
                @if let Some(actual) = &facts.actual { div { h3 { "Actual: " (actual_end(actual)) } (output(&actual.stdout)) } }
            }
        }
    }
}

fn output(stdout: &str) -> Markup {
    html! { @if stdout.is_empty() { p.soft { "no output" } } @else { pre tabindex="0" { (stdout) } } }
}

fn expected_end(expected: &Expected) -> String {
    ended(expected.exit.map(i32::from), expected.signal, "it ends")
}

fn actual_end(actual: &Actual) -> String {
    ended(actual.exit, actual.signal, actual.ended.text())
}

fn ended(exit: Option<i32>, signal: Option<i32>, otherwise: &str) -> String {
    match (exit, signal) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => otherwise.to_owned(),
    }
}

fn blame(view: &FindingView) -> Markup {
    html! {
        h2 { "To blame" }
        @if view.blame.is_empty() {
            p.soft { "Not known; " code { "plumb triage" } " finds out." }
        } @else {
            ul { @for line in &view.blame { li.break { (line) } } }
        }
        @if let Some(known) = &view.bug.known { p { span.tag { "known" } " " (known) } }
    }
}

fn text(title: &str, text: Option<&Text>, open: bool) -> Markup {
    html! {
        @if let Some(text) = text {
            h2 { (title) }
            details id=(format!("text-{}", text.name.replace('.', "-"))) open[open] {
                summary { code { (text.name) } ", " (bytes(text.bytes)) }
                pre.source tabindex="0" { code { (text.text) } }
                @if text.cut { p.soft { "Only its beginning; the rest is in the finding's directory." } }
            }
        }
    }
}
