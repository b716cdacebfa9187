//! What is reported of two files: a record a function, a record an object, counts.

use crate::buckets::Rules;
use crate::cause::{self, Cause};
use crate::code::{self, Code};
use crate::equality::matcher::Matcher;
use crate::equality::side::Side;
use crate::equality::verdict::{Difference, How, Verdict, VerdictKind, Why, WhyKind};
use crate::equality::{Answer, compare};
use crate::objects::data::Extent;
use crate::objects::{Home, Image, Kind, ObjectError};
use crate::pairing::{By, Pair, Pairing};
use crate::proof::{self, Knowledge};
use crate::replay::plan::Plan;
use crate::replay::{Finding, Observed, Replayed, Replayer};
use crate::semantics::{self, Types, callers, callers::Callers, reads::Reads};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Random states that are made at once.
const STATES: u64 = 100;

/// How many callers of callers are looked at, and how many functions in all.
const DEPTH: usize = 3;
const CALLERS: usize = 6;

/// One side of a pair of functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionReport {
    /// The file, or the member of an archive, as it was given.
    pub file: String,
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
    /// Why nothing is known.
    pub why: Option<WhyKind>,
    /// Milliseconds that a proof took, or looking for one; none where none was looked for.
    pub ms: Option<f64>,
    /// The kind of the first difference, by a stable name.
    pub difference: Option<String>,
    /// The first difference in words, or what is not supported.
    pub text: Option<String>,
    /// What both did on a processor, on inputs for which the semantics shows a difference.
    pub replay: Option<Replayed>,
    /// The bucket of a difference: the name of the first rule that holds, or `other`.
    pub bucket: Option<String>,
    /// The instructions to blame for a difference; none where following both runs leads to none.
    pub cause: Option<Cause>,
    /// The old side.
    pub old: SideReport,
    /// The new side.
    pub new: SideReport,
}

/// A function that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoneReport {
    /// The file, or the member of an archive, as it was given.
    pub file: String,
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// Mnemonics whose meaning is not modelled, with how often they occur in all functions of both sides.
    pub not_modelled: BTreeMap<String, u64>,
    /// Instructions of all functions on both sides, and those that the decoder does not know.
    pub instructions: (u64, u64),
}

/// What was found about a pair of functions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The pair's record.
    pub function: FunctionReport,
    /// Whether only a proof can tell more.
    pub open: bool,
    /// How to show on a processor what the semantics shows; why that is not possible, in words.
    pub plan: Option<Result<Box<Plan>, String>>,
    /// What is recorded instead where a processor shows no difference.
    pub otherwise: Option<Box<FunctionReport>>,
    /// Where all callers are in the file, a compiler may rely on what they pass: runs of the callers, with the function's body
    /// in the place of its call, that would show the difference. None for functions that others may call.
    pub callers: Option<Vec<Plan>>,
    /// Mnemonics of both where nothing is known, with how often they occur.
    pub opcodes: BTreeMap<String, u64>,
    /// Mnemonics of both whose meaning is not modelled, with how often they occur.
    pub not_modelled: BTreeMap<String, u64>,
    /// Instructions of both, and those that the decoder does not know.
    pub instructions: (u64, u64),
}

impl Compared {
    /// Runs both functions where the semantics shows a difference: only what differs then is one.
    pub fn replay(&mut self, replayer: &Replayer, rules: &Rules) {
        let Some(plan) = self.plan.take() else { return };
        let (mut differing, mut cause) = (Vec::new(), None);
        let mut replayed = match plan {
            Ok(mut plan) => {
                differing = std::mem::take(&mut plan.differing);
                let (plan, replayed) = replayer.settled(*plan);
                if let Finding::Differ(how) = &replayed.finding {
                    cause = cause::of(&plan, how, replayer);
                }
                replayed
            }
            Err(why) => {
                let finding = Finding::NotPossible(why);
                Replayed { finding, inputs: Vec::new(), old: Vec::new(), new: Vec::new() }
            }
        };
        let f = &mut self.function;
        let tell = |f: &mut FunctionReport, why: &str| {
            let text = f.text.take().unwrap_or_default();
            f.text = Some(format!("{text} (on the processor: {why})"));
        };
        let differs = |plan| matches!(replayer.settled(plan).1.finding, Finding::Differ(_));
        let reached = |callers: Vec<Plan>| callers.into_iter().any(differs);
        if let Finding::Differ(how) = &replayed.finding
            && self.callers.take().is_some_and(|callers| !reached(callers))
        {
            replayed.finding = Finding::NotReached(how.clone());
        }
        match &replayed.finding {
            Finding::NotReached(how) => {
                f.why = Some(WhyKind::DifferenceNotReached);
                tell(
                    f,
                    &format!(
                        "{how}; but compilers fit a local function to what its callers pass, and none of them is shown to pass this"
                    ),
                );
            }
            Finding::Differ(how) => {
                (f.verdict, f.why) = (VerdictKind::Different, None);
                f.text = Some(how.to_string());
                f.bucket = Some(rules.bucket(how, &differing).to_owned());
                f.cause = cause;
            }
            // The difference is an access that a process may make, or begins in a state that C rules out.
            Finding::Same | Finding::Undefined(_) | Finding::NotReproduced(_) | Finding::NotPossible(_)
                if let Some(proved) = self.otherwise.take() =>
            {
                let (file, ms) = (std::mem::take(&mut f.file), f.ms);
                *f = FunctionReport { file, ms, ..*proved };
                return;
            }
            Finding::Same => tell(f, "both do the same"),
            Finding::Undefined(what) => tell(f, &what.to_string()),
            Finding::NotReproduced(why) | Finding::NotPossible(why) => tell(f, why),
        }
        f.replay = Some(replayed);
    }
}

