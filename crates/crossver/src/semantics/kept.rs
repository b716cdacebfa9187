//! Registers that a function of a file leaves as they were, found in its code and in that of what it calls: compilers
//! that see a callee which no other file can take the place of leave values in registers that the convention does not
//! keep.

use crate::code::{Code, Flow, bytes_of};
use crate::equality::Function;
use crate::objects::{Arch, Image};
use crate::places::Place;
use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, OpAccess};
use langs::machine_code::aarch64;

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

/// For each function of a file the registers, as bits, that it keeps whatever its inputs are; none for functions that
/// another file may define instead, and on machines other than x86-64 and AArch64.
#[must_use]
pub fn of(image: &Image) -> Vec<u64> {
    let by_calling = match image.arch {
        Arch::X86_64 => 0,
        Arch::AArch64 => BY_CALLING,
        Arch::I386 | Arch::Arm | Arch::Riscv32 | Arch::Riscv64 => return vec![0; image.functions.len()],
    };
    let own: Vec<Own> = (0..image.functions.len()).map(|n| one(image, n)).collect();
    let mut writes: Vec<u64> = own.iter().map(|own| own.writes | by_calling).collect();
    // Sets only grow: registers times functions bounds the rounds.
    loop {
        let before = writes.clone();
        for (n, own) in own.iter().enumerate() {
            writes[n] |=
                own.calls.iter().fold(0, |set, callee| set | before.get(*callee).copied().unwrap_or(ALL));
        }
        if writes == before {
            break;
        }
    }
    let local = |n: usize| image.functions[n].local;
    writes.into_iter().enumerate().map(|(n, writes)| if local(n) { !writes } else { 0 }).collect()
}

fn one(image: &Image, n: usize) -> Own {
    let function = Function::of(image, n);
    let mut own = Own { writes: 0, calls: Vec::new() };
    let code: &Code = &function.code;
    for (stretch, references) in code.stretches.iter().zip(&function.references) {
        for insn in &stretch.insns {
            let bytes = bytes_of(image, stretch.section, insn);
            own.writes |= match image.arch {
                Arch::AArch64 => <[u8; 4]>::try_from(&bytes[..])
                    .map_or(ALL, |word| aarch64::written(&aarch64::decode(u32::from_le_bytes(word)))),
                _ => written(&Decoder::with_ip(64, &bytes, insn.at, DecoderOptions::NONE).decode()),
            };
            let mut places = references.iter().filter(|r| r.at == insn.at).map(|r| &r.place);
            match insn.flow {
                Flow::Jump | Flow::Call => match places.next() {
                    Some(Place::Function { function, offset: 0 }) => own.calls.push(*function),
                    Some(Place::Own { .. }) => {}
                    _ => own.writes = ALL,
                },
                Flow::IndirectCall | Flow::IndirectJump => own.writes = ALL,
                Flow::Next | Flow::Return | Flow::Trap => {}
            }
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
            (true, false, true) => out |= 1 << (16 + number),
            _ => {}
        }
    }
    out
}
