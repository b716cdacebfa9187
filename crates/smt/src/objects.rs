//! Which addresses of a run on numbers lie in one object, as the run was told of ranges of addresses.
//!
//! What is told first holds throughout a run: memory that is given back or made later changes no object that an address
//! lies in. Objects have no holes, so what is told of some ranges decides others: where two addresses lie in one object,
//! what is between them does too, and ranges that meet are of one object. (Ranges that only touch may be of two; a run
//! takes the layout where they are of one, as it takes bytes beside each other that may be accessed.) Where what memory
//! tells of a range does not go with what was told before, nothing is said.

use std::collections::BTreeMap;

/// What was told of ranges of addresses: the first address, and the last or the one behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    /// The last address of a range in one object, by the first. None of these ranges meet.
    together: BTreeMap<u64, u64>,
    /// Addresses that lie in no object both.
    apart: Vec<(u64, u64)>,
}

impl Objects {
    /// Whether the ends of a range lie in one object, where memory now says so or not.
    pub(crate) fn told(&mut self, (low, high): (u64, u64), said: Option<bool>) -> Option<bool> {
        let holds = |(a, b): (u64, u64), (c, d): (u64, u64)| a <= c && d <= b;
        if let Some((first, last)) = self.together.range(..=low).next_back()
            && holds((*first, *last), (low, high))
        {
            return Some(true);
        }
        if self.apart.iter().any(|gap| holds((low, high), *gap)) {
            return Some(false);
        }
        match said? {
            false => self.apart.push((low, high)),
            true => {
                // No two of the ranges meet, so those that this one meets are all that become part of it.
                let meets = self.together.range(..=high).rev().take_while(|(_, last)| **last >= low);
                let whole = meets.fold((low, high), |(a, b), (first, last)| (a.min(*first), b.max(*last)));
                if self.apart.iter().any(|gap| holds(whole, *gap)) {
                    return None;
                }
                self.together.retain(|first, last| !holds(whole, (*first, *last)));
                self.together.insert(whole.0, whole.1);
            }
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Concrete, Domain};

    #[test]
    fn objects_have_no_holes() {
        let mut objects = Objects::default();
        assert_eq!(objects.told((100, 204), Some(true)), Some(true));
        assert_eq!(objects.told((204, 300), Some(true)), Some(true));
        // Another way to the same place, behind a call that gave memory back.
        assert_eq!(objects.told((180, 284), Some(false)), Some(true));
        assert_eq!(objects.told((100, 301), Some(false)), Some(false));
        assert_eq!(objects.told((100, 400), Some(true)), Some(false), "what is not of one object stays so");
        assert_eq!(objects.told((90, 100), None), None);
    }

    #[test]
    fn what_contradicts_itself_says_nothing() {
        let mut objects = Objects::default();
        assert_eq!(objects.told((100, 120), Some(false)), Some(false));
        assert_eq!(objects.told((90, 110), Some(true)), Some(true));
        assert_eq!(
            objects.told((110, 130), Some(true)),
            None,
            "the ends of the first would be of one object"
        );
        assert_eq!(objects.told((115, 130), Some(true)), Some(true));
        assert_eq!(objects.told((112, 114), Some(true)), Some(true));
        assert_eq!(objects.told((60, 120), Some(true)), Some(false));
    }

    #[test]
    fn ranges_are_joined_on_both_sides() {
        let mut objects = Objects::default();
        for range in [(10, 20), (40, 50), (60, 70), (22, 24), (15, 45)] {
            assert_eq!(objects.told(range, Some(true)), Some(true));
        }
        assert_eq!(objects.told((10, 50), Some(false)), Some(true));
        assert_eq!(objects.told((50, 60), Some(false)), Some(false));
        assert_eq!(objects.told((61, 70), Some(false)), Some(true));
    }

    #[test]
    fn addresses_in_one_declared_object_are_told() {
        let mut d = Concrete::new(1);
        d.declare_object("a", 64, 8);
        let a = d.symbol("a", 64);
        let mut at = |n: u128| {
            let n = d.num(64, n);
            d.add(&a, &n)
        };
        let (first, end, behind, far, farther) = (at(0), at(8), at(9), at(20), at(30));
        assert_eq!(d.shares_object(&first, &end), Some(true));
        assert_eq!(d.shares_object(&first, &behind), Some(false));
        assert_eq!(d.shares_object(&far, &farther), None);
    }
}
