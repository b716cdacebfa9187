//! Zeroed memory that costs nothing until it is used: anonymous maps, or the allocator's under Miri, which has no maps.

/// A block of zeroed bytes, aligned for words.
pub(super) struct Map(#[cfg(not(miri))] memmap2::MmapMut, #[cfg(miri)] Vec<u64>);

impl Map {
    /// A block of this many bytes, a multiple of 8; `None` if there is no room.
    #[cfg(not(miri))]
    pub(super) fn new(bytes: usize) -> Option<Map> {
        memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().ok().map(Map)
    }

    #[cfg(miri)]
    pub(super) fn new(bytes: usize) -> Option<Map> {
        Some(Map(vec![0; bytes / 8]))
    }

    /// Its first byte. The block stays where it is as long as the value lives, also when that is moved.
    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    /// Its first word.
    pub(super) fn as_mut_words(&mut self) -> *mut u64 {
        self.0.as_mut_ptr().cast()
    }

    /// Its size in bytes.
    pub(super) fn len(&self) -> usize {
        if cfg!(miri) { 8 * self.0.len() } else { self.0.len() }
    }
}
