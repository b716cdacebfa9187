//! How closely two versions are compared, by how much their code looks alike.

use crate::replay::plan::{Plan, SidePlan};
use iced_x86::{Code, Decoder, DecoderOptions, Register};
use std::collections::BTreeMap;

/// How closely two executed instructions are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// By operation, registers and values: both functions look alike but for one instruction in ten, or two where there
    /// are few.
    All,
    /// By values, common ones by operation, too: every other instruction has its like.
    Operations,
    /// By values alone, since anything may be made by other operations in other registers, and is copied more often.
    Values,
}

/// How closely the instructions of both functions are to be compared.
pub fn detail(plan: &Plan) -> Detail {
    let [old, new] = plan.sides.each_ref().map(instructions);
    let shared: usize = old.iter().map(|(what, n)| n.min(new.get(what).unwrap_or(&0))).sum();
    let most = old.values().sum::<usize>().max(new.values().sum());
    match most - shared {
        unlike if unlike <= (most / 10).max(2) => Detail::All,
        unlike if unlike * 2 <= most => Detail::Operations,
        _ => Detail::Values,
    }
}

/// How often a side has an operation on these registers.
fn instructions(side: &SidePlan) -> BTreeMap<(Code, Vec<Register>), usize> {
    let mut out = BTreeMap::new();
    for (at, bytes) in side.code.iter().filter(|(at, _)| side.text.contains_key(at)) {
        let insn = Decoder::with_ip(64, bytes, *at, DecoderOptions::NONE).decode();
        let mut registers: Vec<Register> = (0..insn.op_count()).map(|n| insn.op_register(n)).collect();
        registers.extend([insn.memory_base(), insn.memory_index()]);
        *out.entry((insn.code(), registers)).or_default() += 1;
    }
    out
}
