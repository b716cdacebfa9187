//! Callees of the file that leave memory as it was, found in the code of both sides and in that of what they call: compilers
//! that see such a callee load ahead of its call what the source loads behind it.
//!
//! Why that is sound: the call is an event of both functions, with the same arguments and the same memory; what it leaves in
//! memory is what its code makes of that. Code that writes nothing but its own frame, and calls by name nothing but such code,
//! leaves it as it was, however long it runs and whatever it gives. A function that calls itself is one: each of its calls
//! that comes back has written nothing. A weak definition may be another one, and that of a global function is taken
//! for granted by name.

use super::convert::{self, Converted};
use super::names::Names;
use crate::equality::verdict::Assumption;
use crate::pairing::Pairing;
use crate::semantics::kept::Kept;
use langs::machine_code::{Target, writes_its_frame_alone};
use std::collections::BTreeSet;

/// Most functions that are looked at for one callee.
const MOST: usize = 24;

/// Notes in both functions which calls leave memory as it was.
pub fn note<'a>(
    names: &mut Names<'a>,
    pairing: &'a Pairing,
    both: (&mut Converted, &mut Converted),
    kept: [&[Kept]; 2],
) {
    let common: Vec<(String, usize, usize)> = (both.0.callees.iter())
        .filter_map(|(name, m)| Some((name.clone(), *m, *both.1.callees.get(name)?)))
        .collect();
    let none = BTreeSet::new();
    for (name, m, n) in common {
        let (old, new) = names.sides;
        let fresh = || Names::new(old, new, pairing, (m, n), (&none, &none));
        let through = reads_only(&mut fresh(), true, m, kept[0])
            .and_then(|all| Some((all, reads_only(&mut fresh(), false, n, kept[1])?)));
        let Some((of_old, of_new)) = through else { continue };
        names.assumptions.extend(of_old.into_iter().chain(of_new).map(Assumption::OwnDefinition));
        let called = Some(Target::Function(name));
        let insns = both.0.function.insns.iter_mut().chain(&mut both.1.function.insns);
        insns.filter(|insn| insn.target == called).for_each(|insn| insn.reads_only = true);
    }
}

/// Whether a function of one side leaves memory as it was: then the global ones that this rests on.
fn reads_only(names: &mut Names<'_>, old: bool, function: usize, kept: &[Kept]) -> Option<BTreeSet<String>> {
    let image = names.side(old).image;
    let (mut open, mut seen, mut through) = (vec![function], BTreeSet::new(), BTreeSet::new());
    while let Some(n) = open.pop() {
        if !seen.insert(n) {
            continue;
        }
        let f = &image.functions[n];
        if seen.len() > MOST || f.symbols.iter().any(|s| image.symbols[*s].weak) {
            return None;
        }
        through.extend((!f.local).then(|| f.name.clone()));
        let body = convert::function(names, old, n, kept).ok()?;
        if !writes_its_frame_alone(&body.function) {
            return None;
        }
        for insn in &body.function.insns {
            if let Some(Target::Function(name)) = &insn.target {
                open.push(*body.callees.get(name)?);
            }
        }
    }
    Some(through)
}
