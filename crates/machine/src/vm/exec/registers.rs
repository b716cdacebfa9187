//! Registers that hold a pair of values, by halves: a whole register read right after its halves were written would
//! stall, and a pair that is written whole goes over the stack, where it stalls as well.

use crate::mem::Ptr;
use crate::vm::Slot;

/// The pointer in a register.
///
/// # Safety
/// `from` is a register of a frame.
#[inline(always)]
pub(super) unsafe fn pair(from: *const Slot) -> Ptr {
    // SAFETY: the caller's; volatile keeps the two loads two.
    unsafe {
        Ptr { addr: (&raw const (*from).lo).read_volatile(), prov: (&raw const (*from).hi).read_volatile() }
    }
}

/// Has a register hold a pointer.
///
/// # Safety
/// `to` is a register of a frame.
#[inline(always)]
pub(super) unsafe fn put_pair(to: *mut Slot, p: Ptr) {
    // SAFETY: the caller's; volatile keeps the two stores two.
    unsafe {
        (&raw mut (*to).lo).write_volatile(p.addr);
        (&raw mut (*to).hi).write_volatile(p.prov);
    }
}
