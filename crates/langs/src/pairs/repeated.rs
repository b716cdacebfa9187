//! Calls of the source that are made again with nothing changed since: what they return and leave behind is there already,
//! and optimisers leave the later ones out.

use super::beyond::callees;
use crate::llvm_ir::ast::{Arg, Attr, BlockId, Call, CastOp, Flags, Function, Inst, Module, Op};
use crate::llvm_ir::types::{Type, Types};
use std::collections::BTreeMap;

/// What a function may do that writes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effects {
    /// It computes.
    Nothing,
    /// It reads memory.
    Reads,
}

/// The source with its repeated calls left out, of functions that the target calls less often; none where there are none.
pub(super) fn without_repeated(left: &Module, f: &Function, right: &Module, g: &Function) -> Option<Module> {
    let (mine, others) = (callees(left, f), callees(right, g));
    let fewer: Vec<&String> =
        mine.iter().filter(|(n, count)| others.get(*n).unwrap_or(&0) < count).map(|(n, _)| n).collect();
    let mut again: BTreeMap<usize, usize> = BTreeMap::new();
    for b in 0..f.blocks.len() {
        let (first, insts) = (f.blocks[b].first as usize, f.block_insts(BlockId(b as u32)));
        for (n, inst) in insts.iter().enumerate() {
            let Op::Call(call) = &inst.op else { continue };
            let named = left.called(call).is_some_and(|c| fewer.iter().any(|n| *n == left.names.text(c)));
            let effects = effects(left, call).filter(|_| named && fits(left, call));
            let Some(effects) = effects else { continue };
            // The latest that is the same, with nothing in between that could make a difference.
            let before = insts[..n].iter().enumerate().rev().find(|(k, earlier)| {
                let same = matches!(&earlier.op, Op::Call(c) if is_same(left, c, call));
                same && insts[k + 1..n].iter().all(|i| leaves_alone(left, i, effects))
            });
            if let Some((k, _)) = before {
                again.insert(first + n, first + k);
            }
        }
    }
    if again.is_empty() {
        return None;
    }
    let h = f.rewritten(|at, inst| match again.get(&at) {
        None => vec![inst.clone()],
        Some(earlier) => match (inst.result, f.insts[*earlier].result, &inst.op) {
            (Some(_), Some(value), Op::Call(call)) => {
                let value = crate::llvm_ir::ast::Operand::Local(value);
                let (from, to) = (call.ret, call.ret);
                vec![Inst {
                    op: Op::Cast { op: CastOp::BitCast, flags: Flags(0), from, value, to },
                    attachments: Box::new([]),
                    ..inst.clone()
                }]
            }
            _ => Vec::new(),
        },
    });
    let mut m = left.clone();
    m.put(h)?;
    Some(m)
}

/// Whether what a call returns can be given again: nothing, a number or a pointer.
fn fits(m: &Module, call: &Call) -> bool {
    call.ret == Types::VOID || matches!(m.types.resolve(call.ret), Type::Int(_) | Type::Ptr(_))
}

/// Whether calls are of one function with the same arguments.
fn is_same(m: &Module, a: &Call, b: &Call) -> bool {
    let same =
        |(x, y): (&Arg, &Arg)| x.ty == y.ty && m.is_same_operand(x.value, y.value) && x.attrs == y.attrs;
    a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(same)
        && m.is_same_operand(a.callee, b.callee)
        && a.ret == b.ret
        && a.attrs == b.attrs
        && a.groups == b.groups
        && a.words == b.words
}

/// Whether an instruction changes nothing of what such a function reads or writes.
fn leaves_alone(m: &Module, inst: &Inst, effects: Effects) -> bool {
    match &inst.op {
        Op::Load { access, .. } => access.is_plain(),
        Op::Binary { .. }
        | Op::FNeg { .. }
        | Op::ICmp { .. }
        | Op::FCmp { .. }
        | Op::Cast { .. }
        | Op::Select { .. }
        | Op::Freeze { .. }
        | Op::Phi { .. }
        | Op::Gep { .. } => true,
        // What only computes is not changed by anything.
        Op::Store { .. } => effects == Effects::Nothing,
        Op::Call(call) => effects == Effects::Nothing || self::effects(m, call).is_some(),
        _ => false,
    }
}

/// What a call may do, where it writes nothing, so that doing it again does nothing more.
fn effects(m: &Module, call: &Call) -> Option<Effects> {
    if call.intrinsic.is_some()
        || !call.bundles.is_empty()
        || call.tail.is_some_and(|t| m.names.text(t) == "musttail")
    {
        return None;
    }
    let name = m.called(call)?;
    let declared = m.functions.iter().find(|f| f.name == name && !f.vararg)?;
    let groups = m
        .attr_groups
        .iter()
        .filter(|(n, _)| declared.groups.contains(n) || call.groups.contains(n))
        .flat_map(|(_, a)| a.iter());
    let mut all = declared.attrs.iter().chain(&call.attrs).chain(groups);
    all.find_map(|a| match (m.names.text(a.name()), a) {
        ("readnone", _) => Some(Effects::Nothing),
        ("readonly", _) => Some(Effects::Reads),
        ("memory", Attr::Raw(_, text)) => told(text),
        _ => None,
    })
}

/// What `memory(...)` says.
fn told(text: &str) -> Option<Effects> {
    let mut out = Effects::Nothing;
    for part in text.split(',') {
        let (place, access) = part.split_once(':').unwrap_or(("", part));
        match (place.trim(), access.trim()) {
            (_, "none") => {}
            (_, "read") => out = Effects::Reads,
            _ => return None,
        }
    }
    Some(out)
}
