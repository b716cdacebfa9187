//! What the target of an IR pair promises that the source does not: attributes of its parameters, its result, itself and
//! its calls.
//!
//! Where inputs may be poison, what the semantics can look at is an obligation (`llvm_ir/semantics/promises.rs`,
//! `effects.rs`), and what follows from the text is true. The rest is an assumption, named one by one.

use crate::llvm_ir::ast::{Arg, Attr, BlockId, Call, Function, Module, Op};
use crate::llvm_ir::is_calling_convention;
use crate::llvm_ir::program::{OF_FUNCTIONS, OF_MODES, OF_USES, OF_VALUES};
use crate::llvm_ir::semantics::atomics::locked;
use crate::llvm_ir::semantics::{Ir, MOST_KEPT, MadeFrom};
use equiv::{Label, Promise, Promised};
use std::collections::BTreeSet;

/// Do two attributes of different modules say the same? Attributes that name types count as different.
pub(super) fn same_attr(l: &Module, a: &Attr, r: &Module, b: &Attr) -> bool {
    let values = match (a, b) {
        (Attr::Flag(_), Attr::Flag(_)) => true,
        (Attr::Int(_, x), Attr::Int(_, y)) => x == y,
        (Attr::Text(_, x), Attr::Text(_, y)) => x.map(|x| l.names.text(x)) == y.map(|y| r.names.text(y)),
        (Attr::Raw(_, x), Attr::Raw(_, y)) => x == y,
        _ => false,
    };
    values && l.names.text(a.name()) == r.names.text(b.name())
}

/// The promises of the target that the source does not make.
fn added<'r>(
    l: &Module,
    left: &[&Attr],
    r: &'r Module,
    right: &[&'r Attr],
    words: &[&str],
) -> Vec<(&'r str, &'r Attr)> {
    let named = right.iter().map(|a| (r.names.text(a.name()), *a));
    named.filter(|(name, a)| words.contains(name) && !left.iter().any(|b| same_attr(l, b, r, a))).collect()
}

/// A mode of arithmetic, or the like, that the sides do not share.
pub(super) fn other_mode(left: &Ir<'_>, right: &Ir<'_>) -> Option<String> {
    let (mut l, mut r) = (all(left), all(right));
    l.retain(|a| !left.is_usual_mode(a));
    r.retain(|a| !right.is_usual_mode(a));
    let differs = added(left.m, &l, right.m, &r, &OF_MODES).first().map(|(name, _)| (*name).to_owned());
    differs.or_else(|| added(right.m, &r, left.m, &l, &OF_MODES).first().map(|(name, _)| (*name).to_owned()))
}

fn all<'m>(ir: &Ir<'m>) -> Vec<&'m Attr> {
    ir.attributes_of(ir.f).collect()
}

/// Whether a function has no calls but intrinsics and nothing that other threads see; and no loops.
fn keeps_to_itself(ir: &Ir<'_>) -> (bool, bool) {
    let quiet = ir.f.insts.iter().all(|i| match &i.op {
        Op::Call(call) => call.intrinsic.is_some() && locked(call).is_none(),
        Op::Load { access, .. } | Op::Store { access, .. } => access.is_plain(),
        Op::Fence(_)
        | Op::CmpXchg { .. }
        | Op::AtomicRmw { .. }
        | Op::CallBranch { .. }
        | Op::Exception(_) => false,
        _ => true,
    });
    (quiet, has_loops(ir.f))
}

/// Whether a block of a function may lead to itself.
pub(super) fn has_loops(f: &Function) -> bool {
    let next = |b: usize| -> Vec<usize> {
        let last = f.block_insts(BlockId(b as u32)).last();
        last.map(|i| i.op.successors().iter().map(|s| s.0 as usize).collect()).unwrap_or_default()
    };
    (0..f.blocks.len()).any(|start| {
        let (mut seen, mut todo) = (vec![false; f.blocks.len()], next(start));
        while let Some(b) = todo.pop() {
            if b == start {
                return true;
            }
            if seen.get_mut(b).is_some_and(|s| !std::mem::replace(s, true)) {
                todo.extend(next(b));
            }
        }
        false
    })
}

