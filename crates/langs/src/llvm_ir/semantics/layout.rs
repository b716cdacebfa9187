//! Do two addresses belong to the same object? In variables that are defined here the text tells; else, when a function is
//! run on concrete inputs, its memory does.
//!
//! Where objects begin and end in the memory that a function is given is an input as the bytes are: of all layouts that are
//! possible a run takes the one where bytes beside each other that may be accessed are of one object, and objects end
//! where such bytes do: no other object is there. A difference seen there is one of the programs.

use super::{Ir, Side, State, Value};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{Flags, Op, Operand};
use crate::llvm_ir::types::TypeId;
use crate::memory::access::{AccessCheck, FIRST_PAGE};
use std::ops::Range;

/// How far apart (in bytes) two addresses may be at most: whether what lies between them may be accessed is looked at.
const LONGEST: u64 = 1 << 12;

/// Whether what lies between two addresses is of one object, by what may be accessed: where all of it may, it is; else one
/// of the two is in no object, or objects end between them. Null, and what is said to be near it, is no object's.
fn told_by_access<D: Domain>(d: &D, perm: &D::Mem, range: Range<u64>) -> Option<bool> {
    if range.start < FIRST_PAGE || range.end - range.start > LONGEST {
        return None;
    }
    d.holds_no_zero(perm, range)
}

impl Ir<'_> {
    /// Does `made`, an address computed from `base`, lie in the object that `base` points into, or one past its end? `None` in
    /// symbolic runs, and where the memory of the run does not tell. What is told first holds throughout the run: which object an
    /// address lies in does not change when that is freed, and addresses are computed before or behind a call alike.
    pub(super) fn in_one_object<D: Domain>(
        &self,
        d: &mut D,
        perm: &D::Mem,
        base: &D::Bv,
        made: &D::Bv,
    ) -> Option<bool> {
        d.holds_no_zero(perm, 0..0)?;
        if self.checks.access != AccessCheck::Mapped || d.width(base) != 64 {
            return None;
        }
        let (from, to) = (d.as_const(base)?.to_u64()?, d.as_const(made)?.to_u64()?);
        let (low, high) = if from < to { (base, made) } else { (made, base) };
        match d.shares_object(low, high) {
            Some(true) => return Some(true),
            Some(false) => return None,
            None => {}
        }
        let (low, high) = (from.min(to), from.max(to));
        let said = told_by_access(d, perm, low..high);
        d.said_first((low, high), said)
    }

    /// Notes undefined behaviour where what the source accesses at once does not lie in one object, where the target rests on
    /// that: it takes the access apart, and steps from part to part `inbounds`.
    pub(super) fn note_apart<D: Domain>(&self, d: &mut D, st: &mut State<D>, at: &D::Bv, bytes: u64) {
        let steps = |ir: &Ir<'_>| {
            ir.f.insts.iter().any(|i| matches!(&i.op, Op::Gep { flags, .. } if flags.has(Flags::INBOUNDS)))
        };
        if self.side != Side::Source || !self.checks.exact || !self.beside.as_deref().is_some_and(steps) {
            return;
        }
        // In a run on numbers its memory tells where objects end.
        if d.as_const(at).is_some() {
            return;
        }
        let end = d.add_num(at, i128::from(bytes));
        let null_is_none = self.null_is_no_object();
        let same = d.same_object(at, &end, null_is_none);
        let apart = d.not(&same);
        self.note_ub(d, st, &apart);
    }

    /// The flags of a `getelementptr` without an `inbounds` that it keeps by the program's text. Of the source's
    /// symbolic runs it stays: that the source is in bounds then says which addresses lie in one object, and the target
    /// may rest on it.
    pub(super) fn without_kept_bounds<D: Domain>(
        &self,
        d: &mut D,
        (flags, source): (Flags, TypeId),
        (base, operand): (&Value<D>, Operand),
        indices: &[Operand],
    ) -> Flags {
        let Value::Scalar(base) = base else { return flags };
        let numbers = d.as_const(&base.bits).is_some();
        let counts =
            self.checks.exact && flags.has(Flags::INBOUNDS) && (numbers || self.side == Side::Target);
        if counts && self.stays_in_object(source, operand, indices) {
            Flags(flags.0 & !Flags::INBOUNDS.0)
        } else {
            flags
        }
    }
}
