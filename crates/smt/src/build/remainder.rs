//! Remainders by constants within sums. A remainder is the sum `x - d * floor(x / d)`, so that compilers that multiply
//! back and programs that say `%` meet; but a sum does not show that it is below `d`, nor that it is the same at any
//! width. Here such addends are found again, for that.

use crate::{Bv, Node, Pool, TermId};

/// A remainder among the addends of a sum.
struct Remainder {
    /// The addends that it consists of.
    quotient: usize,
    dividend: Vec<usize>,
    /// What the remainder is multiplied by, and what the dividend adds to the constant besides.
    scale: Bv,
    constant: Bv,
    /// The dividend at its own width, and the divisor.
    x: TermId,
    divisor: Bv,
}

/// Most addends that are looked through.
const MOST: usize = 16;

impl Pool {
    /// The first remainder of a sum.
    fn find_remainder(&mut self, terms: &[(TermId, Bv)]) -> Option<Remainder> {
        if terms.len() < 2 || terms.len() > MOST {
            return None;
        }
        (0..terms.len()).find_map(|q| self.remainder_of(terms, q))
    }

    /// The remainder whose quotient is the addend `q`.
    fn remainder_of(&mut self, terms: &[(TermId, Bv)], q: usize) -> Option<Remainder> {
        let (t, c) = terms[q].clone();
        let (y, d) = self.quotient(t)?;
        let (w, n) = (c.width(), self.width(y));
        // The dividend at the sum's width: lower bits of it, or all of it above zeros.
        let x = if w < n { self.extract(w - 1, 0, y) } else { self.zext(y, w) };
        let d = d.to_u128()?;
        if w < 128 && w < n && d >> w != 0 {
            return None;
        }
        let at_w = Bv::new(w, d);
        let view = match self.node(x) {
            Node::Lin(xs, k) => (xs.to_vec(), k.clone()),
            _ => (vec![(x, Bv::one(w))], Bv::zero(w)),
        };
        let (first, e) = view.0.first()?;
        // With any other factor the scale would have to be divided.
        if !e.is_one() {
            return None;
        }
        let scale = terms.iter().find(|(u, _)| u == first)?.1.clone();
        if c != scale.mul(&at_w).neg() {
            return None;
        }
        let mut dividend = Vec::new();
        for (u, e) in &view.0 {
            dividend.push(terms.iter().position(|(v, f)| v == u && *f == scale.mul(e))?);
        }
        let constant = scale.mul(&view.1);
        Some(Remainder { quotient: q, dividend, scale, constant, x: y, divisor: Bv::new(n, d) })
    }

    /// Dividend and divisor of a quotient by an odd constant, at whatever width.
    pub(crate) fn quotient(&self, t: TermId) -> Option<(TermId, Bv)> {
        let q = match self.node(t) {
            Node::Extract(_, 0, q) => *q,
            Node::Concat(parts) => match parts[..] {
                [z, q] if self.as_const(z).is_some_and(Bv::is_zero) => q,
                _ => return None,
            },
            _ => t,
        };
        let Node::UDiv(y, d) = *self.node(q) else { return None };
        Some((y, self.as_const(d)?.clone()))
    }

    /// The remainder itself, as wide as its dividend.
    fn remainder_term(&mut self, r: &Remainder) -> TermId {
        let w = r.divisor.width();
        let d = self.constant(r.divisor.clone());
        let q = self.udiv(r.x, d);
        self.linear(&[(r.x, Bv::one(w)), (q, r.divisor.neg())], Bv::zero(w))
    }

    /// Rewrites a remainder that the sum is wider than: then it is the remainder of its dividend's width, above zeros.
    /// True when something changed.
    pub(crate) fn narrow_remainder(&mut self, terms: &mut Vec<(TermId, Bv)>, k: &mut Bv) -> bool {
        let Some(r) = self.find_remainder(terms) else { return false };
        let w = k.width();
        if r.divisor.width() >= w {
            return false;
        }
        let narrow = self.remainder_term(&r);
        let wide = self.zext(narrow, w);
        let mut gone = r.dividend;
        gone.push(r.quotient);
        let mut n = 0;
        terms.retain(|_| {
            n += 1;
            !gone.contains(&(n - 1))
        });
        *k = k.sub(&r.constant);
        terms.push((wide, r.scale));
        true
    }

