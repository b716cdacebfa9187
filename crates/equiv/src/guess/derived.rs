//! Derived values: a variable that always was another one extended, cut, or moved by a constant.

use super::{Guess, Observed, PARTNERS, constant, equal};
use crate::model::{Constraint, Expr, VarSort};
use smt::Bv;

/// Most variables that differ by a constant from one.
const OFFSETS: usize = 4;

/// Nothing is derived of constants, nor by offsets of what has an equal.
pub(crate) struct Derived;

impl Guess for Derived {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        for (j, r) in at.right.vars.iter().enumerate().filter(|_| at.visited) {
            let (VarSort::Bv(w), Some(s)) = (r.sort, at.right.numbers(j)) else { continue };
            let equals = at.equals(j, s);
            if constant(s) && !equals.is_empty() {
                continue;
            }
            let mut found = equals.len();
            for (i, l) in at.left.vars.iter().enumerate() {
                let (VarSort::Bv(lw), Some(t)) = (l.sort, at.left.numbers(i)) else { continue };
                if lw != w && found < PARTNERS {
                    let before = out.len();
                    widths((s, at.right.var(j)), (t, at.left.var(i)), &mut out);
                    found += usize::from(out.len() > before);
                } else if lw == w && equals.is_empty() && !constant(t) && found < OFFSETS {
                    let k = s[0].sub(&t[0]);
                    if s.iter().zip(t).all(|(x, y)| x.sub(y) == k) {
                        out.push(equal(at.right.var(j), Expr::Offset(Box::new(at.left.var(i)), k)));
                        found += 1;
                    } else if let Some(low) = low_bits(s, t) {
                        let [r, l] = [at.right.var(j), at.left.var(i)].map(|x| Expr::Trunc(Box::new(x), low));
                        out.push(equal(r, l));
                        found += 1;
                    }
                }
            }
        }
        out
    }
}

/// The most low bits (32, 16 or 8) that two variables always had in common: a target leaves out a mask whose cleared bits are
/// never read. None where those bits never changed.
fn low_bits(s: &[Bv], t: &[Bv]) -> Option<u32> {
    let all = s[0].width();
    let same = |low: u32| s.iter().zip(t).all(|(x, y)| x.trunc(low) == y.trunc(low));
    [32, 16, 8]
        .into_iter()
        .find(|low| *low < all && same(*low) && s.iter().any(|x| x.trunc(*low) != s[0].trunc(*low)))
}

/// Relations between values of different widths.
fn widths((s, r): (&[Bv], Expr), (t, l): (&[Bv], Expr), out: &mut Vec<Constraint>) {
    let (w, lw) = (s[0].width(), t[0].width());
    if w > lw {
        if s.iter().zip(t).all(|(x, y)| *x == y.zext(w)) {
            out.push(Constraint { a: r.clone(), b: Expr::Zext(Box::new(l.clone()), w) });
        }
        if lw > 1 && s.iter().zip(t).all(|(x, y)| *x == y.sext(w)) {
            out.push(Constraint { a: r.clone(), b: Expr::Sext(Box::new(l.clone()), w) });
        }
        if lw > 1 && s.iter().zip(t).all(|(x, y)| x.trunc(lw) == *y) {
            out.push(Constraint { a: l, b: Expr::Trunc(Box::new(r), lw) });
        }
    } else {
        if s.iter().zip(t).all(|(x, y)| x.zext(lw) == *y) {
            out.push(Constraint { a: l.clone(), b: Expr::Zext(Box::new(r.clone()), lw) });
        }
        if w > 1 && s.iter().zip(t).all(|(x, y)| x.sext(lw) == *y) {
            out.push(Constraint { a: l.clone(), b: Expr::Sext(Box::new(r.clone()), lw) });
        }
        if w > 1 && s.iter().zip(t).all(|(x, y)| y.trunc(w) == *x) {
            out.push(Constraint { a: r, b: Expr::Trunc(Box::new(l), w) });
        }
    }
}
