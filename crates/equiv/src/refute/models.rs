//! From an obligation that does not close to inputs on which both sides differ. A solver's model only proposes
//! them: both sides are run on it, and nothing but a difference of these runs refutes.
//!
//! A model may be none of a run: addresses lie where runs have no memory (the first page, the end of the address
//! space), or the world has to answer as the model says. So what called functions return is taken from the model, and
//! where that does not help, a model at addresses within [`REACH`] is asked for. Facts that are added so can only lose a
//! refutation.

use crate::model::budget::{MODEL_WITHIN_REACH, QUERY_SHARE, SHORT_PATHS, SHORT_PATHS_SHARE};
use crate::model::{
    Acceptability, Counterexample, PairStates, ProblemKind, ReasonKind, Semantics, SyncPoint, Verdict,
};
use crate::prove::{Budget, Plan, Problem, ProofSearch};
use crate::run::{Answered, Answers, Outcome, filled};
use smt::effort::{Deadline, Effort};
use smt::{Answer, Model, Node, Pool, TermId};
use std::ops::Range;

/// Where a process may have memory.
const REACH: Range<u64> = 0x1_0000..0x7000_0000_0000;

/// How often points are passed on the way from the entry to a difference.
const PASSES: std::ops::RangeInclusive<u32> = 1..=3;

