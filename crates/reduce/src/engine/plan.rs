//! What a run of a pass tries: its hints, and the sets of them from big to small.

use super::PassRecord;
use super::work::Goal;
use crate::case::Key;
use crate::passes::Pass;
use crate::patches::{merge, rebase, sound};
use crate::{Case, Hint, Patch};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Passes whose hints for a case are kept.
const KEPT: usize = 32;

/// A pass, a case, and the hints of the one for the other.
type Kept = (usize, Key, Arc<Vec<Hint>>);

/// Hints of passes for cases that were found lately: the scout looks at most cases before the engine does.
#[derive(Default)]
pub struct Found {
    kept: Mutex<VecDeque<Kept>>,
}

impl Found {
    fn hints(&self, pass: usize, described: &dyn Pass, case: &Case) -> Arc<Vec<Hint>> {
        let key = case.key();
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, hints)) = kept().iter().find(|(p, k, _)| (*p, *k) == (pass, key)) {
            return Arc::clone(hints);
        }
        let proposed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| described.hints(case)));
        // A pass that fails on a case has nothing to offer for it.
        let hints = Arc::new(sound(case, proposed.unwrap_or_default()));
        let mut kept = kept();
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((pass, key, Arc::clone(&hints)));
        hints
    }
}

/// The hints of a pass for a case, and how far they were tried.
#[derive(Clone)]
pub struct Plan {
    /// The pass, by its place in the options.
    pub pass: usize,
    pub goal: Goal,
    pub hints: Vec<Hint>,
    /// What was known of the pass at the beginning.
    record: PassRecord,
    /// The number of hints tried at once, and where the next set begins.
    pub chunk: usize,
    pub next: usize,
}

impl Plan {
    /// What a pass with this record has to offer for a case.
    pub fn new(
        pass: usize,
        described: &dyn Pass,
        record: &PassRecord,
        case: &Case,
        goal: Goal,
        found: &Found,
    ) -> Plan {
        let mut hints = (*found.hints(pass, described, case)).clone();
        let begin = record.begin_at(hints.len());
        hints.rotate_left(begin);
        let chunk = if described.alternatives() { hints.len().min(1) } else { hints.len() };
        Plan { pass, goal, hints, record: record.clone(), chunk, next: 0 }
    }

    /// The next sets, all of one size, as if all before them were in vain. Empty if there are none.
    pub fn batch(&mut self, most: usize) -> Vec<Range<usize>> {
        if self.next >= self.hints.len() && !self.shrink() {
            return Vec::new();
        }
        let mut parts = Vec::new();
        while parts.len() < most && self.next < self.hints.len() {
            let part = self.next..(self.next + self.chunk).min(self.hints.len());
            self.next = part.end;
            parts.push(part);
        }
        parts
    }

    /// Goes on with smaller sets. `false` if there are none.
    fn shrink(&mut self) -> bool {
        let mut smaller = self.chunk.min(self.hints.len()) / 2;
        while smaller > 1 && !self.record.may_pay(smaller) {
            smaller /= 2;
        }
        if smaller == 0 || self.chunk <= 1 {
            return false;
        }
        (self.chunk, self.next) = (smaller, 0);
        true
    }

    /// The edit that sets of hints make together.
    pub fn merged(&self, parts: &[Range<usize>]) -> Vec<Patch> {
        merge(parts.iter().flat_map(|part| &self.hints[part.clone()]))
    }

    /// The plan for the case with these sets applied: the other hints, carried over, from what was at `end` on.
    pub fn carried(&self, taken: &[Range<usize>], end: usize) -> Plan {
        let applied = self.merged(taken);
        let mut hints = Vec::with_capacity(self.hints.len());
        let mut next = 0;
        for (index, hint) in self.hints.iter().enumerate() {
            let gone = taken.iter().any(|part| part.contains(&index));
            hints.extend(if gone { None } else { rebase(hint, &applied) });
            if index < end {
                next = hints.len();
            }
        }
        let (pass, goal, record) = (self.pass, self.goal, self.record.clone());
        Plan { pass, goal, hints, record, chunk: self.chunk, next }
    }
}
