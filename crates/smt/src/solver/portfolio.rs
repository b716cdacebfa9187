//! A portfolio: the embedded solver alone for a moment, then raced against the external ones found.
//! The first definite answer wins and the others are stopped.

use super::external::{External, Question, Said};
use super::{Answer, Limits, Solver, Why, all_goals};
use crate::{Embedded, Pool, TermId};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use toolchain::Cancel;

/// The embedded solver and external ones.
pub struct Portfolio {
    embedded: Embedded,
    others: Vec<External>,
    /// How long the embedded solver has for itself.
    head_start: Duration,
    /// Was the last answer the embedded solver's?
    own: bool,
}

impl Portfolio {
    /// The embedded solver with these others.
    pub fn new(others: Vec<External>) -> Portfolio {
        Portfolio { embedded: Embedded::new(), others, head_start: Duration::from_millis(300), own: false }
    }

    /// The embedded solver with all found on this machine.
    pub fn of_machine() -> Portfolio {
        Portfolio::new(super::external::found())
    }

    /// Sets how long the embedded solver has for itself before the others start.
    #[must_use]
    pub fn head_start(mut self, time: Duration) -> Portfolio {
        self.head_start = time;
        self
    }

    fn race(&mut self, pool: &mut Pool, goals: &[TermId], limits: &Limits) -> Answer {
        let Ok(cancel) = Cancel::new() else {
            return self.embedded.check(pool, goals, limits);
        };
        let q = Question::new(pool, goals);
        let stop = Arc::new(AtomicBool::new(false));
        let first: Mutex<Option<(usize, Said)>> = Mutex::new(None);
        let others = &self.others;
        let embedded = &mut self.embedded;
        let mine = std::thread::scope(|s| {
            for (i, o) in others.iter().enumerate() {
                let (q, stop, first, cancel) = (&q, stop.clone(), &first, &cancel);
                s.spawn(move || {
                    let said = o.run(q, limits, Some(cancel));
                    if !matches!(said, Said::Nothing(_)) {
                        let mut slot = first.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        if slot.is_none() {
                            *slot = Some((i, said));
                        }
                        drop(slot);
                        stop.store(true, Ordering::Relaxed);
                        cancel.cancel();
                    }
                });
            }
            let mut inner = limits.clone();
            inner.cancel.push(stop.clone());
            let answer = embedded.check(pool, goals, &inner);
            if !matches!(answer, Answer::Unknown(_)) {
                cancel.cancel();
            }
            // Stopped from outside: the others too.
            if limits.cancel.iter().any(|o| o.load(Ordering::Relaxed)) {
                cancel.cancel();
            }
            answer
        });
        if !matches!(mine, Answer::Unknown(_)) {
            return mine;
        }
        match first.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((i, said)) => self.others[i].judge(pool, goals, &q, said),
            None => mine,
        }
    }
}

impl Solver for Portfolio {
    fn name(&self) -> &str {
        "portfolio"
    }

    fn core(&self) -> Option<&[TermId]> {
        if self.own { self.embedded.core() } else { None }
    }

    fn check(&mut self, pool: &mut Pool, asked: &[TermId], limits: &Limits) -> Answer {
        let goals = all_goals(pool, asked);
        let start = Instant::now();
        let total = limits.time.unwrap_or(Duration::MAX);
        let alone = if self.others.is_empty() { total } else { self.head_start.min(total) };
        let first = Limits { time: (alone < Duration::MAX).then_some(alone), ..limits.clone() };
        let answer = self.embedded.check(pool, &goals, &first);
        self.own = !matches!(answer, Answer::Unknown(_));
        let left = total.saturating_sub(start.elapsed());
        match answer {
            Answer::Unknown(Why::Time | Why::Memory | Why::Incomplete(_) | Why::Backend(_))
                if !self.others.is_empty() && !left.is_zero() =>
            {
                let rest = Limits { time: limits.time.map(|_| left), ..limits.clone() };
                self.race(pool, &goals, &rest)
            }
            Answer::Sat(_) | Answer::Unsat | Answer::Unknown(_) => answer,
        }
    }
}
