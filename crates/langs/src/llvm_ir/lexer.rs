//! Tokens of textual LLVM IR, straight from bytes; no input makes it panic.

use crate::error::ParseError;

/// A token; texts are raw bytes of the source without sigils and quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tok<'a> {
    /// `%name` or `%"name"`.
    Local(&'a [u8]),
    /// `%12`.
    LocalNum(u32),
    /// `@name` or `@"name"`.
    Global(&'a [u8]),
    /// `@12`.
    GlobalNum(u32),
    /// `#12`.
    AttrGroup(u32),
    /// `#word`: a debug record.
    HashWord(&'a [u8]),
    /// `!name`.
    Meta(&'a [u8]),
    /// `!12`.
    MetaNum(u32),
    /// A lone `!`.
    Bang,
    /// `$name`.
    Comdat(&'a [u8]),
    /// `^12`.
    Summary,
    /// `name:`.
    Label(&'a [u8]),
    /// `12:`.
    LabelNum(u32),
    /// A keyword, type name or mnemonic.
    Word(&'a [u8]),
    /// `"text"`, escapes untouched.
    Str(&'a [u8]),
    /// `c"text"`, escapes untouched.
    CStr(&'a [u8]),
    /// `-12`.
    Int(&'a [u8]),
    /// `1.5e+00`, `0x1.8p3`, `+inf`, `-nan(0x1)`.
    Float(&'a [u8]),
    /// `0x…`, `0xK…` and the like, from the character after `0x`.
    HexFloat(&'a [u8]),
    /// One of `( ) [ ] { } < > , = * | : ;` and the like.
    Punct(u8),
    /// `...`.
    Dots,
    /// End of input.
    Eof,
}

/// The lexer: a cursor over the source.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    source: &'a [u8],
    pos: usize,
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-')
}

/// The length of a number that is none at the start of a text: `+inf`, `-qnan`, `+nan(0x1)`, `+snan(0x1)`.
fn special_float(text: &[u8]) -> Option<usize> {
    let name = text.get(1..)?;
    let length = name.iter().take_while(|byte| is_name(**byte)).count();
    match &name[..length] {
        b"inf" | b"qnan" if name.get(length) != Some(&b':') => Some(1 + length),
        b"nan" | b"snan" if name.get(length) == Some(&b'(') => {
            Some(1 + length + name[length..].iter().take(40).position(|&byte| byte == b')')? + 1)
        }
        _ => None,
    }
}

/// A decimal number that fits `u32`.
pub fn small_number(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 10 {
        return None;
    }
    let mut value = 0u32;
    for &b in text {
        if !b.is_ascii_digit() {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u32::from(b - b'0'))?;
    }
    Some(value)
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `source`.
    pub fn new(source: &'a [u8]) -> Self {
        Self { source, pos: 0 }
    }

    /// The source.
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// The same lexer at another offset.
    #[must_use]
    pub fn moved_to(mut self, pos: usize) -> Self {
        self.pos = pos.min(self.source.len());
        self
    }

    /// The byte offset of the cursor.
    pub fn pos(&self) -> usize {
        self.pos
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self, accept: impl Fn(u8) -> bool) -> &'a [u8] {
        let start = self.pos;
        while self.pos < self.source.len() && accept(self.source[self.pos]) {
            self.pos += 1;
        }
        &self.source[start..self.pos]
    }

    fn skip_blank(&mut self) {
        while let Some(&b) = self.source.get(self.pos) {
            match b {
                b' ' | b'\t' | b'\r' | b'\n' | 0 => self.pos += 1,
                b';' => {
                    self.run(|b| b != b'\n');
                }
                b'/' => match self.block_comment() {
                    Some(end) => self.pos = end,
                    None => return,
                },
                _ => return,
            }
        }
    }

    /// Where the comment between `/*` and `*/` ends that begins here.
    fn block_comment(&self) -> Option<usize> {
        let text = self.source[self.pos..].strip_prefix(b"/*")?;
        let length = text.windows(2).position(|pair| pair == b"*/")?;
        Some(self.pos + length + 4)
    }

    fn quoted(&mut self) -> Result<&'a [u8], ParseError> {
        let open = self.pos;
        self.pos += 1;
        let text = self.run(|b| b != b'"');
        if self.pos >= self.source.len() {
            return Err(ParseError::at(self.source, open, "string without closing quote"));
        }
        self.pos += 1;
        Ok(text)
    }

    /// A name after a sigil: number, bare name or quoted name.
    fn named(
        &mut self,
        num: fn(u32) -> Tok<'a>,
        name: fn(&'a [u8]) -> Tok<'a>,
    ) -> Result<Tok<'a>, ParseError> {
        let sigil = self.pos;
        self.pos += 1;
        if self.peek(0) == b'"' {
            return Ok(name(self.quoted()?));
        }
        let text = self.run(|b| is_name(b) || b == b'\\');
        match small_number(text) {
            Some(n) => Ok(num(n)),
            None if text.is_empty() => {
                Err(ParseError::at(self.source, sigil, "expected a name after the sigil"))
            }
            None => Ok(name(text)),
        }
    }

    /// The next token and the offset where it starts.
    pub fn token(&mut self) -> Result<(Tok<'a>, usize), ParseError> {
        self.skip_blank();
        let start = self.pos;
        if start >= self.source.len() {
            return Ok((Tok::Eof, start));
        }
        let tok = match self.source[start] {
            b'%' => self.named(Tok::LocalNum, Tok::Local)?,
            b'@' => self.named(Tok::GlobalNum, Tok::Global)?,
            b'#' if self.peek(1).is_ascii_alphabetic() => {
                self.pos += 1;
                Tok::HashWord(self.run(is_name))
            }
            b'#' => self.named(Tok::AttrGroup, Tok::HashWord)?,
            b'^' => {
                self.pos += 1;
                self.run(|b| b.is_ascii_digit());
                Tok::Summary
            }
            b'!' => {
                self.pos += 1;
                let text = self.run(|b| is_name(b) || b == b'\\');
                match small_number(text) {
                    Some(n) => Tok::MetaNum(n),
                    None if text.is_empty() => Tok::Bang,
                    None => Tok::Meta(text),
                }
            }
            b'$' if self.peek(1) == b'"' || is_name(self.peek(1)) => {
                self.pos += 1;
                if self.peek(0) == b'"' {
                    Tok::Comdat(self.quoted()?)
                } else {
                    let text = self.run(is_name);
                    if self.peek(0) == b':' {
                        self.pos += 1;
                        Tok::Label(&self.source[start..self.pos - 1])
                    } else {
                        Tok::Comdat(text)
                    }
                }
            }
            b'"' => {
                let text = self.quoted()?;
                if self.peek(0) == b':' {
                    self.pos += 1;
                    Tok::Label(text)
                } else {
                    Tok::Str(text)
                }
            }
            b'c' if self.peek(1) == b'"' => {
                self.pos += 1;
                Tok::CStr(self.quoted()?)
            }
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.pos += 3;
                Tok::Dots
            }
            b'0'..=b'9' | b'-' | b'+' => self.number()?,
            b if is_name(b) => {
                let text = self.run(is_name);
                if self.peek(0) == b':' {
                    self.pos += 1;
                    Tok::Label(text)
                } else {
                    Tok::Word(text)
                }
            }
            b if b.is_ascii_punctuation() => {
                self.pos += 1;
                Tok::Punct(b)
            }
            b => return Err(ParseError::at(self.source, start, format!("stray byte 0x{b:02x}"))),
        };
        Ok((tok, start))
    }

    fn number(&mut self) -> Result<Tok<'a>, ParseError> {
        let start = self.pos;
        if self.peek(0) == b'0' && self.peek(1) == b'x' {
            self.pos += 2;
            let text = self.run(|b| b.is_ascii_alphanumeric());
            if self.peek(0) != b'.' && !text.contains(&b'p') {
                return Ok(Tok::HexFloat(text));
            }
            return Ok(self.hexadecimal_rest(start));
        }
        if let Some(length) = special_float(&self.source[start..]) {
            self.pos += length;
            return Ok(Tok::Float(&self.source[start..self.pos]));
        }
        self.pos += 1;
        self.run(|b| b.is_ascii_digit());
        if &self.source[start + 1..self.pos] == b"0" && self.peek(0) == b'x' {
            self.pos += 1;
            self.run(|b| b.is_ascii_alphanumeric());
            return Ok(self.hexadecimal_rest(start));
        }
        if self.peek(0) == b':' {
            self.pos += 1;
            let text = &self.source[start..self.pos - 1];
            return Ok(small_number(text).map_or(Tok::Label(text), Tok::LabelNum));
        }
        if self.peek(0) == b'.' {
            self.pos += 1;
            self.run(|b| b.is_ascii_digit());
            if matches!(self.peek(0), b'e' | b'E') {
                self.pos += 1;
                if matches!(self.peek(0), b'+' | b'-') {
                    self.pos += 1;
                }
                self.run(|b| b.is_ascii_digit());
            }
            return Ok(Tok::Float(&self.source[start..self.pos]));
        }
        let text = &self.source[start..self.pos];
        if text == b"-" || text == b"+" || is_name(self.peek(0)) {
            // A bare name may start with a dash or a digit only where it is a label.
            self.run(is_name);
            if self.peek(0) == b':' {
                self.pos += 1;
                return Ok(Tok::Label(&self.source[start..self.pos - 1]));
            }
            return Err(ParseError::at(self.source, start, "expected a number"));
        }
        Ok(Tok::Int(text))
    }

    /// The rest of a hexadecimal number such as `0x1.8p-3`, from its point or the sign of its exponent on.
    fn hexadecimal_rest(&mut self, start: usize) -> Tok<'a> {
        if self.peek(0) == b'.' {
            self.pos += 1;
            self.run(|b| b.is_ascii_alphanumeric());
        }
        if self.source[..self.pos].ends_with(b"p") && matches!(self.peek(0), b'+' | b'-') {
            self.pos += 1;
            self.run(|b| b.is_ascii_digit());
        }
        Tok::Float(&self.source[start..self.pos])
    }

    /// The offset just past the bracket that closes the one before the cursor, strings respected.
    pub fn skip_balanced(&mut self) -> Result<(), ParseError> {
        let start = self.pos;
        let mut depth = 1u32;
        while let Some(&b) = self.source.get(self.pos) {
            match b {
                b'"' => {
                    self.quoted()?;
                    continue;
                }
                b'(' | b'{' | b'[' => depth += 1,
                b')' | b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos += 1;
                        return Ok(());
                    }
                }
                _ => {}
            }
            self.pos += 1;
        }
        Err(ParseError::at(self.source, start, "bracket never closed"))
    }
}
