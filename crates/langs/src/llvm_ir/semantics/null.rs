//! What lies at null, and near it: nothing that the source may access.

use super::{Ir, Side, State};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::Operand;
use crate::llvm_ir::types::Type;
use crate::memory::access::{AccessCheck, FIRST_PAGE};

impl Ir<'_> {
    /// Whether no object lies at null, as it is in the address space that C has.
    pub(super) fn null_is_no_object(&self) -> bool {
        !self.function_says("null_pointer_is_valid")
            && !self.m.types.all().any(|t| matches!(t, Type::Ptr(space) if *space != 0))
    }

    /// Between IR programs, the source is undefined where it accesses what null leads to: no object lies there.
    pub(super) fn note_null<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (at, operand): (&D::Bv, Operand),
    ) {
        let none = !self.function_says("null_pointer_is_valid") && self.space_of(operand) == 0;
        if self.checks.exact && self.side == Side::Source && none {
            let null = d.is_zero(at);
            self.note_ub(d, st, &null);
        }
    }

    /// States the assumption that makes an access of the source undefined where its address is a small number.
    pub(super) fn note_first_page<D: Domain>(&self, d: &mut D, at: &D::Bv, bytes: u64) {
        let number = d.as_const(at).and_then(|a| a.to_u64());
        let from_zero = self.checks.access == AccessCheck::MappedFromZero;
        if bytes == 0 || from_zero || self.side == Side::Target || number.is_none_or(|a| a >= FIRST_PAGE) {
            return;
        }
        // A run on numbers proves nothing.
        let probe = d.nondet("probe", 1);
        if d.as_const(&probe).is_none() {
            self.assume(Assumption::FirstPage);
        }
    }
}
