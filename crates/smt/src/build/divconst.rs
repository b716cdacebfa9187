//! Division by constants as compilers write it: multiply by a reciprocal, take the upper bits.
//!
//! `floor(M * x / 2^k)` is `floor(x / d)` for all `x` up to a bound under a side condition on `M`, `k`
//! and `d` that is checked here with exact integers; no solver proves such an equality at 32 bits.
//! With `M * d = 2^k + e` and `x = q * d + r`, `M * x / 2^k = q + (r + x * e / 2^k) / d`, so the floor
//! is `q` exactly when `x * e < 2^k * (d - r)`.

use crate::{Bv, Node, Pool, TermId};
use num_bigint::BigUint;

/// The divisor `d` such that `floor(m * x / 2^k) = floor(x / d)` for all `0 <= x <= max`, if any,
/// with `e = m * d - 2^k`.
fn divisor(m: &BigUint, k: u32, max: &BigUint) -> Option<(BigUint, BigUint)> {
    let one = BigUint::from(1u8);
    let zero = BigUint::from(0u8);
    if *m == zero {
        return None;
    }
    let p = &one << k;
    let d = (&p + m - &one) / m;
    if d < BigUint::from(2u8) {
        return None;
    }
    let e = m * &d - &p;
    // The worst cases: the greatest x with remainder d - 1, and the greatest x of all.
    let n = (max + &one) % &d;
    if max + &one > n {
        let worst = max - &n;
        if &worst % &d == &d - &one && &worst * &e >= p {
            return None;
        }
    }
    let r = max % &d;
    (max * &e < &p * (&d - r)).then_some((d, e))
}

/// The divisor `d` such that `floor(m * x / 2^k)`, plus one for negative `x`, is `x / d` towards zero
/// for all `x` of `n` bits, if any. For `x = -y` that is `y * e <= 2^k * (d - r)` and `e > 0`.
fn signed_divisor(m: &BigUint, k: u32, n: u32) -> Option<BigUint> {
    let top = BigUint::from(1u8) << (n - 1);
    let (d, e) = divisor(m, k, &(&top - 1u8))?;
    let p = BigUint::from(1u8) << k;
    if e == BigUint::from(0u8) || d >= top {
        return None;
    }
    // The greatest y with remainder d - 1 (there is one: d < top), and the greatest of all.
    let worst = &top - (&top + 1u8) % &d;
    let r = &top % &d;
    (&worst * &e <= p && &top * &e <= &p * (&d - r)).then_some(d)
}

/// The divisor `d` such that `floor(-m * x / 2^k)`, plus one where `-m * x` is negative, is `x / -d` towards zero for all `x` of
/// `n` bits, if any: the greatest magnitude is divided as a positive number.
fn negative_divisor(m: &BigUint, k: u32, n: u32) -> Option<BigUint> {
    let top = BigUint::from(1u8) << (n - 1);
    let (d, e) = divisor(m, k, &top)?;
    (e != BigUint::from(0u8) && d < top).then_some(d)
}

fn ones(n: u32) -> BigUint {
    (BigUint::from(1u8) << n) - 1u8
}

/// Most addends of a difference that may be a remainder.
const ADDENDS: usize = 16;

impl Pool {
    /// `(narrow, true)` for a sign extension of `narrow`, `(narrow, false)` for a zero extension.
    fn extended(&mut self, t: TermId) -> Option<(TermId, bool)> {
        match self.node(t) {
            Node::SExt(x) => Some((*x, true)),
            Node::Concat(parts) => {
                let parts = parts.clone();
                if !self.as_const(parts[0]).is_some_and(Bv::is_zero) {
                    return None;
                }
                let n: u32 = parts[1..].iter().map(|p| self.width(*p)).sum();
                Some((self.extract(n - 1, 0, t), false))
            }
            _ => None,
        }
    }

