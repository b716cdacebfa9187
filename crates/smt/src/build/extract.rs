//! Extraction: it moves towards the leaves where that loses nothing, and leaves out the bits above that don't matter.

use super::bits::Op;
use crate::{Bv, Node, Pool, Sort, TermId};

/// Most operands that are searched for parts of their own.
const LANES: usize = 16;

/// Results so near the first call are kept for all others.
const SHALLOW: u32 = 8;

impl Pool {
    /// Bits `hi` down to `lo` of a term.
    ///
    /// # Panics
    /// When the bits are not within the term.
    pub fn extract(&mut self, hi: u32, lo: u32, t: TermId) -> TermId {
        let w = self.width(t);
        assert!(lo <= hi && hi < w, "extract [{hi}:{lo}] of {w} bits");
        if lo == 0 && hi == w - 1 {
            return t;
        }
        if let Some(&(r, depth)) = self.extract_memo.get(&(hi, lo, t))
            && depth <= self.depth
        {
            self.cut_short += u64::from(depth > 0);
            return r;
        }
        if let Some(v) = self.promised_bits(hi, lo, t) {
            return self.constant(v);
        }
        let before = self.cut_short;
        match self.deeper(|p| p.extract_inner(hi, lo, t)).flatten() {
            Some(r) => {
                // What a limit left its mark on is kept for calls that are as deep: a shallower one may do better.
                // Without that, terms that share parts would be gone through once for each path into them.
                let whole = self.cut_short == before;
                if whole || !self.rewrites.over {
                    let depth = if whole || self.depth < SHALLOW { 0 } else { self.depth };
                    self.extract_memo.insert((hi, lo, t), (r, depth));
                }
                r
            }
            None => self.intern(Node::Extract(hi, lo, t), Sort::Bv(hi - lo + 1)),
        }
    }

    fn extract_inner(&mut self, hi: u32, lo: u32, t: TermId) -> Option<TermId> {
        let n = hi - lo + 1;
        let known = self.known(t);
        let mask = known.zeros.or(&known.ones).extract(hi, lo);
        if mask.is_ones() {
            return Some(self.constant(known.ones.extract(hi, lo)));
        }
        match self.node(t).clone() {
            Node::Extract(_, l, x) => Some(self.extract(hi + l, lo + l, x)),
            Node::Concat(parts) => {
                let mut at = self.width(t);
                let mut out = Vec::new();
                for &p in parts.iter() {
                    let (top, bottom) = (at - 1, at - self.width(p));
                    at = bottom;
                    if bottom <= hi && top >= lo {
                        out.push(self.extract(hi.min(top) - bottom, lo.max(bottom) - bottom, p));
                    }
                }
                Some(self.concat_all(&out))
            }
            Node::SExt(x) => {
                let xw = self.width(x);
                if hi < xw {
                    return Some(self.extract(hi, lo, x));
                }
                let s = self.extract(xw - 1, lo.min(xw - 1), x);
                Some(self.sext(s, n))
            }
            Node::Lin(xs, k) => {
                if lo == 0 {
                    let mut parts = Vec::new();
                    for (x, c) in xs.iter() {
                        parts.push((self.extract(hi, 0, *x), c.trunc(n)));
                    }
                    return Some(self.linear(&parts, k.trunc(n)));
                }
                let scaled = if k.is_zero() { self.extract_scaled(hi, lo, t, &xs) } else { None };
                scaled
                    .or_else(|| self.extract_multiple(hi, lo, t, &xs, &k))
                    .or_else(|| self.extract_narrow(hi, lo, t))
            }
            Node::Mul(_) if lo > 0 => self.extract_narrow(hi, lo, t),
            Node::Mul(xs) if lo == 0 => {
                let mut acc = self.extract(hi, 0, xs[0]);
                for &x in &xs[1..] {
                    let y = self.extract(hi, 0, x);
                    acc = self.mul(acc, y);
                }
                Some(acc)
            }
            Node::BvNot(x) if lo == 0 || n == 1 || self.in_lanes(hi, lo, t) => {
                let x = self.extract(hi, lo, x);
                Some(self.bv_not(x))
            }
            Node::BvAnd(xs) if lo == 0 || n == 1 || self.in_lanes(hi, lo, t) => {
                self.extract_bitwise(Op::And, &xs, hi, lo)
            }
            Node::BvOr(xs) if lo == 0 || n == 1 || self.in_lanes(hi, lo, t) => {
                self.extract_bitwise(Op::Or, &xs, hi, lo)
            }
            Node::BvXor(xs) if lo == 0 || n == 1 || self.in_lanes(hi, lo, t) => {
                self.extract_bitwise(Op::Xor, &xs, hi, lo)
            }
            Node::Ite(c, a, b)
                if lo == 0 || n == 1 || (self.as_const(a).is_some() && self.as_const(b).is_some()) =>
            {
                let (a, b) = (self.extract(hi, lo, a), self.extract(hi, lo, b));
                Some(self.ite(c, a, b))
            }
            Node::BvNot(_) | Node::BvAnd(_) | Node::BvOr(_) | Node::BvXor(_) | Node::Ite(..) => {
                self.extract_narrow(hi, lo, t)
            }
            Node::Select(m, i) => {
                let (_, elem) = self.array_widths(m);
                // A load of no more elements than the bits are of.
                let (first, last) = (lo / elem, hi / elem);
                let count = last - first + 1;
                if count * elem == self.width(t) {
                    return None;
                }
                let at = self.add_num(i, i128::from(first));
                let narrow = self.load(m, at, count);
                Some(self.extract(hi - first * elem, lo - first * elem, narrow))
            }
            _ => None,
        }
    }

