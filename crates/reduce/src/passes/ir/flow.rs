//! Control flow: branches made one-way, blocks removed and joined, functions that return early.

use super::module::{Block, Function, Instruction, Module, cut_part, hint, name_at, parts};
use super::types::zero;
use crate::{Hint, Patch};
use std::ops::Range;

ir_pass!(IrBranches, "ir-branches", "LLVM IR: makes branches go one way.", branches, Coarse);
ir_pass!(IrReturns, "ir-returns", "LLVM IR: returns at the end of a block.", returns, Coarse);
ir_pass!(
    IrUnreachable,
    "ir-unreachable",
    "LLVM IR: removes blocks that nothing leads to.",
    unreachable,
    Coarse
);
ir_pass!(IrJoin, "ir-join", "LLVM IR: joins a block to the only one that leads to it.", join);
ir_pass!(IrCases, "ir-cases", "LLVM IR: removes cases of switches.", cases);

/// The blocks that a terminator names, without `%`, in order.
fn targets<'t>(terminator: &Instruction<'t>) -> Vec<&'t str> {
    let body = terminator.body;
    body.match_indices("label %").map(|(at, found)| &name_at(body, at + found.len() - 1)[1..]).collect()
}

/// The name by which phis know a block.
pub(super) fn name_of<'c>(function: &Function<'c>, block: &Block<'c>) -> Option<&'c str> {
    if block.label.is_some() {
        return block.label;
    }
    // The entry without a label has a number, or the name that is no block's.
    let known = |name: &str| function.blocks.iter().any(|b| b.label == Some(name));
    let phis = function.blocks.iter().flat_map(phis);
    let mut names = phis.flat_map(|phi| incoming(phi).into_iter().map(|(name, _)| name));
    names.find(|name| !known(name))
}

fn phis<'b, 'c>(block: &'b Block<'c>) -> impl Iterator<Item = &'b Instruction<'c>> {
    block.instructions.iter().filter(|i| i.opcode() == "phi")
}

/// The entries of a phi: the block's name and the bytes of the pair in brackets.
fn incoming<'t>(phi: &Instruction<'t>) -> Vec<(&'t str, Range<usize>)> {
    let Some(first) = phi.body.find('[') else { return Vec::new() };
    let end = phi.body.find(", !").unwrap_or(phi.body.len());
    let all = parts(phi.body, first..end);
    let named = |part: Range<usize>| {
        let text = &phi.body[part.clone()];
        let at = text.rfind('%').filter(|at| text[..*at].contains(','))?;
        Some((&name_at(phi.body, part.start + at)[1..], part))
    };
    all.into_iter().filter_map(named).collect()
}

/// An edge between blocks, by the names that phis and labels have for them.
type Edge<'e> = (&'e str, &'e str);

/// The patches by which phis forget edges that are gone. A phi that would be left empty stays as it is: nothing leads to
/// its block any more.
fn forget(module: &Module<'_>, function: &Function<'_>, lost: &[Edge<'_>]) -> Vec<Patch> {
    let mut patches = Vec::new();
    for block in &function.blocks {
        let mut from: Vec<&str> =
            lost.iter().filter(|(_, to)| block.label == Some(*to)).map(|(from, _)| *from).collect();
        from.sort_unstable();
        for phi in phis(block) {
            patches.extend(forgetful(module, phi, from.clone()));
        }
    }
    patches
}

/// A phi without an entry for each of these names.
fn forgetful(module: &Module<'_>, phi: &Instruction<'_>, mut lost: Vec<&str>) -> Option<Patch> {
    let entries = incoming(phi);
    let places: Vec<Range<usize>> = entries.iter().map(|(_, part)| part.clone()).collect();
    let mut gone = Vec::new();
    for (index, (name, _)) in entries.iter().enumerate() {
        if let Some(at) = lost.iter().position(|lost| lost == name) {
            lost.remove(at);
            gone.push(index);
        }
    }
    match gone[..] {
        [] => None,
        _ if gone.len() == entries.len() => None,
        [only] => {
            let cut = cut_part(&places, only);
            Some(module.cut(phi.at + cut.start..phi.at + cut.end))
        }
        _ => {
            let kept = places.iter().enumerate().filter(|(index, _)| !gone.contains(index));
            let kept: Vec<&str> = kept.map(|(_, part)| phi.body[part.clone()].trim()).collect();
            let (first, last) = (places.first()?, places.last()?);
            Some(module.put(phi.at + first.start..phi.at + last.end, kept.join(", ")))
        }
    }
}

/// The edges out of a block.
fn edges<'t>(function: &Function<'t>, block: &Block<'t>) -> Vec<Edge<'t>> {
    let Some(from) = name_of(function, block) else { return Vec::new() };
    block.instructions.last().map_or(Vec::new(), targets).into_iter().map(|to| (from, to)).collect()
}

/// A terminator replaced by one that leads to these blocks.
fn redirect(
    module: &Module<'_>,
    function: &Function<'_>,
    block: &Block<'_>,
    (with, kept): (String, &[&str]),
) -> Option<Hint> {
    let terminator = block.instructions.last()?;
    let mut lost = edges(function, block);
    for name in kept {
        if let Some(at) = lost.iter().position(|(_, to)| to == name) {
            lost.remove(at);
        }
    }
    let mut patches = vec![module.put(terminator.span.clone(), with)];
    patches.extend(forget(module, function, &lost));
    hint(patches)
}

fn branches(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        for block in &function.blocks {
            let Some(terminator) = block.instructions.last() else { continue };
            let mut names = targets(terminator);
            names.dedup();
            if names.len() < 2 {
                continue;
            }
            for name in names {
                let text = format!("br label %{name}");
                hints.extend(redirect(module, function, block, (text, &[name])));
            }
        }
    }
}

