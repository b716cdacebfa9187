//! Walks over an instruction's blocks and operands.

use super::ast::{BlockId, Op, Operand};

impl Op {
    /// Visits every block an instruction names: successors and PHI predecessors.
    pub fn for_each_block(&mut self, mut visit: impl FnMut(&mut BlockId)) {
        match self {
            Self::Br(block) => visit(block),
            Self::CondBr { then, other, .. } => {
                visit(then);
                visit(other);
            }
            Self::Switch { default, cases, .. } => {
                visit(default);
                cases.iter_mut().for_each(|c| visit(&mut c.1));
            }
            Self::IndirectBr { targets, .. } | Self::CallBranch { targets, .. } => {
                targets.iter_mut().for_each(visit);
            }
            Self::Phi { incoming, .. } => incoming.iter_mut().for_each(|i| visit(&mut i.1)),
            Self::Ret(_)
            | Self::Unreachable
            | Self::Binary { .. }
            | Self::FNeg { .. }
            | Self::ICmp { .. }
            | Self::FCmp { .. }
            | Self::Cast { .. }
            | Self::Select { .. }
            | Self::Freeze { .. }
            | Self::Alloca { .. }
            | Self::Load { .. }
            | Self::Store { .. }
            | Self::Fence(_)
            | Self::CmpXchg { .. }
            | Self::AtomicRmw { .. }
            | Self::Gep { .. }
            | Self::ExtractValue { .. }
            | Self::InsertValue { .. }
            | Self::ExtractElement { .. }
            | Self::InsertElement { .. }
            | Self::Shuffle { .. }
            | Self::VaArg { .. }
            | Self::Call(_)
            | Self::Exception(_) => {}
        }
    }

    /// The blocks control may go to.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Self::Phi { .. } => Vec::new(),
            _ => {
                let mut out = Vec::new();
                self.clone().for_each_block(|b| out.push(*b));
                out
            }
        }
    }

    /// Visits every operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        match self {
            Self::Ret(value) => {
                if let Some((_, v)) = value {
                    visit(*v);
                }
            }
            Self::Br(_) | Self::Unreachable | Self::Fence(_) | Self::Exception(_) => {}
            Self::CondBr { cond, .. } => visit(*cond),
            Self::Switch { value, .. }
            | Self::FNeg { value, .. }
            | Self::Cast { value, .. }
            | Self::Freeze { value, .. }
            | Self::ExtractValue { value, .. } => visit(*value),
            Self::IndirectBr { address, .. } => visit(*address),
            Self::Binary { lhs, rhs, .. } | Self::ICmp { lhs, rhs, .. } | Self::FCmp { lhs, rhs, .. } => {
                visit(*lhs);
                visit(*rhs);
            }
            Self::Select { cond, then, other, .. } => [cond, then, other].into_iter().for_each(|v| visit(*v)),
            Self::Phi { incoming, .. } => incoming.iter().for_each(|i| visit(i.0)),
            Self::Alloca { count, .. } => {
                if let Some((_, v)) = count {
                    visit(*v);
                }
            }
            Self::Load { ptr, .. } => visit(*ptr),
            Self::Store { value, ptr, .. } => {
                visit(*value);
                visit(*ptr);
            }
            Self::CmpXchg { ptr, expected, new, .. } => {
                [ptr, expected, new].into_iter().for_each(|v| visit(*v));
            }
            Self::AtomicRmw { ptr, value, .. } => {
                visit(*ptr);
                visit(*value);
            }
            Self::Gep { base, indices, .. } => {
                visit(*base);
                indices.iter().for_each(|i| visit(i.1));
            }
            Self::InsertValue { value, elem, .. } => {
                visit(*value);
                visit(*elem);
            }
            Self::ExtractElement { value, index, .. } => {
                visit(*value);
                visit(*index);
            }
            Self::InsertElement { value, elem, index, .. } => {
                [value, elem, index].into_iter().for_each(|v| visit(*v));
            }
            Self::Shuffle { a, b, .. } => {
                visit(*a);
                visit(*b);
            }
            Self::VaArg { list, .. } => visit(*list),
            Self::Call(call) | Self::CallBranch { call, .. } => {
                visit(call.callee);
                let bundled = call.bundles.iter().flat_map(|b| &b.args);
                call.args.iter().chain(bundled).for_each(|a| visit(a.value));
            }
        }
    }
}
