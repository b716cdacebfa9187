//! `#pragma` and `_Pragma` (C11 6.10.6, 6.10.9): a few are carried out here, the others are passed on.

use crate::error::Trouble;
use crate::lex::Lexer;
use crate::names::{Meaning, Symbol};
use crate::source::Source;
use crate::state::Run;
use crate::token::{Kind, Tok};
use std::sync::Arc;

/// Pragmas whose operands are expanded.
const EXPANDED: &[&[u8]] = &[b"message", b"redefine_extname"];

impl Run<'_> {
    /// `#pragma` on a line of its own.
    pub fn pragma_directive(&mut self, line: u32) -> Result<(), Trouble> {
        if let Some(text) = self.pragma()? {
            self.go_to_line(line);
            self.printer.out.extend_from_slice(b"#pragma ");
            self.printer.out.extend_from_slice(&text);
            self.printer.printed = true;
            self.printer.end_line();
        }
        Ok(())
    }

    /// Reads a pragma to the end of the line; its text, unless it was carried out.
    fn pragma(&mut self) -> Result<Option<Vec<u8>>, Trouble> {
        let first = self.directive_token()?;
        let word = first.spelling(&self.names);
        match word {
            b"once" => {
                self.only_once();
                return Ok(None);
            }
            b"push_macro" | b"pop_macro" => {
                let push = word == b"push_macro";
                self.push_or_pop(push)?;
                return Ok(None);
            }
            b"GCC" => {
                let second = self.directive_token()?;
                match second.spelling(&self.names) {
                    b"poison" => {
                        self.poison()?;
                        return Ok(None);
                    }
                    b"system_header" => {
                        if self.files.len() > 1 {
                            let next = self.lexer.line + 1;
                            if let Some(file) = self.files.last_mut() {
                                file.system = true;
                            }
                            self.mark(next, "");
                        }
                        return Ok(None);
                    }
                    b"error" => {
                        let rest = self.line_text_from_next(false)?;
                        return Err(self.reject_at(second, String::from_utf8_lossy(&rest).into_owned()));
                    }
                    b"warning" | b"dependency" => return Ok(None),
                    _ => {}
                }
                let mut text = b"GCC ".to_vec();
                text.extend_from_slice(&self.line_text(second, false)?);
                return Ok(Some(text));
            }
            _ => {}
        }
        let expand = EXPANDED.contains(&word);
        self.in_directive = true;
        let text = if expand {
            let mut text = word.to_vec();
            let next = self.get()?;
            let white = next.kind != Kind::Eof;
            let rest = self.line_text(next, true)?;
            if white {
                text.push(b' ');
            }
            text.extend_from_slice(&rest);
            text
        } else {
            self.line_text(first, false)?
        };
        Ok(Some(text))
    }

    fn line_text_from_next(&mut self, expand: bool) -> Result<Vec<u8>, Trouble> {
        let next = self.directive_token()?;
        self.line_text(next, expand)
    }

    /// `push_macro("NAME")`, `pop_macro("NAME")`
    fn push_or_pop(&mut self, push: bool) -> Result<(), Trouble> {
        let open = self.directive_token()?;
        let tok = self.directive_token()?;
        let close = self.directive_token()?;
        let text = self.names.text(tok.sym);
        if open.kind != Kind::LParen || tok.kind != Kind::Str || close.kind != Kind::RParen || text[0] != b'"'
        {
            // Compilers ignore it with a warning.
            return Ok(());
        }
        let name = text[1..text.len() - 1].trim_ascii().to_vec();
        let name = self.names.intern(&name);
        if push {
            let meaning = self.names.meaning(name);
            self.saved_macros.entry(name).or_default().push(meaning);
        } else if let Some(meaning) = self.saved_macros.get_mut(&name).and_then(Vec::pop) {
            self.names.set_meaning(name, meaning);
        }
        Ok(())
    }

    /// `GCC poison NAME ...`
    fn poison(&mut self) -> Result<(), Trouble> {
        loop {
            let tok = self.directive_token()?;
            match tok.kind {
                Kind::Eof => return Ok(()),
                Kind::Name => self.names.set_meaning(tok.sym, Meaning::Poisoned),
                _ => return Err(self.reject_at(tok, "invalid #pragma GCC poison directive")),
            }
        }
    }

    /// `_Pragma ( "text" )`, the name being read.
    pub fn pragma_operator(&mut self, name: Tok) -> Result<(), Trouble> {
        let open = self.get_solid()?;
        let string = if open.kind == Kind::LParen { self.get_solid()? } else { open };
        let close = if string.kind == Kind::Str { self.get_solid()? } else { open };
        let string = string.spelling(&self.names);
        let start = string.iter().position(|b| *b == b'"');
        let (Some(start), Kind::LParen, Kind::RParen) = (start, open.kind, close.kind) else {
            return Err(self.reject_at(name, "_Pragma takes a parenthesized string literal"));
        };
        if string[..start].contains(&b'R') {
            return Err(self.unhandled("_Pragma with a raw string"));
        }
        let mut text = Vec::with_capacity(string.len());
        let mut bytes = string[start + 1..string.len() - 1].iter();
        while let Some(&b) = bytes.next() {
            match (b, bytes.as_slice().first()) {
                (b'\\', Some(&escaped @ (b'\\' | b'"'))) => {
                    bytes.next();
                    text.push(escaped);
                }
                _ => text.push(b),
            }
        }
        let source = Arc::new(Source::new(text, false));
        let lexer = std::mem::replace(&mut self.lexer, Lexer::new(source));
        let contexts = std::mem::take(&mut self.contexts);
        let lookahead = self.lookahead.take();
        self.in_directive = true;
        let text = self.pragma();
        self.in_directive = false;
        self.lookahead = lookahead;
        self.contexts = contexts;
        let text_lexer = std::mem::replace(&mut self.lexer, lexer);
        drop(text_lexer);
        let sym = match text? {
            Some(text) => self.names.intern(&text),
            None => Symbol::EMPTY,
        };
        let kind = if sym == Symbol::EMPTY { Kind::Padding } else { Kind::Pragma };
        self.push_one(Tok::new(kind, 0, sym, name.line, name.column))
    }
}
