//! x86-64 machine code under the System V convention.
//!
//! * `table`: the registry of instructions, a line each;
//! * `uses`: which registers, flags and memory they read and write; `track`: what becomes of the stack pointer;
//! * `registers`, `operands`, `exec`, `integers`, `vectors`, `strings`: what instructions do to a state over any domain.
//!
//! What instructions compute is in [`crate::x86`], which Machine IR uses too. To add an instruction: a line of
//! [`table::TABLE`], and its case in `tests/machine_code.rs`, which asks the processor.

mod exec;
pub(super) mod features;
mod integers;
mod operands;
mod registers;
mod strings;
pub mod table;
pub(super) mod track;
pub(super) mod uses;
mod vectors;

pub(super) use strings::repeats;
pub use uses::SYSV;
