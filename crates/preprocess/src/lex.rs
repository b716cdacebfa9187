//! Translation phase 3 (C11 5.1.1.2): the text of one file as preprocessing tokens.
//!
//! Besides reading single tokens it can skip: comments, the rest of a line, and whole lines of a group whose
//! condition is false.

use crate::error::Trouble;
use crate::names::{Names, Symbol, hash};
use crate::source::Source;
use crate::token::{BOL, Kind, Tok, WHITE};
use memchr::{memchr, memchr_iter, memchr3, memmem, memrchr};
use std::sync::Arc;

pub(crate) const START: u8 = 1;
pub(crate) const DIGIT: u8 = 2;
/// Blanks within a line.
pub(crate) const BLANK: u8 = 4;

/// What each byte may begin or continue.
pub(crate) const CLASS: [u8; 256] = {
    let mut class = [0u8; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80..=0xff => START,
            b'0'..=b'9' => DIGIT,
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => BLANK,
            _ => 0,
        };
        b += 1;
    }
    class
};

/// Letters, digits, `_` and `$`.
pub(crate) const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut b = 0;
    while b < 0x80 {
        plain[b] = CLASS[b] & (START | DIGIT) != 0;
        b += 1;
    }
    plain
};

/// What the language standard changes in the reading of tokens.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Dialect {
    /// `//` begins a comment.
    pub line_comments: bool,
    /// `R"(...)"` is a string.
    pub raw_strings: bool,
    /// `u"..."`, `U"..."`, `u8"..."` are single tokens.
    pub unicode_strings: bool,
    /// `1'000` is one number.
    pub digit_separators: bool,
}

/// Reads one file.
pub(crate) struct Lexer {
    pub source: Arc<Source>,
    pub at: usize,
    /// The line of `at`.
    pub line: u32,
    /// Where that line begins.
    pub line_start: usize,
    /// Index of the next splice, and its offset.
    splice: usize,
    next_splice: usize,
    /// Nothing but white space was seen since the line began.
    pub bol: bool,
    /// White space stands before `at`.
    pub white: bool,
}

impl Lexer {
    /// At the start of a text.
    pub fn new(source: Arc<Source>) -> Lexer {
        let next_splice = source.splices.first().map_or(usize::MAX, |at| *at as usize);
        Lexer { source, at: 0, line: 1, line_start: 0, splice: 0, next_splice, bol: true, white: false }
    }

    fn byte(&self, at: usize) -> u8 {
        byte(&self.source.text, at)
    }

    /// Has everything been read?
    pub fn at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    /// Where the next spliced line begins.
    pub fn next_splice(&self) -> usize {
        self.next_splice
    }

    /// Whether `catch_up` would do anything.
    pub fn behind(&self) -> bool {
        self.at >= self.next_splice
    }

    /// Counts the spliced lines that begin at or before `at`.
    pub fn catch_up(&mut self) {
        while self.at >= self.next_splice {
            self.line += 1;
            self.line_start = self.line_start.max(self.next_splice);
            self.splice += 1;
            self.next_splice = self.source.splices.get(self.splice).map_or(usize::MAX, |at| *at as usize);
        }
    }

    /// The column of `at`, from 1.
    pub fn column(&self) -> u32 {
        (self.at - self.line_start.min(self.at)) as u32 + 1
    }

    fn trouble(&self, message: impl Into<String>) -> Trouble {
        Trouble::rejected(self.line, self.column(), message)
    }

    /// Goes on behind the newline at `at`.
    pub fn next_line(&mut self) {
        self.at += 1;
        self.line += 1;
        self.line_start = self.at;
        self.bol = true;
        self.white = false;
        if self.behind() {
            self.catch_up();
        }
    }

