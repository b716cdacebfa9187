//! The `printf` family: conversions as glibc writes them in the "C" locale, each argument checked against its
//! conversion (C11 7.21.6.1).

use super::decimal::{Decimal, Hex, Parts};
use super::format::{Amount, Length, Spec};
use super::stdio::{self, Stream};
use super::{Args, Entry, charge, errnos, int, overlap, pointer, set_errno, store_int, strings};
use crate::class::{Class, Scalar, class_of, scalar_of};
use crate::mem::Ptr;
use crate::stop::{Res, exhausted, undefined, unsupported};
use crate::ub::Ub;
use crate::verdict::Budget;
use crate::vm::{Slot, Vm};
use csyntax::types::{FloatKind, Ty, TyKind};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("printf", "ip*", |vm, a| print(vm, To::Stream(Stream::Out), a.ptr(0)?, Source::Call(a, 1))),
    ("printf_unlocked", "ip*", |vm, a| print(vm, To::Stream(Stream::Out), a.ptr(0)?, Source::Call(a, 1))),
    ("__printf_chk", "iip*", |vm, a| print(vm, To::Stream(Stream::Out), a.ptr(1)?, Source::Call(a, 2))),
    ("fprintf", "ipp*", |vm, a| to_stream(vm, a.ptr(0)?, a.ptr(1)?, Source::Call(a, 2))),
    ("fprintf_unlocked", "ipp*", |vm, a| to_stream(vm, a.ptr(0)?, a.ptr(1)?, Source::Call(a, 2))),
    ("__fprintf_chk", "ipip*", |vm, a| to_stream(vm, a.ptr(0)?, a.ptr(2)?, Source::Call(a, 3))),
    ("dprintf", "iip*", |vm, a| {
        let stream = stdio::descriptor(a.i32(0)?)?;
        print(vm, To::Descriptor(stream), a.ptr(1)?, Source::Call(a, 2))
    }),
    ("sprintf", "ipp*", |vm, a| print(vm, To::Buffer(a.ptr(0)?, None), a.ptr(1)?, Source::Call(a, 2))),
    ("__sprintf_chk", "ipizp*", |vm, a| {
        print(vm, To::Buffer(a.ptr(0)?, None), a.ptr(3)?, Source::Call(a, 4))
    }),
    ("snprintf", "ipzp*", |vm, a| {
        print(vm, To::Buffer(a.ptr(0)?, Some(a.int(1)?)), a.ptr(2)?, Source::Call(a, 3))
    }),
    ("__snprintf_chk", "ipzizp*", |vm, a| {
        strings::fortified(a.int(1)?, a.int(3)?)?;
        print(vm, To::Buffer(a.ptr(0)?, Some(a.int(1)?)), a.ptr(4)?, Source::Call(a, 5))
    }),
    ("asprintf", "ipp*", |vm, a| print(vm, To::Allocated(a.ptr(0)?), a.ptr(1)?, Source::Call(a, 2))),
    ("__asprintf_chk", "ipip*", |vm, a| print(vm, To::Allocated(a.ptr(0)?), a.ptr(2)?, Source::Call(a, 3))),
    ("vprintf", "ipa", |vm, a| listed(vm, To::Stream(Stream::Out), a.ptr(0)?, a.ptr(1)?)),
    ("__vprintf_chk", "iipa", |vm, a| listed(vm, To::Stream(Stream::Out), a.ptr(1)?, a.ptr(2)?)),
    ("vfprintf", "ippa", |vm, a| {
        let stream = stdio::stream(vm, a.ptr(0)?)?;
        listed(vm, To::Stream(stream), a.ptr(1)?, a.ptr(2)?)
    }),
    ("__vfprintf_chk", "ipipa", |vm, a| {
        let stream = stdio::stream(vm, a.ptr(0)?)?;
        listed(vm, To::Stream(stream), a.ptr(2)?, a.ptr(3)?)
    }),
    ("vsprintf", "ippa", |vm, a| listed(vm, To::Buffer(a.ptr(0)?, None), a.ptr(1)?, a.ptr(2)?)),
    ("__vsprintf_chk", "ipizpa", |vm, a| listed(vm, To::Buffer(a.ptr(0)?, None), a.ptr(3)?, a.ptr(4)?)),
    ("vsnprintf", "ipzpa", |vm, a| listed(vm, To::Buffer(a.ptr(0)?, Some(a.int(1)?)), a.ptr(2)?, a.ptr(3)?)),
    ("__vsnprintf_chk", "ipzizpa", |vm, a| {
        strings::fortified(a.int(1)?, a.int(3)?)?;
        listed(vm, To::Buffer(a.ptr(0)?, Some(a.int(1)?)), a.ptr(4)?, a.ptr(5)?)
    }),
    ("vasprintf", "ippa", |vm, a| listed(vm, To::Allocated(a.ptr(0)?), a.ptr(1)?, a.ptr(2)?)),
    ("vdprintf", "iipa", |vm, a| {
        let stream = stdio::descriptor(a.i32(0)?)?;
        listed(vm, To::Descriptor(stream), a.ptr(1)?, a.ptr(2)?)
    }),
];

