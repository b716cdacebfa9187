//! What instruction selection makes of an operation is the operation's own term: the same identity, without a solver.

use smt::{Bv, Model, Pool, Sort, TermId, Value};

/// Lanes of 32 bits.
fn lanes(p: &mut Pool, t: TermId) -> Vec<TermId> {
    (0..p.width(t) / 32).map(|i| p.extract(32 * i + 31, 32 * i, t)).collect()
}

fn join(p: &mut Pool, lanes: &[TermId]) -> TermId {
    let parts: Vec<TermId> = lanes.iter().rev().copied().collect();
    p.concat_all(&parts)
}

#[test]
fn a_multiple_of_an_even_number() {
    let mut p = Pool::new();
    let x = p.var("x", Sort::Bv(32));
    for (d, inverse, up, limit) in [
        // x % 10, signed: by the inverse of 5, moved up, rotated by one.
        (10, 0xcccc_cccd, 429_496_728, 429_496_728u128),
        (5, 0xcccc_cccd, 429_496_729, 858_993_458),
    ] {
        for apart in [0, -2] {
            let x = p.add_num(x, apart);
            let (d, zero) = (p.num(32, d), p.num(32, 0));
            let r = p.srem(x, d);
            let source = p.eq(r, zero);
            let product = p.scale(x, &Bv::new(32, inverse));
            let mut moved = p.add_num(product, up);
            if p.as_const(d).is_some_and(|d| !d.bit(0)) {
                let (low, high) = (p.extract(0, 0, moved), p.extract(31, 1, moved));
                moved = p.concat(low, high);
            }
            let limit = p.num(32, limit);
            assert_eq!(p.ule(moved, limit), source, "{}", p.show(source));
        }
    }
    // Unsigned: x % 10.
    let (ten, zero) = (p.num(32, 10), p.num(32, 0));
    let r = p.urem(x, ten);
    let source = p.eq(r, zero);
    let product = p.scale(x, &Bv::new(32, 0xcccc_cccd));
    let (low, high) = (p.extract(0, 0, product), p.extract(31, 1, product));
    let turned = p.concat(low, high);
    let limit = p.num(32, 429_496_729);
    assert_eq!(p.ule(turned, limit), source);
}

/// Multiples at small widths, for all divisors and operands.
#[test]
fn multiples_mean_what_they_did() {
    for w in 3..=6u32 {
        let mut p = Pool::new();
        let x = p.var("x", Sort::Bv(w));
        for d in 1..1u128 << w {
            for (k, signed) in [(0, true), (1, true), (3, true), (0, false), (2, false)] {
                let y = p.add_num(x, k);
                let dt = p.num(w, d);
                let q = if signed { p.sdiv(y, dt) } else { p.udiv(y, dt) };
                let back = p.scale(q, &Bv::new(w, d));
                let test = p.eq(back, y);
                for v in 0..1u128 << w {
                    let v = Bv::new(w, v);
                    let mut m = Model::new();
                    m.set(&p, x, Value::Bv(v.clone()));
                    let (y, d) = (v.add(&Bv::from_i128(w, k)), Bv::new(w, d));
                    let q = if signed { y.sdiv(&d) } else { y.udiv(&d) };
                    assert_eq!(m.eval(&p, test).as_bool(), q.mul(&d) == y, "{v} + {k} by {d}, {w} bits");
                }
            }
        }
    }
}

#[test]
fn bits_of_a_sum_need_none_above_them() {
    let mut p = Pool::new();
    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(64)));
    let half = p.extract(15, 0, x);
    for (t, wide) in [(half, 64), (x, 64)] {
        let (a, b) = (p.resize(t, wide, false), p.resize(t, 32, false));
        let c = 2_654_435_769;
        let (a, b) = (p.scale(a, &Bv::new(64, c)), p.scale(b, &Bv::new(32, c)));
        assert_eq!(p.extract(31, 23, a), p.extract(31, 23, b));
    }
    let (low_x, low_y) = (p.trunc(x, 32), p.trunc(y, 32));
    let (a, b) = (p.mul(x, y), p.mul(low_x, low_y));
    assert_eq!(p.extract(20, 7, a), p.extract(20, 7, b));
    let (a, b) = (p.bv_xor(x, y), p.bv_xor(low_x, low_y));
    assert_eq!(p.extract(20, 7, a), p.extract(20, 7, b));
    let c = p.ult(x, y);
    let (a, b) = (p.ite(c, x, y), p.ite(c, low_x, low_y));
    assert_eq!(p.extract(20, 7, a), p.extract(20, 7, b));
}

