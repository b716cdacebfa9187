//! Functions of two files for different machines: what has to be known of their callees, and what is taken for granted.

use super::convert::Converted;
use super::kept::Kept;
use super::types::Types;
use super::{convert, names};
use crate::equality::side::Side;
use crate::equality::verdict::{Assumption, Lack};
use crate::pairing::Pairing;
use langs::machine_code::{Abi, Convention, Function, Piece, Target, arguments_read};
use langs::pairs::passes_alike;
use std::collections::{BTreeMap, BTreeSet};

/// How a callee is called on the old side, and on the new one.
pub type Told<'a> = &'a dyn Fn(&str) -> (Option<Convention>, Option<Convention>);

/// Whether the types of all callees that have a name are known on both sides, and say the same: registers alone do not
/// tell what two machines pass.
///
/// # Errors
/// The first callee that is not.
pub fn callees([a, b]: [&Function; 2], told: Told<'_>) -> Result<(), Lack> {
    for function in [a, b] {
        for insn in &function.insns {
            let Some(Target::Function(name)) = &insn.target else { continue };
            let known = told(name);
            let alike = |x: &Convention, y: &Convention| passes_alike((a.abi, x), (b.abi, y));
            if !known.0.zip(known.1).is_some_and(|(x, y)| alike(&x, &y)) {
                let what = format!("a call of `{name}`, whose types are not known, between machines");
                return Err(Lack { what, place: format!("{}+{:#x}", function.name, insn.offset) });
            }
        }
    }
    Ok(())
}

/// What a proof between machines takes for granted.
#[must_use]
pub fn assumptions(both: [&Function; 2]) -> BTreeSet<Assumption> {
    let mut out = BTreeSet::new();
    if both.into_iter().any(Function::makes_vectors) {
        out.insert(Assumption::MachineNumbers);
    }
    if both.into_iter().any(Function::calls_by_address) {
        out.insert(Assumption::ResultsAcross);
    }
    out
}

/// Both files, for what is asked of functions whose types are not known: what a compiler made of a local one.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The old file, and the new one.
    pub sides: (&'a Side<'a>, &'a Side<'a>),
    /// Which functions are pairs.
    pub pairing: &'a Pairing,
    /// How the functions of both are called.
    pub types: &'a (Types, Types),
    /// Which registers they keep.
    pub kept: &'a (Vec<Kept>, Vec<Kept>),
}

/// How far callees of callees of unknown types are followed.
const FOLLOWED: usize = 3;

/// How the functions of unknown types are called that both of these call, for two machines.
pub fn locals(
    files: &Files<'_>,
    [a, b]: [&Converted; 2],
    told: Told<'_>,
) -> BTreeMap<String, (Convention, Convention)> {
    let mut out = BTreeMap::new();
    if std::ptr::eq(a.function.abi, b.function.abi) {
        return out;
    }
    for (name, m) in &a.callees {
        let Some(n) = b.callees.get(name).filter(|_| is_untold(name, told)) else { continue };
        if let Some(found) = local(files, (*m, *n), told) {
            out.insert(name.clone(), found);
        }
    }
    out
}

/// How a function that a compiler made of another one (`f.part.0`) is called on both sides: it is passed what matters to its
/// code on both, in the same places, and gives what that other one does or less. That both do the same wherever these
/// agree is shown by its own proof, which asks the same of this function; callers rest on that.
pub fn local(files: &Files<'_>, pair: (usize, usize), told: Told<'_>) -> Option<(Convention, Convention)> {
    followed(files, pair, told, FOLLOWED)
}

fn is_untold(name: &str, told: Told<'_>) -> bool {
    let (a, b) = told(name);
    names::Callee::of(name).is_local() && (a.is_none() || b.is_none())
}

fn followed(
    files: &Files<'_>,
    (m, n): (usize, usize),
    told: Told<'_>,
    rounds: usize,
) -> Option<(Convention, Convention)> {
    let (old, new) = files.sides;
    let origin = |types: &Types, side: &Side<'_>, n: usize| types.of_origin(&side.image.functions[n].name);
    let gives = (origin(&files.types.0, old, m)?.results, origin(&files.types.1, new, n)?.results);
    let none = BTreeSet::new();
    let mut names = names::Names::new(old, new, files.pairing, (m, n), (&none, &none));
    let a = convert::function(&mut names, true, m, &files.kept.0).ok()?;
    let b = convert::function(&mut names, false, n, &files.kept.1).ok()?;
    let mut inner = BTreeMap::new();
    for (name, m) in &a.callees {
        let Some(n) = b.callees.get(name).filter(|_| rounds > 0 && is_untold(name, told)) else { continue };
        if let Some(found) = followed(files, (*m, *n), told, rounds - 1) {
            inner.insert(name.clone(), found);
        }
    }
    let of_old = |name: &str| told(name).0.or_else(|| inner.get(name).map(|c| c.0.clone()));
    let of_new = |name: &str| told(name).1.or_else(|| inner.get(name).map(|c| c.1.clone()));
    let read = (
        places(a.function.abi, &arguments_read(&a.function, &gives.0, &of_old).ok()??),
        places(b.function.abi, &arguments_read(&b.function, &gives.1, &of_new).ok()??),
    );
    let both: Vec<(bool, usize)> = read.0.into_iter().filter(|place| read.1.contains(place)).collect();
    let convention = |abi: &Abi, results: Vec<Piece>| {
        let register =
            |(vector, n): &(bool, usize)| abi.arguments[if *vector { abi.general_arguments } else { 0 } + n];
        let arguments = both.iter().map(|place| Piece { register: register(place), bits: 64 }).collect();
        Convention { arguments, results, ..Convention::default() }
    };
    Some((convention(a.function.abi, gives.0), convention(b.function.abi, gives.1)))
}

/// Arguments by their place among those of their class, and whether that is vectors.
fn places(abi: &Abi, read: &[usize]) -> Vec<(bool, usize)> {
    read.iter().map(|n| n.checked_sub(abi.general_arguments).map_or((false, *n), |n| (true, n))).collect()
}
