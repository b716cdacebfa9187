//! What queries cost.

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
    /// Time in the solver.
    pub time: Duration,
    /// The costliest query: what it asked, and how long it took.
    pub costliest: Option<(String, Duration)>,
    /// The first queries that took long: what they asked, how long they took, and what came of them.
    #[serde(skip)]
    pub slow: Vec<(String, Duration, &'static str)>,
}

/// What a query takes that counts as long.
pub(super) const SLOW: Duration = Duration::from_millis(60);

/// Most of them that are told.
pub(super) const TOLD: usize = 256;

impl Stats {
    /// The cost of both together.
    pub fn add(&mut self, other: &Stats) {
        self.trivial += other.trivial;
        self.repeated += other.repeated;
        self.solver += other.solver;
        let room = TOLD.saturating_sub(self.slow.len());
        self.slow.extend(other.slow.iter().take(room).cloned());
        self.time += other.time;
        if let Some((what, time)) = &other.costliest
            && self.costliest.as_ref().is_none_or(|(_, t)| t < time)
        {
            self.costliest = Some((what.clone(), *time));
        }
    }
}
