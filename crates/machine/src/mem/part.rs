//! Pointers to parts of objects: a pointer made from a member (`&s.m`, or `s.a` where it decays) is one into that member
//! (C11 6.5.6p7 and p8, 7.1.4p1), not into the record around it, so it gets a provenance of its own: a record of the
//! table of allocations with the member's bounds, which lives as long as the object and is the same each time the same
//! member is pointed to. Conversions to another type lead back to the whole object: code that goes from a member to the
//! record around it, or looks at a record's bytes, says so by a cast.

use super::{Kind, Memory, Ptr, Rec};
use crate::bytecode::TO_THE_END;
use crate::restrict::TAG;

/// Parts that a run may have at once; pointers to further ones are as wide as the object.
const MOST: usize = 1 << 16;

impl Memory {
    /// The slot of the object that a provenance is of, a part's whole if it is a part's.
    #[inline(always)]
    fn whole_slot(&self, prov: u64) -> Option<usize> {
        let slot = (prov & 0x00ff_ffff) as usize;
        let rec = self.rec(prov)?;
        Some(if rec.whole == 0 { slot } else { rec.whole as usize })
    }

    /// The pointer, where it is one into a part of an object, as one into the object.
    #[inline(always)]
    pub fn widen(&self, ptr: Ptr) -> Ptr {
        if self.parts.is_empty() {
            return ptr;
        }
        match self.whole_slot(ptr.prov) {
            Some(slot) => Ptr { addr: ptr.addr, prov: self.prov_of_slot(slot) | (ptr.prov & TAG) },
            None => ptr,
        }
    }

    /// The object that a pointer points into, whole, if it is alive.
    pub fn object(&self, prov: u64) -> Option<&Rec> {
        self.whole_slot(prov).map(|slot| &self.recs[slot])
    }

    /// A pointer to the start of a member of `size` bytes, or one that reaches to the end of the object
    /// ([`TO_THE_END`]), as one into that member alone.
    pub fn narrow(&mut self, ptr: Ptr, size: u32) -> Ptr {
        let Some(rec) = self.rec(ptr.prov).copied() else { return ptr };
        let rest = rec.size.saturating_sub(ptr.addr.wrapping_sub(rec.base));
        let size = if size == TO_THE_END { rest } else { size.into() };
        let inside = ptr.addr.wrapping_sub(rec.base).checked_add(size).is_some_and(|end| end <= rec.size);
        if !inside || size == rec.size || size == 0 {
            return ptr;
        }
        let Some(whole) = self.whole_slot(ptr.prov) else { return ptr };
        let key = (whole as u32, ptr.addr, size);
        let slot = match self.parts.get(&key) {
            Some(slot) => *slot as usize,
            None => {
                if self.parts.len() >= MOST {
                    return ptr;
                }
                let Ok(slot) = self.new_even() else { return ptr };
                self.generation = self.generation.wrapping_add(1).max(1);
                let (generation, whole) = (self.generation, whole as u32);
                self.recs[slot] = Rec { base: ptr.addr, size, generation, exposed: false, whole, ..rec };
                self.recs[whole as usize].parted = true;
                self.parts.insert(key, slot as u32);
                self.parts_of.entry(whole).or_default().push((ptr.addr, size));
                slot
            }
        };
        Ptr { addr: ptr.addr, prov: self.prov_of_slot(slot) | (ptr.prov & TAG) }
    }

    /// The object in a slot ends, and its parts with it.
    #[cold]
    pub(super) fn end_parts(&mut self, whole: usize) {
        self.recs[whole].parted = false;
        for (addr, size) in self.parts_of.remove(&(whole as u32)).unwrap_or_default() {
            if let Some(slot) = self.parts.remove(&(whole as u32, addr, size)) {
                let rec = &mut self.recs[slot as usize];
                (rec.size, rec.kind, rec.whole) = (0, Kind::Dead, 0);
                self.free_even.push(slot);
            }
        }
    }
}
