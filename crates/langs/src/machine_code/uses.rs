//! What an instruction does to registers, flags and memory, whatever the machine: sets of registers as bits.

use super::facts::Facts;
use super::function::{Decoded, Function};
use super::{aarch64, riscv, x86};

/// What execution does behind an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    /// It goes on, or jumps inside the function.
    Other,
    /// It jumps, whatever the condition of flags and registers is.
    Jump,
    /// It jumps to where a register or memory says.
    IndirectJump,
    /// It calls.
    Call,
    /// It returns.
    Return,
    /// The processor stops the program.
    Trap,
}

/// Registers, flags and memory of one instruction.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Uses {
    /// Registers that matter to it: also those that it writes in part, or under a condition alone.
    pub reads: u64,
    /// Registers that it writes.
    pub writes: u64,
    /// Of those, the ones of whose contents it leaves nothing, though it may have read them.
    pub replaced: u64,
    /// The results that it names.
    pub named: u64,
    /// Whether it reads a flag.
    pub reads_flags: bool,
    /// Whether it writes a flag.
    pub writes_flags: bool,
    /// Whether it writes all that are followed.
    pub sets_flags: bool,
    /// Whether it writes memory.
    pub stores: bool,
    /// The registers whose contents it writes there.
    pub stored: u64,
    /// Whether it reads memory only, so that what the address is made from does not go into the result.
    pub loads: bool,
}

/// The uses of an instruction.
pub(crate) fn uses(f: &Function, i: usize) -> Uses {
    match &f.insns[i].decoded {
        Decoded::X86(_) => x86::uses::uses(&f.insns[i]),
        Decoded::AArch64(insn) => aarch64::uses::uses(insn),
        Decoded::RiscV(insn) => riscv::uses::uses(insn),
    }
}

/// Whether something that an instruction writes may come from memory.
pub(crate) fn may_load(f: &Function, i: usize) -> bool {
    match &f.insns[i].decoded {
        Decoded::X86(insn) => x86::uses::reads_memory(insn),
        Decoded::AArch64(insn) => aarch64::uses::uses(insn).loads,
        Decoded::RiscV(insn) => riscv::uses::uses(insn).loads,
    }
}

/// How an instruction goes on.
pub(crate) fn control(f: &Function, i: usize) -> Control {
    match &f.insns[i].decoded {
        Decoded::X86(insn) => x86::uses::control(insn),
        Decoded::AArch64(insn) => aarch64::uses::control(insn),
        Decoded::RiscV(insn) => riscv::uses::control(insn),
    }
}

/// Whether an instruction goes over memory for a length that the code does not tell, or lets other threads see and change memory.
pub(crate) fn repeats(f: &Function, i: usize) -> bool {
    match &f.insns[i].decoded {
        Decoded::X86(_) => x86::repeats(f, i),
        Decoded::AArch64(_) | Decoded::RiscV(_) => false,
    }
}

/// The direct accesses of the frame that an instruction makes: offset, bytes, reads, writes.
pub(crate) fn frame_accesses(f: &Function, facts: &Facts, i: usize) -> Vec<(i64, u64, bool, bool)> {
    match &f.insns[i].decoded {
        Decoded::X86(_) => x86::uses::frame_accesses(f, facts, i),
        Decoded::AArch64(insn) => aarch64::uses::frame_accesses(insn, facts, i),
        Decoded::RiscV(insn) => riscv::uses::frame_accesses(insn, facts, i),
    }
}

/// The registers that are written ahead of an instruction of a function's first block, a bit each; none for one of another
/// block.
pub(super) fn written_at_first(f: &Function, i: usize) -> Option<u64> {
    let first = f.blocks.first().is_some_and(|b| (b.first..b.end).contains(&i));
    first.then(|| (0..i).fold(0, |set, n| set | uses(f, n).writes))
}

/// Registers of the caller that an instruction saves in the frame: register, and where.
pub(crate) fn saves(f: &Function, facts: &Facts, i: usize) -> Vec<(usize, i64)> {
    match &f.insns[i].decoded {
        Decoded::X86(insn) => x86::uses::saves(insn, facts, i),
        Decoded::AArch64(insn) => aarch64::uses::saves(f, facts, (i, insn)),
        Decoded::RiscV(insn) => riscv::uses::saves(f, facts, (i, insn)),
    }
}

/// The address in the frame that an instruction makes data of.
pub(crate) fn address_made(f: &Function, facts: &Facts, i: usize) -> Option<i64> {
    match &f.insns[i].decoded {
        Decoded::X86(insn) => x86::uses::address_made(insn, facts, i),
        Decoded::AArch64(_) | Decoded::RiscV(_) => facts.taken_at(i),
    }
}

/// What an instruction that writes these registers makes of the number of vectors that is passed beside arguments; none
/// where it leaves it as it was.
pub(crate) fn counts_vectors(f: &Function, i: usize, writes: u64) -> Option<Option<u64>> {
    match &f.insns[i].decoded {
        Decoded::X86(insn) => x86::uses::counts_vectors(insn, writes),
        Decoded::AArch64(_) | Decoded::RiscV(_) => None,
    }
}
