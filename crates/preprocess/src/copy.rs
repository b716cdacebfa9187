//! The fast path: text of the file in which no macro is used is copied without making tokens of it.
//!
//! It stops, at the start of a token, wherever something else is to be done: at directives, names of macros, bytes
//! that are no part of C and behind spliced lines.

use crate::error::Trouble;
use crate::lex::{self, BLANK, CLASS, DIGIT, PLAIN, START};
use crate::names::{Meaning, Symbol, hash};
use crate::state::Run;
use crate::token::{Kind, Tok};
use memchr::memchr;
use std::sync::Arc;

impl Run<'_> {
    /// Copies from the file to the result as far as it can.
    pub fn copy(&mut self) -> Result<(), Trouble> {
        let source = Arc::clone(&self.lexer.source);
        let text = &*source.text;
        // `run..at` is text to be copied as it is; `last` is where its last token starts, or for punctuators the
        // first of those that touch each other.
        let mut at = self.lexer.at;
        let mut run = at;
        let mut last = usize::MAX;
        let mut touching = false;
        let mut same_line = !self.is_elsewhere(self.lexer.line);
        loop {
            let b = text[at];
            let class = CLASS[b as usize];
            // White space, comments and line ends.
            if class & BLANK != 0 || b == b'\n' || b == b'/' && matches!(text[at + 1], b'*' | b'/') {
                if b == b' ' && at > run && same_line && simple(text[at + 1]) {
                    at += 1;
                    touching = false;
                    continue;
                }
                self.flush(&text[run..at]);
                self.lexer.at = at;
                let line = self.lexer.line;
                if !self.gap_to_token()? {
                    self.remember(text, last, touching);
                    return Ok(());
                }
                at = self.lexer.at;
                run = at;
                touching = false;
                if self.lexer.line != line || self.lexer.bol {
                    last = usize::MAX;
                    same_line = false;
                }
                continue;
            }
            if at >= self.lexer.next_splice() {
                break;
            }
            // A token begins here.
            let begins = run == at;
            let (end, punctuator) = if class & START != 0 {
                let end = at + text[at..].iter().take_while(|b| PLAIN[**b as usize]).count();
                let word = &text[at..end];
                let hash = hash(word);
                if self.names.maybe_macro(hash) && self.names.meaning_of(word, hash) != Meaning::Plain
                    || matches!(text[end], b'\\' | b'"' | b'\'')
                    || text[end] >= 0x80
                {
                    break;
                }
                (end, false)
            } else if class & DIGIT != 0 || b == b'.' && text[at + 1].is_ascii_digit() {
                (lex::number(text, at, self.dialect), false)
            } else {
                match b {
                    b'"' | b'\'' => match lex::quoted(text, at, b) {
                        (Kind::Other, _) => break,
                        (_, end) if end > self.lexer.next_splice() => break,
                        (_, end) => (end, false),
                    },
                    b'#' | b'%' if self.lexer.bol => break,
                    b'\\' | b'@' | b'`' | 1..=8 | 14..=31 | 127 => break,
                    _ => (at + 1, true),
                }
            };
            if begins {
                self.before_token(&mut same_line);
            }
            if !(punctuator && touching) {
                last = at;
            }
            touching = punctuator;
            at = end;
        }
        // A blank that was taken into the run belongs to the token at which it ends.
        let blank = at > run && text[at - 1] == b' ';
        self.flush(&text[run..at - usize::from(blank)]);
        self.lexer.white |= blank;
        self.lexer.at = at;
        self.remember(text, last, touching);
        Ok(())
    }

    fn flush(&mut self, text: &[u8]) {
        self.printer.out.extend_from_slice(text);
    }

    /// Passes white space, comments and line ends. False at the end of the file, and behind a splice.
    fn gap_to_token(&mut self) -> Result<bool, Trouble> {
        loop {
            if self.lexer.behind() {
                return Ok(false);
            }
            let at = self.lexer.at;
            let text = &self.lexer.source.text;
            match text[at] {
                b'\n' => {
                    self.lexer.at += 1;
                    self.lexer.line += 1;
                    self.lexer.line_start = self.lexer.at;
                    self.lexer.bol = true;
                    self.lexer.white = false;
                }
                b'/' if text[at + 1] == b'*' => self.lexer.block_comment()?,
                b'/' if text[at + 1] == b'/' && self.dialect.line_comments => {
                    let rest = &text[at..];
                    self.lexer.at += memchr(b'\n', rest).unwrap_or(rest.len());
                    self.lexer.white = true;
                }
                b if CLASS[b as usize] & BLANK != 0 => {
                    if self.lexer.at_end() {
                        return Ok(false);
                    }
                    self.lexer.at += 1;
                    self.lexer.white = true;
                }
                _ => return Ok(!(self.lexer.behind() || text[at] == b'/' && text[at + 1] == b'/')),
            }
        }
    }

    /// White space and line ends before a token of the file, at which the lexer stands.
    fn before_token(&mut self, same_line: &mut bool) {
        let (line, column) = (self.lexer.line, self.lexer.column());
        if self.lexer.bol || self.lexer.white && self.is_elsewhere(line) {
            self.change_line(line, column);
        }
        if self.lexer.white {
            self.printer.out.push(b' ');
        }
        *same_line = !self.is_elsewhere(line);
        self.lexer.bol = false;
        self.lexer.white = false;
        self.printer.printed = true;
        self.dirty = true;
    }

    /// Notes the last token that was copied: it may have to be kept apart from the next.
    fn remember(&mut self, text: &[u8], last: usize, punctuators: bool) {
        if last == usize::MAX {
            return;
        }
        let (mut kind, mut end) = lex::span(text, last, self.dialect);
        while punctuators && end < self.lexer.at {
            let next = lex::span(text, end, self.dialect);
            if next.0.text().is_empty() || next.1 > self.lexer.at {
                break;
            }
            (kind, end) = next;
        }
        self.printer.previous = Some(Tok::new(kind, 0, Symbol::EMPTY, 0, 0));
    }
}

/// May a blank before this byte be copied along? Not before white space, comments and ends of lines.
fn simple(b: u8) -> bool {
    CLASS[b as usize] & BLANK == 0 && !matches!(b, b'\n' | b'/')
}
