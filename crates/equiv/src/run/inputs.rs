//! Inputs of concrete runs: those of a model, and random ones.

use super::trace;
use crate::model::{PairStates, Shape, State, Val, term_of};
use smt::{ArrayVal, Bv, Concrete, FuncVal, Model, Pool, Rng, Sort, Symbolic, Value};

/// The lowest of the addresses that random values mostly are.
const LOW: u64 = 0x4000;

/// Pieces of memory, from the lowest address on, that random addresses mostly lie in, and the bytes of each.
const PIECES: (u64, u64) = (64, 16);

/// Small numbers mostly, so that loops end; edges sometimes; anything now and then.
pub(crate) fn likely_bv(rng: &mut Rng, w: u32) -> Bv {
    match rng.below(16) {
        0 => Bv::ones(w),
        1 => Bv::smin(w),
        2 => Bv::smax(w),
        3 => Bv::zero(w),
        4 => Bv::from_i128(w, -(i128::from(rng.below(8)) + 1)),
        5 | 6 => Bv::new(w, u128::from(rng.draw()) << 64 | u128::from(rng.draw())),
        7 => Bv::new(w, u128::from(rng.below(256))),
        // Addresses are mostly even ones, and not near zero.
        _ if w == 64 && rng.below(2) == 0 => Bv::new(w, u128::from(LOW + rng.below(PIECES.0) * PIECES.1)),
        _ => Bv::new(w, u128::from(rng.below(10))),
    }
}

/// The concrete states that a model makes of symbolic ones.
pub(crate) fn concretise(pool: &Pool, m: &Model, pair: &PairStates) -> (State<Concrete>, State<Concrete>) {
    let state = |s: &State<Symbolic>| {
        let terms: Vec<_> = s.vals.iter().map(term_of).collect();
        let vals = m
            .eval_all(pool, &terms)
            .into_iter()
            .map(|v| match v {
                Value::Bv(b) => Val::Bv(b),
                Value::Array(a) => Val::Mem(a),
                Value::Bool(b) => Val::Bv(Bv::new(1, u128::from(b))),
            })
            .collect();
        State { at: s.at, vals }
    };
    (state(&pair.left), state(&pair.right))
}

/// The concrete domain in which a model's symbols and operations have the model's values.
pub(crate) fn domain_of(pool: &Pool, m: &Model, seed: u64) -> Concrete {
    let mut d = Concrete::new(seed);
    for (s, v) in &m.symbols {
        if let (Some((name, w)), Value::Bv(b)) = (pool.symbol(*s).name.rsplit_once(':'), v)
            && w.parse() == Ok(b.width())
        {
            d.symbols.insert((name.to_owned(), b.width()), b.clone());
        }
    }
    for (f, FuncVal { points, .. }) in &m.funcs {
        let declared = pool.func_decl(*f);
        if declared.operation.is_none() {
            continue;
        }
        let name = &declared.name;
        for (args, v) in points {
            let bvs: Option<Vec<Bv>> = args
                .iter()
                .map(|a| match a {
                    Value::Bv(b) => Some(b.clone()),
                    Value::Bool(_) | Value::Array(_) => None,
                })
                .collect();
            if let (Some(bvs), Value::Bv(b)) = (bvs, v) {
                d.points.insert((name.clone(), bvs), b.clone());
            }
        }
    }
    d
}

/// Lets some elements differ from the default.
fn vary(a: &mut ArrayVal, index: u32, elem: u32, rng: &mut Rng) {
    if index < 16 {
        for i in 0..32u128.min(1 << index) {
            a.set(Bv::new(index, i), likely_bv(rng, elem));
        }
        return;
    }
    // A quarter of the pieces, the bytes neither zero nor one: in a memory of permissions, those forbid something.
    for piece in (0..PIECES.0).filter(|_| rng.below(4) == 0).collect::<Vec<_>>() {
        for i in 0..PIECES.1 {
            let v = if elem == 8 { Bv::new(8, u128::from(2 + rng.below(254))) } else { likely_bv(rng, elem) };
            a.set(Bv::new(index, u128::from(LOW + piece * PIECES.1 + i)), v);
        }
    }
}

/// A random model of the unknowns of a pair of states.
pub(crate) fn random_model(pool: &Pool, pair: &PairStates, rng: &mut Rng) -> Model {
    let mut terms: Vec<_> = pair.left.vals.iter().chain(&pair.right.vals).map(term_of).collect();
    terms.extend(&pair.assume);
    let mut m = Model::new();
    for s in pool.free_symbols(&terms) {
        let v = match pool.symbol(s).sort {
            Sort::Bool => Value::Bool(rng.below(2) == 1),
            Sort::Bv(w) => Value::Bv(likely_bv(rng, w)),
            Sort::Array { index, elem } => {
                // Words of the default byte are even addresses half the time.
                let default = likely_bv(rng, elem);
                let even = rng.below(2) == 0 && elem == 8;
                let default = if even { default.and(&Bv::new(8, 0xf8)) } else { default };
                let mut a = ArrayVal::new(index, default);
                vary(&mut a, index, elem, rng);
                Value::Array(a)
            }
        };
        if !pool.is_object(pool.symbol_term(s)) {
            m.symbols.insert(s, v);
        }
    }
    m
}

/// For each array of a model, the model with all elements set that the array has as by default, and with all of them:
/// queries ask for the ends of ranges, and what is inside of one range may lie at the end of another.
pub(crate) fn filled(pool: &Pool, m: &Model) -> Vec<Model> {
    let mut out = Vec::new();
    for (s, v) in &m.symbols {
        let (Sort::Array { index, elem }, Value::Array(old)) = (pool.symbol(*s).sort, v) else { continue };
        let ones = ArrayVal::new(index, Bv::ones(elem));
        let mut kept = ones.clone();
        for (i, e) in old.entries() {
            if e != *old.default_elem() {
                kept.set(i, e);
            }
        }
        for new in [kept, ones] {
            let mut m = m.clone();
            m.symbols.insert(*s, Value::Array(new));
            out.push(m);
        }
    }
    out
}

/// Inputs in words: the left entry's variables.
pub(crate) fn describe_inputs(shape: &Shape, s: &State<Concrete>) -> Vec<(String, String)> {
    let vars = &shape.point(s.at).vars;
    vars.iter().zip(&s.vals).map(|(v, x)| (v.name.clone(), trace::show(x))).collect()
}
