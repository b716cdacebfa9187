//! Initialisers: zeroing and the flattened stores.

use super::func::{FnLower, Loc};
use super::place::{Base, Place, canonical};
use crate::bytecode::{Constant, Insn, Reg};
use crate::class::{Scalar, class_of};
use csyntax::ast::Quals;
use csyntax::tree::{Conversion, ExprId, ExprKind, ObjId, Storage};
use csyntax::types::{QTy, TyKind};

/// A register for the constants of an initialiser, and the one that is in it.
struct Held {
    reg: Reg,
    constant: Constant,
}

impl FnLower<'_, '_> {
    /// The value of an entry that is an integer constant or the address of a static object.
    fn constant_of(&self, e: ExprId, scalar: Scalar) -> Option<Constant> {
        if scalar.is_int() && !scalar.is_wide() {
            return self.constant_int(e).map(|value| Constant::Bits(canonical(scalar, value).0, 0));
        }
        // What restrict pointers point to is followed.
        if scalar != Scalar::Ptr || self.lw.restrict {
            return None;
        }
        let mut e = e;
        loop {
            match self.lw.unit[e].kind {
                ExprKind::Convert { kind: Conversion::PtrToPtr | Conversion::NoOp, value, .. } => e = value,
                ExprKind::Convert { kind: Conversion::IntToPtr, value, .. } => {
                    return self
                        .constant_int(value)
                        .filter(|value| *value == 0)
                        .map(|_| Constant::Bits(0, 0));
                }
                ExprKind::AddrOf(place) | ExprKind::Decay(place) => {
                    let ExprKind::Object(id) = self.lw.unit[place].kind else { return None };
                    return self.lw.statics[id.index()].map(|index| Constant::Static(index, 0));
                }
                _ => return None,
            }
        }
    }

    /// Stores a constant, if that is a plain store; most tables are nothing else.
    fn constant_entry(&mut self, place: Place, value: ExprId, held: &mut Option<Held>) -> bool {
        let Some(scalar) = self.scalar(place.ty.ty) else { return false };
        let Some(constant) = self.constant_of(value, scalar) else { return false };
        let Some(kind) = self.plain(&place, scalar) else { return false };
        let cls = class_of(&self.lw.unit.types, place.ty.ty) as u8;
        let s = match held {
            Some(held) if held.constant == constant => held.reg,
            _ => {
                let reg = held.as_ref().map_or_else(|| self.temp(), |held| held.reg);
                match constant {
                    Constant::Bits(lo, hi) => self.konst(Some(reg), lo, hi),
                    other @ (Constant::Static(..) | Constant::Function(_) | Constant::Label(..)) => {
                        self.constant(Some(reg), other)
                    }
                };
                *held = Some(Held { reg, constant });
                reg
            }
        };
        match place.base {
            Base::Local(local) => {
                let off = self.local_offset(local, place.off);
                self.emit(Insn::StL { s, kind, cls, off });
            }
            Base::Static(index) => {
                let at = self.static_offset(index, place.off);
                self.emit(Insn::StG { s, kind, cls, at });
            }
            Base::Reg(_) | Base::Ptr(_) => return false,
        }
        true
    }

    /// Runs the initialiser of an object whose lifetime has begun.
    pub fn initialise(&mut self, id: ObjId) {
        let unit = self.lw.unit;
        let object = &unit[id];
        let Some(init) = &object.init else { return };
        let whole = self.object_place(id);
        let is_static = object.storage == Storage::Static;
        if init.zero_fill && !is_static && !matches!(whole.base, Base::Reg(_)) {
            let size = self.lw.object_size(id).unwrap_or(0);
            let p = self.address(whole, false);
            self.emit(Insn::Zero { p, size: size as u32 });
        }
        let register = matches!(whole.base, Base::Reg(_));
        let restrict = if object.ty.quals.has(Quals::RESTRICT) { Quals::RESTRICT } else { Quals::NONE };
        let all = self.next;
        let mut held: Option<Held> = None;
        for entry in &init.entries {
            let next = self.next;
            let old = std::mem::replace(&mut self.span, unit[entry.value].span);
            let ty = QTy { ty: entry.ty.ty, quals: entry.ty.quals.without(Quals::CONST) };
            let align =
                if entry.offset == 0 { whole.align } else { 1 << entry.offset.trailing_zeros().min(20) };
            let place = Place {
                off: whole.off + entry.offset as i64,
                ty: QTy { ty: ty.ty, quals: if register { restrict } else { Quals::NONE } },
                bits: entry.bits,
                align: align.min(whole.align),
                ..whole
            };
            if entry.bits.is_none() && self.constant_entry(place, entry.value, &mut held) {
                self.span = old;
                continue;
            }
            if let (TyKind::Array(..), ExprKind::Str(s)) = (unit.types.kind(ty.ty), &unit[entry.value].kind) {
                let p = self.address(place, false);
                let size = self.size(ty.ty) as u32;
                self.emit(Insn::InitStr { p, s: s.0, size });
            } else if matches!(unit.types.kind(ty.ty), TyKind::Array(..)) {
                // An array from a compound literal or another array lvalue (GNU).
                let lv = match unit[entry.value].kind {
                    ExprKind::Load(lv) => lv,
                    _ => entry.value,
                };
                let src = self.place(lv);
                self.copy(place, Place { ty, ..src }, true);
            } else {
                self.store_value(place, entry.value, true);
            }
            self.span = old;
            self.release(next);
        }
        self.release(all);
        if let Loc::Reg(v) = self.allocate(id) {
            self.emit(Insn::SetInit { v });
        }
    }
}
