//! What running an instruction comes to.

use super::function::Decoded;
use super::state::{Code, Machine};
use crate::domain::{Domain, Res};

/// Where execution goes on.
pub(crate) enum Effect<D: Domain> {
    /// To the next instruction.
    Next,
    /// To a block if this holds, to the next instruction otherwise.
    JumpIf(D::Bool, usize),
    /// To a block.
    Jump(usize),
    /// To one of several blocks, each under its condition.
    Among(Vec<(D::Bool, usize)>),
    /// Back to the caller.
    Return,
    /// Into a function; by the address, where it is none by name.
    Call(Option<D::Bv>),
    /// To the next instruction, past something that all of memory matters to, and that gives memory back: what it is called,
    /// and its operands.
    Event(String, D::Bv),
    /// Nowhere: the processor stops the program.
    Trap,
}

impl Code<'_> {
    /// Runs an instruction.
    pub(crate) fn exec<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) -> Res<Effect<D>> {
        match &self.f.insns[i].decoded {
            Decoded::X86(_) => self.exec_x86(d, m, i),
            Decoded::AArch64(insn) => self.exec_aarch64(d, m, (i, insn)),
            Decoded::RiscV(insn) => super::riscv::run(self, d, m, (i, insn)),
        }
    }
}
