//! Sums that promises extend, bounds that decide, and what is built again.

use crate::{Bv, Model, Pool, Sort, TermId, Value};

/// `a + b` does not leave the width, as the semantics of a source says it.
fn no_overflow(p: &mut Pool, a: TermId, b: TermId, signed: bool) -> TermId {
    let w = p.width(a) + 1;
    let sum = p.add(a, b);
    if !signed {
        let less = p.ult(sum, a);
        return p.not(less);
    }
    let (x, y, s) = (p.sext(a, w), p.sext(b, w), p.sext(sum, w));
    let exact = p.add(x, y);
    p.eq(exact, s)
}

#[test]
fn an_extended_sum_is_the_sum_of_what_is_extended() {
    let mut p = Pool::new();
    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(32)));
    let one = p.num(32, 1);
    for signed in [true, false] {
        let extend = |p: &mut Pool, t| p.resize(t, 64, signed);
        for b in [one, y] {
            let fact = no_overflow(&mut p, x, b, signed);
            let promises = p.promises(&[fact]);
            assert!(promises.says(fact));
            let sum = p.add(x, b);
            let (wide, a, b) = (extend(&mut p, sum), extend(&mut p, x), extend(&mut p, b));
            let apart = p.add(a, b);
            assert_ne!(wide, apart);
            // Also inside an address.
            let eight = Bv::new(64, 8);
            let (l, r) = (p.scale(wide, &eight), p.scale(apart, &eight));
            let (new, promises) = p.keep(&[wide, l, r], promises);
            assert_eq!((new[0], new[1]), (apart, new[2]));
            drop(promises);
            // Nothing of it stays behind.
            assert_eq!(extend(&mut p, sum), wide);
        }
    }
    // The other kind of overflow says nothing.
    let fact = no_overflow(&mut p, x, y, true);
    let promises = p.promises(&[fact]);
    let sum = p.add(x, y);
    let wide = p.zext(sum, 64);
    assert_eq!(p.keep(&[wide], promises).0, [wide]);
}

#[test]
fn a_sum_of_a_sum() {
    let mut p = Pool::new();
    let x = p.var("x", Sort::Bv(32));
    let one = p.num(32, 1);
    let next = p.add(x, one);
    let facts = [no_overflow(&mut p, x, one, true), no_overflow(&mut p, next, one, true)];
    let promises = p.promises(&facts);
    let two = p.add(next, one);
    let wide = p.sext(two, 64);
    let narrow = p.sext(x, 64);
    let apart = p.add_num(narrow, 2);
    assert_eq!(p.keep(&[wide], promises).0, [apart]);
}

#[test]
fn bounds_decide_comparisons_and_extensions() {
    let mut p = Pool::new();
    let x = p.var("x", Sort::Bv(32));
    let [four, nine] = [4, 9].map(|k| p.num(32, k));
    let below = p.ult(x, nine);
    let promises = p.promises(&[below]);
    let (signed, plain) = (p.sext(x, 64), p.zext(x, 64));
    let mask = p.num(32, 15);
    let masked = p.bv_and(x, mask);
    let ten = p.num(32, 10);
    let (sure, open) = (p.slt(x, ten), p.ult(x, four));
    let (new, _) = p.keep(&[signed, masked, sure, open], promises);
    assert_eq!(new[0], plain);
    assert_eq!(p.as_bool(new[2]), Some(true));
    assert_eq!(p.as_bool(new[3]), None);
    // Two bounds that leave nothing.
    let above = p.ult(nine, x);
    assert!(p.promises(&[below, above]).contradict());
}

/// A source of numbers.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

