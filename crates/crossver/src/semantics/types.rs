//! How functions are called, from debug information: the types of their parameters and results, laid out by the
//! machine's convention. Types that it passes in another way (`long double`, complex numbers, unions of
//! floating-point numbers alone; structures on AArch64) are
//! not laid out: such a function counts as one of unknown types.

use super::aggregates::{self, Aggregate, ByFields};
use super::locals::{self, Locals, Restricted};
use super::names::plain;
use crate::objects::Image;
pub(super) use crate::pairing::dwarf::Unit;
use crate::pairing::dwarf::{Reader, name_of, with_debug_information};
use gimli::{AttributeValue, Reader as _};
use langs::machine_code::{Abi, Above, Convention, Filled, Piece, x86::I386, x86::SYSV};
use std::collections::{BTreeSet, HashMap};

/// How many names and qualifiers a type has at most.
const DEEPEST: u32 = 32;

/// The general registers of arguments, and the vectors.
pub(super) fn passed(abi: &'static Abi) -> (&'static [usize], &'static [usize]) {
    let (general, rest) = abi.arguments.split_at(abi.general_arguments);
    (general, &rest[..abi.vector_arguments])
}

/// How the functions of a file are called.
#[derive(Debug)]
pub struct Types {
    /// By name; none where declarations of one name differ or are not laid out.
    functions: HashMap<String, Option<Convention>>,
    /// What variables are passed that hold the address of a function, by name; none where declarations of one name differ, or
    /// the function is not laid out.
    pointers: HashMap<String, Option<Convention>>,
    abi: &'static Abi,
    /// The most that any function is passed whose type is known without a name; none where some such type is not laid out.
    pub by_address: Option<Convention>,
    /// Local functions of LLVM, which may change what they are passed and give without another name or type.
    pub reshaped: BTreeSet<String>,
    /// Whether something may be volatile: some type is, or no types are known.
    pub volatile: bool,
    /// Variables in frames.
    pub locals: Locals,
    /// Functions with pointers declared `restrict`, by section and offset.
    pub restricted: Restricted,
}

impl Default for Types {
    /// Of a file without debug information.
    fn default() -> Types {
        Types {
            abi: &SYSV,
            functions: HashMap::new(),
            pointers: HashMap::new(),
            by_address: None,
            reshaped: BTreeSet::new(),
            volatile: true,
            locals: Locals::new(),
            restricted: Restricted::new(),
        }
    }
}

impl Types {
    /// Reads the debug information of a file; damaged or missing, it tells nothing.
    #[must_use]
    pub fn of(image: &Image) -> Types {
        let abi = super::abi(image).unwrap_or(&SYSV);
        let found = with_debug_information(image, |dwarf| Ok(Some(read(abi, dwarf)?)));
        let mut types = found.ok().flatten().unwrap_or_default();
        types.abi = abi;
        (types.locals, types.restricted) = locals::of(image);
        types
    }

    /// How a function is called by all that call it, by its name in the file: what is passed to a variadic one, or one
    /// without a prototype, may be in any register.
    #[must_use]
    pub fn of_own(&self, name: &str) -> Option<Convention> {
        let known = self.of_name(name)?;
        let filled_results = known.filled_results.clone();
        Some(match known.variadic {
            true => {
                let gives_truth = known.gives_truth;
                Convention { filled_results, gives_truth, ..Convention::unknown(self.abi, known.results) }
            }
            false => known,
        })
    }

    /// How a clone that a compiler made of a function (`f.part.0`) is called: it may be passed anything, and gives what
    /// the function gives or less. None for what is no clone.
    #[must_use]
    pub fn of_origin(&self, name: &str) -> Option<Convention> {
        let (origin, _) = name.split_once('.')?;
        Some(Convention::unknown(self.abi, self.of_name(origin)?.results))
    }

    /// How a function is called, by its name in the file.
    #[must_use]
    pub fn of_name(&self, name: &str) -> Option<Convention> {
        self.functions.get(name).cloned().flatten()
    }

