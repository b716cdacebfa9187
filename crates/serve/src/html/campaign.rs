//! A campaign: what it found, how fast, and what its silence is worth.

use super::charts;
use super::words::{Links, ago, count, duration, grouped, moment, rate};
use campaign::verdict::Named;
use campaign::view::{CampaignView, Campaigns, Cell, ConfigurationView, Counted, GroupView, Health, shares};
use maud::{Markup, html};

/// Bugs that the page of a campaign lists.
const BUGS: usize = 25;

/// All campaigns of a store.
pub(super) fn list(view: &Campaigns) -> Markup {
    html! {
        h1 { "Campaigns" }
        p.soft.break { "of " code { (view.store.display()) } }
        div.wide id="campaigns" data-live="" {
            table {
                thead {
                    tr { th { "Campaign" } th { "Begun" } th.number { "Programs" } th.number { "Bugs" } th.number { "Findings" } }
                }
                tbody {
                    @for line in &view.campaigns {
                        tr {
                            th scope="row" { a href=(format!("/campaign?id={}", line.id)) { (line.title) } }
                            td.nowrap { (moment(line.begun)) }
                            td.number { (grouped(line.programs)) }
                            td.number { (grouped(line.bugs)) }
                            td.number { (grouped(line.findings)) }
                        }
                    }
                    @if view.campaigns.is_empty() { tr { td colspan="5" { "None yet." } } }
                }
            }
        }
    }
}

/// One campaign.
pub(super) fn content(view: &CampaignView, links: Links) -> Markup {
    html! {
        div id="summary" data-live="" {
            h1 { (view.title) }
            @if !view.warnings.is_empty() {
                div.shout role="alert" { @for warning in &view.warnings { p { strong { (warning) } } } }
            }
            (tiles(view, links))
            div.charts { (charts::discoveries(view)) (charts::rates(view)) }
        }
        section id="bugs" data-live="" { (bugs(view, links)) }
        section id="matrix" data-live="" { (matrix(view, links)) }
        section id="configurations" data-live="" { (configurations(&view.configurations)) }
        section id="reasons" data-live="" {
            (reasons("Why programs were not used", &view.rejected))
            (reasons("Why results are inconclusive", &view.inconclusive))
        }
    }
}

fn tiles(view: &CampaignView, links: Links) -> Markup {
    let results: u64 = view.results.values().sum();
    let inconclusive = view.results.get("inconclusive").copied().unwrap_or(0);
    let own = [("campaign", view.id.to_string())];
    let alarms: Vec<String> = view.alarms.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    html! {
        dl.tiles {
            (tile("Distinct bugs", html! { span.bug[view.bugs > 0] { (grouped(view.bugs)) } }, &alarms.join(", ")))
            (tile("Findings", html! {
                @match links.findings(&own) {
                    Some(to) => a href=(to) { (grouped(view.findings)) },
                    None => (grouped(view.findings)),
                }
            }, ""))
            (match &view.since_new_bug {
                Some(since) => tile(
                    "Since the last new bug",
                    html! { (duration(since.seconds)) },
                    &count(since.programs, "program", "programs"),
                ),
                None => tile("Since the last new bug", html! { "–" }, "none found"),
            })
            (tile("Programs", html! { (grouped(view.programs)) }, &format!("{} tested", grouped(view.tested))))
            (tile("Rate", html! { (rate(view.recent_rate)) }, &format!("{} on average", rate(view.rate))))
            (tile("Hunted", html! { (duration(view.hunting_seconds)) },
                &view.last_program.map(|at| format!("last program {}", ago(at))).unwrap_or_default()))
            (tile("Rejected", html! { (percent(view.rejected_programs, view.programs)) }, "of programs"))
            (tile("Inconclusive", html! { (percent(inconclusive, results)) },
                &format!("of {}", count(results, "result", "results"))))
        }
    }
}

fn tile(name: &str, value: Markup, below: &str) -> Markup {
    html! { div.tile { dt { (name) } dd { (value) @if !below.is_empty() { small { (below) } } } } }
}

fn percent(part: u64, whole: u64) -> String {
    match shares(part, whole) {
        share if part > 0 && share < 0.1 => "< 0.1 %".to_owned(),
        share => format!("{share:.1} %"),
    }
}

fn bugs(view: &CampaignView, links: Links) -> Markup {
    html! {
        h2 { "Bugs" }
        @if view.groups.is_empty() {
            p.soft { "None found" @if view.programs > 0 { " in " (count(view.programs, "program", "programs")) } "." }
        } @else {
            ol.findings { @for group in view.groups.iter().take(BUGS) { li { (bug(view.id, group, links)) } } }
            @if view.groups.len() > BUGS {
                p.soft { "and " (count((view.groups.len() - BUGS) as u64, "more", "more")) }
            }
        }
    }
}

