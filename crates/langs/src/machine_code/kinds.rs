//! Accesses by pointers to different types: C keeps what these lead to apart (C17, 6.5p7), and compilers move one past the
//! other. Known are the types of what the function is passed, and of what pointers in objects of known types lead to.
//!
//! Forwards: which registers and stack slots hold a pointer, and which bytes were accessed by it on every way since the
//! last call. Where an access by a pointer to something else follows, both lie apart, if either writes. Of x86-64;
//! elsewhere nothing is known.

use super::calls::Calls;
use super::facts::Facts;
use super::flow::successors;
use super::frame::Frame;
use super::function::{Decoded, Function, Insn, Target};
use super::uses::{Control, control, frame_accesses, uses};
use super::x86::track::gpr64;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use std::collections::{BTreeMap, BTreeSet};

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
}

/// Most bytes accessed before that one access is kept apart from.
const MOST: usize = 8;

/// How often a block is looked at again.
const ROUNDS: usize = 32;

/// What holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holder {
    Register(usize),
    Slot(usize),
}

/// A pointer: which one, by the instruction or the register that it came from; what it leads to; and how far it is inside of
/// that, where that is known.
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
}

impl State {
    /// What two ways agree on.
    fn agreed(&self, other: &State) -> State {
        let held = self.held.iter().filter(|(at, p)| other.held.get(at) == Some(p));
        let accessed = self.accessed.iter().filter_map(|(which, all)| {
            let both: BTreeSet<Bytes> = all.intersection(other.accessed.get(which)?).copied().collect();
            (!both.is_empty()).then_some((*which, both))
        });
        State { held: held.map(|(at, p)| (*at, *p)).collect(), accessed: accessed.collect() }
    }

    /// A pointer that is made anew: what is left of the one that came from there before is another.
    fn make(&mut self, to: Holder, which: usize, kind: usize) {
        self.held.retain(|_, p| p.which != which);
        self.accessed.remove(&which);
        self.held.insert(to, Pointer { which, kind, at: Some(0) });
    }
}

/// Bytes that a pointer leads to: what holds it, each with where they begin from there, and how many.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    pub by: Vec<(Holder, i64)>,
    pub bytes: u64,
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
    let mut looked = Looked { f, facts, frame, calls, types, out: Apart::new() };
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
        (f.blocks[b].first..f.blocks[b].end).for_each(|i| looked.step(i, &mut state));
        for to in successors(f, facts, b) {
            let joined = at_start[to].as_ref().map_or_else(|| state.clone(), |known| known.agreed(&state));
            if at_start[to].as_ref() != Some(&joined) {
                at_start[to] = Some(joined);
                open.push(to);
            }
        }
    }
    looked.out.clear();
    for (block, start) in f.blocks.iter().zip(at_start) {
        let Some(mut state) = start else { continue };
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
    out: Apart,
}

impl Looked<'_> {
    fn step(&mut self, i: usize, state: &mut State) {
        let insn = &self.f.insns[i];
        let Decoded::X86(d) = &insn.decoded else { return };
        if control(self.f, i) == Control::Call || self.calls.at(i).is_some() {
            state.accessed.clear();
            self.forget(state, self.f.abi.clobbered);
            if let Some(Target::Function(name)) = &insn.target
                && let Some(kind) = self.types.given(name)
            {
                state.make(Holder::Register(self.f.abi.results[0]), self.f.abi.general + i, kind);
            }
            return;
        }
        self.access(i, d, state);
        let pointer = self.result(i, d, state);
        let made = matches!(&pointer, Some(p) if p.which == self.f.abi.general + i);
        self.forget(state, uses(self.f, i).writes);
        for (at, bytes, _, writes) in frame_accesses(self.f, self.facts, i) {
            if writes {
                let touched = self.frame.touched(at, bytes);
                state.held.retain(|by, _| !matches!(by, Holder::Slot(n) if touched.contains(n)));
            }
        }
        let (Some(pointer), Some(to)) = (pointer, self.target(i, d)) else { return };
        if made {
            state.make(to, pointer.which, pointer.kind);
        } else {
            state.held.insert(to, pointer);
        }
    }

    fn forget(&self, state: &mut State, registers: u64) {
        state.held.retain(|at, _| !matches!(at, Holder::Register(n) if registers >> n & 1 == 1));
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
                let (object, at, _) = self.accessed(i, d, state)?;
                let kind = self.types.inside(object.kind, at?)?;
                Some(Pointer { which: self.f.abi.general + i, kind, at: Some(0) })
            }
            (Mnemonic::Lea, _) if self.f.insns[i].memory.is_none() => {
                let base = held(d.memory_base())?;
                match (d.memory_index(), held(d.memory_index())) {
                    (Register::None, _) => Some(moved(base, d.memory_displacement64() as i64)),
                    (_, None) => Some(Pointer { at: None, ..base }),
                    (_, Some(_)) => None,
                }
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

    /// The pointer by which an instruction accesses memory, how far from the object's start, and how many bytes.
    fn accessed(&self, i: usize, d: &Instruction, state: &State) -> Option<(Pointer, Option<i64>, u64)> {
        let plain = |insn: &Insn| insn.memory.is_none() && d.segment_prefix() == Register::None;
        let memory = (0..d.op_count()).any(|n| d.op_kind(n) == OpKind::Memory);
        if !memory || !plain(&self.f.insns[i]) || matches!(d.mnemonic(), Mnemonic::Lea | Mnemonic::Nop) {
            return None;
        }
        let base = gpr64(d.memory_base()).filter(|n| self.facts.frame(i, *n).is_none())?;
        let held = *state.held.get(&Holder::Register(base))?;
        let bytes = d.memory_size().size() as u64;
        if d.memory_index() != Register::None {
            return Some((held, None, bytes));
        }
        let at = held.at.map(|at| at.wrapping_add(d.memory_displacement64() as i64));
        match at {
            Some(at) if !self.types.has(held.kind, at, bytes) => None,
            at => Some((held, at, bytes)),
        }
    }

    /// Notes what an access is kept apart from, and that it was.
    fn access(&mut self, i: usize, d: &Instruction, state: &mut State) {
        let Some((object, at, bytes)) = self.accessed(i, d, state) else { return };
        let writes = uses(self.f, i).stores;
        let others: BTreeSet<(usize, usize)> =
            state.held.values().filter(|p| p.which != object.which).map(|p| (p.which, p.kind)).collect();
        let mut all = Vec::new();
        for (which, kind) in others {
            if !self.types.apart(object.kind, kind) {
                continue;
            }
            // What holds it still is not known here.
            let holders: Vec<(Holder, i64)> = (state.held.iter().filter(|(_, p)| p.which == which))
                .filter_map(|(by, p)| Some((*by, p.at?)))
                .collect();
            for (at, bytes, written) in state.accessed.get(&which).into_iter().flatten() {
                if writes || *written {
                    let by = holders.iter().map(|(by, inside)| (*by, at - inside)).collect();
                    all.push(Touched { by, bytes: *bytes });
                }
            }
        }
        all.truncate(MOST);
        if !all.is_empty() {
            self.out.insert(i, all);
        }
        if let Some(at) = at.filter(|_| bytes > 0) {
            state.accessed.entry(object.which).or_default().insert((at, bytes, writes));
        }
    }
}
