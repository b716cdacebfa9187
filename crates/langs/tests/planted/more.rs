//! Faults in how code is put together rather than in one operation: frame objects, arguments, address arithmetic,
//! widths, the order of accesses, what PHIs choose.

use super::{Fault, Kind, Numbers, defined, is_store, opcode, replaced, virtual_registers};
use std::ops::Range;

/// Most lines between two that change places.
const NEAR: usize = 8;

/// Plants a fault of one of the kinds here.
pub fn plant(text: &[String], lines: &[usize], kind: Kind, numbers: &mut Numbers) -> Option<Fault> {
    match kind {
        Kind::StackSlot => stack_slot(text, lines, numbers),
        Kind::Arguments => arguments(text, lines, numbers),
        Kind::AddressExtension => address_extension(text, lines, numbers),
        Kind::Width => width(text, lines, numbers),
        Kind::StoreOverLoad => store_over_load(text, lines, numbers),
        Kind::Incoming => incoming(text, lines, numbers),
        Kind::Carry => carry(text, lines, numbers),
        Kind::Call => call(text, lines, numbers),
        _ => None,
    }
}

fn op(text: &[String], i: usize) -> String {
    opcode(&text[i]).map(|r| text[i][r].to_owned()).unwrap_or_default()
}

pub fn line_fault(text: &[String], kind: Kind, i: usize, line: String) -> Option<Fault> {
    if text[i] == line {
        return None;
    }
    let change = format!("{} -> {}", text[i].trim(), line.trim());
    let mut all = text.to_vec();
    all[i] = line;
    Some(Fault { kind, text: all, change })
}

/// Another frame object.
fn stack_slot(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    let slots = |line: &str| -> Vec<(Range<usize>, u32)> {
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(found) = line[at..].find("%stack.") {
            let start = at + found + 7;
            let digits = line[start..].bytes().take_while(u8::is_ascii_digit).count();
            out.extend(line[start..start + digits].parse().map(|n| (start..start + digits, n)));
            at = start;
        }
        out
    };
    let mut all: Vec<u32> = lines.iter().flat_map(|i| slots(&text[*i])).map(|(_, n)| n).collect();
    all.sort_unstable();
    all.dedup();
    let uses: Vec<(usize, Range<usize>, u32)> = lines
        .iter()
        .filter(|i| !op(text, **i).starts_with("LIFETIME"))
        .flat_map(|i| slots(&text[*i]).into_iter().map(|(at, n)| (*i, at, n)))
        .collect();
    let (i, at, old) = numbers.pick(&uses)?.clone();
    let others: Vec<u32> = all.into_iter().filter(|n| *n != old).collect();
    let new = numbers.pick(&others)?;
    line_fault(text, Kind::StackSlot, i, replaced(&text[i], at, &new.to_string()))
}

/// Two arguments of a call change places.
fn arguments(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    let moved = |i: usize| -> Option<(String, String)> {
        let rest = text[i].trim_start().strip_prefix('$')?;
        let (register, value) = rest.split_once(" = COPY ")?;
        value.starts_with('%').then(|| (register.to_owned(), value.to_owned()))
    };
    let wide = |register: &str| match register.chars().next() {
        Some('r') => 64,
        Some('e') => 32,
        Some('x') => 128,
        _ => 0,
    };
    let mut able = Vec::new();
    for (k, &i) in lines.iter().enumerate() {
        let Some((a, x)) = moved(i) else { continue };
        for &j in lines[k + 1..].iter().take(NEAR).take_while(|j| moved(**j).is_some()) {
            if let Some((b, y)) = moved(j)
                && wide(&a) == wide(&b)
                && x != y
            {
                able.push((i, j, a.clone(), b, x.clone(), y));
            }
        }
    }
    let (i, j, a, b, x, y) = numbers.pick(&able)?.clone();
    let mut all = text.to_vec();
    all[i] = format!("    ${a} = COPY {y}");
    all[j] = format!("    ${b} = COPY {x}");
    Some(Fault { kind: Kind::Arguments, text: all, change: format!("swapped: ${a} and ${b}") })
}

/// An index that should keep its sign gets zeros above it.
fn address_extension(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    let able: Vec<usize> = lines.iter().copied().filter(|i| op(text, *i) == "MOVSX64rr32").collect();
    let i = *numbers.pick(&able)?;
    let (result, value) = text[i].split_once(" = MOVSX64rr32 ")?;
    let value = value.trim_start_matches("killed ");
    let line = format!("{result} = SUBREG_TO_REG 0, {value}, %subreg.sub_32bit");
    line_fault(text, Kind::AddressExtension, i, line)
}

