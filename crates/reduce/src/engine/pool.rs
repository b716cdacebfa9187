//! The workers: they build candidates, look whether they are worth a test, and ask it.

use super::cache::Cache;
use super::filter::{FILTERS, Filters};
use crate::case::Key;
use crate::{Answer, Case, Interesting, Patch};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use toolchain::Cancel;

/// What a candidate must be beside interesting.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Smaller than what it was made of ([`Case::is_below`]).
    Smaller,
    /// Of no more tokens.
    NoMoreTokens,
    /// Nothing.
    None,
}

/// Names a candidate that was handed in.
pub type Ticket = u64;

/// A candidate to be judged.
struct Job {
    ticket: Ticket,
    base: Arc<Case>,
    patches: Vec<Patch>,
    goal: Goal,
}

/// What became of a candidate.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The candidate.
    pub case: Arc<Case>,
    /// The filter that rejects it, if one that was asked does.
    pub rejected: Option<usize>,
    /// What is known of it.
    pub verdict: Verdict,
}

/// How a wait for a candidate ended.
pub enum Waited {
    /// It was judged.
    Judged(Judged),
    /// Not yet, and there are workers with nothing to do.
    Idle,
    /// Not yet.
    Over,
}

/// How a candidate was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It misses its goal, so it was not tested.
    Pointless,
    /// A filter rejects it, and there is evidence that such candidates are never interesting.
    Skipped,
    /// The test, now or before, has this answer.
    Answered(bool),
    /// The test had no answer.
    Unresolved(String),
}

/// Counters of the whole reduction.
#[derive(Default)]
pub struct Counters {
    /// Tests run.
    pub tests: AtomicU64,
    /// Of these, such that were stopped because their answer was no longer wanted.
    pub abandoned: AtomicU64,
    /// Answers known from before.
    pub hits: AtomicU64,
    /// Microseconds spent in tests, all workers together.
    pub spent: AtomicU64,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    running: FxHashMap<Ticket, Cancel>,
    judged: FxHashMap<Ticket, Judged>,
    next: Ticket,
    closed: bool,
}

/// What workers and engine share.
pub struct Pool<'t> {
    test: &'t dyn Interesting,
    filters: Filters,
    /// Of each filter whether its evidence is still open, and whether it is enough.
    filtering: [(AtomicBool, AtomicBool); FILTERS],
    cache: Mutex<Cache>,
    state: Mutex<State>,
    work: Condvar,
    done: Condvar,
    /// Told of every new answer of the test.
    heard: &'t (dyn Fn(Key, bool) + Sync),
    /// See [`Counters`].
    pub counters: Counters,
}

