//! What the memory operands of a machine program promise of its loads that the passes behind rely on: that nothing ever
//! writes what is loaded, so that a load may move anywhere. It has to be so in the source.

use super::Machine;
use crate::llvm_ir::ast::{LocalId, Op, Operand};
use crate::llvm_ir::semantics::Ir;
use crate::memory::objects::NamedObjects;
use crate::x86_mir::ast::MemOperand;

/// The first access that is said to be of memory that never changes where the source does not say so.
pub(super) fn unkept_promise(ir: &Ir<'_>, x86: &Machine<'_>) -> Option<String> {
    for inst in &x86.f.insts {
        for access in x86.f.mem_of(inst).iter().filter(|m| m.invariant) {
            if access.store || !never_written(ir, x86, access) {
                return Some(format!("load of `{}` that is said never to change", access.base));
            }
        }
    }
    None
}

fn never_written(ir: &Ir<'_>, x86: &Machine<'_>, access: &MemOperand) -> bool {
    let base = access.base.split(" + ").next().unwrap_or_default();
    if matches!(base, "got" | "constant-pool" | "jump-table") {
        return true;
    }
    if let Some(name) = base.strip_prefix("%ir.") {
        let name = name.trim_matches('"');
        let found = ir.f.locals.iter().position(|l| ir.m.names.text(l.name) == name);
        return found.is_some_and(|n| {
            let pointer = Operand::Local(LocalId(n as u32));
            is_of_constants(ir, pointer, 0) || is_said_so(ir, pointer)
        });
    }
    if base.starts_with("%fixed-stack.") {
        // Incoming arguments stay where they are, but for stores that name them.
        return !x86.f.mem_operands.iter().any(|m| m.store && m.base == access.base);
    }
    // A variable, also in a constant expression: every one that is named.
    let mut names = base.split('@').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '$' | '-'));
        &rest[..end.unwrap_or(rest.len())]
    });
    let constant = |name: &str| ir.variable(name).is_some_and(|v| v.constant);
    base.contains('@') && names.all(constant)
}

/// Whether an address lies in a variable that nothing writes, by the text.
fn is_of_constants(ir: &Ir<'_>, pointer: Operand, depth: u32) -> bool {
    if ir.is_constant_object(pointer) {
        return true;
    }
    let Operand::Local(local) = pointer else { return false };
    let def = ir.f.locals.get(local.0 as usize).and_then(|l| l.def);
    match def.and_then(|i| ir.f.insts.get(i as usize)).map(|i| &i.op) {
        _ if depth > 8 => false,
        Some(Op::Gep { base, .. }) => is_of_constants(ir, *base, depth + 1),
        Some(Op::Select { then, other, .. }) => {
            is_of_constants(ir, *then, depth + 1) && is_of_constants(ir, *other, depth + 1)
        }
        Some(Op::Phi { incoming, .. }) => {
            // A pointer that steps on from itself stays where it began.
            let steps = |o: &Operand| *o == pointer || ir.steps_from(*o, pointer);
            incoming.iter().all(|(o, _)| steps(o) || is_of_constants(ir, *o, depth + 1))
        }
        _ => false,
    }
}

/// Whether the source has a load through a pointer with metadata that says so.
fn is_said_so(ir: &Ir<'_>, pointer: Operand) -> bool {
    ir.f.insts.iter().any(|inst| {
        matches!(&inst.op, Op::Load { ptr, .. } if *ptr == pointer)
            && inst.attachments.iter().any(|(kind, _)| ir.m.names.text(*kind) == "invariant.load")
    })
}
