//! Which registers, flags and stack slots instructions read and write.

use super::abi::members;
use super::calls::Calls;
use super::facts::{Facts, is_bookkeeping};
use super::frame::Frame;
use super::function::{Function, Target};
use super::uses::{Control, control, frame_accesses};
use crate::liveness::Flow;

/// The number of general and vector registers; the flags come behind them, then slots.
pub(crate) const FLAGS: usize = 64;
/// The first slot.
pub(crate) const SLOTS: usize = 65;

/// The registers that the caller finds as they were, of those that the function writes: the others need not be followed.
pub(crate) fn touched_saved(f: &Function) -> Vec<usize> {
    let written = (0..f.insns.len()).fold(0u64, |set, i| set | super::uses::uses(f, i).writes);
    f.abi.saved.iter().copied().filter(|n| written >> n & 1 == 1).collect()
}

/// Reads and writes of one instruction, as variables.
struct Uses {
    reads: Vec<usize>,
    writes: Vec<usize>,
}

fn of_insn(f: &Function, facts: &Facts, frame: &Frame, calls: &Calls, i: usize) -> Uses {
    let touched = super::uses::uses(f, i);
    let mut uses =
        Uses { reads: members(touched.reads).collect(), writes: members(touched.writes).collect() };
    // What leaves some flags as they were, reads them.
    if touched.reads_flags || touched.writes_flags && !touched.sets_flags {
        uses.reads.push(FLAGS);
    }
    if touched.writes_flags {
        uses.writes.push(FLAGS);
    }
    for (at, bytes, reads, writes) in frame_accesses(f, facts, i) {
        for slot in frame.touched(at, bytes) {
            if reads || writes && !frame.covers(at, bytes, slot) {
                uses.reads.push(SLOTS + slot);
            }
            if writes {
                uses.writes.push(SLOTS + slot);
            }
        }
    }
    // Registers that are followed hold no data where they are.
    if is_bookkeeping(f, facts, i) {
        uses.reads.retain(|n| *n >= SLOTS);
    }
    let sp = f.abi.stack;
    uses.reads.retain(|n| *n != sp && (*n >= f.abi.general || facts.frame(i, *n).is_none()));
    uses.writes.retain(|n| *n != sp);
    around_calls(f, frame, calls, i, &mut uses);
    uses
}

fn around_calls(f: &Function, frame: &Frame, calls: &Calls, i: usize, uses: &mut Uses) {
    if let Some(call) = calls.at(i) {
        uses.reads.extend(call.arguments.iter().filter(|p| p.bits > 0).map(|p| p.register));
        for (at, bytes) in &call.stack {
            uses.reads.extend(frame.touched(*at, *bytes).into_iter().map(|slot| SLOTS + slot));
        }
        uses.writes.extend(call.clobbers());
        uses.writes.push(FLAGS);
    }
    let leaves = control(f, i) == Control::Return || calls.at(i).is_some_and(|c| c.tail);
    if leaves {
        uses.reads.extend(touched_saved(f));
        if calls.at(i).is_none() {
            uses.reads.extend(calls.own.results.iter().map(|p| p.register));
        }
    }
}

/// Blocks and uses in the form that liveness asks for.
pub(crate) fn flow(f: &Function, facts: &Facts, frame: &Frame, calls: &Calls) -> Flow {
    let mut flow =
        Flow { variables: SLOTS + frame.slots.len(), blocks: Vec::new(), uses: Vec::new(), defs: Vec::new() };
    for i in 0..f.insns.len() {
        let uses = match facts.reached(i) {
            true => of_insn(f, facts, frame, calls, i),
            false => Uses { reads: Vec::new(), writes: Vec::new() },
        };
        flow.uses.push(uses.reads);
        flow.defs.push(uses.writes);
    }
    for (b, block) in f.blocks.iter().enumerate() {
        flow.blocks.push((block.first..block.end, successors(f, facts, b), Vec::new()));
    }
    flow
}

/// The blocks that may follow one.
#[must_use]
pub fn successors(f: &Function, facts: &Facts, b: usize) -> Vec<usize> {
    let block = &f.blocks[b];
    let mut out: Vec<usize> = block.falls.into_iter().collect();
    for i in block.first..block.end {
        let insn = &f.insns[i];
        if let (Some(Target::Block(to)), false) = (&insn.target, control(f, i) == Control::Call) {
            out.push(*to);
        }
        if let Some(table) = facts.table(i) {
            out.extend(f.tables[table].entries.iter().copied());
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
