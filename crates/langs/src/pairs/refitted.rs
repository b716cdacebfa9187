//! Pairs of IR functions of which an optimiser changed what is passed between local functions: parameters that all calls
//! pass the same for, or that are not used, are gone, or are passed anything; results nobody uses are gone.
//!
//! The source is given the shape of the target. Of a function and of its callers that is the same change, so that what is
//! proved of each still fits together.

use super::beyond::callees;
use super::opt::find;
use super::passed::{Passed, passed};
use super::sites::is_called_here_alone;
use crate::llvm_ir::ast::{
    BinOp, CastOp, Const, ConstId, ConstKind, Flags, Function, Inst, IntPred, LocalId, Module, Op, Operand,
};
use crate::llvm_ir::types::{Type, TypeId, Types};
use crate::names::Name;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// What becomes of a local function's parameters and result.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shape {
    /// Parameters that are gone.
    gone: Vec<usize>,
    /// Parameters that anything is passed for.
    open: Vec<usize>,
    /// Whether the result is gone.
    nothing: bool,
    /// Whether nobody uses the result.
    unread: bool,
    /// What the source's function returns wherever it does.
    returned: Option<ConstId>,
}

impl Shape {
    fn changes(&self) -> bool {
        *self != Shape { gone: Vec::new(), open: Vec::new(), nothing: false, unread: false, returned: None }
    }
}

/// Gives the source the shape of the target; whether that is another one than it has. What calls pass is what the source
/// said as it was (`whole`).
pub(super) fn give_shape(whole: &Module, source: &mut Cow<'_, Module>, right: &Module, name: &str) -> bool {
    let (Ok(was), Ok(f)) = (find(whole, name), find(source, name)) else { return false };
    let known = passed(whole, was);
    let mut shapes: FxHashMap<Name, Shape> = FxHashMap::default();
    for callee in callees(source, f).into_keys().filter(|n| n != name).chain([name.to_owned()]) {
        let (Ok(h), Ok(g)) = (find(whole, &callee), find(right, &callee)) else { continue };
        if let Some(shape) = shape(whole, h, right, g)
            && !(shape.nothing && shape.returned.is_none() && uses_result(source, f, h.name))
        {
            shapes.insert(h.name, shape);
        }
    }
    if shapes.is_empty() && known.iter().all(Option::is_none) {
        return false;
    }
    let (mut f, m) = (f.clone(), source.to_mut());
    let own = shapes.get(&f.name);
    if known.iter().any(Option::is_some) {
        f = with_what_is_passed(m, &f, &known, own.map_or(&[], |s| &s.gone));
    }
    if let Some(shape) = own {
        f = shaped(m, f, shape);
    }
    let fitted = with_calls_in_shape(m, &f, &shapes);
    if m.put(fitted).is_none() {
        return false;
    }
    for (callee, shape) in shapes.iter().filter(|(n, _)| **n != f.name) {
        let Some(h) = m.definition_mut(*callee) else { continue };
        h.params = kept(&h.params, &shape.gone);
        for n in &shape.open {
            h.params[*n].attrs.clear();
        }
        if shape.nothing {
            (h.ret, h.ret_attrs) = (Types::VOID, Vec::new());
        }
    }
    true
}

/// A function whose calls have the shape of what they call.
fn with_calls_in_shape(m: &mut Module, f: &Function, shapes: &FxHashMap<Name, Shape>) -> Function {
    // A result that is always the same needs a value that says so.
    let says_result = |m: &Module, inst: &Inst| match &inst.op {
        Op::Call(call) => {
            let shape = m.called(call).and_then(|n| shapes.get(&n));
            inst.result.is_some() && shape.is_some_and(|s| s.returned.is_some() && !s.nothing)
        }
        _ => false,
    };
    let mut fitted = f.clone();
    let count = f.insts.iter().filter(|i| says_result(m, i)).count();
    let mut spare: Vec<LocalId> = (0..count).map(|_| m.new_local(&mut fitted, "known", Types::I1)).collect();
    fitted.rewritten(|_, inst| in_shape(m, (f, &mut spare), inst, shapes))
}

fn kept<T: Clone>(all: &[T], gone: &[usize]) -> Vec<T> {
    all.iter().enumerate().filter(|(n, _)| !gone.contains(n)).map(|(_, x)| x.clone()).collect()
}

