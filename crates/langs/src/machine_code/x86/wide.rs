//! Vectors of 256 bits that a caller or a callee may be meant to see: conventions that are known have none. Where types are
//! not known, compilers say it themselves: they clear the upper halves of vectors ahead of what knows of 128 bits alone.

use super::super::calls::Calls;
use super::super::facts::Facts;
use super::super::flow::successors;
use super::super::function::{Decoded, Function};
use super::super::uses::{Control, control, uses};
use super::uses::number;
use iced_x86::{OpKind, Register};

/// A call of unknown types that may be passed a vector of 256 bits, or a return of unknown types that may give one.
pub(crate) fn shown(f: &Function, facts: &Facts, calls: &Calls) -> Option<usize> {
    if !(0..f.insns.len()).any(|i| written(f, i) != 0) {
        return None;
    }
    let upper = |n: usize| 1u64 << f.abi.upper(n);
    let vectors = &f.abi.arguments[f.abi.general_arguments..][..f.abi.vector_arguments];
    let arguments = vectors.iter().fold(0, |set, n| set | upper(*n));
    let results = upper(f.abi.results[2]) | upper(f.abi.results[3]);
    // Forward, which upper halves may hold something. Sets only grow.
    let mut at_start = vec![0u64; f.blocks.len()];
    let mut open: Vec<usize> = (0..f.blocks.len()).collect();
    while let Some(b) = open.pop() {
        let mut held = at_start[b];
        for i in f.blocks[b].first..f.blocks[b].end {
            let told = match calls.at(i) {
                Some(call) if call.open => arguments,
                None if calls.own.variadic && control(f, i) == Control::Return => results,
                _ => 0,
            };
            if held & told != 0 {
                return Some(i);
            }
            held = match calls.at(i) {
                Some(call) => held & !call.clobbers().fold(0, |set, n| set | 1 << n),
                None => held & !uses(f, i).replaced | written(f, i),
            };
        }
        for to in successors(f, facts, b) {
            if at_start[to] | held != at_start[to] {
                at_start[to] |= held;
                open.push(to);
            }
        }
    }
    None
}

/// The upper half that an instruction puts something into, as a bit.
fn written(f: &Function, i: usize) -> u64 {
    let Decoded::X86(ins) = &f.insns[i].decoded else { return 0 };
    let vector = |r: &Register| r.is_ymm() && ins.op_count() > 0 && ins.op0_kind() == OpKind::Register;
    let register = Some(ins.op0_register()).filter(vector).and_then(number);
    register.map_or(0, |n| 1 << f.abi.upper(n))
}
