//! Where jumps of a function go: its references, and the tables that they point to.

use super::{NEVER_RETURN, Place, Reference, resolve};
use crate::code::{Code, Insn};
use crate::objects::Image;
use crate::objects::addend::{field, is_distance};

/// What a graph of blocks asks about a function: its references, and what its tables hold.
#[derive(Debug)]
pub struct FunctionTargets<'a> {
    code: &'a Code,
    references: &'a [Vec<Reference>],
    tables: Vec<(usize, u64)>,
}

impl<'a> FunctionTargets<'a> {
    /// For a function with its references.
    #[must_use]
    pub fn of(image: &Image, function: usize, code: &'a Code, references: &'a [Vec<Reference>]) -> Self {
        let tables = references.iter().flatten().flat_map(|r| table(image, function, &r.place)).collect();
        FunctionTargets { code, references, tables }
    }

    fn of_insn(&self, stretch: usize, insn: &Insn) -> &[Reference] {
        let list = self.references.get(stretch).map(Vec::as_slice).unwrap_or_default();
        let from = list.partition_point(|r| r.at < insn.at);
        let to = list.partition_point(|r| r.at < insn.end());
        list.get(from..to).unwrap_or_default()
    }
}

impl crate::code::cfg::Targets for FunctionTargets<'_> {
    fn jump(&self, stretch: usize, insn: &Insn) -> Option<(usize, u64)> {
        self.of_insn(stretch, insn).iter().find_map(|r| match r.place {
            Place::Own { section, address } => Some((section, address)),
            Place::Function { .. }
            | Place::Name { .. }
            | Place::Data { .. }
            | Place::Number(_)
            | Place::Unresolved(_) => None,
        })
    }

    fn tables(&self) -> Vec<(usize, u64)> {
        let mut places = self.tables.clone();
        // Only places that instructions begin at: distances in other words are none.
        places.retain(|(section, at)| self.code.find(*section, *at).is_some());
        places
    }

    fn endless(&self, stretch: usize, insn: &Insn) -> bool {
        self.of_insn(stretch, insn).iter().any(|r| match &r.place {
            Place::Name { name, .. } => NEVER_RETURN.contains(&name.as_str()),
            Place::Own { .. }
            | Place::Function { .. }
            | Place::Data { .. }
            | Place::Number(_)
            | Place::Unresolved(_) => false,
        })
    }
}

/// Entries of a table at most: more cases than any switch has that compilers make a table of.
const ENTRIES: usize = 1 << 16;

/// The places in the function that a table of relocations holds: from where a reference points up to the first word that
/// refers to anything else.
#[must_use]
pub fn table(image: &Image, function: usize, place: &Place) -> Vec<(usize, u64)> {
    let Place::Data { section, offset, .. } = place else { return Vec::new() };
    let Ok(start) = u64::try_from(*offset) else { return Vec::new() };
    let home = &image.sections[*section];
    if home.exec || home.write || image.linked {
        return Vec::new();
    }
    let mut places = Vec::new();
    let mut expected = start;
    for reloc in home.relocs_in(start, home.size).iter().take(ENTRIES) {
        let width = field(image.arch, reloc.kind).map_or(4, |(size, _)| u64::from(size));
        // The second of two relocations of one word takes the table's own address away.
        if reloc.offset + width == expected {
            continue;
        }
        if reloc.offset != expected {
            break;
        }
        let inside = match is_distance(image.arch, reloc.kind) {
            true => reloc.offset.wrapping_sub(start) as i64,
            false => 0,
        };
        match resolve(image, function, reloc.referent, reloc.addend.wrapping_sub(inside)) {
            Place::Own { section, address } => places.push((section, address)),
            _ => break,
        }
        expected = reloc.offset + width;
    }
    places
}
