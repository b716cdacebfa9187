//! Arithmetic: linear combinations as the normal form, products, quotients by constants.

use crate::{Bv, Node, Pool, Sort, TermId};

/// Most addends a product of two linear combinations is multiplied out to.
const MAX_DISTRIBUTE: usize = 16;

/// A linear combination under construction.
pub(crate) struct Linear {
    pub terms: Vec<(TermId, Bv)>,
    pub k: Bv,
}

impl Linear {
    pub fn new(width: u32) -> Linear {
        Linear { terms: Vec::new(), k: Bv::zero(width) }
    }

    fn push(&mut self, t: TermId, c: Bv) {
        self.terms.push((t, c));
    }

    /// Sorts, sums coefficients of equal terms, drops zeros.
    fn tidy(&mut self) {
        self.terms.sort_by_key(|(t, _)| *t);
        let mut out: Vec<(TermId, Bv)> = Vec::with_capacity(self.terms.len());
        for (t, c) in self.terms.drain(..) {
            match out.last_mut() {
                Some((u, d)) if *u == t => *d = d.add(&c),
                _ => out.push((t, c)),
            }
        }
        out.retain(|(_, c)| !c.is_zero());
        self.terms = out;
    }
}

impl Pool {
    /// Adds `c * t` to the combination, taking apart what is itself linear.
    pub(crate) fn collect(&mut self, acc: &mut Linear, c: &Bv, t: TermId) {
        let w = self.width(t);
        match self.node(t) {
            Node::Const(v) => acc.k = acc.k.add(&c.mul(v)),
            Node::Lin(xs, k) => {
                acc.k = acc.k.add(&c.mul(k));
                // A greater factor may shift out more of the addends.
                if c.bit(0) {
                    for (x, d) in xs.iter() {
                        acc.push(*x, c.mul(d));
                    }
                } else {
                    for (x, d) in xs.clone().iter() {
                        self.collect(acc, &c.mul(d), *x);
                    }
                }
            }
            Node::BvNot(x) => {
                let x = *x;
                acc.k = acc.k.sub(c);
                self.collect(acc, &c.neg(), x);
            }
            // A choice between numbers: what it adds where its condition holds.
            Node::Ite(cond, a, b) if w > 1 => match (self.as_const(*a), self.as_const(*b)) {
                (Some(a), Some(b)) if !(a.is_one() && b.is_zero()) => {
                    let (cond, step) = (*cond, a.sub(b));
                    acc.k = acc.k.add(&c.mul(b));
                    let (one, zero) = (self.num(w, 1), self.num(w, 0));
                    let bit = self.ite(cond, one, zero);
                    acc.push(bit, c.mul(&step));
                }
                _ => acc.push(t, c.clone()),
            },
            // Flipping the sign too is the complement of flipping the others.
            Node::BvXor(xs) if xs.iter().any(|x| self.as_const(*x).is_some_and(Bv::sign)) => {
                let ones = self.constant(Bv::ones(w));
                let x = self.bv_xor(t, ones);
                acc.k = acc.k.sub(c);
                self.collect(acc, &c.neg(), x);
            }
            Node::Concat(parts) => {
                // `x ++ 0...0` is `2^k * x`.
                let parts = parts.clone();
                let low = *parts.last().expect("a concatenation has parts");
                match self.as_const(low) {
                    Some(z) if z.is_zero() => {
                        let k = self.width(low);
                        let head = self.concat_all(&parts[..parts.len() - 1]);
                        let x = self.zext(head, w);
                        let c = c.shl_by(k);
                        if matches!(self.node(x), Node::Concat(_)) {
                            acc.push(x, c);
                        } else {
                            self.collect(acc, &c, x);
                        }
                    }
                    // Upper bits that the factor shifts out.
                    _ => match parts.split_first() {
                        Some((high, rest))
                            if self.width(*high) <= c.trailing_zeros()
                                && !self.as_const(*high).is_some_and(Bv::is_zero) =>
                        {
                            let rest = self.concat_all(rest);
                            let x = self.zext(rest, w);
                            if matches!(self.node(x), Node::Concat(_)) {
                                acc.push(x, c.clone());
                            } else {
                                self.collect(acc, c, x);
                            }
                        }
                        Some((high, rest))
                            if self.as_const(*high).is_some_and(Bv::is_zero)
                                && !c.is_zero()
                                && self.width(*high) < c.trailing_zeros() =>
                        {
                            let rest = self.concat_all(rest);
                            let low = self.extract(w - c.trailing_zeros() - 1, 0, rest);
                            let x = self.zext(low, w);
                            if matches!(self.node(x), Node::Concat(_)) {
                                acc.push(x, c.clone());
                            } else {
                                self.collect(acc, c, x);
                            }
                        }
                        Some(_) | None => acc.push(t, c.clone()),
                    },
                }
            }
            _ => acc.push(t, c.clone()),
        }
    }

