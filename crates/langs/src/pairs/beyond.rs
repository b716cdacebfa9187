//! What an optimiser may know of a function from outside it, or of memory beyond what the semantics follows, so that a
//! difference is none of its mistakes: then nothing is refuted.

use super::asked::asks;
use super::opt::find;
use super::variables;
use crate::llvm_ir::ast::{Attr, Call, CastOp, ConstKind, Function, Inst, Module, Op, Operand};
use crate::llvm_ir::intrinsics::{Block, Intrinsic};
use crate::llvm_ir::semantics::library::is_known as is_library_function;
use crate::llvm_ir::semantics::{Ir, MadeFrom};
use crate::memory::blocks::SPELLED_OUT;
use crate::names::Name;
use std::collections::BTreeSet;

/// What an optimiser may know of a function from outside it, so that a difference is none of its mistakes: how a local
/// function is called, what the functions it calls do.
///
/// Functions of the library whose calls have a meaning (`spelled`) hide nothing.
pub(super) fn beyond_the_function(
    left: &Module,
    right: &Module,
    name: &str,
    spelled: &BTreeSet<String>,
) -> Option<String> {
    let (Ok(f), Ok(g)) = (find(left, name), find(right, name)) else { return None };
    if left.is_local(&f.words) || right.is_local(&g.words) {
        return Some("a local function may be fitted to its callers".into());
    }
    if has_its_own_variable((left, f), right) || has_its_own_variable((right, g), left) {
        return Some("a local variable may be taken apart, or away".into());
    }
    if ALLOCATION.contains(&name) || STRINGS.contains(&name) {
        return Some(format!("what {name} promises its callers is known"));
    }
    if points_to_its_own(left, f) {
        return Some("an object may have one pointer alone, which addresses do not tell".into());
    }
    if blocks_at_once(left, f) != blocks_at_once(right, g) {
        return Some("what one side does in a loop, or not at all, the other has the library do".into());
    }
    let (mut a, b) = (callees(left, f), callees(right, g));
    a.retain(|n, _| !spelled.contains(n));
    let open = |i: &Inst| {
        i.attachments.iter().any(|(kind, _)| left.names.text(*kind) == "callees")
            && left.listed_callees(i).is_none_or(|listed| listed.len() > 1)
    };
    if f.insts.iter().any(open) {
        return Some("which functions may be called is known".into());
    }
    let other = a.keys().chain(b.keys()).filter(|n| a.get(*n) != b.get(*n));
    // What need not return is not left out, whatever it leaves alone, and not put in.
    let all = |n: &String| a.contains_key(n) != b.contains_key(n);
    let stays = |n: &String| {
        let may = may_not_return(left, f, n) && may_not_return(right, g, n);
        all(n) && (may || (never_returns(left, f, n) && never_returns(right, g, n)))
    };
    if other.into_iter().filter(|n| !stays(n)).any(|n| is_known(left, f, n) || is_known(right, g, n)) {
        return Some("calls were removed or replaced, by what they are known to do".into());
    }
    if let Some(n) = a.keys().find(|n| ALLOCATION.contains(&n.as_str()) || STRINGS.contains(&n.as_str())) {
        return Some(format!("what {n} does is known"));
    }
    let access = |i: &Inst| matches!(i.op, Op::Load { .. } | Op::Store { .. });
    let accesses = f.insts.iter().any(access);
    let promises = |n: &&String| promises_effects(left, n, (a.values().sum(), accesses));
    if let Some(n) = a.keys().filter(|n| !stays(n)).find(promises) {
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

/// Whether a function uses a local variable that the other module is without: all that is done with it was known.
fn has_its_own_variable((m, f): (&Module, &Function), other: &Module) -> bool {
    let there = |name: &str| {
        let id = other.names.get(name);
        other.globals.iter().any(|g| Some(g.name) == id)
    };
    let own = |n: &Name| {
        m.globals.iter().any(|g| g.name == *n && !g.constant && m.is_local(&g.words))
            && !there(m.names.text(*n))
    };
    variables::reached(m, f).iter().any(own)
}

/// How often a function copies, moves or fills more memory at once than is followed byte by byte: such an operation is an
/// event, which stores in a loop are not, though they may leave the same.
fn blocks_at_once(m: &Module, f: &Function) -> [u32; 3] {
    let mut out = [0; 3];
    for inst in &f.insts {
        let Op::Call(call) = &inst.op else { continue };
        let Some((Intrinsic::Block(block), _)) = call.intrinsic else { continue };
        let length = call.args.get(2).and_then(|a| match a.value {
            Operand::Const(c) => match &m.consts.get(c.0 as usize)?.kind {
                ConstKind::Int(n) => Some(*n),
                _ => None,
            },
            Operand::Local(_) => None,
        });
        if length.is_none_or(|n| n > SPELLED_OUT) {
            out[match block {
                Block::Copy => 0,
                Block::Move => 1,
                Block::Fill => 2,
            }] += 1;
        }
    }
    out
}

/// Whether an optimiser knows of a function what it does: it is the library's by its name, defined beside, or its
/// declaration or a call of it says so.
fn is_known(m: &Module, f: &Function, name: &str) -> bool {
    const EFFECTS: [&str; 11] = [
        "memory",
        "readnone",
        "readonly",
        "writeonly",
        "argmemonly",
        "inaccessiblememonly",
        "inaccessiblemem_or_argmemonly",
        "willreturn",
        "allockind",
        "allocsize",
        "speculatable",
    ];
    if is_library_function(name) {
        return true;
    }
    let Some(id) = m.names.get(name) else { return false };
    let says = |attrs: &[Attr], groups: &[u32]| {
        attrs.iter().chain(m.grouped(groups)).any(|a| EFFECTS.contains(&m.names.text(a.name())))
    };
    let declared = m.functions.iter().find(|f| f.name == id);
    declared.is_some_and(|f| f.defined || says(&f.attrs, &f.groups))
        || f.insts.iter().any(|i| match &i.op {
            Op::Call(call) => m.called(call) == Some(id) && says(&call.attrs, &call.groups),
            _ => false,
        })
}

/// Whether every call of a function says that it does not return: whatever it leaves alone, that is to be seen.
fn never_returns(m: &Module, f: &Function, name: &str) -> bool {
    let id = m.names.get(name);
    let says = |call: &Call| {
        call.attrs.iter().chain(m.grouped(&call.groups)).any(|a| m.names.text(a.name()) == "noreturn")
    };
    id.is_none()
        || f.insts.iter().all(|i| match &i.op {
            Op::Call(call) => m.called(call) != id || says(call),
            _ => true,
        })
}

/// Whether nothing says of a function that it returns: it is not defined beside, under another name neither, its name says
/// nothing, and no attribute does.
fn may_not_return(m: &Module, f: &Function, name: &str) -> bool {
    const RETURNS: [&str; 6] =
        ["willreturn", "mustprogress", "speculatable", "allockind", "allocsize", "readnone"];
    let Some(id) = m.names.get(name) else { return !is_library_function(name) && !is_of_runtime(name) };
    let one = |a: &Attr| {
        RETURNS.contains(&m.names.text(a.name())) || matches!(a, Attr::Raw(_, text) if &**text == "none")
    };
    let says = |attrs: &[Attr], groups: &[u32]| attrs.iter().chain(m.grouped(groups)).any(one);
    let declared = m.functions.iter().find(|f| f.name == id);
    !is_library_function(name)
        && !is_of_runtime(name)
        && !m.aliases.iter().any(|a| a.name == id)
        && !says(&f.attrs, &f.groups)
        && declared.is_none_or(|f| !f.defined && !says(&f.attrs, &f.groups))
        && !f.insts.iter().any(|i| match &i.op {
            Op::Call(call) => m.called(call) == Some(id) && says(&call.attrs, &call.groups),
            _ => false,
        })
}

/// Whether a name is one of a language's runtime, which some passes know (OpenMP, Objective-C, C++, Swift, Rust).
fn is_of_runtime(name: &str) -> bool {
    const STARTS: [&str; 11] = [
        "__kmpc_", "omp_", "__tgt_", "objc_", "_objc_", "__cxa_", "_Zn", "_Zd", "__rust_", "swift_",
        "__coro_",
    ];
    STARTS.iter().any(|start| name.starts_with(start))
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
fn promises_effects(m: &Module, name: &str, (calls, accesses): (u32, bool)) -> bool {
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
    let effects = m.attributes_of(f).any(|a| EFFECTS.contains(&m.names.text(a.name())));
    let returned = f.params.iter().flat_map(|p| &p.attrs).any(|a| m.names.text(a.name()) == "returned");
    // What is there to be read stays there behind a function that frees nothing.
    let words = |attrs: &[Attr], word: &str| attrs.iter().any(|a| m.names.text(a.name()) == word);
    let keeps = m.attributes_of(f).any(|a| m.names.text(a.name()) == "nofree");
    let sized = f.attrs.iter().any(|a| matches!(m.names.text(a.name()), "allocsize" | "allockind"));
    let there = f
        .params
        .iter()
        .any(|p| words(&p.attrs, "dereferenceable") || words(&p.attrs, "dereferenceable_or_null"));
    returned || sized || (effects && (calls > 1 || accesses)) || (keeps && there)
}

/// What the source does with its own objects that the semantics does not follow: uses them outside of their lifetimes,
/// or hands them on before all of them is stored.
pub(super) fn unfollowed_object(ir: &Ir<'_>, target: &Ir<'_>) -> Option<String> {
    if captured_all_the_same(ir) {
        return Some("a parameter is captured that is said not to be".to_owned());
    }
    if asks(ir.f) || asks(target.f) {
        return Some("whether a value is constant may be answered either way".to_owned());
    }
    for inst in &ir.f.insts {
        let Op::Call(call) = &inst.op else { continue };
        if ir.assumes_more(call) && matches!(call.intrinsic, Some((Intrinsic::Assume, _))) {
            return Some("operand bundles say more than is followed".to_owned());
        }
        if call.intrinsic.is_none() && ir.function_says("willreturn") && ir.never_returns(call) {
            return Some("a function that returns calls one that does not".to_owned());
        }
    }
    let unsized_dead = |a: &Attr| matches!(a, Attr::Flag(n) if ir.m.names.text(*n) == "dead_on_return");
    if ir.f.params.iter().flat_map(|p| &p.attrs).any(unsized_dead) {
        return Some("an object behind a parameter is dead behind the function".to_owned());
    }
    // What has a beginning is dead before.
    let begun = ir.f.insts.iter().filter_map(|inst| match &inst.op {
        Op::Call(call) if ir.callee_name(call).is_some_and(|n| n.contains("lifetime.start")) => {
            call.args.last().map(|a| a.value)
        }
        _ => None,
    });
    let begun: Vec<Operand> = begun.collect();
    for (n, block) in ir.f.blocks.iter().enumerate() {
        let mut dead: Vec<Operand> = if n == 0 { begun.clone() } else { Vec::new() };
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
    // What nobody writes to is handed on by both as it is.
    let writes = |ir: &Ir<'_>| {
        ir.f.insts.iter().any(|i| match &i.op {
            Op::Store { .. } | Op::CmpXchg { .. } | Op::AtomicRmw { .. } => true,
            Op::Call(call) => call.intrinsic.is_some_and(|(what, _)| what.writes()),
            _ => false,
        })
    };
    if !writes(ir) && !writes(target) {
        return None;
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

/// Whether the function hands on a parameter that it says it does not capture: to a call that may, to memory, or as a
/// number.
fn captured_all_the_same(ir: &Ir<'_>) -> bool {
    let kept = |attrs: &[Attr]| ir.says_not_captured(attrs);
    let is_one = |o: Operand| match ir.made_from(o) {
        MadeFrom::Parameter(n) => ir.f.params.get(n).is_some_and(|p| kept(&p.attrs)),
        MadeFrom::Stack | MadeFrom::Global | MadeFrom::Unknown => false,
    };
    ir.f.insts.iter().any(|inst| match &inst.op {
        Op::Cast { op: CastOp::PtrToInt, value, .. } | Op::Store { value, .. } => is_one(*value),
        Op::Call(call) if call.intrinsic.is_none() => {
            let declared = ir.callee(call);
            call.args.iter().enumerate().any(|(n, arg)| {
                let param = declared.and_then(|f| f.params.get(n));
                is_one(arg.value) && !kept(&arg.attrs) && !param.is_some_and(|p| kept(&p.attrs))
            })
        }
        _ => false,
    })
}

/// Whether a function has pointers to objects that no other pointer leads to: parameters said to be so or passed by
/// value, and what allocation functions return.
pub(super) fn points_to_its_own(m: &Module, f: &Function) -> bool {
    let says = |attrs: &[Attr], word: &str| attrs.iter().any(|a| m.names.text(a.name()) == word);
    let returns_one = |i: &Inst| {
        let Op::Call(call) = &i.op else { return false };
        let name = m.called(call);
        let declared = m.functions.iter().find(|f| Some(f.name) == name);
        says(&call.ret_attrs, "noalias") || declared.is_some_and(|f| says(&f.ret_attrs, "noalias"))
    };
    f.params.iter().any(|p| says(&p.attrs, "noalias") || says(&p.attrs, "byval"))
        || f.insts.iter().any(returns_one)
}

/// How often a function calls which others by name.
pub(super) fn callees(m: &Module, f: &Function) -> std::collections::BTreeMap<String, u32> {
    let mut out = std::collections::BTreeMap::new();
    for inst in &f.insts {
        let Op::Call(call) = &inst.op else { continue };
        if call.intrinsic.is_none()
            && let Some(n) = m.called(call).map(|n| m.names.text(n))
        {
            *out.entry(n.to_owned()).or_insert(0) += 1;
        }
    }
    out
}
