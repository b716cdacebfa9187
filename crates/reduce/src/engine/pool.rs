//! The workers: they look whether candidates are worth a test, and ask it. Candidates that the engine waits for come first,
//! then those that the scout expects to be needed (`scout.rs`). A candidate is known by its content, so that neither is in
//! the other's way: what one has asked the other has an answer to.

use super::cache::Cache;
use super::filter::{FILTERS, Filters};
use crate::case::Key;
use crate::{Answer, Case, Interesting};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use toolchain::Cancel;

/// Interesting candidates kept with their syntax until the engine asks for them.
const FRESH: usize = 64;

/// A candidate to be judged.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its files.
    pub case: Arc<Case>,
    /// What it is known by.
    pub key: Key,
}

impl Candidate {
    /// Of this case.
    pub fn new(case: Case) -> Candidate {
        Candidate { key: case.key(), case: Arc::new(case) }
    }
}

/// What became of a candidate.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The filter that rejects it, if one that was asked does.
    pub rejected: Option<usize>,
    /// What is known of it.
    pub verdict: Verdict,
}

/// How a candidate was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A filter rejects it, and there is evidence that such candidates are never interesting.
    Skipped,
    /// The test, now or before, has this answer.
    Answered(bool),
    /// The test had no answer.
    Unresolved(String),
}

impl Judged {
    fn won(&self) -> bool {
        self.verdict == Verdict::Answered(true)
    }
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

/// What was judged, and whether the engine has asked for it.
struct Known {
    judged: Judged,
    used: bool,
}

/// A candidate that a worker has.
struct Running {
    cancel: Cancel,
    /// Tells it from an earlier one of the same content that was stopped.
    serial: u64,
    /// Whether the engine waits for it; else the last generation of the scout's that wanted it.
    needed: bool,
    generation: u64,
}

#[derive(Default)]
struct State {
    needed: VecDeque<Candidate>,
    ahead: VecDeque<Candidate>,
    running: FxHashMap<Key, Running>,
    known: Cache<Known>,
    /// Interesting candidates, with whatever was found out of their syntax.
    fresh: FxHashMap<Key, Arc<Case>>,
    /// What the scout takes the answers to be that are not there yet.
    guesses: FxHashMap<Key, bool>,
    /// Counts the times that the scout was on the wrong track.
    generation: u64,
    serial: u64,
    closed: bool,
}

/// What workers, engine and scout share.
pub struct Pool<'t> {
    test: &'t dyn Interesting,
    filters: Filters,
    /// Of each filter whether its evidence is still open, and whether it is enough.
    filtering: [(AtomicBool, AtomicBool); FILTERS],
    jobs: usize,
    /// Answers of an earlier process.
    remembered: Mutex<Cache<bool>>,
    state: Mutex<State>,
    /// There is something to do for workers; something was judged; there is room for the scout, or news.
    work: Condvar,
    done: Condvar,
    room: Condvar,
    /// Told of every new answer of the test.
    heard: &'t (dyn Fn(Key, bool) + Sync),
    /// See [`Counters`].
    pub counters: Counters,
}

