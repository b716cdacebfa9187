//! Local variables that nothing writes: their names go nowhere but into loads, so that they hold what they begin with, as
//! constants do. C programs have many tables without `const`, which optimisers take for constants on the same grounds.

use super::ast::{ConstExpr, ConstId, ConstKind, Function, LocalId, Module, Op, Operand};
use super::intrinsics::{Block, Intrinsic};
use crate::names::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// How deep constants are followed.
const DEEPEST: u32 = 32;

/// Marks the variables of a module that nothing writes as constants.
pub(super) fn mark(m: &mut Module) {
    let words = |words: &[Name], word: &str| words.iter().any(|w| m.names.text(*w).starts_with(word));
    let mut left: FxHashSet<Name> = m
        .globals
        .iter()
        .filter(|g| !g.constant && g.init.is_some() && m.is_local(&g.words))
        .filter(|g| !words(&g.words, "thread_local") && !words(&g.words, "externally_initialized"))
        .map(|g| g.name)
        .collect();
    if left.is_empty() {
        return;
    }
    // Whose address another variable holds, or an alias stands for, is reached from anywhere.
    let named = m.globals.iter().filter_map(|g| g.init).chain(m.aliases.iter().map(|a| a.target));
    for init in named.collect::<Vec<_>>() {
        if left.is_empty() {
            return;
        }
        names(m, init, DEEPEST, &mut |name| {
            left.remove(&name);
        });
    }
    for f in &m.functions {
        if left.is_empty() {
            return;
        }
        leave_function(m, f, &mut left);
    }
    for g in &mut m.globals {
        g.constant |= left.contains(&g.name);
    }
}

/// Tells the names in a constant.
fn names(m: &Module, c: ConstId, depth: u32, tell: &mut dyn FnMut(Name)) {
    let Some(constant) = m.consts.get(c.0 as usize) else { return };
    if depth == 0 {
        // Deeper than any that is written: taken for one that names everything.
        m.globals.iter().for_each(|g| tell(g.name));
        return;
    }
    match &constant.kind {
        ConstKind::Global(name) => tell(*name),
        ConstKind::Aggregate(items) => items.iter().for_each(|item| names(m, *item, depth - 1, tell)),
        ConstKind::Splat(item) => names(m, *item, depth - 1, tell),
        ConstKind::Expr(e) => match &**e {
            ConstExpr::Gep { args: items, .. } | ConstExpr::Other(_, items) => {
                items.iter().for_each(|item| names(m, *item, depth - 1, tell));
            }
            ConstExpr::Cast(_, _, inner) => names(m, *inner, depth - 1, tell),
            ConstExpr::Binary(_, _, a, b) | ConstExpr::ICmp(_, a, b) | ConstExpr::FCmp(_, a, b) => {
                [a, b].into_iter().for_each(|item| names(m, *item, depth - 1, tell));
            }
        },
        _ => {}
    }
}

/// The variable that a constant is an address in, by address arithmetic alone.
fn base(m: &Module, c: ConstId, depth: u32) -> Option<Name> {
    match &m.consts.get(c.0 as usize)?.kind {
        ConstKind::Global(name) => Some(*name),
        ConstKind::Expr(e) => match &**e {
            ConstExpr::Gep { args, .. } if depth > 0 => base(m, *args.first()?, depth - 1),
            _ => None,
        },
        _ => None,
    }
}

/// Takes out the variables that a function does more with than to load from them.
fn leave_function(m: &Module, f: &Function, left: &mut FxHashSet<Name>) {
    // The variables that local values may be addresses in, until nothing is added.
    let mut held: FxHashMap<LocalId, FxHashSet<Name>> = FxHashMap::default();
    loop {
        let mut more = false;
        for inst in &f.insts {
            let Some(result) = inst.result else { continue };
            let mut sources: Vec<Operand> = Vec::new();
            match &inst.op {
                Op::Gep { base, .. } => sources.push(*base),
                Op::Select { then, other, .. } => sources.extend([*then, *other]),
                Op::Phi { incoming, .. } => sources.extend(incoming.iter().map(|(value, _)| *value)),
                Op::Freeze { value, .. } => sources.push(*value),
                _ => continue,
            }
            for source in sources {
                let from: Vec<Name> = match source {
                    Operand::Const(c) => {
                        base(m, c, DEEPEST).filter(|n| left.contains(n)).into_iter().collect()
                    }
                    Operand::Local(local) => held.get(&local).into_iter().flatten().copied().collect(),
                };
                for name in from {
                    more |= held.entry(result).or_default().insert(name);
                }
            }
        }
        if !more {
            break;
        }
    }
    for inst in &f.insts {
        let mut harmless = harmless(&inst.op);
        inst.op.for_each_operand(|operand| {
            // Each place that may be named once is looked for by what stands there.
            let fine = harmless.iter().position(|o| *o == operand).map(|n| harmless.swap_remove(n)).is_some();
            match operand {
                Operand::Local(local) if !fine => {
                    for name in held.get(&local).into_iter().flatten() {
                        left.remove(name);
                    }
                }
                Operand::Const(c) if !(fine && base(m, c, DEEPEST).is_some()) => {
                    names(m, c, DEEPEST, &mut |name| {
                        left.remove(&name);
                    });
                }
                Operand::Local(_) => {}
                // The indices of an address that is a constant name nothing else.
                Operand::Const(c) => {
                    if let Some(ConstKind::Expr(e)) = m.consts.get(c.0 as usize).map(|c| &c.kind)
                        && let ConstExpr::Gep { args, .. } = &**e
                    {
                        for index in args.iter().skip(1) {
                            names(m, *index, DEEPEST, &mut |name| {
                                left.remove(&name);
                            });
                        }
                    }
                }
            }
        });
    }
}

/// The operands by which an instruction does no more to a variable than to load from it, or to make other addresses in it.
fn harmless(op: &Op) -> Vec<Operand> {
    match op {
        Op::Load { ptr, access, .. } if !access.volatile => vec![*ptr],
        Op::Gep { base, .. } => vec![*base],
        Op::Select { then, other, .. } => vec![*then, *other],
        Op::Phi { incoming, .. } => incoming.iter().map(|(value, _)| *value).collect(),
        Op::Freeze { value, .. } => vec![*value],
        Op::ICmp { lhs, rhs, .. } => vec![*lhs, *rhs],
        Op::Call(call)
            if matches!(call.intrinsic, Some((Intrinsic::Block(Block::Copy | Block::Move), _))) =>
        {
            call.args.get(1).map(|from| from.value).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
