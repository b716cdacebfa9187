//! `<string.h>` and `<strings.h>` on blocks of memory (`mem…`).
//!
//! Copies go through [`crate::mem::Memory::copy`], so that pointers, padding and uninitialised bytes survive; all
//! pointers must be valid even when nothing is copied (C11 7.24.1p2).

use super::{Args, Entry, charge, int, overlap, pointer, strings};
use crate::class::{CLASS, CONST, INIT, PIECE, RETYPE};
use crate::mem::Ptr;
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use crate::vm::{Slot, Vm};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("memcpy", "pppz", |vm, a| copy(vm, a, false, false)),
    ("mempcpy", "pppz", |vm, a| copy(vm, a, false, true)),
    ("__mempcpy", "pppz", |vm, a| copy(vm, a, false, true)),
    ("memmove", "pppz", |vm, a| copy(vm, a, true, false)),
    ("__memcpy_chk", "pppzz", |vm, a| copy(vm, a, false, false)),
    ("__mempcpy_chk", "pppzz", |vm, a| copy(vm, a, false, true)),
    ("__memmove_chk", "pppzz", |vm, a| copy(vm, a, true, false)),
    ("bcopy", "vppz", bcopy),
    ("memset", "ppiz", memset),
    ("__memset_chk", "ppizz", memset),
    ("explicit_bzero", "vpz", bzero),
    ("bzero", "vpz", bzero),
    ("memcmp", "ippz", memcmp),
    ("bcmp", "ippz", memcmp),
    ("memchr", "ppiz", memchr),
    ("rawmemchr", "ppi", |vm, a| find_byte(vm, a.ptr(0)?, a.int(1)? as u8, u64::MAX)),
    ("memrchr", "ppiz", memrchr),
    ("memmem", "ppzpz", memmem),
    ("memccpy", "pppiz", memccpy),
];

/// The arena index of `n` bytes at a pointer, which must be valid even when `n` is 0 (C11 7.1.4p1).
fn block(vm: &Vm<'_>, p: Ptr, n: u64) -> Res<usize> {
    // No object is there to hold even no byte: the check of one byte says why.
    vm.mem.access(p, if p.prov == 0 { n.max(1) } else { n }, 1)
}

/// Copies `n` bytes, all checks on.
pub fn copy_bytes(vm: &mut Vm<'_>, to: Ptr, from: Ptr, n: u64, may_overlap: bool) -> Res<()> {
    let dst = block(vm, to, n)?;
    let src = block(vm, from, n)?;
    if !may_overlap && overlap(to, n, from, n) {
        let apart = to.addr.wrapping_sub(from.addr) as i64;
        return undefined(
            Ub::OverlappingCopy,
            format!("{n} byte(s) are copied to {apart} byte(s) from their place"),
        );
    }
    charge(vm, n)?;
    vm.mem.touch(from, n, false)?;
    vm.mem.touch(to, n, true)?;
    vm.record_copy(to);
    vm.record_copy(from);
    vm.mem.copy(dst, src, n as usize, false)
}

/// Sets `n` bytes. What was allocated without a type loses the type of its last store.
pub fn set_bytes(vm: &mut Vm<'_>, to: Ptr, byte: u8, n: u64) -> Res<()> {
    let index = block(vm, to, n)?;
    charge(vm, n)?;
    vm.mem.touch(to, n, true)?;
    let n = n as usize;
    if let Some(first) = vm.mem.shadow(index, n).iter().position(|s| s & CONST != 0) {
        return vm.mem.store_byte(index + first, 0);
    }
    vm.mem.data_mut(index, n).fill(byte);
    for s in vm.mem.shadow_mut(index, n) {
        let class = if *s & RETYPE != 0 { RETYPE } else { *s & CLASS };
        *s = (class | INIT) & !PIECE;
    }
    vm.mem.clear_partial(index, n);
    if byte == 0 && n > 0 {
        vm.mem.mark_zeroed(index, n);
    }
    Ok(())
}

