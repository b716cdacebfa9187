//! Parts of sums that belong together. Machines without an operation build it from others: a product of words from
//! products of their halves, an absolute value from copies of the sign. What they add up to is found again here, so that
//! it meets the operation itself.

use crate::{Bv, Node, Pool, TermId};

/// Most addends that are looked through.
const MOST: usize = 12;

impl Pool {
    /// Puts two addends together that are parts of one. True when something changed.
    pub(crate) fn join_parts(&mut self, terms: &mut Vec<(TermId, Bv)>) -> bool {
        if terms.len() < 2 || terms.len() > MOST {
            return false;
        }
        for i in 0..terms.len() {
            for j in 0..terms.len() {
                if i == j {
                    continue;
                }
                let (a, b) = (terms[i].clone(), terms[j].clone());
                let joined = match self.node(a.0) {
                    Node::Mul(_) => self.product_of_halves(&a, &b),
                    Node::Ite(..) => self.negated_by_choice(&a, &b),
                    _ => None,
                };
                if let Some(t) = joined {
                    terms.remove(i.max(j));
                    terms.remove(i.min(j));
                    terms.push((t, a.1));
                    return true;
                }
            }
        }
        false
    }

    /// `y * low(x) + 2^k * y * high(x)` is `y * x`, where the low half has `k` bits. Of the second `y` only the bits
    /// count that the factor does not shift out.
    fn product_of_halves(&mut self, a: &(TermId, Bv), b: &(TermId, Bv)) -> Option<TermId> {
        let (Node::Mul(xs), Node::Mul(ys)) = (self.node(a.0), self.node(b.0)) else { return None };
        let (&[x0, x1], &[y0, y1]) = (&xs[..], &ys[..]) else { return None };
        let w = a.1.width();
        for (low, other) in [(x0, x1), (x1, x0)] {
            let Some(low) = self.above_zeros(low) else { continue };
            let k = self.width(low);
            if a.1.shl_by(k) != b.1 {
                continue;
            }
            let live = w - b.1.trailing_zeros();
            let again = self.extract(live - 1, 0, other);
            for (high, same) in [(y0, y1), (y1, y0)] {
                let Some(high) = self.above_zeros(high) else { continue };
                if self.width(high) + k != w || self.extract(live - 1, 0, same) != again {
                    continue;
                }
                let whole = self.concat(high, low);
                // Two halves that are nothing else together would be taken apart again.
                if !matches!(self.node(whole), Node::Concat(_)) {
                    return Some(self.mul(whole, other));
                }
            }
        }
        None
    }

    /// What a term is the zero extension of.
    fn above_zeros(&self, t: TermId) -> Option<TermId> {
        let Node::Concat(parts) = self.node(t) else { return None };
        let [z, x] = parts[..] else { return None };
        self.as_const(z).is_some_and(Bv::is_zero).then_some(x)
    }

    /// `(c ? !x : x)` and one more where `c` holds: `c ? -x : x`.
    fn negated_by_choice(&mut self, a: &(TermId, Bv), b: &(TermId, Bv)) -> Option<TermId> {
        let Node::Ite(c, p, q) = *self.node(a.0) else { return None };
        let (bit, one_more) = match *self.node(b.0) {
            // All ones: one less.
            Node::SExt(bit) => (bit, a.1.neg()),
            _ => (self.above_zeros(b.0)?, a.1.clone()),
        };
        if self.width(bit) != 1 || b.1 != one_more || self.bv_not(q) != p {
            return None;
        }
        let one = self.num(1, 1);
        if self.eq(bit, one) != c {
            return None;
        }
        let minus = self.neg(q);
        Some(self.ite(c, minus, q))
    }

