//! Bit-fields in memory, with what is known of each bit.

use super::Memory;
use crate::class::{CLASS, CONST, INIT, PIECE, RETYPE, is_unspecified};
use crate::stop::{Res, undefined};
use crate::ub::Ub;

impl Memory {
    /// Reads a bit-field: `start` bits into the byte at `index`, `width` bits; zero-extended.
    pub fn load_bits(&mut self, index: usize, start: u32, width: u32) -> Res<u64> {
        let bytes = ((start + width) as usize).div_ceil(8);
        let mut raw = 0u128;
        for k in 0..bytes {
            let at = index + k;
            let s = self.shadow(at, 1)[0];
            if s & INIT == 0 {
                let mask = self.byte_mask(start, width, k);
                if is_unspecified(s) {
                    self.unspecified_read |= self.partial.get(&at).copied().unwrap_or(0) & mask != mask;
                } else if self.partial.get(&at).copied().unwrap_or(0) & mask != mask {
                    return undefined(Ub::UninitialisedRead, "the bit-field was never given a value");
                }
            } else if s & PIECE != 0 {
                self.expose_piece(at);
            }
            let byte = u128::from(self.data(at, 1)[0]);
            raw = if self.big_endian { raw << 8 | byte } else { raw | byte << (8 * k) };
        }
        let shift = if self.big_endian { 8 * bytes as u32 - start - width } else { start };
        let mask = if width == 64 { u64::MAX } else { (1u64 << width) - 1 };
        Ok((raw >> shift) as u64 & mask)
    }

    /// Bits of byte `k` that a bit-field covers.
    pub(super) fn byte_mask(&self, start: u32, width: u32, k: usize) -> u8 {
        let field = ((1u128 << width) - 1) << start;
        let byte = (field >> (8 * k)) as u8;
        if self.big_endian { byte.reverse_bits() } else { byte }
    }

    /// Writes a bit-field. `initial` writes also through const.
    pub fn store_bits(&mut self, index: usize, start: u32, width: u32, value: u64, initial: bool) -> Res<()> {
        let bytes = ((start + width) as usize).div_ceil(8);
        self.untag(index, bytes);
        let mask = if width == 64 { u64::MAX } else { (1u64 << width) - 1 };
        let shift = if self.big_endian { 8 * bytes as u32 - start - width } else { start };
        let wide = u128::from(value & mask) << shift;
        for k in 0..bytes {
            let at = index + k;
            let s = self.shadow(at, 1)[0];
            if s & CONST != 0 && !initial {
                return self.const_written(at);
            }
            let bits = self.byte_mask(start, width, k);
            let shift = if self.big_endian { 8 * (bytes - 1 - k) } else { 8 * k };
            let byte = (wide >> shift) as u8;
            let old = self.data(at, 1)[0];
            self.data_mut(at, 1)[0] = (old & !bits) | (byte & bits);
            let new = if s & INIT != 0 || bits == 0xff {
                self.partial.remove(&at);
                (s | INIT) & !PIECE
            } else {
                let known = self.partial.entry(at).or_insert(0);
                *known |= bits;
                if *known == 0xff {
                    self.partial.remove(&at);
                    (s | INIT) & !PIECE
                } else {
                    s
                }
            };
            self.shadow_mut(at, 1)[0] = if s & RETYPE != 0 { new & !CLASS } else { new };
        }
        Ok(())
    }

    /// Forgets bit-level initialisation of a range (a new object lives there).
    pub fn clear_partial(&mut self, index: usize, n: usize) {
        if !self.partial.is_empty() {
            if self.partial.len() < n {
                self.partial.retain(|at, _| *at < index || *at >= index + n);
            } else {
                for at in index..index + n {
                    self.partial.remove(&at);
                }
            }
        }
    }
}
