//! Binary search for the step with which a bug begins, and how far its outcome is to be trusted.

use crate::error::Error;
use crate::triage::model::{Confidence, Seen};

/// How often each side of a step is run again.
const REPEAT: u32 = 2;

/// The smallest number with which the bug shows.
pub struct Found {
    /// That number.
    pub first: u64,
    /// What running both sides again said.
    pub confidence: Confidence,
}

/// Searches `1..=most`, where the bug shows with `most` and not with 0: a number with which it shows and not with the one
/// before. What can't be told counts as not shown; the runs at the end decide whether that is believed.
pub fn first_that_shows(most: u64, mut ask: impl FnMut(u64) -> Result<Seen, Error>) -> Result<Found, Error> {
    let (mut right, mut wrong) = (0, most);
    while wrong - right > 1 {
        let middle = right + (wrong - right) / 2;
        match ask(middle)? {
            Seen::Shows => wrong = middle,
            Seen::Right | Seen::Unknown { .. } => right = middle,
        }
    }
    let mut confidence = Confidence::default();
    for _ in 0..REPEAT {
        confidence.add(ask(wrong)? == Seen::Shows);
        confidence.add(ask(right)? == Seen::Right);
    }
    Ok(Found { first: wrong, confidence })
}

impl Confidence {
    /// Counts a run.
    pub fn add(&mut self, agrees: bool) {
        self.runs += 1;
        self.agreed += u32::from(agrees);
    }

    /// Counts the runs of another conclusion that this one rests on.
    pub fn join(self, other: Confidence) -> Confidence {
        Confidence { agreed: self.agreed + other.agreed, runs: self.runs + other.runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_found_and_trusted_as_far_as_it_repeats() {
        let ask = |limit| move |n: u64| Ok(if n >= limit { Seen::Shows } else { Seen::Right });
        for limit in 1..=9 {
            let found = first_that_shows(9, ask(limit)).expect("no error");
            assert_eq!((found.first, found.confidence), (limit, Confidence { agreed: 4, runs: 4 }));
        }
        let mut calls = 0;
        let flaky = |n: u64| {
            calls += 1;
            Ok(if n >= 3 && calls % 3 != 0 { Seen::Shows } else { Seen::Right })
        };
        assert!(first_that_shows(4, flaky).expect("no error").confidence.share() < 1.0);
    }
}
