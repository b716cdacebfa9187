//! LLVM IR against LLVM IR: what an optimiser must preserve. The target must refine the source: undefined behaviour
//! of the source permits anything, and a value the source leaves open matches any; the target's poison is held
//! against it.

use super::isel::{agree, describe, same_names};
use super::prove::{Ask, Report, ask, plainly, resting_on, unsupported};
use crate::assumption::Assumption;
use crate::domain::{Domain, Ext, Unsupported};
use crate::llvm_ir::ast::{Attr, Call, ConstKind, Function, Inst, LocalId, Module, Op, Operand};
use crate::llvm_ir::program::{Boundary, Program};
use crate::llvm_ir::semantics::{Checks, Ir, Side, known_global_size};
use crate::memory::access::AccessCheck;
use crate::names::Name;
use equiv::{
    Acceptability, Constraint, Event, Knowing, Options, Programs, Shape, Stated, Val, Verdict, state,
};
use rustc_hash::FxHashSet;
use smt::clock::Instant;
use smt::effort::Ceiling;
use std::collections::BTreeSet;

/// The relation between two versions of an LLVM IR function.
#[derive(Clone, Copy)]
pub struct Opt<'p, 'm> {
    /// The source.
    pub left: &'p Program<'m>,
    /// The target.
    pub right: &'p Program<'m>,
}

/// Whether a right value is poison or undef where the left one is not.
fn refines<D: Domain>(d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
    let mut fine = agree(d, left, right);
    let mut i = 0;
    while i + 1 < left.len().min(right.len()) {
        match (&left[i], &right[i], &left[i + 1], &right[i + 1]) {
            (Val::Bv(_), Val::Bv(_), Val::Bv(l), Val::Bv(r)) => {
                let (free, bad) = (d.is_set(l), d.is_set(r));
                let good = d.not(&bad);
                let here = d.or(&free, &good);
                fine = d.and(&fine, &here);
                i += 2;
            }
            _ => i += 1,
        }
    }
    fine
}

impl Acceptability for Opt<'_, '_> {
    fn entry(&self, left: &Shape, right: &Shape) -> Vec<Constraint> {
        same_names(left, right)
    }

    fn exit<D: Domain>(&self, d: &mut D, left: &[Val<D>], right: &[Val<D>]) -> D::Bool {
        refines(d, left, right)
    }

    fn event<D: Domain>(&self, d: &mut D, left: &Event<D>, right: &Event<D>) -> Option<D::Bool> {
        (left.label == right.label && left.results == right.results)
            .then(|| refines(d, &left.args, &right.args))
    }

    fn describe(&self, vals: &[Val<smt::Concrete>]) -> Vec<Option<String>> {
        describe(vals)
    }
}

fn find<'m>(m: &'m Module, name: &str) -> Result<&'m Function, Unsupported> {
    let id = m.names.get(name);
    if let Some((_, error)) = m.damaged.iter().find(|(n, _)| Some(*n) == id) {
        return Err(Unsupported::new(error.to_string()));
    }
    match m.functions.iter().find(|f| Some(f.name) == id && f.defined) {
        Some(f) => Ok(f),
        None => Err(Unsupported::new(format!("no function {name}"))),
    }
}

/// Attributes that promise something about a value: undefined behaviour or poison where they do not hold.
const PROMISES: [&str; 8] = [
    "noundef",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
    "align",
    "range",
    "nofpclass",
    "noalias",
];

