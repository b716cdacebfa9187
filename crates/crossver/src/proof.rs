//! Pairs that the cheap way leaves open, proved or refuted by what their instructions mean, with a plan to show on the
//! processor what is refuted (section 2 of the paper).

use crate::equality::Answer;
use crate::equality::side::Side;
use crate::equality::verdict::{Assumption, Difference, How, Lack, OpenProof, Verdict, Why, WhyKind};
use crate::pairing::Pairing;
use crate::replay::make::{Subject, plan};
use crate::replay::plan::{Plan, pieces};
use crate::replay::random::state;
use crate::semantics::convert::{self, Converted};
use crate::semantics::declared::{self, Asked};
use crate::semantics::kept::Kept;
use crate::semantics::kinds::Kinds;
use crate::semantics::reads::Reads;
use crate::semantics::types::wider;
use crate::semantics::{
    Types, across, bodies, constants, frames, inline, library, models, names, readers, unshared,
};
use equiv::{Options, ProblemKind, ReasonKind, Semantics, VerdictKind};
use langs::machine_code::{
    Abi, BY_ADDRESS, Convention, Facts, Frame, Function, Piece, Target, gives_first, x86::I386, x86::SYSV,
};
use langs::memory::access::AccessCheck;
use langs::pairs::{MachinePair, MachineSide};
use smt::effort::Effort;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

/// What is known of both files beside their code.
#[derive(Debug)]
pub struct Knowledge<'a> {
    /// How the functions of both files are called.
    pub types: &'a (Types, Types),
    /// Which registers the functions of both files keep.
    pub kept: &'a (Vec<Kept>, Vec<Kept>),
    /// Which registers matter to the functions of both files.
    pub reads: &'a (Vec<Reads>, Vec<Reads>),
    /// Processor time for one pair of functions.
    pub time: Duration,
    /// Memory that a proof may take, in bytes.
    pub memory: u64,
    /// Instead of a proof, random states of these numbers to run both functions from.
    pub states: Range<u64>,
    /// Functions of both files whose bodies take the place of their calls in any case.
    pub inside: [BTreeSet<usize>; 2],
}

/// An answer, and how to show a difference on a processor; why that is not possible, in words.
#[derive(Debug)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// Where the semantics shows a difference.
    pub plan: Option<Result<Plan, String>>,
    /// What is proved where a processor shows none: the difference is an access of the new code alone, or no type permits it.
    pub otherwise: Option<Answer>,
    /// Random states, where they are asked for.
    pub states: Vec<Result<Plan, String>>,
}

