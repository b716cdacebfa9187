//! From a counterexample of the semantics to a plan for the processor.

use super::features::differing;
use super::lines;
use super::link::{Linked, Linker};
use super::plan::{Answer, Doubt, PAGE, Placed, Plan, SidePlan, Site, Stub, StubTypes, pieces};
use crate::code::{self, Insn};
use crate::objects::Image;
use crate::semantics::convert::Converted;
use crate::semantics::kinds::Kinds;
use crate::semantics::names::{Callee, Names, plain};
use equiv::{Counterexample, EventKind, Inputs, Seen, Val};
use langs::machine_code::{CallSite, Convention, Program, gives_first, x86::SYSV};
use langs::pairs::MachinePair;
use smt::{ArrayVal, Bv, Concrete};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Most pages of memory.
const PAGES: usize = 4096;

/// The registers that a call keeps.
pub(super) const SAVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

/// Longest object of a frame that is looked at.
const LONGEST: u64 = 4096;

/// What types tell of objects, by name with their addresses, and of callees.
pub type KindsOf<'p> = &'p dyn Fn(&BTreeMap<String, u64>, &[String]) -> Option<Kinds>;

/// A pair as the semantics had it.
pub struct Subject<'p, 'n, 'a> {
    /// The names of both.
    pub names: &'n mut Names<'a>,
    /// Both, with where their instructions came from.
    pub cut: [&'p Converted; 2],
    /// Both, as programs.
    pub pair: &'p MachinePair,
    /// What both give that counts: register and bits.
    pub results: Vec<(usize, u32)>,
    /// The objects of both frames that debug information tells, by name.
    pub frames: &'p BTreeSet<String>,
    /// How functions are called, by name.
    pub types: &'p dyn Fn(&str) -> Option<Convention>,
    /// What types tell of objects at these addresses and of these callees.
    pub kinds: KindsOf<'p>,
    /// Whether what both do is to be told, with instructions and lines of the source.
    pub told: bool,
}

/// Makes the plan.
///
/// # Errors
/// Why a processor cannot be asked, in words.
pub fn plan(subject: &mut Subject<'_, '_, '_>, c: &Counterexample) -> Result<Plan, String> {
    let Some(inputs) = &c.numbers else {
        return Err("the difference is gone at addresses that a process may have".to_owned());
    };
    let given: BTreeMap<String, u64> = inputs
        .domain
        .symbols
        .iter()
        .filter(|((name, width), _)| *width == 64 && name.starts_with('@'))
        .filter_map(|((name, _), at)| Some((name.clone(), at.to_u64()?)))
        .collect();
    let mut out = Plan::default();
    let images = [true, false].map(|old| subject.names.side(old).image);
    let functions: Vec<(String, u64)> = given
        .iter()
        .filter(|(name, _)| is_function(&images, &name[1..]))
        .map(|(name, at)| (name[1..].to_owned(), *at))
        .collect();
    let objects =
        given.iter().map(|(name, at)| (name.rsplit(['@', ' ']).next().unwrap_or(name).to_owned(), *at));
    let objects = objects.collect();
    let mut linker = Linker::new(subject.names, given)?;
    for (name, _) in &functions {
        linker.stub(name);
    }
    let spelled = [subject.pair.left.spelled_calls(), subject.pair.right.spelled_calls()];
    let linked = [
        linker.link(true, (subject.cut[0], &spelled[0]))?,
        linker.link(false, (subject.cut[1], &spelled[1]))?,
    ];
    for seen in inputs.seen.iter().filter(|s| s.event == Some(EventKind::Call)) {
        let target = seen.args.get(1).and_then(number).filter(|at| *at != 0);
        if let Some(at) = target {
            linker.stubs.entry(at).or_insert_with(|| format!("{at:#x}"));
        }
    }
    let (stubs, constants) = (std::mem::take(&mut linker.stubs), std::mem::take(&mut linker.constants));
    (out.constants, out.marks) = (constants, std::mem::take(&mut linker.marks));
    out.stubs = stubs.into_iter().map(|(at, name)| stub((subject.types, &images), at, name)).collect();
    if subject.told {
        let callees: Vec<String> = out.stubs.iter().map(|stub| plain(&stub.name).to_owned()).collect();
        out.kinds = (subject.kinds)(&objects, &callees);
    }
    apart(&out.stubs)?;
    out.place = place(&subject.pair.left, inputs);
    memory(&mut out, inputs)?;
    registers(&mut out, &subject.pair.left, inputs);
    let sites = subject.pair.left.call_sites().chain(subject.pair.right.call_sites());
    let readers = sites.filter(|site| site.reads_only).filter_map(|site| site.callee).collect();
    answers(&mut out, inputs, subject.types, &readers)?;
    out.results = subject.results.clone();
    out.inputs = c.inputs.clone();
    let alone = subject.names.alone.first().cloned().map(Doubt::Alone);
    out.doubt = alone.or_else(|| subject.names.border().map(Doubt::Border));
    out.differing = differing(&subject.cut[0].function, &subject.cut[1].function);
    let programs = [&subject.pair.left, &subject.pair.right];
    for (n, linked) in linked.into_iter().enumerate() {
        let text = if subject.told { text(subject.cut[n], images[n], &linked) } else { BTreeMap::new() };
        out.sides[n] = SidePlan { text, ..side(programs[n], linked, &out.stubs) };
        // An object that debug information does not tell ends where the next one that is referred to begins, and may be several.
        out.sides[n].objects.retain(|(name, ..)| subject.frames.contains(name));
    }
    Ok(out)
}

