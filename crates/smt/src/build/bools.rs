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
