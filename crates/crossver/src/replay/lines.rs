//! Lines of the source, from debug information.

use crate::objects::Image;
use crate::pairing::dwarf::{Reader, place_of, with_debug_information};
use gimli::Reader as _;
use std::collections::{BTreeMap, BTreeSet};

/// A place in a file: section and offset.
type Place = (usize, u64);

/// File and line of each of these places that debug information knows; damaged or missing, it tells nothing.
#[must_use]
pub fn of(image: &Image, places: &BTreeSet<Place>) -> BTreeMap<Place, String> {
    with_debug_information(image, |dwarf| read(image, dwarf, places)).unwrap_or_default()
}

fn read(
    image: &Image,
    dwarf: &gimli::Dwarf<Reader<'_>>,
    places: &BTreeSet<Place>,
) -> Result<BTreeMap<Place, String>, gimli::Error> {
    let mut found = BTreeMap::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let Some(program) = unit.line_program.clone() else { continue };
        let mut rows = program.rows();
        // A row holds up to the next one's address.
        let mut last: Option<(Place, Option<String>)> = None;
        while let Some((header, row)) = rows.next_row()? {
            let Some(at) = place_of(image, row.address()) else { continue };
            if let Some(((section, from), Some(text))) = &last
                && *section == at.0
            {
                for place in places.range((*section, *from)..at) {
                    found.insert(*place, text.clone());
                }
            }
            // Only the rows of places that are asked for need a name.
            let near = places.range(at..).next().is_some_and(|next| next.0 == at.0 && next.1 < at.1 + 256);
            let text = match (row.line(), near && !row.end_sequence()) {
                (Some(line), true) => match row.file(header) {
                    Some(file) => {
                        let name =
                            dwarf.attr_string(&unit, file.path_name())?.to_string_lossy()?.into_owned();
                        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
                        Some(format!("{name}:{line}"))
                    }
                    None => None,
                },
                _ => None,
            };
            last = Some((at, text));
        }
    }
    Ok(found)
}
