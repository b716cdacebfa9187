//! What is reported of two files: a record a function, a record an object, counts.

use crate::code::{self, Code};
use crate::equality::matcher::Matcher;
use crate::equality::side::Side;
use crate::equality::verdict::{How, Verdict, VerdictKind, Why};
use crate::equality::{Answer, compare};
use crate::objects::data::Extent;
use crate::objects::{Home, Image, Kind, ObjectError};
use crate::pairing::{By, Pair, Pairing};
use crate::semantics::{self, Knowledge, Types};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// One side of a pair of functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideReport {
    /// The function's name.
    pub name: String,
    /// Its bytes, cold parts included.
    pub bytes: u64,
    /// Its instructions, those that fill space left out.
    pub instructions: u64,
    /// Parts that lie elsewhere.
    pub parts: Vec<String>,
}

/// A pair of functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionReport {
    /// The name on the new side.
    pub function: String,
    /// How the pair was found.
    pub by: By,
    /// The verdict.
    pub verdict: VerdictKind,
    /// How it was proved.
    pub how: Option<How>,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
    /// Functions of the same file whose pairs must hold, too.
    pub rests_on: Vec<String>,
    /// Why nothing is known, by a stable name.
    pub why: Option<String>,
    /// The kind of the first difference, by a stable name.
    pub difference: Option<String>,
    /// The first difference in words, or what is not supported.
    pub text: Option<String>,
    /// The old side.
    pub old: SideReport,
    /// The new side.
    pub new: SideReport,
}

/// A function that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoneReport {
    /// Its name.
    pub function: String,
    /// Whether the old side has it.
    pub old: bool,
    /// Whether other files cannot call it.
    pub local: bool,
    /// Its bytes.
    pub bytes: u64,
}

/// What was found about two files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReport {
    /// The pairs, in the order of the old file.
    pub functions: Vec<FunctionReport>,
    /// Functions that have no partner.
    pub lone: Vec<LoneReport>,
    /// Objects with the same initial contents on both sides.
    pub same_objects: u64,
    /// Objects whose initial contents differ, or could not be compared: name and difference.
    pub objects: Vec<(String, String)>,
    /// Mnemonics in the old and new functions that nothing is known of, with how often they occur.
    pub opcodes: BTreeMap<String, u64>,
    /// Instructions of all functions on both sides, and those that the decoder does not know.
    pub instructions: (u64, u64),
}

/// Compares two files, with so many threads, and so much processor time for a proof.
///
/// # Errors
/// They are for different machines.
pub fn compare_images(
    old: &Image,
    new: &Image,
    jobs: usize,
    time: Duration,
) -> Result<FileReport, ObjectError> {
    old.same_machine(new)?;
    let (a, b) = both(jobs, || Side::of(old), || Side::of(new));
    let pairing = Pairing::of(old, new);
    let mut report = FileReport::default();
    let known = Knowledge { types: (Types::of(old), Types::of(new)), time };
    let asked = in_parallel(jobs, &pairing.pairs, |pair| one(&a, &b, &pairing, *pair, &known));
    for (function, opcodes, counts) in asked {
        for (name, count) in opcodes {
            *report.opcodes.entry(name).or_default() += count;
        }
        report.instructions.0 += counts.0;
        report.instructions.1 += counts.1;
        report.functions.push(function);
    }
    for (image, list, is_old) in [(old, &pairing.only_old, true), (new, &pairing.only_new, false)] {
        report.lone.extend(list.iter().map(|n| {
            let f = &image.functions[*n];
            LoneReport { function: f.name.clone(), old: is_old, local: f.local, bytes: f.size() }
        }));
    }
    objects(&a, &b, &pairing, &mut report);
    Ok(report)
}