fn number(v: &Val<Concrete>) -> Option<u64> {
    match v {
        Val::Bv(b) => b.to_u64(),
        Val::Mem(_) => None,
    }
}

/// Both halves of up to 128 bits.
fn words(v: &Bv) -> [u64; 2] {
    let whole = v.to_u128().unwrap_or(0);
    [whole as u64, (whole >> 64) as u64]
}

fn is_function(images: &[&Image; 2], name: &str) -> bool {
    images.iter().any(|image| {
        let of = |n: &usize| image.symbols[*n].name == name;
        image.functions.iter().any(|f| f.name == name || f.symbols.iter().any(of))
    })
}

/// What a callee's type is, by its name, where it is known.
type Types<'a> = &'a dyn Fn(&str) -> Option<Convention>;

fn stub((types, images): (Types<'_>, &[&Image; 2]), at: u64, name: String) -> Stub {
    let types = types(&name).map(|c| StubTypes {
        arguments: pieces(&c.arguments),
        stack: c.stack.clone(),
        results: pieces(&c.results),
    });
    let own = is_function(images, Callee::of(&name).in_file());
    Stub { at, own, name, types }
}

fn apart(stubs: &[Stub]) -> Result<(), String> {
    match stubs.windows(2).any(|two| two[1].at - two[0].at < 19) || stubs.iter().any(|s| s.at < 0x1_0000) {
        true => Err("functions that lie where no stub can".to_owned()),
        false => Ok(()),
    }
}

fn value<'i>(inputs: &'i Inputs, name: &str) -> Option<&'i Val<Concrete>> {
    inputs.vars.iter().find(|(n, _)| n == name).map(|(_, v)| v)
}

fn array<'i>(inputs: &'i Inputs, name: &str) -> Option<&'i ArrayVal> {
    match value(inputs, name) {
        Some(Val::Mem(m)) => Some(m),
        Some(Val::Bv(_)) | None => None,
    }
}

fn byte(m: &ArrayVal, at: u64) -> u8 {
    m.get(&Bv::new(64, u128::from(at))).to_u64().unwrap_or_default() as u8
}