impl<'t> Pool<'t> {
    /// A pool without workers; each calls [`Pool::work`].
    pub fn new(
        test: &'t dyn Interesting,
        filters: Filters,
        heard: &'t (dyn Fn(Key, bool) + Sync),
    ) -> Pool<'t> {
        Pool {
            test,
            filters,
            filtering: Default::default(),
            cache: Mutex::default(),
            state: Mutex::default(),
            work: Condvar::new(),
            done: Condvar::new(),
            heard,
            counters: Counters::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets whether a filter is asked at all, and whether what it rejects is skipped.
    pub fn set_filter(&self, filter: usize, open: bool, skipping: bool) {
        self.filtering[filter].0.store(open, Ordering::SeqCst);
        self.filtering[filter].1.store(skipping, Ordering::SeqCst);
    }

    /// Makes a verdict known that was found before.
    pub fn remember(&self, key: Key, interesting: bool) {
        self.cache().put(key, interesting);
    }

    /// Hands in a candidate: a case with patches that [`crate::patches::merge`] made.
    pub fn submit(&self, base: &Arc<Case>, patches: Vec<Patch>, goal: Goal) -> Ticket {
        let mut state = self.state();
        let ticket = state.next;
        state.next += 1;
        state.queue.push_back(Job { ticket, base: Arc::clone(base), patches, goal });
        drop(state);
        self.work.notify_one();
        ticket
    }

    /// What became of a candidate, if that is known within the time; or that fewer workers than `jobs` have anything to do.
    pub fn wait(&self, ticket: Ticket, time: Duration, jobs: Option<usize>) -> Waited {
        let end = Instant::now() + time;
        let mut state = self.state();
        loop {
            if let Some(judged) = state.judged.remove(&ticket) {
                return Waited::Judged(judged);
            }
            if jobs.is_some_and(|jobs| state.queue.len() + state.running.len() < jobs) {
                return Waited::Idle;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Waited::Over;
            }
            state = self.done.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Drops candidates whose verdicts nobody waits for any more.
    pub fn abandon(&self, tickets: impl IntoIterator<Item = Ticket>) {
        let mut state = self.state();
        for ticket in tickets {
            state.queue.retain(|job| job.ticket != ticket);
            state.judged.remove(&ticket);
            if let Some(cancel) = state.running.remove(&ticket) {
                self.counters.abandoned.fetch_add(1, Ordering::Relaxed);
                cancel.cancel();
            }
        }
    }

    /// Sends the workers home.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.queue.clear();
        for cancel in state.running.values() {
            cancel.cancel();
        }
        drop(state);
        self.work.notify_all();
    }

    /// What a worker does until the pool is closed.
    pub fn work(&self, worker: usize) {
        while let Some((job, cancel)) = self.take() {
            let ticket = job.ticket;
            let judged = self.judge_safely(worker, &job, &cancel);
            let mut state = self.state();
            // Whoever was abandoned meanwhile is no longer listed.
            if state.running.remove(&ticket).is_some() {
                state.judged.insert(ticket, judged);
            }
            drop(state);
            self.done.notify_all();
        }
    }

    fn take(&self) -> Option<(Job, Cancel)> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if let Some(job) = state.queue.pop_front() {
                // Out of descriptors: nothing can be run now, so that waiting is all there is to do.
                let Ok(cancel) = Cancel::new() else {
                    state.queue.push_front(job);
                    let pause = Duration::from_millis(50);
                    state = self.work.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                };
                state.running.insert(job.ticket, cancel.clone());
                return Some((job, cancel));
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// As [`Pool::judge`]; a panic in what looks at a candidate costs the candidate alone.
    fn judge_safely(&self, worker: usize, job: &Job, cancel: &Cancel) -> Judged {
        let work = std::panic::AssertUnwindSafe(|| self.judge(worker, job, cancel));
        std::panic::catch_unwind(work).unwrap_or_else(|_| Judged {
            case: Arc::clone(&job.base),
            rejected: None,
            verdict: Verdict::Unresolved("plumb failed on this candidate".to_owned()),
        })
    }

    fn judge(&self, worker: usize, job: &Job, cancel: &Cancel) -> Judged {
        let case = Arc::new(job.base.patched(&job.patches));
        let met = match job.goal {
            Goal::Smaller => case.is_below(&job.base),
            Goal::NoMoreTokens => {
                case.size().tokens <= job.base.size().tokens && case.key() != job.base.key()
            }
            Goal::None => true,
        };
        if !met {
            return Judged { case, rejected: None, verdict: Verdict::Pointless };
        }
        let key = case.key();
        let open = self.filtering.each_ref().map(|(open, _)| open.load(Ordering::SeqCst));
        let rejected = self.filters.rejects(&case, open);
        let skipping = rejected.is_some_and(|filter| self.filtering[filter].1.load(Ordering::SeqCst));
        let known = self.cache().get(&key);
        let verdict = match known {
            Some(answer) => {
                self.counters.hits.fetch_add(1, Ordering::Relaxed);
                Verdict::Answered(answer)
            }
            None if skipping && !Filters::is_probe(&key) => Verdict::Skipped,
            None => self.ask(worker, &case, key, cancel),
        };
        Judged { case, rejected, verdict }
    }

    fn ask(&self, worker: usize, case: &Case, key: Key, cancel: &Cancel) -> Verdict {
        let begun = Instant::now();
        let answer = self.test.ask(worker, case, cancel);
        self.counters.tests.fetch_add(1, Ordering::Relaxed);
        let spent = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.counters.spent.fetch_add(spent, Ordering::Relaxed);
        match answer {
            Answer::Unresolved(why) => Verdict::Unresolved(why),
            Answer::Interesting | Answer::Not(_) => {
                let holds = answer.holds();
                self.cache().put(key, holds);
                (self.heard)(key, holds);
                Verdict::Answered(holds)
            }
        }
    }
}
