//! Sweeping: parts of a query that have the same value in every model met are proved equal one pair at a time, from
//! the leaves up, and put in each other's place. What the two sides computed in different ways then becomes one term,
//! and the query falls by normalisation or is left much smaller.
//!
//! Every pair is proved under facts of the query itself, so the result follows from the query: when it can't be true,
//! neither can the query. A model of the result is another matter and is tried on the query.

use crate::query::Prover;
use rustc_hash::{FxHashMap, FxHasher};
use smt::clock::Instant;
use smt::{Answer, ArrayVal, Bv, Limits, Model, Node, Sort, TermId, Value, Why};
use std::hash::{Hash, Hasher};
use std::time::Duration;

/// What a pair has to be proved equal.
const PAIR: Duration = Duration::from_millis(60);

/// What a first model of the small facts has.
const FIRST_MODEL: Duration = Duration::from_millis(100);

/// Random assignments that terms are told apart by before any pair is tried.
const RANDOM: u64 = 10;

/// Most terms of a fact that counts as small.
const SMALL: usize = 40;

/// Most small facts.
const FACTS: usize = 256;

/// Most terms of a query that is swept.
const TERMS: usize = 40_000;

/// Members of a class that a term is compared with.
const MEMBERS: usize = 3;

/// Models met in pairs, at most.
const MODELS: u32 = 400;

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
    fn learn(&mut self, pool: &smt::Pool, goals: &[TermId], order: &[TermId], model: &Model) {
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

    fn key(&self, pool: &smt::Pool, t: TermId) -> (Sort, u64) {
        (pool.sort(t), self.sign[&t])
    }

    fn insert(&mut self, pool: &smt::Pool, t: TermId, now: TermId) {
        let key = self.key(pool, t);
        self.table.entry(key).or_default().push((t, now));
    }
}

impl Prover {
    /// The goals with parts that are equal under some of them put together; none when nothing was gained.
    pub(crate) fn sweep(&mut self, goals: &[TermId], deadline: Instant) -> Option<Vec<TermId>> {
        let order = self.d.pool.postorder(goals);
        if order.len() > TERMS {
            return None;
        }
        let facts = self.small_facts(goals);
        let mut classes = Classes::new();
        if let Answer::Sat(m) = self.check(&facts, FIRST_MODEL) {
            classes.learn(&self.d.pool, goals, &order, &m);
        }
        for seed in 1..=RANDOM {
            let m = random_model(&self.d.pool, &order, seed);
            classes.learn(&self.d.pool, goals, &order, &m);
        }
        let mut now: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut merged = false;
        for &t in &order {
            let old = self.d.pool.children(t);
            let args: Vec<TermId> = old.iter().map(|c| now[c]).collect();
            let new = if args == old { t } else { self.d.pool.rebuild(t, &args) };
            now.insert(t, new);
            let plain = matches!(
                self.d.pool.node(new),
                Node::Bool(_) | Node::Const(_) | Node::Var(_) | Node::Not(_)
            );
            if matches!(self.d.pool.sort(t), Sort::Array { .. }) {
                continue;
            }
            if !plain && Instant::now() < deadline {
                if let Some(other) = self.find_equal(&mut classes, goals, &order, &facts, t, new) {
                    now.insert(t, other);
                    merged = true;
                    continue;
                }
            }
            classes.insert(&self.d.pool, t, new);
        }
        if !merged {
            return None;
        }
        Some(goals.iter().map(|g| now[g]).collect())
    }

