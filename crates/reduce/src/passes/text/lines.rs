//! Lines.

use crate::passes::Pass;
use crate::{Case, Hint};

/// A file of more lines is left to the passes over syntax if they can read it: they take the same away with fewer tests.
const MANY: usize = 200;

/// Removes lines.
pub struct Lines;

impl Pass for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn about(&self) -> &'static str {
        "Removes lines."
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for (index, file) in case.files.iter().enumerate() {
            let lines = file.text.iter().filter(|b| **b == b'\n').count();
            if lines > MANY && file.syntax().is_some() {
                continue;
            }
            let mut at = 0;
            for line in file.text.split_inclusive(|b| *b == b'\n') {
                hints.push(Hint::cut(index, at..at + line.len()));
                at += line.len();
            }
        }
        hints
    }
}
