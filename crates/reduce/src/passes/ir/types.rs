//! Types: what an instruction gives, what is zero of a type, integers made narrower.

use super::module::{Instruction, Module, hint, parts};
use crate::{Hint, Patch};
use std::collections::BTreeSet;

ir_pass!(IrTypes, "ir-types", "LLVM IR: makes integers narrower.", narrow, Fine);

/// Widths that integers are made, the first choice first.
const WIDTHS: &[&str] = &["i1", "i8", "i16", "i32"];

/// The constant of a type that is simplest.
pub fn zero(ty: &str) -> &'static str {
    match ty {
        "ptr" => "null",
        "i1" => "false",
        "half" | "bfloat" | "float" | "double" => "0.0",
        _ if ty.ends_with('*') => "null",
        _ if is_integer(ty) => "0",
        _ => "zeroinitializer",
    }
}

/// Is it `iN`?
pub fn is_integer(ty: &str) -> bool {
    ty.strip_prefix('i').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Words between an opcode and its type.
const FLAGS: &[&str] = &[
    "nuw", "nsw", "exact", "disjoint", "nneg", "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn",
    "reassoc", "volatile", "atomic", "samesign", "inbounds", "nusw", "tail", "musttail", "notail",
];

/// The type at the beginning of a text.
pub fn leading_type(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let close = match text.as_bytes().first()? {
        b'<' => Some('>'),
        b'[' => Some(']'),
        b'{' => Some('}'),
        _ => None,
    };
    let end = match close {
        Some(close) => {
            let open = text.chars().next()?;
            let mut depth = 0;
            text.char_indices().find_map(|(at, c)| {
                depth += i32::from(c == open) - i32::from(c == close);
                (depth == 0).then_some(at + 1)
            })?
        }
        None => text.find([' ', ',', ')', '\n']).unwrap_or(text.len()),
    };
    Some(&text[..end]).filter(|ty| !ty.is_empty())
}

/// The type of what an instruction gives, where its text says so plainly.
pub fn result_type<'t>(instruction: &Instruction<'t>) -> Option<&'t str> {
    let opcode = instruction.opcode();
    let at = instruction.body.find(opcode)? + opcode.len();
    let mut rest = instruction.body[at..].trim_start();
    while let Some(word) = rest.split(' ').next().filter(|word| FLAGS.contains(word)) {
        rest = rest[word.len()..].trim_start();
    }
    match opcode {
        "icmp" | "fcmp" => (!rest.contains('<')).then_some("i1"),
        "alloca" | "getelementptr" => (!rest.starts_with('<')).then_some("ptr"),
        "trunc" | "zext" | "sext" | "bitcast" | "ptrtoint" | "inttoptr" | "fptrunc" | "fpext" | "fptosi"
        | "fptoui" | "sitofp" | "uitofp" | "addrspacecast" => leading_type(&rest[rest.rfind(" to ")? + 4..]),
        "select" => {
            let second = parts(rest, 0..rest.len()).get(1)?.clone();
            leading_type(&rest[second])
        }
        "call" => call_type(rest),
        "extractvalue" | "extractelement" | "cmpxchg" | "invoke" | "landingpad" | "atomicrmw" | "va_arg" => {
            None
        }
        _ => leading_type(rest),
    }
}

/// The type that a call gives: the last before the function's name, behind attributes.
fn call_type(rest: &str) -> Option<&str> {
    let before = rest.split(['@', '%']).next()?.trim_end();
    let before = before.split('(').next().unwrap_or(before).trim_end();
    let start = if before.ends_with(['>', ']', '}']) { before.find(['<', '[', '{']) } else { None };
    let start = start.or_else(|| before.rfind(' ').map(|at| at + 1)).unwrap_or(0);
    Some(&before[start..]).filter(|ty| !ty.is_empty() && *ty != "void")
}

/// Each type of integers, in a function or in all of the text, replaced by a narrower one.
fn narrow(module: &Module<'_>, hints: &mut Vec<Hint>) {
    let several = module.functions.len() > 1;
    let functions = module.functions.iter().filter(|_| several).map(|f| f.span.clone());
    for span in std::iter::once(0..module.text.len()).chain(functions) {
        let text = &module.text[span.clone()];
        let bytes = text.as_bytes();
        let word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || b"_.%@$\"-:".contains(b));
        let mut places: Vec<(usize, &str)> = Vec::new();
        for (at, _) in text.match_indices('i') {
            let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let before = at.checked_sub(1).and_then(|n| bytes.get(n));
            if digits > 0 && !word(before) && !word(bytes.get(at + 1 + digits)) {
                places.push((at, &text[at..at + 1 + digits]));
            }
        }
        let kinds: BTreeSet<&str> = places.iter().map(|(_, ty)| *ty).collect();
        for ty in kinds {
            let bits = |ty: &str| ty[1..].parse::<u32>().unwrap_or(0);
            for new in WIDTHS.iter().filter(|new| bits(new) < bits(ty)) {
                let of_type = places.iter().filter(|(_, known)| *known == ty);
                let patches: Vec<Patch> = of_type
                    .map(|(at, _)| module.put(span.start + at..span.start + at + ty.len(), *new))
                    .collect();
                hints.extend(hint(patches));
            }
        }
    }
}