    /// Bits from `lo` up of `m * t`, when that is a quotient: `floor(m * t / 2^lo)`, at the width of
    /// the product.
    pub(crate) fn reciprocal(&mut self, t: TermId, m: &Bv, lo: u32) -> Option<TermId> {
        let w = m.width();
        let (x, signed) = self.extended(t)?;
        if signed {
            return None;
        }
        let n = self.width(x);
        let (m, max) = (m.to_big(), self.known(x).max().to_big());
        if &m * &max > ones(w) {
            return None;
        }
        let (d, _) = divisor(&m, lo, &max)?;
        let q = if d > ones(n) {
            self.num(n, 0)
        } else {
            let d = self.constant(Bv::from_big(n, d));
            self.udiv(x, d)
        };
        Some(self.zext(q, w))
    }

    /// The top bit of `m * sext(x)`, `m` positive and no overflow: the sign of `x`.
    pub(crate) fn sign_of_product(&mut self, t: TermId, m: &Bv) -> Option<TermId> {
        let (x, signed) = self.extended(t)?;
        let n = self.width(x);
        let bits = m.width() - m.leading_zeros();
        (signed && !m.is_zero() && bits + n <= m.width()).then(|| self.extract(n - 1, n - 1, x))
    }

    /// Bits `hi` down to `lo` of `((x - t) >> 1) + t` where `t` is the upper half of `m * x`: the quotient by a
    /// reciprocal of one bit more than the word. Also where the sum is of lower bits alone: all but its top bit, into
    /// which the shift brings a zero, are those of the whole.
    pub(crate) fn reciprocal_fixup(&mut self, xs: &[(TermId, Bv)], hi: u32, lo: u32) -> Option<TermId> {
        let [(a, ca), (b, cb)] = xs else { return None };
        if !ca.is_one() || !cb.is_one() {
            return None;
        }
        for (half, t) in [(*a, *b), (*b, *a)] {
            let Some((x, m, whole)) = self.low_of_upper_half(t) else { continue };
            let (w, n) = (self.width(t), self.width(x));
            if w < n && hi + 1 >= w {
                continue;
            }
            let diff = self.sub(x, whole);
            let diff = self.extract(w - 1, 0, diff);
            let want = self.lshr_by(diff, 1);
            if want != half {
                continue;
            }
            let m = m.to_big() + (BigUint::from(1u8) << n);
            let max = ones(n);
            let Some((d, _)) = divisor(&m, n + lo + 1, &max) else { continue };
            if d > max {
                continue;
            }
            let d = self.constant(Bv::from_big(n, d));
            let q = self.udiv(x, d);
            return Some(self.extract(hi - lo, 0, q));
        }
        None
    }

    /// Are the bits of a term from `lo` up those of the upper half of a word's product with a constant?
    pub(crate) fn is_upper_half(&mut self, lo: u32, t: TermId) -> bool {
        2 * lo == self.width(t) && self.scaled(t).is_some_and(|(x, ..)| self.width(x) == lo)
    }

    /// `(x, m, upper)` when the term is lower bits of `upper`, the upper half of `m * zext(x)`.
    fn low_of_upper_half(&mut self, t: TermId) -> Option<(TermId, Bv, TermId)> {
        let Node::Extract(hi, lo, p) = *self.node(t) else { return None };
        let (x, m, signed) = self.scaled(p)?;
        let n = self.width(x);
        if signed || lo != n || hi >= 2 * n || m.width() != 2 * n {
            return None;
        }
        Some((x, m, self.extract(2 * n - 1, n, p)))
    }

    /// `(x, m)` when the term is the upper half of `m * extend(x)`, the extension doubling `x`.
    fn upper_half(&mut self, t: TermId, signed: bool) -> Option<(TermId, Bv)> {
        let Node::Extract(hi, lo, p) = *self.node(t) else { return None };
        let (x, m, s) = self.scaled(p)?;
        let n = self.width(x);
        (s == signed && lo == n && hi + 1 == 2 * n && m.width() == 2 * n).then_some((x, m))
    }

