//! Inputs of a counterexample made small: what the difference does not depend on is zero, memory has only the elements
//! it needs, and numbers are small with few bits set. Each step is kept where both sides, run on it, still differ.

use crate::model::budget::SMALLER;
use crate::model::{Acceptability, PairStates, Semantics, term_of};
use crate::prove::ProofSearch;
use crate::run::Outcome;
use smt::effort::Deadline;
use smt::{ArrayVal, Bv, Model, Value};

/// The most runs that one counterexample is worth.
const MOST_RUNS: u32 = 600;

/// Widths of numbers that people take for small, in bits.
const SMALL: [u32; 5] = [4, 8, 16, 32, 48];

/// What is left of the runs.
struct Allowance {
    runs: u32,
    end: Deadline,
}

impl Allowance {
    fn take(&mut self) -> bool {
        self.runs = self.runs.saturating_sub(1);
        self.runs > 0 && self.end.passed().is_none()
    }
}

impl<L: Semantics, R: Semantics, A: Acceptability> ProofSearch<'_, L, R, A> {
    /// A model like this one, on which the sides differ, that is simpler.
    pub(crate) fn minimised(&self, states: &PairStates, m: &Model, seed: u64) -> Model {
        let mut terms: Vec<_> = states.left.vals.iter().chain(&states.right.vals).map(term_of).collect();
        terms.extend(&states.assume);
        let mut best = m.clone();
        let mut allowance = Allowance { runs: MOST_RUNS, end: Deadline::after(SMALLER) };
        for s in self.pool().free_symbols(&terms) {
            let value = best.eval_all(self.pool(), &[self.pool().symbol_term(s)]).swap_remove(0);
            let mut try_one = |value: Value| {
                let mut next = best.clone();
                next.symbols.insert(s, value);
                let fine = allowance.take() && self.differs_on(states, &next, seed);
                if fine {
                    best = next;
                }
                fine
            };
            match value {
                Value::Bool(true) => {
                    try_one(Value::Bool(false));
                }
                Value::Bool(false) => {}
                Value::Bv(v) => smaller_number(v, &mut |v| try_one(Value::Bv(v.clone()))),
                Value::Array(a) => smaller_memory(a, &mut |a| try_one(Value::Array(a.clone()))),
            }
        }
        best
    }

    fn differs_on(&self, states: &PairStates, m: &Model, seed: u64) -> bool {
        let mut d = self.domain(m, seed);
        self.run_in(states, m, &mut d)
            .is_some_and(|(run, _)| run.outcome == Outcome::Differ && !run.unmodelled)
    }
}

/// Zero, or fewer bits, the highest gone first.
fn smaller_number(mut v: Bv, keeps: &mut dyn FnMut(&Bv) -> bool) {
    let width = v.width();
    if v.is_zero() || keeps(&Bv::zero(width)) || (!v.is_one() && keeps(&Bv::one(width))) {
        return;
    }
    for n in SMALL.into_iter().filter(|n| *n < width) {
        let cut = v.and(&Bv::low_ones(width, n));
        if cut != v && keeps(&cut) {
            v = cut;
            break;
        }
    }
    for i in (0..width).rev().filter(|_| v.count_ones() <= 16).collect::<Vec<_>>() {
        if v.bit(i) {
            let cut = v.and(&Bv::bit_at(width, i).not());
            if keeps(&cut) {
                v = cut;
            }
        }
    }
}

/// All elements alike, or as few others as needed, halves of them gone first.
fn smaller_memory(a: ArrayVal, keeps: &mut dyn FnMut(&ArrayVal) -> bool) {
    let (index, width) = (a.index_width(), a.default_elem().width());
    let filled = |default: &Bv, entries: &[(Bv, Bv)]| {
        let mut out = ArrayVal::new(index, default.clone());
        entries.iter().for_each(|(i, e)| out.set(i.clone(), e.clone()));
        out
    };
    let (zero, ones) = (Bv::zero(width), Bv::ones(width));
    if keeps(&filled(&zero, &[])) || keeps(&filled(&ones, &[])) {
        return;
    }
    let mut entries = a.entries();
    let mut default = a.default_elem().clone();
    if !default.is_zero() && keeps(&filled(&zero, &entries)) {
        default = zero;
    }
    let mut piece = entries.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        while at < entries.len() {
            let mut fewer = entries.clone();
            fewer.drain(at..(at + piece).min(entries.len()));
            if keeps(&filled(&default, &fewer)) {
                entries = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
}