    /// The next token. In a directive, the end of the line is [`Kind::Eof`].
    pub fn next(&mut self, names: &mut Names, dialect: Dialect, in_directive: bool) -> Result<Tok, Trouble> {
        loop {
            if self.behind() {
                self.catch_up();
            }
            let at = self.at;
            let b = self.byte(at);
            let class = CLASS[b as usize];
            if class & BLANK != 0 {
                if at >= self.source.len() {
                    return Ok(Tok { line: self.line, ..Tok::eof() });
                }
                self.at += 1;
                self.white = true;
                continue;
            }
            if b == b'\n' {
                if in_directive {
                    return Ok(Tok { line: self.line, column: self.column(), ..Tok::eof() });
                }
                self.next_line();
                continue;
            }
            if b == b'/' {
                match self.byte(at + 1) {
                    b'*' => {
                        self.block_comment()?;
                        continue;
                    }
                    b'/' if dialect.line_comments => {
                        self.line_comment();
                        continue;
                    }
                    _ => {}
                }
            }
            let (line, column) = (self.line, self.column());
            let flags = if self.bol { BOL } else { 0 } | if self.white { WHITE } else { 0 };
            self.bol = false;
            self.white = false;
            let text = &self.source.text;
            let (kind, end) = span(text, at, dialect);
            if kind == Kind::Str && self.next_splice < end && text[at..end].contains(&b'R') {
                return Err(self.trouble("a spliced raw string").unhandled());
            }
            if kind == Kind::Raw {
                return Err(self.trouble("a raw string over several lines").unhandled());
            }
            self.at = end;
            let text = &text[at..end];
            let sym = match kind {
                Kind::Name if memchr(b'\\', text).is_some() => names.intern(&plain_name(text)),
                Kind::Name => names.intern_hashed(text, hash(text)),
                Kind::Number | Kind::Char | Kind::Str | Kind::Other => names.intern(text),
                _ => Symbol::EMPTY,
            };
            return Ok(Tok::new(kind, flags, sym, line, column));
        }
    }

    /// Skips the comment `/* ... */` at `at`.
    pub fn block_comment(&mut self) -> Result<(), Trouble> {
        let from = self.at + 2;
        let text = &self.source.text;
        let mut end = from + 1;
        loop {
            match text.get(end..).and_then(|rest| memchr(b'/', rest)) {
                Some(slash) if text[end + slash - 1] == b'*' => {
                    end += slash;
                    break;
                }
                Some(slash) => end += slash + 1,
                None => return Err(self.trouble("unterminated comment")),
            }
        }
        let length = end - 1 - from;
        let body = &text[from..from + length];
        if let Some(last) = memrchr(b'\n', body) {
            self.line += memchr_iter(b'\n', body).count() as u32;
            self.line_start = from + last + 1;
        }
        self.at = from + length + 2;
        self.white = true;
        if self.behind() {
            self.catch_up();
        }
        Ok(())
    }

    /// Skips to the end of the line.
    pub fn line_comment(&mut self) {
        let rest = &self.source.text[self.at..];
        self.at += memchr(b'\n', rest).unwrap_or(rest.len());
        self.white = true;
        if self.behind() {
            self.catch_up();
        }
    }

    /// Skips blanks and comments, but no newline outside comments.
    pub fn skip_blanks(&mut self, dialect: Dialect) -> Result<(), Trouble> {
        loop {
            let b = self.byte(self.at);
            if CLASS[b as usize] & BLANK != 0 && !self.at_end() {
                self.at += 1;
                continue;
            }
            match (b, self.byte(self.at + 1)) {
                (b'/', b'*') => self.block_comment()?,
                (b'/', b'/') if dialect.line_comments => self.line_comment(),
                _ => return Ok(()),
            }
        }
    }

