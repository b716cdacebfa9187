//! What an executed instruction did, as a number that is the same for instructions of two versions that did the same.

use super::detail::Detail;
use crate::replay::plan::{Plan, STACK};
use crate::replay::steps::{READ_ONLY, Step};
use iced_x86::{
    ConditionCode, FlowControl, Instruction, InstructionInfo, Mnemonic, OpAccess, OpKind, Register,
    UsedMemory,
};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Addresses of code, and of tables and words that the linker makes.
const CODE: std::ops::Range<u64> = 0x6000_0000..READ_ONLY.start;
const MADE: std::ops::Range<u64> = 0x6d00_0000..STACK.start;

/// The arithmetic flags but the one of half bytes.
const ARITHMETIC: u64 = 0x8c5;

/// An instruction as it was executed.
pub struct Seen<'s> {
    /// The run's plan.
    pub plan: &'s Plan,
    /// The instruction.
    pub insn: &'s Instruction,
    /// The state before it.
    pub step: &'s Step,
    /// The state after it.
    pub next: Option<&'s Step>,
    /// The stub that it called.
    pub stub: Option<usize>,
    /// The memory that it accessed.
    pub memory: &'s [(UsedMemory, u64)],
}

/// What is compared of an instruction.
#[derive(Hash)]
enum Did {
    /// Called something.
    Called(String),
    /// Went by a condition.
    Decided(u32),
    /// Returned, or jumped by a table.
    Went(u8),
    /// Left values in registers.
    Made(Vec<u64>),
    /// Left a value in memory.
    Stored(Vec<u64>, Vec<u64>),
    /// Left flags alone, from these operands.
    Compared(BTreeSet<u64>, u64),
    /// Anything else.
    Other(u32),
}

/// Values below are common: counts, characters, sizes.
const COMMON: u64 = 0x1000;

impl Did {
    /// Whether it hardly comes about twice by chance.
    fn is_rare(&self) -> bool {
        let large =
            |v: &u64| (COMMON..u64::from(u32::MAX)).contains(v) || (1 << 32..u64::MAX - COMMON).contains(v);
        // Single bits are masks and shifted flags.
        let rare = |v: &u64| large(v) && !v.is_power_of_two();
        match self {
            Did::Made(values) | Did::Stored(_, values) => values.iter().any(rare),
            Did::Called(_) | Did::Decided(_) | Did::Went(_) | Did::Compared(..) | Did::Other(_) => false,
        }
    }
}

/// The token, and whether it is rare.
pub fn of(seen: &Seen<'_>, info: &InstructionInfo, detail: Detail) -> Option<(u64, bool)> {
    let fine = detail == Detail::All;
    let did = did(seen, info, fine)?;
    let mut hasher = DefaultHasher::new();
    did.hash(&mut hasher);
    if fine || detail == Detail::Operations && matches!(did, Did::Made(_)) && !did.is_rare() {
        seen.insn.mnemonic().hash(&mut hasher);
    }
    if fine {
        let registers = info.used_registers().iter().filter(|used| writes(used.access()));
        registers.for_each(|used| used.register().full_register().hash(&mut hasher));
    }
    Some((hasher.finish(), did.is_rare()))
}

