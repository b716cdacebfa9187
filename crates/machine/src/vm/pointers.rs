//! Comparisons and differences of pointers, and integers that become pointers.

use super::Vm;
use crate::mem::Ptr;
use crate::stop::{Res, undefined};
use crate::ub::Ub;

/// Addresses of functions and labels.
const FUNCTION_AREA: (u64, u64) = (super::STREAM_BASE, super::ARENA_BASE);

impl Vm<'_> {
    /// Pointers that are ordered must point into one object.
    pub(super) fn same_object(&mut self, a: Ptr, b: Ptr) -> Res<()> {
        if a.prov == b.prov && (a.prov != 0 || a.addr == b.addr) {
            return Ok(());
        }
        if self.one_object(a, b) {
            return Ok(());
        }
        if a.prov == 0 && b.prov == 0 && (a.addr == 0) == (b.addr == 0) {
            return Ok(());
        }
        undefined(Ub::PointerComparison, "pointers to different objects are ordered by < or >")
    }

    /// Do two pointers with different provenances differ in their `restrict` tags alone?
    pub(super) fn one_object(&mut self, a: Ptr, b: Ptr) -> bool {
        let one = (a.prov ^ b.prov) & !crate::restrict::TAG == 0;
        if let Some(state) = self.mem.restrict.as_mut().filter(|_| one) {
            state.meet(a.prov, b.prov);
        }
        one && self.mem.restrict.is_some()
    }

    pub(super) fn ptr_diff(&mut self, a: Ptr, b: Ptr, scale: u64) -> Res<u64> {
        if a.prov != b.prov && a.addr != b.addr && !self.one_object(a, b) {
            return undefined(Ub::PointerDifference, "the pointers point to different objects");
        }
        let bytes = a.addr.wrapping_sub(b.addr) as i64;
        if scale == 0 || bytes % scale as i64 != 0 {
            return undefined(Ub::PointerDifference, "the difference is not a whole number of elements");
        }
        Ok((bytes / scale as i64) as u64)
    }

    pub(super) fn int_to_ptr(&self, value: u64) -> Ptr {
        if value >= FUNCTION_AREA.0 && value < FUNCTION_AREA.1 {
            return Ptr { addr: value, prov: 0 };
        }
        self.mem.from_int(value)
    }
}
