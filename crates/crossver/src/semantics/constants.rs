//! Which read-only objects a pair of functions looks into by a register: what these hold is part of memory in both programs.
//! What an instruction accesses by its own reference is known anyway, and what is only handed on is nobody's matter here.

use super::names::{Names, SHORT};
use iced_x86::{Mnemonic, OpKind, Register};
use langs::machine_code::{Constant, Function, Reference, Target, copies_block};
use std::collections::BTreeSet;

/// Most words of all objects: each is a store that every load from memory has to see past.
const MOST: usize = 48;

/// Most objects that stores are kept away from: each is a question to every store.
const MOST_OBJECTS: usize = 8;

/// Gives both functions what the read-only objects hold that either looks into.
pub fn add(names: &mut Names<'_>, pair: (usize, usize), (a, b): (&mut Function, &mut Function)) {
    let looked: BTreeSet<String> = [&*a, &*b].into_iter().flat_map(looked_into).collect();
    a.read_only = names.read_only(true).into_iter().filter(|(name, _)| looked.contains(name)).collect();
    a.read_only.truncate(MOST_OBJECTS);
    if looked.is_empty() {
        return;
    }
    let (mut constants, mut long): (Vec<Constant>, Vec<Constant>) = Default::default();
    for (old, function) in [(false, pair.1), (true, pair.0)] {
        for mut constant in names.held(old, function, &looked) {
            let known = constants.iter().chain(&long).any(|known| known.name == constant.name);
            if known || !looked.contains(&constant.name) {
                continue;
            }
            let words: usize = constants.iter().map(|known| known.holds.len()).sum();
            if constant.bytes() <= SHORT && words + constant.holds.len() <= MOST {
                constant.alone = !constants.iter().any(|other| other.alone && other.may_overlap(&constant));
                constants.push(constant);
            } else if long.len() < MOST_OBJECTS {
                long.push(constant);
            }
        }
    }
    (a.constants, a.long_constants) = (constants.clone(), long.clone());
    (b.constants, b.long_constants) = (constants, long);
}

/// The names of places whose address goes into a register that is an address somewhere in the function, or that a call
/// copies from.
fn looked_into(f: &Function) -> BTreeSet<String> {
    let full = |r: Register| r.full_register();
    let mut used: BTreeSet<Register> = (f.insns.iter().map(|insn| (insn.x86(), insn.memory.is_some())))
        .filter(|(d, named)| !named && (0..d.op_count()).any(|n| d.op_kind(n) == OpKind::Memory))
        .flat_map(|(d, _)| [full(d.memory_base()), full(d.memory_index())])
        .collect();
    used.extend(copied_from(f));
    let places = f.insns.iter().filter_map(|insn| match &insn.memory {
        Some(Reference::Place(place)) if insn.x86().mnemonic() == Mnemonic::Lea => {
            used.contains(&full(insn.x86().op0_register())).then(|| place.name.clone())
        }
        _ => None,
    });
    places.collect()
}

/// Registers through which the source of a `memcpy` or `memmove` may come: the one that it is passed in, and all that are
/// copied into such a register anywhere in the function. Such calls may be compared by what they do, which reads the source.
fn copied_from(f: &Function) -> BTreeSet<Register> {
    let copies =
        |target: &Option<Target>| matches!(target, Some(Target::Function(name)) if copies_block(name));
    let mut all = BTreeSet::new();
    if f.insns.iter().any(|insn| copies(&insn.target)) {
        all.insert(Register::RSI);
    }
    let moves: Vec<(Register, Register)> = (f.insns.iter().map(|insn| insn.x86()))
        .filter(|d| {
            d.mnemonic() == Mnemonic::Mov && d.op0_register().is_gpr64() && d.op1_register().is_gpr64()
        })
        .map(|d| (d.op0_register(), d.op1_register()))
        .collect();
    while moves.iter().any(|(to, from)| all.contains(to) && all.insert(*from)) {}
    all
}
