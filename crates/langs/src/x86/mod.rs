//! What x86-64 computes, whatever syntax its instructions come in: registers, flags, operations on values of any domain.
//! Operands, addresses and control are the business of the languages that have these instructions.

pub mod alu;
pub mod bits;
pub mod flags;
pub mod float;
pub mod hardware;
pub mod masks;
pub mod packed;
pub mod rearrange;
pub mod regs;
pub mod shift;
