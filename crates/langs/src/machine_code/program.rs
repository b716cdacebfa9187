//! A function as the engine sees it: points at the entry, at blocks and behind calls; registers, flags, slots and memory
//! that are live there; steps.

pub(crate) mod ahead;
pub(crate) mod place;
mod run;
mod shown;
mod spell;

use super::abi::Abi;
use super::calls::{Calls, Convention, Piece};
use super::constants::held;
use super::escape::{Escapes, Sight};
use super::facts::Facts;
use super::filled::Filled;
use super::flow::{FLAGS, SLOTS, flow, successors, touched_saved};
use super::frame::{Frame, StackObjects};
use super::function::Function;
use super::kinds::{Apart, Holder, Pointees};
use super::partners::block_name;
use super::spelled::{Spelling, Verb};
use super::state::{Code, Machine};
use super::uses::{Control, control, frame_accesses, repeats};
use crate::domain::{Domain, Ext, Res, Unsupported};
use crate::liveness::{Live, liveness};
use crate::memory::MEM;
use crate::memory::access::AccessCheck;
use equiv::{Next, Point, PointId, PointKind, Semantics, Shape, State, Successor, Val, VarDecl, VarSort};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The names of the status flags as variables.
const FLAG_NAMES: [&str; 5] = ["cf", "pf", "zf", "sf", "of"];

/// The event of an instruction that stops the program.
const TRAP: &str = "trap";

/// A variable of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Var {
    Mem,
    Perm,
    Register(usize),
    /// The low bits of a register at the entry: an argument.
    Argument(Piece),
    Flag(usize),
    Slot(usize),
    /// The address of memory that a call gave the last time.
    Fresh(usize),
    /// Its size.
    Room(usize),
    /// The address of the place that the caller has for the result.
    Place,
    /// Whether the address of an object of the frame went out.
    Out(usize),
    /// A piece of an object of the frame, or of that place, that nobody else knows of: its first byte, and how many bytes.
    Held(usize, i64, u64),
}

struct Stop {
    block: usize,
    insn: usize,
    vars: Vec<Var>,
    /// The objects of the frame that nobody else knows of, and that are no part of memory here.
    hidden: Vec<usize>,
}

/// A call as it stands in the code, for who runs it.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The instruction, by its index.
    pub insn: usize,
    /// The callee's name; none where a register or memory holds its address.
    pub callee: Option<String>,
    /// What each register may be passed for, of those that hold arguments.
    pub arguments: Vec<Piece>,
    /// Registers that are set for nothing but this call, where more may be passed than the types of the callee say, or
    /// these are not known.
    pub meant: Vec<usize>,
    /// Whether the function ends with it.
    pub tail: bool,
    /// Whether the callee cannot know of the place that the function's caller has for the result.
    pub hides_place: bool,
    /// Whether it leaves memory as it was.
    pub reads_only: bool,
}

/// Whether the functions of a pair are for one machine. For two, what both have goes by its place in the convention, and
/// registers that a call keeps are told as kept, not by what they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machines {
    /// One machine.
    One,
    /// Two machines.
    Two,
}

/// How a function is looked at beside the one that it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Which accesses of memory are checked.
    pub access: AccessCheck,
    /// Whether both are for one machine.
    pub machines: Machines,
    /// For each block the one of the other function whose number it goes by; none where blocks go by their own.
    pub partners: Option<&'a [Option<usize>]>,
    /// The calls that are compared by what they do.
    pub(crate) spelling: &'a Spelling,
}

/// A way through a block that is still to be run: the machine, when, and from which instruction on.
type Way<D> = (Machine<D>, <D as smt::Domain>::Bool, usize);

/// A way that was: the machine then, what follows under which conditions, and the last instruction.
type Ran<D> = (Machine<D>, Vec<(<D as smt::Domain>::Bool, Next<D>)>, usize);

