//! Effort: how much work a thread has done, counted and not timed, so that a budget ends at the same step on every
//! machine and at every load.
//!
//! Each kind of work ([`Work`]) has a price in ticks ([`PRICES`]); the effort so far is the sum over all that was
//! counted. A tick is about a nanosecond of the machine that the prices were fitted on, which makes budgets readable and
//! is all that the unit means: two runs on the same input count the same ticks, whatever their time.
//!
//! Budgets are [`Effort`]s, ends of them [`Deadline`]s. Time has one place: a [`Ceiling`] on a whole question. Once it is
//! reached every deadline counts as passed, so that work ends soon, and whoever set it has to say "out of time"
//! whatever came of the work: an answer that was cut short by a clock is never told as one that was not.
//!
//! The counters belong to the thread, like the CPU clock they stand for. Only differences of them are looked at, so what
//! a thread did before changes nothing.

use crate::clock::Instant;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};
use std::time::Duration;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// A term is asked for by its structure: built, or found among those there are.
    Term,
    /// A node of a term is looked at by a rewrite or a walk.
    Node,
    /// A term is evaluated in a model.
    Value,
    /// A clause is handed to a SAT solver.
    Clause,
    /// A SAT solver decides on a variable.
    Decision,
    /// A SAT solver propagates a literal.
    Propagation,
    /// A SAT solver learns a clause from a conflict.
    Conflict,
    /// The SAT solver for hard searches goes through a thousand variables, which its conflicts and checks cost besides.
    Sweep,
    /// A run on concrete values does an operation.
    Operation,
    /// A program takes a step, on values or on terms.
    Step,
}

/// How many kinds of work there are.
const KINDS: usize = 10;

/// What one of each kind costs, in ticks. Fitted by least squares on the CPU time of the functions of lua and zlib at -O2
/// on a busy machine: within a third of it for those that take more than a second.
pub const PRICES: [(Work, u64); KINDS] = [
    (Work::Term, 260),
    (Work::Node, 10),
    (Work::Value, 120),
    (Work::Clause, 200),
    (Work::Decision, 100),
    (Work::Propagation, 100),
    (Work::Conflict, 4_000),
    (Work::Sweep, 500),
    (Work::Operation, 60),
    (Work::Step, 1_700),
];

thread_local! {
    static DONE: [Cell<u64>; KINDS] = const { [const { Cell::new(0) }; KINDS] };
    static CEILING: Cell<Option<Instant>> = const { Cell::new(None) };
    static REACHED: Cell<bool> = const { Cell::new(false) };
}

/// Counts work that was done.
#[inline]
pub fn count(work: Work, n: u64) {
    DONE.with(|done| {
        let cell = &done[work as usize];
        cell.set(cell.get().wrapping_add(n));
    });
}

/// What this thread has done so far, kind by kind.
pub fn done() -> [(Work, u64); KINDS] {
    DONE.with(|done| PRICES.map(|(work, _)| (work, done[work as usize].get())))
}

/// An amount of work, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Effort(u64);

impl Effort {
    /// None.
    pub const ZERO: Effort = Effort(0);
    /// As much as there can be.
    pub const MAX: Effort = Effort(u64::MAX);

    /// So many million ticks: about so many milliseconds.
    pub const fn mega(n: u64) -> Effort {
        Effort(n.saturating_mul(1_000_000))
    }

    /// In ticks.
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// What a number of one kind of work costs.
    pub fn of(work: Work, n: u64) -> Effort {
        Effort(PRICES[work as usize].1.saturating_mul(n))
    }

    /// What this thread has done so far.
    pub fn so_far() -> Effort {
        DONE.with(|done| {
            PRICES.iter().map(|(work, price)| Effort(price.wrapping_mul(done[*work as usize].get()))).sum()
        })
    }

    /// What this thread has done since.
    pub fn since(earlier: Effort) -> Effort {
        Effort::so_far() - earlier
    }

    /// A share of it: so many hundredths.
    #[must_use]
    pub const fn percent(self, n: u64) -> Effort {
        Effort((self.0 as u128 * n as u128 / 100) as u64)
    }

    /// So many times as much.
    #[must_use]
    pub const fn times(self, n: u64) -> Effort {
        Effort(self.0.saturating_mul(n))
    }

    /// Is it nothing?
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Mticks", self.0 / 1_000_000)
    }
}

