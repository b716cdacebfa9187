//! Typed loads and stores: values, their classes (effective types), and pieces of pointers.

use super::{Kind, Memory, Ptr};
use crate::class::{CLASS, CONST, Class, INIT, PIECE, RETYPE};
use crate::stop::{Res, undefined};
use crate::ub::Ub;

impl Memory {
    /// Reads `N` (1, 2, 4, 8) bytes with the class check; zero-extended.
    #[inline(always)]
    pub fn load<const N: usize>(&mut self, index: usize, class: u8) -> Res<u64> {
        let (value, shadow) = self.raw::<N>(index);
        let ones = 0x0101_0101_0101_0101u64 >> (64 - 8 * N);
        let want = u64::from(class | INIT) * ones;
        if shadow & !(u64::from(CONST | RETYPE) * ones) == want {
            return Ok(value);
        }
        self.check_load(index, N, class)?;
        Ok(value)
    }

    /// Reads a `char`-like byte: any initialised byte will do.
    #[inline(always)]
    pub fn load_byte(&mut self, index: usize) -> Res<u64> {
        let (value, shadow) = self.raw::<1>(index);
        // One comparison: initialised, no piece of a pointer, and not of a volatile object.
        if (shadow & u64::from(INIT | PIECE | CLASS)).wrapping_sub(u64::from(INIT)) < u64::from(CLASS) {
            return Ok(value);
        }
        self.check_load(index, 1, Class::Char as u8)?;
        Ok(value)
    }

    #[inline(always)]
    fn raw<const N: usize>(&self, index: usize) -> (u64, u64) {
        let d: [u8; N] = self.data(index, N).try_into().unwrap_or([0; N]);
        let s: [u8; N] = self.shadow(index, N).try_into().unwrap_or([0; N]);
        let mut wide = [0u8; 8];
        let mut wide_shadow = [0u8; 8];
        wide[..N].copy_from_slice(&d);
        wide_shadow[..N].copy_from_slice(&s);
        let mut value = u64::from_le_bytes(wide);
        if self.big_endian {
            value = value.swap_bytes() >> (64 - 8 * N);
        }
        (value, u64::from_le_bytes(wide_shadow))
    }

    /// The full rules for a load of class `class`: initialised, of a matching effective type, no half pointers.
    #[cold]
    pub fn check_load(&mut self, index: usize, n: usize, class: u8) -> Res<()> {
        self.check_load_as(index, n, class, class)
    }

    /// As [`Memory::check_load`]; pieces of pointers become numbers unless `read` is the class of pointers.
    fn check_load_as(&mut self, index: usize, n: usize, class: u8, read: u8) -> Res<()> {
        for at in index..index + n {
            let s = self.shadow(at, 1)[0];
            if s & INIT == 0 {
                if s & CLASS == Class::Bits as u8 && self.partial.get(&at) == Some(&0xff) {
                    continue;
                }
                let text = if self.lost {
                    "the object was never given a value, or it changed between setjmp and longjmp"
                } else {
                    "the object was never given a value"
                };
                return undefined(Ub::UninitialisedRead, text);
            }
            let known = s & CLASS;
            let fits = (class == Class::Char as u8 && known != Class::Any as u8)
                || class == Class::Any as u8
                || known == class
                || (known == Class::None as u8 && s & RETYPE != 0);
            if !fits && known == Class::Any as u8 {
                return undefined(Ub::VolatileAccess, "a volatile object is read through another type");
            }
            if !fits && !self.any_type {
                let text =
                    format!("an object of type {} is read as {}", Class::name(known), Class::name(class));
                return undefined(Ub::EffectiveType, text);
            }
            if s & PIECE != 0 && read != Class::Ptr as u8 {
                self.expose_piece(at);
            }
        }
        Ok(())
    }

    /// A byte of a stored pointer is read as a number: its object is exposed.
    pub(super) fn expose_piece(&mut self, at: usize) {
        let word = self.pointer_bytes as usize;
        let start = self.piece_start(at);
        let prov = self.stored_prov(start);
        let addr = self.raw_word(start, word);
        self.expose(Ptr { addr, prov });
    }

    pub(super) fn piece_start(&self, at: usize) -> usize {
        let word = self.pointer_bytes as usize;
        for back in 0..word {
            if at >= back && self.unaligned.contains_key(&(at - back)) {
                return at - back;
            }
        }
        at / word * word
    }