impl<'t> Pool<'t> {
    /// A pool for so many workers, each of which calls [`Pool::work`].
    pub fn new(
        test: &'t dyn Interesting,
        filters: Filters,
        jobs: usize,
        heard: &'t (dyn Fn(Key, bool) + Sync),
    ) -> Pool<'t> {
        Pool {
            test,
            filters,
            filtering: Default::default(),
            jobs,
            remembered: Mutex::default(),
            state: Mutex::default(),
            work: Condvar::new(),
            done: Condvar::new(),
            room: Condvar::new(),
            heard,
            counters: Counters::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remembered(&self) -> MutexGuard<'_, Cache<bool>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets whether a filter is asked at all, and whether what it rejects is skipped.
    pub fn set_filter(&self, filter: usize, open: bool, skipping: bool) {
        self.filtering[filter].0.store(open, Ordering::SeqCst);
        self.filtering[filter].1.store(skipping, Ordering::SeqCst);
    }

    /// Makes an answer known that was given to an earlier process.
    pub fn remember(&self, key: Key, interesting: bool) {
        self.remembered().put(key, interesting);
    }

    /// Hands in a candidate that the engine needs.
    pub fn need(&self, candidate: &Candidate) {
        let mut state = self.state();
        if let Some(known) = state.known.get(&candidate.key) {
            if known.used {
                self.counters.hits.fetch_add(1, Ordering::Relaxed);
            }
            return;
        }
        if let Some(running) = state.running.get_mut(&candidate.key) {
            running.needed = true;
            return;
        }
        if state.needed.iter().any(|other| other.key == candidate.key) {
            return;
        }
        state.ahead.retain(|other| other.key != candidate.key);
        state.needed.push_back(candidate.clone());
        self.make_room(&mut state);
    }

    /// As [`Pool::need`], and what is known of it is forgotten.
    pub fn need_again(&self, candidate: &Candidate) {
        self.state().known.remove(&candidate.key);
        self.need(candidate);
    }

    /// Hands in a candidate that the scout expects to be needed, as soon as there is room. `false` if its generation is over.
    pub fn expect(&self, candidate: &Candidate, generation: u64) -> bool {
        let mut state = self.state();
        loop {
            if state.closed || state.generation != generation {
                return false;
            }
            if state.known.get(&candidate.key).is_some()
                || state.needed.iter().chain(&state.ahead).any(|other| other.key == candidate.key)
            {
                return true;
            }
            if let Some(running) = state.running.get_mut(&candidate.key) {
                running.generation = generation;
                return true;
            }
            if state.ahead.len() < self.jobs {
                state.ahead.push_back(candidate.clone());
                self.make_room(&mut state);
                return true;
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes a worker for what was handed in; if all are busy, one with what nobody wants any more is stopped.
    fn make_room(&self, state: &mut State) {
        if state.running.len() >= self.jobs {
            let generation = state.generation;
            let stale = state.running.iter().find(|(_, r)| !r.needed && r.generation != generation);
            if let Some(key) = stale.map(|(key, _)| *key)
                && let Some(running) = state.running.remove(&key)
            {
                self.counters.abandoned.fetch_add(1, Ordering::Relaxed);
                running.cancel.cancel();
            }
        }
        self.work.notify_one();
    }

    /// What became of a candidate that the engine needs, if that is known within the time.
    pub fn wait(&self, candidate: &Candidate, time: Duration) -> Option<(Arc<Case>, Judged)> {
        let end = Instant::now() + time;
        let mut state = self.state();
        loop {
            if let Some(known) = state.known.get_mut(&candidate.key) {
                known.used = true;
                let judged = known.judged.clone();
                // Whatever was the matter, it may be over when the candidate comes up again.
                if matches!(judged.verdict, Verdict::Unresolved(_)) {
                    state.known.remove(&candidate.key);
                }
                let case = state.fresh.remove(&candidate.key);
                return Some((case.unwrap_or_else(|| Arc::clone(&candidate.case)), judged));
            }
            if !state.running.contains_key(&candidate.key)
                && !state.needed.iter().any(|other| other.key == candidate.key)
            {
                state.needed.push_back(candidate.clone());
                self.make_room(&mut state);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            state = self.done.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// What became of a candidate, or, as long as that is open, what the scout takes it to be. `None` if its generation
    /// is over.
    pub fn guess(&self, candidate: &Candidate, likely: bool, generation: u64) -> Option<(Arc<Case>, Judged)> {
        let mut state = self.state();
        if state.closed || state.generation != generation {
            return None;
        }
        let judged = match state.known.get(&candidate.key) {
            Some(known) => known.judged.clone(),
            None => {
                state.guesses.insert(candidate.key, likely);
                Judged { rejected: None, verdict: Verdict::Answered(likely) }
            }
        };
        let case = state.fresh.get(&candidate.key).unwrap_or(&candidate.case);
        Some((Arc::clone(case), judged))
    }

    /// Tells the scout that it is on the wrong track.
    pub fn mislead(&self) {
        self.turn_back(&mut self.state());
    }

    fn turn_back(&self, state: &mut State) {
        state.generation += 1;
        state.guesses.clear();
        state.ahead.clear();
        self.room.notify_all();
    }

    /// Waits for a generation other than this one. `None` when the pool is closed.
    pub fn next_generation(&self, last: u64) -> Option<u64> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if state.generation != last {
                return Some(state.generation);
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Drops whatever the engine was to wait for.
    pub fn drop_needed(&self) {
        let mut state = self.state();
        state.needed.clear();
        state.running.values_mut().for_each(|running| (running.needed, running.generation) = (false, 0));
    }

    /// Sends the workers and the scout home.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.needed.clear();
        state.ahead.clear();
        for running in state.running.values() {
            running.cancel.cancel();
        }
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
    }

    /// What a worker does until the pool is closed.
    pub fn work(&self, worker: usize) {
        while let Some((candidate, serial, cancel)) = self.take() {
            let judged = self.judge_safely(worker, &candidate, &cancel);
            let mut state = self.state();
            // Whoever was stopped meanwhile is no longer listed.
            if state.running.get(&candidate.key).is_some_and(|running| running.serial == serial) {
                state.running.remove(&candidate.key);
                self.tell(&mut state, candidate, judged);
            }
            drop(state);
            self.done.notify_all();
        }
    }

    fn tell(&self, state: &mut State, candidate: Candidate, judged: Judged) {
        let won = judged.won();
        if won {
            if state.fresh.len() >= FRESH {
                state.fresh.clear();
            }
            state.fresh.insert(candidate.key, candidate.case);
        }
        state.known.put(candidate.key, Known { judged, used: false });
        if state.guesses.remove(&candidate.key).is_some_and(|guessed| guessed != won) {
            self.turn_back(state);
        }
    }

    fn take(&self) -> Option<(Candidate, u64, Cancel)> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            let (next, needed) = match state.needed.pop_front() {
                Some(next) => (Some(next), true),
                None => (state.ahead.pop_front(), false),
            };
            if let Some(candidate) = next {
                // Out of descriptors: nothing can be run now, so that waiting is all there is to do.
                let Ok(cancel) = Cancel::new() else {
                    let queue = if needed { &mut state.needed } else { &mut state.ahead };
                    queue.push_front(candidate);
                    let pause = Duration::from_millis(50);
                    state = self.work.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                };
                state.serial += 1;
                let (serial, generation) = (state.serial, state.generation);
                let running = Running { cancel: cancel.clone(), serial, needed, generation };
                state.running.insert(candidate.key, running);
                self.room.notify_all();
                return Some((candidate, serial, cancel));
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// As [`Pool::judge`]; a panic in what looks at a candidate costs the candidate alone.
    fn judge_safely(&self, worker: usize, candidate: &Candidate, cancel: &Cancel) -> Judged {
        let work = std::panic::AssertUnwindSafe(|| self.judge(worker, candidate, cancel));
        std::panic::catch_unwind(work).unwrap_or_else(|_| Judged {
            rejected: None,
            verdict: Verdict::Unresolved("plumb failed on this candidate".to_owned()),
        })
    }

    fn judge(&self, worker: usize, candidate: &Candidate, cancel: &Cancel) -> Judged {
        let open = self.filtering.each_ref().map(|(open, _)| open.load(Ordering::SeqCst));
        let rejected = self.filters.rejects(&candidate.case, open);
        let skipping = rejected.is_some_and(|filter| self.filtering[filter].1.load(Ordering::SeqCst));
        let remembered = self.remembered().get(&candidate.key).copied();
        let verdict = match remembered {
            Some(answer) => {
                self.counters.hits.fetch_add(1, Ordering::Relaxed);
                Verdict::Answered(answer)
            }
            None if skipping && !Filters::is_probe(&candidate.key) => Verdict::Skipped,
            None => self.ask(worker, candidate, cancel),
        };
        Judged { rejected, verdict }
    }

    fn ask(&self, worker: usize, candidate: &Candidate, cancel: &Cancel) -> Verdict {
        let begun = Instant::now();
        let answer = self.test.ask(worker, &candidate.case, cancel);
        self.counters.tests.fetch_add(1, Ordering::Relaxed);
        let spent = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.counters.spent.fetch_add(spent, Ordering::Relaxed);
        match answer {
            Answer::Unresolved(why) => Verdict::Unresolved(why),
            Answer::Interesting | Answer::Not(_) => {
                let holds = answer.holds();
                (self.heard)(candidate.key, holds);
                Verdict::Answered(holds)
            }
        }
    }
}
