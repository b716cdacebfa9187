//! Addresses that facts tell apart: with a query's facts at hand, reads and writes resolve that the addresses alone
//! leave open.
//!
//! A fact bounds a linear combination from below, modulo the address space: it keeps the combination's variable part
//! out of a ring segment. Two accesses are disjoint when every distance at which they would overlap is kept out.

use super::arith::Linear;
use crate::{Bv, Node, Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A sum's variable part, in the form in which its first coefficient is not above half the ring.
type Sum = Vec<(TermId, Bv)>;

/// A ring segment: first value, number of values.
type Segment = (Bv, u128);

/// What facts say about differences of addresses.
#[derive(Clone, Debug, Default)]
pub struct Apart {
    /// Values that a sum does not have.
    not: FxHashMap<Sum, Vec<Segment>>,
    /// The facts that say so.
    facts: FxHashSet<TermId>,
}

impl Apart {
    /// Does nothing tell addresses apart?
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// How many facts tell addresses apart.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Is it one of the facts this is made of?
    pub fn says(&self, fact: TermId) -> bool {
        self.facts.contains(&fact)
    }

    /// Is a linear combination none of the values from `-below` to `above`, ends not included?
    pub(super) fn away(&self, view: Linear, below: u32, above: u32) -> bool {
        let w = view.k.width();
        let (sum, k, flipped) = canonical(view);
        let Some(list) = self.not.get(&sum) else { return false };
        // The combination is k + sum, or k - sum.
        (1 - i128::from(below)..i128::from(above)).all(|v| {
            let at = Bv::from_i128(w, v).sub(&k);
            let at = if flipped { at.neg() } else { at };
            list.iter().any(|(lo, n)| at.sub(lo).to_u128().is_some_and(|o| o < *n))
        })
    }
}

/// The variable part in canonical form, the constant, and whether the part's sign was changed.
fn canonical(view: Linear) -> (Sum, Bv, bool) {
    let mut sum = view.terms;
    let flip = sum.first().is_some_and(|(_, c)| c.bit(c.width() - 1));
    if flip {
        sum.iter_mut().for_each(|(_, c)| *c = c.neg());
    }
    (sum, view.k, flip)
}

impl Pool {
    /// What facts say about differences of addresses.
    pub fn apart(&mut self, facts: &[TermId]) -> Apart {
        let mut out = Apart::default();
        for &f in facts {
            let Some((t, lo, n)) = self.kept_out(f) else { continue };
            let view = self.linear_view(t);
            // One unknown alone is no difference.
            if view.terms.len() < 2 {
                continue;
            }
            let (sum, k, flipped) = canonical(view);
            // t = k + sum is not in [lo, lo + n).
            let first = lo.sub(&k);
            let segment = if flipped {
                let last = first.add(&Bv::new(first.width(), n - 1));
                (last.neg(), n)
            } else {
                (first, n)
            };
            out.not.entry(sum).or_default().push(segment);
            out.facts.insert(f);
        }
        out
    }

    /// Is it an equality of addresses that lie apart?
    fn never_equal(&mut self, t: TermId) -> bool {
        let Node::Eq(a, b) = *self.node(t) else { return false };
        if self.sort(a) != crate::Sort::Bv(64) {
            return false;
        }
        let d = self.sub(a, b);
        let view = self.linear_view(d);
        view.terms.len() > 1 && self.known_apart.as_ref().is_some_and(|k| k.away(view, 1, 1))
    }

    /// The values that a fact denies a term: first and number.
    fn kept_out(&mut self, f: TermId) -> Option<(TermId, Bv, u128)> {
        let small = |n: u128| n > 0 && n <= 1 << 16;
        match *self.node(f) {
            // k < t
            Node::Ult(k, t) => {
                let n = self.as_const(k)?.to_u128()?.checked_add(1)?;
                small(n).then(|| (t, Bv::zero(self.width(t)), n))
            }
            Node::Not(g) => {
                let Node::Eq(a, b) = *self.node(g) else { return None };
                let constant = self.as_const(a).is_some() || self.as_const(b).is_some();
                // Of two terms that differ only addresses are of interest: others are values, and often a goal.
                let wanted = |w: u32| constant || w == 64;
                if !matches!(self.sort(a), crate::Sort::Bv(w) if wanted(w)) {
                    return None;
                }
                let (k, t) = if self.as_const(a).is_some() { (a, b) } else { (b, a) };
                let Some(k) = self.as_const(k).cloned() else {
                    // Two different terms.
                    let d = self.sub(a, b);
                    return Some((d, Bv::zero(self.width(d)), 1));
                };
                match *self.node(t) {
                    // Some upper bit is set: not below a power of two.
                    Node::Extract(hi, lo, inner) if hi + 1 == self.width(inner) && lo < 16 && k.is_zero() => {
                        Some((inner, Bv::zero(hi + 1), 1 << lo))
                    }
                    _ => Some((t, k, 1)),
                }
            }
            _ => None,
        }
    }

    /// The terms built again with what is known of addresses. The results hold under the facts it was made from.
    pub fn settle(&mut self, ts: &[TermId], apart: Apart) -> Vec<TermId> {
        // What is remembered elsewhere must not rest on these facts, nor the other way round.
        let memo = std::mem::take(&mut self.extract_memo);
        self.known_apart = Some(apart);
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for t in self.postorder(ts) {
            let old = self.children(t);
            let args: Vec<TermId> = old.iter().map(|c| done[c]).collect();
            let array = matches!(self.node(t), Node::Select(..) | Node::Store(..))
                || matches!(self.node(t), Node::Eq(a, _) if matches!(self.sort(*a), crate::Sort::Array { .. }));
            let mut new = if args == old && !array { t } else { self.rebuild(t, &args) };
            if self.never_equal(new) {
                new = self.bool(false);
            }
            done.insert(t, new);
        }
        self.known_apart = None;
        self.extract_memo = memo;
        ts.iter().map(|t| done[t]).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Pool, Sort};

    #[test]
    fn facts_let_reads_pass_writes() {
        let mut p = Pool::new();
        let mem = p.var("mem", Sort::memory(64));
        let (a, b, v) = (p.var("a", Sort::Bv(64)), p.var("b", Sort::Bv(64)), p.var("v", Sort::Bv(32)));
        let (up, down) = (p.sub(b, a), p.sub(a, b));
        let (four, eight) = (p.num(64, 4), p.num(64, 8));
        let (x, y) = (p.ult(up, four), p.ult(down, eight));
        let (x, y) = (p.not(x), p.not(y));
        let stored = p.store(mem, a, v);
        let read = p.load(stored, b, 8);
        let plain = p.load(mem, b, 8);
        assert_ne!(read, plain);
        let apart = p.apart(&[x, y]);
        assert_eq!(p.settle(&[read], apart), [plain]);
        // Half of it is not enough, and a longer read reaches further.
        let apart = p.apart(&[x]);
        assert_eq!(p.settle(&[read], apart), [read]);
        let apart = p.apart(&[x, y]);
        let wide = p.load(stored, b, 9);
        let (low, wide_plain) = (p.extract(7, 0, v), p.load(mem, b, 9));
        let first = p.store(mem, a, low);
        let seen = p.load(first, b, 9);
        assert_ne!(seen, wide_plain);
        assert_eq!(p.settle(&[wide], apart), [seen]);
        // What a read cannot see of a longer write does not matter.
        let twice = p.concat(v, v);
        let (long, other) = (p.store(mem, a, twice), p.num(32, 7));
        let long_other = p.store(long, a, other);
        let (one, two) = (p.load(long, b, 4), p.load(long_other, b, 4));
        assert_ne!(one, two);
        let apart = p.apart(&[x, y]);
        let settled = p.settle(&[one, two], apart);
        assert_eq!(settled[0], settled[1]);
        let apart = p.apart(&[y]);
        let settled = p.settle(&[one, two], apart);
        assert_ne!(settled[0], settled[1]);
        // A read in parts, each of which sees less, is the read as a whole.
        let (b4, both) = (p.add_num(b, 4), p.load(long, b, 8));
        let (low, high) = (p.load(long, b, 4), p.load(long_other, b4, 4));
        let parts = p.concat(high, low);
        let same = p.eq(both, parts);
        let (yes, apart) = (p.bool(true), p.apart(&[x, y]));
        assert_eq!(p.settle(&[same], apart), [yes]);
        // Nothing of it stays behind.
        assert_eq!(p.load(stored, b, 8), read);
    }
}
