//! Accesses by pointers to different types: C keeps what these lead to apart (C17, 6.5p7), and compilers move one past the
//! other. Known are the types of what the function is passed, and of what pointers in objects of known types lead to.
//!
//! Forwards: which registers and stack slots hold a pointer, and which bytes were accessed by it on every way since the
//! last call. Where an access by a pointer to something else follows, both lie apart, if either writes. Objects of one type,
//! or of a type and of one that has it in it, may be the same, and otherwise overlap nowhere in part: an access of one
//! member is none of another. Of x86-64; elsewhere nothing is known.
//!
//! A pointer that was stored in an object, or loaded from it, and is loaded again is the same one, as long as nothing was
//! written that could be there; and so long it is found there, too, where no register and no slot has it any more.
//! Elements of an array at an index that is computed lie at no known distance from a pointer: the address of an access to one is
//! kept until its block ends, and later accesses are told apart from that.

use super::calls::Calls;
use super::facts::Facts;
use super::flow::successors;
use super::frame::Frame;
use super::function::{Decoded, Function, Insn, Target};
use super::uses::{Control, control, frame_accesses, uses};
use super::x86::track::gpr64;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What debug information tells of types, which go by numbers.
pub trait Pointees {
    /// What the pointer leads to that is passed in a register.
    fn argument(&self, register: usize) -> Option<usize>;
    /// What the pointer leads to that lies in an object of a type, so far from its start.
    fn inside(&self, of: usize, at: i64) -> Option<usize>;
    /// What the pointer leads to that a function gives.
    fn given(&self, callee: &str) -> Option<usize>;
    /// Whether an object of a type has so many bytes so far from its start.
    fn has(&self, of: usize, at: i64, bytes: u64) -> bool;
    /// Whether objects of two types share no byte.
    fn apart(&self, a: usize, b: usize) -> bool;
    /// Where bytes that an instruction accesses lie in their object, if what is accessed is an object of a type and others of
    /// it in a row: so far from the start of the first. None where it may be what has such an object in it.
    fn element(&self, of: usize, at: i64, bytes: u64) -> Option<i64>;
    /// Whether bytes of an object of a type are none of those bytes of an object of another type that has it in it, or that it
    /// has, or of the same one.
    fn apart_at(&self, one: Part, other: Part) -> bool;
    /// Whether bytes of an object of a type are none of those bytes of an object of another type, since neither object lies in
    /// the other there.
    fn apart_inside(&self, one: Part, other: Part) -> bool;
    /// Whether numbers or pointers of a type, several in a row with so many bytes, share none with those bytes of an object.
    fn row_apart(&self, number: usize, bytes: u64, other: Part) -> bool;
    /// Whether these bytes of two objects, a number or a pointer each, are the same, or share none.
    fn same_or_apart(&self, one: Part, other: Part) -> bool;
}

/// Bytes of an object of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The type.
    pub of: usize,
    /// How far from the object's start they begin.
    pub at: i64,
    /// How many they are.
    pub bytes: u64,
}

/// Most bytes accessed before that one access is kept apart from.
const MOST: usize = 8;

/// Most accesses of rows that are kept in mind.
const ROWS: usize = 8;

/// How often a block is looked at again.
const ROUNDS: usize = 32;

/// What holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holder {
    Register(usize),
    Slot(usize),
    /// The address accessed by the instruction of this number, earlier in the same block.
    Accessed(usize),
}

/// Most registers and slots that may hold what different ways bring.
const HOLDERS: usize = 4096;

impl Holder {
    /// The number of a pointer that it holds where ways meet.
    fn number(self, own: &Range<usize>) -> Option<usize> {
        let n = match self {
            Holder::Register(n) => n,
            Holder::Slot(n) => 64 + n,
            Holder::Accessed(_) => return None,
        };
        (n < own.len()).then(|| own.start + n)
    }
}

/// A pointer: which one, by the instruction, the register or the meeting of ways that it came from; what it leads to; and how far
/// it is inside of that, where that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pointer {
    which: usize,
    kind: usize,
    at: Option<i64>,
}

/// Bytes of an object from its start that were accessed, and whether they were written.
type Bytes = (i64, u64, bool);

/// What is known before an instruction.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct State {
    held: BTreeMap<Holder, Pointer>,
    /// By pointer.
    accessed: BTreeMap<usize, BTreeSet<Bytes>>,
    /// What holds the null pointer, which leads to nothing: where ways meet, it may be any pointer.
    null: BTreeSet<Holder>,
    /// The pointers that lie in objects, so far from where other pointers led at first.
    memory: BTreeMap<(usize, i64), Pointer>,
}

