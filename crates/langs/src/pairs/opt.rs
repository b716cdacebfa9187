//! LLVM IR against LLVM IR: what an optimiser must preserve. The target must refine the source: undefined behaviour
//! of the source permits anything, and a value the source leaves open matches any; the target's poison is held
//! against it.

use super::beyond::{beyond_the_function, callees};
use super::isel::{agree, describe, same_names};
use super::objects::{Object, Pairings};
use super::prove::{Ask, Report, ask, plainly, resting_on, unsupported};
use super::settled::settled;
use super::unfollowed::unfollowed;
use super::{asked, fitted, fortified, inlined, narrowed, promised, refitted, simpler, variables};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext, Unsupported};
use crate::llvm_ir::ast::{Attr, CastOp, Function, Inst, LocalId, Module, Op, Operand};
use crate::llvm_ir::intrinsics::{Block, Intrinsic};
use crate::llvm_ir::program::{Boundary, OF_VALUES, Program};
use crate::llvm_ir::semantics::{Checks, Ir, Side, known_global_size};
use crate::llvm_ir::types::Type;
use crate::memory::access::AccessCheck;
use equiv::{
    Acceptability, Constraint, Counterexample, Event, EventKind, Knowing, Limit, Options, Programs, Promised,
    Shape, Stated, Val, VarSort, Verdict, state,
};
use rustc_hash::FxHashSet;
use smt::clock::Instant;
use smt::effort::{Ceiling, Effort};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The relation between two versions of an LLVM IR function.
#[derive(Clone, Copy)]
pub struct Opt<'p, 'm> {
    /// The source.
    pub left: &'p Program<'m>,
    /// The target.
    pub right: &'p Program<'m>,
}

/// Whether values agree, and no right one is poison or undef where the left one is neither, or poison where the left one
/// is undef.
fn refines<D: Domain>(d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
    let mut fine = agree(d, left, right);
    let mut i = 0;
    while i + 1 < left.len().min(right.len()) {
        match (&left[i], &right[i], &left[i + 1], &right[i + 1]) {
            (Val::Bv(_), Val::Bv(_), Val::Bv(l), Val::Bv(r)) => {
                for bit in 0..d.width(l).min(d.width(r)).min(2) {
                    let (l, r) = (d.extract(bit, bit, l), d.extract(bit, bit, r));
                    let (free, bad) = (d.is_set(&l), d.is_set(&r));
                    let good = d.not(&bad);
                    let here = d.or(&free, &good);
                    fine = d.and(&fine, &here);
                }
                i += 2;
            }
            _ => i += 1,
        }
    }
    fine
}

/// Whether events give the same: what says whether a result is poison, in the second half of the values, has another
/// width where it is promised not to be.
fn same_results(left: &[VarSort], right: &[VarSort]) -> bool {
    let flag = |s: &VarSort| matches!(s, VarSort::Bv(3 | 4));
    let values = left.iter().filter(|s| matches!(s, VarSort::Bv(_))).count();
    let same = |(n, (l, r)): (usize, (&VarSort, &VarSort))| l == r || (2 * n >= values && flag(l) && flag(r));
    left.len() == right.len() && left.iter().zip(right).enumerate().all(same)
}

impl Acceptability for Opt<'_, '_> {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint> {
        same_names(left, right)
    }

    fn exit<D: Domain>(&self, d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
        refines(d, left, right)
    }

    fn event<D: Domain>(&self, d: &mut D, left: &Event<D>, right: &Event<D>) -> Option<D::Bool> {
        (promised::same_event(&left.label, &right.label) && same_results(&left.results, &right.results))
            .then(|| refines(d, &left.args, &right.args))
    }

