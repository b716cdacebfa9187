//! Where the stack ends, in programs that move it: a multiple of 16, by the System V convention. Both programs of a pair find
//! the same at their entry.

use crate::domain::{Domain, Ext};

/// What the stack pointer is a multiple of.
pub(crate) const ALIGN: u64 = 16;
/// Bits of the end of the stack, counted in these.
pub(crate) const BITS: u32 = 60;
/// Its name as a variable.
pub(crate) const NAME: &str = "stack pointer";

/// The end of the stack at the entry.
pub(crate) fn at_entry<D: Domain>(d: &mut D) -> D::Bv {
    d.symbol(NAME, BITS)
}

/// The stack pointer, from the end of the stack.
pub(crate) fn pointer<D: Domain>(d: &mut D, sixteens: &D::Bv) -> D::Bv {
    let zeros = d.num(64 - BITS, 0);
    d.concat(sixteens, &zeros)
}

/// The end of the stack, from a pointer that is not odd.
pub(crate) fn sixteens<D: Domain>(d: &mut D, pointer: &D::Bv) -> D::Bv {
    d.extract(63, 64 - BITS, pointer)
}

/// A pointer that is known to be a multiple of 16.
pub(crate) fn even<D: Domain>(d: &mut D, pointer: &D::Bv) -> D::Bv {
    let whole = sixteens(d, pointer);
    self::pointer(d, &whole)
}

/// Whether a pointer is no multiple of 16.
pub(crate) fn is_odd<D: Domain>(d: &mut D, pointer: &D::Bv) -> D::Bool {
    let low = d.zfit(pointer, 64 - BITS);
    let even = d.is_zero(&low);
    d.not(&even)
}