/// Tries to prove what the cheap way left open. None where nothing is modelled of these files.
#[must_use]
pub fn answer(
    (old, new): (&Side, &Side),
    pairing: &Pairing,
    pair: (usize, usize),
    known: &Knowledge<'_>,
    first: &Difference,
) -> Option<Answered> {
    if !models(old.image) || !models(new.image) {
        return None;
    }
    // Where exceptions land is not modelled.
    if matches!(first, Difference::LandingPads) {
        return None;
    }
    let (mut names, mut a, mut b) = match both((old, new), pairing, pair, known) {
        Ok(all) => all,
        Err(lack) => return Some(unsupported(lack)),
    };
    constants::add(&mut names, pair, (&mut a.function, &mut b.function));
    readers::note(&mut names, pairing, (&mut a, &mut b), [&known.kept.0, &known.kept.1]);
    let in_frames = (&known.types.0.locals, &known.types.1.locals);
    let moved = unshared::unshare((&mut a, &mut b), (old.image, new.image), in_frames, pair);
    let cut = [&a, &b];
    let (a, b) = (&a.function, &b.function);
    if let Some(what) = still_called(&mut names, [a, b], &known.inside) {
        return Some(unsupported(Lack { what, place: name(new, pair.1) }));
    }
    let mut assumptions = std::mem::take(&mut names.assumptions);
    let callees = std::mem::take(&mut names.callees);
    let two_machines = !std::ptr::eq(a.abi, b.abi);
    let files = across::Files { sides: (old, new), pairing, types: known.types, kept: known.kept };
    let declared = |name: &str| known_callee(known, (a.abi, b.abi), name);
    let untold = across::locals(&files, cut, &declared);
    let told = |name: &str| match untold.get(name) {
        Some((x, y)) => (Some(x.clone()), Some(y.clone())),
        None => declared(name),
    };
    let own = match conventions(&files, pair, [a, b], (&told, &declared), &mut assumptions) {
        Ok(own) => own,
        Err(lack) => return Some(unsupported(lack)),
    };
    if known.types.0.volatile || known.types.1.volatile {
        assumptions.insert(Assumption::NothingVolatile);
    }
    let of_old = frames::Side::new(cut[0], old.image, in_frames.0, pair.0).with_locals(&moved[0]);
    let of_new = frames::Side::new(cut[1], new.image, in_frames.1, pair.1).with_locals(&moved[1]);
    let frames = match frames::pair(of_old, of_new) {
        Ok(frames) => frames,
        Err(what) => return Some(unsupported(Lack { what, place: name(new, pair.1) })),
    };
    assumptions.extend(of_frames([a, b], !frames.old.list.is_empty()));
    let local = local_callees((old, new), pairing, cut, known, &|name| told(name).1);
    // A type that either side knows is one that a callee may be of.
    let pointers = known.types.0.by_address.clone().zip(known.types.1.by_address.clone());
    let pointers = match two_machines {
        true => pointers.unzip(),
        false => pointers.map(|(old, new)| wider(old, new)).map(|both| (both.clone(), both)).unzip(),
    };
    if known.types.0.tells_pointers() && [a, b].into_iter().any(Function::calls_by_address) {
        assumptions.insert(Assumption::PointersByType);
    }
    let by_address = |variable: &str| match variable {
        "" => pointers.clone(),
        _ => of_pointer(known.types, variable, two_machines).unzip(),
    };
    let of_old = |name: &str| match name.strip_prefix(BY_ADDRESS) {
        Some(variable) => by_address(variable).0,
        None => told(name).0.or_else(|| local.get(name).cloned()),
    };
    let of_new = |name: &str| match name.strip_prefix(BY_ADDRESS) {
        Some(variable) => by_address(variable).1,
        None => told(name).1.or_else(|| local.get(name).cloned()),
    };
    let sides = (
        MachineSide { function: a, objects: &frames.old, types: &of_old },
        MachineSide { function: b, objects: &frames.new, types: &of_new },
    );
    let make = |access| match two_machines {
        true => MachinePair::across(&sides.0, &sides.1, (&own.0, &own.1), access),
        false => MachinePair::new(&sides.0, &sides.1, &own.1, access),
    };
    let told = |name: &str| told(name).1;
    let kinds = |objects: &_, callees: &_| kinds((old, new), pair, known.types, (objects, callees));
    let machine = match make(AccessCheck::Mapped) {
        Ok(pair) => pair,
        Err(e) => return Some(unsupported(Lack { what: e.what, place: String::new() })),
    };
    assumptions.extend(rests_on(&machine));
    let replays = is_replayed(a.abi) && !two_machines;
    let results = counting(&machine, own.2);
    let (types, pair, frames) = (&told, &machine, &frames.told);
    let mut subject =
        Subject { names: &mut names, cut, pair, results, frames, types, kinds: &kinds, told: true };
    if !known.states.is_empty() {
        subject.told = false;
        let states = match replays {
            true => known.states.clone().map(|seed| plan(&mut subject, &state(pair, seed))).collect(),
            false => vec![Err(NOT_REPLAYED.to_owned())],
        };
        let verdict = Verdict::Unknown(Why::NotModelledYet(first.clone()));
        return Some(Answered { answer: Answer { verdict, callees }, plan: None, otherwise: None, states });
    }
    let types = || if two_machines { None } else { kinds(&BTreeMap::new(), &called_by([a, b])) };
    let Found { report, more, unchecked } = proved(pair, (&make, &types), (known, two_machines));
    let answer = |(report, more): (Report, BTreeSet<Assumption>)| {
        let more = assumptions.iter().cloned().chain(more).collect();
        Answer { verdict: verdict(report.verdict, more, first), callees: callees.clone() }
    };
    let plan = match &report.verdict {
        equiv::Verdict::Refuted(_) if !replays => Some(Err(NOT_REPLAYED.to_owned())),
        equiv::Verdict::Refuted(found) => Some(plan(&mut subject, found)),
        _ => None,
    };
    let otherwise = unchecked.map(&answer);
    Some(Answered { answer: answer((report, more)), plan, otherwise, states: Vec::new() })
}

