//! A portfolio: the embedded solver first, and where it gives up the external ones, one after the other.
//!
//! They are not raced. The embedded solver has its whole budget, so that what it answers does not hang on who is
//! installed; and the others are asked in the order given, so that an answer does not hang on who is first. What an
//! external solver says within its time still depends on the machine, so proofs use none unless asked to, and a verdict
//! that was reached with them is not promised to be the same elsewhere.

use super::external::External;
use super::{Answer, Limits, Solver};
use crate::{Embedded, Pool, TermId};

/// The embedded solver and external ones.
pub struct Portfolio {
    embedded: Embedded,
    others: Vec<External>,
    /// Was the last answer the embedded solver's?
    own: bool,
}

impl Portfolio {
    /// The embedded solver with these others.
    pub fn new(others: Vec<External>) -> Portfolio {
        Portfolio { embedded: Embedded::new(), others, own: false }
    }

    /// The embedded solver with all found on this machine.
    pub fn of_machine() -> Portfolio {
        Portfolio::new(super::external::found())
    }
}

impl Solver for Portfolio {
    fn name(&self) -> &str {
        "portfolio"
    }

    fn core(&self) -> Option<&[TermId]> {
        if self.own { self.embedded.core() } else { None }
    }

    fn check(&mut self, pool: &mut Pool, asked: &[TermId], limits: &Limits) -> Answer {
        let mut answer = self.embedded.check(pool, asked, limits);
        self.own = !matches!(answer, Answer::Unknown(_));
        for other in &mut self.others {
            if !matches!(answer, Answer::Unknown(_)) || crate::effort::ceiling_reached() {
                break;
            }
            match other.check(pool, asked, limits) {
                // What the embedded solver lacked is the reason that counts.
                Answer::Unknown(_) => {}
                definite => answer = definite,
            }
        }
        answer
    }
}
