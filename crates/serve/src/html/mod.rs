//! Pages: HTML that needs no script, readable on a phone and in the dark.

mod campaign;
mod charts;
mod finding;
mod findings;
mod words;

use ::campaign::view::{CampaignView, FindingView, View};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use words::Links;

/// The style sheet of all pages.
pub const STYLE: &str = include_str!("../../assets/style.css");
/// What keeps a page up to date.
pub const SCRIPT: &str = include_str!("../../assets/live.js");

/// Where in the navigation a page is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// One campaign.
    Campaign,
    /// All campaigns.
    Campaigns,
    /// A list of findings.
    Findings,
    /// One finding.
    Finding,
}

/// The navigation: place, address, words.
const PLACES: [(Place, &str, &str); 3] = [
    (Place::Campaign, "/", "Campaign"),
    (Place::Findings, "/findings", "Findings"),
    (Place::Campaigns, "/campaigns", "All campaigns"),
];

/// A live page.
pub fn page(place: Place, view: &View) -> Markup {
    match view {
        View::Campaigns(campaigns) => {
            let store = campaigns.store.display().to_string();
            live(place, "Campaigns", &store, "/api/campaigns.json", campaign::list(campaigns))
        }
        View::Campaign(view) => {
            let json = format!("/api/campaign.json?id={}", view.id);
            live(place, &title(view), &view.title, &json, campaign::content(view, Links::Live))
        }
        View::Findings(view) => {
            let json = format!("/api/findings.json{}", words::query(&view.filter.parameters(), None));
            let store = view.store.display().to_string();
            live(place, "Findings", &store, &json, findings::content(view))
        }
        View::Finding(view) => {
            let json =
                format!("/api/finding.json{}", words::query(&[("id", view.line.row.id.clone())], None));
            live(place, &view.line.row.id, "", &json, finding::content(view, Links::Live))
        }
    }
}

fn title(view: &CampaignView) -> String {
    let bugs = words::count(view.bugs, "bug", "bugs");
    format!("{bugs} in {}", words::count(view.programs, "program", "programs"))
}

/// A page that says why there is no other.
pub fn trouble(place: Place, why: &str) -> Markup {
    let content = html! {
        div id="trouble" data-live="" { h1 { "Nothing to show" } p.break { (why) } p { a href="/" { "To the campaign" } } }
    };
    live(place, "Nothing to show", "", "/api/campaigns.json", content)
}

fn live(place: Place, title: &str, aside: &str, json: &str, content: Markup) -> Markup {
    let head = html! {
        link rel="stylesheet" href="/style.css";
        script src="/live.js" defer {}
    };
    let body = html! {
        a.skip href="#main" { "To the content" }
        header.top {
            a.brand href="/" { "plumb" }
            nav aria-label="Pages" {
                @for (to, address, words) in PLACES {
                    a href=(address) aria-current=[(to == place).then_some("page")] { (words) }
                }
            }
            span.store.small { (aside) }
        }
        main id="main" { (content) }
        footer {
            p {
                "The same as " a href=(json) { "JSON" } " and " a href="/metrics" { "metrics" } ". "
                span.live role="status" { "not live without JavaScript: reload for newer figures" }
            }
        }
    };
    document(title, head, body)
}

/// One page of a campaign that needs nothing beside itself.
pub fn report(campaign: &CampaignView, findings: &[FindingView]) -> Markup {
    let content = html! {
        (campaign::content(campaign, Links::Report))
        @for finding in findings {
            article id=(words::anchor(&finding.line.row.id)) { (finding::content(finding, Links::Report)) }
        }
    };
    let rests = html! { details { summary { "What the results depend on" } pre { (campaign.key) } } };
    alone((&title(campaign), &campaign.title), content, rests)
}

/// A page that needs nothing beside itself: title, what stands beside plumb's name, content, and the foot.
pub fn alone((title, aside): (&str, &str), content: Markup, foot: Markup) -> Markup {
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    let head = html! {
        meta http-equiv="Content-Security-Policy" content=(policy);
        style { (PreEscaped(STYLE)) }
    };
    let body = html! {
        header.top { span.brand { "plumb" } span.store.small { (aside) } }
        main id="main" { (content) }
        footer {
            (foot)
            p { "Written by plumb " (env!("CARGO_PKG_VERSION")) "." }
        }
    };
    document(title, head, body)
}

fn document(title: &str, head: Markup, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – plumb" }
                link rel="icon" href="data:,";
                (head)
            }
            body { (body) }
        }
    }
}
