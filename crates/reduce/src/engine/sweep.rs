//! One run of a pass: its hints tried from big sets to small ones (delta debugging), several sets at once.
//!
//! What is tried depends on earlier answers alone, never on which worker was first: sets are judged in batches of a
//! fixed width, all successes of a batch are folded into one edit, and what other workers try ahead of the batch, or of
//! the next passes, is used only if the batch failed. So the same case and test give the same result with any number of workers.

use super::plan::{Plan, Try};
use super::pool::{Goal, Judged, Ticket, Verdict};
use super::{Halt, Work};
use crate::patches::{merge, rebase};
use crate::{Case, Patch};
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

/// The state of a run.
pub struct Sweep<'w, 'e, 't> {
    work: &'w mut Work<'e, 't>,
    plan: Plan,
    /// Effort since the last success.
    vain: usize,
    won: bool,
}

impl<'w, 'e, 't> Sweep<'w, 'e, 't> {
    /// Prepares a run of a pass on the current case.
    pub fn new(work: &'w mut Work<'e, 't>, pass: usize, goal: Goal) -> Sweep<'w, 'e, 't> {
        let plan = work.foresight.take(pass, goal, work.pool);
        let plan = plan.unwrap_or_else(|| {
            Plan::new(pass, work.passes[pass], &work.schedule.records[pass], &work.case, goal)
        });
        Sweep { work, plan, vain: 0, won: false }
    }

    /// Goes through all hints.
    pub fn run(mut self) -> Result<End, Halt> {
        self.work.announce(self.plan.pass, self.plan.hints.len());
        let end = self.go();
        self.plan.abandon(self.work.pool);
        self.work.present = None;
        end
    }

    fn go(&mut self) -> Result<End, Halt> {
        loop {
            self.look_ahead();
            let Some(first) = self.plan.ahead.front() else { return Ok(End::Through(self.won)) };
            let chunk = first.chunk;
            let width = self.plan.ahead.iter().take(BATCH).take_while(|t| t.chunk == chunk).count();
            let batch: Vec<Try> = self.plan.ahead.drain(..width).collect();
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
                self.work.schedule.records[self.plan.pass].give_up(end, self.plan.hints.len());
                return Ok(End::GaveUp);
            }
        }
    }

    /// Hands in sets until the batch is full and every worker has one more.
    fn look_ahead(&mut self) {
        while self.plan.ahead.len() < BATCH + self.work.jobs
            && self.plan.hand_in(&self.work.case, self.work.pool)
        {}
        self.work.present = self.plan.is_through().then_some(self.plan.pass);
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
            self.work.schedule.records[self.plan.pass].note(chunk, won);
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
        self.plan.abandon(self.work.pool);
        self.work.present = None;
        // The best goes first: it is what remains if no two go together.
        wins.sort_by_key(|(part, case)| (case.size(), part.start));
        let (best, case) = wins.remove(0);
        let mut taken = vec![best];
        let mut case = case;
        let others: Vec<Range<usize>> = wins.into_iter().map(|(part, _)| part).collect();
        self.fold(&mut taken, &mut case, &others, chunk)?;
        let applied = self.merged(&taken);
        let before = self.work.case.size();
        self.work.better(self.plan.pass, case, before);
        self.won = true;
        let mut kept = Vec::with_capacity(self.plan.hints.len());
        let mut resume = 0;
        for (index, hint) in self.plan.hints.iter().enumerate() {
            let gone = taken.iter().any(|part| part.contains(&index));
            let left = if gone { None } else { rebase(hint, &applied) };
            kept.extend(left);
            if index < end {
                resume = kept.len();
            }
        }
        self.plan.hints = kept;
        self.plan.chunk = chunk;
        self.plan.next = resume;
        Ok(())
    }

    fn merged(&self, parts: &[Range<usize>]) -> Vec<Patch> {
        merge(parts.iter().flat_map(|part| &self.plan.hints[part.clone()]))
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
        let ticket = self.work.pool.submit(&self.work.case, patches, self.plan.goal);
        match self.judge(ticket, chunk)? {
            // Patches that are in each other's way may make less of two edits than of one.
            Some(judged) if judged.case.is_below(case) || self.plan.goal == Goal::NoMoreTokens => {
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
