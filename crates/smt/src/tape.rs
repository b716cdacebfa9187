//! Terms evaluated in models that differ little: all their parts in order, with their values in the model at hand. Another
//! value of a symbol costs the evaluation of the parts that change with it, and can be taken back.

use crate::effort::{Work, count};
use crate::eval::Value;
use crate::{Model, Node, Pool, SymId, TermId};
use rustc_hash::FxHashMap;
use std::ops::Index;

/// Parts by the terms they are.
struct Parts<'t> {
    places: &'t FxHashMap<TermId, u32>,
    values: &'t [Value],
}

impl Index<&TermId> for Parts<'_> {
    type Output = Value;

    fn index(&self, t: &TermId) -> &Value {
        &self.values[self.places[t] as usize]
    }
}

/// Terms with the values of all their parts in one model.
pub struct Tape<'p> {
    pool: &'p Pool,
    /// All parts, children first.
    order: Vec<TermId>,
    places: FxHashMap<TermId, u32>,
    /// The children of a part, by place: those of part `n` begin at `first[n]` and end before `first[n + 1]`.
    children: Vec<u32>,
    first: Vec<u32>,
    values: Vec<Value>,
    /// Whether a part has another value than before the change at hand.
    changed: Vec<bool>,
}

/// What a change replaced: places and the values there before.
#[derive(Debug)]
#[must_use]
pub struct Replaced(Vec<(u32, Value)>);

impl<'p> Tape<'p> {
    /// The terms in a model.
    pub fn new(pool: &'p Pool, terms: &[TermId], model: &Model) -> Tape<'p> {
        let order = pool.postorder(terms);
        let places = order.iter().zip(0..).map(|(t, n)| (*t, n)).collect();
        let mut tape = Tape {
            pool,
            places,
            children: Vec::new(),
            first: vec![0],
            values: Vec::with_capacity(order.len()),
            changed: vec![false; order.len()],
            order,
        };
        for n in 0..tape.order.len() {
            let (children, places) = (&mut tape.children, &tape.places);
            pool.for_children(tape.order[n], |c| children.push(places[&c]));
            tape.first.push(tape.children.len() as u32);
            let value = tape.computed(n, model);
            tape.values.push(value);
        }
        tape
    }

    /// What a part comes to by the values of its children.
    fn computed(&self, n: usize, model: &Model) -> Value {
        count(Work::Value, 1);
        model.eval_node(self.pool, self.order[n], &Parts { places: &self.places, values: &self.values })
    }

    /// The value of a term or of a part of one.
    ///
    /// # Panics
    /// If the term is neither.
    pub fn value(&self, t: TermId) -> &Value {
        &self.values[self.places[&t] as usize]
    }

    /// Goes on to a model that gives these symbols other values.
    pub fn change(&mut self, model: &Model, symbols: &[SymId]) -> Replaced {
        let place = |s: &SymId| self.places.get(&self.pool.symbol_term(*s)).copied();
        let Some(from) = symbols.iter().filter_map(place).min() else { return Replaced(Vec::new()) };
        let mut replaced: Vec<(u32, Value)> = Vec::new();
        for n in from as usize..self.order.len() {
            let children = &self.children[self.first[n] as usize..self.first[n + 1] as usize];
            let concerned = match self.pool.node(self.order[n]) {
                Node::Var(s) => symbols.contains(s),
                _ => children.iter().any(|c| self.changed[*c as usize]),
            };
            if !concerned {
                continue;
            }
            let value = self.computed(n, model);
            if value != self.values[n] {
                self.changed[n] = true;
                replaced.push((n as u32, std::mem::replace(&mut self.values[n], value)));
            }
        }
        for (n, _) in &replaced {
            self.changed[*n as usize] = false;
        }
        Replaced(replaced)
    }

    /// Goes back to the model before a change, the last one that was not taken back.
    pub fn take_back(&mut self, replaced: Replaced) {
        for (n, value) in replaced.0 {
            self.values[n as usize] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bv, Rng, Sort};

    #[test]
    fn parts_have_the_values_of_an_evaluation_from_nothing() {
        let mut pool = Pool::new();
        let words: Vec<TermId> = ["a", "b", "c", "d"].iter().map(|n| pool.var(n, Sort::Bv(64))).collect();
        let memory = pool.var("memory", Sort::memory(64));
        let of = pool.func("of", &[Sort::Bv(64)], Sort::Bv(64));
        let mut terms = words.clone();
        let mut numbers = Rng(7);
        let mut stored = memory;
        for n in 0..60 {
            let (a, b) = (terms[numbers.below(terms.len() as u64) as usize], terms[n % terms.len()]);
            let less = pool.ult(a, b);
            stored = if n % 7 == 0 { pool.store(stored, a, b) } else { stored };
            terms.push(match n % 5 {
                0 => pool.add(a, b),
                1 => pool.bv_xor(a, b),
                2 => pool.ite(less, b, a),
                3 => pool.load(stored, a, 8),
                _ => pool.apply(of, &[a]),
            });
        }
        let mut model = Model::new();
        let mut tape = Tape::new(&pool, &terms, &model);
        let symbols = pool.free_symbols(&terms);
        let mut kept = 0;
        for round in 0..200 {
            let mut next = model.clone();
            let own = symbols[numbers.below(symbols.len() as u64) as usize];
            if let Value::Bv(_) = model.symbol(&pool, own) {
                next.symbols.insert(own, Value::Bv(Bv::new(64, u128::from(numbers.below(9)))));
            }
            let replaced = tape.change(&next, &[own]);
            let expected = next.eval_all(&pool, &terms);
            assert!(terms.iter().zip(&expected).all(|(t, v)| tape.value(*t) == v), "round {round}");
            if numbers.below(2) == 0 {
                tape.take_back(replaced);
                let expected = model.eval_all(&pool, &terms);
                assert!(terms.iter().zip(&expected).all(|(t, v)| tape.value(*t) == v), "back in {round}");
            } else {
                kept += usize::from(!replaced.0.is_empty());
                model = next;
            }
        }
        assert!(kept > 20, "{kept} changes were kept");
    }
}
