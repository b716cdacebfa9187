//! RISC-V machine code of 64 bits under the convention for hardware with doubles (lp64d): RV64IMFDC.
//!
//! * `insn`: instructions as data, whatever their length: aliases (`mv`, `li`, `seqz`, `fneg.d`) are what they stand for;
//! * `decode`: the registry of these, by opcode; `compressed`: what the short forms stand for;
//! * `uses`: which registers and memory they read and write; `track`: what becomes of the stack pointer, of numbers, of
//!   addresses in two steps and of jump tables;
//! * `exec`, `integers`, `memory`, `floats`: what they do to a state over any domain.
//!
//! What is not in the registry is not modelled: atomic instructions and fences, control registers, rounding modes that an
//! instruction names itself. To add one: a variant of [`insn::Op`], a line of the registry, and its case in
//! `tests/riscv_code.rs`, which asks `qemu-riscv64`.

mod compressed;
mod decode;
mod exec;
pub(super) mod features;
mod floats;
pub mod insn;
mod integers;
mod memory;
pub(super) mod track;
pub(super) mod uses;

pub use decode::decode;
pub(super) use exec::run;
pub use insn::Insn;
pub use uses::LP64D;