/// Runs that guesses are made from: many end at an access that is not permitted, before a loop goes round.
const RUNS: u32 = 64;

/// Makes a pair, with accesses of memory checked in that way.
type Make<'m> = &'m dyn Fn(AccessCheck) -> Result<MachinePair, langs::domain::Unsupported>;

/// What types tell of both functions.
type Told<'t> = &'t dyn Fn() -> Option<Kinds>;

/// A report on a pair.
type Report = equiv::Report<langs::assumption::Assumption>;

/// What was found of a pair.
struct Found {
    report: Report,
    /// What that takes for granted.
    more: BTreeSet<Assumption>,
    /// Beside a refutation, the proof without the check of accesses or without runs, if there is one, and what that takes for
    /// granted.
    unchecked: Option<(Report, BTreeSet<Assumption>)>,
}

impl From<(Report, BTreeSet<Assumption>)> for Found {
    fn from((report, more): (Report, BTreeSet<Assumption>)) -> Found {
        Found { report, more, unchecked: None }
    }
}

/// The work that a search without types has where they tell something, and more for each point of the old function: nearly
/// all that close without them end in that, and the others would leave no time for them.
const QUICK: Effort = Effort::mega(600);
const QUICK_POINT: Effort = Effort::mega(20);

/// The share of the time, in hundredths, that is left for a proof without the check of accesses.
const UNCHECKED: u32 = 25;

