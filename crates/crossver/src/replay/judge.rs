//! What runs of both functions say. A side runs twice, with other junk in what it was not given: what the old function
//! does counts where that changes nothing, and the new one has to do the same whatever the junk.

use super::constants;
use super::feed::JUNK;
use super::observed::Observed;
use super::plan::{Plan, STACK, SidePlan, Site, StubTypes};
use super::ran::{End, Ran, Seen};
use super::undefined::Undefined;
use crate::semantics::library;
use langs::machine_code::x86::SYSV;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Signals: an instruction that stops the program, as compilers put it where nothing comes.
const TRAPS: [u64; 2] = [4, 5];

/// Functions that give memory back, and the register that says which.
const FREE: [&str; 6] = ["free", "realloc", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"];
const FIRST_ARGUMENT: usize = 7;

/// Most bytes that one call gives back.
const GIVEN_BACK: u64 = 1 << 20;

/// The registers that a function hands back as it found them; the stack pointer is among them.
const KEPT: [usize; 7] = [3, 4, 5, 12, 13, 14, 15];

/// What came of running both functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "finding", content = "what", rename_all = "kebab-case")]
pub enum Finding {
    /// They differ; how.
    Differ(Observed),
    /// They differ on an input that none of the function's callers is shown to pass, to which compilers fit it.
    NotReached(Observed),
    /// They do the same.
    Same,
    /// Whether they do is not certain.
    NotReproduced(String),
    /// They differ where C leaves open what becomes of the input.
    Undefined(Undefined),
    /// It could not be tried.
    NotPossible(String),
}

/// What both sides did on a processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replayed {
    /// What came of it.
    pub finding: Finding,
    /// The inputs: registers, memory, answers of callees.
    pub inputs: Vec<(String, String)>,
    /// What the old function did, step by step.
    pub old: Vec<String>,
    /// What the new one did.
    pub new: Vec<String>,
}

/// Judges the runs of both sides.
pub fn judge(plan: &Plan, old: &[Ran; 2], new: &[Ran; 2]) -> Finding {
    for ran in old.iter().chain(new) {
        if let End::NoMemory(at) = ran.end {
            return Finding::NotPossible(format!("no memory at {at:#x} on this machine"));
        }
    }
    for ran in old {
        match &ran.end {
            End::Signal { number, .. } if !TRAPS.contains(number) => {
                return Finding::NotReproduced("the old function fails there, too".to_owned());
            }
            End::Other(how) => return Finding::NotPossible(format!("the old function's run {how}")),
            End::Returned(_) | End::Stopped | End::Signal { .. } | End::NoMemory(_) => {}
        }
    }
    for ran in new {
        if let End::Other(how) = &ran.end {
            return Finding::NotReproduced(format!("the new function's run {how}"));
        }
    }
    let judgement = Judgement { plan, old, new };
    if old[0].calls.len() != old[1].calls.len() || old[0].end.kind() != old[1].end.kind() {
        return Finding::NotReproduced(
            "what the old function does rests on what it was not given".to_owned(),
        );
    }
    match judgement.calls().or_else(|| judgement.ends()) {
        Some(Observed::Callee { call, old, new })
            if [&old, &new].into_iter().any(|name| judgement.own(name)) =>
        {
            let why = format!("call {call}: {old} | {new}; one side may have the body in place of a call");
            Finding::NotReproduced(why)
        }
        // Compilers know what the library's functions do: they call others, fewer, or none.
        Some(Observed::Callee { call, old, new })
            if [&old, &new].into_iter().any(|name| library::convention(&SYSV, name).is_some()) =>
        {
            let why = format!("call {call}: {old} | {new}; a compiler may know what the library does");
            Finding::NotReproduced(why)
        }
        Some(how) => match judgement.doubt() {
            Some(why) => Finding::NotReproduced(format!("{how}; but {why}")),
            None => Finding::Differ(how),
        },
        None => Finding::Same,
    }
}

struct Judgement<'r> {
    plan: &'r Plan,
    old: &'r [Ran; 2],
    new: &'r [Ran; 2],
}

fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The bits of both words of a register that a piece names.
pub(super) fn masks((register, bits): (usize, u32)) -> Vec<(usize, u64)> {
    if register < 16 {
        return vec![(register, mask(bits))];
    }
    let at = 16 + 2 * (register - 16);
    let high = (bits > 64).then(|| (at + 1, mask(bits - 64)));
    std::iter::once((at, mask(bits.min(64)))).chain(high).collect()
}

/// The name of a place among 16 general registers and two words of each vector.
pub(super) fn name(place: usize) -> String {
    if place < 16 { SYSV.name(place) } else { SYSV.name(16 + (place - 16) / 2) }
}