/// Where output goes.
#[derive(Copy, Clone)]
enum To {
    Stream(Stream),
    Descriptor(Stream),
    /// A buffer, with the size given to `snprintf`.
    Buffer(Ptr, Option<u64>),
    /// A new allocation whose address is stored here.
    Allocated(Ptr),
}

/// Where arguments come from.
#[derive(Copy, Clone)]
enum Source<'a, 'p> {
    /// The call, from this argument on.
    Call(&'a Args<'p>, usize),
    /// A `va_list`.
    List(usize),
}

fn to_stream(vm: &mut Vm<'_>, stream: Ptr, format: Ptr, source: Source<'_, '_>) -> Res<Slot> {
    let stream = stdio::stream(vm, stream)?;
    print(vm, To::Stream(stream), format, source)
}

/// A `v` function; afterwards the list is used up (7.16p3).
fn listed(vm: &mut Vm<'_>, to: To, format: Ptr, list: Ptr) -> Res<Slot> {
    let number = vm.list_of(list)?;
    let done = print(vm, to, format, Source::List(number))?;
    vm.lists[number].next = vm.lists[number].end;
    Ok(done)
}

/// Output on its way: bytes up to a limit, and how many there were.
struct Out {
    bytes: Vec<u8>,
    keep: u64,
    total: u64,
    /// Ranges that were read, for the overlap check.
    read: Vec<(Ptr, u64)>,
}

impl Out {
    fn push(&mut self, bytes: &[u8]) {
        let room = self.keep.saturating_sub(self.bytes.len() as u64).min(bytes.len() as u64);
        self.bytes.extend_from_slice(&bytes[..room as usize]);
        self.total += bytes.len() as u64;
    }

    fn pad(&mut self, byte: u8, n: u64) {
        let room = self.keep.saturating_sub(self.bytes.len() as u64).min(n);
        self.bytes.resize(self.bytes.len() + room as usize, byte);
        self.total += n;
    }

    /// Bytes aligned in a field.
    fn field(&mut self, bytes: &[u8], width: u64, left: bool) {
        let pad = width.saturating_sub(bytes.len() as u64);
        if !left {
            self.pad(b' ', pad);
        }
        self.push(bytes);
        if left {
            self.pad(b' ', pad);
        }
    }
}

/// A number ready to be placed: sign or base prefix, zeros, digits, zeros, exponent.
#[derive(Default)]
struct Number {
    prefix: Vec<u8>,
    zeros: u64,
    body: Vec<u8>,
    more_zeros: u64,
    tail: Vec<u8>,
}

impl Number {
    fn place(&self, out: &mut Out, width: u64, left: bool, zero: bool) {
        let len = self.prefix.len() + self.body.len() + self.tail.len();
        let pad = width.saturating_sub(len as u64 + self.zeros + self.more_zeros);
        if !left && !zero {
            out.pad(b' ', pad);
        }
        out.push(&self.prefix);
        out.pad(b'0', self.zeros + if zero && !left { pad } else { 0 });
        out.push(&self.body);
        out.pad(b'0', self.more_zeros);
        out.push(&self.tail);
        if left {
            out.pad(b' ', pad);
        }
    }
}

/// A specification with its width and precision known.
struct Ready {
    spec: Spec,
    width: u64,
    precision: Option<u64>,
}

