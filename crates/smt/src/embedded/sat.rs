//! The SAT solver behind the embedded backend, with limits that hold.

use crate::clock::Instant;
use batsat::{Callbacks, ClauseKind, Solver as Batsat, SolverInterface, lbool};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A literal: twice the variable, plus one when negated. Variable 0 is the constant: literal 0 is
/// true, 1 is false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lit(pub u32);

impl Lit {
    pub const TRUE: Lit = Lit(0);
    pub const FALSE: Lit = Lit(1);

    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_const(self) -> bool {
        self.0 < 2
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Why a search stopped without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Time,
    Memory,
    Cancelled,
}

/// What the search looks at to know when to stop.
#[derive(Default)]
struct Watch {
    deadline: Option<Instant>,
    cancel: Vec<Arc<AtomicBool>>,
    max_bytes: u64,
    /// Bytes of clauses, learnt ones included.
    bytes: u64,
    ticks: Cell<u32>,
    hit: Cell<Option<Stop>>,
}

fn clause_bytes(n: usize) -> u64 {
    // Header, literals, two watches, allocator slack.
    48 + 8 * n as u64
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, c: &[batsat::Lit], _src: ClauseKind) {
        self.bytes += clause_bytes(c.len());
    }

    fn on_delete_clause(&mut self, c: &[batsat::Lit]) {
        self.bytes = self.bytes.saturating_sub(clause_bytes(c.len()));
    }

    fn stop(&self) -> bool {
        if self.hit.get().is_some() {
            return true;
        }
        let t = self.ticks.get().wrapping_add(1);
        self.ticks.set(t);
        if t & 0x3f != 0 {
            return false;
        }
        let stop = if self.bytes > self.max_bytes {
            Some(Stop::Memory)
        } else if self.deadline.is_some_and(|d| Instant::now() >= d) {
            Some(Stop::Time)
        } else if self.cancel.iter().any(|c| c.load(Ordering::Relaxed)) {
            Some(Stop::Cancelled)
        } else {
            None
        };
        self.hit.set(stop);
        stop.is_some()
    }
}

/// What a search found.
pub(crate) enum Found {
    Sat,
    Unsat,
    Stopped(Stop),
}

/// A SAT solver with the constant as variable 0.
pub(crate) struct Sat {
    inner: Batsat<Watch>,
    buf: Vec<batsat::Lit>,
    vars: u32,
}

impl Sat {
    pub fn new() -> Sat {
        let watch = Watch { max_bytes: u64::MAX, ..Watch::default() };
        let mut s = Sat { inner: Batsat::new(Default::default(), watch), buf: Vec::new(), vars: 0 };
        let t = s.new_var();
        debug_assert_eq!(t, Lit::TRUE);
        s.clause(&[t]);
        s
    }

    pub fn new_var(&mut self) -> Lit {
        let v = self.inner.new_var_default();
        debug_assert_eq!(v.idx(), self.vars);
        self.vars += 1;
        Lit(2 * v.idx())
    }

    pub fn vars(&self) -> u32 {
        self.vars
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
        self.inner.cb_mut().bytes += clause_bytes(lits.len());
        self.inner.add_clause_reuse(&mut buf);
        self.buf = buf;
    }

    pub fn solve(
        &mut self,
        assumptions: &[Lit],
        deadline: Option<Instant>,
        max_bytes: u64,
        cancel: Vec<Arc<AtomicBool>>,
    ) -> Found {
        let lits: Vec<batsat::Lit> = assumptions.iter().map(|l| self.lit(*l)).collect();
        let fixed = 200 * u64::from(self.vars);
        let cb = self.inner.cb_mut();
        cb.deadline = deadline;
        cb.cancel = cancel;
        cb.max_bytes = max_bytes.saturating_sub(fixed);
        cb.hit.set(None);
        cb.ticks.set(0);
        let r = self.inner.solve_limited(&lits);
        if r == lbool::TRUE {
            Found::Sat
        } else if r == lbool::FALSE {
            Found::Unsat
        } else {
            Found::Stopped(self.inner.cb().hit.get().unwrap_or(Stop::Time))
        }
    }

    /// The value of a literal in the model last found; unassigned counts as false.
    pub fn value(&mut self, l: Lit) -> bool {
        if l.is_const() {
            return l == Lit::TRUE;
        }
        let v = Lit(l.0 & !1);
        let positive = self.lit(v);
        (self.inner.value_lit(positive) == lbool::TRUE) != l.negated()
    }
}
