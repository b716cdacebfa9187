//! The search for a model by case splitting: the solver for a moment, then SAT sweeping, then one condition after the
//! other fixed to either value (as cube-and-conquer does), and the solver again.

use super::facts::{propagate, simplify};
use super::{Prover, spent};
use crate::budget::{
    ALIAS_SEARCH, ALIAS_SPLITS, CASE, CASE_DEPTH, GUARD_SPLITS, PATH_SPLITS, WHOLE_FIRST, WHOLE_SWEPT,
};
use crate::effort::{Deadline, Effort};
use crate::{Answer, Node, Pool, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How a query is taken apart into cases.
struct Cases {
    /// What closes a case, or makes it smaller, before the solver is asked.
    rewrite: fn(&mut Pool, &[TermId]) -> Option<Vec<TermId>>,
    /// The condition that is fixed next.
    next: fn(&Pool, &[TermId]) -> Option<TermId>,
    /// What the solver may spend on a case before it is split further; none where it is not asked.
    before: Option<Effort>,
}

/// By conditions of choices, all of them: a case is a path, on which both sides are the same terms again, mostly.
const PATHS: Cases = Cases { rewrite: simplify, next: choice, before: None };

/// By conditions under which addresses are apart: with these fixed, reads and writes are put in order.
const GUARDS: Cases = Cases { rewrite: simplify, next: guard_of_bounds, before: Some(CASE) };

/// By conditions of choices.
const CHOICES: Cases = Cases { rewrite: propagate, next: choice, before: Some(CASE) };

impl Prover {
    /// The solver for a moment; then what is equal in the query put together; then case by case, for as long as that
    /// helps; then the solver again.
    ///
    /// States merge where paths join, and the two sides may merge theirs in another order. Once the conditions of
    /// the choices are fixed, what each side computed on that path is often the same term again.
    pub(super) fn search(&mut self, goals: &[TermId], deadline: Deadline) -> Answer {
        self.split(goals, deadline, ALIAS_SPLITS)
    }

    fn split(&mut self, goals: &[TermId], deadline: Deadline, splits: u32) -> Answer {
        if splits > 0
            && let Some(same) = same_place(&self.d.pool, goals)
            && let Some(answer) = self.places(goals, (same, Vec::new()), deadline, splits - 1)
        {
            return answer;
        }
        let first = self.check(goals, WHOLE_FIRST.min(deadline.left().percent(50)));
        if !matches!(first, Answer::Unknown(_)) || deadline.left().is_zero() {
            if matches!(first, Answer::Unsat)
                && let Some(core) = self.solver.core()
            {
                self.cores.learn(core);
            }
            return first;
        }
        if splits > 0
            && let Some(place) = aligned_place(&mut self.d.pool, goals)
            && let until = Deadline::after(deadline.left().percent(50))
            && let Some(answer) = self.places(goals, place, until, splits - 1)
        {
            return answer;
        }
        if let Some(condition) = choice(&self.d.pool, goals) {
            let until = Deadline::after(deadline.left().percent(30));
            let answer = self.cases(goals, condition, until, PATH_SPLITS, &PATHS);
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        if let Some(guard) = guard_of_bounds(&self.d.pool, goals) {
            let until = Deadline::after(deadline.left().percent(30));
            let answer = self.cases(goals, guard, until, GUARD_SPLITS, &GUARDS);
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        let mut now = goals.to_vec();
        // What is equal everywhere first: that is told apart fastest.
        for facts in [false, true] {
            let until = Deadline::after(deadline.left().percent(30));
            let Some(swept) = self.sweep(&now, facts, until) else { continue };
            let Some(all) = simplify(&mut self.d.pool, &swept) else { return Answer::Unsat };
            now = all;
            let answer = self.check(&now, deadline.left().min(WHOLE_SWEPT));
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        let half = Deadline::after(deadline.left().percent(50));
        if let Some(condition) = choice(&self.d.pool, &now) {
            let answer = self.cases(&now, condition, half, CASE_DEPTH, &CHOICES);
            if let Some(answer) = self.of_query(goals, answer) {
                return answer;
            }
        }
        let answer = self.check(&now, deadline.left());
        self.of_query(goals, answer).unwrap_or(Answer::Unknown(spent()))
    }

    /// The goals where two addresses are the same, and where they are not: then more holds.
    fn places(
        &mut self,
        goals: &[TermId],
        (same, apart): (TermId, Vec<TermId>),
        deadline: Deadline,
        splits: u32,
    ) -> Option<Answer> {
        let Node::Eq(a, b) = *self.d.pool.node(same) else { return None };
        // The later term cannot be part of the earlier one.
        let map: FxHashMap<TermId, TermId> = [(a.max(b), a.min(b))].into_iter().collect();
        let mut one = self.d.pool.substitute_all(goals, &map);
        one.push(same);
        let mut two = goals.to_vec();
        two.push(self.d.pool.not(same));
        two.extend(apart);
        for case in [one, two] {
            let Some(all) = simplify(&mut self.d.pool, &case) else { continue };
            if deadline.passed().is_some() {
                return Some(Answer::Unknown(spent()));
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

    /// The goals where a condition holds, and where it does not; what stays open so by the next one.
    fn cases(
        &mut self,
        goals: &[TermId],
        condition: TermId,
        deadline: Deadline,
        depth: u32,
        by: &Cases,
    ) -> Answer {
        let not = self.d.pool.not(condition);
        for case in [condition, not] {
            let mut all = assume(&mut self.d.pool, goals, condition, case == condition);
            all.push(case);
            let Some(all) = (by.rewrite)(&mut self.d.pool, &all) else { continue };
            let left = deadline.left();
            if left.is_zero() {
                return Answer::Unknown(spent());
            }
            let next = if depth == 0 { None } else { (by.next)(&self.d.pool, &all) };
            let answer = match (next, by.before) {
                (None, None) => self.check(&all, CASE.min(left)),
                (None, Some(_)) => self.check(&all, left.percent(50)),
                (Some(c), None) => self.cases(&all, c, deadline, depth - 1, by),
                (Some(c), Some(before)) => match self.check(&all, before.min(left)) {
                    Answer::Unknown(_) => self.cases(&all, c, deadline, depth - 1, by),
                    answer => answer,
                },
            };
            if !matches!(answer, Answer::Unsat) {
                return answer;
            }
        }
        Answer::Unsat
    }
}

/// An equality of addresses that a promise leaves open: two areas are the same, or they lie apart.
fn same_place(pool: &Pool, goals: &[TermId]) -> Option<TermId> {
    let mut todo = goals.to_vec();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(t) = todo.pop() {
        if seen.len() >= ALIAS_SEARCH || !seen.insert(t) {
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

/// That a number is read where another of the same size was written, both at addresses that are multiples of the size, as facts
/// say; and how far these lie apart where they differ.
fn aligned_place(pool: &mut Pool, goals: &[TermId]) -> Option<(TermId, Vec<TermId>)> {
    let facts: FxHashSet<TermId> = goals.iter().copied().collect();
    for read in pool.postorder(goals) {
        let Node::Select(array, at) = *pool.node(read) else { continue };
        let (bits, Node::Store(_, writes)) = (pool.width(read), pool.node(array)) else { continue };
        if pool.array_widths(array) != (64, 8) || ![16, 32, 64].contains(&bits) {
            continue;
        }
        let same_size = |p: &Pool, v: TermId| p.width(v) == bits;
        let to: Vec<TermId> = writes.iter().filter(|w| same_size(pool, w.1)).map(|w| w.0).collect();
        for to in to {
            let aligned = [at, to].into_iter().all(|a| {
                let low = pool.extract((bits / 8).trailing_zeros() - 1, 0, a);
                let zero = pool.num((bits / 8).trailing_zeros(), 0);
                let fact = pool.eq(low, zero);
                pool.as_bool(fact) == Some(true) || facts.contains(&fact)
            });
            let same = pool.eq(at, to);
            if !aligned || !matches!(pool.node(same), Node::Eq(..)) || facts.contains(&same) {
                continue;
            }
            let (up, down, last) =
                (pool.sub(at, to), pool.sub(to, at), pool.num(64, u128::from(bits / 8 - 1)));
            return Some((same, vec![pool.ult(last, up), pool.ult(last, down)]));
        }
    }
    None
}

/// A condition that choices depend on, and under which a fact says that addresses are apart (it bounds a distance from below):
/// where it holds, what is read behind a write is what was there before; where it does not, nothing was written, mostly.
fn guard_of_bounds(pool: &Pool, goals: &[TermId]) -> Option<TermId> {
    let is_bound = |t: &TermId| match pool.node(*t) {
        Node::Ult(least, _) => pool.as_const(*least).is_some_and(|least| least.width() == 64),
        _ => false,
    };
    let bounds = |t: TermId| match *pool.node(t) {
        Node::Not(x) => match pool.node(x) {
            Node::And(xs) => xs.iter().any(is_bound),
            _ => is_bound(&x),
        },
        _ => false,
    };
    let mut guards: FxHashSet<TermId> = FxHashSet::default();
    for goal in goals {
        if let Node::Not(all) = *pool.node(*goal)
            && let Node::And(xs) = pool.node(all)
            && xs.iter().any(|x| bounds(*x))
        {
            guards.extend(xs.iter().filter(|x| !bounds(**x)).map(|x| atom(pool, *x)));
        }
    }
    if guards.is_empty() { None } else { most_used(pool, goals, |t| guards.contains(&t)) }
}

/// A condition without its negation.
fn atom(pool: &Pool, t: TermId) -> TermId {
    match pool.node(t) {
        Node::Not(x) => *x,
        _ => t,
    }
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
    most_used(pool, goals, |_| true)
}

/// The same among some conditions.
fn most_used(pool: &Pool, goals: &[TermId], among: impl Fn(TermId) -> bool) -> Option<TermId> {
    let mut count: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut add = |t: TermId| {
        let atom = atom(pool, t);
        if among(atom) {
            *count.entry(atom).or_default() += 1;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    /// What was written is read back by way of a pointer that was read before: where that is the place itself, and where it is
    /// another, which is as aligned, nothing is left to search.
    #[test]
    fn aligned_numbers_lie_at_one_place_or_apart() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let [at, to, v] = ["at", "to", "v"].map(|name| p.var(name, Sort::Bv(64)));
        let zero = p.num(3, 0);
        let [low_at, low_to] = [at, to].map(|a| p.extract(2, 0, a));
        let aligned = [p.eq(low_at, zero), p.eq(low_to, zero)];
        let stored = p.store(mem, to, v);
        let (read, plain) = (p.load(stored, at, 8), p.load(mem, at, 8));
        let (other, changed) = (p.ne(read, plain), p.ne(read, v));
        let goals = [aligned[0], aligned[1], other, changed];
        let (same, apart) = aligned_place(&mut p, &goals).expect("two places");
        assert_eq!(same, p.eq(at, to));
        let not = p.not(same);
        let far = [&goals[..], &[not], &apart].concat();
        assert_eq!(simplify(&mut p, &far), None);
        // Without the facts they may overlap.
        assert_eq!(aligned_place(&mut p, &goals[1..]), None);
    }
}
