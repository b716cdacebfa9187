//! When the world may know of an object of the frame: from the first instruction on that stores its address in memory or
//! hands it to a callee. Before, no callee sees it, and no pointer from elsewhere leads into it.
//!
//! A forward dataflow: for each object the registers and stack slots that may hold an address made from its own, and whether
//! one went out. A slot is no memory: nothing but direct accesses reaches it, so an address that is kept there has not gone out
//! (without optimisation every pointer is).
//! Where ways meet of which only some let an address go out, a variable of the state says on which of them a run is: a compiler
//! that copies what follows for each way knows, too.
//! The same for memory that `malloc` and its like give, from the call on: what is not made from its address, and was not loaded
//! after that went out, is a pointer to something older. And for the place that a caller has for the result, where the
//! convention says that nothing else leads there, from the entry on.

use super::abi::members;
use super::calls::{Call, Calls};
use super::facts::{Facts, is_bookkeeping};
use super::flow::successors;
use super::frame::Frame;
use super::function::Function;
use super::readers::Reader;
use super::spelled::Spelling;
use super::uses::{Uses, address_made, frame_accesses, may_load, uses};
use std::collections::BTreeSet;

/// Most objects that are followed; of others nothing is known.
const MOST: usize = 32;

/// Where one object's address may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Spread {
    /// Registers that may hold it, as bits.
    registers: u64,
    /// It may be in memory, or known to a callee.
    out: bool,
    /// The call here is passed it on the stack.
    pushed: bool,
}

/// The same with the stack slots that may hold it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Reach {
    spread: Spread,
    slots: BTreeSet<usize>,
}

impl Reach {
    /// Before an instruction.
    fn seen(&self, call: Option<&Call>, frame: &Frame) -> Spread {
        Spread { pushed: call.is_some_and(|call| self.is_pushed(call, frame)), ..self.spread }
    }

    /// Whether a slot that may hold it is an argument of a call.
    fn is_pushed(&self, call: &Call, frame: &Frame) -> bool {
        let holds =
            |(at, bytes): &(i64, u64)| frame.touched(*at, *bytes).iter().any(|s| self.slots.contains(s));
        call.stack.iter().any(holds)
    }

    fn join(&mut self, other: &Reach) {
        self.spread.registers |= other.spread.registers;
        self.spread.out |= other.spread.out;
        self.slots.extend(&other.slots);
    }

    /// A call that copies or fills memory: it gives in one register what it is passed in another.
    fn copy(&mut self, call: &Call, (first, result): (usize, usize)) {
        let back = self.spread.registers >> first & 1;
        self.spread.registers = self.spread.registers & !clobbered(call) | back << result;
    }

    /// An instruction that is no call: whether it makes the address itself, or what it loads from memory may be one.
    fn step(&mut self, moves: &Moves, made: bool) {
        let uses = &moves.uses;
        let found = made || moves.from.iter().any(|slot| self.slots.contains(slot));
        let flows = found || !uses.loads && self.spread.registers & uses.reads != 0;
        let stored = uses.stores && (found || self.spread.registers & uses.stored != 0);
        match &moves.to {
            None => self.spread.out |= stored,
            Some(to) => {
                for (slot, whole) in to {
                    if stored {
                        self.slots.insert(*slot);
                    } else if *whole && !moves.from.contains(slot) {
                        self.slots.remove(slot);
                    }
                }
            }
        }
        let kept = self.spread.registers & !uses.replaced;
        self.spread.registers = if flows { kept | uses.writes } else { kept };
    }
}

/// What an instruction moves between registers and stack slots.
struct Moves {
    uses: Uses,
    /// The slots that it reads.
    from: Vec<usize>,
    /// The slots that it writes, and whether all of each; none where it may write elsewhere.
    to: Option<Vec<(usize, bool)>>,
}

