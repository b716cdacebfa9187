//! Which values of a source are computed of undef, so that each use of them may see another: where a run may choose bits
//! for undef where it is read, and have thereby shown all that the source may do.
//!
//! Bits chosen where undef is read stay the same for every use of what is computed of them. That is all the source may do
//! only where each such value is read once; where it decides the way, divides, is stored or handed on nothing is chosen.

use super::{Ir, MadeFrom};
use crate::llvm_ir::ast::{BinOp, BlockId, ConstExpr, ConstId, ConstKind, Inst, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;

/// What is known of a function's values that are computed of undef.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Undecided {
    /// Whether bits chosen where undef is read show all that the function may do.
    pub(super) followed: bool,
    /// Whether the function returns such a value.
    pub(super) returned: bool,
}

impl Ir<'_> {
    pub(super) fn undecided(&self) -> Undecided {
        *self.undecided.get_or_init(|| self.undecided_values())
    }

    fn undecided_values(&self) -> Undecided {
        let f = self.f;
        let open = self.open_values();
        let mut reads = vec![0u32; f.locals.len()];
        let (mut settles, mut returned) = (false, false);
        for inst in &f.insts {
            // Of a shuffle one lane of a vector may become several.
            let times = match &inst.op {
                Op::Shuffle { mask, .. } if !self.takes_lanes_once(*mask) => 2,
                _ => 1,
            };
            inst.op.for_each_operand(|o| {
                if let Operand::Local(l) = o {
                    reads[l.0 as usize] += times;
                }
            });
            settles |= self.settles(&open, inst);
            if let Op::Ret(Some((_, value @ Operand::Local(_)))) = &inst.op {
                returned |= self.is_open(&open, *value);
            }
        }
        let twice = open.iter().zip(&reads).any(|(open, reads)| *open && *reads > 1);
        let again = open.contains(&true) && self.comes_back();
        Undecided { followed: !(twice || settles || again), returned }
    }

    /// Which locals are computed of undef.
    fn open_values(&self) -> Vec<bool> {
        let mut open = vec![false; self.f.locals.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for inst in &self.f.insts {
                let Some(result) = inst.result else { continue };
                let from = match &inst.op {
                    Op::Freeze { .. } | Op::Alloca { .. } => false,
                    Op::Load { ptr, .. } => {
                        self.is_open(&open, *ptr) || matches!(self.made_from(*ptr), MadeFrom::Stack)
                    }
                    op => {
                        let mut any = matches!(op, Op::Shuffle { mask, .. } if self.holds_undef(*mask, 0));
                        op.for_each_operand(|o| any |= self.is_open(&open, o));
                        any
                    }
                };
                if from && !std::mem::replace(&mut open[result.0 as usize], true) {
                    changed = true;
                }
            }
        }
        open
    }

    fn is_open(&self, open: &[bool], o: Operand) -> bool {
        match o {
            Operand::Local(l) => open.get(l.0 as usize).copied().unwrap_or(true),
            Operand::Const(c) => self.holds_undef(c, 0),
        }
    }

    /// Whether an instruction does something with a value computed of undef that several choices are no account of.
    fn settles(&self, open: &[bool], inst: &Inst) -> bool {
        let is = |o: &Operand| self.is_open(open, *o);
        let local = |o: &Operand| matches!(o, Operand::Local(_)) && is(o);
        match &inst.op {
            Op::CondBr { cond: o, .. }
            | Op::Switch { value: o, .. }
            | Op::IndirectBr { address: o, .. }
            | Op::Load { ptr: o, .. } => local(o),
            Op::Binary { op: BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem, rhs, .. } => is(rhs),
            Op::Store { value, ptr, .. } => local(value) || local(ptr),
            // One number of every lane.
            Op::Gep { base_ty, base, indices, .. } => {
                let result = inst.result.and_then(|l| self.f.locals.get(l.0 as usize));
                let mut parts = indices.iter().copied().chain([(*base_ty, *base)]);
                result.is_some_and(|l| self.m.types.is_vector(l.ty))
                    && parts.any(|(ty, o)| !self.m.types.is_vector(ty) && is(&o))
            }
            Op::Call(call) if matches!(call.intrinsic, Some((what, _)) if only_computes(what)) => false,
            Op::Call(_)
            | Op::CallBranch { .. }
            | Op::CmpXchg { .. }
            | Op::AtomicRmw { .. }
            | Op::VaArg { .. } => {
                let mut any = false;
                inst.op.for_each_operand(|o| any |= local(&o));
                any
            }
            _ => false,
        }
    }

    /// Whether a constant is undef, or has such parts.
    fn holds_undef(&self, c: ConstId, depth: u32) -> bool {
        let Some(c) = self.m.consts.get(c.0 as usize) else { return true };
        if depth > 16 {
            return true;
        }
        let of = |c: &ConstId| self.holds_undef(*c, depth + 1);
        match &c.kind {
            ConstKind::Undef => true,
            ConstKind::Aggregate(items) => items.iter().any(of),
            ConstKind::Splat(item) => of(item),
            ConstKind::Expr(expr) => match &**expr {
                ConstExpr::Gep { args, .. } => args.iter().any(of),
                ConstExpr::Cast(_, _, value) => of(value),
                ConstExpr::Binary(_, _, a, b) | ConstExpr::ICmp(_, a, b) | ConstExpr::FCmp(_, a, b) => {
                    of(a) || of(b)
                }
                ConstExpr::Other(..) => true,
            },
            ConstKind::Int(_)
            | ConstKind::Wide(_)
            | ConstKind::Float(_)
            | ConstKind::Null
            | ConstKind::Poison
            | ConstKind::Zero
            | ConstKind::Global(_)
            | ConstKind::Bytes(_)
            | ConstKind::None
            | ConstKind::BlockAddress(..)
            | ConstKind::Wrapped(..)
            | ConstKind::Metadata(_)
            | ConstKind::Asm(_) => false,
        }
    }

    /// Whether no lane is named twice by the mask of a shuffle.
    fn takes_lanes_once(&self, mask: ConstId) -> bool {
        let kind = |c: ConstId| self.m.consts.get(c.0 as usize).map(|c| &c.kind);
        let Some(ConstKind::Aggregate(items)) = kind(mask) else { return false };
        let mut seen = Vec::new();
        items.iter().all(|item| match kind(*item) {
            Some(ConstKind::Int(n)) => {
                let new = !seen.contains(n);
                seen.push(*n);
                new
            }
            Some(ConstKind::Undef | ConstKind::Poison) => true,
            _ => false,
        })
    }

    /// Whether a block may lead to itself.
    fn comes_back(&self) -> bool {
        (0..self.f.blocks.len()).any(|b| self.is_on_cycle(BlockId(b as u32)))
    }
}

/// Whether an intrinsic's value is all that it does.
fn only_computes(what: Intrinsic) -> bool {
    !matches!(
        what,
        Intrinsic::Block(_)
            | Intrinsic::VaStart
            | Intrinsic::VaCopy
            | Intrinsic::KeepGuard
            | Intrinsic::StackSave
            | Intrinsic::StackRestore
            | Intrinsic::MaskedLoad(_)
            | Intrinsic::MaskedStore(_)
            | Intrinsic::Locked(_)
            | Intrinsic::Assume
            | Intrinsic::LoadRelative
            | Intrinsic::LoadVector
            | Intrinsic::Trap
            | Intrinsic::ObjectSize
            | Intrinsic::Refused(_)
            | Intrinsic::Unknown
    )
}
