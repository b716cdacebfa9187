//! Verdicts by the content they were given for.

use crate::case::Key;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many verdicts are kept: some 60 MB.
const CAPACITY: usize = 1 << 20;

/// Verdicts of candidates, the oldest of which are forgotten when there are too many.
#[derive(Default)]
pub struct Cache {
    known: FxHashMap<Key, bool>,
    order: VecDeque<Key>,
}

impl Cache {
    /// Was the candidate interesting?
    pub fn get(&self, key: &Key) -> Option<bool> {
        self.known.get(key).copied()
    }

    /// Keeps a verdict.
    pub fn put(&mut self, key: Key, interesting: bool) {
        if self.known.insert(key, interesting).is_some() {
            return;
        }
        self.order.push_back(key);
        if self.order.len() > CAPACITY
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}
