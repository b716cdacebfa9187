//! The `scanf` family on strings, the standard input and files (C11 7.21.6.2).

use super::files;
use super::format::{self, Length};
use super::number::{long_double, read_float, read_integer, space};
use super::print::{integer, points_to};
use super::stdio::{self, EOF, Stream};
use super::{Args, Entry, charge, int, store_int};
use crate::class::{Class, Scalar};
use crate::mem::Ptr;
use crate::stop::{Res, undefined, unsupported};
use crate::ub::Ub;
use crate::vm::{Slot, Vm};
use csyntax::types::Ty;

/// The functions.
pub const TABLE: &[Entry] = &[
    ("sscanf", "ipp*", |vm, a| text(vm, a)),
    ("__isoc99_sscanf", "ipp*", |vm, a| text(vm, a)),
    ("scanf", "ip*", |vm, a| stdin(vm, a, 0)),
    ("__isoc99_scanf", "ip*", |vm, a| stdin(vm, a, 0)),
    ("fscanf", "ipp*", |vm, a| stdin(vm, a, 1)),
    ("__isoc99_fscanf", "ipp*", |vm, a| stdin(vm, a, 1)),
];

/// What is read: bytes already there, and how many were used.
struct Input {
    bytes: Vec<u8>,
    at: usize,
}

impl Input {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(space) {
            self.at += 1;
        }
    }
}

/// A directive's result.
enum Step {
    Matched,
    Failed,
    End,
}

/// A conversion and where it stores.
struct Spec {
    store: bool,
    width: usize,
    length: Length,
    conversion: u8,
    /// Bytes of a `%[` set.
    set: Box<[bool; 256]>,
}

fn text(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let bytes = vm.mem.read_str(args.ptr(0)?)?;
    let mut input = Input { bytes, at: 0 };
    scan(vm, args, 1, &mut input)
}

fn stdin(vm: &mut Vm<'_>, args: &Args<'_>, format: usize) -> Res<Slot> {
    if format == 1 {
        if let Stream::File(n) = stdio::input(vm, args.ptr(0)?)? {
            return file(vm, args, n);
        }
    } else if vm.library.closed[0] {
        return undefined(Ub::LibraryArgument, "the stream was closed");
    }
    // Bytes given back come first; what is not used stays for the next reader.
    let mut bytes: Vec<u8> = vm.library.pushed.iter().rev().copied().collect();
    let pushed = bytes.len();
    bytes.extend(vm.options.stdin.get(vm.stdin_at..).unwrap_or_default());
    let mut input = Input { bytes, at: 0 };
    let result = scan(vm, args, format, &mut input)?;
    let used = input.at.min(pushed);
    let left = vm.library.pushed.len() - used;
    vm.library.pushed.truncate(left);
    vm.stdin_at += input.at - used;
    if input.at >= input.bytes.len() {
        vm.library.at_end = true;
    }
    Ok(result)
}

fn file(vm: &mut Vm<'_>, args: &Args<'_>, n: usize) -> Res<Slot> {
    let Some(bytes) = files::rest(vm, n)? else { return Ok(int(EOF)) };
    let mut input = Input { bytes, at: 0 };
    let result = scan(vm, args, 1, &mut input)?;
    files::skip(vm, n, input.at, input.at >= input.bytes.len());
    Ok(result)
}

fn scan(vm: &mut Vm<'_>, args: &Args<'_>, format_at: usize, input: &mut Input) -> Res<Slot> {
    let format = vm.mem.read_str(args.ptr(format_at)?)?;
    let (mut at, mut next, mut count) = (0, format_at + 1, 0);
    let mut any = false;
    while let Some(&c) = format.get(at) {
        at += 1;
        if space(c) {
            input.skip_space();
            continue;
        }
        if c != b'%' || format.get(at) == Some(&b'%') {
            if c == b'%' {
                at += 1;
                input.skip_space();
            }
            match input.peek() {
                Some(found) if found == c => input.at += 1,
                Some(_) => return Ok(int(count)),
                None => return Ok(int(if any { count } else { EOF })),
            }
            continue;
        }
        let spec = parse(&format, &mut at)?;
        let before = input.at;
        let step = convert(vm, &spec, args, &mut next, input)?;
        charge(vm, (input.at - before) as u64)?;
        match step {
            Step::Matched => {
                any |= spec.conversion != b'n';
                count += i64::from(spec.store && spec.conversion != b'n');
            }
            Step::Failed => return Ok(int(count)),
            Step::End => return Ok(int(if any { count } else { EOF })),
        }
    }
    Ok(int(count))
}

