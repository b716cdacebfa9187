//! Whether a difference rests on objects that share their places although their types do not permit it: an input on which
//! they do is none that C defines. Then the same input is tried with what different pointers lead to laid apart.

use super::follow::{Followed, Origin, Pointer, Root, follow};
use super::judge::Finding;
use super::observed::Observed;
use super::plan::{Answer, PAGE, Plan, SidePlan};
use super::steps::{Step, stack_pointer};
use super::undefined::undefined;
use super::written::wrote;
use super::{Replayed, Replayer, values};
use crate::semantics::kinds::Kinds;
use langs::machine_code::x86::SYSV;
use std::collections::BTreeMap;

/// Where objects are laid, how far from one another, and how many pages of one there may be.
const AREA: u64 = 0x7300_0000_0000;
const STEP: u64 = 1 << 24;
const PAGES: u64 = 64;

/// How often an input is made anew: with objects laid apart, with values that their types have.
const ROUNDS: usize = 4;

/// Why a difference is none.
const SHARED: &str = "objects that C keeps apart share their places on this input";
const OVERLAP: &str = "blocks that are copied overlap on this input, which C leaves open for `memcpy`";
const EXTENDED: &str = "it rests on an argument that callers extend to 32 bits and this input does not";
const TRUTH: &str = "it rests on a truth value that is neither 0 nor 1";
const CHANGED: &str =
    "it rests on what a function of the same file changes in memory, which a compiler may know better";
const AHEAD: &str =
    "it rests on a structure that is there in part alone, of which the old function accesses another part";
const UNWRITTEN: &str = "it rests on bytes of an object of the frame that the old function did not write";
const ORDER: &str = "both make these calls, in another order, which C may leave open";
const UNKNOWN: &str = "whether objects that C keeps apart share their places on this input is not known";

