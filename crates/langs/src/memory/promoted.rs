//! Promoted stack slots: stack objects whose address stays inside the function, kept as registers instead of bytes of
//! memory, as mem2reg does.
//!
//! Why this is sound. An object qualifies when every use of its address is the address of a plain load or store, at
//! a constant offset that lies inside it. No pointer that the function receives, loads or computes otherwise is
//! based on such an object, so in the source an access through one that hits the object's bytes is undefined
//! behaviour. The permission map says which bytes the source may access through pointers: it grants nothing inside
//! these objects. A target access through a pointer has to be shown permitted, so it never hits them either, and what
//! the objects hold can be told apart from memory. Callees get no access for the same reason. In a pair of programs
//! with shared stack objects an object is promoted only when it qualifies on both sides.
//!
//! Objects passed by value are such objects too: the callee has a copy of its own, which the caller made and knows no
//! address of. Their slots hold at first what memory has where the convention puts them. Copies and fills of constant
//! length count as loads and stores where both programs spell them out.
//!
//! A promoted slot is a range of bytes that accesses overlap in; where that grows long, it is cut where accesses begin
//! and end.

use crate::bits::replace_bits;
use crate::domain::{Domain, Ext};
use rustc_hash::FxHashMap;

/// Longest range of overlapping accesses that is one promoted slot, in bytes.
const WHOLE: u64 = 64;
/// Longest promoted slot, in bytes: what needs more stays in memory.
const MAX_SLOT: u64 = 256;
/// Most promoted slots of a function.
const MAX_SLOTS: usize = 4096;

/// A range of bytes of an object.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Range {
    /// First byte.
    pub lo: u64,
    /// One past the last byte.
    pub hi: u64,
}

/// Objects and the ranges in which a program accesses them.
pub type Accesses = FxHashMap<String, Vec<Range>>;

/// The stack objects of a pair of programs that are promoted.
#[derive(Clone, Debug, Default)]
pub struct PromotedSlots {
    /// Object and range of each promoted slot.
    promoted: Vec<(String, Range)>,
    /// The promoted slots of an object, in order.
    objects: FxHashMap<String, Vec<usize>>,
}

/// A part of a promoted slot that an access touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// Which promoted slot.
    pub slot: usize,
    /// First bit in the promoted slot.
    pub lo: u32,
    /// First bit in the value accessed.
    pub at: u32,
    /// Number of bits.
    pub bits: u32,
}

impl PromotedSlots {
    /// Promoted slots for objects with all ranges accessed; objects whose ranges join to long ones are left out.
    pub fn new(accesses: Accesses) -> PromotedSlots {
        let mut out = PromotedSlots::default();
        let mut names: Vec<(String, Vec<Range>)> = accesses.into_iter().collect();
        names.sort();
        for (name, mut ranges) in names {
            ranges.sort();
            let mut borders: Vec<u64> = ranges.iter().flat_map(|r| [r.lo, r.hi]).collect();
            borders.sort_unstable();
            borders.dedup();
            let mut joined: Vec<Range> = Vec::new();
            for r in ranges {
                match joined.last_mut() {
                    Some(last) if r.lo < last.hi => last.hi = last.hi.max(r.hi),
                    _ => joined.push(r),
                }
            }
            let mut merged: Vec<Range> = Vec::new();
            for r in joined {
                if r.hi - r.lo <= WHOLE {
                    merged.push(r);
                    continue;
                }
                let inside: Vec<u64> =
                    borders.iter().copied().filter(|b| (r.lo..=r.hi).contains(b)).collect();
                merged.extend(inside.windows(2).map(|w| Range { lo: w[0], hi: w[1] }));
            }
            let long = merged.iter().any(|r| r.hi - r.lo > MAX_SLOT);
            if long || out.promoted.len() + merged.len() > MAX_SLOTS {
                continue;
            }
            let first = out.promoted.len();
            out.promoted.extend(merged.into_iter().map(|r| (name.clone(), r)));
            out.objects.insert(name, (first..out.promoted.len()).collect());
        }
        out
    }

    /// Whether an object is promoted.
    pub fn has(&self, object: &str) -> bool {
        self.objects.contains_key(object)
    }

    /// The number of promoted slots.
    pub fn len(&self) -> usize {
        self.promoted.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.promoted.is_empty()
    }

    /// The name of a promoted slot: the same in both programs.
    pub fn name(&self, slot: usize) -> String {
        match self.promoted.get(slot) {
            Some((object, r)) => format!("{object}[{}..{}]", r.lo, r.hi),
            None => String::new(),
        }
    }

    /// The width of a promoted slot in bits.
    pub fn width(&self, slot: usize) -> u32 {
        self.promoted.get(slot).map_or(8, |(_, r)| ((r.hi - r.lo) * 8) as u32)
    }

    /// The bytes of its object that a promoted slot holds.
    pub fn range(&self, slot: usize) -> Option<&Range> {
        self.promoted.get(slot).map(|(_, r)| r)
    }

    /// The promoted slots of an object passed by value hold what memory has at its place.
    pub fn fill<D: Domain>(&self, d: &mut D, values: &mut [D::Bv], object: &str, mem: &D::Mem, at: &D::Bv) {
        for &slot in self.objects.get(object).into_iter().flatten() {
            let r = &self.promoted[slot].1;
            let from = d.add_num(at, i128::from(r.lo));
            values[slot] = d.load(mem, &from, (r.hi - r.lo) as u32);
        }
    }

