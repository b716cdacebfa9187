//! Witnesses against guesses: states that satisfy all that is known on the way to a synchronisation point, and that
//! break relations guessed there. A false guess then costs a few evaluations instead of a solver's search.
//!
//! A state is found once, at random or by a solver, and varied: what varies and still satisfies the facts is as good a
//! witness as one that a solver would find. Only what a witness breaks is dropped for it, so nothing is ever taken to
//! hold for want of one.

use super::likely_bv;
use rustc_hash::FxHashMap;
use smt::{ArrayVal, Bv, Model, Node, Pool, Rng, Sort, SymId, Tape, TermId, Value};

/// Models kept of one point.
const KEPT: usize = 6;

/// Random models tried where none is known.
const RANDOM: u32 = 3;

/// How often such a model is mended.
const MENDED: u32 = 24;

/// Variations tried for one guess.
const VARIATIONS: u32 = 12;

/// Nodes of facts evaluated for the guesses of one edge, at most.
const NODES: usize = 1_500_000;

/// Where objects are put in a random model, and the least distance between them.
const OBJECTS: u64 = 0x1000_0000;
const APART: u64 = 0x100_0000;

/// The states met, by the point that the ways to the guesses begin at.
pub(crate) struct Witnesses {
    met: FxHashMap<usize, Vec<Model>>,
    numbers: Rng,
}

impl Default for Witnesses {
    fn default() -> Self {
        Witnesses { met: FxHashMap::default(), numbers: Rng(0x5eed) }
    }
}

/// The guesses of one edge that stand.
struct Open<'a> {
    pool: &'a Pool,
    facts: &'a [TermId],
    goals: &'a [TermId],
    refuted: Vec<bool>,
    /// How often the facts may still be evaluated.
    left: usize,
}

impl Open<'_> {
    /// Marks what a model breaks; whether that is anything, and the model is one of the facts.
    fn breaks(&mut self, m: &Model) -> bool {
        let open: Vec<usize> = (0..self.goals.len()).filter(|n| !self.refuted[*n]).collect();
        let terms: Vec<TermId> = open.iter().map(|n| self.goals[*n]).collect();
        let broken: Vec<usize> = open
            .iter()
            .zip(m.eval_all(self.pool, &terms))
            .filter(|(_, v)| !v.as_bool())
            .map(|(n, _)| *n)
            .collect();
        self.refute(&broken, |open| open.holds(m))
    }

    /// As [`Open::breaks`], of the model that a tape of facts and goals has.
    fn breaks_on(&mut self, tape: &Tape<'_>) -> bool {
        let open = (0..self.goals.len()).filter(|n| !self.refuted[*n]);
        let broken: Vec<usize> = open.filter(|n| !tape.value(self.goals[*n]).as_bool()).collect();
        self.refute(&broken, |open| open.spend() && open.facts.iter().all(|f| tape.value(*f).as_bool()))
    }

    /// Marks the goals that a model breaks as refuted, provided that the model satisfies the facts. Whether any were marked.
    fn refute(&mut self, broken: &[usize], holds: impl FnOnce(&mut Self) -> bool) -> bool {
        if broken.is_empty() || !holds(self) {
            return false;
        }
        broken.iter().for_each(|n| self.refuted[*n] = true);
        true
    }

    /// Counts one evaluation of the facts against the budget. Whether there was one left.
    fn spend(&mut self) -> bool {
        let some = self.left > 0;
        self.left -= usize::from(some);
        some
    }

    /// Whether a model satisfies the facts.
    fn holds(&mut self, m: &Model) -> bool {
        if !self.spend() {
            return false;
        }
        let mut values = FxHashMap::default();
        // The last facts are the largest.
        self.facts.iter().all(|f| m.eval_cached(self.pool, &[*f], &mut values)[0].as_bool())
    }
}

impl Witnesses {
    /// Keeps a model met on a way from a point.
    pub fn learn(&mut self, from: usize, model: &Model) {
        let list = self.met.entry(from).or_default();
        if list.len() == KEPT {
            list.remove(0);
        }
        list.push(model.clone());
    }

