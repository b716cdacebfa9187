//! One run of a pass: its hints tried from big sets to small ones (delta debugging), several sets at once.
//!
//! What is tried depends on earlier answers alone, never on which worker was first: sets are judged in batches of a
//! fixed width, all successes of a batch are folded into one edit, and what other workers try ahead of the batch, or of
//! the next passes, is used only if the batch failed. So the same case and test give the same result with any number of workers.

use super::plan::{Plan, Try};
use super::pool::{Goal, Judged, Ticket, Verdict};
use super::{Halt, Work};
use crate::Case;
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

/// What a run goes on with if all successes so far hold together, tried while workers would have nothing to do.
struct Expected {
    /// The successful sets, in the order of the hints.
    parts: Vec<Range<usize>>,
    case: Arc<Case>,
    /// The candidate of all of them, where there are several.
    together: Option<Ticket>,
    plan: Plan,
}

/// The state of a run.
pub struct Sweep<'w, 'e, 't> {
    work: &'w mut Work<'e, 't>,
    plan: Plan,
    /// The sets that succeeded and are not applied yet.
    wins: Vec<(Range<usize>, Arc<Case>)>,
    /// Of the present batch: the number of hints a set, and where it ends.
    batch: (usize, usize),
    expected: Option<Expected>,
    /// Whether what comes next can be told at all: not while successes that do not go together are sorted out.
    foreseen: bool,
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
        Sweep {
            work,
            plan,
            wins: Vec::new(),
            batch: (0, 0),
            expected: None,
            foreseen: true,
            vain: 0,
            won: false,
        }
    }

    /// Goes through all hints.
    pub fn run(mut self) -> Result<End, Halt> {
        self.work.announce(self.plan.pass, self.plan.hints.len());
        let end = self.go();
        self.plan.abandon(self.work.pool);
        self.forget();
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
            self.batch = (chunk, end);
            let mut rest = batch.into_iter();
            while let Some(t) = rest.next() {
                match self.judge(t.ticket) {
                    Ok(Some(judged)) => self.wins.push((t.part, judged.case)),
                    Ok(None) => {}
                    Err(halt) => {
                        self.work.pool.abandon(rest.map(|t| t.ticket));
                        return Err(halt);
                    }
                }
            }
            if !self.wins.is_empty() {
                self.accept()?;
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
    }

    /// Hands in something for an idle worker: what comes next if all goes on as it went. `false` if there is nothing.
    fn feed(&mut self) -> bool {
        if self.wins.is_empty() {
            return self.plan.hand_in(&self.work.case, self.work.pool) || self.work.foresee(self.plan.pass);
        }
        if self.expected.as_ref().is_none_or(|expected| expected.parts.len() != self.wins.len()) {
            self.forget();
            return self.expect();
        }
        let expected = self.expected.as_mut();
        expected.is_some_and(|expected| expected.plan.hand_in(&expected.case, self.work.pool))
    }

    /// Begins with what comes after the successes so far.
    fn expect(&mut self) -> bool {
        let (chunk, end) = self.batch;
        let mut parts: Vec<Range<usize>> = self.wins.iter().map(|(part, _)| part.clone()).collect();
        parts.sort_by_key(|part| part.start);
        let plan = self.plan.carried(&parts, chunk, end);
        let (case, together) = match &self.wins[..] {
            [(_, case)] => (Arc::clone(case), None),
            _ => {
                let patches = self.plan.merged(&parts);
                let case = Arc::new(self.work.case.patched(&patches));
                (case, Some(self.work.pool.submit(&self.work.case, patches, self.plan.goal)))
            }
        };
        let mut expected = Expected { parts, case, together, plan };
        let handed_in = together.is_some() || expected.plan.hand_in(&expected.case, self.work.pool);
        self.expected = Some(expected);
        handed_in
    }

    /// Drops what was expected.
    fn forget(&mut self) {
        if let Some(mut expected) = self.expected.take() {
            self.work.pool.abandon(expected.together);
            expected.plan.abandon(self.work.pool);
        }
    }

    /// Waits for the verdict of a set. `Some` if it is to be applied.
    fn judge(&mut self, ticket: Ticket) -> Result<Option<Judged>, Halt> {
        let mut feeding = self.foreseen;
        let judged = loop {
            match self.work.wait_or_idle(ticket, feeding)? {
                Some(judged) => break judged,
                None => feeding = self.feed(),
            }
        };
        if judged.verdict == Verdict::Pointless {
            return Ok(None);
        }
        let key = judged.case.key();
        let (judged, counts) = self.work.weigh(judged, key)?;
        let won = judged.verdict == Verdict::Answered(true);
        if counts {
            self.work.schedule.records[self.plan.pass].note(self.batch.0, won);
        }
        self.vain = if won { 0 } else { self.vain + if counts { TEST } else { NO_TEST } };
        Ok(won.then_some(judged))
    }

    /// Folds successes into one edit, applies it and carries the other hints over. The next set begins behind what was at
    /// the end of the batch.
    fn accept(&mut self) -> Result<(), Halt> {
        self.plan.abandon(self.work.pool);
        // The best goes first: it is what remains if no two go together.
        self.wins.sort_by_key(|(part, case)| (case.size(), part.start));
        let (best, mut case) = self.wins[0].clone();
        let mut taken = vec![best];
        let others: Vec<Range<usize>> = self.wins[1..].iter().map(|(part, _)| part.clone()).collect();
        self.fold(&mut taken, &mut case, &others)?;
        self.wins.clear();
        self.foreseen = true;
        taken.sort_by_key(|part| part.start);
        let (chunk, end) = self.batch;
        let expected =
            self.expected.take_if(|expected| expected.parts == taken && expected.case.key() == case.key());
        self.forget();
        self.plan = match expected {
            Some(expected) => expected.plan,
            None => self.plan.carried(&taken, chunk, end),
        };
        let before = self.work.case.size();
        self.work.better(self.plan.pass, case, before);
        self.won = true;
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
        let patches = self.plan.merged(&all);
        let candidate = self.work.case.patched(&patches);
        if candidate.key() == case.key() {
            *taken = all;
            return Ok(());
        }
        let expected = self.expected.as_mut().filter(|expected| expected.parts == all);
        let ticket = expected.and_then(|expected| expected.together.take());
        let ticket =
            ticket.unwrap_or_else(|| self.work.pool.submit(&self.work.case, patches, self.plan.goal));
        match self.judge(ticket)? {
            // Patches that are in each other's way may make less of two edits than of one.
            Some(judged) if judged.case.is_below(case) || self.plan.goal == Goal::NoMoreTokens => {
                *taken = all;
                *case = judged.case;
                Ok(())
            }
            Some(_) | None if others.len() == 1 => Ok(()),
            Some(_) | None => {
                self.foreseen = false;
                self.forget();
                let (left, right) = others.split_at(others.len() / 2);
                self.fold(taken, case, left)?;
                self.fold(taken, case, right)
            }
        }
    }
}
