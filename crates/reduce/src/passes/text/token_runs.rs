//! Runs of tokens.

use super::tokened::Tokened;
use crate::passes::{Pass, Stage};
use crate::{Case, Hint};

/// Removes tokens that follow each other.
pub struct TokenRuns;

/// Tokens of the longest run.
const LONGEST: usize = 14;

impl Pass for TokenRuns {
    fn name(&self) -> &'static str {
        "token-runs"
    }

    fn about(&self) -> &'static str {
        "Removes up to 14 tokens that follow each other, brackets in pairs."
    }

    fn stage(&self) -> Stage {
        Stage::Fine
    }

    fn alternatives(&self) -> bool {
        true
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for length in 1..=LONGEST {
            for file in Tokened::all(case) {
                for start in 0..(file.tokens.len() + 1).saturating_sub(length) {
                    let run = start..start + length;
                    if file.is_balanced(run.clone()) {
                        hints.push(file.hint(run));
                    }
                }
            }
        }
        hints
    }
}
