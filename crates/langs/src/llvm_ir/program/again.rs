//! Poison of values that the target computed before a point: what their definitions say of operands that still hold.
//!
//! Optimisers move arithmetic out of loops, and no relation between the variables of both sides says whether the
//! result of `getelementptr inbounds` is poison: the source computes the same inside of the loop. In SSA form, where a
//! value's definition dominates a point, its operands there are those that it was computed of: to execute an operand's
//! definition anew and come to the point without the value's would be a way around the latter. So its poison may be
//! computed again from the operands, which are variables of the point for that.

use super::Program;
use crate::domain::Domain;
use crate::llvm_ir::ast::{BinOp, LocalId, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::semantics::{Scalar, Side, State, Value};

/// The most definitions computed again for one value, and the longest chain of them.
const MOST: usize = 12;

impl Program<'_> {
    /// The operands of a definition that is worth computing again: it makes poison (or `any` will do), does nothing
    /// else, and the same operands give the same again. The source's operands may be undef, which reads differently each time.
    fn operands_of_pure(&self, local: LocalId, any: bool) -> Option<Vec<LocalId>> {
        if !self.ir.checks.exact || self.ir.side != Side::Target {
            return None;
        }
        let f = self.ir.f;
        let inst = f.locals.get(local.0 as usize)?.def.and_then(|i| f.insts.get(i as usize))?;
        let makes_poison = match &inst.op {
            Op::Gep { flags, .. } | Op::Cast { flags, .. } => flags.0 != 0,
            Op::Binary {
                op: BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Or, flags, ..
            } => flags.0 != 0,
            Op::Binary { op: BinOp::And | BinOp::Xor | BinOp::LShr | BinOp::AShr, .. } | Op::ICmp { .. } => {
                false
            }
            Op::Call(call) if matches!(call.intrinsic, Some((Intrinsic::MinMax(..), _))) => false,
            _ => return None,
        };
        if !makes_poison && !any {
            return None;
        }
        let mut out = Vec::new();
        inst.op.for_each_operand(|o| {
            if let Operand::Local(l) = o {
                out.push(l);
            }
        });
        Some(out)
    }

    /// The address that a value was loaded from, if that is a value too: of a load that was moved out of a loop it says
    /// what memory may hold there still.
    fn loaded_from(&self, local: LocalId) -> Option<LocalId> {
        let f = self.ir.f;
        let inst = f.locals.get(local.0 as usize)?.def.and_then(|i| f.insts.get(i as usize))?;
        match &inst.op {
            Op::Load { ptr: Operand::Local(l), access, .. }
                if self.ir.checks.exact
                    && self.ir.side == Side::Target
                    && !access.volatile
                    && access.ordering.is_none() =>
            {
                Some(*l).filter(|l| matches!(self.widths.get(l.0 as usize), Some(Some(_))))
            }
            _ => None,
        }
    }

    /// Values and all that they are computed of.
    pub(super) fn with_operands(&self, values: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut marked = vec![false; self.ir.f.locals.len()];
        let mut todo: Vec<usize> = values.collect();
        while let Some(value) = todo.pop() {
            if !std::mem::replace(&mut marked[value], true) {
                let operands = self.operands_of_pure(LocalId(value as u32), true).unwrap_or_default();
                todo.extend(operands.into_iter().map(|l| l.0 as usize));
                todo.extend(self.loaded_from(LocalId(value as u32)).map(|l| l.0 as usize));
            }
        }
        marked
    }

    /// What a value's poison is computed of: definitions, operands first, and what those read. It is a matter of the
    /// value alone, not of the point, so that a point that the value is live at has all of it, and so have the points
    /// before; and it has all that those of its operands have.
    fn computed_of(&self, local: LocalId) -> Option<(Vec<LocalId>, Vec<LocalId>)> {
        let of = |any: bool| {
            let (mut definitions, mut read) = (Vec::new(), Vec::new());
            let found = self.follow(local, MOST, any, &mut definitions, &mut read);
            found.then_some((definitions, read))
        };
        let hoisted = self.hoisted.get(local.0 as usize) == Some(&true);
        if hoisted && let Some(address) = self.loaded_from(local).filter(|l| !self.is_alloca(*l)) {
            let (definitions, mut read) = self.computed_of(address)?;
            read.extend((!read.contains(&address)).then_some(address));
            return Some((definitions, read));
        }
        hoisted.then(|| of(true)).flatten().or_else(|| of(false))
    }

    fn follow(
        &self,
        local: LocalId,
        depth: usize,
        any: bool,
        definitions: &mut Vec<LocalId>,
        read: &mut Vec<LocalId>,
    ) -> bool {
        if definitions.contains(&local) {
            return true;
        }
        let Some(operands) = self.operands_of_pure(local, any) else { return true };
        // A chain that is too long is not followed in part; nor is one in a circle, which only dead code has.
        if depth == 0 {
            return false;
        }
        for l in operands {
            if self.widths.get(l.0 as usize).is_none_or(Option::is_none) {
                return false;
            }
            if !self.follow(l, depth - 1, any, definitions, read) {
                return false;
            }
            if !self.is_alloca(l) && !read.contains(&l) {
                read.push(l);
            }
        }
        definitions.push(local);
        definitions.len() <= MOST
    }

    /// Adds to the variables of a point what they were computed of; says which definitions to compute again, operands
    /// first, and which variables there are only for that.
    pub(super) fn computed_again(&self, live: &mut Vec<usize>) -> (Vec<LocalId>, Vec<LocalId>) {
        let locals = self.ir.f.locals.len();
        let own: Vec<LocalId> = live.iter().filter(|v| **v < locals).map(|v| LocalId(*v as u32)).collect();
        let (mut again, mut added) = (Vec::new(), Vec::new());
        for local in own {
            let Some((definitions, read)) = self.computed_of(local) else { continue };
            again.extend(definitions.into_iter().filter(|l| !again.contains(l)).collect::<Vec<_>>());
            for l in read {
                if !live.contains(&(l.0 as usize)) {
                    live.push(l.0 as usize);
                    added.push(l);
                }
            }
        }
        live.sort_unstable();
        (again, added)
    }

    /// Computes poison again.
    pub(super) fn compute_again<D: Domain>(&self, d: &mut D, st: &mut State<D>, again: &[LocalId]) {
        let f = self.ir.f;
        for local in again {
            let at = local.0 as usize;
            let Some(inst) = f.locals[at].def.and_then(|i| f.insts.get(i as usize)) else { continue };
            let Some(Value::Scalar(known)) = st.locals[at].clone() else { continue };
            // What cannot be computed stays what its variables say.
            if self.ir.exec(d, st, inst).is_ok()
                && let Some(Value::Scalar(computed)) = &st.locals[at]
            {
                let poison = d.and(&known.poison, &computed.poison);
                st.locals[at] = Some(Value::Scalar(Scalar { poison, ..known }));
            } else {
                st.locals[at] = Some(Value::Scalar(known));
            }
        }
    }
}
