//! Lifetimes of automatic objects: births in blocks, variable-length arrays and `alloca`.

use super::Vm;
use crate::bytecode::Overlap;
use crate::mem::{Kind, Ptr};
use crate::stop::{Res, exhausted, undefined};
use crate::ub::Ub;
use crate::verdict::Budget;

impl Vm<'_> {
    pub(super) fn enter(&mut self, local: u16) -> Res<()> {
        let (code, mem, slots) = self.frames.last().map_or((0, 0, 0), |f| (f.code, f.mem, f.slots));
        let local = &self.program.codes[code as usize].locals[usize::from(local)];
        let index = mem + local.offset as usize;
        let slot = 2 * (slots + local.slot) as usize + 1;
        if self.mem.slot(slot).exposed {
            self.mem.death(slot);
        }
        self.mem.birth(slot, index, local.size.into(), Kind::Auto, local.tag);
        let template = &self.program.templates[local.template as usize];
        self.mem.shadow_mut(index, local.size as usize).copy_from_slice(template);
        self.mem.clear_partial(index, local.size as usize);
        Ok(())
    }

    /// Zeroes a whole object or the rest of one.
    #[inline(never)]
    pub(super) fn zero(&mut self, addr: u64, size: usize) {
        let index = self.mem.index(addr);
        self.mem.data_mut(index, size).fill(0);
        self.mem.clear_partial(index, size);
        self.mem.mark_zeroed(index, size);
    }

    /// `[static n]`: the argument points to `n` bytes. With none, a pointer's value is used: its object is not gone (C23
    /// 6.2.4p2, C11 6.2.4p2 with J.2).
    #[inline(never)]
    pub(super) fn check_extent(&self, p: Ptr, n: u32) -> Res<()> {
        if n == 0 {
            if !self.is_gone(p) {
                return Ok(());
            }
            return undefined(
                Ub::DanglingPointer,
                "the value of a pointer to an object that is gone is used",
            );
        }
        match self.mem.access(p, n.into(), 1) {
            Ok(_) => Ok(()),
            Err(_) => undefined(Ub::StaticArray, format!("the argument does not point to {n} bytes")),
        }
    }

    /// A value is stored at address `a` that comes from address `b`.
    #[inline(never)]
    pub(super) fn check_overlap(&self, a: u64, b: u64, x: u32) -> Res<()> {
        if self.program.overlaps[x as usize].wrong(a, b) {
            return undefined(Ub::OverlappingAssignment, Overlap::TEXT);
        }
        Ok(())
    }

    /// The declaration of a living object is reached: it has no value any more (C11 6.2.4p6).
    #[inline(never)]
    pub(super) fn reset(&mut self, local: u16) {
        let frame = self.frame();
        let local = &self.program.codes[frame.code as usize].locals[usize::from(local)];
        let index = frame.mem + local.offset as usize;
        let template = &self.program.templates[local.template as usize];
        self.mem.shadow_mut(index, local.size as usize).copy_from_slice(template);
        self.mem.clear_partial(index, local.size as usize);
        self.mem.untag(index, local.size as usize);
    }

    /// From here on an object is a temporary one, which nothing may write.
    #[inline(never)]
    pub(super) fn seal(&mut self, local: u16) {
        let frame = self.frame();
        let local = &self.program.codes[frame.code as usize].locals[usize::from(local)];
        let index = frame.mem + local.offset as usize;
        for byte in self.mem.shadow_mut(index, local.size as usize) {
            *byte |= crate::class::CONST;
        }
        self.mem.make_temporary(2 * (frame.slots + local.slot) as usize + 1);
    }

    /// Variable-length arrays and `alloca`.
    pub(super) fn dynamic_alloc(&mut self, size: u64, align: u64) -> Res<Ptr> {
        if size > self.options.max_memory {
            return exhausted(Budget::Memory);
        }
        let index = self.mem.stack_push(size, align)?;
        let slot = self.mem.dynamic_slot()?;
        let prov = self.mem.birth(slot, index, size, Kind::Dynamic, 0);
        self.mem.fill_shadow(index, size as usize, crate::class::RETYPE);
        self.mem.clear_partial(index, size as usize);
        self.dynamic.push(slot as u32);
        Ok(Ptr { addr: self.mem.addr(index), prov })
    }

    /// A declaration is reached again by a jump backwards: its earlier array has ended (C11 6.2.4p7).
    pub(super) fn free_reached_again(&mut self, old: Ptr) {
        let slot = (old.prov & 0x00ff_ffff) as u32;
        if old.prov == 0 || self.dynamic.last() != Some(&slot) {
            return;
        }
        if let Some(rec) = self.mem.rec(old.prov).copied() {
            self.free_dynamic(self.dynamic.len() - 1);
            self.mem.stack_top = self.mem.index(rec.base);
        }
    }

    /// Ends the dynamic allocations above a mark.
    pub fn free_dynamic(&mut self, mark: usize) {
        while self.dynamic.len() > mark {
            if let Some(slot) = self.dynamic.pop() {
                self.mem.death(slot as usize);
                self.mem.release_slot(slot);
            }
        }
    }
}
