//! Accesses beyond the object that their address is made from, step by step: undefined, whatever lies there. Where the steps
//! are constants the text tells; where they are computed, what is accessed tells how far they lead. An address at the end
//! of an object is one of it as well, and another object may begin there.

use super::{Ir, Side, State, global_address, known_global_size};
use crate::domain::{CmpOp, Domain, Ext};
use crate::llvm_ir::ast::{CastOp, Op, Operand};

/// Longest chain of steps to an address that is followed back.
pub(super) const STEPS: u32 = 16;

impl Ir<'_> {
    /// Notes undefined behaviour where an access of the source reaches beyond the stack object, or the variable of this
    /// module, that its address is made from by steps that are computed. (What a target's access reaches is held
    /// against it by where it leads.)
    pub(super) fn note_beyond<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (at, operand): (&D::Bv, Operand),
        bytes: u64,
    ) {
        if !self.checks.exact || self.side != Side::Source || self.place_in_object(operand).is_some() {
            return;
        }
        let Some((start, size)) = self.object_behind(d, st.frame, operand) else { return };
        let beyond = match size.checked_sub(bytes) {
            None => d.bool(true),
            Some(room) => {
                let offset = d.sub(at, &start);
                let room = d.num(d.width(at), u128::from(room));
                d.cmp(CmpOp::Ult, &room, &offset)
            }
        };
        self.note_ub(d, st, &beyond);
    }

    /// Where the object begins that an address is made from, and how long it is.
    fn object_behind<D: Domain>(&self, d: &mut D, frame: u32, operand: Operand) -> Option<(D::Bv, u64)> {
        if let Some(name) = self.global_of(operand) {
            // Declared alone it may be longer where it is defined.
            self.m.globals.iter().find(|g| g.name == name && g.init.is_some())?;
            let size = known_global_size(self.m, name)?;
            return Some((global_address(d, self.m, self.m.names.text(name)), size));
        }
        self.stack_object_behind(d, frame, operand).map(|(start, size, _)| (start, size))
    }

    /// The start of the stack object that an address is made from, where it is declared to be so aligned.
    pub(super) fn aligned_stack_object<D: Domain>(
        &self,
        d: &mut D,
        frame: u32,
        operand: Operand,
        align: u64,
    ) -> Option<D::Bv> {
        let (start, _, own) = self.stack_object_behind(d, frame, operand)?;
        own.is_multiple_of(align).then_some(start)
    }

    /// Where the stack object begins that an address is made from, how long it is and how it is aligned.
    fn stack_object_behind<D: Domain>(
        &self,
        d: &mut D,
        frame: u32,
        operand: Operand,
    ) -> Option<(D::Bv, u64, u64)> {
        let mut at = operand;
        for _ in 0..STEPS {
            let Operand::Local(local) = at else { return None };
            at = match self.defined_by(local)? {
                Op::Gep { base, .. } => *base,
                Op::Cast { op: CastOp::BitCast, value, .. } => *value,
                Op::Alloca { ty, count, align, .. } => {
                    let (size, align) = self.alloca_size(*ty, *count, *align)?;
                    let index = self.object_index.get(&local).copied()?;
                    let name = Self::stack_name(frame, self.object_number(index));
                    return Some((d.address(&name, Some(size)), size, align));
                }
                _ => return None,
            };
        }
        None
    }
}