    /// Models of the facts, or where none is found of the symbols in these terms: states to look at terms in.
    pub fn models(&mut self, pool: &Pool, from: usize, facts: &[TermId], terms: &[TermId]) -> Vec<Model> {
        let size = pool.postorder(facts).len().max(1);
        let mut open = Open { pool, facts, goals: &[], refuted: Vec::new(), left: NODES / size };
        let mut all = facts.to_vec();
        all.extend(terms);
        let symbols = pool.free_symbols(&all);
        let met = self.met.get(&from).into_iter().flatten().rev();
        let known: Vec<Model> = met.filter_map(|m| pool.with_objects(&symbols, m)).collect();
        let mut out: Vec<Model> = known.into_iter().filter(|m| open.holds(m)).collect();
        for _ in 0..RANDOM {
            let mut m = self.random(pool, &symbols);
            if out.is_empty() && self.mend(&mut open, &mut m) {
                out.push(m);
            }
        }
        if let Some(base) = out.first().cloned() {
            for _ in 0..VARIATIONS {
                let mut m = base.clone();
                symbols.iter().for_each(|s| {
                    if self.numbers.below(2) == 0 {
                        self.vary(pool, *s, &mut m);
                    }
                });
                if out.len() < KEPT && open.holds(&m) {
                    out.push(m);
                }
            }
        }
        while out.len() < KEPT / 2 {
            out.push(self.random(pool, &symbols));
        }
        out
    }

    /// Which goals are false in some state that satisfies the facts, as far as one is found.
    pub fn against(&mut self, pool: &Pool, from: usize, facts: &[TermId], goals: &[TermId]) -> Vec<bool> {
        let size = pool.postorder(facts).len().max(1);
        let mut open = Open { pool, facts, goals, refuted: vec![false; goals.len()], left: NODES / size };
        let symbols: Vec<SymId> = {
            let mut all = facts.to_vec();
            all.extend(goals);
            pool.free_symbols(&all)
        };
        let mut base = None;
        let placed = |m: &Model| pool.with_objects(&symbols, m);
        for m in self.met.get(&from).into_iter().flatten().rev().filter_map(placed) {
            if open.breaks(&m) || base.is_none() && open.holds(&m) {
                base = Some(m);
            }
        }
        for _ in 0..RANDOM {
            if base.is_some() {
                break;
            }
            let mut m = self.random(pool, &symbols);
            if self.mend(&mut open, &mut m) {
                open.breaks(&m);
                self.learn(from, &m);
                base = Some(m);
            }
        }
        let Some(mut base) = base else { return open.refuted };
        if open.left == 0 || open.refuted.iter().all(|r| *r) {
            return open.refuted;
        }
        // First everything that may vary at once, then what each guess is about.
        let about: Vec<Vec<SymId>> = goals.iter().map(|g| pool.free_symbols(&[*g])).collect();
        let mut found = false;
        let all: Vec<TermId> = facts.iter().chain(goals).copied().collect();
        let mut tape = Tape::new(pool, &all, &base);
        for (n, own) in about.iter().enumerate() {
            for round in 0..VARIATIONS {
                if open.refuted[n] || open.left == 0 {
                    break;
                }
                let one = match round {
                    0 => 0,
                    _ => self.numbers.below(own.len() as u64) as usize,
                };
                let varied = if round == 0 { own.as_slice() } else { own.get(one..=one).unwrap_or_default() };
                let mut m = base.clone();
                varied.iter().for_each(|s| self.vary(pool, *s, &mut m));
                let replaced = tape.change(&m, varied);
                if open.breaks_on(&tape) {
                    base = m;
                    found = true;
                } else {
                    tape.take_back(replaced);
                }
            }
        }
        if found {
            self.learn(from, &base);
        }
        open.refuted
    }

