//! SAT sweeping: parts of a query that have the same value in every model met are proved equal one pair at a time, from
//! the leaves up, and merged. What the two sides computed in different ways then becomes one term,
//! and the query falls by normalisation or is left much smaller.
//!
//! Every pair is proved under facts of the query itself, so the result follows from the query: when it can't be true,
//! neither can the query. A model of the result is another matter and is tried on the query.

use super::random::{RANDOM, random_model, variations};
use super::{Prover, spent};
use crate::budget::{SWEEP_MEMBERS, SWEEP_MODEL, SWEEP_MODELS, SWEEP_PAIR, SWEEP_TERMS};
use crate::effort::{Deadline, Effort};
use crate::{Answer, Model, Node, Pool, Sort, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Most terms of a fact that counts as small.
const SMALL: usize = 40;

/// Most small facts.
const FACTS: usize = 256;

/// Most facts that are near each other for a variable they share.
const COMMON: usize = 16;

/// Rounds of adding facts that a model breaks.
const ROUNDS: u32 = 8;

/// Facts added in a round.
const ADDED: usize = 24;

/// Terms seen so far by the values they have.
struct Classes {
    /// What a term's values in the models so far come to; for Booleans up to negation.
    sign: FxHashMap<TermId, u64>,
    /// Booleans that are true in the first model.
    flip: FxHashMap<TermId, bool>,
    /// The terms gone through, by sort and values: as they were, and as they are now.
    table: FxHashMap<(Sort, u64), Vec<(TermId, TermId)>>,
    models: u32,
}

impl Classes {
    fn new() -> Classes {
        Classes {
            sign: FxHashMap::default(),
            flip: FxHashMap::default(),
            table: FxHashMap::default(),
            models: 0,
        }
    }

    /// Tells the terms apart by one more model.
    fn learn(&mut self, pool: &Pool, goals: &[TermId], order: &[TermId], model: &Model) {
        let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
        model.eval_cached(pool, goals, &mut values);
        for t in order {
            let mut h = FxHasher::default();
            self.sign.get(t).copied().unwrap_or(0).hash(&mut h);
            match &values[t] {
                Value::Bool(b) => (*b != *self.flip.entry(*t).or_insert(*b)).hash(&mut h),
                v => v.hash(&mut h),
            }
            self.sign.insert(*t, h.finish());
        }
        self.models += 1;
        let old = std::mem::take(&mut self.table);
        let mut all: Vec<(TermId, TermId)> = old.into_values().flatten().collect();
        all.sort_unstable();
        for (t, now) in all {
            self.insert(pool, t, now);
        }
    }

    fn key(&self, pool: &Pool, t: TermId) -> (Sort, u64) {
        (pool.sort(t), self.sign[&t])
    }

    fn insert(&mut self, pool: &Pool, t: TermId, now: TermId) {
        let key = self.key(pool, t);
        self.table.entry(key).or_default().push((t, now));
    }
}

/// The goals of few terms, the smallest first, with what they are about.
#[derive(Default)]
struct Facts {
    all: Vec<TermId>,
    /// Terms that are no constants, and the facts they occur in.
    about: FxHashMap<TermId, Vec<u32>>,
}

impl Facts {
    fn new(pool: &Pool, goals: &[TermId]) -> Facts {
        let mut sized: Vec<(usize, TermId, Vec<TermId>)> = Vec::new();
        for g in goals {
            let parts = pool.postorder(&[*g]);
            if parts.len() <= SMALL {
                sized.push((parts.len(), *g, parts));
            }
        }
        sized.sort_unstable();
        sized.truncate(FACTS);
        let mut about: FxHashMap<TermId, Vec<u32>> = FxHashMap::default();
        for (n, (_, _, parts)) in sized.iter().enumerate() {
            for t in parts {
                if !matches!(pool.node(*t), Node::Bool(_) | Node::Const(_)) {
                    about.entry(*t).or_default().push(n as u32);
                }
            }
        }
        // That facts are about one variable tells nothing when most of them are.
        about.retain(|t, list| !matches!(pool.node(*t), Node::Var(_)) || list.len() <= COMMON);
        Facts { all: sized.into_iter().map(|(_, g, _)| g).collect(), about }
    }

    /// Those that share a part with a term.
    fn near(&self, pool: &Pool, t: TermId) -> Vec<TermId> {
        let mut found: Vec<u32> =
            pool.postorder(&[t]).iter().filter_map(|x| self.about.get(x)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|n| self.all[n as usize]).collect()
    }
}

/// A query that is swept.
struct Query<'q> {
    goals: &'q [TermId],
    /// All its terms, parts first.
    order: &'q [TermId],
    facts: &'q Facts,
}

