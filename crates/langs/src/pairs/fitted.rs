//! Pairs of IR functions as parts of their modules: what an optimiser found out about the functions that one calls, and
//! about the callers of a local one.
//!
//! The target says it in attributes: of a function defined beside, what it does and returns; of a parameter of a local
//! function, what all of its callers pass. That a definition keeps what it says is for the proof of that function, that
//! callers do for theirs. Here both sides are told, so that the verdict rests on it.

use super::beyond::callees;
use super::opt::find;
use super::passed::is_called_here_alone;
use crate::assumption::Assumption;
use crate::llvm_ir::ast::{Attr, Function, Module};
use crate::llvm_ir::program::{OF_FUNCTIONS, OF_USES, OF_VALUES};
use crate::names::Name;
use equiv::Stated;
use std::collections::BTreeSet;

/// Both modules with the source told what the target says, and what a verdict then rests on; none where the target says
/// nothing more.
pub(super) fn told_by_the_target(
    left: &Module,
    right: &Module,
    name: &str,
) -> Option<([Module; 2], Stated<Assumption>)> {
    let (f, g) = (find(left, name).ok()?, find(right, name).ok()?);
    let called: BTreeSet<String> =
        callees(left, f).into_keys().chain(callees(right, g).into_keys()).collect();
    let mut changes: Vec<(usize, Told)> = Vec::new();
    let mut functions = BTreeSet::new();
    for name in called.iter().map(String::as_str).filter(|n| *n != name) {
        let (Some((at, f)), Some((_, g))) = (definition(left, name), definition(right, name)) else {
            continue;
        };
        let told = Told::of_callee(left, f, right, g);
        if !told.is_empty() {
            functions.insert(name.to_owned());
            changes.push((at, told));
        }
    }
    let mut rests = Stated::new();
    if !functions.is_empty() {
        rests.insert(Assumption::CalleesKeepPromises, functions.clone());
    }
    let (own, _) = definition(left, name)?;
    let told = Told::of_local(left, f, right, g);
    if !told.is_empty() {
        rests.insert(Assumption::CallersKeepPromises, BTreeSet::from([name.to_owned()]));
        changes.push((own, told));
    }
    if changes.is_empty() {
        return None;
    }
    let mut both = [left.clone(), right.clone()];
    for m in &mut both {
        m.kept = functions.iter().filter_map(|n| m.names.get(n)).collect();
    }
    for (at, told) in changes {
        told.add_to(&mut both[0], at, right);
    }
    Some((both, rests))
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
        let all = |m: &'r Module, f: &'r Function| -> Vec<&'r Attr> {
            let groups = m.attr_groups.iter().filter(|(n, _)| f.groups.contains(n));
            f.attrs.iter().chain(groups.flat_map(|(_, attrs)| attrs.iter())).collect()
        };
        let own: Vec<&Attr> = {
            let groups = l.attr_groups.iter().filter(|(n, _)| f.groups.contains(n));
            f.attrs.iter().chain(groups.flat_map(|(_, attrs)| attrs.iter())).collect()
        };
        let of_function = added(l, &own, r, &all(r, g), &OF_FUNCTIONS);
        let result: Vec<&Attr> = f.ret_attrs.iter().collect();
        let of_result = added(l, &result, r, &g.ret_attrs.iter().collect::<Vec<_>>(), &OF_VALUES);
        let same = f.params.len() == g.params.len();
        let pairs = f.params.iter().zip(&g.params).filter(|_| same);
        let of_params = pairs.map(|(p, q)| {
            let own: Vec<&Attr> = p.attrs.iter().collect();
            added(l, &own, r, &q.attrs.iter().collect::<Vec<_>>(), &OF_USES)
        });
        Told { of_function, of_result, of_params: of_params.collect() }
    }

    /// What is said of the arguments of a local function, all of whose callers are here.
    fn of_local(l: &Module, f: &Function, r: &'r Module, g: &'r Function) -> Self {
        let here = is_called_here_alone(l, f) && is_called_here_alone(r, g);
        let pairs = f.params.iter().zip(&g.params).filter(|_| here && f.params.len() == g.params.len());
        let of_params = pairs.map(|(p, q)| {
            let own: Vec<&Attr> = p.attrs.iter().collect();
            added(l, &own, r, &q.attrs.iter().collect::<Vec<_>>(), &OF_VALUES)
        });
        Told { of_function: Vec::new(), of_result: Vec::new(), of_params: of_params.collect() }
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
fn added<'r>(l: &Module, left: &[&Attr], r: &Module, right: &[&'r Attr], words: &[&str]) -> Vec<&'r Attr> {
    let had = |name: &str| left.iter().any(|a| l.names.text(a.name()) == name);
    let new = |a: &&&Attr| {
        let name = r.names.text(a.name());
        words.contains(&name) && !had(name) && !matches!(a, Attr::Type(..))
    };
    right.iter().filter(new).copied().collect()
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