    fn results<D: Domain>(
        &self,
        d: &mut D,
        left: &Event<D>,
        right: &Event<D>,
        fresh: &mut dyn FnMut(&mut D, VarSort) -> Val<D>,
    ) -> (Vec<Val<D>>, Vec<Val<D>>) {
        let vals: Vec<Val<D>> = left.results.iter().map(|s| fresh(d, *s)).collect();
        let values = vals.iter().filter(|v| matches!(v, Val::Bv(_))).count();
        let each = vals.iter().zip(left.results.iter().zip(&right.results)).enumerate();
        let fitted = each.map(|(n, (v, sorts))| match (v, sorts) {
            _ if 2 * n < values => v.clone(),
            // The source says that it is not poison.
            (Val::Bv(_), (VarSort::Bv(3), VarSort::Bv(width @ (3 | 4)))) => Val::Bv(d.num(*width, 0)),
            (Val::Bv(v), (VarSort::Bv(4), VarSort::Bv(3))) => {
                let not = d.bv_not(v);
                let (poison, all, none) = (d.is_zero(&not), d.num(3, 7), d.num(3, 0));
                Val::Bv(d.ite(&poison, &all, &none))
            }
            _ => v.clone(),
        });
        let right = fitted.collect();
        (vals, right)
    }

    /// A call that promises to return and to throw nothing does return, or is undefined.
    fn goes_on<D: Domain>(&self, event: &Event<D>) -> bool {
        let promises = |word: &str| {
            event.label.promises.iter().any(|p| matches!(p.of, Promised::Call) && p.word == word)
        };
        event.kind == EventKind::Call && promises("willreturn") && promises("nounwind")
    }

    fn erring_left(&self) -> bool {
        true
    }

    fn describe(&self, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
        describe(vals)
    }
}

pub(super) fn find<'m>(m: &'m Module, name: &str) -> Result<&'m Function, Unsupported> {
    let id = m.names.get(name);
    if let Some((_, error)) = m.damaged.iter().find(|(n, _)| Some(*n) == id) {
        return Err(Unsupported::new(error.to_string()));
    }
    match m.functions.iter().find(|f| Some(f.name) == id && f.defined) {
        Some(f) => Ok(f),
        None => Err(Unsupported::new(format!("no function {name}"))),
    }
}

/// A variable of either function that the modules give different sizes: its bounds, which addresses are told apart by,
/// would be unclear.
fn resized<'m>((left, f): (&'m Module, &Function), (right, g): (&Module, &Function)) -> Option<&'m str> {
    let mut used: FxHashSet<&str> = FxHashSet::default();
    let mut all = false;
    for (m, f) in [(left, f), (right, g)] {
        let reached = variables::reached(m, f);
        all |= reached.len() >= variables::MOST;
        used.extend(reached.into_iter().map(|n| m.names.text(n)));
    }
    let names = left.globals.iter().map(|g| left.names.text(g.name));
    names.filter(|n| all || used.contains(n)).find(|name| {
        let size = |m: &Module| m.names.get(name).and_then(|id| known_global_size(m, id));
        matches!((size(left), size(right)), (Some(a), Some(b)) if a != b)
    })
}

/// The functions that both modules define, by name.
pub fn opt_functions(left: &Module, right: &Module) -> Vec<String> {
    let defined = |m: &Module, name: &str| {
        let id = m.names.get(name);
        id.is_some_and(|id| m.functions.iter().any(|f| f.name == id && f.defined))
    };
    left.functions
        .iter()
        .filter(|f| f.defined)
        .map(|f| left.names.text(f.name).to_owned())
        .filter(|name| defined(right, name))
        .collect()
}

/// What a proof of the other form does without.
const TAKEN: [Assumption; 4] = [
    Assumption::ArgumentsDefined,
    Assumption::ResultsDefined,
    Assumption::PromisesAtCalls,
    Assumption::NewPromise,
];

/// The work of a form of a proof that another follows which takes more for granted, and that for each block.
const BRIEF: Effort = Effort::mega(2_500);
const BRIEF_BLOCK: Effort = Effort::mega(40);

/// Proves or refutes that a function of `right` refines the one of the same name in `left`.
pub fn prove_opt(left: &Module, right: &Module, name: &str, opts: &Options) -> Report {
    answer_opt(left, right, name, opts, &Ask::Prove(None))
}

