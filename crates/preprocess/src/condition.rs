//! The expression of `#if` and `#elif` (C11 6.10.1), in the widest integers of the target: 64 bits.

use crate::error::Trouble;
use crate::names::Meaning;
use crate::state::Run;
use crate::token::{Kind, Tok};

/// Parentheses and operators nested in one another.
const DEEPEST: u32 = 20_000;

#[derive(Copy, Clone, Debug)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> Value {
        Value::signed(i64::from(value))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }

    fn is_negative(self) -> bool {
        !self.unsigned && (self.bits as i64) < 0
    }
}

/// The expression being read: one token ahead.
struct Reader {
    tok: Tok,
    depth: u32,
    /// Operands whose value does not count are being read.
    dead: u32,
}

impl Run<'_> {
    /// Reads the rest of the line as a constant expression.
    pub fn evaluate(&mut self) -> Result<bool, Trouble> {
        let first = self.get_solid()?;
        if first.kind == Kind::Eof {
            return Err(self.reject("#if with no expression"));
        }
        let mut reader = Reader { tok: first, depth: 0, dead: 0 };
        let value = self.comma(&mut reader)?;
        match reader.tok.kind {
            Kind::Eof => Ok(value.is_true()),
            Kind::RParen => Err(self.reject_at(reader.tok, "missing `(` in expression")),
            Kind::Colon => Err(self.reject_at(reader.tok, "`:` without preceding `?`")),
            _ => {
                let shown = self.shown(reader.tok);
                Err(self.reject_at(reader.tok, format!("missing binary operator before token `{shown}`")))
            }
        }
    }

    fn shown(&self, tok: Tok) -> String {
        String::from_utf8_lossy(tok.spelling(&self.names)).into_owned()
    }

    fn advance(&mut self, reader: &mut Reader) -> Result<(), Trouble> {
        reader.tok = self.get_solid()?;
        Ok(())
    }

    fn comma(&mut self, reader: &mut Reader) -> Result<Value, Trouble> {
        reader.depth += 1;
        if reader.depth > DEEPEST {
            return Err(self.limit("the expression of #if is nested too deeply"));
        }
        let value = stacker::maybe_grow(64 << 10, 1 << 20, || {
            let mut value = self.choice(reader)?;
            while reader.tok.kind == Kind::Comma {
                self.advance(reader)?;
                value = self.choice(reader)?;
            }
            Ok(value)
        })?;
        reader.depth -= 1;
        Ok(value)
    }

    /// `a ? b : c`
    fn choice(&mut self, reader: &mut Reader) -> Result<Value, Trouble> {
        let condition = self.binary(reader, 1)?;
        if reader.tok.kind != Kind::Question {
            return Ok(condition);
        }
        self.advance(reader)?;
        let first = condition.is_true();
        reader.dead += u32::from(!first);
        let yes = self.comma(reader)?;
        reader.dead -= u32::from(!first);
        if reader.tok.kind != Kind::Colon {
            return Err(self.reject_at(reader.tok, "`?` without following `:`"));
        }
        self.advance(reader)?;
        reader.dead += u32::from(first);
        reader.depth += 1;
        if reader.depth > DEEPEST {
            return Err(self.limit("the expression of #if is nested too deeply"));
        }
        let no = stacker::maybe_grow(64 << 10, 1 << 20, || self.choice(reader))?;
        reader.depth -= 1;
        reader.dead -= u32::from(first);
        let chosen = if first { yes } else { no };
        Ok(Value { bits: chosen.bits, unsigned: yes.unsigned || no.unsigned })
    }

    /// Operators that bind at least as strongly as `least`.
    fn binary(&mut self, reader: &mut Reader, least: u8) -> Result<Value, Trouble> {
        let mut left = self.unary(reader)?;
        loop {
            let operator = reader.tok;
            let Some(strength) = strength(operator.kind).filter(|strength| *strength >= least) else {
                return Ok(left);
            };
            self.advance(reader)?;
            let dead = match operator.kind {
                Kind::AndAnd => !left.is_true(),
                Kind::OrOr => left.is_true(),
                _ => false,
            };
            reader.dead += u32::from(dead);
            let right = self.binary(reader, strength + 1)?;
            reader.dead -= u32::from(dead);
            left = self.apply(operator, left, right, reader.dead > 0)?;
        }
    }

    fn apply(&self, operator: Tok, left: Value, right: Value, dead: bool) -> Result<Value, Trouble> {
        let unsigned = left.unsigned || right.unsigned;
        let (a, b) = (left.bits, right.bits);
        let make = |bits: u64| Ok(Value { bits, unsigned });
        let less = if unsigned { a < b } else { (a as i64) < b as i64 };
        match operator.kind {
            Kind::OrOr => Ok(Value::truth(a != 0 || b != 0)),
            Kind::AndAnd => Ok(Value::truth(a != 0 && b != 0)),
            Kind::Or => make(a | b),
            Kind::Xor => make(a ^ b),
            Kind::And => make(a & b),
            Kind::EqEq => Ok(Value::truth(a == b)),
            Kind::NotEq => Ok(Value::truth(a != b)),
            Kind::Less => Ok(Value::truth(less)),
            Kind::GreaterEq => Ok(Value::truth(!less)),
            Kind::Greater => Ok(Value::truth(!less && a != b)),
            Kind::LessEq => Ok(Value::truth(less || a == b)),
            Kind::Shl => Ok(shift(left, right, true)),
            Kind::Shr => Ok(shift(left, right, false)),
            Kind::Plus => make(a.wrapping_add(b)),
            Kind::Minus => make(a.wrapping_sub(b)),
            Kind::Star => make(a.wrapping_mul(b)),
            Kind::Slash | Kind::Percent if b == 0 => {
                if dead {
                    Ok(Value { bits: 0, unsigned })
                } else {
                    Err(self.reject_at(operator, "division by zero in #if"))
                }
            }
            Kind::Slash if unsigned => make(a / b),
            Kind::Slash => make((a as i64).wrapping_div(b as i64) as u64),
            Kind::Percent if unsigned => make(a % b),
            _ => make((a as i64).wrapping_rem(b as i64) as u64),
        }
    }

    fn unary(&mut self, reader: &mut Reader) -> Result<Value, Trouble> {
        // Prefix operators are kept, not recursed into: there may be very many.
        let mut prefixes: Vec<Kind> = Vec::new();
        while matches!(reader.tok.kind, Kind::Plus | Kind::Minus | Kind::Tilde | Kind::Not) {
            prefixes.push(reader.tok.kind);
            self.advance(reader)?;
        }
        let mut value = self.primary(reader)?;
        for prefix in prefixes.into_iter().rev() {
            value = match prefix {
                Kind::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                Kind::Tilde => Value { bits: !value.bits, ..value },
                Kind::Not => Value::truth(!value.is_true()),
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, reader: &mut Reader) -> Result<Value, Trouble> {
        let tok = reader.tok;
        let value = match tok.kind {
            Kind::LParen => {
                self.advance(reader)?;
                let value = self.comma(reader)?;
                if reader.tok.kind != Kind::RParen {
                    return Err(self.reject_at(tok, "missing `)` in expression"));
                }
                value
            }
            Kind::Number => self.number(tok)?,
            Kind::Char => self.character(tok)?,
            Kind::Name if tok.sym == self.words.defined => self.defined()?,
            Kind::Name => Value::signed(0),
            Kind::Eof => return Err(self.reject("#if: an operand is missing at the end of the expression")),
            Kind::Hash => return Err(self.unhandled("an assertion in #if")),
            _ => {
                let shown = self.shown(tok);
                return Err(
                    self.reject_at(tok, format!("token `{shown}` is not valid in preprocessor expressions"))
                );
            }
        };
        self.advance(reader)?;
        Ok(value)
    }

    /// `defined NAME` or `defined (NAME)`, `defined` being read.
    fn defined(&mut self) -> Result<Value, Trouble> {
        self.prevent_expansion += 1;
        let mut tok = self.get_solid()?;
        let parenthesis = tok.kind == Kind::LParen;
        if parenthesis {
            tok = self.get_solid()?;
        }
        if tok.kind != Kind::Name {
            return Err(self.reject_at(tok, "operator `defined` requires an identifier"));
        }
        if parenthesis && self.get_solid()?.kind != Kind::RParen {
            return Err(self.reject_at(tok, "missing `)` after `defined`"));
        }
        self.prevent_expansion -= 1;
        Ok(Value::truth(self.names.meaning(tok.sym) != Meaning::Plain))
    }

    fn number(&self, tok: Tok) -> Result<Value, Trouble> {
        let text = self.names.text(tok.sym);
        number(text).ok_or_else(|| {
            let shown = String::from_utf8_lossy(text).into_owned();
            let radix16 = text.starts_with(b"0x") || text.starts_with(b"0X");
            let floating = text.contains(&b'.') || !radix16 && text.iter().any(|b| matches!(b, b'e' | b'E'));
            if floating {
                self.reject_at(tok, "floating constant in preprocessor expression")
            } else {
                self.reject_at(tok, format!("`{shown}` is not an integer constant"))
            }
        })
    }

    fn character(&self, tok: Tok) -> Result<Value, Trouble> {
        let text = self.names.text(tok.sym);
        let (wide, body) = match text {
            [b'\'', body @ .., b'\''] => (false, body),
            [b'L' | b'u' | b'U', b'\'', body @ .., b'\''] => (true, body),
            [b'u', b'8', b'\'', body @ .., b'\''] => (false, body),
            _ => return Err(self.reject_at(tok, "this is no character constant")),
        };
        let mut values = Vec::new();
        let mut at = 0;
        while at < body.len() {
            if body[at] == b'\\' {
                let (value, length) =
                    escape(&body[at..]).ok_or_else(|| self.reject_at(tok, "unknown escape"))?;
                values.push(value);
                at += length;
            } else if wide && body[at] >= 0x80 {
                let rest = std::str::from_utf8(&body[at..]).ok().and_then(|rest| rest.chars().next());
                let c = rest.ok_or_else(|| self.reject_at(tok, "this is not UTF-8"))?;
                values.push(u32::from(c));
                at += c.len_utf8();
            } else {
                values.push(u32::from(body[at]));
                at += 1;
            }
        }
        if wide {
            let unsigned = text[0] != b'L';
            let value =
                values.last().copied().ok_or_else(|| self.reject_at(tok, "empty character constant"))?;
            let bits = if unsigned { u64::from(value) } else { i64::from(value as i32) as u64 };
            return Ok(Value { bits, unsigned });
        }
        match values[..] {
            [] => Err(self.reject_at(tok, "empty character constant")),
            [one] => Ok(Value::signed(if self.compiler.unsigned_char() {
                i64::from(one as u8)
            } else {
                i64::from(one as u8 as i8)
            })),
            _ => {
                let packed = values.iter().fold(0u32, |packed, value| packed << 8 | value & 0xff);
                Ok(Value::signed(i64::from(packed as i32)))
            }
        }
    }
}

/// How strongly a binary operator binds.
fn strength(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::OrOr => 1,
        Kind::AndAnd => 2,
        Kind::Or => 3,
        Kind::Xor => 4,
        Kind::And => 5,
        Kind::EqEq | Kind::NotEq => 6,
        Kind::Less | Kind::Greater | Kind::LessEq | Kind::GreaterEq => 7,
        Kind::Shl | Kind::Shr => 8,
        Kind::Plus | Kind::Minus => 9,
        Kind::Star | Kind::Slash | Kind::Percent => 10,
        _ => return None,
    })
}

