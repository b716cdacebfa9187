//! Which variable holds the address that a call goes to: of the types that callees by an address may have, it is then the
//! variable's.
//!
//! Forwards, which registers hold a word that was read from the start of an object with a name, or the address of such an
//! object, as the global offset table gives it. What all ways to a call agree on counts. Of x86-64; elsewhere nothing is known.

use super::facts::Facts;
use super::flow::successors;
use super::function::{Decoded, Function, Insn, Reference};
use super::uses::{Control, control, uses};
use super::x86::track::gpr64;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use rustc_hash::FxHashMap;

/// How many general registers there are.
const GENERAL: usize = 16;

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held<'f> {
    /// The first word of an object.
    Word(&'f str),
    /// The address of one.
    Address(&'f str),
}

type State<'f> = [Option<Held<'f>>; GENERAL];

/// By call, the name of the object whose first word is the address that it goes to.
pub(super) fn called<'f>(f: &'f Function, facts: &Facts) -> FxHashMap<usize, &'f str> {
    if !f.calls_by_address() {
        return FxHashMap::default();
    }
    let mut at_start: Vec<Option<State<'f>>> = vec![None; f.blocks.len()];
    if let Some(first) = at_start.first_mut() {
        *first = Some(State::default());
    }
    let mut open = vec![0];
    while let Some(b) = open.pop() {
        let Some(mut state) = at_start.get(b).copied().flatten() else { continue };
        (f.blocks[b].first..f.blocks[b].end).for_each(|i| step(f, i, &mut state));
        for to in successors(f, facts, b) {
            let joined = at_start[to].map_or(state, |known| agreed(known, state));
            if at_start[to] != Some(joined) {
                at_start[to] = Some(joined);
                open.push(to);
            }
        }
    }
    let mut out = FxHashMap::default();
    for (block, start) in f.blocks.iter().zip(at_start) {
        let Some(mut state) = start else { continue };
        for i in block.first..block.end {
            let insn = &f.insns[i];
            if matches!(control(f, i), Control::Call | Control::IndirectJump)
                && let Decoded::X86(d) = &insn.decoded
                && let Some(Held::Word(name)) = operand(insn, d, 0, &state)
            {
                out.insert(i, name);
            }
            step(f, i, &mut state);
        }
    }
    out
}

/// What two ways agree on.
fn agreed<'f>(mut a: State<'f>, b: State<'f>) -> State<'f> {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.filter(|held| Some(*held) == b);
    }
    a
}

fn step<'f>(f: &'f Function, i: usize, state: &mut State<'f>) {
    let insn = &f.insns[i];
    let Decoded::X86(d) = &insn.decoded else { return };
    let held = match d.mnemonic() {
        Mnemonic::Mov => operand(insn, d, 1, state),
        Mnemonic::Lea => named(insn, d).and_then(|reference| match reference {
            Reference::Place(place) if place.offset == 0 => Some(Held::Address(place.name.as_str())),
            _ => None,
        }),
        _ => None,
    };
    let changed = match control(f, i) {
        Control::Call => f.abi.clobbered,
        _ => uses(f, i).writes,
    };
    for (n, register) in state.iter_mut().enumerate().filter(|(n, _)| changed >> n & 1 == 1) {
        let whole = d.op0_kind() == OpKind::Register && gpr64(d.op0_register()) == Some(n);
        *register = held.filter(|_| whole);
    }
}

/// What an operand holds.
fn operand<'f>(insn: &'f Insn, d: &Instruction, n: u32, state: &State<'f>) -> Option<Held<'f>> {
    match d.op_kind(n) {
        OpKind::Register => state[gpr64(d.op_register(n))?],
        OpKind::Memory if d.memory_size().size() == 8 => match named(insn, d) {
            Some(Reference::Place(place)) if place.offset == 0 => Some(Held::Word(&place.name)),
            Some(Reference::Indirect(place)) if place.offset == 0 => Some(Held::Address(&place.name)),
            Some(_) => None,
            None if d.memory_index() == Register::None && d.memory_displacement64() == 0 => {
                match (insn.memory.is_none(), state[gpr64(d.memory_base())?]) {
                    (true, Some(Held::Address(name))) => Some(Held::Word(name)),
                    _ => None,
                }
            }
            None => None,
        },
        _ => None,
    }
}

/// What the linker fills in as the address of a memory operand, where nothing is added to that.
fn named<'f>(insn: &'f Insn, d: &Instruction) -> Option<&'f Reference> {
    let alone = matches!(d.memory_base(), Register::RIP | Register::None)
        && d.memory_index() == Register::None
        && d.segment_prefix() == Register::None;
    insn.memory.as_ref().filter(|_| alone)
}
