//! Copies between objects.

use super::Memory;
use crate::class::{CLASS, CONST, INIT, PIECE, RETYPE, is_piece};
use crate::stop::Res;

impl Memory {
    /// Copies `n` bytes between objects with values, initialisation and pointer pieces; declared destinations keep
    /// their classes, others take the source's. The ranges may overlap. `initial` also writes const objects.
    pub fn copy(&mut self, dst: usize, src: usize, n: usize, initial: bool) -> Res<()> {
        if n == 0 || dst == src {
            return Ok(());
        }
        let mut marks = 0u8;
        if !initial && self.shadow(dst, n).iter().any(|s| s & CONST != 0) {
            return self.const_written(dst);
        }
        self.untag(dst, n);
        self.inside(dst, n);
        self.inside(src, n);
        // SAFETY: both ranges lie in the arena, as was just checked; `copy` allows overlap.
        unsafe { std::ptr::copy(self.data.add(src), self.data.add(dst), n) };
        let mut done = 0;
        if dst + n <= src || src + n <= dst {
            while n - done >= 8 {
                marks |= self.copy_marks(dst + done, src + done);
                done += 8;
            }
        }
        let backwards = dst > src;
        let one = |memory: &mut Memory, k: usize, marks: &mut u8| {
            let s = memory.shadow(src + k, 1)[0];
            let d = &mut memory.shadow_mut(dst + k, 1)[0];
            let class = if *d & RETYPE != 0 { (s & CLASS) | RETYPE } else { *d & CLASS };
            *d = (s & (INIT | PIECE)) | class | (*d & CONST);
            *marks |= if is_piece(s) { PIECE } else { 0 };
        };
        if backwards {
            (done..n).rev().for_each(|k| one(self, k, &mut marks));
        } else {
            (done..n).for_each(|k| one(self, k, &mut marks));
        }
        if marks & PIECE != 0 {
            self.copy_pieces(dst, src, n);
        }
        if !self.partial.is_empty() {
            let known: Vec<_> =
                (0..n).filter_map(|k| self.partial.get(&(src + k)).map(|m| (dst + k, *m))).collect();
            self.clear_partial(dst, n);
            self.partial.extend(known);
        }
        Ok(())
    }

    /// The shadow of eight bytes copied between places that do not overlap, all at once; gives [`PIECE`] where a
    /// pointer stored whole has a byte among them.
    fn copy_marks(&mut self, dst: usize, src: usize) -> u8 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let each = |byte: u8| u64::from(byte) * ONES;
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8]));
        let (s, d) = (word(self.shadow(src, 8)), word(self.shadow(dst, 8)));
        // The class bits of the bytes that take the source's: [`RETYPE`] is the bit above them.
        let free = d & each(RETYPE);
        let taken = (free >> 4) * u64::from(CLASS);
        let class = (s & taken) | (d & each(CLASS) & !taken) | free;
        let new = (s & each(INIT | PIECE)) | class | (d & each(CONST));
        self.shadow_mut(dst, 8).copy_from_slice(&new.to_le_bytes());
        if (s >> 1) & s & each(PIECE) != 0 { PIECE } else { 0 }
    }

    /// Second half of [`Memory::copy`]: provenances of whole pointers; broken ones lose their mark.
    pub(super) fn copy_pieces(&mut self, dst: usize, src: usize, n: usize) {
        let word = self.pointer_bytes as usize;
        let mut found: Vec<(usize, u64)> = Vec::new();
        let aligned = (dst.abs_diff(src)).is_multiple_of(word) && self.unaligned.is_empty();
        if aligned {
            let first = dst.next_multiple_of(word);
            // Partial words at the ends lose their pieces.
            let last = (dst + n) / word * word;
            for at in (dst..first.min(dst + n)).chain(last.max(dst)..dst + n) {
                self.drop_piece(at, src + (at - dst));
            }
            let words = last.saturating_sub(first) / word;
            let step = |w: usize, memory: &mut Memory| {
                let at = first + w * word;
                let prov = memory.get_prov(src + (at - dst));
                memory.set_prov(at, prov);
            };
            if dst > src {
                (0..words).rev().for_each(|w| step(w, self));
            } else {
                (0..words).for_each(|w| step(w, self));
            }
            return;
        }
        let mut k = 0;
        while k < n {
            let at = src + k;
            if !is_piece(self.shadow(dst + k, 1)[0]) {
                k += 1;
                continue;
            }
            let start = self.piece_start(at);
            if start == at && k + word <= n {
                found.push((dst + k, self.stored_prov(at)));
                k += word;
            } else {
                self.drop_piece(dst + k, at);
                k += 1;
            }
        }
        for (at, prov) in found {
            if at % word == 0 {
                self.set_prov(at, prov);
            } else {
                self.unaligned.insert(at, prov);
            }
        }
    }

    /// A pointer is torn: what is left are numbers, and its object is exposed.
    pub(super) fn drop_piece(&mut self, dst: usize, src: usize) {
        let s = &mut self.shadow_mut(dst, 1)[0];
        if is_piece(*s) {
            *s &= !PIECE;
            if is_piece(self.shadow(src, 1)[0]) {
                self.expose_piece(src);
            }
        }
    }
}
