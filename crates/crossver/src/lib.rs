//! The cross-version validator of "Will you still compile me tomorrow?": machine code of two versions of a compiler,
//! function by function.
//!
//! Rooms, the lowest first; a room uses those before it:
//!
//! * [`objects`]: ELF objects, archives, libraries and programs as functions, data and symbolic references;
//! * [`code`]: instructions as neutral records, decoded by libraries, and control-flow graphs of basic blocks;
//! * [`places`]: what references of code and data mean: functions, names, pieces of data, never addresses;
//! * [`pairing`]: which functions and objects of two files correspond, and how that was found;
//! * [`equality`]: equality the cheap way (the paper's "Identical"), and verdicts with what they take for granted;
//! * [`report`]: records for people and programs;
//! * [`project`]: sources compiled by two compilers, and what was compared before.
//!
//! # Where the semantics of machine code comes in
//!
//! What is not identical is `Unknown` with the reason "not-modelled-yet" ([`equality::verdict::Why`]). The program of a
//! machine-code function, `langs::machine_code`, is to be made from what these rooms give:
//!
//! * Points of `equiv::Semantics` are the blocks of [`code::cfg::Graph`], and the places behind calls. Variables at a
//!   point are the registers and flags live there ([`code::Decoder::registers`]) and memory.
//! * A step runs one block over a value domain; operands come from the decoder library's own record of the instruction
//!   at [`code::bytes_of`], so that nothing is decoded twice by different rules.
//! * Addresses are symbols: each [`places::Place`] of an instruction becomes a base of its own with an offset, the same
//!   base on both sides where [`equality::matcher::Matcher::same`] says that the places are, and separate from all other
//!   named objects. That check is the one the cheap way uses, so that a proof rests on the same notion of a name.
//! * Calls are events with the callee's place, the argument registers of the calling convention, and memory; functions
//!   in `pairing` are equal callees. `abi` in `langs` has conventions and saved registers; types come from debug
//!   information where there is any.
//! * [`equality::compare`] tries the cheap way first and hands on to `equiv::prove` what it leaves open; the verdicts
//!   there have the same names, and [`equality::verdict::Assumption`] joins the list of a conditional one.
//! * The cache's key grows from the two files to the two functions and what their places resolve to.

pub mod code;
pub mod equality;
pub mod objects;
pub mod pairing;
pub mod places;
pub mod project;
pub mod report;
