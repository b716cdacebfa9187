//! Literal pools along a path: the word that an instruction reads, wherever the pool lies.

use super::Function;
use crate::code::{Insn, bytes_of, decoder};
use crate::objects::{Image, Referent};
use crate::places::Reference;

/// Bytes that an access to a literal pool reads, by the register's letter.
pub fn width(image: &Image, section: usize, insn: &Insn) -> u64 {
    let text = decoder(image.arch).text(&bytes_of(image, section, insn), insn);
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((&text, ""));
    match operands.trim_start().as_bytes().first() {
        Some(b'q') => 16,
        Some(b'd' | b'x') => 8,
        _ if mnemonic.starts_with("ldrd") => 8,
        _ if image.arch.is_x86() => 16,
        _ => 4,
    }
}

/// A word of a literal pool without what the linker fills in, and its references.
pub fn literal<'f>(
    image: &Image,
    f: &'f Function,
    at: (usize, u64),
    width: u64,
) -> Option<(Vec<u8>, Vec<&'f Reference>)> {
    let n = f.code.stretches.iter().position(|s| s.section == at.0 && s.start <= at.1 && at.1 < s.end)?;
    let section = &image.sections[at.0];
    let offset = at.1.wrapping_sub(section.address);
    let mut bytes = section.read(offset, width)?.into_owned();
    let refs: Vec<&Reference> =
        f.references[n].iter().filter(|r| r.at >= at.1 && r.at < at.1 + width).collect();
    for r in &refs {
        let (inside, size, mask) = r.field?;
        super::contents::clear(&mut bytes, (r.at - at.1 + inside) as usize, size, mask);
    }
    // A number in a linked file may be an address.
    let lone = refs.is_empty() && image.linked;
    let plain =
        section.relocs_in(offset, offset + width).iter().all(|r| matches!(r.referent, Referent::Symbol(_)));
    (!lone && plain).then_some((bytes, refs))
}