/// What models say of a query's terms.
enum Told {
    /// Which may be equal.
    Apart(Classes),
    /// The facts have no model.
    Contradiction,
    /// The budget is spent.
    Nothing,
}

/// What a query says outright: it needs no other form.
fn said_outright(pool: &Pool, goals: &[TermId]) -> FxHashSet<TermId> {
    let mut said: FxHashSet<TermId> = goals.iter().copied().collect();
    for g in goals {
        if let Node::Not(x) = pool.node(*g) {
            said.insert(*x);
        }
    }
    said
}

impl Prover {
    /// The goals with parts put together that are always equal or, with `facts`, under small ones of the goals; none
    /// when nothing was gained.
    pub(super) fn sweep(&mut self, goals: &[TermId], facts: bool, deadline: Deadline) -> Option<Vec<TermId>> {
        let order = self.d.pool.postorder(goals);
        if order.len() > SWEEP_TERMS {
            return None;
        }
        let facts = if facts { Facts::new(&self.d.pool, goals) } else { Facts::default() };
        let said = said_outright(&self.d.pool, goals);
        let query = Query { goals, order: &order, facts: &facts };
        let mut classes = match self.classes(&query, deadline) {
            Told::Apart(classes) => classes,
            Told::Contradiction => return Some(vec![self.d.pool.bool(false)]),
            Told::Nothing => return None,
        };
        let mut now: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut merged = false;
        for &t in &order {
            let old = self.d.pool.children(t);
            let args: Vec<TermId> = old.iter().map(|c| now[c]).collect();
            let new = if args == old { t } else { self.d.pool.rebuild(t, &args) };
            now.insert(t, new);
            let plain =
                matches!(self.d.pool.node(new), Node::Bool(_) | Node::Const(_) | Node::Var(_) | Node::Not(_));
            if said.contains(&t) || matches!(self.d.pool.sort(t), Sort::Array { .. }) {
                continue;
            }
            if !plain
                && deadline.passed().is_none()
                && let Some(other) = self.find_equal(&mut classes, &query, (t, new))
            {
                now.insert(t, other);
                merged = true;
                continue;
            }
            classes.insert(&self.d.pool, t, new);
        }
        if !merged {
            return None;
        }
        Some(goals.iter().map(|g| now[g]).collect())
    }

    /// Terms put into classes by models: random ones, or where there are facts, such as fit them.
    fn classes(&mut self, query: &Query<'_>, deadline: Deadline) -> Told {
        let mut classes = Classes::new();
        if query.facts.all.is_empty() {
            for seed in 1..=RANDOM {
                if deadline.passed().is_some() {
                    return Told::Nothing;
                }
                let m = random_model(&self.d.pool, query.order, seed);
                classes.learn(&self.d.pool, query.goals, query.order, &m);
            }
        } else {
            // Only assignments that fit the facts tell what is equal under them.
            let first = match self.check(&query.facts.all, SWEEP_MODEL) {
                Answer::Sat(m) => m,
                Answer::Unsat => return Told::Contradiction,
                Answer::Unknown(_) => return Told::Nothing,
            };
            for m in variations(&self.d.pool, query.order, &query.facts.all, first, deadline) {
                if deadline.passed().is_some() {
                    return Told::Nothing;
                }
                classes.learn(&self.d.pool, query.goals, query.order, &m);
            }
        }
        Told::Apart(classes)
    }

