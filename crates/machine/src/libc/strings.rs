//! `<string.h>` and `<strings.h>` on strings (`str…`).

use super::string::{copy_bytes, find_byte};
use super::{Args, Entry, charge, int, overlap, pointer, strerror};
use crate::mem::Ptr;
use crate::stop::{Res, exhausted, undefined};
use crate::ub::Ub;
use crate::verdict::Budget;
use crate::vm::{Slot, Vm};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("strlen", "zp", strlen),
    ("strnlen", "zpz", |vm, a| Ok(int(length(vm, a.ptr(0)?, a.int(1)?)? as i64))),
    ("strcpy", "ppp", |vm, a| strcpy(vm, a, false)),
    ("stpcpy", "ppp", |vm, a| strcpy(vm, a, true)),
    ("__stpcpy", "ppp", |vm, a| strcpy(vm, a, true)),
    ("__strcpy_chk", "pppz", |vm, a| strcpy(vm, a, false)),
    ("__stpcpy_chk", "pppz", |vm, a| strcpy(vm, a, true)),
    ("strncpy", "pppz", |vm, a| strncpy(vm, a, false)),
    ("stpncpy", "pppz", |vm, a| strncpy(vm, a, true)),
    ("__strncpy_chk", "pppzz", |vm, a| strncpy(vm, a, false)),
    ("__stpncpy_chk", "pppzz", |vm, a| strncpy(vm, a, true)),
    ("strcat", "ppp", |vm, a| strcat(vm, a, u64::MAX)),
    ("__strcat_chk", "pppz", |vm, a| strcat(vm, a, u64::MAX)),
    ("strncat", "pppz", |vm, a| strcat(vm, a, a.int(2)?)),
    ("__strncat_chk", "pppzz", |vm, a| strcat(vm, a, a.int(2)?)),
    ("strcmp", "ipp", |vm, a| compare(vm, a, u64::MAX, |c| c)),
    ("strcoll", "ipp", |vm, a| compare(vm, a, u64::MAX, |c| c)),
    ("strncmp", "ippz", |vm, a| compare(vm, a, a.int(2)?, |c| c)),
    ("strcasecmp", "ipp", |vm, a| compare(vm, a, u64::MAX, |c| c.to_ascii_lowercase())),
    ("strncasecmp", "ippz", |vm, a| compare(vm, a, a.int(2)?, |c| c.to_ascii_lowercase())),
    ("strxfrm", "zppz", strxfrm),
    ("strchr", "ppi", strchr),
    ("index", "ppi", strchr),
    ("strchrnul", "ppi", strchrnul),
    ("strrchr", "ppi", strrchr),
    ("rindex", "ppi", strrchr),
    ("strstr", "ppp", |vm, a| strstr(vm, a, false)),
    ("strcasestr", "ppp", |vm, a| strstr(vm, a, true)),
    ("strspn", "zpp", |vm, a| Ok(int(span(vm, a.ptr(0)?, a.ptr(1)?, true)? as i64))),
    ("strcspn", "zpp", |vm, a| Ok(int(span(vm, a.ptr(0)?, a.ptr(1)?, false)? as i64))),
    ("strpbrk", "ppp", strpbrk),
    ("strtok", "ppp", strtok),
    ("strtok_r", "pppp", strtok_r),
    ("__strtok_r", "pppp", strtok_r),
    ("strsep", "ppp", strsep),
    ("strdup", "pp", |vm, a| duplicate(vm, a.ptr(0)?, u64::MAX)),
    ("__strdup", "pp", |vm, a| duplicate(vm, a.ptr(0)?, u64::MAX)),
    ("strndup", "ppz", |vm, a| duplicate(vm, a.ptr(0)?, a.int(1)?)),
    ("__strndup", "ppz", |vm, a| duplicate(vm, a.ptr(0)?, a.int(1)?)),
    ("strerror", "pi", |vm, a| Ok(pointer(strerror::object(vm, a.i32(0)?)?))),
];

/// Length of a string that may end after `max` bytes without a zero.
pub fn length(vm: &mut Vm<'_>, p: Ptr, max: u64) -> Res<u64> {
    let found = find_byte(vm, p, 0, max)?;
    Ok(if found.lo == 0 { max } else { found.lo - p.addr })
}

/// The size the compiler passed to a `_chk` function must not be exceeded.
pub fn fortified(n: u64, size: u64) -> Res<()> {
    if n > size {
        return undefined(Ub::OutOfBounds, format!("{n} byte(s) for an object of {size} byte(s)"));
    }
    Ok(())
}

