//! Pointers that are shorter than the addresses of memory: where they lead, and what is refused for them.

use super::{Ir, Res, Scalar, State};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::Operand;
use crate::llvm_ir::types::Types;

impl Ir<'_> {
    /// Notes undefined behaviour where an access goes on behind the last address that a short pointer has: no object does.
    pub(super) fn note_wrapped<D: Domain>(&self, d: &mut D, st: &mut State<D>, at: &D::Bv, bytes: u64) {
        let short = self.m.layout.pointer_bits(0);
        if short < 64 && bytes > 1 {
            let last = d.num(64, (1_u128 << short).saturating_sub(u128::from(bytes)));
            let beyond = d.ult(&last, at);
            self.note_ub(d, st, &beyond);
        }
    }

    /// Where a pointer leads: memory has addresses of 64 bits, of which shorter pointers are the lowest where all are short.
    pub(super) fn place<D: Domain>(&self, d: &mut D, st: &State<D>, ptr: Operand) -> Res<Scalar<D>> {
        let mut place = self.scalar(d, st, ptr, Types::PTR)?;
        if d.width(&place.bits) < 64 {
            if self.m.layout.pointer_bits(0) >= 64 {
                return self.unsupported("short pointers beside long ones");
            }
            place.bits = d.zfit(&place.bits, 64);
        }
        place.bits = self.in_memory(d, ptr, place.bits)?;
        Ok(place)
    }

    /// Refuses what is followed only where pointers are as long as addresses.
    pub(super) fn needs_whole_pointers(&self) -> Res<()> {
        if self.m.layout.pointer_bits(0) < 64 {
            return self.unsupported("short pointers other than those that loads and stores are given");
        }
        Ok(())
    }
}
