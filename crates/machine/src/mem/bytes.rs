//! Bytes and strings, for library functions.

use super::{Memory, Ptr};
use crate::class::{Class, INIT, PIECE};
use crate::stop::{Res, undefined};
use crate::ub::Ub;

impl Memory {
    /// Reads `n` bytes as `char`s, all checks on.
    pub fn read_bytes(&mut self, ptr: Ptr, n: u64) -> Res<Vec<u8>> {
        if n == 0 {
            return Ok(Vec::new());
        }
        let index = self.access(ptr, n, 1)?;
        self.touch(ptr, n, false)?;
        let n = n as usize;
        if self.shadow(index, n).iter().any(|s| s & (INIT | PIECE) != INIT) {
            self.check_load(index, n, Class::Char as u8)?;
        }
        Ok(self.data(index, n).to_vec())
    }

    /// Writes bytes as `char`s, all checks on.
    pub fn write_bytes(&mut self, ptr: Ptr, bytes: &[u8]) -> Res<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let index = self.access(ptr, bytes.len() as u64, 1)?;
        self.touch(ptr, bytes.len() as u64, true)?;
        for (k, byte) in bytes.iter().enumerate() {
            self.store_byte(index + k, u64::from(*byte))?;
        }
        Ok(())
    }

    /// Length of the zero-terminated string at `ptr`, all checks on.
    pub fn strlen(&mut self, ptr: Ptr) -> Res<u64> {
        let mut index = self.access(ptr, 1, 1)?;
        let Some(rec) = self.rec(ptr.prov).copied() else { return self.bad_access(ptr, 1, 1).map(|_| 0) };
        let end = self.index(rec.base) + rec.size as usize;
        let start = index;
        while index < end {
            if self.load_byte(index)? == 0 {
                let n = (index - start) as u64;
                self.touch(ptr, n + 1, false)?;
                return Ok(n);
            }
            index += 1;
        }
        undefined(Ub::OutOfBounds, "a string without a terminating zero is read past its object")
    }

    /// The bytes of the zero-terminated string at `ptr`.
    pub fn read_str(&mut self, ptr: Ptr) -> Res<Vec<u8>> {
        let n = self.strlen(ptr)?;
        self.read_bytes(ptr, n)
    }
}
