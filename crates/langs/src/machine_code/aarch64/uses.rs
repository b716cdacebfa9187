//! Which registers, flags and memory instructions of AArch64 read and write.

use super::super::abi::Abi;
use super::super::facts::Facts;
use super::super::function::{Decoded, Function};
use super::super::uses::{Control, Uses};
use super::insn::{Access, Address, Field, Index, Insn, MoveWide, Op, Operand, SP, Writeback, ZERO};

/// AArch64 under AAPCS64: x0 to x30, the stack pointer, then vectors. The last of the arguments is x8, where results in
/// memory go.
pub static AAPCS64: Abi = Abi {
    general: 32,
    registers: 64,
    uppers: None,
    word: 64,
    vector_width: 128,
    stack: SP as usize,
    frame: 29,
    arguments: &[0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36, 37, 38, 39, 8],
    general_arguments: 8,
    vector_arguments: 8,
    counter: None,
    unnamed_vectors: true,
    results: [0, 1, 32, 33],
    saved: &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 40, 41, 42, 43, 44, 45, 46, 47],
    // All but x19 to x29, the stack pointer, and v8 to v15, of which the lower half is kept.
    clobbered: 0xffff_00ff_4007_ffff,
    link: Some(30),
    extends: false,
    widens: false,
    incoming: 0,
    flags: &[0, 2, 3, 4],
    names: &[
        "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29",
        "x30", "sp",
    ],
    vector: "v",
    nothing: || Decoded::AArch64(Insn { word: 0xd503_201f, op: Some(Op::Nothing) }),
};

/// A set of registers.
fn set(registers: &[u8]) -> u64 {
    registers.iter().filter(|r| **r != ZERO).fold(0, |set, r| set | 1 << r)
}

fn operand(b: Operand) -> u64 {
    match b {
        Operand::Number(_) => 0,
        Operand::Shifted(register, ..) => set(&[register]),
        Operand::Extended(extended) => set(&[extended.register]),
    }
}

fn index(address: &Address) -> u64 {
    match address.index {
        Index::Number(_) => 0,
        Index::Register(extended) => set(&[extended.register]),
    }
}

/// Registers that an instruction reads as data, not as the base of an address; those that it writes as results.
pub(super) fn data(op: &Op) -> (u64, u64) {
    match *op {
        Op::Nothing | Op::Trap | Op::Jump | Op::JumpIf(_) => (0, 0),
        Op::AddSub { to, a, b, .. } | Op::Logic { to, a, b, .. } => (set(&[a]) | operand(b), set(&[to])),
        Op::CompareIf { a, b, .. } => (set(&[a]) | operand(b), 0),
        Op::MoveWide { kind: MoveWide::Keep, to, .. } => (set(&[to]), set(&[to])),
        Op::MoveWide { to, .. }
        | Op::Address { to, .. }
        | Op::FloatNumber { to, .. }
        | Op::VectorNumber { to, .. } => (0, set(&[to])),
        Op::Field { kind: Field::Insert, to, a, .. } => (set(&[to, a]), set(&[to])),
        Op::Field { to, a, .. }
        | Op::One { to, a, .. }
        | Op::FloatSign { to, a, .. }
        | Op::FloatRoot { to, a, .. }
        | Op::FloatFormat { to, a, .. }
        | Op::FromInteger { to, a, .. }
        | Op::ToInteger { to, a, .. } => (set(&[a]), set(&[to])),
        // Of a vector only the upper half of `fmov v.d[1]` would be kept, which is not modelled.
        Op::MoveBits { to, a, .. } => (set(&[a]), set(&[to])),
        Op::Carry { to, a, b, .. }
        | Op::Extract { to, a, b, .. }
        | Op::Select { to, a, b, .. }
        | Op::Two { to, a, b, .. }
        | Op::MulHigh { to, a, b, .. }
        | Op::Float { to, a, b, .. }
        | Op::FloatSelect { to, a, b, .. } => (set(&[a, b]), set(&[to])),
        Op::MulAdd { to, a, b, sum, .. } | Op::FloatFused { to, a, b, sum, .. } => {
            (set(&[a, b, sum]), set(&[to]))
        }
        Op::Memory { access: Access::Store, register, address, .. } => {
            (set(&[register]) | index(&address), 0)
        }
        Op::Memory { register, address, .. } => (index(&address), set(&[register])),
        Op::Pair { access: Access::Store, registers, .. } => (set(&[registers.0, registers.1]), 0),
        Op::Pair { registers, .. } => (0, set(&[registers.0, registers.1])),
        Op::JumpIfZero { a, .. } | Op::JumpIfBit { a, .. } | Op::JumpRegister(a) => (set(&[a]), 0),
        Op::Call => (0, 1 << 30),
        Op::CallRegister(a) => (set(&[a]), 1 << 30),
        Op::Return => (1 << 30, 0),
        Op::FloatCompare { a, b, .. } => (set(&[a]) | b.map_or(0, |b| set(&[b])), 0),
    }
}

