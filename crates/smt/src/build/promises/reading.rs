//! What one fact says: of bits, of bounds, of a sum that does not leave its width.

use super::{ADDENDS, Range, Sum, WIDEST, most, numbers};
use crate::{Bv, Node, Pool, Sort, TermId};

impl Pool {
    /// The bits of a variable that a fact tells.
    pub(super) fn bits_of(&self, f: TermId) -> Option<(TermId, Bv, Bv)> {
        let (atom, holds) = match *self.node(f) {
            Node::Not(x) => (x, false),
            _ => (f, true),
        };
        let Node::Eq(a, b) = *self.node(atom) else { return None };
        let (k, t) = if self.as_const(a).is_some() { (a, b) } else { (b, a) };
        let Node::Extract(hi, lo, x) = *self.node(t) else { return None };
        if !matches!(self.node(x), Node::Var(_)) || !holds && hi != lo {
            return None;
        }
        let k = self.as_const(k)?;
        let k = if holds { k.clone() } else { k.not() };
        let w = self.width(x);
        let place = |v: Bv| v.zext(w).shl_by(lo);
        Some((x, place(k.not()), place(k)))
    }

    /// A sum whose lower bits, a sum as well, hold all of it, as a fact says: those bits, whether their sign is
    /// extended, and the sum.
    pub(super) fn held_by(&mut self, f: TermId) -> Option<(TermId, bool, TermId)> {
        let Node::Eq(a, b) = *self.node(f) else { return None };
        if !matches!(self.sort(a), Sort::Bv(w) if w <= WIDEST) {
            return None;
        }
        for (x, t) in [(a, b), (b, a)] {
            let (low, signed) = match self.node(t) {
                Node::SExt(low) => (*low, true),
                Node::Concat(parts) => match parts[..] {
                    [z, low] if self.as_const(z).is_some_and(Bv::is_zero) => (low, false),
                    _ => continue,
                },
                _ => continue,
            };
            let sums = matches!(self.node(x), Node::Lin(..)) && matches!(self.node(low), Node::Lin(..));
            if sums && self.extract(self.width(low) - 1, 0, x) == low {
                return Some((low, signed, x));
            }
        }
        None
    }

    /// Could it be a fact about a sum?
    pub(super) fn may_be_sum(&self, f: TermId) -> bool {
        match *self.node(f) {
            Node::Eq(a, _) => matches!(self.sort(a), Sort::Bv(w) if w <= 2 * WIDEST),
            Node::Not(g) => matches!(*self.node(g), Node::Ult(a, _) if self.as_const(a).is_none()),
            _ => false,
        }
    }

