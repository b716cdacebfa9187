//! A run as a graph: each executed instruction, and which others made what it read.

use super::detail::Detail;
use super::token::{self, is_nop, writes};
use crate::replay::plan::{Plan, STACK, SidePlan};
use crate::replay::steps::Step;
use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfo, InstructionInfoFactory,
    Mnemonic, OpAccess, OpKind, Register, RflagsBits, UsedMemory,
};
use std::collections::{BTreeMap, BTreeSet};

/// Registers whose makers are kept: 16 general ones, 16 vectors, the flags.
pub const REGISTERS: usize = 33;
const FLAGS: usize = 32;
const STACK_POINTER: usize = 4;
const FRAME_POINTER: usize = 5;

/// What an instruction does to the order of execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Goes on to the next one.
    None,
    /// Does nothing.
    Nop,
    /// Jumps, always.
    Jump,
    /// Jumps, or not.
    Branch,
    /// Calls, or returns.
    Call,
}

/// An executed instruction.
#[derive(Debug)]
pub struct Node {
    /// Its address.
    pub at: u64,
    /// What it does to the order.
    pub turn: Turn,
    /// The executed instructions that made what it read.
    pub makers: Vec<usize>,
    /// What it did; none of what leaves nothing behind.
    pub token: Option<u64>,
    /// Whether what it did hardly comes about twice by chance.
    pub rare: bool,
    /// What it is, without registers and numbers.
    pub shape: (Mnemonic, Vec<OpKind>),
    /// What it is, with all of them.
    pub whole: Whole,
}

/// An instruction with its registers and numbers, apart from where it lies: code, registers, numbers.
pub type Whole = (Code, Vec<Register>, Vec<u64>);

/// A call of something outside.
#[derive(Debug)]
pub struct Called {
    /// The instruction.
    pub node: usize,
    /// The stub, by its number.
    pub stub: usize,
    /// The stack pointer behind the return address.
    pub stack: u64,
    /// Who made the registers.
    pub makers: [Option<usize>; REGISTERS],
    /// The registers.
    pub registers: Box<[u64; 48]>,
}

/// A run.
#[derive(Debug, Default)]
pub struct Flow {
    /// Executed instructions, in order.
    pub nodes: Vec<Node>,
    /// Calls of what lies outside, in order.
    pub calls: Vec<Called>,
    /// Who made the registers at the end.
    pub makers: Vec<Option<usize>>,
    /// The registers at the end.
    pub registers: Option<Box<[u64; 48]>>,
    /// All instructions of the function, executed or not.
    pub text: BTreeSet<Whole>,
    /// By byte of memory: when it was written, in order, and who made what was written.
    pub memory: BTreeMap<u64, Vec<(usize, Option<usize>)>>,
}

/// What reading a run takes.
struct Reader<'p> {
    plan: &'p Plan,
    detail: Detail,
    code: BTreeMap<u64, Instruction>,
    factory: InstructionInfoFactory,
    makers: [Option<usize>; REGISTERS],
    out: Flow,
}

/// The number of a register among those whose makers are kept.
fn number(register: Register) -> Option<usize> {
    match register.full_register() {
        r if r.is_gpr64() => Some(r.number()),
        r if r.is_vector_register() && r.number() < 16 => Some(16 + r.number()),
        _ => None,
    }
}

/// What a register holds; of a vector its low word, of a part of a register the whole.
fn held(plan: &Plan, step: &Step, register: Register) -> Option<u64> {
    match register {
        Register::FS => Some(plan.thread),
        r if r.is_segment_register() => Some(0),
        r if r.is_ip() => Some(step.at),
        r => number(r).map(|n| step.registers[if n < 16 { n } else { 16 + 2 * (n - 16) }]),
    }
}

impl Flow {
    /// Reads a run.
    pub fn of(plan: &Plan, side: &SidePlan, steps: &[Step], detail: Detail) -> Flow {
        let decoded = |(at, bytes): &(u64, Vec<u8>)| {
            let insn = Decoder::with_ip(64, bytes, *at, DecoderOptions::NONE).decode();
            (side.text.contains_key(at) && !insn.is_invalid()).then_some((*at, insn))
        };
        let code = side.code.iter().filter_map(decoded).collect();
        let factory = InstructionInfoFactory::new();
        let mut reader =
            Reader { plan, detail, code, factory, makers: [None; REGISTERS], out: Flow::default() };
        for n in 0..steps.len() {
            reader.step(&steps[n..]);
        }
        reader.out.text = reader.code.values().map(|insn| whole(plan, insn)).collect();
        reader.out.makers = reader.makers.to_vec();
        reader.out.registers = steps.last().map(|step| step.registers.clone());
        reader.out
    }

