//! Loads and stores that are instructions of their own: the kinds of values in memory, and where they lie.

use super::arithmetic::bad_index;
use super::registers;
use crate::bytecode::{ArrayRef, Mem};
use crate::class::Class;
use crate::mem::Ptr;
use crate::stop::Res;
use crate::vm::{Slot, Vm};

impl ArrayRef {
    /// Where the element with an index begins.
    #[inline(always)]
    pub(super) fn element(&self, i: u64) -> Res<usize> {
        if i >= self.count {
            return bad_index(i, self.count);
        }
        Ok((self.base + i * self.scale) as usize)
    }
}

impl Vm<'_> {
    /// The arena index of a value of a kind that a pointer leads to.
    #[inline(always)]
    pub(super) fn through(&self, p: Ptr, kind: Mem) -> Res<usize> {
        match kind {
            Mem::I32 | Mem::U32 => self.mem.access(p, 4, 4),
            Mem::W64 | Mem::Ptr => self.mem.access(p, 8, 8),
            Mem::I16 | Mem::U16 => self.mem.access(p, 2, 2),
            Mem::I8 | Mem::U8 => self.mem.access(p, 1, 1),
        }
    }

    /// Loads a register.
    ///
    /// # Safety
    /// As for [`crate::mem::Memory::data_at`], the bytes of the kind; `to` is a register of a frame.
    #[inline(always)]
    pub(super) unsafe fn load(&mut self, to: *mut Slot, index: usize, kind: Mem, class: u8) -> Res<()> {
        // SAFETY: the caller's.
        unsafe {
            match kind {
                Mem::I32 => (*to).lo = self.mem.load_at::<4>(index, class)? as i32 as i64 as u64,
                Mem::U32 => (*to).lo = self.mem.load_at::<4>(index, class)?,
                Mem::W64 => (*to).lo = self.mem.load_at::<8>(index, class)?,
                Mem::I16 => (*to).lo = self.mem.load_at::<2>(index, class)? as i16 as i64 as u64,
                Mem::U16 => (*to).lo = self.mem.load_at::<2>(index, class)?,
                Mem::I8 => (*to).lo = self.mem.load_byte_at(index)? as i8 as i64 as u64,
                Mem::U8 if class == Class::Char as u8 => (*to).lo = self.mem.load_byte_at(index)?,
                Mem::U8 => (*to).lo = self.mem.load_at::<1>(index, class)?,
                Mem::Ptr => registers::put_pair(to, self.mem.load_ptr_at(index, class)?),
            }
        }
        Ok(())
    }

    /// Stores a register.
    ///
    /// # Safety
    /// As for [`crate::mem::Memory::data_at`], the bytes of the kind; `from` is a register of a frame.
    #[inline(always)]
    pub(super) unsafe fn store(&mut self, from: *const Slot, index: usize, kind: Mem, class: u8) -> Res<()> {
        // SAFETY: the caller's.
        unsafe {
            match kind {
                Mem::I32 | Mem::U32 => self.mem.store_at::<4>(index, class, (*from).lo),
                Mem::W64 => self.mem.store_at::<8>(index, class, (*from).lo),
                Mem::I16 | Mem::U16 => self.mem.store_at::<2>(index, class, (*from).lo),
                Mem::I8 => self.mem.store_byte_at(index, (*from).lo),
                Mem::U8 if class == Class::Char as u8 => self.mem.store_byte_at(index, (*from).lo),
                Mem::U8 => self.mem.store_at::<1>(index, class, (*from).lo),
                Mem::Ptr => self.mem.store_ptr_at(index, class, registers::pair(from)),
            }
        }
    }
}
