//! Boolean constructors and if-then-else.

use crate::{Bv, Node, Pool, Sort, TermId};

impl Pool {
    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.node(a) {
            Node::Bool(b) => {
                let b = !*b;
                self.bool(b)
            }
            Node::Not(x) => *x,
            _ => {
                assert_eq!(self.sort(a), Sort::Bool, "negation of a term that is no Boolean");
                self.intern(Node::Not(a), Sort::Bool)
            }
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.and_all(&[a, b])
    }

    /// Disjunction.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.or_all(&[a, b])
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let e = self.eq(a, b);
        self.not(e)
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let na = self.not(a);
        self.or(na, b)
    }

    /// Disjunction of any number (of none: false).
    pub fn or_all(&mut self, xs: &[TermId]) -> TermId {
        let neg: Vec<TermId> = xs.iter().map(|x| self.not(*x)).collect();
        let a = self.and_all(&neg);
        self.not(a)
    }

    /// Conjunction of any number (of none: true).
    pub fn and_all(&mut self, xs: &[TermId]) -> TermId {
        let mut out: Vec<TermId> = Vec::with_capacity(xs.len());
        for &x in xs {
            match self.node(x) {
                Node::Bool(true) => {}
                Node::Bool(false) => return self.bool(false),
                Node::And(ys) => out.extend(ys.iter().copied()),
                _ => {
                    assert_eq!(self.sort(x), Sort::Bool, "conjunction of a term that is no Boolean");
                    out.push(x);
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        if out.len() <= 64 {
            self.absorb_order(&mut out);
            if out.iter().any(|x| matches!(self.node(*x), Node::And(_) | Node::Bool(_))) {
                return self.and_all(&out);
            }
        }
        for &x in &out {
            match self.node(x) {
                Node::Not(y) if out.binary_search(y).is_ok() => return self.bool(false),
                Node::Bool(false) => return self.bool(false),
                // A negated conjunction one of whose parts is negated here holds already; one
                // all of whose parts are here contradicts.
                Node::Not(y) => {
                    if let Node::And(zs) = self.node(*y)
                        && zs.iter().all(|z| out.binary_search(z).is_ok())
                    {
                        return self.bool(false);
                    }
                }
                _ => {}
            }
        }
        let mut keep: Vec<TermId> = out.iter().copied().filter(|x| !self.holds_already(*x, &out)).collect();
        if self.resolve(&mut keep) {
            return self.and_all(&keep);
        }
        match keep.len() {
            0 => self.bool(true),
            1 => keep[0],
            _ => self.intern(Node::And(keep.into()), Sort::Bool),
        }
    }

    /// `a & !(a & b)` is `a & !b`. True when something changed.
    fn resolve(&mut self, xs: &mut [TermId]) -> bool {
        let mut changed = false;
        for i in 0..xs.len() {
            let Node::Not(y) = *self.node(xs[i]) else { continue };
            let Node::And(zs) = self.node(y) else { continue };
            if !zs.iter().any(|z| xs.contains(z)) {
                continue;
            }
            let rest: Vec<TermId> = zs.iter().copied().filter(|z| !xs.contains(z)).collect();
            let a = self.and_all(&rest);
            xs[i] = self.not(a);
            changed = true;
        }
        changed
    }

    /// `!(a & b & ...)` next to `!a` says nothing new.
    fn holds_already(&self, x: TermId, all: &[TermId]) -> bool {
        let Node::Not(y) = self.node(x) else { return false };
        let Node::And(zs) = self.node(*y) else { return false };
        zs.iter().any(|z| {
            all.iter().any(|o| match (self.node(*o), self.node(*z)) {
                (Node::Not(n), _) if n == z => true,
                (_, Node::Not(n)) => n == o,
                _ => false,
            })
        })
    }

    /// `!(a < b) & a != b` is `b < a`; `!(a < b) & !(b < a)` is `a == b`; `a < b & a != b` is
    /// `a < b`. Keeps the list sorted.
    fn absorb_order(&mut self, xs: &mut Vec<TermId>) {
        let mut i = 0;
        while i < xs.len() {
            let x = xs[i];
            let (neg, inner) = match self.node(x) {
                Node::Not(y) => (true, *y),
                _ => (false, x),
            };
            let (a, b, signed) = match self.node(inner) {
                Node::Ult(a, b) => (*a, *b, false),
                Node::Slt(a, b) => (*a, *b, true),
                _ => {
                    i += 1;
                    continue;
                }
            };
            let ne = self.ne(a, b);
            if self.as_bool(ne).is_none()
                && let Ok(at) = xs.binary_search(&ne)
            {
                xs.remove(at);
                if neg {
                    let lt = if signed { self.slt(b, a) } else { self.ult(b, a) };
                    replace(xs, x, lt);
                }
                i = 0;
                continue;
            }
            // `k < b & b != k + 1` is `k + 1 < b`.
            if !neg && let Some(k) = self.as_const(a) {
                let next = k.add(&Bv::one(k.width()));
                let next = self.constant(next);
                let ne = self.ne(next, b);
                if self.as_bool(ne).is_none()
                    && let Ok(at) = xs.binary_search(&ne)
                {
                    xs.remove(at);
                    let lt = if signed { self.slt(next, b) } else { self.ult(next, b) };
                    replace(xs, x, lt);
                    i = 0;
                    continue;
                }
            }
            if neg {
                let back = if signed { self.slt(b, a) } else { self.ult(b, a) };
                let nb = self.not(back);
                if nb != x
                    && let Ok(at) = xs.binary_search(&nb)
                {
                    xs.remove(at);
                    let e = self.eq(a, b);
                    replace(xs, x, e);
                    i = 0;
                    continue;
                }
            }
            i += 1;
        }
    }

    /// If-then-else over any sort.
    ///
    /// # Panics
    /// When the condition is no Boolean or the branches differ in sort.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let sort = self.sort(a);
        assert_eq!(sort, self.sort(b), "branches of different sorts");
        if a == b {
            return a;
        }
        match self.node(c) {
            Node::Bool(true) => return a,
            Node::Bool(false) => return b,
            Node::Not(n) => {
                let n = *n;
                return self.ite(n, b, a);
            }
            _ => {}
        }
        assert_eq!(self.sort(c), Sort::Bool, "a condition that is no Boolean");
        if sort == Sort::Bool {
            return self.bool_ite(c, a, b);
        }
        // The same condition below is decided.
        let a = match self.node(a) {
            Node::Ite(d, x, _) if *d == c => *x,
            _ => a,
        };
        let b = match self.node(b) {
            Node::Ite(d, _, y) if *d == c => *y,
            _ => b,
        };
        if a == b {
            return a;
        }
        // `x == y ? x : y` is `y`.
        if let Node::Eq(x, y) = *self.node(c)
            && ((x, y) == (a, b) || (y, x) == (a, b))
        {
            return b;
        }
        if let Some(t) = self.deeper(|p| p.ordered_choice(c, a, b)).flatten() {
            return t;
        }
        // Nested choices of one value merge their conditions.
        if let Node::Ite(d, x, y) = *self.node(b) {
            if x == a {
                let e = self.or(c, d);
                return self.ite(e, a, y);
            }
            if y == a {
                let nd = self.not(d);
                let e = self.or(c, nd);
                return self.ite(e, a, x);
            }
        }
        if let Node::Ite(d, x, y) = *self.node(a) {
            if y == b {
                let e = self.and(c, d);
                return self.ite(e, x, b);
            }
            if x == b {
                let nd = self.not(d);
                let e = self.and(c, nd);
                return self.ite(e, y, b);
            }
        }
        self.intern(Node::Ite(c, a, b), sort)
    }

    /// The lesser or greater of two in one form, whichever way it was asked, and a choice by an equality that adds one.
    fn ordered_choice(&mut self, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let Sort::Bv(w) = self.sort(a) else { return None };
        match self.node(c) {
            Node::Ult(x, y) | Node::Slt(x, y) => {
                let (x, y, signed) = (*x, *y, matches!(self.node(c), Node::Slt(..)));
                let less = |p: &mut Pool, s, t| if signed { p.slt(s, t) } else { p.ult(s, t) };
                if let Some(k) = self.as_const(x) {
                    // `k < y` as a choice between `y` and `k + 1`: where they are equal either will do.
                    let next = k.add(&Bv::one(k.width()));
                    let other = if a == y { b } else { a };
                    if (a == y || b == y) && self.as_const(other) == Some(&next) {
                        let above = less(self, other, y);
                        return Some(self.ite(above, a, b));
                    }
                } else if y < x && ((a, b) == (x, y) || (a, b) == (y, x)) {
                    let above = less(self, y, x);
                    return Some(self.ite(above, b, a));
                }
                None
            }
            // Where the two are equal, what else the condition says does not matter.
            Node::And(xs) => {
                let xs = xs.clone();
                // Above zero, as a choice between that and one.
                let one = |p: &Pool, t: TermId| p.as_const(t).is_some_and(Bv::is_one);
                if w > 1 && xs.len() == 2 && one(self, a) != one(self, b) {
                    let (k, y) = if one(self, a) { (a, b) } else { (b, a) };
                    let zero = self.num(w, 0);
                    if self.slt(zero, y) == c {
                        let above = self.slt(k, y);
                        return Some(self.ite(above, a, b));
                    }
                }
                let same = self.find_eq(a, b)?;
                let at = xs.iter().position(|x| matches!(self.node(*x), Node::Not(e) if *e == same))?;
                let mut rest = xs.to_vec();
                rest.remove(at);
                let rest = self.and_all(&rest);
                Some(self.ite(rest, a, b))
            }
            Node::Eq(x, y) => {
                let (k, x) = if self.as_const(*x).is_some() { (*x, *y) } else { (*y, *x) };
                let k = self.as_const(k)?.clone();
                if let Node::Extract(hi, lo, d) = *self.node(x)
                    && hi == lo
                    && hi + 1 == w
                    && self.width(d) == w
                    && k.is_one()
                {
                    return self.choice_by_sign(d, a, b);
                }
                // Below a power of two.
                if let Node::Extract(hi, lo, y) = *self.node(x)
                    && k.is_zero()
                    && lo > 0
                    && hi + 1 == w
                    && self.width(y) == w
                {
                    let other = if a == y { b } else { a };
                    // Against one, it matters whether it is zero.
                    if (a == y || b == y) && lo == 1 && self.as_const(other).is_some_and(Bv::is_one) {
                        let zero = self.num(w, 0);
                        let none = self.eq(y, zero);
                        return Some(if a == y { self.ite(none, zero, b) } else { self.ite(none, a, y) });
                    }
                    if (a == y || b == y) && self.as_const(other).and_then(Bv::power_of_two) == Some(lo) {
                        let above = self.ult(other, y);
                        return Some(self.ite(above, b, a));
                    }
                }
                if a == x {
                    let k = self.constant(k);
                    return Some(self.ite(c, k, b));
                }
                // One more where it is that number.
                if w > 1
                    && b == x
                    && let Some(d) = self.as_const(a).map(|v| v.sub(&k))
                    && (d.is_one() || d.is_ones())
                {
                    let (d, zero) = (self.constant(d), self.num(w, 0));
                    let more = self.ite(c, d, zero);
                    return Some(self.add(x, more));
                }
                None
            }
            _ => None,
        }
    }

    /// The node of an equality, if there is one.
    fn find_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let e = self.eq(a, b);
        matches!(self.node(e), Node::Eq(..)).then_some(e)
    }

    fn bool_ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let nc = self.not(c);
        let a = if a == c {
            self.bool(true)
        } else if a == nc {
            self.bool(false)
        } else {
            a
        };
        let b = if b == c {
            self.bool(false)
        } else if b == nc {
            self.bool(true)
        } else {
            b
        };
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), Some(true)) => self.bool(true),
            (Some(false), Some(false)) => self.bool(false),
            (Some(true), Some(false)) => c,
            (Some(false), Some(true)) => nc,
            (Some(true), None) => self.or(c, b),
            (Some(false), None) => self.and(nc, b),
            (None, Some(true)) => self.or(nc, a),
            (None, Some(false)) => self.and(c, a),
            (None, None) if a == b => a,
            (None, None) => {
                let nb = self.not(b);
                if a == nb {
                    return self.eq(c, a);
                }
                self.intern(Node::Ite(c, a, b), Sort::Bool)
            }
        }
    }

    /// The bit of a Boolean: `1` for true.
    pub fn bool_to_bv(&mut self, c: TermId) -> TermId {
        let (one, zero) = (self.num(1, 1), self.num(1, 0));
        self.ite(c, one, zero)
    }

    /// Is any bit set? (The inverse of [`Pool::bool_to_bv`] at width 1.)
    pub fn bv_to_bool(&mut self, t: TermId) -> TermId {
        let zero = self.num(self.width(t), 0);
        self.ne(t, zero)
    }
}

