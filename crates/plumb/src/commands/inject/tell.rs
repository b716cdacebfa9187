//! What is told of faults: lines as they come, a table of kinds at the end, and the exit code that the worst decides.

use super::json::{FaultLine, FaultOutcome, Line, SummaryLine};
use crate::args::Inject;
use crate::commands::workers::Progress;
use crate::output::{self, Exit};
use campaign::hunt::progress::counted;
use std::collections::BTreeMap;
use std::time::Instant;

/// What was told so far.
pub struct Told<'a> {
    args: &'a Inject,
    summary: SummaryLine,
    done: usize,
    begun: Instant,
    progress: Progress,
}

fn joined<K>(counts: &BTreeMap<K, u64>, name: impl Fn(&K) -> String) -> String {
    let parts: Vec<String> = counts.iter().map(|(key, n)| format!("{n} {}", name(key))).collect();
    parts.join(", ")
}

impl<'a> Told<'a> {
    /// Nothing so far.
    pub fn new(args: &'a Inject) -> Told<'a> {
        let summary = SummaryLine {
            asked: args.count,
            faults: 0,
            outcomes: BTreeMap::new(),
            kinds: BTreeMap::new(),
            buckets: BTreeMap::new(),
            blames: BTreeMap::new(),
            why: BTreeMap::new(),
            seconds: 0.0,
        };
        let all = usize::try_from(args.count).unwrap_or(usize::MAX);
        Told { args, summary, done: 0, begun: Instant::now(), progress: Progress::new(all, "faults") }
    }

    /// Faults so far.
    pub fn faults(&self) -> u64 {
        self.summary.faults
    }

    /// Tells of a fault; of none that could be put in.
    pub fn tell(&mut self, line: Option<FaultLine>) {
        self.done += 1;
        let mut shown = None;
        if let Some(line) = line {
            let summary = &mut self.summary;
            summary.faults += 1;
            let kind = summary.kinds.entry(line.fault.kind).or_default();
            if let Some(outcome) = line.outcome {
                *kind.entry(outcome).or_default() += 1;
                *summary.outcomes.entry(outcome).or_default() += 1;
            }
            line.bucket.iter().for_each(|b| *summary.buckets.entry(b.clone()).or_default() += 1);
            line.blame.iter().for_each(|blame| *summary.blames.entry(*blame).or_default() += 1);
            line.why.iter().for_each(|why| *summary.why.entry(why.name().to_owned()).or_default() += 1);
            let telling = matches!(line.outcome, None | Some(FaultOutcome::Missed | FaultOutcome::NotRun));
            shown = match self.args.json {
                true => Some(output::json_text(&Line::Fault(Box::new(line)))),
                false if telling || self.args.verbose => Some(text(&line)),
                false => None,
            };
        }
        let counts = joined(&self.summary.outcomes, |outcome| outcome.name().to_owned());
        self.progress.around(self.done, &counts, || shown.iter().for_each(|line| output::line(line)));
    }

    /// The summary, and the exit code.
    pub fn end(mut self) -> u8 {
        self.progress.end();
        self.summary.seconds = self.begun.elapsed().as_secs_f64();
        let count = |outcome| self.summary.outcomes.get(&outcome).copied().unwrap_or(0);
        let exit = if count(FaultOutcome::Missed) > 0 {
            Exit::Alarm
        } else if self.summary.faults == 0 && self.summary.asked > 0 {
            Exit::Unsupported
        } else if count(FaultOutcome::NotRun) > 0 {
            Exit::Unknown
        } else {
            Exit::Ok
        };
        if self.args.json {
            output::json(&Line::Summary(self.summary));
        } else {
            output::line(&self.table());
        }
        exit.code()
    }

    fn table(&self) -> String {
        let s = &self.summary;
        let mut text = String::new();
        for (kind, outcomes) in s.kinds.iter().filter(|(_, outcomes)| !outcomes.is_empty()) {
            let all: u64 = outcomes.values().sum();
            let outcomes = joined(outcomes, |outcome| outcome.name().to_owned());
            text.push_str(&format!("{:12}{all:6}: {outcomes}\n", kind.name()));
        }
        if s.faults == 0 && s.asked > 0 {
            return "no fault could be put in: expected an x86-64 object with functions".to_owned();
        }
        text.push_str(&counted(s.faults, "fault"));
        for (what, counts) in [
            ("", joined(&s.outcomes, |outcome| outcome.name().to_owned())),
            ("open: ", joined(&s.why, String::clone)),
            ("blamed instruction: ", joined(&s.blames, |blame| blame.name().to_owned())),
        ] {
            if !counts.is_empty() {
                text.push_str(&format!("; {what}{counts}"));
            }
        }
        text
    }
}

fn text(line: &FaultLine) -> String {
    let fault = &line.fault;
    let mut text = format!(
        "{}: {} in {}+{:#x}: {} -> {}",
        line.number,
        fault.kind.name(),
        fault.function,
        fault.at,
        fault.before,
        fault.after
    );
    if let Some(outcome) = line.outcome {
        text.push_str(&format!(": {}", outcome.name()));
    }
    if let Some(why) = &line.text {
        text.push_str(&format!(": {why}"));
    }
    if let (Some(blame), Some(cause)) = (line.blame, &line.cause) {
        text.push_str(&format!("; blamed ({}): {cause}", blame.name()));
    }
    if let Some(file) = &line.file {
        text.push_str(&format!(" ({file})"));
    }
    text
}
