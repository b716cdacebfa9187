//! Faults in what instructions say beside what they do, which the passes behind go by: registers read and kept, memory
//! operands, thread-local variables.

use super::more::line_fault;
use super::{Fault, Kind, Numbers};

/// Plants a fault of one of the kinds here.
pub fn plant(text: &[String], lines: &[usize], kind: Kind, numbers: &mut Numbers) -> Option<Fault> {
    let mut able: Vec<(usize, String)> = Vec::new();
    for &i in lines {
        let line = &text[i];
        let others = match kind {
            Kind::Liveness => unread(line),
            Kind::Mask => kept(line),
            Kind::Access => accesses(text, line),
            Kind::Thread => elsewhere(line),
            _ => Vec::new(),
        };
        able.extend(others.into_iter().map(|new| (i, new)));
    }
    let (i, new) = numbers.pick(&able)?.clone();
    line_fault(text, kind, i, new)
}

/// The line without one of the registers that a call or return is said to read.
fn unread(line: &str) -> Vec<String> {
    let at = |word: &str| line.trim_start().starts_with(word);
    let call = at("CALL64") || at("TCRETURN");
    let read = |part: &str| {
        let name = part.strip_prefix("implicit ").or(Some(part).filter(|_| at("RET")));
        let name = name.map(|n| n.trim_start_matches("killed ")).and_then(|n| n.strip_prefix('$'));
        name.is_some_and(|n| !matches!(n, "rsp" | "ssp" | "noreg" | "rip"))
    };
    if !call && !at("RET") {
        return Vec::new();
    }
    let (code, rest) = line.split_once(" :: ").map_or((line, ""), |(code, rest)| (code, rest));
    let parts: Vec<&str> = code.split(", ").collect();
    // The callee of an indirect call is an operand like others.
    let able = (1..parts.len()).filter(|n| read(parts[*n]));
    let without = |n: usize| {
        let kept: Vec<&str> = parts.iter().enumerate().filter(|(i, _)| *i != n).map(|(_, p)| *p).collect();
        let tail = if rest.is_empty() { String::new() } else { format!(" :: {rest}") };
        kept.join(", ") + &tail
    };
    able.map(without).collect()
}

/// A call said to keep other registers, or to destroy none.
fn kept(line: &str) -> Vec<String> {
    if !line.contains(", csr_64,") {
        return Vec::new();
    }
    ["csr_64_mostregs,", "csr_64_allregs,", ""]
        .iter()
        .map(|mask| {
            line.replacen(" csr_64,", &if mask.is_empty() { String::new() } else { format!(" {mask}") }, 1)
        })
        .collect()
}

/// A memory operand that says more of its memory, or orders less.
fn accesses(text: &[String], line: &str) -> Vec<String> {
    let mut out = Vec::new();
    // That it never changes is surely wrong of what the function stores to.
    let base = line.split(" from ").nth(1).and_then(|rest| rest.split([',', ')']).next());
    let stored = base.is_some_and(|base| {
        let ends = [format!("into {base},"), format!("into {base})")];
        text.iter().any(|l| ends.iter().any(|end| l.contains(end)))
    });
    if stored && line.contains("(load (s") {
        out.push(line.replacen("(load (s", "(invariant load (s", 1));
    }
    // The source does not say that a guard is put into its slot volatilely: one selector does, another does not.
    let guarded = text.iter().any(|l| l.contains("(volatile load (s64)") && l.contains("addrspace 257)"));
    let of_guard = guarded && line.contains("(volatile store (s64) into %stack.");
    if line.contains("(volatile ") && !of_guard {
        out.push(line.replacen("(volatile ", "(", 1));
    }
    for (order, less) in [
        (" acquire ", " monotonic "),
        (" release ", " monotonic "),
        (" seq_cst ", " acquire "),
        (" acq_rel ", " release "),
    ] {
        if line.contains(order) && line.contains(" :: (") {
            out.push(line.replacen(order, less, 1));
        }
    }
    out
}

/// A thread-local variable that is looked for elsewhere.
fn elsewhere(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    if line.contains("$fs") {
        out.push(line.replacen("$fs", "$noreg", 1));
    }
    for (flag, other) in
        [("x86-tpoff", "x86-dtpoff"), ("x86-dtpoff", "x86-tpoff"), ("x86-gottpoff", "x86-gotpcrel")]
    {
        if line.contains(flag) {
            out.push(line.replacen(flag, other, 1));
        }
    }
    out
}