/// The greater of each two unsigned lanes on a machine that only compares signed ones and has no choice.
#[test]
fn the_greater_of_lanes_by_masks() {
    let mut p = Pool::new();
    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(128)));
    let (xs, ys) = (lanes(&mut p, x), lanes(&mut p, y));
    let mut source = Vec::new();
    for (a, b) in xs.iter().zip(&ys) {
        let less = p.ult(*a, *b);
        source.push(p.ite(less, *b, *a));
    }
    let source = join(&mut p, &source);
    let signs = p.num(128, 0x8000_0000_8000_0000_8000_0000_8000_0000);
    // The operands as lanes, so that both sides have parts.
    let (x, y) = (join(&mut p, &xs), join(&mut p, &ys));
    let (fx, fy) = (p.bv_xor(x, signs), p.bv_xor(y, signs));
    let (fx, fy) = (lanes(&mut p, fx), lanes(&mut p, fy));
    let mut mask = Vec::new();
    for (a, b) in fx.iter().zip(&fy) {
        let less = p.slt(*a, *b);
        let bit = p.bool_to_bv(less);
        mask.push(p.sext(bit, 32));
    }
    let mask = join(&mut p, &mask);
    let others = p.bv_not(mask);
    let (a, b) = (p.bv_and(y, mask), p.bv_and(x, others));
    let target = p.bv_or(a, b);
    assert_eq!(lanes(&mut p, target), lanes(&mut p, source));
}

#[test]
fn halves_that_a_word_has_anyway() {
    let mut p = Pool::new();
    let x = p.var("x", Sort::Bv(128));
    let high = p.var("high", Sort::Bv(64));
    let low = p.extract(63, 0, x);
    let whole = p.concat(high, low);
    let upper = p.extract(127, 64, x);
    assert_eq!(p.eq(x, whole), p.eq(upper, high));
}

/// The remainder of a sum by a reciprocal with the fixup in half of the bits, shifted up.
#[test]
fn bits_that_a_factor_shifts_out() {
    let mut p = Pool::new();
    let x = p.var("x", Sort::Bv(32));
    let zeros = p.extract(31, 15, x);
    let wide = p.zext(zeros, 32);
    let (low, factor) = (p.extract(30, 15, x), Bv::new(32, 983_040));
    let narrow = p.zext(low, 32);
    assert_eq!(p.scale(wide, &factor), p.scale(narrow, &factor));
}

#[test]
fn orders_that_an_inequality_narrows() {
    let mut p = Pool::new();
    let (a, b) = (p.var("a", Sort::Bv(8)), p.var("b", Sort::Bv(8)));
    let ne = p.ne(a, b);
    for less in [Pool::ult, Pool::slt] {
        let (below, above) = (less(&mut p, a, b), less(&mut p, b, a));
        let (no_less, no_more) = (p.not(below), p.not(above));
        assert_eq!(p.and(below, ne), below);
        assert_eq!(p.and(no_less, ne), above);
        assert_eq!(p.and(no_more, ne), below);
        assert_eq!(p.and(no_less, no_more), p.eq(a, b));
    }
}

#[test]
fn a_sign_changed_is_the_complement_of_the_rest_changed() {
    let mut p = Pool::new();
    let x = p.var("x", Sort::Bv(32));
    let (sign, rest) = (p.num(32, 0x8000_0000), p.num(32, 0x7fff_ffff));
    let (signed, others) = (p.bv_xor(x, sign), p.bv_xor(x, rest));
    assert_eq!(p.neg(signed), p.add_num(others, 1));
}

#[test]
fn a_choice_between_constants_beside_a_constant() {
    let mut p = Pool::new();
    let c = p.var("c", Sort::Bool);
    let (one, two, seven) = (p.num(8, 1), p.num(8, 2), p.num(8, 7));
    let choice = p.ite(c, one, two);
    let (first, second) = (p.num(16, 0x0701), p.num(16, 0x0702));
    assert_eq!(p.concat(seven, choice), p.ite(c, first, second));
}

#[test]
fn writes_that_follow_each_other_are_one() {
    let mut p = Pool::new();
    let mem = p.var("mem", Sort::memory(64));
    let [at, low, high] = ["at", "low", "high"].map(|n| p.var(n, Sort::Bv(64)));
    let behind = p.add_num(at, 8);
    let first = p.store(mem, at, low);
    let apart = p.store(first, behind, high);
    let both = p.concat(high, low);
    assert_eq!(apart, p.store(mem, at, both));
}

#[test]
fn equalities_that_bits_decide() {
    let mut p = Pool::new();
    let [v, y] = ["v", "y"].map(|n| p.var(n, Sort::Bv(32)));
    let mask = p.num(32, 0xf8);
    let even = p.bv_and(v, mask);
    let fourfold = p.scale(y, &Bv::new(32, 4));
    let odd = p.add_num(fourfold, 3);
    let equal = p.eq(even, odd);
    assert_eq!(p.as_bool(equal), Some(false));

    let [a, b] = ["a", "b"].map(|n| p.var(n, Sort::Bool));
    let (one, other) = (p.bool_to_bv(a), p.bool_to_bv(b));
    assert_eq!(p.eq(one, other), p.eq(a, b));
}

#[test]
fn a_signed_quotient_by_one() {
    let mut p = Pool::new();
    let (x, one) = (p.var("x", Sort::Bv(32)), p.num(32, 1));
    assert_eq!(p.sdiv(x, one), x);
}

