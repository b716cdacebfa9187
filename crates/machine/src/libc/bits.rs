//! Bit-counting and byte-swapping builtins of GNU C, and `ffs` of `<strings.h>`.

use super::{Args, Entry, int};
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use crate::vm::{Slot, Vm};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("__builtin_clz", "ii", |_, a| leading(a, 32)),
    ("__builtin_clzl", "il", |vm, a| leading(a, long(vm))),
    ("__builtin_clzll", "iq", |_, a| leading(a, 64)),
    ("__builtin_ctz", "ii", |_, a| trailing(a, 32)),
    ("__builtin_ctzl", "il", |vm, a| trailing(a, long(vm))),
    ("__builtin_ctzll", "iq", |_, a| trailing(a, 64)),
    ("__builtin_clrsb", "ii", |_, a| redundant(a, 32)),
    ("__builtin_clrsbl", "il", |vm, a| redundant(a, long(vm))),
    ("__builtin_clrsbll", "iq", |_, a| redundant(a, 64)),
    ("__builtin_popcount", "ii", |_, a| count(a, 32, 64)),
    ("__builtin_popcountl", "il", |vm, a| count(a, long(vm), 64)),
    ("__builtin_popcountll", "iq", |_, a| count(a, 64, 64)),
    ("__builtin_parity", "ii", |_, a| count(a, 32, 1)),
    ("__builtin_parityl", "il", |vm, a| count(a, long(vm), 1)),
    ("__builtin_parityll", "iq", |_, a| count(a, 64, 1)),
    ("ffs", "ii", |_, a| first(a, 32)),
    ("ffsl", "il", |vm, a| first(a, long(vm))),
    ("ffsll", "iq", |_, a| first(a, 64)),
    ("__builtin_bswap16", "hh", |_, a| Ok(int((a.int(0)? as u16).swap_bytes().into()))),
    ("__builtin_bswap32", "ii", |_, a| Ok(int((a.int(0)? as u32).swap_bytes().into()))),
    ("__builtin_bswap64", "qq", |_, a| Ok(int(a.int(0)?.swap_bytes() as i64))),
    ("__builtin_bswap128", "oo", |_, a| {
        let Slot { lo, hi } = a.get(0)?;
        Ok(Slot { lo: hi.swap_bytes(), hi: lo.swap_bytes() })
    }),
];

/// Bits of `long`.
fn long(vm: &Vm<'_>) -> u32 {
    8 * u32::from(vm.options.target.long_bytes)
}

/// The operand's low bits.
fn operand(args: &Args<'_>, bits: u32) -> Res<u64> {
    Ok(args.int(0)? << (64 - bits) >> (64 - bits))
}

fn leading(args: &Args<'_>, bits: u32) -> Res<Slot> {
    match operand(args, bits)? {
        0 => undefined(Ub::BuiltinArgument, "the leading zeros of 0 are counted"),
        x => Ok(int(i64::from(x.leading_zeros() - (64 - bits)))),
    }
}

fn trailing(args: &Args<'_>, bits: u32) -> Res<Slot> {
    match operand(args, bits)? {
        0 => undefined(Ub::BuiltinArgument, "the trailing zeros of 0 are counted"),
        x => Ok(int(i64::from(x.trailing_zeros()))),
    }
}

/// Bits after the sign bit that repeat it.
fn redundant(args: &Args<'_>, bits: u32) -> Res<Slot> {
    let x = (args.int(0)? << (64 - bits)) as i64;
    let same = if x < 0 { x.leading_ones() } else { x.leading_zeros() };
    Ok(int(i64::from(same.min(bits)) - 1))
}

fn count(args: &Args<'_>, bits: u32, mask: u32) -> Res<Slot> {
    let ones = operand(args, bits)?.count_ones();
    Ok(int(i64::from(if mask == 1 { ones & 1 } else { ones })))
}

fn first(args: &Args<'_>, bits: u32) -> Res<Slot> {
    Ok(int(match operand(args, bits)? {
        0 => 0,
        x => i64::from(x.trailing_zeros()) + 1,
    }))
}