/// A function ready to be proved about.
pub struct Program {
    f: Function,
    facts: Facts,
    frame: Frame,
    calls: Calls,
    spelling: Spelling,
    escapes: Escapes,
    /// The place that the caller has for the result, where it is followed as objects of the frame are.
    place: Option<place::Place>,
    /// Calls, and the objects of the frame that they cannot know since the other program's do not.
    unknown_to: FxHashSet<(usize, usize)>,
    /// Slots of the frame that may be read before they are written, in the order in which they are read.
    unset: Vec<usize>,
    /// The names of what some of these hold then: both programs have the same there.
    shared: FxHashMap<usize, String>,
    /// Whether pointers from elsewhere are taken not to lead into objects of the frame that nobody knows of.
    apart: bool,
    /// What accesses are kept apart from.
    kinds: Apart,
    access: AccessCheck,
    machines: Machines,
    shape: Shape,
    stops: Vec<Stop>,
    of_block: FxHashMap<usize, PointId>,
    after: FxHashMap<usize, PointId>,
    /// Calls of unknown types that may pass something on the stack.
    may_push: Vec<usize>,
    /// The registers that the caller finds as they were, of those that the function writes.
    touched: Vec<usize>,
    /// The names of blocks.
    names: Vec<String>,
}

impl Program {
    /// Prepares a function that is called by a convention; `types` knows how others are called. Blocks go by the numbers of
    /// their `partners` in the function that it is compared with, or else by their own.
    ///
    /// # Errors
    /// Where the function does what is not modelled, whatever its inputs.
    pub fn new(
        f: Function,
        frame: Frame,
        own: Convention,
        types: &dyn Fn(&str) -> Option<Convention>,
        Setting { access, machines, partners, spelling }: Setting<'_>,
    ) -> Result<Program, Unsupported> {
        let names = (0..f.blocks.len()).map(|b| block_name(b, partners)).collect();
        let facts = Facts::of(&f)?;
        for taken in &facts.taken {
            if frame.object(taken.offset).is_none() {
                return Err(Unsupported::new(format!(
                    "the address of a part of the frame of {} as data",
                    f.name
                )));
            }
        }
        let calls = Calls::of(&f, &facts, own, types)?;
        let escapes = Escapes::of(&f, &facts, &frame, (&calls, spelling));
        let touched = touched_saved(&f);
        let mut program = Program {
            f,
            facts,
            frame,
            calls,
            spelling: spelling.clone(),
            escapes,
            place: None,
            unknown_to: FxHashSet::default(),
            unset: Vec::new(),
            shared: FxHashMap::default(),
            apart: false,
            kinds: Apart::new(),
            access,
            machines,
            shape: Shape::default(),
            stops: Vec::new(),
            of_block: FxHashMap::default(),
            after: FxHashMap::default(),
            may_push: Vec::new(),
            touched,
            names,
        };
        program.build()?;
        Ok(program)
    }

    /// Takes an access by a pointer from elsewhere that touches an object of the frame, before the object's address went
    /// out, for a fault: the source does not define it. For the program that the other one is held to.
    #[must_use]
    pub fn with_objects_apart(mut self) -> Program {
        self.apart = true;
        let mut more: Vec<Var> = Vec::new();
        for (n, allocation) in self.escapes.allocations.iter().enumerate() {
            // Of what is followed the address is a variable as it is.
            if allocation.call().is_none() && self.place.is_some() {
                continue;
            }
            more.push(Var::Fresh(n));
            more.extend(allocation.call().map(|_| Var::Room(n)));
        }
        let decls: Vec<VarDecl> = more.iter().map(|v| self.declare(*v)).collect();
        for (stop, point) in self.stops.iter_mut().zip(&mut self.shape.points).skip(1) {
            stop.vars.extend(&more);
            point.vars.extend(decls.iter().cloned());
        }
        self
    }

