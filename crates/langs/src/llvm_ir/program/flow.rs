//! What the instructions of a function read and write, for liveness.

use super::Program;
use crate::liveness::Flow;
use crate::llvm_ir::ast::{BinOp, BlockId, ConstKind, Inst, LocalId, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;

impl Program<'_> {
    pub(super) fn flow(&self) -> Flow {
        let f = self.ir.f;
        let mut flow = Flow {
            variables: f.locals.len() + self.ir.promoted.len(),
            blocks: Vec::new(),
            uses: Vec::new(),
            defs: Vec::new(),
        };
        for inst in &f.insts {
            let mut uses = Vec::new();
            if !matches!(inst.op, Op::Phi { .. }) {
                inst.op.for_each_operand(|o| {
                    if let Operand::Local(l) = o {
                        uses.push(l.0 as usize);
                    }
                });
            }
            // The address of the result is returned too.
            if let (Op::Ret(_), Some(p)) = (&inst.op, self.sret()) {
                uses.push(f.params[p].local.0 as usize);
            }
            // What is promised of parameters is looked at where the function returns.
            if let Op::Ret(_) = &inst.op {
                uses.extend(self.ir.looked_at_behind().map(|p| f.params[p].local.0 as usize));
            }
            let mut defs: Vec<usize> = inst.result.map(|l| l.0 as usize).into_iter().collect();
            // Promoted slots are variables behind the locals.
            let (read, written) = self.ir.promoted_of(inst);
            uses.extend(read.into_iter().map(|c| f.locals.len() + c));
            defs.extend(written.into_iter().map(|c| f.locals.len() + c));
            flow.uses.push(uses);
            flow.defs.push(defs);
        }
        for (b, block) in f.blocks.iter().enumerate() {
            let successors: Vec<usize> = f
                .block_insts(BlockId(b as u32))
                .last()
                .map(|i| i.op.successors().iter().map(|s| s.0 as usize).collect())
                .unwrap_or_default();
            let mut edge_uses = Vec::new();
            for &s in &successors {
                for inst in f.block_insts(BlockId(s as u32)) {
                    let Op::Phi { incoming, .. } = &inst.op else { break };
                    for (value, from) in incoming {
                        if from.0 as usize == b
                            && let Operand::Local(l) = value
                        {
                            edge_uses.push(l.0 as usize);
                        }
                    }
                }
            }
            flow.blocks.push((block.first as usize..block.end as usize, successors, edge_uses));
        }
        flow
    }

    /// The parameter that holds the address of the result, if the convention returns that too.
    fn sret(&self) -> Option<usize> {
        self.boundary.lowered.as_ref()?.sret.filter(|p| *p < self.ir.f.params.len())
    }

    /// Which locals and promoted slots may hold poison, as far as that is worth following: where the source's flag is not
    /// followed, it picks bits instead, which it may at any time.
    pub(super) fn poisonable(&self) -> (Vec<bool>, Vec<bool>) {
        let f = self.ir.f;
        let (mut locals, mut promoted) = (vec![false; f.locals.len()], vec![false; self.ir.promoted.len()]);
        loop {
            let mut changed = false;
            for inst in &f.insts {
                let mut from = self.makes_poison(inst);
                inst.op.for_each_operand(|o| {
                    if let Operand::Local(l) = o {
                        from |= locals[l.0 as usize];
                    }
                });
                let (read, written) = self.ir.promoted_of(inst);
                match (&inst.op, inst.result) {
                    (Op::Call(_), None) => {
                        // Copies take poison along; which of the promoted slots is the target's does not matter.
                        let copied = read.iter().chain(&written).any(|c| promoted[*c]) || from;
                        for c in self.ir.promoted_written(inst) {
                            changed |= copied && !promoted[c];
                            promoted[c] |= copied;
                        }
                    }
                    (Op::Store { value, .. }, _) => {
                        let stored = matches!(value, Operand::Local(l) if locals[l.0 as usize]);
                        for c in read.into_iter().chain(written) {
                            changed |= stored && !promoted[c];
                            promoted[c] |= stored;
                        }
                    }
                    (Op::Freeze { .. } | Op::Alloca { .. }, _) | (_, None) => {}
                    (op, Some(LocalId(l))) => {
                        from = match op {
                            Op::Load { .. } => self.makes_poison(inst) || read.iter().any(|c| promoted[*c]),
                            Op::Call(call) => from && call.intrinsic.is_some(),
                            _ => from,
                        };
                        changed |= from && !locals[l as usize];
                        locals[l as usize] |= from;
                    }
                }
            }
            if !changed {
                return (locals, promoted);
            }
        }
    }

    /// Whether an instruction may make poison of operands that are none.
    fn makes_poison(&self, inst: &Inst) -> bool {
        let ir = &self.ir;
        match &inst.op {
            Op::Binary { op: BinOp::Shl | BinOp::LShr | BinOp::AShr, flags, rhs, .. } => {
                let known = matches!(rhs, Operand::Const(c)
                    if matches!(ir.m.consts.get(c.0 as usize).map(|c| &c.kind), Some(ConstKind::Int(_))));
                flags.0 != 0 || !known
            }
            Op::Binary { flags, .. } | Op::ICmp { flags, .. } | Op::Cast { flags, .. } => flags.0 != 0,
            Op::Load { .. } => {
                inst.attachments.iter().any(|(kind, _)| matches!(ir.m.names.text(*kind), "range" | "nonnull"))
            }
            Op::Call(call) => {
                matches!(
                    call.intrinsic,
                    Some((Intrinsic::Abs | Intrinsic::Zeros { .. } | Intrinsic::FirstLane, _))
                )
            }
            _ => {
                let mut found = false;
                inst.op.for_each_operand(|o| {
                    if let Operand::Const(c) = o {
                        found |=
                            matches!(ir.m.consts.get(c.0 as usize).map(|c| &c.kind), Some(ConstKind::Poison));
                    }
                });
                found
            }
        }
    }
}