    /// Skips the rest of a line, but not its newline. Comments and literals are passed as a whole.
    pub fn skip_line(&mut self, dialect: Dialect) -> Result<(), Trouble> {
        loop {
            let text = &self.source.text;
            let rest = &text[self.at..];
            let Some(line) = memchr(b'\n', rest) else {
                self.at = self.source.len();
                return Ok(());
            };
            // The end of a line that has none of the others is found at once.
            let at = self.at + memchr3(b'"', b'\'', b'/', &rest[..line]).unwrap_or(line);
            let before = if at > self.at { text[at - 1] } else { 0 };
            self.at = at;
            match text[at] {
                b'\n' => {
                    if self.behind() {
                        self.catch_up();
                    }
                    return Ok(());
                }
                b'/' => match text[at + 1] {
                    b'*' => self.block_comment()?,
                    b'/' if dialect.line_comments => self.line_comment(),
                    _ => self.at += 1,
                },
                b'"' if before == b'R' && dialect.raw_strings && raw_prefix(&text[..at]) => {
                    let (kind, end) = raw_string(text, at);
                    if kind == Kind::Raw {
                        return Err(self.trouble("a raw string over several lines").unhandled());
                    }
                    self.at = end;
                }
                quote => {
                    // A separator of digits looks like a quote.
                    let number = quote == b'\'' && dialect.digit_separators && before.is_ascii_alphanumeric();
                    self.at = if number { at + 1 } else { quoted(text, at, quote).1 };
                }
            }
        }
    }
}

/// The byte at an offset, zero beyond the end.
fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

/// The kind and end of the token at `at`, which is neither white space nor a comment. The text ends with a newline
/// and another byte.
pub(crate) fn span(text: &[u8], at: usize, dialect: Dialect) -> (Kind, usize) {
    let b = byte(text, at);
    let class = CLASS[b as usize];
    if class & START != 0 || b == b'\\' && universal_name(&text[at..]).is_some() {
        return word(text, at, dialect);
    }
    if class & DIGIT != 0 || b == b'.' && byte(text, at + 1).is_ascii_digit() {
        return (Kind::Number, number(text, at, dialect));
    }
    if matches!(b, b'"' | b'\'') {
        return quoted(text, at, b);
    }
    match punctuator(b, byte(text, at + 1), byte(text, at + 2), byte(text, at + 3)) {
        Some((kind, length)) => (kind, at + length),
        None => (Kind::Other, at + 1),
    }
}

fn word(text: &[u8], at: usize, dialect: Dialect) -> (Kind, usize) {
    let mut end = at;
    loop {
        end += text[end..].iter().take_while(|b| PLAIN[**b as usize]).count();
        let b = byte(text, end);
        if b >= 0x80 {
            let (c, length) = character(&text[end..]);
            if !c.is_some_and(identifier_char) {
                if end == at {
                    return (Kind::Other, end + length);
                }
                break;
            }
            end += length;
        } else if b == b'\\'
            && let Some(length) = universal_name(&text[end..])
        {
            end += length;
        } else {
            break;
        }
    }
    let quote = byte(text, end);
    if matches!(quote, b'"' | b'\'') && end - at <= 3 {
        match &text[at..end] {
            b"L" => return quoted(text, end, quote),
            b"u" | b"U" if dialect.unicode_strings => return quoted(text, end, quote),
            b"u8" if dialect.unicode_strings && (quote == b'"' || dialect.digit_separators) => {
                return quoted(text, end, quote);
            }
            b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if dialect.raw_strings && quote == b'"' => {
                return raw_string(text, end);
            }
            _ => {}
        }
    }
    (Kind::Name, end)
}

/// The end of the number at `at`.
pub(crate) fn number(text: &[u8], at: usize, dialect: Dialect) -> usize {
    let mut end = at + 1;
    loop {
        let b = byte(text, end);
        let signed = matches!(b, b'+' | b'-') && matches!(byte(text, end - 1), b'e' | b'E' | b'p' | b'P');
        let separator = dialect.digit_separators
            && b == b'\''
            && CLASS[byte(text, end + 1) as usize] & (START | DIGIT) != 0;
        if CLASS[b as usize] & (START | DIGIT) != 0 && b < 0x80 || b == b'.' || signed || separator {
            end += 1;
        } else if b >= 0x80 {
            let (c, length) = character(&text[end..]);
            if !c.is_some_and(identifier_char) {
                return end;
            }
            end += length;
        } else if b == b'\\'
            && let Some(length) = universal_name(&text[end..])
        {
            end += length;
        } else {
            return end;
        }
    }
}

