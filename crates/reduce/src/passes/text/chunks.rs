//! What stands outside of all brackets: definitions and declarations, forms, paragraphs.

use super::tokened::Tokened;
use crate::passes::{Pass, Stage};
use crate::tokens::{TokenKind, is_c_like};
use crate::{Case, Hint};

/// Removes what stands at the top level.
pub struct Chunks;

impl Pass for Chunks {
    fn name(&self) -> &'static str {
        "chunks"
    }

    fn about(&self) -> &'static str {
        "Removes definitions and declarations at the top level, told apart by brackets alone."
    }

    fn stage(&self) -> Stage {
        Stage::Coarse
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for file in Tokened::all(case) {
            if is_c_like(&case.files[file.file].name) {
                declarations(&file, &mut hints);
            } else {
                groups(&file, &mut hints);
            }
        }
        hints
    }
}

/// Ends at `;` and at a closing brace that nothing follows which belongs to it.
fn declarations(file: &Tokened<'_>, hints: &mut Vec<Hint>) {
    let (mut start, mut at) = (0, 0);
    while at < file.tokens.len() {
        if file.tokens[at].kind == TokenKind::Directive {
            (start, at) = (at + 1, at + 1);
            continue;
        }
        let opening = at;
        if file.opens(at) {
            at = file.partner[at].unwrap_or(at);
        }
        let next = at + 1;
        let goes_on = file.is_any(next, &[";", ",", "=", "__attribute__"])
            || next + 1 < file.tokens.len()
                && file.is_operand(next)
                && file.is_any(next + 1, &[";", ",", "[", "="]);
        let block_ends = file.is(opening, b"{") && at > opening && !goes_on;
        if file.is(at, b";") || block_ends {
            hints.push(file.hint(start..next));
            start = next;
        }
        at = next;
    }
}

/// Lines, as many together as it takes for brackets to close.
fn groups(file: &Tokened<'_>, hints: &mut Vec<Hint>) {
    let (mut start, mut at) = (0, 0);
    let mut token = 0;
    for line in file.text.split_inclusive(|b| *b == b'\n') {
        at += line.len();
        let mut inside = false;
        while let Some(next) = file.tokens.get(token).filter(|t| t.span.start < at) {
            if file.opens(token) {
                let close = file.partner[token].unwrap_or(token);
                if file.tokens[close].span.start >= at {
                    inside = true;
                    break;
                }
                token = close;
            }
            let _ = next;
            token += 1;
        }
        if !inside {
            hints.push(Hint::cut(file.file, start..at));
            start = at;
        }
    }
}
