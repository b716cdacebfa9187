//! What an optimiser may know of a function from outside it, or of memory beyond what the semantics follows, so that a
//! difference is none of its mistakes: then nothing is refuted.

use super::opt::find;
use crate::llvm_ir::ast::{Attr, Call, ConstKind, Function, Inst, Module, Op, Operand};
use crate::llvm_ir::intrinsics::Intrinsic;
use crate::llvm_ir::semantics::Ir;
use crate::names::Name;

/// What an optimiser may know of a function from outside it, so that a difference is none of its mistakes: how a local
/// function is called, what the functions it calls do.
pub(super) fn beyond_the_function(left: &Module, right: &Module, name: &str) -> Option<String> {
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
    if let Some(n) = a.keys().find(|n| ALLOCATION.contains(&n.as_str()) || STRINGS.contains(&n.as_str())) {
        return Some(format!("what {n} does is known"));
    }
    if let Some(n) = a.keys().find(|n| promises_effects(left, n, a.values().sum())) {
        return Some(format!("what {n} does is partly known"));
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

/// Functions that make and end objects.
const ALLOCATION: [&str; 14] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocf",
    "free",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "strdup",
    "strndup",
    "_Znwm",
    "_Znam",
    "_ZdlPv",
    "_ZdaPv",
];

/// Functions of the library on bytes and strings that optimisers know by name.
const STRINGS: [&str; 14] = [
    "strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "strcpy", "strncpy", "stpcpy", "strcat",
    "memcmp", "memchr", "bcmp", "memccpy",
];

/// Whether a declaration says of a function which memory it leaves alone, so that others of so many calls may pass it;
/// or which argument it returns.
fn promises_effects(m: &Module, name: &str, calls: u32) -> bool {
    const EFFECTS: [&str; 7] = [
        "memory",
        "readnone",
        "readonly",
        "writeonly",
        "argmemonly",
        "inaccessiblememonly",
        "inaccessiblemem_or_argmemonly",
    ];
    let Some(f) = m.names.get(name).and_then(|id| m.functions.iter().find(|f| f.name == id)) else {
        return false;
    };
    let groups =
        m.attr_groups.iter().filter(|(n, _)| f.groups.contains(n)).flat_map(|(_, attrs)| attrs.iter());
    let effects = f.attrs.iter().chain(groups).any(|a| EFFECTS.contains(&m.names.text(a.name())));
    let returned = f.params.iter().flat_map(|p| &p.attrs).any(|a| m.names.text(a.name()) == "returned");
    returned || (effects && calls > 1)
}

/// What the source does with its own objects that the semantics does not follow: uses them outside of their lifetimes,
/// or hands them on before all of them is stored.
pub(super) fn unfollowed_object(ir: &Ir<'_>) -> Option<String> {
    for block in &ir.f.blocks {
        let mut dead: Vec<Operand> = Vec::new();
        for inst in &ir.f.insts[block.first as usize..block.end as usize] {
            match &inst.op {
                Op::Call(call) if matches!(call.intrinsic, Some((Intrinsic::Lifetime, _))) => {
                    let object = call.args.last().map(|a| a.value);
                    let name = ir.callee_name(call).unwrap_or_default();
                    dead.retain(|d| Some(*d) != object);
                    if name.contains("lifetime.end") {
                        dead.extend(object);
                    }
                }
                op => {
                    let mut used = false;
                    op.for_each_operand(|o| used |= dead.contains(&o));
                    if used {
                        return Some("an object is used outside of its lifetime".to_owned());
                    }
                }
            }
        }
    }
    let handed_on = ir.stack_objects().into_iter().enumerate().any(|(index, (local, size, _))| {
        let me = Operand::Local(local);
        if ir.is_promoted(index) {
            return false;
        }
        for inst in &ir.f.insts {
            let mut uses = false;
            inst.op.for_each_operand(|o| uses |= o == me);
            match &inst.op {
                Op::Store { ty, ptr, .. }
                    if *ptr == me && ir.m.layout.store_size(&ir.m.types, *ty) == Some(size) =>
                {
                    return false;
                }
                Op::Call(call) if uses => {
                    return !matches!(call.intrinsic, Some((Intrinsic::Lifetime | Intrinsic::Block(_), _)));
                }
                _ => {}
            }
        }
        false
    });
    handed_on.then(|| "an object is handed on before it is stored to".to_owned())
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
pub(super) fn callees(m: &Module, f: &Function) -> std::collections::BTreeMap<String, u32> {
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
