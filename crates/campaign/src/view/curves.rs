//! A campaign over time. Its clock is hunting: it stands still between runs.

use super::model::{Discovery, Rate, SinceNewBug};
use std::collections::BTreeSet;

/// Stretches into which the time of a campaign is divided.
const STRETCHES: usize = 60;
/// What "recent" means, in seconds of hunting.
const RECENT: f64 = 60.0;

/// When the runs of a campaign began and its programs were done, in milliseconds since 1970.
pub(super) struct Clock {
    /// Seconds of hunting of each program, ascending.
    programs: Vec<f64>,
    runs: Vec<Span>,
    last: Option<i64>,
}

/// One run: from its beginning to its last program.
struct Span {
    begun: i64,
    ended: i64,
    /// Seconds hunted before it.
    before: f64,
}

impl Clock {
    /// `runs` and `moments` are ascending.
    pub fn new(runs: Vec<i64>, moments: Vec<i64>) -> Clock {
        let mut spans: Vec<Span> = Vec::with_capacity(runs.len());
        let mut before = 0.0;
        for (number, &begun) in runs.iter().enumerate() {
            let next = runs.get(number + 1).copied().unwrap_or(i64::MAX);
            let inside = moments.partition_point(|at| *at < next);
            let ended = inside.checked_sub(1).map_or(begun, |last| moments[last]).max(begun);
            spans.push(Span { begun, ended, before });
            before += seconds(ended - begun);
        }
        let mut clock = Clock { programs: Vec::new(), runs: spans, last: moments.last().copied() };
        clock.programs = moments.iter().map(|at| clock.at(*at)).collect();
        clock
    }

    /// Seconds of hunting at a moment.
    fn at(&self, moment: i64) -> f64 {
        let begun = self.runs.partition_point(|run| run.begun <= moment);
        let Some(run) = begun.checked_sub(1).map(|number| &self.runs[number]) else { return 0.0 };
        run.before + seconds(moment.min(run.ended) - run.begun)
    }

    /// When the first run began.
    pub fn begun(&self) -> Option<i64> {
        self.runs.first().map(|run| run.begun)
    }

    /// When the last program was done.
    pub fn last(&self) -> Option<i64> {
        self.last
    }

    /// Seconds hunted.
    pub fn seconds(&self) -> f64 {
        self.runs.last().map_or(0.0, |run| run.before + seconds(run.ended - run.begun))
    }

    /// Programs a second.
    pub fn rate(&self) -> f64 {
        per_second(self.programs.len(), self.seconds())
    }

    /// Programs a second in the last [`RECENT`] seconds.
    pub fn recent_rate(&self) -> f64 {
        let from = (self.seconds() - RECENT).max(0.0);
        let recent = self.programs.len() - self.programs.partition_point(|at| *at < from);
        per_second(recent, self.seconds() - from)
    }

    /// Programs a second in equal stretches.
    pub fn rates(&self) -> Vec<Rate> {
        let whole = self.seconds();
        if whole <= 0.0 {
            return Vec::new();
        }
        let stretch = whole / STRETCHES as f64;
        let mut before = 0;
        let mut rates = Vec::with_capacity(STRETCHES);
        for number in 1..=STRETCHES {
            let end = stretch * number as f64;
            let done = if number == STRETCHES { self.programs.len() } else { self.up_to(end) };
            rates.push(Rate {
                seconds: end,
                programs: done as u64,
                per_second: per_second(done.saturating_sub(before), stretch),
            });
            before = done;
        }
        rates
    }

    /// How long ago a discovery was.
    pub fn since(&self, last: Option<&Discovery>) -> Option<SinceNewBug> {
        last.map(|last| SinceNewBug {
            seconds: (self.seconds() - last.seconds).max(0.0),
            programs: (self.programs.len() as u64).saturating_sub(last.programs),
        })
    }

    /// Programs done up to so many seconds of hunting.
    fn up_to(&self, at: f64) -> usize {
        self.programs.partition_point(|done| *done <= at)
    }
}

/// The first finding of each group, oldest first. `found` gives the group of each finding, and when it was found.
pub(super) fn discoveries<'a>(clock: &Clock, found: impl Iterator<Item = (&'a str, i64)>) -> Vec<Discovery> {
    let mut found: Vec<(i64, &str)> = found.map(|(group, at)| (at, group)).collect();
    found.sort_by_key(|(at, _)| *at);
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    for (at, group) in found {
        if known.insert(group) {
            let seconds = clock.at(at);
            all.push(Discovery {
                seconds,
                programs: clock.up_to(seconds) as u64,
                bugs: known.len() as u64,
                group: group.to_owned(),
            });
        }
    }
    all
}

fn seconds(milliseconds: i64) -> f64 {
    milliseconds.max(0) as f64 / 1000.0
}

fn per_second(count: usize, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two runs of 10 s each, a day between them, one program a second.
    fn two_runs() -> Clock {
        const DAY: i64 = 86_400_000;
        let moments = (1..=10).map(|n| n * 1000).chain((1..=10).map(|n| DAY + n * 1000));
        Clock::new(vec![0, DAY], moments.collect())
    }

    #[test]
    fn breaks_are_left_out() {
        let clock = two_runs();
        assert!((clock.seconds() - 20.0).abs() < 1e-9, "{}", clock.seconds());
        assert!((clock.rate() - 1.0).abs() < 1e-9, "{}", clock.rate());
        let rates = clock.rates();
        assert_eq!(rates.len(), STRETCHES);
        assert_eq!(rates.last().map(|last| last.programs), Some(20));
        let sum: f64 = rates.iter().map(|rate| rate.per_second * 20.0 / STRETCHES as f64).sum();
        assert!((sum - 20.0).abs() < 1e-6, "{sum}");
    }

    #[test]
    fn only_the_first_finding_of_a_group_is_a_discovery() {
        let clock = two_runs();
        let found = [("a", 2000), ("b", 5000), ("a", 6000), ("b", 86_400_000 + 3000)];
        let discoveries = discoveries(&clock, found.into_iter());
        let seen: Vec<_> = discoveries.iter().map(|d| (d.group.as_str(), d.bugs, d.programs)).collect();
        assert_eq!(seen, [("a", 1, 2), ("b", 2, 5)]);
        let since = clock.since(discoveries.last()).expect("two were found");
        assert_eq!(since.programs, 15);
        assert!((since.seconds - 15.0).abs() < 1e-9, "{}", since.seconds);
    }

    #[test]
    fn a_store_without_history_has_no_rates() {
        let clock = Clock::new(Vec::new(), Vec::new());
        assert!(clock.rates().is_empty() && clock.rate() == 0.0 && clock.begun().is_none());
    }
}
