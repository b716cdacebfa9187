//! Which registers, flags and stack slots instructions read and write.

use super::calls::Calls;
use super::facts::{Facts, RSP, gpr64, is_bookkeeping};
use super::frame::Frame;
use super::function::{Function, Insn, Target};
use crate::liveness::Flow;
use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// The number of general and vector registers; the flags come behind them, then slots.
pub(crate) const FLAGS: usize = 32;
/// The first slot.
pub(crate) const SLOTS: usize = 33;

/// The registers that a call may leave changed: all but rbx, rsp, rbp, r12 to r15.
pub(crate) fn is_clobbered(register: usize) -> bool {
    !matches!(register, 3..=5 | 12..=15)
}

/// The registers that keep their value in a call, but for the stack pointer.
pub(crate) const SAVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

/// The number of a register: general ones, then vectors.
pub(crate) fn number(register: Register) -> Option<usize> {
    let full = register.full_register();
    if let Some(n) = gpr64(full) {
        return Some(n);
    }
    let vector = full.is_vector_register() && full.number() < 16;
    vector.then(|| 16 + full.number())
}

/// The direct accesses of the frame that an instruction makes: offset, bytes, reads, writes.
pub(crate) fn frame_accesses(f: &Function, facts: &Facts, i: usize) -> Vec<(i64, u64, bool, bool)> {
    let insn = &f.insns[i];
    let d = &insn.decoded;
    let Some(sp) = facts.frame(i, RSP) else { return Vec::new() };
    let mut out = Vec::new();
    match d.mnemonic() {
        Mnemonic::Push => out.push((sp - 8, 8, false, true)),
        Mnemonic::Pop => out.push((sp, 8, true, false)),
        Mnemonic::Leave => {
            if let Some(at) = facts.frame(i, super::facts::RBP) {
                out.push((at, 8, true, false));
            }
        }
        _ => {}
    }
    if (0..d.op_count()).all(|op| d.op_kind(op) != OpKind::Memory) || d.mnemonic() == Mnemonic::Lea {
        return out;
    }
    let base = gpr64(d.memory_base()).and_then(|n| facts.frame(i, n));
    let (Some(at), Register::None) = (base, d.memory_index()) else { return out };
    let at = at.wrapping_add(d.memory_displacement64() as i64);
    let bytes = d.memory_size().size() as u64;
    let mut factory = InstructionInfoFactory::new();
    let (mut reads, mut writes) = (false, false);
    for used in factory.info(d).used_memory() {
        if used.base() == d.memory_base() && used.displacement() == d.memory_displacement64() {
            let access = used.access();
            reads |= !matches!(access, OpAccess::Write | OpAccess::None | OpAccess::NoMemAccess);
            writes |= !matches!(
                access,
                OpAccess::Read | OpAccess::CondRead | OpAccess::None | OpAccess::NoMemAccess
            );
        }
    }
    out.push((at, bytes, reads, writes));
    out
}

/// Instructions that give the same whatever their register held.
pub(crate) fn forgets(insn: &Insn) -> bool {
    let d = &insn.decoded;
    let same = d.op_count() == 2
        && d.op0_kind() == OpKind::Register
        && d.op1_kind() == OpKind::Register
        && d.op0_register() == d.op1_register();
    let clears = matches!(
        d.mnemonic(),
        Mnemonic::Xor
            | Mnemonic::Sub
            | Mnemonic::Pxor
            | Mnemonic::Xorps
            | Mnemonic::Xorpd
            | Mnemonic::Sbb
            | Mnemonic::Pcmpeqb
            | Mnemonic::Pcmpeqw
            | Mnemonic::Pcmpeqd
    );
    same && clears && d.op0_register().size() >= 4
}

/// Reads and writes of one instruction, as variables.
struct Uses {
    reads: Vec<usize>,
    writes: Vec<usize>,
}