    /// The remainder that a term is as a whole, if it fits the term's width.
    fn whole_remainder(&mut self, t: TermId) -> Option<Remainder> {
        let Node::Lin(xs, k) = self.node(t) else { return None };
        let (terms, k) = (xs.to_vec(), k.clone());
        let r = self.find_remainder(&terms)?;
        let n = r.divisor.width();
        let bits = n - r.divisor.sub(&Bv::one(n)).leading_zeros();
        let whole = r.dividend.len() + 1 == terms.len() && r.scale.is_one() && r.constant == k;
        (whole && bits <= k.width()).then_some(r)
    }

    /// A remainder that is shifted and loses no bits: the bits that it has, above zeros and below them.
    pub(crate) fn shifted_remainder(&mut self, terms: &[(TermId, Bv)], k: &Bv) -> Option<TermId> {
        let w = k.width();
        let (r, shift) = if let [(t, c)] = terms {
            let Node::Concat(parts) = self.node(*t) else { return None };
            let [z, x] = parts[..] else { return None };
            if !k.is_zero() || !self.as_const(z).is_some_and(Bv::is_zero) {
                return None;
            }
            (self.whole_remainder(x)?, c.power_of_two()?)
        } else {
            let r = self.find_remainder(terms)?;
            if r.dividend.len() + 1 != terms.len() || r.constant != *k {
                return None;
            }
            let shift = r.scale.power_of_two()?;
            (r, shift)
        };
        let n = r.divisor.width();
        let bits = n - r.divisor.sub(&Bv::one(n)).leading_zeros();
        if shift == 0 || shift + bits > w {
            return None;
        }
        let whole = self.remainder_term(&r);
        let low = self.extract(bits - 1, 0, whole);
        let zeros = self.num(shift, 0);
        let low = self.concat(low, zeros);
        Some(self.zext(low, w))
    }

    /// Is the term a remainder?
    pub(crate) fn is_remainder(&mut self, t: TermId) -> bool {
        self.deeper(|p| p.whole_remainder(t)).flatten().is_some()
    }

    /// What a remainder computed in fewer bits than its dividend has is in all of them.
    pub(crate) fn wider_remainder(&mut self, t: TermId) -> Option<TermId> {
        let w = self.width(t);
        let r = self.whole_remainder(t)?;
        (w < r.divisor.width()).then(|| self.remainder_term(&r))
    }

