//! RISC-V of 64 and 32 bits with compressed instructions, decoded by Capstone.

use super::capstone::{Machine, Words};
use super::{Flow, Insn, Relative};
use crate::objects::Arch;
use capstone::prelude::*;

/// The decoder.
pub fn decoder(arch: Arch) -> Machine {
    use arch::riscv::{ArchExtraMode, ArchMode};
    let mode = if arch == Arch::Riscv64 { ArchMode::RiscV64 } else { ArchMode::RiscV32 };
    let compressed = [ArchExtraMode::RiscVC];
    let plain =
        Capstone::new().riscv().mode(mode).extra_mode(compressed.iter().copied()).detail(true).build();
    Machine { plain: plain.ok(), thumb: None, unit: 2, classify, key, finish: |_, _| () }
}

fn classify(words: &Words, insn: &mut Insn) {
    let mnemonic = words.mnemonic.strip_prefix("c.").unwrap_or(words.mnemonic);
    // Distances are printed, not places.
    let place = words.last_number().map(|n| insn.at.wrapping_add_signed(n));
    match mnemonic {
        "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "beqz" | "bnez" | "blez" | "bgez" | "bltz"
        | "bgtz" => {
            (insn.flow, insn.conditional, insn.target) = (Flow::Jump, true, place);
        }
        "j" => (insn.flow, insn.target) = (Flow::Jump, place),
        "jal" => {
            let discards = words.first() == "zero" && words.operands.contains(',');
            (insn.flow, insn.target) = (if discards { Flow::Jump } else { Flow::Call }, place);
        }
        "jr" if words.first() == "ra" => insn.flow = Flow::Return,
        "jr" => insn.flow = Flow::IndirectJump,
        "ret" | "mret" | "sret" => insn.flow = Flow::Return,
        "jalr" => {
            let link = if words.operands.contains(',') { words.first() } else { "ra" };
            insn.flow = if link == "zero" { Flow::IndirectJump } else { Flow::IndirectCall };
        }
        "ebreak" | "unimp" => insn.flow = Flow::Trap,
        "auipc" => {
            let pages = words.last_number().unwrap_or(0);
            insn.relative = Some(Relative::Page(insn.at.wrapping_add_signed(pages.wrapping_shl(12))));
        }
        "nop" => insn.nop = true,
        _ => {}
    }
}

fn key(words: &Words, insn: &Insn) -> Option<String> {
    let names_place = insn.target.is_some() || insn.relative.is_some();
    let mnemonic = words.mnemonic.strip_prefix("c.").unwrap_or(words.mnemonic);
    names_place.then(|| format!("{mnemonic} {}", words.but_last()))
}
