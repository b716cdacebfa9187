//! The workers: they look whether candidates are worth a test, and ask it. Candidates that the engine waits for come first,
//! then those that the scout expects to be needed (`scout.rs`). A candidate is known by its content, so that neither is in
//! the other's way: what one has asked the other has an answer to. Others than the workers may test candidates, too
//! (`others.rs`): those are out of the house, and a worker with nothing else to do tests them all the same.

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
/// How often a worker with nothing to do looks whether something is overdue that others have.
const LOOK: Duration = Duration::from_millis(20);
/// Tests by which it is known what a test takes.
const RECENT: u64 = 32;
/// An answer of others is overdue when it comes later than it should by this and by the longest test.
const OVERDUE: Duration = Duration::from_millis(100);

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
    /// Tests run by others, which are among the tests.
    pub elsewhere: AtomicU64,
    /// Microseconds that a test takes here, the last [`RECENT`] counting most; 0 before the first. Most candidates may be rejected
    /// before a compiler is asked, so that this varies.
    pub pace: AtomicU64,
    /// Microseconds of the slowest test of late.
    pub slowest: AtomicU64,
}

/// What was judged, and whether the engine has asked for it.
struct Known {
    judged: Judged,
    used: bool,
}

/// A candidate that somebody has.
struct Running {
    /// The worker's, if a worker has it.
    here: Option<Here>,
    /// Whether others have it.
    away: Option<Away>,
    /// Whether the engine waits for it; else the last generation of the scout's that wanted it.
    needed: bool,
    generation: u64,
}

struct Here {
    cancel: Cancel,
    /// Tells it from an earlier one of the same content that was stopped.
    serial: u64,
}

struct Away {
    candidate: Candidate,
    /// When an answer should be there; `None` while nobody took it.
    due: Option<Instant>,
    /// What a test takes, and the longest that one took of late.
    pace: Duration,
    slowest: Duration,
}

impl Running {
    fn is_wanted(&self, generation: u64) -> bool {
        self.needed || self.generation == generation
    }

    /// What others have and a worker with nothing else to do may as well test: as nobody took it, it is overdue, or the answer is
    /// there sooner.
    fn is_left(&self, now: Instant) -> bool {
        let left = |away: &Away| match away.due {
            None => true,
            Some(due) => now + away.pace * 2 < due || due + away.slowest + OVERDUE < now,
        };
        self.here.is_none() && self.away.as_ref().is_some_and(left)
    }
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
    /// Candidates that the scout may hand in for others.
    reach: usize,
    closed: bool,
}

impl State {
    fn running_here(&self) -> usize {
        self.running.values().filter(|running| running.here.is_some()).count()
    }

    /// The next candidate for a worker, and whether the engine waits for it: what the engine waits for, be it with others who do
    /// not bring it, comes before what the scout expects.
    fn next(&mut self) -> Option<(Candidate, bool)> {
        if let Some(candidate) = self.needed.pop_front() {
            return Some((candidate, true));
        }
        let (now, generation) = (Instant::now(), self.generation);
        let left = |needed: bool| {
            let of = |running: &&Running| running.needed == needed && running.is_wanted(generation);
            let mut left = self.running.values().filter(of).filter(|running| running.is_left(now));
            left.find_map(|running| running.away.as_ref()).map(|away| away.candidate.clone())
        };
        if let Some(candidate) = left(true) {
            return Some((candidate, true));
        }
        if let Some(candidate) = self.ahead.pop_front() {
            return Some((candidate, false));
        }
        left(false).map(|candidate| (candidate, false))
    }

