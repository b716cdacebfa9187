//! Elements of lists with commas: arguments, initialisers, declarators, enumerators.

use super::tokened::Tokened;
use crate::passes::Pass;
use crate::{Case, Hint};

/// Removes an element with a comma beside it.
pub struct Elements;

impl Pass for Elements {
    fn name(&self) -> &'static str {
        "elements"
    }

    fn about(&self) -> &'static str {
        "Removes elements of lists with commas."
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for file in Tokened::all(case) {
            let comma = |t: usize| file.is_any(t, &[",", ";", "="]);
            for at in 0..file.tokens.len() {
                if !file.is(at, b",") || at == 0 || at + 1 >= file.tokens.len() {
                    continue;
                }
                // The element behind with this comma; the first one with the comma behind it.
                if !file.closes(at + 1) {
                    let end = element_end(&file, at + 1);
                    hints.push(file.hint(at..end));
                }
                if !file.opens(at - 1) && !comma(at - 1) {
                    let start = file.extent(at - 1, &comma).start;
                    let first = start == 0 || !file.is(start - 1, b",");
                    if first && start < at {
                        hints.push(file.hint(start..at + 1));
                    }
                }
            }
        }
        hints
    }
}

/// The end of the element that begins at a token: before the next comma, semicolon or closing bracket.
fn element_end(file: &Tokened<'_>, start: usize) -> usize {
    let mut end = start;
    while end < file.tokens.len() && !file.closes(end) && !file.is_any(end, &[",", ";"]) {
        end = if file.opens(end) { file.partner[end].unwrap_or(end) + 1 } else { end + 1 };
    }
    end
}
