//! One run of a pass: its hints tried from big sets to small ones (delta debugging), several sets at once.
//!
//! What is tried depends on earlier answers alone, never on which worker was first: sets are judged in batches of a
//! fixed width, and all successes of a batch are folded into one edit. So the same case and test give the same result with
//! any number of workers.

use super::plan::Plan;
use super::pool::{Candidate, Verdict};
use super::work::Goal;
use super::{Halt, Work};
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

/// Batches after which the scout, if it has to turn back, need not begin at the beginning.
const MILESTONE: usize = 16;

/// How a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All hints were tried; whether any held.
    Through(bool),
    /// It gave up after much effort in vain, to go on when the case is smaller.
    GaveUp,
}

/// How far a run is between two batches.
#[derive(Clone)]
pub struct Progress {
    plan: Plan,
    /// Effort since the last success.
    vain: usize,
    won: bool,
}

impl Progress {
    /// The pass and its goal.
    pub fn run(&self) -> (usize, Goal) {
        (self.plan.pass, self.plan.goal)
    }
}

/// A set that succeeds, and the case without it.
type Win = (Range<usize>, Arc<Case>);

/// A run.
pub struct Sweep<'w, 'e, 't> {
    work: &'w mut Work<'e, 't>,
    progress: Progress,
}

impl<'w, 'e, 't> Sweep<'w, 'e, 't> {
    /// Prepares a run of a pass on the current case, or goes on with one.
    pub fn new(
        work: &'w mut Work<'e, 't>,
        pass: usize,
        goal: Goal,
        progress: Option<Progress>,
    ) -> Sweep<'w, 'e, 't> {
        let progress = progress.unwrap_or_else(|| {
            let record = &work.schedule.records[pass];
            let plan = Plan::new(pass, work.passes[pass], record, &work.case, goal, work.found);
            Progress { plan, vain: 0, won: false }
        });
        Sweep { work, progress }
    }

    /// Goes through all hints.
    pub fn run(mut self) -> Result<End, Halt> {
        self.work.announce(self.progress.plan.pass, self.progress.plan.hints.len());
        let mut batches = 0;
        loop {
            if batches % MILESTONE == 0 {
                self.work.milestone(&self.progress);
            }
            batches += 1;
            let parts = self.progress.plan.batch(BATCH);
            let Some(end) = parts.last().map(|part| part.end) else {
                return Ok(End::Through(self.progress.won));
            };
            let wins = self.judge_all(parts)?;
            if !wins.is_empty() {
                self.accept(wins, end)?;
                batches = 0;
            } else if !self.work.schedule.patient && self.progress.vain > PATIENCE {
                let plan = &self.progress.plan;
                self.work.schedule.records[plan.pass].give_up(end, plan.hints.len());
                return Ok(End::GaveUp);
            }
        }
    }

    /// Those of the sets that succeed, each with its case.
    fn judge_all(&mut self, parts: Vec<Range<usize>>) -> Result<Vec<Win>, Halt> {
        let mut asked = Vec::with_capacity(parts.len());
        for part in parts {
            let patches = self.progress.plan.merged(std::slice::from_ref(&part));
            asked.extend(self.submit(&patches)?.map(|candidate| (part, candidate)));
        }
        let plan = &self.progress.plan;
        let likely = self.work.schedule.records[plan.pass].is_likely(plan.chunk);
        let mut wins = Vec::new();
        for (part, candidate) in asked {
            wins.extend(self.judge(&candidate, likely)?.map(|case| (part, case)));
        }
        Ok(wins)
    }

    /// Hands in the candidate that an edit makes. `None` if it misses its goal.
    fn submit(&mut self, patches: &[Patch]) -> Result<Option<Candidate>, Halt> {
        let candidate = Candidate::new(self.work.case.patched(patches));
        let goal = self.progress.plan.goal;
        if !goal.is_met(&candidate, &self.work.case) {
            return Ok(None);
        }
        self.work.submit(&candidate)?;
        Ok(Some(candidate))
    }

    /// Waits for the verdict of a candidate. Its case, if it is to be applied.
    fn judge(&mut self, candidate: &Candidate, likely: bool) -> Result<Option<Arc<Case>>, Halt> {
        let (case, verdict, counts) = self.work.judge(candidate, likely)?;
        let won = verdict == Verdict::Answered(true);
        let progress = &mut self.progress;
        if counts {
            self.work.schedule.records[progress.plan.pass].note(progress.plan.chunk, won);
        }
        progress.vain = if won { 0 } else { progress.vain + if counts { TEST } else { NO_TEST } };
        Ok(won.then_some(case))
    }

    /// Folds successes into one edit, applies it and carries the other hints over. The next set begins behind what was at
    /// the end of the batch.
    fn accept(&mut self, mut wins: Vec<Win>, end: usize) -> Result<(), Halt> {
        // The best goes first: it is what remains if no two go together.
        wins.sort_by_key(|(part, case)| (case.size(), part.start));
        let (best, mut case) = wins[0].clone();
        let mut taken = vec![best];
        let others: Vec<Range<usize>> = wins.drain(1..).map(|(part, _)| part).collect();
        self.fold(&mut taken, &mut case, &others)?;
        taken.sort_by_key(|part| part.start);
        let carried = self.progress.plan.carried(&taken, end);
        self.progress.plan = carried;
        let before = self.work.case.size();
        self.work.better(self.progress.plan.pass, case, before);
        self.progress.won = true;
        Ok(())
    }

    /// Adds as many of the other successes as go together with what is taken, by halves.
    fn fold(
        &mut self,
        taken: &mut Vec<Range<usize>>,
        case: &mut Arc<Case>,
        others: &[Range<usize>],
    ) -> Result<(), Halt> {
        if others.is_empty() {
            return Ok(());
        }
        let mut all = taken.clone();
        all.extend_from_slice(others);
        all.sort_by_key(|part| part.start);
        let patches = self.progress.plan.merged(&all);
        if self.work.case.patched(&patches).key() == case.key() {
            *taken = all;
            return Ok(());
        }
        let folded = match self.submit(&patches)? {
            Some(candidate) => self.judge(&candidate, true)?,
            None => None,
        };
        match folded {
            // Patches that are in each other's way may make less of two edits than of one.
            Some(folded) if folded.is_below(case) || self.progress.plan.goal == Goal::NoMoreTokens => {
                *taken = all;
                *case = folded;
                Ok(())
            }
            Some(_) | None if others.len() == 1 => Ok(()),
            Some(_) | None => {
                let (left, right) = others.split_at(others.len() / 2);
                self.fold(taken, case, left)?;
                self.fold(taken, case, right)
            }
        }
    }
}
