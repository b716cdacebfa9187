//! The frame pointer of a caller across a body that stands in the place of a call: the body saves it in its own frame and
//! brings it back. Where it points into the caller's frame, what comes back is the same place whatever the inputs, which
//! has to be known of it; so it is made anew from the stack pointer.

use super::convert::Converted;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use langs::machine_code::{Decoded, Facts, Frame, Function};
use std::collections::BTreeMap;

/// What an instruction of a body does with the frame pointer of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// `push rbp`.
    Saves,
    /// `pop rbp`.
    Restores,
    /// `leave`.
    Leaves,
}

/// A body that saves the frame pointer: where, from its own stack pointer at the entry; and the instructions that do so.
#[derive(Debug, Default)]
pub(super) struct Saved {
    slot: i64,
    parts: BTreeMap<usize, Part>,
}

/// How a body treats the frame pointer of its caller.
#[derive(Debug)]
pub(super) enum FramePointer {
    /// It leaves it alone.
    Untouched,
    /// It saves it in a slot that nothing else reaches, and brings it back from there.
    Saved(Saved),
    /// Anything else.
    Other,
}

/// How far the frame pointer of a function is from its stack pointer before each instruction, where both are known.
pub(super) fn apart(f: &Function) -> Vec<Option<i64>> {
    let facts = Facts::of(f).ok();
    let at = |i: usize| match facts.as_ref()?.pointers_at(i) {
        (Some(stack), Some(frame)) => Some(frame - stack),
        _ => None,
    };
    (0..f.insns.len()).map(at).collect()
}

/// How a body treats the frame pointer of its caller. On AArch64 and RISC-V none is made anew: a body that saves it is no body that a
/// proof gets through.
pub(super) fn of(body: &Converted) -> FramePointer {
    let f = &body.function;
    let Some(instructions) = f.insns.iter().map(|insn| x86(&insn.decoded)).collect::<Option<Vec<_>>>() else {
        return FramePointer::Untouched;
    };
    if !instructions.iter().any(writes) {
        return FramePointer::Untouched;
    }
    found(f, &instructions).map_or(FramePointer::Other, FramePointer::Saved)
}

fn x86(decoded: &Decoded) -> Option<Instruction> {
    match decoded {
        Decoded::X86(insn) => Some(*insn),
        Decoded::AArch64(_) | Decoded::RiscV(_) => None,
    }
}

fn is_rbp(d: &Instruction) -> bool {
    d.op0_kind() == OpKind::Register && d.op0_register().full_register() == Register::RBP
}

/// Whether an instruction writes the frame pointer.
fn writes(d: &Instruction) -> bool {
    let reads_only = matches!(d.mnemonic(), Mnemonic::Push | Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Bt);
    let swaps = matches!(d.mnemonic(), Mnemonic::Xchg | Mnemonic::Xadd | Mnemonic::Cmpxchg)
        && d.op1_register().full_register() == Register::RBP;
    d.mnemonic() == Mnemonic::Leave || swaps || d.op_count() > 0 && is_rbp(d) && !reads_only
}

/// What may stand before the instruction that saves it.
fn comes_first(d: &Instruction) -> bool {
    matches!(d.mnemonic(), Mnemonic::Endbr64 | Mnemonic::Nop | Mnemonic::Push)
}

fn found(f: &Function, instructions: &[Instruction]) -> Option<Saved> {
    let facts = Facts::of(f).ok()?;
    let push = instructions.iter().position(|d| d.mnemonic() == Mnemonic::Push && is_rbp(d))?;
    let entry = f.blocks.first()?;
    if !(entry.first..entry.end).contains(&push) || !instructions[entry.first..push].iter().all(comes_first) {
        return None;
    }
    let mut saved = Saved { slot: facts.pointers_at(push).0? - 8, parts: BTreeMap::new() };
    let slot = saved.slot;
    for (i, d) in instructions.iter().enumerate() {
        // What is never reached does nothing.
        let (Some(stack), frame) = facts.pointers_at(i) else { continue };
        let part = match d.mnemonic() {
            Mnemonic::Push if i == push => Some(Part::Saves),
            Mnemonic::Pop if is_rbp(d) && stack == slot => Some(Part::Restores),
            Mnemonic::Leave if frame == Some(slot) => Some(Part::Leaves),
            _ => None,
        };
        match part {
            Some(part) => {
                saved.parts.insert(i, part);
            }
            None if Frame::accesses_at(f, &facts, i).any(|(at, n)| at < slot + 8 && slot < at + n as i64) => {
                return None;
            }
            None => {}
        }
    }
    let reached = facts.taken.iter().any(|taken| (slot..slot + 8).contains(&taken.offset));
    (!reached).then_some(saved)
}

impl Saved {
    /// What an instruction of the body does with the frame pointer.
    pub(super) fn part(&self, insn: usize) -> Option<Part> {
        self.parts.get(&insn).copied()
    }

    /// What stands in the place of such an instruction, where the frame pointer of the caller is so far from the stack pointer
    /// that the body begins with.
    pub(super) fn instead(&self, part: Part, apart: i64, at: u64) -> Option<Vec<Decoded>> {
        let moved = i32::try_from(apart - self.slot).ok()?.to_le_bytes();
        // As pushing and popping, none of these changes a flag: lea rbp, [rsp + moved]; lea rsp, [rsp + 8].
        let back = [0x48, 0x8d, 0xac, 0x24, moved[0], moved[1], moved[2], moved[3]];
        let up: &[u8] = &[0x48, 0x8d, 0x64, 0x24, 8];
        let list: Vec<&[u8]> = match part {
            // lea rsp, [rsp - 8].
            Part::Saves => vec![&[0x48, 0x8d, 0x64, 0x24, 0xf8]],
            Part::Restores => vec![&back, up],
            // mov rsp, rbp.
            Part::Leaves => vec![&[0x48, 0x89, 0xec], &back, up],
        };
        let decode =
            |bytes: &[u8]| Decoded::X86(Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode());
        Some(list.into_iter().map(decode).collect())
    }
}
