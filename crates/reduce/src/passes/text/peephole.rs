//! Small replacements.

use super::tokened::Tokened;
use crate::passes::{Pass, Stage};
use crate::tokens::TokenKind;
use crate::{Case, Hint};

/// Puts 0 or 1 for names, calls and what is in parentheses, and simpler keywords for others.
pub struct Peephole;

/// Words, and what may stand for them.
const SIMPLER: &[(&str, &str)] = &[
    ("while", "if"),
    ("double", "int"),
    ("float", "int"),
    ("long", "int"),
    ("short", "int"),
    ("char", "int"),
];

impl Pass for Peephole {
    fn name(&self) -> &'static str {
        "peephole"
    }

    fn about(&self) -> &'static str {
        "Puts 0 or 1 for names, calls and parentheses, and simpler keywords for others."
    }

    fn stage(&self) -> Stage {
        Stage::Fine
    }

    fn alternatives(&self) -> bool {
        true
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for file in Tokened::all(case) {
            let put = |span, with: &str| Hint::put(file.file, span, with);
            for at in 0..file.tokens.len() {
                let call = file.is_operand(at) && file.is(at + 1, b"(");
                let group_end =
                    |open: usize| file.partner[open].filter(|close| *close > open).map(|close| close + 1);
                let part = match (call, file.is(at, b"(")) {
                    (true, _) => group_end(at + 1).map(|end| at..end),
                    (_, true) => group_end(at).map(|end| at..end),
                    (false, false) => None,
                };
                let part = part.or_else(|| file.is_operand(at).then_some(at..at + 1));
                if let Some(part) = part {
                    let alone = part.len() == 1;
                    let span = file.span(part);
                    // What stands there already is no change.
                    let other = |with: &&str| !(alone && file.word(at) == with.as_bytes());
                    hints.extend(["0", "1"].iter().filter(|w| other(w)).map(|w| put(span.clone(), w)));
                }
                let word = file.word(at);
                let simpler = SIMPLER.iter().filter(|(from, _)| from.as_bytes() == word);
                let keyword = file.tokens[at].kind == TokenKind::Keyword;
                hints
                    .extend(simpler.filter(|_| keyword).map(|(_, to)| put(file.tokens[at].span.clone(), to)));
            }
        }
        hints
    }
}