    /// Who made what was written to a byte last, before an instruction.
    pub fn writer(&self, at: u64, before: usize) -> Option<usize> {
        self.memory.get(&at)?.iter().rev().find(|(n, _)| *n < before)?.1
    }
}

impl Reader<'_> {
    fn step(&mut self, rest: &[Step]) {
        let (step, next) = (&rest[0], rest.get(1));
        let Some(insn) = self.code.get(&step.at).copied() else {
            self.outside(rest);
            return;
        };
        let info = self.factory.info(&insn).clone();
        let memory: Vec<(UsedMemory, u64)> = info
            .used_memory()
            .iter()
            .filter_map(|m| {
                let at = m.virtual_address(0, |r, _, _| held(self.plan, step, r));
                Some((*m, at?))
            })
            .collect();
        let makers = self.read((step, &insn), &info, &memory);
        let stub = next.and_then(|next| self.stub(next.at));
        let seen = token::Seen { plan: self.plan, insn: &insn, step, next, stub, memory: &memory };
        let (token, rare) = token::of(&seen, &info, self.detail).unzip();
        let rare = rare.unwrap_or(false);
        self.write(&insn, &info, &memory);
        let kinds = insn.op_kinds().collect();
        let shape = (insn.mnemonic(), kinds);
        // A jump out of the function is a call, too.
        let turn = if stub.is_some() { Turn::Call } else { turn(&insn) };
        let (at, whole) = (step.at, whole(self.plan, &insn));
        self.out.nodes.push(Node { at, turn, makers, token, rare, shape, whole });
    }

    /// Who made what an instruction reads.
    fn read(
        &self,
        (step, insn): (&Step, &Instruction),
        info: &InstructionInfo,
        memory: &[(UsedMemory, u64)],
    ) -> Vec<usize> {
        let mut makers = Vec::new();
        if !zeroes(insn) {
            for used in info.used_registers() {
                // Where the frame lies is no value of the program.
                let frame = |r: usize| r == FRAME_POINTER && STACK.contains(&step.registers[r]);
                let number = number(used.register()).filter(|r| *r != STACK_POINTER && !frame(*r));
                // A write of 8 or 16 bits keeps the rest.
                let part = used.access() == OpAccess::Write && used.register().size() < 4;
                if let Some(r) = number.filter(|_| reads(used.access()) || part) {
                    makers.extend(self.makers[r]);
                }
            }
        }
        if insn.rflags_read() & !RflagsBits::DF != 0 {
            makers.extend(self.makers[FLAGS]);
        }
        for (used, at) in memory.iter().filter(|(used, _)| reads(used.access())) {
            let bytes = (0..used.memory_size().size() as u64).map(|k| at.wrapping_add(k));
            makers.extend(bytes.filter_map(|at| self.out.writer(at, usize::MAX)));
        }
        makers.sort_unstable();
        makers.dedup();
        makers
    }

    /// Remembers who makes what an instruction writes.
    fn write(&mut self, insn: &Instruction, info: &InstructionInfo, memory: &[(UsedMemory, u64)]) {
        let n = self.out.nodes.len();
        let maker = self.copied(insn, memory).unwrap_or(Some(n));
        for used in info.used_registers().iter().filter(|used| writes(used.access())) {
            if let Some(r) = number(used.register()) {
                self.makers[r] = maker;
            }
        }
        if insn.rflags_modified() & !RflagsBits::DF != 0 {
            self.makers[FLAGS] = Some(n);
        }
        for (used, at) in memory.iter().filter(|(used, _)| writes(used.access())) {
            for k in 0..used.memory_size().size() as u64 {
                self.out.memory.entry(at.wrapping_add(k)).or_default().push((n, maker));
            }
        }
    }

    /// Who made what an instruction only copies, where that is a matter of the version: a value into a slot of the frame, and
    /// what the function was given (nobody made that) into a register.
    fn copied(&self, insn: &Instruction, memory: &[(UsedMemory, u64)]) -> Option<Option<usize>> {
        if self.detail != Detail::Values || insn.op_count() != 2 || insn.mnemonic() != Mnemonic::Mov {
            return None;
        }
        let slot = memory.first().filter(|(_, at)| STACK.contains(at)).map(|(_, at)| *at);
        let held = |n: u32| number(insn.op_register(n)).map(|r| self.makers[r]);
        match (insn.op0_kind(), insn.op1_kind(), slot) {
            (OpKind::Memory, OpKind::Register, Some(_)) => held(1),
            (OpKind::Register, OpKind::Memory, Some(at)) => {
                let given = self.out.writer(at, usize::MAX).is_none() && self.out.memory.contains_key(&at);
                given.then_some(None)
            }
            (OpKind::Register, OpKind::Register, None) => held(1).filter(Option::is_none),
            _ => None,
        }
    }

    fn stub(&self, at: u64) -> Option<usize> {
        self.plan.stubs.iter().position(|stub| stub.at == at)
    }

    /// A stub's own instruction: what a callee gives and changes is made by the call.
    fn outside(&mut self, rest: &[Step]) {
        let (step, node) = (&rest[0], self.out.nodes.len().wrapping_sub(1));
        let Some(stub) = self.stub(step.at).filter(|_| node != usize::MAX) else { return };
        self.out.calls.push(Called {
            node,
            stub,
            stack: step.registers[STACK_POINTER].wrapping_add(8),
            makers: self.makers,
            registers: step.registers.clone(),
        });
        let Some(answer) = self.plan.answers.get(self.out.calls.len() - 1) else { return };
        for (at, _) in &answer.changes {
            self.out.memory.entry(*at).or_default().push((node, Some(node)));
        }
        let after = rest.iter().skip(1).find(|after| self.code.contains_key(&after.at));
        for r in (0..FLAGS).filter(|r| *r != STACK_POINTER) {
            let at = if r < 16 { r } else { 16 + 2 * (r - 16) };
            if after.is_none_or(|after| after.registers[at] != step.registers[at]) {
                self.makers[r] = Some(node);
            }
        }
    }
}

