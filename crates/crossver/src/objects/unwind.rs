//! Which functions have landing pads: unwinding enters them at places that no instruction names.

use super::image::{Home, Image, Referent};
use gimli::{BaseAddresses, CieOrFde, EhFrame, UnwindSection};
use object::Endianness;
use object::read::elf::{ElfFile, FileHeader};

/// Notes for each function with a table of landing pads where that table is.
pub(super) fn landing_pads<Elf: FileHeader<Endian = Endianness>>(
    image: &mut Image,
    _file: &ElfFile<'_, Elf>,
) {
    if !image.sections.iter().any(|s| s.name.starts_with(".gcc_except_table")) {
        return;
    }
    if image.linked { linked(image) } else { relocatable(image) }
}

/// An entry refers to its function, and behind that to its table.
fn relocatable(image: &mut Image) {
    let mut found = Vec::new();
    for section in image.sections.iter().filter(|s| s.name.starts_with(".eh_frame")) {
        let mut function = None;
        for reloc in &section.relocs {
            let Referent::Symbol(symbol) = reloc.referent else { continue };
            let symbol = &image.symbols[symbol];
            let Home::Section(home) = symbol.home else { continue };
            let at = symbol.value.wrapping_add_signed(reloc.addend);
            if image.sections[home].exec {
                function = Some((home, at));
            } else if image.sections[home].name.starts_with(".gcc_except_table")
                && let Some(function) = function
            {
                found.push((function, (home, at)));
            }
        }
    }
    image.landing.extend(found);
}

fn linked(image: &mut Image) {
    let Some(frame) = image.sections.iter().find(|s| s.name == ".eh_frame") else { return };
    let Some(bytes) = frame.read(0, frame.size) else { return };
    let address = |name: &str| image.sections.iter().find(|s| s.name == name).map_or(0, |s| s.address);
    let bases = BaseAddresses::default()
        .set_eh_frame(frame.address)
        .set_text(address(".text"))
        .set_got(address(".got"));
    let size = image.arch.pointer_size() as u8;
    let mut eh = EhFrame::new(&bytes, gimli::LittleEndian);
    eh.set_address_size(size);
    let mut entries = eh.entries(&bases);
    let mut found = Vec::new();
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(fde) = partial.parse(EhFrame::cie_from_offset) else { continue };
        let table = match fde.lsda() {
            Some(gimli::Pointer::Direct(table)) => image.locate(table),
            Some(gimli::Pointer::Indirect(_)) | None => None,
        };
        if let (Some(function), Some(table)) = (image.locate(fde.initial_address()), table) {
            found.push((function, table));
        }
    }
    image.landing.extend(found);
}