impl Judgement<'_> {
    /// Compares what both have at a place: how they differ, where the old one's value is one for both runs.
    fn value(&self, old: [u64; 2], new: [u64; 2], mask: u64) -> Option<(u64, u64)> {
        let old = old.map(|v| v & mask);
        // An address in the frame is none of what the function was given.
        let stack = |v: u64| STACK.contains(&v);
        if old[0] != old[1] || stack(old[0]) {
            return None;
        }
        let other = |v: &u64| *v != old[0] && !self.same_constant(old[0], *v);
        new.map(|v| v & mask).into_iter().find(other).map(|v| (old[0], v))
    }

    /// Whether two addresses of read-only data may lead to the same.
    fn same_constant(&self, old: u64, new: u64) -> bool {
        constants::alike(self.plan, old, new)
    }

    /// Why a difference is not certain, in words.
    fn doubt(&self) -> Option<String> {
        let called =
            self.old.iter().chain(self.new).flat_map(|ran| &ran.calls).map(|seen| self.stub(seen.stub));
        let known = called.into_iter().find(|name| library::is_arithmetic(name));
        let known = known.map(|name| format!("a compiler knows what `{name}` gives"));
        self.plan.doubt.as_ref().map(ToString::to_string).or(known)
    }

    fn own(&self, name: &str) -> bool {
        self.plan.stubs.iter().any(|stub| stub.own && stub.name == name)
    }

    fn stub(&self, n: usize) -> &str {
        self.plan.stubs.get(n).map_or("?", |stub| stub.name.as_str())
    }

    fn calls(&self) -> Option<Observed> {
        for n in 0..self.old[0].calls.len() {
            let a = [&self.old[0].calls[n], &self.old[1].calls[n]];
            if a[0].stub != a[1].stub {
                return None;
            }
            let old = self.stub(a[0].stub).to_owned();
            let mut b = Vec::new();
            for ran in self.new {
                let new = match ran.calls.get(n) {
                    Some(seen) if seen.stub == a[0].stub => {
                        b.push(seen);
                        continue;
                    }
                    Some(seen) => self.stub(seen.stub).to_owned(),
                    None => ran.end.told(),
                };
                return Some(Observed::Callee { call: n + 1, old, new });
            }
            if let Some(how) = self.arguments(n + 1, a, [b[0], b[1]]) {
                return Some(how);
            }
        }
        let calls = self.old[0].calls.len();
        let more = self.new.iter().find_map(|ran| ran.calls.get(calls))?;
        let new = self.stub(more.stub).to_owned();
        Some(Observed::Callee { call: calls + 1, old: self.old[0].end.told(), new })
    }

    /// What of a call counts: what types name, and what either side sets for nothing else.
    fn arguments(&self, call: usize, old: [&Seen; 2], new: [&Seen; 2]) -> Option<Observed> {
        let callee = self.stub(old[0].stub);
        let differ = |place: String, (old, new): (u64, u64)| {
            Some(Observed::Argument { call, callee: callee.to_owned(), place, old, new })
        };
        // By an address, a function may be reached that has other parameters than the pointer says.
        let [a, b] = &self.plan.sides;
        let sites = [(a, old[0]), (b, new[0])].map(|(side, seen)| site(side, seen, self.stub(seen.stub)));
        let named = sites.iter().all(|site| site.is_some_and(|site| site.callee.is_some()));
        let types = self.plan.stubs.get(old[0].stub).and_then(|stub| stub.types.as_ref()).filter(|_| named);
        let mut pieces: Vec<(usize, u32)> = types.map(|t| t.arguments.clone()).unwrap_or_default();
        for piece in sites.into_iter().flatten().flat_map(|site| &site.meant) {
            if !pieces.iter().any(|(register, _)| *register == piece.0) {
                pieces.push(*piece);
            }
        }
        for (place, mask) in pieces.into_iter().flat_map(masks) {
            let at = |seen: [&Seen; 2]| seen.map(|s| s.registers[place]);
            if let Some(values) = self.value(at(old), at(new), mask) {
                return differ(name(place), values);
            }
        }
        for (at, bytes) in types.iter().flat_map(|t: &&StubTypes| &t.stack) {
            let word = |seen: [&Seen; 2]| seen.map(|s| s.stack.get(*at as usize / 8).copied().unwrap_or(0));
            if let Some(values) = self.value(word(old), word(new), mask(*bytes as u32 * 8)) {
                return differ(format!("stack+{at}"), values);
            }
        }
        None
    }

    fn ends(&self) -> Option<Observed> {
        let told = |ran: &[Ran; 2]| ran.each_ref().map(|r| r.end.kind());
        let (a, b) = (told(self.old), told(self.new));
        if let Some(n) = (0..2).find(|n| b[*n] != a[0]) {
            return Some(Observed::End { old: self.old[0].end.told(), new: self.new[n].end.told() });
        }
        if let ([End::Returned(a), End::Returned(b)], [End::Returned(x), End::Returned(y)]) =
            (self.old.each_ref().map(|r| &r.end), self.new.each_ref().map(|r| &r.end))
        {
            let results = self.plan.results.iter().flat_map(|piece| masks(*piece));
            for (place, mask) in results {
                if let Some((old, new)) = self.value([a[place], b[place]], [x[place], y[place]], mask) {
                    return Some(Observed::Result { place: name(place), old, new });
                }
            }
            for place in KEPT {
                // The stack pointer is behind the return address, whatever the frame was.
                let [old, new] = [[a, b], [x, y]].map(|both| {
                    let base = |n: usize| if place == 4 { JUNK[n].stack_pointer } else { 0 };
                    [both[0][place].wrapping_sub(base(0)), both[1][place].wrapping_sub(base(1))]
                });
                // What was not given is junk that has to come back as it was.
                if let Some(n) = (0..2).find(|n| old[*n] != new[*n]) {
                    return Some(Observed::Kept { place: name(place), old: old[n], new: new[n] });
                }
            }
        }
        self.memory().or_else(|| self.frame())
    }

    fn memory(&self) -> Option<Observed> {
        let all = self.old.iter().chain(self.new).flat_map(|ran| ran.bytes.keys());
        let mut all: Vec<u64> = all.copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut gone = self.freed();
        gone.extend(self.unseen_place());
        for at in all {
            if gone.iter().any(|gone| gone.contains(&at)) {
                continue;
            }
            let byte = |ran: &[Ran; 2]| ran.each_ref().map(|r| r.bytes.get(&at).copied());
            let (a, b) = (byte(self.old), byte(self.new));
            if a[0] != a[1] || self.old.iter().all(|ran| STACK.contains(&ran.word(at))) {
                continue;
            }
            let address = |n: usize| self.same_constant(self.old[0].word(at), self.new[n].word(at));
            if let Some(n) = (0..2).find(|n| b[*n] != a[0] && !address(*n)) {
                return Some(Observed::Memory { at, old: a[0], new: b[n] });
            }
        }
        None
    }

    /// The place for the result, where both stopped at a call that cannot know of it: what it holds then, nobody sees. Behind a
    /// jump out of the function it is as it was left.
    fn unseen_place(&self) -> Option<Range<u64>> {
        let last = self.old[0].calls.last().filter(|_| self.old[0].end == End::Stopped)?;
        let site = site(&self.plan.sides[0], last, self.stub(last.stub))?;
        self.plan.place.clone().filter(|_| site.hides_place && site.returns != 0)
    }

    /// Memory that the old function gave back: what it holds then, nobody may ask. How much that is, is not known of what
    /// was allocated elsewhere.
    fn freed(&self) -> Vec<Range<u64>> {
        let frees = |seen: &&Seen| FREE.contains(&self.stub(seen.stub));
        let given = self.old[0].calls.iter().filter(frees).map(|seen| seen.registers[FIRST_ARGUMENT]);
        given.filter(|at| *at != 0).map(|at| at..at.saturating_add(GIVEN_BACK)).collect()
    }

    /// Objects of the frame at the call where both stopped, those whose address went out of the old function.
    fn frame(&self) -> Option<Observed> {
        let [old, new] = &self.plan.sides;
        for (m, (object, offset, size)) in old.objects.iter().enumerate() {
            let Some(n) = new.objects.iter().position(|(other, ..)| other == object) else { continue };
            let start = JUNK[0].stack_pointer.wrapping_add_signed(*offset);
            if !self.old[0].mentions(start..=start + size) {
                continue;
            }
            for k in 0..*size {
                let byte =
                    |ran: &[Ran; 2], n: usize| ran.each_ref().map(|r| r.locals.get(&(n as u64, k)).copied());
                let (a, b) = (byte(self.old, m), byte(self.new, n));
                let (Some(first), true) = (a[0], a[0] == a[1]) else { continue };
                let word = |ran: &Ran, m: usize| {
                    let byte = |j: u64| ran.locals.get(&(m as u64, (k & !7) + j)).copied().unwrap_or(0);
                    (0..8).map(|j| byte(j) << (8 * j)).sum()
                };
                if self.same_constant(word(&self.old[0], m), word(&self.new[0], n)) {
                    continue;
                }
                if let Some(other) = b.into_iter().flatten().find(|v| *v != first) {
                    let (object, at) = (object.clone(), k);
                    return Some(Observed::Frame { object, at, old: first, new: other });
                }
            }
        }
        None
    }
}

/// Registers that are set for nothing but this call.
pub(super) fn meant(side: &SidePlan, seen: &Seen, callee: &str) -> Vec<(usize, u32)> {
    site(side, seen, callee).map(|site| site.meant.clone()).unwrap_or_default()
}

/// The first call of a run that does not return.
pub(super) fn last_call(side: &SidePlan, ran: &Ran) -> Option<usize> {
    ran.calls.iter().position(|seen| before_return(side, seen).is_some_and(|site| site.endless))
}

/// The call in a side's code that a callee returns behind.
fn before_return<'p>(side: &'p SidePlan, seen: &Seen) -> Option<&'p Site> {
    side.sites.iter().find(|site| site.returns == seen.returns && site.returns != 0)
}

/// The place in a side's code that a call was made from.
fn site<'p>(side: &'p SidePlan, seen: &Seen, callee: &str) -> Option<&'p Site> {
    let tail = || side.sites.iter().find(|site| site.returns == 0 && site.callee.as_deref() == Some(callee));
    before_return(side, seen).or_else(tail)
}