/// Proves a pair; where that fails, with what types tell of memory, then without the check that the new code accesses what the
/// old does. What the proof takes for granted so. All attempts share the time.
fn proved(
    pair: &MachinePair,
    (make, types): (Make<'_>, Told<'_>),
    (known, two_machines): (&Knowledge<'_>, bool),
) -> Found {
    let (time, memory) = (known.time, known.memory / 2);
    let options = Options { time, memory, compose: true, runs: RUNS, ..Options::default() };
    let types = types();
    let typed = types.as_ref().and_then(|types| {
        let mut typed = make(AccessCheck::Mapped).ok()?;
        typed.keep_kinds(types).then_some(typed)
    });
    let points = pair.left.shape().points.len() as u64;
    let quick = QUICK + QUICK_POINT.times(points);
    let first = match &typed {
        Some(_) => Options { first_round: Some(quick), rounds: 1, ..options.clone() },
        None => options.clone(),
    };
    let mut report = pair.prove(&first);
    // What another machine reads beside what is needed (pairs of registers) no run on a processor tells from a fault.
    let refuted = |report: &equiv::Report<_>| matches!(&report.verdict, equiv::Verdict::Refuted(_));
    if report.verdict.certificate().is_some() {
        return (report, BTreeSet::new()).into();
    }
    let mut left = known.time.saturating_sub(report.time);
    let apart = typed.is_some();
    // What a proof leaves open that no run decides.
    let mut open = None;
    if let Some(typed) = typed {
        let first_round = Some(quick.times(2));
        let time = left.saturating_sub(left * UNCHECKED / 100);
        let found = typed.prove(&Options { time, first_round, ..options.clone() });
        left = left.saturating_sub(found.time);
        if let Some(certificate) = found.verdict.certificate() {
            // Its relations may hold without what types tell.
            let first_round = Some(quick);
            let again = pair.check(certificate, &Options { time: left, first_round, ..options });
            return match again.verdict.certificate() {
                Some(_) => (again, BTreeSet::new()).into(),
                None => (found, BTreeSet::from([Assumption::TypesApart])).into(),
            };
        }
        // An input on which objects share their places shows nothing: where a processor shows no difference either, a proof is
        // what counts.
        if refuted(&found) {
            let time = left.saturating_sub(left * UNCHECKED / 100);
            let options = Options { time, first_round, runs_refute: false, ..options.clone() };
            let again = typed.prove(&options);
            left = left.saturating_sub(again.time);
            if again.verdict.certificate().is_some() {
                let unchecked = Some((again, BTreeSet::from([Assumption::TypesApart])));
                return Found { report: found, more: BTreeSet::new(), unchecked };
            }
            open = Some((again, BTreeSet::new()));
        }
        // One on which they do not shows more.
        if refuted(&found) || refuted(&report) || found.verdict.kind() == VerdictKind::Unknown {
            report = found;
        }
    }
    // One that is gone at addresses that a process may have does not show there.
    let shows =
        |report: &Report| matches!(&report.verdict, equiv::Verdict::Refuted(c) if c.numbers.is_some());
    let mut assumptions = BTreeSet::from([Assumption::NoNewFault]);
    let second = make(AccessCheck::Off).map(|mut pair| {
        if let Some(types) = types.as_ref().filter(|_| apart) {
            assumptions.extend(pair.keep_kinds(types).then_some(Assumption::TypesApart));
        }
        pair.prove(&Options { time: left, runs_refute: open.is_none(), ..options })
    });
    match second {
        // The difference is an access of the new code alone, which has to show on a processor.
        Ok(second) if second.verdict.certificate().is_some() && shows(&report) && !two_machines => {
            Found { report, more: BTreeSet::new(), unchecked: Some((second, assumptions)) }
        }
        Ok(second) if second.verdict.certificate().is_some() => (second, assumptions).into(),
        // Where nothing but an access was open, what keeps the rest open tells more.
        Ok(second) if second.verdict.kind() == VerdictKind::Unknown && is_fault(&report.verdict) => {
            (second, BTreeSet::new()).into()
        }
        Ok(_) | Err(_) => Found { report, more: BTreeSet::new(), unchecked: open },
    }
}

/// The names of what two functions call, as their files have them.
fn called_by([a, b]: [&Function; 2]) -> Vec<String> {
    called(a).union(&called(b)).map(|name| names::plain(name).to_owned()).collect()
}

/// Whether a proof lacks only that what the new code accesses may be accessed.
fn is_fault(verdict: &equiv::Verdict<langs::assumption::Assumption>) -> bool {
    let equiv::Verdict::Unknown(why) = verdict else { return false };
    matches!(&why.kind, ReasonKind::Open { problem: ProblemKind::RightError { .. } })
}

/// What a pair takes for granted of the frames of its functions, and of vectors that these pass.
fn of_frames(both: [&Function; 2], objects: bool) -> Vec<Assumption> {
    let objects = objects.then_some([Assumption::FrameObjects, Assumption::FrameContents]);
    let frame = both.into_iter().any(Function::has_frame).then_some(Assumption::FrameApart);
    let vectors = both.into_iter().any(Function::may_pass_vectors).then_some(Assumption::UnnamedDoubles);
    objects.into_iter().flatten().chain(frame).chain(vectors).collect()
}

/// What it takes for granted of its calls.
fn rests_on(pair: &MachinePair) -> Vec<Assumption> {
    let formats = pair.left.reads_formats() || pair.right.reads_formats();
    let formats = formats.then_some(Assumption::FormatStrings);
    let given = pair.left.is_given_memory().then_some(Assumption::FreshMemory);
    let reads = pair.left.calls_readers() || pair.right.calls_readers();
    let reads = reads.then_some(Assumption::LibraryReads);
    let copies = [&pair.left, &pair.right].iter().any(|side| {
        let mut callees = side.call_sites().filter_map(|site| site.callee);
        !side.spelled_calls().is_empty() || callees.any(|name| gives_first(&name))
    });
    let copies = copies.then_some(Assumption::LibraryCopies);
    let scans = (pair.left.scans_zero() || pair.right.scans_zero()).then_some(Assumption::ScanOfZero);
    formats.into_iter().chain(given).chain(reads).chain(copies).chain(scans).collect()
}

fn name(side: &Side, n: usize) -> String {
    side.image.functions[n].name.clone()
}

/// What types tell of a pair and of objects and callees: what either side does, unless one of them takes no notice of them.
/// Where pointers are declared `restrict`, no two may lead to the same, whatever their types.
fn kinds(
    (old, new): (&Side, &Side),
    pair: (usize, usize),
    types: &(Types, Types),
    (objects, callees): (&BTreeMap<String, u64>, &[String]),
) -> Option<Kinds> {
    let of = |side: &Side, n: usize| {
        declared::of(side.image, &Asked { function: place(side, n), objects, callees })
    };
    let (a, b) = of(old, pair.0).zip(of(new, pair.1))?;
    let (any, wraps) = (a.any || b.any, a.wraps || b.wraps);
    let parts = a.parts.union(&b.parts).cloned().collect();
    let restricted =
        types.0.restricted.contains(&place(old, pair.0)) || types.1.restricted.contains(&place(new, pair.1));
    Some(match restricted {
        true => Kinds { wraps, ..Kinds::default() },
        false => Kinds { any, wraps, parts, ..if a.types.is_empty() { b } else { a.with_results_of(b) } },
    })
}

/// Section and offset of a function.
fn place(side: &Side, n: usize) -> (usize, u64) {
    let f = &side.image.functions[n];
    (f.section, f.start)
}

/// How both functions are called; for one machine in the same way.
fn conventions(
    files: &across::Files<'_>,
    pair: (usize, usize),
    [a, b]: [&Function; 2],
    (told, declared_callee): (across::Told<'_>, across::Told<'_>),
    assumptions: &mut BTreeSet<Assumption>,
) -> Result<(Convention, Convention, Results), Lack> {
    let ((old, new), known) = (files.sides, files);
    let declared = (known.types.0.of_own(&name(old, pair.0)), known.types.1.of_own(&name(new, pair.1)));
    if !std::ptr::eq(a.abi, b.abi) {
        across::callees([a, b], told)?;
        assumptions.extend(across::assumptions([a, b]));
        let what = "a function whose types are not known, between machines".to_owned();
        // As its callers ask it, whatever this function calls.
        let own = declared.0.zip(declared.1).or_else(|| across::local(files, pair, declared_callee));
        let (a, b) = own.ok_or(Lack { what, place: name(new, pair.1) })?;
        return Ok((a, b, Results::Declared));
    }
    // Compilers pass what they like to local functions of i386.
    let local = |side: &Side, n: usize| side.image.functions[n].local;
    if std::ptr::eq(a.abi, &I386) {
        let known = declared.0.as_ref().zip(declared.1.as_ref()).is_some_and(|(x, y)| x == y);
        if !known || local(old, pair.0) || local(new, pair.1) {
            let what = "a local function of i386, or one whose types are not known".to_owned();
            return Err(Lack { what, place: name(new, pair.1) });
        }
    }
    if let Some(own) = declared.1.or(declared.0) {
        return Ok((own.clone(), own, Results::Declared));
    }
    assumptions.insert(Assumption::ResultByRegisters);
    let origin = |types: &Types| types.of_origin(&name(new, pair.1));
    let (own, results) = match origin(&known.types.1).or_else(|| origin(&known.types.0)) {
        Some(own) => (own, Results::AtMost),
        None => (guessed(a, b), Results::Guessed),
    };
    Ok((own.clone(), own, results))
}

/// What is known of the results of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    /// They are declared.
    Declared,
    /// A clone gives no more than what it was made of.
    AtMost,
    /// Nothing: it may give none.
    Guessed,
}

