//! The stack frame: slots that only direct accesses reach are kept apart from memory, as registers are; objects whose
//! address is taken are in memory, each at an address of its own.
//!
//! Offsets are from the stack pointer of the entry: the frame lies below, then the return address where the machine has it
//! on the stack, then arguments.
//! Why slots may be kept apart: no address in them becomes data, so an access by another address that hit them
//! would be one that the source does not define.

use super::contents::Pieces;
use super::facts::Facts;
use super::function::Function;
use crate::domain::{Domain, Ext};
use crate::memory::promoted::{Accesses, PromotedSlots, Range};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What offsets have added so that none is negative.
const BIAS: i64 = 1 << 32;

/// How far objects are moved that share their places with others: a multiple, farther than any frame is long, so that each has a
/// place of its own.
pub const MOVED: i64 = 1 << 24;

/// Most objects that are moved from one place.
pub const MOST_MOVED: usize = 64;

/// Where an object that may have been moved lies in truth.
#[must_use]
pub fn before_moved(offset: i64) -> i64 {
    let nowhere = offset < -MOVED * (MOST_MOVED as i64 + 1);
    if nowhere { offset } else { (offset + MOVED / 2).rem_euclid(MOVED) - MOVED / 2 }
}

/// The name of the frame's slots, and of the arguments' above it.
const OWN: &str = "frame";
const INCOMING: &str = "incoming";

/// A stack object whose address is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackObject {
    /// Its name, the same in both programs.
    pub name: String,
    /// Its first byte.
    pub offset: i64,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is the function's own: what it holds is gone when the function ends, and it lies apart from all others.
    pub own: bool,
}

/// The objects of a frame, and what the addresses in the frame that become data lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StackObjects {
    /// Apart from one another.
    pub list: Vec<StackObject>,
    /// By address: object, and bytes from its first.
    pub addresses: BTreeMap<i64, (usize, i64)>,
}

impl StackObject {
    /// Whether an access lies in it.
    pub(crate) fn holds(&self, offset: i64, bytes: u64) -> bool {
        offset >= self.offset && offset + bytes as i64 <= self.offset + self.size as i64
    }

    fn touches(&self, offset: i64, bytes: u64) -> bool {
        offset < self.offset + self.size as i64 && self.offset < offset + bytes as i64
    }
}

/// Where an access of the frame goes.
pub(crate) enum Where {
    /// To slots.
    Slots(&'static str, u64),
    /// To so many bytes from the start of an object.
    Object(usize, i64),
    /// Nowhere that is modelled.
    Nowhere(&'static str),
}

/// The frame of a function.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Slots.
    pub(crate) slots: Rc<PromotedSlots>,
    /// Objects.
    pub(crate) objects: StackObjects,
    /// The pieces that each is followed in while nobody else knows of it; none where it is memory always.
    pub(crate) contents: Vec<Option<Pieces>>,
    /// Where arguments on the stack begin.
    above: i64,
}

impl Frame {
    /// The frame of a function with these objects, where `other` has the direct accesses of the program that it is
    /// compared with: incoming arguments, which begin at `above`, are the same slots in both.
    #[must_use]
    pub fn new(above: i64, own: &[(i64, u64)], other: &[(i64, u64)], objects: StackObjects) -> Frame {
        let free = |at: i64, bytes: u64| !objects.list.iter().any(|o| o.touches(at, bytes));
        let range = |at: i64, bytes: u64| {
            let lo = (at + BIAS) as u64;
            Range { lo, hi: lo + bytes }
        };
        let slots = |list: &[(i64, u64)], incoming: bool| -> Vec<Range> {
            let kept = list.iter().filter(|(at, bytes)| (*at >= above) == incoming && free(*at, *bytes));
            kept.map(|(at, bytes)| range(*at, *bytes)).collect()
        };
        let mut accesses = Accesses::default();
        accesses.insert(OWN.to_owned(), slots(own, false));
        let both: Vec<Range> = slots(own, true).into_iter().chain(slots(other, true)).collect();
        accesses.insert(INCOMING.to_owned(), both);
        let contents = vec![None; objects.list.len()];
        Frame { slots: Rc::new(PromotedSlots::new(accesses)), objects, contents, above }
    }

    /// Follows objects in pieces, by their names.
    #[must_use]
    pub(crate) fn with_contents(mut self, pieces: &BTreeMap<String, Pieces>) -> Frame {
        self.contents = self.objects.list.iter().map(|object| pieces.get(&object.name).cloned()).collect();
        self
    }