    /// The promoted slots that an access touches, lowest first; bytes in none are left out.
    pub fn touched(&self, object: &str, offset: u64, bytes: u64) -> Vec<Touch> {
        let end = offset.saturating_add(bytes);
        let mut out = Vec::new();
        for &slot in self.objects.get(object).into_iter().flatten() {
            let r = &self.promoted[slot].1;
            let (lo, hi) = (r.lo.max(offset), r.hi.min(end));
            if lo < hi {
                out.push(Touch {
                    slot,
                    lo: ((lo - r.lo) * 8) as u32,
                    at: ((lo - offset) * 8) as u32,
                    bits: ((hi - lo) * 8) as u32,
                });
            }
        }
        out
    }

    /// What a promoted slot holds before the first store: unknown, and the same in both programs (the source's undefined
    /// bytes may be any, so they may be those).
    pub fn initial<D: Domain>(&self, d: &mut D, slot: usize) -> D::Bv {
        d.symbol(&self.initial_name(slot), self.width(slot))
    }

    /// The name of the symbol that [`PromotedSlots::initial`] gives.
    pub fn initial_name(&self, slot: usize) -> String {
        format!("before the first store: {}", self.name(slot))
    }

    /// The bytes an access reads; unknown ones where there is no promoted slot.
    pub fn load<D: Domain>(
        &self,
        d: &mut D,
        values: &[D::Bv],
        object: &str,
        offset: u64,
        bytes: u64,
    ) -> D::Bv {
        let total = (bytes * 8) as u32;
        let mut parts: Vec<D::Bv> = Vec::new();
        let mut done = 0;
        for t in self.touched(object, offset, bytes) {
            if t.at > done {
                parts.push(d.nondet("stack byte never stored", t.at - done));
            }
            parts.push(d.extract(t.lo + t.bits - 1, t.lo, &values[t.slot]));
            done = t.at + t.bits;
        }
        if done < total {
            parts.push(d.nondet("stack byte never stored", total - done));
        }
        crate::bits::join(d, &parts)
    }

    /// Writes a value into the promoted slots it touches.
    pub fn store<D: Domain>(
        &self,
        d: &mut D,
        values: &mut [D::Bv],
        object: &str,
        offset: u64,
        value: &D::Bv,
    ) {
        let bytes = u64::from(d.width(value) / 8);
        for t in self.touched(object, offset, bytes) {
            let part = d.extract(t.at + t.bits - 1, t.at, value);
            values[t.slot] = replace_bits(d, &values[t.slot], &part, t.lo);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Bv, Concrete};

    fn promoted(ranges: &[(u64, u64)]) -> PromotedSlots {
        let list = ranges.iter().map(|&(lo, hi)| Range { lo, hi }).collect();
        PromotedSlots::new([("o".to_owned(), list)].into_iter().collect())
    }

    #[test]
    fn overlapping_accesses_share_a_slot() {
        let c = promoted(&[(0, 4), (4, 8), (6, 10), (12, 16)]);
        assert_eq!(c.len(), 3);
        assert_eq!((c.width(0), c.width(1), c.width(2)), (32, 48, 32));
    }

    #[test]
    fn long_ranges_are_cut_where_accesses_end() {
        let c = promoted(&[(0, 100), (8, 16), (96, 112)]);
        let widths: Vec<u32> = (0..c.len()).map(|i| c.width(i) / 8).collect();
        assert_eq!(widths, [8, 8, 80, 4, 12]);
        let mut d = Concrete::new(1);
        let mut values: Vec<Bv> = (0..c.len()).map(|i| c.initial(&mut d, i)).collect();
        c.store(&mut d, &mut values, "o", 12, &Bv::new(64, 0x1122_3344_5566_7788));
        assert_eq!(c.load(&mut d, &values, "o", 14, 4), Bv::new(32, 0x3344_5566));
    }

    #[test]
    fn objects_passed_by_value_start_as_memory_has_them() {
        let c = promoted(&[(0, 4), (4, 8)]);
        let mut d = Concrete::new(1);
        let mut values: Vec<Bv> = (0..c.len()).map(|i| c.initial(&mut d, i)).collect();
        let mut mem = smt::ArrayVal::new(64, Bv::new(8, 0));
        mem.store(&Bv::new(64, 0x1000), &Bv::new(64, 0x1122_3344_5566_7788));
        c.fill(&mut d, &mut values, "o", &mem, &Bv::new(64, 0x1000));
        assert_eq!(c.load(&mut d, &values, "o", 2, 4), Bv::new(32, 0x3344_5566));
    }

    #[test]
    fn loads_see_the_stores_before() {
        let c = promoted(&[(0, 4), (4, 8)]);
        let mut d = Concrete::new(1);
        let mut values: Vec<Bv> = (0..c.len()).map(|i| c.initial(&mut d, i)).collect();
        let v = Bv::new(64, 0x1122_3344_5566_7788);
        c.store(&mut d, &mut values, "o", 0, &v);
        c.store(&mut d, &mut values, "o", 5, &Bv::new(8, 0xaa));
        assert_eq!(c.load(&mut d, &values, "o", 0, 8), Bv::new(64, 0x1122_aa44_5566_7788));
        assert_eq!(c.load(&mut d, &values, "o", 2, 4), Bv::new(32, 0xaa44_5566));
    }
}
