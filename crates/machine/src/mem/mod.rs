//! Memory of the abstract machine: one flat arena of bytes with a shadow byte beside each, a provenance word
//! beside each pointer-sized word, and a table of allocations.
//!
//! A pointer is (address, provenance); the provenance names an allocation slot and its generation, so a pointer to
//! a dead object never matches the slot's next tenant. Integers become pointers again by PNVI-ae-udi: to an
//! allocation whose address was exposed.

mod bits;
mod bytes;
mod copy;
mod map;
mod part;
mod tags;
#[cfg(test)]
mod tests;
mod values;

use crate::class::{CLASS, Class, INIT, PIECE, RETYPE, is_piece};
use crate::restrict::{Restrict, tag};
use crate::stop::{Res, exhausted, undefined};
use crate::ub::Ub;
use crate::verdict::Budget;
use map::Map;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
pub use tags::{ANYWHERE, Tag, Tags};

/// A pointer value.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Ptr {
    /// The address in the machine's address space.
    pub addr: u64,
    /// `slot | generation << 32`, 0 for none.
    pub prov: u64,
}

impl Ptr {
    /// The null pointer.
    pub const NULL: Ptr = Ptr { addr: 0, prov: 0 };

    /// A pointer `by` bytes further, unchecked.
    pub fn offset(self, by: u64) -> Ptr {
        Ptr { addr: self.addr.wrapping_add(by), prov: self.prov }
    }
}

/// What kind of object an allocation is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Slot never used, or dead.
    Dead,
    /// Static storage duration.
    Static,
    /// A string literal.
    Literal,
    /// Automatic.
    Auto,
    /// Of temporary lifetime (C11 6.2.4p8): nothing may write it.
    Temporary,
    /// Variable-length array or `alloca`.
    Dynamic,
    /// From `malloc`.
    Heap,
}

/// One allocation.
#[derive(Copy, Clone, Debug)]
pub struct Rec {
    /// Address of its first byte.
    pub base: u64,
    /// Bytes; 0 when dead.
    pub size: u64,
    /// Generation that provenances must match.
    pub generation: u32,
    /// Kind.
    pub kind: Kind,
    /// Was its address converted to an integer?
    pub exposed: bool,
    /// Are there pointers into parts of it?
    parted: bool,
    /// Name for messages: index given by the owner (object id + 1, or 0).
    pub tag: u32,
    /// The slot of the object that this is a part of, or 0.
    whole: u32,
}

const DEAD: Rec = Rec {
    base: 0,
    size: 0,
    generation: 0,
    kind: Kind::Dead,
    exposed: false,
    parted: false,
    tag: 0,
    whole: 0,
};
/// Smallest alignment of `malloc`.
const HEAP_ALIGN: u64 = 16;

/// Memory with its allocations.
pub struct Memory {
    data: *mut u8,
    shadow: *mut u8,
    prov: *mut u64,
    maps: [Map; 3],
    /// Index of the first byte past the arena.
    len: usize,
    /// Address of arena index 0.
    pub base: u64,
    /// Allocations: even slots static and heap, odd slots automatic.
    recs: Vec<Rec>,
    generation: u32,
    next_even: usize,
    free_even: Vec<u32>,
    /// Slots of parts of objects, by the object's slot, address and size.
    parts: FxHashMap<(u32, u64, u64), u32>,
    /// Address and size of the parts of each object that has any.
    parts_of: FxHashMap<u32, Vec<(u64, u64)>>,
    /// First arena index of the stack region.
    stack_base: usize,
    /// First free arena index of the stack.
    pub stack_top: usize,
    heap_top: usize,
    heap_end: usize,
    heap_free: FxHashMap<u64, Vec<usize>>,
    heap_live: u64,
    max_heap: u64,
    exposed: BTreeMap<u64, u32>,
    /// Provenance of pointers stored at unaligned addresses (packed structs), by arena index.
    unaligned: FxHashMap<usize, u64>,
    /// Initialised bits of bytes that hold bit-fields and are not wholly initialised, by arena index.
    partial: FxHashMap<usize, u8>,
    /// Pointer size in bytes.
    pub pointer_bytes: u64,
    /// Are multi-byte values stored most significant byte first?
    pub big_endian: bool,
    /// All ones, or 0 where misaligned accesses are allowed.
    pub alignment: u64,
    /// Did a `longjmp` take values?
    pub lost: bool,
    /// Are accesses through lvalues of wrong types allowed?
    pub any_type: bool,
    /// Did any address become visible as an integer, or was ordered against an unrelated one?
    pub address_seen: bool,
    /// Was a byte read whose value is unspecified?
    pub unspecified_read: bool,
    /// Are bytes that take unspecified values turned into their complements? So that a second run shows whether
    /// behaviour depends on them.
    pub turn_unspecified: bool,
    /// Detection of `restrict` violations, in programs that declare restrict pointers.
    pub restrict: Option<Box<Restrict>>,
    /// The records as whose members bytes were stored, in programs where that matters.
    pub tags: Option<Box<Tags>>,
}

