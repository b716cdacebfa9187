//! Progress on stderr as plain lines: what begins, every alarm, and now and then the counts.

use super::plan::{Observer, Plan, Summary};
use crate::error::Error;
use crate::store::{ProgramRow, Totals};
use std::fmt::Write as _;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often a plain line is written.
const EVERY: Duration = Duration::from_secs(10);

/// Follows a hunt on stderr.
#[derive(Default)]
pub struct Progress {
    plan: OnceLock<Known>,
    last: Mutex<Option<Instant>>,
}

/// The parts of the plan that the lines need.
struct Known {
    begun: Instant,
    time: Option<Duration>,
    programs: Option<u64>,
    before: u64,
    configurations: usize,
}

impl Progress {
    fn show(&self, totals: &Totals) {
        let Some(known) = self.plan.get() else { return };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|at| at.elapsed() >= EVERY) {
            *last = Some(Instant::now());
            let left = left(known, totals).map(|left| format!(", {left}")).unwrap_or_default();
            eprintln!("{} programs, {}{left}", totals.programs, facts(known, totals));
        }
    }
}

impl Observer for Progress {
    fn begin(&self, plan: &Plan) {
        for why in &plan.left_out {
            eprintln!("left out: {why}");
        }
        let mut compilers: Vec<String> = Vec::new();
        for configuration in &plan.configurations {
            let banner = &configuration.tested.compiler.banner;
            let text = format!("{} ({banner})", configuration.tested.name);
            if !compilers.contains(&text) {
                compilers.push(text);
            }
        }
        eprintln!("hunting with {}", compilers.join(", "));
        if plan.before.programs > 0 {
            eprintln!("resuming after {}", counted(plan.before.programs, "program"));
        }
        let _ = self.plan.set(Known {
            begun: plan.begun,
            time: plan.time,
            programs: plan.programs,
            before: plan.before.programs,
            configurations: plan.configurations.len(),
        });
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn program(&self, row: &ProgramRow, totals: &Totals) -> Result<(), Error> {
        for finding in &row.findings {
            if !finding.evidence_of.is_empty() {
                let (of, at) = (&finding.evidence_of, &finding.configuration);
                eprintln!("again {of}: {at}, {}", finding.program);
                continue;
            }
            let by = match finding.strategies.as_str() {
                "" => String::new(),
                names => format!(" [{names}]"),
            };
            eprintln!("ALARM {}: {}: {}{by}", finding.id, finding.configuration, finding.summary);
            if let Some(doubt) = &finding.doubt {
                eprintln!("  doubtful: {doubt}");
            }
        }
        self.show(totals);
        Ok(())
    }

    fn tick(&self, totals: &Totals) {
        self.show(totals);
    }

    fn end(&self, summary: &Summary) {
        if let Some(counts) = &summary.volatile {
            let (compared, places) = (counts.compared, counted(counts.places, "place"));
            eprintln!(
                "volatile: {compared} compiled programs watched, {places}, {} accesses",
                counts.accesses
            );
            for (why, count) in &counts.not_asked {
                eprintln!("volatile: not asked: {count}: {why}");
            }
        }
        if summary.stopped {
            eprintln!("stopped; the same command goes on from here");
        }
    }
}

/// A number of things in words: `1 program`, `2 programs`.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn facts(known: &Known, totals: &Totals) -> String {
    let seconds = known.begun.elapsed().as_secs_f64();
    let configurations = counted(known.configurations as u64, "configuration");
    let rate = (totals.programs - known.before) as f64 / seconds.max(0.001);
    let mut text = format!("{rate:.2}/s, {configurations}, {} rejected", totals.all_rejected());
    if let Some((reason, count)) = totals.rejected.iter().max_by_key(|(_, count)| **count) {
        let _ = write!(text, " (most: {reason}, {count})");
    }
    if totals.all_inconclusive() > 0 {
        let _ = write!(text, ", {} inconclusive", totals.all_inconclusive());
    }
    if !totals.variants.is_empty() {
        let each: Vec<String> =
            totals.variants.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let _ = write!(text, ", variants: {}", each.join(" "));
    }
    let _ = write!(text, ", {} alarms", totals.all_alarms());
    if totals.all_alarms() > 0 {
        let _ = write!(text, " ({} distinct)", totals.distinct());
    }
    let _ = write!(text, ", own CPU {:.1} %", totals.own_share());
    text
}

/// What is left, by the clock and by the number of programs, whichever comes first.
fn left(known: &Known, totals: &Totals) -> Option<String> {
    let elapsed = known.begun.elapsed();
    let by_clock = known.time.map(|time| time.saturating_sub(elapsed));
    let done = totals.programs - known.before;
    let by_number = known.programs.filter(|_| done > 0).map(|programs| {
        let missing = programs.saturating_sub(totals.programs) as f64;
        Duration::from_secs_f64((elapsed.as_secs_f64() / done as f64 * missing).min(1e9))
    });
    let left = [by_clock, by_number].into_iter().flatten().min()?;
    Some(format!("{} left", human(left)))
}

/// `1 h 02 min`, `2 min 05 s`, `7 s`.
pub fn human(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}