/// Bits of a result of unknown type that count whatever its type: a `char` in a general register, a `float` in a vector.
const ANY_RESULT: [u32; 2] = [8, 32];

/// The results of a pair that count on a processor: where they are not declared, what both sides set for nothing else,
/// and of that what is none of the bits that a narrow type leaves open.
fn counting(pair: &MachinePair, known: Results) -> Vec<(usize, u32)> {
    let mut all = pieces(&pair.left.convention().results);
    if known != Results::Declared {
        let set = pair.left.results_by_use() & pair.right.results_by_use();
        all.retain(|(register, _)| set >> register & 1 == 1);
    }
    if known == Results::Guessed {
        all.iter_mut().for_each(|(register, bits)| *bits = ANY_RESULT[usize::from(*register >= 16)]);
    }
    all
}

/// How functions are called whose address a variable holds; on one machine as both sides say.
fn of_pointer(types: &(Types, Types), label: &str, two_machines: bool) -> Option<(Convention, Convention)> {
    let both = types.0.of_pointer(label).zip(types.1.of_pointer(label));
    both.filter(|(old, new)| two_machines || old == new)
}

/// How a callee is called on both sides: for one machine what either knows counts for both.
fn known_callee(
    known: &Knowledge<'_>,
    (old, new): (&'static Abi, &'static Abi),
    name: &str,
) -> (Option<Convention>, Option<Convention>) {
    let declared = |types: &Types| types.of_label(name).filter(|_| !library::tells_its_caller(name));
    let (a, b) = (declared(&known.types.0), declared(&known.types.1));
    if std::ptr::eq(old, new) {
        let told = b.or(a).or_else(|| library::convention(new, name));
        return (told.clone(), told);
    }
    (a.or_else(|| library::convention(old, name)), b.or_else(|| library::convention(new, name)))
}