impl Rec {
    /// What it is, for messages.
    fn what(&self) -> &'static str {
        if self.whole == 0 { "an object" } else { "a member" }
    }
}

// SAFETY: the raw pointers point into `maps`, which the value owns.
unsafe impl Send for Memory {}

/// Rounds up to a power of two.
fn round_up(n: u64, align: u64) -> u64 {
    n.wrapping_add(align - 1) & !(align - 1)
}

/// What safe functions do with an index that is none.
#[cold]
#[inline(never)]
fn outside(index: usize, n: usize) -> ! {
    panic!("{n} byte(s) at {index} lie outside the arena")
}

impl Memory {
    /// An arena for `statics` bytes of static objects, `heap` bytes of allocated and `stack` bytes of automatic
    /// ones; index 0 lies at address `base`.
    pub fn new(
        statics: u64,
        heap: u64,
        stack: u64,
        base: u64,
        pointer_bytes: u64,
        big_endian: bool,
    ) -> Res<Memory> {
        let total = statics.saturating_add(heap).saturating_add(stack).saturating_add(1 << 16);
        let limit = if pointer_bytes == 4 { 0xe000_0000 } else { 1 << 40 };
        if total > limit {
            return exhausted(Budget::Memory);
        }
        let len = round_up(total, 4096) as usize;
        let words = len / pointer_bytes as usize * 8;
        let (Some(mut a), Some(mut b), Some(mut c)) = (Map::new(len), Map::new(len), Map::new(words)) else {
            return exhausted(Budget::Memory);
        };
        let heap_start = round_up(statics + 4096, 4096) as usize;
        let stack_base = heap_start + round_up(heap, 4096) as usize;
        Ok(Memory {
            data: a.as_mut_ptr(),
            shadow: b.as_mut_ptr(),
            prov: c.as_mut_words(),
            maps: [a, b, c],
            len,
            base,
            recs: vec![DEAD; 64],
            generation: 0,
            next_even: 2,
            free_even: Vec::new(),
            parts: FxHashMap::default(),
            parts_of: FxHashMap::default(),
            stack_base,
            stack_top: stack_base,
            heap_top: heap_start,
            heap_end: stack_base,
            heap_free: FxHashMap::default(),
            heap_live: 0,
            max_heap: heap,
            exposed: BTreeMap::new(),
            unaligned: FxHashMap::default(),
            partial: FxHashMap::default(),
            pointer_bytes,
            big_endian,
            alignment: u64::MAX,
            lost: false,
            any_type: false,
            address_seen: false,
            unspecified_read: false,
            turn_unspecified: false,
            restrict: None,
            tags: None,
        })
    }

    /// Bytes of the arena (data only), for diagnostics.
    pub fn capacity(&self) -> usize {
        self.maps[0].len()
    }

