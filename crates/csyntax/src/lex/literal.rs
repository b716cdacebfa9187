//! The values of constants and string literals (C11 6.4.4, 6.4.5, with GNU suffixes and escapes).

use crate::ast::{ExprKind, FloatSuffix, FloatSuffixKind, IntBase, IntSuffix, StrPrefix};
use crate::intern::Interner;

/// Reads a preprocessing number. A value beyond 128 bits is kept modulo 2^128.
pub fn number(text: &str, names: &mut Interner) -> Result<ExprKind, String> {
    // Digit separators (C23) mean nothing.
    let plain: String;
    let text = if text.contains('\'') {
        plain = text.replace('\'', "");
        &plain
    } else {
        text
    };
    let bytes = text.as_bytes();
    let (base, start) = match bytes {
        [b'0', b'x' | b'X', ..] => (IntBase::Hex, 2),
        [b'0', b'b' | b'B', ..] => (IntBase::Bin, 2),
        [b'0', b'0'..=b'9', ..] => (IntBase::Oct, 1),
        _ => (IntBase::Dec, 0),
    };
    let is_digit = |b: &u8| if base == IntBase::Hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let digits = bytes[start..].iter().take_while(|b| is_digit(b)).count();
    let end = start + digits;
    let floating = match bytes.get(end) {
        Some(b'.') => true,
        Some(b'e' | b'E') => base != IntBase::Hex,
        Some(b'p' | b'P') => base == IntBase::Hex,
        _ => false,
    };
    if floating {
        return float(text, base == IntBase::Hex, names);
    }
    if digits == 0 {
        return Err(format!("`{text}` has no digits"));
    }
    let radix = match base {
        IntBase::Dec => 10,
        IntBase::Oct => 8,
        IntBase::Hex => 16,
        IntBase::Bin => 2,
    };
    let mut value = 0u128;
    for &b in &bytes[start..end] {
        let Some(digit) = (b as char).to_digit(radix) else {
            return Err(format!("`{}` is not a digit of base {radix} in `{text}`", b as char));
        };
        value = value.wrapping_mul(u128::from(radix)).wrapping_add(u128::from(digit));
    }
    match int_suffix(&bytes[end..]) {
        Some(suffix) => Ok(ExprKind::Int { value, suffix, base }),
        None => Err(format!("`{}` is not a suffix of integer constants in `{text}`", &text[end..])),
    }
}

fn int_suffix(mut text: &[u8]) -> Option<IntSuffix> {
    let mut suffix = IntSuffix::default();
    while !text.is_empty() {
        text = match text {
            [b'l', b'l', rest @ ..] | [b'L', b'L', rest @ ..] if suffix.long == 0 => {
                suffix.long = 2;
                rest
            }
            [b'l' | b'L', rest @ ..] if suffix.long == 0 => {
                suffix.long = 1;
                rest
            }
            [b'w', b'b', rest @ ..] | [b'W', b'B', rest @ ..] if !suffix.bits => {
                suffix.bits = true;
                rest
            }
            [b'u' | b'U', rest @ ..] if !suffix.unsigned => {
                suffix.unsigned = true;
                rest
            }
            [b'i' | b'I' | b'j' | b'J', rest @ ..] if !suffix.imaginary => {
                suffix.imaginary = true;
                rest
            }
            _ => return None,
        };
    }
    (!(suffix.bits && (suffix.long > 0 || suffix.imaginary))).then_some(suffix)
}

fn float(text: &str, hex: bool, names: &mut Interner) -> Result<ExprKind, String> {
    let bytes = text.as_bytes();
    let is_digit = |b: &u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let mut at = if hex { 2 } else { 0 };
    let mut digits = 0;
    let mut dots = 0;
    while let Some(b) = bytes.get(at) {
        if is_digit(b) {
            digits += 1;
        } else if *b == b'.' {
            dots += 1;
        } else {
            break;
        }
        at += 1;
    }
    if digits == 0 || dots > 1 {
        return Err(format!("`{text}` is not a number"));
    }
    let exponent = match bytes.get(at) {
        Some(b'e' | b'E') => !hex,
        Some(b'p' | b'P') => hex,
        _ => false,
    };
    if exponent {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return Err(format!("the exponent of `{text}` has no digits"));
        }
        at += digits;
    } else if hex {
        return Err(format!(
            "`{text}` needs an exponent: a hexadecimal floating constant ends in `p` and a number"
        ));
    }
    match float_suffix(&text[at..]) {
        Some(suffix) => Ok(ExprKind::Float { text: names.intern(&text[..at]), suffix }),
        None => Err(format!("`{}` is not a suffix of floating constants in `{text}`", &text[at..])),
    }
}