    /// Varies a model until it satisfies the facts, or for long enough: what a fact that fails is about, kept where no
    /// more facts fail than before.
    fn mend(&mut self, open: &mut Open<'_>, m: &mut Model) -> bool {
        let pool = open.pool;
        let facts = open.facts;
        let failing = |tape: &Tape<'_>| -> Vec<TermId> {
            facts.iter().filter(|f| !tape.value(**f).as_bool()).copied().collect()
        };
        let mut tape = Tape::new(pool, facts, m);
        let mut bad = failing(&tape);
        for _ in 0..MENDED {
            let Some(first) = bad.first().copied() else { return true };
            if !open.spend() {
                return false;
            }
            // One conjunct of it that fails.
            let part = match pool.node(first) {
                Node::And(xs) => xs.iter().copied().find(|x| !tape.value(*x).as_bool()),
                _ => None,
            };
            let part = part.unwrap_or(first);
            let mut next = m.clone();
            let varied = match self.equate(pool, part, &tape) {
                Some((s, value)) => {
                    next.symbols.insert(s, value);
                    s
                }
                None => {
                    let own = pool.free_symbols(&[part]);
                    let one = self.numbers.below(own.len() as u64) as usize;
                    let Some(s) = own.get(one) else { return false };
                    self.vary(pool, *s, &mut next);
                    *s
                }
            };
            let replaced = tape.change(&next, &[varied]);
            let now = failing(&tape);
            if now.len() <= bad.len() {
                *m = next;
                bad = now;
            } else {
                tape.take_back(replaced);
            }
        }
        bad.is_empty()
    }

    /// A symbol and a value that make its equality with something else true.
    fn equate(&self, pool: &Pool, fact: TermId, tape: &Tape<'_>) -> Option<(SymId, Value)> {
        let Node::Eq(a, b) = *pool.node(fact) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(x, y)| match pool.node(x) {
            Node::Var(s) if !pool.is_object(x) && !pool.free_symbols(&[y]).contains(s) => {
                Some((*s, tape.value(y).clone()))
            }
            _ => None,
        })
    }

    /// Gives a symbol another value, near its own or far from it. Objects stay where they are.
    fn vary(&mut self, pool: &Pool, s: SymId, m: &mut Model) {
        if pool.is_object(pool.symbol_term(s)) {
            return;
        }
        let value = match m.symbol(pool, s) {
            Value::Bool(b) => Value::Bool(!b),
            Value::Bv(v) => Value::Bv(self.other(&v)),
            Value::Array(a) => {
                // Another default, the exceptions as they are.
                let elem = a.default_elem().width();
                let mut out = ArrayVal::new(a.index_width(), self.any(elem));
                for (at, v) in a.entries() {
                    out.set(at, v);
                }
                Value::Array(out)
            }
        };
        m.symbols.insert(s, value);
    }

    fn other(&mut self, v: &Bv) -> Bv {
        let w = v.width();
        match self.numbers.below(12) {
            8 => Bv::ones(w),
            9 => Bv::smax(w),
            10 => Bv::smin(w),
            11 => Bv::zero(w),
            0 => v.add(&Bv::one(w)),
            1 => v.sub(&Bv::one(w)),
            2 => v.xor(&Bv::one(w).shl(&Bv::new(w, u128::from(self.numbers.below(u64::from(w)))))),
            3 => v.add(&Bv::new(w, u128::from(self.numbers.below(1 << 12)))),
            4 => likely_bv(&mut self.numbers, w),
            5 => Bv::new(w, u128::from(self.numbers.below(64))),
            _ => self.any(w),
        }
    }

    fn any(&mut self, w: u32) -> Bv {
        Bv::new(w, u128::from(self.numbers.draw()) << 64 | u128::from(self.numbers.draw()))
    }

    fn random(&mut self, pool: &Pool, symbols: &[SymId]) -> Model {
        let mut m = Model::new();
        let mut place = OBJECTS;
        for &s in symbols {
            let t = pool.symbol_term(s);
            let value = match pool.symbol(s).sort {
                Sort::Bv(w) if pool.is_object(t) => {
                    place += APART;
                    Value::Bv(Bv::new(w, u128::from(place)))
                }
                Sort::Bool => Value::Bool(self.numbers.below(2) == 1),
                Sort::Bv(w) if self.numbers.below(2) == 0 => Value::Bv(self.any(w)),
                Sort::Bv(w) => Value::Bv(likely_bv(&mut self.numbers, w)),
                Sort::Array { index, elem } => Value::Array(ArrayVal::new(index, self.any(elem))),
            };
            m.symbols.insert(s, value);
        }
        m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_facts_leave_open_is_refuted() {
        let mut p = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| p.var(n, Sort::Bv(32)));
        let thousand = p.num(32, 1000);
        let (small, less) = (p.ult(x, thousand), p.ult(y, x));
        let same = p.eq(x, y);
        let more = p.num(32, 2000);
        let below = p.ult(y, more);
        let other = p.eq(y, z);
        let zero = p.num(32, 0);
        let none = p.eq(y, zero);
        let no = p.bool(false);
        let mut w = Witnesses::default();
        let mut base = Model::new();
        base.set(&p, x, Value::Bv(Bv::new(32, 300)));
        w.learn(7, &base);
        let got = w.against(&p, 7, &[small, less], &[same, below, other, none, no]);
        assert_eq!(got, [true, false, true, true, true]);
        // Nothing satisfies these: nothing is refuted.
        let not = p.not(small);
        assert_eq!(w.against(&p, 7, &[small, not], &[same, no]), [false, false]);
    }

    #[test]
    fn a_state_is_found_at_random_where_that_is_easy() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(64)));
        let (fact, goal) = (p.ult(x, y), p.eq(x, y));
        assert_eq!(Witnesses::default().against(&p, 0, &[fact], &[goal]), [true]);
    }
}