/// What a form of a proof takes for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    /// Arguments and results of calls may be poison, and the target has to keep what it promises.
    pub(super) strict: bool,
    /// The source's alias metadata is relied on: optimisers move accesses by it.
    pub(super) trusting: bool,
    /// Which of the ways to pair stack objects is taken.
    pub(super) pairing: usize,
}

impl Form {
    /// Inputs are defined, metadata is not relied on, and objects are paired as they are most alike.
    pub(super) const PLAIN: Form = Form { strict: false, trusting: false, pairing: 0 };
}

/// As [`prove_opt`], with hints, or only checking a certificate again.
pub fn answer_opt(left: &Module, right: &Module, name: &str, opts: &Options, what: &Ask<'_>) -> Report {
    let start = Instant::now();
    let mut source = Cow::Borrowed(left);
    let lost = inlined::inline(&mut source, right, name);
    if refitted::give_shape(left, &mut source, right, name) || lost.is_some() {
        fold(&mut source, name);
    }
    let answered = asked::answer(&mut source, right, name);
    if answered {
        fold(&mut source, name);
    }
    let mut of_library = fortified::without_checks(&mut source, right, name);
    let mut right = Cow::Borrowed(right);
    of_library |= simpler::make_simpler(&mut source, &mut right, name);
    let right = &*right;
    let narrowed = narrowed::narrow(&mut source, right, name);
    let (target, rests) = fitted::tell(&mut source, right, name);
    let (l, r) = (&*source, &*target);
    let mut report = judged(l, r, name, opts, what);
    let open = match &report.verdict {
        Verdict::Unsupported { .. } | Verdict::Unknown(_) => !matches!(what, Ask::Run(_)),
        Verdict::Proved(_) | Verdict::Conditional { .. } | Verdict::Bounded { .. } | Verdict::Refuted(_) => {
            false
        }
    };
    let rest = |l: &Module, r: &Module| {
        let time = opts.time.saturating_sub(start.elapsed());
        judged(l, r, name, &Options { time, ..opts.clone() }, what)
    };
    if open && let Some(verdict) = settled(l, r, name, rest) {
        report.verdict = verdict;
    }
    report.verdict = report.verdict.resting_on(|a| a, rests);
    if of_library {
        let rests = plainly(&BTreeSet::from([Assumption::FunctionsOfTheLibrary]));
        report.verdict = report.verdict.resting_on(|a| a, rests);
    }
    if lost == Some(true) {
        report.verdict =
            unless_refuted(report.verdict, "what inlined functions promise is partly dropped", name);
    }
    if narrowed {
        report.verdict =
            unless_refuted(report.verdict, "what the bit stands for that a variable became is guessed", name);
    }
    if answered {
        report.verdict =
            unless_refuted(report.verdict, "whether a value is known may be answered either way", name);
    }
    report.time = start.elapsed();
    report
}

/// Makes a function of a module simpler.
fn fold(source: &mut Cow<'_, Module>, name: &str) {
    if let Ok(f) = find(source, name).cloned() {
        let m = source.to_mut();
        let folded = m.folded(&f);
        m.put(folded);
    }
}

/// A verdict, but for a refutation, which says too much.
fn unless_refuted(verdict: Verdict<Assumption>, why: &str, name: &str) -> Verdict<Assumption> {
    match verdict {
        Verdict::Refuted(c) => {
            let what = format!("{why}; seen to differ: {}", c.differences.join(", "));
            Verdict::Unsupported { what, place: name.to_owned() }
        }
        Verdict::Proved(_)
        | Verdict::Conditional { .. }
        | Verdict::Bounded { .. }
        | Verdict::Unknown(_)
        | Verdict::Unsupported { .. } => verdict,
    }
}

