//! x86-64 machine code under the System V convention, and the part of i386's that is the same in half the width (`i386`).
//!
//! * `table`: the registry of instructions, a line each;
//! * `uses`: which registers, flags and memory they read and write; `track`: what becomes of the
//!   stack pointer; `wide`: where vectors of 256 bits are shown; `numbers`: which registers hold a constant; `scans`: which searches leave something open;
//! * `registers`, `operands`, `exec`, `integers`, `vectors`, `strings`, `atomic`: what instructions do to a state over any domain.
//!
//! What instructions compute is in [`crate::x86`], which Machine IR uses too. To add an instruction: a line of
//! [`table::TABLE`], and its case in `tests/machine_code.rs`, which asks the processor.

mod atomic;
mod exec;
pub(super) mod features;
mod i386;
mod integers;
mod numbers;
mod operands;
mod registers;
mod scans;
mod strings;
pub mod table;
pub(super) mod track;
pub(super) mod uses;
mod vectors;
mod wide;

pub use atomic::split as split_atomic;
pub use i386::{I386, with_frame};
pub(super) use numbers::{Settled, settled};
pub(super) use scans::scans;
pub(super) use strings::{ALIGNED, aligned, aligned_register, repeats};
pub use uses::SYSV;
pub(super) use wide::shown as wide;

/// Whether the registry has an instruction: its name, in general registers and vectors of at most 256 bits.
#[must_use]
pub fn is_modelled(insn: &iced_x86::Instruction) -> bool {
    // A comparison of strings has the name of one of doubles.
    let named = match table::op(insn.mnemonic()) {
        None => false,
        Some(table::Op::FloatMasks(..)) => !insn.is_string_instruction(),
        Some(_) => true,
    };
    named && vectors::unmodelled(insn).is_none()
}
