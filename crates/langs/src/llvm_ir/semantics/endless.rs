//! Loops that never end and do nothing meanwhile, where the text promises that loops make progress
//! (`llvm.loop.mustprogress`, `mustprogress`): undefined behaviour of the source. `for (i = 0; i <= n; i++)` is one where `n` is
//! the greatest number of its type, so that optimisers may compute with `n + 1` rounds.
//!
//! Only loops are looked at that go on by a comparison of something with what stays the same in the loop, which have no
//! other way out and no loop inside.

use super::{Ir, State};
use crate::domain::Domain;
use crate::llvm_ir::ast::{BlockId, Function, Inst, IntPred, LocalId, Module, Op, Operand};
use crate::llvm_ir::types::{Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Bv;

/// Most blocks of a loop.
const MOST: usize = 64;

/// A conditional branch, by what it says: no other one of the function says the same.
type Branch = (LocalId, BlockId, BlockId);

/// The branches that go on for ever where one of these values is that number.
#[derive(Default)]
pub(super) struct Endless(FxHashMap<Branch, Vec<(LocalId, TypeId, Bv)>>);

impl Endless {
    /// Those of a function.
    pub fn of(m: &Module, f: &Function) -> Endless {
        let mut out = Endless::default();
        let mut seen: FxHashSet<Branch> = FxHashSet::default();
        for b in (0..f.blocks.len()).map(|b| BlockId(b as u32)) {
            let Some(Inst { op: Op::CondBr { cond: Operand::Local(cond), then, other }, .. }) =
                f.block_insts(b).last()
            else {
                continue;
            };
            let branch = (*cond, *then, *other);
            let found = [(true, *then, *other), (false, *other, *then)]
                .into_iter()
                .find_map(|(holds, inside, out)| endless(m, f, b, (*cond, holds), (inside, out)));
            if !seen.insert(branch) {
                out.0.remove(&branch);
            } else if let Some(found) = found {
                out.0.insert(branch, found);
            }
        }
        out
    }
}

impl Ir<'_> {
    /// Notes that a branch goes on for ever.
    pub(super) fn note_endless<D: Domain>(&self, d: &mut D, st: &mut State<D>, branch: Branch) {
        for (value, ty, number) in self.endless.0.get(&branch).into_iter().flatten() {
            if let Ok(x) = self.scalar(d, st, Operand::Local(*value), *ty) {
                let number = d.constant(number.clone());
                let same = d.eq(&x.bits, &number);
                self.note_ub(d, st, &same);
            }
        }
    }
}

/// When a branch at the head of a loop never leaves it, if its loop has to make progress and makes none.
fn endless(
    m: &Module,
    f: &Function,
    head: BlockId,
    (cond, holds): (LocalId, bool),
    (inside, out): (BlockId, BlockId),
) -> Option<Vec<(LocalId, TypeId, Bv)>> {
    let compared = f.block_insts(head).iter().find(|i| i.result == Some(cond))?;
    let Op::ICmp { pred, ty, lhs, rhs, .. } = &compared.op else { return None };
    let Type::Int(width) = *m.types.resolve(*ty) else { return None };
    let (low, high) = (Bv::zero(width), Bv::ones(width));
    let (least, most) = (Bv::smin(width), Bv::smin(width).add(&Bv::ones(width)));
    // What makes the comparison true whatever it is compared with: of the first and of the second.
    let (first, second) = match (pred, holds) {
        (IntPred::Ule, true) | (IntPred::Ugt, false) => (low, high),
        (IntPred::Uge, true) | (IntPred::Ult, false) => (high, low),
        (IntPred::Sle, true) | (IntPred::Sgt, false) => (least, most),
        (IntPred::Sge, true) | (IntPred::Slt, false) => (most, least),
        _ => return None,
    };
    let body = body(f, head, inside).filter(|body| !body.contains(&out) && out != head)?;
    let all = || body.iter().copied().chain([head]);
    if !progresses(m, f, head, &body) {
        return None;
    }
    let stays = |o: Operand| match o {
        Operand::Local(l) => {
            let inside = |b: BlockId| f.block_insts(b).iter().any(|i| i.result == Some(l));
            (!all().any(inside)).then_some(l)
        }
        Operand::Const(_) => None,
    };
    let sides = [(stays(*lhs), first), (stays(*rhs), second)];
    let found: Vec<_> = sides.into_iter().filter_map(|(l, number)| Some((l?, *ty, number))).collect();
    (!found.is_empty()).then_some(found)
}

