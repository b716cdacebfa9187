//! Structures and unions that are passed by value and returned, laid out by the convention of x86-64 (System V ABI, 3.2.3):
//! those of up to 16 bytes in registers, eight bytes in each, others in memory; and by that of RISC-V (psABI, "Hardware
//! Floating-point Calling Convention"): of one or two fields, floating-point numbers have registers of their own.
//!
//! What lies between fields is nobody's: a structure with such holes in a part that a register takes is not laid out,
//! since all bits up to the last field's are compared.

use super::types::{Class, Unit, class};
use crate::pairing::dwarf::Reader;
use gimli::{AttributeValue, UnitOffset};

/// Most fields of a structure.
const MOST: usize = 64;

/// Most bytes of a structure that registers take.
const IN_REGISTERS: u64 = 16;

/// A field, with those of structures inside taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field {
    /// Bytes from the start.
    pub at: u64,
    /// Bytes of it.
    pub bytes: u64,
    /// Whether it is a floating-point number.
    pub vector: bool,
    /// Whether a union has it, which RISC-V passes as if it were no floating-point number, with all that it lies in.
    pub united: bool,
}

/// A structure as it is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Aggregate {
    /// In registers: for each whether it is a vector, and how many bits of it count. Where too few are left, on the stack.
    Registers(Vec<(bool, u32)>, Vec<Field>, u64),
    /// In memory: its fields, and its size.
    Memory(Vec<Field>, u64),
}

/// A structure as RISC-V passes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ByFields {
    /// In registers: for each whether it is one of floating-point numbers, and how many bits of it count.
    Registers(Vec<(bool, u32)>),
    /// In memory, by its address.
    Memory,
}

/// How RISC-V passes a structure where so many general registers and registers of floating-point numbers are left.
pub(super) fn by_fields(aggregate: &Aggregate, (general, vectors): (usize, usize)) -> ByFields {
    let (parts, fields) = match aggregate {
        Aggregate::Memory(..) => return ByFields::Memory,
        Aggregate::Registers(parts, fields, _) => (parts, fields),
    };
    let floats = fields.iter().filter(|f| f.vector).count();
    let united = fields.iter().any(|f| f.united);
    let fits = !united && floats <= vectors && fields.len() - floats <= general;
    let bits = |bytes: u64| bytes as u32 * 8;
    match (fields.len(), floats) {
        (1, 1) | (2, 1 | 2) if fits => {
            ByFields::Registers(fields.iter().map(|f| (f.vector, bits(f.bytes))).collect())
        }
        _ => ByFields::Registers(parts.iter().map(|(_, bits)| (false, *bits)).collect()),
    }
}

/// How a structure is passed; none where that is not known.
pub(super) fn of(unit: &Unit<'_>, offset: UnitOffset, depth: u32) -> Result<Option<Aggregate>, gimli::Error> {
    let mut fields = Vec::new();
    let Some(size) = structure(unit, offset, (0, depth), &mut fields)? else { return Ok(None) };
    fields.sort_by_key(|f| f.at);
    let apart = fields.windows(2).all(|w| w[0].at + w[0].bytes <= w[1].at);
    let aligned = fields.iter().all(|f| f.at % f.bytes == 0);
    if fields.is_empty() || !apart || !aligned {
        return Ok(None);
    }
    if size > IN_REGISTERS {
        return Ok(Some(Aggregate::Memory(fields, size)));
    }
    let mut registers = Vec::new();
    for part in 0..size.div_ceil(8) {
        let inside: Vec<Field> = fields.iter().copied().filter(|f| f.at / 8 == part).collect();
        let mut end = part * 8;
        for field in &inside {
            if field.at != end {
                return Ok(None);
            }
            end += field.bytes;
        }
        if inside.is_empty() {
            return Ok(None);
        }
        let vector = inside.iter().all(|f| f.vector);
        registers.push((vector, (end - part * 8) as u32 * 8));
    }
    Ok(Some(Aggregate::Registers(registers, fields, size)))
}

