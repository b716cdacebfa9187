//! Multiplications by reciprocals, right and nearly right, at small widths: whatever the constructors
//! make of them must have the plain value for every operand.

use smt::{Bv, Model, Pool, Sort, TermId, Value};

struct Case {
    pool: Pool,
    x: TermId,
    w: u32,
    quotients: u32,
}

impl Case {
    fn new(w: u32) -> Case {
        let mut pool = Pool::new();
        let x = pool.var("x", Sort::Bv(w));
        Case { pool, x, w, quotients: 0 }
    }

    fn check(&mut self, t: TermId, what: &str, mean: impl Fn(&Bv) -> Bv) {
        let nodes = self.pool.postorder(&[t]);
        let quotient = |t: &TermId| matches!(self.pool.node(*t), smt::Node::UDiv(..) | smt::Node::SDiv(..));
        self.quotients += u32::from(nodes.iter().any(quotient));
        for v in 0..1u128 << self.w {
            let v = Bv::new(self.w, v);
            let mut m = Model::new();
            m.set(&self.pool, self.x, Value::Bv(v.clone()));
            assert_eq!(m.eval(&self.pool, t), Value::Bv(mean(&v)), "{what} at width {}, x = {v}", self.w);
        }
    }
}

#[test]
fn unsigned_and_fixup() {
    for w in 2..=6u32 {
        let mut c = Case::new(w);
        for d in 2..1u128 << w {
            for k in w..=2 * w {
                for delta in 0..4u128 {
                    let m = ((1u128 << k) / d + delta).saturating_sub(1);
                    let wide = 2 * w;
                    let mc = Bv::new(wide, m);
                    let z = c.pool.zext(c.x, wide);
                    let p = c.pool.scale(z, &mc);
                    let s = c.pool.lshr_by(p, k);
                    let t = c.pool.trunc(s, w);
                    let mean = |v: &Bv| v.zext(wide).mul(&mc).lshr_by(k).trunc(w);
                    c.check(t, &format!("{m} * x >> {k}"), mean);
                    // The multiplier's top bit left out, put back by hand.
                    let low = Bv::new(wide, m & ((1 << w) - 1));
                    let p = c.pool.scale(z, &low);
                    let hi = c.pool.extract(wide - 1, w, p);
                    let diff = c.pool.sub(c.x, hi);
                    let half = c.pool.lshr_by(diff, 1);
                    let sum = c.pool.add(half, hi);
                    for s in 0..w {
                        let t = c.pool.lshr_by(sum, s);
                        let mean = |v: &Bv| {
                            let hi = v.zext(wide).mul(&low).extract(wide - 1, w);
                            v.sub(&hi).lshr_by(1).add(&hi).lshr_by(s)
                        };
                        c.check(t, &format!("fixup {low} >> {s}"), mean);
                    }
                }
            }
        }
        assert!(c.quotients > 0, "no quotient recognised at width {w}");
    }
}

#[test]
fn signed() {
    for w in 3..=6u32 {
        let mut c = Case::new(w);
        let wide = 2 * w;
        for d in 2..1u128 << (w - 1) {
            for k in w..2 * w {
                for delta in 0..4u128 {
                    let m = ((1u128 << k) / d + delta).saturating_sub(1) & ((1 << w) - 1);
                    for negative in [false, true] {
                        let mw = Bv::new(w, m);
                        let mc = if negative { mw.sext(wide) } else { mw.zext(wide) };
                        let z = c.pool.sext(c.x, wide);
                        let p = c.pool.scale(z, &mc);
                        let hi = c.pool.extract(wide - 1, w, p);
                        let high = |v: &Bv| v.sext(wide).mul(&mc).extract(wide - 1, w);
                        for add in [false, true] {
                            let v = if add { c.pool.add(hi, c.x) } else { hi };
                            let s = c.pool.ashr_by(v, k - w);
                            let sign = c.pool.lshr_by(v, w - 1);
                            let t = c.pool.add(s, sign);
                            let mean = |x: &Bv| {
                                let v = if add { high(x).add(x) } else { high(x) };
                                v.ashr_by(k - w).add(&v.lshr_by(w - 1))
                            };
                            c.check(t, &format!("signed {mc}, add {add}, >> {}", k - w), mean);
                            // The quotient's low bits alone.
                            let n = (w - 2).min(2 * w - k);
                            if !add {
                                let (low, sign) =
                                    (c.pool.extract(k + n - 1, k, p), c.pool.extract(wide - 1, wide - 1, p));
                                let sign = c.pool.zext(sign, n);
                                let t = c.pool.add(low, sign);
                                c.check(t, &format!("signed {mc}, {n} bits from {k}"), |x| mean(x).trunc(n));
                            }
                            let sign = c.pool.lshr_by(c.x, w - 1);
                            let t = c.pool.add(s, sign);
                            let mean = |x: &Bv| {
                                let v = if add { high(x).add(x) } else { high(x) };
                                v.ashr_by(k - w).add(&x.lshr_by(w - 1))
                            };
                            c.check(t, &format!("signed {mc}, add {add}, >> {}, sign of x", k - w), mean);
                        }
                    }
                }
            }
        }
        assert!(c.quotients > 0, "no quotient recognised at width {w}");
    }
}