fn did(seen: &Seen<'_>, info: &InstructionInfo, fine: bool) -> Option<Did> {
    let insn = seen.insn;
    if let Some(stub) = seen.stub.and_then(|n| seen.plan.stubs.get(n)) {
        return Some(Did::Called(stub.name.clone()));
    }
    match insn.flow_control() {
        FlowControl::UnconditionalBranch => return None,
        FlowControl::ConditionalBranch => {
            let code = insn.condition_code();
            return Some(Did::Decided(if fine { code as u32 } else { class(code) }));
        }
        FlowControl::Return => return Some(Did::Went(0)),
        FlowControl::IndirectBranch => return Some(Did::Went(1)),
        FlowControl::Call | FlowControl::IndirectCall => return Some(Did::Went(2)),
        FlowControl::Next
        | FlowControl::Interrupt
        | FlowControl::XbeginXabortXend
        | FlowControl::Exception => {}
    }
    if is_nop(insn) {
        return None;
    }
    let value = |v: u64| plain(seen.plan, v, fine);
    let written = info.used_registers().iter().filter(|used| writes(used.access()));
    let written: Vec<Register> = written.map(|used| used.register()).collect();
    let stored = seen.memory.iter().find(|(used, _)| writes(used.access()));
    if let Some((used, at)) = stored {
        let mut values: Vec<u64> = operands(seen, fine).into_iter().collect();
        values.extend(
            (insn.op_count() > 1 && used.access() != OpAccess::Write).then_some(insn.mnemonic() as u64),
        );
        return Some(Did::Stored(vec![value(*at), used.memory_size().size() as u64], values));
    }
    let made: Vec<u64> = written
        .iter()
        .filter(|r| r.full_register() != Register::RSP)
        .flat_map(|r| seen.next.into_iter().flat_map(|next| held(next, *r)))
        .map(value)
        .collect();
    if !made.is_empty() {
        return Some(Did::Made(made));
    }
    match seen.next {
        Some(next) if insn.rflags_modified() != 0 && written.is_empty() => {
            Some(Did::Compared(operands(seen, fine), next.flags & ARITHMETIC))
        }
        Some(_) if written.is_empty() => Some(Did::Other(insn.mnemonic() as u32)),
        // The stack pointer's own moves: frames differ.
        Some(_) => fine.then(|| Did::Other(insn.mnemonic() as u32)),
        None => Some(Did::Other(insn.mnemonic() as u32)),
    }
}

/// A condition without what versions choose: its opposite for another order of blocks, another one for operands the
/// other way round.
fn class(code: ConditionCode) -> u32 {
    match code {
        ConditionCode::None => 0,
        ConditionCode::o | ConditionCode::no => 1,
        ConditionCode::b | ConditionCode::ae | ConditionCode::be | ConditionCode::a => 2,
        ConditionCode::e | ConditionCode::ne => 3,
        ConditionCode::p | ConditionCode::np => 4,
        ConditionCode::s
        | ConditionCode::ns
        | ConditionCode::l
        | ConditionCode::ge
        | ConditionCode::le
        | ConditionCode::g => 5,
    }
}

/// What a register holds, of the width that is used.
fn held(step: &Step, register: Register) -> Vec<u64> {
    let number = register.full_register().number();
    if register.is_vector_register() {
        let at = 16 + 2 * (number % 16);
        return step.registers[at..at + 2].to_vec();
    }
    if !register.is_gpr() {
        return Vec::new();
    }
    let whole = step.registers[number];
    vec![match register.size() {
        1 if matches!(register, Register::AH | Register::BH | Register::CH | Register::DH) => {
            whole >> 8 & 0xff
        }
        1 => whole & 0xff,
        2 => whole & 0xffff,
        4 => whole & 0xffff_ffff,
        _ => whole,
    }]
}

/// Values of operands that are registers or numbers.
fn operands(seen: &Seen<'_>, fine: bool) -> BTreeSet<u64> {
    let insn = seen.insn;
    let mut out = BTreeSet::new();
    for n in 0..insn.op_count() {
        match insn.op_kind(n) {
            OpKind::Register => {
                out.extend(
                    held(seen.step, insn.op_register(n)).into_iter().map(|v| plain(seen.plan, v, fine)),
                );
            }
            OpKind::Memory => {}
            _ => out.extend(insn.try_immediate(n).ok()),
        }
    }
    out
}

/// A value without what differs between versions: each has a frame, code and constants of its own. Of an address of
/// constants it is what lies there that counts.
fn plain(plan: &Plan, v: u64, fine: bool) -> u64 {
    const OWN: u64 = 0x5eed_0000_0000_0000;
    if CODE.contains(&v) || MADE.contains(&v) {
        OWN
    } else if READ_ONLY.contains(&v) {
        let there = plan.constants.iter().find_map(|(at, bytes)| bytes.get(v.checked_sub(*at)? as usize..));
        there.map_or(OWN + 1, |bytes| bytes.iter().take(8).fold(OWN, |sum, b| sum << 8 | u64::from(*b)))
    } else if STACK.contains(&v) && !fine {
        OWN + 2
    } else {
        v
    }
}

/// Whether something is written.
pub fn writes(access: OpAccess) -> bool {
    match access {
        OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => true,
        OpAccess::None | OpAccess::NoMemAccess | OpAccess::Read | OpAccess::CondRead => false,
    }
}

/// Whether an instruction does nothing.
pub fn is_nop(insn: &Instruction) -> bool {
    matches!(insn.mnemonic(), Mnemonic::Nop | Mnemonic::Endbr64)
}