/// The answer of the forms of a proof.
///
/// What a proof takes for granted it does only where the proof without fails: first that alias metadata is true, then
/// that inputs are defined and promises kept. A difference counts only if it is there under alias metadata too.
fn judged(left: &Module, right: &Module, name: &str, opts: &Options, what: &Ask<'_>) -> Report {
    let start = Instant::now();
    let searches = !matches!(what, Ask::Run(_));
    let tagged = searches && find(left, name).is_ok_and(|f| is_tagged(left, f));
    let blocks = find(left, name).map_or(0, |f| f.blocks.len() as u64);
    let granted = prepare(left, right, name, Form::PLAIN)
        .is_ok_and(|(.., stated)| TAKEN.iter().any(|a| stated.contains_key(a)));
    let mut forms = Vec::new();
    for strict in [true, false] {
        if !strict || (searches && granted) {
            forms.push(Form { strict, ..Form::PLAIN });
            if tagged {
                forms.push(Form { strict, trusting: true, ..Form::PLAIN });
            }
        }
    }
    // What excuses a difference: something that the optimiser may know and that is not followed here.
    let beyond = || {
        beyond_the_function(left, right, name, &spelled_out(left, right, name))
            .or_else(|| unfollowed(left, right, name))
    };
    // One ceiling for all: once it is reached, what was tried last says "out of time".
    let ceiling = Ceiling::start(opts.time);
    let mut report: Option<Report> = None;
    let mut last = Form::PLAIN;
    let mut n = 0;
    while let Some(form) = forms.get(n) {
        last = *form;
        // One round where another form of the proof follows.
        let is_last = n + 1 == forms.len();
        let rounds = if is_last { opts.rounds } else { 1 };
        // What the form after it proves as well is not long looked for.
        let brief = (tagged && !is_last).then(|| BRIEF + BRIEF_BLOCK.times(blocks));
        let first_round = opts.first_round.or(brief);
        let this = answer(left, right, name, (&Options { rounds, first_round, ..opts.clone() }, *form), what);
        // What is too much work for one form is left to the last, which has the least to show.
        let too_much =
            matches!(&this.verdict, Verdict::Unknown(reason) if reason.limit == Some(Limit::Effort));
        n = if too_much && !is_last { forms.len() - 1 } else { n + 1 };
        let told = match report.take() {
            Some(mut before) => {
                let both =
                    matches!((&before.verdict, &this.verdict), (Verdict::Unknown(_), Verdict::Unknown(_)));
                if !both || ceiling.reached() {
                    before.verdict = this.verdict;
                }
                before.stats.add(&this.stats);
                before
            }
            None => this,
        };
        let more = match &told.verdict {
            Verdict::Unknown(_) => true,
            // Alias metadata may forbid the inputs.
            Verdict::Refuted(_) => (tagged && !form.trusting) || (form.strict && beyond().is_some()),
            Verdict::Proved(_)
            | Verdict::Conditional { .. }
            | Verdict::Bounded { .. }
            | Verdict::Unsupported { .. } => false,
        };
        report = Some(told);
        if !more {
            break;
        }
    }
    let mut report = report.unwrap_or_else(|| unsupported(Unsupported::new("no form of a proof"), start));
    report.time = start.elapsed();
    if let Verdict::Refuted(_) = &report.verdict {
        report.verdict = match beyond() {
            Some(why) => unless_refuted(report.verdict, &why, name),
            None => {
                let with = |pairing: usize| {
                    let time = opts.time.saturating_sub(start.elapsed());
                    let opts = Options { time, ..opts.clone() };
                    answer(left, right, name, (&opts, Form { pairing, ..last }), what).verdict
                };
                however_paired(report.verdict, ways_to_pair(left, right, name, last), name, with)
            }
        };
    }
    if is_empty(&report.verdict) {
        let what = "the source is defined only where memory holds poison".to_owned();
        report.verdict = Verdict::Unsupported { what, place: name.to_owned() };
    }
    report
}

/// In how many ways stack objects of the functions can be paired.
fn ways_to_pair(left: &Module, right: &Module, name: &str, form: Form) -> usize {
    let (Ok(f), Ok(g)) = (find(left, name), find(right, name)) else { return 1 };
    sides((left, f), (right, g), form).map_or(1, |s| s.pairings.count())
}

