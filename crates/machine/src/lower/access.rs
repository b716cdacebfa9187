//! Loads, stores and copies through places: the fastest instruction whose checks suffice.

use super::func::FnLower;
use super::place::{Base, Dyn, Place};
use crate::bytecode::{Access, ArrayRef, CopyDesc, Forget, Insn, Mem, Reg};
use crate::class::{Class, Scalar, class_of};
use csyntax::ast::Quals;
use csyntax::types::QTy;

/// The fast memory kind of a representation.
fn fast_kind(scalar: Scalar) -> Option<Mem> {
    match scalar {
        Scalar::I8 => Some(Mem::I8),
        Scalar::U8 | Scalar::Bool => Some(Mem::U8),
        Scalar::I16 => Some(Mem::I16),
        Scalar::U16 => Some(Mem::U16),
        Scalar::I32 => Some(Mem::I32),
        Scalar::U32 | Scalar::F32 => Some(Mem::U32),
        Scalar::I64 | Scalar::U64 | Scalar::F64 => Some(Mem::W64),
        Scalar::Ptr => Some(Mem::Ptr),
        Scalar::I128 | Scalar::U128 | Scalar::F16 | Scalar::F80 | Scalar::F128 | Scalar::Bits(..) => None,
    }
}

impl FnLower<'_, '_> {
    fn access(&self, place: &Place, scalar: Scalar, initial: bool) -> Access {
        let natural = self.align(place.ty.ty);
        let class = if place.bits.is_some() {
            Class::Bits
        } else if place.any || initial || place.ty.quals.has(Quals::VOLATILE) || place.union.is_some() {
            Class::Any
        } else {
            class_of(&self.lw.unit.types, place.ty.ty)
        };
        let union = place.union.filter(|u| u.size > u.member_size).map(|u| {
            let u = u.rebased(place.off);
            Forget {
                start: u.start as i32,
                size: u.size as u32,
                keep: u.member as i32,
                kept: u.member_size as u32,
            }
        });
        Access {
            scalar,
            class: class as u8,
            align: if place.bits.is_some() { 1 } else { natural.min(place.align).max(1) },
            volatile: place.ty.quals.has(Quals::VOLATILE),
            bits: place.bits,
            initial,
            union,
        }
    }

    fn slow(&self, place: &Place) -> bool {
        let types = &self.lw.unit.types;
        let behind_pointer = matches!(place.base, Base::Ptr(_));
        place.bits.is_some()
            || place.ty.quals.has(Quals::VOLATILE)
            || place.union.is_some()
            || place.any
            || class_of(types, place.ty.ty) == Class::Any
            || (behind_pointer && place.align.min(self.align(place.ty.ty)) < self.size(place.ty.ty))
            || (behind_pointer && types.target.pointer_bytes != 8)
            || place.off < i64::from(i32::MIN)
            || place.off > i64::from(i32::MAX)
    }

