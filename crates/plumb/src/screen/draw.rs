//! What the status screen looks like.

use super::Shown;
use campaign::verdict::Named;
use campaign::view::{CampaignView, Cell as Tested, Health};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Cell, Paragraph, Row, Sparkline, Table, Wrap};
use std::time::Duration;

use campaign::hunt::progress::human;

/// Styles; all plain where no colours are wanted.
struct Palette {
    bug: Style,
    good: Style,
    soft: Style,
}

impl Palette {
    fn new(colours: bool) -> Palette {
        let of = |colour| if colours { Style::new().fg(colour) } else { Style::new() };
        Palette {
            bug: of(Color::Red).add_modifier(Modifier::BOLD),
            good: of(Color::Green),
            soft: if colours { of(Color::DarkGray) } else { Style::new() },
        }
    }
}

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, shown: &Shown) {
    let palette = Palette::new(shown.colours);
    let Some(view) = &shown.view else {
        frame.render_widget(
            Paragraph::new("hunting; the first program is not done yet (q stops)"),
            frame.area(),
        );
        return;
    };
    let warnings = u16::try_from(view.warnings.len()).unwrap_or(u16::MAX).min(4);
    let matrix = u16::try_from(view.matrix.rows.len()).unwrap_or(u16::MAX).min(10) + 3;
    let rows = heights(frame.area().height, warnings, matrix).map(Constraint::Length);
    let [head, shout, tiles, curves, table, bugs, foot] = Layout::vertical(rows).areas(frame.area());
    title(frame, head, shown, view, &palette);
    let lines: Vec<Line<'_>> =
        view.warnings.iter().map(|text| Line::styled(text.as_str(), palette.bug)).collect();
    frame.render_widget(Paragraph::new(lines), shout);
    figures(frame, tiles, view, &palette);
    sparklines(frame, curves, view, &palette);
    compilers(frame, table, view, &palette);
    groups(frame, bugs, view, &palette);
    reasons(frame, foot, view, &palette);
}

/// How many lines each part gets, from the top: what is first in the order below is shown first where
/// there is no room for everything. (A layout would take lines from any part, so from the one that says
/// how to stop, too.)
fn heights(screen: u16, warnings: u16, matrix: u16) -> [u16; 7] {
    let mut left = screen;
    let mut take = |wanted: u16| {
        let given = wanted.min(left);
        left -= given;
        given
    };
    let (head, shout, tiles, bugs, foot) = (take(2), take(warnings), take(3), take(3), take(2));
    let (table, curves) = (take(matrix), take(5));
    [head, shout, tiles, curves, table, bugs + left, foot]
}

fn title(frame: &mut Frame<'_>, area: Rect, shown: &Shown, view: &CampaignView, palette: &Palette) {
    let keys = if shown.stopping { "stopping; again ends at once" } else { "q stops" };
    let lines = vec![
        Line::from(vec![
            Span::styled("plumb hunt  ", Style::new().add_modifier(Modifier::BOLD)),
            Span::raw(view.title.as_str()),
        ]),
        Line::styled(format!("{}, {keys}", shown.left), palette.soft),
    ];
    frame.render_widget(Paragraph::new(lines), area);
}

fn figures(frame: &mut Frame<'_>, area: Rect, view: &CampaignView, palette: &Palette) {
    let found = if view.bugs > 0 { palette.bug } else { palette.good };
    let since = match &view.since_new_bug {
        Some(since) => format!("{}, {} programs", span(since.seconds), since.programs),
        None => "none found".to_owned(),
    };
    let results: u64 = view.results.values().sum();
    let inconclusive = view.results.get("inconclusive").copied().unwrap_or(0);
    let share = campaign::view::shares;
    let line = Line::from(vec![
        Span::styled(format!("{} bugs", view.bugs), found),
        Span::raw(format!(" in {} findings    last new bug: {since}", view.findings)),
    ]);
    let more = format!(
        "{} programs, {:.2}/s now, {:.2}/s on average, {} hunted",
        view.programs,
        view.recent_rate,
        view.rate,
        span(view.hunting_seconds)
    );
    let worth = format!(
        "{:.1} % of programs rejected, {:.1} % of {results} results inconclusive, own CPU {:.1} %",
        share(view.rejected_programs, view.programs),
        share(inconclusive, results),
        view.plumb_cpu_percent
    );
    frame.render_widget(Paragraph::new(vec![line, Line::raw(more), Line::raw(worth)]), area);
}

fn span(seconds: f64) -> String {
    human(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)))
}