/// The most ways to pair stack objects that are tried.
const MOST_PAIRINGS: usize = 24;

/// A refutation, if the difference is there however stack objects are paired: where they lie is for both programs to choose.
fn however_paired(
    refuted: Verdict<Assumption>,
    ways: usize,
    name: &str,
    with: impl Fn(usize) -> Verdict<Assumption>,
) -> Verdict<Assumption> {
    if ways > MOST_PAIRINGS {
        return unless_refuted(refuted, "which stack objects correspond is open", name);
    }
    for way in 1..ways {
        match with(way) {
            Verdict::Refuted(_) => (),
            proof @ (Verdict::Proved(_) | Verdict::Conditional { .. }) => return proof,
            Verdict::Bounded { .. } | Verdict::Unknown(_) | Verdict::Unsupported { .. } => {
                return unless_refuted(refuted, "which stack objects correspond is open", name);
            }
        }
    }
    refuted
}

/// Whether a proof is empty because of an assumption. The proof takes memory to hold no poison; for a source that itself
/// stores poison there is then no defined run at all, and any target would pass.
fn is_empty(verdict: &Verdict<Assumption>) -> bool {
    const BOTH: [Assumption; 2] = [Assumption::SourceIsUndefined, Assumption::PoisonInMemory];
    match verdict {
        Verdict::Conditional { assumptions, .. } => BOTH.iter().all(|a| assumptions.contains_key(a)),
        Verdict::Proved(_)
        | Verdict::Bounded { .. }
        | Verdict::Refuted(_)
        | Verdict::Unknown(_)
        | Verdict::Unsupported { .. } => false,
    }
}

/// The functions of the library that the source calls and whose calls have a meaning here.
fn spelled_out(left: &Module, right: &Module, name: &str) -> BTreeSet<String> {
    let source = opt_left(left, right, name);
    source.map(|program| program.ir.functions_spelled_out()).unwrap_or_default()
}

/// Whether the target does what is undefined, so that no result matters.
pub(super) fn target_errs(c: &Counterexample) -> bool {
    c.numbers.as_ref().is_some_and(|n| n.right_errs)
}

/// Whether alias metadata, or a parameter, promises something about a function's accesses.
pub(super) fn is_tagged(m: &Module, f: &Function) -> bool {
    let promised = |attrs: &[Attr]| attrs.iter().any(|a| m.names.text(a.name()) == "noalias");
    f.params.iter().any(|p| promised(&p.attrs))
        || f.insts.iter().any(|i| i.attachments.iter().any(|(kind, _)| m.names.text(*kind) == "tbaa"))
}

/// Runs both sides of a pair on random inputs that keep the promises of alias metadata.
pub fn run_opt_trusting(left: &Module, right: &Module, name: &str, opts: &Options, runs: u32) -> Report {
    answer(left, right, name, (opts, Form { trusting: true, ..Form::PLAIN }), &Ask::Run(runs))
}

fn answer(
    left: &Module,
    right: &Module,
    name: &str,
    (opts, form): (&Options, Form),
    what: &Ask<'_>,
) -> Report {
    match prepare(left, right, name, form) {
        Err(e) => unsupported(e, Instant::now()),
        Ok((l, r, mut stated)) => {
            let known = Opt { left: &l, right: &r };
            let guesses = Knowing { known: &known, registry: Opt::GUESSES };
            let report = ask(Programs { guesses: &[&guesses], ..Programs::new(&l, &r, &known) }, opts, what);
            state(&mut stated, plainly(&l.ir.assumptions.borrow()));
            state(&mut stated, plainly(&r.ir.assumptions.borrow()));
            resting_on(report, stated)
        }
    }
}

pub(super) type Prepared<'m> = (Program<'m>, Program<'m>, Stated<Assumption>);