fn parse(format: &[u8], at: &mut usize) -> Res<Spec> {
    let start = *at;
    let mut spec =
        Spec { store: true, width: 0, length: Length::None, conversion: 0, set: Box::new([false; 256]) };
    if format.get(*at) == Some(&b'*') {
        spec.store = false;
        *at += 1;
    }
    while let Some(d) = format.get(*at).filter(|c| c.is_ascii_digit()) {
        spec.width = (spec.width * 10 + usize::from(d - b'0')).min(1 << 30);
        *at += 1;
    }
    match format.get(*at) {
        Some(b'$') => return unsupported("positional arguments in a format"),
        Some(b'm') => return unsupported("allocating conversions of scanf"),
        Some(_) | None => {}
    }
    if spec.width == 0 && format[start..*at].iter().any(u8::is_ascii_digit) {
        return undefined(Ub::FormatMismatch, "a field width of zero");
    }
    spec.length = format::length(format, at);
    let Some(&conversion) = format.get(*at) else {
        return undefined(Ub::FormatMismatch, "the format ends inside a conversion specification");
    };
    *at += 1;
    spec.conversion = conversion;
    if conversion == b'[' {
        read_set(format, at, &mut spec.set)?;
    }
    if !matches!(
        conversion,
        b'd' | b'i'
            | b'u'
            | b'o'
            | b'x'
            | b'X'
            | b'c'
            | b's'
            | b'['
            | b'p'
            | b'n'
            | b'a'
            | b'A'
            | b'e'
            | b'E'
            | b'f'
            | b'F'
            | b'g'
            | b'G'
    ) {
        let shown = char::from(conversion).escape_default();
        return undefined(Ub::FormatMismatch, format!("%{shown} is not a conversion"));
    }
    if spec.length == Length::Long && matches!(conversion, b'c' | b's' | b'[') {
        return unsupported("wide conversions of scanf");
    }
    Ok(spec)
}

fn read_set(format: &[u8], at: &mut usize, set: &mut [bool; 256]) -> Res<()> {
    let negated = format.get(*at) == Some(&b'^');
    if negated {
        *at += 1;
    }
    let start = *at;
    loop {
        let Some(&c) = format.get(*at) else {
            return undefined(Ub::FormatMismatch, "a scanset without its closing bracket");
        };
        if c == b']' && *at > start {
            *at += 1;
            break;
        }
        let last = match (format.get(*at + 1), format.get(*at + 2)) {
            (Some(b'-'), Some(&last)) if last != b']' && last >= c => {
                *at += 2;
                last
            }
            _ => c,
        };
        (c..=last).for_each(|c| set[usize::from(c)] = true);
        // Where a range ends the next may begin, as glibc reads it.
        let chained = last > c && format.get(*at + 1) == Some(&b'-') && format.get(*at + 2) != Some(&b']');
        *at += usize::from(!chained);
    }
    if negated {
        set.iter_mut().for_each(|b| *b = !*b);
    }
    Ok(())
}

fn convert(vm: &mut Vm<'_>, spec: &Spec, args: &Args<'_>, next: &mut usize, input: &mut Input) -> Res<Step> {
    if !matches!(spec.conversion, b'c' | b'[' | b'n') {
        input.skip_space();
    }
    if spec.conversion != b'n' && input.peek().is_none() {
        return Ok(Step::End);
    }
    let target = if spec.store { Some(argument(args, next)?) } else { None };
    if let Some((_, ty)) = target {
        judge(vm, spec, ty)?;
    }
    let most = if spec.width == 0 { usize::MAX } else { spec.width };
    let rest = &input.bytes[input.at..];
    let rest = &rest[..rest.len().min(most)];
    match spec.conversion {
        b'n' => {
            let (class, bytes) = integer(vm, spec.length);
            if let Some((p, _)) = target {
                store_int(vm, p, input.at as i64, bytes, class)?;
            }
        }
        b'c' => {
            let n = spec.width.max(1);
            if rest.len() < n {
                let n = rest.len();
                input.at += n;
                return Ok(Step::End);
            }
            if let Some((p, _)) = target {
                vm.mem.write_bytes(p, &rest[..n])?;
            }
            input.at += n;
        }
        b's' | b'[' => {
            let fits = |c: &u8| if spec.conversion == b's' { !space(*c) } else { spec.set[usize::from(*c)] };
            let n = rest.iter().take_while(|c| fits(c)).count();
            if n == 0 {
                return Ok(Step::Failed);
            }
            if let Some((p, _)) = target {
                let bytes = [&rest[..n], &[0]].concat();
                vm.mem.write_bytes(p, &bytes)?;
            }
            input.at += n;
        }
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
            let kind = match spec.length {
                Length::None => Scalar::F32,
                Length::LongDouble => long_double(vm),
                _ => Scalar::F64,
            };
            // An exponent or prefix begun but not finished is a matching failure, not a shorter number.
            let Some(read) = read_float(rest, kind) else {
                input.at += begun(rest, true);
                return Ok(Step::Failed);
            };
            if unfinished(rest, read.len) {
                return Ok(Step::Failed);
            }
            if let Some((p, _)) = target {
                store_float(vm, p, kind, spec.length, read.value)?;
            }
            input.at += read.len;
        }
        conversion => {
            let (base, signed) = match conversion {
                b'd' => (10, true),
                b'i' => (0, true),
                b'o' => (8, false),
                b'u' => (10, false),
                _ => (16, false),
            };
            if conversion == b'p' && rest.starts_with(b"(nil)") {
                if let Some((p, _)) = target {
                    store_pointer(vm, p, Ptr::NULL)?;
                }
                input.at += 5;
                return Ok(Step::Matched);
            }
            let Some(read) = read_integer(rest, base) else {
                input.at += begun(rest, false);
                return Ok(Step::Failed);
            };
            if base % 16 == 0 && hanging_prefix(rest, read.len) {
                return Ok(Step::Failed);
            }
            if let Some((p, _)) = target {
                if conversion == b'p' {
                    let to = vm.mem.from_int(read.limit(false, vm.mem.pointer_bytes).0 as u64);
                    store_pointer(vm, p, to)?;
                } else {
                    let (class, bytes) = integer(vm, spec.length);
                    store_int(vm, p, fit(&read, signed, bytes)?, bytes, class)?;
                }
            }
            input.at += read.len;
        }
    }
    Ok(Step::Matched)
}

