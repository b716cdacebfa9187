//! Unsatisfiable cores, kept: sets of facts that were refuted; a query that has all the facts of one is refuted too, without a solver.
//!
//! Relations are dropped until those left are preserved, and each time what rests on the dropped ones is proved again.
//! Few proofs need all that they may use: those that did not use the dropped relation stand.

use crate::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most sets that are kept.
const MAX: usize = 20_000;

/// Most sets that share their last fact.
const SHARED: usize = 64;

/// The refuted sets.
#[derive(Default)]
pub(super) struct CoreStore {
    /// By their last fact: that is the newest term, and few sets have it.
    by_last: FxHashMap<TermId, Vec<Box<[TermId]>>>,
    count: usize,
}

impl CoreStore {
    /// Remembers that these cannot all be true.
    pub fn learn(&mut self, facts: &[TermId]) {
        let Some(last) = facts.iter().max() else { return };
        let list = self.by_last.entry(*last).or_default();
        if self.count < MAX && list.len() < SHARED {
            list.push(facts.into());
            self.count += 1;
        }
    }

    /// Is it known that these cannot all be true?
    pub fn refute(&self, facts: &[TermId]) -> bool {
        let all: FxHashSet<TermId> = facts.iter().copied().collect();
        let known = |f: &TermId| self.by_last.get(f).into_iter().flatten();
        facts.iter().flat_map(known).any(|core| core.iter().all(|t| all.contains(t)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pool, Sort};

    #[test]
    fn only_with_all_its_facts() {
        let mut p = Pool::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|n| p.var(n, Sort::Bool));
        let mut cores = CoreStore::default();
        assert!(!cores.refute(&[a, b, c]));
        cores.learn(&[c, a]);
        assert!(cores.refute(&[d, c, b, a]) && cores.refute(&[a, c]));
        assert!(!cores.refute(&[a, b, d]) && !cores.refute(&[c, b]));
        // No facts refute nothing.
        cores.learn(&[]);
        assert!(!cores.refute(&[]) && !cores.refute(&[a]));
    }
}