/// Settles what a difference rests on: gives the plan and the runs that show it where it does not rest on such places, or
/// why it is none.
pub(super) fn settle(
    replayer: &Replayer,
    plan: Plan,
    (replayed, calls): (Replayed, &[usize]),
) -> (Plan, Replayed) {
    if let Finding::Differ(Observed::Frame { object, at, .. }) = &replayed.finding {
        let wrote = |[old, _]: [Vec<Step>; 2]| has_written(&plan.sides[0], &old, (object, *at));
        if !replayer.steps(&plan, false).is_ok_and(wrote) {
            let finding = Finding::NotReproduced(UNWRITTEN.to_owned());
            return (plan, Replayed { finding, ..replayed });
        }
    }
    let (Some(kinds), Finding::Differ(first)) = (plan.kinds.clone(), &replayed.finding) else {
        return (plan, replayed);
    };
    let faults = |how: &Observed| matches!(how, Observed::End { .. });
    let first_faults = faults(first);
    let none = |why: String| Replayed { finding: Finding::NotReproduced(why), ..replayed.clone() };
    let (mut now, mut found) = (plan.clone(), replayed.clone());
    if let Observed::Callee { call, .. } = first
        && exchanged(replayer, &plan, *call)
    {
        return (plan, none(ORDER.to_owned()));
    }
    if let Some(next) = without_changes(&plan, calls) {
        found = replayer.run(&next);
        match &found.finding {
            Finding::Differ(how) if first_faults || !faults(how) => now = next,
            _ => return (plan, none(CHANGED.to_owned())),
        }
    }
    let differs = |next: Plan| {
        let next = Plan { inputs: told(&next), ..next };
        let found = replayer.run(&next);
        let same_kind = matches!(&found.finding, Finding::Differ(how) if first_faults || !faults(how));
        same_kind.then_some((next, found))
    };
    if let Some(next) = values::extended(&now, &kinds) {
        let Some(next) = differs(next) else { return (plan, none(EXTENDED.to_owned())) };
        (now, found) = next;
    }
    for _ in 0..=ROUNDS {
        let Ok(steps) = replayer.steps(&now, false) else { return (plan, none(UNKNOWN.to_owned())) };
        if let Finding::Differ(Observed::Frame { object, at, .. }) = &found.finding
            && !has_written(&now.sides[0], &steps[0], (object, *at))
        {
            return (plan, none(UNWRITTEN.to_owned()));
        }
        let undefined = |n: usize| undefined(&now.sides[n], &steps[n], kinds.wraps);
        if let Some(what) = undefined(0).or_else(|| undefined(1)) {
            return (plan, Replayed { finding: Finding::Undefined(what), ..replayed });
        }
        let sides = [0, 1].map(|n| follow(&now, &kinds, &now.sides[n], &steps[n]));
        if let Some(page) = sides[1].ahead(&sides[0], &kinds) {
            let mut next = now.clone();
            next.pages.push(page);
            next.pages.sort_unstable();
            let Some(next) = differs(next) else { return (plan, none(AHEAD.to_owned())) };
            (now, found) = next;
            continue;
        }
        if let Some(next) = values::true_or_false(&now, &kinds, calls, &sides) {
            let Some(next) = differs(next) else { return (plan, none(TRUTH.to_owned())) };
            (now, found) = next;
            continue;
        }
        // Both copy blocks there, each in pieces of its own.
        if let [Some((at, _)), Some(_)] = [0, 1].map(|n: usize| sides[n].overlapping(&kinds)) {
            let Some(next) = laid_apart(&now, &sides[0]).and_then(differs) else {
                return (plan, none(format!("{OVERLAP}, byte {at:#x}")));
            };
            (now, found) = next;
            continue;
        }
        if kinds.any {
            return (now, found);
        }
        let shared = |side: &Followed| side.shared(&kinds);
        let Some((at, _)) = sides.iter().find_map(shared) else {
            let whole = sides.iter().all(|side| side.whole);
            return if whole { (now, found) } else { (plan, none(UNKNOWN.to_owned())) };
        };
        let told = format!("{SHARED}, byte {at:#x}");
        let together = shared(&sides[0]).map(|(_, both)| laid_together(&now, &kinds, &sides[0], both));
        let apart = laid_apart(&now, &sides[0]);
        let told_apart = apart.as_ref().map(filled);
        let others = apart.into_iter().chain(together.into_iter().flatten()).chain(told_apart);
        match others.into_iter().find_map(differs) {
            Some(next) => (now, found) = next,
            None => return (plan, none(told)),
        }
    }
    (plan, none(SHARED.to_owned()))
}

/// Whether no difference was found since C leaves open what becomes of the input.
pub(super) fn is_undefined(replayer: &Replayer, plan: &Plan, finding: &Finding) -> bool {
    match finding {
        Finding::Undefined(_) => true,
        Finding::Same => {
            let wraps = plan.kinds.as_ref().is_some_and(|kinds| kinds.wraps);
            let undefined = |old: &[Step]| undefined(&plan.sides[0], old, wraps).is_some();
            replayer.steps(plan, false).is_ok_and(|[old, _]| undefined(&old))
        }
        Finding::Differ(_) | Finding::NotReached(_) | Finding::NotReproduced(_) | Finding::NotPossible(_) => {
            false
        }
    }
}

/// Whether a run wrote a byte of an object of its frame.
fn has_written(side: &SidePlan, steps: &[Step], (object, at): (&str, u64)) -> bool {
    let start = side.objects.iter().find(|(name, ..)| name == object).map(|(_, offset, _)| *offset);
    start.is_some_and(|start| wrote(side, steps, stack_pointer(false).wrapping_add_signed(start) + at))
}

/// Whether both make the same two calls from one on, in another order: that of the operands of an expression is open.
fn exchanged(replayer: &Replayer, plan: &Plan, call: usize) -> bool {
    let mut longer = plan.clone();
    if longer.answers.len() < call {
        let nothing = Answer { registers: [0; 6], known: [u64::MAX; 6], changes: Vec::new() };
        longer.answers.resize(call, nothing);
    }
    let (_, [old, new]) = replayer.ran(&longer);
    let two = |calls: &[usize]| calls.get(call - 1..call + 1).map(|two| (two[0], two[1]));
    matches!((two(&old), two(&new)), (Some((a, b)), Some((c, d))) if a != b && a == d && b == c)
}

