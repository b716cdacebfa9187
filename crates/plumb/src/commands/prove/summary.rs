//! Counts over all functions, and progress while they are made.

use super::worker::Answer;
use campaign::exit;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a plain line is written where stderr is no terminal.
const EVERY: Duration = Duration::from_secs(10);

/// The verdicts, in the order they are shown in.
const VERDICTS: &[&str] = &["proved", "conditional", "bounded", "refuted", "unknown", "unsupported"];

/// Counts, times, and what is unsupported.
pub struct Summary {
    all: usize,
    done: usize,
    verdicts: BTreeMap<String, u64>,
    ended: BTreeMap<String, u64>,
    /// Milliseconds of each function.
    times: Vec<f64>,
    peak: u64,
    /// Workers that could not go on after a function.
    replaced: u64,
    /// What is unsupported: how often, and the first function with it.
    unsupported: BTreeMap<String, (u64, String)>,
    begun: Instant,
}

impl Summary {
    /// Nothing counted yet.
    pub fn new(all: usize) -> Summary {
        Summary {
            all,
            done: 0,
            verdicts: BTreeMap::new(),
            ended: BTreeMap::new(),
            times: Vec::new(),
            peak: 0,
            replaced: 0,
            unsupported: BTreeMap::new(),
            begun: Instant::now(),
        }
    }

    /// Counts a function.
    pub fn add(&mut self, function: &str, answer: &Answer) {
        let text = |v: &Value| v.as_str().map(str::to_owned);
        self.done += 1;
        *self.verdicts.entry(text(&answer.report["verdict"]).unwrap_or_default()).or_default() += 1;
        if let Some(how) = text(&answer.report["ended"]) {
            *self.ended.entry(how).or_default() += 1;
        }
        if let Some(what) = text(&answer.report["unsupported"]["what"]) {
            let entry = self.unsupported.entry(what).or_insert_with(|| (0, function.to_owned()));
            entry.0 += 1;
        }
        // What was never tried has no time.
        self.times.extend(answer.report["ms"].as_f64());
        self.peak = self.peak.max(answer.peak);
        self.replaced += u64::from(answer.replaced);
    }

    fn count(&self, verdict: &str) -> u64 {
        self.verdicts.get(verdict).copied().unwrap_or(0)
    }

    /// The worst verdict's code.
    pub fn exit_code(&self) -> u8 {
        match () {
            () if self.count("refuted") > 0 => exit::ALARM,
            () if self.count("unknown") + self.count("bounded") > 0 || self.done < self.all => exit::UNKNOWN,
            () if self.count("unsupported") > 0 => exit::UNSUPPORTED,
            () => exit::OK,
        }
    }

    /// Mean, median and longest time in milliseconds.
    fn times(&self) -> (f64, f64, f64) {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        let median = match times.len() {
            0 => 0.0,
            n if n % 2 == 1 => times[n / 2],
            n => (times[n / 2 - 1] + times[n / 2]) / 2.0,
        };
        let mean = times.iter().fold(0.0, |sum, t| sum + t) / (times.len().max(1) as f64);
        (mean, median, times.last().copied().unwrap_or(0.0))
    }

    /// What is unsupported, the most frequent first.
    fn ranked(&self) -> Vec<(&str, u64, &str)> {
        let mut list: Vec<_> =
            self.unsupported.iter().map(|(what, (n, first))| (what.as_str(), *n, first.as_str())).collect();
        list.sort_by_key(|(what, n, _)| (std::cmp::Reverse(*n), *what));
        list
    }

    /// One object.
    pub fn to_json(&self) -> Value {
        let (mean, median, longest) = self.times();
        let verdicts: serde_json::Map<String, Value> =
            VERDICTS.iter().map(|v| ((*v).to_owned(), self.count(v).into())).collect();
        let ranked: Vec<Value> = self
            .ranked()
            .into_iter()
            .map(|(what, n, first)| json!({ "what": what, "functions": n, "first": first }))
            .collect();
        json!({
            "type": "summary", "functions": self.all, "answered": self.done, "verdicts": verdicts,
            "timed_out": self.ended.get("time").copied().unwrap_or(0),
            "out_of_memory": self.ended.get("memory").copied().unwrap_or(0),
            "crashed": self.ended.get("crash").copied().unwrap_or(0),
            "mean_ms": mean, "median_ms": median, "longest_ms": longest,
            "peak_memory": self.peak, "workers_replaced": self.replaced, "seconds": self.begun.elapsed().as_secs_f64(), "unsupported": ranked,
        })
    }

    fn counts(&self) -> String {
        let shown = VERDICTS.iter().filter(|v| self.count(v) > 0).map(|v| format!("{} {v}", self.count(v)));
        let mut text = shown.collect::<Vec<_>>().join(", ");
        for (how, words) in [("time", "out of time"), ("memory", "out of memory"), ("crash", "crashed")] {
            if let Some(n) = self.ended.get(how) {
                text.push_str(&format!(" ({n} {words})"));
            }
        }
        text
    }

    /// A few lines; with `list` all that is unsupported.
    pub fn to_text(&self, list: bool) -> String {
        let (mean, median, longest) = self.times();
        let stopped = if self.done < self.all {
            format!(" ({} not tried)", self.all - self.done)
        } else {
            String::new()
        };
        let mut text = format!(
            "{} function{}{stopped}: {}\ntime: mean {mean:.0} ms, median {median:.0} ms, longest {longest:.0} ms; \
             peak memory {} MB",
            self.all,
            if self.all == 1 { "" } else { "s" },
            self.counts(),
            self.peak >> 20
        );
        let ranked = self.ranked();
        if list {
            text.push_str("\nunsupported, by functions:");
            for (what, n, first) in &ranked {
                text.push_str(&format!("\n{n:7}  {what} (first in {first})"));
            }
        } else if !ranked.is_empty() {
            text.push_str("\nlist what is unsupported with --unsupported");
        }
        text
    }
}

/// Progress on stderr: a bar on a terminal, a plain line now and then elsewhere.
pub struct Progress {
    bar: Option<ProgressBar>,
    last: Cell<Instant>,
}

impl Progress {
    /// For so many functions.
    pub fn new(all: usize) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(all as u64), ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Progress { bar, last: Cell::new(Instant::now()) }
    }

    /// Prints around the bar, and moves it on.
    pub fn around(&self, summary: &Summary, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => {
                bar.suspend(print);
                bar.set_position(summary.done as u64);
                bar.set_message(summary.counts());
            }
            None => {
                print();
                if self.last.get().elapsed() >= EVERY {
                    self.last.set(Instant::now());
                    eprintln!("{} of {} functions: {}", summary.done, summary.all, summary.counts());
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