/// Two files whose functions are compared.
pub struct Comparison<'a> {
    sides: (Side<'a>, Side<'a>),
    pairing: Pairing,
    types: OnceLock<(Types, Types)>,
    kept: OnceLock<(Vec<semantics::kept::Kept>, Vec<semantics::kept::Kept>)>,
    reads: OnceLock<(Vec<Reads>, Vec<Reads>)>,
    callers: OnceLock<(Vec<Callers>, Vec<Callers>)>,
}

impl<'a> Comparison<'a> {
    /// Pairs the functions of two files.
    ///
    /// # Errors
    /// They are for different machines.
    pub fn new(old: &'a Image, new: &'a Image, jobs: usize) -> Result<Comparison<'a>, ObjectError> {
        old.same_machine(new)?;
        let sides = both(jobs, || Side::of(old), || Side::of(new));
        Ok(Comparison {
            sides,
            pairing: Pairing::of(old, new),
            types: OnceLock::new(),
            kept: OnceLock::new(),
            reads: OnceLock::new(),
            callers: OnceLock::new(),
        })
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairing.pairs.len()
    }

    /// Compares a pair the cheap way. None where there is no such pair.
    #[must_use]
    pub fn cheap(&self, n: usize) -> Option<Compared> {
        let pair = *self.pairing.pairs.get(n)?;
        let answer = self.compare(pair);
        Some(self.told(pair, &answer))
    }

    /// Compares a pair, with so much processor time and memory in bytes for a proof. None where there is no such pair.
    #[must_use]
    pub fn prove(&self, n: usize, (time, memory): (Duration, u64)) -> Option<Compared> {
        let pair = *self.pairing.pairs.get(n)?;
        let mut answer = self.compare(pair);
        let begun = Instant::now();
        let (mut ms, mut plan, mut otherwise, mut callers) = (None, None, None, None);
        if let Verdict::Unknown(Why::NotModelledYet(first)) = &answer.verdict {
            let (old, new) = (&self.sides.0, &self.sides.1);
            let known = self.known((time, memory), 0..0);
            let both = (pair.old, pair.new);
            if let Some(proved) = proof::answer((old, new), &self.pairing, both, &known, first) {
                answer = proved.answer;
                otherwise = proved.otherwise.map(|answer| Box::new(self.told(pair, &answer).function));
                plan = proved.plan.map(|plan| plan.map(Box::new));
                let fitted = plan.as_ref().is_some_and(Result::is_ok) && self.is_fitted(pair, known.types);
                callers = fitted.then(|| self.at_callers(pair, known, (begun, time)));
                ms = Some(begun.elapsed().as_secs_f64() * 1e3);
            }
        }
        let mut out = self.told(pair, &answer);
        out.function.ms = ms;
        (out.open, out.plan, out.otherwise, out.callers) = (false, plan, otherwise, callers);
        Some(out)
    }

    /// Whether a compiler may rely on what a function's callers pass: on either side no other file can call it and nobody has
    /// its address; or LLVM may have changed its parameters; or it is a part split off another function (`f.part.0`), which
    /// two versions may split differently.
    fn is_fitted(&self, pair: Pair, types: &(Types, Types)) -> bool {
        let callers = self.callers();
        [(&self.sides.0, &types.0, &callers.0, pair.old), (&self.sides.1, &types.1, &callers.1, pair.new)]
            .into_iter()
            .any(|(side, types, callers, n)| {
                let name = &side.image.functions[n].name;
                !callers[n].others || types.reshaped.contains(name) || name.contains('.')
            })
    }

    fn callers(&self) -> &(Vec<Callers>, Vec<Callers>) {
        self.callers.get_or_init(|| (callers::of(self.sides.0.image), callers::of(self.sides.1.image)))
    }

    /// How to show a difference at callers that nobody fits to anything, with the body of the function in the place of its call
    /// and of those between the two: what differs there comes from what callers pass.
    fn at_callers(&self, pair: Pair, known: Knowledge<'_>, (begun, time): (Instant, Duration)) -> Vec<Plan> {
        let (old, new) = (&self.sides.0, &self.sides.1);
        let size = |pair: &Pair| old.image.functions[pair.old].size() + new.image.functions[pair.new].size();
        let (mut out, mut tried, mut known) = (Vec::new(), 0, known);
        let mut open = vec![vec![pair]];
        while let Some(inside) = open.pop() {
            let last = inside[inside.len() - 1];
            let callers = self.callers();
            let calls = |p: &&Pair| {
                callers.0[last.old].direct.contains(&p.old) || callers.1[last.new].direct.contains(&p.new)
            };
            let new_to = |p: &&Pair| inside.iter().all(|q| q.old != p.old && q.new != p.new);
            let mut list: Vec<Pair> =
                self.pairing.pairs.iter().filter(calls).filter(new_to).copied().collect();
            list.sort_by_key(size);
            for caller in list {
                known.time = time.saturating_sub(begun.elapsed());
                if tried >= CALLERS || known.time.is_zero() {
                    return out;
                }
                if self.is_fitted(caller, known.types) {
                    let mut deeper = inside.clone();
                    deeper.push(caller);
                    open.extend((deeper.len() <= DEPTH).then_some(deeper));
                    continue;
                }
                tried += 1;
                known.inside = [true, false].map(|is_old| {
                    inside.iter().map(|pair| if is_old { pair.old } else { pair.new }).collect()
                });
                let both = (caller.old, caller.new);
                let found = proof::answer((old, new), &self.pairing, both, &known, &Difference::Shape);
                out.extend(found.and_then(|found| found.plan?.ok()));
            }
        }
        out
    }

    fn known(&self, (time, memory): (Duration, u64), states: Range<u64>) -> Knowledge<'_> {
        let (old, new) = (&self.sides.0, &self.sides.1);
        let types = self.types.get_or_init(|| (Types::of(old.image), Types::of(new.image)));
        let kept = self.kept.get_or_init(|| (semantics::kept::of(old.image), semantics::kept::of(new.image)));
        let reads = self.reads.get_or_init(|| {
            (semantics::reads::of(old.image, &types.0), semantics::reads::of(new.image, &types.1))
        });
        Knowledge { types, kept, reads, time, memory, states, inside: Default::default() }
    }

    /// Runs a pair from the random states of these numbers: what the sides differ in first; none where they differ nowhere.
    /// Differences for which `says_nothing` holds, given the number of their state, do not count.
    ///
    /// # Errors
    /// None of the states says anything; why, in words.
    pub fn random(
        &self,
        n: usize,
        states: Range<u64>,
        replayer: &Replayer,
        says_nothing: &dyn Fn(u64, &Observed) -> bool,
    ) -> Result<Option<Observed>, String> {
        let pair = self.pairing.pairs.get(n).ok_or("no such pair")?;
        let (sides, both) = ((&self.sides.0, &self.sides.1), (pair.old, pair.new));
        let mut last = Err("the code is not modelled".to_owned());
        // Plans hold pages of memory: not all of them at once.
        for first in states.clone().step_by(STATES as usize) {
            let known = self.known((Duration::ZERO, 0), first..states.end.min(first + STATES));
            let answered = proof::answer(sides, &self.pairing, both, &known, &Difference::Shape);
            let plans = answered.map(|answered| answered.states).unwrap_or_default();
            for (state, plan) in (first..).zip(plans) {
                match plan.map(|plan| replayer.run(&plan).finding) {
                    Ok(Finding::Differ(how) | Finding::NotReached(how)) => {
                        if !says_nothing(state, &how) {
                            return Ok(Some(how));
                        }
                        last = last.or(Err("the difference says nothing".to_owned()));
                    }
                    Ok(Finding::Same) => last = Ok(None),
                    Ok(Finding::Undefined(what)) => last = last.or(Err(what.to_string())),
                    Ok(Finding::NotReproduced(why) | Finding::NotPossible(why)) | Err(why) => {
                        last = last.or(Err(why));
                    }
                }
            }
        }
        last
    }

    /// The number of the pair of a function of the new file.
    #[must_use]
    pub fn of_new(&self, function: usize) -> Option<usize> {
        self.pairing.pairs.iter().position(|pair| pair.new == function)
    }

    fn compare(&self, pair: Pair) -> Answer {
        compare(&self.sides.0, &self.sides.1, &self.pairing, (pair.old, pair.new))
    }

    fn told(&self, pair: Pair, answer: &Answer) -> Compared {
        let (old, new) = (self.sides.0.image, self.sides.1.image);
        let (a, b) = (Code::of(old, pair.old), Code::of(new, pair.new));
        let mut opcodes = BTreeMap::new();
        if matches!(answer.verdict, Verdict::Unknown(_) | Verdict::Unsupported(_)) {
            count(old, &a, &mut opcodes, |_, _| true);
            count(new, &b, &mut opcodes, |_, _| true);
        }
        let mut not_modelled = BTreeMap::new();
        for (image, code) in [(old, &a), (new, &b)] {
            count(image, code, &mut not_modelled, |at, bytes| {
                !semantics::models_instruction(image.arch, bytes, at)
            });
        }
        let unknown = |code: &Code| code.insns().filter(|i| !i.known()).count() as u64;
        let instructions = ((a.insns().count() + b.insns().count()) as u64, unknown(&a) + unknown(&b));
        let modelled = semantics::models(old) && semantics::models(new);
        let open = modelled && matches!(&answer.verdict, Verdict::Unknown(Why::NotModelledYet(_)));
        let function = function(old, new, pair, answer, (&a, &b));
        Compared {
            function,
            open,
            plan: None,
            otherwise: None,
            callers: None,
            opcodes,
            not_modelled,
            instructions,
        }
    }

    /// The report of the files, of what was found about all pairs.
    #[must_use]
    pub fn report(&self, found: Vec<Compared>) -> FileReport {
        let mut report = FileReport::default();
        for Compared { function, opcodes, not_modelled, instructions, .. } in found {
            for (to, from) in [(&mut report.opcodes, opcodes), (&mut report.not_modelled, not_modelled)] {
                for (name, count) in from {
                    *to.entry(name).or_default() += count;
                }
            }
            report.instructions.0 += instructions.0;
            report.instructions.1 += instructions.1;
            report.functions.push(function);
        }
        let (old, new) = (self.sides.0.image, self.sides.1.image);
        for (image, list, is_old) in
            [(old, &self.pairing.only_old, true), (new, &self.pairing.only_new, false)]
        {
            report.lone.extend(list.iter().map(|n| {
                let f = &image.functions[*n];
                let (function, file) = (f.name.clone(), String::new());
                LoneReport { file, function, old: is_old, local: f.local, bytes: f.size() }
            }));
        }
        objects(&self.sides.0, &self.sides.1, &self.pairing, &mut report);
        report
    }
}