/// The place that the caller has for the result.
fn place(program: &Program, inputs: &Inputs) -> Option<Range<u64>> {
    let (register, bytes) = program.convention().place?;
    let at = number(value(inputs, &SYSV.name(register))?)?;
    Some(at..at.saturating_add(bytes))
}

/// The pages that either side accesses and may, and what they hold.
fn memory(out: &mut Plan, inputs: &Inputs) -> Result<(), String> {
    let Some(mem) = array(inputs, "mem") else { return Err("no memory among the inputs".to_owned()) };
    let answered = inputs.seen.iter().filter_map(|s| match s.results.get(5) {
        Some(Val::Mem(m)) => Some(m),
        Some(Val::Bv(_)) | None => None,
    });
    let perms: Vec<&ArrayVal> = array(inputs, "perm").into_iter().chain(answered).collect();
    let ranges = |named: bool| {
        let symbols = inputs.domain.symbols.iter();
        symbols
            .filter(move |((name, width), _)| *width == 64 && name.starts_with('@') == named)
            .filter_map(|(key, at)| {
                let at = at.to_u64()?;
                Some(at..at.saturating_add(*inputs.domain.objects.get(key)?))
            })
            .collect::<Vec<_>>()
    };
    // Objects of the frame lie on the stack.
    let (own, frame) = (ranges(true), ranges(false));
    let thread = inputs.domain.symbols.get(&("thread pointer".to_owned(), 64)).and_then(Bv::to_u64);
    out.thread = thread.unwrap_or(0);
    let mut pages: BTreeSet<u64> = BTreeSet::new();
    for (at, bytes) in inputs.domain.accesses.iter().flatten() {
        for at in (0..u64::from(*bytes)).map(|k| at.wrapping_add(k)) {
            let may = || perms.iter().any(|perm| byte(perm, at) != 0) || perms.is_empty();
            let thread = thread.is_some_and(|thread| at.wrapping_sub(thread) < 1 << 12);
            // What the caller has for the result is there in any case.
            let placed = out.place.as_ref().is_some_and(|place| place.contains(&at));
            let named = placed || own.iter().any(|o| o.contains(&at));
            if !frame.iter().any(|o| o.contains(&at)) && (named || thread || may()) {
                pages.insert(at / PAGE * PAGE);
            }
        }
    }
    if pages.len() > PAGES {
        return Err("too many pages of memory".to_owned());
    }
    out.fill = mem.default_elem().to_u64().unwrap_or_default() as u8;
    let set: BTreeSet<u64> =
        mem.entries().into_iter().filter_map(|(at, _)| Some(at.to_u64()? / PAGE * PAGE)).collect();
    for page in pages.intersection(&set) {
        out.bytes.push((*page, (0..PAGE).map(|k| byte(mem, page + k)).collect()));
    }
    out.pages = pages.into_iter().collect();
    Ok(())
}

/// What registers and arguments on the stack hold.
fn registers(out: &mut Plan, program: &Program, inputs: &Inputs) {
    let mut all = vec![(0u64, 0u64); 16 + 32];
    let symbol = |name: &str, width: u32| inputs.domain.symbols.get(&(name.to_owned(), width)).cloned();
    for n in SAVED {
        if let Some(held) = symbol(&Program::saved_name(&SYSV, n), 64).and_then(|v| v.to_u64()) {
            all[n] = (held, u64::MAX);
        }
    }
    for piece in &program.convention().arguments {
        let Some(Val::Bv(low)) = value(inputs, &SYSV.name(piece.register)) else { continue };
        let whole = if piece.register < 16 { 64 } else { 128 };
        let above = symbol(&Program::above_name(&SYSV, piece.register), whole - piece.bits);
        let (held, known) = match above {
            Some(above) => (above.concat(low), whole),
            None => (low.clone(), piece.bits),
        };
        let (held, given) = (words(&held), words(&Bv::ones(known)));
        if piece.register < 16 {
            all[piece.register] = (held[0], given[0]);
        } else {
            let at = 16 + 2 * (piece.register - 16);
            (all[at], all[at + 1]) = ((held[0], given[0]), (held[1], given[1]));
        }
    }
    out.registers = all;
    for (at, held) in program.stack_arguments(&inputs.domain) {
        for k in 0..u64::from(held.width() / 8) {
            let byte = held.extract(8 * k as u32 + 7, 8 * k as u32);
            if let (Ok(at), Some(byte)) = (u64::try_from(at), byte.to_u64()) {
                out.stack.push((at + k, byte as u8));
            }
        }
    }
    incoming(out, inputs);
}

