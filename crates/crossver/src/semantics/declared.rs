//! The types of what a function is passed, of objects and of what callees give, from debug information, for telling
//! which of them may share their places.

use super::kinds::{Kind, Kinds, Number};
use super::types::{Class, Unit, class};
use crate::objects::Image;
use crate::pairing::dwarf::{Reader, begin_of, name_of, with_debug_information};
use gimli::{AttributeValue, DebuggingInformationEntry, Reader as _, UnitOffset};
use langs::machine_code::x86::SYSV;
use std::collections::{BTreeMap, HashMap};

/// Most types of one table.
const MOST: usize = 1 << 14;

/// What is asked of a file: a function by section and offset, objects by name with their addresses, callees by name.
pub struct Asked<'a> {
    /// The function.
    pub function: (usize, u64),
    /// Objects.
    pub objects: &'a BTreeMap<String, u64>,
    /// Callees.
    pub callees: &'a [String],
}

/// Asks a file. Without debug information nothing is known of its types; none where what it says comes from languages that
/// have other rules than C.
#[must_use]
pub fn of(image: &Image, asked: &Asked<'_>) -> Option<Kinds> {
    let found = with_debug_information(image, |dwarf| Ok(Some(read(image, dwarf, asked)?)));
    found.ok().flatten().unwrap_or_else(|| Some(Kinds::default()))
}

/// Languages whose objects are accessed as what they are, and whose signed numbers do not overflow.
const LANGUAGES: &[gimli::DwLang] = &[
    gimli::DW_LANG_C,
    gimli::DW_LANG_C89,
    gimli::DW_LANG_C99,
    gimli::DW_LANG_C11,
    gimli::DW_LANG_C17,
    gimli::DW_LANG_C_plus_plus,
    gimli::DW_LANG_C_plus_plus_03,
    gimli::DW_LANG_C_plus_plus_11,
    gimli::DW_LANG_C_plus_plus_14,
    gimli::DW_LANG_C_plus_plus_17,
    gimli::DW_LANG_C_plus_plus_20,
];

type Entry<'a> = DebuggingInformationEntry<Reader<'a>>;

fn read(
    image: &Image,
    dwarf: &gimli::Dwarf<Reader<'_>>,
    asked: &Asked<'_>,
) -> Result<Option<Kinds>, gimli::Error> {
    let (mut units, mut list) = (dwarf.units(), Vec::new());
    while let Some(header) = units.next()? {
        list.push(dwarf.unit(header)?);
    }
    let (mut others, mut kinds) = (!list.is_empty(), Kinds::default());
    for unit in &list {
        let mut entries = unit.entries();
        let Some(entry) = entries.next_dfs()? else { continue };
        others &= match entry.attr_value(gimli::DW_AT_language) {
            Some(AttributeValue::Language(language)) => !LANGUAGES.contains(&language),
            _ => false,
        };
        if let Some(producer) = entry.attr_value(gimli::DW_AT_producer) {
            let text = dwarf.attr_string(unit, producer)?;
            let text = text.to_string_lossy()?;
            let asks = |yes: &str, no: &str| text.rfind(yes) > text.rfind(no);
            kinds.any |= asks("-fno-strict-aliasing", "-fstrict-aliasing");
            kinds.wraps |= asks("-fwrapv", "-fno-wrapv") || asks("-fno-strict-overflow", "-fstrict-overflow");
        }
    }
    if others {
        return Ok(None);
    }
    let (numbers, open) = (HashMap::new(), Vec::new());
    let mut table = Table { dwarf, units: &list, numbers, open, kinds };
    for n in 0..list.len() {
        table.unit(image, n, asked)?;
        table.parts(n)?;
    }
    table.finish()?;
    Ok(Some(table.kinds))
}

/// The bits of a number that is narrower than 32, and whether it has a sign.
fn narrow(unit: &Unit<'_>, value: Type<'_>, depth: u32) -> Result<Option<(u32, bool)>, gimli::Error> {
    let (Some(AttributeValue::UnitRef(at)), true) = (value, depth < 32) else { return Ok(None) };
    let entry = unit.entry(at)?;
    if entry.tag() != gimli::DW_TAG_base_type {
        return match entry.tag() {
            gimli::DW_TAG_pointer_type => Ok(None),
            _ => narrow(unit, entry.attr_value(gimli::DW_AT_type), depth + 1),
        };
    }
    let bytes = entry.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value());
    Ok(match (entry.attr_value(gimli::DW_AT_encoding), bytes) {
        (Some(AttributeValue::Encoding(gimli::DW_ATE_boolean)), Some(1)) => Some((1, false)),
        (Some(AttributeValue::Encoding(encoding)), Some(bytes @ (1 | 2))) => {
            let sign = matches!(encoding, gimli::DW_ATE_signed | gimli::DW_ATE_signed_char);
            Some((8 * bytes as u32, sign))
        }
        _ => None,
    })
}