    /// `(x, m, signed)` when the term is `m * extend(x)`.
    fn scaled(&mut self, p: TermId) -> Option<(TermId, Bv, bool)> {
        let Node::Lin(xs, k) = self.node(p) else { return None };
        let (first, rest) = xs.split_first()?;
        if !k.is_zero() {
            return None;
        }
        if rest.is_empty() {
            let (t, m) = first.clone();
            let (x, s) = self.extended(t)?;
            return Some((x, m, s));
        }
        // The same multiple of each addend of a sum that was extended, which needs no more than half of the bits.
        let m = first.1.clone();
        if m.is_one() || rest.iter().any(|(_, c)| *c != m) {
            return None;
        }
        let w = m.width();
        let parts: Vec<_> = xs.iter().map(|(x, _)| (*x, Bv::one(w))).collect();
        let sum = self.deeper(|p| p.linear(&parts, Bv::zero(w)))?;
        if w % 2 == 1 || self.known(sum).leading_zeros() < w / 2 {
            return None;
        }
        Some((self.extract(w / 2 - 1, 0, sum), m, false))
    }

    /// Rewrites pairs of addends that make up a signed quotient: `floor(m * x / 2^k)` and the sign of
    /// `x`; or, on the way there, the upper half of `m * x` and `x`, which is added to that of a negative `m` and
    /// subtracted from that of a positive one. True when something changed.
    pub(crate) fn signed_quotients(&mut self, terms: &mut Vec<(TermId, Bv)>) -> bool {
        if terms.len() < 2 || terms.len() > 24 {
            return false;
        }
        for i in 0..terms.len() {
            let (t, c) = terms[i].clone();
            if !matches!(self.node(t), Node::Extract(..) | Node::SExt(_)) {
                continue;
            }
            for found in [self.half_and_number(t), self.quotient_and_sign(t)] {
                let Some((partner, same, new)) = found else { continue };
                let other = if same { c.clone() } else { c.neg() };
                let Some(j) = terms.iter().position(|(u, e)| *u == partner && *e == other) else { continue };
                if i != j {
                    terms.remove(i.max(j));
                    terms.remove(i.min(j));
                    terms.push((new, c));
                    return true;
                }
            }
        }
        false
    }

    /// For the upper half of a product, the number that it needs beside it, whether that is added and not subtracted, and what
    /// they make together: `floor(m * x / 2^w) + x = floor((m + 2^w) * x / 2^w)`, and the same with minus, where the other
    /// factor needs no more bits.
    fn half_and_number(&mut self, t: TermId) -> Option<(TermId, bool, TermId)> {
        let w = self.width(t);
        let (x, m) = self.upper_half(t, true)?;
        let (negative, step) = (m.sign(), Bv::bit_at(2 * w, w));
        let other = if negative { m.add(&step) } else { step.sub(&m) };
        if other.leading_zeros() < w || other.is_zero() {
            return None;
        }
        let wide = self.sext(x, 2 * w);
        let p = self.scale(wide, &if negative { other } else { other.neg() });
        Some((x, negative, self.extract(2 * w - 1, w, p)))
    }

    /// For upper bits of a product, the sign that they need, which is added, and the quotient that they make.
    fn quotient_and_sign(&mut self, t: TermId) -> Option<(TermId, bool, TermId)> {
        let w = self.width(t);
        let e = match *self.node(t) {
            Node::SExt(e) => e,
            _ => t,
        };
        let Node::Extract(hi, lo, p) = *self.node(e) else { return None };
        let (x, m, signed) = self.scaled(p)?;
        let n = self.width(x);
        let (negative, whole_width) = (m.sign(), m.width());
        let m = if negative { m.neg() } else { m };
        let bits = whole_width - m.leading_zeros();
        // All of the upper bits of a product that does not overflow; or bits of it, which lower bits of the quotient are.
        let fits = bits + n <= whole_width;
        let whole = hi + 1 == whole_width && fits;
        if !signed || (!whole && (e != t || w >= n)) || (negative && !fits) {
            return None;
        }
        let (d, sign) = match negative {
            true => {
                (negative_divisor(&m.to_big(), lo, n)?, self.extract(whole_width - 1, whole_width - 1, p))
            }
            false => (signed_divisor(&m.to_big(), lo, n)?, self.extract(n - 1, n - 1, x)),
        };
        let d = Bv::from_big(n, d);
        let d = self.constant(if negative { d.neg() } else { d });
        let q = self.sdiv(x, d);
        let q = if w < n { self.extract(w - 1, 0, q) } else { self.sext(q, w) };
        Some((self.zext(sign, w), true, q))
    }

