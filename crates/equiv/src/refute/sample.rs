//! Refutation by running: both sides on random inputs or on those of a model. A difference counts where it comes again
//! when both are run once more on the inputs as they are told.

use super::on_model::Start;
use super::settle::{Found, settle};
use crate::model::budget::{ENTRY_MODEL, RUNS};
use crate::model::{Acceptability, Counterexample, Inputs, PairStates, Replay, Semantics};
use crate::prove::ProofSearch;
use crate::run::{CoRun, Outcome, Steps, co_run, describe_inputs, random_model};
use smt::effort::Deadline;
use smt::{Answer, Concrete, Model, Rng};

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// Runs on random related inputs; a difference is a refutation.
    pub(crate) fn sample(
        &mut self,
        states: &PairStates,
        (n, seed): (u32, u64),
        keep: bool,
        until: Deadline,
    ) -> Option<Counterexample> {
        let mut rng = Rng(seed);
        let mut misses = 0;
        // A difference that goes with the addresses is told where no other is found.
        let mut unsettled = None;
        for _ in 0..n {
            if until.passed().is_some() {
                return unsettled;
            }
            let mut m = random_model(&self.checker.prover.d.pool, states, &mut rng);
            if misses > 4 {
                // Random values seldom satisfy the entry condition: ask for some.
                let what = || "inputs that satisfy the entry condition".to_owned();
                match self.checker.prover.possible(&states.assume, ENTRY_MODEL, &what) {
                    Answer::Sat(found) => m = found,
                    Answer::Unsat | Answer::Unknown(_) => return unsettled,
                }
            }
            let seed = rng.draw();
            let Some((run, start)) = self.run_model(states, &m, seed) else {
                misses += 1;
                continue;
            };
            if run.outcome == Outcome::Differ && !run.unmodelled {
                if !self.checker.opts.runs_refute {
                    continue;
                }
                match self.counterexample(states, (&m, seed), (run, start)) {
                    Some(c) if c.numbers.is_some() => return Some(c),
                    Some(c) => unsettled = unsettled.or(Some(c)),
                    None => {}
                }
                continue;
            }
            if keep {
                self.runs.push(run);
            }
            if misses > 4 {
                return unsettled;
            }
        }
        unsettled
    }

    /// Whether both sides, run again from the same inputs, do the same things: a difference that does not come again
    /// is none.
    fn replays(&self, run: &CoRun, start: &Start, mut before: Concrete) -> bool {
        let c = &self.checker;
        let limit = Steps { left: c.opts.steps, until: Deadline::after(RUNS) };
        let again = co_run(c.left, c.right, c.accept, &mut before, start.clone(), limit);
        again.outcome == Outcome::Differ
            && again.traces == run.traces
            && again.differences == run.differences
            && !again.unmodelled
    }

    /// What is told of a difference; of the same at addresses that a process may have, where there is one. None where
    /// it does not come again, or goes with addresses that no process has.
    pub(crate) fn counterexample(
        &self,
        states: &PairStates,
        (m, seed): (&Model, u64),
        (run, start): (CoRun, Start),
    ) -> Option<Counterexample> {
        let small = self.minimised(states, m, seed);
        let again = self.run_in(states, &small, &mut self.domain(&small, seed));
        let (m, (run, start)) =
            match again.filter(|(run, _)| run.outcome == Outcome::Differ && !run.unmodelled) {
                Some(found) => (&small, found),
                None => (m, (run, start)),
            };
        let (run, start, before, domain) = match settle(self, states, m, seed) {
            Found::Settled(at) => (at.run, at.start, at.before, Some(at.after)),
            // Where objects lie as no process has them programs do as no process does.
            Found::Gone if self.checker.accept.in_a_process() => return None,
            Found::Gone | Found::Stuck => (run, start, self.domain(m, seed), None),
        };
        self.told((run, start), before, domain)
    }

    /// What is told of a difference that comes again from the domain before it.
    pub(crate) fn told(
        &self,
        (run, start): (CoRun, Start),
        before: Concrete,
        domain: Option<Concrete>,
    ) -> Option<Counterexample> {
        if !self.replays(&run, &start, before) {
            return None;
        }
        // A run stops where the sides first differ: at the last entries of its traces.
        let last = run.traces[0].len().max(run.traces[1].len()).saturating_sub(1);
        let shapes = [self.checker.left.shape(), self.checker.right.shape()];
        let path = |side: usize| {
            let mut out: Vec<Vec<String>> = vec![Vec::new(); last + 1];
            for v in &run.visits[side] {
                if let Some(segment) = out.get_mut(v.events) {
                    segment.push(shapes[side].point(v.at).name.clone());
                }
            }
            out
        };
        let paths = [path(0), path(1)];
        let names = shapes[0].point(start.0.at).vars.iter().map(|v| v.name.clone());
        let vars = names.zip(start.0.vals.iter().cloned()).collect();
        let (right_errs, right_leaves_open) = (run.right_errs, run.differences.right_leaves_open);
        let numbers = domain
            .map(|domain| Box::new(Inputs { vars, domain, seen: run.seen, right_errs, right_leaves_open }));
        let [left, right] = run.traces;
        let mut inputs = describe_inputs(shapes[0], &start.0);
        inputs.extend(self.answers.describe());
        Some(Counterexample {
            inputs,
            first_difference: last,
            left,
            right,
            paths,
            differences: run.differences.words,
            replayed: Replay::InModel,
            numbers,
        })
    }
}
