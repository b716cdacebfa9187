//! Values that are the same as long as a number is above zero: compilers compute the limit of a loop in front of the question
//! whether the loop runs at all, each in a way that is right only where it does.

use super::walks::{ADDRESS, COUNTER};
use equiv::{Constraint, Expr, Guess, Observed, ObservedSide, Operation, Side};
use smt::Bv;

/// Most variables of a side, and visits, one bit each.
const VARIABLES: usize = 48;
const VISITS: usize = 64;

/// Most relations of one variable.
const PARTNERS: usize = 4;

/// Numbers up to here are often the same by chance.
const SMALL: u64 = 255;

/// Of machine code.
pub(crate) struct Guarded;

pub(super) type Column<'a> = (&'a str, Vec<&'a Bv>);

/// Variables of a width that did not have one value at all visits, with what they held at some, from the first to the last.
pub(super) fn moving<'a>(side: &'a ObservedSide<'_>, width: u32) -> Vec<Column<'a>> {
    let spread = |values: &'a [Bv]| values.iter().step_by(values.len().div_ceil(VISITS).max(1)).collect();
    side.changing(width).map(|(name, values)| (name, spread(values))).take(VARIABLES).collect()
}

/// The visits, as bits, of which something holds.
fn visits(count: usize, holds: impl Fn(usize) -> bool) -> u64 {
    (0..count).filter(|n| holds(*n)).fold(0, |set, n| set | 1 << n)
}

/// A number that says by its sign, or by being none, which visits it is about.
struct Guard {
    says: Expr,
    of: u64,
}

fn guards(side: &ObservedSide<'_>) -> Vec<Guard> {
    let mut out: Vec<Guard> = Vec::new();
    let all = [COUNTER, ADDRESS]
        .into_iter()
        .flat_map(|width| moving(side, width).into_iter().map(move |v| (v, width)));
    for ((name, values), width) in all {
        let every = visits(values.len(), |_| true);
        // A register may hold a number of half its width.
        for (signed, bits) in [(true, COUNTER), (false, COUNTER), (true, ADDRESS), (false, ADDRESS)] {
            let above = |v: &Bv| !(v.trunc(bits).is_zero() || signed && v.bit(bits - 1));
            if bits > width {
                continue;
            }
            let of = visits(values.len(), |n| above(values[n]));
            if of != every {
                let zero = Box::new(Expr::Const(Bv::new(bits, 0)));
                let whole = Expr::Var(Side::Left, name.to_owned());
                let number = if bits < width { Expr::Trunc(Box::new(whole), bits) } else { whole };
                out.push(Guard { says: Expr::Less(signed, zero, Box::new(number)), of });
            }
        }
    }
    out
}

/// That two variables are the same where a guard says so.
fn unless(guard: &Expr, a: (Side, &str), b: (Side, &str)) -> Constraint {
    let [a, b] = [a, b].map(|(side, name)| Box::new(Expr::Var(side, name.to_owned())));
    let less = Expr::Less(false, a.clone(), b.clone());
    let differ = Expr::Either(Box::new(less), Box::new(Expr::Less(false, b, a)));
    let wrong = Expr::Binary(Operation::Both, Box::new(guard.clone()), Box::new(differ));
    Constraint { a: wrong, b: Expr::Const(Bv::new(1, 0)) }
}

impl<K> Guess<K> for Guarded {
    fn relations(&self, _: &K, at: &Observed<'_>) -> Vec<Constraint> {
        let guards = guards(&at.left);
        let (mut out, lefts) = (Vec::new(), moving(&at.left, ADDRESS));
        if guards.is_empty() {
            return out;
        }
        for (name, values) in moving(&at.right, ADDRESS) {
            let same = |own: &[&Bv]| visits(values.len(), |n| values[n] == own[n]);
            if lefts.iter().any(|(_, own)| values == *own) {
                continue;
            }
            let told = visits(values.len(), |n| values[n].to_u64().is_none_or(|v| v > SMALL));
            let mut found: Vec<(u32, Constraint)> = Vec::new();
            for (other, own) in &lefts {
                let same = same(own);
                // No visit may have come to where the loop runs: then it is the same register.
                let shown = |guard: &Guard| guard.of & told != 0 || guard.of == 0 && *other == name;
                for guard in guards.iter().filter(|guard| guard.of & !same == 0 && shown(guard)) {
                    let relation = unless(&guard.says, (Side::Right, name), (Side::Left, other));
                    found.push((guard.of.count_ones(), relation));
                }
            }
            found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            out.extend(found.into_iter().take(PARTNERS).map(|(_, relation)| relation));
        }
        out
    }
}