impl Moves {
    fn of(f: &Function, facts: &Facts, frame: &Frame, i: usize) -> Moves {
        let (mut from, mut to, mut elsewhere) = (Vec::new(), Vec::new(), false);
        for (at, bytes, reads, writes) in frame_accesses(f, facts, i) {
            let touched = frame.touched(at, bytes);
            // An object is memory.
            elsewhere |= writes && touched.is_empty();
            if writes {
                to.extend(touched.iter().map(|slot| (*slot, frame.covers(at, bytes, *slot))));
            }
            if reads {
                from.extend(touched);
            }
        }
        // No instruction writes in two places.
        let to = if elsewhere || to.is_empty() { None } else { Some(to) };
        Moves { uses: uses(f, i), from, to }
    }
}

/// Memory that no pointer from before leads into.
#[derive(Clone, Debug)]
pub(crate) enum Allocation {
    /// That a call gives.
    Call {
        /// The instruction.
        insn: usize,
        /// The registers whose product is its size in bytes.
        size: Vec<usize>,
    },
    /// That the caller has for the result (see [`super::calls::Convention::place`]).
    Caller {
        /// The register that holds its address at the entry.
        register: usize,
        /// Its size in bytes.
        bytes: u64,
    },
}

impl Allocation {
    /// The call that gives it.
    pub fn call(&self) -> Option<usize> {
        match self {
            Allocation::Call { insn, .. } => Some(*insn),
            Allocation::Caller { .. } => None,
        }
    }
}

/// What a callee knows of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sight {
    /// Nothing.
    Hidden,
    /// Perhaps all.
    Shown,
    /// All if its address went out on the way there.
    ByWay,
}

/// For each instruction what is known before it of each object, then of the memory of each call that gives some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Escapes {
    before: Vec<Vec<Spread>>,
    /// For each instruction the objects, as bits, whose address goes out there, whatever was before.
    going: Vec<u32>,
    /// For each instruction the objects, as bits, whose address is not out behind it on any way; none where it is never reached.
    /// The bit behind those of the objects is for the place that the caller has for the result.
    hidden: Vec<u64>,
    /// The objects, as bits, whose address went out on some of the ways that meet somewhere.
    mixed: u32,
    objects: usize,
    /// The calls that give memory.
    pub allocations: Vec<Allocation>,
}

/// Memory that is the function's alone until it shows it: what calls give, and the place for its result.
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
        Some(Allocation::Call { insn: call, size })
    };
    let place = calls.own.place.map(|(register, bytes)| Allocation::Caller { register, bytes });
    place.into_iter().chain((0..f.insns.len()).filter_map(one)).collect()
}

