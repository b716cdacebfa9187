//! The records as whose members bytes were stored (what C11 6.5p6 calls effective types, for records as compilers
//! take them), beside memory, and only where that was ever noted.

use super::Memory;

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
    /// By index, as far as there are any.
    pages: Vec<Option<Box<[Tag; PAGE]>>>,
}

impl Tags {
    /// The tag of the byte at an index.
    pub fn get(&self, index: usize) -> Tag {
        self.page(index).map_or(Tag::default(), |page| page[index % PAGE])
    }

    #[inline(always)]
    fn page(&self, index: usize) -> Option<&[Tag; PAGE]> {
        self.pages.get(index / PAGE)?.as_deref()
    }

    /// Have `n` bytes from `index` on no tags, or the first this one and the others those that follow? May say no where
    /// they have.
    #[inline]
    pub fn fit(&self, index: usize, n: usize, tag: Tag) -> bool {
        let start = index % PAGE;
        if start + n > PAGE {
            return false;
        }
        let Some(page) = self.page(index) else { return true };
        let there = &page[start..start + n];
        there.iter().enumerate().all(|(k, there)| *there == tag.further(k))
            || there.iter().all(|there| there.record == 0)
    }

    /// Tags `n` bytes from `index` on, the first with this.
    pub fn set(&mut self, index: usize, n: usize, tag: Tag) {
        let mut at = index;
        while at < index + n {
            let end = (at / PAGE + 1).saturating_mul(PAGE).min(index + n);
            if at / PAGE >= self.pages.len() {
                self.pages.resize_with(at / PAGE + 1, || None);
            }
            let page = self.pages[at / PAGE].get_or_insert_with(|| Box::new([Tag::default(); PAGE]));
            for byte in at..end {
                page[byte % PAGE] = tag.further(byte - index);
            }
            at = end;
        }
    }

    /// Takes the tags of `n` bytes from `index` on.
    pub fn clear(&mut self, index: usize, n: usize) {
        let end = index.saturating_add(n).min(self.pages.len() * PAGE);
        let mut at = index;
        while at < end {
            let start = at / PAGE * PAGE;
            let hi = end.min(start + PAGE);
            if let Some(page) = &mut self.pages[at / PAGE] {
                page[at - start..hi - start].fill(Tag::default());
            }
            at = hi;
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
