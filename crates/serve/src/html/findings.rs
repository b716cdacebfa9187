//! Findings, chosen by a form that works without JavaScript.

use super::words::{Links, count, moment, query};
use campaign::verdict::Named;
use campaign::view::{FindingLine, Findings};
use maud::{Markup, html};

/// The list.
pub(super) fn content(view: &Findings) -> Markup {
    html! {
        h1 { "Findings" }
        (form(view))
        div id="list" data-live="" {
            p.soft {
                @if view.matching == view.all { (count(view.all as u64, "finding", "findings")) }
                @else { (view.matching) " of " (count(view.all as u64, "finding", "findings")) }
                ", " (count(view.groups.len() as u64, "distinct bug", "distinct bugs"))
            }
            (list(&view.findings, Links::Live))
            (pages(view))
        }
    }
}

fn form(view: &Findings) -> Markup {
    let filter = &view.filter;
    let kinds: Vec<String> = view.choices.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let doubtful = filter.doubtful.map(|doubtful| if doubtful { "yes" } else { "no" }.to_owned());
    html! {
        form.filters method="get" action="/findings" {
            (select("Kind", "kind", &kinds, filter.kind.map(|kind| kind.name().to_owned()).as_deref()))
            (select("Compiler", "compiler", &view.choices.compilers, filter.compiler.as_deref()))
            (select("Level", "level", &view.choices.levels, filter.level.as_deref()))
            (select("Doubtful", "doubtful", &["yes".to_owned(), "no".to_owned()], doubtful.as_deref()))
            label { "Text" input type="search" name="q" value=(filter.text.as_deref().unwrap_or_default()); }
            @if let Some(id) = filter.campaign { input type="hidden" name="campaign" value=(id); }
            @if let Some(group) = &filter.group { input type="hidden" name="group" value=(group); }
            button type="submit" { "Show" }
            @if !filter.parameters().is_empty() { p { a href="/findings" { "Show all" } } }
        }
        @if let Some(group) = &filter.group { p.break { "Of one bug: " span.tag { (group) } } }
        @if let Some(id) = filter.campaign { p { "Of campaign " (id) "." } }
    }
}

fn select(label: &str, name: &str, choices: &[String], chosen: Option<&str>) -> Markup {
    html! {
        label {
            (label)
            select name=(name) {
                option value="" { "all" }
                @for choice in choices { option value=(choice) selected[chosen == Some(choice)] { (choice) } }
                @if let Some(other) = chosen.filter(|other| !choices.iter().any(|choice| choice == other)) {
                    option value=(other) selected { (other) }
                }
            }
        }
    }
}

/// Findings one below the other.
pub(super) fn list(findings: &[FindingLine], links: Links) -> Markup {
    html! {
        @if findings.is_empty() { p.soft { "None." } }
        @else {
            ol.findings {
                @for line in findings {
                    li {
                        div.head {
                            span.tag.bug { (line.row.kind.name()) }
                            a href=(links.finding(&line.row.id)) { (line.row.id) }
                            span { (line.row.configuration) }
                            @if line.row.doubt.is_some() { span.tag.unsure { "doubtful" } }
                            span.when.small.soft { (moment(line.at)) }
                        }
                        p.break { (line.row.summary) }
                        p.small.soft.break { (line.row.program) }
                    }
                }
            }
        }
    }
}

fn pages(view: &Findings) -> Markup {
    let to = |page: usize| format!("/findings{}", query(&view.filter.parameters(), Some(page)));
    html! {
        @if view.pages > 1 {
            nav.pages aria-label="Pages of the list" {
                @if view.page > 1 { a rel="prev" href=(to(view.page - 1)) { "← newer" } }
                span { "page " (view.page) " of " (view.pages) }
                @if view.page < view.pages { a rel="next" href=(to(view.page + 1)) { "older →" } }
            }
        }
    }
}
