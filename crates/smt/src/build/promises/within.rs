//! What follows from promises for a term that is built: its bounds, its bits, the sum it is extended as.

use super::{ADDENDS, DEEP, Range, Sum, WIDEST, most, numbers};
use crate::{Bv, Node, Pool, TermId};

impl Pool {
    /// Bounds of a term as a signed or unsigned number, as far as its form and the promises tell.
    pub(super) fn range(&self, t: TermId, signed: bool, depth: u32) -> Range {
        let w = self.width(t);
        let known = self.known(t);
        let int = |v: Bv| v.to_u128().and_then(|v| i128::try_from(v).ok());
        let (umin, umax) = match (int(known.min()), int(known.max())) {
            (Some(a), Some(b)) if w <= WIDEST => (a, b),
            _ => return if signed && w < 127 { numbers(w) } else { (0, i128::MAX) },
        };
        let (mut u, mut s) = ((umin, umax), numbers(w));
        if let Some(p) = &self.promised {
            if let Some(r) = p.up_to.get(&t) {
                u = (u.0.max(r.0), u.1.min(r.1));
            }
            if let Some(r) = p.low_high.get(&t) {
                s = (s.0.max(r.0), s.1.min(r.1));
            }
            if let Some((zeros, ones)) = p.bits.get(&t)
                && let (Some(least), Some(greatest)) = (int(ones.clone()), int(zeros.not()))
            {
                u = (u.0.max(least), u.1.min(greatest));
            }
        }
        match self.node(t) {
            Node::SExt(x) if depth > 0 => {
                let r = self.range(*x, true, depth - 1);
                s = (s.0.max(r.0), s.1.min(r.1));
            }
            Node::Concat(parts) if depth > 0 => {
                if let [z, x] = parts[..]
                    && self.as_const(z).is_some_and(Bv::is_zero)
                {
                    let r = self.range(x, false, depth - 1);
                    u = (u.0.max(r.0), u.1.min(r.1));
                }
                // What stands above other bits is so many times as much; they are never negative.
                if let [x, low] = parts[..] {
                    let (r, n) = (self.range(x, true, depth - 1), self.width(low));
                    let least = self.range(low, false, depth - 1);
                    s = (s.0.max((r.0 << n) + least.0), s.1.min((r.1 << n) + least.1));
                }
            }
            Node::Lin(xs, k) if depth > 0 && xs.len() <= ADDENDS => {
                for (signed, r) in [(false, &mut u), (true, &mut s)] {
                    let (least, greatest) = if signed { numbers(w) } else { (0, most(w)) };
                    if let Some((lo, hi)) = self.reach(xs, k, signed, depth - 1)
                        && lo >= least
                        && hi <= greatest
                    {
                        *r = (r.0.max(lo), r.1.min(hi));
                    }
                }
            }
            _ => {}
        }
        // Where both agree about the sign, each tells about the other.
        if u.1 <= s_max(w) {
            s = (s.0.max(u.0), s.1.min(u.1));
        }
        if s.0 >= 0 {
            u = (u.0.max(s.0), u.1.min(s.1));
        }
        if signed { s } else { u }
    }

    /// The sum that a term is without leaving its width, if that is known.
    fn sum_within(&self, t: TermId, signed: bool) -> Option<Sum> {
        let promised = self.promised.as_ref()?;
        let map = if signed { &promised.signed } else { &promised.unsigned };
        if let Some(sum) = map.get(&t) {
            return Some(sum.clone());
        }
        let Node::Lin(xs, k) = self.node(t) else { return None };
        let w = self.width(t);
        if w > WIDEST || xs.len() > ADDENDS {
            return None;
        }
        let (lo, hi) = self.reach(xs, k, signed, DEEP)?;
        let (least, greatest) = if signed { numbers(w) } else { (0, most(w)) };
        if lo < least || hi > greatest {
            return None;
        }
        let parts: Option<Vec<(TermId, i128)>> = xs.iter().map(|(x, c)| Some((*x, c.to_i128()?))).collect();
        Some((parts?.into(), k.to_i128()?))
    }

    /// Bounds of a sum of integers, its coefficients taken as signed numbers.
    fn reach(&self, xs: &[(TermId, Bv)], k: &Bv, signed: bool, depth: u32) -> Option<Range> {
        let k = k.to_i128()?;
        let (mut lo, mut hi) = (k, k);
        for (x, c) in xs {
            let c = c.to_i128()?;
            let (a, b) = self.range(*x, signed, depth);
            let (p, q) = (a.checked_mul(c)?, b.checked_mul(c)?);
            lo = lo.checked_add(p.min(q))?;
            hi = hi.checked_add(p.max(q))?;
        }
        Some((lo, hi))
    }

    /// A sum extended to a width: the sum of its extended parts.
    fn extended_parts(&mut self, sum: &Sum, w: u32, signed: bool) -> Option<TermId> {
        let mut parts = Vec::with_capacity(sum.0.len());
        for (x, c) in sum.0.iter() {
            let x = self.deeper(|p| if signed { p.sext(*x, w) } else { p.zext(*x, w) })?;
            parts.push((x, Bv::from_i128(w, *c)));
        }
        Some(self.linear(&parts, Bv::from_i128(w, sum.1)))
    }

