//! The operators `#` and `##` (C11 6.10.3.2, 6.10.3.3).

use crate::error::Trouble;
use crate::lex;
use crate::names::Symbol;
use crate::state::Run;
use crate::token::{Gap, Kind, PASTE_LEFT, Tok, WHITE};

/// The longest string that `#` makes: strings of strings double their backslashes each time.
const LONGEST: usize = 16 << 20;

impl Run<'_> {
    /// Pastes `left` with what follows in the topmost context, as far as `##` stands between, and pushes the result.
    #[inline(never)]
    pub fn paste_all(&mut self, left: Tok) -> Result<(), Trouble> {
        let mut left = left;
        while let Some(right) = self.next_in_context() {
            if right.kind == Kind::Padding {
                break;
            }
            left = self.paste(left, right)?;
            if right.flags & PASTE_LEFT == 0 {
                break;
            }
        }
        self.push_one(Tok { flags: left.flags & !PASTE_LEFT, ..left })
    }

    /// One token of two.
    pub fn paste(&mut self, left: Tok, right: Tok) -> Result<Tok, Trouble> {
        let mut text = left.spelling(&self.names).to_vec();
        // Neither makes a comment.
        if left.kind == Kind::Slash && right.kind != Kind::Assign {
            text.push(b' ');
        }
        text.extend_from_slice(right.spelling(&self.names));
        let length = text.len();
        text.extend_from_slice(b"\n\0");
        let (kind, end) = lex::span(&text, 0, self.dialect);
        if end != length {
            let show = |tok: Tok| String::from_utf8_lossy(tok.spelling(&self.names)).into_owned();
            let (a, b) = (show(left), show(right));
            let message = format!("pasting `{a}` and `{b}` does not give a valid preprocessing token");
            return Err(Trouble::rejected(left.line, 0, message));
        }
        if kind == Kind::Raw {
            return Err(self.unhandled("a pasted raw string"));
        }
        let sym = if kind.text().is_empty() { self.names.intern(&text[..length]) } else { Symbol::EMPTY };
        Ok(Tok { kind, flags: left.flags & WHITE, sym, arg: 0, ..left })
    }

    /// The string literal of the tokens `from..to` of the arena.
    pub fn stringify(&mut self, from: u32, to: u32, name: Tok) -> Result<Tok, Trouble> {
        let mut text = vec![b'"'];
        let mut gap = Gap::default();
        let mut backslashes = 0;
        for at in from..to {
            let tok = self.arena[at as usize];
            if tok.kind == Kind::Padding {
                gap.pad(tok);
                continue;
            }
            if text.len() > 1 && gap.white(tok) {
                text.push(b' ');
            }
            gap = Gap::default();
            let spelling = tok.spelling(&self.names);
            if matches!(tok.kind, Kind::Str | Kind::Char) {
                for &b in spelling {
                    if matches!(b, b'"' | b'\\') {
                        text.push(b'\\');
                    }
                    text.push(b);
                }
            } else {
                text.extend_from_slice(spelling);
            }
            let backslash = tok.kind == Kind::Other && spelling.first() == Some(&b'\\');
            backslashes = if backslash { backslashes + 1 } else { 0 };
            if text.len() > LONGEST {
                return Err(self.limit("a string made by `#` is too long"));
            }
        }
        // A last backslash would take the closing quote away.
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push(b'"');
        let sym = self.names.intern(&text);
        Ok(Tok::new(Kind::Str, 0, sym, name.line, name.column))
    }
}