/// What the target newly promises that is neither an obligation nor seen to be true.
pub(super) fn taken_on_trust(left: &Ir<'_>, right: &Ir<'_>) -> BTreeSet<String> {
    let strict = right.poison_inputs;
    let mut out = BTreeSet::new();
    for (n, (p, q)) in left.f.params.iter().zip(&right.f.params).enumerate() {
        let (a, b): (Vec<&Attr>, Vec<&Attr>) = (p.attrs.iter().collect(), q.attrs.iter().collect());
        for (name, attr) in added(left.m, &a, right.m, &b, &OF_VALUES) {
            if !(strict && is_looked_at(name, attr)) {
                out.insert(name.to_owned());
            }
        }
        for (name, _) in added(left.m, &a, right.m, &b, &OF_USES) {
            let accesses = matches!(name, "readnone" | "readonly" | "writeonly");
            let fine = match name {
                "nocapture" | "captures" | "nofree" => right.stays_inside(n),
                "returned" => strict,
                "immarg" => true,
                _ => accesses && strict && right.stays_inside(n),
            };
            if !fine {
                out.insert(name.to_owned());
            }
        }
    }
    let (a, b): (Vec<&Attr>, Vec<&Attr>) =
        (left.f.ret_attrs.iter().collect(), right.f.ret_attrs.iter().collect());
    for (name, attr) in added(left.m, &a, right.m, &b, &OF_VALUES) {
        if !(strict && is_looked_at(name, attr)) {
            out.insert(name.to_owned());
        }
    }
    let (quiet, loops) = keeps_to_itself(right);
    for (name, attr) in added(left.m, &all(left), right.m, &all(right), &OF_FUNCTIONS) {
        let fine = match name {
            "noreturn" => strict,
            "nofree" | "nosync" | "nounwind" | "norecurse" | "nocallback" => quiet,
            "willreturn" | "mustprogress" => quiet && !loops,
            "memory" | "readnone" | "readonly" | "writeonly" | "argmemonly" => {
                let places = matches!(attr, Attr::Raw(_, text) if text.contains("inaccessiblemem") || text.contains("errno"));
                strict && !places && right.tells_all_accesses()
            }
            _ => false,
        };
        if !fine {
            out.insert(name.to_owned());
        }
    }
    out
}

/// Whether the semantics looks at all that an attribute of a value promises.
fn is_looked_at(name: &str, attr: &Attr) -> bool {
    match (name, attr) {
        ("noundef" | "nonnull" | "align" | "range", _) => true,
        ("dereferenceable" | "dereferenceable_or_null", Attr::Int(_, n)) => *n <= MOST_KEPT,
        _ => false,
    }
}

/// What the target's declarations promise of functions that both sides call, and the source's do not.
pub(super) fn declared_anew(left: &Ir<'_>, right: &Ir<'_>) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for inst in &right.f.insts {
        let Op::Call(call) = &inst.op else { continue };
        if call.intrinsic.is_some() {
            continue;
        }
        let Some(g) = right.callee(call) else { continue };
        let name = right.m.names.text(g.name);
        let beside = left.m.names.get(name).and_then(|id| left.m.functions.iter().find(|f| f.name == id));
        // A function that the source does not know is the target's own business.
        let Some(f) = beside else { continue };
        let lists = |ir: &Ir<'_>, f: &Function| -> Vec<Vec<Attr>> {
            let own = ir.attributes_of(f).cloned().collect();
            let params = f.params.iter().map(|p| p.attrs.clone());
            [own, f.ret_attrs.clone()].into_iter().chain(params).collect()
        };
        for (a, b) in lists(left, f).iter().zip(&lists(right, g)) {
            let (a, b): (Vec<&Attr>, Vec<&Attr>) = (a.iter().collect(), b.iter().collect());
            for words in [&OF_VALUES[..], &OF_USES[..], &OF_FUNCTIONS[..]] {
                let new = added(left.m, &a, right.m, &b, words);
                let looked = |name: &str, attr: &Attr| {
                    let of_library = name == "noundef" && right.is_told_of_library(g);
                    right.poison_inputs && is_looked_at(name, attr) && !of_library
                };
                out.extend(new.into_iter().filter(|(n, a)| !looked(n, a)).map(|(n, _)| n.to_owned()));
            }
        }
    }
    out
}

