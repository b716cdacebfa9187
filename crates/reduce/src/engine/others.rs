//! Candidates tested elsewhere: by whoever else works on what this process works on. They are handed out in batches, so that
//! handing out takes a small part of the time that testing takes, and as many as somebody takes. An answer is an answer of the
//! test whoever asked, and reaches the engine in its own order, so that the result does not depend on who tests what.
//!
//! The rule: where a test takes longer than [`LEAST`], batches of about [`WORK`] lie ready, half as many as were being tested of late and
//! one more; of one candidate each, where one may take longer than that: most are rejected at once, and others wait for a compiler.
//! What nobody takes within [`PATIENCE`] is withdrawn, and offered again after a while that doubles. What is no longer wanted
//! is withdrawn. What somebody took and does not bring is tested here, as soon as a worker has nothing better to do.

use super::pool::{Candidate, Pool};
use crate::Case;
use crate::case::Key;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A test that takes less is not handed out: the engine does not look far enough ahead for batches of many.
const LEAST: Duration = Duration::from_millis(40);
/// What a batch takes to be tested, about, and its most candidates.
const WORK: Duration = Duration::from_millis(400);
const MOST: usize = 10;
/// How often to look what came back.
const TICK: Duration = Duration::from_millis(20);
/// How long a batch lies before it is withdrawn, and the longest pause until the next one.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_secs(60);
/// How often others are woken at most, who are asleep.
const WAKE: Duration = Duration::from_millis(200);
/// A batch that somebody has and nobody wants any more is withdrawn after this time; most are done by then.
const STALE: Duration = Duration::from_secs(1);
/// How long it is remembered how many were being tested.
const LATELY: Duration = Duration::from_secs(5);
/// Batches that lie ready at most.
const READY: usize = 64;

/// Others that test candidates.
pub trait Elsewhere: Sync {
    /// Hands batches out, each under a number, and wakes those who sleep if that is asked for. `None`: nobody is there any more.
    fn hand_out(&self, batches: &[Vec<Arc<Case>>], wake: bool) -> Option<Vec<u64>>;

    /// How batches stand. Those that are left out are nowhere any more.
    fn look(&self, batches: &[u64]) -> Option<Vec<(u64, Standing)>>;

    /// Takes batches back, whoever has them.
    fn withdraw(&self, batches: &[u64]) -> Option<()>;
}

/// How a batch stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nobody has it.
    Free,
    /// Somebody tests it.
    Held,
    /// Answers of the test by candidate; those that are left out have none.
    Answered(Vec<(Key, bool)>),
}

/// A batch that is out.
struct Batch {
    number: u64,
    candidates: Vec<Candidate>,
    /// When it was handed out, or taken.
    since: Instant,
    held: bool,
}

/// Who hands out.
struct Desk<'d, 't> {
    pool: &'d Pool<'t>,
    others: &'d dyn Elsewhere,
    out: Vec<Batch>,
    /// Nothing is offered before this time, and what the next pause is.
    resume: Instant,
    pause: Duration,
    woken: Option<Instant>,
    /// The most batches that were being tested lately, and when.
    peak: (usize, Instant),
}

/// Shares candidates of a pool with others until it is closed, or nobody is there any more.
pub fn share(pool: &Pool<'_>, others: &dyn Elsewhere) {
    let now = Instant::now();
    let (out, pause, woken, peak) = (Vec::new(), PATIENCE, None, (0, now));
    let mut desk = Desk { pool, others, out, resume: now, pause, woken, peak };
    let mut there = Some(());
    while there.is_some() && pool.is_open(TICK) {
        there = desk.turn();
    }
    pool.set_reach(0);
    let numbers: Vec<u64> = desk.out.iter().map(|batch| batch.number).collect();
    if !numbers.is_empty() {
        let _ = others.withdraw(&numbers);
    }
    for batch in desk.out {
        batch.candidates.iter().for_each(|candidate| pool.came_back(candidate));
    }
}

impl Desk<'_, '_> {
    fn turn(&mut self) -> Option<()> {
        self.take_in()?;
        self.take_back()?;
        self.hand_out()
    }

    /// What a test takes.
    fn pace(&self) -> Duration {
        Duration::from_micros(self.pool.counters.pace.load(Ordering::Relaxed))
    }