/// The address of an access of memory, bytes of one register, and whether it stores.
pub(super) fn accessed(op: &Op) -> Option<(Address, u32, bool)> {
    match *op {
        Op::Memory { access, bytes, address, .. } | Op::Pair { access, bytes, address, .. } => {
            Some((address, bytes, access == Access::Store))
        }
        _ => None,
    }
}

/// The registers that an instruction may write, as bits; all where it is not modelled.
#[must_use]
pub fn written(insn: &Insn) -> u64 {
    if insn.op.is_none() { u64::MAX } else { uses(insn).writes }
}

/// The uses of an instruction; what is not modelled is taken to read and write nothing, and running it is refused.
pub(crate) fn uses(insn: &Insn) -> Uses {
    let Some(op) = &insn.op else { return Uses::default() };
    let (reads, writes) = data(op);
    // What an address is made from is left behind.
    let mut uses = Uses { reads, writes, replaced: writes & !reads, named: writes, ..Uses::default() };
    if let Some((address, _, stores)) = accessed(op) {
        uses.reads |= set(&[address.base]);
        uses.stores = stores;
        uses.stored = match op {
            Op::Memory { register, .. } if stores => set(&[*register]),
            Op::Pair { registers, .. } if stores => set(&[registers.0, registers.1]),
            _ => 0,
        };
        // A base that moves holds an address as before.
        uses.loads = !stores && address.writeback == Writeback::None;
        if address.writeback != Writeback::None {
            uses.writes |= set(&[address.base]);
        }
    }
    uses.reads_flags = match op {
        Op::Carry { .. } | Op::Select { .. } | Op::CompareIf { .. } | Op::FloatSelect { .. } => true,
        Op::JumpIf(condition) => *condition < 14,
        _ => false,
    };
    uses.writes_flags = match op {
        Op::AddSub { flags, .. } | Op::Logic { flags, .. } | Op::Carry { flags, .. } => *flags,
        Op::CompareIf { .. } | Op::FloatCompare { .. } => true,
        _ => false,
    };
    uses.sets_flags = uses.writes_flags;
    uses
}

/// How an instruction goes on.
pub(crate) fn control(insn: &Insn) -> Control {
    match insn.op {
        Some(Op::Trap) => Control::Trap,
        Some(Op::Jump) => Control::Jump,
        Some(Op::JumpRegister(_)) => Control::IndirectJump,
        Some(Op::Call | Op::CallRegister(_)) => Control::Call,
        Some(Op::Return) => Control::Return,
        _ => Control::Other,
    }
}

/// Where in the frame an instruction accesses memory, and whether it stores: one access for each register.
fn in_frame(insn: &Insn, facts: &Facts, i: usize) -> Option<(i64, u32, bool)> {
    let (address, bytes, stores) = accessed(&insn.op?)?;
    let at = facts.frame(i, usize::from(address.base))?;
    let Index::Number(number) = address.index else { return None };
    let moved = if address.writeback == Writeback::After { 0 } else { number };
    Some((at.wrapping_add(moved), bytes, stores))
}

/// The direct accesses of the frame that an instruction makes: offset, bytes, reads, writes.
pub(crate) fn frame_accesses(insn: &Insn, facts: &Facts, i: usize) -> Vec<(i64, u64, bool, bool)> {
    let Some((at, bytes, stores)) = in_frame(insn, facts, i) else { return Vec::new() };
    let count = if matches!(insn.op, Some(Op::Pair { .. })) { 2 } else { 1 };
    let one = |n: i64| (at + n * i64::from(bytes), u64::from(bytes), !stores, stores);
    (0..count).map(one).collect()
}

/// Where an instruction at the beginning of a function stores registers that the caller finds as they were.
pub(crate) fn saves(f: &Function, facts: &Facts, (i, insn): (usize, &Insn)) -> Vec<(usize, i64)> {
    let Some((at, bytes, true)) = in_frame(insn, facts, i) else { return Vec::new() };
    let registers = match insn.op {
        Some(Op::Memory { register, .. }) => vec![register],
        Some(Op::Pair { registers, .. }) => vec![registers.0, registers.1],
        _ => Vec::new(),
    };
    let Some(written) = super::super::uses::written_at_first(f, i) else { return Vec::new() };
    let saved = |r: &u8| AAPCS64.saved.contains(&usize::from(*r)) && written >> r & 1 == 0;
    if bytes != 8 || !registers.iter().all(saved) {
        return Vec::new();
    }
    registers.iter().enumerate().map(|(n, r)| (usize::from(*r), at + 8 * n as i64)).collect()
}

/// Whether an instruction writes or reads the stack.
pub(crate) fn uses_frame(insn: &Insn) -> bool {
    let address = insn.op.as_ref().and_then(accessed);
    address.is_some_and(|(address, ..)| matches!(address.base, SP | 29))
}
