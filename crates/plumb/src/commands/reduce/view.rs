//! What a user sees of a reduction: the smallest case in its place, a bar or plain lines, JSON lines, a summary.

use super::place::Place;
use super::say;
use crate::output;
use campaign::Error;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reduce::engine::Figures;
use reduce::engine::filter::{Evidence, NAMES};
use reduce::journal::Journal;
use reduce::{Case, Event, Observer, Report, Size};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a plain line is written.
const EVERY: Duration = Duration::from_secs(5);

/// Follows a reduction.
pub struct View<'v> {
    json: bool,
    place: &'v Place,
    journal: &'v Journal,
    bar: Option<ProgressBar>,
    said: Option<Instant>,
    pass: &'static str,
    /// The smallest case that was written.
    least: Case,
    error: Option<Error>,
}

impl<'v> View<'v> {
    /// A view of a reduction that begins with a case, or goes on with one.
    pub fn new(
        json: bool,
        place: &'v Place,
        journal: &'v Journal,
        original: &Case,
        resumed: bool,
    ) -> View<'v> {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar
        });
        let least = match resumed {
            true => place.present().unwrap_or_else(|| original.clone()),
            false => original.clone(),
        };
        if resumed {
            eprintln!("plumb: goes on at {}", least.size());
        }
        View { json, place, journal, bar, said: None, pass: "", least, error: None }
    }

    fn write(&mut self, case: &Case) {
        self.journal.shown(case);
        match self.place.write(case) {
            Ok(()) => self.least = case.clone(),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }

    fn show(&mut self, figures: &Figures) {
        let text = line(self.pass, figures);
        if let Some(bar) = &self.bar {
            bar.set_message(text);
            bar.tick();
        } else if self.said.is_none_or(|at| at.elapsed() >= EVERY) {
            self.said = Some(Instant::now());
            eprintln!("{text}");
        }
    }

    /// The last word. The case of the report is in its place, unless what is there is smaller.
    pub fn end(mut self, report: &Report) -> Result<(), Error> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        // What is last may differ from what is least by white space alone.
        if !report.stopped || report.case.is_below(&self.least) {
            self.write(&report.case.clone());
        }
        if self.json {
            output::json(&summary(report, self.least.size()));
        }
        let figures = &report.figures;
        let (before, after) = (figures.before, self.least.size());
        say(
            self.json,
            &format!(
                "{}: {before} -> {after} in {:.1} s, {} tests ({} of them stopped), {} answers known before, {} candidates \
             skipped as hopeless",
                self.place.target().display(),
                figures.elapsed.as_secs_f64(),
                figures.tests,
                figures.abandoned,
                figures.hits,
                skipped(figures),
            ),
        );
        if report.stopped {
            say(self.json, "stopped early; the same command goes on from here");
        } else if self.place.in_place() {
            say(self.json, &format!("the original is {}.orig", self.place.target().display()));
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Observer for View<'_> {
    fn event(&mut self, event: &Event<'_>, figures: &Figures) {
        match event {
            Event::Pass { name, .. } => self.pass = name,
            Event::Better { case, pass } => {
                self.pass = pass;
                if case.is_below(&self.least) {
                    self.write(case);
                }
                if self.json {
                    output::json(&progress(pass, figures));
                }
            }
            Event::Tick => {}
        }
        self.show(figures);
    }
}

fn skipped(figures: &Figures) -> u64 {
    figures.evidence.iter().map(|seen| seen.skipped).sum()
}

fn rate(figures: &Figures) -> f64 {
    figures.tests as f64 / figures.elapsed.as_secs_f64().max(0.001)
}

fn share(figures: &Figures) -> f64 {
    100.0 * figures.hits as f64 / ((figures.hits + figures.tests) as f64).max(1.0)
}

fn line(pass: &str, figures: &Figures) -> String {
    let Size { tokens, bytes } = figures.now;
    let left = 100.0 * tokens as f64 / (figures.before.tokens as f64).max(1.0);
    format!(
        "{tokens} tokens ({left:.1} %), {bytes} bytes | {pass} | {} tests, {:.0}/s | cache {:.0} % | {} skipped | {:.0} s",
        figures.tests,
        rate(figures),
        share(figures),
        skipped(figures),
        figures.elapsed.as_secs_f64()
    )
}

/// What each early filter saw.
fn filters(figures: &Figures) -> Value {
    let line = |(name, seen): (&&str, &Evidence)| {
        json!({
            "filter": name, "tested_uninteresting": seen.uninteresting, "tested_interesting": seen.interesting,
            "skipped": seen.skipped,
        })
    };
    NAMES.iter().zip(&figures.evidence).map(line).collect()
}

fn common(figures: &Figures, size: Size) -> Value {
    json!({
        "seconds": figures.elapsed.as_secs_f64(), "tokens": size.tokens, "bytes": size.bytes, "tests": figures.tests,
        "tests_stopped": figures.abandoned, "cache_hits": figures.hits, "unresolved": figures.unresolved,
        "filters": filters(figures),
    })
}

fn progress(pass: &str, figures: &Figures) -> Value {
    let mut value = common(figures, figures.now);
    value["type"] = "progress".into();
    value["pass"] = pass.into();
    value
}

fn summary(report: &Report, size: Size) -> Value {
    let mut value = common(&report.figures, size);
    value["type"] = "summary".into();
    value["stopped"] = report.stopped.into();
    value["before"] = json!({ "tokens": report.figures.before.tokens, "bytes": report.figures.before.bytes });
    value["test_seconds"] = report.figures.testing.as_secs_f64().into();
    let passes = report.passes.iter().filter(|(_, record)| record.runs > 0);
    let passes: Vec<Value> = passes
        .map(|(name, r)| json!({ "pass": name, "runs": r.runs, "tests": r.tests, "edits": r.wins, "tokens": r.tokens, "bytes": r.bytes }))
        .collect();
    value["passes"] = passes.into();
    value
}
