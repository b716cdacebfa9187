//! Functions by debug information: name, file and line of their declaration.

use super::Pairing;
use super::names::clone_base;
use crate::objects::{Home, Image};
use gimli::{AttributeValue, EndianSlice, LittleEndian, Reader as _, Relocate, RelocateReader};
use object::read::{Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What debug information says of a function.
type Origin = (String, String, u64);

/// Pairs among the functions that have none: those of the same origin, where that is one of each side.
pub fn pairs(old: &Image, new: &Image, pairing: &Pairing) -> Vec<(usize, usize)> {
    let rest = |image: &Image, of_old: bool| {
        let mut found: HashMap<Origin, Vec<usize>> = HashMap::new();
        // Debug information that is damaged tells nothing, and nothing rests on it.
        let origins = origins(image).unwrap_or_default();
        for n in pairing.rest(image.functions.len(), of_old) {
            let f = &image.functions[n];
            if let Some(origin) = origins.get(&(f.section, f.start)) {
                found.entry(origin.clone()).or_default().push(n);
            }
        }
        found
    };
    let (a, b) = (rest(old, true), rest(new, false));
    let mut found: Vec<(usize, usize)> = a
        .iter()
        .filter_map(|(origin, list)| match (list.as_slice(), b.get(origin).map(Vec::as_slice)) {
            ([m], Some([n])) if !is_part(&old.functions[*m].name, &new.functions[*n].name) => Some((*m, *n)),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found
}

/// Kinds of clones that do less than the function that they are made of, or do it for one argument alone: its body belongs in the
/// place of their calls.
const PARTS: [&str; 2] = ["part", "constprop"];

/// Whether one function is a part of what the other one is made of.
fn is_part(old: &str, new: &str) -> bool {
    let kinds = |name| {
        let (_, kinds) = clone_base(name);
        kinds.into_iter().filter(|kind| PARTS.contains(kind)).collect::<Vec<_>>()
    };
    kinds(old) != kinds(new)
}

/// Addresses of relocatable files say the section in their upper bits.
const SECTION: u32 = 40;

/// What the relocations of a debug section make of the values in it, by offset.
#[derive(Debug, Default)]
pub(crate) struct Values(HashMap<usize, (u64, bool)>);

impl Relocate<usize> for &Values {
    fn relocate_address(&self, offset: usize, value: u64) -> gimli::Result<u64> {
        Ok(self.apply(offset, value))
    }

    fn relocate_offset(&self, offset: usize, value: usize) -> gimli::Result<usize> {
        Ok(self.apply(offset, value as u64) as usize)
    }
}

impl Values {
    fn apply(&self, offset: usize, value: u64) -> u64 {
        match self.0.get(&offset) {
            Some((to, true)) => to.wrapping_add(value),
            Some((to, false)) => *to,
            None => value,
        }
    }
}

type Slice<'a> = RelocateReader<EndianSlice<'a, LittleEndian>, &'a Values>;

/// A reader of debug information.
pub(crate) type Reader<'a> = Slice<'a>;

/// Reads the debug information of a file and asks something of it.
pub(crate) fn with_debug_information<T: Default>(
    image: &Image,
    ask: impl FnOnce(&gimli::Dwarf<Reader<'_>>) -> Result<T, gimli::Error>,
) -> Result<T, gimli::Error> {
    let Ok(file) = object::File::parse(image.bytes.get()) else { return Ok(T::default()) };
    let mut sections: HashMap<&'static str, (Cow<[u8]>, Values)> = HashMap::new();
    for name in NEEDED {
        let Some(section) = file.section_by_name(name) else { continue };
        let data = section.uncompressed_data().unwrap_or_default();
        sections.insert(name, (data, values(image, &file, &section)));
    }
    let none = Values::default();
    let load = |id: gimli::SectionId| -> Result<Slice, gimli::Error> {
        let (data, values) = match sections.get(id.name()) {
            Some((data, values)) => (data.as_ref(), values),
            None => (&[][..], &none),
        };
        Ok(RelocateReader::new(EndianSlice::new(data, LittleEndian), values))
    };
    ask(&gimli::Dwarf::load(load)?)
}

fn origins(image: &Image) -> Result<HashMap<(usize, u64), Origin>, gimli::Error> {
    with_debug_information(image, |dwarf| origins_of(image, dwarf))
}

fn origins_of(
    image: &Image,
    dwarf: &gimli::Dwarf<Reader<'_>>,
) -> Result<HashMap<(usize, u64), Origin>, gimli::Error> {
    let mut found = HashMap::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            if entry.tag() != gimli::DW_TAG_subprogram {
                continue;
            }
            let place = begin_of(image, dwarf, (&unit, entry))?;
            if let (Some(place), Some(origin)) = (place, origin(dwarf, &unit, entry, 0)?) {
                found.insert(place, origin);
            }
        }
    }
    Ok(found)
}

/// A unit of debug information.
pub(crate) type Unit<'a> = gimli::Unit<Reader<'a>>;

/// The name of what an entry is of, as a linker knows it.
pub(crate) fn name_of(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    unit: &Unit<'_>,
    entry: &gimli::DebuggingInformationEntry<Reader<'_>>,
) -> Result<Option<String>, gimli::Error> {
    let named = entry.attr_value(gimli::DW_AT_linkage_name).or_else(|| entry.attr_value(gimli::DW_AT_name));
    let Some(value) = named else { return Ok(None) };
    Ok(Some(dwarf.attr_string(unit, value)?.to_string_lossy()?.into_owned()))
}

/// What debug information says of functions, by their names.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// Those that are declared not to return.
    pub endless: HashSet<String>,
    /// Those that take unnamed arguments behind the named ones.
    pub variadic: HashSet<String>,
}

/// What the declarations of functions say.
pub(crate) fn declared(image: &Image) -> Declared {
    let declared = |dwarf: &gimli::Dwarf<Reader<'_>>| {
        let (mut units, mut found) = (dwarf.units(), Declared::default());
        while let Some(header) = units.next()? {
            let unit = dwarf.unit(header)?;
            let (mut entries, mut around) = (unit.entries(), None);
            while let Some(entry) = entries.next_dfs()? {
                let is = |what| matches!(entry.attr_value(what), Some(AttributeValue::Flag(true)));
                match entry.tag() {
                    gimli::DW_TAG_subprogram => {
                        let name = name_of(dwarf, &unit, entry)?;
                        if is(gimli::DW_AT_noreturn) {
                            found.endless.extend(name.clone());
                        }
                        around =
                            name.filter(|_| is(gimli::DW_AT_prototyped)).map(|name| (name, entry.depth()));
                    }
                    gimli::DW_TAG_unspecified_parameters => {
                        let inside = around.take_if(|(_, depth)| entry.depth() == *depth + 1);
                        found.variadic.extend(inside.map(|(name, _)| name));
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    };
    with_debug_information(image, declared).unwrap_or_default()
}

/// Section and offset of an address in debug information.
pub(crate) fn place_of(image: &Image, address: u64) -> Option<(usize, u64)> {
    if image.linked {
        return image.locate(address);
    }
    let section = ((address >> SECTION) as usize).checked_sub(1)?;
    Some((section, address & ((1 << SECTION) - 1)))
}

/// Section and offset of where a function begins: one whose cold part lies elsewhere has a list of ranges, with the part that
/// is called as the first.
pub(crate) fn begin_of<'a>(
    image: &Image,
    dwarf: &gimli::Dwarf<Reader<'a>>,
    (unit, entry): (&gimli::Unit<Reader<'a>>, &gimli::DebuggingInformationEntry<Reader<'a>>),
) -> Result<Option<(usize, u64)>, gimli::Error> {
    let low = match entry.attr_value(gimli::DW_AT_low_pc) {
        Some(AttributeValue::Addr(low)) => Some(low),
        Some(value) => dwarf.attr_address(unit, value)?,
        None if entry.attr_value(gimli::DW_AT_ranges).is_some() => {
            dwarf.die_ranges(unit, entry)?.next()?.map(|range| range.begin)
        }
        None => None,
    };
    Ok(low.and_then(|low| place_of(image, low)))
}

/// The sections that are looked at.
const NEEDED: &[&str] = &[
    ".debug_info",
    ".debug_abbrev",
    ".debug_str",
    ".debug_line",
    ".debug_line_str",
    ".debug_addr",
    ".debug_str_offsets",
    ".debug_rnglists",
    ".debug_ranges",
];

fn values<'d>(image: &Image, file: &object::File<'d>, section: &object::Section<'d, '_>) -> Values {
    let mut values = Values::default();
    if image.linked {
        return values;
    }
    for (offset, reloc) in section.relocations() {
        let RelocationTarget::Symbol(index) = reloc.target() else { continue };
        let Some(symbol) = file.symbol_table().and_then(|t| t.symbol_by_index(index).ok()) else { continue };
        let code = symbol.section_index().and_then(|n| {
            // Sections of the image are numbered by themselves: found again by name and symbol.
            let at = file.section_by_index(n).ok()?;
            let name = at.name().ok()?.to_owned();
            let same = |s: &crate::objects::Symbol| {
                matches!(s.home, Home::Section(h) if image.sections[h].name == name && image.sections[h].exec)
                    && s.value == symbol.address()
                    && symbol.name().is_ok_and(|name| s.name == name)
            };
            image.symbols.iter().find(|s| same(s)).and_then(|s| match s.home {
                Home::Section(h) => Some(h),
                Home::Undefined | Home::Absolute | Home::Common => None,
            })
        });
        let base = code.map_or(0, |n| (n as u64 + 1) << SECTION);
        let to = base.wrapping_add(symbol.address()).wrapping_add_signed(reloc.addend());
        values.0.insert(offset as usize, (to, reloc.has_implicit_addend()));
    }
    values
}

/// Name, file and line of an entry, or of what it is an instance of.
fn origin<R: gimli::Reader<Offset = usize>>(
    dwarf: &gimli::Dwarf<R>,
    unit: &gimli::Unit<R>,
    entry: &gimli::DebuggingInformationEntry<R>,
    depth: u32,
) -> Result<Option<Origin>, gimli::Error> {
    for attribute in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
        if let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(attribute)
            && depth < 8
        {
            let from = unit.entry(offset)?;
            return origin(dwarf, unit, &from, depth + 1);
        }
    }
    let text = |value: AttributeValue<R>| -> Result<String, gimli::Error> {
        Ok(dwarf.attr_string(unit, value)?.to_string_lossy()?.into_owned())
    };
    let linkage = entry.attr_value(gimli::DW_AT_linkage_name).or_else(|| entry.attr_value(gimli::DW_AT_name));
    let Some(name) = linkage.map(text).transpose()? else { return Ok(None) };
    let line = entry.attr_value(gimli::DW_AT_decl_line).and_then(|v| v.udata_value()).unwrap_or(0);
    let file = match (entry.attr_value(gimli::DW_AT_decl_file), &unit.line_program) {
        (Some(AttributeValue::FileIndex(n)), Some(program)) => match program.header().file(n) {
            Some(file) => text(file.path_name())?,
            None => String::new(),
        },
        _ => String::new(),
    };
    let file = file.rsplit('/').next().unwrap_or_default().to_owned();
    Ok(Some((name, file, line)))
}
