//! The allocator: a nursery of huge pages for the first allocations of a process, then mimalloc.
//!
//! `plumb run` on a program of 50 KB asks for 15 MB in 20,000 blocks and ends after 8 ms. A general allocator keeps
//! each size class in pages of its own, so that 45 MB are touched, and the kernel zeroes them all: a third of the
//! run. The nursery hands out addresses in ascending order from memory that is mapped in huge pages; what is freed
//! there is not used again, except the block that was handed out last. Long runs leave it behind at once.
//!
//! A crate of its own, which sets the allocator of the processes that it is linked into: it is optimised, the commands
//! are not.

use mimalloc::MiMalloc;
use rustix::mm::{Advice, MapFlags, ProtFlags};
use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// Bytes of the nursery; untouched ones cost nothing.
const SIZE: usize = 32 << 20;
/// Size of a huge page of x86-64 and of most other machines.
const HUGE: usize = 2 << 20;
/// Larger blocks are mimalloc's from the start: they would fill the nursery.
const LARGEST: usize = 4 << 20;
/// Alignment of every block, at least.
const ALIGN: usize = 16;

/// The nursery, and where it ends in mimalloc.
struct Nursery {
    /// First address; 0 before the first allocation, [`CLOSED`] where no memory could be mapped.
    start: AtomicUsize,
    /// First address that is not handed out; 0 before the first allocation.
    next: AtomicUsize,
}

/// The allocator of the process.
#[global_allocator]
static ALLOCATOR: Nursery = Nursery::new();

/// Value of [`Nursery::start`] where there is no nursery.
const CLOSED: usize = usize::MAX;
/// Value of [`Nursery::next`] while a thread maps the memory.
const OPENING: usize = 1;

impl Nursery {
    /// A nursery that maps its memory on the first allocation.
    const fn new() -> Self {
        Nursery { start: AtomicUsize::new(0), next: AtomicUsize::new(0) }
    }

    /// First address of the nursery; [`CLOSED`] if there is none, or none yet.
    #[inline]
    fn start(&self) -> usize {
        match self.start.load(Ordering::Acquire) {
            0 => self.open(),
            start => start,
        }
    }

    /// Maps the nursery, if no other thread is just doing so.
    #[cold]
    fn open(&self) -> usize {
        if self.next.compare_exchange(0, OPENING, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return CLOSED;
        }
        // SAFETY: a new anonymous mapping, of which nothing else knows.
        let mapped = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::null_mut(),
                SIZE + HUGE,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        };
        let start = match mapped {
            Ok(base) => {
                let start = (base as usize).next_multiple_of(HUGE);
                // SAFETY: inside the mapping; without huge pages small ones serve.
                let _ = unsafe { rustix::mm::madvise(start as *mut _, SIZE, Advice::LinuxHugepage) };
                start
            }
            Err(_) => CLOSED,
        };
        self.next.store(start, Ordering::Relaxed);
        self.start.store(start, Ordering::Release);
        start
    }

    #[inline]
    fn holds(&self, at: usize) -> bool {
        let start = self.start.load(Ordering::Relaxed);
        at.wrapping_sub(start) < SIZE && start != CLOSED
    }

    /// A block of the nursery, or null when it is full.
    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        let start = self.start();
        if start == CLOSED || layout.size() > LARGEST {
            return ptr::null_mut();
        }
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let at = next.next_multiple_of(layout.align().max(ALIGN));
            let end = at + layout.size();
            if end > start + SIZE {
                return ptr::null_mut();
            }
            match self.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return at as *mut u8,
                Err(now) => next = now,
            }
        }
    }
}

/// The exit code of a process that ends where there is no memory; 0 where that is left to the caller.
static WITHOUT_MEMORY: AtomicU8 = AtomicU8::new(0);

/// From now on, the process exits with this code at once where an allocation fails, which tells its parent more than
/// the signal of an abort.
pub fn end_without_memory(code: u8) {
    WITHOUT_MEMORY.store(code, Ordering::Relaxed);
}

/// A block as an allocation gave it, null where there was no memory.
#[inline]
fn given(block: *mut u8) -> *mut u8 {
    if block.is_null() { no_memory() } else { block }
}

/// `std::get_new_handler`: what `operator new` of C++ calls where it gets no memory, before it throws what no Rust can
/// catch. mimalloc asks by the same name, and defines it to be nothing where no one else does, so that
/// `std::set_new_handler` is in vain.
#[unsafe(export_name = "_ZSt15get_new_handlerv")]
pub extern "C" fn new_handler() -> Option<extern "C" fn()> {
    extern "C" fn end() {
        no_memory();
    }
    (WITHOUT_MEMORY.load(Ordering::Relaxed) != 0).then_some(end)
}

