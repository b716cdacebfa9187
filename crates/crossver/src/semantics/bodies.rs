//! Which callees' bodies are compared in the place of their calls: of those that the other side does not call as often.
//!
//! Of a chain of functions each level inlines another part: one side calls `a`, which calls `b`, where the other side calls
//! `b`. Then the body of `a` belongs in the place of its call, and that of `b` does not: both have the call then. So a callee
//! that the other side reaches through callees of its own waits until their bodies are there. Where a compiler made two of a
//! function and the other one did not, or not in the same way (`f.part.0` beside `f`), the two go by one name without doing
//! the same: both bodies are compared.

use super::convert::Converted;
use super::names::Names;
use crate::equality::side::Side;
use crate::pairing::names::clone_base;
use langs::machine_code::{Function, Target};
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes of a function whose body takes the place of its calls where the other side calls it less often.
const SMALL: u64 = 400;

/// Most functions that are looked at for what a callee calls in the end.
const MOST: usize = 64;

/// Callees by name.
pub type Callees = BTreeMap<String, usize>;

/// The callees of each side whose bodies are to take the place of their calls next, beside those that have.
pub fn next<'n>(
    names: &dyn Fn() -> Names<'n>,
    both: [(&Converted, &Side<'_>); 2],
    inside: [&Callees; 2],
) -> [Callees; 2] {
    let [old, new] = both;
    let lists = [candidates(old, new, inside[0]), candidates(new, old, inside[1])];
    if lists.iter().any(BTreeMap::is_empty) {
        return lists;
    }
    let mut names = names();
    let behind = [reached(&mut names, false, &lists[1]), reached(&mut names, true, &lists[0])];
    let ready = |n: usize| -> Callees {
        let list = lists[n].iter().filter(|(name, _)| !behind[n].contains(*name));
        list.map(|(name, function)| (name.clone(), *function)).collect()
    };
    let ready = [ready(0), ready(1)];
    // Where each waits for the other, neither does.
    if ready.iter().all(BTreeMap::is_empty) { lists } else { ready }
}

fn candidates(
    (cut, side): (&Converted, &Side<'_>),
    (other, other_side): (&Converted, &Side<'_>),
    inside: &Callees,
) -> Callees {
    let wanted = |(name, function): &(&String, &usize)| {
        let f = &side.image.functions[**function];
        let weak = f.symbols.iter().any(|s| side.image.symbols[*s].weak);
        let (own, others) = (calls(&cut.function, name), calls(&other.function, name));
        let partner = other.callees.get(*name).map(|n| &other_side.image.functions[*n]);
        let parted = partner.is_some_and(|partner| clone_base(&partner.name).1 != clone_base(&f.name).1);
        // No compiler inlines what asks for unnamed arguments: where one side calls it more often, it calls it twice for what
        // the other one does in one place.
        let small = f.size() <= SMALL && !side.variadic.contains(clone_base(&f.name).0);
        let may_be_inside = own > 0 && (parted || own != others && (others == 0 || small));
        may_be_inside && !weak && !inside.contains_key(*name)
    };
    cut.callees.iter().filter(wanted).map(|(name, function)| (name.clone(), *function)).collect()
}

/// How often one function calls another by name.
fn calls(f: &Function, name: &str) -> usize {
    let named = |target: &Option<Target>| matches!(target, Some(Target::Function(callee)) if callee == name);
    f.insns.iter().filter(|insn| named(&insn.target)).count()
}

/// The names of what some functions of a side call, directly or in the end.
fn reached(names: &mut Names<'_>, old: bool, from: &Callees) -> BTreeSet<String> {
    let mut open: Vec<usize> = from.values().copied().collect();
    let (mut seen, mut out) = (BTreeSet::new(), BTreeSet::new());
    while let Some(function) = open.pop() {
        if seen.len() >= MOST || !seen.insert(function) {
            continue;
        }
        for callee in names.side(old).called.get(function).into_iter().flatten() {
            out.insert(names.function(old, *callee));
            open.push(*callee);
        }
    }
    out
}
