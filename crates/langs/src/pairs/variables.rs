//! Variables that both modules of an IR pair declare: they are one variable, so both have to say the same of it.

use crate::llvm_ir::ast::{ConstExpr, ConstId, ConstKind, Function, Global, Module, Op, Operand};
use crate::llvm_ir::semantics::Ir;
use crate::llvm_ir::types::{Type, TypeId};
use crate::names::Name;
use rustc_hash::FxHashSet;

/// Most variables that are followed from one function.
pub(super) const MOST: usize = 256;

/// How deep constants are compared.
const DEEPEST: u32 = 32;

/// A variable that a function of either module leads to and that the modules say different things of, in words.
pub(super) fn told_differently(left: &Ir<'_>, right: &Ir<'_>) -> Option<String> {
    let mut names: FxHashSet<String> = FxHashSet::default();
    for ir in [left, right] {
        names.extend(reached(ir.m, ir.f).into_iter().map(|n| ir.m.names.text(n).to_owned()));
    }
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_unstable();
    let find = |m: &'_ Module, name: &str| -> Option<usize> {
        let id = m.names.get(name)?;
        m.globals.iter().position(|g| g.name == id)
    };
    names.into_iter().find_map(|name| {
        let (g, h) = (find(left.m, &name)?, find(right.m, &name)?);
        let what = differs((left.m, &left.m.globals[g]), (right.m, &right.m.globals[h]))?;
        Some(format!("@{name} has {what} in the target"))
    })
}

/// The variables that a function names, and those that their contents name.
pub(super) fn reached(m: &Module, f: &Function) -> Vec<Name> {
    named(m, f.insts.iter().flat_map(|i| constants(&i.op)).collect(), true)
}

/// The constants among the operands of an instruction.
pub(super) fn constants(op: &Op) -> Vec<ConstId> {
    let mut out = Vec::new();
    op.for_each_operand(|o| {
        if let Operand::Const(c) = o {
            out.push(c);
        }
    });
    out
}

/// The variables and functions that constants name; with `contents` those that the contents of variables name too, up to
/// [`MOST`].
pub(super) fn named(m: &Module, mut todo: Vec<ConstId>, contents: bool) -> Vec<Name> {
    let (mut seen, mut known, mut out) = (FxHashSet::default(), FxHashSet::default(), Vec::new());
    while let Some(c) = todo.pop() {
        if !seen.insert(c.0) || (contents && out.len() >= MOST) {
            continue;
        }
        match m.consts.get(c.0 as usize).map(|c| &c.kind) {
            // Two constants may name one variable.
            Some(ConstKind::Global(name)) if !known.insert(*name) => {}
            Some(ConstKind::Global(name)) => {
                out.push(*name);
                let global = m.globals.iter().find(|g| contents && g.name == *name);
                todo.extend(global.and_then(|g| g.init));
            }
            Some(ConstKind::Aggregate(items)) => todo.extend(items.iter().copied()),
            Some(ConstKind::Splat(item)) => todo.push(*item),
            Some(ConstKind::Expr(e)) => match &**e {
                ConstExpr::Gep { args, .. } => todo.extend(args.iter().copied()),
                ConstExpr::Cast(_, _, inner) => todo.push(*inner),
                ConstExpr::Binary(_, _, a, b) | ConstExpr::ICmp(_, a, b) | ConstExpr::FCmp(_, a, b) => {
                    todo.extend([*a, *b]);
                }
                ConstExpr::Other(..) => {}
            },
            _ => {}
        }
    }
    out
}

