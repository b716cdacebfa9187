//! Which functions have pointers declared `restrict`, their own or those of what was put into them, from debug information:
//! an input on which such pointers overlap is none that the source defines, and a run from it tells nothing.

use super::types::Unit;
use crate::objects::Image;
use crate::pairing::dwarf::{Reader, place_of, with_debug_information};
use gimli::{AttributeValue, DebuggingInformationEntry};
use std::collections::HashSet;

/// The functions of a file that have such a pointer, by section and offset. Damaged or missing debug information tells of none.
#[must_use]
pub fn of(image: &Image) -> HashSet<(usize, u64)> {
    with_debug_information(image, |dwarf| read(image, dwarf)).unwrap_or_default()
}

fn read(image: &Image, dwarf: &gimli::Dwarf<Reader<'_>>) -> Result<HashSet<(usize, u64)>, gimli::Error> {
    let (mut found, mut units) = (HashSet::new(), dwarf.units());
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        let mut inside: Option<(isize, (usize, u64))> = None;
        while let Some(entry) = entries.next_dfs()? {
            if inside.is_some_and(|(outer, _)| entry.depth() <= outer) {
                inside = None;
            }
            match (entry.tag(), inside) {
                (gimli::DW_TAG_subprogram, _) => {
                    let low = match entry.attr_value(gimli::DW_AT_low_pc) {
                        Some(AttributeValue::Addr(low)) => Some(low),
                        Some(value) => dwarf.attr_address(&unit, value)?,
                        None => None,
                    };
                    inside = low.and_then(|low| Some((entry.depth(), place_of(image, low)?)));
                }
                (gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter, Some((_, function)))
                    if is_restricted(&unit, entry)? =>
                {
                    found.insert(function);
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

/// Whether a variable, or the one that it is a copy of, is of such a type.
fn is_restricted(
    unit: &Unit<'_>,
    entry: &DebuggingInformationEntry<Reader<'_>>,
) -> Result<bool, gimli::Error> {
    let of = |entry: &DebuggingInformationEntry<Reader<'_>>| match entry.attr_value(gimli::DW_AT_type) {
        Some(AttributeValue::UnitRef(at)) => Ok(unit.entry(at)?.tag() == gimli::DW_TAG_restrict_type),
        _ => Ok(false),
    };
    match entry.attr_value(gimli::DW_AT_abstract_origin) {
        Some(AttributeValue::UnitRef(origin)) => Ok(of(entry)? || of(&unit.entry(origin)?)?),
        _ => of(entry),
    }
}
