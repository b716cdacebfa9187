//! Values that both sides leave open. Where a PHI of the source has undef or poison for a predecessor, selection gives it
//! a register that nothing defines (`IMPLICIT_DEF`). Such a register has a name for its value, of which nothing else is
//! known; the bits of undef and poison are the source's choice, and it chooses those. So values stay the same on both
//! sides where they are open, and relations between them are not lost.
//!
//! Any choice is the source's to make, also one that is made in view of the target. The target's may be another each time:
//! an obligation holds for all values of a name, and between two cuts no point is passed twice, or the verdict says so.

use super::registers::Registers;
use crate::llvm_ir::ast::{BlockId, LocalId, Op};
use crate::llvm_ir::semantics::Ir;
use crate::x86_mir::ast::{MachineInst, Operand, Reg};
use crate::x86_mir::semantics::X86;
use crate::x86_mir::semantics::table::Sem;

/// Most copies between a PHI and what defines its operand.
const COPIES: usize = 4;

/// Names what the target's undefined registers hold that PHIs of both sides come to.
pub(super) fn name_open_values(ir: &mut Ir<'_>, x86: &mut X86<'_>, registers: &Registers) {
    for (local, numbers) in registers.numbers() {
        for (from, name) in open_edges(ir, local) {
            let found: Option<Vec<_>> = numbers.clone().map(|n| undefined(x86, n, &name)).collect();
            let Some(found) = found else { continue };
            let mut parts = Vec::new();
            for (line, register, width) in found {
                let value = format!("undefined %{register}");
                x86.open.insert(line, value.clone());
                parts.push((value, width));
            }
            ir.open.insert((local, from), parts);
        }
    }
}

/// The predecessors for which a PHI may have undef or poison, with their names.
fn open_edges(ir: &Ir<'_>, local: LocalId) -> Vec<(BlockId, String)> {
    let def = ir.f.locals[local.0 as usize].def.and_then(|i| ir.f.insts.get(i as usize));
    let Some(Op::Phi { incoming, .. }) = def.map(|i| &i.op) else { return Vec::new() };
    let open = incoming.iter().filter(|(value, _)| ir.holds_nothing(*value));
    open.map(|(_, from)| (*from, ir.m.names.text(ir.f.blocks[from.0 as usize].name).to_owned())).collect()
}

/// The line at which the register is left undefined that a PHI has for what comes from a block of the source; the
/// register and its width.
fn undefined(x86: &X86<'_>, register: u32, from: &str) -> Option<(u32, u32, u32)> {
    let (phi, sem) = definition(x86, register)?;
    if sem != Sem::Phi {
        return None;
    }
    let of_block = |n: u32| x86.f.blocks.iter().any(|b| b.number == n && b.ir_block.as_deref() == Some(from));
    let mut operand = x86.f.operands_of(phi).get(1..)?.chunks(2).find_map(|pair| match pair {
        [source, Operand::Block(b)] if of_block(*b) => Some(source),
        _ => None,
    })?;
    for _ in 0..COPIES {
        let Operand::Reg { reg: Reg::Virtual(n), sub: None, .. } = operand else { return None };
        let (inst, sem) = definition(x86, *n)?;
        match sem {
            Sem::Undefined => return Some((inst.line, *n, x86.vreg_width(*n).ok()?)),
            Sem::Copy => operand = x86.f.operands_of(inst).get(1)?,
            _ => return None,
        }
    }
    None
}

/// The only instruction that defines a register.
fn definition<'x>(x86: &'x X86<'_>, register: u32) -> Option<(&'x MachineInst, Sem)> {
    let index = (*x86.definitions.get(register as usize)?)? as usize;
    Some((&x86.f.insts[index], x86.opcodes[index]?.sem))
}