    /// How a function is called whose address a variable holds, by the name that a proof gives the variable. One without
    /// parameters may stand for any function, until it is called as another.
    #[must_use]
    pub fn of_pointer(&self, label: &str) -> Option<Convention> {
        let name = label.rsplit(' ').next()?;
        let known = self.pointers.get(name.strip_prefix('@').unwrap_or(name)).cloned().flatten()?;
        (!known.variadic && !known.arguments.is_empty()).then_some(known)
    }

    /// Whether anything is known of functions that are called by an address.
    #[must_use]
    pub fn tells_pointers(&self) -> bool {
        self.by_address.is_some() || self.pointers.values().any(Option::is_some)
    }

    /// The same by the name that a proof gives it.
    #[must_use]
    pub fn of_label(&self, name: &str) -> Option<Convention> {
        self.of_name(plain(name))
    }
}

fn read(abi: &'static Abi, dwarf: &gimli::Dwarf<Reader<'_>>) -> Result<Types, gimli::Error> {
    let mut types = Types { volatile: false, ..Types::default() };
    let (mut units, mut any) = (dwarf.units(), false);
    let mut by_address = Some(Convention::default());
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        by_address = match by_address {
            Some(known) => of_pointers(abi, &unit, known)?,
            None => None,
        };
        let mut tree = unit.entries_tree(None)?;
        let root = tree.root()?;
        // Assembly has a unit, too, which tells no types.
        let language = root.entry().attr_value(gimli::DW_AT_language);
        any |= !matches!(language, Some(AttributeValue::Language(gimli::DW_LANG_Mips_Assembler)));
        let producer = root.entry().attr_value(gimli::DW_AT_producer);
        let producer = producer.map(|v| dwarf.attr_string(&unit, v)).transpose()?;
        let clang = producer.is_some_and(|p| p.to_string_lossy().is_ok_and(|p| p.contains("clang")));
        let mut children = root.children();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            match entry.tag() {
                gimli::DW_TAG_volatile_type => types.volatile = true,
                gimli::DW_TAG_variable => {
                    let of = entry.attr_value(gimli::DW_AT_type);
                    let (Some(name), true) = (name_of(dwarf, &unit, entry)?, of.is_some()) else { continue };
                    let made = pointed_to(abi, &unit, of)?;
                    let known = types.pointers.entry(name).or_insert_with(|| made.clone());
                    if *known != made {
                        *known = None;
                    }
                }
                gimli::DW_TAG_subprogram => {
                    let Some(name) = name_of(dwarf, &unit, entry)? else { continue };
                    let result = entry.attr_value(gimli::DW_AT_type);
                    let prototyped = entry.attr_value(gimli::DW_AT_prototyped).is_some();
                    let external = entry.attr_value(gimli::DW_AT_external).is_some();
                    let unknown = clang && !external;
                    if unknown {
                        types.reshaped.insert(name.clone());
                    }
                    let mut layout = Layout { prototyped, unknown, ..Layout::new(abi) };
                    layout.result(&unit, result)?;
                    let mut inner = child.children();
                    while let Some(parameter) = inner.next()? {
                        let entry = parameter.entry();
                        types.volatile |= entry.tag() == gimli::DW_TAG_volatile_type;
                        layout.take(&unit, entry)?;
                    }
                    let made = layout.finish();
                    let known = types.functions.entry(name).or_insert_with(|| made.clone());
                    if *known != made {
                        *known = None;
                    }
                }
                _ => {}
            }
        }
    }
    types.volatile |= !any;
    types.by_address = by_address.filter(|_| any);
    Ok(types)
}

/// The most that functions are passed whose types a unit has without a name: those that pointers lead to. None where one of
/// these types is not laid out, or takes any arguments.
fn of_pointers(
    abi: &'static Abi,
    unit: &Unit<'_>,
    mut known: Convention,
) -> Result<Option<Convention>, gimli::Error> {
    let mut entries = unit.entries();
    // The type that the parameters which follow are of, with its depth.
    let mut open: Option<(isize, Layout)> = None;
    loop {
        let entry = entries.next_dfs()?;
        let (depth, tag) = entry.map_or((isize::MIN, gimli::DW_TAG_null), |e| (e.depth(), e.tag()));
        if open.as_ref().is_some_and(|(outer, _)| depth <= *outer)
            && let Some((_, layout)) = open.take()
        {
            let Some(made) = layout.finish().filter(|made| !made.variadic) else { return Ok(None) };
            known = wider(known, made);
        }
        let Some(entry) = entry else { return Ok(Some(known)) };
        if tag == gimli::DW_TAG_subroutine_type {
            let prototyped = entry.attr_value(gimli::DW_AT_prototyped).is_some();
            let mut layout = Layout { prototyped, ..Layout::new(abi) };
            layout.result(unit, entry.attr_value(gimli::DW_AT_type))?;
            open = Some((depth, layout));
        } else if let Some((outer, layout)) = &mut open
            && depth == *outer + 1
        {
            layout.take(unit, entry)?;
        }
    }
}

