//! Pointers that walk along with a counter: the new code moves an address on in each round, and knows where it ends, where the
//! old one adds a counter, extended to the width of an address, to what it starts from. And that such a counter has not reached
//! its limit yet: only then is the extended counter that of the next round.

use equiv::{Constraint, Expr, Guess, Observed, ObservedSide, Side};
use smt::Bv;

/// Width of an address, and of a counter that is extended.
const ADDRESS: u32 = 64;
const COUNTER: u32 = 32;

/// Most ways to make an address of the new code.
const PARTNERS: usize = 3;

/// Farthest that an address moves in a round, in bytes.
const FARTHEST: i64 = 1 << 16;

/// Of machine code, whose variables have no types.
pub(crate) struct Walks;

/// An address as a start, a counter and so many bytes for each round, and more.
struct Walk<'a> {
    start: &'a str,
    counter: &'a str,
    each: i64,
    more: Bv,
}

/// The variables of a width that did not always have one value.
fn moving<'a>(side: &'a ObservedSide<'_>, width: u32) -> Vec<(&'a str, &'a [Bv])> {
    let moves = |values: &[Bv]| values.windows(2).any(|two| two[0] != two[1]);
    side.numbered()
        .filter(|(_, w, values)| *w == width && moves(values))
        .map(|(name, _, values)| (name, values))
        .collect()
}

/// A number with its sign.
fn signed(value: &Bv) -> Option<i64> {
    value.sext(64).to_u64().map(|v| v as i64)
}

/// Bytes for each round, if two columns go together: how far an address is from its start, and a counter.
fn each(apart: &[i64], counter: &[i64]) -> Option<i64> {
    let by = |n: usize| Some((apart[n].checked_sub(apart[0])?, counter[n].checked_sub(counter[0])?));
    let (there, rounds) = (1..apart.len()).filter_map(by).find(|(_, rounds)| *rounds != 0)?;
    let each = there.checked_div(rounds).filter(|each| *each != 0 && each.abs() <= FARTHEST)?;
    let all = (0..apart.len())
        .all(|n| by(n).is_some_and(|(there, rounds)| rounds.checked_mul(each) == Some(there)));
    all.then_some(each)
}

fn walks<'a>(
    values: &[Bv],
    starts: &[(&'a str, &'a [Bv])],
    counters: &[(&'a str, Vec<i64>)],
) -> Option<Vec<Walk<'a>>> {
    let mut out = Vec::new();
    for (start, from) in starts {
        let apart: Option<Vec<i64>> = values.iter().zip(*from).map(|(v, f)| signed(&v.sub(f))).collect();
        let apart = apart?;
        // What is a distance away, or the same, needs no counter.
        if apart.windows(2).all(|two| two[0] == two[1]) {
            return None;
        }
        for (counter, rounds) in counters {
            let Some(each) = each(&apart, rounds) else { continue };
            let more = apart[0].wrapping_sub(each.wrapping_mul(rounds[0]));
            let more = Bv::new(ADDRESS, u128::from(more as u64));
            out.push(Walk { start, counter, each, more });
        }
    }
    Some(out)
}

impl<K> Guess<K> for Walks {
    fn relations(&self, _: &K, at: &Observed<'_>) -> Vec<Constraint> {
        let left = |name: &str| Box::new(Expr::Var(Side::Left, name.to_owned()));
        let narrow = moving(&at.left, COUNTER);
        let numbers =
            |(name, values): &(_, &[Bv])| Some((*name, values.iter().map(signed).collect::<Option<_>>()?));
        let counters: Vec<(&str, Vec<i64>)> = narrow.iter().filter_map(numbers).collect();
        let starts: Vec<(&str, &[Bv])> = at
            .left
            .numbered()
            .filter(|(_, w, _)| *w == ADDRESS)
            .map(|(name, _, values)| (name, values))
            .collect();
        let (mut out, mut seen) = (Vec::new(), Vec::new());
        for (name, values) in moving(&at.right, ADDRESS) {
            let found = walks(values, &starts, &counters).unwrap_or_default();
            for walk in found.into_iter().take(PARTNERS) {
                // The last is tried first.
                for signed in [false, true] {
                    let counter = left(walk.counter);
                    let wide =
                        if signed { Expr::Sext(counter, ADDRESS) } else { Expr::Zext(counter, ADDRESS) };
                    let each = Bv::new(ADDRESS, u128::from(walk.each as u64));
                    let along = if walk.each == 1 { wide } else { Expr::Scaled(Box::new(wide), each) };
                    let sum = Expr::Sum(left(walk.start), Box::new(along));
                    let sum = if walk.more.is_zero() {
                        sum
                    } else {
                        Expr::Offset(Box::new(sum), walk.more.clone())
                    };
                    out.push(Constraint { a: Expr::Var(Side::Right, name.to_owned()), b: sum });
                }
                seen.push(walk);
            }
        }
        for a in &seen {
            for b in seen.iter().filter(|b| b.start == a.start && b.each == a.each && b.counter != a.counter)
            {
                let of = |name: &str| counters.iter().find(|(n, _)| *n == name).map(|(_, values)| values);
                let (Some(x), Some(y)) = (of(a.counter), of(b.counter)) else { continue };
                if x.iter().zip(y).all(|(x, y)| x < y) {
                    let a = Expr::Less(true, left(a.counter), left(b.counter));
                    out.push(Constraint { a, b: Expr::Const(Bv::one(1)) });
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn an_address_goes_with_a_counter_by_equal_steps() {
        assert_eq!(each(&[0, 8, 16, 80], &[0, 1, 2, 10]), Some(8));
        assert_eq!(each(&[9, 7, 5], &[1, 3, 5]), Some(-1));
        assert_eq!(each(&[0, 8, 17], &[0, 1, 2]), None);
        assert_eq!(each(&[0, 8], &[1, 1]), None);
        assert_eq!(each(&[3, 3], &[1, 2]), None);
    }
}
