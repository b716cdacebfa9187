//! Equal values: variables that had the same values in every run.

use super::{Guess, Observed, PARTNERS, equal};
use crate::model::{Constraint, VarSort};

/// The same name first: it then defines the variable.
pub(crate) struct Equals;

impl Guess for Equals {
    fn relations(&self, (): &(), at: &Observed<'_>) -> Vec<Constraint> {
        let mut out = Vec::new();
        for (j, r) in at.right.vars.iter().enumerate().filter(|_| at.visited) {
            let (VarSort::Bv(_), Some(values)) = (r.sort, at.right.numbers(j)) else { continue };
            let mut partners = at.equals(j, values);
            partners.sort_by_key(|i| at.left.vars[*i].name != r.name);
            out.extend(partners.iter().take(PARTNERS).map(|i| equal(at.right.var(j), at.left.var(*i))));
        }
        out
    }
}