    /// The address of an arena index.
    #[inline(always)]
    pub fn addr(&self, index: usize) -> u64 {
        self.base + index as u64
    }

    /// The arena index of an address inside the arena.
    #[inline(always)]
    pub fn index(&self, addr: u64) -> usize {
        addr.wrapping_sub(self.base) as usize
    }

    /// The allocation a provenance names, if it is alive.
    #[inline(always)]
    pub fn rec(&self, prov: u64) -> Option<&Rec> {
        let rec = self.recs.get((prov & 0x00ff_ffff) as usize)?;
        (rec.generation == (prov >> 32) as u32 && rec.kind != Kind::Dead).then_some(rec)
    }

    /// The provenance of the object now in a slot.
    #[inline(always)]
    pub fn prov_of_slot(&self, slot: usize) -> u64 {
        slot as u64 | (u64::from(self.recs[slot].generation) << 32)
    }

    /// Makes slots up to `slot` usable.
    pub fn ensure_slot(&mut self, slot: usize) -> Res<()> {
        if slot >= self.recs.len() {
            if slot >= 0x00ff_ff00 {
                return exhausted(Budget::Memory);
            }
            let len = (slot + 1).next_power_of_two();
            self.recs.resize(len, DEAD);
        }
        Ok(())
    }

    /// Starts the lifetime of an object in a slot; gives its provenance.
    #[inline]
    pub fn birth(&mut self, slot: usize, index: usize, size: u64, kind: Kind, tag: u32) -> u64 {
        self.generation = self.generation.wrapping_add(1).max(1);
        let base = self.addr(index);
        if self.recs[slot].parted {
            self.end_parts(slot);
        }
        self.recs[slot] = Rec { base, size, generation: self.generation, kind, tag, ..DEAD };
        self.untag(index, size as usize);
        slot as u64 | (u64::from(self.generation) << 32)
    }

    /// Ends the lifetime of the object in a slot.
    #[inline]
    pub fn death(&mut self, slot: usize) {
        let rec = &self.recs[slot];
        if rec.exposed {
            let base = rec.base;
            self.exposed.remove(&base);
        }
        if self.recs[slot].parted {
            self.end_parts(slot);
        }
        let rec = &mut self.recs[slot];
        rec.size = 0;
        rec.kind = Kind::Dead;
        rec.exposed = false;
    }

    /// The object in a slot is a temporary one.
    pub fn make_temporary(&mut self, slot: usize) {
        self.recs[slot].kind = Kind::Temporary;
    }

    /// The record of a slot as it is.
    pub fn slot(&self, slot: usize) -> &Rec {
        &self.recs[slot]
    }

    fn new_even(&mut self) -> Res<usize> {
        if let Some(slot) = self.free_even.pop() {
            return Ok(slot as usize);
        }
        let slot = self.next_even;
        self.next_even += 2;
        self.ensure_slot(slot)?;
        Ok(slot)
    }

    /// A slot for an automatic allocation that no frame slot is reserved for.
    pub fn dynamic_slot(&mut self) -> Res<usize> {
        self.new_even()
    }

    /// Gives such a slot back.
    pub fn release_slot(&mut self, slot: u32) {
        self.free_even.push(slot);
    }

    /// Places a static object at an arena index chosen by the layout of statics.
    pub fn place_static(&mut self, index: usize, size: u64, kind: Kind, tag: u32) -> Res<u64> {
        let slot = self.new_even()?;
        Ok(self.birth(slot, index, size, kind, tag))
    }

    // ----- heap