fn print(vm: &mut Vm<'_>, to: To, format: Ptr, source: Source<'_, '_>) -> Res<Slot> {
    let keep = match to {
        To::Stream(_) | To::Descriptor(_) | To::Allocated(_) => vm.options.max_output.saturating_add(1),
        To::Buffer(p, None) => match vm.mem.rec(p.prov) {
            Some(rec) => rec.size.saturating_sub(p.addr.wrapping_sub(rec.base)),
            None => 0,
        },
        To::Buffer(_, Some(n)) => n.saturating_sub(1).min(vm.options.max_memory),
    };
    let mut arguments = Arguments::new(vm, source);
    let mut out = Out { bytes: Vec::new(), keep, total: 0, read: Vec::new() };
    let text = vm.mem.read_str(format)?;
    out.read.push((format, text.len() as u64 + 1));
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'%' {
            let end = text[at..].iter().position(|c| *c == b'%').map_or(text.len(), |n| at + n);
            out.push(&text[at..end]);
            at = end;
            continue;
        }
        at += 1;
        let spec = Spec::parse(&text, &mut at)?;
        if spec.conversion == b'%' {
            out.push(b"%");
            continue;
        }
        let ready = ready(vm, spec, &mut arguments)?;
        convert(vm, &ready, &mut arguments, &mut out)?;
        if matches!(to, To::Stream(_) | To::Descriptor(_) | To::Allocated(_)) && out.total >= keep {
            return exhausted(Budget::Output);
        }
    }
    charge(vm, out.total)?;
    if out.total > i32::MAX as u64 {
        set_errno(vm, errnos::EOVERFLOW)?;
        return Ok(int(-1));
    }
    finish(vm, to, out)
}

fn finish(vm: &mut Vm<'_>, to: To, mut out: Out) -> Res<Slot> {
    let total = out.total;
    match to {
        To::Stream(stream) => {
            if !stdio::put(vm, stream, &out.bytes)? {
                return Ok(int(-1));
            }
        }
        To::Descriptor(stream) => stdio::put_directly(vm, stream, &out.bytes)?,
        To::Buffer(_, Some(0)) => {}
        To::Buffer(p, limit) => {
            let written = match limit {
                Some(n) => total.min(n - 1),
                None => total,
            };
            vm.mem.access(p, written + 1, 1)?;
            for (from, n) in &out.read {
                if overlap(p, written + 1, *from, *n) {
                    return undefined(Ub::OverlappingCopy, "the output overwrites what it is made from");
                }
            }
            out.bytes.truncate(written as usize);
            out.bytes.push(0);
            vm.mem.write_bytes(p, &out.bytes)?;
        }
        To::Allocated(p) => {
            let Some(new) = vm.mem.heap_alloc(total + 1, 16)? else { return exhausted(Budget::Memory) };
            out.bytes.push(0);
            vm.mem.write_bytes(new, &out.bytes)?;
            let index = vm.mem.access(p, vm.mem.pointer_bytes, vm.mem.pointer_bytes)?;
            let new = pointer(new);
            vm.mem.store_ptr(index, Class::Ptr as u8, Ptr { addr: new.lo, prov: new.hi })?;
        }
    }
    Ok(int(total as i64))
}

/// The arguments of a format, taken in turn or by position (POSIX), not both.
struct Arguments<'a, 'p> {
    source: Source<'a, 'p>,
    /// Where the first of them is in the call or the list.
    first: usize,
    numbered: Option<bool>,
}

impl<'a, 'p> Arguments<'a, 'p> {
    fn new(vm: &Vm<'_>, source: Source<'a, 'p>) -> Arguments<'a, 'p> {
        let first = match source {
            Source::Call(_, n) => n,
            Source::List(number) => vm.lists[number].next,
        };
        Arguments { source, first, numbered: None }
    }

    /// The next argument, or the one at a position: its type and value.
    fn next(&mut self, vm: &mut Vm<'_>, position: Option<u64>) -> Res<(Ty, Slot)> {
        if self.numbered.is_some_and(|numbered| numbered != position.is_some()) {
            let what = "the format takes some arguments by position and others in turn";
            return undefined(Ub::FormatMismatch, what);
        }
        self.numbered = Some(position.is_some());
        let here = position.map(|n| self.first.saturating_add(n as usize - 1));
        let none = || undefined(Ub::FormatArguments, "the format asks for more arguments than there are");
        match &mut self.source {
            Source::Call(args, n) => {
                *n = here.unwrap_or(*n);
                let Some(ty) = args.types.get(*n) else { return none() };
                let slot = args.get(*n)?;
                *n += 1;
                Ok((*ty, slot))
            }
            Source::List(number) => {
                let list = &mut vm.lists[*number];
                list.next = here.unwrap_or(list.next);
                if list.next >= list.end {
                    return none();
                }
                let extra = vm.next_extra(*number)?;
                Ok((extra.ty, extra.value))
            }
        }
    }
}

