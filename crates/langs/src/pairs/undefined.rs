//! Calls of allocation functions of the library, and what follows on them, that are undefined behaviour by what these
//! functions are: addresses do not tell which objects are freed already, or were never allocated.

use crate::llvm_ir::ast::{Attr, BlockId, Call, ConstKind, Function, Inst, Module, Op, Operand};
use std::collections::BTreeSet;

/// The function of the library that is called by its name, where calls of it may be taken for the library's.
pub(super) fn library_function<'m>(m: &'m Module, call: &Call) -> Option<&'m str> {
    let name = m.called(call)?;
    let says = |attrs: &[Attr], groups: &[u32]| {
        attrs.iter().chain(m.grouped(groups)).any(|a| m.names.text(a.name()) == "nobuiltin")
    };
    let declared = m.functions.iter().find(|f| f.name == name)?;
    let plain = call.intrinsic.is_none() && call.bundles.is_empty() && !declared.defined && !declared.vararg;
    let arguments = match m.names.text(name) {
        "malloc" | "free" | "_Znwm" | "_Znam" => 1,
        "calloc" | "realloc" => 2,
        _ => call.args.len(),
    };
    let plain = plain && call.args.len() == arguments;
    let builtin = !says(&call.attrs, &call.groups) && !says(&declared.attrs, &declared.groups);
    (plain && builtin).then(|| m.names.text(name))
}

/// The instructions of a function that are undefined behaviour when they are reached.
pub(super) fn undefined_at(m: &Module, f: &Function) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let from_zero = |a: &Attr| m.names.text(a.name()) == "null_pointer_is_valid";
    if m.attributes_of(f).any(from_zero) {
        return out;
    }
    for b in 0..f.blocks.len() {
        let (first, insts) = (f.blocks[b].first as usize, f.block_insts(BlockId(b as u32)));
        for (n, inst) in insts.iter().enumerate() {
            match &inst.op {
                Op::Call(call) => match library_function(m, call) {
                    Some("free") if frees_no_heap(m, f, call) => {
                        out.insert(first + n);
                    }
                    Some("free") => out.extend(uses_behind(m, call, insts, n).map(|n| first + n)),
                    Some("malloc" | "calloc") if call.args.iter().any(|a| is_nothing(m, a.value)) => {
                        out.insert(first + n);
                    }
                    _ => {}
                },
                Op::Ret(Some((_, value))) if returns_too_little(m, f, &insts[..n], *value) => {
                    out.insert(first + n);
                }
                _ => {}
            }
        }
    }
    out
}

/// Whether an operand is undef or poison as it stands.
pub(super) fn is_nothing(m: &Module, o: Operand) -> bool {
    let Operand::Const(c) = o else { return false };
    matches!(m.consts.get(c.0 as usize).map(|c| &c.kind), Some(ConstKind::Undef | ConstKind::Poison))
}

/// Whether a call of `free` is given what no allocation function returned and is not null: a variable, an object of the
/// stack, or a place behind the beginning of an allocated object.
fn frees_no_heap(m: &Module, f: &Function, call: &Call) -> bool {
    let Some(arg) = call.args.first() else { return false };
    let made =
        |l: crate::llvm_ir::ast::LocalId| f.locals.get(l.0 as usize)?.def.map(|d| &f.insts[d as usize].op);
    match arg.value {
        Operand::Const(c) => match m.consts.get(c.0 as usize).map(|c| &c.kind) {
            // A weak variable may be null.
            Some(ConstKind::Global(name)) => m.globals.iter().any(|g| {
                g.name == *name && g.space == 0 && g.words.iter().all(|w| m.names.text(*w) != "extern_weak")
            }),
            _ => false,
        },
        Operand::Local(local) => match made(local) {
            Some(Op::Alloca { .. }) => true,
            Some(Op::Gep { source, base: Operand::Local(base), indices, .. }) => {
                // So near that the distance does not wrap to none.
                let near = |n: u64| n > 0 && n < 1 << 31;
                let bytes = m.layout.store_size(&m.types, *source).is_some_and(near);
                let away = indices.len() == 1 && m.number(indices[0].1).is_some_and(near);
                let from = match made(*base) {
                    Some(Op::Call(call)) => library_function(m, call),
                    _ => None,
                };
                // Null with something added is no null either.
                bytes && away && matches!(from, Some("malloc" | "calloc"))
            }
            _ => false,
        },
    }
}

/// Where what a call frees (instruction `n`) is accessed behind it in the same block, null or not; or the call itself, where
/// nothing between them could keep that from being reached.
fn uses_behind(m: &Module, call: &Call, insts: &[Inst], n: usize) -> Option<usize> {
    let Some(Operand::Local(freed)) = call.args.first().map(|a| a.value) else { return None };
    let some = |ty| m.layout.store_size(&m.types, ty).is_some_and(|n| n > 0);
    let accesses = |inst: &Inst| match &inst.op {
        Op::Load { ty, ptr, .. } | Op::Store { ty, ptr, .. } => *ptr == Operand::Local(freed) && some(*ty),
        _ => false,
    };
    let use_ = insts.iter().enumerate().skip(n + 1).find(|(_, inst)| accesses(inst)).map(|(n, _)| n)?;
    let goes_on = |inst: &Inst| match &inst.op {
        Op::Load { access, .. } | Op::Store { access, .. } => access.is_plain(),
        Op::Binary { .. } | Op::ICmp { .. } | Op::Cast { .. } | Op::Gep { .. } => true,
        _ => false,
    };
    Some(if insts[n + 1..use_].iter().all(goes_on) { n } else { use_ })
}

/// Whether a function that says how many bytes there are behind its result returns fewer: those of an allocation in the same
/// block, or one freed there, or an object of the stack, which is gone by then.
fn returns_too_little(m: &Module, f: &Function, before: &[Inst], value: Operand) -> bool {
    let says = |a: &Attr| match a {
        Attr::Int(name, n) if m.names.text(*name) == "dereferenceable" => Some(*n),
        _ => None,
    };
    let Some(said) = f.ret_attrs.iter().find_map(says).filter(|n| *n > 0) else { return false };
    let made = before.iter().position(|i| i.result.is_some_and(|l| Operand::Local(l) == value));
    let (at, call) = match made.map(|n| (n, &before[n].op)) {
        Some((_, Op::Alloca { .. })) => return true,
        Some((at, Op::Call(call))) => (at, call),
        _ => return false,
    };
    if library_function(m, call) != Some("malloc") {
        return false;
    }
    let frees = |i: &Inst| match &i.op {
        Op::Call(c) => {
            library_function(m, c) == Some("free") && c.args.first().is_some_and(|a| a.value == value)
        }
        _ => false,
    };
    let size = call.args.first().and_then(|a| m.number(a.value));
    before[at..].iter().any(frees) || size.is_some_and(|n| n < said)
}
