//! Registers whose value at the entry matters to a function of a file, found in its code and in that of what it calls:
//! a local function, or what a compiler made of one, is passed no more than these, whatever its types were.

use super::types::Types;
use crate::code::cfg::{Block, Graph};
use crate::code::{Flow, bytes_of};
use crate::equality::Function;
use crate::objects::{Arch, Image};
use crate::places::{FunctionTargets, Place};
use iced_x86::{
    Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};
use langs::machine_code::x86::SYSV;

/// The registers that results are in.
pub(super) const RESULTS: u32 = 1 | 1 << 2 | 1 << 16 | 1 << 17;

/// Registers that a call may change.
pub(super) const CLOBBERED: u32 = 0xffff_0fc7;

/// Registers whose value at the entry matters to a function, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reads {
    /// To itself, or to what it calls with known types.
    pub itself: u32,
    /// To a callee that may be passed anything: nothing sets them on the way there.
    pub handed: u32,
}

impl Reads {
    /// What is known of a function that was not looked at.
    pub const ALL: Reads = Reads { itself: u32::MAX, handed: u32::MAX };

    /// All of them.
    #[must_use]
    pub fn all(self) -> u32 {
        self.itself | self.handed
    }
}

/// What a stretch of a block does.
#[derive(Clone, Copy)]
enum Step {
    /// Reads and writes registers.
    Uses(u32, u32),
    /// Calls a function.
    Calls(Callee),
    /// Leaves for a function.
    Leaves(Callee),
    /// Returns.
    Returns,
}

/// What is known of a callee.
#[derive(Clone, Copy)]
enum Callee {
    /// It is in the file.
    Own(usize),
    /// It reads these registers, and may read those.
    Reads(u32, u32),
}

/// A function in steps.
struct Steps {
    blocks: Vec<(Vec<Step>, Vec<usize>)>,
    results: u32,
    /// The registers of its arguments, where its types are known; all where they are not.
    passed: u32,
}

/// For each function of a file the registers, as bits, whose value at the entry may matter; all on machines other
/// than x86-64.
#[must_use]
pub fn of(image: &Image, types: &Types) -> Vec<Reads> {
    if image.arch != Arch::X86_64 {
        return vec![Reads::ALL; image.functions.len()];
    }
    let all: Vec<Steps> = (0..image.functions.len()).map(|n| steps(image, types, n)).collect();
    let (itself, any) = (matter(&all, false), matter(&all, true));
    itself.into_iter().zip(any).map(|(itself, any)| Reads { itself, handed: any & !itself }).collect()
}

/// For each function the registers that matter; with those that callees may be passed something in, or without.
fn matter(all: &[Steps], any: bool) -> Vec<u32> {
    let mut reads = vec![0; all.len()];
    // Sets only grow: registers times functions bounds the rounds.
    loop {
        let before = reads.clone();
        for (n, steps) in all.iter().enumerate() {
            reads[n] |= entry(steps, &before, any) & steps.passed;
        }
        if reads == before {
            return reads;
        }
    }
}

/// The registers that a function of another file is passed something in, and those that it may be. A variadic one is told in
/// `al` how many vectors there are at most.
fn passed(types: &Types, name: &str, vectors: Option<u64>) -> Callee {
    let Some(known) = types.of_name(name).or_else(|| super::library::convention(&SYSV, name)) else {
        return Callee::Reads(0, arguments());
    };
    let named = known.arguments.iter().fold(0, |set, p| set | 1 << p.register);
    let counted = vectors.map_or(u32::MAX, |n| !0 >> (16 - n.min(8) as u32));
    Callee::Reads(named, if known.variadic { arguments() & counted } else { 0 })
}

/// What a function of this file reads: what its code does, but one of any number of arguments saves all registers that may
/// hold one, and is passed what its caller sets.
fn own_callee(image: &Image, types: &Types, function: usize, vectors: Option<u64>) -> Callee {
    let name = image.functions.get(function).map_or("", |f| &f.name);
    match types.of_name(name).is_some_and(|known| known.variadic) {
        true => passed(types, name, vectors),
        false => Callee::Own(function),
    }
}

/// The registers that a callee by an address may be passed something in.
fn by_address(types: &Types) -> Callee {
    let known = types.by_address.as_ref();
    Callee::Reads(
        0,
        known.map_or_else(arguments, |c| c.arguments.iter().fold(0, |set, p| set | 1 << p.register)),
    )
}

/// The registers of arguments.
fn arguments() -> u32 {
    SYSV.arguments.iter().fold(0, |set, n| set | 1 << n)
}

/// What is live at the entry, given what callees read.
fn entry(steps: &Steps, reads: &[u32], any: bool) -> u32 {
    let of = |callee: Callee| match callee {
        Callee::Own(n) => reads.get(n).copied().unwrap_or_else(arguments),
        Callee::Reads(set, more) => set | if any { more } else { 0 },
    };
    let mut live = vec![0u32; steps.blocks.len()];
    loop {
        let before = live.clone();
        for (n, (list, next)) in steps.blocks.iter().enumerate().rev() {
            let mut now = next.iter().fold(0, |set, to| set | live.get(*to).copied().unwrap_or(u32::MAX));
            for step in list.iter().rev() {
                now = match step {
                    Step::Uses(read, written) => now & !written | read,
                    Step::Calls(callee) => now & !CLOBBERED | of(*callee),
                    Step::Leaves(callee) => now | of(*callee),
                    Step::Returns => now | steps.results,
                };
            }
            live[n] |= now;
        }
        if live == before {
            return live.first().copied().unwrap_or(u32::MAX);
        }
    }
}

