//! What flags of the target's floating-point instructions leave to choose, held against the source's.
//!
//! A target's instruction may give any of several values. It is held to be a function of the plain result, of which nothing
//! is known. An instruction of the source that does the same and has its leave may make the same choice; which of them
//! makes whose is a guess. One instruction of the source never makes two choices, as it has one result; an instruction on
//! a cycle may choose anew each time round, and is not followed.

use super::{Ir, Res, Scalar, Side, Value};
use crate::domain::{Domain, Ext};
use crate::llvm_ir::ast::{BlockId, Flags, Inst, LocalId, Op};
use crate::llvm_ir::types::{Type, TypeId};
use crate::operation::Operation;
use rustc_hash::FxHashMap;

/// Numbers of the target's instructions whose choice an instruction of this function makes, by its result.
#[derive(Default, Debug)]
pub(super) struct MathChoices(FxHashMap<LocalId, u32>);

/// Every flag that leaves a choice, where they say so.
pub(super) fn leave(flags: Flags) -> u32 {
    let all = [Flags::NSZ, Flags::ARCP, Flags::CONTRACT, Flags::AFN, Flags::REASSOC].into_iter();
    let all = all.fold(Flags(0), Flags::with);
    if flags.has(Flags::FAST) { all.0 } else { flags.0 & all.0 }
}

/// The flags and the type of an instruction that computes a number, merges numbers or compares them.
fn flagged(inst: &Inst) -> Option<(Flags, TypeId)> {
    match &inst.op {
        Op::Binary { flags, ty, .. }
        | Op::FNeg { flags, ty, .. }
        | Op::FCmp { flags, ty, .. }
        | Op::Select { flags, ty, .. }
        | Op::Phi { flags, ty, .. }
        | Op::Cast { flags, to: ty, .. } => Some((*flags, *ty)),
        _ => None,
    }
    .filter(|(flags, _)| leave(*flags) != 0)
}

/// Whether two instructions do the same, the first with every leave of the second. Those that merge values, PHIs and
/// selects, leave the same choices of the value that they merge to.
fn alike((source, s): (&Ir<'_>, &Inst), (target, t): (&Ir<'_>, &Inst)) -> bool {
    let (Some((a, ty)), Some((b, other))) = (flagged(s), flagged(t)) else { return false };
    let format = |ir: &Ir<'_>, ty: TypeId| match ir.m.types.resolve(ir.elem_type(ty)) {
        Type::Float(kind) => Some(*kind),
        _ => None,
    };
    let same = match (&s.op, &t.op) {
        (Op::Binary { op, .. }, Op::Binary { op: other, .. }) => op == other,
        (Op::Cast { op, .. }, Op::Cast { op: other, .. }) => op == other,
        (Op::FCmp { pred, .. }, Op::FCmp { pred: other, .. }) => pred == other,
        (Op::FNeg { .. }, Op::FNeg { .. })
        | (Op::Select { .. } | Op::Phi { .. }, Op::Select { .. } | Op::Phi { .. }) => true,
        _ => false,
    };
    let format = format(source, ty) == format(target, other);
    same && format && leave(b) & !leave(a) == 0
}

impl Ir<'_> {
    /// Whether control that leaves a block may come back to it.
    pub(super) fn is_on_cycle(&self, block: BlockId) -> bool {
        let next =
            |b: BlockId| self.f.block_insts(b).last().map(|inst| inst.op.successors()).unwrap_or_default();
        let (mut open, mut seen) = (next(block), vec![false; self.f.blocks.len()]);
        while let Some(b) = open.pop() {
            if b == block {
                return true;
            }
            if let Some(seen) = seen.get_mut(b.0 as usize)
                && !std::mem::replace(seen, true)
            {
                open.extend(next(b));
            }
        }
        false
    }

    /// Which of the target's choices this function's instructions make.
    fn math_choices(&self) -> &MathChoices {
        self.math_choices.get_or_init(|| {
            let Some(beside) = self.beside.as_deref() else { return MathChoices::default() };
            let (source, target) = match self.side {
                Side::Source => (self, beside),
                Side::Target => (beside, self),
            };
            let mut made: Vec<(LocalId, &Inst, bool)> = Vec::new();
            for (n, block) in target.f.blocks.iter().enumerate() {
                let all = &target.f.insts[block.first as usize..block.end as usize];
                if !all.iter().any(|i| flagged(i).is_some()) || target.is_on_cycle(BlockId(n as u32)) {
                    continue;
                }
                let chosen = all.iter().filter(|i| flagged(i).is_some());
                made.extend(chosen.filter_map(|i| Some((i.result?, i, false))));
            }
            let mut of_source = FxHashMap::default();
            for inst in &source.f.insts {
                let Some(local) = inst.result.filter(|_| flagged(inst).is_some()) else { continue };
                let fits = |(_, t, _): &(LocalId, &Inst, bool)| alike((source, inst), (target, t));
                let free = made.iter().position(|m| fits(m) && !m.2);
                if let Some(n) = free.or_else(|| made.iter().position(fits)) {
                    made[n].2 = true;
                    of_source.insert(local, n as u32);
                }
            }
            MathChoices(match self.side {
                Side::Source => of_source,
                Side::Target => {
                    made.iter().enumerate().filter(|(_, m)| m.2).map(|(n, m)| (m.0, n as u32)).collect()
                }
            })
        })
    }

    /// An instruction's result as it was chosen.
    ///
    /// # Errors
    /// [`super::Unsupported`] for choices of the target that the source does not have, or more than once.
    pub(super) fn chosen_result<D: Domain>(&self, d: &mut D, inst: &Inst, value: Value<D>) -> Res<Value<D>> {
        let Some((flags, ty)) = flagged(inst).filter(|_| self.checks.exact) else { return Ok(value) };
        let number = inst.result.and_then(|l| self.math_choices().0.get(&l).copied());
        let Some(number) = number else {
            return if self.side == Side::Source { Ok(value) } else { self.unsupported("fast-math flags") };
        };
        let mut lane = 0;
        let chosen = self.lanes(d, &value, &value, &mut |d, x, _| {
            let operation = Operation::Chosen { number, lane };
            lane += 1;
            let bits = d.operation(&operation, std::slice::from_ref(&x.bits), d.width(&x.bits));
            Ok(Scalar { bits, poison: x.poison.clone(), undef: x.undef.clone() })
        })?;
        if matches!(inst.op, Op::FCmp { .. }) {
            return Ok(chosen);
        }
        self.math_lanes(d, flags, self.elem_type(ty), chosen, &[])
    }
}
