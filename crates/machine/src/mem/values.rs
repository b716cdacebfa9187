//! Typed loads and stores: values, their classes (effective types), and pieces of pointers.

use super::{Kind, Memory, Ptr};
use crate::class::{CLASS, CONST, Class, INIT, PIECE, RETYPE, is_piece, is_unspecified};
use crate::stop::{Res, undefined};
use crate::ub::Ub;

/// The low `N` bytes in the other order. Apart, so that little-endian targets have a branch that is never taken and
/// not a swap for nothing.
#[cold]
#[inline(never)]
fn swapped<const N: usize>(value: u64) -> u64 {
    value.swap_bytes() >> (64 - 8 * N)
}

/// Sixteen bytes, the first in the low bits.
fn word(bytes: &[u8]) -> u128 {
    u128::from_le_bytes(bytes.try_into().unwrap_or([0; 16]))
}

impl Memory {
    /// Reads `N` (1, 2, 4, 8) bytes with the class check; zero-extended.
    pub fn load<const N: usize>(&mut self, index: usize, class: u8) -> Res<u64> {
        self.inside(index, N);
        // SAFETY: just checked.
        unsafe { self.load_at::<N>(index, class) }
    }

    /// As [`Memory::load`], without looking where `index` is.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], `N` bytes.
    #[inline(always)]
    pub unsafe fn load_at<const N: usize>(&mut self, index: usize, class: u8) -> Res<u64> {
        // SAFETY: the caller's.
        let (value, shadow) = unsafe { self.raw::<N>(index) };
        let ones = 0x0101_0101_0101_0101u64 >> (64 - 8 * N);
        let want = u64::from(class | INIT) * ones;
        if shadow & !(u64::from(CONST | RETYPE) * ones) == want {
            return Ok(value);
        }
        self.check_load(index, N, class)?;
        Ok(value)
    }

    /// Reads a `char`-like byte: any initialised byte will do.
    pub fn load_byte(&mut self, index: usize) -> Res<u64> {
        self.inside(index, 1);
        // SAFETY: just checked.
        unsafe { self.load_byte_at(index) }
    }

    /// As [`Memory::load_byte`], without looking where `index` is.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], one byte.
    #[inline(always)]
    pub unsafe fn load_byte_at(&mut self, index: usize) -> Res<u64> {
        // SAFETY: the caller's.
        let (value, shadow) = unsafe { self.raw::<1>(index) };
        // One comparison: initialised, no piece of a pointer, and not of a volatile object.
        if (shadow & u64::from(INIT | PIECE | CLASS)).wrapping_sub(u64::from(INIT)) < u64::from(CLASS) {
            return Ok(value);
        }
        self.check_load(index, 1, Class::Char as u8)?;
        Ok(value)
    }

