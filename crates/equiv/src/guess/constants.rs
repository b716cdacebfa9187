//! Constants: variables of either side that had one value in every run, or the address of a place in a declared object.

use super::{Guess, Observed, constant, equal};
use crate::model::{Constraint, Expr};
use smt::Bv;

/// Bits of an address.
const ADDRESS: u32 = 64;

/// How far a place is from the start of its object, at most: in bytes.
const FAR: u64 = 4096;

/// The left's and the right's.
pub(crate) struct Constants;

impl Guess for Constants {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        for side in [&at.left, &at.right].into_iter().filter(|_| at.visited) {
            for i in 0..side.vars.len() {
                if let Some(values) = side.numbers(i).filter(|v| constant(v)) {
                    out.push(equal(side.var(i), Expr::Const(values[0].clone())));
                    out.extend(place(&values[0], at.objects).map(|place| equal(side.var(i), place)));
                }
            }
        }
        out
    }
}

/// An address as that of an object and a distance. What programs have in memory lies at one address in all runs.
fn place(at: &Bv, objects: &[(String, Bv)]) -> Option<Expr> {
    let address = at.to_u64().filter(|_| at.width() == ADDRESS)?;
    let ahead = |(name, base): &(String, Bv)| {
        let by = address.checked_sub(base.to_u64().filter(|_| base.width() == ADDRESS)?)?;
        (by <= FAR).then(|| (by, name.clone()))
    };
    let (by, name) = objects.iter().filter_map(ahead).min()?;
    let base = Expr::Symbol(name, ADDRESS);
    Some(if by == 0 { base } else { Expr::Offset(Box::new(base), Bv::new(ADDRESS, u128::from(by))) })
}