/// First place of `needle` in `hay`.
pub fn search(vm: &mut Vm<'_>, hay: &[u8], needle: &[u8]) -> Res<Option<usize>> {
    charge(vm, hay.len() as u64)?;
    let Some(first) = needle.first() else { return Ok(Some(0)) };
    let mut at = 0;
    while at + needle.len() <= hay.len() {
        let last = hay.len() - needle.len() + 1;
        let Some(next) = hay[at..last].iter().position(|c| c == first) else { return Ok(None) };
        at += next;
        if hay[at..].starts_with(needle) {
            return Ok(Some(at));
        }
        charge(vm, needle.len() as u64)?;
        at += 1;
    }
    Ok(None)
}

fn strlen(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let n = vm.mem.strlen(args.ptr(0)?)?;
    charge(vm, n)?;
    Ok(int(n as i64))
}

fn strcpy(vm: &mut Vm<'_>, args: &Args<'_>, end: bool) -> Res<Slot> {
    let (to, from) = (args.ptr(0)?, args.ptr(1)?);
    let n = vm.mem.strlen(from)?;
    if args.types.len() > 2 {
        fortified(n + 1, args.int(2)?)?;
    }
    copy_bytes(vm, to, from, n + 1, false)?;
    Ok(pointer(if end { to.offset(n) } else { to }))
}

fn strncpy(vm: &mut Vm<'_>, args: &Args<'_>, end: bool) -> Res<Slot> {
    let (to, from, max) = (args.ptr(0)?, args.ptr(1)?, args.int(2)?);
    if args.types.len() > 3 {
        fortified(max, args.int(3)?)?;
    }
    vm.mem.access(to, max, 1)?;
    let n = length(vm, from, max)?;
    if overlap(to, max, from, (n + 1).min(max)) {
        return undefined(Ub::OverlappingCopy, "the copy overwrites the string it is made from");
    }
    copy_bytes(vm, to, from, n, true)?;
    if n < max {
        super::string::set_bytes(vm, to.offset(n), 0, max - n)?;
    }
    Ok(pointer(if end { to.offset(n) } else { to }))
}

fn strcat(vm: &mut Vm<'_>, args: &Args<'_>, max: u64) -> Res<Slot> {
    let (to, from) = (args.ptr(0)?, args.ptr(1)?);
    let before = vm.mem.strlen(to)?;
    let n = length(vm, from, max)?;
    let chk = if max == u64::MAX { 2 } else { 3 };
    if args.types.len() > chk {
        fortified(before + n + 1, args.int(chk)?)?;
    }
    let at = to.offset(before);
    vm.mem.access(at, n + 1, 1)?;
    if overlap(at, n + 1, from, n + u64::from(n < max)) {
        return undefined(Ub::OverlappingCopy, "the copy overwrites the string it is made from");
    }
    copy_bytes(vm, at, from, n, true)?;
    vm.mem.write_bytes(at.offset(n), &[0])?;
    Ok(pointer(to))
}

/// The difference of the first characters that differ, as glibc gives it on x86-64.
fn compare(vm: &mut Vm<'_>, args: &Args<'_>, max: u64, map: fn(u8) -> u8) -> Res<Slot> {
    let (a, b) = (args.ptr(0)?, args.ptr(1)?);
    let mut k = 0;
    if max == 0 {
        vm.mem.access(a, 0, 1)?;
        vm.mem.access(b, 0, 1)?;
    }
    while k < max {
        let (x, y) = (byte(vm, a, k)?, byte(vm, b, k)?);
        let (mx, my) = (map(x), map(y));
        if mx != my {
            return Ok(int(i64::from(mx) - i64::from(my)));
        }
        if x == 0 {
            break;
        }
        k += 1;
    }
    charge(vm, k)?;
    Ok(int(0))
}

/// The byte at an offset of a string.
fn byte(vm: &mut Vm<'_>, p: Ptr, at: u64) -> Res<u8> {
    let index = vm.mem.access(p.offset(at), 1, 1)?;
    Ok(vm.mem.load_byte(index)? as u8)
}

fn strxfrm(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, from, max) = (args.ptr(0)?, args.ptr(1)?, args.int(2)?);
    let n = vm.mem.strlen(from)?;
    if max > 0 {
        copy_bytes(vm, to, from, (n + 1).min(max), false)?;
    }
    Ok(int(n as i64))
}

fn strchr(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, wanted) = (args.ptr(0)?, args.int(1)? as u8);
    let mut k = 0;
    loop {
        let c = byte(vm, p, k)?;
        if c == wanted {
            charge(vm, k)?;
            return Ok(pointer(p.offset(k)));
        }
        if c == 0 {
            charge(vm, k)?;
            return Ok(pointer(Ptr::NULL));
        }
        k += 1;
    }
}