    /// Where an access goes.
    pub(crate) fn place(&self, offset: i64, bytes: u64) -> Where {
        if let Some(n) = self.objects.list.iter().position(|o| o.holds(offset, bytes)) {
            return Where::Object(n, offset - self.objects.list[n].offset);
        }
        if self.objects.list.iter().any(|o| o.touches(offset, bytes)) {
            return Where::Nowhere("an access of a part of a stack object and of more");
        }
        if offset < self.above && offset + bytes as i64 > 0 {
            return Where::Nowhere("an access of the return address");
        }
        let object = if offset >= self.above { INCOMING } else { OWN };
        let lo = (offset + BIAS) as u64;
        let bits: u32 = self.slots.touched(object, lo, bytes).iter().map(|t| t.bits).sum();
        if u64::from(bits) != bytes * 8 {
            return Where::Nowhere("an access of a stack slot that is not followed");
        }
        Where::Slots(object, lo)
    }

    /// The object that an address lies in, and how far.
    pub(crate) fn object(&self, offset: i64) -> Option<(usize, i64)> {
        if let Some(found) = self.objects.addresses.get(&offset) {
            return Some(*found);
        }
        let n = self.objects.list.iter().position(|o| o.holds(offset, 0))?;
        Some((n, offset - self.objects.list[n].offset))
    }

    /// The address of an object plus some bytes.
    pub(crate) fn address<D: Domain>(&self, d: &mut D, object: usize, delta: i64) -> D::Bv {
        let o = &self.objects.list[object];
        let base = Ext::address(d, &o.name, o.own.then_some(o.size));
        d.add_num(&base, i128::from(delta))
    }

    /// The slots that an access touches.
    pub(crate) fn touched(&self, offset: i64, bytes: u64) -> Vec<usize> {
        match self.place(offset, bytes) {
            Where::Slots(object, lo) => {
                self.slots.touched(object, lo, bytes).iter().map(|t| t.slot).collect()
            }
            Where::Object(..) | Where::Nowhere(_) => Vec::new(),
        }
    }

    /// Whether an access overwrites all of each slot it touches.
    pub(crate) fn covers(&self, offset: i64, bytes: u64, slot: usize) -> bool {
        let lo = (offset + BIAS) as u64;
        self.slots.range(slot).is_some_and(|r| r.lo >= lo && r.hi <= lo + bytes)
    }

    /// Where an argument on the stack lies, from the stack pointer of the entry; none of slots of the function's own.
    pub(crate) fn incoming(&self, slot: usize) -> Option<i64> {
        let lo = self.slots.range(slot)?.lo as i64 - BIAS;
        self.slots.name(slot).starts_with(INCOMING).then_some(lo)
    }

    /// What slots hold at the entry: arguments are the same in both programs, of the rest nothing is known.
    pub(crate) fn initial<D: Domain>(&self, d: &mut D, slot: usize) -> D::Bv {
        let width = self.slots.width(slot);
        if self.slots.name(slot).starts_with(INCOMING) {
            self.slots.initial(d, slot)
        } else {
            d.nondet("stack byte never stored", width)
        }
    }

    /// Where a function saves registers of its caller.
    #[must_use]
    pub fn saves(f: &Function, facts: &Facts) -> Vec<i64> {
        (0..f.insns.len()).flat_map(|i| super::uses::saves(f, facts, i)).map(|(_, at)| at).collect()
    }

    /// The direct accesses of the frame that an instruction makes: offset and bytes.
    pub fn accesses_at(f: &Function, facts: &Facts, insn: usize) -> impl Iterator<Item = (i64, u64)> {
        super::uses::frame_accesses(f, facts, insn).into_iter().map(|(at, bytes, ..)| (at, bytes))
    }

    /// Whether a function that makes these direct accesses looks at its arguments on the stack, or takes an address there.
    #[must_use]
    pub fn reaches_arguments(f: &Function, facts: &Facts, accesses: &[(i64, u64)]) -> bool {
        let above = f.abi.incoming;
        let reaches = |(at, bytes): &(i64, u64)| at.saturating_add(*bytes as i64) > above;
        accesses.iter().any(reaches) || facts.taken.iter().any(|t| t.offset >= above)
    }

    /// The direct accesses of the frame that a function makes: offset and bytes.
    #[must_use]
    pub fn accesses(f: &Function, facts: &Facts) -> Vec<(i64, u64)> {
        let mut out = Vec::new();
        for i in 0..f.insns.len() {
            out.extend(Frame::accesses_at(f, facts, i));
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}
