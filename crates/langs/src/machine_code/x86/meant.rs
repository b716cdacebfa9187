//! What is set for a call of unknown types, or as an unnamed argument: compilers leave no assignments behind that nothing
//! reads, so that a register which an instruction names as its result, and which nothing reads on any way, is set for the
//! call that may change it.
//!
//! Backwards, which registers are read later (what is guessed of calls is no reading); then forwards, where such assignments
//! reach. What an instruction leaves by the way is not meant for anybody: a division its remainder, a difference that is made
//! for its flags.

use super::calls::{ARGUMENTS, Calls};
use super::facts::Facts;
use super::flow::{FLAGS, forgets, number, successors};
use super::function::Function;
use super::table::sets_all_flags;
use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, OpKind};

/// What an instruction does to registers and to the flags as a whole, as bits.
#[derive(Clone, Copy, Default)]
struct Uses {
    read: u64,
    written: u64,
    /// The result that it names.
    named: u64,
    /// Whether it may be there for its flags: it changes what it names, and sets some.
    for_flags: bool,
}

/// For each open call the registers, as bits, that hold an argument by what set them.
pub(crate) fn meant(f: &Function, facts: &Facts, calls: &Calls) -> Vec<(usize, u32)> {
    let open: Vec<usize> = calls.open().collect();
    if open.is_empty() {
        return Vec::new();
    }
    let uses: Vec<Uses> = (0..f.insns.len()).map(|i| uses(f, facts, calls, i)).collect();
    let next: Vec<Vec<usize>> = (0..f.blocks.len()).map(|b| successors(f, facts, b)).collect();
    let unread = unread(f, &uses, &next);
    let mut at_start = vec![0u32; f.blocks.len()];
    let mut out = Vec::new();
    // Sets only grow: registers times blocks bounds the rounds.
    loop {
        let before = at_start.clone();
        out.clear();
        for (b, block) in f.blocks.iter().enumerate() {
            let mut set = at_start[b];
            for i in block.first..block.end {
                out.extend(open.contains(&i).then_some((i, set)));
                set = set & !(uses[i].written as u32) | unread[i];
            }
            next[b].iter().for_each(|to| at_start[*to] |= set);
        }
        if at_start == before {
            return out;
        }
    }
}

/// Of each instruction the result that it names, where that may be an argument and nothing reads it.
fn unread(f: &Function, uses: &[Uses], next: &[Vec<usize>]) -> Vec<u32> {
    let arguments = ARGUMENTS.into_iter().filter(|n| *n != 0).fold(0u64, |set, n| set | 1 << n);
    let mut live = vec![0u64; f.blocks.len()];
    let mut out = vec![0; uses.len()];
    loop {
        let before = live.clone();
        for (b, block) in f.blocks.iter().enumerate().rev() {
            let mut now = next[b].iter().fold(0, |set, to| set | live[*to]);
            for i in (block.first..block.end).rev() {
                let flags = uses[i].for_flags && now >> FLAGS & 1 == 1;
                out[i] = if flags { 0 } else { (uses[i].named & arguments & !now) as u32 };
                now = now & !uses[i].written | uses[i].read;
            }
            live[b] = now;
        }
        if live == before {
            return out;
        }
    }
}

fn uses(f: &Function, facts: &Facts, calls: &Calls, i: usize) -> Uses {
    let mut uses = Uses::default();
    if !facts.reached(i) {
        return uses;
    }
    let d = &f.insns[i].decoded;
    let mut factory = InstructionInfoFactory::new();
    for used in factory.info(d).used_registers() {
        let Some(n) = number(used.register()) else { continue };
        let whole = used.register().size() >= if n < 16 { 4 } else { 16 };
        match used.access() {
            OpAccess::None | OpAccess::NoMemAccess => {}
            OpAccess::Write if whole => uses.written |= 1 << n,
            OpAccess::Read | OpAccess::CondRead => uses.read |= 1 << n,
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => {
                uses.read |= 1 << n;
                uses.written |= 1 << n;
            }
        }
    }
    let result = (d.op_count() > 0 && d.op0_kind() == OpKind::Register).then(|| number(d.op0_register()));
    if let Some(n) = result.flatten() {
        if forgets(&f.insns[i]) {
            uses.read &= !(1 << n);
        }
        uses.named = uses.written & 1 << n;
        uses.for_flags = uses.read >> n & 1 == 1 && d.rflags_modified() != 0;
    }
    uses.read |= u64::from(d.rflags_read() != 0) << FLAGS;
    uses.written |= u64::from(sets_all_flags(d.mnemonic())) << FLAGS;
    if let Some(call) = calls.at(i) {
        uses.read |= call.arguments.iter().filter(|p| p.bits > 0).fold(0, |set, p| set | 1 << p.register);
        uses.written |= call.clobbers().fold(1 << FLAGS, |set, n| set | 1 << n);
        uses.named = 0;
    }
    if d.mnemonic() == Mnemonic::Ret || calls.at(i).is_some_and(|c| c.tail) {
        uses.read |= calls.own.results.iter().fold(0, |set, p| set | 1 << p.register);
    }
    uses
}
