//! What is known of candidates, by their content.

use crate::case::Key;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many candidates are known at most: some 100 MB.
const CAPACITY: usize = 1 << 20;

/// Something for each candidate, the oldest of which are forgotten when there are too many.
pub struct Cache<T> {
    known: FxHashMap<Key, T>,
    order: VecDeque<Key>,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache { known: FxHashMap::default(), order: VecDeque::new() }
    }
}

impl<T> Cache<T> {
    /// What is known of a candidate.
    pub fn get(&self, key: &Key) -> Option<&T> {
        self.known.get(key)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &Key) -> Option<&mut T> {
        self.known.get_mut(key)
    }

    /// Keeps it.
    pub fn put(&mut self, key: Key, what: T) {
        if self.known.insert(key, what).is_some() {
            return;
        }
        self.order.push_back(key);
        if self.order.len() > CAPACITY
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }

    /// Forgets a candidate.
    pub fn remove(&mut self, key: &Key) {
        self.known.remove(key);
    }
}