#[cold]
fn no_memory() -> *mut u8 {
    match WITHOUT_MEMORY.load(Ordering::Relaxed) {
        0 => ptr::null_mut(),
        code => signal_hook::low_level::exit(i32::from(code)),
    }
}

// SAFETY: blocks of the nursery do not overlap, since `next` only goes back over the block handed out last, which
// its owner gave back; all others are mimalloc's.
unsafe impl GlobalAlloc for Nursery {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let block = self.take(layout);
        // SAFETY: as the caller's.
        if block.is_null() { given(unsafe { MiMalloc.alloc(layout) }) } else { block }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let block = self.take(layout);
        // SAFETY: as the caller's; the block has `layout.size()` bytes.
        unsafe {
            if block.is_null() {
                return given(MiMalloc.alloc_zeroed(layout));
            }
            block.write_bytes(0, layout.size());
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let at = block as usize;
        if self.holds(at) {
            // The last block goes back; any other is lost.
            let _ = self.next.compare_exchange(at + layout.size(), at, Ordering::Relaxed, Ordering::Relaxed);
        } else {
            // SAFETY: as the caller's.
            unsafe { MiMalloc.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let at = block as usize;
        if !self.holds(at) {
            // SAFETY: as the caller's.
            return given(unsafe { MiMalloc.realloc(block, layout, size) });
        }
        let fits = size <= LARGEST && at + size <= self.start.load(Ordering::Relaxed) + SIZE;
        let last = at + layout.size();
        if size <= layout.size()
            || fits
                && self.next.compare_exchange(last, at + size, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            return block;
        }
        // SAFETY: the caller's size is not 0 and does not overflow; the new block is a different one and holds the
        // old one's bytes.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                ptr::copy_nonoverlapping(block, new, layout.size().min(size));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn blocks_are_aligned_apart_and_keep_their_bytes() {
        let nursery = Nursery::new();
        let mut blocks = Vec::new();
        for n in 1..4000_usize {
            let wanted = layout(n % 700 + 1, 1 << (n % 9));
            // SAFETY: written within its size, freed once with its layout.
            unsafe {
                let block = nursery.alloc(wanted);
                assert_eq!(block as usize % wanted.align(), 0);
                block.write_bytes(n as u8, wanted.size());
                blocks.push((block, wanted, n as u8));
                if n % 3 == 0 {
                    let (block, old, byte) = blocks.swap_remove(n * 7 % blocks.len());
                    let block = nursery.realloc(block, old, old.size() * 2);
                    let new = layout(old.size() * 2, old.align());
                    assert!((0..old.size()).all(|i| *block.add(i) == byte));
                    block.write_bytes(byte, new.size());
                    blocks.push((block, new, byte));
                }
                if n % 5 == 0 {
                    let (block, old, byte) = blocks.swap_remove(n * 13 % blocks.len());
                    assert!((0..old.size()).all(|i| *block.add(i) == byte));
                    nursery.dealloc(block, old);
                }
            }
        }
        for (block, layout, byte) in blocks {
            // SAFETY: as above.
            unsafe {
                assert!((0..layout.size()).all(|i| *block.add(i) == byte));
                nursery.dealloc(block, layout);
            }
        }
    }

    #[test]
    fn zeroed_blocks_are_zero_where_memory_was_used_before() {
        let nursery = Nursery::new();
        let wanted = layout(4096, 16);
        // SAFETY: as above.
        unsafe {
            let first = nursery.alloc(wanted);
            first.write_bytes(0xff, 4096);
            nursery.dealloc(first, wanted);
            let second = nursery.alloc_zeroed(wanted);
            assert_eq!(first, second, "the last block is used again");
            assert!((0..4096).all(|i| *second.add(i) == 0));
            nursery.dealloc(second, wanted);
        }
    }

    #[test]
    fn a_full_nursery_is_left_for_mimalloc() {
        let nursery = Nursery::new();
        let wanted = layout(1 << 20, 16);
        // SAFETY: as above.
        unsafe {
            let blocks: Vec<*mut u8> = (0..40).map(|_| nursery.alloc(wanted)).collect();
            assert!(nursery.holds(blocks[0] as usize));
            assert!(blocks.iter().all(|b| !b.is_null()));
            assert!(!nursery.holds(blocks[39] as usize));
            let moved = nursery.realloc(blocks[0], wanted, 8 << 20);
            assert!(!nursery.holds(moved as usize));
            nursery.dealloc(moved, layout(8 << 20, 16));
            for block in &blocks[1..] {
                nursery.dealloc(*block, wanted);
            }
        }
    }
}
