//! `<wchar.h>`, `<wctype.h>` and the multibyte functions of `<stdlib.h>`, in the "C" locale: what lies beyond ASCII
//! has no multibyte form there.

use super::string::copy_bytes;
use super::{Args, Entry, charge, errnos, int, pointer, set_errno, store_int};
use crate::class::Class;
use crate::mem::Ptr;
use crate::stop::{Res, undefined, unsupported};
use crate::ub::Ub;
use crate::vm::{Slot, Vm};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("wcslen", "zp", |vm, a| Ok(int(length(vm, a.ptr(0)?, u64::MAX)? as i64))),
    ("wcsnlen", "zpz", |vm, a| Ok(int(length(vm, a.ptr(0)?, a.int(1)?)? as i64))),
    ("wcscpy", "ppp", wcscpy),
    ("wcsncpy", "pppz", wcsncpy),
    ("wcscat", "ppp", |vm, a| wcscat(vm, a, u64::MAX)),
    ("wcsncat", "pppz", |vm, a| wcscat(vm, a, a.int(2)?)),
    ("wcscmp", "ipp", |vm, a| compare(vm, a, u64::MAX, true)),
    ("wcsncmp", "ippz", |vm, a| compare(vm, a, a.int(2)?, true)),
    ("wmemcmp", "ippz", |vm, a| compare(vm, a, a.int(2)?, false)),
    ("wcschr", "ppi", |vm, a| find(vm, a.ptr(0)?, a.int(1)? as u32, u64::MAX, true)),
    ("wmemchr", "ppiz", |vm, a| find(vm, a.ptr(0)?, a.int(1)? as u32, a.int(2)?, false)),
    ("wcsrchr", "ppi", wcsrchr),
    ("wcsstr", "ppp", wcsstr),
    ("wmemcpy", "pppz", |vm, a| wmemcpy(vm, a, false)),
    ("wmemmove", "pppz", |vm, a| wmemcpy(vm, a, true)),
    ("wmemset", "ppiz", wmemset),
    ("mbstowcs", "zppz", mbstowcs),
    ("wcstombs", "zppz", wcstombs),
    ("mblen", "ipz", |vm, a| mbtowc(vm, Ptr::NULL, a.ptr(0)?, a.int(1)?)),
    ("mbtowc", "ippz", |vm, a| mbtowc(vm, a.ptr(0)?, a.ptr(1)?, a.int(2)?)),
    ("wctomb", "ipi", wctomb),
    ("btowc", "ii", |_, a| Ok(int(if (0..128).contains(&a.i32(0)?) { a.i32(0)?.into() } else { -1 }))),
    ("wctob", "ii", |_, a| Ok(int(if (0..128).contains(&a.i32(0)?) { a.i32(0)?.into() } else { -1 }))),
    ("iswalpha", "ii", |_, a| is(a, |c| c.is_ascii_alphabetic())),
    ("iswdigit", "ii", |_, a| is(a, |c| c.is_ascii_digit())),
    ("iswalnum", "ii", |_, a| is(a, |c| c.is_ascii_alphanumeric())),
    ("iswspace", "ii", |_, a| is(a, |c| matches!(c, b' ' | b'\t'..=b'\r'))),
    ("iswupper", "ii", |_, a| is(a, |c| c.is_ascii_uppercase())),
    ("iswlower", "ii", |_, a| is(a, |c| c.is_ascii_lowercase())),
    ("iswpunct", "ii", |_, a| is(a, |c| c.is_ascii_punctuation())),
    ("iswprint", "ii", |_, a| is(a, |c| (b' '..=b'~').contains(c))),
    ("iswxdigit", "ii", |_, a| is(a, |c| c.is_ascii_hexdigit())),
    ("towupper", "ii", |_, a| Ok(int(fold(a.int(0)?, |c| c.to_ascii_uppercase())))),
    ("towlower", "ii", |_, a| Ok(int(fold(a.int(0)?, |c| c.to_ascii_lowercase())))),
];