/// How a function is called that a pointer of a type leads to; none for other types.
fn pointed_to<'a>(
    abi: &'static Abi,
    unit: &Unit<'a>,
    mut of: Option<AttributeValue<Reader<'a>>>,
) -> Result<Option<Convention>, gimli::Error> {
    let mut pointers = 0;
    for _ in 0..DEEPEST {
        let Some(AttributeValue::UnitRef(offset)) = of else { return Ok(None) };
        let mut tree = unit.entries_tree(Some(offset))?;
        let root = tree.root()?;
        let entry = root.entry();
        match (entry.tag(), pointers) {
            (gimli::DW_TAG_pointer_type, 0) => pointers = 1,
            (
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type,
                _,
            ) => {}
            (gimli::DW_TAG_subroutine_type, 1) => {
                let prototyped = entry.attr_value(gimli::DW_AT_prototyped).is_some();
                let mut layout = Layout { prototyped, ..Layout::new(abi) };
                layout.result(unit, entry.attr_value(gimli::DW_AT_type))?;
                let mut inner = root.children();
                while let Some(parameter) = inner.next()? {
                    layout.take(unit, parameter.entry())?;
                }
                return Ok(layout.finish());
            }
            _ => return Ok(None),
        }
        of = root.entry().attr_value(gimli::DW_AT_type);
    }
    Ok(None)
}

/// What either of two functions is passed.
#[must_use]
pub fn wider(mut a: Convention, b: Convention) -> Convention {
    // A register is filled so where all that pass something in it do so.
    let passes = |c: &Convention, f: &Filled| c.arguments.iter().any(|p| p.register == f.register);
    let mut filled: Vec<Filled> = Vec::new();
    for (one, other) in [(&a, &b), (&b, &a)] {
        let alike = |f: &&Filled| !passes(other, f) || other.filled_arguments.contains(f);
        filled.extend(one.filled_arguments.iter().filter(alike));
    }
    filled.sort_by_key(|f| f.register);
    filled.dedup();
    (a.filled_arguments, a.filled_results, a.place) = (filled, Vec::new(), None);
    let registers = |c: &Convention| c.arguments.iter().fold(0, |set, p| set | 1u64 << p.register);
    let truths = |c: &Convention| c.truths | !registers(c);
    a.truths = truths(&a) & truths(&b) & (registers(&a) | registers(&b));
    a.gives_truth = false;
    for piece in b.arguments {
        match a.arguments.iter_mut().find(|p| p.register == piece.register) {
            Some(known) => known.bits = known.bits.max(piece.bits),
            None => a.arguments.push(piece),
        }
    }
    a.stack.extend(b.stack);
    a
}

/// What a type is to the convention.
pub(super) enum Class {
    /// Bits in a general register, and whether the type has a sign.
    General(u32, bool),
    /// A truth value.
    Truth,
    /// Bits in a vector.
    Vector(u32),
    /// A structure.
    Aggregate(Aggregate),
    /// Not laid out.
    Other,
}

impl Class {
    /// A truth value as what it is passed like: a number of eight bits.
    fn into_number(self) -> Class {
        match self {
            Class::Truth => Class::General(8, false),
            _ => self,
        }
    }
}

