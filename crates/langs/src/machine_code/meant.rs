//! What is set for a call of unknown types, or as an unnamed argument, or as the result of a function of unknown types:
//! compilers leave no assignments behind that nothing reads, so that a register which an instruction names as its result, and
//! which nothing reads on any way, is set for the call that may change it, or for who called the function.
//!
//! Backwards, which registers are read later (what is guessed of calls is no reading); then forwards, where such assignments
//! reach. What an instruction leaves by the way is not meant for anybody: a division its remainder, a difference that is made
//! for its flags.

use super::calls::Calls;
use super::facts::Facts;
use super::flow::{FLAGS, successors};
use super::function::Function;
use super::uses::{Control, control};

/// What an instruction does to registers and to the flags as a whole, as bits.
#[derive(Clone, Copy, Default)]
struct Uses {
    read: u128,
    written: u128,
    /// The result that it names.
    named: u128,
    /// Whether it may be there for its flags: it changes what it names, and sets some.
    for_flags: bool,
    /// The registers and flags that it is there for; none where it is there for something else, or nobody asks.
    serves: Option<u128>,
}

/// For each open call the registers, as bits, that hold an argument by what set them.
pub(crate) fn meant(f: &Function, facts: &Facts, calls: &Calls) -> Vec<(usize, u64)> {
    let open: Vec<usize> = calls.open().collect();
    if open.is_empty() {
        return Vec::new();
    }
    let arguments = f.abi.arguments.iter().filter(|n| Some(**n) != f.abi.counter);
    let arguments = arguments.fold(0u128, |set, n| set | 1 << n);
    let returned = calls.own.results.iter().fold(0u128, |set, p| set | 1 << p.register);
    let uses: Vec<Uses> = (0..f.insns.len()).map(|i| uses(f, (facts, calls), i, returned)).collect();
    reaching((f, facts), &uses, arguments, &open)
}

/// The registers of results, as bits, that hold one by what set them, where the types of the function are not known: without a
/// result what is computed there would serve nothing, or itself alone, as a sum in a loop does.
pub(crate) fn results(f: &Function, facts: &Facts, calls: &Calls) -> u64 {
    let results = [0, 2].into_iter().fold(0u128, |set, n| set | 1 << f.abi.results[n]);
    let returns: Vec<usize> = (0..f.insns.len()).filter(|i| control(f, *i) == Control::Return).collect();
    let mut uses: Vec<Uses> = (0..f.insns.len()).map(|i| uses(f, (facts, calls), i, 0)).collect();
    for (i, uses) in uses.iter_mut().enumerate() {
        let touched = super::uses::uses(f, i);
        let other = control(f, i) == Control::Other && !super::uses::repeats(f, i);
        let pure = other && calls.at(i).is_none() && !touched.stores;
        uses.serves = pure.then_some(uses.written | u128::from(touched.writes_flags) << FLAGS);
    }
    reaching((f, facts), &uses, results, &returns).into_iter().fold(0, |all, (_, set)| all | set)
}

/// Which of these registers are set for nothing else at each of these places.
fn reaching(
    (f, facts): (&Function, &Facts),
    uses: &[Uses],
    registers: u128,
    places: &[usize],
) -> Vec<(usize, u64)> {
    let next: Vec<Vec<usize>> = (0..f.blocks.len()).map(|b| successors(f, facts, b)).collect();
    let unread = unread(f, uses, &next, registers);
    let mut at_start = vec![0u64; f.blocks.len()];
    let mut out = Vec::new();
    // Sets only grow: registers times blocks bounds the rounds.
    loop {
        let before = at_start.clone();
        out.clear();
        for (b, block) in f.blocks.iter().enumerate() {
            let mut set = at_start[b];
            for i in block.first..block.end {
                out.extend(places.contains(&i).then_some((i, set)));
                set = set & !(uses[i].written as u64) | unread[i];
            }
            next[b].iter().for_each(|to| at_start[*to] |= set);
        }
        if at_start == before {
            return out;
        }
    }
}

/// Of each instruction the result that it names, where that is one of these registers and nothing reads it.
fn unread(f: &Function, uses: &[Uses], next: &[Vec<usize>], registers: u128) -> Vec<u64> {
    let mut live = vec![0u128; f.blocks.len()];
    let mut out = vec![0; uses.len()];
    loop {
        let before = live.clone();
        for (b, block) in f.blocks.iter().enumerate().rev() {
            let mut now = next[b].iter().fold(0, |set, to| set | live[*to]);
            for i in (block.first..block.end).rev() {
                let flags = uses[i].for_flags && now >> FLAGS & 1 == 1;
                out[i] = if flags { 0 } else { (uses[i].named & registers & !now) as u64 };
                if uses[i].serves.is_none_or(|serves| serves & now != 0) {
                    now = now & !uses[i].written | uses[i].read;
                }
            }
            live[b] = now;
        }
        if live == before {
            return out;
        }
    }
}

fn uses(f: &Function, (facts, calls): (&Facts, &Calls), i: usize, returned: u128) -> Uses {
    let mut uses = Uses::default();
    if !facts.reached(i) {
        return uses;
    }
    let touched = super::uses::uses(f, i);
    uses.read = u128::from(touched.reads);
    uses.written = u128::from(touched.writes);
    uses.named = uses.written & u128::from(touched.named);
    uses.for_flags = touched.reads & touched.named != 0 && touched.writes_flags;
    uses.read |= u128::from(touched.reads_flags) << FLAGS;
    uses.written |= u128::from(touched.sets_flags) << FLAGS;
    if let Some(call) = calls.at(i) {
        uses.read |= call.arguments.iter().filter(|p| p.bits > 0).fold(0, |set, p| set | 1 << p.register);
        uses.written |= call.clobbers().fold(1 << FLAGS, |set, n| set | 1 << n);
        uses.named = 0;
    }
    if control(f, i) == Control::Return || calls.at(i).is_some_and(|c| c.tail) {
        uses.read |= returned;
    }
    uses
}