/// How much of the input a number that does not come has taken: what could begin one (7.21.6.2p9).
fn begun(rest: &[u8], float: bool) -> usize {
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let alike =
        |word: &[u8]| word.iter().zip(&rest[sign..]).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let more = [&b"infinity"[..], b"nan", b"."].map(alike).into_iter().max().unwrap_or(0);
    sign + if float { more } else { 0 }
}

/// `0x` was read as the number 0: the match fails on what follows the x.
fn hanging_prefix(rest: &[u8], len: usize) -> bool {
    matches!(rest.get(len), Some(b'x' | b'X')) && rest[..len].ends_with(b"0") && {
        let digits = rest[..len].iter().filter(|c| c.is_ascii_digit()).count();
        digits == 1
    }
}

fn unfinished(rest: &[u8], len: usize) -> bool {
    let hex = rest[..len].iter().any(|c| matches!(c, b'x' | b'X'));
    let special = rest[..len].iter().any(|c| matches!(c, b'n' | b'N'));
    match rest.get(len) {
        Some(b'e' | b'E') => !hex && !special && !rest[..len].iter().any(|c| matches!(c, b'e' | b'E')),
        Some(b'p' | b'P') => hex && !rest[..len].iter().any(|c| matches!(c, b'p' | b'P')),
        Some(_) | None => hanging_prefix(rest, len),
    }
}

/// The value in the object's type; one that does not fit is undefined (C11 7.21.6.2p10).
fn fit(read: &super::number::Integer, signed: bool, bytes: u64) -> Res<i64> {
    let (value, over) = read.limit(signed, bytes);
    if over {
        return undefined(Ub::LibraryArgument, "the number read does not fit its object");
    }
    Ok(value)
}

fn argument(args: &Args<'_>, next: &mut usize) -> Res<(Ptr, Ty)> {
    let Some(ty) = args.types.get(*next) else {
        return undefined(Ub::FormatArguments, "the format asks for more arguments than there are");
    };
    let p = args.ptr(*next)?;
    *next += 1;
    Ok((p, *ty))
}

/// Checks the type of the object a conversion stores into.
fn judge(vm: &Vm<'_>, spec: &Spec, ty: Ty) -> Res<()> {
    let class = match spec.conversion {
        b'c' | b's' | b'[' => Class::Char,
        b'p' => Class::Ptr,
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match spec.length {
            Length::None => Class::Float,
            Length::LongDouble => Class::LongDouble,
            _ => Class::Double,
        },
        _ => integer(vm, spec.length).0,
    };
    if points_to(vm, ty, class, false) {
        return Ok(());
    }
    let shown = char::from(spec.conversion);
    undefined(Ub::FormatMismatch, format!("%{shown} needs a pointer to {}", Class::name(class as u8)))
}

fn store_pointer(vm: &mut Vm<'_>, p: Ptr, to: Ptr) -> Res<()> {
    let word = vm.mem.pointer_bytes;
    let index = vm.mem.access(p, word, word)?;
    vm.mem.store_ptr(index, Class::Ptr as u8, to)
}

fn store_float(vm: &mut Vm<'_>, p: Ptr, kind: Scalar, length: Length, value: Slot) -> Res<()> {
    match length {
        Length::None => store_int(vm, p, value.lo as i64, 4, Class::Float),
        Length::LongDouble => {
            let target = &vm.options.target;
            let (bytes, align) = (kind.bytes(8), u64::from(target.long_double_align));
            let index = vm.mem.access(p, bytes, align)?;
            let wide = u128::from(value.lo) | u128::from(value.hi) << 64;
            vm.mem.store_wide(index, bytes as usize, Class::LongDouble as u8, wide)
        }
        _ => store_int(vm, p, value.lo as i64, 8, Class::Double),
    }
}