fn mismatch<T>(spec: &Spec, wanted: &str) -> Res<T> {
    undefined(Ub::FormatMismatch, format!("%{} needs {wanted}", char::from(spec.conversion)))
}

/// Evaluates `*`.
fn ready(vm: &mut Vm<'_>, mut spec: Spec, arguments: &mut Arguments<'_, '_>) -> Res<Ready> {
    let width = match spec.width {
        Amount::None => 0,
        Amount::Number(n) => n,
        Amount::Argument(position) => {
            let n = star(vm, &spec, position, arguments)?;
            spec.minus |= n < 0;
            n.unsigned_abs()
        }
    };
    let precision = match spec.precision {
        Amount::None => None,
        Amount::Number(n) => Some(n),
        Amount::Argument(position) => u64::try_from(star(vm, &spec, position, arguments)?).ok(),
    };
    Ok(Ready { spec, width, precision })
}

fn star(vm: &mut Vm<'_>, spec: &Spec, position: Option<u64>, arguments: &mut Arguments<'_, '_>) -> Res<i64> {
    let (ty, slot) = arguments.next(vm, position)?;
    if class_of(&vm.unit.types, ty) != Class::Int {
        return mismatch(spec, "an int for '*'");
    }
    Ok(i64::from(slot.lo as i32))
}

fn convert(vm: &mut Vm<'_>, ready: &Ready, arguments: &mut Arguments<'_, '_>, out: &mut Out) -> Res<()> {
    let (spec, left) = (&ready.spec, ready.spec.minus);
    if spec.conversion == b'm' {
        let number = super::errno(vm)?;
        let message = super::strerror::message(number);
        let shown = ready.precision.map_or(message.len(), |p| message.len().min(p as usize));
        out.field(&message.as_bytes()[..shown], ready.width, left);
        return Ok(());
    }
    let (ty, slot) = arguments.next(vm, spec.position)?;
    match spec.conversion {
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
            let (class, bytes) = integer(vm, spec.length);
            let types = &vm.unit.types;
            let given = if class == Class::Char || class == Class::Short { Class::Int } else { class };
            if types.int_kind(ty).is_none() || class_of(types, ty) != given {
                return mismatch(spec, &format!("an argument of type {}", Class::name(given as u8)));
            }
            put_integer(ready, slot.lo, bytes, out);
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let (wanted, name) = match spec.length {
                Length::LongDouble => (FloatKind::LongDouble, "a long double"),
                _ => (FloatKind::Double, "a double"),
            };
            let scalar = scalar_of(&vm.unit.types, ty);
            let Some(kind) = scalar.filter(|_| *vm.unit.types.kind(ty) == TyKind::Float(wanted)) else {
                return mismatch(spec, name);
            };
            put_float(ready, kind, Parts::of(kind, slot), out);
        }
        b'c' | b'C' => {
            if vm.unit.types.int_kind(ty).is_none() || class_of(&vm.unit.types, ty) != Class::Int {
                return mismatch(spec, "an int");
            }
            if (spec.length == Length::Long || spec.conversion == b'C') && slot.lo as u32 > 127 {
                return unsupported("a wide character beyond ASCII");
            }
            out.field(&[slot.lo as u8], ready.width, left);
        }
        b's' | b'S' => {
            let p = Ptr { addr: slot.lo, prov: slot.hi };
            let wide = spec.length == Length::Long || spec.conversion == b'S';
            if !points_to(vm, ty, if wide { Class::Int } else { Class::Char }, !wide) {
                return mismatch(spec, if wide { "a pointer to wchar_t" } else { "a pointer to char" });
            }
            let limit = ready.precision.unwrap_or(u64::MAX);
            let bytes = if wide {
                super::wchar::narrow(vm, p, limit)?
            } else {
                let n = strings::length(vm, p, limit)?;
                out.read.push((p, n + u64::from(n < limit)));
                vm.mem.read_bytes(p, n)?
            };
            out.field(&bytes, ready.width, left);
        }
        b'p' => {
            if !matches!(vm.unit.types.kind(ty), TyKind::Pointer(_)) {
                return mismatch(spec, "a pointer");
            }
            if slot.lo == 0 {
                out.field(b"(nil)", ready.width, left);
            } else {
                vm.mem.address_seen = true;
                let addr = vm.mem.expose(Ptr { addr: slot.lo, prov: slot.hi });
                out.field(format!("{addr:#x}").as_bytes(), ready.width, left);
            }
        }
        _ => {
            let (class, bytes) = integer(vm, spec.length);
            if !points_to(vm, ty, class, false) {
                return mismatch(spec, &format!("a pointer to {}", Class::name(class as u8)));
            }
            store_int(vm, Ptr { addr: slot.lo, prov: slot.hi }, out.total as i64, bytes, class)?;
        }
    }
    Ok(())
}