/// Compares two files in this process, with so many threads, and so much processor time for a proof.
///
/// # Errors
/// They are for different machines.
pub fn compare_images(
    old: &Image,
    new: &Image,
    jobs: usize,
    time: Duration,
) -> Result<FileReport, ObjectError> {
    let comparison = Comparison::new(old, new, jobs)?;
    let numbers: Vec<usize> = (0..comparison.pairs()).collect();
    let (replayer, rules) = (Replayer::default(), Rules::default());
    let found = in_parallel(jobs, &numbers, |n| {
        let mut found = comparison.prove(*n, (time, 2 << 30))?;
        found.replay(&replayer, &rules);
        Some(found)
    });
    Ok(comparison.report(found.into_iter().flatten().collect()))
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

/// Counts the mnemonics of instructions that a test chooses by address and bytes; what fills space is none.
fn count(
    image: &Image,
    code: &Code,
    opcodes: &mut BTreeMap<String, u64>,
    chosen: impl Fn(u64, &[u8]) -> bool,
) {
    let decoder = code::decoder(image.arch);
    for stretch in &code.stretches {
        for insn in stretch.insns.iter().filter(|insn| !insn.nop) {
            let bytes = code::bytes_of(image, stretch.section, insn);
            if chosen(insn.at, &bytes) {
                *opcodes.entry(decoder.mnemonic(&bytes, insn)).or_default() += 1;
            }
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
            (Some(why.kind()), Some(why.difference().name()), Some(why.text()), Vec::new())
        }
        Verdict::Unsupported(lack) if lack.place.is_empty() => {
            (None, None, Some(lack.what.clone()), Vec::new())
        }
        Verdict::Unsupported(lack) => {
            (None, None, Some(format!("{} at {}", lack.what, lack.place)), Vec::new())
        }
    };
    FunctionReport {
        file: String::new(),
        function: new.functions[pair.new].name.clone(),
        by: pair.by,
        verdict: verdict.kind(),
        how: verdict.how(),
        assumptions,
        rests_on: answer.callees.iter().cloned().collect(),
        why,
        ms: None,
        difference: difference.map(str::to_owned),
        text,
        replay: None,
        bucket: None,
        cause: None,
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