/// Memory is accessed in another width.
fn width(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    const WIDTHS: &[&[&str]] = &[
        &["MOV8mi", "MOV16mi", "MOV32mi", "MOV64mi32"],
        &["MOVZX32rm8", "MOVZX32rm16"],
        &["MOVSX32rm8", "MOVSX32rm16"],
        &["MOVSX64rm8", "MOVSX64rm16", "MOVSX64rm32"],
        &["CMP8mi", "CMP16mi", "CMP32mi"],
        &["CMP16mi8", "CMP32mi8", "CMP64mi8"],
        &["TEST8mi", "TEST16mi", "TEST32mi"],
        &["OR8mi", "OR16mi", "OR32mi"],
        &["ADD8mi", "ADD16mi8", "ADD32mi8", "ADD64mi8"],
        &["INC8m", "INC16m", "INC32m", "INC64m"],
    ];
    let mut able = Vec::new();
    for &i in lines {
        let old = op(text, i);
        let group = WIDTHS.iter().find(|g| g.contains(&old.as_str()));
        let others = group.into_iter().flat_map(|g| g.iter()).filter(|o| **o != old);
        able.extend(others.map(|o| (i, *o)));
    }
    let (i, new) = *numbers.pick(&able)?;
    line_fault(text, Kind::Width, i, replaced(&text[i], opcode(&text[i])?, new))
}

/// A store sinks past a load, whatever that reads.
fn store_over_load(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    let mut able = Vec::new();
    for (k, &i) in lines.iter().enumerate() {
        if !is_store(&text[i]) {
            continue;
        }
        let stored = virtual_registers(&text[i]);
        for &j in lines[k + 1..].iter().take(NEAR) {
            let between = &text[i + 1..=j];
            let kept = between.iter().all(|l| !l.trim_start().starts_with("bb.") && opcode(l).is_some());
            let calls = between.iter().any(|l| l.contains("CALL64") || l.contains("ADJCALLSTACK"));
            let redefined = |l: &String| defined(l).iter().any(|d| stored.iter().any(|(_, n)| n == d));
            let last = ["JMP_1", "JCC_1", "RET"].iter().any(|o| op(text, j).starts_with(o));
            if !kept || calls || last || between.iter().any(redefined) {
                break;
            }
            if text[j].contains(":: (load") || text[j].contains("load (s") {
                able.push((i, j));
            }
        }
    }
    let (i, j) = *numbers.pick(&able)?;
    let mut all = text.to_vec();
    let store = all.remove(i);
    all.insert(j, store);
    let change = format!("sunk: {} past {}", text[i].trim(), text[j].trim());
    Some(Fault { kind: Kind::StoreOverLoad, text: all, change })
}

/// A PHI takes its values from the wrong ways.
fn incoming(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    let parts = |i: usize| -> Option<(String, Vec<String>)> {
        let (result, list) = text[i].split_once(" = PHI ")?;
        let list: Vec<String> = list.split(", ").map(str::to_owned).collect();
        (list.len() >= 4 && list.len().is_multiple_of(2)).then(|| (result.to_owned(), list))
    };
    let able: Vec<usize> = lines.iter().copied().filter(|i| parts(*i).is_some()).collect();
    let i = *numbers.pick(&able)?;
    let (result, mut list) = parts(i)?;
    let first = numbers.below(list.len() / 2);
    let second = (first + 1 + numbers.below(list.len() / 2 - 1)) % (list.len() / 2);
    list.swap(2 * first, 2 * second);
    line_fault(text, Kind::Incoming, i, format!("{result} = PHI {}", list.join(", ")))
}

/// The carry is forgotten.
fn carry(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    let able: Vec<usize> = lines
        .iter()
        .copied()
        .filter(|i| op(text, *i).starts_with("ADC") || op(text, *i).starts_with("SBB"))
        .collect();
    let i = *numbers.pick(&able)?;
    let old = op(text, i);
    let new = match old.strip_prefix("ADC") {
        Some(rest) => format!("ADD{rest}"),
        None => format!("SUB{}", &old[3..]),
    };
    line_fault(text, Kind::Carry, i, replaced(&text[i], opcode(&text[i])?, &new))
}

/// Another function of those that the function calls.
fn call(text: &[String], lines: &[usize], numbers: &mut Numbers) -> Option<Fault> {
    let callee = |i: usize| -> Option<Range<usize>> {
        let line = &text[i];
        let start = line.find("CALL64pcrel32").and_then(|at| Some(at + line[at..].find('@')?))?;
        let len = line[start..].find(',')?;
        Some(start..start + len)
    };
    let mut names: Vec<String> =
        lines.iter().filter_map(|i| Some(text[*i][callee(*i)?].to_owned())).collect();
    names.sort();
    names.dedup();
    let able: Vec<usize> = lines.iter().copied().filter(|i| callee(*i).is_some()).collect();
    let i = *numbers.pick(&able)?;
    let at = callee(i)?;
    let others: Vec<&String> = names.iter().filter(|n| **n != text[i][at.clone()]).collect();
    let new = numbers.pick(&others)?;
    line_fault(text, Kind::Call, i, replaced(&text[i], at, new))
}