impl Escapes {
    /// Goes through a function.
    pub fn of(f: &Function, facts: &Facts, frame: &Frame, (calls, spelling): (&Calls, &Spelling)) -> Escapes {
        let objects = frame.objects.list.len();
        let mut out = Escapes { objects, allocations: allocations(f, calls), ..Escapes::default() };
        if objects > MOST || out.allocations.len() > MOST {
            out.allocations.clear();
        }
        let all = objects + out.allocations.len();
        let mut before = vec![Vec::new(); f.insns.len()];
        let mut going = vec![0; f.insns.len()];
        let mut hidden = vec![0u64; f.insns.len()];
        // The place that the caller has is the first of what is apart.
        let followed = objects.min(MOST) + usize::from(out.place().is_some());
        let hidden_now = |now: &[Reach]| {
            let apart = now.iter().take(followed).enumerate().filter(|(_, reach)| !reach.spread.out);
            apart.fold(0u64, |set, (n, _)| set | 1 << n)
        };
        let mut ends: Vec<Option<u32>> = vec![None; f.blocks.len()];
        if all == 0 || objects > MOST {
            return out;
        }
        let mut at_start: Vec<Option<Vec<Reach>>> = vec![None; f.blocks.len()];
        if let Some(first) = at_start.first_mut() {
            let mut at_entry = vec![Reach::default(); all];
            for (allocation, reach) in out.allocations.iter().zip(&mut at_entry[objects..]) {
                if let Allocation::Caller { register, .. } = allocation {
                    reach.spread.registers = 1 << register;
                }
            }
            *first = Some(at_entry);
        }
        let mut open = vec![0];
        while let Some(b) = open.pop() {
            let Some(mut now) = at_start[b].clone() else { continue };
            let block = f.blocks[b].first..f.blocks[b].end;
            for (i, known) in block.clone().zip(&mut before[block]) {
                known.clear();
                known.extend(now.iter().map(|reach| reach.seen(calls.at(i), frame)));
                let moves = Moves::of(f, facts, frame, i);
                // What copies or fills memory keeps no address, and gives back the first that it is passed.
                let copies = calls.at(i).filter(|_| spelling.contains_key(&i));
                if let Some(call) = copies {
                    now.iter_mut().for_each(|reach| reach.copy(call, (f.abi.arguments[0], f.abi.results[0])));
                    hidden[i] = hidden_now(&now);
                    continue;
                }
                let (of_objects, of_given) = now.split_at_mut(objects);
                let were = outs(of_objects);
                of_objects.iter_mut().for_each(|reach| reach.spread.out = false);
                step(&moves, (frame, calls.at(i)), taken(f, facts, frame, i), of_objects);
                going[i] = outs(of_objects);
                for (n, reach) in of_objects.iter_mut().enumerate() {
                    reach.spread.out |= were >> n & 1 == 1;
                }
                let given = f.abi.results[0];
                let loads = may_load(f, i) && moves.from.is_empty();
                step_allocated(&moves, (frame, calls.at(i)), (i, given, loads), &out.allocations, of_given);
                hidden[i] = hidden_now(&now);
            }
            ends[b] = Some(outs(&now[..objects]));
            for to in successors(f, facts, b) {
                let mut joined = at_start[to].clone().unwrap_or_else(|| vec![Reach::default(); all]);
                for (known, more) in joined.iter_mut().zip(&now) {
                    known.join(more);
                }
                if at_start[to].as_ref() != Some(&joined) {
                    at_start[to] = Some(joined);
                    open.push(to);
                }
            }
        }
        let mut mixed = 0;
        for (b, end) in ends.iter().enumerate() {
            for to in end.iter().flat_map(|_| successors(f, facts, b)) {
                mixed |= at_start[to].as_ref().map_or(0, |start| outs(&start[..objects])) & !end.unwrap_or(0);
            }
        }
        Escapes { before, going, hidden, mixed, ..out }
    }

    /// What is called by an instruction, being passed these registers, and an object.
    pub fn sight(&self, insn: usize, object: usize, passed: u64) -> Sight {
        match self.before.get(insn).and_then(|list| list.get(object)) {
            None => Sight::Shown,
            Some(_) if self.is_passed(insn, object, passed) => Sight::Shown,
            Some(spread) if !spread.out => Sight::Hidden,
            Some(_) if object < self.objects && self.mixed >> object & 1 == 1 => Sight::ByWay,
            Some(_) => Sight::Shown,
        }
    }

    /// Whether what is called by an instruction, being passed these registers, may be passed an object's address there.
    pub fn is_passed(&self, insn: usize, object: usize, passed: u64) -> bool {
        let spread = self.before.get(insn).and_then(|list| list.get(object));
        spread.is_none_or(|spread| spread.pushed || spread.registers & passed != 0)
    }

    /// Whether what is called by an instruction, being passed these registers, cannot know of an object.
    pub fn hidden(&self, insn: usize, object: usize, passed: u64) -> bool {
        self.sight(insn, object, passed) == Sight::Hidden
    }

    /// The objects that nobody else knows of before an instruction, whichever the way there.
    pub fn hidden_before(&self, insn: usize) -> impl Iterator<Item = usize> {
        let known = self.before.get(insn).into_iter().flatten().take(self.objects);
        known.enumerate().filter(|(_, spread)| !spread.out).map(|(n, _)| n)
    }

    /// The same behind an instruction.
    pub fn hidden_behind(&self, insn: usize) -> impl Iterator<Item = usize> {
        let hidden = self.hidden.get(insn).copied().unwrap_or(0);
        members(hidden).filter(|n| *n < self.objects)
    }

    /// The place that the caller has for the result: the number that it goes by, behind those of objects, the register that it
    /// is passed in, and its bytes.
    pub fn place(&self) -> Option<(usize, usize, u64)> {
        match self.allocations.first() {
            Some(Allocation::Caller { register, bytes }) => Some((self.objects, *register, *bytes)),
            Some(Allocation::Call { .. }) | None => None,
        }
    }

