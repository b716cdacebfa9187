//! The lexer: preprocessed bytes to tokens, on demand, without allocation per token.
//!
//! Line markers are skipped (the [`crate::source::SourceMap`] reads them), `#pragma` lines are tokens, other
//! directives are diagnosed. Comments, backslash-newlines, digraphs and names with `$`, UTF-8 letters or
//! universal character names are read as gcc reads them.

pub mod literal;
pub mod token;

use crate::intern::{Interner, Symbol};
use crate::source::{Diagnostic, Severity, Span};
use token::{KEYWORDS, SOFT_KEYWORDS, Tok, Token};

/// Reads tokens from text. Names go into an [`Interner`] whose first symbols must be the keywords.
#[derive(Debug)]
pub struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    /// What could not be read; drained by the parser.
    pub diagnostics: Vec<Diagnostic>,
    directive_seen: bool,
    nul_seen: bool,
}

const START: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;

/// What each byte may begin or continue.
const CLASS: [u8; 256] = {
    let mut class = [0u8; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80..=0xff => START,
            b'0'..=b'9' => DIGIT,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => SPACE,
            _ => 0,
        };
        b += 1;
    }
    class
};

/// An interner that holds the keywords as its first symbols, as [`Lexer::next`] needs it.
pub fn names_with_keywords() -> Interner {
    let mut names = Interner::new();
    for name in KEYWORDS.iter().map(|k| k.0).chain(SOFT_KEYWORDS.iter().map(|k| k.0)) {
        names.intern(name);
    }
    names
}

