//! Where a function's variables lie in its frame, from debug information: those with one place for as long as they
//! live, which is where compilers put what has its address taken.

use super::restricts::is_restricted;
use super::types::Unit;
use crate::objects::{Arch, Image};
use crate::pairing::dwarf::{Reader, begin_of, name_of, place_of, with_debug_information};
use gimli::{AttributeValue, DebuggingInformationEntry, Operation};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What an offset in the frame counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The stack pointer before the call.
    Caller,
    /// The stack pointer in the function's body.
    StackPointer,
    /// The frame pointer.
    FramePointer,
}

/// A variable in the frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// Its name and line, and which of those with the same it is.
    pub key: (String, u64, usize),
    /// What its place counts from.
    pub base: Base,
    /// Its place.
    pub offset: i64,
    /// Its size in bytes.
    pub size: u64,
    /// Where in the code it is there; none where that is all of the function.
    pub scope: Option<Scope>,
}

/// A block, or a body that stands in the place of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The section.
    pub section: usize,
    /// Its code, as offsets in the section.
    pub ranges: Vec<Range<u64>>,
    /// How deep it lies in others.
    pub depth: isize,
}

/// The variables of the functions of a file, by section and offset of the function.
pub type Locals = HashMap<(usize, u64), Vec<Local>>;

/// Functions with pointers declared `restrict`, by section and offset.
pub type Restricted = HashSet<(usize, u64)>;

/// Reads the variables of a file, and whose pointers may not overlap; damaged or missing debug information tells nothing.
#[must_use]
pub fn of(image: &Image) -> (Locals, Restricted) {
    with_debug_information(image, |dwarf| read(image, dwarf)).unwrap_or_default()
}

type Entry<'a> = DebuggingInformationEntry<Reader<'a>>;

fn read(image: &Image, dwarf: &gimli::Dwarf<Reader<'_>>) -> Result<(Locals, Restricted), gimli::Error> {
    let (mut found, mut restricted) = (Locals::new(), Restricted::new());
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        // The function that what follows lies in, with its depth and the base of its places.
        let mut inside: Option<(isize, (usize, u64), Option<Base>)> = None;
        let mut scopes: Vec<Scope> = Vec::new();
        while let Some(entry) = entries.next_dfs()? {
            let depth = entry.depth();
            if inside.is_some_and(|(outer, ..)| depth <= outer) {
                inside = None;
            }
            scopes.retain(|scope| scope.depth < depth);
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let place = begin_of(image, dwarf, (&unit, entry))?;
                    inside = place.map(|place| (depth, place, frame_base(image.arch, &unit, entry)));
                }
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine if inside.is_some() => {
                    scopes.extend(scope(image, dwarf, (&unit, entry), depth)?);
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    let Some((_, function, base)) = inside else { continue };
                    if is_restricted(&unit, entry)? {
                        restricted.insert(function);
                    }
                    let Some((base, offset)) = place(image.arch, &unit, entry, base)? else { continue };
                    let Some((name, line, size)) = described(dwarf, &unit, entry)? else { continue };
                    let list: &mut Vec<Local> = found.entry(function).or_default();
                    let nth = list.iter().filter(|l| l.key.0 == name && l.key.1 == line).count();
                    list.push(Local {
                        key: (name, line, nth),
                        base,
                        offset,
                        size,
                        scope: scopes.last().cloned(),
                    });
                }
                _ => {}
            }
        }
    }
    Ok((found, restricted))
}

/// The code of a block; none where debug information has none.
fn scope<'a>(
    image: &Image,
    dwarf: &gimli::Dwarf<Reader<'a>>,
    (unit, entry): (&Unit<'a>, &Entry<'a>),
    depth: isize,
) -> Result<Option<Scope>, gimli::Error> {
    let mut found: Option<Scope> = None;
    let mut list = dwarf.die_ranges(unit, entry)?;
    while let Some(range) = list.next()? {
        let Some((section, start)) = place_of(image, range.begin) else { return Ok(None) };
        let size = range.end.wrapping_sub(range.begin);
        let scope = found.get_or_insert(Scope { section, ranges: Vec::new(), depth });
        if scope.section == section {
            scope.ranges.push(start..start.saturating_add(size));
        }
    }
    Ok(found)
}