/// Why a difference is not shown on a processor.
const NOT_REPLAYED: &str = "code of this machine is not replayed yet";

/// Whether differences are shown on a processor.
fn is_replayed(abi: &'static Abi) -> bool {
    std::ptr::eq(abi, &SYSV)
}

/// Most rounds in which callees are put in the place of their calls.
const ROUNDS: usize = 20;

/// Both functions, with the bodies of those callees in them that the other side does not call as often.
fn both<'a>(
    (old, new): (&'a Side<'a>, &'a Side<'a>),
    pairing: &'a Pairing,
    pair: (usize, usize),
    known: &Knowledge<'_>,
) -> Result<(names::Names<'a>, Converted, Converted), Lack> {
    let none = BTreeSet::new();
    let mut more: [bodies::Callees; 2] = Default::default();
    if known.inside.iter().any(|list| !list.is_empty()) {
        let mut names = names::Names::new(old, new, pairing, pair, (&none, &none));
        let mut named = |old: bool, list: &BTreeSet<usize>| -> bodies::Callees {
            list.iter().map(|n| (names.function(old, *n), *n)).collect()
        };
        more = [named(true, &known.inside[0]), named(false, &known.inside[1])];
    }
    let mut found = None;
    for _ in 0..=ROUNDS {
        let sets = more.each_ref().map(|list| list.values().copied().collect::<BTreeSet<usize>>());
        let mut names = names::Names::new(old, new, pairing, pair, (&sets[0], &sets[1]));
        let made = filled(&mut names, true, pair.0, (&more[0], &known.kept.0))
            .and_then(|a| Ok((a, filled(&mut names, false, pair.1, (&more[1], &known.kept.1))?)));
        let (a, b) = match (made, found) {
            (Ok(both), _) => both,
            // What cannot be read with more in it was read without.
            (Err(_), Some(before)) => return Ok(before),
            (Err(lack), None) => return Err(lack),
        };
        let next = bodies::next(
            &|| names::Names::new(old, new, pairing, pair, (&none, &none)),
            [(&a, old), (&b, new)],
            [&more[0], &more[1]],
        );
        let grown = next.iter().any(|list| !list.is_empty());
        more.iter_mut().zip(next).for_each(|(list, more)| list.extend(more));
        found = Some((names, a, b));
        if !grown {
            break;
        }
    }
    found.ok_or_else(|| Lack { what: "no function".to_owned(), place: String::new() })
}

