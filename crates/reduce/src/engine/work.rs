//! What a reduction holds while it runs: the case, the schedule, the evidence; and how verdicts are waited for and weighed.

use super::filter::{Evidence, FILTERS, Filters, is_enough};
use super::plan::Found;
use super::pool::{Candidate, Judged, Pool, Verdict};
use super::scout::{At, Trail};
use super::sweep::Progress;
use super::{Event, Figures, Observer, Schedule, lowered};
use crate::Case;
use crate::journal::Journal;
use crate::passes::Pass;
use crate::size::Size;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a candidate must be beside interesting.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Smaller than what it was made of ([`Case::is_below`]).
    Smaller,
    /// Of no more tokens, and another one.
    NoMoreTokens,
}

impl Goal {
    /// Does a candidate meet it?
    pub fn is_met(self, candidate: &Candidate, base: &Case) -> bool {
        match self {
            Goal::Smaller => candidate.case.is_below(base),
            Goal::NoMoreTokens => {
                candidate.case.size().tokens <= base.size().tokens && candidate.key != base.key()
            }
        }
    }
}

/// Why a pass ends early.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The reduction is to stop; or the scout is on the wrong track.
    Stopped,
    /// Somebody wants the next pass.
    Skipped,
}

/// How often the observer hears from a wait, and how soon a stop is noticed.
const TICK: Duration = Duration::from_millis(100);

/// Whose work it is.
pub enum Role<'e> {
    /// The engine's. It writes down how far it is, for another process and for the scout.
    Engine { journal: Option<&'e Journal>, trail: &'e Trail },
    /// The scout's.
    Scout { generation: u64 },
}

/// A reduction under way.
pub struct Work<'e, 't> {
    pub pool: &'e Pool<'t>,
    pub passes: &'e [&'static dyn Pass],
    pub case: Arc<Case>,
    pub schedule: Schedule,
    pub evidence: [Evidence; FILTERS],
    pub figures: Figures,
    pub begun: Instant,
    pub observer: &'e mut dyn Observer,
    pub stop: &'e (dyn Fn() -> bool + Sync),
    pub skip: &'e AtomicBool,
    pub filter: bool,
    pub found: &'e Found,
    pub role: Role<'e>,
}

impl Work<'_, '_> {
    /// Brings the figures up to date.
    pub fn figure(&mut self) {
        let counters = &self.pool.counters;
        self.figures.now = self.case.size();
        self.figures.tests = counters.tests.load(Ordering::Relaxed);
        self.figures.abandoned = counters.abandoned.load(Ordering::Relaxed);
        self.figures.elsewhere = counters.elsewhere.load(Ordering::Relaxed);
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

    /// Writes down that a pass is about to begin, for another process to go on there.
    pub fn keep(&self, pass: usize) {
        if let Role::Engine { journal: Some(journal), .. } = &self.role {
            journal.state(&self.case, &self.schedule, pass, self.evidence);
        }
    }

    /// Marks for the scout how far a run is.
    pub fn milestone(&self, progress: &Progress) {
        if let Role::Engine { trail, .. } = &self.role {
            let (pass, goal) = progress.run();
            trail.mark(self, At { pass, goal, progress: Some(progress.clone()) });
        }
    }

    /// Goes on with a smaller case.
    pub fn better(&mut self, pass: usize, case: Arc<Case>, before: Size) {
        self.schedule.records[pass].gain(before, case.size());
        self.case = case;
        self.figure();
        let name = self.passes[pass].name();
        self.observer.event(&Event::Better { case: &self.case, pass: name }, &self.figures);
    }

    /// Hands in a candidate.
    pub fn submit(&mut self, candidate: &Candidate) -> Result<(), Halt> {
        match self.role {
            Role::Engine { .. } => {
                self.pool.need(candidate);
                Ok(())
            }
            Role::Scout { generation } => {
                self.pool.expect(candidate, generation).then_some(()).ok_or(Halt::Stopped)
            }
        }
    }

    /// Waits for the verdict of a candidate, and weighs it. Its case, the verdict, and whether it counts as a test. The scout
    /// does not wait, but takes what is likely for the answer.
    pub fn judge(&mut self, candidate: &Candidate, likely: bool) -> Result<(Arc<Case>, Verdict, bool), Halt> {
        let (case, judged) = match self.role {
            Role::Engine { .. } => self.wait(candidate)?,
            Role::Scout { generation } => {
                self.pool.guess(candidate, likely, generation).ok_or(Halt::Stopped)?
            }
        };
        let (verdict, counts) = self.weigh(candidate, judged)?;
        Ok((case, verdict, counts))
    }

    /// Waits for a verdict, however long it takes.
    fn wait(&mut self, candidate: &Candidate) -> Result<(Arc<Case>, Judged), Halt> {
        loop {
            let halt =
                if (self.stop)() { Some(Halt::Stopped) } else { lowered(self.skip).then_some(Halt::Skipped) };
            if let Some(halt) = halt {
                self.pool.drop_needed();
                if let Role::Engine { trail, .. } = &self.role {
                    trail.leave(self.pool);
                }
                return Err(halt);
            }
            if let Some(judged) = self.pool.wait(candidate, TICK) {
                return Ok(judged);
            }
            self.figure();
            self.observer.event(&Event::Tick, &self.figures);
        }
    }

    /// Tells the workers what the evidence says.
    pub fn tune_filters(&self) {
        if let Role::Scout { .. } = self.role {
            return;
        }
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
    fn weigh(&mut self, candidate: &Candidate, judged: Judged) -> Result<(Verdict, bool), Halt> {
        let mut judged = judged;
        let rejecting = judged.rejected.filter(|_| self.filter);
        if let Some(filter) = rejecting
            && is_enough(&self.evidence, filter)
            && !Filters::is_probe(&candidate.key)
        {
            self.evidence[filter].skipped += 1;
            return Ok((Verdict::Skipped, false));
        }
        if let (Verdict::Skipped, Role::Engine { .. }) = (&judged.verdict, &self.role) {
            // Skipped when there was evidence for it, which there no longer is.
            self.pool.need_again(candidate);
            judged = Judged { rejected: judged.rejected, ..self.wait(candidate)?.1 };
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
            Verdict::Skipped => {}
        }
        Ok((judged.verdict, true))
    }
}
