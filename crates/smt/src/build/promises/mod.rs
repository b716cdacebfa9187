//! What facts say about values: that a sum does not leave its width, that a value lies between bounds.
//!
//! `sext(x + 1)` is `sext(x) + 1` only where the sum does not overflow, and compilers use that: the source promises it
//! (`nsw`), the target adds after extending. With the promises of a query's facts at hand both sides are built again:
//! extensions of sums become sums of extensions, comparisons and choices that bounds decide vanish. Every rule is an
//! equality under the facts that were taken in, so facts that stay as they are together with the rest rewritten say
//! the same as before.

mod reading;
#[cfg(test)]
mod tests;
mod within;

use crate::{Bv, Node, Pool, TermId};
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
const ADDENDS: usize = 16;

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
    extracts: crate::build::Extracts,
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
                    | Node::SDiv(..)
                    | Node::SRem(..)
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
}
