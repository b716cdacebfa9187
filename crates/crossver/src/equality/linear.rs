//! Identical after relocation names: the same bytes at the same distances, references apart, which mean the same.
//!
//! The paper's "Identical": exactly the same instructions after addresses are replaced by symbols (section 4.1).

use super::Function;
use super::contents::clear;
use super::matcher::Matcher;
use super::verdict::Difference;
use crate::code::{Flow, Insn, Stretch, bytes_of, decoder};
use crate::objects::Image;
use crate::places::{Place, Reference};

/// Compares two functions byte by byte.
///
/// # Errors
/// The first difference.
pub fn compare(matcher: &mut Matcher, old: &Function, new: &Function) -> Result<(), Difference> {
    if old.code.stretches.len() != new.code.stretches.len() {
        return Err(Difference::Shape);
    }
    for n in 0..old.code.stretches.len() {
        instructions(matcher, old, new, n)?;
        let (a, b) = (&old.code.stretches[n], &new.code.stretches[n]);
        pools(matcher.old.image, matcher.new.image, (a, b), (&old.references[n], &new.references[n]))?;
        references(matcher, (a, b), (&old.references[n], &new.references[n]))?;
    }
    // Tables lead to the same distances.
    let places = std::mem::take(&mut matcher.pending);
    let place = |f: &Function, (section, address): (usize, u64)| {
        let holds = |s: &Stretch| s.section == section && s.start <= address && address < s.end;
        let n = f.code.stretches.iter().position(holds)?;
        Some((n, address - f.code.stretches[n].start))
    };
    match places.iter().all(|(a, b)| place(old, *a).is_some() && place(old, *a) == place(new, *b)) {
        true => Ok(()),
        false => Err(Difference::JumpTable),
    }
}

/// Instructions in order, those that fill space at the end left out.
fn instructions(matcher: &Matcher, old: &Function, new: &Function, n: usize) -> Result<(), Difference> {
    let (a, b) = (&old.code.stretches[n], &new.code.stretches[n]);
    let (x, y) = (without_padding(a), without_padding(b));
    let mut refs = (old.references[n].iter().peekable(), new.references[n].iter().peekable());
    for (i, j) in x.iter().zip(y) {
        let (p, q) = (take(&mut refs.0, i), take(&mut refs.1, j));
        let bytes = (
            masked(matcher.old.image, a.section, i, &p, false),
            masked(matcher.new.image, b.section, j, &q, false),
        );
        if i.at - a.start != j.at - b.start || bytes.0 != bytes.1 {
            return Err(differ(matcher, (old, a, i), (new, b, j)));
        }
    }
    if x.len() != y.len() { Err(Difference::Shape) } else { Ok(()) }
}

/// The references of one instruction.
pub fn take<'a>(
    references: &mut std::iter::Peekable<std::slice::Iter<'a, Reference>>,
    insn: &Insn,
) -> Vec<&'a Reference> {
    while references.next_if(|r| r.at < insn.at).is_some() {}
    let mut found = Vec::new();
    while let Some(r) = references.next_if(|r| r.at >= insn.at && r.at < insn.end()) {
        found.push(r);
    }
    found
}

/// The instructions up to the filling at the end of a stretch.
fn without_padding(stretch: &Stretch) -> &[Insn] {
    let used = stretch.insns.iter().rposition(|insn| !insn.nop).map_or(0, |n| n + 1);
    // Filling in front of data keeps its place.
    if stretch.data.is_empty() { &stretch.insns[..used] } else { &stretch.insns }
}

/// The bytes of an instruction without the bits that the linker fills in.
pub fn masked(image: &Image, section: usize, insn: &Insn, refs: &[&Reference], joined: bool) -> Vec<u8> {
    let mut bytes = bytes_of(image, section, insn).into_owned();
    for (at, size, mask) in refs.iter().filter_map(|r| r.field) {
        clear(&mut bytes, at as usize, size, mask);
    }
    // What the assembler filled in by itself is compared as a place, too.
    let filled = refs.iter().any(|r| r.field.is_none() && !matches!(r.place, Place::Own { .. }));
    if (filled || joined) && image.arch.is_x86() && matches!(insn.flow, Flow::Jump | Flow::Call) {
        let width = if insn.len >= 5 { 4 } else { 1 };
        let at = usize::from(insn.len).saturating_sub(width);
        clear(&mut bytes, at, width as u8, 0xffff_ffff);
    }
    bytes
}

/// Data between instructions: literal pools and tables.
fn pools(
    old: &Image,
    new: &Image,
    (a, b): (&Stretch, &Stretch),
    (p, q): (&[Reference], &[Reference]),
) -> Result<(), Difference> {
    let at = |s: &Stretch| s.data.iter().map(|(x, y)| (x - s.start, y - s.start)).collect::<Vec<_>>();
    let trimmed = |s: &Stretch| s.data.is_empty();
    if trimmed(a) != trimmed(b) || at(a) != at(b) {
        return Err(Difference::Shape);
    }
    let read = |image: &Image, s: &Stretch, refs: &[Reference], (x, y): (u64, u64)| {
        let section = &image.sections[s.section];
        let mut bytes = section.read(x.wrapping_sub(section.address), y - x)?.into_owned();
        for r in refs.iter().filter(|r| r.at >= x && r.at < y) {
            if let Some((inside, size, mask)) = r.field {
                clear(&mut bytes, (r.at - x + inside) as usize, size, mask);
            }
        }
        Some(bytes)
    };
    for (x, y) in a.data.iter().zip(&b.data) {
        if read(old, a, p, *x) != read(new, b, q, *y) {
            return Err(Difference::Contents(format!("the pool at {:#x}", y.0)));
        }
    }
    Ok(())
}

/// References in order.
fn references(
    matcher: &mut Matcher,
    (a, b): (&Stretch, &Stretch),
    (p, q): (&[Reference], &[Reference]),
) -> Result<(), Difference> {
    if p.len() != q.len() {
        return Err(Difference::Shape);
    }
    for (r, u) in p.iter().zip(q) {
        if r.at - a.start != u.at - b.start || r.kind != u.kind {
            return Err(Difference::Shape);
        }
        matcher.same(&r.place, &u.place, r.access.filter(|_| r.access == u.access))?;
    }
    Ok(())
}

/// Two instructions that differ, as a person reads them.
pub fn differ(
    matcher: &Matcher,
    (old, a, i): (&Function, &Stretch, &Insn),
    (new, b, j): (&Function, &Stretch, &Insn),
) -> Difference {
    let show = |image: &Image, f: &Function, s: &Stretch, insn: &Insn| {
        let text = decoder(image.arch).text(&bytes_of(image, s.section, insn), insn);
        let start = f.code.stretches.first().map_or(0, |first| first.start);
        let from = if f.code.stretches.first().is_some_and(|first| first.section == s.section) {
            format!("+{:#x}", insn.at.wrapping_sub(start))
        } else {
            format!("cold+{:#x}", insn.at.wrapping_sub(s.start))
        };
        format!("{from} {}", text.trim())
    };
    Difference::Instruction {
        old: show(matcher.old.image, old, a, i),
        new: show(matcher.new.image, new, b, j),
    }
}