    /// Loads a scalar.
    pub fn load(&mut self, place: Place, want: Option<Reg>) -> Reg {
        let Some(scalar) = self.scalar(place.ty.ty) else {
            return self.unsupported("a load of this type");
        };
        if let Base::Reg(reg) = place.base {
            if place.var {
                self.emit(Insn::CkInit { v: reg });
                if self.seq > 0 {
                    self.emit(Insn::LogRegR { v: reg });
                }
            }
            return self.restrict_use(&place, reg, want);
        }
        if self.lw.restrict && !matches!(place.base, Base::Ptr(_)) && place.ty.quals.has(Quals::RESTRICT) {
            let plain = QTy { ty: place.ty.ty, quals: place.ty.quals.without(Quals::RESTRICT) };
            let value = self.load(Place { ty: plain, ..place }, None);
            return self.restrict_use(&place, value, want);
        }
        let place = if self.seq > 0 { self.log(place, false) } else { place };
        let place = self.restrict_log(place, false);
        let place = self.tag_load(place);
        let kind = fast_kind(scalar).filter(|_| !self.slow(&place));
        let Some(kind) = kind else {
            let access = self.access(&place, scalar, false);
            let p = self.address(place, false);
            let d = self.dst(want);
            let m = self.push_access(access);
            self.emit(Insn::LdS { d, p, m });
            return d;
        };
        let cls = class_of(&self.lw.unit.types, place.ty.ty) as u8;
        let d = self.dst(want);
        match (place.base, place.dynamic) {
            (Base::Local(local), Dyn::None) if self.inside(&place) => {
                let off = self.local_offset(local, place.off);
                self.emit(Insn::LdL { d, kind, cls, off });
            }
            (Base::Static(index), Dyn::None) if self.inside(&place) => {
                let at = self.static_offset(index, place.off);
                self.emit(Insn::LdG { d, kind, cls, at });
            }
            (Base::Local(local), Dyn::Arr(i, count, scale)) => {
                let base = u64::from(self.local_offset(local, place.off));
                let r = self.array(ArrayRef { base, count, scale });
                self.emit(Insn::LdLX { d, i, kind, cls, r });
            }
            (Base::Static(index), Dyn::Arr(i, count, scale)) => {
                let base = u64::from(self.static_offset(index, place.off));
                let r = self.array(ArrayRef { base, count, scale });
                self.emit(Insn::LdGX { d, i, kind, cls, r });
            }
            (Base::Local(local), Dyn::Off(o)) => {
                let off = self.local_offset(local, place.off);
                self.emit(Insn::LdLO { d, o, kind, cls, off });
            }
            (Base::Static(index), Dyn::Off(o)) => {
                let at = self.static_offset(index, place.off);
                self.emit(Insn::LdGO { d, o, kind, cls, at });
            }
            (Base::Ptr(p), Dyn::Scaled(i, scale)) if place.off == 0 => {
                self.emit(Insn::LdX { d, p, i, kind, cls, scale });
            }
            (Base::Ptr(p), Dyn::None) => {
                self.emit(Insn::LdP { d, p, kind, cls, off: place.off as i32 });
            }
            _ => {
                let p = self.address(place, false);
                self.emit(Insn::LdP { d, p, kind, cls, off: 0 });
            }
        }
        if scalar == Scalar::Bool {
            self.emit(Insn::CkBool { d, a: d });
        }
        d
    }

    /// Does a constant-offset access lie inside its named object?
    fn inside(&self, place: &Place) -> bool {
        let size = self.size(place.ty.ty) as i64;
        let whole = match place.base {
            Base::Local(local) => i64::from(self.code.locals[usize::from(local)].size),
            Base::Static(index) => self.lw.program.statics[index as usize].size as i64,
            Base::Reg(_) | Base::Ptr(_) => return false,
        };
        place.off >= 0 && place.off + size <= whole
    }

    pub fn local_offset(&self, local: u16, off: i64) -> u32 {
        (i64::from(self.code.locals[usize::from(local)].offset) + off) as u32
    }

    pub fn static_offset(&self, index: u32, off: i64) -> u32 {
        (self.lw.program.statics[index as usize].at as i64 + off) as u32
    }

    /// How an initialiser's value is stored in a named object, if with an ordinary store.
    pub fn plain(&self, place: &Place, scalar: Scalar) -> Option<Mem> {
        let ordinary = self.always(place, scalar) && !self.slow(place) && self.inside(place);
        fast_kind(scalar).filter(|_| ordinary)
    }

    /// Has a place in a named object the class of its type and no other, whatever is stored there, and is it not const?
    fn always(&self, place: &Place, scalar: Scalar) -> bool {
        let (program, types) = (&self.lw.program, &self.lw.unit.types);
        let template = match (place.base, place.dynamic) {
            (Base::Local(local), Dyn::None) => self.code.locals[usize::from(local)].template,
            (Base::Static(index), Dyn::None) => program.statics[index as usize].template,
            _ => return false,
        };
        let class = class_of(types, place.ty.ty) as u8;
        let Ok(lo) = usize::try_from(place.off) else { return false };
        let hi = lo + scalar.bytes(types.target.pointer_bytes.into()) as usize;
        let bytes = program.templates.get(template as usize).and_then(|t| t.get(lo..hi));
        bytes.is_some_and(|bytes| bytes.iter().all(|byte| *byte == class))
    }

    pub fn push_access(&mut self, access: Access) -> u32 {
        let accesses = &mut self.lw.program.accesses;
        if accesses.last() == Some(&access) {
            return accesses.len() as u32 - 1;
        }
        accesses.push(access);
        accesses.len() as u32 - 1
    }

    /// Stores a scalar held in a register.
    pub fn store(&mut self, place: Place, s: Reg, initial: bool) {
        let Some(scalar) = self.scalar(place.ty.ty) else {
            self.unsupported("a store of this type");
            return;
        };
        self.restrict_assign(&place, s);
        if let Base::Reg(d) = place.base {
            if d != s {
                self.emit(Insn::Mov { d, a: s });
            }
            self.emit(Insn::SetInit { v: d });
            if self.seq > 0 && !initial {
                self.emit(Insn::LogRegW { v: d });
            }
            return;
        }
        let place = if self.seq > 0 && !initial { self.log(place, true) } else { place };
        let place = if initial { place } else { self.restrict_log(place, true) };
        // A named object that is initialised has just begun to live.
        let fresh = initial && !matches!(place.base, Base::Ptr(_));
        let (place, tag) = if fresh { (place, None) } else { self.tag_store(place) };
        self.store_scalar(place, s, scalar, initial);
        self.tag_stored(tag);
    }