/// The spellings of floating suffixes; the first of each kind is what the printer writes.
pub(crate) const FLOAT_SUFFIXES: &[(&str, FloatSuffixKind)] = &[
    ("", FloatSuffixKind::Double),
    ("d", FloatSuffixKind::Double),
    ("f", FloatSuffixKind::Float),
    ("l", FloatSuffixKind::LongDouble),
    ("w", FloatSuffixKind::LongDouble),
    ("q", FloatSuffixKind::Float128),
    ("f128", FloatSuffixKind::Float128),
    ("f16", FloatSuffixKind::Float16),
    ("f32", FloatSuffixKind::Other(32)),
    ("f64", FloatSuffixKind::Other(64)),
    ("f32x", FloatSuffixKind::Other(33)),
    ("f64x", FloatSuffixKind::Other(65)),
    ("df", FloatSuffixKind::Other(0x100 + 32)),
    ("dd", FloatSuffixKind::Other(0x100 + 64)),
    ("dl", FloatSuffixKind::Other(0x100 + 128)),
];

fn float_suffix(text: &str) -> Option<FloatSuffix> {
    let mut text = text.to_ascii_lowercase();
    let imaginary = text.find(['i', 'j']);
    if let Some(at) = imaginary {
        text.remove(at);
    }
    let kind = FLOAT_SUFFIXES.iter().find(|s| s.0 == text)?.1;
    Some(FloatSuffix { kind, imaginary: imaginary.is_some() })
}

/// The encoding prefix of a literal token and its contents between the quotes.
fn parts(token: &[u8]) -> (StrPrefix, &[u8], bool) {
    let (prefix, rest) = match token {
        [b'u', b'8', rest @ ..] => (StrPrefix::Utf8, rest),
        [b'u', rest @ ..] => (StrPrefix::Char16, rest),
        [b'U', rest @ ..] => (StrPrefix::Char32, rest),
        [b'L', rest @ ..] => (StrPrefix::Wide, rest),
        rest => (StrPrefix::None, rest),
    };
    if let [b'R', quoted @ ..] = rest {
        return (prefix, raw_parts(quoted).map_or(&[], |r| r.0), true);
    }
    let Some((quote, body)) = rest.split_first() else {
        return (prefix, &[], false);
    };
    (prefix, body.strip_suffix(&[*quote]).unwrap_or(body), false)
}

/// The encoding prefix of a string or character token.
pub fn prefix(token: &[u8]) -> StrPrefix {
    parts(token).0
}

/// Contents and whole length of a raw string, from its opening quote.
pub(crate) fn raw_parts(text: &[u8]) -> Option<(&[u8], usize)> {
    let open = text.iter().take(18).position(|&b| b == b'(')?;
    let mut close = vec![b')'];
    close.extend_from_slice(&text[1..open]);
    close.push(b'"');
    let body = &text[open + 1..];
    let length = body.windows(close.len()).position(|w| w == close)?;
    Some((&body[..length], open + 1 + length + close.len()))
}

/// `\u1234` or `\U00012345` at `at` where it names a character, and where it ends.
pub(crate) fn universal_name(text: &[u8], at: usize) -> Option<(char, usize)> {
    let (value, end) = universal_value(text, at)?;
    Some((char::from_u32(value)?, end))
}

/// The number in `\u1234` or `\U00012345` at `at`, and where it ends.
fn universal_value(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let digits = match text.get(at..at + 2)? {
        b"\\u" => 4,
        b"\\U" => 8,
        _ => return None,
    };
    let digits = text.get(at + 2..at + 2 + digits)?;
    let value = digits.iter().try_fold(0u32, |v, &b| Some(v << 4 | (b as char).to_digit(16)?))?;
    Some((value, at + 2 + digits.len()))
}

/// Appends the code units of one string or character token in the encoding `as_prefix` asks for.
/// The message tells of an escape that could not be read (its bytes are then taken as they stand).
pub fn decode(token: &[u8], as_prefix: StrPrefix, units: &mut Vec<u32>) -> Result<(), String> {
    let (_, body, raw) = parts(token);
    let mut problem = Ok(());
    let mut at = 0;
    while let Some(&b) = body.get(at) {
        if b == b'\\' && !raw {
            at = escape(body, at, as_prefix, units, &mut problem);
        } else if b < 0x80 || matches!(as_prefix, StrPrefix::None | StrPrefix::Utf8) {
            units.push(u32::from(b));
            at += 1;
        } else {
            let c = utf8_char(&body[at..]);
            match c {
                Some(c) => encode(c, as_prefix, units),
                None => units.push(u32::from(b)),
            }
            at += c.map_or(1, char::len_utf8);
        }
    }
    problem
}