    /// A term met before that a term is proved equal to, or the negation of one.
    fn find_equal(
        &mut self,
        classes: &mut Classes,
        query: &Query<'_>,
        (t, new): (TermId, TermId),
    ) -> Option<TermId> {
        let mut tried: Vec<TermId> = Vec::new();
        loop {
            let key = classes.key(&self.d.pool, t);
            let members = classes.table.get(&key)?;
            let &(other, same) =
                members.iter().take(SWEEP_MEMBERS + tried.len()).find(|(o, _)| !tried.contains(o))?;
            if tried.len() >= SWEEP_MEMBERS {
                return None;
            }
            let flipped = classes.flip.get(&t) != classes.flip.get(&other);
            let pool = &mut self.d.pool;
            let target = if flipped { pool.not(same) } else { same };
            if target == new {
                return None;
            }
            let differ = pool.ne(new, target);
            let near = query.facts.near(&self.d.pool, differ);
            match self.check_with(&[differ], &near, SWEEP_PAIR) {
                Answer::Unsat => return Some(target),
                Answer::Sat(m) if classes.models < SWEEP_MODELS => {
                    classes.learn(&self.d.pool, query.goals, query.order, &m);
                    tried.push(other);
                }
                Answer::Sat(_) | Answer::Unknown(_) => tried.push(other),
            }
        }
    }

    /// Can the core and the facts be true at once? Facts are only brought in where a model breaks them.
    fn check_with(&mut self, core: &[TermId], facts: &[TermId], budget: Effort) -> Answer {
        let deadline = Deadline::after(budget);
        let mut active = core.to_vec();
        for _ in 0..ROUNDS {
            let left = deadline.left();
            if left.is_zero() {
                break;
            }
            let model = match self.check(&active, left) {
                Answer::Sat(m) => m,
                answer => return answer,
            };
            let values = model.eval_all(&self.d.pool, facts);
            let before = active.len();
            let broken = facts.iter().zip(&values).filter(|(_, v)| !v.as_bool()).map(|(f, _)| *f);
            active.extend(broken.take(ADDED));
            if active.len() == before {
                return Answer::Sat(model);
            }
        }
        Answer::Unknown(spent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tactic::Holds;
    use crate::{Bv, Embedded, Rng};

    fn prover() -> Prover {
        Prover::new(Box::new(Embedded::new()), 1 << 30)
    }

    fn later() -> Deadline {
        Deadline::after(Effort::mega(60_000))
    }

    /// A term over those there are.
    fn grow(p: &mut Pool, numbers: &mut Rng, words: &mut Vec<TermId>, bools: &mut Vec<TermId>) {
        let word = |n: &mut Rng| words[(n.draw() % words.len() as u64) as usize];
        let (a, b) = (word(numbers), word(numbers));
        let c = bools[(numbers.draw() % bools.len() as u64) as usize];
        let e = bools[(numbers.draw() % bools.len() as u64) as usize];
        match numbers.draw() % 10 {
            0 => words.push(p.add(a, b)),
            1 => words.push(p.sub(a, b)),
            2 => words.push(p.bv_and(a, b)),
            3 => words.push(p.bv_or(a, b)),
            4 => words.push(p.bv_xor(a, b)),
            5 | 6 => words.push(p.ite(c, a, b)),
            7 => bools.push(p.ult(a, b)),
            8 => bools.push(p.eq(a, b)),
            _ => {
                let n = p.not(e);
                bools.push(p.and(c, n));
            }
        }
    }

    #[test]
    fn what_is_swept_follows_from_the_goals() {
        let mut merges = 0;
        for seed in 0..60 {
            let mut prover = prover();
            let p = &mut prover.d.pool;
            let vars: Vec<TermId> = ["x", "y", "z"].iter().map(|n| p.var(n, Sort::Bv(3))).collect();
            let flags: Vec<TermId> = ["b", "c"].iter().map(|n| p.var(n, Sort::Bool)).collect();
            let (mut words, mut bools) = (vars.clone(), flags.clone());
            let mut numbers = Rng(seed);
            for _ in 0..40 {
                grow(p, &mut numbers, &mut words, &mut bools);
            }
            let goals: Vec<TermId> = bools.iter().rev().take(4).copied().collect();
            for facts in [false, true] {
                let Some(swept) = prover.sweep(&goals, facts, later()) else { continue };
                merges += 1;
                let p = &prover.d.pool;
                for bits in 0..1u32 << 11 {
                    let mut m = Model::new();
                    for (i, v) in vars.iter().enumerate() {
                        m.set(p, *v, Value::Bv(Bv::new(3, u128::from(bits >> (3 * i) & 7))));
                    }
                    for (i, v) in flags.iter().enumerate() {
                        m.set(p, *v, Value::Bool(bits >> (9 + i) & 1 == 1));
                    }
                    let (old, new) = (m.eval_all(p, &goals), m.eval_all(p, &swept));
                    if facts {
                        let holds = |vs: &[Value]| vs.iter().all(Value::as_bool);
                        assert!(!holds(&old) || holds(&new), "seed {seed}: {bits:#b}");
                    } else {
                        assert_eq!(old, new, "seed {seed}: {bits:#b}");
                    }
                }
            }
        }
        assert!(merges > 10, "{merges} of the queries were changed");
    }

    #[test]
    fn choices_in_another_order_become_one_term() {
        let mut prover = prover();
        let p = &mut prover.d.pool;
        let (b, c) = (p.var("b", Sort::Bool), p.var("c", Sort::Bool));
        let [x, y, z] = ["x", "y", "z"].map(|n| p.var(n, Sort::Bv(64)));
        let inner = p.ite(c, y, z);
        let left = p.ite(b, x, inner);
        let nb = p.not(b);
        let (only_y, neither) = (p.and(nb, c), p.or(b, c));
        let outer = p.ite(only_y, y, x);
        let right = p.ite(neither, outer, z);
        assert_ne!(left, right);
        let product = |p: &mut Pool, t| p.mul(t, x);
        let (l, r) = (product(p, left), product(p, right));
        let goal = p.ne(l, r);
        let swept = prover.sweep(&[goal], false, later()).expect("the choices are equal");
        assert_eq!(prover.d.pool.as_bool(swept[0]), Some(false));
    }

    #[test]
    fn equal_under_a_fact_of_the_query() {
        let mut prover = prover();
        let p = &mut prover.d.pool;
        let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(32)));
        let four = p.num(32, 4);
        let small = p.ult(x, four);
        let three = p.num(32, 3);
        let masked = p.bv_and(x, three);
        let (l, r) = (p.mul(x, y), p.mul(masked, y));
        // Too large to be taken for a fact.
        let pad: Vec<TermId> = (0..SMALL)
            .map(|i| {
                let v = p.var(&format!("v{i}"), Sort::Bv(32));
                p.ult(v, x)
            })
            .collect();
        let pad = p.or_all(&pad);
        let differ = p.ne(l, r);
        let goal = p.and(pad, differ);
        assert!(prover.sweep(&[small, goal], false, later()).is_none(), "not equal everywhere");
        let swept = prover.sweep(&[small, goal], true, later()).expect("equal below four");
        assert!(swept.iter().any(|g| prover.d.pool.as_bool(*g) == Some(false)));
        // Without the fact nothing is put together.
        assert!(prover.sweep(&[goal], true, later()).is_none());
    }