    /// `x = d * floor(x / d)` for odd `d`, the way compilers test it: `x * d^-1 <= floor(max / d)`.
    /// The addends are those of the difference, times some odd number; `x` may be a sum itself.
    pub(crate) fn divisible(&mut self, terms: &[(TermId, Bv)], k: &Bv) -> Option<TermId> {
        if terms.len() < 2 || terms.len() > ADDENDS {
            return None;
        }
        (0..terms.len())
            .find_map(|q| self.divisible_by(terms, k, q))
            .or_else(|| (0..terms.len()).find_map(|q| self.divisible_turned(terms, k, q)))
    }

    /// As [`Pool::divisible`], where the addend `q` is the quotient.
    fn divisible_by(&mut self, terms: &[(TermId, Bv)], k: &Bv, q: usize) -> Option<TermId> {
        let (t, cq) = &terms[q];
        let (x, d) = self.quotient(*t)?;
        let (n, w) = (self.width(x), cq.width());
        if n > w || !d.bit(0) || d.is_one() {
            return None;
        }
        // What the difference is multiplied by.
        let wide_d = d.zext(w);
        let by = cq.neg().mul(&super::cmp::inverse(&wide_d));
        if !by.bit(0) {
            return None;
        }
        let back = super::cmp::inverse(&by);
        let rest = terms.iter().enumerate().filter(|(i, _)| *i != q);
        let rest: Vec<(TermId, Bv)> = rest.map(|(_, (y, c))| (*y, back.mul(c))).collect();
        let rest = self.deeper(|p| p.linear(&rest, back.mul(k)))?;
        let fits = n == w || self.known(rest).leading_zeros() >= w - n;
        if !fits || self.extract(n - 1, 0, rest) != x {
            return None;
        }
        let product = self.scale(x, &super::cmp::inverse(&d));
        let limit = self.constant(Bv::ones(n).udiv(&d));
        Some(self.ule(product, limit))
    }

    /// `x = d * (x / d)` for signed numbers and for even ones, the way compilers test it: with `d = e * 2^k`, `e` odd, `x`
    /// times the inverse of `e` is the quotient for multiples of `e`, and a small number for no others; rotated by `k`,
    /// it is small for multiples of `2^k` only. Signed numbers are moved up by the greatest of those small numbers first.
    fn divisible_turned(&mut self, terms: &[(TermId, Bv)], k: &Bv, q: usize) -> Option<TermId> {
        let (t, c) = &terms[q];
        let (signed, y, d) = self.exact_quotient(*t, k.width())?;
        let even = d.trailing_zeros();
        if !signed && even == 0 || d.is_zero() || signed && d.sign() || d.lshr_by(even).is_one() {
            return None;
        }
        // What the equation was multiplied by.
        let times = match even {
            0 => c.neg().mul(&super::cmp::inverse(&d)),
            _ if *c == d => Bv::ones(k.width()),
            _ => Bv::one(k.width()),
        };
        if !times.bit(0) || times.mul(&d) != c.neg() {
            return None;
        }
        let back = super::cmp::inverse(&times);
        let rest = terms.iter().enumerate().filter(|(i, _)| *i != q);
        let rest: Vec<_> = rest.map(|(_, (t, e))| (*t, e.mul(&back))).collect();
        let dividend = self.deeper(|p| p.linear(&rest, k.mul(&back)))?;
        let whole = if signed { dividend } else { self.extract(d.width() - 1, even, dividend) };
        if whole != y {
            return None;
        }
        self.deeper(|p| p.is_multiple(dividend, &d, signed))
    }