/// A function that knows what is passed to it; of parameters that are gone nothing but what they were is said.
fn with_what_is_passed(m: &mut Module, f: &Function, known: &[Option<Passed>], gone: &[usize]) -> Function {
    let mut constants: FxHashMap<LocalId, Operand> = FxHashMap::default();
    let (mut f, mut told) = (f.clone(), Vec::new());
    for (n, (param, known)) in f.params.clone().into_iter().zip(known).enumerate() {
        let defined = !gone.contains(&n) && param.attrs.iter().any(|a| m.names.text(a.name()) == "noundef");
        match known {
            Some(Passed::Constant(c)) => {
                let Const { ty, kind } = m.consts[c.0 as usize].clone();
                let value = m.new_constant(ty, kind);
                constants.insert(param.local, value);
                if defined && matches!(m.types.resolve(ty), Type::Int(_) | Type::Ptr(_)) {
                    let lhs = Operand::Local(param.local);
                    let same = Op::ICmp { flags: Flags(0), pred: IntPred::Eq, ty, lhs, rhs: value };
                    let holds = told_of(m, &mut f, &mut told, (Types::I1, same));
                    told.push((None, m.assumption(holds)));
                }
            }
            Some(Passed::Range(r)) if defined => {
                let (low, span) =
                    [r.low, r.high - r.low].map(|n| m.new_constant(param.ty, ConstKind::Int(n))).into();
                let from = Op::Binary {
                    op: BinOp::Sub,
                    flags: Flags(0),
                    ty: param.ty,
                    lhs: Operand::Local(param.local),
                    rhs: low,
                };
                let lhs = told_of(m, &mut f, &mut told, (param.ty, from));
                let holds = Op::ICmp { flags: Flags(0), pred: IntPred::Ule, ty: param.ty, lhs, rhs: span };
                let holds = told_of(m, &mut f, &mut told, (Types::I1, holds));
                told.push((None, m.assumption(holds)));
            }
            Some(Passed::NotNull) if defined => {
                let null = m.new_constant(param.ty, ConstKind::Null);
                let lhs = Operand::Local(param.local);
                let holds = Op::ICmp { flags: Flags(0), pred: IntPred::Ne, ty: param.ty, lhs, rhs: null };
                let holds = told_of(m, &mut f, &mut told, (Types::I1, holds));
                told.push((None, m.assumption(holds)));
            }
            Some(Passed::Range(_) | Passed::NotNull) | None => {}
        }
    }
    let first = f.insts.iter().take_while(|i| matches!(i.op, Op::Alloca { .. })).count();
    f.rewritten(|at, inst| {
        let mut inst = inst.clone();
        inst.op.for_each_operand_mut(|o| {
            if let Operand::Local(l) = *o
                && let Some(c) = constants.get(&l)
            {
                *o = *c;
            }
        });
        let ahead = if at == first { std::mem::take(&mut told) } else { Vec::new() };
        let ahead =
            ahead.into_iter().map(|(result, op)| Inst { result, op, attachments: Box::new([]), at: inst.at });
        ahead.chain([inst.clone()]).collect()
    })
}

/// A value that is computed ahead of a function's body.
fn told_of(
    m: &mut Module,
    f: &mut Function,
    told: &mut Vec<(Option<LocalId>, Op)>,
    (ty, op): (TypeId, Op),
) -> Operand {
    let local = m.new_local(f, "known", ty);
    told.push((Some(local), op));
    Operand::Local(local)
}

/// How the target's parameters and result of a local function differ from the source's; none where they do not, or differ
/// in a way that is not followed.
fn shape(left: &Module, f: &Function, right: &Module, g: &Function) -> Option<Shape> {
    let nothing = f.ret != Types::VOID && g.ret == Types::VOID;
    let results = nothing || is_same_type((left, f.ret), (right, g.ret));
    let local = is_called_here_alone(left, f) && is_called_here_alone(right, g);
    if f.params.len() < g.params.len() || !results {
        return None;
    }
    let mut shape = Shape {
        gone: Vec::new(),
        open: Vec::new(),
        nothing,
        unread: local && !nothing && g.ret != Types::VOID && is_read_nowhere(right, g),
        returned: left.exact_definition(f.name).and_then(|f| returned(left, f)),
    };
    if f.params.len() > g.params.len() {
        shape.gone = gone(left, f, right, g)?;
    } else if local {
        shape.open = (0..g.params.len()).filter(|n| !g.uses(g.params[*n].local)).collect();
    }
    let fitted = !shape.gone.is_empty() || nothing;
    (shape.changes() && (local || !fitted)).then_some(shape)
}

