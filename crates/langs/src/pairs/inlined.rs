//! Pairs of IR functions of which the optimiser inlined calls: the source with the bodies of those functions in it.
//!
//! Which calls the target has no longer shows in how often it calls a function, and in which order.

use super::opt::find;
use crate::llvm_ir::ast::{Function, Module, Op};
use crate::names::Name;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most bodies, and instructions, that a function is made to hold.
const MOST_BODIES: usize = 300;
const MOST_INSTRUCTIONS: usize = 40_000;

/// Puts bodies in the place of the calls of a source that the target does not do. Whether promises of such a call were
/// dropped, so that more of the source is defined than was; none where there are no such calls.
pub(super) fn inline(source: &mut Cow<'_, Module>, right: &Module, name: &str) -> Option<bool> {
    let (mut f, g) = (find(source, name).ok()?.clone(), find(right, name).ok()?);
    let kept: Vec<&str> = calls(right, g).into_iter().map(|(_, n)| right.names.text(n)).collect();
    let mut loses = None;
    for _ in 0..MOST_BODIES {
        let Some((at, callee)) = next(source, &f, &kept) else { break };
        let body = source.exact_definition(callee)?.clone();
        let lost = match &f.insts[at].op {
            Op::Call(call) => source.loses_promises(call, &body),
            _ => false,
        };
        loses = Some(loses.unwrap_or(false) || lost);
        f = source.to_mut().inlined(&f, at, &body)?;
        if f.insts.len() > MOST_INSTRUCTIONS {
            return None;
        }
    }
    let loses = loses?;
    source.to_mut().put(f)?;
    Some(loses)
}

/// The calls of functions by name, in order: the instruction and which.
fn calls(m: &Module, f: &Function) -> Vec<(usize, Name)> {
    let each = f.insts.iter().enumerate();
    each.filter_map(|(at, inst)| match &inst.op {
        Op::Call(call) if call.intrinsic.is_none() => Some((at, m.called(call)?)),
        _ => None,
    })
    .collect()
}

/// The next call to inline, given the calls that the target does.
fn next(m: &Module, f: &Function, kept: &[&str]) -> Option<(usize, Name)> {
    let calls = calls(m, f);
    let possible = |(at, name): &(usize, Name)| {
        let Op::Call(call) = &f.insts[*at].op else { return false };
        *name != f.name && m.exact_definition(*name).is_some_and(|g| m.can_inline(f, call, g))
    };
    // Functions that are called no longer first: what they call in turn is called in their place. Where nothing of that is,
    // the call was not inlined but never reached.
    let in_place = |(_, name): &&(usize, Name)| {
        let Some(g) = m.exact_definition(*name) else { return false };
        // What calls itself would be in its own place again.
        if self::calls(m, g).iter().any(|c| c.1 == *name) {
            return false;
        }
        let outer = |n: &Name| m.exact_definition(*n).is_none();
        let mut all = self::calls(m, g).into_iter().map(|c| c.1).filter(outer).peekable();
        all.peek().is_none() || all.any(|n| kept.contains(&m.names.text(n)))
    };
    let mut gone = calls.iter().filter(|c| !kept.contains(&m.names.text(c.1)) && possible(c));
    if let Some(gone) = gone.find(in_place) {
        return Some(*gone);
    }
    let mut times: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (_, name) in &calls {
        times.entry(m.names.text(*name)).or_default().0 += 1;
    }
    for name in kept {
        times.entry(name).or_default().1 += 1;
    }
    let fewer = |name: Name| times.get(m.names.text(name)).is_some_and(|(had, has)| has < had);
    if !calls.iter().any(|c| fewer(c.1) && possible(c)) {
        return None;
    }
    let names: Vec<&str> = calls.iter().map(|c| m.names.text(c.1)).collect();
    let common = in_common(&names, kept);
    calls.iter().zip(common).find(|(c, common)| !common && fewer(c.1) && possible(c)).map(|(c, _)| *c)
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
