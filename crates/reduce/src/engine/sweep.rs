//! One run of a pass: its hints tried from big sets to small ones (delta debugging), several sets at once.
//!
//! What is tried depends on earlier answers alone, never on which worker was first: sets are judged in batches of a
//! fixed width, all successes of a batch are folded into one edit, and what other workers try ahead of the batch is used
//! only if the batch failed. So the same case and test give the same result with any number of workers.

use super::pool::{Goal, Judged, Ticket, Verdict};
use super::{Halt, PassRecord, Work};
use crate::passes::Pass;
use crate::patches::{merge, rebase, sound};
use crate::{Case, Hint, Patch};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Sets judged before successes are folded. Wider batches keep more workers busy; narrower ones go on sooner from a
/// smaller case.
const BATCH: usize = 8;

/// Effort of a test and of a candidate that needed none; and how much of it may be in vain before a run that is not
/// patient gives up.
const TEST: usize = 8;
const NO_TEST: usize = 1;
const PATIENCE: usize = 150 * TEST;

/// How a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All hints were tried; whether any held.
    Through(bool),
    /// It gave up after much effort in vain, to go on when the case is smaller.
    GaveUp,
}

/// Hints tried together, and the ticket of the candidate.
struct Try {
    part: Range<usize>,
    chunk: usize,
    ticket: Ticket,
}

/// The state of a run.
pub struct Sweep<'w, 'e, 't> {
    work: &'w mut Work<'e, 't>,
    pass: usize,
    goal: Goal,
    hints: Vec<Hint>,
    /// What was known of the pass at the beginning: how far workers are ahead must not decide which sizes are tried.
    record: PassRecord,
    /// The number of hints tried at once, and where the next set begins.
    chunk: usize,
    next: usize,
    ahead: VecDeque<Try>,
    /// Effort since the last success.
    vain: usize,
    won: bool,
}

