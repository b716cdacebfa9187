//! Initialisers: zeroing and the flattened stores.

use super::func::{FnLower, Loc};
use super::place::{Base, Place};
use crate::bytecode::Insn;
use csyntax::ast::Quals;
use csyntax::tree::{ExprKind, ObjId, Storage};
use csyntax::types::{QTy, TyKind};

impl FnLower<'_, '_> {
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
        if let Loc::Reg(v) = self.allocate(id) {
            self.emit(Insn::SetInit { v });
        }
    }
}
