//! The records as whose members bytes were stored (what C11 6.5p6 calls effective types, for records as compilers
//! take them), beside memory, and only where that was ever noted.

use super::Memory;
use rustc_hash::FxHashMap;

/// Bytes that are noted together.
const PAGE: usize = 512;

/// Where in a record a byte lies, if that is not known.
pub const ANYWHERE: u16 = u16::MAX;

/// As a member of which record a byte was stored: its number and where the byte lies in it; number 0 for none.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Tag {
    /// The record, see [`crate::bytecode::TagDesc::record`].
    pub record: u16,
    /// Where in it, or [`ANYWHERE`].
    pub offset: u16,
}

impl Tag {
    /// The tag of a byte `by` further.
    pub fn further(self, by: usize) -> Tag {
        if self.offset == ANYWHERE {
            return self;
        }
        let offset = u16::try_from(by).ok().and_then(|by| self.offset.checked_add(by));
        Tag { offset: offset.unwrap_or(ANYWHERE), ..self }
    }
}

/// The tags of all bytes that have one.
#[derive(Debug, Default)]
pub struct Tags {
    pages: FxHashMap<usize, Box<[Tag; PAGE]>>,
}

impl Tags {
    /// The tag of the byte at an index.
    pub fn get(&self, index: usize) -> Tag {
        self.pages.get(&(index / PAGE)).map_or(Tag::default(), |page| page[index % PAGE])
    }

    /// Tags `n` bytes from `index` on, the first with this.
    pub fn set(&mut self, index: usize, n: usize, tag: Tag) {
        let mut at = index;
        while at < index + n {
            let end = (at / PAGE + 1).saturating_mul(PAGE).min(index + n);
            let page = self.pages.entry(at / PAGE).or_insert_with(|| Box::new([Tag::default(); PAGE]));
            for byte in at..end {
                page[byte % PAGE] = tag.further(byte - index);
            }
            at = end;
        }
    }

    /// Takes the tags of `n` bytes from `index` on.
    pub fn clear(&mut self, index: usize, n: usize) {
        let end = index.saturating_add(n);
        let wipe = |page: &mut Box<[Tag; PAGE]>, number: usize| {
            let start = number * PAGE;
            let (lo, hi) = (index.max(start) - start, end.min(start + PAGE) - start);
            page[lo..hi].fill(Tag::default());
        };
        if n == 0 || self.pages.is_empty() {
            return;
        }
        let (first, last) = (index / PAGE, (end - 1) / PAGE);
        if last - first > self.pages.len() {
            let inside = |number: &usize| (first..=last).contains(number);
            self.pages.iter_mut().filter(|(number, _)| inside(number)).for_each(|(k, page)| wipe(page, *k));
            return;
        }
        for number in first..=last {
            if let Some(page) = self.pages.get_mut(&number) {
                wipe(page, number);
            }
        }
    }
}

impl Memory {
    /// Bytes are stored without a record, or belong to a new object.
    #[inline(always)]
    pub fn untag(&mut self, index: usize, n: usize) {
        if let Some(tags) = &mut self.tags {
            tags.clear(index, n);
        }
    }
}
