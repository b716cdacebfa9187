//! i386 machine code under the System V convention: instructions of x86-64 in registers of which the upper half is zero.
//!
//! All arguments lie on the stack, above the return address. What moves the stack pointer, and what accesses the frame by it,
//! is written with the register of 64 bits, whose distance from the entry's is followed; other addresses are sums modulo 2^32.

use super::super::abi::Abi;
use super::track::{RBP, RSP};
use super::uses::nothing;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// i386: registers have the numbers of x86-64; those from 8 on do not come about.
pub static I386: Abi = Abi {
    general: 16,
    registers: 48,
    uppers: Some(32),
    word: 32,
    vector_width: 128,
    stack: RSP,
    frame: RBP,
    arguments: &[],
    general_arguments: 0,
    vector_arguments: 0,
    counter: None,
    unnamed_vectors: false,
    results: [0, 2, 16, 17],
    saved: &[3, 5, 6, 7],
    // All but ebx, esp, ebp, esi and edi.
    clobbered: 0xffff_ffff_ff07,
    link: None,
    extends: false,
    widens: false,
    incoming: 4,
    flags: &[0, 1, 2, 3, 4],
    names: &[
        "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8", "r9", "r10", "r11", "r12", "r13",
        "r14", "r15",
    ],
    vector: "xmm",
    nothing,
};

/// An instruction of i386 as the semantics of x86-64 takes it; what is not modelled, in words.
///
/// # Errors
/// Its addresses are made in a way that is not modelled.
pub fn with_frame(insn: &Instruction) -> Result<Instruction, &'static str> {
    let mut out = *insn;
    if insn.is_string_instruction() || insn.has_rep_prefix() && insn.mnemonic() != Mnemonic::Ret {
        return Err("a string instruction of i386");
    }
    // Of what moves the stack pointer by itself only words on the stack are read and written in the width of i386.
    let on_stack = matches!(insn.mnemonic(), Mnemonic::Push | Mnemonic::Pop | Mnemonic::Ret | Mnemonic::Call);
    if insn.stack_pointer_increment() != 0 && !on_stack {
        return Err("an instruction that takes a frame down");
    }
    if super::split_atomic(insn).is_some() {
        return Err("an atomic instruction of i386");
    }
    let memory = (0..insn.op_count()).any(|n| insn.op_kind(n) == OpKind::Memory);
    if memory {
        let parts = [insn.memory_base(), insn.memory_index()];
        if insn.has_segment_prefix() {
            return Err("a segment of i386");
        }
        if parts.iter().any(|r| *r != Register::None && !r.is_gpr32()) {
            return Err("an address of 16 bits");
        }
        if parts == [Register::ESP, Register::None] {
            out.set_memory_base(Register::RSP);
            out.set_memory_displ_size(8);
            out.set_memory_displacement64(i64::from(insn.memory_displacement32() as i32) as u64);
        }
    }
    let moves = matches!(insn.mnemonic(), Mnemonic::Add | Mnemonic::Sub)
        && insn.op0_kind() == OpKind::Register
        && insn.op0_register() == Register::ESP;
    if moves && insn.op1_kind() == OpKind::Immediate8to32 {
        out.set_op0_register(Register::RSP);
    }
    Ok(out)
}