/// A literal whose quote is at `open`; without a closing quote, the rest of the line.
pub(crate) fn quoted(text: &[u8], open: usize, quote: u8) -> (Kind, usize) {
    let mut end = open + 1;
    loop {
        match text[end] {
            b'\\' if text[end + 1] != b'\n' => end += 2,
            b'\n' => return (Kind::Other, end),
            b if b == quote => return (if quote == b'"' { Kind::Str } else { Kind::Char }, end + 1),
            _ => end += 1,
        }
    }
}

/// Does text end with the prefix of a raw string, as a word of its own?
fn raw_prefix(text: &[u8]) -> bool {
    let start = text.iter().rposition(|b| CLASS[*b as usize] & (START | DIGIT) == 0).map_or(0, |at| at + 1);
    matches!(&text[start..], b"R" | b"LR" | b"uR" | b"UR" | b"u8R")
}

/// `R"delimiter(...)delimiter"` with its quote at `open`: a string if it stands on one line.
fn raw_string(text: &[u8], open: usize) -> (Kind, usize) {
    let body = &text[open + 1..];
    let stop = body.iter().position(|b| matches!(b, b'(' | b')' | b'\\' | b'"' | b'\n' | b' ' | b'\t'));
    let Some(length) = stop.filter(|at| body[*at] == b'(' && *at <= 16) else {
        return (Kind::Raw, open + 1);
    };
    let closing = [b")", &body[..length], b"\""].concat();
    let Some(found) = memmem::find(&body[length..], &closing) else { return (Kind::Raw, open + 1) };
    let end = open + 1 + length + found + closing.len();
    let lines = memchr(b'\n', &text[open..end]).is_some();
    (if lines { Kind::Raw } else { Kind::Str }, end)
}

/// The UTF-8 character that text starts with, and how many bytes it or the first wrong byte takes.
fn character(text: &[u8]) -> (Option<char>, usize) {
    let length = match text.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return (None, 1),
    };
    let bytes = text.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    bytes.map_or((None, 1), |text| (text.chars().next(), length))
}

/// The characters beyond ASCII that C11 allows in identifiers (annex D.1).
fn identifier_char(c: char) -> bool {
    matches!(u32::from(c),
        0xa8 | 0xaa | 0xad | 0xaf | 0xb2..=0xb5 | 0xb7..=0xba | 0xbc..=0xbe | 0xc0..=0xd6 | 0xd8..=0xf6
        | 0xf8..=0xff | 0x100..=0x167f | 0x1681..=0x180d | 0x180f..=0x1fff | 0x200b..=0x200d | 0x202a..=0x202e
        | 0x203f..=0x2040 | 0x2054 | 0x2060..=0x218f | 0x2460..=0x24ff | 0x2776..=0x2793 | 0x2c00..=0x2dff
        | 0x2e80..=0x2fff | 0x3004..=0x3007 | 0x3021..=0x302f | 0x3031..=0xd7ff | 0xf900..=0xfd3d
        | 0xfd40..=0xfdcf | 0xfdf0..=0xfe44 | 0xfe47..=0xfffd)
        || (0x1_0000..=0xe_fffd).contains(&u32::from(c)) && u32::from(c) & 0xffff <= 0xfffd
}

/// The length of `\u1234` or `\U12345678`, if the character may stand in an identifier.
fn universal_name(text: &[u8]) -> Option<usize> {
    let digits = match text.get(1)? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    universal_char(text.get(2..2 + digits)?).filter(|c| identifier_char(*c)).map(|_| 2 + digits)
}

fn universal_char(digits: &[u8]) -> Option<char> {
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    char::from_u32(u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?)
}

