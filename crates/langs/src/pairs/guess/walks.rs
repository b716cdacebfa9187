//! Pointers that walk along with a counter: the new code moves an address on in each round, and knows where it ends, where the
//! old one adds a counter to what it starts from; or the new code counts in other steps. And that such a counter has not reached
//! its limit yet: only then is the extended counter that of the next round, and only then does a multiple of it say which it is.

use super::words::{Word, words};
use crate::machine_code::Program;
use equiv::{Constraint, Expr, Guess, Observed, Side};
use smt::Bv;

/// Width of an address, and of a counter that is extended.
pub(super) const ADDRESS: u32 = 64;
pub(super) const COUNTER: u32 = 32;

/// Most ways to make a variable of the new code.
const PARTNERS: usize = 3;

/// Farthest that an address moves in a round, in bytes.
const FARTHEST: i64 = 1 << 16;

/// What a limit of 64 bits is below, that was one of 32.
const LIMIT: i64 = 1 << 31;

/// Most words of memory that a point is looked at for.
const WORDS: usize = 8;

/// Of machine code, whose variables have no types.
pub(crate) struct Walks<'a> {
    /// The old one.
    pub left: &'a Program,
}

/// A variable or a word of memory that counts, or that a counter ends at.
struct Counter {
    expr: Expr,
    width: u32,
    values: Vec<i64>,
}

/// A variable as a start, if any, a counter and so much for each round, and more.
struct Walk<'a> {
    start: Option<&'a Expr>,
    counter: &'a Counter,
    each: i64,
    more: i64,
}

/// A number with its sign.
fn signed(value: &Bv) -> Option<i64> {
    value.sext(64).to_u64().map(|v| v as i64)
}

/// So much for each round, if two columns go together: how far a variable is from its start, and a counter.
fn each(apart: &[i64], counter: &[i64]) -> Option<i64> {
    let by = |n: usize| Some((apart[n].checked_sub(apart[0])?, counter[n].checked_sub(counter[0])?));
    let (there, rounds) = (1..apart.len()).filter_map(by).find(|(_, rounds)| *rounds != 0)?;
    let each = there.checked_div(rounds).filter(|each| *each != 0 && each.abs() <= FARTHEST)?;
    let all = (0..apart.len())
        .all(|n| by(n).is_some_and(|(there, rounds)| rounds.checked_mul(each) == Some(there)));
    all.then_some(each)
}

/// The ways to make a variable of so many bits; none where it is a distance from another one, or that.
fn walks<'a>(
    (values, width): (&[Bv], u32),
    starts: &'a [Word],
    counters: &'a [Counter],
) -> Option<Vec<Walk<'a>>> {
    let mut out = Vec::new();
    let none = [(None, None)];
    let of_width = starts.iter().filter(|start| start.width == width);
    let of_width = of_width.map(|start| (Some(&start.expr), Some(&start.values[..])));
    for (start, from) in none.into_iter().chain(of_width) {
        let apart =
            values.iter().enumerate().map(|(n, v)| signed(&from.map_or(v.clone(), |from| v.sub(&from[n]))));
        let apart = apart.collect::<Option<Vec<i64>>>()?;
        if apart.windows(2).all(|two| two[0] == two[1]) {
            return None;
        }
        for counter in counters.iter().filter(|c| c.width <= width && Some(&c.expr) != start) {
            let Some(each) = each(&apart, &counter.values) else { continue };
            // A number that is extended, or a distance away, is said otherwise.
            if start.is_some() || each != 1 {
                let more = apart[0].wrapping_sub(each.wrapping_mul(counter.values[0]));
                out.push(Walk { start, counter, each, more });
            }
        }
    }
    Some(out)
}

impl Walk<'_> {
    /// As expressions for a variable of so many bits; the last is tried first.
    fn expressions(&self, width: u32) -> Vec<Expr> {
        let counter = Box::new(self.counter.expr.clone());
        let wide = match self.counter.width == width {
            true => vec![*counter],
            false => vec![Expr::Zext(counter.clone(), width), Expr::Sext(counter, width)],
        };
        let number = |n: i64| Bv::new(64, u128::from(n as u64)).trunc(width);
        let whole = |wide: Expr| {
            let along = if self.each == 1 { wide } else { Expr::Scaled(Box::new(wide), number(self.each)) };
            let sum = match self.start {
                Some(start) => Expr::Sum(Box::new(start.clone()), Box::new(along)),
                None => along,
            };
            if self.more == 0 { sum } else { Expr::Offset(Box::new(sum), number(self.more)) }
        };
        wide.into_iter().map(whole).collect()
    }
}

/// That one counter is below another, which goes along with the same: its limit.
fn limits(seen: &[Walk<'_>]) -> Vec<Constraint> {
    let (mut out, one) = (Vec::new(), || Expr::Const(Bv::one(1)));
    for a in seen {
        let alike =
            |b: &&Walk<'_>| b.start == a.start && b.each == a.each && b.counter.width == a.counter.width;
        for Walk { counter: limit, .. } in seen.iter().filter(alike) {
            let counter = a.counter;
            if limit.expr == counter.expr || !counter.values.iter().zip(&limit.values).all(|(x, y)| x < y) {
                continue;
            }
            let extended = counter.width == COUNTER;
            let (low, high) = (Box::new(counter.expr.clone()), Box::new(limit.expr.clone()));
            out.push(Constraint { a: Expr::Less(extended, low, high.clone()), b: one() });
            if !extended && limit.values.iter().all(|v| (0..LIMIT).contains(v)) {
                let bound = Bv::new(ADDRESS, LIMIT as u128);
                out.push(Constraint { a: Expr::Below(high, bound), b: one() });
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

impl Guess for Walks<'_> {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let variable = |(name, width, values): (&str, u32, &[Bv])| Word {
            expr: Expr::Var(at.left.side, name.to_owned()),
            width,
            values: values.to_vec(),
        };
        let mut starts: Vec<Word> = at.left.numbered().map(variable).collect();
        starts.extend(words(self.left, &at.left).into_iter().take(WORDS));
        let mut counters: Vec<Counter> = Vec::new();
        for width in [COUNTER, ADDRESS] {
            let changes = |word: &&Word| word.values.windows(2).any(|two| two[0] != two[1]);
            for word in starts.iter().filter(|word| word.width == width).filter(changes) {
                let values: Option<Vec<i64>> = word.values.iter().map(signed).collect();
                counters.extend(values.map(|values| Counter { expr: word.expr.clone(), width, values }));
            }
        }
        let (mut out, mut seen) = (Vec::new(), Vec::new());
        for width in [COUNTER, ADDRESS] {
            for (name, values) in at.right.changing(width) {
                let found = walks((values, width), &starts, &counters).unwrap_or_default();
                for walk in found.into_iter().take(PARTNERS) {
                    let a = || Expr::Var(Side::Right, name.to_owned());
                    out.extend(walk.expressions(width).into_iter().map(|b| Constraint { a: a(), b }));
                    seen.push(walk);
                }
            }
        }
        out.extend(limits(&seen));
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
