//! Curves as inline SVG. Only the curve is drawn there; its labels are text of the page, so that they can be read at any width.
//! Each chart says in words what it shows, and has its figures as a table.

use super::words;
use campaign::view::{CampaignView, FindingView};
use maud::{Markup, html};

/// Size of the drawing, in units that are stretched to the place there is.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 100.0;
/// Rows of the table beside a curve.
const ROWS: usize = 30;

/// How points are joined.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Joined {
    Straight,
    /// The value holds until the next point.
    Steps,
}

struct Chart<'a> {
    id: &'a str,
    title: &'a str,
    /// What it shows, in a sentence.
    says: String,
    points: Vec<(f64, f64)>,
    /// Where the x axis begins and ends, in words.
    ends: (String, String),
    /// What the highest value is called.
    top: String,
    joined: Joined,
    class: &'a str,
    columns: (&'a str, &'a str),
    rows: Vec<(String, String)>,
}

/// Distinct bugs over time.
pub(super) fn discoveries(view: &CampaignView) -> Markup {
    let mut points = vec![(0.0, 0.0)];
    points.extend(view.discoveries.iter().map(|d| (d.seconds, d.bugs as f64)));
    points.push((view.hunting_seconds, view.discoveries.len() as f64));
    let bugs = words::count(view.discoveries.len() as u64, "distinct bug", "distinct bugs");
    let last = match &view.since_new_bug {
        Some(since) => format!(
            ", the last new one {} and {} before the end",
            words::duration(since.seconds),
            words::count(since.programs, "program", "programs")
        ),
        None => String::new(),
    };
    chart(&Chart {
        id: "discoveries",
        title: "Distinct bugs found",
        says: format!("{bugs} in {} of hunting{last}.", words::duration(view.hunting_seconds)),
        ends: ("0".to_owned(), words::duration(view.hunting_seconds)),
        top: words::grouped(view.discoveries.len() as u64),
        joined: Joined::Steps,
        class: "found",
        columns: ("After", "Bugs"),
        rows: view.discoveries.iter().map(|d| (words::duration(d.seconds), d.bugs.to_string())).collect(),
        points,
    })
}

/// Programs a second over time.
pub(super) fn rates(view: &CampaignView) -> Markup {
    let most = view.rates.iter().map(|rate| rate.per_second).fold(0.0, f64::max);
    chart(&Chart {
        id: "rates",
        title: "Programs a second",
        says: format!(
            "{} on average over {}, at most {}.",
            words::rate(view.rate),
            words::duration(view.hunting_seconds),
            words::rate(most)
        ),
        points: view.rates.iter().map(|rate| (rate.seconds, rate.per_second)).collect(),
        ends: ("0".to_owned(), words::duration(view.hunting_seconds)),
        top: words::rate(most),
        joined: Joined::Straight,
        class: "",
        columns: ("After", "Programs a second"),
        rows: view
            .rates
            .iter()
            .map(|rate| (words::duration(rate.seconds), words::rate(rate.per_second)))
            .collect(),
    })
}

/// The size of a program while it was reduced; nothing where it was not.
pub(super) fn reduction(view: &FindingView) -> Markup {
    let (Some(first), Some(last)) = (view.reduction.first(), view.reduction.last()) else { return html! {} };
    chart(&Chart {
        id: "reduction",
        title: "Size while reducing",
        says: format!(
            "From {} to {} in {}.",
            words::bytes(first.bytes),
            words::bytes(last.bytes),
            words::duration(last.seconds)
        ),
        points: view.reduction.iter().map(|step| (step.seconds, step.bytes as f64)).collect(),
        ends: ("0".to_owned(), words::duration(last.seconds)),
        top: words::bytes(view.reduction.iter().map(|step| step.bytes).max().unwrap_or(0)),
        joined: Joined::Steps,
        class: "",
        columns: ("After", "Size"),
        rows: view
            .reduction
            .iter()
            .map(|step| (words::duration(step.seconds), words::bytes(step.bytes)))
            .collect(),
    })
}

fn chart(chart: &Chart<'_>) -> Markup {
    let (curve, under) = paths(&chart.points, chart.joined);
    let label = format!("{}: {}", chart.title, chart.says);
    let table = format!("{}-table", chart.id);
    // Every so many rows, and the last one.
    let every = chart.rows.len().div_ceil(ROWS).max(1);
    let rows: Vec<_> = chart.rows.iter().rev().step_by(every).collect();
    html! {
        figure.chart {
            figcaption { (chart.title) }
            @if chart.points.len() < 2 {
                p.soft { "Nothing to draw yet." }
            } @else {
                div.plot {
                    div.y aria-hidden="true" { span { (chart.top) } span { "0" } }
                    svg role="img" aria-label=(label) viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" {
                        title { (label) }
                        path.grid d=(format!("M0 {0}H{WIDTH}M0 0.5H{WIDTH}", HEIGHT / 2.0)) {}
                        path class=(format!("under {}", chart.class)) d=(under) {}
                        path class=(format!("curve {}", chart.class)) d=(curve) {}
                    }
                    div.x aria-hidden="true" { span { (chart.ends.0) } span { (chart.ends.1) } }
                }
                p.small.soft { (chart.says) }
                details id=(table) {
                    summary.small { "As a table" }
                    div.wide {
                        table {
                            thead { tr { th { (chart.columns.0) } th.number { (chart.columns.1) } } }
                            tbody { @for (x, y) in rows.iter().rev() { tr { td { (x) } td.number { (y) } } } }
                        }
                    }
                }
            }
        }
    }
}

/// The curve, and the area under it.
fn paths(points: &[(f64, f64)], joined: Joined) -> (String, String) {
    let widest = points.iter().map(|(x, _)| *x).fold(0.0, f64::max);
    let highest = points.iter().map(|(_, y)| *y).fold(0.0, f64::max);
    let place = |value: f64, most: f64, size: f64| if most > 0.0 { value / most * size } else { 0.0 };
    let mut curve = String::new();
    let mut before: Option<f64> = None;
    let (mut first, mut last) = (0.0, 0.0);
    for (x, y) in points {
        let (x, y) = (place(*x, widest, WIDTH), HEIGHT - place(*y, highest, HEIGHT));
        match (before, joined) {
            (None, _) => {
                first = x;
                curve.push_str(&format!("M{x:.1} {y:.2}"));
            }
            (Some(_), Joined::Straight) => curve.push_str(&format!("L{x:.1} {y:.2}")),
            (Some(level), Joined::Steps) => curve.push_str(&format!("L{x:.1} {level:.2}L{x:.1} {y:.2}")),
        }
        before = Some(y);
        last = x;
    }
    let under = format!("{curve}L{last:.1} {HEIGHT}L{first:.1} {HEIGHT}Z");
    (curve, under)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_holds_its_value() {
        let (curve, under) = paths(&[(0.0, 0.0), (5.0, 1.0), (10.0, 2.0)], Joined::Steps);
        assert_eq!(curve, "M0.0 100.00L300.0 100.00L300.0 50.00L600.0 50.00L600.0 0.00");
        assert!(under.ends_with("L600.0 100L0.0 100Z"), "{under}");
    }

    #[test]
    fn nothing_found_is_a_line_at_the_bottom() {
        let (curve, _) = paths(&[(0.0, 0.0), (10.0, 0.0)], Joined::Steps);
        assert_eq!(curve, "M0.0 100.00L600.0 100.00L600.0 100.00");
    }
}