/// That what is read byte by byte at unknown addresses is zero, or read within [`REACH`]: so are permissions.
fn within_reach(pool: &mut Pool, facts: &[TermId]) -> Vec<TermId> {
    let mut out = Vec::new();
    for t in pool.postorder(facts) {
        let Node::Select(array, index) = *pool.node(t) else { continue };
        if pool.array_widths(array).0 != 64 || pool.width(t) != 8 || pool.as_const(index).is_some() {
            continue;
        }
        let zero = pool.num(8, 0);
        let none = pool.eq(t, zero);
        let (low, size) =
            (pool.num(64, u128::from(REACH.start)), pool.num(64, u128::from(REACH.end - REACH.start)));
        let offset = pool.sub(index, low);
        let near = pool.ult(offset, size);
        out.push(pool.or(none, near));
    }
    out
}

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// The verdict where something stays open after a round of so much work; `number` counts the rounds. A bound is
    /// looked for behind the last.
    pub(crate) fn refute_or_give_up(
        &mut self,
        states: &PairStates,
        points: &[SyncPoint],
        (at, problem): (usize, Problem),
        (number, last): (u32, bool),
        round: Effort,
    ) -> Verdict {
        if at == 0
            && let Some(c) = self.replay(states, &problem)
        {
            return Verdict::Refuted(Box::new(c));
        }
        let refutes = self.checker.opts.runs_refute;
        if at == 0
            && number == 1
            && refutes
            && let Some(c) = self.whatever_is_chosen(states, round)
        {
            return Verdict::Refuted(Box::new(c));
        }
        if let ProblemKind::Unsupported { what, place, .. } = &problem.kind {
            return Verdict::Unsupported { what: what.clone(), place: place.clone() };
        }
        // The runs of later rounds would be the same.
        let (runs, seed) = (4 * self.checker.opts.runs, !self.checker.opts.seed);
        if number == 1
            && refutes
            && let Some(c) =
                self.sample(states, (runs, seed), false, Deadline::after(self.checker.opts.series()))
        {
            return Verdict::Refuted(Box::new(c));
        }
        if at != 0
            && let Some(c) = self.on_short_paths(states, round)
        {
            return Verdict::Refuted(Box::new(c));
        }
        let kind = ReasonKind::Open { problem: problem.kind.clone() };
        let why = self.reason(kind, Some(&points[at]), problem.why.clone());
        let c = &self.checker;
        let named = c.left.rests_on_names() || c.right.rests_on_names();
        // A bounded verdict states no assumptions.
        let Some(passes) = c.opts.bound.filter(|_| last && !named) else {
            return Verdict::Unknown(Box::new(why));
        };
        let query = round.percent(QUERY_SHARE);
        let plan = Plan::new(Budget { query, candidate: query, end: Deadline::after(round) });
        for k in 1..=passes {
            match self.bounded(states, k, &plan) {
                (Some(c), _) => return Verdict::Refuted(Box::new(c)),
                (None, true) => {}
                (None, false) => return Verdict::Unknown(Box::new(why)),
            }
        }
        Verdict::Bounded { passes, why: Box::new(why) }
    }

    /// All runs that pass no point more than so often: a difference, if one is found, and else whether all is shown.
    fn bounded(&mut self, states: &PairStates, passes: u32, plan: &Plan) -> (Option<Counterexample>, bool) {
        let entry = [self.entry()];
        let r = self.checker.check_point(0, &entry, &Plan { bound: Some(passes), ..*plan });
        (r.problems.iter().find_map(|p| self.replay(states, p)), r.problems.is_empty())
    }

    /// What stays open at a point further on is looked for on short paths from the entry.
    fn on_short_paths(&mut self, states: &PairStates, round: Effort) -> Option<Counterexample> {
        if self.checker.opts.hurried || !self.checker.opts.runs_refute {
            return None;
        }
        let (all, query) = (SHORT_PATHS.min(round.percent(SHORT_PATHS_SHARE)), round.percent(QUERY_SHARE));
        let plan = Plan::new(Budget { query, candidate: query, end: Deadline::after(all) });
        for k in PASSES {
            let found = self.bounded(states, k, &plan).0;
            if found.is_some() || plan.budget.end.passed().is_some() {
                return found;
            }
        }
        None
    }

    /// Runs both sides on the model of a problem at the entry, and on one within reach. A difference at addresses that a
    /// process may have is told before others.
    pub(crate) fn replay(&mut self, states: &PairStates, problem: &Problem) -> Option<Counterexample> {
        let m = problem.model.as_deref().filter(|_| self.checker.opts.runs_refute)?;
        let settled = |found: &Option<Counterexample>| found.as_ref().is_some_and(|c| c.numbers.is_some());
        let mut found = self.replay_as(states, m, &[]);
        if settled(&found) || !self.checker.accept.addresses_tell() {
            return found;
        }
        let answered = self.replay_as(states, m, &problem.answered);
        if settled(&answered) {
            return answered;
        }
        found = found.or(answered);
        let mut facts = problem.facts.clone();
        facts.extend(within_reach(&mut self.checker.prover.d.pool, &problem.facts));
        let what = || "a difference within reach".to_owned();
        let near = match self.checker.prover.possible(&facts, MODEL_WITHIN_REACH, &what) {
            Answer::Sat(m) => self.replay_as(states, &m, &problem.answered),
            Answer::Unsat | Answer::Unknown(_) => None,
        };
        if settled(&near) { near } else { found.or(near) }
    }

    /// Runs both sides on a model, the world answering as it says to events listed.
    fn replay_as(&mut self, states: &PairStates, m: &Model, answered: &[Answered]) -> Option<Counterexample> {
        let seed = self.checker.opts.seed;
        let mut models = vec![m.clone()];
        let mut at = 0;
        let mut found = None;
        while let (Some(m), true) = (models.get(at).cloned(), found.is_none()) {
            self.answers = Answers::of(self.pool(), &m, answered);
            let ran = self.run_model(states, &m, seed);
            if let Some((run, start)) = ran {
                if run.outcome == Outcome::Differ && !run.unmodelled {
                    found = self.counterexample(states, (&m, seed), (run, start));
                } else if run.outcome == Outcome::LeftError && at == 0 {
                    // Of long ranges queries ask for some bytes alone; what the model has for the others may be an
                    // error of the left.
                    models.extend(filled(self.pool(), &m));
                }
            }
            at += 1;
        }
        self.answers = Answers::default();
        found
    }
}
