//! The solver for many small searches: batsat, which keeps what it learnt.

use super::{Found, Lit, Stop, Watch, clause_bytes};
use crate::effort::{Deadline, Effort, Work, count};
use batsat::{Callbacks, ClauseKind, Solver as Batsat, SolverInterface, lbool};
use std::cell::Cell;

/// What batsat asks and tells during a search.
struct Calls {
    watch: Watch,
    /// Clauses learnt in this search, and how many it may learn.
    learnt: u64,
    budget: u64,
    decisions: Cell<u64>,
    /// Propagations that follow from a decision or a conflict, by what was seen before this search: how many there are
    /// in this one is known only at its end.
    rate: u64,
    hit: Cell<Option<Stop>>,
}

impl Callbacks for Calls {
    fn on_new_clause(&mut self, c: &[batsat::Lit], src: ClauseKind) {
        self.watch.bytes += clause_bytes(c.len());
        if src == ClauseKind::Learnt {
            count(Work::Conflict, 1);
            self.learnt += 1;
        }
    }

    fn on_delete_clause(&mut self, c: &[batsat::Lit]) {
        self.watch.bytes = self.watch.bytes.saturating_sub(clause_bytes(c.len()));
    }

    fn stop(&self) -> bool {
        if self.hit.get().is_some() || self.learnt >= self.budget {
            return true;
        }
        count(Work::Decision, 1);
        let decisions = self.decisions.get() + 1;
        self.decisions.set(decisions);
        if decisions & 0x3f != 0 {
            return false;
        }
        let stop = self.watch.due(Effort::of(Work::Propagation, (decisions + self.learnt) * self.rate));
        self.hit.set(stop);
        stop.is_some()
    }
}

/// Propagations taken to follow from a decision before any were seen.
const RATE: u64 = 10;

/// A solver, with the assumptions of the last search in reach.
pub(super) struct Small {
    inner: Batsat<Calls>,
    buf: Vec<batsat::Lit>,
    /// Decisions and conflicts of all searches so far.
    turns: u64,
}

impl Small {
    pub fn new() -> Small {
        let calls = Calls {
            watch: Watch { deadline: Deadline::NEVER, max_bytes: u64::MAX, bytes: 0 },
            learnt: 0,
            budget: u64::MAX,
            decisions: Cell::new(0),
            rate: RATE,
            hit: Cell::new(None),
        };
        Small { inner: Batsat::new(Default::default(), calls), buf: Vec::new(), turns: 0 }
    }

    pub fn new_var(&mut self) -> u32 {
        self.inner.new_var_default().idx()
    }

    fn lit(&mut self, l: Lit) -> batsat::Lit {
        batsat::Lit::new(self.inner.var_of_int(l.0 >> 1), !l.negated())
    }

    pub fn clause(&mut self, lits: &[Lit]) {
        let mut buf = std::mem::take(&mut self.buf);
        buf.clear();
        for &l in lits {
            let l = self.lit(l);
            buf.push(l);
        }
        self.inner.cb_mut().watch.bytes += clause_bytes(lits.len());
        self.inner.add_clause_reuse(&mut buf);
        self.buf = buf;
    }

    /// Searches for so many conflicts; none when those did not do.
    pub fn solve(&mut self, assumptions: &[Lit], watch: &mut Watch, budget: u64) -> Option<Found> {
        let lits: Vec<batsat::Lit> = assumptions.iter().map(|l| self.lit(*l)).collect();
        let before = self.inner.num_propagations();
        let rate = before.checked_div(self.turns).map_or(RATE, |rate| rate.max(1));
        let calls = self.inner.cb_mut();
        watch.bytes = calls.watch.bytes;
        std::mem::swap(&mut calls.watch, watch);
        calls.learnt = 0;
        calls.budget = budget;
        calls.hit.set(None);
        calls.decisions.set(0);
        calls.rate = rate;
        let r = self.inner.solve_limited(&lits);
        count(Work::Propagation, self.inner.num_propagations().wrapping_sub(before));
        let calls = self.inner.cb_mut();
        self.turns += calls.decisions.get() + calls.learnt;
        std::mem::swap(&mut calls.watch, watch);
        calls.watch.bytes = watch.bytes;
        if r == lbool::TRUE {
            Some(Found::Sat)
        } else if r == lbool::FALSE {
            Some(Found::Unsat)
        } else {
            calls.hit.get().map(Found::Stopped)
        }
    }

    /// Did the last refutation take the assumption about a variable?
    pub fn in_core(&self, var: u32) -> bool {
        self.inner.unsat_core_contains_var(batsat::Var::unsafe_from_idx(var))
    }

    /// The value of a variable in the model last found.
    pub fn value(&self, var: u32) -> bool {
        self.inner.value_var(batsat::Var::unsafe_from_idx(var)) == lbool::TRUE
    }
}