    /// Bits of a sum without a constant: of one shifted term, or of a quotient.
    fn extract_scaled(&mut self, hi: u32, lo: u32, t: TermId, xs: &[(TermId, Bv)]) -> Option<TermId> {
        if xs.len() == 2 {
            return self.reciprocal_fixup(xs, hi, lo);
        }
        let [(x, c)] = xs else { return None };
        let x = *x;
        let Some(s) = c.power_of_two() else {
            if lo + 1 == self.width(t)
                && let Some(s) = self.sign_of_product(x, c)
            {
                return Some(s);
            }
            let q = self.reciprocal(x, c, lo)?;
            return Some(self.extract(hi - lo, 0, q));
        };
        Some(if lo >= s {
            self.extract(hi - s, lo - s, x)
        } else if hi >= s {
            let high = self.extract(hi - s, 0, x);
            let low = self.num(s - lo, 0);
            self.concat(high, low)
        } else {
            self.num(hi - lo + 1, 0)
        })
    }

    /// Bits of a sum of multiples of a power of two, none of them below it: those of the sum without that power, which is
    /// computed in no more bits than are asked for. What the constant has below the power carries nowhere.
    fn extract_multiple(
        &mut self,
        hi: u32,
        lo: u32,
        t: TermId,
        xs: &[(TermId, Bv)],
        k: &Bv,
    ) -> Option<TermId> {
        let s = xs.iter().map(|(_, c)| c.trailing_zeros()).min().filter(|s| *s > 0)?.min(lo);
        if self.is_upper_half(lo, t) {
            return None;
        }
        let top = hi - s;
        let parts: Vec<_> =
            xs.iter().map(|(x, c)| (self.extract(top, 0, *x), c.lshr_by(s).trunc(top + 1))).collect();
        let sum = self.linear(&parts, k.lshr_by(s).trunc(top + 1));
        Some(self.extract(top, lo - s, sum))
    }

    /// Bits of a term of whose operands no bits above them matter, without those: so that what was computed in more
    /// bits than it has meets what was not. Upper halves of products stay whole, since quotients are made of them.
    fn extract_narrow(&mut self, hi: u32, lo: u32, t: TermId) -> Option<TermId> {
        if hi + 1 >= self.width(t) || self.is_upper_half(lo, t) {
            return None;
        }
        let low = self.extract(hi, 0, t);
        match *self.node(low) {
            Node::Extract(_, 0, x) if x == t => None,
            _ => Some(self.extract(hi, lo, low)),
        }
    }