/// Arguments on the stack whose addresses are taken.
fn incoming(out: &mut Plan, inputs: &Inputs) {
    let base = inputs.domain.symbols.get(&("incoming arguments".to_owned(), 64)).and_then(Bv::to_u64);
    let (Some(base), Some(mem)) = (base, array(inputs, "mem")) else { return };
    for (at, bytes) in inputs.domain.accesses.iter().flatten() {
        let offset = at.wrapping_sub(base);
        if offset < PAGE {
            for k in 0..u64::from(*bytes) {
                out.stack.push((offset + k, byte(mem, at.wrapping_add(k))));
            }
        }
    }
}

/// What callees give back in the calls that both sides have; those that leave memory as it was change none.
fn answers(
    out: &mut Plan,
    inputs: &Inputs,
    types: &dyn Fn(&str) -> Option<Convention>,
    readers: &BTreeSet<String>,
) -> Result<(), String> {
    for (n, seen) in inputs.seen.iter().enumerate() {
        let last = n + 1 == inputs.seen.len();
        if seen.event != Some(EventKind::Call) || last && seen.results.is_empty() {
            continue;
        }
        let result = |n: usize| match seen.results.get(n) {
            Some(Val::Bv(v)) => words(v),
            Some(Val::Mem(_)) | None => [0, 0],
        };
        let (a, d, x, y) = (result(1), result(2), result(3), result(4));
        let callee = seen.label.callee.as_ref();
        let mut answer = Answer {
            registers: [a[0], d[0], x[0], x[1], y[0], y[1]],
            known: [u64::MAX; 6],
            changes: match callee.is_some_and(|name| readers.contains(name)) {
                true => Vec::new(),
                false => changes(seen, &out.pages)?,
            },
        };
        if let Some(types) = callee.and_then(|name| types(name)) {
            answer.known = [0; 6];
            for piece in &types.results {
                let mask = |bits: u32| if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
                let at = match piece.register {
                    0 => 0,
                    2 => 1,
                    16 => 2,
                    17 => 4,
                    _ => continue,
                };
                answer.known[at] = mask(piece.bits.min(64));
                if piece.bits > 64 {
                    answer.known[at + 1] = mask(piece.bits - 64);
                }
            }
        }
        fresh(out, seen, &mut answer);
        out.answers.push(answer);
    }
    Ok(())
}

/// Functions that give memory which nothing else leads to; which argument says how much, or the product of which two.
const ALLOCATORS: &[(&str, &[usize])] =
    &[("malloc", &[0]), ("calloc", &[0, 1]), ("realloc", &[1]), ("aligned_alloc", &[1])];

/// Where such memory lies, and most bytes of one.
const HEAP: u64 = 0x7100_0000_0000;
const ROOM: u64 = 1 << 16;

/// Whether an allocator gave what lies at an address.
pub(super) fn is_heap(at: u64) -> bool {
    (HEAP..HEAP + (1 << 40)).contains(&at)
}

