//! Registers whose value at the entry matters to a function of a file, found in its code and in that of what it calls:
//! a local function, or what a compiler made of one, is passed no more than these, whatever its types were.

use super::types::Types;
use crate::code::cfg::{Block, Graph};
use crate::code::{Flow, bytes_of};
use crate::equality::Function;
use crate::objects::{Arch, Image};
use crate::places::{FunctionTargets, Place};
use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register};
use langs::machine_code::x86::SYSV;

/// The registers that results are in.
const RESULTS: u32 = 1 | 1 << 2 | 1 << 16 | 1 << 17;

/// Registers that a call may change.
const CLOBBERED: u32 = 0xffff_0fc7;

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
    /// It reads these registers at most.
    Reads(u32),
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
pub fn of(image: &Image, types: &Types) -> Vec<u32> {
    if image.arch != Arch::X86_64 {
        return vec![u32::MAX; image.functions.len()];
    }
    let all: Vec<Steps> = (0..image.functions.len()).map(|n| steps(image, types, n)).collect();
    let mut reads = vec![0; all.len()];
    // Sets only grow: registers times functions bounds the rounds.
    loop {
        let before = reads.clone();
        for (n, steps) in all.iter().enumerate() {
            reads[n] |= entry(steps, &before) & steps.passed;
        }
        if reads == before {
            return reads;
        }
    }
}

/// The registers that a function of another file may be passed something in.
fn passed(types: &Types, name: &str) -> u32 {
    let known = types.of_name(name).or_else(|| super::library::convention(&SYSV, name));
    match known.filter(|known| !known.variadic) {
        Some(known) => known.arguments.iter().fold(0, |set, p| set | 1 << p.register),
        None => arguments(),
    }
}

/// The registers of arguments.
fn arguments() -> u32 {
    SYSV.arguments.iter().fold(0, |set, n| set | 1 << n)
}

/// What is live at the entry, given what callees read.
fn entry(steps: &Steps, reads: &[u32]) -> u32 {
    let of = |callee: Callee| match callee {
        Callee::Own(n) => reads.get(n).copied().unwrap_or_else(arguments),
        Callee::Reads(set) => set,
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
    let mut out = Vec::new();
    for insn in &stretch.insns[block.first..block.end] {
        let bytes = bytes_of(image, stretch.section, insn);
        let decoded = Decoder::with_ip(64, &bytes, insn.at, DecoderOptions::NONE).decode();
        let (read, written) = if decoded.is_invalid() { (u32::MAX, 0) } else { used(&decoded) };
        out.push(Step::Uses(read, written));
        let place = references.iter().find(|r| r.at == insn.at).map(|r| &r.place);
        let callee = match place {
            Some(Place::Function { function, offset: 0 }) => Callee::Own(*function),
            Some(Place::Name { name, .. }) => Callee::Reads(passed(types, name)),
            _ => Callee::Reads(arguments()),
        };
        match (insn.flow, place) {
            (Flow::Call, _) | (Flow::IndirectCall, _) => out.push(Step::Calls(callee)),
            (Flow::Jump, Some(Place::Own { .. })) => {}
            (Flow::Jump, _) => out.push(Step::Leaves(callee)),
            // By a table, or to a function: more is read than is known.
            (Flow::IndirectJump, _) => out.push(Step::Leaves(Callee::Reads(arguments()))),
            (Flow::Return, _) => out.push(Step::Returns),
            (Flow::Next | Flow::Trap, _) => {}
        }
    }
    out
}

/// The registers that an instruction reads, and those that it writes as a whole.
fn used(decoded: &Instruction) -> (u32, u32) {
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