fn strchrnul(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let found = strchr(vm, args)?;
    if found.lo != 0 {
        return Ok(found);
    }
    let p = args.ptr(0)?;
    let n = vm.mem.strlen(p)?;
    Ok(pointer(p.offset(n)))
}

fn strrchr(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, wanted) = (args.ptr(0)?, args.int(1)? as u8);
    let mut text = vm.mem.read_str(p)?;
    charge(vm, text.len() as u64)?;
    text.push(0);
    let at = text.iter().rposition(|c| *c == wanted);
    Ok(pointer(at.map_or(Ptr::NULL, |k| p.offset(k as u64))))
}

fn strstr(vm: &mut Vm<'_>, args: &Args<'_>, fold: bool) -> Res<Slot> {
    let p = args.ptr(0)?;
    let (mut hay, mut needle) = (vm.mem.read_str(p)?, vm.mem.read_str(args.ptr(1)?)?);
    if fold {
        hay.make_ascii_lowercase();
        needle.make_ascii_lowercase();
    }
    let found = search(vm, &hay, &needle)?;
    Ok(pointer(found.map_or(Ptr::NULL, |k| p.offset(k as u64))))
}

/// Length of the start of `p` whose characters are all inside (outside) the set.
fn span(vm: &mut Vm<'_>, p: Ptr, set: Ptr, inside: bool) -> Res<u64> {
    let mut table = [false; 256];
    for c in vm.mem.read_str(set)? {
        table[usize::from(c)] = true;
    }
    let mut k = 0;
    loop {
        let c = byte(vm, p, k)?;
        if c == 0 || table[usize::from(c)] != inside {
            charge(vm, k)?;
            return Ok(k);
        }
        k += 1;
    }
}

fn strpbrk(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let p = args.ptr(0)?;
    let n = span(vm, p, args.ptr(1)?, false)?;
    Ok(pointer(if byte(vm, p, n)? == 0 { Ptr::NULL } else { p.offset(n) }))
}

/// The next token from `p`: its start and where to go on.
fn token(vm: &mut Vm<'_>, p: Ptr, set: Ptr) -> Res<(Ptr, Ptr)> {
    let skip = span(vm, p, set, true)?;
    let start = p.offset(skip);
    let n = span(vm, start, set, false)?;
    if n == 0 {
        return Ok((Ptr::NULL, start));
    }
    let end = start.offset(n);
    if byte(vm, end, 0)? == 0 {
        return Ok((start, end));
    }
    vm.mem.write_bytes(end, &[0])?;
    Ok((start, end.offset(1)))
}

fn strtok(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let given = args.ptr(0)?;
    let p = if given.addr == 0 { vm.library.strtok } else { given };
    if p.addr == 0 {
        return undefined(Ub::LibraryArgument, "strtok goes on before it began");
    }
    let (found, rest) = token(vm, p, args.ptr(1)?)?;
    vm.library.strtok = rest;
    Ok(pointer(found))
}

fn strtok_r(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (given, save) = (args.ptr(0)?, args.ptr(2)?);
    let word = vm.mem.pointer_bytes;
    let index = vm.mem.access(save, word, word)?;
    let class = crate::class::Class::Ptr as u8;
    let p = if given.addr == 0 { vm.mem.load_ptr(index, class)? } else { given };
    if p.addr == 0 {
        return undefined(Ub::LibraryArgument, "strtok_r goes on before it began");
    }
    let (found, rest) = token(vm, p, args.ptr(1)?)?;
    vm.mem.store_ptr(index, class, rest)?;
    Ok(pointer(found))
}

fn strsep(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let word = vm.mem.pointer_bytes;
    let index = vm.mem.access(args.ptr(0)?, word, word)?;
    let class = crate::class::Class::Ptr as u8;
    let p = vm.mem.load_ptr(index, class)?;
    if p.addr == 0 {
        return Ok(pointer(Ptr::NULL));
    }
    let n = span(vm, p, args.ptr(1)?, false)?;
    let end = p.offset(n);
    let rest = if byte(vm, end, 0)? == 0 {
        Ptr::NULL
    } else {
        vm.mem.write_bytes(end, &[0])?;
        end.offset(1)
    };
    vm.mem.store_ptr(index, class, rest)?;
    Ok(pointer(p))
}

fn duplicate(vm: &mut Vm<'_>, from: Ptr, max: u64) -> Res<Slot> {
    let n = length(vm, from, max)?;
    let Some(new) = vm.mem.heap_alloc(n + 1, 16)? else { return exhausted(Budget::Memory) };
    copy_bytes(vm, new, from, n, true)?;
    vm.mem.write_bytes(new.offset(n), &[0])?;
    Ok(pointer(new))
}