fn of_insn(f: &Function, facts: &Facts, frame: &Frame, calls: &Calls, i: usize) -> Uses {
    let insn = &f.insns[i];
    let d = &insn.decoded;
    let mut uses = Uses { reads: Vec::new(), writes: Vec::new() };
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(d);
    for used in info.used_registers() {
        let Some(n) = number(used.register()) else { continue };
        let (reads, writes) = match used.access() {
            OpAccess::None | OpAccess::NoMemAccess => (false, false),
            OpAccess::Read | OpAccess::CondRead => (true, false),
            OpAccess::Write => (false, true),
            OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        };
        if reads || writes && used.register().size() < if n < 16 { 4 } else { 16 } {
            uses.reads.push(n);
        }
        if writes {
            uses.writes.push(n);
        }
    }
    if forgets(insn) {
        uses.reads.retain(|n| Some(*n) != number(d.op0_register()));
    }
    if d.rflags_read() != 0 {
        uses.reads.push(FLAGS);
    }
    let written = d.rflags_modified();
    if written != 0 {
        // What leaves some flags as they were, reads them.
        if !super::table::sets_all_flags(d.mnemonic()) {
            uses.reads.push(FLAGS);
        }
        uses.writes.push(FLAGS);
    }
    for (at, bytes, reads, writes) in frame_accesses(f, facts, i) {
        for slot in frame.touched(at, bytes) {
            if reads || writes && !frame.covers(at, bytes, slot) {
                uses.reads.push(SLOTS + slot);
            }
            if writes {
                uses.writes.push(SLOTS + slot);
            }
        }
    }
    // Registers that are followed hold no data where they are.
    if is_bookkeeping(insn, facts, i) {
        uses.reads.retain(|n| *n >= SLOTS);
    }
    uses.reads.retain(|n| *n != RSP && facts.frame(i, *n.min(&15)).is_none_or(|_| *n > 15));
    uses.writes.retain(|n| *n != RSP);
    around_calls(f, frame, calls, i, &mut uses);
    uses
}

fn around_calls(f: &Function, frame: &Frame, calls: &Calls, i: usize, uses: &mut Uses) {
    if let Some(call) = calls.at(i) {
        uses.reads.extend(call.arguments.iter().filter(|p| p.bits > 0).map(|p| p.register));
        for (at, bytes) in &call.stack {
            uses.reads.extend(frame.touched(*at, *bytes).into_iter().map(|slot| SLOTS + slot));
        }
        uses.writes.extend(call.clobbers());
        uses.writes.push(FLAGS);
    }
    let leaves = f.insns[i].decoded.mnemonic() == Mnemonic::Ret || calls.at(i).is_some_and(|c| c.tail);
    if leaves {
        uses.reads.extend(SAVED);
        if calls.at(i).is_none() {
            uses.reads.extend(calls.own.results.iter().map(|p| p.register));
        }
    }
}

/// Blocks and uses in the form that liveness asks for.
pub(crate) fn flow(f: &Function, facts: &Facts, frame: &Frame, calls: &Calls) -> Flow {
    let mut flow =
        Flow { variables: SLOTS + frame.slots.len(), blocks: Vec::new(), uses: Vec::new(), defs: Vec::new() };
    for i in 0..f.insns.len() {
        let uses = match facts.reached(i) {
            true => of_insn(f, facts, frame, calls, i),
            false => Uses { reads: Vec::new(), writes: Vec::new() },
        };
        flow.uses.push(uses.reads);
        flow.defs.push(uses.writes);
    }
    for (b, block) in f.blocks.iter().enumerate() {
        flow.blocks.push((block.first..block.end, successors(f, facts, b), Vec::new()));
    }
    flow
}

/// The blocks that may follow one.
pub(crate) fn successors(f: &Function, facts: &Facts, b: usize) -> Vec<usize> {
    let block = &f.blocks[b];
    let mut out: Vec<usize> = block.falls.into_iter().collect();
    for i in block.first..block.end {
        let insn = &f.insns[i];
        if let (Some(Target::Block(to)), false) = (&insn.target, insn.decoded.is_call_near()) {
            out.push(*to);
        }
        if let Some(table) = facts.table(i) {
            out.extend(f.tables[table].entries.iter().copied());
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