/// Class and size of the integer a length modifier names.
pub fn integer(vm: &Vm<'_>, length: Length) -> (Class, u64) {
    let target = &vm.options.target;
    let long = u64::from(target.long_bytes);
    match length {
        Length::None | Length::LongDouble => (Class::Int, 4),
        Length::Char => (Class::Char, 1),
        Length::Short => (Class::Short, 2),
        Length::Long => (Class::Long, long),
        Length::LongLong => (Class::LLong, 8),
        Length::Max if long == 8 => (Class::Long, 8),
        Length::Max => (Class::LLong, 8),
        Length::Size | Length::PtrDiff if target.pointer_bytes == 8 => (Class::Long, 8),
        Length::Size | Length::PtrDiff => (Class::Int, 4),
    }
}

/// Is a type a pointer to objects of a class (or to `void`, where that may stand for it)?
pub fn points_to(vm: &Vm<'_>, ty: Ty, class: Class, void: bool) -> bool {
    let types = &vm.unit.types;
    match types.kind(ty) {
        TyKind::Pointer(to) => match types.kind(to.ty) {
            TyKind::Void => void,
            _ => scalar_of(types, to.ty).is_some() && class_of(types, to.ty) == class,
        },
        _ => false,
    }
}

fn sign(spec: &Spec, negative: bool) -> Vec<u8> {
    if negative {
        vec![b'-']
    } else if spec.plus {
        vec![b'+']
    } else if spec.space {
        vec![b' ']
    } else {
        Vec::new()
    }
}

fn put_integer(ready: &Ready, raw: u64, bytes: u64, out: &mut Out) {
    let spec = &ready.spec;
    let signed = matches!(spec.conversion, b'd' | b'i');
    let shift = 64 - 8 * bytes;
    let wide =
        if signed { i128::from((raw << shift) as i64 >> shift) } else { i128::from(raw << shift >> shift) };
    let magnitude = wide.unsigned_abs();
    let mut body = match spec.conversion {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    }
    .into_bytes();
    if ready.precision == Some(0) && magnitude == 0 {
        body.clear();
    }
    let mut number = Number { body, ..Number::default() };
    if signed {
        number.prefix = sign(spec, wide < 0);
    }
    let least = ready.precision.unwrap_or(1);
    number.zeros = least.saturating_sub(number.body.len() as u64);
    if spec.alternate {
        match spec.conversion {
            b'o' if number.zeros == 0 && number.body.first() != Some(&b'0') => number.zeros = 1,
            b'x' if magnitude != 0 => number.prefix = b"0x".to_vec(),
            b'X' if magnitude != 0 => number.prefix = b"0X".to_vec(),
            _ => {}
        }
    }
    number.place(out, ready.width, spec.minus, spec.zero && ready.precision.is_none());
}