const WIDE: u64 = 4;

/// The wide character at index `k`.
fn unit(vm: &mut Vm<'_>, p: Ptr, k: u64) -> Res<u32> {
    let index = vm.mem.access(p.offset(WIDE * k), WIDE, WIDE)?;
    Ok(vm.mem.load::<4>(index, Class::Int as u8)? as u32)
}

/// Orders wide characters as the target's `wchar_t` does.
fn key(vm: &Vm<'_>, c: u32) -> i64 {
    if vm.options.target.wchar_signed { i64::from(c as i32) } else { i64::from(c) }
}

fn length(vm: &mut Vm<'_>, p: Ptr, max: u64) -> Res<u64> {
    let mut k = 0;
    while k < max && unit(vm, p, k)? != 0 {
        k += 1;
    }
    charge(vm, WIDE * k)?;
    Ok(k)
}

/// A wide string as bytes, at most `max` of them.
pub fn narrow(vm: &mut Vm<'_>, p: Ptr, max: u64) -> Res<Vec<u8>> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < max {
        match unit(vm, p, bytes.len() as u64)? {
            0 => break,
            c if c < 128 => bytes.push(c as u8),
            _ => return unsupported("a wide character beyond ASCII"),
        }
    }
    Ok(bytes)
}

/// Bytes of `n` wide characters.
fn size(n: u64) -> Res<u64> {
    match n.checked_mul(WIDE) {
        Some(bytes) => Ok(bytes),
        None => undefined(Ub::OutOfBounds, "more wide characters than any object has"),
    }
}

fn wcscpy(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, from) = (args.ptr(0)?, args.ptr(1)?);
    let n = length(vm, from, u64::MAX)?;
    copy_bytes(vm, to, from, size(n + 1)?, false)?;
    Ok(pointer(to))
}

fn put(vm: &mut Vm<'_>, to: Ptr, c: u32) -> Res<()> {
    store_int(vm, to, i64::from(c), WIDE, Class::Int)
}

fn fill(vm: &mut Vm<'_>, to: Ptr, c: u32, n: u64) -> Res<()> {
    vm.mem.access(to, size(n)?, WIDE)?;
    charge(vm, WIDE * n)?;
    for k in 0..n {
        put(vm, to.offset(WIDE * k), c)?;
    }
    Ok(())
}

fn wcsncpy(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, from, max) = (args.ptr(0)?, args.ptr(1)?, args.int(2)?);
    let n = length(vm, from, max)?;
    copy_bytes(vm, to, from, size(n)?, false)?;
    fill(vm, to.offset(WIDE * n), 0, max - n)?;
    Ok(pointer(to))
}

fn wcscat(vm: &mut Vm<'_>, args: &Args<'_>, max: u64) -> Res<Slot> {
    let (to, from) = (args.ptr(0)?, args.ptr(1)?);
    let end = to.offset(WIDE * length(vm, to, u64::MAX)?);
    let n = length(vm, from, max)?;
    copy_bytes(vm, end, from, size(n)?, false)?;
    put(vm, end.offset(WIDE * n), 0)?;
    Ok(pointer(to))
}

fn compare(vm: &mut Vm<'_>, args: &Args<'_>, max: u64, string: bool) -> Res<Slot> {
    for k in 0..max {
        let (x, y) = (unit(vm, args.ptr(0)?, k)?, unit(vm, args.ptr(1)?, k)?);
        if x != y {
            return Ok(int(if key(vm, x) < key(vm, y) { -1 } else { 1 }));
        }
        if string && x == 0 {
            break;
        }
    }
    Ok(int(0))
}

fn find(vm: &mut Vm<'_>, p: Ptr, wanted: u32, max: u64, string: bool) -> Res<Slot> {
    for k in 0..max {
        let c = unit(vm, p, k)?;
        if c == wanted {
            return Ok(pointer(p.offset(WIDE * k)));
        }
        if string && c == 0 {
            break;
        }
    }
    Ok(pointer(Ptr::NULL))
}

