//! Comparisons and differences of pointers, and integers that become pointers.

use super::Vm;
use crate::mem::{Kind, Ptr, Rec};
use crate::stop::{Res, undefined};
use crate::ub::Ub;

/// Addresses of functions and labels.
const FUNCTION_AREA: (u64, u64) = (super::STREAM_BASE, super::ARENA_BASE);

fn is_code(p: Ptr) -> bool {
    (FUNCTION_AREA.0..FUNCTION_AREA.1).contains(&p.addr)
}

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

    /// Is the object gone that a pointer pointed to? Its value may not be used then. Nested functions and labels have no object.
    pub(super) fn is_gone(&self, p: Ptr) -> bool {
        p.prov != 0 && !is_code(p) && self.mem.rec(p.prov).is_none()
    }

    /// Do two pointers with different provenances differ in their `restrict` tags or in the part of the object alone?
    pub(super) fn one_object(&mut self, a: Ptr, b: Ptr) -> bool {
        let one =
            a.prov != 0 && (self.mem.widen(a).prov ^ self.mem.widen(b).prov) & !crate::restrict::TAG == 0;
        if let Some(state) = self.mem.restrict.as_mut().filter(|_| one) {
            state.meet(a.prov, b.prov);
        }
        one
    }

    /// Are two pointers with different provenances equal? Where C leaves it open, a run with other addresses says the
    /// opposite.
    #[cold]
    #[inline(never)]
    pub(super) fn equal_pointers(&mut self, p: Ptr, q: Ptr) -> Res<bool> {
        if is_code(p) || is_code(q) || self.one_object(p, q) {
            return Ok(p.addr == q.addr);
        }
        if self.is_gone(p) || self.is_gone(q) {
            let what = "the value of a pointer to an object that is gone is compared";
            return undefined(Ub::DanglingPointer, what);
        }
        let (Some(a), Some(b)) = (self.mem.object(p.prov).copied(), self.mem.object(q.prov).copied()) else {
            return Ok(p.addr == q.addr);
        };
        // One past an object may be where another begins (6.5.9p6); equal literals may be one object (6.4.5p7).
        let touch = |p: Ptr, a: Rec, q: Ptr, b: Rec| p.addr == a.base + a.size && q.addr == b.base;
        let open = touch(p, a, q, b) || touch(q, b, p, a) || self.equal_literals((p, a), (q, b));
        if open {
            self.mem.unspecified_read = true;
            return Ok(self.mem.turn_unspecified);
        }
        Ok(p.addr == q.addr)
    }

    /// Do two pointers point to the same bytes up to the ends of string literals?
    fn equal_literals(&self, (p, a): (Ptr, Rec), (q, b): (Ptr, Rec)) -> bool {
        let rest = |p: Ptr, rec: Rec| (rec.base + rec.size).saturating_sub(p.addr) as usize;
        let n = rest(p, a);
        a.kind == Kind::Literal
            && b.kind == Kind::Literal
            && n == rest(q, b)
            && self.mem.data(self.mem.index(p.addr), n) == self.mem.data(self.mem.index(q.addr), n)
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
