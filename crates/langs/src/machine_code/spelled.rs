//! Calls that copy or fill a known number of bytes (C11 7.24.2.1, 7.24.2.2, 7.24.6.1). Where one compiler calls the library
//! another one writes the stores itself; so where two functions do not have the same such calls, those that differ are compared
//! by what they do. Calls that tell where `errno` and the like lie are such, too. The same of string instructions whose length follows from an alignment: for each alignment that is known.
//! What searches for a bit leave of zero, of which their instructions say nothing, is one unknown.

use super::facts::Facts;
use super::frame::Frame;
use super::function::{Decoded, Function, Target};
use super::uses::{Control, control};
use super::x86;
use std::collections::BTreeMap;

/// Longest block that is copied or filled by single stores, in bytes.
pub(super) const LONGEST: u64 = 2048;

/// What a call does with memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Verb {
    /// `memcpy`: what it copies from and to lie apart, or are the same.
    Copy,
    /// `memmove`.
    Move,
    /// `memset`.
    Fill,
    /// No call: what aligns the destination of a string instruction.
    Align,
    /// That instruction.
    Repeat,
    /// No memory: it tells where the thread has an object of the library, the same each time. Which one stands for the bytes.
    Place,
    /// No call: a search for a bit, after which anything may be in the register where there is none.
    Scan,
}

const VERBS: [(&str, Verb); 3] = [("memcpy", Verb::Copy), ("memmove", Verb::Move), ("memset", Verb::Fill)];

/// Functions that tell where an object of the thread lies: declared as constant ones, so that compilers call them once, or
/// not at all.
pub(super) const PLACES: [&str; 4] =
    ["__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__errno_location"];

/// A call, with the number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Spelled {
    pub verb: Verb,
    pub bytes: u64,
}

/// Calls by their instructions.
pub(crate) type Spelling = BTreeMap<usize, Spelled>;

/// The calls of two functions that are compared by what they do.
pub(crate) fn apart(both: [(&Function, &Facts, &Frame); 2]) -> [Spelling; 2] {
    let mut all = both.map(|(f, facts, frame)| known(f, facts, frame));
    let count = |list: &Spelling, what: &Spelled| list.values().filter(|other| *other == what).count();
    let others = [all[1].clone(), all[0].clone()];
    for (own, other) in all.iter_mut().zip(&others) {
        let calls = own.clone();
        own.retain(|_, what| count(&calls, what) != count(other, what));
    }
    for (own, (f, facts, _)) in all.iter_mut().zip(both) {
        own.extend(scans(f, facts).into_iter().map(|i| (i, Spelled { verb: Verb::Scan, bytes: 0 })));
    }
    all
}

/// The searches for a bit whose result, where there is none, nothing in the code asks for.
fn scans(f: &Function, facts: &Facts) -> Vec<usize> {
    match f.insns.first().map(|insn| &insn.decoded) {
        Some(Decoded::X86(_)) => x86::scans(f, facts),
        Some(Decoded::AArch64(_) | Decoded::RiscV(_)) | None => Vec::new(),
    }
}

/// The calls of a function whose length is known.
fn known(f: &Function, facts: &Facts, frame: &Frame) -> Spelling {
    let callee = |i: usize| match &f.insns[i].target {
        Some(Target::Function(name)) if matches!(control(f, i), Control::Call | Control::Jump) => Some(name),
        _ => None,
    };
    let verb =
        |i: usize| VERBS.iter().find(|(known, _)| callee(i).is_some_and(|name| name == known)).map(|v| v.1);
    let place = |i: usize| PLACES.iter().position(|known| callee(i).is_some_and(|name| name == known));
    let calls: Vec<(usize, Verb)> = (0..f.insns.len())
        .filter(|i| facts.reached(*i) && !f.insns[*i].endless)
        .filter_map(|i| Some((i, verb(i)?)))
        .collect();
    let mut out = aligned(f, facts);
    let places = (0..f.insns.len()).filter(|i| facts.reached(*i)).filter_map(|i| Some((i, place(i)?)));
    out.extend(places.map(|(i, n)| (i, Spelled { verb: Verb::Place, bytes: n as u64 })));
    let (Some((first, _)), Some(length)) = (calls.first(), f.abi.arguments.get(2)) else { return out };
    let lengths = match f.insns[*first].decoded {
        Decoded::X86(_) => x86::numbers(f, (facts, frame), *length),
        Decoded::AArch64(_) | Decoded::RiscV(_) => BTreeMap::new(),
    };
    let short = |(i, verb): (usize, Verb)| {
        let bytes = facts.number(i, *length).or_else(|| lengths.get(&i).copied())?;
        (bytes <= LONGEST).then_some((i, Spelled { verb, bytes }))
    };
    out.extend(calls.into_iter().filter_map(short));
    out
}

/// The string instructions whose length follows from an alignment, with what aligns.
fn aligned(f: &Function, facts: &Facts) -> Spelling {
    let mut out = Spelling::new();
    for i in (0..f.insns.len()).filter(|i| facts.reached(*i)) {
        let of = match f.insns[i].decoded {
            Decoded::X86(_) => x86::aligned(f, i),
            Decoded::AArch64(_) | Decoded::RiscV(_) => None,
        };
        if let Some(to) = of {
            out.insert(to, Spelled { verb: Verb::Align, bytes: 0 });
            out.insert(i, Spelled { verb: Verb::Repeat, bytes: 0 });
        }
    }
    out
}
