//! Distances that are the same on both sides: a loop that walks over several objects ends where one of its addresses meets a
//! limit, and each compiler takes another of them for that. How far it is to the limit is one number.

use super::guarded::moving;
use super::walks::ADDRESS;
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide, Side};
use rustc_hash::FxHashMap;
use smt::Bv;

/// Most ways to say one variable.
const PARTNERS: usize = 3;

/// Of machine code, whose addresses are numbers.
pub(crate) struct Distances;

/// A variable with what it held at each visit.
type Column<'a> = (&'a str, Vec<u64>);

fn addresses<'a>(side: &'a ObservedSide<'_>) -> Vec<Column<'a>> {
    let numbers = |values: Vec<&Bv>| values.into_iter().map(Bv::to_u64).collect::<Option<Vec<u64>>>();
    moving(side, ADDRESS).into_iter().filter_map(|(name, values)| Some((name, numbers(values)?))).collect()
}

/// How far a variable is from another one at each visit, less how far it is at the first, and that.
fn apart(a: &[u64], b: &[u64]) -> (Vec<u64>, u64) {
    let first = a[0].wrapping_sub(b[0]);
    (a.iter().zip(b).map(|(x, y)| x.wrapping_sub(*y).wrapping_sub(first)).collect(), first)
}

impl<K> Guess<K> for Distances {
    fn relations(&self, _: &K, at: &Observed<'_>) -> Vec<Constraint> {
        let (lefts, rights) = (addresses(&at.left), addresses(&at.right));
        let mut distances: FxHashMap<Vec<u64>, Vec<(usize, usize, u64)>> = FxHashMap::default();
        // Those of the right that are some distance from one of the left: which, and how far.
        let near = |values: &[u64]| {
            lefts.iter().enumerate().find_map(|(n, (_, own))| {
                let (moved, first) = apart(values, own);
                moved.iter().all(|by| *by == 0).then_some((n, first))
            })
        };
        let known: Vec<Option<(usize, u64)>> = rights.iter().map(|(_, values)| near(values)).collect();
        if known.iter().all(Option::is_some) {
            return Vec::new();
        }
        for (b, (_, to)) in lefts.iter().enumerate() {
            for (c, (_, from)) in lefts.iter().enumerate().filter(|(c, _)| *c != b) {
                let (moved, first) = apart(to, from);
                if moved.iter().any(|by| *by != 0) {
                    distances.entry(moved).or_default().push((b, c, first));
                }
            }
        }
        let left = |n: usize| Box::new(Expr::Var(Side::Left, lefts[n].0.to_owned()));
        let mut out = Vec::new();
        for ((name, values), _) in rights.iter().zip(&known).filter(|(_, known)| known.is_none()) {
            let mut found = 0;
            for ((_, other), known) in rights.iter().zip(&known) {
                let Some((partner, distance)) = known else { continue };
                let (moved, first) = apart(values, other);
                for (to, from, left_first) in distances.get(&moved).into_iter().flatten() {
                    if found == PARTNERS {
                        break;
                    }
                    found += 1;
                    let minus = Expr::Scaled(left(*from), Bv::ones(ADDRESS));
                    let apart = Expr::Sum(left(*to), Box::new(minus));
                    let sum = Expr::Sum(left(*partner), Box::new(apart));
                    let more = first.wrapping_sub(*left_first).wrapping_add(*distance);
                    let more = Bv::new(ADDRESS, u128::from(more));
                    let b = if more.is_zero() { sum } else { Expr::Offset(Box::new(sum), more) };
                    out.push(Constraint { a: Expr::Var(Side::Right, (*name).to_owned()), b });
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn a_distance_is_told_from_the_first() {
        assert_eq!(apart(&[8, 12, 16], &[4, 4, 20]), (vec![0, 4, 0u64.wrapping_sub(8)], 4));
        assert_eq!(apart(&[0], &[1]), (vec![0], u64::MAX));
    }
}
