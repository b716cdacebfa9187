//! What a run of a pass tries: its hints, the sets of them from big to small, and the sets handed in so far. It can be made
//! ahead of the run, and its first sets tried, while workers would have nothing to do.

use super::PassRecord;
use super::pool::{Goal, Pool, Ticket};
use crate::passes::Pass;
use crate::patches::{merge, rebase, sound};
use crate::{Case, Hint, Patch};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Hints tried together, and the ticket of the candidate.
pub struct Try {
    pub part: Range<usize>,
    pub chunk: usize,
    pub ticket: Ticket,
}

/// The hints of a pass for a case, and how far they were handed in.
pub struct Plan {
    /// The pass, by its place in the options.
    pub pass: usize,
    pub goal: Goal,
    pub hints: Vec<Hint>,
    /// What was known of the pass at the beginning: how far workers are ahead must not decide which sizes are tried.
    record: PassRecord,
    /// The number of hints tried at once, and where the next set begins.
    pub chunk: usize,
    pub next: usize,
    /// Handed in and not yet asked for, in order.
    pub ahead: VecDeque<Try>,
}

impl Plan {
    /// What a pass with this record has to offer for a case.
    pub fn new(pass: usize, described: &dyn Pass, record: &PassRecord, case: &Case, goal: Goal) -> Plan {
        let proposed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| described.hints(case)));
        // A pass that fails on a case has nothing to offer for it.
        let mut hints = sound(case, proposed.unwrap_or_default());
        let begin = record.begin_at(hints.len());
        hints.rotate_left(begin);
        let chunk = if described.alternatives() { hints.len().min(1) } else { hints.len() };
        Plan { pass, goal, hints, record: record.clone(), chunk, next: 0, ahead: VecDeque::new() }
    }

    /// Hands in the next set, as if all before it were in vain. `false` if there is none.
    pub fn hand_in(&mut self, case: &Arc<Case>, pool: &Pool<'_>) -> bool {
        if self.next >= self.hints.len() {
            let mut smaller = self.chunk.min(self.hints.len()) / 2;
            while smaller > 1 && !self.record.may_pay(smaller) {
                smaller /= 2;
            }
            if smaller == 0 || self.chunk <= 1 {
                return false;
            }
            self.chunk = smaller;
            self.next = 0;
        }
        let part = self.next..(self.next + self.chunk).min(self.hints.len());
        self.next = part.end;
        let ticket = pool.submit(case, merge(&self.hints[part.clone()]), self.goal);
        self.ahead.push_back(Try { part, chunk: self.chunk, ticket });
        true
    }

    /// The edit that sets of hints make together.
    pub fn merged(&self, parts: &[Range<usize>]) -> Vec<Patch> {
        merge(parts.iter().flat_map(|part| &self.hints[part.clone()]))
    }

    /// The plan for the case with these sets applied: the other hints, carried over, from what was at `end` on.
    pub fn carried(&self, taken: &[Range<usize>], chunk: usize, end: usize) -> Plan {
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
        Plan { pass, goal, hints, record, chunk, next, ahead: VecDeque::new() }
    }

    /// Drops what was handed in and not asked for.
    pub fn abandon(&mut self, pool: &Pool<'_>) {
        let stale: Vec<Ticket> = self.ahead.drain(..).map(|t| t.ticket).collect();
        pool.abandon(stale);
    }
}
