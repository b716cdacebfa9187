//! What a user sees of a reduction: the smallest case in its place, a bar or plain lines, JSON lines, a summary.

use super::place::Place;
use super::say;
use crate::output;
use campaign::Error;
use campaign::reduction::Reduced;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reduce::engine::filter::{Evidence, NAMES};
use reduce::engine::{Figures, PassRecord};
use reduce::journal::Journal;
use reduce::{Case, Event, Observer, Report, Size};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a plain line is written.
const EVERY: Duration = Duration::from_secs(5);

/// Says how a reduction goes: in one line that changes on a terminal, in lines elsewhere, in JSON on stdout.
pub struct Progress {
    json: bool,
    bar: Option<ProgressBar>,
    said: Option<Instant>,
    pass: &'static str,
}

impl Progress {
    /// With nothing said yet.
    pub fn new(json: bool) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar
        });
        Progress { json, bar, said: None, pass: "" }
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

    /// Takes the line away that changes.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn event(&mut self, event: &Event<'_>, figures: &Figures) {
        match event {
            Event::Pass { name, .. } => self.pass = name,
            Event::Better { pass, .. } => {
                self.pass = pass;
                if self.json {
                    let (state, pass) = (state(figures, figures.now), (*pass).to_owned());
                    output::json(&Line::Progress { state, pass });
                }
            }
            Event::Tick => {}
        }
        self.show(figures);
    }
}

/// Follows a reduction, and writes every smaller case in its place.
pub struct View<'v> {
    progress: Progress,
    place: &'v Place,
    journal: &'v Journal,
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
        let least = match resumed {
            true => place.present().unwrap_or_else(|| original.clone()),
            false => original.clone(),
        };
        if resumed {
            eprintln!("plumb: goes on at {}", least.size());
        }
        View { progress: Progress::new(json), place, journal, least, error: None }
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

    /// The last word. The case of the report is in its place, unless what is there is smaller.
    pub fn end(mut self, report: &Report) -> Result<(), Error> {
        self.progress.clear();
        let json = self.progress.json;
        // What is last may differ from what is least by white space alone.
        if !report.stopped || report.case.is_below(&self.least) {
            self.write(&report.case.clone());
        }
        if json {
            output::json(&summary(report, self.least.size()));
        }
        let figures = &report.figures;
        let (before, after) = (figures.before, self.least.size());
        say(
            json,
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
            say(json, "stopped early; the same command goes on from here");
        } else if self.place.in_place() {
            say(json, &format!("the original is {}.orig", self.place.target().display()));
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Observer for View<'_> {
    fn event(&mut self, event: &Event<'_>, figures: &Figures) {
        if let Event::Better { case, .. } = event
            && case.is_below(&self.least)
        {
            self.write(case);
        }
        self.progress.event(event, figures);
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

fn state(figures: &Figures, size: Size) -> State {
    let line = |(name, seen): (&&str, &Evidence)| FilterLine {
        filter: (*name).to_owned(),
        tested_uninteresting: seen.uninteresting,
        tested_interesting: seen.interesting,
        skipped: seen.skipped,
    };
    State {
        seconds: figures.elapsed.as_secs_f64(),
        tokens: size.tokens,
        bytes: size.bytes,
        tests: figures.tests,
        tests_stopped: figures.abandoned,
        cache_hits: figures.hits,
        unresolved: figures.unresolved,
        filters: NAMES.iter().zip(&figures.evidence).map(line).collect(),
    }
}

fn summary(report: &Report, size: Size) -> Line {
    let passes = report.passes.iter().filter(|(_, record)| record.runs > 0);
    let pass = |(name, record): &(&str, PassRecord)| PassLine {
        pass: (*name).to_owned(),
        runs: record.runs,
        tests: record.tests,
        edits: record.wins,
        tokens: record.tokens,
        bytes: record.bytes,
    };
    Line::Summary {
        state: state(&report.figures, size),
        stopped: report.stopped,
        tokens_before: report.figures.before.tokens,
        bytes_before: report.figures.before.bytes,
        test_seconds: report.figures.testing.as_secs_f64(),
        passes: passes.map(pass).collect(),
    }
}

/// What `plumb reduce --json` prints: a line for each improvement, and last a summary.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// The case became smaller.
    Progress {
        /// How things stand.
        #[serde(flatten)]
        state: State,
        /// The pass that did it.
        pass: String,
    },
    /// The end of the reduction of a finding.
    Finding(Reduced),
    /// A finding that cannot be reduced.
    NotReduced {
        /// Its identity.
        id: String,
        /// Why.
        why: String,
    },
    /// The end.
    Summary {
        /// How things stand.
        #[serde(flatten)]
        state: State,
        /// Was it stopped before everything was tried?
        stopped: bool,
        /// Tokens of the original.
        tokens_before: usize,
        /// Bytes of the original.
        bytes_before: usize,
        /// Seconds spent in tests, all workers together.
        test_seconds: f64,
        /// What each pass did, over all runs of the command.
        passes: Vec<PassLine>,
    },
}

/// How a reduction stands.
#[derive(Debug, Serialize, JsonSchema)]
pub struct State {
    /// Seconds since this run of the command began.
    seconds: f64,
    /// Tokens of the case.
    tokens: usize,
    /// Bytes of the case.
    bytes: usize,
    /// Tests run by this run of the command.
    tests: u64,
    /// Of these, such that another success made pointless before they ended.
    tests_stopped: u64,
    /// Answers known from before.
    cache_hits: u64,
    /// Candidates for which the test failed to give an answer.
    unresolved: u64,
    /// What each early filter saw.
    filters: Vec<FilterLine>,
}

/// What an early filter saw.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FilterLine {
    /// Who rejects candidates: checker, machine, or steps, of those that run for long.
    filter: String,
    /// Rejected, tested all the same, not interesting.
    tested_uninteresting: u64,
    /// Rejected, tested all the same, interesting: then the filter is off.
    tested_interesting: u64,
    /// Rejected and not tested.
    skipped: u64,
}

/// What a pass did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PassLine {
    /// Its name.
    pass: String,
    /// How often it ran.
    runs: u64,
    /// Candidates tested.
    tests: u64,
    /// Edits that were kept.
    edits: u64,
    /// Tokens taken away.
    tokens: u64,
    /// Bytes taken away.
    bytes: u64,
}