/// An access of memory by a pointer.
#[derive(Clone, Copy)]
struct Access {
    object: Pointer,
    /// How far from where the pointer led at first, if that is known.
    at: Option<i64>,
    bytes: u64,
    /// Whether it is of the object that the pointer led to at first, or may be of the next ones in a row.
    inside: bool,
}

impl State {
    /// What two ways agree on where they meet. Different pointers of one type are one of that type from there on, which has a number
    /// of the block's own.
    fn agreed(&self, other: &State, own: Range<usize>) -> State {
        let mut groups: BTreeMap<[Option<usize>; 2], Vec<(Holder, Pointer)>> = BTreeMap::new();
        for by in self.held.keys().chain(other.held.keys()).copied().collect::<BTreeSet<Holder>>() {
            let (p, q) = (self.held.get(&by), other.held.get(&by));
            let pointer = match (p, q) {
                (Some(p), Some(q)) if p.kind == q.kind => Pointer { at: p.at.filter(|_| p.at == q.at), ..*p },
                (Some(p), None) if other.null.contains(&by) => *p,
                (None, Some(q)) if self.null.contains(&by) => *q,
                _ => continue,
            };
            groups.entry([p, q].map(|p| p.map(|p| p.which))).or_default().push((by, pointer));
        }
        let mut out =
            State { null: self.null.intersection(&other.null).copied().collect(), ..State::default() };
        for ([p, q], mut list) in groups {
            let same = p.or(q).filter(|which| [p, q].into_iter().flatten().all(|other| other == *which));
            let which = match same.filter(|which| !own.contains(which)) {
                Some(which) => which,
                None => {
                    let Some(which) = list.first().and_then(|(by, _)| by.number(&own)) else { continue };
                    list.iter_mut().for_each(|(_, pointer)| pointer.which = which);
                    which
                }
            };
            out.held.extend(list);
            let all = |state: &State, which: Option<usize>| state.accessed.get(&which?).cloned();
            let both = match (p, q) {
                (Some(_), Some(_)) => all(self, p).zip(all(other, q)),
                _ if own.contains(&which) => None,
                _ => all(self, Some(which)).zip(all(other, Some(which))),
            };
            let both: BTreeSet<Bytes> =
                both.into_iter().flat_map(|(a, b)| a.intersection(&b).copied().collect::<Vec<_>>()).collect();
            if !both.is_empty() {
                out.accessed.entry(which).or_default().extend(both);
            }
        }
        let memory = self.memory.iter().filter(|(at, p)| other.memory.get(at) == Some(p));
        let kept = memory.filter(|((object, _), p)| !own.contains(object) && !own.contains(&p.which));
        out.memory = kept.map(|(at, p)| (*at, *p)).collect();
        for which in out.memory.values().map(|p| p.which) {
            if let (Some(a), Some(b)) = (self.accessed.get(&which), other.accessed.get(&which)) {
                let both: BTreeSet<Bytes> = a.intersection(b).copied().collect();
                out.accessed.entry(which).or_insert(both);
            }
        }
        out
    }

    /// The pointers that are found, each with what it leads to.
    fn pointers(&self) -> BTreeMap<usize, usize> {
        self.held.values().chain(self.memory.values()).map(|p| (p.which, p.kind)).collect()
    }

    /// The ways to what lies so far from where a pointer led at first: those over registers and slots first.
    fn ways(&self, which: usize, at: i64, steps: u32) -> Vec<Way> {
        let held = self.held.iter().filter(|(_, p)| p.which == which);
        let mut out: Vec<Way> = held
            .filter_map(|(from, p)| {
                Some(Way { from: *from, through: Vec::new(), last: at.wrapping_sub(p.at?) })
            })
            .collect();
        let memory = self.memory.iter().filter(|(_, p)| p.which == which && steps > 0);
        for ((object, place), p) in memory {
            let Some(inside) = p.at else { continue };
            for mut way in self.ways(*object, *place, steps - 1) {
                way.through.push(way.last);
                way.last = at.wrapping_sub(inside);
                out.push(way);
            }
        }
        out
    }

    /// A pointer that is made anew: what is left of the one that came from there before is another.
    fn make(&mut self, to: Holder, which: usize, kind: usize) {
        self.held.retain(|_, p| p.which != which);
        self.memory.retain(|(object, _), p| *object != which && p.which != which);
        self.accessed.remove(&which);
        self.held.insert(to, Pointer { which, kind, at: Some(0) });
    }
}

