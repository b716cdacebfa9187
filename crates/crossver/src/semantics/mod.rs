//! What instructions mean: functions of an image as what the semantics of machine code takes (section 2 of the paper; objects of
//! x86-64, i386, AArch64 and RISC-V of 64 bits).
//!
//! * `across`: functions for two machines;
//! * `bodies`: which callees take the place of their calls; `callers`: who calls a function, and whether there may be others;
//! * `convert`: a function of an image as the program that `langs::machine_code` takes;
//! * `constants`: read-only objects that a pair looks into;
//! * `kept`: what callees leave in registers; `kinds`: which types may share their places, `declared`: the
//!   types of a function's arguments, of objects and results;
//! * `locals`, `frames`: which objects of both frames are the same one;
//! * `inline`: callees in the place of their calls; `linked`: the caller's frame pointer across them; `library`: how functions of the C library are called;
//! * `names`: one name for what both files mean by a reference;
//! * `rely`: what the function expects calls to keep;
//! * `reads`: what matters to callees of registers; `readers`: which of them leave memory as it was;
//! * `restricts`: whose pointers may not overlap;
//! * `types`: how functions are called, from debug information; `aggregates`: structures among what they are passed.

pub mod across;
mod aggregates;
pub mod bodies;
pub mod callers;
pub mod constants;
pub mod convert;
pub mod declared;
mod flow;
pub mod frames;
pub mod inline;
pub mod kept;
pub mod kinds;
pub mod library;
mod linked;
mod locals;
pub mod names;
pub mod readers;
pub mod reads;
mod rely;
mod restricts;
pub mod types;
pub mod unshared;

use crate::objects::{Arch, Image};
use langs::machine_code::aarch64::{self, AAPCS64};
use langs::machine_code::riscv::{self, LP64D};
use langs::machine_code::x86::{I386, SYSV, with_frame};
use langs::machine_code::{Abi, Decoded};
pub use types::Types;

/// Whether what the instructions of a file mean is modelled.
#[must_use]
pub fn models(image: &Image) -> bool {
    abi(image).is_some() && !image.linked
}

/// Whether what one instruction of a machine means is modelled, wherever it stands.
#[must_use]
pub fn models_instruction(arch: Arch, bytes: &[u8], at: u64) -> bool {
    let decoded = match (arch, <[u8; 4]>::try_from(bytes)) {
        (Arch::X86_64, _) => {
            Decoded::X86(iced_x86::Decoder::with_ip(64, bytes, at, iced_x86::DecoderOptions::NONE).decode())
        }
        (Arch::I386, _) => {
            let decoded = iced_x86::Decoder::with_ip(32, bytes, at, iced_x86::DecoderOptions::NONE).decode();
            match with_frame(&decoded) {
                Ok(decoded) => Decoded::X86(decoded),
                Err(_) => return false,
            }
        }
        (Arch::AArch64, Ok(word)) => Decoded::AArch64(aarch64::decode(u32::from_le_bytes(word))),
        (Arch::Riscv64, _) => Decoded::RiscV(riscv::decode(bytes)),
        _ => return false,
    };
    decoded.is_modelled()
}

/// The machine of a file as the semantics knows it; none where it does not.
#[must_use]
pub fn abi(image: &Image) -> Option<&'static Abi> {
    match image.arch {
        Arch::X86_64 => Some(&SYSV),
        Arch::AArch64 => Some(&AAPCS64),
        Arch::Riscv64 => Some(&LP64D),
        Arch::I386 => Some(&I386),
        Arch::Arm | Arch::Riscv32 => None,
    }
}
