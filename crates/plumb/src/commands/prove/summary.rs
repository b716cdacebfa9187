//! Counts over all functions.

use super::answer::Answer;
use super::json::{Ended, RankedLine, SummaryLine};
use crate::output::Exit;
use campaign::hunt::progress::counted;
use equiv::{ReasonKind, Verdict, VerdictKind};
use std::collections::BTreeMap;
use std::time::Instant;

/// How a command ends that has this verdict alone.
fn deserved(verdict: VerdictKind) -> Exit {
    match verdict {
        VerdictKind::Proved | VerdictKind::Conditional => Exit::Ok,
        VerdictKind::Refuted => Exit::Alarm,
        VerdictKind::Bounded | VerdictKind::Unknown => Exit::Unknown,
        VerdictKind::Unsupported => Exit::Unsupported,
    }
}

/// Counts, times, and what is unsupported.
pub struct Summary {
    all: usize,
    /// Functions that were answered for.
    pub done: usize,
    verdicts: BTreeMap<VerdictKind, u64>,
    ended: BTreeMap<Ended, u64>,
    /// Functions for which the certificate or the hints could not be used.
    pub unusable: u64,
    /// The worst so far.
    worst: Exit,
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
            unusable: 0,
            worst: Exit::Ok,
            times: Vec::new(),
            peak: 0,
            replaced: 0,
            unsupported: BTreeMap::new(),
            begun: Instant::now(),
        }
    }

    /// Counts a function.
    pub fn add(&mut self, function: &str, answer: &Answer) {
        self.done += 1;
        let kind = answer.report.verdict.kind();
        *self.verdicts.entry(kind).or_default() += 1;
        self.worst = self.worst.max(deserved(kind));
        if let Some(how) = answer.ended() {
            *self.ended.entry(how).or_default() += 1;
        }
        if let Verdict::Unsupported { what, .. } = &answer.report.verdict {
            let entry = self.unsupported.entry(what.clone()).or_insert_with(|| (0, function.to_owned()));
            entry.0 += 1;
        }
        let verdict = &answer.report.verdict;
        let unusable = |reason: &equiv::Reason| matches!(reason.kind, ReasonKind::Certificate { .. });
        self.unusable += u64::from(matches!(verdict, Verdict::Unknown(reason) if unusable(reason)));
        // What was never tried has no time.
        self.times.extend(answer.tried.then_some(answer.report.time.as_secs_f64() * 1e3));
        self.peak = self.peak.max(answer.peak);
        self.replaced += u64::from(answer.replaced);
    }

    fn count(&self, verdict: VerdictKind) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// What the worst verdict deserves; a function without one is unknown.
    pub fn exit(&self) -> Exit {
        if self.done < self.all { self.worst.max(Exit::Unknown) } else { self.worst }
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

    /// The last line of `--json`.
    pub fn to_json(&self) -> SummaryLine {
        let (mean_ms, median_ms, longest_ms) = self.times();
        let ended = |how: Ended| self.ended.get(&how).copied().unwrap_or(0);
        let ranked = |(what, functions, first): (&str, u64, &str)| RankedLine {
            what: what.to_owned(),
            functions,
            first: first.to_owned(),
        };
        SummaryLine {
            functions: self.all,
            answered: self.done,
            verdicts: VerdictKind::ALL.into_iter().map(|v| (v, self.count(v))).collect(),
            timed_out: ended(Ended::Time),
            out_of_memory: ended(Ended::Memory),
            crashed: ended(Ended::Crash),
            mean_ms,
            median_ms,
            longest_ms,
            peak_memory: self.peak,
            workers_replaced: self.replaced,
            seconds: self.begun.elapsed().as_secs_f64(),
            unsupported: self.ranked().into_iter().map(ranked).collect(),
        }
    }

    /// How many there are of each verdict.
    pub fn counts(&self) -> String {
        let shown = VerdictKind::ALL.into_iter().filter(|v| self.count(*v) > 0);
        let shown = shown.map(|v| format!("{} {}", self.count(v), v.name()));
        let mut text = shown.collect::<Vec<_>>().join(", ");
        for (how, n) in &self.ended {
            text.push_str(&format!(" ({n} {})", how.words()));
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
            "{}{stopped}: {}\ntime: mean {mean:.0} ms, median {median:.0} ms, longest {longest:.0} ms; \
             peak memory {} MB",
            counted(self.all as u64, "function"),
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
