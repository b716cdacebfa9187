//! The SAT solvers behind the embedded backend, with limits that hold.
//!
//! Nearly all searches of a proof are small and many, and end after a few hundred conflicts: those are batsat's, which
//! keeps what it learnt from one to the next. A search that outlives its budget of conflicts goes to CaDiCaL, which
//! simplifies between conflicts and takes a third to a half of the time on such formulas, but has to be given all
//! clauses first: with a tenth of the budget, a function of many queries of middling size took longer. The budget
//! counts conflicts, not time: the same queries get the same models on every machine.

mod large;
mod small;

use crate::effort::{Deadline, Effort, Spent, Work, count};
use large::Large;
use small::Small;

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
    Spent(Spent),
    Memory,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Sat,
    Unsat,
    Stopped(Stop),
}

/// What a search looks at to know when to stop.
struct Watch {
    deadline: Deadline,
    max_bytes: u64,
    /// Bytes of clauses, learnt ones included.
    bytes: u64,
}

impl Watch {
    /// Why to stop, if there is a reason, with effort that is counted only once the search ends.
    fn due(&self, more: Effort) -> Option<Stop> {
        if self.bytes > self.max_bytes {
            Some(Stop::Memory)
        } else {
            self.deadline.passed_with(more).map(Stop::Spent)
        }
    }
}

fn clause_bytes(n: usize) -> u64 {
    // Header, literals, two watches, allocator slack.
    48 + 8 * n as u64
}

/// A search whose last one needed the other solver has this part of the conflicts before it does as well.
const LESS: u64 = 8;

/// Which solver gave the last answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Small,
    Large,
}

/// A SAT solver with the constant as variable 0.
pub(crate) struct Sat {
    small: Small,
    large: Option<Large>,
    /// All clauses, in the numbers of DIMACS, each followed by zero.
    clauses: Vec<i32>,
    vars: u32,
    patience: u64,
    last: Last,
}

impl Sat {
    pub fn new(patience: u64) -> Sat {
        let mut s = Sat {
            small: Small::new(),
            large: None,
            clauses: Vec::new(),
            vars: 0,
            patience,
            last: Last::Small,
        };
        let t = s.new_var();
        debug_assert_eq!(t, Lit::TRUE);
        s.clause(&[t]);
        s
    }

    pub fn new_var(&mut self) -> Lit {
        let v = self.small.new_var();
        debug_assert_eq!(v, self.vars);
        self.vars += 1;
        Lit(2 * v)
    }

    pub fn vars(&self) -> u32 {
        self.vars
    }

    pub fn clause(&mut self, lits: &[Lit]) {
        count(Work::Clause, 1);
        self.clauses.extend(lits.iter().map(|l| dimacs(*l)));
        self.clauses.push(0);
        self.small.clause(lits);
    }

    pub fn solve(&mut self, assumptions: &[Lit], deadline: Deadline, max_bytes: u64) -> Found {
        let fixed = 200 * u64::from(self.vars) + 4 * self.clauses.len() as u64;
        let mut watch = Watch { deadline, max_bytes: max_bytes.saturating_sub(fixed), bytes: 0 };
        // The same assumptions again, with more clauses: it is not likely to be easy now.
        let again = self.large.as_ref().is_some_and(|l| l.is_for(assumptions));
        if !again {
            self.large = None;
        }
        let budget = if again { self.patience / LESS } else { self.patience };
        if budget > 0 {
            self.last = Last::Small;
            if let Some(found) = self.small.solve(assumptions, &mut watch, budget) {
                return found;
            }
        }
        self.last = Last::Large;
        let large = self.large.get_or_insert_with(|| Large::new(assumptions));
        large.solve(&self.clauses, self.vars, watch)
    }

    /// Did the last refutation take an assumption? Only batsat tells.
    pub fn in_core(&self, l: Lit) -> Option<bool> {
        match self.last {
            Last::Small => Some(self.small.in_core(l.0 >> 1)),
            Last::Large => None,
        }
    }

    /// The value of a literal in the model last found; unassigned counts as false.
    pub fn value(&self, l: Lit) -> bool {
        if l.is_const() {
            return l == Lit::TRUE;
        }
        let positive = match (self.last, &self.large) {
            (Last::Large, Some(large)) => large.value(l.0 >> 1),
            (Last::Large | Last::Small, _) => self.small.value(l.0 >> 1),
        };
        positive != l.negated()
    }
}

/// A literal in the numbers of DIMACS.
fn dimacs(l: Lit) -> i32 {
    // There are at most 2^30 variables: the limit on memory is hit long before.
    let v = (l.0 >> 1) as i32 + 1;
    if l.negated() { -v } else { v }
}
