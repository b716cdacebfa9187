//! Brackets with what is between them.

use super::tokened::Tokened;
use crate::passes::Pass;
use crate::{Case, Hint};

/// Removes balanced brackets with their content, or the content alone.
pub struct Brackets;

impl Pass for Brackets {
    fn name(&self) -> &'static str {
        "brackets"
    }

    fn about(&self) -> &'static str {
        "Removes balanced brackets with their content, or the content alone."
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let (mut whole, mut inner) = (Vec::new(), Vec::new());
        for file in Tokened::all(case) {
            for at in 0..file.tokens.len() {
                let Some(close) = file.partner[at].filter(|close| *close > at) else { continue };
                whole.push(file.hint(at..close + 1));
                if close > at + 1 {
                    inner.push(file.hint(at + 1..close));
                }
            }
        }
        inner.extend(whole);
        inner
    }
}