    /// `malloc`: `None` when the program's own request cannot be met (it sees a null pointer).
    pub fn heap_alloc(&mut self, size: u64, align: u64) -> Res<Option<Ptr>> {
        if size > 1 << 47 {
            return Ok(None);
        }
        let align = align.max(HEAP_ALIGN);
        let room = round_up(size.max(1), align.max(HEAP_ALIGN));
        if self.heap_live.saturating_add(room) > self.max_heap {
            return exhausted(Budget::Memory);
        }
        let reuse = if align == HEAP_ALIGN { self.heap_free.get_mut(&room).and_then(Vec::pop) } else { None };
        let index = match reuse {
            Some(index) => index,
            // The other order of addresses shows where behaviour depends on it.
            None if self.turn_unspecified => {
                let end = self.addr(self.heap_end).saturating_sub(room + HEAP_ALIGN);
                let start = (end & !(align - 1)).saturating_sub(self.base) as usize;
                if start <= self.heap_top {
                    return exhausted(Budget::Memory);
                }
                self.heap_end = start;
                start
            }
            None => {
                let start = round_up(self.addr(self.heap_top), align) - self.base;
                if start + room + HEAP_ALIGN > self.heap_end as u64 {
                    return exhausted(Budget::Memory);
                }
                self.heap_top = (start + room + HEAP_ALIGN) as usize;
                start as usize
            }
        };
        self.heap_live += room;
        let slot = self.new_even()?;
        let prov = self.birth(slot, index, size, Kind::Heap, 0);
        self.fill_shadow(index, size as usize, RETYPE);
        Ok(Some(Ptr { addr: self.addr(index), prov }))
    }

    /// `free`, of a pointer that is not null.
    pub fn heap_free(&mut self, ptr: Ptr) -> Res<()> {
        let ptr = self.widen(ptr);
        let Some(rec) = self.rec(ptr.prov).copied() else {
            return undefined(Ub::InvalidFree, self.describe_bad(ptr, "freed"));
        };
        if rec.kind != Kind::Heap || rec.base != ptr.addr {
            return undefined(Ub::InvalidFree, "the pointer is not the start of an allocated object");
        }
        let slot = (ptr.prov & 0x00ff_ffff) as usize;
        self.death(slot);
        self.free_even.push(slot as u32);
        let room = round_up(rec.size.max(1), HEAP_ALIGN);
        self.heap_live = self.heap_live.saturating_sub(room);
        let index = self.index(rec.base);
        self.heap_free.entry(room).or_default().push(index);
        Ok(())
    }

    /// Size of a live heap object.
    pub fn heap_size(&self, ptr: Ptr) -> Option<u64> {
        self.object(ptr.prov).filter(|r| r.kind == Kind::Heap && r.base == ptr.addr).map(|r| r.size)
    }

    // ----- stack

    /// Reserves `size` bytes of stack, aligned; gives the arena index.
    #[inline]
    pub fn stack_push(&mut self, size: u64, align: u64) -> Res<usize> {
        let start = round_up(self.addr(self.stack_top), align.max(16)) - self.base;
        let end = start.saturating_add(size).saturating_add(16);
        if end > self.len as u64 {
            return exhausted(Budget::Memory);
        }
        self.stack_top = end as usize;
        Ok(start as usize)
    }

    /// First index of the stack region.
    pub fn stack_base(&self) -> usize {
        self.stack_base
    }

    // ----- checks

    /// Checks that `n` bytes at `ptr` lie in one live object and gives their arena index. Alignment must divide.
    #[inline(always)]
    pub fn access(&self, ptr: Ptr, n: u64, align: u64) -> Res<usize> {
        let slot = (ptr.prov & 0x00ff_ffff) as usize;
        if slot < self.recs.len() {
            let rec = &self.recs[slot];
            let offset = ptr.addr.wrapping_sub(rec.base);
            if rec.generation == (ptr.prov >> 32) as u32
                && ptr.prov != 0
                && offset.saturating_add(n) <= rec.size
                && ptr.addr & (align - 1) & self.alignment == 0
            {
                return Ok(ptr.addr.wrapping_sub(self.base) as usize);
            }
        }
        self.bad_access(ptr, n, align)
    }

    /// The arena index of `n` bytes at `ptr`, if they lie in one live object.
    pub fn quick_index(&self, ptr: Ptr, n: u64) -> Option<usize> {
        let rec = self.recs.get((ptr.prov & 0x00ff_ffff) as usize)?;
        let inside = ptr.addr.wrapping_sub(rec.base).saturating_add(n) <= rec.size;
        (rec.generation == (ptr.prov >> 32) as u32 && ptr.prov != 0 && inside).then(|| self.index(ptr.addr))
    }

