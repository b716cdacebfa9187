//! Pointers into members: which pointers a member's bounds are given to, and which conversions take them away again
//! (see [`crate::mem`]'s `part`).

use super::func::FnLower;
use crate::bytecode::{Insn, Reg, TO_THE_END};
use csyntax::tree::{ExprId, ExprKind, Unit};
use csyntax::types::{Ty, TyKind};

/// Does the unit make a pointer that gets a member's bounds? Without one no conversion has to take them away.
pub(super) fn wanted(unit: &Unit) -> bool {
    unit.exprs.iter().any(|e| match e.kind {
        ExprKind::AddrOf(lv) | ExprKind::Decay(lv) => is_member(unit, lv),
        _ => false,
    })
}

fn is_member(unit: &Unit, lv: ExprId) -> bool {
    matches!(unit[lv].kind, ExprKind::Member { .. })
}

/// Does this lvalue end where the object ends, as far as its members say? Pointers into it reach to the object's end: older
/// code has more there than is declared.
fn at_end(unit: &Unit, lv: ExprId) -> bool {
    let ExprKind::Member { base, record, field } = unit[lv].kind else { return true };
    let record = &unit.types.records[record.0 as usize];
    let last = record.fields.as_ref().is_none_or(|f| f.len() <= field as usize + 1);
    (last || record.is_union) && at_end(unit, base)
}

impl FnLower<'_, '_> {
    /// A register with the address of this lvalue, as a pointer into the member if it is one.
    pub fn narrowed(&mut self, lv: ExprId, p: Reg) -> Reg {
        let unit = self.lw.unit;
        if !is_member(unit, lv) {
            return p;
        }
        let size =
            if at_end(unit, lv) { Some(TO_THE_END) } else { u32::try_from(self.size(unit[lv].ty.ty)).ok() };
        let Some(size @ 1..) = size else { return p };
        let d = self.temp();
        self.emit(Insn::Narrow { d, p, size });
        d
    }

    /// Is this an array that is a member, so that pointers to its elements have its bounds?
    pub fn of_member(&self, array: ExprId) -> bool {
        is_member(self.lw.unit, array)
    }

    /// A pointer that is converted to another type of pointer: it points into the whole object again, but for
    /// `void *`, which is how pointers to anything are handed to the library.
    pub fn converted_pointer(&mut self, value: ExprId, to: Ty, want: Option<Reg>) -> Reg {
        let types = &self.lw.unit.types;
        let (TyKind::Pointer(from), TyKind::Pointer(to)) =
            (types.kind(self.lw.unit[value].ty.ty), types.kind(to))
        else {
            return self.value(value, want);
        };
        let keeps = from.ty == to.ty || matches!(types.kind(to.ty), TyKind::Void | TyKind::Function(_));
        if !self.lw.parts || keeps {
            return self.value(value, want);
        }
        if let ExprKind::AddrOf(lv) | ExprKind::Decay(lv) = self.lw.unit[value].kind
            && is_member(self.lw.unit, lv)
        {
            let place = self.place(lv);
            let p = self.address(place, false);
            return self.mov(want, p);
        }
        let p = self.value(value, None);
        let d = self.dst(want);
        self.emit(Insn::Widen { d, p });
        d
    }
}
