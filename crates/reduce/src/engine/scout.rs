//! The scout goes ahead of the engine, so that workers have something to do while the engine waits for an answer.
//!
//! It is the engine once more: the same passes on the same case in the same order. Only where an answer is not known yet it
//! takes the likely one for it, hands the candidate in and goes on. As long as it guesses right, the engine finds every
//! answer that it asks for; when an answer is another one, the scout turns back to where the engine was last and comes
//! along again, this time with the answer. Nothing of what it finds but answers of the test reaches the engine, so that the
//! result does not depend on it.

use super::filter::{Evidence, FILTERS};
use super::plan::Found;
use super::pool::Pool;
use super::sweep::Progress;
use super::work::{Goal, Role};
use super::{Event, Figures, Observer, Schedule, Work, rounds};
use crate::Case;
use crate::passes::Pass;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Where a reduction stands: in a run of a pass, and how far.
#[derive(Clone)]
pub struct At {
    pub pass: usize,
    pub goal: Goal,
    /// `None` at the beginning of the run.
    pub progress: Option<Progress>,
}

/// All that decides what the engine does next.
#[derive(Clone)]
struct Milestone {
    case: Arc<Case>,
    schedule: Schedule,
    evidence: [Evidence; FILTERS],
    at: At,
}

/// Where the engine was last.
#[derive(Default)]
pub struct Trail {
    last: Mutex<Option<Milestone>>,
}

impl Trail {
    /// Notes where the engine is; the scout is told if it was nowhere before.
    pub fn mark(&self, work: &Work<'_, '_>, at: At) {
        let milestone = Milestone {
            case: Arc::clone(&work.case),
            schedule: work.schedule.clone(),
            evidence: work.evidence,
            at,
        };
        let before = self.last.lock().unwrap_or_else(PoisonError::into_inner).replace(milestone);
        if before.is_none() {
            work.pool.mislead();
        }
    }

    /// Forgets where the engine was: it goes on otherwise than the scout can know.
    pub fn leave(&self, pool: &Pool<'_>) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take();
        pool.mislead();
    }

    fn last(&self) -> Option<Milestone> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

struct Nobody;

impl Observer for Nobody {
    fn event(&mut self, _: &Event<'_>, _: &Figures) {}
}

/// What the scout does until the pool is closed.
pub fn scout(pool: &Pool<'_>, passes: &[&'static dyn Pass], filter: bool, trail: &Trail, found: &Found) {
    let mut generation = 0;
    while let Some(next) = pool.next_generation(generation) {
        generation = next;
        let Some(milestone) = trail.last() else { continue };
        let mut work = Work {
            pool,
            passes,
            case: milestone.case,
            schedule: milestone.schedule,
            evidence: milestone.evidence,
            figures: Figures::default(),
            begun: Instant::now(),
            observer: &mut Nobody,
            stop: &|| false,
            skip: &AtomicBool::new(false),
            filter,
            found,
            role: Role::Scout { generation },
        };
        // It ends at the end of the reduction, should all guesses be right, or on the wrong track.
        let _ended = rounds(&mut work, Some(milestone.at));
    }
}
