//! Whether a run wrote a byte of its frame since that is part of it. What lies there otherwise is left of what was in its place
//! before (a body that was called earlier, say), and differs wherever frames do.

use super::plan::SidePlan;
use super::steps::{Step, instructions};
use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, Register};

/// The number of the stack pointer.
const RSP: usize = 4;

/// Whether these steps wrote a byte by an instruction that neither pushes nor calls, with the stack pointer below it ever since.
pub(super) fn wrote(side: &SidePlan, steps: &[Step], byte: u64) -> bool {
    let code = instructions(side);
    let mut factory = InstructionInfoFactory::new();
    let mut written = false;
    for step in steps {
        if step.registers[RSP] > byte {
            written = false;
        }
        let Some(d) = code.get(&step.at) else { continue };
        if matches!(d.mnemonic(), Mnemonic::Push | Mnemonic::Call) {
            continue;
        }
        for used in factory.info(d).used_memory() {
            let reads = matches!(
                used.access(),
                OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess
            );
            let register = |register: Register, _, _| match register.full_register() {
                full if full.is_gpr64() => Some(step.registers[full.number()]),
                segment if segment.is_segment_register() => Some(0),
                _ => None,
            };
            let Some(at) = (!reads).then(|| used.virtual_address(0, register)).flatten() else { continue };
            // A repeated one writes more than one of its elements: how many, the counter says.
            let times = if d.has_rep_prefix() { step.registers[1] } else { 1 };
            let bytes = (used.memory_size().size() as u64).saturating_mul(times);
            written |= (at..at.saturating_add(bytes)).contains(&byte);
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state before an instruction: where it is, and the stack pointer.
    fn step(at: u64, stack: u64) -> Step {
        let mut registers = Box::new([0; 48]);
        registers[RSP] = stack;
        Step { at, flags: 0, registers }
    }

    #[test]
    fn a_byte_is_written_by_who_holds_its_place() {
        // 10: mov byte ptr [rsp+4], 0; 20: push rax; 30: nop
        let code = vec![(0x10, vec![0xc6, 0x44, 0x24, 4, 0]), (0x20, vec![0x50]), (0x30, vec![0x90])];
        let side = SidePlan { code, ..SidePlan::default() };
        let wrote = |steps: &[(u64, u64)], byte| {
            let steps: Vec<Step> = steps.iter().map(|(at, stack)| step(*at, *stack)).collect();
            super::wrote(&side, &steps, byte)
        };
        assert!(wrote(&[(0x10, 0x100), (0x30, 0x100)], 0x104));
        assert!(!wrote(&[(0x10, 0x100), (0x30, 0x100)], 0x105), "another byte");
        assert!(!wrote(&[(0x10, 0x100), (0x30, 0x108), (0x30, 0x100)], 0x104), "its place was given back");
        assert!(!wrote(&[(0x20, 0x108), (0x30, 0x100)], 0x104), "a register is saved there");
    }
}