fn both<A: Send, B: Send>(jobs: usize, a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if jobs < 2 {
        return (a(), b());
    }
    std::thread::scope(|scope| {
        let first = scope.spawn(a);
        let second = b();
        match first.join() {
            Ok(first) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Maps a list with so many threads, in the list's order.
pub fn in_parallel<T: Sync, R: Send>(jobs: usize, list: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if jobs < 2 || list.len() < 2 {
        return list.iter().map(f).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((n, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, list.get(n)?)))
        {
            done.push((n, f(item)));
        }
        done
    };
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.min(list.len())).map(|_| scope.spawn(work)).collect();
        let join = |t: std::thread::ScopedJoinHandle<'_, Vec<(usize, R)>>| match t.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, r)| r).collect()
}

type One = (FunctionReport, BTreeMap<String, u64>, (u64, u64));

fn one(old: &Side, new: &Side, pairing: &Pairing, pair: Pair, known: &Knowledge) -> One {
    let both = (pair.old, pair.new);
    let mut answer = compare(old, new, pairing, both);
    if let Verdict::Unknown(Why::NotModelledYet(first)) = &answer.verdict
        && let Some(proved) = semantics::answer((old, new), pairing, both, known, first)
    {
        answer = proved;
    }
    let (a, b) = (Code::of(old.image, pair.old), Code::of(new.image, pair.new));
    let mut opcodes = BTreeMap::new();
    if matches!(answer.verdict, Verdict::Unknown(_) | Verdict::Unsupported(_)) {
        count(old.image, &a, &mut opcodes);
        count(new.image, &b, &mut opcodes);
    }
    let unknown = |code: &Code| code.insns().filter(|i| !i.known()).count() as u64;
    let counts = ((a.insns().count() + b.insns().count()) as u64, unknown(&a) + unknown(&b));
    let report = function(old.image, new.image, pair, &answer, (&a, &b));
    (report, opcodes, counts)
}

fn count(image: &Image, code: &Code, opcodes: &mut BTreeMap<String, u64>) {
    let decoder = code::decoder(image.arch);
    for stretch in &code.stretches {
        for insn in stretch.insns.iter().filter(|insn| !insn.nop) {
            let name = decoder.mnemonic(&code::bytes_of(image, stretch.section, insn), insn);
            *opcodes.entry(name).or_default() += 1;
        }
    }
}

fn function(old: &Image, new: &Image, pair: Pair, answer: &Answer, code: (&Code, &Code)) -> FunctionReport {
    let side = |image: &Image, n: usize, code: &Code| {
        let f = &image.functions[n];
        SideReport {
            name: f.name.clone(),
            bytes: f.size(),
            instructions: code.insns().filter(|insn| !insn.nop).count() as u64,
            parts: f.fragments.iter().map(|p| p.name.clone()).collect(),
        }
    };
    let verdict = &answer.verdict;
    let (why, difference, text, assumptions) = match verdict {
        Verdict::Proved(_) => (None, None, None, Vec::new()),
        Verdict::Conditional(_, list) => (None, None, None, list.iter().map(ToString::to_string).collect()),
        Verdict::Unknown(why) => {
            (Some(why.name()), Some(why.difference().name()), Some(why.text()), Vec::new())
        }
        Verdict::Unsupported(lack) => {
            (None, None, Some(format!("{} at {}", lack.what, lack.place)), Vec::new())
        }
    };
    FunctionReport {
        function: new.functions[pair.new].name.clone(),
        by: pair.by,
        verdict: verdict.kind(),
        how: verdict.how(),
        assumptions,
        rests_on: answer.callees.iter().cloned().collect(),
        why: why.map(str::to_owned),
        difference: difference.map(str::to_owned),
        text,
        old: side(old, pair.old, code.0),
        new: side(new, pair.new, code.1),
    }
}

/// Initial contents of named objects that both sides have.
fn objects(old: &Side, new: &Side, pairing: &Pairing, report: &mut FileReport) {
    let mut global: BTreeMap<&str, usize> = BTreeMap::new();
    for (n, s) in new.image.symbols.iter().enumerate().filter(|(_, s)| !s.local) {
        global.entry(s.name.as_str()).or_insert(n);
    }
    for (m, s) in old.image.symbols.iter().enumerate() {
        let Home::Section(section) = s.home else { continue };
        if !matches!(s.kind, Kind::Object | Kind::Tls) || old.image.sections[section].exec || s.size == 0 {
            continue;
        }
        let partner = if s.local { pairing.data(m) } else { global.get(s.name.as_str()).copied() };
        let Some(t) = partner.map(|n| &new.image.symbols[n]) else { continue };
        let Home::Section(other) = t.home else { continue };
        let a = Extent { section, start: s.value, end: s.value + s.size };
        let b = Extent { section: other, start: t.value, end: t.value + t.size };
        match Matcher::new(old, new, pairing, (usize::MAX, usize::MAX)).equal(a, b) {
            Ok(()) => report.same_objects += 1,
            Err(difference) => report.objects.push((t.name.clone(), difference.to_string())),
        }
    }
}
