//! The search for a model by case splitting: the solver for a moment, then SAT sweeping, then one condition after the
//! other fixed to either value (as cube-and-conquer does), and the solver again.

use super::Prover;
use super::facts::{propagate, simplify};
use crate::clock::Instant;
use crate::{Answer, Node, Pool, Sort, TermId, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// What the search as a whole has before anything else is tried.
const FIRST: Duration = Duration::from_millis(300);

/// What a query has whose parts were put together, before it is cut into cases.
const SECOND: Duration = Duration::from_millis(500);

/// What each case has before it is cut further.
const SLICE: Duration = Duration::from_millis(120);

/// Most pairs of addresses that are taken for equal and for different before anything else.
const SPLITS: u32 = 3;

/// Most conditions fixed one after the other.
const DEEPEST: u32 = 24;

impl Prover {
    /// The solver for a moment; then what is equal in the query put together; then case by case, for as long as that
    /// helps; then the solver again.
    ///
    /// States merge where paths join, and the two sides may merge theirs in another order. Once the conditions of
    /// the choices are fixed, what each side computed on that path is often the same term again.
    pub(super) fn search(&mut self, goals: &[TermId], deadline: Instant) -> Answer {
        self.split(goals, deadline, SPLITS)
    }

    fn split(&mut self, goals: &[TermId], deadline: Instant, splits: u32) -> Answer {
        let left = || deadline.saturating_duration_since(Instant::now());
        if splits > 0
            && let Some(same) = same_place(&self.d.pool, goals)
            && let Some(answer) = self.places(goals, same, deadline, splits - 1)
        {
            return answer;
        }
        let first = self.check(goals, FIRST.min(left().mul_f64(0.5)));
        if !matches!(first, Answer::Unknown(_)) || left().is_zero() {
            if matches!(first, Answer::Unsat)
                && let Some(core) = self.solver.core()
            {
                self.cores.learn(core);
            }
            return first;
        }
        let mut now = goals.to_vec();
        // What is equal everywhere first: that is told apart fastest.
        for facts in [false, true] {
            let until = Instant::now() + left().mul_f64(0.3);
            let Some(swept) = self.sweep(&now, facts, until) else { continue };
            let Some(all) = simplify(&mut self.d.pool, &swept) else { return Answer::Unsat };
            now = all;
            let answer = self.check(&now, left().min(SECOND));
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        let half = Instant::now() + left().mul_f64(0.5);
        if let Some(condition) = choice(&self.d.pool, &now) {
            let answer = self.cases(&now, condition, half, DEEPEST);
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        let answer = self.check(&now, left());
        self.of_query(goals, answer).unwrap_or(Answer::Unknown(Why::Time))
    }

    /// The goals where two addresses are the same, and where they are not.
    fn places(&mut self, goals: &[TermId], same: TermId, deadline: Instant, splits: u32) -> Option<Answer> {
        let Node::Eq(a, b) = *self.d.pool.node(same) else { return None };
        // The later term cannot be part of the earlier one.
        let map: FxHashMap<TermId, TermId> = [(a.max(b), a.min(b))].into_iter().collect();
        let mut one = self.d.pool.substitute_all(goals, &map);
        one.push(same);
        let mut two = goals.to_vec();
        two.push(self.d.pool.not(same));
        for case in [one, two] {
            let Some(all) = simplify(&mut self.d.pool, &case) else { continue };
            if Instant::now() >= deadline {
                return Some(Answer::Unknown(Why::Time));
            }
            let answer = self.split(&all, deadline, splits);
            match self.of_query(goals, answer) {
                Some(Answer::Unsat) => {}
                answer => return answer,
            }
        }
        Some(Answer::Unsat)
    }

    /// What an answer to a form of the query that follows from it says about the query.
    fn of_query(&self, goals: &[TermId], answer: Answer) -> Option<Answer> {
        match answer {
            Answer::Unsat => Some(Answer::Unsat),
            Answer::Sat(m) => {
                let fits = m.eval_all(&self.d.pool, goals).iter().all(crate::Value::as_bool);
                fits.then_some(Answer::Sat(m))
            }
            Answer::Unknown(_) => None,
        }
    }

    fn cases(&mut self, goals: &[TermId], condition: TermId, deadline: Instant, depth: u32) -> Answer {
        let not = self.d.pool.not(condition);
        for case in [condition, not] {
            let mut all = assume(&mut self.d.pool, goals, condition, case == condition);
            all.push(case);
            let Some(all) = propagate(&mut self.d.pool, &all) else { continue };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Answer::Unknown(Why::Time);
            }
            let next = if depth == 0 { None } else { choice(&self.d.pool, &all) };
            let time = if next.is_some() { SLICE.min(left) } else { left / 2 };
            let answer = match (self.check(&all, time), next) {
                (Answer::Unknown(_), Some(c)) => self.cases(&all, c, deadline, depth - 1),
                (answer, _) => answer,
            };
            if !matches!(answer, Answer::Unsat) {
                return answer;
            }
        }
        Answer::Unsat
    }
}

/// Most Boolean terms that are searched for such an equality.
const SEARCHED: usize = 2_000;

/// An equality of addresses that a promise leaves open: two areas are the same, or they lie apart.
fn same_place(pool: &Pool, goals: &[TermId]) -> Option<TermId> {
    let mut todo = goals.to_vec();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(t) = todo.pop() {
        if seen.len() >= SEARCHED || !seen.insert(t) {
            continue;
        }
        match pool.node(t) {
            Node::Not(x) => todo.push(*x),
            Node::And(xs) => {
                if let Some(e) = same_or_apart(pool, xs) {
                    return Some(e);
                }
                todo.extend(xs.iter());
            }
            Node::Ite(c, a, b) if pool.sort(t) == Sort::Bool => todo.extend([*c, *a, *b]),
            _ => {}
        }
    }
    None
}

/// Among parts that can't all be true: two addresses differ, and their distances are not both large.
fn same_or_apart(pool: &Pool, parts: &[TermId]) -> Option<TermId> {
    let inside = |t: &TermId| match *pool.node(*t) {
        Node::Not(x) => Some(x),
        _ => None,
    };
    let distance = |t: &TermId| matches!(pool.node(*t), Node::Ult(k, _) if pool.as_const(*k).is_some());
    let near = |t: TermId| matches!(pool.node(t), Node::And(ds) if ds.len() == 2 && ds.iter().all(distance));
    if !parts.iter().filter_map(inside).any(near) {
        return None;
    }
    parts.iter().filter_map(inside).find(|e| {
        let Node::Eq(a, b) = *pool.node(*e) else { return false };
        let address = matches!(pool.sort(a), Sort::Bv(64));
        address && pool.as_const(a).is_none() && pool.as_const(b).is_none()
    })
}

/// The goals where a condition is settled.
fn assume(pool: &mut Pool, goals: &[TermId], condition: TermId, holds: bool) -> Vec<TermId> {
    let value = pool.bool(holds);
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    map.insert(condition, value);
    if holds && let Node::Eq(a, b) = *pool.node(condition) {
        match (pool.as_const(a).is_some(), pool.as_const(b).is_some()) {
            (true, false) => drop(map.insert(b, a)),
            (false, true) => drop(map.insert(a, b)),
            (true, true) | (false, false) => {}
        }
    }
    pool.substitute_all(goals, &map)
}

/// The condition that most choices depend on, the earliest of them.
fn choice(pool: &Pool, goals: &[TermId]) -> Option<TermId> {
    let mut count: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut add = |t: TermId| {
        let atom = match pool.node(t) {
            Node::Not(x) => *x,
            _ => t,
        };
        *count.entry(atom).or_default() += 1;
    };
    for t in pool.postorder(goals) {
        let Node::Ite(c, ..) = pool.node(t) else { continue };
        match pool.node(*c) {
            Node::And(xs) => xs.iter().for_each(|x| add(*x)),
            _ => add(*c),
        }
    }
    count.into_iter().max_by_key(|(t, n)| (*n, std::cmp::Reverse(*t))).map(|(t, _)| t)
}
