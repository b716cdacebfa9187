//! The solver for the searches that are hard: CaDiCaL, made anew for each, so that what the query asks is a fact to it
//! and it can simplify as far as that goes.

use super::{Found, Lit, Stop, Watch, clause_bytes, dimacs};
use crate::effort::{Effort, Spent, Work, count};
use cadical::{Callbacks, Solver};

/// What it takes for a variable besides clauses: about as much in each of its two numberings.
const BYTES_PER_VAR: u64 = 400;

/// What CaDiCaL asks and tells during a search.
struct Calls {
    watch: Watch,
    hit: Option<Stop>,
    /// Thousands of variables, rounded up.
    thousands: u64,
}

impl Callbacks for Calls {
    fn terminate(&mut self) -> bool {
        // Asked every so many conflicts and every so many steps of its simplifications.
        count(Work::Sweep, self.thousands);
        if self.hit.is_none() {
            self.hit = self.watch.due(Effort::ZERO);
        }
        self.hit.is_some()
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    // Which of them it forgets it does not tell: an upper bound.
    fn learn(&mut self, clause: &[i32]) {
        count(Work::Conflict, 1);
        count(Work::Sweep, self.thousands);
        self.watch.bytes += clause_bytes(clause.len());
    }
}

/// A solver for one conjunction of literals.
pub(super) struct Large {
    inner: Solver<Calls>,
    goals: Vec<Lit>,
    /// Numbers of the list of clauses that it has.
    fed: usize,
    /// Variables there were at the last search.
    vars: u32,
    /// Bytes of all its clauses.
    bytes: u64,
}

impl Large {
    pub fn new(goals: &[Lit]) -> Large {
        let mut inner = Solver::new();
        for g in goals {
            inner.add_clause([dimacs(*g)]);
        }
        Large { inner, goals: goals.to_vec(), fed: 0, vars: 0, bytes: 0 }
    }

    /// Is the solver for these goals?
    pub fn is_for(&self, goals: &[Lit]) -> bool {
        self.goals == goals
    }

    /// Searches with all the clauses there are by now.
    pub fn solve(&mut self, clauses: &[i32], vars: u32, mut watch: Watch) -> Found {
        for clause in clauses[self.fed..].split(|l| *l == 0).filter(|c| !c.is_empty()) {
            self.inner.add_clause(clause.iter().copied());
            count(Work::Clause, 1);
            self.bytes += clause_bytes(clause.len());
        }
        self.fed = clauses.len();
        self.vars = vars;
        watch.max_bytes = watch.max_bytes.saturating_sub(BYTES_PER_VAR * u64::from(vars));
        watch.bytes = watch.bytes.saturating_add(self.bytes);
        if let Some(stop) = watch.due(Effort::ZERO) {
            return Found::Stopped(stop);
        }
        self.inner.set_callbacks(Some(Calls { watch, hit: None, thousands: u64::from(vars).div_ceil(1000) }));
        let answer = self.inner.solve();
        match answer {
            Some(true) => Found::Sat,
            Some(false) => Found::Unsat,
            None => Found::Stopped(
                self.inner.get_callbacks().and_then(|c| c.hit).unwrap_or(Stop::Spent(Spent::Effort)),
            ),
        }
    }

    /// The value of a variable in the model last found; newer ones count as false.
    pub fn value(&self, var: u32) -> bool {
        var < self.vars && self.inner.status() == Some(true) && self.inner.value(var as i32 + 1) == Some(true)
    }
}
