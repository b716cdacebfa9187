//! What queries cost.

use crate::Answer;
use crate::budget::SLOW_QUERY;
use crate::effort::Effort;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What the queries cost.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Queries that normalisation decided.
    pub trivial: u64,
    /// Queries with all the facts of one refuted before, or with a model found before.
    pub repeated: u64,
    /// Queries that went to the solver.
    pub solver: u64,
    /// Work in the solver.
    pub effort: Effort,
    /// CPU time in the solver.
    pub time: Duration,
    /// The costliest query by its work: what it asked, and the CPU time it took.
    pub costliest: Option<(String, Duration)>,
    /// The first queries of much work.
    #[serde(skip)]
    pub slow: Vec<SlowQuery>,
    /// The work of the costliest.
    most: Effort,
}

/// A query of much work.
#[derive(Clone, Debug)]
pub struct SlowQuery {
    /// What it asked.
    pub what: String,
    /// The work it took.
    pub effort: Effort,
    /// The CPU time it took.
    pub took: Duration,
    /// Whether it has a model; none where it stayed open.
    pub satisfiable: Option<bool>,
}

/// Most slow queries that are told.
const TOLD: usize = 256;

impl Stats {
    /// Takes account of a query. Which are told depends on their work alone.
    pub(super) fn note(
        &mut self,
        what: &dyn Fn() -> String,
        answer: &Answer,
        effort: Effort,
        took: Duration,
    ) {
        self.effort = self.effort + effort;
        self.time += took;
        if effort >= SLOW_QUERY && self.slow.len() < TOLD {
            let satisfiable = match answer {
                Answer::Sat(_) => Some(true),
                Answer::Unsat => Some(false),
                Answer::Unknown(_) => None,
            };
            self.slow.push(SlowQuery { what: what(), effort, took, satisfiable });
        }
        if self.costliest.is_none() || self.most < effort {
            self.costliest = Some((what(), took));
            self.most = effort;
        }
    }

    /// The cost of both together.
    pub fn add(&mut self, other: &Stats) {
        self.trivial += other.trivial;
        self.repeated += other.repeated;
        self.solver += other.solver;
        self.effort = self.effort + other.effort;
        self.time += other.time;
        let room = TOLD.saturating_sub(self.slow.len());
        self.slow.extend(other.slow.iter().take(room).cloned());
        if self.costliest.is_none() || self.most < other.most {
            self.costliest.clone_from(&other.costliest);
            self.most = other.most;
        }
    }
}
