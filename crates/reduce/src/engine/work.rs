//! What a reduction holds while it runs: the case, the schedule, the evidence; and how verdicts are waited for and weighed.

use super::filter::{Evidence, FILTERS, Filters, is_enough};
use super::foresight::Foresight;
use super::pool::{Goal, Judged, Pool, Ticket, Verdict, Waited};
use super::{Event, Figures, Observer, Schedule, lowered};
use crate::Case;
use crate::case::Key;
use crate::passes::Pass;
use crate::size::Size;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a pass ends early.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The reduction is to stop.
    Stopped,
    /// Somebody wants the next pass.
    Skipped,
}

/// How often the observer hears from a wait, and how soon a stop is noticed.
const TICK: Duration = Duration::from_millis(100);

/// A reduction under way.
pub struct Work<'e, 't> {
    pub pool: &'e Pool<'t>,
    pub passes: &'e [&'static dyn Pass],
    pub jobs: usize,
    pub case: Arc<Case>,
    pub schedule: Schedule,
    pub evidence: [Evidence; FILTERS],
    pub figures: Figures,
    pub begun: Instant,
    pub observer: &'e mut dyn Observer,
    pub stop: &'e (dyn Fn() -> bool + Sync),
    pub skip: &'e AtomicBool,
    pub filter: bool,
    pub foresight: Foresight,
}

impl Work<'_, '_> {
    /// Brings the figures up to date.
    pub fn figure(&mut self) {
        let counters = &self.pool.counters;
        self.figures.now = self.case.size();
        self.figures.tests = counters.tests.load(Ordering::Relaxed);
        self.figures.abandoned = counters.abandoned.load(Ordering::Relaxed);
        self.figures.hits = counters.hits.load(Ordering::Relaxed);
        self.figures.testing = Duration::from_micros(counters.spent.load(Ordering::Relaxed));
        self.figures.evidence = self.evidence;
        self.figures.elapsed = self.begun.elapsed();
    }

    /// Tells that a pass begins.
    pub fn announce(&mut self, pass: usize, hints: usize) {
        self.figure();
        let name = self.passes[pass].name();
        self.observer.event(&Event::Pass { name, hints }, &self.figures);
    }

    /// Goes on with a smaller case.
    pub fn better(&mut self, pass: usize, case: Arc<Case>, before: Size) {
        self.schedule.records[pass].gain(before, case.size());
        self.case = case;
        self.foresight.clear(self.pool);
        self.figure();
        let name = self.passes[pass].name();
        self.observer.event(&Event::Better { case: &self.case, pass: name }, &self.figures);
    }

    /// Waits for a verdict, however long it takes.
    fn wait(&mut self, ticket: Ticket) -> Result<Judged, Halt> {
        loop {
            if let Some(judged) = self.wait_or_idle(ticket, false)? {
                return Ok(judged);
            }
        }
    }

    /// The same; if asked to, only until there are workers with nothing to do.
    pub fn wait_or_idle(&mut self, ticket: Ticket, until_idle: bool) -> Result<Option<Judged>, Halt> {
        loop {
            if (self.stop)() {
                self.pool.abandon([ticket]);
                return Err(Halt::Stopped);
            }
            if lowered(self.skip) {
                self.pool.abandon([ticket]);
                return Err(Halt::Skipped);
            }
            match self.pool.wait(ticket, TICK, until_idle.then_some(self.jobs)) {
                Waited::Judged(judged) => return Ok(Some(judged)),
                Waited::Idle => return Ok(None),
                Waited::Over => {
                    self.figure();
                    self.observer.event(&Event::Tick, &self.figures);
                }
            }
        }
    }

    /// Hands in one more candidate of a pass after `present`, as if that were to bring nothing. `false` if there is none.
    pub fn foresee(&mut self, present: usize) -> bool {
        self.foresight.hand_in(present, &self.case, &self.schedule, self.passes, self.pool)
    }

    /// Tells the workers what the evidence says.
    pub fn tune_filters(&self) {
        for (filter, seen) in self.evidence.iter().enumerate() {
            self.pool.set_filter(
                filter,
                self.filter && seen.is_open(),
                self.filter && is_enough(&self.evidence, filter),
            );
        }
    }

    /// What a verdict means in the light of the evidence, in the order in which verdicts are asked for, and whether it
    /// counts as a test: that is the same whatever the workers have tried ahead.
    pub fn weigh(&mut self, judged: Judged, key: Key) -> Result<(Judged, bool), Halt> {
        let mut judged = judged;
        let rejecting = judged.rejected.filter(|_| self.filter);
        if let Some(filter) = rejecting
            && is_enough(&self.evidence, filter)
            && !Filters::is_probe(&key)
        {
            self.evidence[filter].skipped += 1;
            return Ok((Judged { verdict: Verdict::Skipped, ..judged }, false));
        }
        if judged.verdict == Verdict::Skipped {
            // Skipped when there was evidence for it, which there no longer is.
            let ticket = self.pool.submit(&judged.case, Vec::new(), Goal::None);
            judged = Judged { rejected: judged.rejected, ..self.wait(ticket)? };
        }
        match &judged.verdict {
            Verdict::Answered(interesting) => {
                // Once that is decided, whether a candidate was still asked about depends on the workers.
                if let Some(filter) = rejecting.filter(|filter| self.evidence[*filter].is_open()) {
                    let seen = &mut self.evidence[filter];
                    *(if *interesting { &mut seen.interesting } else { &mut seen.uninteresting }) += 1;
                    self.tune_filters();
                }
            }
            Verdict::Unresolved(_) => self.figures.unresolved += 1,
            Verdict::Skipped | Verdict::Pointless => {}
        }
        Ok((judged, true))
    }
}