    pub(super) fn stored_prov(&self, index: usize) -> u64 {
        if (index as u64).is_multiple_of(self.pointer_bytes) {
            self.get_prov(index)
        } else {
            self.unaligned.get(&index).copied().unwrap_or(0)
        }
    }

    fn raw_word(&self, index: usize, word: usize) -> u64 {
        if word == 8 { self.raw::<8>(index).0 } else { self.raw::<4>(index).0 }
    }

    /// Reads a pointer.
    #[inline(always)]
    pub fn load_ptr(&mut self, index: usize, class: u8) -> Res<Ptr> {
        let word = self.pointer_bytes as usize;
        if word == 8 && index & 7 == 0 {
            let (addr, shadow) = self.raw::<8>(index);
            const WANT: u64 = (Class::Ptr as u8 | INIT | PIECE) as u64 * 0x0101_0101_0101_0101;
            if shadow & !(u64::from(CONST | RETYPE) * 0x0101_0101_0101_0101) == WANT {
                return Ok(Ptr { addr, prov: self.get_prov(index) });
            }
        }
        self.load_ptr_slow(index, class)
    }

    #[cold]
    fn load_ptr_slow(&mut self, index: usize, class: u8) -> Res<Ptr> {
        let word = self.pointer_bytes as usize;
        // A whole pointer that is read as one stays one, also a volatile one: no number is made of it.
        let whole = self.shadow(index, word).iter().all(|s| s & PIECE != 0)
            && (index.is_multiple_of(word) || self.unaligned.contains_key(&index));
        let read = if whole && class == Class::Any as u8 { Class::Ptr as u8 } else { class };
        self.check_load_as(index, word, class, read)?;
        let addr = self.raw_word(index, word);
        if whole {
            return Ok(Ptr { addr, prov: self.stored_prov(index) });
        }
        Ok(self.from_int(addr))
    }

    /// The pointer stored whole at an index, for observation only.
    pub fn peek_ptr(&self, index: usize) -> Option<Ptr> {
        let word = self.pointer_bytes as usize;
        let whole = self.shadow(index, word).iter().all(|s| s & PIECE != 0);
        whole.then(|| Ptr { addr: self.raw_word(index, word), prov: self.stored_prov(index) })
    }

    /// Writes `N` bytes with the class check.
    #[inline(always)]
    pub fn store<const N: usize>(&mut self, index: usize, class: u8, value: u64) -> Res<()> {
        let ones = 0x0101_0101_0101_0101u64 >> (64 - 8 * N);
        let mut s = [0u8; 8];
        s[..N].copy_from_slice(self.shadow(index, N));
        let shadow = u64::from_le_bytes(s);
        let retype = u64::from(RETYPE) * ones;
        if shadow & (u64::from(CLASS | CONST) * ones) == u64::from(class) * ones {
            let new = (shadow & retype) | (u64::from(class | INIT) * ones);
            self.shadow_mut(index, N).copy_from_slice(&new.to_le_bytes()[..N]);
        } else {
            self.check_store(index, N, class)?;
        }
        let value = if self.big_endian { value.swap_bytes() >> (64 - 8 * N) } else { value };
        self.data_mut(index, N).copy_from_slice(&value.to_le_bytes()[..N]);
        Ok(())
    }

    /// Writes a `char`-like byte: keeps the class of declared objects.
    #[inline(always)]
    pub fn store_byte(&mut self, index: usize, value: u64) -> Res<()> {
        let s = &mut self.shadow_mut(index, 1)[0];
        // One comparison: neither const nor of a volatile object.
        if *s & (CONST | CLASS) >= CLASS {
            if *s & CONST != 0 {
                return self.const_written(index);
            }
            return undefined(
                Ub::VolatileAccess,
                "a byte of a volatile object is written through a plain lvalue",
            );
        }
        *s = (*s | INIT) & !PIECE;
        self.data_mut(index, 1)[0] = value as u8;
        Ok(())
    }

