//! Rewrites against brute force: random terms are built through the constructors and, in parallel,
//! evaluated by the plain meaning of each operation; the two must agree on every assignment tried.

mod common;

use common::{Gen, Size};

#[test]
fn constructors_keep_the_meaning() {
    let rounds: u64 = std::env::var("REWRITE_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(8);
    for w in [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64, 128, 150] {
        for seed in 0..rounds {
            let index = w.clamp(3, 64);
            let size =
                Size { width: w, bvs: 4, bools: 2, arrays: 2, index, elem: 2, func: false, models: 24 };
            let mut g = Gen::new(seed * 1000 + u64::from(w), size);
            for _ in 0..60 {
                g.step();
            }
        }
    }
}

/// The same with operands that have parts in common.
#[test]
fn related_operands_keep_the_meaning() {
    let rounds: u64 = std::env::var("REWRITE_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(6);
    for w in [2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 130] {
        for seed in 0..rounds {
            let index = w.max(3);
            let size =
                Size { width: w, bvs: 2, bools: 1, arrays: 2, index, elem: 2, func: false, models: 12 };
            let mut g = Gen::new(seed * 1000 + u64::from(w) + 7, size);
            for _ in 0..40 {
                g.related_step();
            }
        }
    }
}

/// Masks chosen by conditions, joined bit by bit: the Boolean operation on the conditions.
#[test]
fn masks_of_conditions_keep_the_meaning() {
    use smt::{Bv, Model, Pool, Sort, Value};
    let mut rng = common::Rng::new(7);
    let mut joined = 0;
    for _ in 0..400 {
        let mut p = Pool::new();
        let w = [1, 3, 8, 32][rng.below(4)];
        let conds: Vec<_> = (0..4).map(|i| p.var(&format!("c{i}"), Sort::Bool)).collect();
        let masks = [rng.bv(w), Bv::one(w), Bv::ones(w)];
        let op = rng.below(3);
        let mut args = Vec::new();
        for c in &conds {
            let mask = masks[rng.below(3)].clone();
            let (mask, zero) = (p.constant(mask), p.constant(Bv::zero(w)));
            args.push(if rng.below(2) == 0 { p.ite(*c, mask, zero) } else { p.ite(*c, zero, mask) });
        }
        if rng.below(2) == 0 {
            let k = rng.bv(w);
            args.push(p.constant(k));
        }
        let plain = |a: &Bv, b: &Bv| match op {
            0 => a.and(b),
            1 => a.or(b),
            _ => a.xor(b),
        };
        let mut t = args[0];
        for a in &args[1..] {
            t = match op {
                0 => p.bv_and(t, *a),
                1 => p.bv_or(t, *a),
                _ => p.bv_xor(t, *a),
            };
        }
        joined += u32::from(matches!(p.node(t), smt::Node::Ite(..) | smt::Node::Const(_)));
        for bits in 0..16u32 {
            let mut m = Model::new();
            for (i, c) in conds.iter().enumerate() {
                m.set(&p, *c, Value::Bool(bits >> i & 1 == 1));
            }
            let values = m.eval_all(&p, &args);
            let want = values[1..].iter().fold(values[0].as_bv().clone(), |a, b| plain(&a, b.as_bv()));
            assert_eq!(*m.eval(&p, t).as_bv(), want, "width {w}, operation {op}, {bits:#b}");
        }
    }
    assert!(joined > 60, "{joined} of 400 became one choice");
}

/// The upper bits of a sum of multiples of a power of two are bits of the sum divided by that power; a constant below the
/// power does not change them.
#[test]
fn a_factor_goes_from_the_bits_above_a_power_of_two() {
    use smt::{Bv, Pool, Sort};
    let mut p = Pool::new();
    let (x, y) = (p.var("x", Sort::Bv(64)), p.var("y", Sort::Bv(64)));
    let number = |n: u64| Bv::new(64, n.into());
    let sum = p.linear(&[(x, number(640)), (y, number(384))], number(127));
    let high = p.extract(63, 7, sum);
    let (x, y) = (p.extract(56, 0, x), p.extract(56, 0, y));
    let small = p.linear(&[(x, Bv::new(57, 5)), (y, Bv::new(57, 3))], Bv::zero(57));
    assert_eq!(high, small, "the 127 carries nowhere");
}

/// A factor with constant low bits, such as `x ++ 01`, is multiplied out like the sum `4 * x + 1`.
#[test]
fn bits_below_a_factor_are_added_to_it() {
    use smt::{Bv, Pool, Sort};
    let mut p = Pool::new();
    let (x, y) = (p.var("x", Sort::Bv(8)), p.var("y", Sort::Bv(64)));
    let x = p.zext(x, 64);
    let (two, one) = (p.constant(Bv::new(64, 2)), p.constant(Bv::one(64)));
    let shifted = p.shl(x, two);
    let odd = p.bv_or(shifted, one);
    let whole = p.mul(odd, y);
    let part = p.mul(x, y);
    let sum = p.linear(&[(part, Bv::new(64, 4)), (y, Bv::one(64))], Bv::zero(64));
    assert_eq!(whole, sum);
}

/// Sums of multiples of a choice by a sign and of that sign's bit or copies: only some of them are a choice between a
/// number and its negation.
#[test]
fn signs_added_to_choices_by_them() {
    use smt::{Bv, Model, Pool, Sort, Value};
    let w = 3;
    let all = || (0..1u128 << w).map(|v| Bv::new(w, v));
    let mut p = Pool::new();
    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(w)));
    let (sign, one) = (p.extract(w - 1, w - 1, x), p.num(1, 1));
    let (negative, even) = (p.eq(sign, one), p.extract(0, 0, x));
    let other = p.eq(even, one);
    let (not_y, less) = (p.bv_not(y), p.add_num(y, -1));
    for (c, z) in [(negative, not_y), (negative, less), (other, not_y)] {
        let choice = p.ite(c, z, y);
        for signed in [false, true] {
            let bit = p.resize(sign, w, signed);
            for (k, l) in all().flat_map(|k| all().map(move |l| (k.clone(), l))) {
                let t = p.linear(&[(choice, k.clone()), (bit, l.clone())], Bv::zero(w));
                for (vx, vy) in all().flat_map(|x| all().map(move |y| (x.clone(), y))) {
                    let mut m = Model::new();
                    m.set(&p, x, Value::Bv(vx.clone()));
                    m.set(&p, y, Value::Bv(vy.clone()));
                    let holds = if c == negative { vx.sign() } else { vx.bit(0) };
                    let chosen = match (holds, z == not_y) {
                        (false, _) => vy.clone(),
                        (true, true) => vy.not(),
                        (true, false) => vy.sub(&Bv::one(w)),
                    };
                    let bit = vx.extract(w - 1, w - 1);
                    let bit = if signed { bit.sext(w) } else { bit.zext(w) };
                    let want = chosen.mul(&k).add(&bit.mul(&l));
                    assert_eq!(*m.eval(&p, t).as_bv(), want, "{k} and {l}, signed {signed}: {}", p.show(t));
                }
            }
        }
    }
}