/// Where bytes begin that a pointer leads to: so far from a pointer that lies so far from another one, and so on, up to what
/// a register or a slot holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    /// What holds the first pointer.
    pub from: Holder,
    /// How far from each pointer the next one lies.
    pub through: Vec<i64>,
    /// How far from the last one the bytes begin.
    pub last: i64,
}

/// Most pointers that lie in objects on one way.
const STEPS: u32 = 3;

/// Bytes that a pointer leads to: where they begin, in one or more ways, and how many.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    pub by: Vec<Way>,
    pub bytes: u64,
    /// Whether just these bytes may be accessed, and not some of them alone.
    pub or_same: bool,
}

/// For each instruction that accesses memory what it is kept apart from.
pub(crate) type Apart = BTreeMap<usize, Vec<Touched>>;

/// Looks through a function.
pub(crate) fn apart(
    f: &Function,
    facts: &Facts,
    frame: &Frame,
    calls: &Calls,
    types: &dyn Pointees,
) -> Apart {
    let mut looked = Looked { f, facts, frame, calls, types, rows: Vec::new(), out: Apart::new() };
    if !matches!(f.insns.first().map(|insn| &insn.decoded), Some(Decoded::X86(_))) {
        return Apart::new();
    }
    let mut entry = State::default();
    for register in f.abi.arguments.iter().take(f.abi.general_arguments) {
        if let Some(kind) = types.argument(*register) {
            entry.make(Holder::Register(*register), *register, kind);
        }
    }
    let mut at_start: Vec<Option<State>> = vec![None; f.blocks.len()];
    if let Some(first) = at_start.first_mut() {
        *first = Some(entry);
    }
    let (mut open, mut rounds) = (vec![0], 0);
    while let Some(b) = open.pop() {
        rounds += 1;
        if rounds > ROUNDS * f.blocks.len() {
            return Apart::new();
        }
        let Some(mut state) = at_start[b].clone() else { continue };
        looked.rows.clear();
        (f.blocks[b].first..f.blocks[b].end).for_each(|i| looked.step(i, &mut state));
        for to in successors(f, facts, b) {
            let first = f.abi.general + f.insns.len() + to * HOLDERS;
            let own = first..first + HOLDERS;
            let joined =
                at_start[to].as_ref().map_or_else(|| state.clone(), |known| known.agreed(&state, own));
            if at_start[to].as_ref() != Some(&joined) {
                at_start[to] = Some(joined);
                open.push(to);
            }
        }
    }
    looked.out.clear();
    for (block, start) in f.blocks.iter().zip(at_start) {
        let Some(mut state) = start else { continue };
        looked.rows.clear();
        (block.first..block.end).for_each(|i| looked.step(i, &mut state));
    }
    looked.out
}

/// A look through a function, and what was seen.
struct Looked<'a> {
    f: &'a Function,
    facts: &'a Facts,
    frame: &'a Frame,
    calls: &'a Calls,
    types: &'a dyn Pointees,
    /// Accesses of places in rows since the block began, or the last call: by which instruction, and whether it writes.
    rows: Vec<(usize, Access, bool)>,
    out: Apart,
}