fn copy(vm: &mut Vm<'_>, args: &Args<'_>, may_overlap: bool, end: bool) -> Res<Slot> {
    let (to, from, n) = (args.ptr(0)?, args.ptr(1)?, args.int(2)?);
    if args.types.len() > 3 {
        strings::fortified(n, args.int(3)?)?;
    }
    copy_bytes(vm, to, from, n, may_overlap)?;
    Ok(pointer(if end { to.offset(n) } else { to }))
}

fn bcopy(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    copy_bytes(vm, args.ptr(1)?, args.ptr(0)?, args.int(2)?, true)?;
    Ok(int(0))
}

fn memset(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, n) = (args.ptr(0)?, args.int(2)?);
    if args.types.len() > 3 {
        strings::fortified(n, args.int(3)?)?;
    }
    set_bytes(vm, to, args.int(1)? as u8, n)?;
    Ok(pointer(to))
}

fn bzero(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    set_bytes(vm, args.ptr(0)?, 0, args.int(1)?)?;
    Ok(int(0))
}

/// The difference of the first bytes that differ, as glibc gives it on x86-64.
fn memcmp(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let n = args.int(2)?;
    let a = block(vm, args.ptr(0)?, n)?;
    let b = block(vm, args.ptr(1)?, n)?;
    charge(vm, n)?;
    for k in 0..n as usize {
        let (x, y) = (vm.mem.load_byte(a + k)?, vm.mem.load_byte(b + k)?);
        if x != y {
            return Ok(int(x as i64 - y as i64));
        }
    }
    Ok(int(0))
}

/// The first place of a byte among the first `n`, read one after the other.
pub fn find_byte(vm: &mut Vm<'_>, p: Ptr, byte: u8, n: u64) -> Res<Slot> {
    let start = block(vm, p, n.min(1))?;
    let room = room(vm, p);
    for k in 0..n.min(room) {
        if vm.mem.load_byte(start + k as usize)? == u64::from(byte) {
            charge(vm, k)?;
            return Ok(pointer(p.offset(k)));
        }
    }
    if n > room {
        vm.mem.access(p, room + 1, 1)?;
    }
    charge(vm, n)?;
    Ok(pointer(Ptr::NULL))
}

/// Bytes from a pointer to the end of its object.
pub fn room(vm: &Vm<'_>, p: Ptr) -> u64 {
    vm.mem.rec(p.prov).map_or(0, |r| r.size.saturating_sub(p.addr.wrapping_sub(r.base)))
}

fn memchr(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    find_byte(vm, args.ptr(0)?, args.int(1)? as u8, args.int(2)?)
}

fn memrchr(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, byte, n) = (args.ptr(0)?, args.int(1)? as u8, args.int(2)?);
    let start = block(vm, p, n)?;
    charge(vm, n)?;
    for k in (0..n).rev() {
        if vm.mem.load_byte(start + k as usize)? == u64::from(byte) {
            return Ok(pointer(p.offset(k)));
        }
    }
    Ok(pointer(Ptr::NULL))
}

fn memmem(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (p, n) = (args.ptr(0)?, args.int(1)?);
    vm.mem.access(p, n, 1)?;
    vm.mem.access(args.ptr(2)?, args.int(3)?, 1)?;
    let hay = vm.mem.read_bytes(p, n)?;
    let needle = vm.mem.read_bytes(args.ptr(2)?, args.int(3)?)?;
    Ok(pointer(match strings::search(vm, &hay, &needle)? {
        Some(at) => p.offset(at as u64),
        None => Ptr::NULL,
    }))
}

fn memccpy(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (to, from, byte, n) = (args.ptr(0)?, args.ptr(1)?, args.int(2)? as u8, args.int(3)?);
    block(vm, to, 0)?;
    block(vm, from, 0)?;
    let room = room(vm, from);
    let start = vm.mem.index(from.addr);
    let mut found = None;
    for k in 0..n.min(room) {
        if vm.mem.load_byte(start + k as usize)? == u64::from(byte) {
            found = Some(k + 1);
            break;
        }
    }
    copy_bytes(vm, to, from, found.unwrap_or(n), false)?;
    Ok(pointer(found.map_or(Ptr::NULL, |k| to.offset(k))))
}
