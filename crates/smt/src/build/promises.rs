//! What facts say about values: that a sum does not leave its width, that a value lies between bounds.
//!
//! `sext(x + 1)` is `sext(x) + 1` only where the sum does not overflow, and compilers use that: the source promises it
//! (`nsw`), the target adds after extending. With the promises of a query's facts at hand both sides are built again:
//! extensions of sums become sums of extensions, comparisons and choices that bounds decide vanish. Every rule is an
//! equality under the facts that were taken in, so facts that stay as they are together with the rest rewritten say
//! the same as before.

use crate::{Bv, Node, Pool, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// An addend of a sum that does not leave its width, and how often it is added.
type Addends = Box<[(TermId, i128)]>;

/// A sum of integers: none of its addends nor the sum itself leaves the width it is computed in.
type Sum = (Addends, i128);

/// Bounds of a value as an integer, both ends included.
type Range = (i128, i128);

/// The widest terms that bounds are kept for: their sums fit the numbers at hand.
const WIDEST: u32 = 64;

/// Most addends of a sum that is taken apart.
const ADDENDS: usize = 8;

/// How deep bounds are worked out from those of arguments.
const DEEP: u32 = 2;

/// What facts say about sums and bounds.
#[derive(Clone, Default, Debug)]
pub struct Promises {
    /// Sums of signed numbers.
    signed: FxHashMap<TermId, Sum>,
    /// Sums of unsigned numbers.
    unsigned: FxHashMap<TermId, Sum>,
    /// Bounds of signed numbers.
    low_high: FxHashMap<TermId, Range>,
    /// Bounds of unsigned numbers.
    up_to: FxHashMap<TermId, Range>,
    /// What the extensions of terms are: the value that has these lower bits, and whether the sign is extended.
    held: FxHashMap<(TermId, bool), TermId>,
    /// Bits that are known: those that are zero, and those that are one.
    bits: FxHashMap<TermId, (Bv, Bv)>,
    /// The facts that say so.
    facts: FxHashSet<TermId>,
    /// What was built again.
    done: FxHashMap<TermId, TermId>,
    /// Extractions made under these promises.
    extracts: FxHashMap<(u32, u32, TermId), TermId>,
    /// Extensions looked at: what they became, by the term, the width, and whether the sign is extended.
    extended: FxHashMap<(TermId, u32, bool), Option<TermId>>,
    /// A value has no bounds left: the facts contradict each other.
    contradict: bool,
}

impl Promises {
    /// Do the facts say nothing of use?
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Do the facts contradict each other?
    pub fn contradict(&self) -> bool {
        self.contradict
    }

    /// Is it one of the facts these are made of?
    pub fn says(&self, fact: TermId) -> bool {
        self.facts.contains(&fact)
    }

    fn bound(&mut self, signed: bool, t: TermId, (lo, hi): Range) {
        let map = if signed { &mut self.low_high } else { &mut self.up_to };
        let old = map.entry(t).or_insert((lo, hi));
        *old = (old.0.max(lo), old.1.min(hi));
        self.contradict |= old.0 > old.1;
    }

    fn forget(&mut self) {
        self.done.clear();
        self.extracts.clear();
        self.extended.clear();
    }
}

/// The greatest unsigned number of a width.
fn most(w: u32) -> i128 {
    (1 << w) - 1
}

/// The signed numbers of a width.
fn numbers(w: u32) -> Range {
    (-(1 << (w - 1)), (1 << (w - 1)) - 1)
}

impl Pool {
    /// What facts say about sums, and about bounds of variables.
    ///
    /// These facts stay as they are where others are built again: bounds of other terms, whose parts the promises may
    /// change, are taken in by [`Pool::bounds`] once that is done.
    pub fn promises(&mut self, facts: &[TermId]) -> Promises {
        let mut out = Promises::default();
        for &f in facts {
            if let Some((t, signed, range)) = self.bounds_of(f)
                && matches!(self.node(t), Node::Var(_))
            {
                out.bound(signed, t, range);
                out.facts.insert(f);
            }
        }
        for &f in facts {
            if let Some((t, zeros, ones)) = self.bits_of(f) {
                let w = zeros.width();
                let old = out.bits.entry(t).or_insert_with(|| (Bv::zero(w), Bv::zero(w)));
                *old = (old.0.or(&zeros), old.1.or(&ones));
                out.contradict |= !old.0.and(&old.1).is_zero();
                out.facts.insert(f);
            }
        }
        for &f in facts {
            if let Some((low, signed, x)) = self.held_by(f) {
                out.held.entry((low, signed)).or_insert(x);
                out.facts.insert(f);
            }
        }
        // Older sums first: what they say helps to read those made of them.
        let mut sums: Vec<TermId> = facts.iter().copied().filter(|f| self.may_be_sum(*f)).collect();
        sums.sort_unstable();
        for f in sums {
            let (mut new, back) = self.keep(&[f], out);
            out = back;
            let known = new.pop().and_then(|f| self.sum_of(f)).or_else(|| self.sum_of(f));
            if let Some((t, signed, sum)) = known {
                let map = if signed { &mut out.signed } else { &mut out.unsigned };
                map.entry(t).or_insert(sum);
                out.facts.insert(f);
                out.forget();
            }
        }
        out
    }

    /// The promises with the bounds that facts give any terms.
    pub fn bounds(&mut self, mut promises: Promises, facts: &[TermId]) -> Promises {
        for &f in facts {
            if let Some((t, signed, range)) = self.bounds_of(f) {
                promises.bound(signed, t, range);
                promises.facts.insert(f);
                promises.forget();
            }
        }
        promises
    }

    /// The bits of a variable that a fact tells.
    fn bits_of(&self, f: TermId) -> Option<(TermId, Bv, Bv)> {
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
    fn held_by(&mut self, f: TermId) -> Option<(TermId, bool, TermId)> {
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

    /// Could it be a fact about a sum?
    fn may_be_sum(&self, f: TermId) -> bool {
        match *self.node(f) {
            Node::Eq(a, _) => matches!(self.sort(a), Sort::Bv(w) if w <= 2 * WIDEST),
            Node::Not(g) => matches!(*self.node(g), Node::Ult(a, _) if self.as_const(a).is_none()),
            _ => false,
        }
    }

    /// The terms built again with the promises, which come back with what was built. The results hold under the facts
    /// the promises were made from.
    pub fn keep(&mut self, ts: &[TermId], mut promises: Promises) -> (Vec<TermId>, Promises) {
        // What is remembered elsewhere must not rest on these facts, nor the other way round.
        let memo = std::mem::replace(&mut self.extract_memo, std::mem::take(&mut promises.extracts));
        let mut done = std::mem::take(&mut promises.done);
        self.promised = Some(Box::new(promises));
        let mut stack: Vec<TermId> = ts.to_vec();
        while let Some(&t) = stack.last() {
            if done.contains_key(&t) {
                stack.pop();
                continue;
            }
            let old = self.children(t);
            let before = stack.len();
            stack.extend(old.iter().filter(|c| !done.contains_key(c)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let args: Vec<TermId> = old.iter().map(|c| done[c]).collect();
            let open = matches!(
                self.node(t),
                Node::SExt(_)
                    | Node::Concat(_)
                    | Node::Extract(..)
                    | Node::Eq(..)
                    | Node::Ult(..)
                    | Node::Slt(..)
            );
            let new = if args == old && !open { t } else { self.rebuild(t, &args) };
            done.insert(t, new);
        }
        let mut promises = *self.promised.take().unwrap_or_default();
        promises.extracts = std::mem::replace(&mut self.extract_memo, memo);
        let out = ts.iter().map(|t| done[t]).collect();
        promises.done = done;
        (out, promises)
    }

    /// The bounds that a fact gives a term: whether as a signed number, and which.
    fn bounds_of(&mut self, f: TermId) -> Option<(TermId, bool, Range)> {
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
                    let Node::Extract(hi, lo, x) = *self.node(t) else { return None };
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

    /// The sum that a fact says does not leave its width, and whether as signed numbers.
    fn sum_of(&mut self, f: TermId) -> Option<(TermId, bool, Sum)> {
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

    /// Bounds of a term as a signed or unsigned number, as far as its form and the promises tell.
    fn range(&self, t: TermId, signed: bool, depth: u32) -> Range {
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

#[cfg(test)]
mod tests {
    use crate::{Bv, Model, Pool, Sort, TermId, Value};

    /// `a + b` does not leave the width, as the semantics of a source says it.
    fn no_overflow(p: &mut Pool, a: TermId, b: TermId, signed: bool) -> TermId {
        let w = p.width(a) + 1;
        let sum = p.add(a, b);
        if !signed {
            let less = p.ult(sum, a);
            return p.not(less);
        }
        let (x, y, s) = (p.sext(a, w), p.sext(b, w), p.sext(sum, w));
        let exact = p.add(x, y);
        p.eq(exact, s)
    }

    #[test]
    fn an_extended_sum_is_the_sum_of_what_is_extended() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.var(n, Sort::Bv(32)));
        let one = p.num(32, 1);
        for signed in [true, false] {
            let extend = |p: &mut Pool, t| p.resize(t, 64, signed);
            for b in [one, y] {
                let fact = no_overflow(&mut p, x, b, signed);
                let promises = p.promises(&[fact]);
                assert!(promises.says(fact));
                let sum = p.add(x, b);
                let (wide, a, b) = (extend(&mut p, sum), extend(&mut p, x), extend(&mut p, b));
                let apart = p.add(a, b);
                assert_ne!(wide, apart);
                // Also inside an address.
                let eight = Bv::new(64, 8);
                let (l, r) = (p.scale(wide, &eight), p.scale(apart, &eight));
                let (new, promises) = p.keep(&[wide, l, r], promises);
                assert_eq!((new[0], new[1]), (apart, new[2]));
                drop(promises);
                // Nothing of it stays behind.
                assert_eq!(extend(&mut p, sum), wide);
            }
        }
        // The other kind of overflow says nothing.
        let fact = no_overflow(&mut p, x, y, true);
        let promises = p.promises(&[fact]);
        let sum = p.add(x, y);
        let wide = p.zext(sum, 64);
        assert_eq!(p.keep(&[wide], promises).0, [wide]);
    }

    #[test]
    fn a_sum_of_a_sum() {
        let mut p = Pool::new();
        let x = p.var("x", Sort::Bv(32));
        let one = p.num(32, 1);
        let next = p.add(x, one);
        let facts = [no_overflow(&mut p, x, one, true), no_overflow(&mut p, next, one, true)];
        let promises = p.promises(&facts);
        let two = p.add(next, one);
        let wide = p.sext(two, 64);
        let narrow = p.sext(x, 64);
        let apart = p.add_num(narrow, 2);
        assert_eq!(p.keep(&[wide], promises).0, [apart]);
    }

    #[test]
    fn bounds_decide_comparisons_and_extensions() {
        let mut p = Pool::new();
        let x = p.var("x", Sort::Bv(32));
        let [four, nine] = [4, 9].map(|k| p.num(32, k));
        let below = p.ult(x, nine);
        let promises = p.promises(&[below]);
        let (signed, plain) = (p.sext(x, 64), p.zext(x, 64));
        let mask = p.num(32, 15);
        let masked = p.bv_and(x, mask);
        let ten = p.num(32, 10);
        let (sure, open) = (p.slt(x, ten), p.ult(x, four));
        let (new, _) = p.keep(&[signed, masked, sure, open], promises);
        assert_eq!(new[0], plain);
        assert_eq!(p.as_bool(new[2]), Some(true));
        assert_eq!(p.as_bool(new[3]), None);
        // Two bounds that leave nothing.
        let above = p.ult(nine, x);
        assert!(p.promises(&[below, above]).contradict());
    }

    /// A source of numbers.
    struct Rng(u64);

    impl Rng {
        fn below(&mut self, n: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % n
        }
    }

    /// A term of three bits over those there are, an extended one, or a comparison.
    fn grow(
        p: &mut Pool,
        r: &mut Rng,
        words: &mut Vec<TermId>,
        wide: &mut Vec<TermId>,
        bools: &mut Vec<TermId>,
    ) {
        let (a, b) = (words[r.below(words.len())], words[r.below(words.len())]);
        let k = p.num(3, r.below(8) as u128);
        match r.below(14) {
            0 | 1 => words.push(p.add(a, b)),
            2 => words.push(p.sub(a, b)),
            3 => words.push(p.add(a, k)),
            4 => words.push(p.mul(a, k)),
            5 => words.push(p.bv_and(a, k)),
            6 => wide.push(p.sext(a, 6)),
            7 => wide.push(p.zext(a, 6)),
            8 if !wide.is_empty() => {
                let (x, y) = (wide[r.below(wide.len())], wide[r.below(wide.len())]);
                let c = Bv::new(6, r.below(9) as u128);
                let y = p.scale(y, &c);
                wide.push(p.add(x, y));
            }
            9 => bools.push(p.ult(a, b)),
            10 => bools.push(p.slt(a, k)),
            11 => bools.push(p.eq(a, k)),
            12 if wide.len() > 1 => {
                let (x, y) = (wide[r.below(wide.len())], wide[r.below(wide.len())]);
                bools.push(if r.below(2) == 0 { p.eq(x, y) } else { p.ult(x, y) });
            }
            _ => {
                let c = bools[r.below(bools.len())];
                words.push(p.ite(c, a, b));
            }
        }
    }

    #[test]
    fn what_is_built_again_is_the_same_under_the_facts() {
        let mut changed = 0;
        for seed in 1..=400u64 {
            let mut r = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut p = Pool::new();
            let vars = ["x", "y", "z"].map(|n| p.var(n, Sort::Bv(3)));
            let b = p.var("b", Sort::Bool);
            let (mut words, mut wide, mut bools) = (vars.to_vec(), Vec::new(), vec![b]);
            let mut facts = Vec::new();
            for _ in 0..24 {
                grow(&mut p, &mut r, &mut words, &mut wide, &mut bools);
                if r.below(4) == 0 {
                    let (a, b) = (words[r.below(words.len())], words[r.below(words.len())]);
                    let c = p.num(3, r.below(8) as u128);
                    let b = if r.below(2) == 0 { b } else { c };
                    let signed = r.below(3) > 0;
                    facts.push(no_overflow(&mut p, a, b, signed));
                    let sum = p.add(a, b);
                    words.push(sum);
                    wide.push(p.resize(sum, 6, signed));
                }
                if r.below(8) == 0 {
                    let c = bools[r.below(bools.len())];
                    facts.push(if r.below(2) == 0 { c } else { p.not(c) });
                }
            }
            let promises = p.promises(&facts);
            let promises = p.bounds(promises, &facts);
            let contradict = promises.contradict();
            let mut all = words.clone();
            all.extend(&wide);
            all.extend(&bools);
            let (new, _) = p.keep(&all, promises);
            changed += all.iter().zip(&new).filter(|(a, b)| a != b).count();
            for bits in 0..1u32 << 10 {
                let mut m = Model::new();
                for (i, v) in vars.iter().enumerate() {
                    m.set(&p, *v, Value::Bv(Bv::new(3, u128::from(bits >> (3 * i) & 7))));
                }
                m.set(&p, b, Value::Bool(bits >> 9 == 1));
                if m.eval_all(&p, &facts).iter().all(Value::as_bool) {
                    assert!(!contradict, "seed {seed}: {bits:#b}");
                    assert_eq!(m.eval_all(&p, &all), m.eval_all(&p, &new), "seed {seed}: {bits:#b}");
                }
            }
            // What is known of the terms made on the way holds everywhere.
            for bits in 0..1u32 << 9 {
                let mut m = Model::new();
                for (i, v) in vars.iter().enumerate() {
                    m.set(&p, *v, Value::Bv(Bv::new(3, u128::from(bits >> (3 * i) & 7))));
                }
                for (t, v) in new.iter().zip(m.eval_all(&p, &new)) {
                    if let Value::Bv(v) = v {
                        let known = p.known(*t);
                        assert!(v.and(&known.zeros).is_zero() && v.and(&known.ones) == known.ones);
                    }
                }
            }
        }
        assert!(changed > 400, "{changed} terms were built again");
    }

    /// An index that a source sets low bits of, promising that they were zero, where the target adds them.
    #[test]
    fn bits_set_in_place_of_zeros_are_added() {
        let mut p = Pool::new();
        let (x, y) = (p.var("x", Sort::Bv(64)), p.var("y", Sort::Bv(64)));
        let low = p.extract(1, 0, x);
        let (none, three) = (p.num(2, 0), p.num(64, 3));
        let promise = p.eq(low, none);
        let set = p.bv_or(x, three);
        let four = Bv::new(64, 4);
        let scaled = p.scale(set, &four);
        let at = p.add(y, scaled);
        let promises = p.promises(&[promise]);
        let (new, _) = p.keep(&[at], promises);
        let scaled = p.scale(x, &four);
        let sum = p.add(y, scaled);
        assert_eq!(new, [p.add_num(sum, 12)]);
    }
}