fn steps(image: &Image, types: &Types, n: usize) -> Steps {
    let function = Function::of(image, n);
    let targets = FunctionTargets::of(image, n, &function.code, &function.references);
    let graph = Graph::of(&function.code, &targets);
    let name = &image.functions[n].name;
    let known = types.of_name(name).or_else(|| types.of_origin(name));
    let results = known.map_or(RESULTS, |c| c.results.iter().fold(0, |set, p| set | 1 << p.register));
    let block = |block: &Block| (of_block((image, types), &function, block), block.next.clone());
    let own = types.of_name(name).filter(|known| !known.variadic);
    let passed = own.map_or(u32::MAX, |c| c.arguments.iter().fold(0, |set, p| set | 1 << p.register));
    Steps { blocks: graph.blocks.iter().map(block).collect(), results, passed }
}

fn of_block((image, types): (&Image, &Types), function: &Function, block: &Block) -> Vec<Step> {
    let stretch = &function.code.stretches[block.stretch];
    let none = Vec::new();
    let references = function.references.get(block.stretch).unwrap_or(&none);
    let (mut out, mut vectors, mut added) = (Vec::new(), None, 0);
    for insn in &stretch.insns[block.first..block.end] {
        let bytes = bytes_of(image, stretch.section, insn);
        let decoded = Decoder::with_ip(64, &bytes, insn.at, DecoderOptions::NONE).decode();
        let (read, written) = if decoded.is_invalid() { (u32::MAX, 0) } else { used(&decoded) };
        out.push(Step::Uses(read, written));
        if written & 1 == 1 || decoded.is_invalid() {
            vectors = counted(&decoded);
        }
        let sum = decoded.mnemonic() == Mnemonic::Add && decoded.op1_kind() != OpKind::Memory;
        added = if sum { written } else { added & !written };
        let place = references.iter().find(|r| r.at == insn.at).map(|r| &r.place);
        let callee = match place {
            Some(Place::Function { function, offset: 0 }) => own_callee(image, types, *function, vectors),
            Some(Place::Name { name, .. }) => passed(types, name, vectors),
            _ if matches!(insn.flow, Flow::IndirectCall | Flow::IndirectJump) => by_address(types),
            _ => Callee::Reads(0, arguments()),
        };
        match (insn.flow, place) {
            (Flow::Call, _) | (Flow::IndirectCall, _) => {
                out.push(Step::Calls(callee));
                vectors = None;
            }
            (Flow::Jump, Some(Place::Own { .. })) => {}
            (Flow::Jump, _) => out.push(Step::Leaves(callee)),
            // By a table of distances, whose places come behind this block: nobody adds up the address of a function.
            (Flow::IndirectJump, _) if !block.open && added >> base(&decoded) & 1 == 1 => {}
            // By another table, or to a function: more is read than is known.
            (Flow::IndirectJump, _) => out.push(Step::Leaves(callee)),
            (Flow::Return, _) => out.push(Step::Returns),
            (Flow::Next | Flow::Trap, _) => {}
        }
    }
    out
}

/// How many vectors `al` says are passed, where an instruction sets it to a number.
fn counted(decoded: &Instruction) -> Option<u64> {
    let whole = decoded.op0_register() == Register::EAX;
    match decoded.mnemonic() {
        Mnemonic::Xor if whole && decoded.op1_kind() == OpKind::Register => {
            (decoded.op1_register() == Register::EAX).then_some(0)
        }
        Mnemonic::Mov if whole && decoded.op1_kind() != OpKind::Register => decoded.try_immediate(1).ok(),
        _ => None,
    }
}

/// The general register that an instruction has as its only operand; one that nobody adds to where it has none.
fn base(decoded: &Instruction) -> usize {
    let register = decoded.op0_register();
    if decoded.op0_kind() == OpKind::Register && register.is_gpr64() {
        register.number()
    } else {
        Register::RSP.number()
    }
}

/// The registers that an instruction reads, and those that it writes as a whole.
pub(super) fn used(decoded: &Instruction) -> (u32, u32) {
    let (mut read, mut written) = (0, 0);
    // rax is pushed for the room alone: nothing is passed there but the number of vectors, in al.
    if decoded.mnemonic() == Mnemonic::Push && decoded.op0_register() == Register::RAX {
        return (0, 0);
    }
    let mut factory = InstructionInfoFactory::new();
    for used in factory.info(decoded).used_registers() {
        let register = used.register();
        let full = register.full_register();
        let bit = match (full.is_gpr64(), full.is_vector_register() && full.number() < 16) {
            (true, _) => 1 << full.number(),
            (false, true) => 1 << (16 + full.number()),
            (false, false) => continue,
        };
        let whole = if full.is_gpr64() { register.size() >= 4 } else { register.size() >= 16 };
        match used.access() {
            OpAccess::Write if whole => written |= bit,
            // What is pushed for the room alone is read, too: more than is needed.
            OpAccess::Write
            | OpAccess::CondWrite
            | OpAccess::Read
            | OpAccess::CondRead
            | OpAccess::ReadWrite
            | OpAccess::ReadCondWrite => read |= bit,
            OpAccess::None | OpAccess::NoMemAccess => {}
        }
    }
    (read & !(1 << Register::RSP.number()), written)
}