/// The one operation that an attribute computes.
fn only<'a>(unit: &Unit<'a>, entry: &Entry<'a>, attribute: gimli::DwAt) -> Option<Operation<Reader<'a>>> {
    let expression = entry.attr_value(attribute)?.exprloc_value()?;
    let mut operations = expression.operations(unit.encoding());
    let first = operations.next().ok().flatten()?;
    operations.next().ok()?.is_none().then_some(first)
}

fn of_register(arch: Arch, register: gimli::Register) -> Option<Base> {
    match (arch, register) {
        (Arch::X86_64, gimli::X86_64::RSP)
        | (Arch::AArch64, gimli::AArch64::SP)
        | (Arch::Riscv64, gimli::RiscV::SP) => Some(Base::StackPointer),
        (Arch::X86_64, gimli::X86_64::RBP)
        | (Arch::AArch64, gimli::AArch64::X29)
        | (Arch::Riscv64, gimli::RiscV::S0) => Some(Base::FramePointer),
        _ => None,
    }
}

fn frame_base<'a>(arch: Arch, unit: &Unit<'a>, entry: &Entry<'a>) -> Option<Base> {
    match only(unit, entry, gimli::DW_AT_frame_base)? {
        Operation::CallFrameCFA => Some(Base::Caller),
        Operation::Register { register } => of_register(arch, register),
        _ => None,
    }
}

fn place<'a>(
    arch: Arch,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
    base: Option<Base>,
) -> Result<Option<(Base, i64)>, gimli::Error> {
    Ok(match only(unit, entry, gimli::DW_AT_location) {
        Some(Operation::FrameOffset { offset }) => base.map(|base| (base, offset)),
        Some(Operation::RegisterOffset { register, offset, .. }) => {
            of_register(arch, register).map(|base| (base, offset))
        }
        _ => None,
    })
}

/// Name, line and size in bytes of a variable, or of the one that it is an instance of.
fn described<'a>(
    dwarf: &gimli::Dwarf<Reader<'a>>,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
) -> Result<Option<(String, u64, u64)>, gimli::Error> {
    if let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(gimli::DW_AT_abstract_origin) {
        let origin = unit.entry(offset)?;
        // An origin of an origin is a form that no compiler makes.
        let again = origin.attr_value(gimli::DW_AT_abstract_origin).is_some();
        return if again { Ok(None) } else { described(dwarf, unit, &origin) };
    }
    let Some(name) = name_of(dwarf, unit, entry)? else { return Ok(None) };
    let line = entry.attr_value(gimli::DW_AT_decl_line).and_then(|v| v.udata_value()).unwrap_or(0);
    let size = size(unit, entry.attr_value(gimli::DW_AT_type), 0)?;
    Ok(size.filter(|size| *size > 0).map(|size| (name, line, size)))
}

/// The size of a type in bytes.
pub(super) fn size<'a>(
    unit: &Unit<'a>,
    value: Option<AttributeValue<Reader<'a>>>,
    depth: u32,
) -> Result<Option<u64>, gimli::Error> {
    let (Some(AttributeValue::UnitRef(offset)), true) = (value, depth < 32) else { return Ok(None) };
    let mut tree = unit.entries_tree(Some(offset))?;
    let root = tree.root()?;
    let entry = root.entry();
    if let Some(size) = entry.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value()) {
        return Ok(Some(size));
    }
    let tag = entry.tag();
    let inner = entry.attr_value(gimli::DW_AT_type);
    match tag {
        gimli::DW_TAG_pointer_type => Ok(Some(8)),
        gimli::DW_TAG_typedef
        | gimli::DW_TAG_const_type
        | gimli::DW_TAG_volatile_type
        | gimli::DW_TAG_restrict_type
        | gimli::DW_TAG_atomic_type => size(unit, inner, depth + 1),
        gimli::DW_TAG_array_type => {
            let Some(mut total) = size(unit, inner, depth + 1)? else { return Ok(None) };
            let mut dimensions = root.children();
            while let Some(dimension) = dimensions.next()? {
                let entry = dimension.entry();
                let number = |attribute| entry.attr_value(attribute).and_then(|v| v.udata_value());
                let bound = || number(gimli::DW_AT_upper_bound).and_then(|n| n.checked_add(1));
                let Some(count) = number(gimli::DW_AT_count).or_else(bound) else { return Ok(None) };
                let Some(product) = total.checked_mul(count) else { return Ok(None) };
                total = product;
            }
            Ok(Some(total))
        }
        _ => Ok(None),
    }
}