/// The same input, with memory left as it is by callees of the same file: a compiler sees whether they write. None where
/// that changes nothing.
fn without_changes(plan: &Plan, calls: &[usize]) -> Option<Plan> {
    let mut out = plan.clone();
    for (answer, stub) in out.answers.iter_mut().zip(calls) {
        if plan.stubs.get(*stub).is_some_and(|stub| stub.own) {
            answer.changes.clear();
        }
    }
    (out != *plan).then_some(out)
}

/// The same input, with what each pointer leads to in a place of its own; none where no pointer can be changed.
fn laid_apart(plan: &Plan, followed: &Followed) -> Option<Plan> {
    let mut out = plan.clone();
    let mut moved: BTreeMap<Root, u64> = BTreeMap::new();
    let mut pages: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    let mut next = AREA;
    while plan.pages.iter().any(|page| (next..next + (STEP << 8)).contains(page)) {
        next += STEP << 8;
    }
    for (n, pointer) in followed.pointers.iter().enumerate() {
        let (Some(first), Some(last)) = (pointer.pages.first(), pointer.pages.last()) else { continue };
        // What an allocator gave lies apart already.
        if !may_move(pointer) || super::make::is_heap(*first) {
            continue;
        }
        if (last - first) / PAGE >= PAGES {
            return None;
        }
        let by = next.wrapping_sub(*first).wrapping_add(PAGE);
        next += STEP;
        moved.insert(n, by);
        // A page more at each end: the other side may look there.
        let around = (first.wrapping_sub(PAGE)..=last.wrapping_add(PAGE)).step_by(PAGE as usize);
        for page in around.filter(|page| plan.pages.contains(page)) {
            let held = plan.bytes.iter().find(|(at, _)| *at == page).map(|(_, bytes)| bytes.clone());
            pages.insert(page.wrapping_add(by), held.unwrap_or_else(|| vec![plan.fill; PAGE as usize]));
            for answer in &mut out.answers {
                let inside = |(at, _): &&(u64, u8)| (page..page + PAGE).contains(at);
                let copies: Vec<(u64, u8)> = answer
                    .changes
                    .iter()
                    .filter(inside)
                    .map(|(at, byte)| (at.wrapping_add(by), *byte))
                    .collect();
                answer.changes.extend(copies);
            }
        }
    }
    lead(&mut out, &mut pages, (followed, &moved))?;
    out.pages.extend(pages.keys());
    out.pages.sort_unstable();
    out.pages.dedup();
    out.bytes.retain(|(at, _)| !pages.contains_key(at));
    out.bytes.extend(pages);
    (!moved.is_empty()).then_some(out)
}

/// Pages that are filled.
const FILLED: usize = 64;

/// The same input, with other small numbers in the bytes that hold nothing but what fills memory: what lies in two places can be
/// told apart then.
fn filled(plan: &Plan) -> Plan {
    let mut out = plan.clone();
    for page in plan.pages.iter().take(FILLED) {
        let known = out.bytes.iter().position(|(at, _)| at == page);
        let at = known.unwrap_or_else(|| {
            out.bytes.push((*page, vec![plan.fill; PAGE as usize]));
            out.bytes.len() - 1
        });
        for (k, byte) in out.bytes[at].1.iter_mut().enumerate().filter(|(_, byte)| **byte == plan.fill) {
            // Not the same in neighbouring words, nor in the same place of neighbouring pages.
            let place = page / PAGE + k as u64 + k as u64 / 8;
            *byte = (place % 7 + 1) as u8;
        }
    }
    out.bytes.sort_unstable_by_key(|(at, _)| *at);
    out
}

/// How far a pointer is moved at most, for what it leads to to be a part of what another leads to; and how many places are tried.
const NEAR: i64 = 256;
const PLACES: usize = 6;