/// Which parameters of the source are gone: of those that it does not use, or that are always passed the same.
fn gone(left: &Module, f: &Function, right: &Module, g: &Function) -> Option<Vec<usize>> {
    let fits = |gone: &[usize]| {
        let rest = kept(&f.params, gone);
        rest.len() == g.params.len()
            && rest.iter().zip(&g.params).all(|(p, q)| is_same_type((left, p.ty), (right, q.ty)))
    };
    let known = passed(left, f);
    let constant = |n: &usize| matches!(known[*n], Some(Passed::Constant(_)));
    let unused = |n: &usize| makes_no_difference(left, f, *n);
    let mut likely: Vec<usize> = (0..f.params.len()).filter(unused).collect();
    likely.extend((0..f.params.len()).filter(|n| !unused(n) && constant(n)));
    let count = f.params.len() - g.params.len();
    let mut found = None;
    subsets(&likely, count, &mut Vec::new(), &mut |gone| {
        let good = fits(gone);
        if good && found.is_none() {
            found = Some(gone.to_vec());
        }
        good
    });
    found
}

/// Whether types of two modules are the same, of those that values have.
fn is_same_type((l, a): (&Module, TypeId), (r, b): (&Module, TypeId)) -> bool {
    match (l.types.resolve(a), r.types.resolve(b)) {
        (Type::Void, Type::Void) => true,
        (Type::Int(a), Type::Int(b)) | (Type::Ptr(a), Type::Ptr(b)) => a == b,
        (Type::Float(a), Type::Float(b)) => a == b,
        (Type::Vector { len, elem, scalable }, Type::Vector { len: n, elem: e, scalable: s }) => {
            len == n && scalable == s && is_same_type((l, *elem), (r, *e))
        }
        (Type::Array { len, elem }, Type::Array { len: n, elem: e }) => {
            len == n && is_same_type((l, *elem), (r, *e))
        }
        (Type::Struct { fields, packed }, Type::Struct { fields: other, packed: p }) => {
            packed == p
                && fields.len() == other.len()
                && fields.iter().zip(other.iter()).all(|(a, b)| is_same_type((l, *a), (r, *b)))
        }
        _ => false,
    }
}

/// The constant that a function returns wherever it does.
fn returned(m: &Module, f: &Function) -> Option<ConstId> {
    let mut first: Option<ConstId> = None;
    for inst in &f.insts {
        let Op::Ret(value) = &inst.op else { continue };
        let (_, Operand::Const(c)) = (*value)? else { return None };
        let kind = |c: ConstId| &m.consts[c.0 as usize].kind;
        let plain = matches!(kind(c), ConstKind::Int(_) | ConstKind::Null | ConstKind::Float(_));
        if !plain || kind(*first.get_or_insert(c)) != kind(c) {
            return None;
        }
    }
    first
}

/// Whether a function uses what another returns to it.
fn uses_result(m: &Module, f: &Function, callee: Name) -> bool {
    f.insts.iter().any(|i| match (&i.op, i.result) {
        (Op::Call(call), Some(result)) => m.called(call) == Some(callee) && f.uses(result),
        _ => false,
    })
}

/// Whether a function is called, and no call uses what it returns.
fn is_read_nowhere(m: &Module, f: &Function) -> bool {
    let sites = m.call_sites().of.get(&f.name).map_or(&[][..], |s| s);
    let unused = |(n, at): &(usize, usize)| {
        let h = &m.functions[*n];
        h.insts[*at].result.is_none_or(|r| !h.uses(r))
    };
    !sites.is_empty() && sites.iter().all(unused)
}

/// Shows subsets of a size, in order, until one is taken.
fn subsets(
    all: &[usize],
    size: usize,
    with: &mut Vec<usize>,
    show: &mut impl FnMut(&[usize]) -> bool,
) -> bool {
    if size == 0 {
        return show(with);
    }
    (0..all.len().saturating_sub(size - 1)).any(|n| {
        with.push(all[n]);
        let taken = subsets(&all[n + 1..], size - 1, with, show);
        with.pop();
        taken
    })
}

