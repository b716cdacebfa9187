//! A file as passes over tokens see it: tokens with their partners among brackets.

use crate::tokens::{Token, TokenKind};
use crate::{Case, Hint, Patch};
use std::ops::Range;

/// A file's tokens.
pub struct Tokened<'c> {
    /// Which file of the case.
    pub file: usize,
    /// Its text.
    pub text: &'c [u8],
    /// Its tokens.
    pub tokens: &'c [Token],
    /// Of each bracket the index of the other; `None` for what is no bracket or has no partner.
    pub partner: Vec<Option<usize>>,
}

impl<'c> Tokened<'c> {
    /// All files of a case.
    pub fn all(case: &'c Case) -> impl Iterator<Item = Tokened<'c>> {
        case.files.iter().enumerate().map(|(index, file)| {
            let (text, tokens) = (&file.text[..], file.tokens());
            Tokened { file: index, text, tokens, partner: partners(text, tokens) }
        })
    }

    /// The text of a token.
    pub fn word(&self, index: usize) -> &'c [u8] {
        &self.text[self.tokens[index].span.clone()]
    }

    /// Is this token this mark or word?
    pub fn is(&self, index: usize, word: &[u8]) -> bool {
        index < self.tokens.len() && self.word(index) == word
    }

    /// The bytes of some tokens.
    pub fn span(&self, tokens: Range<usize>) -> Range<usize> {
        self.tokens[tokens.start].span.start..self.tokens[tokens.end - 1].span.end
    }

    /// A deletion of tokens that leaves a blank where words would touch.
    pub fn cut(&self, tokens: Range<usize>) -> Patch {
        let span = self.span(tokens);
        let before = span.start.checked_sub(1).map(|at| self.text[at]);
        let after = self.text.get(span.end).copied();
        let touch = before.zip(after).is_some_and(|(a, b)| touches(a, b));
        Patch { file: self.file, span, with: if touch { b" ".to_vec() } else { Vec::new() } }
    }

    /// A hint of one such deletion.
    pub fn hint(&self, tokens: Range<usize>) -> Hint {
        Hint { patches: vec![self.cut(tokens)] }
    }

    /// The depth of brackets never falls below where it began, and ends there.
    pub fn is_balanced(&self, tokens: Range<usize>) -> bool {
        tokens.clone().all(|at| match self.partner[at] {
            Some(partner) => tokens.contains(&partner),
            None => true,
        })
    }

    /// Is it an opening bracket with a partner?
    pub fn opens(&self, index: usize) -> bool {
        self.partner[index].is_some_and(|partner| partner > index)
    }

    /// Is it a closing bracket with a partner?
    pub fn closes(&self, index: usize) -> bool {
        self.partner[index].is_some_and(|partner| partner < index)
    }

    /// Where what this token belongs to begins or ends: behind or before the nearest unmatched bracket, comma, semicolon
    /// or other boundary.
    pub fn extent(&self, index: usize, boundary: &dyn Fn(usize) -> bool) -> Range<usize> {
        let mut start = index;
        while start > 0 {
            let before = start - 1;
            if self.opens(before) || boundary(before) {
                break;
            }
            start = if self.closes(before) { self.partner[before].unwrap_or(before) } else { before };
        }
        let mut end = index + 1;
        while end < self.tokens.len() {
            if self.closes(end) || boundary(end) {
                break;
            }
            end = if self.opens(end) { self.partner[end].unwrap_or(end) + 1 } else { end + 1 };
        }
        start..end
    }

    /// Is it one of these marks?
    pub fn is_any(&self, index: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(index, word.as_bytes()))
    }

    /// Does it end or begin an operand?
    pub fn is_operand(&self, index: usize) -> bool {
        match self.tokens[index].kind {
            TokenKind::Name | TokenKind::Number | TokenKind::Quoted => true,
            TokenKind::Keyword | TokenKind::Mark | TokenKind::Directive => false,
        }
    }
}

/// Would two bytes become one token, or one operator, beside each other?
fn touches(a: u8, b: u8) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    word(a) && word(b) || a == b && matches!(a, b'+' | b'-' | b'&' | b'|' | b'<' | b'>' | b'=' | b'/')
}

fn partners(text: &[u8], tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; tokens.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Directive {
            continue;
        }
        match &text[token.span.clone()] {
            b"(" => open.push((index, b')')),
            b"[" => open.push((index, b']')),
            b"{" => open.push((index, b'}')),
            [close @ (b')' | b']' | b'}')] => {
                // A bracket of another kind leaves what it crosses without partners.
                if let Some(depth) = open.iter().rposition(|(_, expected)| expected == close) {
                    let (other, _) = open[depth];
                    open.truncate(depth);
                    (partner[index], partner[other]) = (Some(other), Some(index));
                }
            }
            _ => {}
        }
    }
    partner
}
