//! Tactics: how a proof asks. Is this implied, can this happen? Most queries close by rewriting with their own facts
//! ([`facts`]); what was refuted before refutes what says more ([`cores`]); the rest go to a solver within limits, by
//! case splitting ([`split`]) and SAT sweeping ([`sweep`]). Every query is accounted for ([`Stats`]).
//!
//! In goes a pool of terms and a backend, out come answers: a [`Prover`] holds both.

mod cores;
mod facts;
mod random;
mod ranges;
mod split;
mod stats;
mod sweep;

pub use stats::{SlowQuery, Stats};

use crate::budget::{CONJUNCTION, CONJUNCTS};
use crate::clock::Instant;
use crate::effort::{Deadline, Effort, ceiling_reached};
use crate::{Answer, Limits, Model, Node, Pool, Solver, Symbolic, TermId, Why};
use cores::CoreStore;
use facts::{FactContext, simplify};
use rustc_hash::{FxHashMap, FxHashSet};

/// The outcome of asking whether something holds.
#[derive(Clone, Debug)]
pub enum Holds {
    /// It does.
    Yes,
    /// It does not in this model.
    No(Box<Model>),
    /// Not known, and why.
    Unknown(Why),
}

/// A pool of terms with a backend behind it, and what earlier queries taught.
pub struct Prover {
    /// The terms.
    pub d: Symbolic,
    /// What was asked so far, and what it cost.
    pub stats: Stats,
    solver: Box<dyn Solver>,
    /// Memory of a search, in bytes.
    memory: u64,
    cores: CoreStore,
    /// Queries that stayed open, and the most they could spend: with no more than that they would again.
    open: FxHashMap<Vec<TermId>, Effort>,
    /// Goals of several parts that took too long as a whole, and were proved part by part.
    apart: FxHashSet<TermId>,
    /// The models found last: the next query may have one of them too.
    models: Vec<Model>,
    /// What the facts of the last queries say: the next often has the same.
    contexts: Vec<FactContext>,
}

impl Prover {
    /// A prover with nothing asked yet: the backend, and its memory in bytes.
    pub fn new(solver: Box<dyn Solver>, memory: u64) -> Prover {
        Prover {
            d: Symbolic::new(),
            stats: Stats::default(),
            solver,
            memory,
            cores: CoreStore::default(),
            open: FxHashMap::default(),
            apart: FxHashSet::default(),
            models: Vec::new(),
            contexts: Vec::new(),
        }
    }

    /// The backend, within a budget.
    fn check(&mut self, goals: &[TermId], effort: Effort) -> Answer {
        let limits = Limits { effort, memory: self.memory };
        self.solver.check(&mut self.d.pool, goals, &limits)
    }

    /// Do the facts imply the goal by normalisation alone?
    pub fn follows(&mut self, facts: &[TermId], goal: TermId) -> bool {
        let settled = self.settled(facts, goal);
        let yes = self.d.pool.as_bool(settled) == Some(true);
        self.stats.trivial += u64::from(yes);
        yes
    }

    /// Do the facts contradict each other by normalisation alone?
    pub fn contradict(&mut self, facts: &[TermId]) -> bool {
        let no = self.d.pool.bool(false);
        self.follows(facts, no)
    }

    /// A goal as it is where the facts hold.
    fn settled(&mut self, facts: &[TermId], goal: TermId) -> TermId {
        let mut context = match self.contexts.iter().position(|k| k.about(facts)) {
            Some(n) => self.contexts.remove(n),
            None => FactContext::of(&mut self.d.pool, facts),
        };
        let settled = context.settle(&mut self.d.pool, goal);
        self.contexts.truncate(CONTEXTS - 1);
        self.contexts.insert(0, context);
        settled
    }

    /// Do the facts imply the goal?
    pub fn implied(
        &mut self,
        facts: &[TermId],
        goal: TermId,
        budget: Effort,
        what: &dyn Fn() -> String,
    ) -> Holds {
        let pool = &mut self.d.pool;
        if pool.as_bool(goal) == Some(true) {
            self.stats.trivial += 1;
            return Holds::Yes;
        }
        let goal = self.settled(facts, goal);
        let pool = &mut self.d.pool;
        if pool.as_bool(goal) == Some(true) {
            self.stats.trivial += 1;
            return Holds::Yes;
        }
        let parts = match pool.node(goal) {
            Node::And(xs) if xs.len() <= CONJUNCTS => xs.to_vec(),
            _ => Vec::new(),
        };
        let start = Effort::so_far();
        if parts.is_empty() || !self.apart.contains(&goal) {
            let whole = if parts.is_empty() { budget } else { CONJUNCTION.min(budget.percent(50)) };
            let holds = self.implied_whole(facts, goal, whole, what);
            if parts.is_empty() || !matches!(holds, Holds::Unknown(Why::Effort | Why::Incomplete(_))) {
                return holds;
            }
        }
        // One part after the other.
        for part in parts {
            let left = budget - Effort::since(start);
            let holds = self.implied_whole(facts, part, left, what);
            if !matches!(holds, Holds::Yes) {
                return holds;
            }
        }
        self.apart.insert(goal);
        Holds::Yes
    }

