//! Numbers from text: `strtol`, `strtod`, `atoi` and their kin (C11 7.22.1). The readers serve `scanf` too.

use super::{Args, Entry, errnos, int, set_errno};
use crate::class::{Class, Scalar};
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use crate::vm::{Slot, Vm};
use csyntax::target::LongDouble;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round, Status};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("atoi", "ip", |vm, a| ascii(vm, a, 4)),
    ("atol", "lp", |vm, a| ascii(vm, a, long(vm))),
    ("atoll", "qp", |vm, a| ascii(vm, a, 8)),
    ("atof", "dp", |vm, a| {
        let text = vm.mem.read_str(a.ptr(0)?)?;
        Ok(read_float(&text, Scalar::F64).map_or(int(0), |f| f.value))
    }),
    ("strtol", "lppi", |vm, a| integer(vm, a, true, long(vm))),
    ("strtoul", "lppi", |vm, a| integer(vm, a, false, long(vm))),
    ("strtoll", "qppi", |vm, a| integer(vm, a, true, 8)),
    ("strtoull", "qppi", |vm, a| integer(vm, a, false, 8)),
    ("strtoimax", "qppi", |vm, a| integer(vm, a, true, 8)),
    ("strtoumax", "qppi", |vm, a| integer(vm, a, false, 8)),
    ("strtoq", "qppi", |vm, a| integer(vm, a, true, 8)),
    ("strtouq", "qppi", |vm, a| integer(vm, a, false, 8)),
    ("strtof", "fpp", |vm, a| float(vm, a, Scalar::F32)),
    ("strtod", "dpp", |vm, a| float(vm, a, Scalar::F64)),
    ("strtold", "epp", |vm, a| float(vm, a, long_double(vm))),
];

fn long(vm: &Vm<'_>) -> u64 {
    vm.options.target.long_bytes.into()
}

/// The representation of `long double`.
pub fn long_double(vm: &Vm<'_>) -> Scalar {
    match vm.options.target.long_double {
        LongDouble::Double => Scalar::F64,
        LongDouble::X87 => Scalar::F80,
        LongDouble::Quad => Scalar::F128,
    }
}

/// White space of the "C" locale.
pub fn space(c: u8) -> bool {
    matches!(c, b' ' | b'\t'..=b'\r')
}

/// An integer read from text.
#[derive(Copy, Clone, Debug)]
pub struct Integer {
    /// Bytes read, white space included.
    pub len: usize,
    /// Was there a minus sign?
    pub negative: bool,
    /// Its magnitude; all ones when too large.
    pub magnitude: u128,
}

