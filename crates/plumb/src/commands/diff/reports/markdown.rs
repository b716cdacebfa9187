//! A summary as code hosts show it beside a change: counts, buckets, and the first differences with inputs and traces.

use super::{Item, Open, Summary, reason};
use crossver::equality::verdict::VerdictKind;
use crossver::report::FunctionReport;
use std::collections::BTreeMap;

/// Differences that are shown with their traces, and lines of one.
const SHOWN: usize = 20;
const LINES: usize = 30;

/// Functions that are named of a bucket or a reason.
const NAMED: usize = 5;

/// The text.
pub fn text(summary: &Summary<'_>, open: &Open) -> String {
    let mut out = format!("## {}\n\n{}\n\n", plain(&summary.title), plain(&summary.text));
    out.push_str("| Verdict | Function pairs | Share |\n|---|---:|---:|\n");
    for (verdict, n) in summary.verdicts {
        out.push_str(&format!("| {} | {n} | {} |\n", verdict.name(), summary.share(*n)));
    }
    let different = |f: &&Item<FunctionReport>| f.what.verdict == VerdictKind::Different;
    let (different, others): (Vec<_>, Vec<_>) = open.functions.iter().partition(different);
    if !different.is_empty() {
        out.push_str("\n### Different\n\n| Bucket | What | Functions |\n|---|---|---|\n");
        for (bucket, items) in grouped(&different) {
            out.push_str(&format!("| {bucket} | {} | {} |\n", summary.rules.what(bucket), names(&items)));
        }
        different.iter().take(SHOWN).for_each(|item| out.push_str(&details(item)));
        if different.len() > SHOWN {
            out.push_str(&format!("\nAnd {} more.\n", different.len() - SHOWN));
        }
    }
    if !others.is_empty() {
        out.push_str("\n### Open\n\n| Why | Functions |\n|---|---|\n");
        for (why, items) in grouped(&others) {
            out.push_str(&format!("| {why} | {} |\n", names(&items)));
        }
    }
    let lines = [
        ("Only one side has", open.lone.iter().map(|f| f.what.function.clone()).collect::<Vec<_>>()),
        ("Objects whose contents are open", open.objects.iter().map(|o| o.what.0.clone()).collect()),
        ("Not compared", open.files.iter().map(|file| format!("{}: {}", file.file, file.why)).collect()),
    ];
    for (what, list) in lines.iter().filter(|(_, list)| !list.is_empty()) {
        let shown: Vec<String> = list.iter().take(SHOWN).map(|name| code(name)).collect();
        let more =
            if list.len() > SHOWN { format!(" and {} more", list.len() - SHOWN) } else { String::new() };
        out.push_str(&format!("\n{what}: {}{more}.\n", shown.join(", ")));
    }
    out
}

fn grouped<'a>(items: &[&'a Item<FunctionReport>]) -> BTreeMap<&'a str, Vec<&'a Item<FunctionReport>>> {
    let mut out: BTreeMap<&str, Vec<&Item<FunctionReport>>> = BTreeMap::new();
    items.iter().for_each(|item| out.entry(reason(&item.what)).or_default().push(item));
    out
}

/// How many, and the first of them.
fn names(items: &[&Item<FunctionReport>]) -> String {
    let mut named: Vec<String> = items.iter().take(NAMED).map(|item| code(&item.what.function)).collect();
    if items.len() > NAMED {
        named.push("...".to_owned());
    }
    format!("{}: {}", items.len(), named.join(", "))
}

/// A difference, folded.
fn details(item: &Item<FunctionReport>) -> String {
    let f = &item.what;
    let known = if item.known { ", known" } else { "" };
    let mut lines = vec![f.text.clone().unwrap_or_default()];
    lines.extend(f.cause.as_ref().map(|cause| format!("cause ({}): {cause}", cause.kind.name())));
    if let Some(replay) = &f.replay {
        lines.extend(replay.inputs.iter().map(|(name, value)| format!("{name} = {value}")));
        lines.extend(replay.old.iter().map(|step| format!("- {step}")));
        lines.extend(replay.new.iter().map(|step| format!("+ {step}")));
    }
    if lines.len() > LINES {
        let more = lines.len() - LINES;
        lines.truncate(LINES);
        lines.push(format!("... and {more} lines more"));
    }
    // A fence that nothing inside can end.
    let block = lines.join("\n").replace("```", "'''");
    let (name, file) = (escaped(&f.function), escaped(&item.file));
    let head = format!("<code>{name}</code> in {file}: {}{known}", reason(f));
    format!("\n<details><summary>{head}</summary>\n\n```diff\n{block}\n```\n\n</details>\n")
}

/// A name in a table.
fn code(name: &str) -> String {
    format!("`{}`", plain(name).replace('`', "'"))
}

/// A text of one line that ends no cell.
fn plain(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace('|', "\\|")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