/// The reciprocal of one bit more than the word, where the dividend is a sum whose addends are multiplied one by one.
#[test]
fn fixup_of_a_sum() {
    for w in 3..=4u32 {
        let (n, wide) = (w - 1, 2 * w);
        let mut c = Case::new(2 * n);
        let addends = [c.pool.extract(n - 1, 0, c.x), c.pool.extract(2 * n - 1, n, c.x)];
        let [a, b] = addends.map(|t| c.pool.zext(t, w));
        let x = c.pool.add(a, b);
        let sum = |v: &Bv, to: u32| v.extract(n - 1, 0).zext(to).add(&v.extract(2 * n - 1, n).zext(to));
        for m in 1..1u128 << w {
            let m = Bv::new(wide, m);
            let [a, b] = addends.map(|t| c.pool.zext(t, wide));
            let p = c.pool.linear(&[(a, m.clone()), (b, m.clone())], Bv::zero(wide));
            let hi = c.pool.extract(wide - 1, w, p);
            let diff = c.pool.sub(x, hi);
            let half = c.pool.lshr_by(diff, 1);
            let whole = c.pool.add(half, hi);
            for s in 0..w {
                let t = c.pool.lshr_by(whole, s);
                let mean = |v: &Bv| {
                    let hi = sum(v, wide).mul(&m).extract(wide - 1, w);
                    sum(v, w).sub(&hi).lshr_by(1).add(&hi).lshr_by(s)
                };
                c.check(t, &format!("fixup of a sum, {m} >> {s}"), mean);
            }
        }
        assert!(c.quotients > 0, "no quotient recognised at width {w}");
    }
}

/// Quotients and remainders, by every number, of numbers that have fewer bits than the word.
#[test]
fn extended_dividends() {
    type Op = (fn(&mut Pool, TermId, TermId) -> TermId, fn(&Bv, &Bv) -> Bv);
    const OPS: [Op; 4] =
        [(Pool::udiv, Bv::udiv), (Pool::urem, Bv::urem), (Pool::sdiv, Bv::sdiv), (Pool::srem, Bv::srem)];
    for n in 1..=4u32 {
        for w in n..=n + 3 {
            let mut c = Case::new(n);
            for d in 0..1u128 << w {
                for signed in [false, true] {
                    let x = c.pool.resize(c.x, w, signed);
                    for (build, mean) in OPS {
                        let dt = c.pool.num(w, d);
                        let t = build(&mut c.pool, x, dt);
                        let wide = |v: &Bv| if signed { v.sext(w) } else { v.zext(w) };
                        let what = format!("extended (signed {signed}) to {w} by {d}");
                        c.check(t, &what, |v| mean(&wide(v), &Bv::new(w, d)));
                    }
                }
            }
        }
    }
}

#[test]
fn divisibility() {
    for w in 2..=6u32 {
        let mut c = Case::new(w);
        for d in 1..1u128 << w {
            for by in [d, d + 2] {
                let (dt, zero) = (c.pool.num(w, d), c.pool.num(w, 0));
                let q = c.pool.udiv(c.x, dt);
                let back = c.pool.scale(q, &Bv::new(w, by));
                let r = c.pool.sub(c.x, back);
                let e = c.pool.eq(r, zero);
                let t = c.pool.bool_to_bv(e);
                let (dv, byv) = (Bv::new(w, d), Bv::new(w, by));
                let mean = |v: &Bv| Bv::new(1, u128::from(*v == v.udiv(&dv).mul(&byv)));
                c.check(t, &format!("x == {by} * (x / {d})"), mean);
            }
        }
    }
}