/// Reads an integer in a base (0: as in C); `None` if there is none.
pub fn read_integer(text: &[u8], base: u32) -> Option<Integer> {
    let mut at = text.iter().take_while(|c| space(**c)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |at: usize, base: u32| text.get(at).and_then(|c| char::from(*c).to_digit(base));
    let prefix = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2, 16).is_some();
    let base = match base {
        0 | 16 if prefix => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    let start = at;
    let mut magnitude = 0u128;
    while let Some(d) = digit(at, base) {
        let next = magnitude.checked_mul(base.into()).and_then(|m| m.checked_add(d.into()));
        magnitude = next.unwrap_or(u128::MAX);
        at += 1;
    }
    (at > start).then_some(Integer { len: at, negative, magnitude })
}

impl Integer {
    /// The value in a type, and whether it was out of range (then the nearest limit).
    pub fn limit(&self, signed: bool, bytes: u64) -> (i64, bool) {
        let bits = 8 * bytes as u32;
        if signed {
            let most = (1u128 << (bits - 1)) - u128::from(!self.negative);
            let value = self.magnitude.min(most) as i128;
            ((if self.negative { -value } else { value }) as i64, self.magnitude > most)
        } else {
            let most = (1u128 << bits) - 1;
            if self.magnitude > most {
                return (if bits == 64 { -1 } else { most as i64 }, true);
            }
            let value = self.magnitude as u64;
            let value = if self.negative { value.wrapping_neg() } else { value };
            (if bits == 64 { value as i64 } else { (value & most as u64) as i64 }, false)
        }
    }
}

fn ascii(vm: &mut Vm<'_>, args: &Args<'_>, bytes: u64) -> Res<Slot> {
    let text = vm.mem.read_str(args.ptr(0)?)?;
    let Some(read) = read_integer(&text, 10) else { return Ok(int(0)) };
    let (value, over) = read.limit(true, bytes);
    if over {
        return undefined(Ub::LibraryArgument, "the number does not fit the result (C11 7.22.1p1)");
    }
    Ok(int(value))
}

/// Stores where the number ended.
fn store_end(vm: &mut Vm<'_>, args: &Args<'_>, len: usize) -> Res<()> {
    let to = args.ptr(1)?;
    if to.addr != 0 {
        let word = vm.mem.pointer_bytes;
        let index = vm.mem.access(to, word, word)?;
        vm.mem.store_ptr(index, Class::Ptr as u8, args.ptr(0)?.offset(len as u64))?;
    }
    Ok(())
}

fn integer(vm: &mut Vm<'_>, args: &Args<'_>, signed: bool, bytes: u64) -> Res<Slot> {
    let text = vm.mem.read_str(args.ptr(0)?)?;
    let base = args.i32(2)?;
    if base != 0 && !(2..=36).contains(&base) {
        return undefined(Ub::LibraryArgument, format!("{base} is not a base"));
    }
    let read = read_integer(&text, base as u32);
    store_end(vm, args, read.map_or(0, |r| r.len))?;
    let Some(read) = read else { return Ok(int(0)) };
    let (value, over) = read.limit(signed, bytes);
    if over {
        set_errno(vm, errnos::ERANGE)?;
    }
    Ok(int(value))
}

/// A floating number read from text.
#[derive(Copy, Clone, Debug)]
pub struct Floating {
    /// Bytes read, white space included.
    pub len: usize,
    /// Register form.
    pub value: Slot,
    /// Out of range?
    pub range: bool,
}

fn parse<F: Float>(text: &str) -> Option<(u128, bool)> {
    let made = F::from_str_r(text, Round::NearestTiesToEven).ok()?;
    let out = made.status.intersects(Status::OVERFLOW | Status::UNDERFLOW);
    Some((made.value.to_bits(), out))
}

fn special<F: Float>(nan: bool) -> u128 {
    if nan { F::qnan(None) } else { F::INFINITY }.to_bits()
}

/// How far a run of digits with one optional point goes; `None` without digits.
fn digits(text: &[u8], from: usize, hex: bool) -> Option<usize> {
    let is = |c: &u8| if hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let mut at = from;
    let (mut count, mut point) = (0, false);
    while let Some(c) = text.get(at) {
        if is(c) {
            count += 1;
        } else if *c == b'.' && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    (count > 0).then_some(at)
}

/// End of an exponent that starts with one of `letters`, or where it would start.
fn exponent(text: &[u8], from: usize, letters: [u8; 2]) -> usize {
    if !text.get(from).is_some_and(|c| letters.contains(c)) {
        return from;
    }
    let sign = usize::from(matches!(text.get(from + 1), Some(b'-' | b'+')));
    let start = from + 1 + sign;
    let n = text.get(start..).map_or(0, |t| t.iter().take_while(|c| c.is_ascii_digit()).count());
    if n == 0 { from } else { start + n }
}

/// Reads a floating number; `None` if there is none.
pub fn read_float(text: &[u8], kind: Scalar) -> Option<Floating> {
    let mut at = text.iter().take_while(|c| space(**c)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let rest = text.get(at..)?;
    let starts = |word: &[u8]| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word);
    let (len, bits, range) = if starts(b"inf") {
        let len = if starts(b"infinity") { 8 } else { 3 };
        (at + len, by_kind(kind, Ask::Infinity)?.0, false)
    } else if starts(b"nan") {
        (at + 3 + payload(&rest[3..]), by_kind(kind, Ask::Nan)?.0, false)
    } else {
        let hex = starts(b"0x") && digits(text, at + 2, true).is_some();
        let (body, end) = if hex {
            let body = digits(text, at + 2, true)?;
            (body, exponent(text, body, *b"pP"))
        } else {
            let body = digits(text, at, false)?;
            (body, exponent(text, body, *b"eE"))
        };
        let mut clean = String::from_utf8_lossy(&text[at..end]).into_owned();
        if hex && body == end {
            clean.push_str("p0");
        }
        let (bits, range) = by_kind(kind, Ask::Text(&clean))?;
        (end, bits, range)
    };
    let width = match kind {
        Scalar::F32 => 32,
        Scalar::F80 => 80,
        Scalar::F128 => 128,
        _ => 64,
    };
    let bits = if negative { bits | 1 << (width - 1) } else { bits };
    Some(Floating { len, value: Slot { lo: bits as u64, hi: (bits >> 64) as u64 }, range })
}

/// Length of a `(…)` after `nan`.
fn payload(text: &[u8]) -> usize {
    if text.first() != Some(&b'(') {
        return 0;
    }
    let n = text[1..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    if text.get(n + 1) == Some(&b')') { n + 2 } else { 0 }
}

enum Ask<'a> {
    Infinity,
    Nan,
    Text(&'a str),
}

fn by_kind(kind: Scalar, ask: Ask<'_>) -> Option<(u128, bool)> {
    fn of<F: Float>(ask: Ask<'_>) -> Option<(u128, bool)> {
        match ask {
            Ask::Infinity => Some((special::<F>(false), false)),
            Ask::Nan => Some((special::<F>(true), false)),
            Ask::Text(text) => parse::<F>(text),
        }
    }
    match kind {
        Scalar::F32 => of::<Single>(ask),
        Scalar::F80 => of::<X87DoubleExtended>(ask),
        Scalar::F128 => of::<Quad>(ask),
        _ => of::<Double>(ask),
    }
}

fn float(vm: &mut Vm<'_>, args: &Args<'_>, kind: Scalar) -> Res<Slot> {
    let text = vm.mem.read_str(args.ptr(0)?)?;
    let read = read_float(&text, kind);
    store_end(vm, args, read.map_or(0, |r| r.len))?;
    match read {
        Some(read) => {
            if read.range {
                set_errno(vm, errnos::ERANGE)?;
            }
            Ok(read.value)
        }
        None => Ok(Slot::default()),
    }
}