    /// The term of `sum of coefficient * term + constant`.
    pub fn linear(&mut self, parts: &[(TermId, Bv)], k: Bv) -> TermId {
        let mut acc = Linear::new(k.width());
        acc.k = k;
        for (t, c) in parts {
            assert_eq!(self.width(*t), c.width(), "an addend of another width");
            self.collect(&mut acc, c, *t);
        }
        self.finish(acc)
    }

    /// The linear view of a term: its addends and constant.
    pub(crate) fn linear_view(&mut self, t: TermId) -> Linear {
        let w = self.width(t);
        let mut acc = Linear::new(w);
        self.collect(&mut acc, &Bv::one(w), t);
        acc.tidy();
        acc
    }

    fn finish(&mut self, mut acc: Linear) -> TermId {
        acc.tidy();
        while self.deeper(|p| p.signed_quotients(&mut acc.terms)) == Some(true) {
            let terms = std::mem::take(&mut acc.terms);
            for (t, c) in terms {
                self.collect(&mut acc, &c, t);
            }
            acc.tidy();
        }
        while self.deeper(|p| p.join_parts(&mut acc.terms)) == Some(true) {
            let terms = std::mem::take(&mut acc.terms);
            for (t, c) in terms {
                self.collect(&mut acc, &c, t);
            }
            acc.tidy();
        }
        while self.deeper(|p| p.narrow_remainder(&mut acc.terms, &mut acc.k)) == Some(true) {
            let terms = std::mem::take(&mut acc.terms);
            for (t, c) in terms {
                self.collect(&mut acc, &c, t);
            }
            acc.tidy();
        }
        if let Some(t) = self.deeper(|p| p.shifted_remainder(&acc.terms, &acc.k)).flatten() {
            return t;
        }
        let w = acc.k.width();
        if acc.terms.is_empty() {
            return self.constant(acc.k);
        }
        if let [(t, c)] = acc.terms.as_slice() {
            let t = *t;
            if acc.k.is_zero() && c.is_one() {
                return t;
            }
            if acc.k.is_ones() && c.is_ones() {
                return self.complement(t);
            }
            if let Some(r) = self.map_const_ite(t, |v| v.mul(c).add(&acc.k)) {
                return r;
            }
            // A shift that loses all of a sign's copies is a concatenation.
            if acc.k.is_zero()
                && let Some(s) = c.power_of_two()
                && let Node::SExt(x) = *self.node(t)
                && self.width(x) >= w - s
                && s < w
            {
                let high = self.extract(w - 1 - s, 0, x);
                let low = self.num(s, 0);
                return self.concat_all(&[high, low]);
            }
            // A shift that loses no bits is a concatenation.
            if acc.k.is_zero()
                && let Some(s) = c.power_of_two()
                && self.known(t).leading_zeros() >= s
                && s < w
            {
                let high = self.extract(w - 1 - s, 0, t);
                let low = self.num(s, 0);
                return self.concat_all(&[high, low]);
            }
        }
        // What is noted of a term must hold everywhere, not only where facts promise it.
        let greatest = match self.promised {
            None => self.deeper(|p| p.greatest_sum(&acc.terms, &acc.k)).flatten(),
            Some(_) => None,
        };
        let t = self.intern(Node::Lin(acc.terms.into(), acc.k), Sort::Bv(w));
        if let Some(max) = greatest {
            self.at_most(t, &max);
        }
        t
    }