    /// A term met before that a term is proved equal to, or the negation of one.
    fn find_equal(
        &mut self,
        classes: &mut Classes,
        goals: &[TermId],
        order: &[TermId],
        facts: &[TermId],
        t: TermId,
        new: TermId,
    ) -> Option<TermId> {
        let mut tried: Vec<TermId> = Vec::new();
        loop {
            let key = classes.key(&self.d.pool, t);
            let members = classes.table.get(&key)?;
            let &(other, same) =
                members.iter().take(MEMBERS + tried.len()).find(|(o, _)| !tried.contains(o))?;
            if tried.len() >= MEMBERS {
                return None;
            }
            let flipped = classes.flip.get(&t) != classes.flip.get(&other);
            let pool = &mut self.d.pool;
            let target = if flipped { pool.not(same) } else { same };
            if target == new {
                return None;
            }
            let differ = pool.ne(new, target);
            match self.check_with(&[differ], facts, PAIR) {
                Answer::Unsat => return Some(target),
                Answer::Sat(m) if classes.models < MODELS => {
                    classes.learn(&self.d.pool, goals, order, &m);
                    tried.push(other);
                }
                Answer::Sat(_) | Answer::Unknown(_) => tried.push(other),
            }
        }
    }

    /// The goals of few terms, the smallest first.
    fn small_facts(&self, goals: &[TermId]) -> Vec<TermId> {
        let mut sized: Vec<(usize, TermId)> = goals
            .iter()
            .map(|g| (self.d.pool.postorder(&[*g]).len(), *g))
            .filter(|(n, _)| *n <= SMALL)
            .collect();
        sized.sort_unstable();
        sized.truncate(FACTS);
        sized.into_iter().map(|(_, g)| g).collect()
    }

    /// Can the core and the facts be true at once? Facts are only brought in where a model breaks them.
    fn check_with(&mut self, core: &[TermId], facts: &[TermId], time: Duration) -> Answer {
        let deadline = Instant::now() + time;
        let mut active = core.to_vec();
        for _ in 0..ROUNDS {
            let left = deadline.saturating_duration_since(Instant::now());
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
        Answer::Unknown(Why::Time)
    }

    /// The solver, for a time.
    pub(crate) fn check(&mut self, goals: &[TermId], time: Duration) -> Answer {
        let limits = Limits { time: Some(time), memory: self.memory, cancel: Vec::new() };
        self.solver.check_assuming(&mut self.d.pool, goals, &limits)
    }
}

/// A stream of numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn bv(&mut self, width: u32) -> Bv {
        match self.next() % 4 {
            0 => Bv::new(width, u128::from(self.next() % 6)),
            1 => Bv::new(width, u128::from(self.next() % 6)).neg(),
            _ => {
                let mut v = Bv::new(width, u128::from(self.next()));
                for n in (64..width).step_by(64) {
                    v = v.xor(&Bv::new(width, u128::from(self.next())).shl_by(n));
                }
                v
            }
        }
    }
}

/// Values at random, with arrays that hold something else wherever they are read.
fn random_model(pool: &smt::Pool, order: &[TermId], seed: u64) -> Model {
    let mut numbers = Numbers(seed);
    let mut model = Model::new();
    for &t in order {
        if !matches!(pool.node(t), Node::Var(_)) {
            continue;
        }
        let value = match pool.sort(t) {
            Sort::Bool => Value::Bool(numbers.next() & 1 == 1),
            Sort::Bv(w) => Value::Bv(numbers.bv(w)),
            Sort::Array { index, elem } => Value::Array(ArrayVal::new(index, numbers.bv(elem))),
        };
        model.set(pool, t, value);
    }
    let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
    for &t in order {
        let Node::Select(array, index) = *pool.node(t) else { continue };
        if !matches!(pool.node(array), Node::Var(_)) {
            continue;
        }
        let at = model.eval_cached(pool, &[index], &mut values).pop();
        let Some(Value::Array(mut held)) = model.eval_cached(pool, &[array], &mut FxHashMap::default()).pop()
        else {
            continue;
        };
        if let Some(Value::Bv(at)) = at {
            let (_, elem) = pool.array_widths(array);
            let n = pool.width(t) / elem;
            let mut i = at;
            for _ in 0..n {
                if held.get(&i) == *held.default_elem() {
                    held.set(i.clone(), numbers.bv(elem));
                }
                i = i.add(&Bv::one(i.width()));
            }
            model.set(pool, array, Value::Array(held));
        }
    }
    model
}
