//! One page that needs nothing beside itself: counts, buckets, and every difference with its inputs and both traces.

use super::{Item, Open, Summary, reason};
use crossver::equality::verdict::VerdictKind;
use crossver::report::FunctionReport;
use maud::{Markup, html};

/// The page.
pub fn page(summary: &Summary<'_>, open: &Open) -> String {
    let different = |f: &&Item<FunctionReport>| f.what.verdict == VerdictKind::Different;
    let (different, others): (Vec<_>, Vec<_>) = open.functions.iter().partition(different);
    let content = html! {
        h1 { (summary.title) }
        p.break { (summary.text) }
        (counts(summary))
        @if !different.is_empty() {
            h2 { "Different" }
            (buckets(summary))
            @for item in &different { (difference(item, summary)) }
        }
        @if !others.is_empty() { h2 { "Open" } (list(&others)) }
        @if !open.lone.is_empty() {
            h2 { "Functions of one side" }
            ul { @for f in &open.lone {
                li { code { (f.what.function) } " in " (f.file) ": only in the " (if f.what.old { "old" } else { "new" }) " file, "
                    (f.what.bytes) " bytes" (if f.what.local { ", local" } else { "" }) }
            } }
        }
        @if !open.objects.is_empty() {
            h2 { "Objects" }
            ul { @for o in &open.objects { li { code { (o.what.0) } " in " (o.file) ": " (o.what.1) } } }
        }
        @if !open.files.is_empty() {
            h2 { "Not compared" }
            ul { @for file in &open.files { li { (file.file) ": " (file.why) } } }
        }
    };
    serve::html::alone(("Machine code compared", &summary.title), content, html! {}).into_string()
}

fn counts(summary: &Summary<'_>) -> Markup {
    html! {
        table {
            thead { tr { th { "Verdict" } th { "Function pairs" } th { "Share" } } }
            tbody { @for (verdict, n) in summary.verdicts {
                tr { td { (verdict.name()) } td { (n) } td { (summary.share(*n)) } }
            } }
        }
    }
}

fn buckets(summary: &Summary<'_>) -> Markup {
    html! {
        table {
            thead { tr { th { "Bucket" } th { "What" } th { "Pairs" } } }
            tbody { @for (bucket, n) in summary.buckets {
                tr { td { (bucket) } td { (summary.rules.what(bucket)) } td { (n) } }
            } }
        }
    }
}

fn difference(item: &Item<FunctionReport>, summary: &Summary<'_>) -> Markup {
    let f = &item.what;
    html! {
        article {
            h3 { code { (f.function) } " " span.tag.bug { (reason(f)) } @if item.known { " " span.tag { "known" } } }
            p.small.soft { (item.file) @if let Some(bucket) = &f.bucket { ": " (summary.rules.what(bucket)) } }
            p.break { (f.text.as_deref().unwrap_or_default()) }
            @if let Some(cause) = &f.cause {
                p.break { "Cause (" (cause.kind.name()) "): " code { (cause) } }
            }
            @if let Some(replay) = &f.replay {
                details { summary { (replay.inputs.len()) " inputs" }
                    pre tabindex="0" { @for (name, value) in &replay.inputs { (name) " = " (value) "\n" } }
                }
                div.answers {
                    @for (side, trace) in [("Old", &replay.old), ("New", &replay.new)] {
                        div { h3 { (side) } pre tabindex="0" { @for step in trace { (step) "\n" } } }
                    }
                }
            }
        }
    }
}

fn list(items: &[&Item<FunctionReport>]) -> Markup {
    html! {
        table {
            thead { tr { th { "Function" } th { "File" } th { "Why" } th { "In words" } } }
            tbody { @for item in items {
                tr {
                    td { code { (item.what.function) } }
                    td { (item.file) }
                    td { (reason(&item.what)) @if item.known { ", known" } }
                    td.break { (item.what.text.as_deref().unwrap_or_default()) }
                }
            } }
        }
    }
}
