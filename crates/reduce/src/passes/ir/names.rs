//! Names of values and blocks made short.

use super::flow::name_of;
use super::module::{Module, hint, name_at};
use crate::{Hint, Patch};
use std::collections::BTreeMap;

ir_pass!(IrRename, "ir-rename", "LLVM IR: gives values and blocks short names.", rename, Finish);

/// The short name of a number: a, b, ..., z, a1, b1, ...
fn short(number: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// In each function all names at once: numbers that LLVM gave must stay in order.
fn rename(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        let text = &module.text[function.span.clone()];
        let mut known: BTreeMap<&str, String> = BTreeMap::new();
        let mut patches: Vec<Patch> = Vec::new();
        let base = function.span.start;
        for (at, _) in text.match_indices('%') {
            let name = name_at(text, at);
            // Types have names too.
            let typed = module.others.iter().any(|l| {
                module.text[l.clone()].strip_prefix(name).is_some_and(|rest| rest.starts_with(" = type"))
            });
            if !typed && name.len() > 1 {
                let next = short(known.len());
                let new = known.entry(&name[1..]).or_insert(next);
                patches.push(module.put(base + at + 1..base + at + name.len(), new.clone()));
            }
        }
        for block in &function.blocks {
            let Some(label) = block.label else {
                // A number that only phis say: it gets a line, since numbers are gone.
                let named = name_of(function, block).and_then(|name| known.get(name));
                let start = block.label_line.start;
                patches.extend(named.map(|new| module.put(start..start, format!("{new}:\n"))));
                continue;
            };
            let next = short(known.len());
            let new = known.entry(label).or_insert(next);
            let start = block.label_line.start;
            patches.push(module.put(start..start + label.len(), new.clone()));
        }
        hints.extend(hint(patches));
    }
}
