//! What an instruction says of the block that it stands in, whatever registers were chosen: constants, accesses of memory,
//! operations.

use super::super::partners::{Feature, hashed};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// The features of an instruction; `named` where the linker fills in the displacement of its memory operand.
pub(crate) fn of(d: &Instruction, named: bool) -> Vec<Feature> {
    let mut out = Vec::new();
    let stack = |r: Register| matches!(r.full_register(), Register::RSP);
    let ours = d.op_count() > 0 && d.op0_kind() == OpKind::Register && stack(d.op0_register());
    if ours || matches!(d.mnemonic(), Mnemonic::Push | Mnemonic::Pop | Mnemonic::Nop | Mnemonic::Endbr64) {
        return out;
    }
    for op in 0..d.op_count() {
        match d.op_kind(op) {
            OpKind::Memory if named || stack(d.memory_base()) => {}
            // An address that is only computed may be computed otherwise.
            OpKind::Memory if d.mnemonic() == Mnemonic::Lea => {}
            OpKind::Memory => {
                let (bytes, at) = (d.memory_size().size(), d.memory_displacement64());
                out.push((hashed(("memory", bytes, at, op == 0)), if at == 0 { 2 } else { 3 }));
            }
            OpKind::Register
            | OpKind::NearBranch16
            | OpKind::NearBranch32
            | OpKind::NearBranch64
            | OpKind::FarBranch16
            | OpKind::FarBranch32 => {}
            _ => {
                if let Ok(k) = d.try_immediate(op) {
                    let small = matches!(k as i64, -1..=1);
                    out.push((hashed(("constant", k as u32)), if small { 1 } else { 3 }));
                }
            }
        }
    }
    match d.mnemonic() {
        Mnemonic::Mov | Mnemonic::Lea | Mnemonic::Jmp | Mnemonic::Call | Mnemonic::Xor | Mnemonic::Test => {}
        Mnemonic::Ret => out.push((hashed("return"), 3)),
        _ if d.is_jcc_short_or_near() => {
            // A condition and its opposite are one.
            let code = d.condition_code();
            let either = hashed(("if", code.min(opposite(d))));
            out.push((either, 1));
        }
        mnemonic => out.push((hashed(("does", mnemonic)), 1)),
    }
    out
}

fn opposite(d: &Instruction) -> iced_x86::ConditionCode {
    let mut other = *d;
    other.negate_condition_code();
    other.condition_code()
}
