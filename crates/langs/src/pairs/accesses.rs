//! What the memory operands of a machine program promise of its loads that the passes behind rely on: that nothing ever
//! writes what is loaded, so that a load may move anywhere. It has to be so in the source.

use std::collections::HashSet;

use super::Machine;
use crate::assumption::Assumption;
use crate::llvm_ir::ast::{LocalId, Op, Operand};
use crate::llvm_ir::semantics::Ir;
use crate::memory::objects::NamedObjects;
use crate::x86_mir::ast::{MachineInst, MemOperand, Operand as MachineOperand, Reg};

/// The first access that is said to be of memory that never changes where the source does not say so.
pub(super) fn unkept_promise(ir: &Ir<'_>, x86: &Machine<'_>) -> Option<String> {
    for inst in &x86.f.insts {
        for access in x86.f.mem_of(inst).iter().filter(|m| m.invariant) {
            if access.store
                || !(never_written(ir, x86, access) || is_made_of_constants(ir, x86, inst, access))
            {
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
            is_of_constants(ir, pointer) || is_said_so(ir, pointer)
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

/// Whether an access that names no pointer of the source is of an address made from those of variables that nothing writes:
/// loads from two tables, of which one is chosen, become one load from what is chosen of their addresses. That such an
/// address stays in its variable is assumed.
fn is_made_of_constants(ir: &Ir<'_>, x86: &Machine<'_>, inst: &MachineInst, access: &MemOperand) -> bool {
    let operands = &x86.f.operands_of(inst)[usize::from(inst.defs)..];
    let address = operands.windows(5).find(|five| {
        matches!(five[1], MachineOperand::Imm(_))
            && matches!(five[4], MachineOperand::Reg { reg: Reg::None, .. })
    });
    let made =
        access.base.is_empty() && address.is_some_and(|five| begins_in_constants(ir, x86, &five[0], 0));
    if made {
        ir.assume(Assumption::AddressOfAConstant);
    }
    made
}

/// Whether a register holds the address of a variable that nothing writes, or a sum of one and something else.
fn begins_in_constants(ir: &Ir<'_>, x86: &Machine<'_>, operand: &MachineOperand, depth: u32) -> bool {
    let constant = |name: &str| ir.variable(name).is_some_and(|v| v.constant);
    match operand {
        MachineOperand::Global(name, _, None) => constant(x86.m.names.text(*name)),
        MachineOperand::Reg { reg: Reg::Virtual(n), sub: None, .. } if depth < 8 => {
            let Some(inst) = x86.definition(*n) else { return false };
            let of = |operand: &MachineOperand| begins_in_constants(ir, x86, operand, depth + 1);
            let explicit = &x86.f.operands_of(inst)[usize::from(inst.defs)..];
            match (x86.m.names.text(inst.opcode), explicit) {
                ("LEA64r", [base, scale, index, displacement, ..]) => {
                    of(displacement) || of(base) || (*scale == MachineOperand::Imm(1) && of(index))
                }
                ("ADD64rr", [a, b, ..]) => of(a) || of(b),
                ("CMOV64rr", [a, b, ..]) => of(a) && of(b),
                ("COPY" | "MOV64ri32" | "MOV32ri64", [a, ..]) => of(a),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether an address lies in a variable that nothing writes, by the text.
/// Whether every value that a pointer is made from is the address of a variable that nothing writes. Pointers that step on
/// from each other round a loop began in one: every way to them comes from outside of their circle.
fn is_of_constants(ir: &Ir<'_>, pointer: Operand) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![pointer]);
    while let Some(pointer) = open.pop() {
        if ir.is_constant_object(pointer) {
            continue;
        }
        let Operand::Local(local) = pointer else { return false };
        if !seen.insert(local) {
            continue;
        }
        let def = ir.f.locals.get(local.0 as usize).and_then(|l| l.def);
        match def.and_then(|i| ir.f.insts.get(i as usize)).map(|i| &i.op) {
            Some(Op::Gep { base, .. }) => open.push(*base),
            Some(Op::Select { then, other, .. }) => open.extend([*then, *other]),
            Some(Op::Phi { incoming, .. }) => open.extend(incoming.iter().map(|(value, _)| *value)),
            _ => return false,
        }
    }
    true
}

/// Whether the source has a load through a pointer with metadata that says so.
fn is_said_so(ir: &Ir<'_>, pointer: Operand) -> bool {
    ir.f.insts.iter().any(|inst| {
        matches!(&inst.op, Op::Load { ptr, .. } if *ptr == pointer)
            && inst.attachments.iter().any(|(kind, _)| ir.m.names.text(*kind) == "invariant.load")
    })
}
