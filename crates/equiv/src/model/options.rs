//! How hard to try.

use super::budget;
use smt::effort::Effort;
use smt::{Cached, Embedded, Portfolio, Solver};
use std::time::Duration;

/// How hard to try. The defaults suit one function of a compiled program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Show equivalence in both directions: undefined behaviour on the left then permits only the
    /// same on the right. Otherwise the right must refine the left.
    pub bisimulation: bool,
    /// CPU time for the whole proof: a ceiling, which makes a verdict "out of time" and none into another.
    pub time: Duration,
    /// The work of the first round of attempts; where there is none, as much as the functions' size calls for.
    pub first_round: Option<Effort>,
    /// Most rounds, each with a multiple of the work of the one before, while only work is lacking.
    pub rounds: u32,
    /// Memory of the solver, in bytes.
    pub memory: u64,
    /// How often a point may be passed between two cuts (loops of constant count unroll).
    pub passes: u32,
    /// Most new terms between two cuts.
    pub max_terms: usize,
    /// Most pairs of states followed from one synchronisation point.
    pub max_pairs: u32,
    /// Concrete runs.
    pub runs: u32,
    /// Steps of each.
    pub steps: u32,
    /// Whether a difference of runs refutes. It does not where they may begin in states that no program comes to: then only a
    /// proof decides.
    pub runs_refute: bool,
    /// Seed of the runs' inputs.
    pub seed: u64,
    /// Ask the external solvers found on this machine where the embedded one gives up. What they answer in time hangs on
    /// the machine: the verdict is then no function of the programs alone.
    pub external: bool,
    /// When no proof is found, check all runs that pass no point more often than this.
    pub bound: Option<u32>,
    /// Give up where the first way of cutting both programs leaves something open: another form of the proof follows.
    pub hurried: bool,
    /// Guess what variables are made of: for programs that keep what the other one computes again.
    pub compose: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            bisimulation: false,
            time: Duration::from_secs(60),
            first_round: None,
            rounds: budget::ROUNDS,
            memory: 1 << 30,
            passes: 40,
            max_terms: 2_000_000,
            max_pairs: 5_000,
            runs: 24,
            steps: 3_000,
            runs_refute: true,
            seed: 1,
            external: false,
            bound: None,
            hurried: false,
            compose: false,
        }
    }
}

impl Options {
    /// The work of a series of runs on concrete values.
    pub(crate) fn series(&self) -> Effort {
        let share = self.first_round.map(|round| round.percent(budget::RUNS_SHARE));
        share.map_or(budget::RUNS, |share| budget::RUNS.min(share))
    }

    /// The work of one of those runs.
    pub(crate) fn one_run(&self) -> Effort {
        self.series().percent(budget::RUN_SHARE)
    }

    /// The solver that answers what normalisation leaves open.
    pub(crate) fn solver(&self) -> Box<dyn Solver> {
        let inner: Box<dyn Solver> =
            if self.external { Box::new(Portfolio::of_machine()) } else { Box::new(Embedded::new()) };
        Box::new(Cached::new(inner))
    }
}
