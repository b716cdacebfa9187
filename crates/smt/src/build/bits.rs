//! Bitwise operations, shifts, concatenation and extension.
//!
//! Concatenation merges what was taken apart, masks by constants become extractions: with extractions, which move
//! towards the leaves, the ways compilers have of moving bytes meet in one form.

use crate::{Bv, Node, Pool, Sort, TermId};

/// Most pieces a bitwise operation is cut into along its operands' structure.
const MAX_PIECES: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    And,
    Or,
    Xor,
}

impl Pool {
    /// Bitwise complement.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        let w = self.width(a);
        match self.node(a) {
            Node::Const(v) => {
                let v = v.not();
                self.constant(v)
            }
            Node::BvNot(x) => *x,
            Node::Lin(..) => self.linear(&[(a, Bv::ones(w))], Bv::ones(w)),
            Node::Concat(parts) if self.as_const(parts[parts.len() - 1]).is_some_and(Bv::is_zero) => {
                self.linear(&[(a, Bv::ones(w))], Bv::ones(w))
            }
            _ => self.complement(a),
        }
    }

    /// The complement node of a term that is no constant, complement or linear combination.
    pub(crate) fn complement(&mut self, a: TermId) -> TermId {
        if let Some(r) = self.map_const_ite(a, Bv::not) {
            return r;
        }
        let w = self.width(a);
        self.intern(Node::BvNot(a), Sort::Bv(w))
    }

    /// Bitwise and.
    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitwise(Op::And, &[a, b])
    }

    /// Bitwise or.
    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitwise(Op::Or, &[a, b])
    }

    /// Bitwise exclusive or.
    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitwise(Op::Xor, &[a, b])
    }

    pub(crate) fn bv_and_all(&mut self, xs: &[TermId]) -> TermId {
        self.bitwise(Op::And, xs)
    }

    pub(crate) fn bv_or_all(&mut self, xs: &[TermId]) -> TermId {
        self.bitwise(Op::Or, xs)
    }

    pub(crate) fn bv_xor_all(&mut self, xs: &[TermId]) -> TermId {
        self.bitwise(Op::Xor, xs)
    }

    pub(super) fn bitwise(&mut self, op: Op, xs: &[TermId]) -> TermId {
        let w = self.width(xs[0]);
        let mut rest = Vec::new();
        let mut k = if op == Op::And { Bv::ones(w) } else { Bv::zero(w) };
        for &x in xs {
            assert_eq!(self.width(x), w, "operands of different widths");
            match (op, self.node(x)) {
                (_, Node::Const(v)) => k = apply(op, &k, v),
                (Op::And, Node::BvAnd(ys)) | (Op::Or, Node::BvOr(ys)) | (Op::Xor, Node::BvXor(ys)) => {
                    for &y in ys.iter() {
                        match self.as_const(y) {
                            Some(v) => k = apply(op, &k, v),
                            None => rest.push(y),
                        }
                    }
                }
                (Op::Xor, Node::BvNot(y)) => {
                    k = k.not();
                    rest.push(*y);
                }
                _ => rest.push(x),
            }
        }
        rest.sort_unstable();
        if op == Op::Xor {
            let mut out: Vec<TermId> = Vec::new();
            for r in rest {
                if out.last() == Some(&r) {
                    out.pop();
                } else {
                    out.push(r);
                }
            }
            rest = out;
        } else {
            rest.dedup();
            for &r in &rest {
                if let Node::BvNot(y) = self.node(r)
                    && rest.binary_search(y).is_ok()
                {
                    k = if op == Op::And { Bv::zero(w) } else { Bv::ones(w) };
                }
            }
        }
        if rest.is_empty() || (op == Op::And && k.is_zero()) || (op == Op::Or && k.is_ones()) {
            return self.constant(k);
        }
        let unit = if op == Op::And { k.is_ones() } else { k.is_zero() };
        if rest.len() == 1 {
            if unit {
                return rest[0];
            }
            if op == Op::Xor && k.is_ones() {
                return self.bv_not(rest[0]);
            }
            if let Some(r) = self.map_const_ite(rest[0], |v| apply(op, v, &k)) {
                return r;
            }
        }
        if op == Op::Xor
            && let [x] = rest[..]
            && let Some(r) = self.deeper(|p| p.flipped_choice(x, &k)).flatten()
        {
            return r;
        }
        if let Some(r) = self.of_conditions(op, &rest, &k) {
            return r;
        }
        if op != Op::And
            && let Some(r) = self.deeper(|p| p.joined_choices(op, &rest, &k)).flatten()
        {
            return r;
        }
        if let Some(r) = self.deeper(|p| p.piecewise(op, &rest, &k)).flatten() {
            return r;
        }
        if op != Op::And && self.disjoint(&rest, &k) {
            let parts: Vec<_> = rest.iter().map(|r| (*r, Bv::one(w))).collect();
            return self.linear(&parts, k);
        }
        if !unit {
            let k = self.constant(k);
            rest.push(k);
            rest.sort_unstable();
        }
        let args = rest.into_boxed_slice();
        let node = match op {
            Op::And => Node::BvAnd(args),
            Op::Or => Node::BvOr(args),
            Op::Xor => Node::BvXor(args),
        };
        self.intern(node, Sort::Bv(w))
    }

    /// A choice with bits flipped: where all bits that may be set are among them, the difference from their number.
    fn flipped_choice(&mut self, x: TermId, k: &Bv) -> Option<TermId> {
        let Node::Ite(c, a, b) = *self.node(x) else { return None };
        let w = k.width();
        if w == 1 || k.is_zero() || k.is_ones() {
            return None;
        }
        let inside = |p: &Pool, t: TermId| p.known(t).max().and(&k.not()).is_zero();
        if inside(self, x) {
            return Some(self.linear(&[(x, Bv::ones(w))], k.clone()));
        }
        if !inside(self, a) && !inside(self, b) {
            return None;
        }
        let k = self.constant(k.clone());
        let (a, b) = (self.bv_xor(a, k), self.bv_xor(b, k));
        Some(self.ite(c, a, b))
    }

    /// Over operands that are a mask or zero by a condition, the Boolean operation on the conditions: so compilers
    /// that join conditions as bits and those that join them by control meet.
    fn of_conditions(&mut self, op: Op, rest: &[TermId], k: &Bv) -> Option<TermId> {
        let w = k.width();
        if w > 1 && rest.len() < 2 {
            return None;
        }
        if w > 1
            && let Some(r) = self.chosen_by_mask(op, rest, k)
        {
            return Some(r);
        }
        let mut groups: Vec<(Bv, Vec<TermId>)> = Vec::new();
        let mut others = Vec::new();
        for &r in rest {
            let (c, mask) = match self.const_ite(r) {
                Some((c, a, b)) if b.is_zero() => (c, a),
                Some((c, a, b)) if a.is_zero() => (self.not(c), b),
                Some(_) | None if w == 1 => return None,
                Some(_) | None => {
                    others.push(r);
                    continue;
                }
            };
            match groups.iter_mut().find(|g| g.0 == mask) {
                Some(g) => g.1.push(c),
                None => groups.push((mask, vec![c])),
            }
        }
        if w > 1 && groups.iter().all(|g| g.1.len() < 2) {
            return None;
        }
        let zero = self.constant(Bv::zero(w));
        for (mask, conds) in groups {
            let mut acc = self.bool(op == Op::And);
            for c in conds {
                acc = match op {
                    Op::And => self.and(acc, c),
                    Op::Or => self.or(acc, c),
                    Op::Xor => self.xor(acc, c),
                };
            }
            let mask = self.constant(mask);
            others.push(self.ite(acc, mask, zero));
        }
        if w == 1 {
            // One bit, as a Boolean with the constant's part in it.
            return self.map_const_ite(others[0], |v| apply(op, v, k)).or_else(|| {
                let v = apply(op, self.as_const(others[0])?, k);
                Some(self.constant(v))
            });
        }
        let k = self.constant(k.clone());
        others.push(k);
        Some(self.bitwise(op, &others))
    }

    /// Where one operand is all ones or all zeros by a condition, the condition chooses between the others' result and
    /// that constant: arithmetic with masks and selection meet.
    fn chosen_by_mask(&mut self, op: Op, rest: &[TermId], k: &Bv) -> Option<TermId> {
        let at = rest.iter().position(|r| match self.node(*r) {
            // Copies of a sign.
            Node::SExt(x) => self.width(*x) == 1,
            Node::Ite(..) if op != Op::Xor => self
                .const_ite(*r)
                .is_some_and(|(_, a, b)| a.is_ones() && b.is_zero() || a.is_zero() && b.is_ones()),
            _ => false,
        })?;
        let c = match *self.node(rest[at]) {
            Node::SExt(x) => {
                let one = self.num(1, 1);
                self.eq(x, one)
            }
            _ => {
                let (c, a, _) = self.const_ite(rest[at])?;
                if a.is_ones() { c } else { self.not(c) }
            }
        };
        let mut others: Vec<TermId> = rest.to_vec();
        others.remove(at);
        others.push(self.constant(k.clone()));
        let value = self.deeper(|p| p.bitwise(op, &others))?;
        let w = k.width();
        Some(match op {
            Op::And => {
                let zero = self.constant(Bv::zero(w));
                self.ite(c, value, zero)
            }
            Op::Or => {
                let ones = self.constant(Bv::ones(w));
                self.ite(c, ones, value)
            }
            Op::Xor => {
                let flipped = self.bv_not(value);
                self.ite(c, flipped, value)
            }
        })
    }

    /// Two choices by one condition, each of them zero where the other is not: one choice.
    fn joined_choices(&mut self, op: Op, rest: &[TermId], k: &Bv) -> Option<TermId> {
        let zero = |p: &Pool, t: TermId| p.as_const(t).is_some_and(Bv::is_zero);
        for (i, x) in rest.iter().enumerate() {
            let Node::Ite(c, a, b) = *self.node(*x) else { continue };
            if !zero(self, a) && !zero(self, b) {
                continue;
            }
            for (j, y) in rest.iter().enumerate().skip(i + 1) {
                let Node::Ite(d, p, q) = *self.node(*y) else { continue };
                let one = if zero(self, b) && zero(self, p) {
                    (a, q)
                } else if zero(self, a) && zero(self, q) {
                    (p, b)
                } else {
                    continue;
                };
                if c != d {
                    continue;
                }
                let mut args = rest.to_vec();
                args.remove(j);
                args[i] = self.ite(c, one.0, one.1);
                args.push(self.constant(k.clone()));
                return Some(self.bitwise(op, &args));
            }
        }
        None
    }

    /// No bit can be one in two operands.
    fn disjoint(&self, xs: &[TermId], k: &Bv) -> bool {
        let mut used = k.clone();
        for &x in xs {
            let m = self.known(x).max();
            if !used.and(&m).is_zero() {
                return false;
            }
            used = used.or(&m);
        }
        true
    }

    /// Cuts the operation at the operands' borders of parts and runs of constant bits.
    fn piecewise(&mut self, op: Op, rest: &[TermId], k: &Bv) -> Option<TermId> {
        let w = k.width();
        let mut cuts: Vec<u32> = vec![0, w];
        cuts.extend((1..w).filter(|i| k.bit(*i) != k.bit(*i - 1)));
        if op == Op::Xor && cuts.len() > 2 {
            // Flipping some bits tells nothing about structure.
            cuts.truncate(2);
        }
        for &r in rest {
            match self.node(r) {
                Node::Concat(parts) => {
                    let mut at = w;
                    for p in parts.iter() {
                        at -= self.width(*p);
                        cuts.push(at);
                        if let Some(v) = self.as_const(*p) {
                            cuts.extend(
                                (1..v.width()).filter(|i| v.bit(*i) != v.bit(*i - 1)).map(|i| at + i),
                            );
                        }
                    }
                }
                // A shift by a constant amount.
                Node::Lin(xs, z) if z.is_zero() && xs.len() == 1 => cuts.extend(xs[0].1.power_of_two()),
                _ => {}
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        if cuts.len() < 3 || cuts.len() > MAX_PIECES + 1 {
            return None;
        }
        if op != Op::And {
            // Worth it only where a piece has a single operand, or all operands have the same parts.
            let mut useful = rest.len() > 1 && self.same_parts(rest);
            for c in cuts.windows(2) {
                let mask = Bv::low_ones(w, c[1]).xor(&Bv::low_ones(w, c[0]));
                let live = rest.iter().filter(|r| !self.known(**r).max().and(&mask).is_zero()).count();
                useful |= live <= 1 && rest.len() > 1 || op == Op::Or && k.and(&mask) == mask;
            }
            if !useful {
                return None;
            }
        }
        let mut pieces = Vec::new();
        for c in cuts.windows(2).rev() {
            let (lo, hi) = (c[0], c[1] - 1);
            let mut args = vec![self.constant(k.extract(hi, lo))];
            for &r in rest {
                args.push(self.extract(hi, lo, r));
            }
            pieces.push(self.bitwise(op, &args));
        }
        Some(self.concat_all(&pieces))
    }

    /// Are all terms made of parts of the same widths?
    fn same_parts(&self, ts: &[TermId]) -> bool {
        let parts = |t: TermId| match self.node(t) {
            Node::Concat(xs) => Some(xs.iter().map(|x| self.width(*x))),
            _ => None,
        };
        let Some((first, rest)) = ts.split_first() else { return false };
        parts(*first).is_some_and(|p| rest.iter().all(|t| parts(*t).is_some_and(|q| q.eq(p.clone()))))
    }

    /// Left shift.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        match self.as_const(b) {
            Some(n) => {
                let n = n.shift_amount(w);
                self.shl_by(a, n)
            }
            None => self.shift_node(Node::Shl(a, b), a, Bv::shl, b),
        }
    }

    /// Logical right shift.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        match self.as_const(b) {
            Some(n) => {
                let n = n.shift_amount(w);
                self.lshr_by(a, n)
            }
            None => self.shift_node(Node::Lshr(a, b), a, Bv::lshr, b),
        }
    }

    /// Arithmetic right shift.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let w = self.same_width(a, b);
        match self.as_const(b) {
            Some(n) => {
                let n = n.shift_amount(w);
                self.ashr_by(a, n)
            }
            None if self.known(a).sign() == Some(false) => self.lshr(a, b),
            None => self.shift_node(Node::Ashr(a, b), a, Bv::ashr, b),
        }
    }

    fn shift_node(&mut self, node: Node, a: TermId, f: impl Fn(&Bv, &Bv) -> Bv, b: TermId) -> TermId {
        let w = self.width(a);
        if let Some(v) = self.as_const(a).cloned() {
            if v.is_zero() {
                return a;
            }
            if let Some(r) = self.map_const_ite(b, |n| f(&v, n)) {
                return r;
            }
        }
        self.intern(node, Sort::Bv(w))
    }

    /// Left shift by a number of bits.
    pub fn shl_by(&mut self, a: TermId, n: u32) -> TermId {
        let w = self.width(a);
        self.linear(&[(a, Bv::one(w).shl_by(n))], Bv::zero(w))
    }

    /// Logical right shift by a number of bits.
    pub fn lshr_by(&mut self, a: TermId, n: u32) -> TermId {
        let w = self.width(a);
        if n >= w {
            return self.num(w, 0);
        }
        let x = self.extract(w - 1, n, a);
        self.zext(x, w)
    }

    /// Arithmetic right shift by a number of bits.
    pub fn ashr_by(&mut self, a: TermId, n: u32) -> TermId {
        let w = self.width(a);
        let x = self.extract(w - 1, n.min(w - 1), a);
        self.sext(x, w)
    }

    /// The low `width` bits.
    pub fn trunc(&mut self, a: TermId, width: u32) -> TermId {
        self.extract(width - 1, 0, a)
    }

    /// Zero extension to `width` (not below the present one).
    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        let w = self.width(a);
        assert!(width >= w, "zero extension from {w} to {width}");
        if width == w {
            return a;
        }
        let z = self.num(width - w, 0);
        self.concat_all(&[z, a])
    }

    /// Sign extension to `width` (not below the present one).
    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        let w = self.width(a);
        assert!(width >= w, "sign extension from {w} to {width}");
        if width == w {
            return a;
        }
        match self.node(a) {
            Node::Const(v) => {
                let v = v.sext(width);
                return self.constant(v);
            }
            Node::SExt(x) => {
                let x = *x;
                return self.sext(x, width);
            }
            _ => {}
        }
        if self.known(a).sign() == Some(false) {
            return self.zext(a, width);
        }
        if let Some(r) = self.map_const_ite(a, |v| v.sext(width)) {
            return r;
        }
        // A value above zeros: its extension, shifted.
        if let Node::Concat(parts) = self.node(a)
            && let Some((low, head)) = parts.split_last()
            && self.as_const(*low).is_some_and(Bv::is_zero)
        {
            let (k, head) = (self.width(*low), head.to_vec());
            let head = self.concat_all(&head);
            let head = self.sext(head, width);
            return self.linear(&[(head, Bv::bit_at(width, k))], Bv::zero(width));
        }
        if let Some(r) = self.promised_extension(a, width, true) {
            return r;
        }
        self.intern(Node::SExt(a), Sort::Bv(width))
    }

    /// Extension to, or truncation at, `width`.
    pub fn resize(&mut self, a: TermId, width: u32, signed: bool) -> TermId {
        if width <= self.width(a) {
            self.trunc(a, width)
        } else if signed {
            self.sext(a, width)
        } else {
            self.zext(a, width)
        }
    }

    /// Concatenation, `a` the upper part.
    pub fn concat(&mut self, a: TermId, b: TermId) -> TermId {
        self.concat_all(&[a, b])
    }

    /// Concatenation of any number of parts, most significant first.
    pub fn concat_all(&mut self, parts: &[TermId]) -> TermId {
        let mut out: Vec<TermId> = Vec::with_capacity(parts.len());
        // Flattened, last part on top.
        let mut todo: Vec<TermId> = parts.iter().rev().copied().collect();
        while let Some(p) = todo.pop() {
            if let Node::Concat(inner) = self.node(p) {
                todo.extend(inner.iter().rev().copied());
                continue;
            }
            match out.last().copied().and_then(|last| self.merge(last, p)) {
                Some(m) => {
                    out.pop();
                    todo.push(m);
                }
                None => out.push(p),
            }
        }
        if out.len() == 1 {
            return out[0];
        }
        let w: u32 = out.iter().map(|p| self.width(*p)).sum();
        // Zeros above the low bits of a term whose upper bits are zero anyway.
        if let [z, x] = out[..]
            && self.as_const(z).is_some_and(Bv::is_zero)
            && let Node::Extract(hi, 0, t) = *self.node(x)
            && self.known(t).leading_zeros() >= self.width(t) - hi - 1
        {
            let n = self.width(t);
            return if n <= w { self.zext(t, w) } else { self.extract(w - 1, 0, t) };
        }
        // Zeros above a remainder that was computed in fewer bits.
        if let [z, x] = out[..]
            && self.as_const(z).is_some_and(Bv::is_zero)
            && let Some(r) = self.deeper(|p| p.wider_remainder(x)).flatten()
        {
            let n = self.width(r);
            return if n <= w { self.zext(r, w) } else { self.extract(w - 1, 0, r) };
        }
        // The low bits of a term above zeros: a shift.
        if let [x, z] = out[..]
            && self.as_const(z).is_some_and(Bv::is_zero)
            && let Node::Extract(_, 0, t) = *self.node(x)
            && self.width(t) == w
            && self.known(t).leading_zeros() < self.width(z)
        {
            let n = self.width(z);
            let c = Bv::bit_at(w, n);
            return self.linear(&[(t, c)], Bv::zero(w));
        }
        if let Some(r) = self.concat_const_ite(&out, w) {
            return r;
        }
        if let Some(r) = self.promised_low_bits(&out) {
            return r;
        }
        // Under promises: the extension of a sum, shifted or not.
        if self.promised.is_some()
            && let [z, x] | [z, x, _] = out[..]
            && self.as_const(z).is_some_and(Bv::is_zero)
        {
            let k = out.get(2).map_or(0, |low| self.width(*low));
            if (k == 0 || self.as_const(out[2]).is_some_and(Bv::is_zero))
                && let Some(r) = self.promised_extension(x, w, false)
            {
                return self.linear(&[(r, Bv::bit_at(w, k))], Bv::zero(w));
            }
        }
        self.intern(Node::Concat(out.into()), Sort::Bv(w))
    }

    /// One choice between constants among constants.
    fn concat_const_ite(&mut self, parts: &[TermId], w: u32) -> Option<TermId> {
        let mut choice = None;
        for &p in parts {
            if self.as_const(p).is_none() {
                let (c, ..) = self.const_ite(p)?;
                if choice.replace(c).is_some_and(|d| d != c) {
                    return None;
                }
            }
        }
        let c = choice?;
        let mut both: [Option<Bv>; 2] = [None, None];
        for &p in parts {
            let (a, b) = match self.const_ite(p) {
                Some((_, a, b)) => (a, b),
                None => {
                    let v = self.as_const(p)?.clone();
                    (v.clone(), v)
                }
            };
            for (side, v) in both.iter_mut().zip([a, b]) {
                *side = Some(match side.take() {
                    None => v,
                    Some(s) => s.concat(&v),
                });
            }
        }
        let [a, b] = both;
        let (a, b) = (a?, b?);
        debug_assert_eq!(a.width(), w);
        let (a, b) = (self.constant(a), self.constant(b));
        Some(self.ite(c, a, b))
    }

    /// One term for two neighbouring parts, if they belong together.
    fn merge(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let lw = self.width(low);
        match self.node(high) {
            Node::Const(a) => {
                let v = a.concat(self.as_const(low)?);
                Some(self.constant(v))
            }
            Node::Extract(hi, lo, t) => {
                let (hi, lo, t) = (*hi, *lo, *t);
                if lo < lw {
                    return None;
                }
                let below = self.extract(lo - 1, lo - lw, t);
                (below == low).then(|| self.extract(hi, lo - lw, t))
            }
            Node::Select(m, i) => {
                let (m, i) = (*m, *i);
                let Node::Select(m2, j) = *self.node(low) else { return None };
                let (_, elem) = self.array_widths(m);
                let n = lw / elem;
                let total = (lw + self.width(high)) / elem;
                if m != m2 || self.add_num(j, i128::from(n)) != i {
                    return None;
                }
                Some(self.select_node(m, j, total))
            }
            Node::BvXor(xs) => {
                let (x, k) = self.flips(xs)?;
                let Node::BvXor(ys) = self.node(low) else { return None };
                let (y, j) = self.flips(ys)?;
                let t = self.merge(x, y)?;
                let k = self.constant(k.concat(&j));
                Some(self.bv_xor(t, k))
            }
            // The sign's copies above the value.
            Node::SExt(s) => {
                let s = *s;
                (self.width(s) == 1 && self.extract(lw - 1, lw - 1, low) == s).then(|| {
                    let w = lw + self.width(high);
                    self.sext(low, w)
                })
            }
            _ => None,
        }
    }
}

fn apply(op: Op, a: &Bv, b: &Bv) -> Bv {
    match op {
        Op::And => a.and(b),
        Op::Or => a.or(b),
        Op::Xor => a.xor(b),
    }
}