    /// The dividend and divisor of a quotient of a width, and whether it is signed. Of an unsigned one by an even
    /// number the dividend is what that leaves without its low bits.
    fn exact_quotient(&self, q: TermId, w: u32) -> Option<(bool, TermId, Bv)> {
        match self.node(q) {
            Node::SDiv(y, d) => Some((true, *y, self.as_const(*d)?.clone())),
            Node::UDiv(y, d) => Some((false, *y, self.as_const(*d)?.clone())),
            Node::Concat(parts) => {
                let [z, x] = parts[..] else { return None };
                let Node::UDiv(y, d) = *self.node(x) else { return None };
                let d = self.as_const(d)?;
                let n = d.width();
                let zero = self.as_const(z).is_some_and(Bv::is_zero);
                (zero && n < w).then(|| (false, y, d.zext(w).shl_by(w - n)))
            }
            _ => None,
        }
    }

    /// Whether a number is a multiple of a positive one that is no power of two.
    fn is_multiple(&mut self, x: TermId, d: &Bv, signed: bool) -> TermId {
        let w = d.width();
        let k = d.trailing_zeros();
        let odd = d.lshr_by(k);
        // How many multiples there are above zero, of numbers of either sign or of one.
        let most = if signed { Bv::smax(w).udiv(d) } else { Bv::ones(w).udiv(d) };
        let (up, limit) = if signed { (most.shl_by(k), most.add(&most)) } else { (Bv::zero(w), most) };
        let inv = super::cmp::inverse(&odd);
        let mut product = self.linear(&[(x, inv)], up);
        if k > 0 {
            let (low, high) = (self.extract(k - 1, 0, product), self.extract(w - 1, k, product));
            product = self.concat(low, high);
        }
        let limit = self.constant(limit);
        self.ule(product, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    /// The side condition against counting, for all small multipliers, shifts and bounds.
    #[test]
    fn side_condition_is_exact() {
        for m in 1u64..40 {
            for k in 0..10u32 {
                for max in [0u64, 1, 5, 15, 16, 31, 63, 100] {
                    let found = divisor(&m.into(), k, &max.into()).map(|(d, _)| u64::try_from(&d).unwrap());
                    let d = (1u64 << k).div_ceil(m);
                    let works = d >= 2 && (0..=max).all(|x| (m * x) >> k == x / d);
                    assert_eq!(found, works.then_some(d), "m {m}, k {k}, max {max}");
                }
            }
        }
    }

    /// The same for signed division.
    #[test]
    fn signed_side_condition_is_sound_and_finds_what_compilers_use() {
        let mut found = 0;
        for n in 2..8u32 {
            for m in 1i64..200 {
                for k in 0..14u32 {
                    let Some(d) = signed_divisor(&(m as u64).into(), k, n) else { continue };
                    let d = i64::try_from(&d).unwrap();
                    found += 1;
                    for x in -(1i64 << (n - 1))..1i64 << (n - 1) {
                        assert_eq!(((m * x) >> k) + i64::from(x < 0), x / d, "m {m}, k {k}, x {x}, n {n}");
                    }
                }
            }
        }
        assert!(found > 100, "only {found} found");
    }

    /// The same for division by negative numbers.
    #[test]
    fn negative_side_condition_is_sound_and_finds_what_compilers_use() {
        let mut found = 0;
        for n in 2..8u32 {
            for m in 1i64..200 {
                for k in 0..14u32 {
                    let Some(d) = negative_divisor(&(m as u64).into(), k, n) else { continue };
                    let d = i64::try_from(&d).unwrap();
                    found += 1;
                    for x in -(1i64 << (n - 1))..1i64 << (n - 1) {
                        assert_eq!(
                            ((-m * x) >> k) + i64::from(-m * x < 0),
                            x / -d,
                            "m {m}, k {k}, x {x}, n {n}"
                        );
                    }
                }
            }
        }
        assert!(found > 100, "only {found} found");
    }

    #[test]
    fn compilers_reciprocals_are_quotients() {
        let mut p = Pool::new();
        let x = p.var("x", Sort::Bv(32));
        // x / 10 by 0xcccccccd >> 35.
        let wide = p.zext(x, 64);
        let m = p.scale(wide, &Bv::new(64, 0xcccc_cccd));
        let s = p.lshr_by(m, 35);
        let got = p.trunc(s, 32);
        let ten = p.num(32, 10);
        assert_eq!(got, p.udiv(x, ten));
        // x / 7 with the add fixup.
        let m = p.scale(wide, &Bv::new(64, 0x2492_4925));
        let t = p.extract(63, 32, m);
        let d = p.sub(x, t);
        let h = p.lshr_by(d, 1);
        let sum = p.add(h, t);
        let got = p.lshr_by(sum, 2);
        let seven = p.num(32, 7);
        assert_eq!(got, p.udiv(x, seven));
        // x / 65521 of 64 bits with the add fixup in 32 bits, where 16 bits of it matter.
        let y = p.var("y", Sort::Bv(64));
        let wide = p.zext(y, 128);
        let m = p.scale(wide, &Bv::new(128, 4_223_091_239_536_077));
        let t = p.extract(127, 64, m);
        let (y32, t32) = (p.trunc(y, 32), p.trunc(t, 32));
        let d = p.sub(y32, t32);
        let h = p.lshr_by(d, 1);
        let sum = p.add(h, t32);
        let got = p.lshr_by(sum, 15);
        let base = p.num(64, 65_521);
        let q = p.udiv(y, base);
        assert_eq!(p.trunc(got, 16), p.trunc(q, 16));
        // The bit above them is not the quotient's.
        assert_ne!(p.trunc(got, 17), p.trunc(q, 17));
        // Signed x / 3: 0x55555556.
        let wide = p.sext(x, 64);
        let m = p.scale(wide, &Bv::new(64, 0x5555_5556));
        let hi = p.extract(63, 32, m);
        let sign = p.lshr_by(m, 63);
        let sign = p.trunc(sign, 32);
        let got = p.add(hi, sign);
        let three = p.num(32, 3);
        assert_eq!(got, p.sdiv(x, three));
        // Signed x / 7: 0x92492493, negative as a word, x added back, shifted by two.
        let c = p.signed(32, 0x9249_2493u32 as i32 as i128);
        let c = p.as_const(c).unwrap().sext(64);
        let m = p.scale(wide, &c);
        let hi = p.extract(63, 32, m);
        let v = p.add(hi, x);
        let s = p.ashr_by(v, 2);
        let sign = p.lshr_by(v, 31);
        let got = p.add(s, sign);
        assert_eq!(got, p.sdiv(x, seven));
        // Remainder follows.
        let r = p.srem(x, seven);
        let back = p.scale(got, &Bv::new(32, 7));
        assert_eq!(p.sub(x, back), r);
        // A multiplier off by one is no quotient.
        let wide = p.zext(x, 64);
        let m = p.scale(wide, &Bv::new(64, 0xcccc_cccc));
        let s = p.lshr_by(m, 35);
        let got = p.trunc(s, 32);
        assert_ne!(got, p.udiv(x, ten));
        // x % 7 == 0 by the inverse.
        let r = p.urem(x, seven);
        let zero = p.num(32, 0);
        let e = p.eq(r, zero);
        let prod = p.scale(x, &Bv::new(32, 0xb6db_6db7));
        let limit = p.num(32, 0x2492_4924);
        assert_eq!(e, p.ule(prod, limit));
    }
}