    /// Bits that promises tell.
    pub(crate) fn promised_bits(&self, hi: u32, lo: u32, t: TermId) -> Option<Bv> {
        let (zeros, ones) = self.promised.as_ref()?.bits.get(&t)?;
        zeros.or(ones).extract(hi, lo).is_ones().then(|| ones.extract(hi, lo))
    }

    /// Concatenated parts where, in place of low bits of a term that promises tell, others stand: that term plus a
    /// constant.
    pub(crate) fn promised_low_bits(&mut self, parts: &[TermId]) -> Option<TermId> {
        self.promised.as_ref()?;
        let (i, t, hi, by) = parts.windows(2).enumerate().find_map(|(i, pair)| {
            let Node::Extract(hi, lo, t) = *self.node(pair[0]) else { return None };
            let k = self.as_const(pair[1])?;
            if k.width() != lo {
                return None;
            }
            let known = self.promised_bits(lo - 1, 0, t)?;
            Some((i, t, hi, k.zext(hi + 1).sub(&known.zext(hi + 1))))
        })?;
        let t = self.extract(hi, 0, t);
        let sum = self.linear(&[(t, Bv::one(hi + 1))], by);
        let parts = [&parts[..i], &[sum], &parts[i + 2..]].concat();
        self.deeper(|p| p.concat_all(&parts))
    }

    /// The extension of a term to a width, where promises make it something simpler.
    pub(crate) fn promised_extension(&mut self, t: TermId, w: u32, signed: bool) -> Option<TermId> {
        let promised = self.promised.as_ref()?;
        if let Some(known) = promised.extended.get(&(t, w, signed)) {
            return *known;
        }
        // A remainder is one number, whatever is known of what it is computed from.
        if self.width(t) > WIDEST || self.as_const(t).is_some() || self.is_remainder(t) {
            return None;
        }
        let promised = self.promised.as_ref()?;
        let new = match promised.held.get(&(t, signed)).copied() {
            // Of the value's own width, or wider.
            Some(x) if self.width(x) <= w => self.deeper(|p| p.resize(x, w, signed)),
            Some(_) | None if signed => self.promised_sext(t, w),
            Some(_) | None => self.promised_zext(t, w),
        };
        // At the limit of depth another time may do better.
        if self.depth < 8
            && let Some(promised) = &mut self.promised
        {
            promised.extended.insert((t, w, signed), new);
        }
        new
    }

    fn promised_sext(&mut self, t: TermId, w: u32) -> Option<TermId> {
        if let Some(sum) = self.sum_within(t, true) {
            return self.extended_parts(&sum, w, true);
        }
        // The lower bits of a value that they hold.
        if let Node::Extract(h, 0, x) = *self.node(t)
            && self.width(x) <= WIDEST
        {
            let (lo, hi) = self.range(x, true, DEEP);
            let (least, greatest) = numbers(h + 1);
            if lo >= least && hi <= greatest {
                return self.deeper(|p| p.resize(x, w, true));
            }
        }
        (self.range(t, true, DEEP).0 >= 0).then(|| self.deeper(|p| p.zext(t, w))).flatten()
    }

    fn promised_zext(&mut self, t: TermId, w: u32) -> Option<TermId> {
        if let Some(sum) = self.sum_within(t, false) {
            return self.extended_parts(&sum, w, false);
        }
        if let Node::Extract(h, 0, x) = *self.node(t)
            && self.width(x) <= WIDEST
            && self.range(x, false, DEEP).1 <= most(h + 1)
        {
            return self.deeper(|p| p.resize(x, w, false));
        }
        if self.range(t, true, DEEP).0 >= 0
            && let Some(sum) = self.sum_within(t, true)
        {
            return self.extended_parts(&sum, w, true);
        }
        None
    }

    /// Whether bounds say that a signed number is none below zero.
    pub(crate) fn promised_not_negative(&self, t: TermId) -> bool {
        self.promised.is_some() && self.width(t) <= WIDEST && self.range(t, true, DEEP).0 >= 0
    }

    /// A comparison that bounds decide.
    pub(crate) fn promised_less(&self, a: TermId, b: TermId, signed: bool) -> Option<bool> {
        self.promised.as_ref()?;
        if self.width(a) > WIDEST {
            return None;
        }
        let (x, y) = (self.range(a, signed, DEEP), self.range(b, signed, DEEP));
        if x.1 < y.0 {
            Some(true)
        } else if x.0 >= y.1 {
            Some(false)
        } else {
            None
        }
    }

    /// Whether bounds tell two terms apart.
    pub(crate) fn promised_different(&self, a: TermId, b: TermId) -> bool {
        if self.promised.is_none() || self.width(a) > WIDEST {
            return false;
        }
        [false, true].into_iter().any(|signed| {
            let (x, y) = (self.range(a, signed, DEEP), self.range(b, signed, DEEP));
            x.1 < y.0 || y.1 < x.0
        })
    }
}

/// The greatest signed number of a width.
fn s_max(w: u32) -> i128 {
    numbers(w).1
}
