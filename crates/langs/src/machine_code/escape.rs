//! When the world may know of an object of the frame: from the first instruction on that stores its address in memory or
//! hands it to a callee. Before, no callee sees it, and no pointer from elsewhere leads into it.
//!
//! A forward dataflow: for each object the registers that may hold an address made from its own, and whether one went out.
//! The same for memory that `malloc` and its like give, from the call on: what is not made from its address, and was not loaded
//! after that went out, is a pointer to something older.

use super::calls::Calls;
use super::facts::Facts;
use super::flow::successors;
use super::frame::Frame;
use super::function::Function;
use super::uses::{Uses, address_made, may_load, uses};

/// Most objects that are followed; of others nothing is known.
const MOST: usize = 32;

/// Where one object's address may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Spread {
    /// Registers that may hold it, as bits.
    registers: u64,
    /// It may be in memory, or known to a callee.
    out: bool,
}

/// A call that gives memory which was nobody's before.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    /// The instruction.
    pub call: usize,
    /// The registers whose product is its size in bytes.
    pub size: Vec<usize>,
}

/// For each instruction what is known before it of each object, then of the memory of each call that gives some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Escapes {
    before: Vec<Vec<Spread>>,
    objects: usize,
    /// The calls that give memory.
    pub allocations: Vec<Allocation>,
}

/// Calls that give memory which was nobody's before.
fn allocations(f: &Function, calls: &Calls) -> Vec<Allocation> {
    let one = |call: usize| {
        let known = calls.at(call).filter(|c| !c.tail)?;
        let sizes: &[usize] = match known.callee.as_deref()? {
            "malloc" => &[0],
            "calloc" => &[0, 1],
            "aligned_alloc" => &[1],
            _ => return None,
        };
        let size = sizes.iter().map(|n| f.abi.arguments.get(*n).copied()).collect::<Option<_>>()?;
        Some(Allocation { call, size })
    };
    (0..f.insns.len()).filter_map(one).collect()
}

impl Escapes {
    /// Goes through a function.
    pub fn of(f: &Function, facts: &Facts, frame: &Frame, calls: &Calls) -> Escapes {
        let objects = frame.objects.list.len();
        let mut out = Escapes { objects, allocations: allocations(f, calls), ..Escapes::default() };
        if objects > MOST || out.allocations.len() > MOST {
            out.allocations.clear();
        }
        let all = objects + out.allocations.len();
        let mut before = vec![Vec::new(); f.insns.len()];
        if all == 0 || objects > MOST {
            return out;
        }
        let mut at_start: Vec<Option<Vec<Spread>>> = vec![None; f.blocks.len()];
        if let Some(first) = at_start.first_mut() {
            *first = Some(vec![Spread::default(); all]);
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some(mut now) = at_start[b].clone() else { continue };
            let block = f.blocks[b].first..f.blocks[b].end;
            for (i, known) in block.clone().zip(&mut before[block]) {
                known.clone_from(&now);
                step(f, (facts, frame, calls), i, now.split_at_mut(objects).0);
                step_allocated(f, (calls, &out.allocations), i, now.split_at_mut(objects).1);
            }
            for to in successors(f, facts, b) {
                let mut joined = at_start[to].clone().unwrap_or_else(|| vec![Spread::default(); all]);
                for (known, more) in joined.iter_mut().zip(&now) {
                    known.registers |= more.registers;
                    known.out |= more.out;
                }
                if at_start[to].as_ref() != Some(&joined) {
                    at_start[to] = Some(joined);
                    open.push(to);
                }
            }
        }
        Escapes { before, ..out }
    }

    /// Whether what is called by an instruction, being passed these registers, cannot know of an object.
    pub fn hidden(&self, insn: usize, object: usize, passed: u64) -> bool {
        let known = self.before.get(insn).and_then(|list| list.get(object));
        known.is_some_and(|spread| !spread.out && spread.registers & passed == 0)
    }

    /// Whether an address made from these registers by an instruction is none made from that which a call gave.
    pub fn older(&self, insn: usize, allocation: usize, used: u64) -> bool {
        let known = self.before.get(insn).and_then(|list| list.get(self.objects + allocation));
        known.is_some_and(|spread| spread.registers & used == 0)
    }
}

/// The object whose address an instruction makes data of.
fn taken(f: &Function, facts: &Facts, frame: &Frame, i: usize) -> Option<usize> {
    Some(frame.object(address_made(f, facts, i)?)?.0)
}

fn step(f: &Function, (facts, frame, calls): (&Facts, &Frame, &Calls), i: usize, now: &mut [Spread]) {
    if let Some(call) = calls.at(i) {
        let passed = call.arguments.iter().filter(|p| p.bits > 0).fold(0u64, |set, p| set | 1 << p.register);
        let clobbered = call.clobbers().fold(0u64, |set, n| set | 1 << n);
        for spread in now {
            spread.out |= spread.registers & passed != 0;
            spread.registers &= !clobbered;
        }
        return;
    }
    let Uses { reads: read, writes: written, stores, stored, loads, .. } = uses(f, i);
    let fresh = taken(f, facts, frame, i);
    for (object, spread) in now.iter_mut().enumerate() {
        let own = fresh == Some(object);
        let flows = own || !loads && spread.registers & read != 0;
        spread.out |= stores && (own || spread.registers & stored != 0);
        let kept = spread.registers & !(written & !read);
        spread.registers = if flows { kept | written } else { kept };
    }
}

/// The same for memory that calls give.
fn step_allocated(f: &Function, (calls, list): (&Calls, &[Allocation]), i: usize, now: &mut [Spread]) {
    let call = calls.at(i);
    for (allocation, spread) in list.iter().zip(now) {
        if allocation.call == i {
            // What an earlier round was given is not followed any more.
            *spread = Spread { registers: 1 << f.abi.results[0], out: false };
        } else if let Some(call) = call {
            let passed =
                call.arguments.iter().filter(|p| p.bits > 0).fold(0u64, |set, p| set | 1 << p.register);
            let clobbered = call.clobbers().fold(0u64, |set, n| set | 1 << n);
            spread.out |= call.open || spread.registers & passed != 0;
            spread.registers &= !clobbered;
            // It may give back what it was passed, or finds.
            spread.registers |= if spread.out { clobbered } else { 0 };
        } else {
            let Uses { reads: read, writes: written, stores, stored, loads, .. } = uses(f, i);
            let flows = !loads && spread.registers & read != 0 || spread.out && may_load(f, i);
            spread.out |= stores && spread.registers & stored != 0;
            let kept = spread.registers & !(written & !read);
            spread.registers = if flows { kept | written } else { kept };
        }
    }
}