    /// Takes an access by a pointer to one type that touches what was accessed by one to another for a fault: the source does
    /// not define it. For the program that the other one is held to; whether there are such accesses.
    pub fn keep_kinds(&mut self, types: &dyn Pointees) -> bool {
        let mut kinds = super::kinds::apart(&self.f, &self.facts, &self.frame, &self.calls, types);
        for (i, all) in &mut kinds {
            for touched in all {
                touched.by.retain(|way| match way.from {
                    Holder::Register(_) | Holder::Accessed(_) => true,
                    Holder::Slot(n) => self.is_followed(n, *i),
                });
            }
        }
        self.kinds = kinds;
        !self.kinds.is_empty()
    }

    /// Whether a slot of the frame has its value at an instruction: it is a variable of the last stop, or was written since. What
    /// nothing reads any more is not.
    fn is_followed(&self, slot: usize, at: usize) -> bool {
        let here = |stop: &&Stop| stop.insn <= at && at < self.f.blocks[stop.block].end;
        let Some(stop) = self.stops.iter().filter(here).max_by_key(|stop| stop.insn) else { return false };
        let written = |i: usize| {
            let accesses = frame_accesses(&self.f, &self.facts, i);
            let mut written = accesses.iter().filter(|(.., writes)| *writes);
            written.any(|(at, bytes, ..)| self.frame.touched(*at, *bytes).contains(&slot))
        };
        stop.vars.contains(&Var::Slot(slot)) || (stop.insn..at).any(written)
    }

    /// Whether memory that it is given by a call is told from what there was before.
    #[must_use]
    pub fn is_given_memory(&self) -> bool {
        self.escapes.allocations.iter().any(|a| a.call().is_some())
    }

    /// The calls of functions of the library that are compared by what these do.
    #[must_use]
    pub fn spelled_calls(&self) -> BTreeSet<usize> {
        self.spelling.keys().copied().filter(|i| self.calls.at(*i).is_some()).collect()
    }

    /// Whether it searches for bits, and what it finds where there is none is left open.
    #[must_use]
    pub fn scans_zero(&self) -> bool {
        self.spelling.values().any(|what| what.verb == Verb::Scan)
    }

    /// Whether it calls functions of the library that leave memory as it was.
    #[must_use]
    pub fn calls_readers(&self) -> bool {
        (0..self.f.insns.len()).any(|i| self.calls.at(i).is_some_and(|call| call.library_reader().is_some()))
    }

    /// Whether a format string says that registers which hold something are no arguments of a call.
    #[must_use]
    pub fn reads_formats(&self) -> bool {
        (0..self.f.insns.len()).any(|i| self.calls.at(i).is_some_and(|call| call.by_format))
    }

    /// The function.
    #[must_use]
    pub fn function(&self) -> &Function {
        &self.f
    }

    /// The objects of its frame.
    #[must_use]
    pub fn objects(&self) -> &StackObjects {
        &self.frame.objects
    }

    /// How it is called.
    #[must_use]
    pub fn convention(&self) -> &Convention {
        &self.calls.own
    }

    /// The registers of results, as bits, that are set for nothing but the return: of a function of unknown types, those that
    /// it gives something in.
    #[must_use]
    pub fn results_by_use(&self) -> u64 {
        super::meant::results(&self.f, &self.facts, &self.calls)
    }

