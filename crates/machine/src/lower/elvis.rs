//! GNU `cond ?: other`: the condition's value, computed once, is the second operand too.

use super::func::{FnLower, Same};
use crate::bytecode::Insn;
use csyntax::tree::ExprId;
use csyntax::types::TyKind;

impl FnLower<'_, '_> {
    /// Lowers the condition, keeps its value for [`csyntax::tree::ExprKind::Same`], and lowers both arms by `arm`.
    pub fn elvis(&mut self, [cond, value, other]: [ExprId; 3], mut arm: impl FnMut(&mut Self, ExprId)) {
        let ty = self.lw.unit[cond].ty;
        let (no, end) = (self.label(), self.label());
        let mark = self.seq_mark();
        let (same, tested) = if matches!(self.lw.unit.types.kind(ty.ty), TyKind::Complex(_)) {
            let (re, im) = self.complex(cond);
            let local = self.temp_local(ty);
            let place = self.local_place(local, ty);
            self.store_parts(place, re, im, true);
            (Same::Place(place), self.parts_truth(ty.ty, re, im))
        } else {
            let raw = self.value(cond, None);
            (Same::Reg(raw), self.truth_of(raw, ty.ty))
        };
        self.seq_point(mark);
        self.emit(Insn::JZ { a: tested, t: no.0 });
        self.same.push(same);
        arm(self, value);
        self.same.pop();
        self.jump(end);
        self.place_label(no);
        arm(self, other);
        self.place_label(end);
    }
}
