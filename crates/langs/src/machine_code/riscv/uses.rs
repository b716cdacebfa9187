//! Which registers and memory instructions of RISC-V read and write.

use super::super::abi::Abi;
use super::super::facts::Facts;
use super::super::function::{Decoded, Function};
use super::super::uses::{Control, Uses};
use super::insn::{Address, FRAME, Insn, LINK, Op, Operand, SP, ZERO};

/// RISC-V of 64 bits with doubles: general registers, then those of floating-point numbers.
pub static LP64D: Abi = Abi {
    general: 32,
    registers: 64,
    uppers: None,
    word: 64,
    vector_width: 64,
    stack: SP as usize,
    frame: FRAME as usize,
    arguments: &[10, 11, 12, 13, 14, 15, 16, 17, 42, 43, 44, 45, 46, 47, 48, 49],
    general_arguments: 8,
    vector_arguments: 8,
    counter: None,
    unnamed_vectors: false,
    results: [10, 11, 42, 43],
    // `ra`, `gp` and `tp`, which nobody changes, s0 to s11, fs0 to fs11.
    saved: &[
        1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 40, 41, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
    ],
    // `ra`, t0 to t6, a0 to a7, ft0 to ft11, fa0 to fa7.
    clobbered: 0xf003_fcff_f003_fce2,
    link: Some(LINK as usize),
    extends: false,
    widens: true,
    incoming: 0,
    flags: &[],
    names: &[
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
        "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
    ],
    vector: "f",
    nothing: || Decoded::RiscV(super::decode(&NOTHING.to_le_bytes())),
};

/// `addi zero, zero, 0`.
const NOTHING: u32 = 0x13;

/// A set of registers.
fn set(registers: &[u8]) -> u64 {
    registers.iter().filter(|r| **r != ZERO).fold(0, |set, r| set | 1 << r)
}

/// Registers that an instruction reads as data, not as the base of an address; those that it writes as results.
pub(super) fn data(op: &Op) -> (u64, u64) {
    match *op {
        Op::Trap => (0, 0),
        Op::Upper { to, .. } | Op::Load { to, .. } => (0, set(&[to])),
        Op::Binary { to, a, b, .. } => match b {
            Operand::Number(_) => (set(&[a]), set(&[to])),
            Operand::Register(b) => (set(&[a, b]), set(&[to])),
        },
        Op::Store { from, .. } => (set(&[from]), 0),
        Op::Jump { scratch } => (0, set(&[scratch])),
        Op::JumpIf { a, b, .. } => (set(&[a, b]), 0),
        Op::JumpRegister(a) => (set(&[a]), 0),
        Op::Call => (0, set(&[LINK])),
        Op::CallRegister(a) => (set(&[a]), set(&[LINK])),
        Op::Return => (set(&[LINK]), 0),
        Op::Float { to, a, b, .. } | Op::FloatCompare { to, a, b, .. } => (set(&[a, b]), set(&[to])),
        Op::Fused { to, a, b, sum, .. } => (set(&[a, b, sum]), set(&[to])),
        Op::Root { to, a, .. }
        | Op::Class { to, a, .. }
        | Op::Format { to, a, .. }
        | Op::FromInteger { to, a, .. }
        | Op::ToInteger { to, a, .. }
        | Op::MoveBits { to, a, .. } => (set(&[a]), set(&[to])),
    }
}

/// The address of an access of memory, its bytes, and whether it stores.
pub(super) fn accessed(op: &Op) -> Option<(Address, u32, bool)> {
    match *op {
        Op::Load { address, bytes, .. } => Some((address, bytes, false)),
        Op::Store { address, bytes, .. } => Some((address, bytes, true)),
        _ => None,
    }
}

/// The uses of an instruction; what is not modelled is taken to read and write nothing, and running it is refused.
pub(crate) fn uses(insn: &Insn) -> Uses {
    let Some(op) = &insn.op else { return Uses::default() };
    let (reads, writes) = data(op);
    // What a jump leaves of the address that it makes is meant for nobody.
    let named = if matches!(op, Op::Jump { .. }) { 0 } else { writes };
    // What an address is made from is left behind.
    let mut uses = Uses { reads, writes, replaced: writes & !reads, named, ..Uses::default() };
    if let Some((address, _, stores)) = accessed(op) {
        uses.reads |= set(&[address.base]);
        (uses.stores, uses.loads) = (stores, !stores);
        uses.stored = if stores { reads } else { 0 };
    }
    uses
}

/// How an instruction goes on.
pub(crate) fn control(insn: &Insn) -> Control {
    match insn.op {
        Some(Op::Trap) => Control::Trap,
        Some(Op::Jump { .. }) => Control::Jump,
        Some(Op::JumpRegister(_)) => Control::IndirectJump,
        Some(Op::Call | Op::CallRegister(_)) => Control::Call,
        Some(Op::Return) => Control::Return,
        _ => Control::Other,
    }
}

/// Where in the frame an instruction accesses memory, how many bytes, and whether it stores.
fn in_frame(insn: &Insn, facts: &Facts, i: usize) -> Option<(i64, u32, bool)> {
    let (address, bytes, stores) = accessed(&insn.op?)?;
    let at = facts.frame(i, usize::from(address.base))?;
    Some((at.wrapping_add(address.offset), bytes, stores))
}

/// The direct accesses of the frame that an instruction makes: offset, bytes, reads, writes.
pub(crate) fn frame_accesses(insn: &Insn, facts: &Facts, i: usize) -> Vec<(i64, u64, bool, bool)> {
    let found = in_frame(insn, facts, i);
    found.map(|(at, bytes, stores)| (at, u64::from(bytes), !stores, stores)).into_iter().collect()
}

/// Where an instruction at the beginning of a function stores a register that the caller finds as it was.
pub(crate) fn saves(f: &Function, facts: &Facts, (i, insn): (usize, &Insn)) -> Vec<(usize, i64)> {
    let (Some((at, 8, true)), Some(Op::Store { from, .. })) = (in_frame(insn, facts, i), insn.op) else {
        return Vec::new();
    };
    let Some(written) = super::super::uses::written_at_first(f, i) else { return Vec::new() };
    let saved = LP64D.saved.contains(&usize::from(from)) && written & set(&[from]) == 0;
    if saved { vec![(usize::from(from), at)] } else { Vec::new() }
}

/// Whether an instruction writes or reads the stack.
pub(crate) fn uses_frame(insn: &Insn) -> bool {
    let address = insn.op.as_ref().and_then(accessed);
    address.is_some_and(|(address, ..)| matches!(address.base, SP | FRAME))
}

#[cfg(test)]
mod tests {
    use super::super::insn::FLOAT;
    use super::*;

    #[test]
    fn a_call_changes_what_it_does_not_keep() {
        for n in 1..64 {
            let kept = LP64D.saved.contains(&n) || n == LP64D.stack;
            // `ra` is the caller's to keep, and a call writes it.
            assert_eq!(LP64D.clobbered >> n & 1 == 1, !kept || n == usize::from(LINK), "{}", LP64D.name(n));
        }
        assert_eq!(LP64D.name(usize::from(FLOAT) + 10), "f10");
    }
}
