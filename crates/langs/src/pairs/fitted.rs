//! Pairs of IR functions as parts of their modules: what an optimiser found out about the functions that one calls, and
//! about the callers of a local one.
//!
//! The target says it in attributes, or by what it returns: of a function defined beside, what it does and returns; of a parameter of a local
//! function, what all of its callers pass. That a definition keeps what it says is for the proof of that function, that
//! callers do for theirs. Here both sides are told, so that the verdict rests on it.

use super::beyond::callees;
use super::results::{Parts, always_returned};
use super::sites::is_called_here_alone;
use crate::assumption::Assumption;
use crate::llvm_ir::ast::{Attr, Function, Module};
use crate::llvm_ir::program::{OF_FUNCTIONS, OF_USES, OF_VALUES};
use crate::names::Name;
use equiv::Stated;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Tells the source what the target says. The target, in which calls may then be taken at their word too, and what a verdict
/// rests on.
pub(super) fn tell<'m>(
    source: &mut Cow<'_, Module>,
    right: &'m Module,
    name: &str,
) -> (Cow<'m, Module>, Stated<Assumption>) {
    let (mut target, mut rests) = (Cow::Borrowed(right), Stated::new());
    let mut changes: Vec<(usize, Told)> = Vec::new();
    let (Some((own, f)), Some((_, g))) = (definition(source, name), definition(right, name)) else {
        return (target, rests);
    };
    let called: BTreeSet<String> =
        callees(source, f).into_keys().chain(callees(right, g).into_keys()).collect();
    let mut functions = BTreeSet::new();
    for name in called.iter().map(String::as_str).filter(|n| *n != name) {
        let (Some((at, f)), Some((_, g))) = (definition(source, name), definition(right, name)) else {
            continue;
        };
        let told = Told::of_callee(source, f, right, g);
        if !told.is_empty() {
            functions.insert(name.to_owned());
            changes.push((at, told));
        }
    }
    let results = results((&*source, right), called.iter().filter(|n| *n != name), &mut functions);
    let told = Told::of_local(source, f, right, g);
    if !told.is_empty() {
        rests.insert(Assumption::CallersKeepPromises, BTreeSet::from([name.to_owned()]));
        changes.push((own, told));
    }
    for (at, told) in changes {
        told.add_to(source.to_mut(), at, right);
    }
    if !results.is_empty() {
        for m in [source.to_mut(), target.to_mut()] {
            let named = results.iter().filter_map(|(n, parts)| Some((m.names.get(n)?, parts.clone())));
            m.results = named.collect();
        }
    }
    if !functions.is_empty() {
        for m in [source.to_mut(), target.to_mut()] {
            m.kept = functions.iter().filter_map(|n| m.names.get(n)).collect();
        }
        rests.insert(Assumption::CalleesKeepPromises, functions);
    }
    (target, rests)
}

/// What functions always return: as the source's text has it, or else the target's, which is noted of them.
fn results<'n>(
    (source, right): (&Module, &Module),
    called: impl Iterator<Item = &'n String>,
    noted: &mut BTreeSet<String>,
) -> BTreeMap<&'n str, Parts> {
    let mut out = BTreeMap::new();
    for name in called {
        let Some((_, f)) = definition(source, name) else { continue };
        let own = always_returned(source, f);
        let told = definition(right, name).and_then(|(_, g)| always_returned(right, g));
        let told = told.filter(|told| own.as_ref().is_none_or(|o| o.len() == told.len()));
        let known = |parts: &Parts| parts.iter().filter(|p| p.is_some()).count();
        let (own, told) = (own.unwrap_or_default(), told.unwrap_or_default());
        let more = (0..own.len().max(told.len()))
            .map(|i| own.get(i).cloned().flatten().or_else(|| told.get(i).cloned().flatten()));
        let more: Parts = more.collect();
        if known(&more) > known(&own) {
            noted.insert(name.clone());
        }
        if known(&more) > 0 {
            out.insert(name.as_str(), more);
        }
    }
    out
}

