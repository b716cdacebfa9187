//! Registers that a function of a file leaves as they were, found in its code and in that of what it calls: compilers
//! that see a callee leave values in registers that the convention does not keep, unless another file can take its place.
//! In code for programs none can; that the code is not for a library is taken for granted, where it matters.

use crate::code::cfg::Targets;
use crate::code::{Code, Flow, bytes_of};
use crate::equality::Function;
use crate::objects::{Arch, Image};
use crate::places::{FunctionTargets, Place};
use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind};
use langs::machine_code::aarch64;
use std::collections::BTreeSet;

/// All registers, by their numbers in the machine's semantics.
const ALL: u64 = u64::MAX;

/// Registers of AArch64 that a call changes whatever its callee does: the linker may put code in between that writes x16
/// and x17, and the call itself writes x30.
const BY_CALLING: u64 = 1 << 16 | 1 << 17 | 1 << 30;

/// What a function does by itself.
struct Own {
    writes: u64,
    calls: Vec<usize>,
}

/// What a function leaves as it was.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The registers, as bits, that it keeps whatever its inputs are.
    pub registers: u64,
    /// The functions of the file that this rests on and that another file may define: it among them, and what it calls.
    pub through: BTreeSet<usize>,
}

/// For each function of a file what it keeps; nothing where a linker takes another definition if there is one, and on
/// machines other than x86-64 and AArch64.
#[must_use]
pub fn of(image: &Image) -> Vec<Kept> {
    let by_calling = match image.arch {
        Arch::X86_64 => 0,
        Arch::AArch64 => BY_CALLING,
        Arch::I386 | Arch::Arm | Arch::Riscv32 | Arch::Riscv64 => {
            return vec![Kept::default(); image.functions.len()];
        }
    };
    let weak = |n: usize| image.functions[n].symbols.iter().any(|s| image.symbols[*s].weak);
    let code = |n: usize| if weak(n) { Own { writes: ALL, calls: Vec::new() } } else { one(image, n) };
    let own: Vec<Own> = (0..image.functions.len()).map(code).collect();
    let begun = |(n, own): (usize, &Own)| {
        let through = (!image.functions[n].local).then_some(n).into_iter().collect();
        (own.writes | by_calling, through)
    };
    let mut all: Vec<(u64, BTreeSet<usize>)> = own.iter().enumerate().map(begun).collect();
    // Sets only grow: registers and functions times functions bound the rounds.
    loop {
        let mut grown = false;
        for (n, own) in own.iter().enumerate() {
            for callee in own.calls.iter().filter(|callee| **callee != n) {
                let (writes, through) = all.get(*callee).cloned().unwrap_or((ALL, BTreeSet::new()));
                let (known, so_far) = &mut all[n];
                let before = (*known, so_far.len());
                *known |= writes;
                // Where nothing is kept, nothing rests on anything.
                if *known != ALL {
                    so_far.extend(through);
                }
                grown |= before != (*known, so_far.len());
            }
        }
        if !grown {
            break;
        }
    }
    all.into_iter().map(|(writes, through)| Kept { registers: !writes, through }).collect()
}

fn one(image: &Image, n: usize) -> Own {
    let function = Function::of(image, n);
    let mut own = Own { writes: 0, calls: Vec::new() };
    let code: &Code = &function.code;
    let tables = !FunctionTargets::of(image, n, code, &function.references).tables().is_empty();
    for (stretch, references) in code.stretches.iter().zip(&function.references) {
        let mut before = Instruction::default();
        for insn in &stretch.insns {
            let bytes = bytes_of(image, stretch.section, insn);
            // Of AArch64 nothing is decoded as x86, so that no jump is taken for one by a distance.
            let (decoded, writes) = match (image.arch, <[u8; 4]>::try_from(&bytes[..])) {
                (Arch::AArch64, Ok(word)) => {
                    let insn = aarch64::decode(u32::from_le_bytes(word));
                    (Instruction::default(), aarch64::written(&insn))
                }
                (Arch::AArch64, Err(_)) => (Instruction::default(), ALL),
                _ => {
                    let decoded = Decoder::with_ip(64, &bytes, insn.at, DecoderOptions::NONE).decode();
                    (decoded, written(&decoded))
                }
            };
            own.writes |= writes;
            let mut places = references.iter().filter(|r| r.at == insn.at).map(|r| &r.place);
            match insn.flow {
                Flow::Jump | Flow::Call => match places.next() {
                    Some(Place::Function { function, offset: 0 }) => own.calls.push(*function),
                    Some(Place::Own { .. }) => {}
                    _ => own.writes = ALL,
                },
                // To places of its own, whose code is gone through here anyway.
                Flow::IndirectJump if tables && by_distance(&before, &decoded) => {}
                Flow::IndirectCall | Flow::IndirectJump => own.writes = ALL,
                Flow::Next | Flow::Return | Flow::Trap => {}
            }
            before = decoded;
        }
    }
    if code.insns().next().is_none() {
        own.writes = ALL;
    }
    own
}

/// What an instruction of x86-64 writes; one that the decoder does not know may do anything.
fn written(decoded: &Instruction) -> u64 {
    if decoded.is_invalid() {
        return ALL;
    }
    let mut out = 0;
    for used in InstructionInfoFactory::new().info(decoded).used_registers() {
        let writes = !matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
        let full = used.register().full_register();
        let number = full.number();
        match (writes, full.is_gpr(), full.is_vector_register() && number < 16) {
            (true, true, _) => out |= 1 << (number & 15),
            // The upper half is a register of its own.
            (true, false, true) => out |= 1 << (16 + number) | 1 << (32 + number),
            _ => {}
        }
    }
    out
}

/// Whether a jump goes to a sum that the instruction before it makes: of a table and a distance in it. Nobody adds up the
/// address of a function.
fn by_distance(before: &Instruction, jump: &Instruction) -> bool {
    let registers = |d: &Instruction| (0..d.op_count()).all(|n| d.op_kind(n) == OpKind::Register);
    before.mnemonic() == Mnemonic::Add
        && registers(before)
        && registers(jump)
        && before.op0_register().is_gpr64()
        && before.op0_register() == jump.op0_register()
}