/// Whether the target's accesses have metadata of a kind that the source's have not: what it says is not proved.
pub(super) fn tells_accesses_apart_anew(left: &Ir<'_>, right: &Ir<'_>) -> bool {
    const KINDS: [&str; 5] = ["tbaa", "tbaa.struct", "alias.scope", "noalias", "invariant.load"];
    let has = |ir: &Ir<'_>, kind: &str| {
        let mut all = ir.f.insts.iter().flat_map(|i| i.attachments.iter());
        all.any(|(k, _)| ir.m.names.text(*k) == kind)
    };
    KINDS.iter().any(|kind| has(right, kind) && !has(left, kind))
}

/// Whether a function that others may call is called in another way: by another convention, or with arguments or a result
/// extended or passed in other ways.
pub(super) fn is_called_otherwise(left: &Ir<'_>, right: &Ir<'_>) -> bool {
    const WAYS: [&str; 12] = [
        "zeroext",
        "signext",
        "inreg",
        "byval",
        "sret",
        "byref",
        "nest",
        "inalloca",
        "preallocated",
        "swiftself",
        "swifterror",
        "swiftasync",
    ];
    if left.m.is_local(&left.f.words) {
        return false;
    }
    let convention = |ir: &Ir<'_>| -> Vec<String> {
        let words = ir.f.words.iter().map(|w| ir.m.names.text(*w));
        words.filter(|w| is_calling_convention(w.as_bytes()) && *w != "ccc").map(str::to_owned).collect()
    };
    let ways = |ir: &Ir<'_>| -> Vec<Vec<String>> {
        let lists = ir.f.params.iter().map(|p| &p.attrs).chain([&ir.f.ret_attrs]);
        let of = |attrs: &Vec<Attr>| {
            let mut names: Vec<&str> = attrs.iter().map(|a| ir.m.names.text(a.name())).collect();
            names.retain(|n| WAYS.contains(n));
            names.sort_unstable();
            names.into_iter().map(str::to_owned).collect()
        };
        lists.map(of).collect()
    };
    convention(left) != convention(right) || ways(left) != ways(right)
}

/// Whether a call that promises to leave the caller's objects alone (`tail`) is given one.
pub(super) fn reaches_through_tail(ir: &Ir<'_>, call: &Call) -> bool {
    let by_value = |a: &Arg| a.attrs.iter().any(|a| ir.m.names.text(a.name()) == "byval");
    call.tail.is_some_and(|t| ir.m.names.text(t) == "tail")
        && call.args.iter().any(|a| !by_value(a) && matches!(ir.made_from(a.value), MadeFrom::Stack))
}

/// Whether two events go by the same label, the right one promising nothing that the left does not.
pub(super) fn same_event(left: &Label, right: &Label) -> bool {
    const READS: [&str; 4] = ["memory(read)", "memory(argmem: read)", "memory(none)", "readonly"];
    // What reads alone writes nothing through an argument.
    let reads = || left.promises.iter().any(|p| p.of == Promised::Call && READS.contains(&p.word.as_str()));
    let follows = |p: &Promise| matches!(p.of, Promised::Argument(_)) && p.word == "readonly" && reads();
    left.deed == right.deed
        && left.callee == right.callee
        && right.promises.iter().all(|p| left.promises.contains(p) || follows(p))
}
