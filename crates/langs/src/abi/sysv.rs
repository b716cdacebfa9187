//! The System V convention of x86-64, as far as it is modelled: no `long double`, no vectors on the stack.

use super::{Convention, Passing};

/// The convention; registers by hardware number (rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6, rdi 7).
pub const SYSTEM_V: Convention = Convention {
    name: "System V",
    word: 64,
    arguments: Passing { general: &[7, 6, 2, 1, 8, 9], vector: &[0, 1, 2, 3, 4, 5, 6, 7] },
    // LLVM returns a third word in rcx.
    results: Passing { general: &[0, 2, 1], vector: &[0, 1] },
    preserved: &[3, 5, 12, 13, 14, 15],
    general: 16,
    stack_pointer: 4,
    result_address: 0,
    vector_count: Some(0),
    extended_argument: 32,
    extended_bit: 8,
    largest_object: 512,
    largest_align: 64,
};