pub(super) fn class(
    unit: &Unit<'_>,
    value: Option<AttributeValue<Reader<'_>>>,
    depth: u32,
) -> Result<Class, gimli::Error> {
    let (Some(AttributeValue::UnitRef(offset)), true) = (value, depth < DEEPEST) else {
        return Ok(Class::Other);
    };
    let entry = unit.entry(offset)?;
    // What lies at other places than its size says is passed at others, too.
    if entry.attr_value(gimli::DW_AT_alignment).is_some() {
        return Ok(Class::Other);
    }
    let size = entry.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value()).unwrap_or(0);
    Ok(match entry.tag() {
        gimli::DW_TAG_pointer_type if size == 4 => Class::General(32, false),
        gimli::DW_TAG_pointer_type => Class::General(64, false),
        gimli::DW_TAG_enumeration_type if matches!(size, 1 | 2 | 4 | 8) => {
            enumeration(unit, &entry, size as u32 * 8)?
        }
        gimli::DW_TAG_typedef
        | gimli::DW_TAG_const_type
        | gimli::DW_TAG_volatile_type
        | gimli::DW_TAG_restrict_type => class(unit, entry.attr_value(gimli::DW_AT_type), depth + 1)?,
        gimli::DW_TAG_base_type => {
            let encoding = match entry.attr_value(gimli::DW_AT_encoding) {
                Some(AttributeValue::Encoding(encoding)) => encoding,
                _ => return Ok(Class::Other),
            };
            match (encoding, size) {
                (gimli::DW_ATE_float, 4 | 8) => Class::Vector(size as u32 * 8),
                (gimli::DW_ATE_boolean, 1) => Class::Truth,
                (
                    gimli::DW_ATE_signed
                    | gimli::DW_ATE_unsigned
                    | gimli::DW_ATE_signed_char
                    | gimli::DW_ATE_unsigned_char
                    | gimli::DW_ATE_boolean
                    | gimli::DW_ATE_UTF,
                    1 | 2 | 4 | 8,
                ) => {
                    let signed = matches!(encoding, gimli::DW_ATE_signed | gimli::DW_ATE_signed_char);
                    Class::General(size as u32 * 8, signed)
                }
                _ => Class::Other,
            }
        }
        gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type => {
            aggregates::of(unit, offset, depth)?.map_or(Class::Other, Class::Aggregate)
        }
        _ => Class::Other,
    })
}

/// An enumeration, whose sign is that of the type that it is made of; without one it is passed as any of its width.
fn enumeration(
    unit: &Unit<'_>,
    entry: &gimli::DebuggingInformationEntry<Reader<'_>>,
    bits: u32,
) -> Result<Class, gimli::Error> {
    let signed = match entry.attr_value(gimli::DW_AT_type) {
        Some(AttributeValue::UnitRef(of)) => match unit.entry(of)?.attr_value(gimli::DW_AT_encoding) {
            Some(AttributeValue::Encoding(encoding)) => {
                matches!(encoding, gimli::DW_ATE_signed | gimli::DW_ATE_signed_char)
            }
            _ => false,
        },
        _ => false,
    };
    Ok(Class::General(bits, signed))
}

/// What lies above an integer.
fn integer(signed: bool) -> Above {
    if signed { Above::Sign } else { Above::Zeros }
}

/// A convention in the making.
struct Layout {
    abi: &'static Abi,
    made: Convention,
    general: usize,
    vectors: usize,
    stack: u64,
    variadic: bool,
    prototyped: bool,
    unknown: bool,
}

impl Layout {
    fn new(abi: &'static Abi) -> Layout {
        let made = Convention::default();
        let (variadic, prototyped, unknown) = (false, false, false);
        Layout { abi, made, general: 0, vectors: 0, stack: 0, variadic, prototyped, unknown }
    }