    #[test]
    fn an_address_that_may_be_another() {
        // A copy in two pieces whose source may be its target is a copy of the whole.
        let mut prover = prover();
        let p = &mut prover.d.pool;
        let mem = p.var("mem", Sort::memory(64));
        let [a, b] = ["a", "b"].map(|n| p.var(n, Sort::Bv(64)));
        let whole = p.load(mem, b, 32);
        let left = p.store(mem, a, whole);
        let low = p.load(mem, b, 16);
        let m = p.store(mem, a, low);
        let (a16, b16) = (p.add_num(a, 16), p.add_num(b, 16));
        let high = p.load(m, b16, 16);
        let right = p.store(m, a16, high);
        let (up, down) = (p.sub(a, b), p.sub(b, a));
        let last = p.num(64, 31);
        let (above, below, same) = (p.ult(last, up), p.ult(last, down), p.eq(a, b));
        let apart = p.and(above, below);
        let promise = p.or(apart, same);
        let goal = p.eq(left, right);
        let what = || String::new();
        let holds = prover.implied(&[promise], goal, Effort::mega(20_000), &what);
        assert!(matches!(holds, Holds::Yes), "{holds:?}");
        let holds = prover.implied(&[], goal, Effort::mega(20_000), &what);
        assert!(!matches!(holds, Holds::Yes), "they may overlap in part");
    }
}