fn wcsrchr(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, wanted) = (args.ptr(0)?, args.int(1)? as u32);
    let n = length(vm, p, u64::MAX)?;
    for k in (0..=n).rev() {
        if unit(vm, p, k)? == wanted {
            return Ok(pointer(p.offset(WIDE * k)));
        }
    }
    Ok(pointer(Ptr::NULL))
}

fn wcsstr(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, q) = (args.ptr(0)?, args.ptr(1)?);
    let (n, m) = (length(vm, p, u64::MAX)?, length(vm, q, u64::MAX)?);
    let mut at = 0;
    while at + m <= n {
        let mut k = 0;
        while k < m && unit(vm, p, at + k)? == unit(vm, q, k)? {
            k += 1;
        }
        if k == m {
            return Ok(pointer(p.offset(WIDE * at)));
        }
        charge(vm, WIDE * k)?;
        at += 1;
    }
    Ok(pointer(Ptr::NULL))
}

fn wmemcpy(vm: &mut Vm<'_>, args: &Args<'_>, may_overlap: bool) -> Res<Slot> {
    copy_bytes(vm, args.ptr(0)?, args.ptr(1)?, size(args.int(2)?)?, may_overlap)?;
    Ok(pointer(args.ptr(0)?))
}

fn wmemset(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    fill(vm, args.ptr(0)?, args.int(1)? as u32, args.int(2)?)?;
    Ok(pointer(args.ptr(0)?))
}

fn illegal(vm: &mut Vm<'_>) -> Res<Slot> {
    set_errno(vm, errnos::EILSEQ)?;
    Ok(int(-1))
}

fn mbstowcs(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, from, max) = (args.ptr(0)?, args.ptr(1)?, args.int(2)?);
    let text = vm.mem.read_str(from)?;
    for (k, c) in text.iter().chain([&0]).enumerate() {
        if to.addr != 0 && k as u64 >= max {
            return Ok(int(max as i64));
        }
        if *c >= 128 {
            return illegal(vm);
        }
        if to.addr != 0 {
            put(vm, to.offset(WIDE * k as u64), u32::from(*c))?;
        }
    }
    Ok(int(text.len() as i64))
}

fn wcstombs(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, from, max) = (args.ptr(0)?, args.ptr(1)?, args.int(2)?);
    let mut k = 0;
    while to.addr == 0 || k < max {
        let c = unit(vm, from, k)?;
        if c >= 128 {
            return illegal(vm);
        }
        if to.addr != 0 {
            vm.mem.write_bytes(to.offset(k), &[c as u8])?;
        }
        if c == 0 {
            break;
        }
        k += 1;
    }
    Ok(int(k as i64))
}

fn mbtowc(vm: &mut Vm<'_>, to: Ptr, from: Ptr, max: u64) -> Res<Slot> {
    if from.addr == 0 {
        return Ok(int(0));
    }
    if max == 0 {
        return Ok(int(-1));
    }
    let c = vm.mem.read_bytes(from, 1)?[0];
    if c >= 128 {
        return illegal(vm);
    }
    if to.addr != 0 {
        put(vm, to, c.into())?;
    }
    Ok(int(i64::from(c != 0)))
}

fn wctomb(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, c) = (args.ptr(0)?, args.int(1)? as u32);
    if to.addr == 0 {
        return Ok(int(0));
    }
    if c >= 128 {
        return illegal(vm);
    }
    vm.mem.write_bytes(to, &[c as u8])?;
    Ok(int(1))
}

fn is(args: &Args<'_>, class: fn(&u8) -> bool) -> Res<Slot> {
    let c = args.int(0)? as u32;
    Ok(int((c < 128 && class(&(c as u8))).into()))
}

fn fold(c: u64, map: fn(u8) -> u8) -> i64 {
    let c = c as u32;
    i64::from(if c < 128 { u32::from(map(c as u8)) } else { c })
}