impl<'w, 'e, 't> Sweep<'w, 'e, 't> {
    /// Prepares a run of a pass on the current case.
    pub fn new(work: &'w mut Work<'e, 't>, pass: usize, goal: Goal) -> Sweep<'w, 'e, 't> {
        let described: &dyn Pass = work.passes[pass];
        let proposed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| described.hints(&work.case)));
        // A pass that fails on a case has nothing to offer for it.
        let mut hints = sound(&work.case, proposed.unwrap_or_default());
        let record = work.schedule.records[pass].clone();
        let begin = record.begin_at(hints.len());
        hints.rotate_left(begin);
        let chunk = if described.alternatives() { hints.len().min(1) } else { hints.len() };
        Sweep { work, pass, goal, hints, record, chunk, next: 0, ahead: VecDeque::new(), vain: 0, won: false }
    }

    /// Goes through all hints.
    pub fn run(mut self) -> Result<End, Halt> {
        self.work.announce(self.pass, self.hints.len());
        let end = self.go();
        let tickets: Vec<Ticket> = self.ahead.drain(..).map(|t| t.ticket).collect();
        self.work.pool.abandon(tickets);
        end
    }

    fn go(&mut self) -> Result<End, Halt> {
        loop {
            self.look_ahead();
            let Some(first) = self.ahead.front() else { return Ok(End::Through(self.won)) };
            let chunk = first.chunk;
            let width = self.ahead.iter().take(BATCH).take_while(|t| t.chunk == chunk).count();
            let batch: Vec<Try> = self.ahead.drain(..width).collect();
            let end = batch.last().map_or(0, |t| t.part.end);
            let mut wins = Vec::new();
            let mut rest = batch.into_iter();
            while let Some(t) = rest.next() {
                match self.judge(t.ticket, t.chunk) {
                    Ok(Some(judged)) => wins.push((t.part, judged.case)),
                    Ok(None) => {}
                    Err(halt) => {
                        self.work.pool.abandon(rest.map(|t| t.ticket));
                        return Err(halt);
                    }
                }
            }
            if !wins.is_empty() {
                self.accept(wins, chunk, end)?;
            } else if !self.work.schedule.patient && self.vain > PATIENCE {
                self.work.schedule.records[self.pass].give_up(end, self.hints.len());
                return Ok(End::GaveUp);
            }
        }
    }

    /// Hands in sets until the batch is full and every worker has one more.
    fn look_ahead(&mut self) {
        while self.ahead.len() < BATCH + self.work.jobs {
            if self.next >= self.hints.len() {
                let mut smaller = self.chunk.min(self.hints.len()) / 2;
                while smaller > 1 && !self.record.may_pay(smaller) {
                    smaller /= 2;
                }
                if smaller == 0 || self.chunk <= 1 {
                    return;
                }
                self.chunk = smaller;
                self.next = 0;
            }
            let part = self.next..(self.next + self.chunk).min(self.hints.len());
            self.next = part.end;
            let patches = merge(&self.hints[part.clone()]);
            let ticket = self.work.pool.submit(&self.work.case, patches, self.goal);
            self.ahead.push_back(Try { part, chunk: self.chunk, ticket });
        }
    }

    /// Waits for the verdict of a set. `Some` if it is to be applied.
    fn judge(&mut self, ticket: Ticket, chunk: usize) -> Result<Option<Judged>, Halt> {
        let judged = self.work.wait(ticket)?;
        if judged.verdict == Verdict::Pointless {
            return Ok(None);
        }
        let key = judged.case.key();
        let (judged, counts) = self.work.weigh(judged, key)?;
        let won = judged.verdict == Verdict::Answered(true);
        if counts {
            self.work.schedule.records[self.pass].note(chunk, won);
        }
        self.vain = if won { 0 } else { self.vain + if counts { TEST } else { NO_TEST } };
        Ok(won.then_some(judged))
    }

    /// Folds successes into one edit, applies it and carries the other hints over. The next set begins behind what was at
    /// `end`.
    fn accept(
        &mut self,
        mut wins: Vec<(Range<usize>, Arc<Case>)>,
        chunk: usize,
        end: usize,
    ) -> Result<(), Halt> {
        let stale: Vec<Ticket> = self.ahead.drain(..).map(|t| t.ticket).collect();
        self.work.pool.abandon(stale);
        // The best goes first: it is what remains if no two go together.
        wins.sort_by_key(|(part, case)| (case.size(), part.start));
        let (best, case) = wins.remove(0);
        let mut taken = vec![best];
        let mut case = case;
        let others: Vec<Range<usize>> = wins.into_iter().map(|(part, _)| part).collect();
        self.fold(&mut taken, &mut case, &others, chunk)?;
        let applied = self.merged(&taken);
        let before = self.work.case.size();
        self.work.better(self.pass, case, before);
        self.won = true;
        let mut kept = Vec::with_capacity(self.hints.len());
        let mut resume = 0;
        for (index, hint) in self.hints.iter().enumerate() {
            let gone = taken.iter().any(|part| part.contains(&index));
            let left = if gone { None } else { rebase(hint, &applied) };
            kept.extend(left);
            if index < end {
                resume = kept.len();
            }
        }
        self.hints = kept;
        self.chunk = chunk;
        self.next = resume;
        Ok(())
    }

    fn merged(&self, parts: &[Range<usize>]) -> Vec<Patch> {
        merge(parts.iter().flat_map(|part| &self.hints[part.clone()]))
    }

    /// Adds as many of the other successes as go together with what is taken, by halves.
    fn fold(
        &mut self,
        taken: &mut Vec<Range<usize>>,
        case: &mut Arc<Case>,
        others: &[Range<usize>],
        chunk: usize,
    ) -> Result<(), Halt> {
        if others.is_empty() {
            return Ok(());
        }
        let mut all = taken.clone();
        all.extend_from_slice(others);
        all.sort_by_key(|part| part.start);
        let patches = self.merged(&all);
        let candidate = self.work.case.patched(&patches);
        if candidate.key() == case.key() {
            *taken = all;
            return Ok(());
        }
        let ticket = self.work.pool.submit(&self.work.case, patches, self.goal);
        match self.judge(ticket, chunk)? {
            // Patches that are in each other's way may make less of two edits than of one.
            Some(judged) if judged.case.is_below(case) || self.goal == Goal::NoMoreTokens => {
                *taken = all;
                *case = judged.case;
                Ok(())
            }
            Some(_) | None if others.len() == 1 => Ok(()),
            Some(_) | None => {
                let (left, right) = others.split_at(others.len() / 2);
                self.fold(taken, case, left, chunk)?;
                self.fold(taken, case, right, chunk)
            }
        }
    }
}
