//! Pairs of IR functions of which the optimiser inlined calls: the source with the bodies of those functions in it.
//!
//! Which calls the target has no longer shows in how often it calls a function, and in which order.

use super::opt::find;
use crate::llvm_ir::ast::{Function, Module, Op};
use crate::names::Name;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The most bodies, and instructions, that a function is made to hold.
const MOST_BODIES: usize = 300;
const MOST_INSTRUCTIONS: usize = 40_000;

/// Puts bodies in the place of the calls of a source that the target does not do. Whether promises of such a call were
/// dropped, so that more of the source is defined than was; none where there are no such calls.
pub(super) fn inline(source: &mut Cow<'_, Module>, right: &Module, name: &str) -> Option<bool> {
    let (mut f, g) = (find(source, name).ok()?.clone(), find(right, name).ok()?);
    let kept: Vec<&str> = calls(right, g).into_iter().map(|c| right.names.text(c.name)).collect();
    let mut loses = None;
    // For each call the functions whose inlined bodies it lies in, the outermost first.
    let mut within: Vec<Vec<Name>> = vec![Vec::new(); calls(source, &f).len()];
    for _ in 0..MOST_BODIES {
        // No body is put into itself, as functions that call each other in a circle would have it.
        let mut sites = calls(source, &f);
        sites.retain(|c| !within[c.index].contains(&c.name));
        if next(source, &f, &sites, &kept).is_none() {
            break;
        }
        let left = reached(source, &f);
        sites.retain(|c| left.contains(&(c.at as u32)));
        let Some(Site { index, at, name: callee }) = next(source, &f, &sites, &kept) else { break };
        let body = source.exact_definition(callee)?.clone();
        let lost = match &f.insts[at].op {
            Op::Call(call) => source.loses_promises(call, &body),
            _ => false,
        };
        loses = Some(loses.unwrap_or(false) || lost);
        f = source.to_mut().inlined(&f, at, &body)?;
        // The calls of the body stand where the call stood.
        let inner = [&within[index][..], &[callee]].concat();
        let new = (calls(source, &f).len() + 1).saturating_sub(within.len());
        within.splice(index..=index, vec![inner; new]);
        if f.insts.len() > MOST_INSTRUCTIONS {
            return None;
        }
    }
    let loses = loses?;
    source.to_mut().put(f)?;
    Some(loses)
}

/// A call of a function by name.
#[derive(Clone, Copy)]
struct Site {
    /// Which of a function's calls it is.
    index: usize,
    /// Its instruction.
    at: usize,
    /// Whom it calls.
    name: Name,
}

/// The calls of functions by name, in order.
fn calls(m: &Module, f: &Function) -> Vec<Site> {
    let named = f.insts.iter().enumerate().filter_map(|(at, inst)| match &inst.op {
        Op::Call(call) if call.intrinsic.is_none() => Some((at, m.called(call)?)),
        _ => None,
    });
    named.enumerate().map(|(index, (at, name))| Site { index, at, name }).collect()
}

/// The instructions that are left where constants decide which way a function goes.
fn reached(source: &mut Cow<'_, Module>, f: &Function) -> BTreeSet<u32> {
    let mut numbered = f.clone();
    for (at, inst) in numbered.insts.iter_mut().enumerate() {
        inst.at = at as u32;
    }
    source.to_mut().folded(&numbered).insts.iter().map(|i| i.at).collect()
}

/// The next call to inline, given those that may be and the calls that the target does.
fn next(m: &Module, f: &Function, calls: &[Site], kept: &[&str]) -> Option<Site> {
    let possible = |c: &Site| {
        let Op::Call(call) = &f.insts[c.at].op else { return false };
        c.name != f.name && m.exact_definition(c.name).is_some_and(|g| m.can_inline(f, call, g))
    };
    // Functions that are called no longer first: what they call in turn is called in their place. Where nothing of that is,
    // the call was not inlined but never reached.
    let in_place = |name: Name| {
        let Some(g) = m.exact_definition(name) else { return false };
        let outer = |n: &Name| m.exact_definition(*n).is_none();
        let mut all = self::calls(m, g).into_iter().map(|c| c.name).filter(outer).peekable();
        all.peek().is_none() || all.any(|n| kept.contains(&m.names.text(n)))
    };
    let mut gone = calls.iter().filter(|c| !kept.contains(&m.names.text(c.name)) && possible(c));
    if let Some(gone) = gone.find(|c| in_place(c.name)) {
        return Some(*gone);
    }
    let mut times: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for call in calls {
        times.entry(m.names.text(call.name)).or_default().0 += 1;
    }
    for name in kept {
        times.entry(name).or_default().1 += 1;
    }
    let fewer = |name: Name| times.get(m.names.text(name)).is_some_and(|(had, has)| has < had);
    if !calls.iter().any(|c| fewer(c.name) && possible(c)) {
        return None;
    }
    let names: Vec<&str> = calls.iter().map(|c| m.names.text(c.name)).collect();
    let common = in_common(&names, kept);
    calls.iter().zip(common).find(|(c, common)| !common && fewer(c.name) && possible(c)).map(|(c, _)| *c)
}

/// Which elements of a sequence are in its longest common subsequence with another.
fn in_common(a: &[&str], b: &[&str]) -> Vec<bool> {
    let mut longest = vec![vec![0_u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i][j] = if a[i] == b[j] {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }
    let (mut out, mut i, mut j) = (vec![false; a.len()], 0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            out[i] = true;
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}