    fn store_scalar(&mut self, place: Place, s: Reg, scalar: Scalar, initial: bool) {
        let fast =
            fast_kind(scalar).filter(|_| (!initial || self.always(&place, scalar)) && !self.slow(&place));
        let Some(kind) = fast else {
            let access = self.access(&place, scalar, initial);
            let p = self.address(place, false);
            let m = self.push_access(access);
            self.emit(Insn::StS { s, p, m });
            return;
        };
        let cls = class_of(&self.lw.unit.types, place.ty.ty) as u8;
        match (place.base, place.dynamic) {
            (Base::Local(local), Dyn::None) if self.inside(&place) => {
                let off = self.local_offset(local, place.off);
                self.emit(Insn::StL { s, kind, cls, off });
            }
            (Base::Static(index), Dyn::None) if self.inside(&place) => {
                let at = self.static_offset(index, place.off);
                self.emit(Insn::StG { s, kind, cls, at });
            }
            (Base::Local(local), Dyn::Arr(i, count, scale)) => {
                let base = u64::from(self.local_offset(local, place.off));
                let r = self.array(ArrayRef { base, count, scale });
                self.emit(Insn::StLX { s, i, kind, cls, r });
            }
            (Base::Static(index), Dyn::Arr(i, count, scale)) => {
                let base = u64::from(self.static_offset(index, place.off));
                let r = self.array(ArrayRef { base, count, scale });
                self.emit(Insn::StGX { s, i, kind, cls, r });
            }
            (Base::Local(local), Dyn::Off(o)) => {
                let off = self.local_offset(local, place.off);
                self.emit(Insn::StLO { s, o, kind, cls, off });
            }
            (Base::Static(index), Dyn::Off(o)) => {
                let at = self.static_offset(index, place.off);
                self.emit(Insn::StGO { s, o, kind, cls, at });
            }
            (Base::Ptr(p), Dyn::Scaled(i, scale)) if place.off == 0 => {
                self.emit(Insn::StX { s, p, i, kind, cls, scale });
            }
            (Base::Ptr(p), Dyn::None) => {
                self.emit(Insn::StP { s, p, kind, cls, off: place.off as i32 });
            }
            _ => {
                let p = self.address(place, false);
                self.emit(Insn::StP { s, p, kind, cls, off: 0 });
            }
        }
    }

    /// How far a place reaches from its address, for the logs of unsequenced accesses: bytes, or [`Insn::BITS`] with
    /// first bit and width.
    pub fn extent(&self, place: &Place) -> u32 {
        match place.bits {
            Some(bits) => Insn::BITS | u32::from(bits.start) << 8 | u32::from(bits.width),
            None => (self.size(place.ty.ty) as u32).min(Insn::BITS - 1),
        }
    }

    /// Logs an access in an unsequenced region; the place comes back with its address settled.
    fn log(&mut self, place: Place, write: bool) -> Place {
        let p = self.address(place, false);
        let n = self.extent(&place);
        self.emit(if write { Insn::LogW { p, n } } else { Insn::LogR { p, n } });
        place.at(p)
    }

    /// Copies a record, vector, complex or list value between places.
    pub fn copy(&mut self, dst: Place, src: Place, initial: bool) {
        let size = self.size(dst.ty.ty);
        if size == 0 {
            return;
        }
        let src = if self.seq > 0 { self.log(src, false) } else { src };
        let src = self.restrict_log(src, false);
        let src = self.tag_load(src);
        let dst = if self.seq > 0 && !initial { self.log(dst, true) } else { dst };
        let dst = if initial { dst } else { self.restrict_log(dst, true) };
        let (dst, tag) = self.tag_store(dst);
        let align = self.align(dst.ty.ty).min(dst.align).min(src.align);
        let s = self.address(src, false);
        let d = self.address(dst, false);
        self.lw.program.copies.push(CopyDesc { size, align, initial });
        let m = self.lw.program.copies.len() as u32 - 1;
        self.emit(Insn::Copy { d, s, m });
        self.tag_stored(tag);
    }
}
