//! Copies and fills of blocks of memory.

use crate::bits;
use crate::domain::{BitOp, CmpOp, Domain, Ext};

/// Up to this many bytes a copy or fill is spelled out; longer ones are known by name alone. Sixteen moves of the widest
/// registers: as many as LLVM makes of one on x86-64.
pub(crate) const SPELLED_OUT: u64 = 1024;

/// Copies a constant number of bytes, all read (from `source`) before any is written.
pub(crate) fn copy<D: Domain>(
    d: &mut D,
    (mem, source): (&D::Mem, &D::Mem),
    to: &D::Bv,
    from: &D::Bv,
    bytes: u64,
) -> D::Mem {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < bytes {
        let size = (bytes - at).min(8) as u32;
        let address = d.add_num(from, i128::from(at));
        pieces.push((at, d.load(source, &address, size)));
        at += u64::from(size);
    }
    let mut mem = mem.clone();
    for (at, piece) in pieces {
        let address = d.add_num(to, i128::from(at));
        mem = d.store(&mem, &address, &piece);
    }
    mem
}

/// A byte (the lowest of `second`) so many times.
pub(crate) fn fill_bytes<D: Domain>(d: &mut D, second: &D::Bv, n: usize) -> D::Bv {
    let byte = d.zfit(second, 8);
    bits::join(d, &vec![byte; n])
}

/// The memory after `memcpy`, `memmove` or `memset` (whose `second` is the byte) of a known length; what is copied
/// is read from `source`.
pub(crate) fn block_memory<D: Domain>(
    d: &mut D,
    (mem, source): (&D::Mem, &D::Mem),
    kind: &str,
    to: &D::Bv,
    second: &D::Bv,
    length: u64,
) -> D::Mem {
    if kind != "memset" {
        return copy(d, (mem, source), to, second, length);
    }
    let byte = d.zfit(second, 8);
    let mut mem = mem.clone();
    let mut at = 0;
    while at < length {
        let size = (length - at).min(8) as usize;
        let value = bits::join(d, &vec![byte.clone(); size]);
        let address = d.add_num(to, i128::from(at));
        mem = d.store(&mem, &address, &value);
        at += size as u64;
    }
    mem
}

/// Whether two ranges of the same length share a byte without being equal.
pub(crate) fn overlap<D: Domain>(d: &mut D, a: &D::Bv, b: &D::Bv, bytes: &D::Bv) -> D::Bool {
    let (up, down) = (d.bin(BitOp::Sub, a, b), d.bin(BitOp::Sub, b, a));
    let (x, y) = (d.cmp(CmpOp::Ult, &up, bytes), d.cmp(CmpOp::Ult, &down, bytes));
    let near = d.or(&x, &y);
    let same = d.eq(a, b);
    let differ = d.not(&same);
    d.and(&near, &differ)
}
