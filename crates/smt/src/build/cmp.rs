//! Equality and order.

use crate::{Bv, Node, Pool, Sort, TermId};

impl Pool {
    /// Equality of two terms of one sort.
    ///
    /// # Panics
    /// When the sorts differ.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort(a);
        assert_eq!(sort, self.sort(b), "equality of different sorts");
        if a == b {
            return self.bool(true);
        }
        match sort {
            Sort::Bool => self.eq_bool(a, b),
            Sort::Bv(w) => match self.deeper(|p| p.eq_bv(a, b, w)).flatten() {
                Some(r) => r,
                None => self.eq_node(a, b),
            },
            Sort::Array { .. } => self.eq_array(a, b),
        }
    }

    pub(crate) fn eq_node(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    /// Inequality.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let e = self.eq(a, b);
        self.not(e)
    }

    fn eq_bool(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            match self.node(x) {
                Node::Bool(true) => return y,
                Node::Bool(false) => return self.not(y),
                Node::Not(n) => {
                    let n = *n;
                    let e = self.eq(n, y);
                    return self.not(e);
                }
                Node::Eq(p, q) if *p == y => return *q,
                Node::Eq(p, q) if *q == y => return *p,
                _ => {}
            }
        }
        self.eq_node(a, b)
    }

    fn eq_bv(&mut self, a: TermId, b: TermId, w: u32) -> Option<TermId> {
        let (ka, kb) = (self.known(a), self.known(b));
        if !ka.ones.and(&kb.zeros).is_zero() || !ka.zeros.and(&kb.ones).is_zero() {
            return Some(self.bool(false));
        }
        if self.promised_different(a, b) {
            return Some(self.bool(false));
        }
        if matches!(self.node(a), Node::Lin(..)) || matches!(self.node(b), Node::Lin(..)) {
            return Some(self.eq_linear(a, b, w));
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(r) = self.eq_one_side(x, y, w) {
                return Some(r);
            }
        }
        match (self.node(a), self.node(b)) {
            (Node::BvNot(x), Node::BvNot(y)) => {
                let (x, y) = (*x, *y);
                Some(self.eq(x, y))
            }
            (Node::SExt(x), Node::SExt(y)) if self.width(*x) == self.width(*y) => {
                let (x, y) = (*x, *y);
                Some(self.eq(x, y))
            }
            _ => None,
        }
    }

    /// Solves a linear equation for one of its terms, or normalises its sign.
    fn eq_linear(&mut self, a: TermId, b: TermId, w: u32) -> TermId {
        let d = self.sub(a, b);
        let view = self.linear_view(d);
        if let Some(r) = self.divisible(&view.terms, &view.k) {
            return r;
        }
        let Some((lead, c)) = view.terms.iter().rev().find(|(_, c)| c.bit(0)).cloned() else {
            let tz = view.terms.iter().map(|(_, c)| c.trailing_zeros()).min().unwrap_or(w);
            if view.k.trailing_zeros() < tz || view.terms.is_empty() {
                let holds = view.terms.is_empty() && view.k.is_zero();
                return self.bool(holds);
            }
            // Divide by the common power of two: the equation holds modulo 2^(w - tz).
            let n = w - tz;
            let mut parts = Vec::new();
            for (t, c) in &view.terms {
                parts.push((self.extract(n - 1, 0, *t), c.extract(w - 1, tz)));
            }
            let x = self.linear(&parts, view.k.extract(w - 1, tz));
            let zero = self.num(n, 0);
            return self.eq(x, zero);
        };
        // lead = -inverse(c) * (everything else)
        let m = inverse(&c).neg();
        let rest: Vec<_> =
            view.terms.iter().filter(|(t, _)| *t != lead).map(|(t, c)| (*t, c.mul(&m))).collect();
        let rest = self.linear(&rest, view.k.mul(&m));
        if matches!(self.node(rest), Node::Lin(..)) {
            let known = (self.known(lead), self.known(rest));
            if !known.0.ones.and(&known.1.zeros).is_zero() || !known.0.zeros.and(&known.1.ones).is_zero() {
                return self.bool(false);
            }
            return self.eq_node(lead, rest);
        }
        self.eq(lead, rest)
    }

    /// Rules that look at the structure of `x`, on either side.
    fn eq_one_side(&mut self, x: TermId, y: TermId, w: u32) -> Option<TermId> {
        let k = self.as_const(y).cloned();
        match self.node(x).clone() {
            Node::Const(v) if w == 1 && v.is_zero() => {
                let one = self.num(1, 1);
                let e = self.eq(y, one);
                Some(self.not(e))
            }
            Node::Concat(parts) => {
                if k.is_none()
                    && !matches!(self.node(y), Node::Concat(_) | Node::SExt(_))
                    && let Some(r) = self.eq_but_part(&parts, y)
                {
                    return Some(r);
                }
                let cut = if k.is_some() || matches!(self.node(y), Node::SExt(_)) {
                    self.width(parts[parts.len() - 1])
                } else if let Some(cut) = self.common_cut(x, y) {
                    cut
                } else {
                    self.read_cut(x, y)?
                };
                // Halves, the upper ones further by recursion.
                let (xh, xl) = (self.extract(w - 1, cut, x), self.extract(cut - 1, 0, x));
                let (yh, yl) = (self.extract(w - 1, cut, y), self.extract(cut - 1, 0, y));
                let h = self.eq(xh, yh);
                let l = self.eq(xl, yl);
                Some(self.and(h, l))
            }
            Node::SExt(s) => {
                let k = k?;
                let v = k.trunc(self.width(s));
                if v.sext(w) != k {
                    return Some(self.bool(false));
                }
                let v = self.constant(v);
                Some(self.eq(s, v))
            }
            Node::BvNot(s) => {
                let k = self.constant(k?.not());
                Some(self.eq(s, k))
            }
            Node::BvXor(xs) => {
                let k = k?;
                if let Some(at) = xs.iter().position(|x| self.as_const(*x).is_some()) {
                    let c = self.as_const(xs[at])?.xor(&k);
                    let rest: Vec<_> = xs.iter().copied().filter(|x| *x != xs[at]).collect();
                    let r = self.bv_xor_all(&rest);
                    let c = self.constant(c);
                    return Some(self.eq(r, c));
                }
                if k.is_zero() && xs.len() == 2 {
                    return Some(self.eq(xs[0], xs[1]));
                }
                None
            }
            Node::Ite(c, a, b) => {
                if w == 1 && k.is_none() {
                    // Both bits of Booleans.
                    let (cx, ax, _) = self.const_ite(x)?;
                    let (cy, ay, _) = self.const_ite(y)?;
                    let e = self.eq(cx, cy);
                    return Some(if ax == ay { e } else { self.not(e) });
                }
                let k = k?;
                let (ca, cb) = (self.as_const(a).cloned(), self.as_const(b).cloned());
                let nc = self.not(c);
                match (ca, cb) {
                    (Some(p), Some(q)) => match (p == k, q == k) {
                        (true, true) => Some(self.bool(true)),
                        (true, false) => Some(c),
                        (false, true) => Some(nc),
                        (false, false) => Some(self.bool(false)),
                    },
                    (Some(p), None) => {
                        let e = self.eq(b, y);
                        Some(if p == k { self.or(c, e) } else { self.and(nc, e) })
                    }
                    (None, Some(q)) => {
                        let e = self.eq(a, y);
                        Some(if q == k { self.or(nc, e) } else { self.and(c, e) })
                    }
                    (None, None) => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a term is made of these parts, one of which is what the term has there anyway.
    fn eq_but_part(&mut self, parts: &[TermId], y: TermId) -> Option<TermId> {
        let own = |p: &Pool, t: TermId| matches!(*p.node(t), Node::Extract(_, _, z) if z == y);
        if !parts.iter().any(|t| own(self, *t)) {
            return None;
        }
        let mut at = self.width(y);
        let (mut same, mut all) = (false, Vec::new());
        for &part in parts {
            let top = at - 1;
            at -= self.width(part);
            let there = self.extract(top, at, y);
            same |= there == part;
            all.push(self.eq(there, part));
        }
        same.then(|| self.and_all(&all))
    }

    /// A border of parts that two concatenations share.
    fn common_cut(&self, x: TermId, y: TermId) -> Option<u32> {
        let cuts = |t: TermId| -> Vec<u32> {
            let Node::Concat(parts) = self.node(t) else { return Vec::new() };
            let mut at = 0;
            parts
                .iter()
                .rev()
                .map(|p| {
                    at += self.width(*p);
                    at
                })
                .collect()
        };
        let (a, b) = (cuts(x), cuts(y));
        let w = self.width(x);
        a.iter().copied().find(|c| *c < w && b.contains(c))
    }

    /// Where facts about addresses are at hand: a border of the parts of `x` at which a read that `y` has there can be
    /// cut, since shorter reads may see less of what was written.
    fn read_cut(&self, x: TermId, y: TermId) -> Option<u32> {
        self.known_apart.as_ref()?;
        let Node::Concat(parts) = self.node(x) else { return None };
        let whole = [y];
        let others = match self.node(y) {
            Node::Concat(parts) => parts,
            _ => &whole[..],
        };
        let mut cut = 0;
        parts[1..].iter().rev().find_map(|part| {
            cut += self.width(*part);
            let mut low = 0;
            let other = others.iter().rev().find(|t| {
                low += self.width(**t);
                low > cut
            })?;
            let Node::Select(array, _) = *self.node(*other) else { return None };
            let at = cut - (low - self.width(*other));
            at.is_multiple_of(self.array_widths(array).1).then_some(cut)
        })
    }

    /// Whether `y` is above the greatest quotient by an odd number, where `y` is a sum multiplied by the inverse of that
    /// number (that is, whether the sum is no multiple of it), asked in as many bits as the sum has.
    ///
    /// Multiplying by an odd `d` maps the numbers up to the greatest quotient, and no others, to the multiples of `d`.
    fn narrow_multiple(&mut self, bound: TermId, y: TermId) -> Option<TermId> {
        let Node::Lin(xs, k) = self.node(y) else { return None };
        let most = self.as_const(bound)?;
        let w = most.width();
        let d = Bv::ones(w).udiv(most);
        if d.is_one() || !d.bit(0) || Bv::ones(w).udiv(&d) != *most {
            return None;
        }
        let xs: Vec<(TermId, Bv)> = xs.iter().map(|(x, c)| (*x, d.mul(c))).collect();
        if !xs.iter().any(|(_, c)| c.is_one()) {
            return None;
        }
        let k = d.mul(k);
        self.deeper(|p| {
            let x = p.linear(&xs, k);
            let n = w - p.known(x).leading_zeros();
            if n == w || n <= w - d.leading_zeros() {
                return None;
            }
            let (x, d) = (p.extract(n - 1, 0, x), d.trunc(n));
            let most = p.constant(Bv::ones(n).udiv(&d));
            let y = p.scale(x, &inverse(&d));
            Some(p.ult(most, y))
        })
        .flatten()
    }

    /// Unsigned less-than.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        if a == b {
            return self.bool(false);
        }
        let (ka, kb) = (self.known(a), self.known(b));
        if ka.max().ucmp(&kb.min()).is_lt() {
            return self.bool(true);
        }
        if ka.min().ucmp(&kb.max()).is_ge() {
            return self.bool(false);
        }
        if let Some(less) = self.promised_less(a, b, false) {
            return self.bool(less);
        }
        if let Some((x, y)) = self.signs_flipped(a, b) {
            return self.slt(x, y);
        }
        // Equal upper bits don't matter.
        let same = {
            let both = ka.zeros.and(&kb.zeros).or(&ka.ones.and(&kb.ones));
            both.not().leading_zeros()
        };
        if same > 0 && same < w {
            let n = w - same;
            let (x, y) = (self.extract(n - 1, 0, a), self.extract(n - 1, 0, b));
            return self.ult(x, y);
        }
        if let (Node::Concat(p), Node::Concat(q)) = (self.node(a), self.node(b))
            && p[0] == q[0]
        {
            let n = w - self.width(p[0]);
            let (x, y) = (self.extract(n - 1, 0, a), self.extract(n - 1, 0, b));
            return self.ult(x, y);
        }
        if w == 1 {
            // 0 < 1 only.
            let (zero, one) = (self.num(1, 0), self.num(1, 1));
            let (x, y) = (self.eq(a, zero), self.eq(b, one));
            return self.and(x, y);
        }
        if let Some(k) = self.as_const(b).cloned() {
            // Below 2^n: the upper bits are zero.
            if let Some(n) = k.power_of_two() {
                let high = self.extract(w - 1, n, a);
                let zero = self.num(w - n, 0);
                return self.eq(high, zero);
            }
            if k.is_ones() {
                return self.ne(a, b);
            }
        }
        if let Some(k) = self.as_const(a).cloned() {
            if k.is_zero() {
                return self.ne(a, b);
            }
            // Above 2^n - 1: some upper bit is set.
            let next = k.add(&Bv::one(w));
            if let Some(n) = next.power_of_two() {
                let high = self.extract(w - 1, n, b);
                let zero = self.num(w - n, 0);
                return self.ne(high, zero);
            }
        }
        if let Some(r) = self.narrow_multiple(a, b) {
            return r;
        }
        if let Some(r) = self.cmp_ite(a, b, |x, y| x.ucmp(y).is_lt()) {
            return r;
        }
        // A bound is always a lower one: `a < k` is `!(k - 1 < a)` (`k` is not zero here).
        if let Some(below) = self.one_less(b) {
            let lt = self.ult(below, a);
            return self.not(lt);
        }
        self.intern(Node::Ult(a, b), Sort::Bool)
    }

    /// One less than a bound, a number or a sum with one: what is below the bound is at most that. None where the bound may be zero.
    fn one_less(&mut self, bound: TermId) -> Option<TermId> {
        match self.node(bound) {
            Node::Const(k) if !k.is_zero() => {}
            Node::Lin(_, k) if !k.is_zero() && !k.sign() => {}
            _ => return None,
        }
        let less = self.add_num(bound, -1);
        (!self.known(less).max().is_ones()).then_some(less)
    }

    /// Two terms whose signs are flipped, without that: the signed order of the ones is the unsigned order of the
    /// others. One of the two may be a constant.
    fn signs_flipped(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let flipped = |p: &Pool, t: TermId| match p.node(t) {
            Node::BvXor(xs) => xs.iter().any(|x| p.as_const(*x).is_some_and(Bv::sign)),
            _ => false,
        };
        let fits = |p: &Pool, t: TermId| flipped(p, t) || p.as_const(t).is_some();
        let both = fits(self, a) && fits(self, b);
        if !both || !flipped(self, a) && !flipped(self, b) {
            return None;
        }
        let sign = self.constant(Bv::smin(self.width(a)));
        Some((self.bv_xor(a, sign), self.bv_xor(b, sign)))
    }

    /// A choice between constants against a constant.
    fn cmp_ite(&mut self, a: TermId, b: TermId, f: impl Fn(&Bv, &Bv) -> bool) -> Option<TermId> {
        let (c, p, q) = match (self.const_ite(a), self.as_const(b)) {
            (Some((c, x, y)), Some(k)) => (c, f(&x, k), f(&y, k)),
            _ => {
                let (c, x, y) = self.const_ite(b)?;
                let k = self.as_const(a)?;
                (c, f(k, &x), f(k, &y))
            }
        };
        let (p, q) = (self.bool(p), self.bool(q));
        Some(self.ite(c, p, q))
    }

    /// Unsigned at most.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let lt = self.ult(b, a);
        self.not(lt)
    }

    /// Signed less-than.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        if a == b {
            return self.bool(false);
        }
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let r = x.scmp(y).is_lt();
            return self.bool(r);
        }
        if let Some(less) = self.promised_less(a, b, true) {
            return self.bool(less);
        }
        if let Some((x, y)) = self.signs_flipped(a, b) {
            return self.ult(x, y);
        }
        let (sa, sb) = (self.known(a).sign(), self.known(b).sign());
        match (sa, sb) {
            (Some(true), Some(false)) => return self.bool(true),
            (Some(false), Some(true)) => return self.bool(false),
            (Some(true), Some(true)) | (Some(false), Some(false)) => return self.ult(a, b),
            (None, _) | (_, None) => {}
        }
        let one = self.num(1, 1);
        if self.as_const(b).is_some_and(Bv::is_zero) {
            let s = self.extract(w - 1, w - 1, a);
            return self.eq(s, one);
        }
        if self.as_const(a).is_some_and(Bv::is_ones) {
            let s = self.extract(w - 1, w - 1, b);
            return self.ne(s, one);
        }
        // Positive: no sign bit, and not zero; tests of flags ask it that way.
        if self.as_const(a).is_some_and(Bv::is_zero) && w > 1 {
            let s = self.extract(w - 1, w - 1, b);
            let (plus, some) = (self.ne(s, one), self.ne(b, a));
            return self.and(plus, some);
        }
        // Nothing is below the least value or above the greatest.
        if let Some(k) = self.as_const(b) {
            if *k == Bv::smin(w) {
                return self.bool(false);
            }
            if *k == Bv::smax(w) {
                return self.ne(a, b);
            }
        }
        if let Some(k) = self.as_const(a) {
            if *k == Bv::smax(w) {
                return self.bool(false);
            }
            if *k == Bv::smin(w) {
                return self.ne(a, b);
            }
        }
        if w == 1 {
            // -1 < 0 only.
            let (x, y) = (self.eq(a, one), self.ne(b, one));
            return self.and(x, y);
        }
        // Both fit fewer bits as signed numbers.
        let n = self.signed_bits(a).max(self.signed_bits(b));
        if n < w {
            let (x, y) = (self.extract(n - 1, 0, a), self.extract(n - 1, 0, b));
            return self.slt(x, y);
        }
        if let Some(r) = self.cmp_ite(a, b, |x, y| x.scmp(y).is_lt()) {
            return r;
        }
        // As for the unsigned order (`k` is not the least value here).
        if let Some(k) = self.as_const(b) {
            let below = k.sub(&Bv::one(w));
            let below = self.constant(below);
            let lt = self.slt(below, a);
            return self.not(lt);
        }
        self.intern(Node::Slt(a, b), Sort::Bool)
    }

    fn signed_bits(&self, t: TermId) -> u32 {
        match self.as_const(t) {
            Some(v) => {
                let m = if v.sign() { v.not() } else { v.clone() };
                v.width() - m.leading_zeros() + 1
            }
            None => self.narrow_signed(t),
        }
    }

    /// Signed at most.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let lt = self.slt(b, a);
        self.not(lt)
    }

    /// Unsigned greater-than.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned at least.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Signed greater-than.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed at least.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }
}