/// What a function of this head returns.
fn return_type<'t>(module: &Module<'t>, function: &Function<'_>) -> &'t str {
    let head = &module.text[function.head.clone()];
    let before = head.split('@').next().unwrap_or("").trim_end();
    // The type is the last word, but for those in brackets.
    let closing = before.ends_with(['>', ']', '}']);
    let at = if closing { before.find(['<', '[', '{']) } else { before.rfind(' ').map(|at| at + 1) };
    &before[at.unwrap_or(0)..]
}

fn returns(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        let ty = return_type(module, function);
        let text = match ty {
            "void" => "ret void".to_owned(),
            _ => format!("ret {ty} {}", zero(ty)),
        };
        for block in &function.blocks {
            hints.extend(redirect(module, function, block, (text.clone(), &[])));
        }
    }
}

fn unreachable(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        let mut reached = vec![false; function.blocks.len()];
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let Some(block) = function.blocks.get(index) else { continue };
            if std::mem::replace(&mut reached[index], true) {
                continue;
            }
            let Some(terminator) = block.instructions.last() else { continue };
            for name in targets(terminator) {
                open.extend(function.blocks.iter().position(|b| b.label == Some(name)));
            }
        }
        let gone: Vec<&Block<'_>> =
            function.blocks.iter().zip(&reached).filter(|(_, reached)| !**reached).map(|(b, _)| b).collect();
        let without = |gone: &[&Block<'_>]| {
            let mut patches: Vec<Patch> = gone.iter().map(|block| module.cut(block.span())).collect();
            let mut lost: Vec<Edge<'_>> = gone.iter().flat_map(|block| edges(function, block)).collect();
            lost.retain(|(_, to)| !gone.iter().any(|b| b.label == Some(*to)));
            patches.extend(forget(module, function, &lost));
            hint(patches)
        };
        hints.extend(without(&gone));
        if gone.len() > 1 {
            hints.extend(gone.iter().filter_map(|block| without(&[*block])));
        }
    }
}

fn join(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        for block in &function.blocks {
            let Some(terminator) = block.instructions.last() else { continue };
            let [only] = targets(terminator)[..] else { continue };
            let leads = |b: &&Block<'_>| b.instructions.last().is_some_and(|t| targets(t).contains(&only));
            if terminator.opcode() != "br" || function.blocks.iter().filter(leads).count() != 1 {
                continue;
            }
            hints.extend(joined(module, function, block, only));
        }
    }
}

/// The block's text moved behind the one that leads to it, known by that one's name from then on.
fn joined(module: &Module<'_>, function: &Function<'_>, first: &Block<'_>, second: &str) -> Option<Hint> {
    let from = name_of(function, first);
    let block = function.blocks.iter().find(|b| b.label == Some(second))?;
    if phis(block).next().is_some() || block.span() == first.span() {
        return None;
    }
    let start = block.instructions.first()?.lines.start;
    let body = &module.text[start..block.span().end];
    let mut patches =
        vec![module.put(first.instructions.last()?.lines.clone(), body), module.cut(block.span())];
    for phi in function.blocks.iter().flat_map(phis) {
        for (_, part) in incoming(phi).into_iter().filter(|(name, _)| *name == second) {
            let text = &phi.body[part.clone()];
            let at = phi.at + part.start + text.rfind('%')?;
            patches.push(module.put(at..at + 1 + second.len(), format!("%{}", from?)));
        }
    }
    hint(patches)
}

fn cases(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        for block in &function.blocks {
            let Some(terminator) = block.instructions.last().filter(|t| t.opcode() == "switch") else {
                continue;
            };
            for (at, _) in terminator.body.match_indices(", label %").skip(1) {
                let name = &name_at(terminator.body, at + ", label ".len())[1..];
                let from = terminator.body[..at].rfind(['\n', '[']).map_or(0, |n| n + 1);
                let end = at + ", label %".len() + name.len();
                let mut patches = vec![module.cut(terminator.at + from..terminator.at + end)];
                let lost = edges(function, block).into_iter().filter(|(_, to)| *to == name).take(1);
                patches.extend(forget(module, function, &lost.collect::<Vec<_>>()));
                hints.extend(hint(patches));
            }
        }
    }
}