fn sparklines(frame: &mut Frame<'_>, area: Rect, view: &CampaignView, palette: &Palette) {
    let [left, right] =
        Layout::horizontal([Constraint::Percentage(50), Constraint::Percentage(50)]).areas(area);
    let rates: Vec<u64> = view.rates.iter().map(|rate| (rate.per_second * 100.0).round() as u64).collect();
    let bugs: Vec<u64> = view
        .rates
        .iter()
        .map(|rate| view.discoveries.iter().filter(|bug| bug.seconds <= rate.seconds).count() as u64)
        .collect();
    for (area, title, data, style) in
        [(left, "bugs found", bugs, palette.bug), (right, "programs a second", rates, palette.good)]
    {
        let width = usize::from(area.width.saturating_sub(2)).max(1);
        let block = Block::new().borders(Borders::TOP).title(title);
        frame.render_widget(
            Sparkline::default().block(block).data(stretched(&data, width)).style(style),
            area,
        );
    }
}

/// As many values as there is room for.
fn stretched(data: &[u64], width: usize) -> Vec<u64> {
    if data.is_empty() { Vec::new() } else { (0..width).map(|at| data[at * data.len() / width]).collect() }
}

fn compilers(frame: &mut Frame<'_>, area: Rect, view: &CampaignView, palette: &Palette) {
    let levels = view.matrix.levels.iter().map(|level| if level.is_empty() { "default" } else { level });
    let head = Row::new(std::iter::once("compiler").chain(levels).map(Cell::new)).style(palette.soft);
    let rows = view.matrix.rows.iter().map(|row| {
        let cells = row.cells.iter().map(|cell| match cell {
            Some(cell) => tested(cell, palette),
            None => Cell::new("-"),
        });
        Row::new(std::iter::once(Cell::new(row.compiler.as_str())).chain(cells))
    });
    let widths =
        std::iter::once(Constraint::Min(12)).chain(view.matrix.levels.iter().map(|_| Constraint::Length(18)));
    let block =
        Block::new().borders(Borders::TOP).title("bugs, and the share of results that decide something");
    frame.render_widget(Table::new(rows, widths).header(head).block(block), area);
}

fn tested<'a>(cell: &Tested, palette: &Palette) -> Cell<'a> {
    let share = campaign::view::shares(cell.decided, cell.results);
    match cell.health {
        Health::Untested => Cell::new("not yet"),
        Health::CompilesNothing => Cell::new("COMPILES NOTHING").style(palette.bug),
        Health::DecidesNothing => Cell::new("DECIDES NOTHING").style(palette.bug),
        Health::Sound | Health::Doubtful => {
            let style = if cell.findings > 0 { palette.bug } else { Style::new() };
            Cell::new(format!("{} bugs, {share:.0} %", cell.bugs)).style(style)
        }
    }
}

fn groups(frame: &mut Frame<'_>, area: Rect, view: &CampaignView, palette: &Palette) {
    let lines: Vec<Line<'_>> = view
        .groups
        .iter()
        .map(|group| {
            Line::from(vec![
                Span::styled(format!("{:>5} x {} ", group.findings, group.kind.name()), palette.bug),
                Span::raw(format!("{}: {}", group.configurations.join(", "), group.title)),
            ])
        })
        .collect();
    let block = Block::new().borders(Borders::TOP).title("bugs; list findings with `plumb findings`");
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn reasons(frame: &mut Frame<'_>, area: Rect, view: &CampaignView, palette: &Palette) {
    let most = [("rejected", view.rejected.first()), ("inconclusive", view.inconclusive.first())];
    let lines: Vec<Line<'_>> = most
        .into_iter()
        .filter_map(|(what, reason)| {
            reason.map(|reason| format!("most {what}: {} x {}", reason.count, reason.words))
        })
        .map(|text| Line::styled(text, palette.soft))
        .collect();
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), area);
}

#[cfg(test)]
mod tests {
    use super::heights;

    #[test]
    fn what_says_how_to_stop_is_shown_first() {
        assert_eq!(heights(40, 0, 6), [2, 0, 3, 5, 6, 22, 2]);
        assert_eq!(heights(12, 1, 6), [2, 1, 3, 0, 1, 3, 2]);
        assert_eq!(heights(3, 4, 6), [2, 1, 0, 0, 0, 0, 0]);
        for screen in 0..60 {
            assert_eq!(heights(screen, 4, 13).iter().sum::<u16>(), screen);
        }
    }
}