    #[cold]
    fn bad_access(&self, ptr: Ptr, n: u64, align: u64) -> Res<usize> {
        if let Some(rec) = self.rec(ptr.prov) {
            let offset = ptr.addr.wrapping_sub(rec.base);
            if offset.saturating_add(n) <= rec.size {
                return undefined(
                    Ub::MisalignedConversion,
                    format!("address {:#x} is not a multiple of {align}", ptr.addr),
                );
            }
            let text = format!(
                "access of {n} byte(s) at offset {} of {} of {} byte(s)",
                offset as i64,
                rec.what(),
                rec.size
            );
            return undefined(Ub::OutOfBounds, text);
        }
        if ptr.prov == 0 && ptr.addr < 4096 {
            return undefined(Ub::NullDereference, format!("null pointer, offset {}", ptr.addr));
        }
        if ptr.prov == 0 {
            return undefined(Ub::InvalidDereference, format!("address {:#x} points to no object", ptr.addr));
        }
        undefined(Ub::DanglingPointer, "the object that the pointer pointed to is gone")
    }

    /// Words for a pointer that names no live object.
    pub fn describe_bad(&self, ptr: Ptr, done: &str) -> String {
        if ptr.prov == 0 {
            format!("a pointer to no object ({:#x}) is {done}", ptr.addr)
        } else {
            format!("a pointer to an object that is gone is {done}")
        }
    }

    /// Checks pointer arithmetic: `ptr + by` must stay in its object or one past it.
    #[inline(always)]
    pub fn step(&self, ptr: Ptr, by: i64) -> Res<Ptr> {
        let slot = (ptr.prov & 0x00ff_ffff) as usize;
        let to = ptr.addr.wrapping_add(by as u64);
        if slot < self.recs.len() {
            let rec = &self.recs[slot];
            if rec.generation == (ptr.prov >> 32) as u32
                && to.wrapping_sub(rec.base) <= rec.size
                && ptr.prov != 0
            {
                return Ok(Ptr { addr: to, prov: ptr.prov });
            }
        }
        self.bad_step(ptr, by)
    }

    #[cold]
    fn bad_step(&self, ptr: Ptr, by: i64) -> Res<Ptr> {
        let to = ptr.addr.wrapping_add(by as u64);
        let label = |addr: u64| (crate::vm::LABEL_BASE..crate::vm::ARENA_BASE).contains(&addr);
        if by == 0 || (ptr.prov == 0 && label(ptr.addr) && label(to)) {
            // Null plus nothing, and GNU arithmetic on label addresses.
            return Ok(Ptr { addr: to, prov: ptr.prov });
        }
        if let Some(rec) = self.rec(ptr.prov) {
            let from = ptr.addr.wrapping_sub(rec.base) as i64;
            return undefined(
                Ub::PointerArithmetic,
                format!("offset {from} {by:+} leaves {} of {} byte(s)", rec.what(), rec.size),
            );
        }
        if ptr.prov == 0 {
            return undefined(Ub::PointerArithmetic, "arithmetic on a pointer to no object");
        }
        undefined(Ub::DanglingPointer, "arithmetic on a pointer to an object that is gone")
    }

    // ----- integers and pointers

    /// The integer of a pointer; its object becomes reachable from integers.
    pub fn expose(&mut self, ptr: Ptr) -> u64 {
        if ptr.prov != 0 {
            self.address_seen = true;
            if let Some(state) = &mut self.restrict {
                state.mute_chain(tag(ptr.prov));
            }
            let ptr = self.widen(ptr);
            let slot = (ptr.prov & 0x00ff_ffff) as usize;
            if self.rec(ptr.prov).is_some() && !self.recs[slot].exposed {
                self.recs[slot].exposed = true;
                self.exposed.insert(self.recs[slot].base, slot as u32);
            }
        }
        // Functions and labels lie elsewhere in every compilation.
        self.address_seen |= (crate::vm::FUNCTION_BASE..crate::vm::ARENA_BASE).contains(&ptr.addr);
        ptr.addr
    }

