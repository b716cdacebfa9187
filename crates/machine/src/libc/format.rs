//! Conversion specifications of `printf` formats (C11 7.21.6.1), parsed and judged.

use crate::stop::{Res, undefined, unsupported};
use crate::ub::Ub;

/// Length modifier.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    Max,
    Size,
    PtrDiff,
    LongDouble,
}

/// Width or precision.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Amount {
    /// Not given.
    None,
    /// A number.
    Number(u64),
    /// `*`, or `*n$` with the argument's position.
    Argument(Option<u64>),
}

/// A conversion specification.
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)]
pub struct Spec {
    /// Which argument it converts, from 1, where the specification says so (`%n$`, POSIX).
    pub position: Option<u64>,
    pub minus: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: Amount,
    pub precision: Amount,
    pub length: Length,
    pub conversion: u8,
}

/// Numbers in formats stop growing here: no buffer is that large.
const LARGEST: u64 = 1 << 31;

fn number(text: &[u8], at: &mut usize) -> u64 {
    let mut n = 0u64;
    while let Some(d) = text.get(*at).filter(|c| c.is_ascii_digit()) {
        n = (n * 10 + u64::from(d - b'0')).min(LARGEST);
        *at += 1;
    }
    n
}

/// `n$`: the position of an argument, from 1.
fn position(text: &[u8], at: &mut usize) -> Res<Option<u64>> {
    let start = *at;
    let n = number(text, at);
    if *at == start || text.get(*at) != Some(&b'$') {
        *at = start;
        return Ok(None);
    }
    *at += 1;
    if n == 0 {
        return undefined(Ub::FormatMismatch, "arguments of a format are counted from 1");
    }
    Ok(Some(n))
}

fn amount(text: &[u8], at: &mut usize) -> Res<Amount> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Ok(Amount::Argument(position(text, at)?));
    }
    Ok(Amount::Number(number(text, at)))
}

/// A length modifier of `printf` or `scanf`.
pub fn length(text: &[u8], at: &mut usize) -> Length {
    let two = (text.get(*at).copied(), text.get(*at + 1).copied());
    let (length, n) = match two {
        (Some(b'h'), Some(b'h')) => (Length::Char, 2),
        (Some(b'h'), _) => (Length::Short, 1),
        (Some(b'l'), Some(b'l')) => (Length::LongLong, 2),
        (Some(b'l'), _) => (Length::Long, 1),
        (Some(b'q'), _) => (Length::LongLong, 1),
        (Some(b'j'), _) => (Length::Max, 1),
        (Some(b'z' | b'Z'), _) => (Length::Size, 1),
        (Some(b't'), _) => (Length::PtrDiff, 1),
        (Some(b'L'), _) => (Length::LongDouble, 1),
        _ => (Length::None, 0),
    };
    *at += n;
    length
}

impl Spec {
    /// Parses what follows a `%`; `at` moves past it.
    pub fn parse(text: &[u8], at: &mut usize) -> Res<Spec> {
        let mut spec = Spec {
            position: position(text, at)?,
            minus: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: Amount::None,
            precision: Amount::None,
            length: Length::None,
            conversion: 0,
        };
        let mut grouped = false;
        loop {
            match text.get(*at) {
                Some(b'-') => spec.minus = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'#') => spec.alternate = true,
                Some(b'0') => spec.zero = true,
                // Without effect in the "C" locale.
                Some(b'\'') => grouped = true,
                Some(_) | None => break,
            }
            *at += 1;
        }
        if text.get(*at).is_some_and(|c| c.is_ascii_digit() || *c == b'*') {
            spec.width = amount(text, at)?;
        }
        if text.get(*at) == Some(&b'.') {
            *at += 1;
            if text.get(*at) == Some(&b'-') {
                return unsupported("a negative precision in a format");
            }
            spec.precision = amount(text, at)?;
        }
        spec.length = length(text, at);
        let Some(&conversion) = text.get(*at) else {
            return undefined(Ub::FormatMismatch, "the format ends inside a conversion specification");
        };
        *at += 1;
        spec.conversion = conversion;
        spec.judge(grouped)?;
        Ok(spec)
    }

    /// Combinations that C11 7.21.6.1p5-9 leaves undefined.
    fn judge(&self, grouped: bool) -> Res<()> {
        let c = self.conversion;
        let integer = matches!(c, b'd' | b'i' | b'o' | b'u' | b'x' | b'X');
        let float = matches!(c, b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A');
        let plain_percent = c == b'%';
        if !integer && !float && !matches!(c, b'c' | b's' | b'p' | b'n' | b'%' | b'C' | b'S' | b'm') {
            let shown = char::from(c).escape_default();
            return undefined(Ub::FormatMismatch, format!("%{shown} is not a conversion"));
        }
        let lengths = match self.length {
            Length::None => true,
            Length::LongDouble => float,
            Length::Long => integer || float || matches!(c, b'n' | b'c' | b's'),
            Length::Char
            | Length::Short
            | Length::LongLong
            | Length::Max
            | Length::Size
            | Length::PtrDiff => integer || c == b'n',
        };
        let flags = (!self.alternate || float || matches!(c, b'o' | b'x' | b'X'))
            && (!self.zero || float || integer)
            && (!grouped || matches!(c, b'd' | b'i' | b'u' | b'f' | b'F' | b'g' | b'G'));
        let precision = self.precision == Amount::None || float || integer || matches!(c, b's' | b'S' | b'm');
        let alone = self.width == Amount::None && !self.minus && !self.plus && !self.space;
        let bare = !(plain_percent || c == b'n') || alone;
        if lengths && flags && precision && bare {
            return Ok(());
        }
        let what = if !lengths {
            "length modifier"
        } else if !flags {
            "flag"
        } else if !precision {
            "precision"
        } else {
            "flag or width"
        };
        undefined(Ub::FormatMismatch, format!("%{} does not take this {what}", char::from(c)))
    }
}