/// Low bits of a bitwise operation, and any single one, are those of its operands.
#[test]
fn bits_of_bitwise_operations() {
    let mut p = Pool::new();
    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(32)));
    for (hi, lo) in [(7, 0), (9, 9)] {
        let (a, b) = (p.extract(hi, lo, x), p.extract(hi, lo, y));
        for op in [Pool::bv_and, Pool::bv_or, Pool::bv_xor] {
            let (whole, part) = (op(&mut p, x, y), op(&mut p, a, b));
            assert_eq!(p.extract(hi, lo, whole), part);
        }
        let (whole, part) = (p.bv_not(x), p.bv_not(a));
        assert_eq!(p.extract(hi, lo, whole), part);
    }
    // The complement is one less than the negation, also of bits above zeros.
    let zeros = p.num(4, 0);
    let shifted = p.concat(x, zeros);
    let minus = p.neg(shifted);
    assert_eq!(p.bv_not(shifted), p.add_num(minus, -1));
    assert_eq!(p.bv_not(zeros), p.num(4, 15));
    // Of masks by conditions: a mask by both.
    let [a, b] = ["a", "b"].map(|n| p.var(n, Sort::Bool));
    let (mask, zero) = (p.num(32, 0xff0), p.num(32, 0));
    let (first, second, either) = (p.ite(a, zero, mask), p.ite(b, zero, mask), p.or(a, b));
    assert_eq!(p.bv_and(first, second), p.ite(either, zero, mask));
}

#[test]
fn conditions_that_say_the_same() {
    let mut p = Pool::new();
    let [a, b] = ["a", "b"].map(|n| p.var(n, Sort::Bool));
    let (both, not_a) = (p.and(a, b), p.not(a));
    let not_both = p.not(both);
    assert_eq!(p.and(not_a, not_both), not_a, "absorbed");
    let not_b = p.not(b);
    assert_eq!(p.and(a, not_both), p.and(a, not_b), "resolved");
    let same = p.eq(a, b);
    assert_eq!((p.eq(same, a), p.eq(same, b), p.eq(a, same)), (b, a, b));

    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(8)));
    let (one, zero) = (p.num(8, 1), p.num(8, 0));
    let odd = p.bv_or(x, one);
    let none = p.eq(odd, zero);
    assert_eq!(p.as_bool(none), Some(false));
    let (flipped_x, flipped_y) = (p.bv_not(x), p.bv_not(y));
    assert_eq!(p.eq(flipped_x, flipped_y), p.eq(x, y));
    let (high_x, high_y) = (p.concat(x, y), p.concat(x, one));
    assert_eq!(p.ult(high_x, high_y), p.ult(y, one));
    // Bits known to be one are enough.
    let (low_x, low_y) = (p.trunc(x, 7), p.trunc(y, 7));
    let (bit, small) = (p.num(1, 1), p.zext(low_x, 8));
    let great = p.concat(bit, low_y);
    let below = p.ult(small, great);
    assert_eq!(p.as_bool(below), Some(true));
    // The sign flipped: the other order.
    let (sign, k, other) = (p.num(8, 0x80), p.num(8, 0x17), p.num(8, 0x97));
    let (sx, sy) = (p.bv_xor(x, sign), p.bv_xor(y, sign));
    assert_eq!(p.ult(sx, sy), p.slt(x, y));
    assert_eq!(p.slt(sx, sy), p.ult(x, y));
    assert_eq!(p.ult(sx, k), p.slt(x, other));
    assert_eq!(p.ult(k, sx), p.slt(other, x));
}

/// Numbers that have fewer bits than the word, whatever the word: by their form, or by how they were computed.
#[test]
fn numbers_that_need_fewer_bits() {
    let mut p = Pool::new();
    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(8)));
    let (eleven, wide_eleven) = (p.num(8, 11), p.num(32, 11));
    for (extend, divide, less) in [
        (
            Pool::zext as fn(&mut Pool, _, _) -> _,
            Pool::udiv as fn(&mut Pool, _, _) -> _,
            Pool::ult as fn(&mut Pool, _, _) -> _,
        ),
        (Pool::sext, Pool::sdiv, Pool::slt),
    ] {
        let (wx, wy): (TermId, TermId) = (extend(&mut p, x, 32), extend(&mut p, y, 32));
        let (narrow, wide): (TermId, TermId) = (divide(&mut p, x, eleven), divide(&mut p, wx, wide_eleven));
        assert_eq!(extend(&mut p, narrow, 32), wide);
        let (narrow, wide): (TermId, TermId) = (less(&mut p, x, y), less(&mut p, wx, wy));
        assert_eq!(narrow, wide);
        let (narrow, wide): (TermId, TermId) = (less(&mut p, eleven, x), less(&mut p, wide_eleven, wx));
        assert_eq!(narrow, wide);
    }
    // All bits that a shifted term has, and all that a remainder has, above which there is nothing.
    let (wx, wy) = (p.zext(x, 32), p.zext(y, 32));
    let shifted = p.lshr(wx, wy);
    let z = p.var("z", Sort::Bv(32));
    let rest = p.urem(z, wide_eleven);
    for t in [shifted, rest] {
        let low = p.trunc(t, 8);
        assert_eq!(p.zext(low, 16), p.trunc(t, 16));
        assert_eq!(p.zext(low, 32), t);
        assert_eq!(p.zext(low, 64), p.zext(t, 64));
    }
}