    /// The bounds that a fact gives a term: whether as a signed number, and which.
    pub(super) fn bounds_of(&mut self, f: TermId) -> Option<(TermId, bool, Range)> {
        let (atom, holds) = match *self.node(f) {
            Node::Not(x) => (x, false),
            _ => (f, true),
        };
        let narrow = |p: &Pool, t: TermId| matches!(p.sort(t), Sort::Bv(w) if w <= WIDEST);
        match *self.node(atom) {
            Node::Ult(a, b) | Node::Slt(a, b) if narrow(self, a) => {
                let signed = matches!(self.node(atom), Node::Slt(..));
                let w = self.width(a);
                let (least, greatest) = if signed { numbers(w) } else { (0, most(w)) };
                let value =
                    |v: &Bv| if signed { v.to_i128() } else { v.to_u128().and_then(|v| v.try_into().ok()) };
                // A bound is always a lower one, or denied to be.
                let k = value(self.as_const(a)?)?;
                let range = if holds { (k + 1, greatest) } else { (least, k) };
                Some((b, signed, range))
            }
            Node::Eq(a, b) => {
                let (k, t) = if self.as_const(a).is_some() { (a, b) } else { (b, a) };
                if let Some(k) = self.as_const(k) {
                    let Node::Extract(hi, lo, x) = *self.node(t) else {
                        return (!holds && narrow(self, t)).then(|| self.bounds_but(t, k)).flatten();
                    };
                    let w = self.width(x);
                    if !narrow(self, x) || hi + 1 != w {
                        return None;
                    }
                    let (k, n) = (k.to_u128()?, hi + 1 - lo);
                    // The sign, and values whose upper bits are zero.
                    return match (n, k == 0, holds) {
                        (1, true, true) | (1, false, false) => Some((x, true, (0, numbers(w).1))),
                        (1, false, true) | (1, true, false) => Some((x, true, (numbers(w).0, -1))),
                        (_, true, true) if lo > 0 => Some((x, false, (0, most(lo)))),
                        (_, true, false) => Some((x, false, (1 << lo, most(w)))),
                        (_, _, _) => None,
                    };
                }
                // A value that its lower bits hold, as a signed number.
                for (x, t) in [(a, b), (b, a)] {
                    if let Node::SExt(e) = *self.node(t)
                        && let Node::Extract(h, 0, y) = *self.node(e)
                        && y == x
                        && holds
                        && narrow(self, x)
                    {
                        return Some((x, true, numbers(h + 1)));
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// The bounds that follow from `t != k`, where `k` is the least or the greatest number: of variables, and of what is read from
    /// memory in more than a byte and less than an address. That bytes are not zero and pointers not null is said very often,
    /// and such bounds are of no use.
    fn bounds_but(&self, t: TermId, k: &Bv) -> Option<(TermId, bool, Range)> {
        let (w, k) = (k.width(), i128::try_from(k.to_u128()?).ok()?);
        let bounded = match self.node(t) {
            Node::Var(_) => w > 1,
            Node::Select(..) => 8 < w && w < 64,
            _ => false,
        };
        if !bounded {
            return None;
        }
        let (least, greatest) = numbers(w);
        match k {
            0 => Some((t, false, (1, most(w)))),
            _ if k == most(w) => Some((t, false, (0, most(w) - 1))),
            _ if k == greatest => Some((t, true, (least, greatest - 1))),
            _ if k == greatest + 1 => Some((t, true, (least + 1, greatest))),
            _ => None,
        }
    }

    /// The sum that a fact says does not leave its width, and whether as signed numbers.
    pub(super) fn sum_of(&mut self, f: TermId) -> Option<(TermId, bool, Sum)> {
        match *self.node(f) {
            Node::Eq(a, b) if matches!(self.sort(a), Sort::Bv(w) if w <= 2 * WIDEST) => {
                self.extended_sum(a, b, true).or_else(|| self.extended_sum(a, b, false))
            }
            Node::Not(g) => {
                // The difference of two numbers, the second not above the first.
                let Node::Ult(a, b) = *self.node(g) else { return None };
                let w = self.width(a);
                if w > WIDEST || self.as_const(a).is_some() {
                    return None;
                }
                let d = self.sub(a, b);
                if let Node::Lin(xs, _) = self.node(a)
                    && xs.iter().any(|(x, c)| *x == b && c.is_one())
                {
                    // a = b + d
                    return match self.as_const(d).map(Bv::to_u128) {
                        Some(k) => Some((a, false, (Box::from([(b, 1)]), k?.try_into().ok()?))),
                        None if d < a => Some((a, false, (Box::from([(b, 1), (d, 1)]), 0))),
                        None => None,
                    };
                }
                let lin = matches!(self.node(d), Node::Lin(..)) && a < d && b < d;
                lin.then(|| (d, false, (Box::from([(a, 1), (b, -1)]), 0)))
            }
            _ => None,
        }
    }

    /// From `a = b`, in which an extended sum is a sum of extended terms, that sum: it does not leave its width if the
    /// equation is wide enough that all its values differ.
    fn extended_sum(&mut self, a: TermId, b: TermId, signed: bool) -> Option<(TermId, bool, Sum)> {
        let w = self.width(a);
        let d = self.sub(a, b);
        let view = self.linear_view(d);
        if view.terms.len() > ADDENDS {
            return None;
        }
        // The newest of the extended terms is the sum.
        let inner = |p: &Pool, t: TermId| match p.node(t) {
            Node::SExt(x) if signed => Some(*x),
            Node::Concat(parts) if !signed => match parts[..] {
                [z, x] if p.as_const(z).is_some_and(Bv::is_zero) => Some(x),
                _ => None,
            },
            _ => None,
        };
        let (sum, lead, c) = view
            .terms
            .iter()
            .filter(|(_, c)| c.is_one() || c.is_ones())
            .filter_map(|(t, c)| Some((inner(self, *t)?, *t, c.clone())))
            .max_by_key(|(x, ..)| *x)?;
        let n = self.width(sum);
        if n > WIDEST || !matches!(self.node(sum), Node::Lin(..) | Node::Concat(_)) {
            return None;
        }
        // lead = the others times -c
        let flip = |v: &Bv| if c.is_one() { v.neg() } else { v.clone() };
        let k = flip(&view.k).to_i128()?;
        let half = if signed { 1i128 << (n - 1) } else { 1 << n };
        let mut reach = half.checked_add(k.checked_abs()?)?;
        let (mut parts, mut narrow) = (Vec::new(), Vec::new());
        for (t, c) in view.terms.iter().filter(|(t, _)| *t != lead) {
            let x = self.extract(n - 1, 0, *t);
            let wide = if signed { self.sext(x, w) } else { self.zext(x, w) };
            // What the sum is made of is older than the sum.
            if wide != *t || x >= sum {
                return None;
            }
            let c = flip(c).to_i128()?;
            reach = reach.checked_add(half.checked_mul(c.checked_abs()?)?)?;
            narrow.push((x, Bv::from_i128(n, c)));
            parts.push((x, c));
        }
        let again = self.linear(&narrow, Bv::from_i128(n, k));
        let fits = w >= 127 || reach < 1 << w;
        (again == sum && fits).then(|| (sum, signed, (parts.into(), k)))
    }
}