/// The blocks of a loop besides its head, entered there alone; none where anything leaves it, goes round inside, or may be
/// seen.
fn body(f: &Function, head: BlockId, inside: BlockId) -> Option<Vec<BlockId>> {
    let successors = |b: BlockId| f.block_insts(b).last().map(|i| i.op.successors()).unwrap_or_default();
    if !f.block_insts(head).iter().all(is_quiet) {
        return None;
    }
    let mut found: Vec<BlockId> = Vec::new();
    let mut todo = vec![inside];
    while let Some(b) = todo.pop() {
        if b == head || found.contains(&b) {
            continue;
        }
        f.block_insts(b).last()?;
        if found.len() == MOST || !f.block_insts(b).iter().all(is_quiet) {
            return None;
        }
        found.push(b);
        todo.extend(successors(b));
    }
    let enters = |b: BlockId| b != head && !found.contains(&b);
    let entered = |b: BlockId| enters(b) && successors(b).iter().any(|s| found.contains(s));
    if (0..f.blocks.len()).any(|b| entered(BlockId(b as u32))) {
        return None;
    }
    // Without the head nothing goes round: each block in turn comes after all that lead to it.
    let mut left = found.clone();
    while !left.is_empty() {
        let before = left.len();
        let led: Vec<BlockId> = left.iter().flat_map(|b| successors(*b)).collect();
        left.retain(|b| led.contains(b));
        if left.len() == before {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Whether nobody sees that an instruction is executed, and what follows it is executed too.
fn is_quiet(inst: &Inst) -> bool {
    match &inst.op {
        Op::Load { access, .. } | Op::Store { access, .. } => access.is_plain(),
        Op::Phi { .. }
        | Op::Binary { .. }
        | Op::ICmp { .. }
        | Op::Cast { .. }
        | Op::Gep { .. }
        | Op::Select { .. }
        | Op::Freeze { .. }
        | Op::Br(_)
        | Op::CondBr { .. }
        | Op::Switch { .. } => true,
        _ => false,
    }
}

/// Whether the text says that a loop makes progress: its function does, or every branch back to its head.
fn progresses(m: &Module, f: &Function, head: BlockId, body: &[BlockId]) -> bool {
    if m.attributes_of(f).any(|a| m.names.text(a.name()) == "mustprogress") {
        return true;
    }
    let text = |n: u32| m.metadata.iter().find(|(k, _)| *k == n).map(|(_, text)| &**text);
    let says = |n: u32| {
        let nodes = text(n).unwrap_or_default().split('!').skip(1);
        let number = |s: &str| s.split(|c: char| !c.is_ascii_digit()).next().and_then(|s| s.parse().ok());
        let parts = nodes.filter_map(number).filter(|k| *k != n);
        parts.filter_map(text).any(|t| t.trim() == "!{!\"llvm.loop.mustprogress\"}")
    };
    let backward =
        |b: &&BlockId| f.block_insts(**b).last().is_some_and(|i| i.op.successors().contains(&head));
    let mut latches = body.iter().filter(backward).peekable();
    latches.peek().is_some()
        && latches.all(|b| {
            let last = f.block_insts(*b).last();
            let attached =
                last.and_then(|i| i.attachments.iter().find(|(k, _)| m.names.text(*k) == "llvm.loop"));
            attached.and_then(|(_, node)| *node).is_some_and(says)
        })
}