pub(super) fn prepare<'m>(
    left: &'m Module,
    right: &'m Module,
    name: &str,
    form: Form,
) -> Result<Prepared<'m>, Unsupported> {
    let (f, g) = (find(left, name)?, find(right, name)?);
    if f.params.len() != g.params.len() {
        return Err(Unsupported::new("parameters differ in number"));
    }
    if left.layout != right.layout {
        return Err(Unsupported::new("data layouts differ"));
    }
    if let Some(name) = resized((left, f), (right, g)) {
        return Err(Unsupported::new(format!("@{name} has another size in the target")));
    }
    let mut stated = Stated::new();
    let mut plain: BTreeSet<Assumption> = BTreeSet::new();
    let Sides { l, r, a, b, pairings } = sides((left, f), (right, g), form)?;
    let pairs = pairings.way(form.pairing);
    let r = r.with_shared_objects(&pairs);
    let only = |all: &[Object], paired: &[usize]| -> Vec<usize> {
        all.iter().map(|o| o.0).filter(|i| !paired.contains(i)).collect()
    };
    let (of_left, of_right): (Vec<usize>, Vec<usize>) =
        pairs.iter().map(|(own, other)| (*other, *own)).unzip();
    let (mine, others) = (l.objects_named(&only(&a, &of_left)), r.objects_named(&only(&b, &of_right)));
    let (l, r) = (l.with_foreign_objects(others), r.with_foreign_objects(mine));
    if let Some(what) = variables::told_differently(&l, &r) {
        return Err(Unsupported::new(what));
    }
    if let Some(mode) = promised::other_mode(&l, &r) {
        return Err(Unsupported::new(format!("`{mode}` on one side alone")));
    }
    if form.strict {
        if undef_matters(&l, &r) {
            plain.insert(Assumption::NoUndefInputs);
        }
    } else if f.params.iter().any(|p| l.attr(&p.attrs, "noundef").is_none()) {
        plain.insert(Assumption::ArgumentsDefined);
    }
    if provenance_matters(&l, &r) {
        plain.insert(Assumption::PointersAreAddresses);
    }
    if loaded_poison_shows(&l, &r) {
        plain.insert(Assumption::PoisonInMemory);
    }
    let new_promises = promised::taken_on_trust(&l, &r);
    if !new_promises.is_empty() {
        stated.insert(Assumption::NewPromise, new_promises);
    }
    let declared = promised::declared_anew(&l, &r);
    if !declared.is_empty() {
        stated.insert(Assumption::PromisesAtCalls, declared);
    }
    plain.extend(target_promises(&r));
    if promised::tells_accesses_apart_anew(&l, &r) {
        plain.insert(Assumption::TargetAliasMetadata);
    }
    if promised::is_called_otherwise(&l, &r) {
        return Err(Unsupported::new("the target is called in another way"));
    }
    let boundary = |ir: &Ir<'_>| match callees(right, g).contains_key("bcmp") {
        true => Boundary { compared_with_zero: compared_with_zero(ir), ..Boundary::default() },
        false => Boundary::default(),
    };
    let (a, b) = (boundary(&l), boundary(&r));
    if !a.compared_with_zero.is_empty() {
        plain.insert(Assumption::MemcmpOfTheLibrary);
    }
    let (l, r) = (Program::new(l, a)?, Program::new(r, b)?);
    state(&mut stated, plainly(&plain));
    Ok((l, r, stated))
}

/// Both functions, with the objects of each that lie in memory, and the ways to pair those.
struct Sides<'m> {
    l: Ir<'m>,
    r: Ir<'m>,
    a: Vec<Object>,
    b: Vec<Object>,
    pairings: Pairings,
}