    /// Its calls that are not compared by what they do.
    pub fn call_sites(&self) -> impl Iterator<Item = CallSite> + '_ {
        (0..self.f.insns.len()).filter_map(|insn| {
            let call = self.calls.at(insn).filter(|_| !self.spelling.contains_key(&insn))?;
            let arguments = call.arguments.iter().filter(|p| p.bits > 0).copied().collect();
            let meant = call.arguments.iter().filter(|p| call.is_meant(**p)).map(|p| p.register).collect();
            let hides_place =
                self.escapes.place().is_some_and(|(n, ..)| self.sight(insn, n) == Sight::Hidden);
            let (callee, tail, reads_only) = (call.callee.clone(), call.tail, call.reader().is_some());
            Some(CallSite { insn, callee, arguments, meant, tail, hides_place, reads_only })
        })
    }

    /// What a run's arguments on the stack hold: bytes above the return address, and the value.
    #[must_use]
    pub fn stack_arguments(&self, d: &smt::Concrete) -> Vec<(i64, smt::Bv)> {
        let slots = &self.frame.slots;
        let incoming = (0..slots.len()).filter_map(|n| Some((n, self.frame.incoming(n)?)));
        let value = |(n, at)| {
            let value = d.symbols.get(&(slots.initial_name(n), slots.width(n)))?;
            Some((at - self.f.abi.incoming, value.clone()))
        };
        incoming.filter_map(value).collect()
    }

    /// The name of what a register that a call keeps holds at the entry.
    #[must_use]
    pub fn saved_name(abi: &Abi, n: usize) -> String {
        format!("{} at the entry", abi.name(n))
    }

    /// The name of what lies above an argument.
    #[must_use]
    pub fn above_name(abi: &Abi, register: usize) -> String {
        format!("above {} at the entry", abi.name(register))
    }

    fn code(&self) -> Code<'_> {
        let apart = self.apart.then_some(&self.escapes);
        let spelling = Some(&self.spelling);
        Code {
            f: &self.f,
            facts: &self.facts,
            frame: &self.frame,
            access: self.access,
            apart,
            kinds: Some(&self.kinds),
            place: self.place.as_ref().map(|place| (&self.escapes, place.bytes)),
            spelling,
        }
    }

    fn is_event(&self, i: usize) -> bool {
        let outside = self.calls.at(i).is_some() || repeats(&self.f, i);
        outside && !self.spelling.contains_key(&i) || control(&self.f, i) == Control::Trap
    }

    fn build(&mut self) -> Res<()> {
        let flow = flow(&self.f, &self.facts, &self.frame, &self.calls);
        let live = liveness(&flow);
        if (0..self.f.blocks.len()).any(|b| successors(&self.f, &self.facts, b).contains(&0)) {
            return Err(self.f.unsupported(0, "a jump to the entry"));
        }
        self.find_pushed(&flow, &live);
        self.find_unset(&live);
        let mut drafts = vec![(
            "entry".to_owned(),
            PointKind::Entry,
            0,
            self.f.blocks[0].first,
            (self.entry(&live), Vec::new()),
        )];
        for (b, block) in self.f.blocks.iter().enumerate() {
            if !self.facts.reached(block.first) {
                continue;
            }
            if b > 0 {
                self.of_block.insert(b, PointId(drafts.len() as u32));
                let hidden = self.followed(self.escapes.hidden_before(block.first));
                let vars = self.variables((&live.at_start[b], &hidden), block.first);
                drafts.push((self.names[b].clone(), PointKind::Block, b, block.first, (vars, hidden)));
            }
        }
        for (b, block) in self.f.blocks.iter().enumerate() {
            let events = (block.first..block.end).filter(|i| self.facts.reached(*i) && self.is_event(*i));
            for (n, i) in events.collect::<Vec<_>>().into_iter().enumerate() {
                self.after.insert(i, PointId(drafts.len() as u32));
                let ends = self.ends(i);
                // What follows a tail call in the text is some other way's.
                let hidden = self.followed(self.escapes.hidden_behind(i));
                let (vars, hidden) = match self.calls.at(i).is_some_and(|c| c.tail) {
                    true => (self.variables((&self.left_by_tail(), &[]), i), Vec::new()),
                    false if ends => (self.variables((&[], &[]), i + 1), Vec::new()),
                    false => (self.variables((&live.after(&flow, i), &hidden), i + 1), hidden),
                };
                let name = format!("{} call {n}", self.names[b]);
                drafts.push((name, PointKind::AfterEvent, b, i + 1, (vars, hidden)));
            }
        }
        for (name, kind, block, insn, (vars, hidden)) in drafts {
            let decls = vars.iter().map(|v| self.declare(*v)).collect();
            let succs = self.next_points(block, insn);
            self.shape.points.push(Point { name, aliases: Vec::new(), kind, vars: decls, succs });
            self.stops.push(Stop { block, insn, vars, hidden });
        }
        self.shape.name = self.f.name.clone();
        Ok(())
    }

    /// Whether nothing follows an event: a trap, or a call that does not come back.
    fn ends(&self, i: usize) -> bool {
        self.calls.at(i).map_or_else(|| !repeats(&self.f, i), |c| c.endless)
    }

    /// What the return behind a tail call shows.
    fn left_by_tail(&self) -> Vec<usize> {
        let results = self.calls.own.results.iter().map(|p| p.register);
        let mut list: Vec<usize> = self.touched.iter().copied().chain(results).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Calls of unknown types where the bottom of the stack holds what nothing here reads: arguments, perhaps. Jumps out
    /// of the function hand its own arguments on, and others only where they were written to. A register that nobody set is
    /// stored for the room, or for the caller whose it is.
    fn find_pushed(&mut self, flow: &crate::liveness::Flow, live: &Live) {
        let mut dead: Vec<i64> = Vec::new();
        let saves = self.saves_at_entry();
        let stores = |i: &usize| {
            self.facts.reached(*i) && !saves.contains(i) && self.calls.unset.binary_search(i).is_err()
        };
        for i in (0..self.f.insns.len()).filter(stores) {
            for (at, bytes, _, writes) in super::uses::frame_accesses(&self.f, &self.facts, i) {
                let slots = self.frame.touched(at, bytes);
                if writes && !slots.is_empty() {
                    let after = live.after(flow, i);
                    if slots.iter().any(|s| !after.contains(&(SLOTS + s))) {
                        dead.push(at);
                    }
                }
            }
        }
        let unknown: Vec<usize> = self.calls.pushing().collect();
        for i in unknown {
            let sp = self.facts.stack(i);
            let tail = self.calls.at(i).is_some_and(|c| c.tail);
            if sp.is_some_and(|sp| {
                if tail { dead.iter().any(|at| *at >= self.f.abi.incoming) } else { dead.contains(&sp) }
            }) {
                self.may_push.push(i);
            }
        }
    }

    /// Slots of the frame that are live at the entry: padding of structures that are copied, mostly.
    fn find_unset(&mut self, live: &Live) {
        let at_start: BTreeSet<usize> = live.at_start.first().into_iter().flatten().copied().collect();
        for i in (0..self.f.insns.len()).filter(|i| self.facts.reached(*i)) {
            for (at, bytes, reads, _) in super::uses::frame_accesses(&self.f, &self.facts, i) {
                let slots = if reads { self.frame.touched(at, bytes) } else { Vec::new() };
                let own =
                    |slot: &usize| self.frame.incoming(*slot).is_none() && at_start.contains(&(SLOTS + slot));
                for slot in slots.into_iter().filter(own) {
                    if !self.unset.contains(&slot) {
                        self.unset.push(slot);
                    }
                }
            }
        }
    }

    /// Has slots that may be read before they are written hold the same at the entry as those of another program, as far as
    /// there are as wide ones: what C leaves open in the one may be what the other has there. Each slot of either is one of the
    /// other's, so that the other's may still be anything.
    pub(crate) fn share_unset(&mut self, other: &mut Program) {
        let mut rest: Vec<usize> = other.unset.clone();
        for slot in &self.unset {
            let width = self.frame.slots.width(*slot);
            let Some(n) = rest.iter().position(|s| other.frame.slots.width(*s) == width) else { continue };
            let name = format!("never stored {}", self.shared.len());
            other.shared.insert(rest.remove(n), name.clone());
            self.shared.insert(*slot, name);
        }
    }

    /// Instructions that save what the caller has in registers: nobody passes that to a callee.
    fn saves_at_entry(&self) -> Vec<usize> {
        let mut out = Vec::new();
        for b in std::iter::once(0).chain(self.f.bodies.iter().copied()) {
            let mut written = 0u64;
            for i in self.f.blocks[b].first..self.f.blocks[b].end {
                let saved = super::uses::saves(&self.f, &self.facts, i);
                if !saved.is_empty() && saved.iter().all(|(n, _)| written >> n & 1 == 0) {
                    out.push(i);
                }
                written |= super::uses::uses(&self.f, i).writes;
            }
        }
        out
    }

    /// The variables at the entry: memory and the arguments that are looked at.
    fn entry(&self, live: &Live) -> Vec<Var> {
        let mut vars = vec![Var::Mem];
        if self.access != AccessCheck::Off {
            vars.push(Var::Perm);
        }
        let seen = live.at_start.first().cloned().unwrap_or_default();
        let arguments = self.calls.own.arguments.iter().filter(|p| seen.contains(&p.register));
        vars.extend(arguments.map(|p| Var::Argument(*p)));
        vars
    }

    /// Those of some objects whose contents are followed.
    fn followed(&self, objects: impl Iterator<Item = usize>) -> Vec<usize> {
        objects.filter(|n| self.frame.contents[*n].is_some()).collect()
    }

    fn variables(&self, (live, hidden): (&[usize], &[usize]), insn: usize) -> Vec<Var> {
        let mut vars = vec![Var::Mem];
        if self.access != AccessCheck::Off {
            vars.push(Var::Perm);
        }
        for &v in live {
            match v {
                0..FLAGS if v < self.f.abi.general && self.facts.frame(insn, v).is_some() => {}
                0..FLAGS => vars.push(Var::Register(v)),
                FLAGS => vars.extend(self.f.abi.flags.iter().map(|n| Var::Flag(*n))),
                _ => vars.push(Var::Slot(v - SLOTS)),
            }
        }
        vars.extend(self.escapes.mixed().map(Var::Out));
        for n in hidden {
            vars.extend(
                self.frame.contents[*n].iter().flatten().map(|(at, bytes)| Var::Held(*n, *at, *bytes)),
            );
        }
        vars
    }

    fn declare(&self, var: Var) -> VarDecl {
        let (name, sort) = match var {
            Var::Mem => ("mem".to_owned(), MEM),
            Var::Perm => ("perm".to_owned(), MEM),
            Var::Register(n) => (self.f.abi.name(n), VarSort::Bv(self.f.abi.width(n))),
            Var::Argument(p) => (self.argument_name(p.register), VarSort::Bv(p.bits)),
            Var::Flag(n) => (FLAG_NAMES[n].to_owned(), VarSort::Bv(1)),
            Var::Slot(n) => (self.frame.slots.name(n), VarSort::Bv(self.frame.slots.width(n))),
            Var::Fresh(n) => (format!("given {n}"), VarSort::Bv(64)),
            Var::Room(n) => (format!("size of given {n}"), VarSort::Bv(64)),
            Var::Place => (place::PLACE.to_owned(), VarSort::Bv(64)),
            Var::Out(n) => (format!("frame object {n} is known"), VarSort::Bv(1)),
            Var::Held(n, at, bytes) => {
                (Self::piece_name(self.object_name(n), (at, bytes)), VarSort::Bv(bytes as u32 * 8))
            }
        };
        VarDecl { name, sort }
    }

    /// The name of an argument at the entry: of its register, or of its place among those of its class.
    fn argument_name(&self, register: usize) -> String {
        let abi = self.f.abi;
        let place = abi.arguments.iter().position(|r| *r == register);
        match (self.machines, place) {
            (Machines::Two, Some(n)) if n < abi.general_arguments => format!("argument {n}"),
            (Machines::Two, Some(n)) => format!("vector argument {}", n - abi.general_arguments),
            (Machines::One, _) | (Machines::Two, None) => abi.name(register),
        }
    }

    fn next_points(&self, block: usize, insn: usize) -> Vec<PointId> {
        let behind =
            insn.checked_sub(1).filter(|i| self.after.contains_key(i) && insn > self.f.blocks[block].first);
        if behind.is_some_and(|i| self.ends(i) || self.calls.at(i).is_some_and(|c| c.tail)) {
            return Vec::new();
        }
        let events = (insn..self.f.blocks[block].end).filter_map(|i| self.after.get(&i));
        let mut out: Vec<PointId> = events.copied().collect();
        out.extend(successors(&self.f, &self.facts, block).iter().filter_map(|b| self.of_block.get(b)));
        out.sort_unstable();
        out.dedup();
        out
    }

    /// What a register that a call keeps holds at the entry.
    fn saved<D: Domain>(&self, d: &mut D, n: usize) -> D::Bv {
        let word = if n < self.f.abi.general { self.f.abi.word } else { 64 };
        let held = d.symbol(&Self::saved_name(self.f.abi, n), word);
        d.zfit(&held, 64)
    }

    /// The low half of a register that a call keeps, with anything above it.
    fn with_above<D: Domain>(&self, d: &mut D, n: usize, low: D::Bv) -> D::Bv {
        match self.f.abi.width(n) - 64 {
            0 => low,
            rest => {
                let above = d.nondet("above what a call keeps", rest);
                d.concat(&above, &low)
            }
        }
    }
}

