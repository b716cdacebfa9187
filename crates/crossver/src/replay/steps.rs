//! What the driver prints of a run that goes one instruction at a time.

use super::feed::JUNK;
use super::judge;
pub use super::link::READ_ONLY;
use super::plan::SidePlan;
use super::ran::Registers;
use iced_x86::{Decoder, DecoderOptions, Instruction};
use std::collections::BTreeMap;

/// Most instructions of a run that are told: a run that is longer is told of up to there.
pub const MOST: u64 = 10_000;

/// The state before an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The instruction's address: in the function's code, in a stub, or behind the end.
    pub at: u64,
    /// The flags.
    pub flags: u64,
    /// 16 general registers, then two words of each vector.
    pub registers: Box<Registers>,
}

/// The stack pointer at the entry, in the first or in the second run.
#[must_use]
pub fn stack_pointer(second: bool) -> u64 {
    JUNK[usize::from(second)].stack_pointer
}

/// The place among [`Step::registers`] of a register that an observation names; of a vector, that of its low word.
#[must_use]
pub fn place(register: &str) -> Option<usize> {
    (0..48).find(|n| judge::name(*n) == register)
}

/// The instructions of a side's code, by address.
pub(super) fn instructions(side: &SidePlan) -> BTreeMap<u64, Instruction> {
    let decoded = |(at, bytes): &(u64, Vec<u8>)| {
        let insn = Decoder::with_ip(64, bytes, *at, DecoderOptions::NONE).decode();
        (bytes.len() <= 15 && !insn.is_invalid()).then_some((*at, insn))
    };
    side.code.iter().filter_map(decoded).collect()
}

/// Reads the steps; lines that are no steps are for others.
pub(super) fn parse(text: &str) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("step ") else { continue };
        let numbers: Result<Vec<u64>, _> = rest.split(' ').map(|w| u64::from_str_radix(w, 16)).collect();
        let Ok([at, flags, changes @ ..]) = numbers.as_deref() else { continue };
        let mut registers = out.last().map_or_else(|| Box::new([0; 48]), |last| last.registers.clone());
        for change in changes.chunks_exact(2) {
            if let Some(register) = registers.get_mut(change[0] as usize) {
                *register = change[1];
            }
        }
        out.push(Step { at: *at, flags: *flags, registers });
    }
    out
}
