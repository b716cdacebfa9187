//! Uses of a pointer's value that look at nothing it points to: copies, tests, conversions to integers, arguments. The
//! value of a pointer is gone with its object (C11 6.2.4p2, C23 6.2.4p2: undefined where it is used in an evaluation).
//! Dereferences, arithmetic and comparisons of two pointers look for themselves.

use super::func::FnLower;
use crate::bytecode::{Callee, Insn, Reg};
use crate::class::Scalar;
use csyntax::tree::{Conversion, ExprId, ExprKind, FnId};

impl FnLower<'_, '_> {
    /// The value of `e`, which is in `reg`, is used: if it was read from an object and is a pointer, then to something alive.
    pub(super) fn alive(&mut self, e: ExprId, reg: Reg) {
        if self.reads_pointer(e) {
            self.emit(Insn::CkExtent { p: reg, n: 0 });
        }
    }

    /// As [`FnLower::alive`], of an argument of a function: those of the library look at their pointers themselves.
    pub(super) fn alive_argument(&mut self, direct: Option<FnId>, e: ExprId, reg: Reg) {
        let callees = &self.lw.program.callees;
        if !direct.is_some_and(|id| matches!(callees[id.index()], Callee::Native(_))) {
            self.alive(e, reg);
        }
    }

    /// Is this a pointer that is read from an object, perhaps converted to another type of pointer?
    fn reads_pointer(&self, e: ExprId) -> bool {
        let unit = self.lw.unit;
        if self.scalar(unit[e].ty.ty) != Some(Scalar::Ptr) {
            return false;
        }
        let mut at = e;
        loop {
            match unit[at].kind {
                ExprKind::Convert { kind: Conversion::PtrToPtr | Conversion::NoOp, value, .. } => at = value,
                ExprKind::Load(_) => return self.scalar(unit[at].ty.ty) == Some(Scalar::Ptr),
                _ => return false,
            }
        }
    }
}