fn sides<'m>(
    (left, f): (&'m Module, &'m Function),
    (right, g): (&'m Module, &'m Function),
    form: Form,
) -> Result<Sides<'m>, Unsupported> {
    let checks = Checks { access: AccessCheck::Mapped, exact: true };
    let ir = |m: &'m Module, f: &'m Function, side: Side| {
        let mut ir = Ir::new(m, f, side, checks);
        let from_zero = ir.function_says("null_pointer_is_valid");
        if from_zero {
            ir.checks.access = AccessCheck::MappedFromZero;
        }
        ir
    };
    // Objects that stay private to their side are promoted, at first those alone that are accessed number by number.
    let promoted = || {
        let (l, r) = (ir(left, f, Side::Source), ir(right, g, Side::Target));
        let l = if form.trusting { l.with_alias_metadata() } else { l };
        let (l, r) = if form.strict { (l.with_poison_inputs(), r.with_poison_inputs()) } else { (l, r) };
        let (l, r) = (l.with_constants_of(right, g), r.with_constants_of(left, f));
        (l.with_private_promoted(), r.with_private_promoted())
    };
    // The others are paired, where all correspond in size: they go by the number that the source's have.
    let flat = |ir: &Ir<'_>| -> Vec<Object> {
        let objects = ir.stack_objects().into_iter().enumerate();
        objects.filter(|(i, _)| !ir.is_promoted(*i)).map(|(i, (_, size, _))| (i, size)).collect()
    };
    let correspond = |l: &Ir<'_>, r: &Ir<'_>| {
        let (a, b) = (flat(l), flat(r));
        let sizes = |all: &[Object]| {
            let mut sizes: Vec<u64> = all.iter().map(|o| o.1).collect();
            sizes.sort_unstable();
            sizes
        };
        let all = sizes(&a) == sizes(&b);
        (a, b, all)
    };
    let (mut l, mut r) = promoted();
    let (mut a, mut b, mut all) = correspond(&l, &r);
    if !all {
        (l, r) = (l.with_copied_promoted(), r.with_copied_promoted());
        (a, b, all) = correspond(&l, &r);
    }
    if !all {
        (l, r) = (l.with_read_promoted(), r.with_read_promoted());
        (a, b, all) = correspond(&l, &r);
    }
    if !all && l.is_unseen() && r.is_unseen() {
        // Objects that nobody sees need no partner. (Of promoted ones it is known what was never stored.)
        (l, r) = promoted();
        (a, b, all) = (flat(&l), flat(&r), true);
    }
    if !all {
        let sizes = |all: &[Object]| match all {
            [] => "none".to_owned(),
            all => all.iter().map(|o| o.1.to_string()).collect::<Vec<_>>().join(", "),
        };
        return Err(Unsupported::new(format!(
            "stack objects that do not correspond one to one, by their bytes {} in the source, {} in the target",
            sizes(&a),
            sizes(&b)
        )));
    }
    let pairings = Pairings::of((&l, &a), (&r, &b));
    Ok(Sides { l, r, a, b, pairings })
}

/// Calls of `memcmp` that are only asked whether it found a difference: optimisers make `bcmp` of them.
fn compared_with_zero(ir: &Ir<'_>) -> FxHashSet<LocalId> {
    let memcmp = |inst: &&Inst| matches!(&inst.op, Op::Call(c) if ir.callee_name(c) == Some("memcmp"));
    let results = ir.f.insts.iter().filter(memcmp).filter_map(|inst| inst.result);
    results.filter(|local| ir.only_compared_with_zero(*local)).collect()
}

/// The source of a pair, prepared.
pub(crate) fn opt_left<'m>(
    left: &'m Module,
    right: &'m Module,
    name: &str,
) -> Result<Program<'m>, Unsupported> {
    Ok(prepare(left, right, name, Form::PLAIN)?.0)
}

/// Whether it could matter that pointers to one address may lead to different objects: where pointers are made from
/// numbers, or compared with each other, or memory is copied as something that is no pointer on one side alone.
pub(super) fn provenance_matters(left: &Ir<'_>, right: &Ir<'_>) -> bool {
    let made = |ir: &Ir<'_>| {
        ir.f.insts.iter().any(|i| match &i.op {
            Op::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr, .. } => true,
            Op::ICmp { ty, lhs: Operand::Local(_), rhs: Operand::Local(_), .. } => {
                matches!(ir.m.types.resolve(*ty), Type::Ptr(_))
            }
            _ => false,
        })
    };
    let copies = |ir: &Ir<'_>| {
        let copy = |i: &&Inst| matches!(&i.op, Op::Call(c) if matches!(c.intrinsic, Some((Intrinsic::Block(Block::Copy | Block::Move), _))));
        ir.f.insts.iter().filter(copy).count()
    };
    made(left) || made(right) || copies(left) != copies(right)
}