/// A variable that the modules give different sizes: its bounds, which addresses are told apart by, would be unclear.
fn resized<'m>(left: &'m Module, right: &Module) -> Option<&'m str> {
    left.globals.iter().map(|g| left.names.text(g.name)).find(|name| {
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

/// Do two attributes of different modules say the same? Attributes that name types count as different.
fn same_attr(l: &Module, a: &Attr, r: &Module, b: &Attr) -> bool {
    let values = match (a, b) {
        (Attr::Flag(_), Attr::Flag(_)) => true,
        (Attr::Int(_, x), Attr::Int(_, y)) => x == y,
        (Attr::Text(_, x), Attr::Text(_, y)) => x.map(|x| l.names.text(x)) == y.map(|y| r.names.text(y)),
        (Attr::Raw(_, x), Attr::Raw(_, y)) => x == y,
        _ => false,
    };
    values && l.names.text(a.name()) == r.names.text(b.name())
}

/// The first promise of the target that the source does not make, by its attribute.
fn new_promise(l: &Module, left: &[Attr], r: &Module, right: &[Attr]) -> Option<String> {
    right.iter().find_map(|attr| {
        let name = r.names.text(attr.name());
        let kept = left.iter().any(|a| same_attr(l, a, r, attr));
        (PROMISES.contains(&name) && !kept).then(|| name.to_owned())
    })
}

/// Proves or refutes that a function of `right` refines the one of the same name in `left`.
pub fn prove_opt(left: &Module, right: &Module, name: &str, opts: &Options) -> Report {
    answer_opt(left, right, name, opts, &Ask::Prove(None))
}

/// As [`prove_opt`], with hints, or only checking a certificate again.
pub fn answer_opt(left: &Module, right: &Module, name: &str, opts: &Options, what: &Ask<'_>) -> Report {
    let start = Instant::now();
    // Where the plain source does not do, its alias metadata is relied on, and that is stated: optimisers move accesses
    // by it.
    let trusting = !matches!(what, Ask::Run(_)) && find(left, name).is_ok_and(|f| is_tagged(left, f));
    let first = match trusting {
        // One round: another form of the proof follows.
        true => Options { rounds: 1, ..opts.clone() },
        false => opts.clone(),
    };
    // One ceiling for both: once it is reached, what was tried last says "out of time".
    let ceiling = Ceiling::start(opts.time);
    let mut report = answer(left, right, name, (&first, false), what);
    if trusting && matches!(report.verdict, Verdict::Unknown(_) | Verdict::Refuted(_)) {
        let second = answer(left, right, name, (opts, true), what);
        let keep = matches!((&report.verdict, &second.verdict), (Verdict::Unknown(_), Verdict::Unknown(_)));
        if !keep || ceiling.reached() {
            report.verdict = second.verdict;
        }
        report.stats.add(&second.stats);
    }
    report.time = start.elapsed();
    if let Verdict::Refuted(c) = &report.verdict
        && let Some(why) = beyond_the_function(left, right, name)
    {
        let why = format!("{why}; seen to differ: {}", c.differences.join(", "));
        report.verdict = Verdict::Unsupported { what: why, place: name.to_owned() };
    }
    report
}

/// Whether alias metadata promises something about a function's accesses.
pub(super) fn is_tagged(m: &Module, f: &Function) -> bool {
    f.insts.iter().any(|i| i.attachments.iter().any(|(kind, _)| m.names.text(*kind) == "tbaa"))
}

/// Runs both sides of a pair on random inputs that keep the promises of alias metadata.
pub fn run_opt_trusting(left: &Module, right: &Module, name: &str, opts: &Options, runs: u32) -> Report {
    answer(left, right, name, (opts, true), &Ask::Run(runs))
}

fn answer(
    left: &Module,
    right: &Module,
    name: &str,
    (opts, trusting): (&Options, bool),
    what: &Ask<'_>,
) -> Report {
    match prepare(left, right, name, trusting) {
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

/// What an optimiser may know of a function from outside it, so that a difference is none of its mistakes: how a local
/// function is called, what the functions it calls do.
fn beyond_the_function(left: &Module, right: &Module, name: &str) -> Option<String> {
    let (Ok(f), Ok(g)) = (find(left, name), find(right, name)) else { return None };
    let local =
        |m: &Module, f: &Function| f.words.iter().any(|w| matches!(m.names.text(*w), "internal" | "private"));
    if local(left, f) || local(right, g) {
        return Some("a local function may be fitted to its callers".into());
    }
    if points_to_its_own(left, f) {
        return Some("an object may have one pointer alone, which addresses do not tell".into());
    }
    let (a, b) = (callees(left, f), callees(right, g));
    if a != b {
        return Some("calls were removed or replaced, by what they are known to do".into());
    }
    // Of a function that the linker may replace by another nothing is known.
    let replaced = |f: &Function| f.words.iter().any(|w| matches!(left.names.text(*w), "weak" | "linkonce"));
    let defined = |n: &String| {
        left.names
            .get(n)
            .is_some_and(|id| left.functions.iter().any(|f| f.name == id && f.defined && !replaced(f)))
    };
    a.keys().find(|n| defined(n)).map(|n| format!("what {n} does may be known"))
}

/// Whether a function has pointers to objects that no other pointer leads to: parameters said to be so or passed by
/// value, and what allocation functions return.
pub(super) fn points_to_its_own(m: &Module, f: &Function) -> bool {
    let says = |attrs: &[Attr], word: &str| attrs.iter().any(|a| m.names.text(a.name()) == word);
    let returns_one = |i: &Inst| {
        let Op::Call(call) = &i.op else { return false };
        let name = called(m, call);
        let declared = m.functions.iter().find(|f| Some(f.name) == name);
        says(&call.ret_attrs, "noalias") || declared.is_some_and(|f| says(&f.ret_attrs, "noalias"))
    };
    f.params.iter().any(|p| says(&p.attrs, "noalias") || says(&p.attrs, "byval"))
        || f.insts.iter().any(returns_one)
}

/// The function that is called by its name.
fn called(m: &Module, call: &Call) -> Option<Name> {
    let Operand::Const(c) = call.callee else { return None };
    match m.consts.get(c.0 as usize)?.kind {
        ConstKind::Global(n) => Some(n),
        _ => None,
    }
}

/// How often a function calls which others by name.
fn callees(m: &Module, f: &Function) -> std::collections::BTreeMap<String, u32> {
    let mut out = std::collections::BTreeMap::new();
    for inst in &f.insts {
        let Op::Call(call) = &inst.op else { continue };
        if call.intrinsic.is_none()
            && let Some(n) = called(m, call).map(|n| m.names.text(n))
        {
            *out.entry(n.to_owned()).or_insert(0) += 1;
        }
    }
    out
}

pub(super) type Prepared<'m> = (Program<'m>, Program<'m>, Stated<Assumption>);

pub(super) fn prepare<'m>(
    left: &'m Module,
    right: &'m Module,
    name: &str,
    trusting: bool,
) -> Result<Prepared<'m>, Unsupported> {
    let (f, g) = (find(left, name)?, find(right, name)?);
    if f.params.len() != g.params.len() {
        return Err(Unsupported::new("parameters differ in number"));
    }
    if left.layout != right.layout {
        return Err(Unsupported::new("data layouts differ"));
    }
    if let Some(name) = resized(left, right) {
        return Err(Unsupported::new(format!("@{name} has another size in the target")));
    }
    let mut stated = Stated::new();
    let mut plain = BTreeSet::new();
    let mut new_promises = BTreeSet::new();
    for (p, q) in f.params.iter().zip(&g.params) {
        new_promises.extend(new_promise(left, &p.attrs, right, &q.attrs));
        if !p.attrs.iter().any(|a| left.names.text(a.name()) == "noundef") {
            plain.insert(Assumption::ArgumentsDefined);
        }
    }
    new_promises.extend(new_promise(left, &f.ret_attrs, right, &g.ret_attrs));
    if !new_promises.is_empty() {
        stated.insert(Assumption::NewPromise, new_promises);
    }
    let checks = Checks { access: AccessCheck::Mapped, exact: true };
    let (l, r) = (Ir::new(left, f, Side::Source, checks), Ir::new(right, g, Side::Target, checks));
    let l = if trusting { l.with_alias_metadata() } else { l };
    let (l, r) = (l.with_constants_of(right, g), r.with_constants_of(left, f));
    // Objects that stay private to their side are promoted. The others are paired by order, where all correspond
    // in size: they go by the number that the source's have.
    let (l, r) = (l.with_private_promoted(), r.with_private_promoted());
    let flat = |ir: &Ir<'_>| -> Vec<(usize, u64)> {
        let objects = ir.stack_objects().into_iter().enumerate();
        objects.filter(|(i, _)| !ir.is_promoted(*i)).map(|(i, (_, size, _))| (i, size)).collect()
    };
    let (a, b) = (flat(&l), flat(&r));
    if a.iter().map(|o| o.1).ne(b.iter().map(|o| o.1)) {
        return Err(Unsupported::new("stack objects that do not correspond one to one"));
    }
    let pairs: Vec<(usize, usize)> = b.iter().zip(&a).map(|(own, other)| (own.0, other.0)).collect();
    let r = r.with_shared_objects(&pairs);
    plain.extend(target_promises(&r));
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
    Ok(prepare(left, right, name, false)?.0)
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
            name != "noundef" && PROMISES.contains(&name)
        });
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