/// Whether a parameter is not used but to hand it on to functions that do not use it.
fn makes_no_difference(m: &Module, f: &Function, param: usize) -> bool {
    let mut todo = vec![(f, param)];
    let mut seen = vec![(f.name, param)];
    while let Some((f, param)) = todo.pop() {
        let own = Operand::Local(f.params[param].local);
        for inst in &f.insts {
            let mut uses = 0;
            inst.op.for_each_operand(|o| uses += usize::from(o == own));
            if uses == 0 {
                continue;
            }
            let Op::Call(call) = &inst.op else { return false };
            let Some(g) = m.called(call).and_then(|n| m.exact_definition(n)) else { return false };
            let at: Vec<usize> = (0..call.args.len()).filter(|n| call.args[*n].value == own).collect();
            if at.len() != uses || at.iter().any(|n| *n >= g.params.len()) || seen.len() > 64 {
                return false;
            }
            for n in at {
                if !seen.contains(&(g.name, n)) {
                    seen.push((g.name, n));
                    todo.push((g, n));
                }
            }
        }
    }
    true
}

/// A function itself in its shape.
fn shaped(m: &mut Module, mut f: Function, shape: &Shape) -> Function {
    let gone: Vec<(LocalId, Operand)> =
        (shape.gone.iter()).map(|n| (f.params[*n].local, nothing(m, f.params[*n].ty))).collect();
    f.params = kept(&f.params, &shape.gone);
    for n in &shape.open {
        f.params[*n].attrs.clear();
    }
    let nobody_reads = shape.unread.then(|| m.new_constant(f.ret, ConstKind::Poison));
    if shape.unread {
        f.ret_attrs.clear();
    }
    if shape.nothing {
        (f.ret, f.ret_attrs) = (Types::VOID, Vec::new());
    }
    f.rewritten(|_, inst| {
        let mut inst = inst.clone();
        if let Op::Ret(Some((_, value))) = &mut inst.op
            && let Some(poison) = nobody_reads
        {
            *value = poison;
        }
        if let (Op::Ret(_), true) = (&inst.op, shape.nothing) {
            inst.op = Op::Ret(None);
        }
        inst.op.for_each_operand_mut(|o| {
            if let Some((_, poison)) = gone.iter().find(|(l, _)| *o == Operand::Local(*l)) {
                *o = *poison;
            }
        });
        vec![inst]
    })
}

/// A value of a type where which one makes no difference, so that no promise of it is broken.
fn nothing(m: &mut Module, ty: TypeId) -> Operand {
    let kind = match m.types.resolve(ty) {
        Type::Int(1..=64) => ConstKind::Int(0),
        Type::Ptr(_) => ConstKind::Null,
        _ => ConstKind::Zero,
    };
    m.new_constant(ty, kind)
}

/// A call in the shape of the function that it calls, and what its result is.
fn in_shape(
    m: &mut Module,
    (f, spare): (&Function, &mut Vec<LocalId>),
    inst: &Inst,
    shapes: &FxHashMap<Name, Shape>,
) -> Vec<Inst> {
    let (mut inst, at) = (inst.clone(), inst.at);
    let Op::Call(call) = &mut inst.op else { return vec![inst] };
    let Some(shape) = m.called(call).and_then(|n| shapes.get(&n)) else { return vec![inst] };
    let result = inst.result.filter(|r| f.uses(*r));
    if shape.gone.iter().chain(&shape.open).any(|n| *n >= call.args.len()) {
        return vec![inst];
    }
    for n in &shape.open {
        let arg = &mut call.args[*n];
        arg.attrs.clear();
        arg.value = m.new_constant(arg.ty, ConstKind::Poison);
    }
    call.args = kept(&call.args, &shape.gone).into();
    let ty = call.ret;
    if shape.nothing {
        (call.ret, call.ret_attrs, call.fn_ty) = (Types::VOID, Vec::new(), None);
        inst.result = None;
    }
    let mut out = vec![inst];
    if let (Some(result), Some(c)) = (result, shape.returned) {
        let kind = m.consts[c.0 as usize].kind.clone();
        let value = m.new_constant(ty, kind);
        let plain = |result, op| Inst { result, op, attachments: Box::new([]), at };
        if shape.nothing {
            let op = Op::Cast { op: CastOp::BitCast, flags: Flags(0), from: ty, value, to: ty };
            out.push(plain(Some(result), op));
        } else if matches!(m.types.resolve(ty), Type::Int(_) | Type::Ptr(_)) {
            let lhs = Operand::Local(result);
            let same = Op::ICmp { flags: Flags(0), pred: IntPred::Eq, ty, lhs, rhs: value };
            if let Some(holds) = spare.pop() {
                out.push(plain(Some(holds), same));
                out.push(plain(None, m.assumption(Operand::Local(holds))));
            }
        }
    }
    out
}