/// Places in [`Event::args`] of a call: of the flag for the stack, and of the first argument register.
pub(crate) const PUSHED: usize = 2;
pub(crate) const FIRST_ARGUMENT: usize = 3;
/// The place in [`Event::results`] of a call of the first register of results.
pub(crate) const FIRST_RESULT: usize = 1;
/// Beside the bits of an argument register that may matter: that it was set for the call alone.
pub(crate) const MEANT: u32 = 0x100;
/// What holds a truth value as its lowest bit says.
fn truth_value<D: Domain>(d: &mut D, value: &D::Bv) -> D::Bv {
    let bit = d.zfit(value, 1);
    let width = d.width(value);
    d.zfit(&bit, width)
}

/// That it counts whatever lies in the registers ahead of it. How it fills its register follows (see [`Filled`]).
pub(crate) const ALONE: u32 = 0x200;

/// The bits that may matter alone.
pub(crate) fn told_bits(told: u32) -> u32 {
    told & 0xff
}

impl Semantics for Program {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn step<D: Domain>(&self, d: &mut D, s: &State<D>) -> Vec<Successor<D>> {
        let stop = &self.stops[s.at.index()];
        let behind = (self.shape.point(s.at).kind == PointKind::AfterEvent).then(|| stop.insn - 1);
        let ways = match behind {
            // A trap, or a call that does not come back: nothing more is seen.
            Some(i) if self.ends(i) => {
                Ok(vec![Successor { cond: d.bool(true), next: Next::Exit(Vec::new()) }])
            }
            Some(i) if self.calls.at(i).is_some_and(|c| c.tail) => {
                let m = self.restore(d, s);
                let exit = self.exit(d, &m, i).map_err(|e| (e, i));
                exit.map(|next| vec![Successor { cond: d.bool(true), next }])
            }
            Some(_) | None => self.run(d, s),
        };
        match ways {
            Ok(successors) => successors,
            Err((unsupported, i)) => {
                // Where what is lacking says its place itself, it is said once.
                let place = self.place(i);
                let what = match unsupported.what.strip_suffix(&format!(" at {}", place.0)) {
                    Some(what) => what.to_owned(),
                    None => unsupported.what,
                };
                let next = Next::Unsupported(what, place);
                vec![Successor { cond: d.bool(true), next }]
            }
        }
    }