/// The same input, with one of two pointers moved to where both may lead to the same: the nearest places.
fn laid_together(plan: &Plan, kinds: &Kinds, followed: &Followed, [a, b]: [Root; 2]) -> Vec<Plan> {
    let of = |n: Root, by: i64| (followed.pointers[n].kind, followed.pointers[n].to.wrapping_add_signed(by));
    let near = (1..NEAR).flat_map(|n| [n, -n]).flat_map(|by| [(a, by), (b, by)]);
    let fits = near.filter(|(root, by)| {
        let other = if *root == a { b } else { a };
        may_move(&followed.pointers[*root]) && kinds.may_share(of(*root, *by), of(other, 0))
    });
    let moved = |(root, by): (Root, i64)| {
        let (mut out, mut pages) = (plan.clone(), BTreeMap::new());
        lead(&mut out, &mut pages, (followed, &BTreeMap::from([(root, by as u64)])))?;
        out.bytes.retain(|(at, _)| !pages.contains_key(at));
        out.bytes.extend(pages);
        Some(out)
    };
    fits.take(PLACES).filter_map(moved).collect()
}

/// Whether a pointer is an input, which can be another one.
fn may_move(pointer: &Pointer) -> bool {
    match pointer.origin {
        Origin::Register(_) | Origin::Result(_) => true,
        Origin::Word { .. } => pointer.given,
        Origin::Object(_) | Origin::Other(_) => false,
    }
}

/// Has the pointers lead to the new places.
fn lead(
    out: &mut Plan,
    pages: &mut BTreeMap<u64, Vec<u8>>,
    (followed, moved): (&Followed, &BTreeMap<Root, u64>),
) -> Option<()> {
    for (n, by) in moved {
        let pointer = &followed.pointers[*n];
        let to = pointer.to.wrapping_add(*by);
        match pointer.origin {
            Origin::Register(register) => out.registers.get_mut(register)?.0 = to,
            Origin::Result(call) => out.answers.get_mut(call)?.registers[0] = to,
            Origin::Word { by: holder, at, calls } => {
                let at = at.wrapping_add(moved.get(&holder).copied().unwrap_or(0));
                put(out, pages, (at, calls), to);
            }
            Origin::Object(_) | Origin::Other(_) => {}
        }
    }
    Some(())
}

/// Has a word hold a value: from the beginning, or behind so many calls.
fn put(out: &mut Plan, pages: &mut BTreeMap<u64, Vec<u8>>, (at, calls): (u64, usize), value: u64) {
    for (k, byte) in value.to_le_bytes().into_iter().enumerate() {
        let at = at.wrapping_add(k as u64);
        if let Some(answer) = calls.checked_sub(1).and_then(|n| out.answers.get_mut(n)) {
            answer.changes.retain(|(changed, _)| *changed != at);
            answer.changes.push((at, byte));
            continue;
        }
        let (page, inside) = (at / PAGE * PAGE, (at % PAGE) as usize);
        let known = out.bytes.iter().find(|(start, _)| *start == page).map(|(_, bytes)| bytes.clone());
        let fill = out.fill;
        let held = pages.entry(page).or_insert_with(|| known.unwrap_or_else(|| vec![fill; PAGE as usize]));
        if let Some(place) = held.get_mut(inside) {
            *place = byte;
        }
    }
}

/// The inputs in words: registers and memory as they are now, the rest as it was.
pub(super) fn told(plan: &Plan) -> Vec<(String, String)> {
    let value = |name: &str, before: &str| {
        if name == "mem" {
            let bytes = plan.bytes.iter().flat_map(|(start, bytes)| {
                bytes.iter().enumerate().map(move |(k, byte)| (start + k as u64, *byte))
            });
            let set = bytes
                .filter(|(_, byte)| *byte != plan.fill)
                .map(|(at, byte)| format!("{at:#x}: {byte:#x}, "));
            return format!("[{}else: {:#x}]", set.collect::<String>(), plan.fill);
        }
        let register = (0..16).find(|n| SYSV.name(*n) == name).and_then(|n| plan.registers.get(n));
        match register {
            Some((held, given)) if *given == u64::MAX => format!("{held:#x}"),
            _ => before.to_owned(),
        }
    };
    plan.inputs.iter().map(|(name, before)| (name.clone(), value(name, before))).collect()
}
