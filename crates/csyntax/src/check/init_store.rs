//! The stores of an initialiser: later ones replace earlier ones that they overlap.

use crate::tree::InitEntry;
use crate::types::RecordId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most stores one initialiser may flatten to.
pub(super) const MAX_ENTRIES: usize = 1 << 22;

/// Stores by bit position, in the order they were written.
#[derive(Debug, Default)]
pub(super) struct Store {
    entries: Vec<Option<(u64, u64, InitEntry)>>,
    /// One past the last bit any store so far writes.
    end: u64,
    /// Stores by first bit, built when one comes out of order.
    by_bit: Option<BTreeMap<u64, usize>>,
    /// The member that is in use of each union that is being initialised, by bit position.
    pub(super) active: FxHashMap<(u64, RecordId), u32>,
    /// Bytes that flexible array members need beyond their record.
    pub(super) extra: u64,
    /// Size of the object's own type.
    pub(super) size: u64,
    pub(super) is_static: bool,
    pub(super) overflow: bool,
    /// How many braces are open.
    pub(super) braces: u32,
}

impl Store {
    /// No stores yet, for an object of `size` bytes.
    pub(super) fn new(size: u64, is_static: bool) -> Store {
        Store { size, is_static, ..Store::default() }
    }

    /// The stores that bits `lo..hi` take only a part of, each with its first bit: at most one at either end.
    pub(super) fn cuts(&mut self, lo: u64, hi: u64) -> Vec<(u64, InitEntry)> {
        if lo >= self.end || lo >= hi {
            return Vec::new();
        }
        let map = self.by_bit();
        let under = map.range(..=lo).next_back().map(|(_, &i)| i);
        let over = map.range(..hi).next_back().map(|(_, &i)| i).filter(|i| Some(*i) != under);
        let cut = |i: usize| {
            let (first, end, entry) = self.entries[i].as_ref()?;
            let meets = *first < hi && lo < *end;
            (meets && (*first < lo || hi < *end)).then(|| (*first, entry.clone()))
        };
        [under, over].into_iter().flatten().filter_map(cut).collect()
    }

    fn by_bit(&mut self) -> &mut BTreeMap<u64, usize> {
        let entries = &self.entries;
        self.by_bit.get_or_insert_with(|| {
            let live = entries.iter().enumerate();
            live.filter_map(|(i, e)| e.as_ref().map(|e| (e.0, i))).collect()
        })
    }

    /// Drops what was stored in bits `lo..hi`.
    pub(super) fn kill(&mut self, lo: u64, hi: u64) {
        if lo >= self.end || lo >= hi {
            return;
        }
        self.by_bit();
        let (Some(map), entries) = (&mut self.by_bit, &mut self.entries) else { return };
        // An entry that starts before `lo` can reach into the range; entries do not overlap each other.
        let first = map.range(..lo).next_back().map(|(&bit, &i)| (bit, i));
        let mut dead: Vec<(u64, usize)> = map.range(lo..hi).map(|(&bit, &i)| (bit, i)).collect();
        if let Some((bit, i)) = first
            && entries[i].as_ref().is_some_and(|e| e.1 > lo)
        {
            dead.push((bit, i));
        }
        for (bit, i) in dead {
            map.remove(&bit);
            entries[i] = None;
        }
    }

    /// Adds a store to bits `lo..hi`.
    pub(super) fn push(&mut self, lo: u64, hi: u64, entry: InitEntry) {
        self.kill(lo, hi);
        if self.entries.len() >= MAX_ENTRIES {
            self.overflow = true;
            return;
        }
        if let Some(map) = &mut self.by_bit {
            map.insert(lo, self.entries.len());
        }
        self.entries.push(Some((lo, hi, entry)));
        self.end = self.end.max(hi);
    }

    /// How many stores there are; with [`Store::repeat`] names those made since.
    pub(super) fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Repeats the stores made since `mark` `count` times, `stride` bytes apart.
    pub(super) fn repeat(&mut self, mark: usize, count: u64, stride: u64) {
        let made: Vec<_> = self.entries[mark.min(self.entries.len())..].iter().flatten().cloned().collect();
        for step in 1..=count {
            for (lo, hi, entry) in &made {
                let bytes = step.saturating_mul(stride);
                let entry = InitEntry { offset: entry.offset.saturating_add(bytes), ..entry.clone() };
                let shift = bytes.saturating_mul(8);
                self.push(lo.saturating_add(shift), hi.saturating_add(shift), entry);
                if self.overflow {
                    return;
                }
            }
        }
    }

    /// The stores that are left, in order.
    pub(super) fn finish(self) -> Vec<InitEntry> {
        self.entries.into_iter().flatten().map(|(_, _, entry)| entry).collect()
    }
}