    fn result(
        &mut self,
        unit: &Unit<'_>,
        value: Option<AttributeValue<Reader<'_>>>,
    ) -> Result<(), gimli::Error> {
        if value.is_none() {
            return Ok(());
        }
        let class = class(unit, value, 0)?;
        self.made.gives_truth = matches!(class, Class::Truth);
        match class.into_number() {
            // The upper half is in a register of its own.
            Class::General(bits @ 33.., _) if self.abi.word == 32 => {
                let [low, high, ..] = self.abi.results;
                let upper = Piece { register: high, bits: bits - 32 };
                self.made.results.extend([Piece { register: low, bits: 32 }, upper]);
            }
            // These are on a stack of registers that is not modelled.
            Class::Vector(_) if std::ptr::eq(self.abi, &I386) => self.unknown = true,
            Class::General(bits, signed) => {
                let register = self.abi.results[0];
                let (piece, filled) = self.scalar(register, bits, integer(signed));
                self.made.results.push(piece);
                self.made.filled_results.extend(filled);
            }
            Class::Vector(bits) => {
                let (piece, filled) = self.scalar(self.abi.results[2], bits, Above::Ones);
                self.made.results.push(piece);
                self.made.filled_results.extend(filled);
            }
            Class::Aggregate(aggregate) if self.abi.widens => {
                let [a0, a1, fa0, fa1] = self.abi.results;
                match aggregates::by_fields(&aggregate, (2, 2)) {
                    ByFields::Registers(parts) => {
                        let (pieces, filled) = self.parts(&parts, (&[a0, a1], &[fa0, fa1]));
                        self.made.results.extend(pieces);
                        self.made.filled_results.extend(filled);
                    }
                    // The caller passes where it is to go, and is given nothing.
                    ByFields::Memory => {
                        self.made.arguments.push(Piece { register: self.abi.arguments[0], bits: 64 });
                        self.general = 1;
                    }
                }
            }
            Class::Aggregate(_) if !std::ptr::eq(self.abi, &SYSV) => self.unknown = true,
            Class::Aggregate(Aggregate::Registers(parts, ..)) => {
                let (mut general, mut vectors) = (0, 2);
                for (vector, bits) in parts {
                    let next = if vector { &mut vectors } else { &mut general };
                    self.made.results.push(Piece { register: self.abi.results[*next], bits });
                    *next += 1;
                }
            }
            // The caller passes where it is to go, and gets that back.
            Class::Aggregate(Aggregate::Memory(_, size)) => {
                self.made.place = Some((self.abi.arguments[0], size));
                self.made.arguments.push(Piece { register: self.abi.arguments[0], bits: 64 });
                self.made.results.push(Piece { register: self.abi.results[0], bits: 64 });
                self.general = 1;
            }
            Class::Truth | Class::Other => self.unknown = true,
        }
        Ok(())
    }

    /// Takes in what a type or function has as one of its parts, where that is a parameter.
    fn take(
        &mut self,
        unit: &Unit<'_>,
        part: &gimli::DebuggingInformationEntry<Reader<'_>>,
    ) -> Result<(), gimli::Error> {
        match part.tag() {
            gimli::DW_TAG_formal_parameter => self.parameter(unit, part.attr_value(gimli::DW_AT_type))?,
            gimli::DW_TAG_unspecified_parameters => self.variadic = true,
            _ => {}
        }
        Ok(())
    }

    /// The register of a number, and how it fills that where the convention says so.
    fn scalar(&self, register: usize, bits: u32, above: Above) -> (Piece, Option<Filled>) {
        match self.abi.widens {
            true => Filled::piece(register, bits, above),
            false => (Piece { register, bits }, None),
        }
    }

    /// Parts of a structure in the next registers of each kind: integers as narrow as they are.
    fn parts(
        &self,
        parts: &[(bool, u32)],
        (mut general, mut vectors): (&[usize], &[usize]),
    ) -> (Vec<Piece>, Vec<Filled>) {
        let (mut pieces, mut all) = (Vec::new(), Vec::new());
        for (vector, bits) in parts {
            let list = if *vector { &mut vectors } else { &mut general };
            let Some((register, rest)) = list.split_first() else { continue };
            *list = rest;
            let (piece, filled) = match vector {
                true => self.scalar(*register, *bits, Above::Ones),
                false => (Piece { register: *register, bits: *bits }, None),
            };
            pieces.push(piece);
            all.extend(filled);
        }
        (pieces, all)
    }

