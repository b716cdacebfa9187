//! Queries of the proof: is this implied, can this happen? Most close by normalisation; the rest go
//! to a solver within limits, and every one is accounted for.

use rustc_hash::FxHashMap;
use smt::{Answer, Limits, Model, Node, Pool, Solver, Symbolic, TermId, Why};
use std::time::{Duration, Instant};

/// The outcome of asking whether something holds.
#[derive(Clone, Debug)]
pub(crate) enum Holds {
    Yes,
    No(Box<Model>),
    Unknown(Why),
}

/// What the queries cost.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Queries that normalisation decided.
    pub trivial: u64,
    /// Queries that went to the solver.
    pub solver: u64,
    /// Time in the solver.
    pub time: Duration,
    /// The costliest query: what it asked, and how long it took.
    pub costliest: Option<(String, Duration)>,
}

pub(crate) struct Prover {
    pub d: Symbolic,
    pub solver: Box<dyn Solver>,
    pub stats: Stats,
    pub deadline: Instant,
    pub memory: u64,
}

impl Prover {
    /// Do the facts imply the goal?
    pub fn implied(
        &mut self,
        facts: &[TermId],
        goal: TermId,
        time: Duration,
        what: &dyn Fn() -> String,
    ) -> Holds {
        let pool = &mut self.d.pool;
        if pool.as_bool(goal) == Some(true) {
            self.stats.trivial += 1;
            return Holds::Yes;
        }
        let goal = simplify_under(pool, facts, goal);
        if pool.as_bool(goal) == Some(true) {
            self.stats.trivial += 1;
            return Holds::Yes;
        }
        let not = pool.not(goal);
        let mut all = facts.to_vec();
        all.push(not);
        match self.possible(&all, time, what) {
            Answer::Sat(m) => Holds::No(Box::new(m)),
            Answer::Unsat => Holds::Yes,
            Answer::Unknown(w) => Holds::Unknown(w),
        }
    }

    /// Can all of these be true at once?
    pub fn possible(&mut self, facts: &[TermId], time: Duration, what: &dyn Fn() -> String) -> Answer {
        let all = self.d.pool.and_all(facts);
        if self.d.pool.as_bool(all) == Some(false) {
            self.stats.trivial += 1;
            return Answer::Unsat;
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Answer::Unknown(Why::Time);
        }
        let limits = Limits { time: Some(time.min(left)), memory: self.memory, cancel: Vec::new() };
        let start = Instant::now();
        let answer = self.solver.check_assuming(&mut self.d.pool, &[all], &limits);
        let took = start.elapsed();
        self.stats.solver += 1;
        self.stats.time += took;
        if self.stats.costliest.as_ref().is_none_or(|(_, t)| *t < took) {
            self.stats.costliest = Some((what(), took));
        }
        answer
    }
}

/// The goal with the facts, where they occur in it, replaced by true.
fn simplify_under(pool: &mut Pool, facts: &[TermId], goal: TermId) -> TermId {
    let mut flat = Vec::new();
    for &f in facts {
        match pool.node(f) {
            Node::And(xs) => flat.extend(xs.iter().copied()),
            _ => flat.push(f),
        }
    }
    let (yes, no) = (pool.bool(true), pool.bool(false));
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    for f in flat {
        match *pool.node(f) {
            Node::Not(x) => {
                map.insert(x, no);
            }
            Node::Bool(_) => {}
            _ => {
                map.insert(f, yes);
            }
        }
    }
    if map.is_empty() {
        return goal;
    }
    pool.substitute(goal, &map)
}