/// What to say where a function is called whose body was to take the place of its calls.
fn still_called(
    names: &mut names::Names<'_>,
    both: [&Function; 2],
    inside: &[BTreeSet<usize>; 2],
) -> Option<String> {
    let mut sides = both.into_iter().zip(inside).zip([true, false]);
    let name = sides.find_map(|((f, list), old)| {
        let called = if list.is_empty() { BTreeSet::new() } else { called(f) };
        list.iter().map(|n| names.function(old, *n)).find(|name| called.contains(name))
    })?;
    Some(format!("a call of `{name}` that its body cannot take the place of"))
}

/// A function with bodies in the place of calls.
fn filled(
    names: &mut names::Names<'_>,
    old: bool,
    function: usize,
    (more, kept): (&BTreeMap<String, usize>, &[Kept]),
) -> Result<Converted, Lack> {
    let mut out = convert::function(names, old, function, kept)?;
    // In rounds: a body may call what has one.
    for _ in 0..ROUNDS {
        for (name, callee) in more {
            if !called(&out.function).contains(name) {
                continue;
            }
            let Ok(body) = convert::function(names, old, *callee, kept) else { continue };
            let mut callees = std::mem::take(&mut out.callees);
            callees.extend(body.callees.clone());
            if inline::inline(&mut out, name, &body) && !names.side(old).image.functions[*callee].local {
                names.assumptions.insert(Assumption::OwnDefinition(name.clone()));
            }
            out.callees = callees;
        }
    }
    Ok(out)
}

/// How local functions of unknown types are called: what matters to both versions of one is passed, and nothing else.
/// That the two agree wherever what matters to both does follows from their own proof, on which this one rests.
fn local_callees(
    (old, new): (&Side, &Side),
    pairing: &Pairing,
    [a, b]: [&Converted; 2],
    known: &Knowledge<'_>,
    told: &dyn Fn(&str) -> Option<Convention>,
) -> BTreeMap<String, Convention> {
    let none = BTreeSet::new();
    let mut out = BTreeMap::new();
    // What callees read is known on this machine alone.
    if !is_replayed(a.function.abi) || !is_replayed(b.function.abi) {
        return out;
    }
    for (name, m) in &a.callees {
        let Some(n) =
            b.callees.get(name).filter(|_| names::Callee::of(name).is_local() && told(name).is_none())
        else {
            continue;
        };
        let mut names = names::Names::new(old, new, pairing, (*m, *n), (&none, &none));
        let both = [(true, *m, &known.kept.0), (false, *n, &known.kept.1)];
        if both.into_iter().any(|(old, n, kept)| may_have_stack_arguments(&mut names, old, n, kept)) {
            continue;
        }
        let matter = |list: &[Reads], n: usize| list.get(n).copied().unwrap_or(Reads::ALL);
        let (old, new) = (matter(&known.reads.0, *m), matter(&known.reads.1, *n));
        // What either only hands on may be no argument at all.
        let all = old.all() & new.all();
        let (read, handed) = (old.itself & new.itself, all & !(old.itself & new.itself));
        let piece =
            |register: &usize| Piece { register: *register, bits: if *register < 16 { 64 } else { 128 } };
        let passed = |register: &&usize| read >> **register & 1 == 1;
        let arguments: Vec<Piece> = SYSV.arguments.iter().filter(passed).map(piece).collect();
        // What is handed over in other registers is none of the convention's.
        let others = all & !SAVED & !SYSV.arguments.iter().fold(0, |set, n| set | 1 << n);
        if others == 0 {
            let results = [0, 2, 16, 17].iter().map(piece).collect();
            let perhaps = u64::from(handed & !SAVED & !1);
            out.insert(name.clone(), Convention { arguments, results, perhaps, ..Convention::default() });
        }
    }
    out
}