    fn implied_whole(
        &mut self,
        facts: &[TermId],
        goal: TermId,
        budget: Effort,
        what: &dyn Fn() -> String,
    ) -> Holds {
        let not = self.d.pool.not(goal);
        let mut all = facts.to_vec();
        all.push(not);
        match self.possible(&all, budget, what) {
            Answer::Sat(m) => Holds::No(Box::new(m)),
            Answer::Unsat => Holds::Yes,
            Answer::Unknown(w) => Holds::Unknown(w),
        }
    }

    /// Can all of these be true at once?
    pub fn possible(&mut self, facts: &[TermId], budget: Effort, what: &dyn Fn() -> String) -> Answer {
        let Some(all) = simplify(&mut self.d.pool, facts) else {
            self.stats.trivial += 1;
            return Answer::Unsat;
        };
        if self.cores.refute(&all) {
            self.stats.repeated += 1;
            return Answer::Unsat;
        }
        if let Some((n, model)) = self.met_before(&all) {
            self.stats.repeated += 1;
            self.models.remove(n);
            self.models.insert(0, model.clone());
            return Answer::Sat(model);
        }
        if self.open.get(&all).is_some_and(|spent| budget <= *spent) {
            self.stats.repeated += 1;
            return Answer::Unknown(spent());
        }
        let deadline = Deadline::after(budget);
        if deadline.left().is_zero() {
            return Answer::Unknown(spent());
        }
        let (clock, start) = (Instant::now(), Effort::so_far());
        let answer = self.search_in_ranges(&all, deadline);
        if let Answer::Sat(m) = &answer {
            self.models.truncate(MODELS - 1);
            self.models.insert(0, m.clone());
        }
        let effort = Effort::since(start);
        if matches!(answer, Answer::Unsat) && !self.cores.refute(&all) {
            self.cores.learn(&all);
        }
        if matches!(answer, Answer::Unknown(Why::Effort)) {
            self.open.insert(all, budget);
        }
        self.stats.solver += 1;
        self.stats.note(what, &answer, effort, clock.elapsed());
        answer
    }

    /// A model found before that facts have, too, and where it is kept. Objects of the facts that it does not know are given
    /// places of their own.
    fn met_before(&self, facts: &[TermId]) -> Option<(usize, Model)> {
        let pool = &self.d.pool;
        let mut symbols = None;
        let mut fitting = |model: &Model| {
            if !fits(pool, facts, model) {
                return None;
            }
            let symbols = symbols.get_or_insert_with(|| pool.free_symbols(facts));
            let placed = pool.with_objects(symbols, model)?;
            let same = placed.symbols.len() == model.symbols.len();
            ((same || fits(pool, facts, &placed)) && ranges::hold(pool, facts, &placed)).then_some(placed)
        };
        self.models.iter().enumerate().find_map(|(n, model)| Some((n, fitting(model)?)))
    }
}

/// How many models are kept in mind.
const MODELS: usize = 12;

/// How many sets of facts are kept in mind.
const CONTEXTS: usize = 4;

/// Why a query has no answer whose budget is used up.
fn spent() -> Why {
    if ceiling_reached() { Why::Time } else { Why::Effort }
}

/// Do all facts hold in a model? The last are the goal's, and the most often false.
fn fits(pool: &Pool, facts: &[TermId], model: &Model) -> bool {
    let mut values = FxHashMap::default();
    facts.iter().rev().all(|f| model.eval_cached(pool, &[*f], &mut values)[0].as_bool())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bv, Embedded, Sort};

    #[test]
    fn what_stayed_open_is_asked_again_only_with_more_to_spend() {
        let mut prover = Prover::new(Box::new(Embedded::new()), 1 << 30);
        let pool = &mut prover.d.pool;
        let (x, y) = (pool.var("x", Sort::Bv(64)), pool.var("y", Sort::Bv(64)));
        // The product of two primes, each factor below 2^32 and above one.
        let (product, n) = (pool.mul(x, y), pool.constant(Bv::new(64, 4_294_967_291 * 4_294_967_279)));
        let (low, one) = (pool.constant(Bv::new(64, 1 << 32)), pool.constant(Bv::one(64)));
        let facts =
            [pool.eq(product, n), pool.ult(x, low), pool.ult(y, low), pool.ult(one, x), pool.ult(x, y)];
        let mut ask = |budget: Effort| {
            let open = matches!(prover.possible(&facts, budget, &String::new), Answer::Unknown(Why::Effort));
            (open, prover.stats.solver, prover.stats.repeated)
        };
        assert_eq!(ask(Effort::mega(2)), (true, 1, 0));
        assert_eq!(ask(Effort::mega(2)), (true, 1, 1));
        assert_eq!(ask(Effort::mega(3)), (true, 2, 1));
        assert_eq!(ask(Effort::mega(1)), (true, 2, 2));
    }
}