    /// Whether nobody else knows of that place before an instruction, whichever the way there.
    pub fn place_hidden_before(&self, insn: usize) -> bool {
        let known = self.before.get(insn).and_then(|list| list.get(self.objects));
        self.place().is_some() && known.is_some_and(|spread| !spread.out)
    }

    /// The same behind an instruction.
    pub fn place_hidden_behind(&self, insn: usize) -> bool {
        self.place().is_some_and(|(n, ..)| self.hidden.get(insn).is_some_and(|set| set >> n & 1 == 1))
    }

    /// Whether one of these registers may hold an address in that place before an instruction.
    pub fn in_place(&self, insn: usize, used: u64) -> bool {
        let known = self.before.get(insn).and_then(|list| list.get(self.objects));
        self.place().is_some() && known.is_some_and(|spread| spread.registers & used != 0)
    }

    /// The objects whose address went out on some of the ways that meet somewhere.
    pub fn mixed(&self) -> impl Iterator<Item = usize> {
        members(u64::from(self.mixed))
    }

    /// Those of them whose address goes out at an instruction.
    pub fn going(&self, insn: usize) -> impl Iterator<Item = usize> {
        members(u64::from(self.going.get(insn).copied().unwrap_or(0) & self.mixed))
    }

    /// Whether an address made from these registers by an instruction is none made from that which a call gave.
    pub fn older(&self, insn: usize, allocation: usize, used: u64) -> bool {
        let known = self.before.get(insn).and_then(|list| list.get(self.objects + allocation));
        known.is_some_and(|spread| spread.registers & used == 0)
    }
}

/// The objects, as bits, whose address may be out.
fn outs(list: &[Reach]) -> u32 {
    list.iter().enumerate().fold(0, |set, (n, reach)| set | u32::from(reach.spread.out) << n)
}

/// The object whose address an instruction makes data of; what moves the stack pointer makes none.
fn taken(f: &Function, facts: &Facts, frame: &Frame, i: usize) -> Option<usize> {
    if is_bookkeeping(f, facts, i) {
        return None;
    }
    Some(frame.object(address_made(f, facts, i)?)?.0)
}

/// Whether a call passes an address that is kept in registers or slots.
fn passes(call: &Call, frame: &Frame, reach: &Reach) -> bool {
    let passed = call.arguments.iter().filter(|p| p.bits > 0).fold(0u64, |set, p| set | 1 << p.register);
    reach.spread.registers & passed != 0 || reach.is_pushed(call, frame)
}

fn step(moves: &Moves, (frame, call): (&Frame, Option<&Call>), taken: Option<usize>, now: &mut [Reach]) {
    for (object, reach) in now.iter_mut().enumerate() {
        match call {
            Some(call) => {
                let keeps = call.reader() != Some(Reader::Measures);
                reach.spread.out |= keeps && passes(call, frame, reach);
                reach.spread.registers &= !clobbered(call);
            }
            None => reach.step(moves, taken == Some(object)),
        }
    }
}

fn clobbered(call: &Call) -> u64 {
    call.clobbers().fold(0, |set, n| set | 1 << n)
}

/// The same for memory that calls give in a register, at an instruction that loads from memory or not.
fn step_allocated(
    moves: &Moves,
    (frame, call): (&Frame, Option<&Call>),
    (i, given, loads): (usize, usize, bool),
    list: &[Allocation],
    now: &mut [Reach],
) {
    for (allocation, reach) in list.iter().zip(now) {
        if allocation.call() == Some(i) {
            // What an earlier round was given is not followed any more.
            let spread = Spread { registers: 1 << given, ..Spread::default() };
            *reach = Reach { spread, slots: BTreeSet::new() };
        } else if let Some(call) = call {
            let out = reach.spread.out || call.open || passes(call, frame, reach);
            // It may give back what it was passed, or finds.
            let back = if out { clobbered(call) } else { 0 };
            let registers = reach.spread.registers & !clobbered(call) | back;
            reach.spread = Spread { registers, out, pushed: false };
        } else {
            reach.step(moves, reach.spread.out && loads);
        }
    }
}