    /// What an exclusive or flips which bits of.
    pub(super) fn flips(&self, xs: &[TermId]) -> Option<(TermId, Bv)> {
        match *xs {
            [a, b] if self.as_const(a).is_some() => Some((b, self.as_const(a)?.clone())),
            [a, b] => Some((a, self.as_const(b)?.clone())),
            _ => None,
        }
    }

    /// Are these bits a part of their own of an operand of a bitwise operation? Then they are taken of each.
    fn in_lanes(&self, hi: u32, lo: u32, t: TermId) -> bool {
        let mut todo = vec![t];
        for _ in 0..LANES {
            let Some(t) = todo.pop() else { break };
            match self.node(t) {
                Node::BvNot(x) => todo.push(*x),
                // Flipped bits are put together again.
                Node::BvXor(xs) if self.flips(xs).is_some() => return true,
                Node::BvAnd(xs) | Node::BvOr(xs) | Node::BvXor(xs) => todo.extend(xs.iter()),
                Node::Concat(parts) => {
                    let (mut at, mut ends) = (self.width(t), 0);
                    for p in parts.iter() {
                        ends += u32::from(at == hi + 1);
                        at -= self.width(*p);
                        ends += u32::from(at == lo);
                    }
                    if ends == 2 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn extract_bitwise(&mut self, op: Op, xs: &[TermId], hi: u32, lo: u32) -> Option<TermId> {
        let parts: Vec<_> = xs.iter().map(|x| self.extract(hi, lo, *x)).collect();
        Some(self.bitwise(op, &parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::{Deadline, Effort};
    use crate::{Model, Value};

    /// Sums of words rotated by several amounts, as hash functions make them: there are more paths into the first words
    /// than there could be steps.
    fn mixed(p: &mut Pool, rounds: u32) -> (Vec<TermId>, Vec<TermId>) {
        let start: Vec<TermId> = (0..4).map(|i| p.var(&format!("x{i}"), Sort::Bv(64))).collect();
        let mut now = start.clone();
        for _ in 0..rounds {
            let [a, b, c, d] = now[..] else { unreachable!("four words") };
            let turned: Vec<TermId> = [14, 18, 41]
                .map(|n| {
                    let (high, low) = (p.shl_by(a, 64 - n), p.lshr_by(a, n));
                    p.bv_or(high, low)
                })
                .to_vec();
            let turned = p.bv_xor_all(&turned);
            let either = p.bv_xor(b, c);
            let chosen = p.bv_and(a, either);
            let sum = p.add(turned, d);
            now = vec![p.add(sum, chosen), a, b, c];
        }
        (start, now)
    }

    #[test]
    fn shared_parts_are_gone_through_once() {
        let before = Effort::so_far();
        mixed(&mut Pool::new(), 16);
        let work = Effort::since(before);
        assert!(work < Effort::mega(2_000), "{work}");
    }

    #[test]
    fn without_work_left_terms_are_built_as_they_are() {
        let (mut p, mut hurried) = (Pool::new(), Pool::new());
        hurried.rewrite_until(Deadline::after(Effort::ZERO));
        // It is looked at now and then only.
        for _ in 0..2_000 {
            hurried.deeper(|_| ());
        }
        let (start, want) = mixed(&mut p, 4);
        let before = Effort::so_far();
        let (same, found) = mixed(&mut hurried, 4);
        assert!(Effort::since(before) < Effort::mega(5));
        let mut models = (Model::new(), Model::new());
        for (i, (x, y)) in start.iter().zip(&same).enumerate() {
            let v = Value::Bv(Bv::new(64, 0x9e37_79b9_7f4a_7c15 << i));
            models.0.set(&p, *x, v.clone());
            models.1.set(&hurried, *y, v);
        }
        for (x, y) in want.iter().zip(&found) {
            assert_eq!(models.0.eval(&p, *x), models.1.eval(&hurried, *y));
        }
        // And it may be taken back.
        hurried.rewrite_until(Deadline::NEVER);
        assert_eq!(hurried.deeper(|_| 7), Some(7));
    }
}