    /// The pointer an integer converts to.
    pub fn from_int(&self, addr: u64) -> Ptr {
        let around = self.exposed.range(..=addr).next_back();
        if let Some((&base, &slot)) = around {
            let rec = &self.recs[slot as usize];
            if rec.exposed && rec.base == base && addr - base <= rec.size {
                return Ptr { addr, prov: self.prov_of_slot(slot as usize) };
            }
        }
        Ptr { addr, prov: 0 }
    }

    // ----- raw bytes; the functions ending in `_at` trust their caller, the others look

    /// Panics unless `n` bytes at `index` lie in the arena.
    #[inline(always)]
    pub(super) fn inside(&self, index: usize, n: usize) {
        if n > self.len || index > self.len - n {
            outside(index, n);
        }
    }

    /// Data bytes. Panics if they lie outside the arena.
    #[inline(always)]
    pub fn data(&self, index: usize, n: usize) -> &[u8] {
        self.inside(index, n);
        // SAFETY: just checked.
        unsafe { self.data_at(index, n) }
    }

    /// Data bytes, unchecked.
    ///
    /// # Safety
    /// `n` bytes at `index` lie in the arena, as those of an index do that [`Memory::access`] gave for `n` bytes, and
    /// those of a named object at the offsets that [`crate::verify`] has checked.
    #[inline(always)]
    pub unsafe fn data_at(&self, index: usize, n: usize) -> &[u8] {
        debug_assert!(index + n <= self.len);
        // SAFETY: the map has `len` bytes, among them these, and `self` is borrowed as long as the slice.
        unsafe { std::slice::from_raw_parts(self.data.add(index), n) }
    }

    /// Data bytes, to write. Panics if they lie outside the arena.
    #[inline(always)]
    pub fn data_mut(&mut self, index: usize, n: usize) -> &mut [u8] {
        self.inside(index, n);
        // SAFETY: just checked.
        unsafe { self.data_mut_at(index, n) }
    }

    /// Data bytes, to write, unchecked.
    ///
    /// # Safety
    /// As for [`Memory::data_at`].
    #[inline(always)]
    pub unsafe fn data_mut_at(&mut self, index: usize, n: usize) -> &mut [u8] {
        debug_assert!(index + n <= self.len);
        // SAFETY: as in `data_at`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.data.add(index), n) }
    }

    /// Shadow bytes. Panics if they lie outside the arena.
    #[inline(always)]
    pub fn shadow(&self, index: usize, n: usize) -> &[u8] {
        self.inside(index, n);
        // SAFETY: just checked.
        unsafe { self.shadow_at(index, n) }
    }

    /// Shadow bytes, unchecked.
    ///
    /// # Safety
    /// As for [`Memory::data_at`].
    #[inline(always)]
    pub unsafe fn shadow_at(&self, index: usize, n: usize) -> &[u8] {
        debug_assert!(index + n <= self.len);
        // SAFETY: as in `data_at`: the shadow is as long as the data.
        unsafe { std::slice::from_raw_parts(self.shadow.add(index), n) }
    }

    /// Shadow bytes, to write. Panics if they lie outside the arena.
    #[inline(always)]
    pub fn shadow_mut(&mut self, index: usize, n: usize) -> &mut [u8] {
        self.inside(index, n);
        // SAFETY: just checked.
        unsafe { self.shadow_mut_at(index, n) }
    }

    /// Shadow bytes, to write, unchecked.
    ///
    /// # Safety
    /// As for [`Memory::data_at`].
    #[inline(always)]
    pub unsafe fn shadow_mut_at(&mut self, index: usize, n: usize) -> &mut [u8] {
        debug_assert!(index + n <= self.len);
        // SAFETY: as in `data_mut_at`: the shadow is as long as the data.
        unsafe { std::slice::from_raw_parts_mut(self.shadow.add(index), n) }
    }