/// Adds the fields of a structure or union that lies so many bytes from the start, and gives its size; none of what has other
/// parts than numbers, pointers, arrays, and structures and unions of these.
fn structure(
    unit: &Unit<'_>,
    offset: UnitOffset,
    (start, depth): (u64, u32),
    fields: &mut Vec<Field>,
) -> Result<Option<u64>, gimli::Error> {
    let mut tree = unit.entries_tree(Some(offset))?;
    let root = tree.root()?;
    let size = root.entry().attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value());
    let union = root.entry().tag() == gimli::DW_TAG_union_type;
    let Some(size) = size.filter(|_| union || root.entry().tag() == gimli::DW_TAG_structure_type) else {
        return Ok(None);
    };
    let (outer, mut own) = (fields, Vec::new());
    let fields = &mut own;
    let mut children = root.children();
    while let Some(child) = children.next()? {
        let entry = child.entry();
        // Types inside say nothing; what C++ derives or constructs may be passed otherwise.
        match entry.tag() {
            gimli::DW_TAG_member => {}
            gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type | gimli::DW_TAG_enumeration_type => {
                continue;
            }
            _ => return Ok(None),
        }
        let bits = [gimli::DW_AT_bit_size, gimli::DW_AT_data_bit_offset, gimli::DW_AT_alignment];
        if bits.into_iter().any(|name| entry.attr_value(name).is_some()) {
            return Ok(None);
        }
        let at = entry.attr_value(gimli::DW_AT_data_member_location).and_then(|v| v.udata_value());
        let Some(at) = at.or(union.then_some(0)) else { return Ok(None) };
        if !field(unit, entry.attr_value(gimli::DW_AT_type), (start + at, depth + 1), fields)? {
            return Ok(None);
        }
    }
    if union {
        let Some(all) = overlaid(fields, start + size) else { return Ok(None) };
        own = all;
    }
    outer.extend(own);
    Ok(Some(size))
}

/// The bytes that fields take which share their places: as numbers of the usual lengths, whatever the fields say. None of those
/// that are floating-point numbers alone, which RISC-V does not pass as such.
fn overlaid(fields: &[Field], end: u64) -> Option<Vec<Field>> {
    let takes = |byte: u64| fields.iter().any(|f| (f.at..f.at + f.bytes).contains(&byte));
    let (mut out, mut at) = (Vec::new(), fields.iter().map(|f| f.at).min()?);
    while at < end {
        let whole = |bytes: &u64| at % bytes == 0 && at + bytes <= end && (at..at + bytes).all(takes);
        match [8, 4, 2, 1].into_iter().find(whole) {
            Some(bytes) => {
                let floats = |f: &&Field| f.at < at + bytes && at < f.at + f.bytes;
                if fields.iter().filter(floats).all(|f| f.vector) || out.len() >= MOST {
                    return None;
                }
                out.push(Field { at, bytes, vector: false, united: true });
                at += bytes;
            }
            None => at += 1,
        }
    }
    Some(out)
}

/// Adds a field of a type, or its parts; whether all of it is known.
fn field(
    unit: &Unit<'_>,
    value: Option<AttributeValue<Reader<'_>>>,
    (at, depth): (u64, u32),
    fields: &mut Vec<Field>,
) -> Result<bool, gimli::Error> {
    let (Some(AttributeValue::UnitRef(offset)), true) = (value.clone(), depth < 32) else { return Ok(false) };
    if fields.len() >= MOST {
        return Ok(false);
    }
    let number = |bits: u32, vector| Field { at, bytes: u64::from(bits / 8), vector, united: false };
    match class(unit, value, depth)? {
        Class::Truth => fields.push(number(8, false)),
        Class::General(bits, _) => fields.push(number(bits, false)),
        Class::Vector(bits) => fields.push(number(bits, true)),
        Class::Aggregate(Aggregate::Registers(_, inner, _) | Aggregate::Memory(inner, _)) => {
            fields.extend(inner.into_iter().map(|f| Field { at: at + f.at, ..f }));
        }
        Class::Other => return array(unit, offset, (at, depth), fields),
    }
    Ok(true)
}

/// Adds the elements of an array of a known length.
fn array(
    unit: &Unit<'_>,
    offset: UnitOffset,
    (at, depth): (u64, u32),
    fields: &mut Vec<Field>,
) -> Result<bool, gimli::Error> {
    let mut tree = unit.entries_tree(Some(offset))?;
    let root = tree.root()?;
    if root.entry().tag() != gimli::DW_TAG_array_type {
        return Ok(false);
    }
    let element = root.entry().attr_value(gimli::DW_AT_type);
    let mut children = root.children();
    let mut count = None;
    while let Some(child) = children.next()? {
        let entry = child.entry();
        if entry.tag() != gimli::DW_TAG_subrange_type || count.is_some() {
            return Ok(false);
        }
        let number = |name| entry.attr_value(name).and_then(|v: AttributeValue<_>| v.udata_value());
        let last = number(gimli::DW_AT_upper_bound).and_then(|n| n.checked_add(1));
        count = number(gimli::DW_AT_count).or(last);
    }
    let Some(count) = count.filter(|n| (1..=MOST as u64).contains(n)) else { return Ok(false) };
    let mut one = Vec::new();
    if !field(unit, element, (0, depth + 1), &mut one)? {
        return Ok(false);
    }
    // Only numbers and pointers, which lie side by side.
    let [only] = one[..] else { return Ok(false) };
    if only.at != 0 {
        return Ok(false);
    }
    fields.extend((0..count).map(|n| Field { at: at + n * only.bytes, ..only }));
    Ok(true)
}
