//! Whether one address in a file may stand for several objects: compilers for AArch64, ARM and RISC-V reach neighbours from
//! one anchor in a section, and what they call by it is gone from the object file.

use crate::objects::Image;
use crate::pairing::dwarf::{Reader, with_debug_information};
use gimli::{AttributeValue, Reader as _};

/// Whether an address by a section may be of any object near it. It is not on x86, nor where debug information says of each
/// unit that GCC compiled it with `-fno-section-anchors`. (Clang merges globals by options that it does not record.)
#[must_use]
pub fn has_anchors(image: &Image) -> bool {
    !image.arch.is_x86() && !with_debug_information(image, without).unwrap_or(false)
}

fn without(dwarf: &gimli::Dwarf<Reader<'_>>) -> Result<bool, gimli::Error> {
    let (mut units, mut any) = (dwarf.units(), false);
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        let Some(root) = entries.next_dfs()? else { return Ok(false) };
        // What is written in assembly has no objects that a compiler merged.
        let language = root.attr_value(gimli::DW_AT_language);
        if matches!(language, Some(AttributeValue::Language(gimli::DW_LANG_Mips_Assembler))) {
            continue;
        }
        let Some(producer) = root.attr_value(gimli::DW_AT_producer) else { return Ok(false) };
        let producer = dwarf.attr_string(&unit, producer)?;
        let text = producer.to_string_lossy()?;
        let last = text.split(' ').rfind(|word| word.ends_with("section-anchors"));
        if !text.starts_with("GNU ") || last != Some("-fno-section-anchors") {
            return Ok(false);
        }
        any = true;
    }
    Ok(any)
}
