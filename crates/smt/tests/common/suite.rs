//! The conformance suite: random queries at small widths, brute force as the ground truth.

use super::{Gen, Size};
use smt::{Answer, ArrayVal, Bv, FuncVal, Limits, Model, Node, Pool, Solver, Sort, TermId, Value};

/// Every assignment of the generator's symbols.
fn assignments(g: &Gen) -> Vec<Model> {
    let mut out = vec![Model::new()];
    let syms: Vec<_> = g.pool.symbols().map(|(id, s)| (id, s.sort)).collect();
    for (id, sort) in syms {
        let vals: Vec<Value> = match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Bv(w) => (0..1u128 << w).map(|v| Value::Bv(Bv::new(w, v))).collect(),
            Sort::Array { index, elem } => {
                let cells = 1u32 << index;
                (0..1u128 << (cells * elem))
                    .map(|v| {
                        let mut a = ArrayVal::new(index, Bv::zero(elem));
                        a.store(&Bv::zero(index), &Bv::new(cells * elem, v));
                        Value::Array(a)
                    })
                    .collect()
            }
        };
        out = out
            .into_iter()
            .flat_map(|m| {
                vals.iter().map(move |v| {
                    let mut m = m.clone();
                    m.symbols.insert(id, v.clone());
                    m
                })
            })
            .collect();
    }
    if let Some(f) = g.func {
        let w = g.size.width;
        let n = 1u32 << w;
        let graphs: Vec<FuncVal> = (0..1u128 << (n * w))
            .map(|bits| {
                let table = Bv::new(n * w, bits);
                let points = (0..n).map(|i| {
                    let r = table.extract((i + 1) * w - 1, i * w);
                    (vec![Value::Bv(Bv::new(w, u128::from(i)))], Value::Bv(r))
                });
                FuncVal { points: points.collect(), default: None }
            })
            .collect();
        out = out
            .into_iter()
            .flat_map(|m| {
                graphs.iter().map(move |v| {
                    let mut m = m.clone();
                    m.funcs.insert(f, v.clone());
                    m
                })
            })
            .collect();
    }
    out
}

fn satisfiable(pool: &Pool, all: &[Model], goals: &[TermId]) -> bool {
    all.iter().any(|m| m.eval_all(pool, goals).iter().all(Value::as_bool))
}

/// Checks a backend on random queries; says how many it left open, which must be few.
pub fn conforms(mut make: impl FnMut() -> Box<dyn Solver>, rounds: u64) {
    let sizes = [
        Size { width: 2, bvs: 3, bools: 1, arrays: 1, index: 2, elem: 1, func: false, models: 1 },
        Size { width: 3, bvs: 3, bools: 1, arrays: 0, index: 2, elem: 1, func: false, models: 1 },
        Size { width: 1, bvs: 2, bools: 1, arrays: 2, index: 2, elem: 1, func: false, models: 1 },
        Size { width: 2, bvs: 2, bools: 1, arrays: 0, index: 2, elem: 1, func: true, models: 1 },
    ];
    let (mut asked, mut open, mut sat, mut unsat) = (0, 0, 0, 0);
    for round in 0..rounds {
        let size = sizes[round as usize % sizes.len()];
        let mut g = Gen::new(round + 7_000, size);
        for _ in 0..30 {
            g.step();
        }
        let all = assignments(&g);
        let mut s = make();
        for _ in 0..3 {
            let n = g.bools.len();
            let pick = |g: &mut Gen| {
                let t = g.bools[n - 1 - g.rng.below(n.min(8))].t;
                if g.rng.below(2) == 0 { t } else { g.pool.not(t) }
            };
            let (a, b, c) = (pick(&mut g), pick(&mut g), pick(&mut g));
            // One solver for all three: what an earlier query asked must be forgotten.
            let mut ask = |s: &mut Box<dyn Solver>, g: &mut Gen, goals: &[TermId]| {
                let truth = satisfiable(&g.pool, &all, goals);
                asked += 1;
                match s.check(&mut g.pool, goals, &Limits::default()) {
                    Answer::Sat(m) => {
                        assert!(truth, "round {round}: satisfiable claimed, brute force finds nothing");
                        assert!(
                            goals.iter().all(|t| m.holds(&g.pool, *t)),
                            "round {round}: a model that fails"
                        );
                        sat += 1;
                    }
                    Answer::Unsat => {
                        assert!(!truth, "round {round}: unsatisfiable claimed, brute force finds a model");
                        unsat += 1;
                        if let Some(core) = s.core() {
                            assert!(
                                !satisfiable(&g.pool, &all, core),
                                "round {round}: a core that can be true"
                            );
                            let known = |t: &TermId| {
                                let part =
                                    |x: &TermId| matches!(g.pool.node(*x), Node::And(xs) if xs.contains(t));
                                goals.contains(t) || goals.iter().any(part)
                            };
                            assert!(core.iter().all(known), "round {round}: a core of something else");
                        }
                    }
                    Answer::Unknown(_) => open += 1,
                }
            };
            ask(&mut s, &mut g, &[a, b, c]);
            ask(&mut s, &mut g, &[a, b]);
            ask(&mut s, &mut g, &[a]);
        }
    }
    eprintln!("asked {asked}: {sat} sat, {unsat} unsat, {open} open");
    assert!(sat > asked / 10 && unsat > asked / 20, "the queries are one-sided: {sat} sat, {unsat} unsat");
    assert!(open * 50 <= asked, "{open} of {asked} queries left open");
}