    #[cold]
    pub(super) fn const_written<T>(&self, index: usize) -> Res<T> {
        let addr = self.addr(index);
        let literal = self.recs.iter().any(|r| r.kind == Kind::Literal && addr.wrapping_sub(r.base) < r.size);
        if literal {
            return undefined(Ub::StringModified, "a byte of a string literal is written");
        }
        undefined(Ub::ConstModified, "an object defined const is written")
    }

    /// The full rules for a store; sets the shadow.
    #[cold]
    pub fn check_store(&mut self, index: usize, n: usize, class: u8) -> Res<()> {
        for at in index..index + n {
            let s = self.shadow(at, 1)[0];
            if s & CONST != 0 {
                return self.const_written(at);
            }
            let known = s & CLASS;
            let any = class == Class::Any as u8 || class == Class::Char as u8;
            if known == Class::Any as u8 && class != Class::Any as u8 {
                return undefined(Ub::VolatileAccess, "a volatile object is written through another type");
            }
            let new = if class == Class::Any as u8 && s & RETYPE != 0 {
                // Through a union or `may_alias`: readable as any type again.
                RETYPE
            } else if known == class || any {
                s & !PIECE
            } else if s & RETYPE != 0 {
                RETYPE | class
            } else if self.any_type {
                s & !PIECE
            } else {
                let text =
                    format!("an object of type {} is written as {}", Class::name(known), Class::name(class));
                return undefined(Ub::EffectiveType, text);
            };
            self.shadow_mut(at, 1)[0] = new | INIT;
        }
        Ok(())
    }

    /// Writes a pointer.
    #[inline(always)]
    pub fn store_ptr(&mut self, index: usize, class: u8, ptr: Ptr) -> Res<()> {
        let word = self.pointer_bytes as usize;
        if word == 8 {
            self.store::<8>(index, class, ptr.addr)?;
        } else {
            self.store::<4>(index, class, ptr.addr)?;
        }
        self.own_pieces(index, ptr.prov);
        Ok(())
    }

    /// Marks a stored word as a whole pointer of this provenance.
    #[inline(always)]
    fn own_pieces(&mut self, index: usize, prov: u64) {
        let word = self.pointer_bytes as usize;
        for byte in self.shadow_mut(index, word) {
            *byte |= PIECE;
        }
        if index & (word - 1) == 0 {
            self.set_prov(index, prov);
        } else {
            self.unaligned.insert(index, prov);
        }
    }

    /// Reads `n` (up to 16) bytes little-end first into a wide value.
    pub fn load_wide(&mut self, index: usize, n: usize, class: u8) -> Res<u128> {
        let want = class | INIT;
        if !self.shadow(index, n).iter().all(|s| s & !(CONST | RETYPE) == want) {
            self.check_load(index, n, class)?;
        }
        let mut bytes = [0u8; 16];
        bytes[..n].copy_from_slice(self.data(index, n));
        if self.big_endian {
            bytes[..n].reverse();
        }
        Ok(u128::from_le_bytes(bytes))
    }

    /// Writes `n` (up to 16) bytes.
    pub fn store_wide(&mut self, index: usize, n: usize, class: u8, value: u128) -> Res<()> {
        self.check_store(index, n, class)?;
        let mut bytes = value.to_le_bytes();
        if self.big_endian {
            bytes[..n].reverse();
        }
        self.data_mut(index, n).copy_from_slice(&bytes[..n]);
        Ok(())
    }

    /// After a store to a union member of `used` bytes: the other bytes take unspecified values (6.2.6.1p7).
    pub fn forget(&mut self, index: usize, n: usize) {
        for byte in self.shadow_mut(index, n) {
            *byte &= !(INIT | PIECE);
        }
    }

    /// Takes the values of the bytes that differ from `old` (bits, where bit-fields are).
    pub fn lose(&mut self, index: usize, old: &[u8]) {
        for (at, old) in (index..).zip(old) {
            let changed = self.data(at, 1)[0] ^ old;
            let shadow = self.shadow(at, 1)[0];
            if changed == 0 {
                continue;
            }
            self.lost = true;
            if shadow & CLASS == Class::Bits as u8 {
                let known =
                    if shadow & INIT != 0 { 0xff } else { self.partial.get(&at).copied().unwrap_or(0) };
                self.partial.insert(at, known & !changed);
            }
            self.shadow_mut(at, 1)[0] = shadow & !(INIT | PIECE);
        }
    }
}