    fn is_queued(&self, key: &Key) -> bool {
        self.needed.iter().chain(&self.ahead).any(|other| other.key == *key)
    }
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
            if state.known.get(&candidate.key).is_some() || state.is_queued(&candidate.key) {
                return true;
            }
            if let Some(running) = state.running.get_mut(&candidate.key) {
                running.generation = generation;
                return true;
            }
            // One worker alone has no use for a scout.
            let room = if self.jobs > 1 { self.jobs } else { 0 };
            if state.ahead.len() < room + state.reach {
                state.ahead.push_back(candidate.clone());
                self.make_room(&mut state);
                return true;
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Wakes a worker for what was handed in; if all are busy, one with what nobody wants any more is stopped.
    fn make_room(&self, state: &mut State) {
        if state.running_here() >= self.jobs {
            let generation = state.generation;
            let stale = |running: &Running| running.here.is_some() && !running.is_wanted(generation);
            let key = state.running.iter().find(|(_, running)| stale(running)).map(|(key, _)| *key);
            if let Some(here) = key.and_then(|key| state.running.get_mut(&key)?.here.take()) {
                self.abandon(&here);
                state.running.retain(|_, running| running.here.is_some() || running.away.is_some());
            }
        }
        self.work.notify_one();
    }

    fn abandon(&self, here: &Here) {
        self.counters.abandoned.fetch_add(1, Ordering::Relaxed);
        here.cancel.cancel();
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
        for here in state.running.values().filter_map(|running| running.here.as_ref()) {
            here.cancel.cancel();
        }
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
        self.done.notify_all();
    }

    /// What a worker does until the pool is closed.
    pub fn work(&self, worker: usize) {
        while let Some((candidate, serial, cancel)) = self.take() {
            let judged = self.judge_safely(worker, &candidate, &cancel);
            let mut state = self.state();
            // Whoever was stopped meanwhile is no longer listed.
            let here = state.running.get(&candidate.key).and_then(|running| running.here.as_ref());
            if here.is_some_and(|here| here.serial == serial) {
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
            if let Some((candidate, needed)) = state.next() {
                // Out of descriptors: nothing can be run now, so that waiting is all there is to do.
                let Ok(cancel) = Cancel::new() else {
                    if !state.running.contains_key(&candidate.key) {
                        let queue = if needed { &mut state.needed } else { &mut state.ahead };
                        queue.push_front(candidate);
                    }
                    let pause = Duration::from_millis(50);
                    state = self.work.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                };
                state.serial += 1;
                let (serial, generation) = (state.serial, state.generation);
                let fresh = || Running { here: None, away: None, needed, generation };
                let running = state.running.entry(candidate.key).or_insert_with(fresh);
                running.here = Some(Here { cancel: cancel.clone(), serial });
                self.room.notify_all();
                return Some((candidate, serial, cancel));
            }
            // What others have may become overdue.
            state = if state.running.values().any(|running| running.away.is_some()) {
                self.work.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.work.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    /// Waits so long; is the pool open still?
    pub fn is_open(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        let mut state = self.state();
        while !state.closed {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            // Only to be closed is worth waking for; answers come as often.
            state = self.done.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }

    /// Sets how many candidates the scout may hand in for others.
    pub fn set_reach(&self, reach: usize) {
        let mut state = self.state();
        if state.reach != reach {
            state.reach = reach;
            self.room.notify_all();
        }
    }

    /// Candidates for others to test: of those that the engine waits for one in so many, so that all are busy with them; else, at
    /// most so many, of those that the scout expects. What idle workers are about to take stays, and what they come to next of what the
    /// scout expects.
    pub fn take_away(&self, one_in: usize, most: usize) -> Vec<Candidate> {
        let mut state = self.state();
        let State { needed, ahead, running, generation, .. } = &mut *state;
        let from = |queue: &mut VecDeque<Candidate>, stay: usize, most: usize| {
            let end = queue.len().min(stay.saturating_add(most));
            queue.drain(stay.min(end)..end).collect::<Vec<_>>()
        };
        let busy = running.values().filter(|running| running.here.is_some()).count();
        let stay = self.jobs.saturating_sub(busy).min(needed.len());
        let share = (needed.len() - stay).div_ceil(one_in.max(1)).min(most);
        let mut away: Vec<(Candidate, bool)> =
            from(needed, stay, share).into_iter().map(|candidate| (candidate, true)).collect();
        if away.is_empty() {
            let later = from(ahead, self.jobs - stay, most);
            away.extend(later.into_iter().map(|candidate| (candidate, false)));
        }
        for (candidate, needed) in &away {
            let fresh = Away {
                candidate: candidate.clone(),
                due: None,
                pace: Duration::ZERO,
                slowest: Duration::ZERO,
            };
            let entry = Running { here: None, away: Some(fresh), needed: *needed, generation: *generation };
            running.insert(candidate.key, entry);
        }
        drop(state);
        self.room.notify_all();
        away.into_iter().map(|(candidate, _)| candidate).collect()
    }

    /// Notes that others have taken candidates, with what a test takes, or that nobody has them any more.
    pub fn taken(&self, candidates: &[Candidate], pace: Option<Duration>) {
        let mut state = self.state();
        let now = Instant::now();
        let slowest = Duration::from_micros(self.counters.slowest.load(Ordering::Relaxed));
        // All answers come when the last one is there.
        let due = pace.map(|pace| now + pace * candidates.len() as u32);
        for candidate in candidates {
            let running = state.running.get_mut(&candidate.key);
            if let Some(away) = running.and_then(|running| running.away.as_mut()) {
                (away.due, away.pace, away.slowest) = (due, pace.unwrap_or_default(), slowest);
            }
        }
        drop(state);
        self.work.notify_all();
    }

    /// Is the answer to any of these still wanted?
    pub fn wants_any(&self, candidates: &[Candidate]) -> bool {
        let state = self.state();
        candidates.iter().any(|candidate| {
            let running = state.running.get(&candidate.key);
            running.is_some_and(|running| running.is_wanted(state.generation))
        })
    }

    /// Takes in an answer that others have.
    pub fn answered(&self, candidate: &Candidate, holds: bool) {
        if self.state().known.get(&candidate.key).is_some() {
            return;
        }
        (self.heard)(candidate.key, holds);
        let rejected = self.filters.rejects(&candidate.case, self.open_filters());
        let mut state = self.state();
        if let Some(here) = state.running.remove(&candidate.key).and_then(|running| running.here) {
            self.abandon(&here);
        }
        state.needed.retain(|other| other.key != candidate.key);
        state.ahead.retain(|other| other.key != candidate.key);
        self.counters.tests.fetch_add(1, Ordering::Relaxed);
        self.counters.elsewhere.fetch_add(1, Ordering::Relaxed);
        let judged = Judged { rejected, verdict: Verdict::Answered(holds) };
        self.tell(&mut state, candidate.clone(), judged);
        drop(state);
        self.done.notify_all();
        self.work.notify_all();
    }

    /// A candidate comes back from others without an answer.
    pub fn came_back(&self, candidate: &Candidate) {
        let mut state = self.state();
        let Some(running) = state.running.get_mut(&candidate.key) else { return };
        running.away = None;
        if running.here.is_some() {
            return;
        }
        let (needed, wanted) = (running.needed, running.generation == state.generation);
        state.running.remove(&candidate.key);
        if needed {
            state.needed.push_front(candidate.clone());
        } else if wanted {
            state.ahead.push_front(candidate.clone());
        }
        drop(state);
        self.work.notify_one();
    }

    /// As [`Pool::judge`]; a panic in what looks at a candidate costs the candidate alone.
    fn judge_safely(&self, worker: usize, candidate: &Candidate, cancel: &Cancel) -> Judged {
        let work = std::panic::AssertUnwindSafe(|| self.judge(worker, candidate, cancel));
        std::panic::catch_unwind(work).unwrap_or_else(|_| Judged {
            rejected: None,
            verdict: Verdict::Unresolved("plumb failed on this candidate".to_owned()),
        })
    }

    fn open_filters(&self) -> [bool; FILTERS] {
        self.filtering.each_ref().map(|(open, _)| open.load(Ordering::SeqCst))
    }

    fn judge(&self, worker: usize, candidate: &Candidate, cancel: &Cancel) -> Judged {
        let rejected = self.filters.rejects(&candidate.case, self.open_filters());
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
        if !cancel.is_cancelled() {
            let before = self.counters.pace.load(Ordering::Relaxed);
            let of = self.counters.tests.load(Ordering::Relaxed).clamp(1, RECENT);
            let pace = if before == 0 { spent } else { (before * (of - 1) + spent) / of };
            self.counters.pace.store(pace.max(1), Ordering::Relaxed);
            let slowest = self.counters.slowest.load(Ordering::Relaxed);
            self.counters.slowest.store(spent.max(slowest - slowest / RECENT), Ordering::Relaxed);
        }
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
