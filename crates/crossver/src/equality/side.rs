//! One file of the two, gone through once: where references go, and what seems not to return.

use super::anchors::has_anchors;
use crate::code::{Code, Flow, Insn};
use crate::objects::{Home, Image, Referent};
use crate::pairing::dwarf;
use crate::places::{Place, Reference, references, resolve};
use std::collections::{BTreeSet, HashSet};

/// One file, with where references to it go.
#[derive(Debug)]
pub struct Side<'a> {
    /// The file.
    pub image: &'a Image,
    /// For each section the offsets that code or data refers to, sorted.
    pub referred: Vec<Vec<u64>>,
    /// Whether an address by a section may be of any object near it.
    pub anchored: bool,
    /// Functions that do not return, as debug information says, or seem not to: some call is the end of some function's code.
    pub endless: HashSet<String>,
    /// Functions with unnamed arguments, as debug information says.
    pub variadic: HashSet<String>,
    /// For each function those of the file that it calls or goes on in.
    pub called: Vec<BTreeSet<usize>>,
}

impl<'a> Side<'a> {
    /// Goes through all code and data once to find what is referred to.
    #[must_use]
    pub fn of(image: &'a Image) -> Side<'a> {
        let mut referred: Vec<Vec<u64>> = vec![Vec::new(); image.sections.len()];
        let dwarf::Declared { mut endless, variadic } = dwarf::declared(image);
        let mut note = |place: &Place| {
            if let Place::Data { section, offset, .. } = place
                && let Ok(at) = u64::try_from(*offset)
            {
                referred[*section].push(at);
            }
        };
        let mut called = Vec::new();
        for function in 0..image.functions.len() {
            let code = Code::of(image, function);
            let places = references(image, function, &code);
            called.push(calls(function, &code, &places));
            places.iter().flatten().for_each(|r| note(&r.place));
            endless.extend(last_calls(image, &code, &places));
            if never_leaves(&code, &places) {
                endless.insert(image.functions[function].name.clone());
            }
        }
        for section in image.sections.iter().filter(|s| !s.exec && !s.name.starts_with(".eh_frame")) {
            for reloc in &section.relocs {
                let elsewhere = match reloc.referent {
                    Referent::Symbol(n) => matches!(image.symbols[n].home, Home::Section(_)),
                    Referent::Address => true,
                };
                if elsewhere {
                    note(&resolve(image, usize::MAX, reloc.referent, reloc.addend));
                }
            }
        }
        for list in &mut referred {
            list.sort_unstable();
            list.dedup();
        }
        Side { image, referred, anchored: has_anchors(image), endless, variadic, called }
    }
}

/// Whether no instruction returns or jumps out of the function.
fn never_leaves(code: &Code, references: &[Vec<Reference>]) -> bool {
    let leaves = |insn: &Insn, list: &[Reference]| match insn.flow {
        Flow::Return | Flow::IndirectJump => true,
        Flow::Jump => {
            let inside = |r: &Reference| r.at == insn.at && matches!(r.place, Place::Own { .. });
            !list.iter().any(inside)
        }
        Flow::Next | Flow::Call | Flow::IndirectCall | Flow::Trap => !insn.known(),
    };
    let mut all =
        code.stretches.iter().zip(references).flat_map(|(s, list)| s.insns.iter().map(move |i| (i, list)));
    !all.any(|(insn, list)| leaves(insn, list))
}

/// The functions of the same file that one calls or goes on in.
fn calls(function: usize, code: &Code, references: &[Vec<Reference>]) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for (stretch, references) in code.stretches.iter().zip(references) {
        let leads = |at: u64| {
            let found = stretch.insns.binary_search_by_key(&at, |insn| insn.at).ok();
            found.is_some_and(|n| matches!(stretch.insns[n].flow, Flow::Call | Flow::Jump))
        };
        out.extend(references.iter().filter(|r| leads(r.at)).filter_map(|r| match r.place {
            Place::Function { function: callee, offset: 0 } if callee != function => Some(callee),
            _ => None,
        }));
    }
    out
}

/// What is called by the last instructions of a function's stretches.
fn last_calls(image: &Image, code: &Code, references: &[Vec<Reference>]) -> Vec<String> {
    let mut found = Vec::new();
    for (stretch, references) in code.stretches.iter().zip(references) {
        let Some(last) = stretch.insns.iter().rev().find(|insn| !insn.nop) else { continue };
        if last.flow != Flow::Call {
            continue;
        }
        found.extend(references.iter().filter(|r| r.at == last.at).filter_map(|r| match &r.place {
            Place::Name { name, .. } => Some(name.clone()),
            Place::Function { function, .. } => Some(image.functions[*function].name.clone()),
            Place::Own { .. } | Place::Data { .. } | Place::Number(_) | Place::Unresolved(_) => None,
        }));
    }
    found
}