/// What is different of a variable.
fn differs((l, g): (&Module, &Global), (r, h): (&Module, &Global)) -> Option<&'static str> {
    let says = |m: &Module, global: &Global, word: &str| {
        global.words.iter().any(|w| m.names.text(*w).starts_with(word))
    };
    if ["thread_local", "extern_weak", "externally_initialized"]
        .iter()
        .any(|w| says(l, g, w) != says(r, h, w))
    {
        return Some("another linkage");
    }
    if g.space != h.space {
        return Some("another address space");
    }
    // Who defines a variable may align it more.
    if h.init.is_none() && h.align.unwrap_or(1) > g.align.unwrap_or(1) {
        return Some("more alignment");
    }
    let local = l.is_local(&g.words);
    if h.constant && !g.constant && !local {
        return Some("become constant");
    }
    match (g.init, h.init) {
        (Some(a), Some(b)) if g.constant && !same(l, a, r, b, DEEPEST) => Some("other contents"),
        (None, Some(_)) if h.constant && !says(r, h, "available_externally") => Some("contents"),
        _ => None,
    }
}

/// Whether types of two modules lay values out alike.
fn same_type(l: &Module, a: TypeId, r: &Module, b: TypeId, depth: u32) -> bool {
    let inner = |a: TypeId, b: TypeId| depth > 0 && same_type(l, a, r, b, depth - 1);
    match (l.types.resolve(a), r.types.resolve(b)) {
        (Type::Int(a), Type::Int(b)) => a == b,
        (Type::Float(a), Type::Float(b)) => a == b,
        (Type::Ptr(a), Type::Ptr(b)) => a == b,
        (Type::Array { len: n, elem: a }, Type::Array { len: m, elem: b }) => n == m && inner(*a, *b),
        (
            Type::Vector { len: n, elem: a, scalable: false },
            Type::Vector { len: m, elem: b, scalable: false },
        ) => n == m && inner(*a, *b),
        (Type::Struct { fields: a, packed: p }, Type::Struct { fields: b, packed: q }) => {
            p == q && a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| inner(*a, *b))
        }
        _ => false,
    }
}

/// Whether constants of two modules are seen to be the same.
fn same(l: &Module, a: ConstId, r: &Module, b: ConstId, depth: u32) -> bool {
    let (Some(x), Some(y)) = (l.consts.get(a.0 as usize), r.consts.get(b.0 as usize)) else { return false };
    if depth == 0 || l.layout.bits(&l.types, x.ty) != r.layout.bits(&r.types, y.ty) {
        return false;
    }
    let each = |xs: &[ConstId], ys: &[ConstId]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same(l, *x, r, *y, depth - 1))
    };
    match (&x.kind, &y.kind) {
        (ConstKind::Int(a), ConstKind::Int(b)) => a == b,
        (ConstKind::Wide(a), ConstKind::Wide(b)) => a == b,
        (ConstKind::Float(a), ConstKind::Float(b)) => a == b,
        (ConstKind::Bytes(a), ConstKind::Bytes(b)) => a == b,
        (ConstKind::Null | ConstKind::Zero, ConstKind::Null | ConstKind::Zero) => true,
        (ConstKind::Undef, ConstKind::Undef) | (ConstKind::Poison, ConstKind::Poison) => true,
        (ConstKind::Global(a), ConstKind::Global(b)) => l.names.text(*a) == r.names.text(*b),
        (ConstKind::BlockAddress(f, a), ConstKind::BlockAddress(g, b)) => {
            l.names.text(*f) == r.names.text(*g) && l.names.text(*a) == r.names.text(*b)
        }
        (ConstKind::Aggregate(xs), ConstKind::Aggregate(ys)) => each(xs, ys),
        (ConstKind::Splat(a), ConstKind::Splat(b)) => each(&[*a], &[*b]),
        (ConstKind::Expr(e), ConstKind::Expr(f)) => match (&**e, &**f) {
            (ConstExpr::Gep { source: s, args: xs, .. }, ConstExpr::Gep { source: t, args: ys, .. }) => {
                same_type(l, *s, r, *t, DEEPEST) && each(xs, ys)
            }
            (ConstExpr::Cast(op, _, a), ConstExpr::Cast(other, _, b)) => op == other && each(&[*a], &[*b]),
            (ConstExpr::Binary(op, _, a, b), ConstExpr::Binary(other, _, c, d)) => {
                op == other && each(&[*a, *b], &[*c, *d])
            }
            _ => false,
        },
        _ => false,
    }
}
