//! Which pass is next: coarse passes until they gain little, then finer ones, those first that paid best; passes that found
//! nothing wait until others have changed the text.

use crate::case::Key;
use crate::passes::{Pass, Stage};
use crate::size::Size;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// A stage is gone through again while a sweep takes away at least one token in so many.
const WORTHWHILE: usize = 30;

/// Chunk sizes are told apart by their logarithm.
const LEVELS: usize = 24;

/// What is known of a pass.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PassRecord {
    /// The case on which it last had nothing to offer that was of use.
    dry_on: Option<Key>,
    /// Runs.
    pub runs: u64,
    /// Candidates tested for it.
    pub tests: u64,
    /// Edits it brought about.
    pub wins: u64,
    /// Tokens it took away.
    pub tokens: u64,
    /// Bytes it took away.
    pub bytes: u64,
    /// Of its last run: what it took away, four bytes counting as a token, and for how many tests.
    last: (u64, u64),
    /// Where its last run gave up, in thousandths of its hints.
    gave_up_at: usize,
    /// By the logarithm of the number of hints tried at once: tests, and those that succeeded.
    levels: [(u32, u32); LEVELS],
}

impl PassRecord {
    /// Is it worth while to try so many hints at once? It is, until a dozen tests have said no.
    pub fn may_pay(&self, chunk: usize) -> bool {
        let (tests, wins) = self.levels[level(chunk)];
        chunk <= 1 || tests < 12 || wins * 16 >= tests
    }

    /// Is a set of so many hints more likely to succeed than not, by what was seen of such sets?
    pub fn is_likely(&self, chunk: usize) -> bool {
        let (tests, wins) = self.levels[level(chunk)];
        wins * 2 > tests
    }

    /// Notes a test of so many hints at once.
    pub fn note(&mut self, chunk: usize, won: bool) {
        let (tests, wins) = &mut self.levels[level(chunk)];
        *tests += 1;
        *wins += u32::from(won);
        self.tests += 1;
        self.last.1 += 1;
    }

    /// Notes that the case became smaller.
    pub fn gain(&mut self, before: Size, after: Size) {
        self.wins += 1;
        self.tokens += before.tokens.saturating_sub(after.tokens) as u64;
        let bytes = before.bytes.saturating_sub(after.bytes) as u64;
        self.bytes += bytes;
        self.last.0 += before.tokens.saturating_sub(after.tokens) as u64 + bytes / 4;
    }

    /// Notes where a run gave up among its hints, so that the next one begins there.
    pub fn give_up(&mut self, at: usize, of: usize) {
        self.gave_up_at = (self.gave_up_at + at * 1000 / of.max(1)) % 1000;
    }

    /// Where to begin among so many hints.
    pub fn begin_at(&self, of: usize) -> usize {
        self.gave_up_at * of / 1000
    }

    /// What its last run took away a test, in thousandths; most of all if it never ran.
    fn pay(&self) -> u64 {
        if self.runs == 0 { u64::MAX } else { self.last.0 * 1000 / (self.last.1 + 1) }
    }
}

fn level(chunk: usize) -> usize {
    (usize::BITS - chunk.leading_zeros()) as usize % LEVELS
}

/// The order of work. It depends on what tests said and on nothing else, not on time, so that a reduction taken up again
/// goes on as it would have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// What is known of each pass, in the order of the options.
    pub records: Vec<PassRecord>,
    stage: usize,
    queue: VecDeque<usize>,
    sweep_began: Size,
    round_began: (Key, Size),
    /// Whether passes go through all their hints, whatever the odds: they do in the last rounds.
    pub patient: bool,
    polished: bool,
}

/// Stages of a round.
const ROUND: &[Stage] = &[Stage::Coarse, Stage::Middle, Stage::Fine];

impl Schedule {
    /// At the beginning.
    pub fn new(passes: &[&'static dyn Pass], key: Key, size: Size) -> Schedule {
        let mut new = Schedule {
            records: vec![PassRecord::default(); passes.len()],
            stage: 0,
            queue: VecDeque::new(),
            sweep_began: size,
            round_began: (key, size),
            patient: false,
            polished: false,
        };
        new.fill(passes, ROUND[0], size);
        new
    }

    /// The passes of a stage, best pay first.
    fn fill(&mut self, passes: &[&'static dyn Pass], stage: Stage, size: Size) {
        let mut chosen: Vec<usize> = (0..passes.len()).filter(|p| passes[*p].stage() == stage).collect();
        chosen.sort_by_key(|p| Reverse(self.records[*p].pay()));
        self.queue = chosen.into();
        self.sweep_began = size;
    }

    /// The pass to run next on a case with this key and size; `None` when nothing is left to do.
    pub fn next(&mut self, passes: &[&'static dyn Pass], key: Key, size: Size) -> Option<usize> {
        loop {
            if let Some(pass) = self.queue.pop_front() {
                if self.records[pass].dry_on != Some(key) {
                    return Some(pass);
                }
                continue;
            }
            let gained = self.sweep_began.tokens.saturating_sub(size.tokens);
            match ROUND.get(self.stage) {
                Some(stage) if gained * WORTHWHILE >= self.sweep_began.tokens.max(1) => {
                    self.fill(passes, *stage, size);
                }
                Some(_) => {
                    self.stage += 1;
                    match ROUND.get(self.stage) {
                        Some(stage) => self.fill(passes, *stage, size),
                        None => self.end_round(passes, key, size),
                    }
                }
                None if self.polished => return None,
                None => self.end_round(passes, key, size),
            }
        }
    }

    /// After a round: another if it changed anything or was in a hurry, else the polish, and another round should that
    /// have taken tokens away.
    fn end_round(&mut self, passes: &[&'static dyn Pass], key: Key, size: Size) {
        let changed = key != self.round_began.0;
        let polishing = self.stage > ROUND.len();
        if polishing {
            let fewer = size.tokens < self.round_began.1.tokens;
            self.polished = !fewer && !changed;
            if fewer {
                self.patient = false;
                self.stage = 0;
            }
        } else if changed || !self.patient {
            self.patient = !changed;
            self.stage = 0;
        } else {
            self.stage = ROUND.len() + 1;
        }
        self.round_began = (key, size);
        if !self.polished {
            let stage = ROUND.get(self.stage).copied().unwrap_or(Stage::Polish);
            self.fill(passes, stage, size);
        }
    }

    /// Notes that a pass begins a run.
    pub fn begin(&mut self, pass: usize) {
        let record = &mut self.records[pass];
        record.runs += 1;
        record.last = (0, 0);
    }

    /// Notes that a pass went through all its hints on this case, in vain.
    pub fn dry(&mut self, pass: usize, key: Key) {
        self.records[pass].dry_on = Some(key);
    }
}
