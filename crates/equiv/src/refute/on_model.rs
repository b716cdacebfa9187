//! Runs of both sides on a solver's model of the entry states.

use crate::model::{Acceptability, PairStates, Semantics, State};
use crate::prove::ProofSearch;
use crate::run::{CoRun, Outcome, Steps, co_run, concretise, domain_of};
use smt::effort::Deadline;
use smt::{Concrete, Model};

/// Choices of the programs that are gone through before a difference counts.
const MOST_CHOICES: u32 = 512;

/// The states both sides begin in.
pub(crate) type Start = (State<Concrete>, State<Concrete>);

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// The domain of runs on a model.
    pub fn domain(&self, m: &Model, seed: u64) -> Concrete {
        let mut d = domain_of(self.pool(), m, seed);
        for (k, v) in &self.base.symbols {
            if self.base.objects.contains_key(k) {
                d.symbols.entry(k.clone()).or_insert_with(|| v.clone());
            }
        }
        for (name, v) in &self.answers.bits {
            d.points.insert((name.clone(), Vec::new()), v.clone());
        }
        d.memories.extend(self.answers.memories.iter().map(|(name, m)| (name.clone(), m.clone())));
        d
    }

    /// Runs both sides on a model of the entry states; `None` when the model is none.
    pub(crate) fn run_model(&mut self, states: &PairStates, m: &Model, seed: u64) -> Option<(CoRun, Start)> {
        let mut d = self.domain(m, seed);
        let (run, start) = self.run_in(states, m, &mut d)?;
        for (k, size) in &d.objects {
            if let Some(v) = d.symbols.get(k) {
                self.objects.insert(k.0.clone(), v.clone());
                self.base.symbols.insert(k.clone(), v.clone());
                self.base.objects.insert(k.clone(), *size);
            }
        }
        Some((run, start))
    }

    /// As [`Self::run_model`], in a domain that is given.
    pub fn run_in(&self, states: &PairStates, m: &Model, d: &mut Concrete) -> Option<(CoRun, Start)> {
        let c = &self.checker;
        let pool = self.pool();
        // Conditions over addresses of objects hold by construction of the concrete ones, or are looked at behind the run.
        let holds = m.eval_all(pool, &states.assume).iter().all(smt::Value::as_bool);
        if !holds {
            return None;
        }
        let start = concretise(pool, m, states);
        let limit = Steps { left: c.opts.steps, until: Deadline::after(c.opts.one_run()) };
        let mut run = co_run(c.left, c.right, c.accept, d, (start.0.clone(), start.1.clone()), limit);
        if run.outcome == Outcome::Differ && (d.objects_overlap() || !self.differs_always(&start, d, limit)) {
            run.outcome = Outcome::Open;
        }
        Some((run, start))
    }

    /// Whether both sides differ whatever the programs choose, where a run just did that chose something.
    fn differs_always(&self, start: &Start, d: &mut Concrete, limit: Steps) -> bool {
        let (c, mut always) = (&self.checker, true);
        if d.picked.is_empty() {
            return true;
        }
        for _ in 0..MOST_CHOICES {
            let Some(picks) = d.next_picks() else {
                d.restart(Vec::new());
                return always;
            };
            d.restart(picks);
            let run = co_run(c.left, c.right, c.accept, d, (start.0.clone(), start.1.clone()), limit);
            always &= run.outcome == Outcome::Differ && !run.unmodelled;
            if !always {
                break;
            }
        }
        d.restart(Vec::new());
        false
    }
}