/// A term of three bits over those there are, an extended one, or a comparison.
fn grow(p: &mut Pool, r: &mut Rng, words: &mut Vec<TermId>, wide: &mut Vec<TermId>, bools: &mut Vec<TermId>) {
    let (a, b) = (words[r.below(words.len())], words[r.below(words.len())]);
    let k = p.num(3, r.below(8) as u128);
    match r.below(14) {
        0 | 1 => words.push(p.add(a, b)),
        2 => words.push(p.sub(a, b)),
        3 => words.push(p.add(a, k)),
        4 => words.push(p.mul(a, k)),
        5 => words.push(p.bv_and(a, k)),
        6 => wide.push(p.sext(a, 6)),
        7 => wide.push(p.zext(a, 6)),
        8 if !wide.is_empty() => {
            let (x, y) = (wide[r.below(wide.len())], wide[r.below(wide.len())]);
            let c = Bv::new(6, r.below(9) as u128);
            let y = p.scale(y, &c);
            wide.push(p.add(x, y));
        }
        9 => bools.push(p.ult(a, b)),
        10 => bools.push(p.slt(a, k)),
        11 => bools.push(p.eq(a, k)),
        12 if wide.len() > 1 => {
            let (x, y) = (wide[r.below(wide.len())], wide[r.below(wide.len())]);
            bools.push(if r.below(2) == 0 { p.eq(x, y) } else { p.ult(x, y) });
        }
        _ => {
            let c = bools[r.below(bools.len())];
            words.push(p.ite(c, a, b));
        }
    }
}

#[test]
fn what_is_built_again_is_the_same_under_the_facts() {
    let mut changed = 0;
    for seed in 1..=400u64 {
        let mut r = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut p = Pool::new();
        let vars = ["x", "y", "z"].map(|n| p.var(n, Sort::Bv(3)));
        let b = p.var("b", Sort::Bool);
        let (mut words, mut wide, mut bools) = (vars.to_vec(), Vec::new(), vec![b]);
        let mut facts = Vec::new();
        for _ in 0..24 {
            grow(&mut p, &mut r, &mut words, &mut wide, &mut bools);
            if r.below(4) == 0 {
                let (a, b) = (words[r.below(words.len())], words[r.below(words.len())]);
                let c = p.num(3, r.below(8) as u128);
                let b = if r.below(2) == 0 { b } else { c };
                let signed = r.below(3) > 0;
                facts.push(no_overflow(&mut p, a, b, signed));
                let sum = p.add(a, b);
                words.push(sum);
                wide.push(p.resize(sum, 6, signed));
            }
            if r.below(8) == 0 {
                let c = bools[r.below(bools.len())];
                facts.push(if r.below(2) == 0 { c } else { p.not(c) });
            }
        }
        let promises = p.promises(&facts);
        let promises = p.bounds(promises, &facts);
        let contradict = promises.contradict();
        let mut all = words.clone();
        all.extend(&wide);
        all.extend(&bools);
        let (new, _) = p.keep(&all, promises);
        changed += all.iter().zip(&new).filter(|(a, b)| a != b).count();
        for bits in 0..1u32 << 10 {
            let mut m = Model::new();
            for (i, v) in vars.iter().enumerate() {
                m.set(&p, *v, Value::Bv(Bv::new(3, u128::from(bits >> (3 * i) & 7))));
            }
            m.set(&p, b, Value::Bool(bits >> 9 == 1));
            if m.eval_all(&p, &facts).iter().all(Value::as_bool) {
                assert!(!contradict, "seed {seed}: {bits:#b}");
                assert_eq!(m.eval_all(&p, &all), m.eval_all(&p, &new), "seed {seed}: {bits:#b}");
            }
        }
        // What is known of the terms made on the way holds everywhere.
        for bits in 0..1u32 << 9 {
            let mut m = Model::new();
            for (i, v) in vars.iter().enumerate() {
                m.set(&p, *v, Value::Bv(Bv::new(3, u128::from(bits >> (3 * i) & 7))));
            }
            for (t, v) in new.iter().zip(m.eval_all(&p, &new)) {
                if let Value::Bv(v) = v {
                    let known = p.known(*t);
                    assert!(v.and(&known.zeros).is_zero() && v.and(&known.ones) == known.ones);
                }
            }
        }
    }
    assert!(changed > 400, "{changed} terms were built again");
}