/// An instruction with its registers and numbers. Jumps inside the function lead elsewhere on either side.
fn whole(plan: &Plan, insn: &Instruction) -> Whole {
    let registers = (0..insn.op_count()).map(|n| insn.op_register(n));
    let registers = registers.chain([insn.memory_base(), insn.memory_index()]).collect();
    let numbers = (0..insn.op_count()).map(|n| match insn.op_kind(n) {
        OpKind::NearBranch64 => {
            Some(insn.near_branch64()).filter(|to| plan.stubs.iter().any(|s| s.at == *to))
        }
        OpKind::Memory => Some(insn.memory_displacement64()),
        _ => insn.try_immediate(n).ok(),
    });
    (insn.code(), registers, numbers.map(Option::unwrap_or_default).collect())
}

fn reads(access: OpAccess) -> bool {
    match access {
        OpAccess::Read
        | OpAccess::CondRead
        | OpAccess::CondWrite
        | OpAccess::ReadWrite
        | OpAccess::ReadCondWrite => true,
        OpAccess::None | OpAccess::NoMemAccess | OpAccess::Write => false,
    }
}

/// Whether an instruction makes zero, whatever its register held.
fn zeroes(insn: &Instruction) -> bool {
    let idiom = matches!(
        insn.mnemonic(),
        Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Xorpd
    );
    let direct = insn.op_count() == 2 && insn.op1_kind() == OpKind::Register;
    idiom && direct && insn.op0_register() == insn.op1_register()
}

fn turn(insn: &Instruction) -> Turn {
    if is_nop(insn) {
        return Turn::Nop;
    }
    match insn.flow_control() {
        FlowControl::Next | FlowControl::Exception => Turn::None,
        FlowControl::UnconditionalBranch => Turn::Jump,
        FlowControl::ConditionalBranch | FlowControl::IndirectBranch => Turn::Branch,
        FlowControl::Call
        | FlowControl::IndirectCall
        | FlowControl::Return
        | FlowControl::Interrupt
        | FlowControl::XbeginXabortXend => Turn::Call,
    }
}