/// The registers that calls keep: saving them is no use.
const SAVED: u32 = 0xf038;

fn may_have_stack_arguments(names: &mut names::Names<'_>, old: bool, n: usize, kept: &[Kept]) -> bool {
    let Ok(cut) = convert::function(names, old, n, kept) else { return true };
    let Ok(facts) = Facts::of(&cut.function) else { return true };
    Frame::reaches_arguments(&cut.function, &facts, &Frame::accesses(&cut.function, &facts))
}

/// The functions that one calls by name.
fn called(f: &Function) -> BTreeSet<String> {
    let targets = f.insns.iter().filter_map(|insn| match &insn.target {
        Some(Target::Function(name)) => Some(name.clone()),
        Some(Target::Block(_)) | None => None,
    });
    targets.collect()
}

fn unsupported(lack: Lack) -> Answered {
    let answer = Answer { verdict: Verdict::Unsupported(lack), callees: BTreeSet::new() };
    Answered { answer, plan: None, otherwise: None, states: Vec::new() }
}

/// Results of a function of unknown types: the first general register, and the first vector where vectors are used.
fn guessed(a: &Function, b: &Function) -> Convention {
    let abi = a.abi;
    let mut results = vec![Piece { register: abi.results[0], bits: 64 }];
    if a.makes_vectors() && b.makes_vectors() {
        results.push(Piece { register: abi.results[2], bits: abi.width(abi.results[2]) });
    }
    Convention::unknown(abi, results)
}

/// Most characters of what is told of a difference: inputs may hold long memories.
const LONGEST: usize = 1000;

/// What differs in a refutation; where no value does, what both did last.
fn told(found: &equiv::Counterexample) -> String {
    if !found.differences.is_empty() {
        return found.differences.join("; ");
    }
    let last = |trace: &[String]| trace.get(found.first_difference).cloned().unwrap_or_default();
    let inputs: Vec<String> = found.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let all = format!("{} | {} with {}", last(&found.left), last(&found.right), inputs.join(", "));
    all.chars().take(LONGEST).collect()
}

fn verdict(
    found: equiv::Verdict<langs::assumption::Assumption>,
    mut taken: BTreeSet<Assumption>,
    first: &Difference,
) -> Verdict {
    let open =
        |kind, text: String| Verdict::Unknown(Why::Open(OpenProof { kind, text, difference: first.clone() }));
    match found {
        equiv::Verdict::Proved(_) | equiv::Verdict::Conditional { .. } => {
            if let equiv::Verdict::Conditional { assumptions, .. } = &found {
                taken.extend(assumptions.keys().map(|a| Assumption::Semantics(a.entry().what)));
            }
            match taken.is_empty() {
                true => Verdict::Proved(How::Proof),
                false => Verdict::Conditional(How::Proof, taken.into_iter().collect()),
            }
        }
        equiv::Verdict::Bounded { why, .. } => open(WhyKind::NoProof, why.to_string()),
        // A difference counts only when both functions have been run: the semantics alone proposes it.
        equiv::Verdict::Refuted(found) => open(WhyKind::DifferenceNotReplayed, told(&found)),
        equiv::Verdict::Unknown(why) => {
            let kind = if why.limit.is_some() { WhyKind::OutOfBudget } else { WhyKind::NoProof };
            open(kind, why.to_string())
        }
        equiv::Verdict::Unsupported { what, place } => Verdict::Unsupported(Lack { what, place }),
    }
}