/// What an allocator gives is none of the memory that there was: the semantics does not know.
fn fresh(out: &mut Plan, seen: &Seen, answer: &mut Answer) {
    let of = |(known, _): &&(&str, _)| seen.label.callee.as_deref() == Some(*known);
    let Some((_, sizes)) = ALLOCATORS.iter().find(of) else { return };
    if answer.registers[0] == 0 {
        return;
    }
    // Arguments begin with memory, the address called, a flag; then come pairs of bits and value.
    let argument = |n: &usize| seen.args.get(4 + 2 * n).and_then(number).unwrap_or(ROOM);
    let size = sizes.iter().map(argument).fold(1u64, u64::saturating_mul).clamp(1, ROOM);
    let at = HEAP + out.answers.len() as u64 * 16 * ROOM;
    out.pages.extend((0..size.div_ceil(PAGE)).map(|n| at + n * PAGE));
    answer.registers[0] = at;
}

/// The bytes that a callee changes.
fn changes(seen: &Seen, pages: &[u64]) -> Result<Vec<(u64, u8)>, String> {
    let (Some(Val::Mem(before)), Some(Val::Mem(after))) = (seen.args.first(), seen.results.first()) else {
        return Ok(Vec::new());
    };
    if before.default_elem() != after.default_elem() {
        return Err("a callee that changes all of memory".to_owned());
    }
    let touched =
        |m: &ArrayVal| m.entries().into_iter().filter_map(|(at, _)| at.to_u64()).collect::<Vec<_>>();
    let mut all: BTreeSet<u64> = touched(before).into_iter().collect();
    all.extend(touched(after));
    all.retain(|at| pages.contains(&(at / PAGE * PAGE)) && byte(before, *at) != byte(after, *at));
    Ok(all.into_iter().map(|at| (at, byte(after, at))).collect())
}

fn side(program: &Program, linked: Linked, stubs: &[Stub]) -> SidePlan {
    let f = program.function();
    let keeps = |stub: &Stub| {
        let calls = f.insns.iter().filter(|insn| {
            matches!(&insn.target, Some(langs::machine_code::Target::Function(name)) if *name == stub.name)
        });
        let kept = calls.map(|insn| insn.keeps).reduce(|a, b| a & b).unwrap_or(0) & u64::from(u32::MAX);
        kept | u64::from(gives_first(&stub.name)) << 63
    };
    let site = |call: CallSite| {
        let insn = &f.insns[call.insn];
        let returns = if call.tail { 0 } else { linked.at[call.insn] + insn.x86().len() as u64 };
        // General ones count for 32 bits, as an `int` that is passed leaves the rest open.
        let meant = call.meant.into_iter().map(|n| (n, if n < 16 { 32 } else { 64 })).collect();
        Site { returns, callee: call.callee, meant, hides_place: call.hides_place, endless: insn.endless }
    };
    let objects = program.objects().list.iter().filter(|o| o.own && o.size <= LONGEST);
    SidePlan {
        keeps: stubs.iter().map(keeps).collect(),
        objects: objects.map(|o| (o.name.clone(), o.offset, o.size)).collect(),
        sites: program.call_sites().map(site).collect(),
        text: BTreeMap::new(),
        entry: linked.entry,
        code: linked.code,
    }
}

/// What stands at an address.
fn text(cut: &Converted, image: &Image, linked: &Linked) -> BTreeMap<u64, Placed> {
    let decoder = code::decoder(image.arch);
    let places = cut
        .origins
        .iter()
        .flatten()
        .map(|o| (o.section, o.at.wrapping_sub(image.sections[o.section].address)));
    let lines = lines::of(image, &places.collect());
    let mut out = BTreeMap::new();
    for (n, origin) in cut.origins.iter().enumerate() {
        let Some(origin) = origin else { continue };
        let insn = Insn::plain(origin.at, origin.bytes.len() as u8, 1);
        let section = &image.sections[origin.section];
        let line = lines.get(&(origin.section, origin.at.wrapping_sub(section.address))).cloned();
        let placed = Placed {
            section: section.name.clone(),
            at: origin.at,
            offset: cut.function.insns[n].offset,
            instruction: decoder.text(&origin.bytes, &insn),
            line,
        };
        out.insert(linked.at[n], placed);
    }
    out
}
