//! What choices ask of an LLVM IR function.

use super::ast::{CastOp, ConstKind, Flags, IntPred, LocalId, Op, Operand};
use super::semantics::Ir;
use crate::choice::{LibraryCall, OpenEdge, Source, SourceExtensions, ValueId};

impl Source for Ir<'_> {
    fn extensions(&self) -> Vec<SourceExtensions> {
        let mut out = Vec::new();
        for block in &self.f.blocks {
            let name = self.m.names.text(block.name).to_owned();
            let mut here = SourceExtensions { block: name, ..SourceExtensions::default() };
            for inst in &self.f.insts[block.first as usize..block.end as usize] {
                let Op::Cast { op, flags, from, .. } = &inst.op else { continue };
                let Ok(w) = self.scalar_bits(*from) else { continue };
                match (op, inst.result) {
                    (CastOp::SExt, _) => *here.sign.entry(w).or_default() += 1,
                    (CastOp::ZExt, Some(local)) if flags.has(Flags::NNEG) => {
                        here.nonnegative.push((w, local.0));
                    }
                    _ => {}
                }
            }
            out.push(here);
        }
        out
    }

    fn calls_of(&self, names: &[&str]) -> Vec<LibraryCall> {
        let mut out = Vec::new();
        for inst in &self.f.insts {
            let Op::Call(call) = &inst.op else { continue };
            let Some(name) = self.callee_name(call).filter(|n| names.contains(n)) else { continue };
            let length = call.args.get(2).and_then(|a| self.small_constant(a.value));
            out.push(LibraryCall {
                result: inst.result.map(|l| l.0),
                arguments: call.args.len(),
                length: length.and_then(|n| u64::try_from(n).ok()),
                only_reads: self.only_reads(call, name),
                compared_with_zero: inst.result.is_some_and(|l| self.only_compared_with_zero(l)),
            });
        }
        out
    }

    fn open_edges(&self, value: ValueId) -> Vec<OpenEdge> {
        let def = self.f.locals[value as usize].def.and_then(|i| self.f.insts.get(i as usize));
        let Some(Op::Phi { incoming, .. }) = def.map(|i| &i.op) else { return Vec::new() };
        let open = incoming.iter().filter(|(operand, _)| self.holds_nothing(*operand));
        let name = |block: usize| self.m.names.text(self.f.blocks[block].name).to_owned();
        open.map(|(_, b)| OpenEdge { value, from: b.0, from_name: name(b.0 as usize) }).collect()
    }
}

impl Ir<'_> {
    /// Whether a result is only asked to be zero or not.
    pub(crate) fn only_compared_with_zero(&self, local: LocalId) -> bool {
        self.f.insts.iter().all(|inst| {
            let mut used = false;
            inst.op.for_each_operand(|o| used |= o == Operand::Local(local));
            match &inst.op {
                Op::ICmp { pred: IntPred::Eq | IntPred::Ne, lhs, rhs, .. } if used => {
                    let zero = |o: &Operand| self.small_constant(*o) == Some(0);
                    zero(lhs) || zero(rhs)
                }
                _ => !used,
            }
        })
    }

    /// Whether an operand is undef or poison as it stands.
    fn holds_nothing(&self, operand: Operand) -> bool {
        let Operand::Const(c) = operand else { return false };
        let kind = self.m.consts.get(c.0 as usize).map(|c| &c.kind);
        matches!(kind, Some(ConstKind::Undef | ConstKind::Poison))
    }
}
