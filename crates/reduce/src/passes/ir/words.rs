//! What decorates IR: flags, attributes, alignments, metadata.

use super::module::{Module, hint, uses};
use crate::{Hint, Patch};
use std::ops::Range;

ir_pass!(IrMetadata, "ir-metadata", "LLVM IR: removes metadata.", metadata, Coarse);
ir_pass!(IrAttributes, "ir-attributes", "LLVM IR: removes attribute groups.", attributes, Coarse);
ir_pass!(
    IrFlags,
    "ir-flags",
    "LLVM IR: removes flags and attributes of instructions, parameters and globals.",
    flags
);

/// Words that mean the same or less when they are gone.
const WORDS: &[&str] = &[
    "nuw",
    "nsw",
    "exact",
    "disjoint",
    "nneg",
    "samesign",
    "inbounds",
    "nusw",
    "fast",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "contract",
    "afn",
    "reassoc",
    "tail",
    "volatile",
    "noundef",
    "nonnull",
    "noalias",
    "nocapture",
    "readonly",
    "readnone",
    "writeonly",
    "returned",
    "signext",
    "zeroext",
    "nofree",
    "immarg",
    "dso_local",
    "internal",
    "private",
    "unnamed_addr",
    "local_unnamed_addr",
    "fastcc",
    "coldcc",
    "hidden",
    "writable",
    "dead_on_unwind",
];

/// Words with an argument in parentheses or behind a blank.
const WITH_ARGUMENT: &[&str] =
    &["dereferenceable(", "dereferenceable_or_null(", "range(", "captures(", "initializes("];

/// The words of a text, as bytes of it, strings left out.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let word =
            |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'%' | b'@' | b'#' | b'!' | b'$');
        loop {
            match bytes.get(at)? {
                b'"' => at = text[at + 1..].find('"').map_or(text.len(), |n| at + 1 + n + 1),
                b if word(*b) => {
                    let start = at;
                    while bytes.get(at).is_some_and(|b| word(*b)) {
                        at += 1;
                    }
                    return Some(start..at);
                }
                _ => at += 1,
            }
        }
    })
}

/// A word with the blank behind it.
fn with_blank(text: &str, span: Range<usize>) -> Range<usize> {
    let end = if text[span.end..].starts_with(' ') { span.end + 1 } else { span.end };
    span.start..end
}

fn flags(module: &Module<'_>, hints: &mut Vec<Hint>) {
    let text = module.text;
    for span in words(text) {
        let word = &text[span.clone()];
        if WORDS.contains(&word) {
            hints.extend(hint(vec![module.cut(with_blank(text, span.clone()))]));
        } else if word == "align" && text[..span.start].ends_with(", ") {
            let digits = text[span.end..].bytes().skip(1).take_while(u8::is_ascii_digit).count();
            hints.extend(hint(vec![module.cut(span.start - 2..span.end + 1 + digits)]));
        } else if word == "align" {
            let digits = text[span.end..].bytes().skip(1).take_while(u8::is_ascii_digit).count();
            hints.extend(hint(vec![module.cut(with_blank(text, span.start..span.end + 1 + digits))]));
        }
    }
    for word in WITH_ARGUMENT {
        for (at, found) in text.match_indices(word) {
            if let Some(inner) = super::module::inside(text, at + found.len() - 1) {
                hints.extend(hint(vec![module.cut(with_blank(text, at..inner.end + 1))]));
            }
        }
    }
}

/// Lines that define something by a name of this sigil, and the name.
fn defined<'m>(module: &'m Module<'_>, begin: &'m str) -> impl Iterator<Item = (&'m str, Range<usize>)> + 'm {
    module.others.iter().filter_map(move |line| {
        let text = &module.text[line.clone()];
        let rest = text.strip_prefix(begin)?;
        let (name, _) = rest.split_once(" = ")?;
        let start = line.start + text.len() - rest.len();
        Some((&module.text[start..start + name.len()], line.clone()))
    })
}

fn attributes(module: &Module<'_>, hints: &mut Vec<Hint>) {
    for (name, line) in defined(module, "attributes ") {
        let mut patches: Vec<Patch> = vec![module.cut(line.clone())];
        for place in uses(module.text, 0..module.text.len(), name) {
            if !line.contains(&place.start) {
                let start = place.start - usize::from(module.text[..place.start].ends_with(' '));
                patches.push(module.cut(start..place.end));
            }
        }
        hints.extend(hint(patches));
    }
}

fn metadata(module: &Module<'_>, hints: &mut Vec<Hint>) {
    let text = module.text;
    // What is attached to instructions and functions: `, !tbaa !5` and ` !dbg !7`.
    for (at, _) in text.match_indices(" !") {
        let comma = text[..at].ends_with(',');
        let kind = super::module::name_at(text, at + 1);
        let behind = at + 1 + kind.len();
        let inner = text[..at].rfind('\n').map_or(0, |n| n + 1);
        if kind.len() > 1 && text[behind..].starts_with(" !") && !text[inner..at].starts_with('!') {
            let value = super::module::name_at(text, behind + 1);
            let start = at - usize::from(comma);
            hints.extend(hint(vec![module.cut(start..behind + 1 + value.len())]));
        }
    }
    for line in &module.others {
        let words = &text[line.clone()];
        let is_idle =
            words.starts_with('!') || words.starts_with("source_filename") || words.starts_with(';');
        if is_idle || words.trim().is_empty() {
            hints.extend(hint(vec![module.cut(line.clone())]));
        }
    }
}
