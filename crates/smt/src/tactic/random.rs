//! Models at random, and variations of a model: what tells terms apart without a solver.

use crate::effort::Deadline;
use crate::{ArrayVal, Bv, Model, Node, Pool, Rng, Sort, TermId, Value};
use rustc_hash::FxHashMap;

/// Random assignments that terms are told apart by before any pair is tried.
pub(super) const RANDOM: u64 = 32;

/// Variations of a model of the facts that are tried.
const VARIATIONS: u64 = 48;

/// A value of a width: small, small below zero, or any.
fn any(numbers: &mut Rng, width: u32) -> Bv {
    match numbers.draw() % 4 {
        0 => Bv::new(width, u128::from(numbers.draw() % 6)),
        1 => Bv::new(width, u128::from(numbers.draw() % 6)).neg(),
        _ => {
            let mut v = Bv::new(width, u128::from(numbers.draw()));
            for n in (64..width).step_by(64) {
                v = v.xor(&Bv::new(width, u128::from(numbers.draw())).shl_by(n));
            }
            v
        }
    }
}

/// A model of the facts, and what it becomes when some of its values are drawn at random and the facts still hold.
pub(super) fn variations(
    pool: &Pool,
    order: &[TermId],
    facts: &[TermId],
    first: Model,
    deadline: Deadline,
) -> Vec<Model> {
    let mut out = vec![first];
    for seed in 1..=VARIATIONS {
        if deadline.passed().is_some() {
            break;
        }
        let mut numbers = Rng(!seed);
        let mut m = out[(numbers.draw() % out.len() as u64) as usize].clone();
        let drawn = random_model(pool, order, seed);
        let one = numbers.draw() as usize % drawn.symbols.len().max(1);
        for (i, (s, v)) in drawn.symbols.into_iter().enumerate() {
            if i == one || numbers.draw().is_multiple_of(4) {
                m.symbols.insert(s, v);
            }
        }
        if m.eval_all(pool, facts).iter().all(Value::as_bool) {
            out.push(m);
        }
    }
    out
}

/// Values at random, with arrays that hold something else wherever they are read.
pub(super) fn random_model(pool: &Pool, order: &[TermId], seed: u64) -> Model {
    let mut numbers = Rng(seed);
    let mut model = Model::new();
    for &t in order {
        if !matches!(pool.node(t), Node::Var(_)) {
            continue;
        }
        let value = match pool.sort(t) {
            Sort::Bool => Value::Bool(numbers.draw() & 1 == 1),
            Sort::Bv(w) => Value::Bv(any(&mut numbers, w)),
            Sort::Array { index, elem } => Value::Array(ArrayVal::new(index, any(&mut numbers, elem))),
        };
        model.set(pool, t, value);
    }
    let constants: Vec<Bv> = order.iter().filter_map(|t| pool.as_const(*t).cloned()).collect();
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
            let w = pool.width(t);
            let fresh = held.load(&at, w / pool.array_widths(array).1);
            let untouched = ArrayVal::new(at.width(), held.default_elem().clone());
            if fresh == untouched.load(&at, w / pool.array_widths(array).1) {
                let value = if numbers.draw().is_multiple_of(4) && !constants.is_empty() {
                    let k = &constants[(numbers.draw() % constants.len() as u64) as usize];
                    if k.width() <= w { k.zext(w) } else { k.trunc(w) }
                } else {
                    any(&mut numbers, w)
                };
                held.store(&at, &value);
                model.set(pool, array, Value::Array(held));
            }
        }
    }
    model
}
