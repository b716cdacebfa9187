//! ARM of 32 bits, A32 and Thumb, decoded by Capstone.

use super::capstone::{Machine, Words, number};
use super::{Flow, Insn, Relative};
use capstone::prelude::*;

/// The decoder.
pub fn decoder() -> Machine {
    use arch::arm::{ArchExtraMode, ArchMode};
    let v8 = || [ArchExtraMode::V8].iter().copied();
    let plain = Capstone::new().arm().mode(ArchMode::Arm).extra_mode(v8()).detail(true).build().ok();
    let thumb = Capstone::new().arm().mode(ArchMode::Thumb).extra_mode(v8()).detail(true).build().ok();
    Machine { plain, thumb, unit: 4, classify, key, finish: |_, _, _| () }
}

/// The suffixes of conditions.
const CONDITIONS: &[&str] =
    &["eq", "ne", "hs", "cs", "lo", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"];

/// A mnemonic without its width, its condition told apart: `popne` is (`pop`, true).
fn split<'a>(mnemonic: &'a str, known: &[&str]) -> Option<(&'a str, bool)> {
    let plain = mnemonic.strip_suffix(".w").or_else(|| mnemonic.strip_suffix(".n")).unwrap_or(mnemonic);
    if known.contains(&plain) {
        return Some((plain, false));
    }
    let cut = plain.len().checked_sub(2)?;
    let (base, condition) = (plain.get(..cut)?, plain.get(cut..)?);
    (known.contains(&base) && CONDITIONS.contains(&condition)).then_some((base, true))
}

/// What changes the flow; longer names first do not matter, since names are compared whole.
const BRANCHES: &[&str] =
    &["b", "bl", "blx", "bx", "bxj", "cbz", "cbnz", "tbb", "tbh", "udf", "bkpt", "udf.w"];

/// What may write the program counter.
const WRITERS: &[&str] =
    &["pop", "ldm", "ldmdb", "ldmib", "ldmda", "ldr", "mov", "add", "sub", "movs", "subs", "rfeia"];

fn classify(words: &Words, insn: &mut Insn) {
    insn.nop = split(words.mnemonic, &["nop"]).is_some();
    let number = |text: &str| number(text).map(|n| n as u64);
    if let Some((base, conditional)) = split(words.mnemonic, BRANCHES) {
        insn.conditional = conditional;
        let direct = words.operands.contains('#');
        insn.flow = match (base, direct) {
            ("b", _) => Flow::Jump,
            ("bl" | "blx", true) => Flow::Call,
            ("bl" | "blx", false) => Flow::IndirectCall,
            ("bx" | "bxj", _) if words.first() == "lr" => Flow::Return,
            ("bx" | "bxj" | "tbb" | "tbh", _) => Flow::IndirectJump,
            ("cbz" | "cbnz", _) => {
                insn.conditional = true;
                Flow::Jump
            }
            _ => Flow::Trap,
        };
        insn.pinned = matches!(base, "tbb" | "tbh");
        if matches!(insn.flow, Flow::Jump | Flow::Call) {
            insn.target = words.operands.rsplit(',').next().and_then(number);
        }
        return;
    }
    writes_counter(words, insn);
    reads_counter(words, insn);
}

/// Returns by `pop {pc}`, jumps by loading or computing the program counter.
fn writes_counter(words: &Words, insn: &mut Insn) {
    let Some((base, conditional)) = split(words.mnemonic, WRITERS) else { return };
    let list = words.operands.split_once('{').is_some_and(|(_, list)| list.contains("pc"));
    let first = words.first() == "pc";
    let flow = match base {
        "pop" | "ldm" | "ldmdb" | "ldmib" | "ldmda" if list => Flow::Return,
        "ldr" if first && words.operands.contains("[sp") => Flow::Return,
        "mov" | "movs" | "subs" if first && words.operands.contains("lr") => Flow::Return,
        "ldr" | "mov" | "add" | "sub" if first => Flow::IndirectJump,
        _ => return,
    };
    (insn.flow, insn.conditional) = (flow, conditional);
}

/// Loads from literal pools name a place; anything else that reads the program counter depends on where it is.
fn reads_counter(words: &Words, insn: &mut Insn) {
    let base = insn.at.wrapping_add(if insn.thumb { 4 } else { 8 }) & !3;
    if let Some((_, inside)) = words.operands.split_once("[pc") {
        let distance = inside.split(']').next().map(|d| d.trim_start_matches(',').trim());
        let distance = match distance {
            Some("") => Some(0),
            Some(text) => number(text),
            None => None,
        };
        match distance {
            Some(distance) if insn.flow == Flow::Next => {
                insn.relative = Some(Relative::Access(base.wrapping_add_signed(distance)));
                insn.access = Some(16);
            }
            Some(_) | None => insn.pinned = true,
        }
        return;
    }
    if let Some((_, conditional)) = split(words.mnemonic, &["adr"]) {
        insn.conditional = conditional;
        insn.relative = words.last_number().map(|n| Relative::Address(base.wrapping_add_signed(n)));
        return;
    }
    let mut reads = words.operands.split(|c: char| !c.is_ascii_alphanumeric()).skip(1);
    insn.pinned |= insn.flow != Flow::Return && reads.any(|word| word == "pc");
}

fn key(words: &Words, insn: &Insn) -> Option<String> {
    let width = |m: &str| m.strip_suffix(".w").or_else(|| m.strip_suffix(".n")).unwrap_or(m).to_owned();
    let mnemonic = width(words.mnemonic);
    match insn.relative {
        Some(Relative::Access(_)) => {
            let before = words.operands.split_once("[pc").map_or("", |(before, _)| before);
            Some(format!("{mnemonic} {before}"))
        }
        Some(Relative::Address(_) | Relative::Page(_)) => Some(format!("{mnemonic} {}", words.but_last())),
        None if insn.target.is_some() => Some(format!("{mnemonic} {}", words.but_last())),
        None => Some(format!("{mnemonic} {}", words.operands)),
    }
}