    /// An absolute value, or that times minus one, asked by the sign of `d` or of `-d`: by that of the older of them.
    pub(crate) fn choice_by_sign(&mut self, d: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if a != d && b != d {
            return None;
        }
        let minus = self.neg(d);
        if a != minus && b != minus || minus >= d {
            return None;
        }
        let w = self.width(d);
        let (sign, one) = (self.extract(w - 1, w - 1, minus), self.num(1, 1));
        let negative = self.eq(sign, one);
        Some(self.ite(negative, b, a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Sort, Value};

    #[test]
    fn halves_make_a_product() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(64)));
        let whole = p.mul(x, y);
        let half = |p: &mut Pool, t, high: bool| {
            let h = if high { p.extract(63, 32, t) } else { p.extract(31, 0, t) };
            p.zext(h, 64)
        };
        let (xl, xh) = (half(&mut p, x, false), half(&mut p, x, true));
        let (yl, yh) = (half(&mut p, y, false), half(&mut p, y, true));
        let (low, a, b) = (p.mul(xl, yl), p.mul(xl, yh), p.mul(xh, yl));
        let upper = p.add(a, b);
        let upper = p.shl_by(upper, 32);
        assert_eq!(p.add(low, upper), whole);
        // A factor of one half.
        let narrow = p.mul(xl, y);
        let upper = p.shl_by(a, 32);
        assert_eq!(p.add(low, upper), narrow);
    }

    #[test]
    fn an_absolute_value_has_one_form() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(32)));
        let (d, e) = (p.sub(x, y), p.sub(y, x));
        let abs = |p: &mut Pool, d: TermId| {
            let (zero, minus) = (p.num(32, 0), p.neg(d));
            let negative = p.slt(d, zero);
            p.ite(negative, minus, d)
        };
        let a = abs(&mut p, d);
        assert_eq!(abs(&mut p, e), a);
        let copies = p.ashr_by(d, 31);
        let flipped = p.bv_xor(d, copies);
        assert_eq!(p.sub(flipped, copies), a);
        let bit = p.lshr_by(d, 31);
        assert_eq!(p.add(flipped, bit), a);
    }

    /// Sums of such parts, and of others that are none, against numbers.
    #[test]
    fn values_stay_the_same() {
        let mut state = 7u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let w = 4;
        for _ in 0..400 {
            let mut p = Pool::new();
            let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(w)));
            let mut parts = Vec::new();
            for _ in 0..3 {
                let (s, t) = if next(2) == 0 { (x, y) } else { (y, x) };
                let cut = 1 + next(3) as u32;
                let piece = |p: &mut Pool, t, n: u64| {
                    let h = match n {
                        0 => p.extract(cut - 1, 0, t),
                        1 => p.extract(w - 1, cut, t),
                        _ => t,
                    };
                    p.zext(h, w)
                };
                let (a, b) = (piece(&mut p, s, next(3)), piece(&mut p, t, next(3)));
                let product = p.mul(a, b);
                parts.push((product, Bv::new(w, 1 << next(4))));
            }
            let d = if next(2) == 0 { p.sub(x, y) } else { p.sub(y, x) };
            let copies = p.ashr_by(d, w - 1);
            let flipped = p.bv_xor(d, copies);
            let bit = p.lshr_by(d, w - 1);
            let minus = p.neg(d);
            let sign = p.extract(w - 1, w - 1, d);
            let negative = p.bv_to_bool(sign);
            let chosen = if next(2) == 0 { p.ite(negative, minus, d) } else { p.ite(negative, d, minus) };
            for t in [flipped, copies, bit, chosen] {
                if next(2) == 0 {
                    parts.push((t, Bv::new(w, [1, 15, 2, 3][next(4) as usize])));
                }
            }
            let sum = p.linear(&parts, Bv::zero(w));
            for v in 0..256u128 {
                let (vx, vy) = (Bv::new(w, v & 15), Bv::new(w, v >> 4));
                let mut m = Model::new();
                m.set(&p, x, Value::Bv(vx.clone()));
                m.set(&p, y, Value::Bv(vy.clone()));
                let mut want = Bv::zero(w);
                for (t, c) in &parts {
                    let value = m.eval_all(&p, &[*t]).swap_remove(0);
                    want = want.add(&value.as_bv().mul(c));
                }
                assert_eq!(*m.eval(&p, sum).as_bv(), want);
                // And the choice itself.
                let dv = m.eval(&p, d).as_bv().clone();
                let abs = if dv.sign() { dv.neg() } else { dv.clone() };
                let c = m.eval(&p, chosen).as_bv().clone();
                assert!(c == abs || c == abs.neg());
                assert_eq!(*m.eval(&p, flipped).as_bv(), if dv.sign() { dv.not() } else { dv });
            }
        }
    }
}
