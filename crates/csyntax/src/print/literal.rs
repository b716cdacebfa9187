//! Constants and string literals as text.

use crate::ast::{FloatSuffix, FloatSuffixKind, IntBase, IntSuffix, StrLit, StrPrefix};
use crate::lex::literal::FLOAT_SUFFIXES;
use std::fmt::Write;

/// A narrow string literal.
pub(super) fn bytes(out: &mut String, bytes: &[u8]) {
    string_units(out, StrPrefix::None, bytes.iter().map(|&b| u32::from(b)));
}

/// A string literal with its prefix.
pub(super) fn string(out: &mut String, lit: &StrLit) {
    string_units(out, lit.prefix, lit.units.iter().copied());
}

fn prefix(prefix: StrPrefix) -> &'static str {
    match prefix {
        StrPrefix::None => "",
        StrPrefix::Utf8 => "u8",
        StrPrefix::Char16 => "u",
        StrPrefix::Char32 => "U",
        StrPrefix::Wide => "L",
    }
}

fn string_units(out: &mut String, kind: StrPrefix, units: impl Iterator<Item = u32>) {
    out.push_str(prefix(kind));
    out.push('"');
    let mut last = 0;
    let mut after_hex = false;
    for unit in units {
        // A digit behind a hexadecimal escape would be read as part of it.
        if after_hex && char::from_u32(unit).is_some_and(|c| c.is_ascii_hexdigit()) {
            out.push_str("\" ");
            out.push_str(prefix(kind));
            out.push('"');
        }
        // `??` begins a trigraph in strict modes.
        if unit == u32::from(b'?') && last == unit {
            out.push('\\');
        }
        after_hex = unit_text(out, kind, unit, '"');
        last = unit;
    }
    out.push('"');
}

/// One code unit; true if it was written as a hexadecimal escape.
fn unit_text(out: &mut String, kind: StrPrefix, unit: u32, quote: char) -> bool {
    let letter = match unit {
        7 => 'a',
        8 => 'b',
        9 => 't',
        10 => 'n',
        11 => 'v',
        12 => 'f',
        13 => 'r',
        92 => '\\',
        _ if unit == quote as u32 => quote,
        0x20..0x7f => {
            out.push(unit as u8 as char);
            return false;
        }
        _ => {
            let wide = matches!(kind, StrPrefix::Wide | StrPrefix::Char32);
            let scalar = char::from_u32(unit).is_some();
            let written = if unit <= 0o777 {
                write!(out, "\\{unit:03o}")
            } else if scalar && unit <= 0xffff && (wide || kind == StrPrefix::Char16) {
                write!(out, "\\u{unit:04x}")
            } else if scalar && wide {
                write!(out, "\\U{unit:08x}")
            } else {
                let _ = write!(out, "\\x{unit:x}");
                return true;
            };
            debug_assert!(written.is_ok());
            return false;
        }
    };
    out.push('\\');
    out.push(letter);
    false
}

/// A character constant.
pub(super) fn character(out: &mut String, value: i64, kind: StrPrefix) {
    out.push_str(prefix(kind));
    out.push('\'');
    match kind {
        StrPrefix::None if (-128..128).contains(&value) => {
            unit_text(out, kind, u32::from(value as u8), '\'');
        }
        StrPrefix::None => {
            let bytes = (value as u32).to_be_bytes();
            let skip = bytes.iter().take(2).take_while(|&&b| b == 0).count();
            for &b in &bytes[skip..] {
                unit_text(out, kind, u32::from(b), '\'');
            }
        }
        StrPrefix::Utf8 => {
            unit_text(out, kind, value as u32 & 0xff, '\'');
        }
        StrPrefix::Char16 => {
            unit_text(out, kind, value as u32 & 0xffff, '\'');
        }
        StrPrefix::Char32 | StrPrefix::Wide => {
            unit_text(out, kind, value as u32, '\'');
        }
    }
    out.push('\'');
}

/// An integer constant.
pub(super) fn int(out: &mut String, value: u128, suffix: IntSuffix, base: IntBase) {
    match (base, u64::try_from(value)) {
        (IntBase::Dec, Ok(value)) => decimal(out, value),
        (IntBase::Hex, Ok(value)) => hex(out, value),
        _ => {
            let written = match base {
                IntBase::Dec => write!(out, "{value}"),
                IntBase::Oct => write!(out, "0{value:o}"),
                IntBase::Hex => write!(out, "{value:#x}"),
                IntBase::Bin => write!(out, "{value:#b}"),
            };
            debug_assert!(written.is_ok());
        }
    }
    if suffix.bits {
        out.push_str("wb");
    }
    if suffix.unsigned {
        out.push('U');
    }
    out.push_str(match suffix.long {
        0 => "",
        1 => "L",
        _ => "LL",
    });
    if suffix.imaginary {
        out.push('i');
    }
}

fn decimal(out: &mut String, mut value: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.push_str(str::from_utf8(&digits[at..]).unwrap_or_default());
}

fn hex(out: &mut String, value: u64) {
    let count = (64 - (value | 1).leading_zeros()).div_ceil(4) as usize;
    let mut digits = *b"0x0000000000000000";
    for (n, digit) in digits[2..2 + count].iter_mut().enumerate() {
        *digit = b"0123456789abcdef"[(value >> (4 * (count - 1 - n))) as usize & 15];
    }
    out.push_str(str::from_utf8(&digits[..2 + count]).unwrap_or_default());
}

/// A floating constant.
pub(super) fn float(out: &mut String, text: &str, suffix: FloatSuffix) {
    out.push_str(text);
    if suffix.kind == FloatSuffixKind::LongDouble {
        out.push('L');
    } else {
        out.push_str(FLOAT_SUFFIXES.iter().find(|s| s.1 == suffix.kind).map_or("", |s| s.0));
    }
    if suffix.imaginary {
        out.push('i');
    }
}