/// A shift by a negative count goes the other way.
fn shift(value: Value, count: Value, left: bool) -> Value {
    let (left, count) =
        if count.is_negative() { (!left, (count.bits as i64).unsigned_abs()) } else { (left, count.bits) };
    let bits = match (left, u32::try_from(count).ok().filter(|count| *count < 64)) {
        (true, Some(count)) => value.bits << count,
        (true, None) => 0,
        (false, Some(count)) if value.is_negative() => ((value.bits as i64) >> count) as u64,
        (false, None) if value.is_negative() => u64::MAX,
        (false, Some(count)) => value.bits >> count,
        (false, None) => 0,
    };
    Value { bits, ..value }
}

/// An integer constant. What does not fit is cut off, as compilers do.
fn number(text: &[u8]) -> Option<Value> {
    let (radix, digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', b'b' | b'B', rest @ ..] => (2, rest),
        [b'0', ..] => (8, text),
        _ => (10, text),
    };
    let end =
        digits.iter().position(|b| !(char::from(*b).is_digit(radix) || *b == b'\'')).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if digits.is_empty() {
        return None;
    }
    let mut bits = 0u64;
    for b in digits.iter().filter(|b| **b != b'\'') {
        bits = bits.wrapping_mul(u64::from(radix)).wrapping_add(u64::from(char::from(*b).to_digit(radix)?));
    }
    let suffix = suffix.to_ascii_lowercase();
    let unsigned = match suffix.as_slice() {
        b"" | b"l" | b"ll" | b"z" => false,
        b"u" | b"ul" | b"ull" | b"lu" | b"llu" | b"uz" | b"zu" => true,
        _ => return None,
    };
    Some(Value { bits, unsigned: unsigned || bits > i64::MAX as u64 })
}

/// An escape sequence: its value and length.
fn escape(text: &[u8]) -> Option<(u32, usize)> {
    let simple = match text.get(1)? {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'\\' => 92,
        b'\'' => 39,
        b'"' => 34,
        b'?' => 63,
        b'x' => {
            let digits = text[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
            let value = text[2..2 + digits]
                .iter()
                .fold(0u32, |value, b| value << 4 | char::from(*b).to_digit(16).unwrap_or(0));
            return (digits > 0).then_some((value, 2 + digits));
        }
        b'0'..=b'7' => {
            let digits = text[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            let value = text[1..=digits].iter().fold(0u32, |value, b| value << 3 | u32::from(b - b'0'));
            return Some((value, 1 + digits));
        }
        b @ (b'u' | b'U') => {
            let digits = if *b == b'u' { 4 } else { 8 };
            let text = std::str::from_utf8(text.get(2..2 + digits)?).ok()?;
            return Some((u32::from_str_radix(text, 16).ok()?, 2 + digits));
        }
        // As compilers do, with a warning.
        other => u32::from(*other),
    };
    Some((simple, 2))
}
