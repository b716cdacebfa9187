//! Loads and stores that have no instruction of their own: bit-fields, volatile, union members, wide scalars, records.

use super::{Slot, Vm};
use crate::bytecode::Access;
use crate::class::{CONST, INIT, Scalar};
use crate::mem::Ptr;
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use csyntax::types::BitField;

impl Vm<'_> {
    pub(super) fn copy_record(&mut self, d: Ptr, s: Ptr, m: u32) -> Res<()> {
        let desc = self.program.copies[m as usize];
        self.record_copy(d);
        self.record_copy(s);
        let dst = self.mem.access(d, desc.size, desc.align)?;
        let src = self.mem.access(s, desc.size, desc.align)?;
        let n = desc.size as usize;
        if dst != src && dst < src + n && src < dst + n {
            return undefined(Ub::OverlappingAssignment, "source and destination of an assignment overlap");
        }
        self.mem.copy(dst, src, n, desc.initial)
    }

    pub(super) fn load_slow(&mut self, p: Ptr, access: &Access) -> Res<Slot> {
        let (scalar, word) = (access.scalar, self.mem.pointer_bytes);
        if let Some(bits) = access.bits {
            let n = u64::from(bits.start + bits.width).div_ceil(8);
            let index = self.mem.access(p, n, 1)?;
            let raw = self.mem.load_bits(index, bits.start.into(), bits.width.into())?;
            let shift = 64 - u32::from(bits.width);
            let lo = if scalar.signed() { ((raw << shift) as i64 >> shift) as u64 } else { raw };
            if access.volatile {
                self.trace_volatile(p, n, false, raw);
            }
            // The upper half of a type of more than 64 bits.
            let negative = scalar.is_wide() && scalar.signed() && (lo as i64) < 0;
            return Ok(Slot { lo, hi: if negative { u64::MAX } else { 0 } });
        }
        let n = scalar.bytes(word);
        let index = self.mem.access(p, n, access.align)?;
        let class = access.class;
        let slot = match scalar {
            Scalar::Ptr => {
                let p = self.mem.load_ptr(index, class)?;
                Slot { lo: p.addr, hi: p.prov }
            }
            _ => {
                let raw = self.mem.load_wide(index, n as usize, class)?;
                let (lo, hi) = canonical(scalar, raw);
                if scalar == Scalar::Bool && raw > 1 {
                    return undefined(Ub::BoolRepresentation, format!("the byte is {raw}"));
                }
                Slot { lo, hi }
            }
        };
        if access.volatile {
            self.trace_volatile(p, n, false, traced(scalar, slot.lo));
            if self.recorder.is_some() {
                self.record_volatile(p, n, None, access);
            }
        }
        Ok(slot)
    }

    fn forget_union(&mut self, index: usize, access: &Access) {
        let Some(union) = access.union else { return };
        let at = |offset: i64| (index as i64 + offset) as usize;
        let (start, end) = (at(union.start.into()), at(i64::from(union.start) + i64::from(union.size)));
        let (keep, kept) = (at(union.keep.into()), at(i64::from(union.keep) + i64::from(union.kept)));
        for (lo, hi) in [(start, keep.min(end)), (kept.max(start), end)] {
            if lo < hi {
                self.mem.forget(lo, hi - lo);
                self.mem.clear_partial(lo, hi - lo);
            }
        }
    }

    /// What a store to a `_BitInt` changes of its padding bits, which take unspecified values (6.2.6.2p1): in a second run
    /// they are others, and not the same in all objects.
    fn padding(&mut self, index: usize, bits: u32, width: u8) -> u128 {
        let unused = bits - u32::from(width);
        if unused == 0 {
            return 0;
        }
        self.mem.unspecified_read = true;
        if !self.mem.turn_unspecified {
            return 0;
        }
        let top = 1 << (bits - 1);
        let others = ((u128::MAX >> (128 - unused)) << width) ^ top;
        let mixed = u128::from((index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        top | (mixed << 64 | mixed) & others
    }

    /// Do the bits of a field only share bytes with const ones?
    fn free_bits(&self, p: Ptr, index: usize, n: usize, bits: BitField) -> bool {
        if self.mem.shadow(index, n).iter().all(|s| s & CONST == 0) {
            return false;
        }
        let Some(rec) = self.mem.object(p.prov) else { return false };
        let Some(object) = rec.tag.checked_sub(1).and_then(|id| self.unit.objects.get(id as usize)) else {
            return false;
        };
        let at = 8 * p.addr.wrapping_sub(rec.base) + u64::from(bits.start);
        !crate::class::const_bits(&self.unit.types, object.ty, at, bits.width.into())
    }

    pub(super) fn store_slow(&mut self, p: Ptr, access: &Access, value: Slot) -> Res<()> {
        let (scalar, word) = (access.scalar, self.mem.pointer_bytes);
        if let Some(bits) = access.bits {
            let n = u64::from(bits.start + bits.width).div_ceil(8);
            let index = self.mem.access(p, n, 1)?;
            self.forget_union(index, access);
            let initial = access.initial || self.free_bits(p, index, n as usize, bits);
            self.mem.store_bits(index, bits.start.into(), bits.width.into(), value.lo, initial)?;
            if access.volatile {
                self.trace_volatile(p, n, true, value.lo);
            }
            return Ok(());
        }
        let n = scalar.bytes(word);
        let index = self.mem.access(p, n, access.align)?;
        let size = n as usize;
        let mut sealed = false;
        if access.initial {
            for byte in self.mem.shadow_mut(index, size) {
                sealed |= *byte & crate::class::CONST != 0;
                *byte &= !crate::class::CONST;
            }
        }
        self.forget_union(index, access);
        match scalar {
            Scalar::Ptr => self.mem.store_ptr(index, access.class, Ptr { addr: value.lo, prov: value.hi })?,
            Scalar::F80 => {
                let raw = u128::from(value.lo) | u128::from(value.hi) << 64;
                self.mem.store_wide(index, 10, access.class, raw)?;
            }
            _ => {
                let mut raw = u128::from(value.lo) | u128::from(value.hi) << 64;
                if let Scalar::Bits(width, _) = scalar {
                    raw ^= self.padding(index, 8 * size as u32, width);
                }
                self.mem.store_wide(index, size, access.class, raw)?;
            }
        }
        if sealed {
            for byte in self.mem.shadow_mut(index, size) {
                *byte |= crate::class::CONST;
            }
        }
        debug_assert!(self.mem.shadow(index, size).iter().all(|s| s & INIT != 0));
        if access.volatile {
            self.trace_volatile(p, n, true, traced(scalar, value.lo));
            if self.recorder.is_some() {
                self.record_volatile(p, n, Some(value.lo), access);
            }
        }
        Ok(())
    }
}

/// A value as the volatile trace has it: of pointers only whether they are null, for where objects lie is no part of
/// a program's behaviour.
fn traced(scalar: Scalar, value: u64) -> u64 {
    if scalar == Scalar::Ptr { u64::from(value != 0) } else { value }
}

/// Register form of a value read from memory.
pub fn canonical(scalar: Scalar, raw: u128) -> (u64, u64) {
    let lo = raw as u64;
    match scalar {
        Scalar::I8 => (lo as i8 as i64 as u64, 0),
        Scalar::I16 => (lo as i16 as i64 as u64, 0),
        Scalar::I32 => (lo as i32 as i64 as u64, 0),
        Scalar::I128 | Scalar::U128 | Scalar::F80 | Scalar::F128 => (lo, (raw >> 64) as u64),
        Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::I64
        | Scalar::U64
        | Scalar::F16
        | Scalar::F32
        | Scalar::F64
        | Scalar::Ptr
        | Scalar::Bool => (lo, 0),
        Scalar::Bits(width, signed) => crate::class::extended(raw, width, signed),
    }
}
