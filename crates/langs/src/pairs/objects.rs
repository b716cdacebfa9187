//! Which stack objects in memory two functions of a pair have in common: objects of one size that are used alike.
//!
//! A guess: where objects lie is for each program to choose, so that a proof may take any of the ways to pair them, and a
//! difference counts if it is there in every one.

use crate::llvm_ir::ast::{Op, Operand};
use crate::llvm_ir::semantics::Ir;
use std::collections::BTreeMap;

/// An object by its number, with its bytes.
pub(super) type Object = (usize, u64);

/// The ways to pair the objects of two functions, as many as can be.
pub(super) struct Pairings {
    /// Of each size the objects of both, of which those at the same place are likely the same: source, target.
    sizes: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Pairings {
    /// Of the objects of the source and those of the target.
    pub(super) fn of((l, left): (&Ir<'_>, &[Object]), (r, right): (&Ir<'_>, &[Object])) -> Pairings {
        let mut sizes: BTreeMap<u64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        left.iter().for_each(|(n, size)| sizes.entry(*size).or_default().0.push(*n));
        right.iter().for_each(|(n, size)| sizes.entry(*size).or_default().1.push(*n));
        sizes.retain(|_, (a, b)| !a.is_empty() && !b.is_empty());
        if sizes.values().any(|(a, b)| a.len() + b.len() > 2) {
            let (uses, others) = (uses(l), uses(r));
            sizes.values_mut().for_each(|(a, b)| likeliest(a, b, &uses, &others));
        }
        Pairings { sizes: sizes.into_values().collect() }
    }

    /// How many ways there are.
    pub(super) fn count(&self) -> usize {
        let ways = |(a, b): &(Vec<usize>, Vec<usize>)| {
            let (few, many) = (a.len().min(b.len()), a.len().max(b.len()));
            (many - few + 1..=many).fold(1_usize, usize::saturating_mul)
        };
        self.sizes.iter().map(ways).fold(1, usize::saturating_mul)
    }

    /// The way of a number, of which the first is the likeliest: numbers of the target's and the source's objects.
    pub(super) fn way(&self, mut n: usize) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (a, b) in &self.sizes {
            let source_has_more = a.len() > b.len();
            let (few, mut rest) = if source_has_more { (b, a.clone()) } else { (a, b.clone()) };
            for one in few {
                let choice = n % rest.len();
                n /= rest.len();
                let other = rest.remove(choice);
                pairs.push(if source_has_more { (*one, other) } else { (other, *one) });
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

/// What is done with an object: the operation or the function called, how many of those there were before, as which operand, and
/// at which byte of the object.
type Use<'m> = (&'m str, usize, usize, i64);

/// What is done with each stack object of a function, in order of the text.
fn uses<'m>(ir: &Ir<'m>) -> BTreeMap<usize, Vec<Use<'m>>> {
    let mut out: BTreeMap<usize, Vec<Use<'m>>> = BTreeMap::new();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for inst in &ir.f.insts {
        let (what, operands): (&str, Vec<Operand>) = match &inst.op {
            Op::Call(call) => match ir.callee_name(call) {
                Some(name) if !name.starts_with("llvm.lifetime") => {
                    (name, call.args.iter().map(|a| a.value).collect())
                }
                _ => continue,
            },
            Op::Load { ptr, .. } => ("load", vec![*ptr]),
            Op::Store { ptr, value, .. } => ("store", vec![*ptr, *value]),
            _ => continue,
        };
        let before = times.entry(what).or_default();
        for (n, operand) in operands.into_iter().enumerate() {
            if let Some((object, offset)) = ir.stack_place(operand) {
                out.entry(object).or_default().push((what, *before, n, offset));
            }
        }
        *before += 1;
    }
    out.values_mut().for_each(|all| all.sort_unstable());
    out
}

/// Orders objects of one size so that those at the same place are used most alike, and otherwise come in one order.
fn likeliest(
    a: &mut Vec<usize>,
    b: &mut Vec<usize>,
    uses: &BTreeMap<usize, Vec<Use<'_>>>,
    others: &BTreeMap<usize, Vec<Use<'_>>>,
) {
    let none = Vec::new();
    let mut all = Vec::new();
    for (i, one) in a.iter().enumerate() {
        for (k, other) in b.iter().enumerate() {
            let (mine, its) = (uses.get(one).unwrap_or(&none), others.get(other).unwrap_or(&none));
            all.push((std::cmp::Reverse(likeness(mine, its)), i.abs_diff(k), i, k));
        }
    }
    all.sort_unstable();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (_, _, i, k) in all {
        if !left.contains(&i) && !right.contains(&k) {
            left.push(i);
            right.push(k);
        }
    }
    left.extend((0..a.len()).filter(|i| !left.contains(i)).collect::<Vec<_>>());
    right.extend((0..b.len()).filter(|k| !right.contains(k)).collect::<Vec<_>>());
    *a = left.into_iter().map(|i| a[i]).collect();
    *b = right.into_iter().map(|k| b[k]).collect();
}

/// How much is done alike: what is done in the same place of the text counts more than what is only done as well.
fn likeness(a: &[Use<'_>], b: &[Use<'_>]) -> usize {
    fn anywhere<'m>(all: &[Use<'m>]) -> Vec<(&'m str, usize, i64)> {
        let mut all: Vec<_> = all.iter().map(|(what, _, n, offset)| (*what, *n, *offset)).collect();
        all.sort_unstable();
        all
    }
    4 * in_both(a, b) + in_both(&anywhere(a), &anywhere(b))
}

/// How many elements two sorted lists have in common.
fn in_both<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut k, mut found) = (0, 0, 0);
    while i < a.len() && k < b.len() {
        match a[i].cmp(&b[k]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => k += 1,
            std::cmp::Ordering::Equal => (i, k, found) = (i + 1, k + 1, found + 1),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Pairings;
    use std::collections::BTreeSet;

    #[test]
    fn every_way_comes_once_and_the_likeliest_first() {
        let pairings = Pairings { sizes: vec![(vec![0, 1, 2], vec![5, 4]), (vec![3], vec![6])] };
        assert_eq!(pairings.count(), 6);
        assert_eq!(pairings.way(0), [(4, 1), (5, 0), (6, 3)]);
        let all: BTreeSet<_> = (0..6).map(|n| pairings.way(n)).collect();
        assert_eq!(all.len(), 6);
        assert!(all.iter().all(|way| way.len() == 3));
    }
}
