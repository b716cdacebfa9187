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
    Machine { plain: plain.ok(), thumb: None, unit: 2, classify, key, finish: join }
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

/// Bytes of a jump or call in two steps.
const FAR: u8 = 8;

/// Joins `auipc` and the `jalr` behind it that jumps or calls by the register: one instruction, as its relocation is one.
fn join(list: &mut Vec<Insn>, first: usize, bytes: &[u8]) {
    let Some(start) = list.get(first).map(|insn| insn.at) else { return };
    let word = |at: u64| {
        let at = usize::try_from(at.wrapping_sub(start)).ok()?;
        let four = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let mut n = first;
    while n + 1 < list.len() {
        let near = list[n].end() == list[n + 1].at && list[n].len == 4 && list[n + 1].len == 4;
        let words = word(list[n].at).zip(word(list[n + 1].at)).filter(|_| near);
        if let Some((flow, distance)) = words.and_then(|(a, b)| far(a, b)) {
            let insn = &mut list[n];
            (insn.len, insn.flow, insn.relative) = (FAR, flow, None);
            insn.target = Some(insn.at.wrapping_add_signed(distance));
            list.remove(n + 1);
        }
        n += 1;
    }
}

/// What both words do together, and how far it leads.
fn far(first: u32, second: u32) -> Option<(Flow, i64)> {
    let (made, base, link) = (first >> 7 & 31, second >> 15 & 31, second >> 7 & 31);
    if first & 0x7f != 0x17 || second & 0x707f != 0x67 || made == 0 || base != made {
        return None;
    }
    let flow = match link {
        0 => Flow::Jump,
        1 if made == 1 => Flow::Call,
        _ => return None,
    };
    Some((flow, i64::from((first & 0xffff_f000) as i32) + i64::from(second as i32 >> 20)))
}

fn key(words: &Words, insn: &Insn) -> Option<String> {
    let names_place = insn.target.is_some() || insn.relative.is_some();
    let mnemonic = words.mnemonic.strip_prefix("c.").unwrap_or(words.mnemonic);
    // Of two instructions the text has the first alone.
    let far = if insn.len == FAR { "far " } else { "" };
    names_place.then(|| format!("{far}{mnemonic} {}", words.but_last()))
}
