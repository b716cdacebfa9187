//! Functions and globals: removed, made declarations, with fewer parameters, with values of nothing but zeros.

use super::module::{Function, Module, cut_part, hint, inside, name_at, parts, uses};
use crate::{Hint, Patch};
use std::ops::Range;

ir_pass!(IrFunctions, "ir-functions", "LLVM IR: removes functions, or their bodies.", functions, Coarse);
ir_pass!(
    IrGlobals,
    "ir-globals",
    "LLVM IR: removes globals and declarations, or sets them to zero.",
    globals
);
ir_pass!(IrParameters, "ir-parameters", "LLVM IR: removes parameters, at calls too.", parameters);

/// Words of a definition that a declaration cannot have.
const LINKAGE: &[&str] = &[
    "internal",
    "private",
    "weak",
    "weak_odr",
    "linkonce",
    "linkonce_odr",
    "available_externally",
    "common",
];

fn functions(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        hints.extend(hint(vec![module.cut(function.span.clone())]));
    }
    for function in &module.functions {
        let head = &module.text[function.head.clone()];
        let words = head.trim_end_matches('{').trim_end();
        let words = words.strip_prefix("define").unwrap_or(words).split(' ');
        let kept: Vec<&str> = words.filter(|word| !LINKAGE.contains(word)).collect();
        let text = format!("declare{}\n", kept.join(" "));
        hints.extend(hint(vec![module.put(function.span.clone(), text)]));
    }
}

fn globals(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for line in &module.others {
        let text = &module.text[line.clone()];
        if text.starts_with("declare ") || text.starts_with('@') || text.starts_with('%') {
            hints.extend(hint(vec![module.cut(line.clone())]));
        }
        if text.starts_with('@')
            && let Some(span) = initializer(text)
            && !matches!(&text[span.clone()], "zeroinitializer" | "null" | "0")
        {
            let span = line.start + span.start..line.start + span.end;
            hints.extend(hint(vec![module.put(span, "zeroinitializer")]));
        }
    }
}

/// The value of a global's line: behind its type, before `, align` and the like.
fn initializer(text: &str) -> Option<Range<usize>> {
    let word =
        [" global ", " constant "].iter().find_map(|word| text.find(word).map(|at| at + word.len()))?;
    let bytes = text.as_bytes();
    let mut depth = 0;
    let mut at = word;
    while at < bytes.len() && !(depth == 0 && bytes[at] == b' ') {
        match bytes[at] {
            b'[' | b'{' | b'<' | b'(' => depth += 1,
            b']' | b'}' | b'>' | b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    let end = text.trim_end().len();
    if at + 1 >= end {
        return None;
    }
    parts(text, at + 1..end).first().cloned()
}

/// The bytes between the parentheses behind the first place of a name in a part of the text.
fn list_of(module: &Module<'_>, part: Range<usize>, name: &str) -> Option<Range<usize>> {
    let place = uses(module.text, part.clone(), name).next()?;
    let open = module.text[place.end..part.end].starts_with('(').then_some(place.end)?;
    inside(module.text, open)
}

/// The name that a parameter declares.
fn parameter_name<'t>(text: &'t str, part: &Range<usize>) -> Option<&'t str> {
    let at = text[part.clone()].rfind('%')?;
    Some(name_at(text, part.start + at))
}

fn parameters(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for function in &module.functions {
        let Some(list) = list_of(module, function.head.clone(), function.name) else { continue };
        let listed = parts(module.text, list);
        for index in 0..listed.len() {
            let Some(name) = parameter_name(module.text, &listed[index]) else { continue };
            let used = uses(module.text, function.head.end..function.span.end, name).next().is_some();
            if !used && !name[1..].bytes().all(|b| b.is_ascii_digit()) {
                hints.extend(without(module, function, index, cut_part(&listed, index)));
            }
        }
    }
}

/// The patches that take a parameter away, here and at all calls.
fn without(module: &Module<'_>, function: &Function<'_>, index: usize, cut: Range<usize>) -> Option<Hint> {
    let mut patches: Vec<Patch> = vec![module.cut(cut)];
    for place in uses(module.text, 0..module.text.len(), function.name) {
        if function.head.contains(&place.start) || !module.text[place.end..].starts_with('(') {
            continue;
        }
        let listed = parts(module.text, inside(module.text, place.end)?);
        patches.push(module.cut(if index < listed.len() { cut_part(&listed, index) } else { return None }));
    }
    hint(patches)
}