/// Whether it would show that what was loaded is poison or undef: the source freezes, or chooses between bits, and the
/// target loads.
fn loaded_poison_shows(left: &Ir<'_>, right: &Ir<'_>) -> bool {
    let loads = right.f.insts.iter().any(|i| match &i.op {
        Op::Load { ptr, .. } => right.promoted_place(*ptr).is_none(),
        _ => false,
    });
    let settles = |i: &Inst| match &i.op {
        Op::Freeze { .. } => true,
        Op::Select { ty, .. } => matches!(left.m.types.resolve(*ty), Type::Int(1)),
        _ => false,
    };
    loads && left.f.insts.iter().any(settles)
}

/// Whether it could matter that an input is undef, of which each reading sees another value: where the target reads
/// what comes of one twice, or the source reads it once for good (`freeze`).
fn undef_matters(left: &Ir<'_>, right: &Ir<'_>) -> bool {
    if left.f.insts.iter().any(|i| matches!(i.op, Op::Freeze { .. })) {
        return true;
    }
    let f = right.f;
    let mut made = vec![false; f.locals.len()];
    for p in &f.params {
        made[p.local.0 as usize] = right.attr(&p.attrs, "noundef").is_none();
    }
    let loads = f.insts.iter().any(|i| matches!(i.op, Op::Load { .. }));
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for inst in &f.insts {
            let Some(result) = inst.result else { continue };
            let mut from =
                matches!(&inst.op, Op::Call(c) if c.intrinsic.is_none() && !right.result_is_defined(c));
            inst.op.for_each_operand(|o| from |= matches!(o, Operand::Local(l) if made[l.0 as usize]));
            if from && !std::mem::replace(&mut made[result.0 as usize], true) {
                changed = true;
            }
        }
    }
    let mut reads = vec![0u32; f.locals.len()];
    for inst in &f.insts {
        let (phi, store) = (matches!(inst.op, Op::Phi { .. }), matches!(inst.op, Op::Store { .. }));
        inst.op.for_each_operand(|o| {
            if let Operand::Local(l) = o {
                reads[l.0 as usize] += if phi || (store && loads) { 2 } else { 1 };
            }
        });
    }
    let twice = made.iter().zip(&reads).any(|(made, reads)| *made && *reads > 1);
    let any = made.iter().zip(&reads).any(|(made, reads)| *made && *reads > 0);
    twice || (any && promised::has_loops(f))
}

/// What is taken on trust about the target: promises at its calls, which values they return, and what its stack
/// objects hold before the first store.
fn target_promises(ir: &Ir<'_>) -> BTreeSet<Assumption> {
    let mut out = BTreeSet::new();
    if (0..ir.stack_objects().len()).any(|i| !ir.is_promoted(i)) {
        out.insert(Assumption::StackContents);
    }
    for inst in &ir.f.insts {
        let crate::llvm_ir::ast::Op::Call(call) = &inst.op else { continue };
        if call.intrinsic.is_some() {
            continue;
        }
        let promised = call.args.iter().flat_map(|a| &a.attrs).chain(&call.ret_attrs).any(|a| {
            let name = ir.m.names.text(a.name());
            name != "noundef" && OF_VALUES.contains(&name)
        });
        if promised::reaches_through_tail(ir, call) {
            out.insert(Assumption::PromisesAtCalls);
        }
        if ir.poison_inputs {
            continue;
        }
        if promised {
            out.insert(Assumption::PromisesAtCalls);
        }
        let returns = call.ret != crate::llvm_ir::types::Types::VOID;
        if returns && ir.attr(&call.ret_attrs, "noundef").is_none() {
            out.insert(Assumption::ResultsDefined);
        }
    }
    out
}