    /// Value and shadow of `N` bytes.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], `N` bytes.
    #[inline(always)]
    unsafe fn raw<const N: usize>(&self, index: usize) -> (u64, u64) {
        // SAFETY: the caller's.
        let (data, shadow) = unsafe { (self.data_at(index, N), self.shadow_at(index, N)) };
        let d: [u8; N] = data.try_into().unwrap_or([0; N]);
        let s: [u8; N] = shadow.try_into().unwrap_or([0; N]);
        let mut wide = [0u8; 8];
        let mut wide_shadow = [0u8; 8];
        wide[..N].copy_from_slice(&d);
        wide_shadow[..N].copy_from_slice(&s);
        let mut value = u64::from_le_bytes(wide);
        if self.big_endian {
            value = swapped::<N>(value);
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
                if is_unspecified(s) {
                    self.unspecified_read = true;
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
        self.inside(index, word.max(4));
        // SAFETY: just checked.
        unsafe { if word == 8 { self.raw::<8>(index).0 } else { self.raw::<4>(index).0 } }
    }

    /// Reads a pointer.
    pub fn load_ptr(&mut self, index: usize, class: u8) -> Res<Ptr> {
        self.inside(index, self.pointer_bytes as usize);
        // SAFETY: just checked.
        unsafe { self.load_ptr_at(index, class) }
    }

    /// As [`Memory::load_ptr`], without looking where `index` is.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], the bytes of a pointer.
    #[inline(always)]
    pub unsafe fn load_ptr_at(&mut self, index: usize, class: u8) -> Res<Ptr> {
        let word = self.pointer_bytes as usize;
        if word == 8 && index & 7 == 0 {
            // SAFETY: the caller's: a pointer has 8 bytes.
            let (addr, shadow) = unsafe { self.raw::<8>(index) };
            const WANT: u64 = (Class::Ptr as u8 | INIT | PIECE) as u64 * 0x0101_0101_0101_0101;
            if shadow & !(u64::from(CONST | RETYPE) * 0x0101_0101_0101_0101) == WANT {
                // SAFETY: the caller's.
                return Ok(Ptr { addr, prov: unsafe { self.prov_at(index) } });
            }
        }
        self.load_ptr_slow(index, class)
    }

    #[cold]
    fn load_ptr_slow(&mut self, index: usize, class: u8) -> Res<Ptr> {
        let word = self.pointer_bytes as usize;
        // A whole pointer that is read as one stays one, also a volatile one: no number is made of it.
        let whole = self.is_whole(index);
        let read = if whole && class == Class::Any as u8 { Class::Ptr as u8 } else { class };
        self.check_load_as(index, word, class, read)?;
        let addr = self.raw_word(index, word);
        if whole {
            return Ok(Ptr { addr, prov: self.stored_prov(index) });
        }
        Ok(self.from_int(addr))
    }

    /// Was what lies at an index stored there as a pointer?
    fn is_whole(&self, index: usize) -> bool {
        let word = self.pointer_bytes as usize;
        self.shadow(index, word).iter().all(|s| is_piece(*s))
            && (index.is_multiple_of(word) || self.unaligned.contains_key(&index))
    }

    /// The address at an index and, if it was stored there as a pointer, its provenance; for observation only.
    pub fn peek_ptr(&self, index: usize) -> (u64, Option<u64>) {
        let addr = self.raw_word(index, self.pointer_bytes as usize);
        (addr, self.is_whole(index).then(|| self.stored_prov(index)))
    }

    /// Writes `N` bytes with the class check.
    pub fn store<const N: usize>(&mut self, index: usize, class: u8, value: u64) -> Res<()> {
        self.inside(index, N);
        self.untag(index, N);
        // SAFETY: just checked.
        unsafe { self.store_at::<N>(index, class, value) }
    }

    /// As [`Memory::store`], without looking where `index` is.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], `N` bytes.
    #[inline(always)]
    pub unsafe fn store_at<const N: usize>(&mut self, index: usize, class: u8, value: u64) -> Res<()> {
        let ones = 0x0101_0101_0101_0101u64 >> (64 - 8 * N);
        let mut s = [0u8; 8];
        // SAFETY: the caller's.
        s[..N].copy_from_slice(unsafe { self.shadow_at(index, N) });
        let shadow = u64::from_le_bytes(s);
        let retype = u64::from(RETYPE) * ones;
        if shadow & (u64::from(CLASS | CONST) * ones) == u64::from(class) * ones {
            let new = (shadow & retype) | (u64::from(class | INIT) * ones);
            // SAFETY: the caller's.
            unsafe { self.shadow_mut_at(index, N) }.copy_from_slice(&new.to_le_bytes()[..N]);
        } else {
            self.check_store(index, N, class)?;
        }
        let value = if self.big_endian { swapped::<N>(value) } else { value };
        // SAFETY: the caller's.
        unsafe { self.data_mut_at(index, N) }.copy_from_slice(&value.to_le_bytes()[..N]);
        Ok(())
    }

    /// Writes a `char`-like byte: keeps the class of declared objects. Bytes that take the type of what is stored have none
    /// after it: characters may be copied one by one, and then it is the source's that counts (C11 6.5p6), which nothing
    /// here knows.
    pub fn store_byte(&mut self, index: usize, value: u64) -> Res<()> {
        self.inside(index, 1);
        self.untag(index, 1);
        // SAFETY: just checked.
        unsafe { self.store_byte_at(index, value) }
    }

    /// As [`Memory::store_byte`], without looking where `index` is.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], one byte.
    #[inline(always)]
    pub unsafe fn store_byte_at(&mut self, index: usize, value: u64) -> Res<()> {
        // SAFETY: the caller's.
        let s = &mut unsafe { self.shadow_mut_at(index, 1) }[0];
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
        // All bits of the class where `RETYPE` is set, or none.
        const { assert!(RETYPE == CLASS + 1) };
        let lost = (*s & RETYPE) - ((*s & RETYPE) >> RETYPE.trailing_zeros());
        *s = (*s | INIT) & !(PIECE | (lost & CLASS));
        // SAFETY: the caller's.
        unsafe { self.data_mut_at(index, 1)[0] = value as u8 };
        Ok(())
    }

    #[cold]
    pub(super) fn const_written<T>(&self, index: usize) -> Res<T> {
        let addr = self.addr(index);
        let around = self.recs.iter().find(|r| r.kind != Kind::Dead && addr.wrapping_sub(r.base) < r.size);
        match around.map(|r| r.kind) {
            Some(Kind::Literal) => undefined(Ub::StringModified, "a byte of a string literal is written"),
            Some(Kind::Temporary) => {
                undefined(Ub::TemporaryModified, "a part of a value that a function returned is written")
            }
            Some(Kind::Dead | Kind::Static | Kind::Auto | Kind::Dynamic | Kind::Heap) | None => {
                undefined(Ub::ConstModified, "an object defined const is written")
            }
        }
    }

    /// The full rules for a store; sets the shadow.
    #[cold]
    pub fn check_store(&mut self, index: usize, n: usize, class: u8) -> Res<()> {
        self.untag(index, n);
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
            let new = if any && s & RETYPE != 0 {
                // Through a union or `may_alias`, or by characters: readable as any type again.
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
    pub fn store_ptr(&mut self, index: usize, class: u8, ptr: Ptr) -> Res<()> {
        self.inside(index, self.pointer_bytes as usize);
        self.untag(index, self.pointer_bytes as usize);
        // SAFETY: just checked.
        unsafe { self.store_ptr_at(index, class, ptr) }
    }

    /// As [`Memory::store_ptr`], without looking where `index` is.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], the bytes of a pointer.
    #[inline(always)]
    pub unsafe fn store_ptr_at(&mut self, index: usize, class: u8, ptr: Ptr) -> Res<()> {
        // SAFETY: the caller's.
        unsafe {
            if self.pointer_bytes == 8 {
                self.store_at::<8>(index, class, ptr.addr)?;
            } else {
                self.store_at::<4>(index, class, ptr.addr)?;
            }
            self.own_pieces(index, ptr.prov);
        }
        Ok(())
    }

    /// Marks a stored word as a whole pointer of this provenance.
    ///
    /// # Safety
    /// As for [`Memory::data_at`], the bytes of a pointer.
    #[inline(always)]
    unsafe fn own_pieces(&mut self, index: usize, prov: u64) {
        let word = self.pointer_bytes as usize;
        // SAFETY: the caller's.
        for byte in unsafe { self.shadow_mut_at(index, word) } {
            *byte |= PIECE;
        }
        if index & (word - 1) == 0 {
            // SAFETY: the caller's.
            unsafe { self.set_prov_at(index, prov) };
        } else {
            self.unaligned.insert(index, prov);
        }
    }

    /// Reads `n` (up to 16) bytes little-end first into a wide value.
    pub fn load_wide(&mut self, index: usize, n: usize, class: u8) -> Res<u128> {
        match n {
            8 => return Ok(self.load::<8>(index, class)?.into()),
            4 => return Ok(self.load::<4>(index, class)?.into()),
            _ => {}
        }
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
        // Through `Any` a place may forget its type.
        match n {
            8 if class != Class::Any as u8 => return self.store::<8>(index, class, value as u64),
            4 if class != Class::Any as u8 => return self.store::<4>(index, class, value as u64),
            _ => {}
        }
        self.check_store(index, n, class)?;
        let mut bytes = value.to_le_bytes();
        if self.big_endian {
            bytes[..n].reverse();
        }
        self.data_mut(index, n).copy_from_slice(&bytes[..n]);
        Ok(())
    }

    /// Reads two doubles, if that needs no second look.
    pub fn two_doubles(&self, ptr: Ptr, class: u8) -> Option<[f64; 2]> {
        let index = self.quick_index(ptr, 16)?;
        let want = u128::from_ne_bytes([class | INIT; 16]);
        let free = u128::from_ne_bytes([CONST | RETYPE; 16]);
        if self.big_endian || word(self.shadow(index, 16)) & !free != want {
            return None;
        }
        let bits = word(self.data(index, 16));
        Some([f64::from_bits(bits as u64), f64::from_bits((bits >> 64) as u64)])
    }

    /// Writes two doubles, if that needs no second look; otherwise nothing happens.
    pub fn put_two_doubles(&mut self, ptr: Ptr, class: u8, value: [f64; 2]) -> bool {
        let Some(index) = self.quick_index(ptr, 16) else { return false };
        let shadow = word(self.shadow(index, 16));
        let known = u128::from_ne_bytes([CLASS | CONST; 16]);
        if self.big_endian || self.tags.is_some() || shadow & known != u128::from_ne_bytes([class; 16]) {
            return false;
        }
        let kept = shadow & u128::from_ne_bytes([RETYPE; 16]);
        let new = kept | u128::from_ne_bytes([class | INIT; 16]);
        self.shadow_mut(index, 16).copy_from_slice(&new.to_le_bytes());
        let bits = u128::from(value[0].to_bits()) | u128::from(value[1].to_bits()) << 64;
        self.data_mut(index, 16).copy_from_slice(&bits.to_le_bytes());
        true
    }

    /// A store to a member of a union leaves these bytes of it out: they take unspecified values (6.2.6.1p7), which
    /// are the ones they had, or the opposite where [`Memory::turn_unspecified`] is set.
    pub fn forget(&mut self, index: usize, n: usize) {
        for byte in self.shadow_mut(index, n) {
            *byte = (*byte & !INIT) | PIECE;
        }
        if self.turn_unspecified {
            self.data_mut(index, n).iter_mut().for_each(|byte| *byte = !*byte);
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