/// An identifier with its universal character names as UTF-8.
fn plain_name(text: &[u8]) -> Vec<u8> {
    let mut name = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let length = if text[at] == b'\\' { universal_name(&text[at..]) } else { None };
        match length.and_then(|length| Some((length, universal_char(&text[at + 2..at + length])?))) {
            Some((length, c)) => {
                name.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                at += length;
            }
            None => {
                name.push(text[at]);
                at += 1;
            }
        }
    }
    name
}

/// The longest punctuator that starts with these bytes.
pub(crate) fn punctuator(a: u8, b: u8, c: u8, d: u8) -> Option<(Kind, usize)> {
    Some(match (a, b) {
        (b'(', _) => (Kind::LParen, 1),
        (b')', _) => (Kind::RParen, 1),
        (b'[', _) => (Kind::LBracket, 1),
        (b']', _) => (Kind::RBracket, 1),
        (b'{', _) => (Kind::LBrace, 1),
        (b'}', _) => (Kind::RBrace, 1),
        (b';', _) => (Kind::Semi, 1),
        (b',', _) => (Kind::Comma, 1),
        (b'.', b'.') if c == b'.' => (Kind::Ellipsis, 3),
        (b'.', _) => (Kind::Dot, 1),
        (b':', b'>') => (Kind::DigraphRBracket, 2),
        (b':', _) => (Kind::Colon, 1),
        (b'?', _) => (Kind::Question, 1),
        (b'~', _) => (Kind::Tilde, 1),
        (b'!', b'=') => (Kind::NotEq, 2),
        (b'!', _) => (Kind::Not, 1),
        (b'*', b'=') => (Kind::StarEq, 2),
        (b'*', _) => (Kind::Star, 1),
        (b'/', b'=') => (Kind::SlashEq, 2),
        (b'/', _) => (Kind::Slash, 1),
        (b'%', b'=') => (Kind::PercentEq, 2),
        (b'%', b'>') => (Kind::DigraphRBrace, 2),
        (b'%', b':') if c == b'%' && d == b':' => (Kind::DigraphHashHash, 4),
        (b'%', b':') => (Kind::DigraphHash, 2),
        (b'%', _) => (Kind::Percent, 1),
        (b'+', b'+') => (Kind::PlusPlus, 2),
        (b'+', b'=') => (Kind::PlusEq, 2),
        (b'+', _) => (Kind::Plus, 1),
        (b'-', b'-') => (Kind::MinusMinus, 2),
        (b'-', b'=') => (Kind::MinusEq, 2),
        (b'-', b'>') => (Kind::Arrow, 2),
        (b'-', _) => (Kind::Minus, 1),
        (b'<', b'<') if c == b'=' => (Kind::ShlEq, 3),
        (b'<', b'<') => (Kind::Shl, 2),
        (b'<', b'=') => (Kind::LessEq, 2),
        (b'<', b':') => (Kind::DigraphLBracket, 2),
        (b'<', b'%') => (Kind::DigraphLBrace, 2),
        (b'<', _) => (Kind::Less, 1),
        (b'>', b'>') if c == b'=' => (Kind::ShrEq, 3),
        (b'>', b'>') => (Kind::Shr, 2),
        (b'>', b'=') => (Kind::GreaterEq, 2),
        (b'>', _) => (Kind::Greater, 1),
        (b'=', b'=') => (Kind::EqEq, 2),
        (b'=', _) => (Kind::Assign, 1),
        (b'&', b'&') => (Kind::AndAnd, 2),
        (b'&', b'=') => (Kind::AndEq, 2),
        (b'&', _) => (Kind::And, 1),
        (b'^', b'=') => (Kind::XorEq, 2),
        (b'^', _) => (Kind::Xor, 1),
        (b'|', b'|') => (Kind::OrOr, 2),
        (b'|', b'=') => (Kind::OrEq, 2),
        (b'|', _) => (Kind::Or, 1),
        (b'#', b'#') => (Kind::HashHash, 2),
        (b'#', _) => (Kind::Hash, 1),
        _ => return None,
    })
}