impl<'t> Lexer<'t> {
    /// A lexer at the start of `text`, which must be shorter than 4 GiB.
    pub fn new(text: &'t [u8]) -> Lexer<'t> {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lexer { text, at, diagnostics: Vec::new(), directive_seen: false, nul_seen: false }
    }

    /// A lexer in the middle of a text, where a token or what stands between two begins.
    pub(crate) fn from(text: &'t [u8], at: usize) -> Lexer<'t> {
        Lexer { text, at, diagnostics: Vec::new(), directive_seen: false, nul_seen: false }
    }

    /// Makes the next token the end of file.
    pub fn stop(&mut self) {
        self.at = self.text.len();
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    fn token(&mut self, kind: Tok, lo: usize, hi: usize) -> Token {
        self.at = hi;
        Token { kind, lo: lo as u32, hi: hi as u32, sym: Symbol(0) }
    }

    fn error(&mut self, lo: usize, hi: usize, message: String) {
        self.report(Severity::Error, lo, hi, message);
    }

    fn report(&mut self, severity: Severity, lo: usize, hi: usize, message: String) {
        // Enough for any report; a binary file must not fill the memory.
        if self.diagnostics.len() < 64 {
            let span = Span::new(lo as u32, hi as u32);
            self.diagnostics.push(Diagnostic { severity, span, message });
        }
    }

    /// The next token; [`Tok::Eof`] again and again at the end.
    pub fn next(&mut self, names: &mut Interner) -> Token {
        loop {
            let lo = self.at;
            let Some(&b) = self.text.get(lo) else {
                return self.token(Tok::Eof, self.text.len(), self.text.len());
            };
            let class = CLASS[b as usize];
            if class & SPACE != 0 {
                self.at += 1;
                while CLASS[self.byte(self.at) as usize] & SPACE != 0 {
                    self.at += 1;
                }
                continue;
            }
            if class & START != 0 {
                return self.word(lo, names);
            }
            if class & DIGIT != 0 || b == b'.' && self.byte(lo + 1).is_ascii_digit() {
                return self.number(lo);
            }
            match b {
                b'"' | b'\'' => return self.quoted(lo, lo, b),
                b'/' if matches!(self.byte(lo + 1), b'/' | b'*') => self.comment(lo),
                b'#' if self.at_line_start(lo) => {
                    if let Some(token) = self.directive(lo) {
                        return token;
                    }
                }
                b'\\' => {
                    if let Some(end) = self.line_splice(lo) {
                        self.at = end;
                    } else if matches!(self.byte(lo + 1), b'u' | b'U') {
                        return self.spelled_word(lo, names);
                    } else {
                        self.stray(lo);
                    }
                }
                _ => {
                    if let Some((kind, length)) = punctuator(b, self.byte(lo + 1), self.byte(lo + 2)) {
                        return self.token(kind, lo, lo + length);
                    }
                    self.stray(lo);
                }
            }
        }
    }

    fn word(&mut self, lo: usize, names: &mut Interner) -> Token {
        let mut hi = lo + 1;
        while CLASS[self.byte(hi) as usize] & (START | DIGIT) != 0 {
            hi += 1;
        }
        match self.byte(hi) {
            quote @ (b'"' | b'\'') => match &self.text[lo..hi] {
                b"L" | b"u" | b"U" | b"u8" => return self.quoted(lo, hi, quote),
                b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if quote == b'"' => return self.raw_string(lo, hi),
                _ => {}
            },
            b'\\' if matches!(self.byte(hi + 1), b'u' | b'U') || self.line_splice(hi).is_some() => {
                return self.spelled_word(lo, names);
            }
            _ => {}
        }
        let sym = match names.intern_bytes(&self.text[lo..hi]) {
            Some(sym) => sym,
            None => {
                let name = String::from_utf8_lossy(&self.text[lo..hi]).into_owned();
                self.error(
                    lo,
                    hi,
                    format!("`{name}` is not valid UTF-8: only strings and comments may hold other bytes"),
                );
                names.intern(&name)
            }
        };
        self.name_token(lo, hi, sym)
    }

    fn name_token(&mut self, lo: usize, hi: usize, sym: Symbol) -> Token {
        let kind = KEYWORDS.get(sym.0 as usize).map_or(Tok::Ident, |k| k.1);
        Token { sym, ..self.token(kind, lo, hi) }
    }

    /// A name with universal character names or spliced lines in it, brought to UTF-8.
    fn spelled_word(&mut self, lo: usize, names: &mut Interner) -> Token {
        let mut name = Vec::new();
        let mut hi = lo;
        loop {
            if CLASS[self.byte(hi) as usize] & (START | DIGIT) != 0 {
                name.push(self.byte(hi));
                hi += 1;
            } else if let Some(end) = self.line_splice(hi) {
                hi = end;
            } else if let Some((c, end)) = literal::universal_name(self.text, hi) {
                name.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                hi = end;
            } else {
                break;
            }
        }
        if hi == lo {
            hi = lo + 1;
            self.error(lo, hi, "stray `\\`: neither an escape nor the end of a line".to_string());
        }
        let sym = names.intern(&String::from_utf8_lossy(&name));
        self.name_token(lo, hi, sym)
    }

    fn number(&mut self, lo: usize) -> Token {
        let mut hi = lo + 1;
        loop {
            let b = self.byte(hi);
            let sign = matches!(b, b'+' | b'-') && matches!(self.byte(hi - 1), b'e' | b'E' | b'p' | b'P');
            // A digit separator (C23). In C17 no program has a number directly before a character constant.
            let separator = b == b'\'' && self.byte(hi + 1).is_ascii_alphanumeric();
            if CLASS[b as usize] & (START | DIGIT) != 0 || b == b'.' || sign || separator {
                hi += 1;
            } else {
                return self.token(Tok::Number, lo, hi);
            }
        }
    }

    /// A string or character constant whose opening quote is at `open`.
    fn quoted(&mut self, lo: usize, open: usize, quote: u8) -> Token {
        let kind = if quote == b'"' { Tok::Str } else { Tok::Char };
        let mut hi = open + 1;
        loop {
            match self.text.get(hi) {
                Some(&b) if b == quote => return self.token(kind, lo, hi + 1),
                Some(b'\\') if hi + 1 < self.text.len() => {
                    hi = self.line_splice(hi).unwrap_or(hi + 2);
                }
                Some(b'\n') | None => {
                    self.error(
                        lo,
                        hi,
                        format!("missing closing {} before the end of the line", quote as char),
                    );
                    return self.token(kind, lo, hi);
                }
                Some(_) => hi += 1,
            }
        }
    }

    /// `R"delimiter(...)delimiter"`, the quote at `open`.
    fn raw_string(&mut self, lo: usize, open: usize) -> Token {
        match literal::raw_parts(&self.text[open..]) {
            Some((_, length)) => self.token(Tok::Str, lo, open + length),
            None => {
                self.error(lo, open, "this raw string has no end".to_string());
                self.token(Tok::Str, lo, self.text.len())
            }
        }
    }

    fn comment(&mut self, lo: usize) {
        let body = &self.text[lo + 2..];
        if self.byte(lo + 1) == b'/' {
            let mut from = 0;
            loop {
                match body[from..].iter().position(|&b| b == b'\n') {
                    Some(n) if n + from > 0 && body[from + n - 1] == b'\\' => from += n + 1,
                    Some(n) => {
                        self.at = lo + 2 + from + n;
                        return;
                    }
                    None => {
                        self.at = self.text.len();
                        return;
                    }
                }
            }
        }
        match body.windows(2).position(|w| w == b"*/") {
            Some(n) => self.at = lo + 2 + n + 2,
            None => {
                self.error(
                    lo,
                    lo + 2,
                    "this comment has no end: expected `*/`, found end of file".to_string(),
                );
                self.at = self.text.len();
            }
        }
    }

    /// The end of a backslash-newline (with blanks between, as gcc allows) that starts at `at`.
    fn line_splice(&self, at: usize) -> Option<usize> {
        if self.byte(at) != b'\\' {
            return None;
        }
        let mut end = at + 1;
        while matches!(self.byte(end), b' ' | b'\t' | b'\r') {
            end += 1;
        }
        (self.byte(end) == b'\n').then_some(end + 1)
    }

    /// Is there only white space before `at` in its line?
    fn at_line_start(&self, at: usize) -> bool {
        for &b in self.text[..at].iter().rev() {
            match b {
                b'\n' => return true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                _ => return false,
            }
        }
        true
    }

    /// A line that starts with `#`: a pragma is a token, markers are skipped, the rest is diagnosed.
    fn directive(&mut self, lo: usize) -> Option<Token> {
        let length = self.text[lo..].iter().position(|&b| b == b'\n').unwrap_or(self.text.len() - lo);
        let hi = lo + length;
        self.at = hi;
        match directive_name(&self.text[lo..hi]) {
            b"pragma" => return Some(self.token(Tok::Pragma, lo, hi)),
            b"" | b"line" | b"ident" | b"sccs" => {}
            name if name[0].is_ascii_digit() => {}
            name => {
                if !self.directive_seen {
                    self.directive_seen = true;
                    let name = String::from_utf8_lossy(name).into_owned();
                    let message = format!(
                        "found the directive `#{name}`, expected preprocessed text: run `cc -E` on the file first"
                    );
                    self.error(lo, hi, message);
                }
            }
        }
        None
    }

    /// Skips a run of bytes no token starts with, and says so once.
    fn stray(&mut self, lo: usize) {
        let mut hi = lo + 1;
        while CLASS[self.byte(hi) as usize] == 0
            && hi < self.text.len()
            && self.byte(hi) != b'\\'
            && !matches!(self.byte(hi), b'"' | b'\'' | b'#')
            && punctuator(self.byte(hi), 0, 0).is_none()
        {
            hi += 1;
        }
        self.at = hi;
        if self.text[lo..hi].iter().all(|&b| b == 0) {
            if !self.nul_seen {
                self.nul_seen = true;
                self.report(Severity::Warning, lo, hi, "NUL bytes are ignored".to_string());
            }
            return;
        }
        let bytes = &self.text[lo..hi.min(lo + 8)];
        let shown = match std::str::from_utf8(bytes) {
            Ok(text) if text.chars().all(|c| !c.is_control()) => format!("`{text}`"),
            _ => bytes.iter().map(|b| format!("\\x{b:02x}")).collect(),
        };
        self.error(lo, hi, format!("expected a token of C, found {shown}"));
    }
}

/// The word after `#` in a directive line; its first digit for a line marker; empty for a null directive.
pub(crate) fn directive_name(line: &[u8]) -> &[u8] {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
    let rest = line.strip_prefix(b"#").unwrap_or(line);
    let start = rest.iter().position(|b| !blank(b)).unwrap_or(rest.len());
    let rest = &rest[start..];
    let end = rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(rest.len());
    &rest[..end.max(usize::from(!rest.is_empty()))]
}

/// The longest punctuator that starts with these three bytes.
fn punctuator(a: u8, b: u8, c: u8) -> Option<(Tok, usize)> {
    let one = |kind| Some((kind, 1));
    let two = |kind| Some((kind, 2));
    let three = |kind| Some((kind, 3));
    match (a, b) {
        (b'(', _) => one(Tok::LParen),
        (b')', _) => one(Tok::RParen),
        (b'[', _) => one(Tok::LBracket),
        (b']', _) => one(Tok::RBracket),
        (b'{', _) => one(Tok::LBrace),
        (b'}', _) => one(Tok::RBrace),
        (b';', _) => one(Tok::Semi),
        (b',', _) => one(Tok::Comma),
        (b'.', b'.') if c == b'.' => three(Tok::Ellipsis),
        (b'.', _) => one(Tok::Dot),
        (b':', b'>') => two(Tok::RBracket),
        (b':', _) => one(Tok::Colon),
        (b'?', _) => one(Tok::Question),
        (b'~', _) => one(Tok::Tilde),
        (b'!', b'=') => two(Tok::NotEq),
        (b'!', _) => one(Tok::Bang),
        (b'*', b'=') => two(Tok::StarAssign),
        (b'*', _) => one(Tok::Star),
        (b'/', b'=') => two(Tok::SlashAssign),
        (b'/', _) => one(Tok::Slash),
        (b'%', b'=') => two(Tok::PercentAssign),
        (b'%', b'>') => two(Tok::RBrace),
        (b'%', _) => one(Tok::Percent),
        (b'+', b'+') => two(Tok::Inc),
        (b'+', b'=') => two(Tok::PlusAssign),
        (b'+', _) => one(Tok::Plus),
        (b'-', b'-') => two(Tok::Dec),
        (b'-', b'=') => two(Tok::MinusAssign),
        (b'-', b'>') => two(Tok::Arrow),
        (b'-', _) => one(Tok::Minus),
        (b'<', b'<') if c == b'=' => three(Tok::ShlAssign),
        (b'<', b'<') => two(Tok::Shl),
        (b'<', b'=') => two(Tok::Le),
        (b'<', b':') => two(Tok::LBracket),
        (b'<', b'%') => two(Tok::LBrace),
        (b'<', _) => one(Tok::Lt),
        (b'>', b'>') if c == b'=' => three(Tok::ShrAssign),
        (b'>', b'>') => two(Tok::Shr),
        (b'>', b'=') => two(Tok::Ge),
        (b'>', _) => one(Tok::Gt),
        (b'=', b'=') => two(Tok::EqEq),
        (b'=', _) => one(Tok::Assign),
        (b'&', b'&') => two(Tok::AmpAmp),
        (b'&', b'=') => two(Tok::AmpAssign),
        (b'&', _) => one(Tok::Amp),
        (b'^', b'=') => two(Tok::CaretAssign),
        (b'^', _) => one(Tok::Caret),
        (b'|', b'|') => two(Tok::PipePipe),
        (b'|', b'=') => two(Tok::PipeAssign),
        (b'|', _) => one(Tok::Pipe),
        (b'#', b'#') => two(Tok::HashHash),
        (b'#', _) => one(Tok::Hash),
        _ => None,
    }
}
