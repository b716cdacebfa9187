//! Calls that copy or fill a known number of bytes (C11 7.24.2.1, 7.24.2.2, 7.24.6.1). Where one compiler calls the library
//! another one writes the stores itself; so where two functions do not have the same such calls, those that differ are compared
//! by what they do. Calls that tell where `errno` and the like lie are such, too, and those that measure a constant text, copy it
//! or compare something with it (7.24.4, 7.24.6.3), or compare a small number of bytes. The same of string instructions whose length follows from an alignment: for each alignment that is known.
//! What searches for a bit leave of zero, of which their instructions say nothing, is one unknown.

use super::facts::Facts;
use super::frame::Frame;
use super::function::{Decoded, Function, Target};
use super::uses::{Control, control};
use super::x86::{self, Settled};
use std::collections::BTreeMap;

/// Longest block that is copied or filled by single stores, in bytes.
pub(super) const LONGEST: u64 = 2048;

/// Most bytes that are compared one by one.
const MOST_COMPARED: u64 = 32;

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
    /// `strlen` of a constant text of so many bytes.
    Length,
    /// `strcmp` and `strncmp` of something and a constant text, of which so many bytes count at most.
    Strings,
    /// `memcmp`.
    Bytes,
    /// No call: a search for a bit, after which anything may be in the register where there is none.
    Scan,
}

const VERBS: [(&str, Verb); 3] = [("memcpy", Verb::Copy), ("memmove", Verb::Move), ("memset", Verb::Fill)];

/// Whether a function of the library copies a block that its second argument leads to.
#[must_use]
pub fn copies_block(name: &str) -> bool {
    VERBS.iter().any(|(known, verb)| *known == name && matches!(verb, Verb::Copy | Verb::Move))
}

/// Functions that tell where an object of the thread lies: declared as constant ones, so that compilers call them once, or
/// not at all.
pub(super) const PLACES: [&str; 4] =
    ["__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__errno_location"];

/// A call, with the number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Spelled {
    pub verb: Verb,
    pub bytes: u64,
    /// Which of its arguments is a constant text, and the instruction that makes the address of that.
    pub text: Option<(usize, usize)>,
}

impl Spelled {
    fn new(verb: Verb, bytes: u64) -> Spelled {
        Spelled { verb, bytes, text: None }
    }

    /// Whether another call is such a one.
    fn is_like(&self, other: &Spelled) -> bool {
        (self.verb, self.bytes) == (other.verb, other.bytes)
    }
}

/// Calls by their instructions.
pub(crate) type Spelling = BTreeMap<usize, Spelled>;

/// The calls of two functions that are compared by what they do.
pub(crate) fn apart(both: [(&Function, &Facts, &Frame); 2]) -> [Spelling; 2] {
    let mut all = both.map(|(f, facts, frame)| known(f, facts, frame));
    let count = |list: &Spelling, what: &Spelled| list.values().filter(|other| other.is_like(what)).count();
    let others = [all[1].clone(), all[0].clone()];
    for (own, other) in all.iter_mut().zip(&others) {
        let calls = own.clone();
        own.retain(|_, what| count(&calls, what) != count(other, what));
    }
    for (own, (f, facts, _)) in all.iter_mut().zip(both) {
        own.extend(scans(f, facts).into_iter().map(|i| (i, Spelled::new(Verb::Scan, 0))));
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
    let place = |i: usize| PLACES.iter().position(|known| callee(i).is_some_and(|name| name == known));
    let calls: Vec<(usize, &str)> = (0..f.insns.len())
        .filter(|i| facts.reached(*i) && !f.insns[*i].endless)
        .filter_map(|i| Some((i, callee(i)?.as_str())))
        .filter(|(_, name)| VERBS.iter().any(|(known, _)| known == name) || TEXTS.contains(name))
        .collect();
    let mut out = aligned(f, facts);
    let places = (0..f.insns.len()).filter(|i| facts.reached(*i)).filter_map(|i| Some((i, place(i)?)));
    out.extend(places.map(|(i, n)| (i, Spelled::new(Verb::Place, n as u64))));
    let (Some((first, _)), Some(arguments)) = (calls.first(), f.abi.arguments.get(..3)) else { return out };
    let held = match f.insns[*first].decoded {
        Decoded::X86(_) => x86::settled(f, (facts, frame), arguments),
        Decoded::AArch64(_) | Decoded::RiscV(_) => BTreeMap::new(),
    };
    let number = |i: usize, n: usize| {
        facts.number(i, arguments[n]).or_else(|| match held.get(&(i, arguments[n])) {
            Some(Settled::Number(value)) => Some(*value),
            Some(Settled::Text(_)) | None => None,
        })
    };
    let text = |i: usize, n: usize| match held.get(&(i, arguments[n])) {
        Some(Settled::Text(from)) => Some((n, *from, f.insns[*from].text.as_ref()?.len() as u64)),
        Some(Settled::Number(_)) | None => None,
    };
    let spelled = |(i, name): (usize, &str)| {
        let made = match VERBS.iter().find(|(known, _)| *known == name) {
            Some((_, verb)) => Spelled::new(*verb, number(i, 2)?),
            None => of_text(name, &|n| number(i, n), &|n| text(i, n))?,
        };
        let compares = matches!(made.verb, Verb::Strings | Verb::Bytes);
        (made.bytes <= if compares { MOST_COMPARED } else { LONGEST }).then_some((i, made))
    };
    out.extend(calls.into_iter().filter_map(spelled));
    out
}

/// Functions of texts, and the one that compares bytes.
const TEXTS: [&str; 6] = ["bcmp", "memcmp", "strcmp", "strcpy", "strlen", "strncmp"];

/// What one of these does, where the number that it is passed is known, or an argument is a constant text: which one, the
/// instruction that makes its address, and its length.
fn of_text(
    name: &str,
    number: &dyn Fn(usize) -> Option<u64>,
    text: &dyn Fn(usize) -> Option<(usize, usize, u64)>,
) -> Option<Spelled> {
    let of = |verb: Verb, bytes: u64, (argument, from, _): (usize, usize, u64)| {
        Some(Spelled { verb, bytes, text: Some((argument, from)) })
    };
    match name {
        "strlen" => text(0).and_then(|text| of(Verb::Length, text.2, text)),
        "strcpy" => text(1).map(|text| Spelled::new(Verb::Copy, text.2 + 1)),
        "strcmp" => text(1).or_else(|| text(0)).and_then(|text| of(Verb::Strings, text.2 + 1, text)),
        "strncmp" => {
            let most = number(2)?;
            text(1).or_else(|| text(0)).and_then(|text| of(Verb::Strings, most.min(text.2 + 1), text))
        }
        _ => {
            let bytes = number(2)?;
            let known = text(1).or_else(|| text(0)).filter(|text| bytes <= text.2 + 1);
            known.map_or(Some(Spelled::new(Verb::Bytes, bytes)), |text| of(Verb::Bytes, bytes, text))
        }
    }
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
            out.insert(to, Spelled::new(Verb::Align, 0));
            out.insert(i, Spelled::new(Verb::Repeat, 0));
        }
    }
    out
}
