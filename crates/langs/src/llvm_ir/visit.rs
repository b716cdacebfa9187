//! Walks over an instruction's blocks and operands.

use super::ast::{BlockId, Call, Op, Operand};

/// Shows each operand of an operation to a function, by references or by references to change through.
macro_rules! operands {
    ($op:expr, $visit:expr, $iter:ident) => {{
        let mut visit = $visit;
        match $op {
            Self::Ret(value) => value.$iter().for_each(|(_, v)| visit(v)),
            Self::Br(_) | Self::Unreachable | Self::Fence(_) | Self::Exception(_) => {}
            Self::CondBr { cond, .. } => visit(cond),
            Self::Switch { value, .. }
            | Self::FNeg { value, .. }
            | Self::Cast { value, .. }
            | Self::Freeze { value, .. }
            | Self::ExtractValue { value, .. } => visit(value),
            Self::IndirectBr { address, .. } => visit(address),
            Self::Binary { lhs, rhs, .. } | Self::ICmp { lhs, rhs, .. } | Self::FCmp { lhs, rhs, .. } => {
                visit(lhs);
                visit(rhs);
            }
            Self::Select { cond, then, other, .. } => [cond, then, other].into_iter().for_each(visit),
            Self::Phi { incoming, .. } => incoming.$iter().for_each(|(v, _)| visit(v)),
            Self::Alloca { count, .. } => count.$iter().for_each(|(_, v)| visit(v)),
            Self::Load { ptr, .. } => visit(ptr),
            Self::Store { value, ptr, .. } => {
                visit(value);
                visit(ptr);
            }
            Self::CmpXchg { ptr, expected, new, .. } => [ptr, expected, new].into_iter().for_each(visit),
            Self::AtomicRmw { ptr, value, .. } => {
                visit(ptr);
                visit(value);
            }
            Self::Gep { base, indices, .. } => {
                visit(base);
                indices.$iter().for_each(|(_, v)| visit(v));
            }
            Self::InsertValue { value, elem, .. } => {
                visit(value);
                visit(elem);
            }
            Self::ExtractElement { value, index, .. } => {
                visit(value);
                visit(index);
            }
            Self::InsertElement { value, elem, index, .. } => {
                [value, elem, index].into_iter().for_each(visit)
            }
            Self::Shuffle { a, b, .. } => {
                visit(a);
                visit(b);
            }
            Self::VaArg { list, .. } => visit(list),
            Self::Call(call) | Self::CallBranch { call, .. } => call.$iter().for_each(visit),
        }
    }};
}

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
        operands!(self, |o: &Operand| visit(*o), iter);
    }

    /// Visits every operand, which may become another.
    pub(crate) fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        operands!(self, |o: &mut Operand| visit(o), iter_mut);
    }
}

impl Call {
    /// The callee, the arguments, and what bundles are of.
    fn iter(&self) -> impl Iterator<Item = &Operand> {
        let bundled = self.bundles.iter().flat_map(|b| &b.args);
        std::iter::once(&self.callee).chain(self.args.iter().chain(bundled).map(|a| &a.value))
    }

    /// The same, to change.
    fn iter_mut(&mut self) -> impl Iterator<Item = &mut Operand> {
        let bundled = self.bundles.iter_mut().flat_map(|b| &mut b.args);
        std::iter::once(&mut self.callee).chain(self.args.iter_mut().chain(bundled).map(|a| &mut a.value))
    }
}