    /// A structure by the convention of RISC-V.
    fn by_fields(&mut self, aggregate: &Aggregate) {
        let (general, vectors) = passed(self.abi);
        let (general, vectors) = (&general[self.general..], &vectors[self.vectors..]);
        match aggregates::by_fields(aggregate, (general.len(), vectors.len())) {
            ByFields::Registers(parts) => {
                let wanted = parts.iter().filter(|(vector, _)| *vector).count();
                // What does not fit into registers lies on the stack from there on.
                if parts.len() - wanted > general.len() {
                    self.unknown = true;
                    return;
                }
                let (pieces, filled) = self.parts(&parts, (general, vectors));
                self.made.arguments.extend(pieces);
                self.made.filled_arguments.extend(filled);
                self.general += parts.len() - wanted;
                self.vectors += wanted;
            }
            ByFields::Memory => self.integer(64, Above::Zeros),
        }
    }

    /// What is passed in the next general register, or on the stack.
    fn integer(&mut self, bits: u32, above: Above) {
        let (general, _) = passed(self.abi);
        if let Some(register) = general.get(self.general) {
            let (piece, filled) = match above {
                // A floating-point number without a register of its own fills nothing.
                Above::Ones => (Piece { register: *register, bits }, None),
                _ => self.scalar(*register, bits, above),
            };
            self.made.arguments.push(piece);
            self.made.filled_arguments.extend(filled);
            self.general += 1;
        } else {
            let bits = if self.abi.widens && above != Above::Ones { 64 } else { bits };
            self.made.stack.push((self.stack, u64::from(bits / 8)));
            self.stack += 8;
        }
    }

    /// A structure: in registers where there are enough for all of it, or else on the stack.
    fn aggregate(&mut self, aggregate: Aggregate) {
        let (general, vectors) = passed(self.abi);
        let (fields, size) = match aggregate {
            _ if !std::ptr::eq(self.abi, &SYSV) => {
                self.unknown = true;
                return;
            }
            Aggregate::Registers(parts, fields, size) => {
                let wanted = parts.iter().filter(|(vector, _)| *vector).count();
                let enough = self.general + parts.len() - wanted <= general.len()
                    && self.vectors + wanted <= vectors.len();
                if enough {
                    for (vector, bits) in parts {
                        let (list, used) = match vector {
                            true => (vectors, &mut self.vectors),
                            false => (general, &mut self.general),
                        };
                        self.made.arguments.push(Piece { register: list[*used], bits });
                        *used += 1;
                    }
                    return;
                }
                (fields, size)
            }
            Aggregate::Memory(fields, size) => (fields, size),
        };
        self.made.stack.extend(fields.iter().map(|f| (self.stack + f.at, f.bytes)));
        self.stack += size.next_multiple_of(8);
    }

    fn parameter(
        &mut self,
        unit: &Unit<'_>,
        value: Option<AttributeValue<Reader<'_>>>,
    ) -> Result<(), gimli::Error> {
        let (_, vectors) = passed(self.abi);
        let class = class(unit, value, 0)?;
        if let (Class::Truth, Some(register)) = (&class, passed(self.abi).0.get(self.general)) {
            self.made.truths |= 1 << register;
        }
        match class.into_number() {
            // Compilers extend what is narrower to 32 bits, and some rely on it.
            Class::General(bits, signed) if self.abi.extends => self.integer(bits.max(32), integer(signed)),
            Class::General(bits, signed) => self.integer(bits, integer(signed)),
            Class::Vector(bits) => match vectors.get(self.vectors) {
                Some(register) => {
                    let (piece, filled) = self.scalar(*register, bits, Above::Ones);
                    self.made.arguments.push(piece);
                    self.made.filled_arguments.extend(filled);
                    self.vectors += 1;
                }
                // By the convention of RISC-V general registers take these, too.
                None if self.abi.widens => self.integer(bits, Above::Ones),
                None => {
                    self.made.stack.push((self.stack, u64::from(bits / 8)));
                    self.stack += 8;
                }
            },
            Class::Aggregate(aggregate) if self.abi.widens => self.by_fields(&aggregate),
            Class::Aggregate(aggregate) => self.aggregate(aggregate),
            Class::Truth | Class::Other => self.unknown = true,
        }
        Ok(())
    }

    fn finish(mut self) -> Option<Convention> {
        self.made.variadic = self.variadic;
        // What a function without a prototype is passed differs from call to call.
        (!self.unknown && self.prototyped).then_some(self.made)
    }
}
