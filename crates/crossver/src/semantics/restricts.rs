//! Which pointers are declared `restrict`, a function's own or those of what was put into it: an input on which such pointers
//! overlap is none that the source defines, and a run from it tells nothing.

use super::types::Unit;
use crate::pairing::dwarf::Reader;
use gimli::{AttributeValue, DebuggingInformationEntry};

/// Whether a variable, or the one that it is a copy of, is of such a type.
pub(super) fn is_restricted(
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
