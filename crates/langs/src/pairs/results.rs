//! The one number that every return of a function gives, by the text of its module, for each part of the result: a function that
//! reports an error and returns -1 always. Optimisers put the number where the function is called.

use crate::llvm_ir::ast::{ConstId, ConstKind, Function, Module, Op, Operand};
use crate::llvm_ir::types::{Type, TypeId};
use smt::Bv;

/// How far a result is followed, through other calls as well.
const DEPTH: u32 = 8;

/// Most numbers of a result.
const PARTS: usize = 16;

/// What is known of the numbers of a result.
pub(super) type Parts = Vec<Option<Bv>>;

/// What every return gives; none where nothing is known, or where another definition may take this one's place.
pub(super) fn always_returned(m: &Module, f: &Function) -> Option<Parts> {
    returned(m, f, DEPTH).filter(|parts| parts.iter().any(Option::is_some))
}

fn returned(m: &Module, f: &Function, depth: u32) -> Option<Parts> {
    let replaced = |w: &crate::names::Name| {
        let word = m.names.text(*w);
        word.starts_with("weak") || word.starts_with("linkonce") || word == "available_externally"
    };
    if !f.defined || f.words.iter().any(replaced) {
        return None;
    }
    let mut all: Option<Parts> = None;
    for inst in &f.insts {
        let Op::Ret(Some((ty, value))) = &inst.op else { continue };
        let this = parts(m, f, (*value, *ty), depth)?;
        all = Some(match all {
            Some(before) => agreed(before, this),
            None => this,
        });
    }
    all
}

/// What two ways to a value have in common.
fn agreed(a: Parts, b: Parts) -> Parts {
    a.into_iter().zip(b).map(|(a, b)| a.filter(|a| b.as_ref() == Some(a))).collect()
}

/// The numbers that a value consists of, where they are known; none where it has too many, or is of an odd type.
fn parts(m: &Module, f: &Function, (value, ty): (Operand, TypeId), depth: u32) -> Option<Parts> {
    let widths = widths(m, ty, DEPTH)?;
    let unknown = || Some(vec![None; widths.len()]);
    let local = match value {
        Operand::Const(c) => return Some(constant(m, c, &widths)),
        Operand::Local(local) if depth > 0 => local,
        _ => return unknown(),
    };
    let Some(inst) = f.insts.iter().find(|i| i.result == Some(local)) else { return unknown() };
    match &inst.op {
        Op::InsertValue { ty, value, elem_ty, elem, path } => {
            let mut whole = parts(m, f, (*value, *ty), depth - 1)?;
            let (at, part) = (offset(m, *ty, path)?, parts(m, f, (*elem, *elem_ty), depth - 1)?);
            whole.get_mut(at..)?.get_mut(..part.len())?.clone_from_slice(&part);
            Some(whole)
        }
        Op::Phi { incoming, .. } => {
            let ways = incoming.iter().map(|(o, _)| parts(m, f, (*o, ty), depth - 1));
            ways.reduce(|a, b| Some(agreed(a?, b?)))?
        }
        Op::Call(call) => {
            let Operand::Const(callee) = call.callee else { return unknown() };
            let ConstKind::Global(name) = &m.consts[callee.0 as usize].kind else { return unknown() };
            let callee = m.functions.iter().find(|g| g.name == *name && g.ret == ty);
            callee.and_then(|g| returned(m, g, depth - 1)).or_else(unknown)
        }
        _ => unknown(),
    }
}

/// The numbers of a constant.
fn constant(m: &Module, c: ConstId, widths: &[u32]) -> Parts {
    let one = |n: u128| match widths {
        [width] => vec![Some(Bv::new(*width, n))],
        _ => vec![None; widths.len()],
    };
    match &m.consts[c.0 as usize].kind {
        ConstKind::Int(n) => one(u128::from(*n)),
        ConstKind::Float(bits) => one(*bits),
        ConstKind::Null | ConstKind::Zero => widths.iter().map(|w| Some(Bv::zero(*w))).collect(),
        ConstKind::Aggregate(items) => {
            let mut out = Vec::new();
            for item in items {
                let Some(widths) = self::widths(m, m.consts[item.0 as usize].ty, DEPTH) else { break };
                out.extend(constant(m, *item, &widths));
            }
            out.resize(widths.len(), None);
            out
        }
        _ => vec![None; widths.len()],
    }
}

/// The widths of the numbers that a value of a type consists of, in bits; none where types lie too deep in each other.
fn widths(m: &Module, ty: TypeId, depth: u32) -> Option<Vec<u32>> {
    let depth = depth.checked_sub(1)?;
    let inner: Vec<TypeId> = match m.types.resolve(ty) {
        Type::Struct { fields, .. } => fields.to_vec(),
        Type::Array { len, elem } if *len <= PARTS as u64 => vec![*elem; *len as usize],
        Type::Array { .. } | Type::Vector { .. } => return None,
        _ => return Some(vec![u32::try_from(m.layout.bits(&m.types, ty)?).ok().filter(|w| *w > 0)?]),
    };
    let mut out = Vec::new();
    for ty in inner {
        out.extend(widths(m, ty, depth)?);
        if out.len() > PARTS {
            return None;
        }
    }
    Some(out)
}

/// How many numbers come before the part that a path leads to.
fn offset(m: &Module, ty: TypeId, path: &[u32]) -> Option<usize> {
    let Some((first, rest)) = path.split_first() else { return Some(0) };
    let first = *first as usize;
    let (before, inner) = match m.types.resolve(ty) {
        Type::Struct { fields, .. } => {
            let before: Option<Vec<_>> =
                fields.get(..first)?.iter().map(|ty| widths(m, *ty, DEPTH)).collect();
            (before?.iter().map(Vec::len).sum::<usize>(), *fields.get(first)?)
        }
        Type::Array { elem, .. } => (first.checked_mul(widths(m, *elem, DEPTH)?.len())?, *elem),
        _ => return None,
    };
    before.checked_add(offset(m, inner, rest)?)
}
