//! AArch64 machine code under AAPCS64.
//!
//! * `insn`: instructions as data, one variant for each class of the architecture's encoding tables, so that aliases
//!   (`cmp`, `lsl`, `ubfx`, `cset`, `mov`) are what they stand for;
//! * `decode`: the registry of these classes, a line each, from instruction words;
//! * `uses`: which registers, flags and memory they read and write; `track`: what becomes of the stack pointer;
//! * `exec`, `integers`, `memory`, `floats`: what they do to a state over any domain.
//!
//! What is not in the registry is not modelled. To add a class: a variant of [`insn::Op`], a line of the registry, and its
//! case in `tests/aarch64_code.rs`, which asks `qemu-aarch64`.

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
pub use insn::Insn;
pub use uses::{AAPCS64, written};