/// An index that a source sets low bits of, promising that they were zero, where the target adds them.
#[test]
fn bits_set_in_place_of_zeros_are_added() {
    let mut p = Pool::new();
    let (x, y) = (p.var("x", Sort::Bv(64)), p.var("y", Sort::Bv(64)));
    let low = p.extract(1, 0, x);
    let (none, three) = (p.num(2, 0), p.num(64, 3));
    let promise = p.eq(low, none);
    let set = p.bv_or(x, three);
    let four = Bv::new(64, 4);
    let scaled = p.scale(set, &four);
    let at = p.add(y, scaled);
    let promises = p.promises(&[promise]);
    let (new, _) = p.keep(&[at], promises);
    let scaled = p.scale(x, &four);
    let sum = p.add(y, scaled);
    assert_eq!(new, [p.add_num(sum, 12)]);
}

#[test]
fn a_signed_quotient_of_what_is_not_negative_is_an_unsigned_one() {
    let mut p = Pool::new();
    let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(32)));
    let [limit, d, zero] = [15, 255, 0].map(|k| p.num(32, k));
    let less = p.sub(x, limit);
    let (by_number, by_other) = (p.sdiv(less, d), p.sdiv(less, y));
    let (plain, rest) = (p.udiv(less, d), p.srem(less, y));
    let low = p.slt(x, limit);
    let (high, negative) = (p.not(low), p.slt(y, zero));
    let fact = p.not(negative);
    let promises = p.promises(&[high]);
    let promises = p.bounds(promises, &[high]);
    assert_eq!(p.keep(&[by_number, by_other, rest], promises).0, [plain, by_other, rest]);
    let promises = p.promises(&[high, fact]);
    let promises = p.bounds(promises, &[high, fact]);
    let (unsigned, left) = (p.udiv(less, y), p.urem(less, y));
    assert_eq!(p.keep(&[by_number, by_other, rest], promises).0, [plain, unsigned, left]);
}

/// Ten products of narrow numbers and one that is shifted, as a discrete cosine transform adds them.
#[test]
fn many_narrow_addends_do_not_overflow() {
    let mut p = Pool::new();
    let narrow: Vec<TermId> = (0..10).map(|i| p.var(&format!("x{i}"), Sort::Bv(32))).collect();
    let mut parts: Vec<(TermId, Bv)> =
        narrow.iter().map(|x| (p.sext(*x, 64), Bv::from_i128(64, -12_299))).collect();
    // A number below 2^40 in size, with low bits of its own: 2^13 times as much, and these.
    let (y, low) = (p.var("y", Sort::Bv(40)), p.num(13, 1024));
    let high = p.sext(y, 51);
    parts.push((p.concat(high, low), Bv::one(64)));
    let sum = p.linear(&parts, Bv::zero(64));
    let wide = p.sext(sum, 65);
    let apart: Vec<(TermId, Bv)> =
        parts.iter().map(|(x, c)| (p.sext(*x, 65), Bv::from_i128(65, c.to_i128().unwrap_or(0)))).collect();
    let apart = p.linear(&apart, Bv::zero(65));
    let z = p.var("z", Sort::Bv(8));
    let (bound, none) = (p.num(8, 3), p.bool(true));
    let fact = p.ult(z, bound);
    let promises = p.promises(&[fact]);
    let same = p.eq(wide, apart);
    assert_eq!(p.keep(&[same], promises).0, [none]);
}

#[test]
fn a_number_read_that_is_not_zero_has_one_below_it() {
    let mut p = Pool::new();
    let (mem, at) = (p.var("mem", Sort::memory(64)), p.var("at", Sort::Bv(64)));
    let read = p.load(mem, at, 2);
    let (word, zero) = (p.zext(read, 32), p.num(16, 0));
    let above = p.ne(read, zero);
    let less = p.add_num(word, -1);
    let less = p.zext(less, 64);
    let wide = p.zext(read, 64);
    let wide = p.add_num(wide, -1);
    let promises = p.promises(&[above]);
    let promises = p.bounds(promises, &[above]);
    let (built, _) = p.keep(&[less, wide], promises);
    assert_eq!(built[0], built[1]);
}