/// One escape sequence at `at`; returns where it ends.
fn escape(
    body: &[u8],
    at: usize,
    prefix: StrPrefix,
    units: &mut Vec<u32>,
    problem: &mut Result<(), String>,
) -> usize {
    let Some(&letter) = body.get(at + 1) else {
        units.push(u32::from(b'\\'));
        return at + 1;
    };
    let simple = match letter {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'0'..=b'7' => {
            let digits = body[at + 1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b));
            let (mut value, mut count) = (0u32, 0);
            for digit in digits {
                value = value << 3 | u32::from(digit - b'0');
                count += 1;
            }
            units.push(value & mask(prefix));
            return at + 1 + count;
        }
        b'x' => {
            let (mut value, mut count) = (0u32, 0);
            for digit in body[at + 2..].iter().map_while(|&b| (b as char).to_digit(16)) {
                value = value << 4 | digit;
                count += 1;
            }
            if count == 0 {
                *problem = Err("expected hexadecimal digits after `\\x`".to_string());
            }
            units.push(value & mask(prefix));
            return at + 2 + count;
        }
        b'u' | b'U' => {
            if let Some((value, end)) = universal_value(body, at) {
                encode_any(value, prefix, units);
                return end;
            }
            *problem = Err(format!("`\\{}` does not name a character", letter as char));
            u32::from(letter)
        }
        b'\n' => return at + 2,
        b' ' | b'\t' | b'\r' => {
            let blanks = body[at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
            if body.get(at + 1 + blanks) == Some(&b'\n') {
                return at + 2 + blanks;
            }
            u32::from(letter)
        }
        other if other < 0x80 => u32::from(other),
        _ => return at + 1,
    };
    units.push(simple);
    at + 2
}

fn mask(prefix: StrPrefix) -> u32 {
    match prefix {
        StrPrefix::None | StrPrefix::Utf8 => 0xff,
        StrPrefix::Char16 => 0xffff,
        StrPrefix::Char32 | StrPrefix::Wide => u32::MAX,
    }
}

fn encode(c: char, prefix: StrPrefix, units: &mut Vec<u32>) {
    match prefix {
        StrPrefix::None | StrPrefix::Utf8 => {
            units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        StrPrefix::Char16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        StrPrefix::Char32 | StrPrefix::Wide => units.push(c as u32),
    }
}

/// As [`encode`], also beyond Unicode as gcc does it: UTF-8 of five and six bytes.
fn encode_any(value: u32, prefix: StrPrefix, units: &mut Vec<u32>) {
    match (char::from_u32(value), prefix) {
        (Some(c), _) => encode(c, prefix, units),
        (None, StrPrefix::None | StrPrefix::Utf8) => {
            let tail = match value {
                0..0x1_0000 => 2,
                0x1_0000..0x20_0000 => 3,
                0x20_0000..0x400_0000 => 4,
                _ => 5,
            };
            let lead = 0xff << (6 - tail) & 0xff;
            units.push(lead | value >> (6 * tail));
            units.extend((0..tail).rev().map(|n| 0x80 | value >> (6 * n) & 0x3f));
        }
        (None, StrPrefix::Char16) => units.push(value & 0xffff),
        (None, StrPrefix::Char32 | StrPrefix::Wide) => units.push(value),
    }
}

fn utf8_char(bytes: &[u8]) -> Option<char> {
    let bytes = &bytes[..bytes.len().min(4)];
    match std::str::from_utf8(bytes) {
        Ok(text) => text.chars().next(),
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?.chars().next(),
    }
}

/// The value of a character constant; several characters as gcc packs them.
pub fn char_value(prefix: StrPrefix, units: &[u32]) -> Option<i64> {
    let &last = units.last()?;
    Some(match prefix {
        StrPrefix::None if units.len() == 1 => i64::from(last as u8 as i8),
        StrPrefix::None => i64::from(units.iter().fold(0u32, |value, unit| value << 8 | unit) as i32),
        StrPrefix::Wide => i64::from(last as i32),
        StrPrefix::Utf8 | StrPrefix::Char16 | StrPrefix::Char32 => i64::from(last),
    })
}
