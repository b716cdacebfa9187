//! Brackets without what is between them.

use super::tokened::Tokened;
use crate::passes::Pass;
use crate::{Case, Hint};

/// Removes a pair of brackets and keeps the content; with what stands before it, up to the beginning of the statement, too.
pub struct Unwrap;

impl Pass for Unwrap {
    fn name(&self) -> &'static str {
        "unwrap"
    }

    fn about(&self) -> &'static str {
        "Removes a pair of brackets and keeps the content, with and without what stands before it."
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let (mut bare, mut headed) = (Vec::new(), Vec::new());
        for file in Tokened::all(case) {
            for at in 0..file.tokens.len() {
                let Some(close) = file.partner[at].filter(|close| *close > at) else { continue };
                bare.push(Hint { patches: vec![file.cut(at..at + 1), file.cut(close..close + 1)] });
                let boundary = |t: usize| file.is_any(t, &[";", "}", "{", ","]);
                let start = file.extent(at, &boundary).start;
                if start < at {
                    headed.push(Hint { patches: vec![file.cut(start..at + 1), file.cut(close..close + 1)] });
                }
            }
        }
        headed.extend(bare);
        headed
    }
}