/// A table of types in the making.
struct Table<'t, 'a> {
    dwarf: &'t gimli::Dwarf<Reader<'a>>,
    units: &'t [Unit<'a>],
    numbers: HashMap<(usize, UnitOffset), Number>,
    open: Vec<(Number, usize, UnitOffset)>,
    kinds: Kinds,
}

/// What has no other type: `void`.
type Type<'a> = Option<AttributeValue<Reader<'a>>>;

impl<'a> Table<'_, 'a> {
    fn unit(&mut self, image: &Image, n: usize, asked: &Asked<'_>) -> Result<(), gimli::Error> {
        let (dwarf, unit) = (self.dwarf, &self.units[n]);
        let mut tree = unit.entries_tree(None)?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            let entry = child.entry().clone();
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let itself = begin_of(image, dwarf, (unit, &entry))? == Some(asked.function);
                    if itself && self.kinds.arguments.is_empty() {
                        let mut types = Vec::new();
                        let mut parameters = child.children();
                        while let Some(parameter) = parameters.next()? {
                            if parameter.entry().tag() == gimli::DW_TAG_formal_parameter {
                                types.push(self.declared(n, parameter.entry())?);
                            }
                        }
                        let result = self.declared(n, &entry)?;
                        self.arguments(n, result, types)?;
                    }
                    if let (Some(name), Some(result)) =
                        (name_of(dwarf, unit, &entry)?, entry.attr_value(gimli::DW_AT_type))
                        && asked.callees.contains(&name)
                    {
                        let number = self.number(n, Some(result));
                        self.kinds.results.push((name, number));
                    }
                }
                gimli::DW_TAG_variable => {
                    let Some(name) = name_of(dwarf, unit, &entry)? else { continue };
                    if let Some(at) = asked.objects.get(&name) {
                        let value = entry.attr_value(gimli::DW_AT_type);
                        let number = self.number(n, value);
                        self.kinds.objects.push((*at, number));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Notes the structures and unions that others have in them.
    fn parts(&mut self, n: usize) -> Result<(), gimli::Error> {
        let unit = &self.units[n];
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            if !matches!(entry.tag(), gimli::DW_TAG_member | gimli::DW_TAG_inheritance) {
                continue;
            }
            let (mut of, mut depth) = (entry.attr_value(gimli::DW_AT_type), 0);
            while let Some(AttributeValue::UnitRef(at)) = of.filter(|_| depth < 32) {
                let entry = unit.entry(at)?;
                of = match entry.tag() {
                    gimli::DW_TAG_pointer_type => None,
                    _ => entry.attr_value(gimli::DW_AT_type),
                };
                let members =
                    [gimli::DW_TAG_structure_type, gimli::DW_TAG_union_type, gimli::DW_TAG_class_type];
                if members.contains(&entry.tag()) {
                    self.kinds.parts.extend(name_of(self.dwarf, unit, &entry)?);
                }
                depth += 1;
            }
        }
        Ok(())
    }

    /// The type of an entry, or of what it is an instance of.
    fn declared(&self, unit: usize, entry: &Entry<'a>) -> Result<Type<'a>, gimli::Error> {
        if let Some(value) = entry.attr_value(gimli::DW_AT_type) {
            return Ok(Some(value));
        }
        match entry.attr_value(gimli::DW_AT_abstract_origin) {
            Some(AttributeValue::UnitRef(at)) => {
                Ok(self.units[unit].entry(at)?.attr_value(gimli::DW_AT_type))
            }
            _ => Ok(None),
        }
    }

    /// Which registers hold arguments of which types, up to the first that does not fit into one.
    fn arguments(&mut self, n: usize, result: Type<'a>, types: Vec<Type<'a>>) -> Result<(), gimli::Error> {
        let unit = &self.units[n];
        if result.is_some() && matches!(class(unit, result, 0)?, Class::Aggregate(_) | Class::Other) {
            return Ok(());
        }
        let mut registers = SYSV.arguments[..SYSV.general_arguments].iter();
        for value in types {
            match class(unit, value.clone(), 0)? {
                Class::General(..) | Class::Truth => {
                    let Some(register) = registers.next() else { break };
                    self.kinds
                        .narrow
                        .extend(narrow(unit, value.clone(), 0)?.map(|(bits, sign)| (*register, bits, sign)));
                    let number = self.number(n, value);
                    self.kinds.arguments.push((*register, number));
                }
                Class::Vector(_) => {}
                Class::Aggregate(_) | Class::Other => break,
            }
        }
        Ok(())
    }

    fn number(&mut self, unit: usize, value: Type<'a>) -> Number {
        let Some(AttributeValue::UnitRef(at)) = value else {
            self.kinds.types.push(Kind::Unknown);
            return self.kinds.types.len() - 1;
        };
        if let Some(known) = self.numbers.get(&(unit, at)) {
            return *known;
        }
        let number = self.kinds.types.len();
        self.kinds.types.push(Kind::Unknown);
        self.numbers.insert((unit, at), number);
        if number < MOST {
            self.open.push((number, unit, at));
        }
        number
    }

    /// Looks up all types that are named so far, and those that they name.
    fn finish(&mut self) -> Result<(), gimli::Error> {
        while let Some((number, unit, at)) = self.open.pop() {
            self.kinds.types[number] = self.kind(unit, at, 0)?;
        }
        Ok(())
    }

    fn kind(&mut self, n: usize, at: UnitOffset, depth: u32) -> Result<Kind, gimli::Error> {
        let unit = &self.units[n];
        let entry = unit.entry(at)?;
        let bytes = entry.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value());
        let inner = entry.attr_value(gimli::DW_AT_type);
        Ok(match entry.tag() {
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type => match inner {
                Some(AttributeValue::UnitRef(to)) if depth < 32 => self.kind(n, to, depth + 1)?,
                _ => Kind::Unknown,
            },
            gimli::DW_TAG_pointer_type => Kind::Pointer(self.number(n, inner)),
            gimli::DW_TAG_enumeration_type => Kind::Integer(bytes.unwrap_or(4)),
            gimli::DW_TAG_base_type => {
                let encoding = entry.attr_value(gimli::DW_AT_encoding);
                match (encoding, bytes) {
                    (Some(AttributeValue::Encoding(gimli::DW_ATE_float)), Some(bytes)) => Kind::Float(bytes),
                    (
                        Some(AttributeValue::Encoding(
                            gimli::DW_ATE_signed_char | gimli::DW_ATE_unsigned_char,
                        )),
                        _,
                    ) => Kind::Character,
                    (
                        Some(AttributeValue::Encoding(
                            gimli::DW_ATE_signed | gimli::DW_ATE_unsigned | gimli::DW_ATE_UTF,
                        )),
                        Some(bytes),
                    ) => match name_of(self.dwarf, unit, &entry)? {
                        Some(name) if name.matches("long").count() == 2 => Kind::LongLong(bytes),
                        _ => Kind::Integer(bytes),
                    },
                    (Some(AttributeValue::Encoding(gimli::DW_ATE_boolean)), Some(1)) => Kind::Truth,
                    _ => Kind::Unknown,
                }
            }
            gimli::DW_TAG_array_type => Kind::Array(self.number(n, inner.clone()), self.array(n, at, inner)?),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type | gimli::DW_TAG_class_type => {
                let name = name_of(self.dwarf, unit, &entry)?.unwrap_or_default();
                match bytes {
                    Some(bytes) => Kind::Members(name, bytes, self.members(n, at)?),
                    // Declared, and defined elsewhere.
                    None => Kind::Unknown,
                }
            }
            _ => Kind::Unknown,
        })
    }

    fn members(&mut self, n: usize, at: UnitOffset) -> Result<Vec<(u64, Number)>, gimli::Error> {
        let unit = &self.units[n];
        let mut tree = unit.entries_tree(Some(at))?;
        let mut children = tree.root()?.children();
        let mut out = Vec::new();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            if !matches!(entry.tag(), gimli::DW_TAG_member | gimli::DW_TAG_inheritance) {
                continue;
            }
            let number = |attribute| entry.attr_value(attribute).and_then(|v| v.udata_value());
            let bits = number(gimli::DW_AT_data_bit_offset).map(|bits| bits / 8);
            let place = number(gimli::DW_AT_data_member_location).or(bits).unwrap_or(0);
            out.push((place, self.number(n, entry.attr_value(gimli::DW_AT_type))));
        }
        Ok(out)
    }

    /// The bytes of an array; 0 of one whose length is not told.
    fn array(&self, n: usize, at: UnitOffset, element: Type<'a>) -> Result<u64, gimli::Error> {
        let unit = &self.units[n];
        let Some(mut total) = super::locals::size(unit, element, 0)? else { return Ok(0) };
        let mut tree = unit.entries_tree(Some(at))?;
        let mut dimensions = tree.root()?.children();
        while let Some(dimension) = dimensions.next()? {
            let entry = dimension.entry();
            let number = |attribute| entry.attr_value(attribute).and_then(|v| v.udata_value());
            let bound = || number(gimli::DW_AT_upper_bound).and_then(|n| n.checked_add(1));
            let count = number(gimli::DW_AT_count).or_else(bound).unwrap_or(0);
            total = total.saturating_mul(count);
        }
        Ok(total)
    }
}
