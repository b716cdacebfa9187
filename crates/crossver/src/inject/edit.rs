//! A change of code or of a relocation as a change of the object file's bytes: what is compared is what is on disk.

use super::patch::Patch;
use crate::objects::{Image, Reloc};
use object::read::elf::{ElfFile64, SectionHeader};
use object::{Endianness, elf};

/// Bytes of a relocation with addend: place, kind and symbol, addend.
const RELA: usize = 24;

/// The bytes of the whole file with a change at an offset of a section.
pub fn edited(image: &Image, (section, at): (usize, u64), patch: &Patch) -> Option<Vec<u8>> {
    let home = &image.sections[section];
    let start = home.bytes.as_ref()?.place_in(&image.bytes)?;
    let mut all = image.bytes.get().to_vec();
    match patch {
        Patch::Bytes(new) => {
            let at = start.checked_add(usize::try_from(at).ok()?)?;
            all.get_mut(at..at.checked_add(new.len())?)?.copy_from_slice(new);
        }
        Patch::Addend(n, by) => {
            let at = addend(&all, start as u64, home.relocs.get(*n)?)?;
            let field = all.get_mut(at..at + 8)?;
            let now = i64::from_le_bytes(field.try_into().ok()?);
            field.copy_from_slice(&now.checked_add(*by)?.to_le_bytes());
        }
    }
    Some(all)
}

/// Where the addend of a relocation lies in the file; the section that it is of begins at `start`.
fn addend(bytes: &[u8], start: u64, reloc: &Reloc) -> Option<usize> {
    let file = ElfFile64::<Endianness>::parse(bytes).ok()?;
    let (endian, table) = (file.endian(), file.elf_section_table());
    for header in table.iter().filter(|header| header.sh_type(endian) == elf::SHT_RELA) {
        let of = table.iter().nth(header.sh_info(endian) as usize)?;
        if of.sh_offset(endian) != start || of.sh_type(endian) == elf::SHT_NOBITS {
            continue;
        }
        let first = usize::try_from(header.sh_offset(endian)).ok()?;
        let count = usize::try_from(header.sh_size(endian)).ok()? / RELA;
        for at in (0..count).map(|n| first + n * RELA) {
            let entry = bytes.get(at..at + RELA)?;
            let word = |n: usize| entry[8 * n..8 * n + 8].try_into().map(u64::from_le_bytes).ok();
            if word(0)? == reloc.offset && word(1)? as u32 == reloc.kind {
                return Some(at + 16);
            }
        }
    }
    None
}