    /// Sets the shadow of a range to one byte.
    pub fn fill_shadow(&mut self, index: usize, n: usize, value: u8) {
        self.shadow_mut(index, n).fill(value);
    }

    /// Marks a range initialised, keeping its classes; words of pointers that it covers whole become null pointers.
    pub fn mark_zeroed(&mut self, index: usize, n: usize) {
        self.untag(index, n);
        let word = self.pointer_bytes as usize;
        if !self.unaligned.is_empty() {
            self.unaligned.retain(|at, _| at + word <= index || *at >= index + n);
        }
        let (first, last) = (index.next_multiple_of(word), (index + n) / word * word);
        for (at, byte) in (index..).zip(self.shadow_mut(index, n)) {
            let whole = (first..last).contains(&at);
            let null = whole && *byte & CLASS == Class::Ptr as u8 && *byte & RETYPE == 0;
            *byte = (*byte & !PIECE) | INIT | if null { PIECE } else { 0 };
        }
        for at in (first..last).step_by(word) {
            self.set_prov(at, 0);
        }
    }

    /// The provenance beside the word at an index.
    fn get_prov(&self, index: usize) -> u64 {
        self.inside(index, 1);
        // SAFETY: just checked.
        unsafe { self.prov_at(index) }
    }

    fn set_prov(&mut self, index: usize, prov: u64) {
        self.inside(index, 1);
        // SAFETY: just checked.
        unsafe { self.set_prov_at(index, prov) }
    }

    /// As [`Memory::get_prov`], unchecked.
    ///
    /// # Safety
    /// The byte at `index` lies in the arena.
    #[inline(always)]
    unsafe fn prov_at(&self, index: usize) -> u64 {
        let word = index >> self.pointer_bytes.trailing_zeros();
        debug_assert!(word < self.maps[2].len() / 8);
        // SAFETY: one word for every pointer-sized piece of the arena was mapped.
        unsafe { *self.prov.add(word) }
    }

    /// As [`Memory::set_prov`], unchecked.
    ///
    /// # Safety
    /// The byte at `index` lies in the arena.
    #[inline(always)]
    unsafe fn set_prov_at(&mut self, index: usize, prov: u64) {
        let word = index >> self.pointer_bytes.trailing_zeros();
        debug_assert!(word < self.maps[2].len() / 8);
        // SAFETY: as in `prov_at`, and `self` is borrowed mutably.
        unsafe { *self.prov.add(word) = prov }
    }

    // ----- for `restrict`

    /// Notes an access of `n` bytes for the detection of `restrict` violations, and for the types of bytes.
    pub fn touch(&mut self, ptr: Ptr, n: u64, write: bool) -> Res<()> {
        if write {
            self.untag(self.index(ptr.addr), n as usize);
        }
        let ptr = self.widen(ptr);
        match &mut self.restrict {
            Some(state) => state.access(ptr, n, write),
            None => Ok(()),
        }
    }

    /// Words of memory that may hold pointers.
    pub fn used_words(&self) -> u64 {
        ((self.heap_top + self.stack_top - self.heap_end) as u64) / self.pointer_bytes
    }

    /// Shows the provenance of every stored pointer that has a tag and points to a live object.
    pub fn stored_pointers(&self, mut show: impl FnMut(u64)) {
        let word = self.pointer_bytes as usize;
        let words = (0..self.heap_top / word).chain(self.heap_end / word..self.stack_top / word);
        for at in words.map(|n| n * word) {
            let prov = self.get_prov(at);
            if tag(prov) != 0 && is_piece(self.shadow(at, 1)[0]) && self.rec(prov).is_some() {
                show(prov);
            }
        }
        self.unaligned.values().for_each(|prov| show(*prov));
    }
}