fn bug(campaign: i64, group: &GroupView, links: Links) -> Markup {
    let parameters = [("campaign", campaign.to_string()), ("group", group.key.clone())];
    let findings = count(group.findings, "finding", "findings");
    html! {
        div.head {
            span.tag.bug { (group.kind.name()) }
            a href=(links.finding(&group.representative)) { (group.representative) }
            @match links.findings(&parameters) {
                Some(to) if group.findings > 1 => a.small href=(to) { (findings) },
                _ => span.small.soft { (findings) },
            }
            span.when.small.soft { "first " (moment(group.first)) }
        }
        p.break { (group.title) }
        p.small.soft.break {
            @if let Some(known) = &group.known { span.tag { "known: " (known) } " " }
            @if let Some(culprit) = &group.culprit { "to blame: " (culprit) ". " }
            (group.configurations.join(", "))
        }
    }
}

fn matrix(view: &CampaignView, links: Links) -> Markup {
    html! {
        h2 { "Compilers and levels" }
        p.small.soft { "Distinct bugs, and the share of results that decide something." }
        div.wide {
            table.matrix {
                thead {
                    tr {
                        th { "Compiler" }
                        @for level in &view.matrix.levels { th { (if level.is_empty() { "default" } else { level }) } }
                    }
                }
                tbody {
                    @for row in &view.matrix.rows {
                        tr {
                            th.break scope="row" { (row.compiler) }
                            @for (level, cell) in view.matrix.levels.iter().zip(&row.cells) {
                                @match cell {
                                    Some(cell) => (matrix_cell(view.id, &row.compiler, level, cell, links)),
                                    None => td { span.soft title="not tested" { "–" } },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn matrix_cell(campaign: i64, compiler: &str, level: &str, cell: &Cell, links: Links) -> Markup {
    let sick = matches!(cell.health, Health::CompilesNothing | Health::DecidesNothing);
    let mut parameters = vec![("campaign", campaign.to_string()), ("compiler", compiler.to_owned())];
    if !level.is_empty() {
        parameters.push(("level", level.to_owned()));
    }
    let bugs = count(cell.bugs, "bug", "bugs");
    html! {
        td.alarms[cell.findings > 0].sick[sick] {
            @match links.findings(&parameters) {
                Some(to) if cell.findings > 0 => a.bug href=(to) { (bugs) },
                _ => span.bug[cell.findings > 0] { (bugs) },
            }
            small { @match cell.health {
                Health::Untested => "not yet",
                Health::CompilesNothing => strong { "COMPILES NOTHING" },
                Health::DecidesNothing => strong { "DECIDES NOTHING" },
                Health::Sound | Health::Doubtful =>
                    (format!("{:.0} % of {}", shares(cell.decided, cell.results), grouped(cell.results))),
            } }
        }
    }
}

fn configurations(all: &[ConfigurationView]) -> Markup {
    html! {
        h2 { "Configurations" }
        p.key {
            span.pass { "pass" } span.alarm { "alarm" } span.inconclusive { "inconclusive" } span.rejected { "rejected" }
        }
        div.wide {
            table {
                thead {
                    tr {
                        th { "Configuration" } th { "Share" } th.number { "Results" } th.number { "Alarms" }
                        th.number { "Inconclusive" } th.number { "Rejected" } th.number { "Compile time" } th { "Most frequent reason" }
                    }
                }
                tbody { @for one in all { (configuration(one)) } }
            }
        }
    }
}

fn configuration(one: &ConfigurationView) -> Markup {
    html! {
        tr {
            th scope="row" title=[(!one.version.is_empty()).then_some(&one.version)] {
                (one.label)
                @if matches!(one.health, Health::CompilesNothing | Health::DecidesNothing) { " " span.bug { "!" } }
            }
            td { (bar(one)) }
            td.number { (grouped(one.results)) }
            td.number { (grouped(one.alarms)) }
            td.number { (percent(one.inconclusive, one.results)) }
            td.number { (percent(one.rejected, one.results)) }
            td.number { (format!("{:.0} ms", one.compile_seconds * 1000.0)) }
            td.small.break { @if let Some(most) = one.reasons.first() { (grouped(most.count)) " × " (most.words) } }
        }
    }
}

/// The shares of verdicts, side by side.
fn bar(one: &ConfigurationView) -> Markup {
    let parts = [
        ("pass", one.passed),
        ("alarm", one.alarms),
        ("inconclusive", one.inconclusive),
        ("rejected", one.rejected),
    ];
    let says: Vec<String> =
        parts.iter().map(|(name, n)| format!("{name} {}", percent(*n, one.results))).collect();
    let mut at = 0.0;
    let mut places = Vec::new();
    for (name, part) in parts {
        let share = shares(part, one.results);
        // What is there at all can be seen.
        let width = if part > 0 { share.max(1.0) } else { 0.0 };
        places.push((name, at, width));
        at += share;
    }
    html! {
        svg.bar role="img" aria-label=(says.join(", ")) viewBox="0 0 100 10" preserveAspectRatio="none" {
            title { (says.join(", ")) }
            rect.none width="100" height="10" {}
            @for (name, x, width) in places {
                @if width > 0.0 { rect class=(name) x=(format!("{x:.2}")) width=(format!("{width:.2}")) height="10" {} }
            }
        }
    }
}

fn reasons(title: &str, all: &[Counted]) -> Markup {
    html! {
        @if !all.is_empty() {
            h2 { (title) }
            div.wide {
                table {
                    tbody { @for one in all { tr { td.number { (grouped(one.count)) } td.break { (one.words) } } } }
                }
            }
        }
    }
}