/// The inverse of an odd number modulo `2^width`, by Newton's iteration.
pub(crate) fn inverse(c: &Bv) -> Bv {
    let w = c.width();
    let two = Bv::new(w, 2);
    let mut x = c.clone(); // right in the low 3 bits
    let mut good = 3;
    while good < w {
        x = x.mul(&two.sub(&c.mul(&x)));
        good *= 2;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::inverse;
    use crate::{Bv, Model, Pool, Sort, Value};

    /// `y < x + 1` is `!(x < y)` where `x + 1` cannot wrap to zero, and another condition where it can.
    #[test]
    fn what_is_below_one_more_is_at_most_that() {
        let mut p = Pool::new();
        let (x, y) = (p.var("x", Sort::Bv(16)), p.var("y", Sort::Bv(32)));
        let wide = p.zext(x, 32);
        let more = p.add_num(wide, 1);
        let (below, above) = (p.ult(y, more), p.ult(wide, y));
        assert_eq!(below, p.not(above));
        let z = p.var("z", Sort::Bv(32));
        let wraps = p.add_num(z, 1);
        let (below, above) = (p.ult(y, wraps), p.ult(z, y));
        assert_ne!(below, p.not(above));
    }

    /// The lesser of two numbers has no more bits than either.
    #[test]
    fn the_lesser_of_two_is_as_short_as_the_shorter() {
        let mut p = Pool::new();
        let (x, y) = (p.var("x", Sort::Bv(16)), p.var("y", Sort::Bv(32)));
        let wide = p.zext(x, 32);
        for least in [p.ult(y, wide), p.ult(wide, y)] {
            let (a, b) = if least == p.ult(y, wide) { (y, wide) } else { (wide, y) };
            let lesser = p.ite(least, a, b);
            assert_eq!(p.leading_zeros(lesser), 16);
            let greater = p.ite(least, b, a);
            assert_eq!(p.leading_zeros(greater), 0);
        }
    }

    /// Being a multiple, asked in all bits and in those that there are.
    #[test]
    fn multiples_of_a_narrow_sum_are_one_term() {
        for d in [3u128, 5, 7, 31] {
            let mut p = Pool::new();
            let (a, b) = (p.var("a", Sort::Bv(6)), p.var("b", Sort::Bv(6)));
            let (wide_a, wide_b) = (p.zext(a, 16), p.zext(b, 16));
            let x = p.add(wide_a, wide_b);
            let c = inverse(&Bv::new(16, d));
            let y = p.scale(x, &c);
            let most = p.num(16, 65_535 / d);
            let above = p.ult(most, y);
            let by = p.num(16, d);
            let rest = p.urem(x, by);
            let zero = p.num(16, 0);
            let ne = p.ne(rest, zero);
            assert_eq!(above, ne, "{} against {}", p.show(above), p.show(ne));
            for v in 0..1u128 << 12 {
                let mut m = Model::new();
                m.set(&p, a, Value::Bv(Bv::new(6, v >> 6)));
                m.set(&p, b, Value::Bv(Bv::new(6, v & 63)));
                let sum = (v >> 6) + (v & 63);
                assert_eq!(m.eval_all(&p, &[above])[0].as_bool(), sum % d != 0);
            }
        }
    }
}