impl Add for Effort {
    type Output = Effort;
    fn add(self, other: Effort) -> Effort {
        Effort(self.0.saturating_add(other.0))
    }
}

impl Sub for Effort {
    type Output = Effort;
    fn sub(self, other: Effort) -> Effort {
        Effort(self.0.saturating_sub(other.0))
    }
}

impl Sum for Effort {
    fn sum<I: Iterator<Item = Effort>>(all: I) -> Effort {
        all.fold(Effort::ZERO, Add::add)
    }
}

/// What ended work early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    /// A budget, at the same step every time.
    Effort,
    /// The ceiling on time.
    Time,
}

/// Where a budget ends, in the effort of the thread that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Deadline(Effort);

impl Deadline {
    /// None but the ceiling.
    pub const NEVER: Deadline = Deadline(Effort::MAX);

    /// So much work from now.
    pub fn after(budget: Effort) -> Deadline {
        Deadline(Effort::so_far() + budget)
    }

    /// The work that is left; none once the ceiling is reached.
    pub fn left(self) -> Effort {
        if ceiling_reached() { Effort::ZERO } else { self.0 - Effort::so_far() }
    }

    /// What it ended by, if it has.
    pub fn passed(self) -> Option<Spent> {
        self.passed_with(Effort::ZERO)
    }

    /// As [`Self::passed`], with work that is not counted yet.
    pub fn passed_with(self, more: Effort) -> Option<Spent> {
        if ceiling_reached() {
            Some(Spent::Time)
        } else {
            (Effort::so_far() + more >= self.0).then_some(Spent::Effort)
        }
    }
}

/// Has this thread reached the ceiling that is set for it? Stays so until that is taken away.
pub fn ceiling_reached() -> bool {
    if REACHED.get() {
        return true;
    }
    let reached = CEILING.get().is_some_and(|end| Instant::now() >= end);
    REACHED.set(reached);
    reached
}

/// A limit on the CPU time of this thread for as long as it lives. Where one is set already, the nearer one counts.
#[derive(Debug)]
pub struct Ceiling {
    before: Option<Instant>,
    reached: bool,
}

impl Ceiling {
    /// So much CPU time from now.
    #[must_use]
    pub fn start(time: Duration) -> Ceiling {
        let (before, reached) = (CEILING.get(), REACHED.get());
        let end = Instant::now().checked_add(time);
        CEILING.set(match (before, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        });
        Ceiling { before, reached }
    }

    /// Was the clock asked and found at its end? Then what came of the work may be other than with more time.
    pub fn reached(&self) -> bool {
        REACHED.get()
    }
}

impl Drop for Ceiling {
    fn drop(&mut self) {
        // What ended at an outer one's end has reached that one too.
        let both = REACHED.get() && CEILING.get() == self.before;
        REACHED.set(self.reached || both);
        CEILING.set(self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_listed_in_order() {
        for (n, (work, _)) in PRICES.iter().enumerate() {
            assert_eq!(*work as usize, n);
        }
    }

    #[test]
    fn a_budget_ends_with_the_work_and_not_with_time() {
        let end = Deadline::after(Effort::of(Work::Term, 10));
        std::thread::sleep(Duration::from_millis(20));
        count(Work::Term, 9);
        assert_eq!((end.passed(), end.left()), (None, Effort::of(Work::Term, 1)));
        assert_eq!(end.passed_with(Effort::of(Work::Term, 1)), Some(Spent::Effort));
        count(Work::Term, 1);
        assert_eq!((end.passed(), end.left()), (Some(Spent::Effort), Effort::ZERO));
    }

    #[test]
    fn a_ceiling_ends_everything_below_it() {
        let outer = Ceiling::start(Duration::from_secs(3600));
        {
            let inner = Ceiling::start(Duration::ZERO);
            assert_eq!(Deadline::NEVER.passed(), Some(Spent::Time));
            assert!(inner.reached() && Deadline::NEVER.left().is_zero());
        }
        assert!(!outer.reached() && Deadline::NEVER.passed().is_none());
        // Another one below it ends no later, and what that cut short this one did.
        let outer = Ceiling::start(Duration::ZERO);
        {
            let _inner = Ceiling::start(Duration::from_secs(3600));
            assert!(Deadline::NEVER.passed().is_some());
        }
        assert!(outer.reached());
        // One that is reached while it was not asked is none that changed anything.
        drop(outer);
        let unasked = Ceiling::start(Duration::ZERO);
        assert!(!unasked.reached());
    }
}
