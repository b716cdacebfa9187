//! Lowering for `restrict` (C11 6.7.3.1): blocks that declare restrict pointers are bracketed, uses of those pointers
//! are tagged, and all memory accesses of the program are logged. Only programs that declare restrict pointers pay.
//!
//! Followed are pointers declared by name whose address is never taken. Restrict members, elements, and pointers
//! reached through other pointers are not: their values count as what they are based on themselves.

use super::func::FnLower;
use super::place::{Base, Dyn, Place};
use crate::bytecode::{Insn, Reg};
use crate::vm::restrict::MAIN;
use csyntax::ast::Quals;
use csyntax::tree::{ObjId, Object, Rel, Storage, Unit};
use csyntax::types::TyKind;

/// Does the unit declare restrict pointers that can be followed? Nested functions reach the pointers of others.
pub(super) fn wanted(unit: &Unit) -> bool {
    unit.functions.iter().all(|f| f.parent.is_none())
        && unit.objects.iter().any(|o| followed(unit, o) && (o.defined || o.storage != Storage::Static))
}

/// Is this object a restrict pointer that can be followed?
fn followed(unit: &Unit, object: &Object) -> bool {
    object.ty.quals.has(Quals::RESTRICT)
        && !object.ty.quals.has(Quals::VOLATILE)
        && !object.addressed
        && matches!(unit.types.kind(object.ty.ty), TyKind::Pointer(to)
            if !matches!(unit.types.kind(to.ty), TyKind::Function(_)))
}

impl FnLower<'_, '_> {
    /// Begins an execution of the block that declares `objects`, if one of them is a restrict pointer; gives the
    /// register that numbers it.
    pub fn restrict_scope(&mut self, objects: &[ObjId]) -> Option<Reg> {
        if !self.lw.restrict {
            return None;
        }
        let unit = self.lw.unit;
        let mine = |id: &&ObjId| followed(unit, &unit[**id]) && unit[**id].storage != Storage::Static;
        let ids: Vec<ObjId> = objects.iter().filter(mine).copied().collect();
        if ids.is_empty() {
            return None;
        }
        let scope = self.temp();
        for id in ids {
            if let super::func::Loc::Reg(reg) = self.allocate(id) {
                self.restricted.insert(reg, (id, scope));
            }
        }
        Some(scope)
    }

    /// The scope register and number of the followed restrict pointer at a place.
    fn restrict_object(&mut self, place: &Place) -> Option<(Reg, u32)> {
        if !self.lw.restrict || !place.ty.quals.has(Quals::RESTRICT) {
            return None;
        }
        let unit = self.lw.unit;
        let (id, scope) = match place.base {
            Base::Reg(reg) => *self.restricted.get(&reg)?,
            Base::Static(index) if matches!(place.dynamic, Dyn::None) && self.function.is_some() => {
                let tag = self.lw.program.statics[index as usize].tag.checked_sub(1)?;
                (ObjId(tag), MAIN)
            }
            Base::Static(_) | Base::Local(_) | Base::Ptr(_) => return None,
        };
        if !followed(unit, &unit[id]) {
            return None;
        }
        let konst = match unit.types.kind(unit[id].ty.ty) {
            TyKind::Pointer(to) => to.quals.has(Quals::CONST),
            _ => false,
        };
        let known = self.lw.program.restricts.iter().position(|known| *known == id);
        let index = known.unwrap_or_else(|| {
            self.lw.program.restricts.push(id);
            self.lw.program.restricts.len() - 1
        });
        Some((scope, (index as u32) << 1 | u32::from(konst)))
    }

    /// The value that was loaded from a place, tagged if it is that of a restrict pointer.
    pub fn restrict_use(&mut self, place: &Place, value: Reg, want: Option<Reg>) -> Reg {
        match self.restrict_object(place) {
            Some((scope, object)) => {
                let d = self.dst(want);
                self.emit(Insn::RestrictUse { d, a: value, scope, object });
                d
            }
            None => self.mov(want, value),
        }
    }

    /// Before a store to a place: what a restrict pointer may be assigned.
    pub fn restrict_assign(&mut self, place: &Place, s: Reg) {
        if let Some((scope, object)) = self.restrict_object(place) {
            self.emit(Insn::RestrictAssign { s, scope, object });
        }
    }

    /// Logs an access; the place comes back with its address computed.
    pub fn restrict_log(&mut self, place: Place, write: bool) -> Place {
        if !self.lw.restrict || place.bits.is_some() {
            return place;
        }
        let unit = self.lw.unit;
        let tag = match place.base {
            Base::Reg(_) => return place,
            Base::Local(local) => Some(self.code.locals[usize::from(local)].tag),
            Base::Static(index) => Some(self.lw.program.statics[index as usize].tag),
            Base::Ptr(_) => None,
        };
        // Temporaries, string literals, and objects that no pointer points to.
        let object = tag.map(|tag| tag.checked_sub(1).map(ObjId));
        if object.is_some_and(|id| id.is_none_or(|id| !unit[id].addressed)) {
            return place;
        }
        let p = self.address(place, false);
        let n = u32::try_from(self.size(place.ty.ty)).unwrap_or(0);
        self.emit(Insn::RestrictLog { p, write, n });
        place.at(p)
    }

    /// Two pointers are compared for equality.
    pub fn restrict_meet(&mut self, rel: Rel, pointers: bool, a: Reg, b: Reg) {
        if self.lw.restrict && pointers && matches!(rel, Rel::Eq | Rel::Ne) {
            self.emit(Insn::RestrictMeet { a, b });
        }
    }
}
