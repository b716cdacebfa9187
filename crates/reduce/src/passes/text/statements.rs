//! What stands between semicolons and braces.

use super::tokened::Tokened;
use crate::passes::Pass;
use crate::{Case, Hint};

/// Removes statements, told apart by `;`, `{` and `}` alone.
pub struct Statements;

impl Pass for Statements {
    fn name(&self) -> &'static str {
        "text-statements"
    }

    fn about(&self) -> &'static str {
        "Removes what stands between semicolons and braces within braces."
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for file in Tokened::all(case) {
            let mut spans = Vec::new();
            // Where the present statement begins, for each open brace.
            let mut begun: Vec<usize> = Vec::new();
            let mut at = 0;
            while at < file.tokens.len() {
                let next = at + 1;
                if file.is(at, b"{") && file.opens(at) {
                    begun.push(next);
                } else if file.is(at, b"}") && file.closes(at) {
                    begun.pop();
                    if let Some(start) = begun.last_mut() {
                        spans.push(*start..next);
                        *start = next;
                    }
                } else if file.is(at, b";") {
                    if let Some(start) = begun.last_mut() {
                        spans.push(*start..next);
                        *start = next;
                    }
                } else if file.opens(at) {
                    at = file.partner[at].unwrap_or(at);
                }
                at += 1;
            }
            spans.sort_by_key(|span| span.start);
            hints.extend(spans.into_iter().map(|span| file.hint(span)));
        }
        hints
    }
}