    /// Sum, modulo `2^width`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        self.linear(&[(a, Bv::one(w)), (b, Bv::one(w))], Bv::zero(w))
    }

    /// Difference, modulo `2^width`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        self.linear(&[(a, Bv::one(w)), (b, Bv::ones(w))], Bv::zero(w))
    }

    /// Two's complement negation.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let w = self.width(a);
        self.linear(&[(a, Bv::ones(w))], Bv::zero(w))
    }

    /// `a + k` for a number `k`.
    pub fn add_num(&mut self, a: TermId, k: i128) -> TermId {
        let w = self.width(a);
        self.linear(&[(a, Bv::one(w))], Bv::from_i128(w, k))
    }

    /// Product with a constant.
    pub fn scale(&mut self, a: TermId, c: &Bv) -> TermId {
        self.linear(&[(a, c.clone())], Bv::zero(c.width()))
    }

    /// Product, modulo `2^width`.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        if let Some(c) = self.as_const(a).cloned() {
            return self.scale(b, &c);
        }
        if let Some(c) = self.as_const(b).cloned() {
            return self.scale(a, &c);
        }
        let (x, y) = (self.factor(a), self.factor(b));
        let linear = |l: &Linear| l.terms.len() + usize::from(!l.k.is_zero());
        if linear(&x) * linear(&y) > MAX_DISTRIBUTE {
            return self.product(&[a, b]);
        }
        let mut acc = Linear::new(w);
        acc.k = x.k.mul(&y.k);
        for (t, c) in &x.terms {
            acc.push(*t, c.mul(&y.k));
        }
        for (t, c) in &y.terms {
            acc.push(*t, c.mul(&x.k));
        }
        for (t, c) in &x.terms {
            for (u, d) in &y.terms {
                let p = self.product(&[*t, *u]);
                self.collect(&mut acc, &c.mul(d), p);
            }
        }
        self.finish(acc)
    }

    /// What a factor is multiplied out to: a remainder stays whole, since its parts are not small. Bits below others are
    /// added to them: `x ++ 01` is `4 * x + 1`.
    fn factor(&mut self, t: TermId) -> Linear {
        let w = self.width(t);
        if self.is_remainder(t) {
            return Linear { terms: vec![(t, Bv::one(w))], k: Bv::zero(w) };
        }
        if let Node::Concat(parts) = self.node(t).clone()
            && let Some((low, head)) = parts.split_last()
            && let Some(below) = self.as_const(*low).filter(|below| !below.is_zero()).cloned()
        {
            let head = self.concat_all(head);
            let zeros = self.num(below.width(), 0);
            let above = self.concat(head, zeros);
            let mut sum = self.linear_view(above);
            sum.k = sum.k.add(&below.zext(w));
            return sum;
        }
        self.linear_view(t)
    }

    fn product(&mut self, factors: &[TermId]) -> TermId {
        let w = self.width(factors[0]);
        let mut out = Vec::new();
        for &f in factors {
            match self.node(f) {
                Node::Mul(xs) => out.extend(xs.iter().copied()),
                _ => out.push(f),
            }
        }
        // A product that fits fewer bits, above zeros.
        let bits: u32 = out.iter().map(|f| w - self.known(*f).leading_zeros().min(w)).sum();
        if bits < w && bits > 0 {
            let narrow = self.deeper(|p| {
                let mut acc = p.extract(bits - 1, 0, out[0]);
                for f in &out[1..] {
                    let f = p.extract(bits - 1, 0, *f);
                    acc = p.mul(acc, f);
                }
                p.zext(acc, w)
            });
            if let Some(t) = narrow {
                return t;
            }
        }
        out.sort_unstable();
        self.intern(Node::Mul(out.into()), Sort::Bv(w))
    }

    /// Unsigned quotient; all ones when dividing by zero.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        if let Some(d) = self.as_const(b).cloned() {
            if let Some(v) = self.as_const(a) {
                let v = v.udiv(&d);
                return self.constant(v);
            }
            if d.is_zero() {
                return self.constant(Bv::ones(w));
            }
            if let Some(k) = d.power_of_two() {
                return self.lshr_by(a, k);
            }
            // An even divisor: the dividend's low bits don't matter.
            let k = d.trailing_zeros();
            if k > 0 {
                let (x, dn) = (self.extract(w - 1, k, a), d.extract(w - 1, k));
                let dn = self.constant(dn);
                let q = self.udiv(x, dn);
                return self.zext(q, w);
            }
            // A dividend below the divisor, or one that fits fewer bits.
            let known = self.known(a);
            if known.max().ucmp(&d).is_lt() {
                return self.num(w, 0);
            }
            let top = known.leading_zeros();
            if top > 0 {
                let n = w - top;
                let (x, dn) = (self.extract(n - 1, 0, a), d.trunc(n));
                let dn = self.constant(dn);
                let q = self.udiv(x, dn);
                return self.zext(q, w);
            }
            if let Some(r) = self.map_const_ite(a, |v| v.udiv(&d)) {
                return r;
            }
        }
        self.intern(Node::UDiv(a, b), Sort::Bv(w))
    }

    /// Unsigned remainder; the dividend when dividing by zero.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        if let Some(d) = self.as_const(b).cloned() {
            if d.is_zero() {
                return a;
            }
            if let Some(k) = d.power_of_two() {
                let mask = self.constant(Bv::low_ones(w, k));
                return self.bv_and(a, mask);
            }
            let q = self.udiv(a, b);
            return self.linear(&[(a, Bv::one(w)), (q, d.neg())], Bv::zero(w));
        }
        self.intern(Node::URem(a, b), Sort::Bv(w))
    }

    /// Signed quotient towards zero (SMT-LIB `bvsdiv`).
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        if let Some(d) = self.as_const(b).cloned() {
            if let Some(v) = self.as_const(a) {
                let v = v.sdiv(&d);
                return self.constant(v);
            }
            if !d.is_zero() {
                return self.sdiv_const(a, &d);
            }
        }
        if self.not_negative(a) && self.not_negative(b) {
            return self.udiv(a, b);
        }
        self.intern(Node::SDiv(a, b), Sort::Bv(w))
    }

    /// Whether a signed number is none below zero, by its bits or by what is promised.
    fn not_negative(&self, t: TermId) -> bool {
        self.known(t).sign() == Some(false) || self.promised_not_negative(t)
    }

    fn sdiv_const(&mut self, a: TermId, d: &Bv) -> TermId {
        let w = d.width();
        if d.is_one() {
            return a;
        }
        if d.is_ones() {
            return self.neg(a);
        }
        if *d == Bv::smin(w) {
            let m = self.constant(d.clone());
            let e = self.eq(a, m);
            let (one, zero) = (self.num(w, 1), self.num(w, 0));
            return self.ite(e, one, zero);
        }
        if d.sign() {
            let q = self.sdiv_const(a, &d.neg());
            return self.neg(q);
        }
        if self.not_negative(a) {
            let d = self.constant(d.clone());
            return self.udiv(a, d);
        }
        if let Some(k) = d.power_of_two() {
            // (a + (2^k - 1 if a is negative)) >> k, the bias being the sign's copies shifted down.
            let sign = self.extract(w - 1, w - 1, a);
            let bias = self.sext(sign, k);
            let bias = self.zext(bias, w);
            let sum = self.add(a, bias);
            return self.ashr_by(sum, k);
        }
        if let Some(r) = self.map_const_ite(a, |v| v.sdiv(d)) {
            return r;
        }
        let n = self.narrow_signed(a);
        if n < w && d.leading_zeros() > w - n {
            let x = self.extract(n - 1, 0, a);
            let q = self.sdiv_const(x, &d.trunc(n));
            return self.sext(q, w);
        }
        let b = self.constant(d.clone());
        self.intern(Node::SDiv(a, b), Sort::Bv(w))
    }

    /// How many bits hold the value as a signed number, as far as its form shows.
    pub(crate) fn narrow_signed(&self, a: TermId) -> u32 {
        let w = self.width(a);
        match self.node(a) {
            Node::SExt(x) => self.width(*x),
            _ => {
                let z = self.known(a).leading_zeros();
                if z > 0 { w - z + 1 } else { w }
            }
        }
    }

    /// Signed remainder with the dividend's sign (SMT-LIB `bvsrem`).
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        if let Some(d) = self.as_const(b).cloned() {
            if d.is_zero() {
                return a;
            }
            let q = self.sdiv(a, b);
            return self.linear(&[(a, Bv::one(w)), (q, d.neg())], Bv::zero(w));
        }
        if self.not_negative(a) && self.not_negative(b) {
            return self.urem(a, b);
        }
        self.intern(Node::SRem(a, b), Sort::Bv(w))
    }

    pub(crate) fn same_width(&self, a: TermId, b: TermId) -> u32 {
        let (x, y) = (self.width(a), self.width(b));
        assert_eq!(x, y, "operands of different widths");
        x
    }
}
