//! Comparisons of the source with addresses of its own objects that nobody can have: where an object lies is the source's
//! choice, so that it lies nowhere that it is compared with. Optimisers know it, and take such comparisons away.

use super::allocation::{defined_by, itself, root};
use super::undefined::is_nothing;
use crate::llvm_ir::ast::{ConstKind, Function, Inst, IntPred, LocalId, Module, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::types::Types;
use std::collections::{BTreeMap, BTreeSet};

/// The source with these comparisons answered; none where there are none.
pub(super) fn without_guesses(m: &Module, f: &Function) -> Option<Module> {
    let hidden = hidden_objects(f);
    let mut answers: BTreeMap<usize, bool> = BTreeMap::new();
    for (at, inst) in f.insts.iter().enumerate() {
        let Op::ICmp { pred: pred @ (IntPred::Eq | IntPred::Ne), lhs, rhs, .. } = &inst.op else { continue };
        let object = |o: Operand| match itself(m, f, o) {
            Operand::Local(l) if hidden.contains(&l) => Some(l),
            _ => None,
        };
        let apart = |l: LocalId, other: Operand| root(f, other) != Operand::Local(l) && !is_nothing(m, other);
        let known =
            object(*lhs).is_some_and(|l| apart(l, *rhs)) || object(*rhs).is_some_and(|l| apart(l, *lhs));
        if known {
            answers.insert(at, *pred == IntPred::Ne);
        }
    }
    if answers.is_empty() {
        return None;
    }
    let mut changed = m.clone();
    let truth = [0, 1].map(|n| changed.new_constant(Types::I1, ConstKind::Int(n)));
    let g = f.rewritten(|at, inst| match answers.get(&at) {
        Some(answer) => {
            let value = truth[usize::from(*answer)];
            vec![Inst { op: Op::Freeze { ty: Types::I1, value }, ..inst.clone() }]
        }
        None => vec![inst.clone()],
    });
    changed.put(g)?;
    Some(changed)
}

/// The objects of the stack that are only accessed and compared: nothing else learns where they lie.
fn hidden_objects(f: &Function) -> BTreeSet<LocalId> {
    let is_object = |o: Operand| defined_by(f, o).is_some_and(|n| matches!(f.insts[n].op, Op::Alloca { .. }));
    let mut out: BTreeSet<LocalId> = BTreeSet::new();
    for inst in &f.insts {
        if let (Op::Alloca { .. }, Some(local)) = (&inst.op, inst.result) {
            out.insert(local);
        }
    }
    for inst in &f.insts {
        let mut shown = |o: Operand| {
            if let root @ Operand::Local(l) = root(f, o)
                && is_object(root)
            {
                out.remove(&l);
            }
        };
        match &inst.op {
            Op::Load { .. } | Op::ICmp { pred: IntPred::Eq | IntPred::Ne, .. } => {}
            Op::Store { value, .. } => shown(*value),
            Op::Gep { indices, .. } => indices.iter().for_each(|i| shown(i.1)),
            Op::Call(call)
                if matches!(call.intrinsic, Some((Intrinsic::Block(_) | Intrinsic::Lifetime, _))) => {}
            op => op.for_each_operand(&mut shown),
        }
    }
    out
}