fn definition<'m>(m: &'m Module, name: &str) -> Option<(usize, &'m Function)> {
    let id = m.names.get(name)?;
    m.functions.iter().enumerate().find(|(_, f)| f.name == id && f.defined)
}

/// Attributes of the target that the source's function has not.
struct Told<'r> {
    of_function: Vec<&'r Attr>,
    of_result: Vec<&'r Attr>,
    of_params: Vec<Vec<&'r Attr>>,
}

impl<'r> Told<'r> {
    /// What is said of a function that is called: what it does, what it returns, what it does with its arguments. What they
    /// have to be is for its callers to keep.
    fn of_callee(l: &Module, f: &Function, r: &'r Module, g: &'r Function) -> Self {
        let of_function = added((l, l.attributes_of(f)), (r, r.attributes_of(g)), &OF_FUNCTIONS);
        let of_result = added((l, f.ret_attrs.iter()), (r, g.ret_attrs.iter()), &OF_VALUES);
        Told { of_function, of_result, of_params: added_to_params((l, f), (r, g), &OF_USES) }
    }

    /// What is said of the arguments of a local function, all of whose callers are here.
    fn of_local(l: &Module, f: &Function, r: &'r Module, g: &'r Function) -> Self {
        let here = is_called_here_alone(l, f) && is_called_here_alone(r, g);
        let of_params = if here { added_to_params((l, f), (r, g), &OF_VALUES) } else { Vec::new() };
        Told { of_function: Vec::new(), of_result: Vec::new(), of_params }
    }

    fn is_empty(&self) -> bool {
        self.of_function.is_empty() && self.of_result.is_empty() && self.of_params.iter().all(Vec::is_empty)
    }

    fn add_to(&self, m: &mut Module, at: usize, right: &Module) {
        let mut read =
            |attrs: &[&Attr]| -> Vec<Attr> { attrs.iter().filter_map(|a| in_module(m, right, a)).collect() };
        let (of_function, of_result) = (read(&self.of_function), read(&self.of_result));
        let of_params: Vec<Vec<Attr>> = self.of_params.iter().map(|p| read(p)).collect();
        let f = &mut m.functions[at];
        f.attrs.extend(of_function);
        f.ret_attrs.extend(of_result);
        for (param, more) in f.params.iter_mut().zip(of_params) {
            param.attrs.extend(more);
        }
    }
}

/// The attributes of some kinds that the target has and the source says nothing like.
fn added<'l, 'r>(
    (l, left): (&Module, impl Iterator<Item = &'l Attr>),
    (r, right): (&Module, impl Iterator<Item = &'r Attr>),
    words: &[&str],
) -> Vec<&'r Attr> {
    let had: BTreeSet<&str> = left.map(|a| l.names.text(a.name())).collect();
    let new = |a: &&Attr| {
        let name = r.names.text(a.name());
        words.contains(&name) && !had.contains(name) && !matches!(a, Attr::Type(..))
    };
    right.filter(new).collect()
}

/// The same of each parameter, where there are as many.
fn added_to_params<'r>(
    (l, f): (&Module, &Function),
    (r, g): (&Module, &'r Function),
    words: &[&str],
) -> Vec<Vec<&'r Attr>> {
    let pairs = f.params.iter().zip(&g.params).filter(|_| f.params.len() == g.params.len());
    pairs.map(|(p, q)| added((l, p.attrs.iter()), (r, q.attrs.iter()), words)).collect()
}

/// An attribute of another module in this one's names.
fn in_module(m: &mut Module, other: &Module, attr: &Attr) -> Option<Attr> {
    let mut name = |n: Name| m.names.intern(other.names.text(n));
    Some(match attr {
        Attr::Flag(n) => Attr::Flag(name(*n)),
        Attr::Int(n, x) => Attr::Int(name(*n), *x),
        Attr::Text(n, x) => Attr::Text(name(*n), x.map(name)),
        Attr::Raw(n, text) => Attr::Raw(name(*n), text.clone()),
        Attr::Type(..) => return None,
    })
}