fn replace(xs: &mut Vec<TermId>, old: TermId, new: TermId) {
    if let Ok(at) = xs.binary_search(&old) {
        xs.remove(at);
    }
    if let Err(at) = xs.binary_search(&new) {
        xs.insert(at, new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Value};

    #[test]
    fn lesser_and_greater_have_one_form() {
        let mut p = Pool::new();
        let (x, y) = (p.var("x", Sort::Bv(32)), p.var("y", Sort::Bv(32)));
        for signed in [false, true] {
            let less = |p: &mut Pool, a, b| if signed { p.slt(a, b) } else { p.ult(a, b) };
            let numbers = [0u128, 1, 7, 8, 257, 0xffff_fff0].map(|k| p.num(32, k));
            for other in numbers.into_iter().chain([y]) {
                let (lt, gt) = (less(&mut p, x, other), less(&mut p, other, x));
                let (min, max) = (p.ite(lt, x, other), p.ite(lt, other, x));
                assert_eq!(p.ite(gt, other, x), min, "{}", p.show(min));
                assert_eq!(p.ite(gt, x, other), max, "{}", p.show(max));
                let (le, ge) = (p.not(gt), p.not(lt));
                assert_eq!((p.ite(le, x, other), p.ite(ge, x, other)), (min, max));
            }
        }
        // The greater of a signed number and a positive one is not negative.
        let k = p.num(32, 257);
        let lt = p.slt(x, k);
        let max = p.ite(lt, k, x);
        assert_eq!(p.sext(max, 64), p.zext(max, 64));
        // One more for zero.
        let (zero, one) = (p.num(32, 0), p.num(32, 1));
        let none = p.eq(x, zero);
        let (choice, more) = (p.ite(none, one, x), p.ite(none, one, zero));
        assert_eq!(choice, p.add(x, more));
    }

    #[test]
    fn choices_mean_what_they_did() {
        let mut p = Pool::new();
        let (x, y) = (p.var("x", Sort::Bv(3)), p.var("y", Sort::Bv(3)));
        let mut operands = vec![x, y];
        operands.extend((0..8).map(|k| p.num(3, k)));
        let (mut built, mut made) = (Vec::new(), Vec::new());
        for &a in &operands {
            for &b in &operands {
                for &(s, t) in &[(a, b), (b, a), (x, y)] {
                    let conds = [p.ult(a, b), p.slt(a, b), p.eq(a, b)];
                    for c in conds {
                        let differ = p.ne(s, t);
                        let c2 = p.and(c, differ);
                        for c in [c, c2] {
                            let t0 = p.ite(c, s, t);
                            built.push((c, s, t));
                            made.push(t0);
                        }
                    }
                }
            }
        }
        for bits in 0..64u128 {
            let mut m = Model::new();
            m.set(&p, x, Value::Bv(Bv::new(3, bits & 7)));
            m.set(&p, y, Value::Bv(Bv::new(3, bits >> 3)));
            let values = m.eval_all(&p, &made);
            for ((c, s, t), (made, v)) in built.iter().zip(made.iter().zip(values)) {
                let parts = m.eval_all(&p, &[*c, *s, *t]);
                let right = if parts[0].as_bool() { &parts[1] } else { &parts[2] };
                assert_eq!(*right, v, "{}", p.show(*made));
                let (known, v) = (p.known(*made), v.as_bv());
                assert!(v.and(&known.zeros).is_zero() && v.and(&known.ones) == known.ones);
            }
        }
    }
}