fn put_float(ready: &Ready, kind: Scalar, parts: Parts, out: &mut Out) {
    let spec = &ready.spec;
    let upper = spec.conversion.is_ascii_uppercase();
    let (negative, mantissa, exponent) = match parts {
        Parts::Infinite(negative) | Parts::Nan(negative) => {
            let name: &[u8] = match (parts, upper) {
                (Parts::Infinite(_), false) => b"inf",
                (Parts::Infinite(_), true) => b"INF",
                (_, false) => b"nan",
                (_, true) => b"NAN",
            };
            let text = [&sign(spec, negative), name].concat();
            out.field(&text, ready.width, spec.minus);
            return;
        }
        Parts::Finite { negative, mantissa, exponent } => (negative, mantissa, exponent),
    };
    let alternate = spec.alternate;
    let mut number = match spec.conversion {
        b'a' | b'A' => hexadecimal(kind, mantissa, exponent, ready.precision, alternate),
        b'f' | b'F' => {
            let precision = ready.precision.unwrap_or(6);
            let mut decimal = Decimal::exact(mantissa, exponent);
            let keep = i64::from(decimal.point) + precision as i64;
            decimal.round(keep);
            fixed(&decimal, precision, alternate)
        }
        b'e' | b'E' => {
            let precision = ready.precision.unwrap_or(6);
            let mut decimal = Decimal::exact(mantissa, exponent);
            decimal.round(precision as i64 + 1);
            scientific(&decimal, precision, alternate)
        }
        _ => {
            let precision = ready.precision.unwrap_or(6).max(1);
            let mut decimal = Decimal::exact(mantissa, exponent);
            decimal.round(precision as i64);
            general(&decimal, precision, alternate)
        }
    };
    number.prefix = [sign(spec, negative), std::mem::take(&mut number.prefix)].concat();
    if upper {
        for part in [&mut number.prefix, &mut number.body, &mut number.tail] {
            part.make_ascii_uppercase();
        }
    }
    number.place(out, ready.width, spec.minus, spec.zero);
}

/// `ddd.ddd` of a value already rounded.
fn fixed(decimal: &Decimal, precision: u64, alternate: bool) -> Number {
    let whole = i64::from(decimal.point.max(1));
    let mut body: Vec<u8> = (0..whole).map(|n| decimal.at(n - whole)).collect();
    if precision > 0 || alternate {
        body.push(b'.');
    }
    let there = (decimal.digits.len() as i64 - i64::from(decimal.point)).max(0).min(precision as i64);
    body.extend((0..there).map(|n| decimal.at(n)));
    Number { body, more_zeros: precision - there as u64, ..Number::default() }
}

/// `d.ddde±dd` of a value already rounded.
fn scientific(decimal: &Decimal, precision: u64, alternate: bool) -> Number {
    let digit = |n: usize| decimal.digits.get(n).map_or(b'0', |d| b'0' + d);
    let mut body = vec![digit(0)];
    if precision > 0 || alternate {
        body.push(b'.');
    }
    let there = (decimal.digits.len().max(1) - 1).min(precision as usize);
    body.extend((1..=there).map(digit));
    let power = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let sign = if power < 0 { '-' } else { '+' };
    let tail = format!("e{sign}{:02}", power.unsigned_abs()).into_bytes();
    Number { body, more_zeros: precision - there as u64, tail, ..Number::default() }
}

/// `%g` of a value rounded to `precision` digits.
fn general(decimal: &Decimal, precision: u64, alternate: bool) -> Number {
    let power = if decimal.digits.is_empty() { 0 } else { i64::from(decimal.point) - 1 };
    let significant = decimal.digits.len() as i64;
    if power < precision as i64 && power >= -4 {
        let all = precision as i64 - 1 - power;
        let needed = if alternate { all } else { all.min((significant - i64::from(decimal.point)).max(0)) };
        fixed(decimal, needed as u64, alternate)
    } else {
        let all = precision as i64 - 1;
        let needed = if alternate { all } else { all.min((significant - 1).max(0)) };
        scientific(decimal, needed as u64, alternate)
    }
}

fn hexadecimal(
    kind: Scalar,
    mantissa: u128,
    exponent: i32,
    precision: Option<u64>,
    alternate: bool,
) -> Number {
    let mut hex = Hex::of(kind, mantissa, exponent);
    match precision {
        Some(n) => hex.round(usize::try_from(n).unwrap_or(usize::MAX)),
        None => hex.shorten(),
    }
    let digit = |d: u8| if d < 10 { b'0' + d } else { b'a' + d - 10 };
    let mut body = vec![digit(hex.lead)];
    if alternate || !hex.fraction.is_empty() || precision.is_some_and(|p| p > 0) {
        body.push(b'.');
    }
    body.extend(hex.fraction.iter().map(|d| digit(*d)));
    let more_zeros = precision.map_or(0, |p| p.saturating_sub(hex.fraction.len() as u64));
    let sign = if hex.exponent < 0 { '-' } else { '+' };
    let tail = format!("p{sign}{}", hex.exponent.unsigned_abs()).into_bytes();
    Number { prefix: b"0x".to_vec(), body, more_zeros, tail, ..Number::default() }
}
