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
//! * [`semantics`]: what the instructions of a function mean (objects of x86-64, AArch64 and RISC-V of 64 bits);
//! * [`inject`]: faults put into machine code, to see who misses them;
//! * [`replay`]: differences that the semantics shows, run on the processor;
//! * [`cause`]: the instructions to blame for what runs differ in;
//! * [`proof`]: both together, for a pair of functions;
//! * [`buckets`]: differences that look alike;
//! * [`report`]: records for people and programs;
//! * [`project`]: sources compiled by two compilers, and what was compared before.

pub mod buckets;
pub mod cause;
pub mod code;
pub mod equality;
pub mod inject;
pub mod objects;
pub mod pairing;
pub mod places;
pub mod project;
pub mod proof;
pub mod replay;
pub mod report;
pub mod semantics;