    fn take_in(&mut self) -> Option<()> {
        if self.out.is_empty() {
            return Some(());
        }
        let numbers: Vec<u64> = self.out.iter().map(|batch| batch.number).collect();
        let mut seen = self.others.look(&numbers)?;
        let (pace, now) = (self.pace(), Instant::now());
        for mut batch in std::mem::take(&mut self.out) {
            let at = seen.iter().position(|(number, _)| *number == batch.number);
            match at.map(|at| seen.swap_remove(at).1) {
                Some(Standing::Answered(answers)) => {
                    for candidate in &batch.candidates {
                        match answers.iter().find(|(key, _)| *key == candidate.key) {
                            Some((_, holds)) => self.pool.answered(candidate, *holds),
                            None => self.pool.came_back(candidate),
                        }
                    }
                }
                Some(standing) => {
                    let held = standing == Standing::Held;
                    if held != batch.held {
                        (batch.held, batch.since) = (held, now);
                        self.pool.taken(&batch.candidates, held.then_some(pace));
                    }
                    if held {
                        self.pause = PATIENCE;
                    }
                    self.out.push(batch);
                }
                None => batch.candidates.iter().for_each(|candidate| self.pool.came_back(candidate)),
            }
        }
        Some(())
    }

    /// Withdraws what nobody takes, or nobody wants any more.
    fn take_back(&mut self) -> Option<()> {
        let now = Instant::now();
        let mut back = Vec::new();
        let pool = self.pool;
        let mut ignored = false;
        self.out.retain_mut(|batch| {
            let age = now - batch.since;
            let stale = (!batch.held || age > STALE) && !pool.wants_any(&batch.candidates);
            let lies = !batch.held && age > PATIENCE;
            ignored |= lies && !stale;
            if stale || lies {
                back.push((batch.number, std::mem::take(&mut batch.candidates)));
            }
            !(stale || lies)
        });
        if ignored && !self.out.iter().any(|batch| batch.held) {
            self.resume = now + self.pause;
            self.pause = (self.pause * 2).min(PAUSE);
        }
        if back.is_empty() {
            return Some(());
        }
        let numbers: Vec<u64> = back.iter().map(|(number, _)| *number).collect();
        let there = self.others.withdraw(&numbers);
        back.iter().flat_map(|(_, candidates)| candidates).for_each(|candidate| pool.came_back(candidate));
        there
    }

    fn hand_out(&mut self) -> Option<()> {
        let (pace, now) = (self.pace(), Instant::now());
        if pace < LEAST || now < self.resume {
            self.pool.set_reach(0);
            return Some(());
        }
        let slowest = Duration::from_micros(self.pool.counters.slowest.load(Ordering::Relaxed));
        let each = (WORK.as_micros() / pace.as_micros()).clamp(1, MOST as u128) as usize;
        let size = if slowest > WORK { 1 } else { each };
        let held = self.out.iter().filter(|batch| batch.held).count();
        let free = self.out.len() - held;
        if held >= self.peak.0 || now - self.peak.1 > LATELY {
            self.peak = (held, now);
        }
        let ready = ((self.peak.0.div_ceil(2) + 1) * each.div_ceil(size)).min(READY);
        self.pool.set_reach(ready * size);
        let mut batches: Vec<Vec<Candidate>> = Vec::new();
        while free + batches.len() < ready {
            let batch = self.pool.take_away(ready + held + 1 - free - batches.len(), size);
            if batch.is_empty() {
                break;
            }
            batches.push(batch);
        }
        if batches.is_empty() {
            return Some(());
        }
        let wake = free == 0 && self.woken.is_none_or(|woken| now - woken >= WAKE);
        if wake {
            self.woken = Some(now);
        }
        let cases: Vec<Vec<Arc<Case>>> = batches
            .iter()
            .map(|batch| batch.iter().map(|candidate| Arc::clone(&candidate.case)).collect())
            .collect();
        let numbers = self.others.hand_out(&cases, wake).filter(|numbers| numbers.len() == batches.len());
        let Some(numbers) = numbers else {
            batches.iter().flatten().for_each(|candidate| self.pool.came_back(candidate));
            return None;
        };
        let out = numbers.into_iter().zip(batches);
        self.out.extend(out.map(|(number, candidates)| Batch {
            number,
            candidates,
            since: now,
            held: false,
        }));
        Some(())
    }
}
