//! The search for a model by case splitting: the solver for a moment, then path by path with rewriting alone, then SAT
//! sweeping, then one condition after the other fixed to either value (as cube-and-conquer does), and the solver again.

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
    next: fn(&mut Pool, &[TermId]) -> Option<TermId>,
    /// What the solver may spend on a case before it is split further; none where it is not asked.
    before: Option<Effort>,
    /// Most conditions fixed one after the other.
    depth: u32,
}

/// By all conditions of choices (`if-then-else` terms), then by whether two aligned places are one: a case is a path through both
/// programs, on which what the two sides computed is mostly the same term.
const PATHS: Cases = Cases {
    rewrite: simplify,
    next: |pool, goals| choice(pool, goals).or_else(|| aligned_place(pool, goals)),
    before: None,
    depth: PATH_SPLITS,
};

/// By conditions under which addresses are apart: with these fixed, reads and writes are put in order.
const GUARDS: Cases = Cases {
    rewrite: simplify,
    next: |pool, goals| guard_of_bounds(pool, goals),
    before: Some(CASE),
    depth: GUARD_SPLITS,
};

/// By conditions of choices.
const CHOICES: Cases = Cases {
    rewrite: propagate,
    next: |pool, goals| choice(pool, goals),
    before: Some(CASE),
    depth: CASE_DEPTH,
};

impl Prover {
    /// The solver for a moment; then path by path, and by guards of bounds; then what is equal in the query put together; then
    /// case by case, for as long as that helps; then the solver again.
    ///
    /// States merge where paths join, and the two sides may merge theirs in another order. Once the conditions of
    /// the choices are fixed, what each side computed on that path is often the same term again.
    pub(super) fn search(&mut self, goals: &[TermId], deadline: Deadline) -> Answer {
        self.split(goals, deadline, ALIAS_SPLITS)
    }

    fn split(&mut self, goals: &[TermId], deadline: Deadline, splits: u32) -> Answer {
        if splits > 0
            && let Some(same) = same_place(&self.d.pool, goals)
            && let Some(answer) = self.places(goals, same, deadline, splits - 1)
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
        for by in [&PATHS, &GUARDS] {
            let until = Deadline::after(deadline.left().percent(30));
            if let Some(answer) = self.by_cases(goals, goals, until, by) {
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
        if let Some(answer) = self.by_cases(goals, &now, half, &CHOICES) {
            return answer;
        }
        let answer = self.check(&now, deadline.left());
        self.of_query(goals, answer).unwrap_or(Answer::Unknown(spent()))
    }

    /// The goals where two addresses are the same, and where they are not.
    fn places(&mut self, goals: &[TermId], same: TermId, deadline: Deadline, splits: u32) -> Option<Answer> {
        for holds in [true, false] {
            let case = assume(&mut self.d.pool, goals, same, holds);
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

    /// The answer to a query by that to a form of it, case by case; none where some case stays open, or there are none.
    fn by_cases(
        &mut self,
        goals: &[TermId],
        form: &[TermId],
        deadline: Deadline,
        by: &Cases,
    ) -> Option<Answer> {
        let condition = (by.next)(&mut self.d.pool, form)?;
        let answer = self.cases(form, condition, deadline, by.depth, by);
        self.of_query(goals, answer)
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
        for holds in [true, false] {
            let all = assume(&mut self.d.pool, goals, condition, holds);
            let Some(all) = (by.rewrite)(&mut self.d.pool, &all) else { continue };
            let left = deadline.left();
            if left.is_zero() {
                return Answer::Unknown(spent());
            }
            let next = if depth == 0 { None } else { (by.next)(&mut self.d.pool, &all) };
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
/// say.
fn aligned_place(pool: &mut Pool, goals: &[TermId]) -> Option<TermId> {
    for read in pool.postorder(goals) {
        let Node::Select(array, at) = *pool.node(read) else { continue };
        let (bits, Node::Store(_, writes)) = (pool.width(read), pool.node(array)) else { continue };
        if pool.array_widths(array) != (64, 8) || !SIZES.contains(&(bits / 8)) {
            continue;
        }
        let alike = writes.iter().filter(|w| pool.width(w.1) == bits);
        let places: Vec<TermId> = alike.map(|w| w.0).collect();
        for to in places {
            let same = pool.eq(at, to);
            let differ = pool.not(same);
            let said = goals.contains(&same) || goals.contains(&differ);
            let open = matches!(pool.node(same), Node::Eq(..)) && !said;
            if open && common_alignment(pool, goals, [at, to]) >= bits / 8 {
                return Some(same);
            }
        }
    }
    None
}

/// The sizes of numbers, in bytes, for which alignment is looked at, the greatest first.
const SIZES: [u32; 3] = [8, 4, 2];

/// The size of a number, in bytes, that two addresses are multiples of, as facts say; 1 where they say nothing.
fn common_alignment(pool: &mut Pool, facts: &[TermId], places: [TermId; 2]) -> u32 {
    let mut aligned = |size: u32| {
        places.into_iter().all(|a| {
            let low = pool.extract(size.trailing_zeros() - 1, 0, a);
            let zero = pool.num(size.trailing_zeros(), 0);
            let fact = pool.eq(low, zero);
            pool.as_bool(fact) == Some(true) || facts.contains(&fact)
        })
    };
    SIZES.into_iter().find(|size| aligned(*size)).unwrap_or(1)
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
    // At least so much, or at least a power of two, which is to have some of the bits above.
    let distance = |t: &TermId| match *pool.node(*t) {
        Node::Ult(k, _) => pool.as_const(k).is_some(),
        Node::Not(none) => matches!(*pool.node(none), Node::Eq(a, b)
            if [a, b].iter().any(|x| pool.as_const(*x).is_some_and(|x| x.is_zero()))
                && [a, b].iter().any(|x| matches!(pool.node(*x), Node::Extract(63, ..)))),
        _ => false,
    };
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

/// The goals, and that a condition holds or does not, with its value put in for it. Where it says that two addresses are equal, the
/// term made later is replaced by the earlier one, of which it cannot be a part. Where they differ and both are multiples of the
/// size of a number, they are at least that far apart.
fn assume(pool: &mut Pool, goals: &[TermId], condition: TermId, holds: bool) -> Vec<TermId> {
    let value = pool.bool(holds);
    let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
    map.insert(condition, value);
    let mut more = vec![if holds { condition } else { pool.not(condition) }];
    if let Node::Eq(a, b) = *pool.node(condition) {
        match (pool.as_const(a).is_some(), pool.as_const(b).is_some()) {
            (true, false) if holds => drop(map.insert(b, a)),
            (false, true) if holds => drop(map.insert(a, b)),
            (false, false) if pool.sort(a) == Sort::Bv(64) => {
                if holds {
                    map.insert(a.max(b), a.min(b));
                } else {
                    let size = common_alignment(pool, goals, [a, b]);
                    let (up, down, last) =
                        (pool.sub(a, b), pool.sub(b, a), pool.num(64, u128::from(size) - 1));
                    more.extend([pool.ult(last, up), pool.ult(last, down)]);
                }
            }
            (_, _) => {}
        }
    }
    let mut out = pool.substitute_all(goals, &map);
    out.append(&mut more);
    out
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
        let same = aligned_place(&mut p, &goals).expect("two places");
        assert_eq!(same, p.eq(at, to));
        for holds in [true, false] {
            let case = assume(&mut p, &goals, same, holds);
            assert_eq!(simplify(&mut p, &case), None, "{holds}");
        }
        // Without the facts they may overlap.
        assert_eq!(aligned_place(&mut p, &goals[1..]), None);
    }
}
