//! Stores of a value that is read from another object: one that overlaps the target must do so exactly and have its
//! type (C11 6.5.16.1p3). Only members of unions can overlap otherwise without breaking other rules.

use super::func::FnLower;
use super::place::{Base, Dyn, Place};
use crate::bytecode::{Insn, Overlap, Reg};
use crate::ub::Ub;
use csyntax::tree::{ExprId, ExprKind};

impl FnLower<'_, '_> {
    /// Evaluates what is stored to `target`, and compares where it comes from with where it goes.
    pub fn stored_value(&mut self, target: &Place, rv: ExprId) -> Reg {
        let Some((load, lv)) = target.union.and_then(|_| self.read_directly(rv)) else {
            return self.value(rv, None);
        };
        let source = self.place(lv);
        if source.union.is_some() {
            self.check_overlap(target, &source);
        }
        let reg = self.load(source, None);
        self.ahead.insert(load, reg);
        let value = self.value(rv, None);
        self.ahead.remove(&load);
        value
    }

    /// The read of a scalar that a value is, but for conversions that nobody wrote.
    fn read_directly(&self, rv: ExprId) -> Option<(ExprId, ExprId)> {
        let mut e = rv;
        loop {
            match self.lw.unit[e].kind {
                ExprKind::Convert { value, explicit: false, .. } => e = value,
                ExprKind::Load(lv) if self.scalar(self.lw.unit[e].ty.ty).is_some() => return Some((e, lv)),
                _ => return None,
            }
        }
    }

    fn check_overlap(&mut self, target: &Place, source: &Place) {
        let overlap = Overlap {
            target: self.extent(target),
            source: self.extent(source),
            same: self.scalar(target.ty.ty) == self.scalar(source.ty.ty),
        };
        let apart = match (target.base, source.base) {
            (Base::Local(a), Base::Local(b)) => a != b,
            (Base::Static(a), Base::Static(b)) => a != b,
            (Base::Local(_), Base::Static(_)) | (Base::Static(_), Base::Local(_)) => true,
            (Base::Reg(_), _) | (_, Base::Reg(_)) => true,
            (Base::Ptr(_), _) | (_, Base::Ptr(_)) => false,
        };
        if apart {
            return;
        }
        let named = !matches!(target.base, Base::Ptr(_)) && !matches!(source.base, Base::Ptr(_));
        if named && matches!((target.dynamic, source.dynamic), (Dyn::None, Dyn::None)) {
            if overlap.wrong(target.off as u64, source.off as u64) {
                self.undefined(Ub::OverlappingAssignment, Overlap::TEXT);
            }
            return;
        }
        let (a, b) = (self.address(*target, false), self.address(*source, false));
        self.lw.program.overlaps.push(overlap);
        let x = self.lw.program.overlaps.len() as u32 - 1;
        self.emit(Insn::CkOverlap { a, b, x });
    }
}
