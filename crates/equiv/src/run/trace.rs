//! What a concrete run shows people: values, and where two of them differ.

use crate::model::{Acceptability, Val};
use smt::{ArrayVal, Bv, Concrete, Value};
use std::collections::BTreeSet;

/// Most differing bytes that are listed.
const BYTES: usize = 8;

/// Most bytes of a memory that are listed as an input.
const INPUT_BYTES: usize = 4096;

/// A value in words; of a memory no more than its first entries.
pub(crate) fn show(v: &Val<Concrete>) -> String {
    match v {
        Val::Bv(b) => Value::Bv(b.clone()).to_string(),
        Val::Mem(m) => {
            let entries = m.entries();
            let mut out: Vec<String> =
                entries.iter().take(INPUT_BYTES).map(|(a, e)| format!("{}: {}", hex(a), hex(e))).collect();
            if entries.len() > INPUT_BYTES {
                out.push(format!("({} more)", entries.len() - INPUT_BYTES));
            }
            out.push(format!("else: {}", hex(m.default_elem())));
            format!("[{}]", out.join(", "))
        }
    }
}

fn hex(v: &Bv) -> String {
    format!("{:#x}", v.to_big())
}

/// Where two lists of values differ.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Differences {
    /// Piece by piece.
    pub words: Vec<String>,
    /// In all of these pieces the right leaves open what the value is.
    pub right_leaves_open: bool,
}

/// Where two lists of values differ, piece by piece; addresses by the objects they lie in.
pub(crate) fn differences<A: Acceptability>(
    accept: &A,
    d: &Concrete,
    left: &[Val<Concrete>],
    right: &[Val<Concrete>],
) -> Differences {
    let (shown, other) = (accept.describe(left), accept.describe(right));
    let mut out = Vec::new();
    let mut open = 0;
    if left.len() != right.len() {
        out.push(format!("{} values | {} values", shown.len(), other.len()));
    }
    let name = |i: usize| if shown.len() == 1 { "value".to_owned() } else { format!("value {}", i + 1) };
    for (i, (l, r)) in shown.iter().zip(&other).enumerate() {
        match (l, r) {
            (Some(l), Some(r)) if l != r => out.push(format!("{}: {l} | {r}", name(i))),
            (Some(l), None) => {
                out.push(format!("{}: {l} | anything", name(i)));
                open += 1;
            }
            (Some(_) | None, Some(_)) | (None, None) => {}
        }
    }
    for pair in left.iter().zip(right) {
        if let (Val::Mem(a), Val::Mem(b)) = pair
            && a != b
        {
            out.extend(bytes(d, a, b));
        }
    }
    Differences { right_leaves_open: open > 0 && open == out.len(), words: out }
}

/// The first bytes in which two memories differ.
fn bytes(d: &Concrete, left: &ArrayVal, right: &ArrayVal) -> Vec<String> {
    let mut at: BTreeSet<Bv> = left.entries().into_iter().map(|(a, _)| a).collect();
    at.extend(right.entries().into_iter().map(|(a, _)| a));
    let differ: Vec<Bv> = at.into_iter().filter(|a| left.get(a) != right.get(a)).collect();
    let mut out: Vec<String> = differ
        .iter()
        .take(BYTES)
        .map(|a| format!("byte {}: {} | {}", place(d, a), hex(&left.get(a)), hex(&right.get(a))))
        .collect();
    if differ.len() > BYTES {
        out.push(format!("{} more bytes", differ.len() - BYTES));
    }
    if left.default_elem() != right.default_elem() {
        out.push("all other bytes".to_owned());
    }
    out
}

/// An address by the declared object that it lies in.
fn place(d: &Concrete, a: &Bv) -> String {
    for ((name, width), size) in &d.objects {
        let Some(base) = d.symbols.get(&(name.clone(), *width)).filter(|_| *width == a.width()) else {
            continue;
        };
        if let Some(offset) = a.sub(base).to_u64().filter(|o| o < size) {
            return format!("{name}+{offset}");
        }
    }
    hex(a)
}
