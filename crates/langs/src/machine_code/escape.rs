//! When the world may know of an object of the frame: from the first instruction on that stores its address in memory or
//! hands it to a callee. Before, no callee sees it, and no pointer from elsewhere leads into it.
//!
//! A forward dataflow: for each object the registers that may hold an address made from its own, and whether one went out.

use super::calls::Calls;
use super::facts::Facts;
use super::flow::successors;
use super::frame::Frame;
use super::function::Function;
use super::uses::{Uses, address_made, uses};

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

/// For each instruction what is known of each object before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Escapes {
    before: Vec<Vec<Spread>>,
}

impl Escapes {
    /// Goes through a function.
    pub fn of(f: &Function, facts: &Facts, frame: &Frame, calls: &Calls) -> Escapes {
        let objects = frame.objects.list.len();
        let mut before = vec![Vec::new(); f.insns.len()];
        if objects == 0 || objects > MOST {
            return Escapes { before };
        }
        let mut at_start: Vec<Option<Vec<Spread>>> = vec![None; f.blocks.len()];
        if let Some(first) = at_start.first_mut() {
            *first = Some(vec![Spread::default(); objects]);
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some(mut now) = at_start[b].clone() else { continue };
            let block = f.blocks[b].first..f.blocks[b].end;
            for (i, known) in block.clone().zip(&mut before[block]) {
                known.clone_from(&now);
                step(f, (facts, frame, calls), i, &mut now);
            }
            for to in successors(f, facts, b) {
                let mut joined = at_start[to].clone().unwrap_or_else(|| vec![Spread::default(); objects]);
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
        Escapes { before }
    }

    /// Whether what is called by an instruction, being passed these registers, cannot know of an object.
    pub fn hidden(&self, insn: usize, object: usize, passed: u64) -> bool {
        let known = self.before.get(insn).and_then(|list| list.get(object));
        known.is_some_and(|spread| !spread.out && spread.registers & passed == 0)
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