impl Looked<'_> {
    fn step(&mut self, i: usize, state: &mut State) {
        let insn = &self.f.insns[i];
        let Decoded::X86(d) = &insn.decoded else { return };
        if control(self.f, i) == Control::Call || self.calls.at(i).is_some() {
            state.accessed.clear();
            state.memory.clear();
            self.rows.clear();
            self.forget(state, self.f.abi.clobbered);
            if let Some(Target::Function(name)) = &insn.target
                && let Some(kind) = self.types.given(name)
            {
                state.make(Holder::Register(self.f.abi.results[0]), self.f.abi.general + i, kind);
            }
            return;
        }
        self.access(i, d, state);
        self.write(i, d, state);
        let pointer = self.result(i, d, state);
        // One that lay in memory may be of an earlier round.
        let made = matches!(&pointer, Some(p) if p.which == self.f.abi.general + i && p.at == Some(0));
        let from = self.word(i, d, state).filter(|_| made);
        let null = self.is_null(i, d, state);
        self.forget(state, uses(self.f, i).writes);
        for (at, bytes, _, writes) in frame_accesses(self.f, self.facts, i) {
            if writes {
                let touched = self.frame.touched(at, bytes);
                state.held.retain(|by, _| !matches!(by, Holder::Slot(n) if touched.contains(n)));
                state.null.retain(|by| !matches!(by, Holder::Slot(n) if touched.contains(n)));
            }
        }
        if null {
            let register = gpr64(d.op0_register().full_register()).map(Holder::Register);
            state.null.extend(if d.op0_kind() == OpKind::Register { register } else { self.target(i, d) });
            return;
        }
        let (Some(pointer), Some(to)) = (pointer, self.target(i, d)) else { return };
        if made {
            state.make(to, pointer.which, pointer.kind);
            if let Some((object, at)) = from.filter(|(object, _)| *object != pointer.which) {
                state.memory.insert((object, at), pointer);
            }
        } else {
            state.held.insert(to, pointer);
        }
    }

    fn forget(&self, state: &mut State, registers: u64) {
        let lost = |at: &Holder| matches!(at, Holder::Register(n) if registers >> n & 1 == 1);
        state.held.retain(|at, _| !lost(at));
        state.null.retain(|at| !lost(at));
    }

    /// Whether an instruction moves zero, which is extended to the length of a pointer.
    fn is_null(&self, i: usize, d: &Instruction, state: &State) -> bool {
        let long = match d.op0_kind() {
            OpKind::Register => d.op0_register().size() >= 4,
            _ => d.memory_size().size() == 8,
        };
        let zero = match d.op1_kind() {
            OpKind::Immediate32 | OpKind::Immediate32to64 | OpKind::Immediate64 => d.immediate(1) == 0,
            OpKind::Register => {
                gpr64(d.op1_register()).is_some_and(|n| state.null.contains(&Holder::Register(n)))
            }
            OpKind::Memory => {
                d.op0_register().size() == 8 && self.slot(i, d).is_some_and(|slot| state.null.contains(&slot))
            }
            _ => false,
        };
        d.mnemonic() == Mnemonic::Mov && long && zero
    }

    /// What an instruction sets as a whole.
    fn target(&self, i: usize, d: &Instruction) -> Option<Holder> {
        match d.op0_kind() {
            OpKind::Register => Some(Holder::Register(gpr64(d.op0_register())?)),
            OpKind::Memory if d.mnemonic() == Mnemonic::Mov => self.slot(i, d),
            _ => None,
        }
    }

    /// The pointer that an instruction makes or moves.
    fn result(&self, i: usize, d: &Instruction, state: &State) -> Option<Pointer> {
        let held = |r: Register| state.held.get(&Holder::Register(gpr64(r)?)).copied();
        let moved = |p: Pointer, by: i64| Pointer { at: p.at.and_then(|at| at.checked_add(by)), ..p };
        match (d.mnemonic(), d.op1_kind()) {
            (Mnemonic::Mov, OpKind::Register) => held(d.op1_register()),
            (Mnemonic::Mov, OpKind::Memory) if gpr64(d.op0_register()).is_some() => {
                if let Some(slot) = self.slot(i, d) {
                    return state.held.get(&slot).copied();
                }
                let Access { object, at, inside, .. } = self.accessed(i, d, state)?;
                if let Some(known) = self.word(i, d, state).and_then(|at| state.memory.get(&at)) {
                    return Some(*known);
                }
                let kind = self.types.inside(object.kind, at.filter(|_| inside)?)?;
                Some(Pointer { which: self.f.abi.general + i, kind, at: Some(0) })
            }
            (Mnemonic::Lea, _) if self.f.insns[i].memory.is_none() => {
                match (d.memory_index(), held(d.memory_base())) {
                    (Register::None, base) => Some(moved(base?, d.memory_displacement64() as i64)),
                    _ => self.indexed(i, d, state),
                }
            }
            // A distance, to which a pointer is added.
            (Mnemonic::Add, OpKind::Register) if held(d.op0_register()).is_none() => {
                held(d.op1_register()).map(|base| Pointer { at: None, ..base })
            }
            (Mnemonic::Add | Mnemonic::Sub, kind) => {
                let base = held(d.op0_register())?;
                match kind {
                    OpKind::Immediate8to64 | OpKind::Immediate32to64 => {
                        let by = d.immediate(1) as i64;
                        Some(moved(base, if d.mnemonic() == Mnemonic::Sub { by.wrapping_neg() } else { by }))
                    }
                    OpKind::Register if d.mnemonic() == Mnemonic::Add && held(d.op1_register()).is_none() => {
                        Some(Pointer { at: None, ..base })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The stack slot that a memory operand of 64 bits is.
    fn slot(&self, i: usize, d: &Instruction) -> Option<Holder> {
        let base = gpr64(d.memory_base()).filter(|_| d.memory_index() == Register::None)?;
        let at = self.facts.frame(i, base)?.wrapping_add(d.memory_displacement64() as i64);
        match self.frame.touched(at, 8)[..] {
            [slot] if self.frame.covers(at, 8, slot) && d.memory_size().size() == 8 => {
                Some(Holder::Slot(slot))
            }
            _ => None,
        }
    }

    /// The pointer that a memory operand with an index begins from: one of the two registers, where the other one is none and
    /// leads into no frame.
    fn indexed(&self, i: usize, d: &Instruction, state: &State) -> Option<Pointer> {
        let (base, index) = (gpr64(d.memory_base())?, gpr64(d.memory_index())?);
        let held = |n: usize| state.held.get(&Holder::Register(n)).copied();
        let found = match (held(base), held(index)) {
            (Some(object), None) => object,
            (None, Some(object)) if d.memory_index_scale() == 1 => object,
            _ => return None,
        };
        let framed = [base, index].into_iter().any(|n| self.facts.frame(i, n).is_some());
        (!framed).then_some(Pointer { at: None, ..found })
    }

    /// How an instruction accesses memory by a pointer.
    fn accessed(&self, i: usize, d: &Instruction, state: &State) -> Option<Access> {
        let plain = |insn: &Insn| insn.memory.is_none() && d.segment_prefix() == Register::None;
        let memory = (0..d.op_count()).any(|n| d.op_kind(n) == OpKind::Memory);
        if !memory || !plain(&self.f.insns[i]) || matches!(d.mnemonic(), Mnemonic::Lea | Mnemonic::Nop) {
            return None;
        }
        let bytes = d.memory_size().size() as u64;
        if d.memory_index() != Register::None {
            let object = self.indexed(i, d, state)?;
            return Some(Access { object, at: None, bytes, inside: false });
        }
        let base = gpr64(d.memory_base()).filter(|n| self.facts.frame(i, *n).is_none())?;
        let object = *state.held.get(&Holder::Register(base))?;
        let at = object.at.map(|at| at.wrapping_add(d.memory_displacement64() as i64));
        let inside = at.is_some_and(|at| self.types.has(object.kind, at, bytes));
        match at {
            Some(at) if !inside && self.types.element(object.kind, at, bytes).is_none() => None,
            at => Some(Access { object, at, bytes, inside }),
        }
    }

    /// The word of an object, by the pointer to it, that an instruction loads or stores as a whole.
    fn word(&self, i: usize, d: &Instruction, state: &State) -> Option<(usize, i64)> {
        let access = self.accessed(i, d, state).filter(|access| access.inside && access.bytes == 8)?;
        Some((access.object.which, access.at.filter(|_| d.mnemonic() == Mnemonic::Mov)?))
    }

    /// Notes which pointers still lie in objects behind an instruction that writes, and the one that it stores.
    fn write(&self, i: usize, d: &Instruction, state: &mut State) {
        if !uses(self.f, i).stores || state.memory.is_empty() && self.word(i, d, state).is_none() {
            return;
        }
        let mut slots =
            frame_accesses(self.f, self.facts, i).into_iter().filter(|(.., writes)| *writes).peekable();
        if slots.peek().is_some() {
            // An object is memory.
            if slots.any(|(at, bytes, ..)| self.frame.touched(at, bytes).is_empty()) {
                state.memory.clear();
            }
            return;
        }
        let Some(access) = self.accessed(i, d, state) else { return state.memory.clear() };
        let kinds = state.pointers();
        state.memory.retain(|(which, at), _| match kinds.get(which) {
            _ if *which == access.object.which => {
                access.at.is_some_and(|to| to.abs_diff(*at) >= if to < *at { access.bytes } else { 8 })
            }
            Some(kind) => self.apart(&access, (*kind, *at, 8)),
            None => false,
        });
        let stored = gpr64(d.op1_register()).and_then(|n| state.held.get(&Holder::Register(n)).copied());
        if let (Some(word), Some(mut pointer)) = (self.word(i, d, state), stored) {
            // What leads to nothing that is known does to what the place that it is assigned to is declared for.
            if !self.types.has(pointer.kind, 0, 1)
                && let Some(kind) = self.types.inside(access.object.kind, word.1)
            {
                pointer.kind = kind;
                state.held.values_mut().filter(|p| p.which == pointer.which).for_each(|p| p.kind = kind);
            }
            state.memory.insert(word, pointer);
        }
    }

    /// Bytes so far from the start of an object. What lies behind it may be anything.
    fn part(&self, of: usize, at: i64, bytes: u64) -> Option<Part> {
        self.types.has(of, at, bytes).then_some(Part { of, at, bytes })
    }

    /// Whether an access is of the number or pointer that another pointer leads to, so far from its start, or of none of its
    /// bytes.
    fn alike(&self, access: &Access, (kind, at, bytes): (usize, i64, u64)) -> bool {
        let one = self.part(access.object.kind, access.at.unwrap_or(0), access.bytes);
        // What lies in a row begins where its elements do, which is known of numbers alone.
        let row = access.at.is_some() || self.part(access.object.kind, 1, access.bytes).is_none();
        one.filter(|_| row)
            .zip(self.part(kind, at, bytes))
            .is_some_and(|(one, other)| self.types.same_or_apart(one, other))
    }

    /// Whether an access is of none of so many bytes of an object that another pointer leads to, so far from its start.
    fn apart(&self, access: &Access, (kind, at, bytes): (usize, i64, u64)) -> bool {
        let one = access.at.and_then(|at| self.part(access.object.kind, at, access.bytes));
        let other = self.part(kind, at, bytes);
        // Of several in a row, too, where these are such.
        let element = |of: usize, at: i64, bytes: u64| {
            self.types.element(of, at, bytes).map(|at| Part { of, at, bytes })
        };
        let first = |part: Option<Part>, (of, at, bytes)| part.or_else(|| element(of, at, bytes));
        let both = access.at.and_then(|at| first(one, (access.object.kind, at, access.bytes)));
        let both = both.zip(first(other, (kind, at, bytes)));
        let row =
            |number, bytes, of: Option<Part>| of.is_some_and(|of| self.types.row_apart(number, bytes, of));
        (one.is_some() || access.at.is_none())
            && other.is_some()
            && self.types.apart(access.object.kind, kind)
            || both.is_some_and(|(one, other)| self.types.apart_at(one, other))
            || one.zip(other).is_some_and(|(one, other)| self.types.apart_inside(one, other))
            || row(access.object.kind, access.bytes, other)
            || row(kind, bytes, one)
    }

    /// Notes what an access is kept apart from, and that it was.
    fn access(&mut self, i: usize, d: &Instruction, state: &mut State) {
        let Some(access) = self.accessed(i, d, state) else { return };
        let (object, bytes) = (access.object, access.bytes);
        let writes = uses(self.f, i).stores;
        let mut all = Vec::new();
        for (which, kind) in state.pointers().into_iter().filter(|(which, _)| *which != object.which) {
            // What holds it still is not known here.
            let ways = state.ways(which, 0, STEPS);
            for (at, bytes, written) in state.accessed.get(&which).into_iter().flatten() {
                let apart = (writes || *written) && self.apart(&access, (kind, *at, *bytes));
                let or_same = (writes || *written) && !apart && self.alike(&access, (kind, *at, *bytes));
                if apart || or_same {
                    let by = ways
                        .iter()
                        .map(|way| Way { last: way.last.wrapping_add(*at), ..way.clone() })
                        .collect();
                    all.push(Touched { by, bytes: *bytes, or_same });
                }
            }
        }
        let mut kept = Vec::new();
        for (insn, row, _) in self.rows.iter().filter(|(.., written)| writes || *written) {
            let Some(at) = access.at.filter(|_| row.object.which != object.which) else { continue };
            let apart = self.apart(row, (object.kind, at, bytes));
            if apart || self.alike(row, (object.kind, at, bytes)) {
                let way = Way { from: Holder::Accessed(*insn), through: Vec::new(), last: 0 };
                all.push(Touched { by: vec![way], bytes: row.bytes, or_same: !apart });
                kept.push(*insn);
            }
        }
        all.truncate(MOST);
        if !all.is_empty() {
            // Of those rows the address is kept.
            for insn in kept {
                self.out.entry(insn).or_default();
            }
            self.out.insert(i, all);
        }
        match access.at {
            Some(at) if bytes > 0 => {
                state.accessed.entry(object.which).or_default().insert((at, bytes, writes));
            }
            None if bytes > 0 => {
                self.rows.truncate(ROWS - 1);
                self.rows.insert(0, (i, access, writes));
            }
            _ => {}
        }
    }
}