    /// The greatest value of a sum in which remainders are below their divisors, if it never wraps.
    pub(crate) fn greatest_sum(&mut self, terms: &[(TermId, Bv)], k: &Bv) -> Option<Bv> {
        let r = self.find_remainder(terms)?;
        let w = k.width();
        let wide = 2 * w + 8;
        let most = r.divisor.sub(&Bv::one(r.divisor.width()));
        if w < r.divisor.width() && most.leading_zeros() < r.divisor.width() - w {
            return None;
        }
        let most = if w < most.width() { most.trunc(w) } else { most.zext(w) };
        let mut max = k.sub(&r.constant).zext(wide);
        max = max.add(&most.zext(wide).mul(&r.scale.zext(wide)));
        for (n, (t, c)) in terms.iter().enumerate() {
            if n != r.quotient && !r.dividend.contains(&n) {
                max = max.add(&self.known(*t).max().zext(wide).mul(&c.zext(wide)));
            }
        }
        // At most 18 products of 2 w bits: no more than 2 w + 5.
        (max.leading_zeros() >= wide - w).then(|| max.trunc(w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn a_remainder_is_one_term_at_any_width() {
        let mut p = Pool::new();
        let x = p.var("x", Sort::Bv(64));
        let base = p.num(64, 65_521);
        let r = p.urem(x, base);
        // Computed in 32 bits from the quotient.
        let q = p.udiv(x, base);
        let (x32, q32) = (p.trunc(x, 32), p.trunc(q, 32));
        let back = p.scale(q32, &Bv::new(32, 65_521));
        let narrow = p.sub(x32, back);
        assert_eq!(p.zext(narrow, 64), r);
        assert_eq!(p.known(r).leading_zeros(), 48);
        assert_eq!(p.known(narrow).leading_zeros(), 16);
        // In 16 bits it is the same, in 15 it does not fit.
        let r16 = p.trunc(r, 16);
        assert_eq!(p.zext(r16, 64), r);
        let r15 = p.trunc(r, 15);
        assert_ne!(p.zext(r15, 64), r);
        // Shifted up, at either width.
        let (up, narrow) = (p.shl_by(r, 16), p.shl_by(narrow, 16));
        assert_eq!(p.zext(narrow, 64), up);
        assert_eq!(p.known(up).leading_zeros(), 32);
        // Of a word that was made wider first.
        let y = p.var("y", Sort::Bv(32));
        let (seven, wide_seven) = (p.num(32, 7), p.num(64, 7));
        let wide = p.zext(y, 64);
        let (a, b) = (p.urem(y, seven), p.urem(wide, wide_seven));
        assert_eq!(p.zext(a, 64), b);
        assert_eq!(p.known(b).leading_zeros(), 61);
        let (up, wide) = (p.shl_by(a, 4), p.shl_by(b, 4));
        assert_eq!(p.zext(up, 64), wide);
        // And of a sum.
        let z = p.var("z", Sort::Bv(32));
        let sum = p.add(y, z);
        let a = p.urem(sum, seven);
        assert_eq!(p.known(a).leading_zeros(), 29);
        let product = p.mul(a, a);
        assert_eq!(p.known(product).leading_zeros(), 26);
    }

    /// Sums of remainders at widths above and below their dividend's, against numbers.
    #[test]
    fn values_stay_the_same() {
        let mut numbers = 1u64;
        let mut next = |n: u64| {
            numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (numbers >> 33) % n
        };
        let mut narrowed = 0;
        for round in 0..600 {
            let mut p = Pool::new();
            let (n, w) = ([6, 8][next(2) as usize], [3, 4, 6, 8, 12, 16][next(6) as usize]);
            let [x, y, z] = ["x", "y", "z"].map(|name| p.var(name, Sort::Bv(n)));
            let dividend = match next(4) {
                0 => p.add(x, y),
                1 => {
                    let s = p.sub(x, y);
                    p.add_num(s, 5)
                }
                2 => p.mul(x, y),
                _ => x,
            };
            let d = u128::from(3 + next((1 << n) - 4));
            let divisor = p.num(n, d);
            let q = p.udiv(dividend, divisor);
            let (a, b) = (p.resize(dividend, w, false), p.resize(q, w, false));
            let k = Bv::new(w, [1, 1, 1, 3, 255, 2, 4][next(7) as usize]);
            let other = p.resize(z, w, false);
            let back = k.mul(&Bv::new(w, d)).neg();
            let m = Bv::new(w, u128::from(next(3)));
            let c = Bv::new(w, u128::from(next(6)));
            let sum = p.linear(&[(a, k.clone()), (b, back.clone()), (other, m.clone())], c.clone());
            let wide = p.zext(sum, 20);
            let product = p.mul(wide, wide);
            narrowed += u32::from(!p.known(sum).zeros.is_zero());
            for _ in 0..40 {
                let [vx, vy, vz] = [(); 3].map(|()| Bv::new(n, u128::from(next(1 << n))));
                let mut model = crate::Model::new();
                for (t, v) in [(x, &vx), (y, &vy), (z, &vz)] {
                    model.set(&p, t, crate::Value::Bv(v.clone()));
                }
                let eval = |t: TermId| match model.eval_all(&p, &[t]).swap_remove(0) {
                    crate::Value::Bv(v) => v,
                    other => panic!("{other:?}"),
                };
                let fit = |v: &Bv| if w < n { v.trunc(w) } else { v.zext(w) };
                let top = eval(dividend);
                let quotient = top.udiv(&Bv::new(n, d));
                let right = fit(&top).mul(&k).add(&fit(&quotient).mul(&back)).add(&fit(&vz).mul(&m)).add(&c);
                assert_eq!(eval(sum), right, "round {round}");
                let known = p.known(sum);
                assert!(known.zeros.and(&right).is_zero() && known.ones.and(&right.not()).is_zero());
                assert_eq!(eval(product), right.zext(20).mul(&right.zext(20)), "round {round}");
            }
        }
        assert!(narrowed > 100, "{narrowed}");
    }

    #[test]
    fn products_that_fit_are_narrow() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(16)));
        let (a, b) = (p.zext(x, 64), p.zext(y, 64));
        let wide = p.mul(a, b);
        let (a, b) = (p.zext(x, 32), p.zext(y, 32));
        let narrow = p.mul(a, b);
        assert_eq!(p.zext(narrow, 64), wide);
        assert_eq!(p.known(wide).leading_zeros(), 32);
    }
}
