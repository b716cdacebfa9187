//! The embedded backend: arrays and functions eliminated, bit-blasted, decided by a SAT solver.
//! Nothing but crates; always there.

mod blast;
mod gates;
mod lemmas;
mod sat;

use crate::budget::{KEPT_VARIABLES, LEMMA_ROUNDS, SMALL_SEARCH};
use crate::effort::{Deadline, Effort, Spent};
use crate::{Answer, Limits, Pool, Solver, TermId, Why};
use blast::Blaster;
use lemmas::Refined;
use sat::{Found, Lit, Stop};

/// With more variables than this, definitions are thrown away once a query is about few of them: a model gives all
/// variables values, whatever the query is about.
const FEW_VARS: u32 = 6_000;

/// A query is about few of the definitions if they are this many times as many as its terms.
const SPARSE: usize = 3;

/// Memory a variable takes with the clauses that define it, at least.
const BYTES_PER_VAR: u64 = 400;

/// The embedded solver.
pub struct Embedded {
    blaster: Blaster,
    /// Tries first, with lemmas on demand.
    lazy: Blaster,
    /// Conflicts a search has before it is left to the solver for hard ones.
    patience: u64,
    /// What the last refutation took of what was asked; none where that is not known.
    core: Option<Vec<TermId>>,
    /// The last search ran out of memory: what earlier queries left there must go.
    full: bool,
}

impl Default for Embedded {
    fn default() -> Self {
        Embedded::with_patience(SMALL_SEARCH)
    }
}

impl Embedded {
    /// A solver with nothing asserted.
    pub fn new() -> Embedded {
        Embedded::default()
    }

    /// A solver that leaves a search to CaDiCaL after so many conflicts: at once with none, never with `u64::MAX`.
    pub fn with_patience(conflicts: u64) -> Embedded {
        Embedded {
            blaster: Blaster::new(conflicts),
            lazy: Blaster::lazy(conflicts),
            patience: conflicts,
            core: None,
            full: false,
        }
    }

    /// Lemmas on demand; none when that does not decide it.
    fn on_demand(&mut self, pool: &mut Pool, goals: &[TermId], limits: &Limits) -> Option<Answer> {
        if self.lazy.belongs_to_other(pool) || self.lazy.vars() > KEPT_VARIABLES {
            self.lazy = Blaster::lazy(self.patience);
            self.lazy.belongs_to_other(pool);
        }
        let answer = self.rounds(pool, goals, limits);
        if std::mem::take(&mut self.full) || self.lazy.overflown().is_some() {
            self.lazy = Blaster::lazy(self.patience);
        }
        answer
    }

    fn rounds(&mut self, pool: &mut Pool, goals: &[TermId], limits: &Limits) -> Option<Answer> {
        // The rest is for the whole search.
        let deadline = Deadline::after(limits.effort.percent(50));
        let vars = (limits.memory / BYTES_PER_VAR).min(u64::from(u32::MAX / 4)) as u32;
        self.lazy.limit(vars, deadline);
        self.lazy.focus(pool, goals);
        if self.lazy.vars() > FEW_VARS && self.lazy.sparse(SPARSE) {
            self.lazy = Blaster::lazy(self.patience);
            self.lazy.belongs_to_other(pool);
            self.lazy.limit(vars, deadline);
            self.lazy.focus(pool, goals);
        }
        let mut lits: Vec<Lit> = Vec::with_capacity(goals.len());
        for &g in goals {
            let l = self.lazy.bool(pool, g);
            if self.lazy.overflown().is_some() {
                return None;
            }
            if l == Lit::FALSE {
                self.core = Some(vec![g]);
                return Some(Answer::Unsat);
            }
            lits.push(l);
        }
        for _ in 0..LEMMA_ROUNDS {
            self.lazy.mark();
            match self.lazy.solve(&lits, deadline, limits) {
                Found::Unsat => {
                    self.core = core(&self.lazy, goals, &lits);
                    return Some(Answer::Unsat);
                }
                Found::Stopped(s) => {
                    self.full |= s == Stop::Memory;
                    return None;
                }
                Found::Sat => {}
            }
            match self.lazy.refine(pool) {
                Refined::More => {}
                Refined::Nothing => {
                    let model = self.lazy.lazy_model(pool);
                    let fine = model.eval_all(pool, goals).iter().all(crate::Value::as_bool);
                    return fine.then_some(Answer::Sat(model));
                }
            }
            if self.lazy.overflown().is_some() {
                return None;
            }
        }
        None
    }

    fn run(&mut self, pool: &mut Pool, goals: &[TermId], limits: &Limits) -> Answer {
        let deadline = Deadline::after(limits.effort);
        let vars = (limits.memory / BYTES_PER_VAR).min(u64::from(u32::MAX / 4)) as u32;
        self.blaster.limit(vars, deadline);
        let mut lits: Vec<Lit> = Vec::with_capacity(goals.len());
        for &g in goals {
            let l = self.blaster.bool(pool, g);
            if l == Lit::FALSE && self.blaster.overflown().is_none() {
                self.core = Some(vec![g]);
                return Answer::Unsat;
            }
            lits.push(l);
        }
        self.blaster.finish(pool);
        if let Some(s) = self.blaster.overflown() {
            return Answer::Unknown(why(s));
        }
        match self.blaster.solve(&lits, deadline, limits) {
            Found::Unsat => {
                self.core = core(&self.blaster, goals, &lits);
                Answer::Unsat
            }
            Found::Stopped(s) => {
                self.full |= s == Stop::Memory;
                Answer::Unknown(why(s))
            }
            Found::Sat => {
                let model = self.blaster.model(pool);
                let vals = model.eval_all(pool, goals);
                if vals.iter().all(crate::Value::as_bool) {
                    Answer::Sat(model)
                } else {
                    Answer::Unknown(Why::Incomplete("array equalities: the candidate model fails".into()))
                }
            }
        }
    }
}

/// The goals whose literals the last refutation took.
fn core(blaster: &Blaster, goals: &[TermId], lits: &[Lit]) -> Option<Vec<TermId>> {
    let mut core = Vec::new();
    for (g, l) in goals.iter().zip(lits) {
        if blaster.in_core(*l)? {
            core.push(*g);
        }
    }
    (!core.is_empty()).then_some(core)
}

fn why(s: Stop) -> Why {
    match s {
        Stop::Spent(Spent::Effort) => Why::Effort,
        Stop::Spent(Spent::Time) => Why::Time,
        Stop::Memory => Why::Memory,
    }
}

impl Solver for Embedded {
    fn name(&self) -> &str {
        "embedded"
    }

    fn core(&self) -> Option<&[TermId]> {
        self.core.as_deref()
    }

    fn check(&mut self, pool: &mut Pool, asked: &[TermId], limits: &Limits) -> Answer {
        self.core = None;
        let goals = crate::solver::all_goals(pool, asked);
        if goals.iter().any(|g| pool.as_bool(*g) == Some(false)) {
            return Answer::Unsat;
        }
        if self.blaster.belongs_to_other(pool) || self.blaster.vars() > KEPT_VARIABLES {
            self.blaster = Blaster::new(self.patience);
            self.blaster.belongs_to_other(pool);
        }
        let start = Effort::so_far();
        if let Some(answer) = self.on_demand(pool, &goals, limits) {
            return answer;
        }
        let rest = Limits { effort: limits.effort - Effort::since(start), ..limits.clone() };
        let answer = self.run(pool, &goals, &rest);
        if std::mem::take(&mut self.full) || self.blaster.overflown().is_some() {
            self.blaster = Blaster::new(self.patience);
        }
        answer
    }
}