    fn resume<D: Domain>(&self, d: &mut D, mut after: State<D>, results: &[Val<D>]) -> State<D> {
        let stop = &self.stops[after.at.index()];
        let call = self.calls.at(stop.insn - 1);
        let outs = self.outs(d, &after);
        let place = self.place_of(&after);
        for (var, val) in stop.vars.iter().zip(&mut after.vals) {
            match var {
                Var::Mem | Var::Perm if call.is_some_and(|c| c.reader().is_some()) => {}
                Var::Mem => {
                    if let Some(m) = results.first() {
                        // What the callee cannot know of is as it was.
                        let before = val.mem().clone();
                        let now = m.mem();
                        let hidden = |n: usize| {
                            self.sight(stop.insn - 1, n) != Sight::Shown && !stop.hidden.contains(&n)
                        };
                        let kept = |d: &mut D, n: usize, at: &D::Bv, bytes: u64| {
                            let old = d.load(&before, at, bytes as u32);
                            match (self.sight(stop.insn - 1, n), outs.get(n).and_then(Option::as_ref)) {
                                (Sight::ByWay, Some(out)) => {
                                    let new = d.load(now, at, bytes as u32);
                                    d.ite(out, &new, &old)
                                }
                                _ => old,
                            }
                        };
                        let behind = self.with_objects(d, (now, place.as_ref()), hidden, kept);
                        *val = Val::Mem(held(d, &self.f, &behind));
                    }
                }
                Var::Perm => {
                    if let Some(m) = results.get(5) {
                        *val = m.clone();
                    }
                }
                Var::Register(n) => {
                    let Some(place) = self.f.abi.results.iter().position(|r| r == n) else { continue };
                    let Some(Val::Bv(result)) = results.get(FIRST_RESULT + place) else { continue };
                    // A callee that writes no such register gives nothing in it.
                    if call.is_some_and(|c| !c.changes(*n)) {
                        continue;
                    }
                    let truth = place == 0 && call.is_some_and(|c| c.gives_truth);
                    let result = &if truth { truth_value(d, result) } else { result.clone() };
                    if let Some(filled) = call.and_then(|c| Filled::of(&c.filled.1, *n)) {
                        *val = Val::Bv(filled.whole(d, result, self.f.abi.width(*n)));
                        continue;
                    }
                    let bits = match call.and_then(|c| c.results.as_ref()) {
                        None => self.f.abi.width(*n),
                        Some(pieces) => pieces.iter().find(|p| p.register == *n).map_or(0, |p| p.bits),
                    };
                    let rest = self.f.abi.width(*n) - bits;
                    *val = Val::Bv(match (bits, rest) {
                        (_, 0) => d.zfit(result, bits),
                        (0, _) => d.nondet("what a call left", self.f.abi.width(*n)),
                        _ => {
                            let above = d.nondet("above a result", rest);
                            let low = d.zfit(result, bits);
                            d.concat(&above, &low)
                        }
                    });
                }
                Var::Fresh(n) => {
                    if let (true, Some(given)) =
                        (self.escapes.allocations[*n].call() == Some(stop.insn - 1), results.get(1))
                    {
                        *val = given.clone();
                    }
                }
                // An event that has its address, and lets it go nowhere.
                Var::Held(n, at, bytes) => {
                    let (kept, sight) =
                        (call.is_some_and(|c| c.reader().is_some()), self.sight(stop.insn - 1, *n));
                    if let (false, Sight::Shown, Some(m)) = (kept, sight, results.first()) {
                        let address = self.object_address(d, place.as_ref(), *n, *at);
                        *val = Val::Bv(d.load(m.mem(), &address, *bytes as u32));
                    }
                }
                Var::Argument(_) | Var::Flag(_) | Var::Slot(_) | Var::Room(_) | Var::Place | Var::Out(_) => {}
            }
        }
        after
    }
}
