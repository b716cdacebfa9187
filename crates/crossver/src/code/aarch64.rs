//! AArch64, decoded by Capstone.

use super::capstone::{Machine, Words};
use super::{Flow, Insn, Relative};
use capstone::prelude::*;

/// The decoder.
pub fn decoder() -> Machine {
    let plain = Capstone::new().arm64().mode(arch::arm64::ArchMode::Arm).detail(true).build().ok();
    Machine { plain, thumb: None, unit: 4, classify, key, finish: |_, _, _| () }
}

fn classify(words: &Words, insn: &mut Insn) {
    let mnemonic = words.mnemonic;
    (insn.flow, insn.conditional) = match mnemonic {
        "b" => (Flow::Jump, false),
        "cbz" | "cbnz" | "tbz" | "tbnz" => (Flow::Jump, true),
        "bl" => (Flow::Call, false),
        "br" | "braa" | "brab" | "braaz" | "brabz" => (Flow::IndirectJump, false),
        "blr" | "blraa" | "blrab" | "blraaz" | "blrabz" => (Flow::IndirectCall, false),
        "ret" | "retaa" | "retab" | "eret" => (Flow::Return, false),
        "udf" | "brk" | "hlt" => (Flow::Trap, false),
        _ if mnemonic.starts_with("b.") || mnemonic.starts_with("bc.") => (Flow::Jump, true),
        _ => (Flow::Next, false),
    };
    if matches!(insn.flow, Flow::Jump | Flow::Call) {
        insn.target = words.last_number().map(|n| n as u64);
    }
    let place = || words.last_number().map(|n| n as u64);
    match mnemonic {
        "adr" => insn.relative = place().map(Relative::Address),
        "adrp" => insn.relative = place().map(Relative::Page),
        "ldr" | "ldrsw" | "prfm" if !words.operands.contains('[') => {
            insn.relative = place().map(Relative::Access);
            insn.access = Some(16);
        }
        "nop" => insn.nop = true,
        _ => {}
    }
}

fn key(words: &Words, insn: &Insn) -> Option<String> {
    let names_place = insn.target.is_some() || insn.relative.is_some();
    names_place.then(|| format!("{} {}", words.mnemonic, words.but_last()))
}
