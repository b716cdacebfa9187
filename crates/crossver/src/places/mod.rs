//! References of code and data as places: a function, a name, a piece of data; never an address.

mod targets;

pub use targets::{FunctionTargets, table};

use crate::code::{Code, Flow, Insn, Relative};
use crate::objects::addend::{field, fold, is_relative};
use crate::objects::{Arch, Home, Image, Kind, Referent, Reloc};

/// What a reference means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Code of the function that refers to it.
    Own {
        /// The section.
        section: usize,
        /// The address.
        address: u64,
    },
    /// A function of the same file, or a place so many bytes in it.
    Function {
        /// Its index.
        function: usize,
        /// Bytes from its start.
        offset: i64,
    },
    /// A symbol of another file, or one that the linker lays out.
    Name {
        /// Its name.
        name: String,
        /// Bytes from it.
        offset: i64,
    },
    /// Data of the same file.
    Data {
        /// The section.
        section: usize,
        /// Bytes from its start; outside it for biased pointers.
        offset: i64,
        /// The object, where the reference names one.
        symbol: Option<usize>,
        /// Whether the reference names the section or an anchor in it, so that the object is a guess by address.
        through: bool,
    },
    /// A number.
    Number(i64),
    /// What cannot be said.
    Unresolved(&'static str),
}

/// How a reference without a relocation is named among the kinds of relocations.
pub const BRANCH: u32 = u32::MAX - 1;
/// As [`BRANCH`], for addresses relative to the program counter.
pub const NEARBY: u32 = u32::MAX - 2;

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The address of the instruction or word that holds it.
    pub at: u64,
    /// The kind of relocation, folded, or [`BRANCH`] or [`NEARBY`].
    pub kind: u32,
    /// What it means.
    pub place: Place,
    /// Bytes of memory that are accessed there; 0 where the address alone is begun; none where it goes on to anywhere.
    pub access: Option<u64>,
    /// Bytes from `at` and bits that the linker fills in.
    pub field: Option<(u64, u8, u64)>,
}

/// The place at an offset of a section that holds code.
fn code_place(image: &Image, function: usize, section: usize, offset: i64) -> Place {
    let address = image.sections[section].address.wrapping_add_signed(offset);
    let of = |offset: i64| u64::try_from(offset).ok().and_then(|at| image.function_at(section, at));
    if let Some(name) = image.imports.get(&address).filter(|_| image.linked) {
        return Place::Name { name: name.clone(), offset: 0 };
    }
    match of(offset) {
        Some(f) if f == function => Place::Own { section, address },
        Some(f) if image.functions[f].section == section => {
            Place::Function { function: f, offset: offset - image.functions[f].start as i64 }
        }
        Some(_) => Place::Unresolved("a place in the cold part of another function"),
        None => Place::Unresolved("code outside every function"),
    }
}

/// The place that a symbol and an addend mean.
#[must_use]
pub fn resolve(image: &Image, function: usize, referent: Referent, addend: i64) -> Place {
    let symbol = match referent {
        Referent::Symbol(n) => n,
        Referent::Address if image.linked => return at_address(image, function, addend as u64),
        Referent::Address => return Place::Number(addend),
    };
    let s = &image.symbols[symbol];
    match s.home {
        Home::Undefined | Home::Common => Place::Name { name: s.name.clone(), offset: addend },
        Home::Absolute => Place::Number((s.value as i64).wrapping_add(addend)),
        Home::Section(section) => {
            let offset = (s.value as i64).wrapping_add(addend);
            if image.sections[section].exec {
                return code_place(image, function, section, offset);
            }
            let named = matches!(s.kind, Kind::Object | Kind::Tls) || (s.kind == Kind::Label && !s.local);
            let anchor = s.kind == Kind::Section || s.name.starts_with(".LANCHOR");
            Place::Data { section, offset, symbol: named.then_some(symbol), through: anchor && !named }
        }
    }
}

/// The place at an address of a linked file.
#[must_use]
pub fn at_address(image: &Image, function: usize, address: u64) -> Place {
    if let Some(name) = image.imports.get(&address) {
        return Place::Name { name: name.clone(), offset: 0 };
    }
    match image.locate(address) {
        Some((section, offset)) if image.sections[section].exec => {
            code_place(image, function, section, offset as i64)
        }
        Some((section, offset)) => {
            Place::Data { section, offset: offset as i64, symbol: None, through: true }
        }
        None => Place::Unresolved("an address outside every section"),
    }
}

/// All references of a function in the order of their addresses, stretch by stretch.
#[must_use]
pub fn references(image: &Image, function: usize, code: &Code) -> Vec<Vec<Reference>> {
    let of_stretch = |stretch: &crate::code::Stretch| {
        let base = image.sections[stretch.section].address;
        let (start, end) = (stretch.start.wrapping_sub(base), stretch.end.wrapping_sub(base));
        let relocs = image.sections[stretch.section].relocs_in(start, end);
        let mut out = Vec::new();
        let mut next = 0;
        for insn in &stretch.insns {
            while relocs.get(next).is_some_and(|r| base.wrapping_add(r.offset) < insn.at) {
                out.push(in_data(image, function, code, base, &relocs[next]));
                next += 1;
            }
            let first = out.len();
            while let Some(r) = relocs.get(next).filter(|r| base.wrapping_add(r.offset) < insn.end()) {
                out.push(in_insn(image, function, base, insn, r));
                next += 1;
            }
            if out.len() == first {
                out.extend(without_relocation(image, function, stretch.section, insn));
            }
        }
        out.extend(relocs[next..].iter().map(|r| in_data(image, function, code, base, r)));
        out
    };
    code.stretches.iter().map(of_stretch).collect()
}

/// A relocation of an instruction.
fn in_insn(image: &Image, function: usize, base: u64, insn: &Insn, reloc: &Reloc) -> Reference {
    let arch = image.arch;
    let inside = base.wrapping_add(reloc.offset).wrapping_sub(insn.at);
    let mut addend = reloc.addend;
    if is_relative(arch, reloc.kind) {
        addend = addend.wrapping_add(i64::from(insn.len) - inside as i64);
    }
    if arch == Arch::Arm && matches!(insn.flow, Flow::Jump | Flow::Call) {
        addend = addend.wrapping_add(if insn.thumb { 4 } else { 8 });
    }
    let mut kind = fold(arch, reloc.kind);
    let place = match arch {
        // Where the instruction ends is not known, and what is relative to that neither.
        Arch::X86_64 | Arch::I386 if !insn.known() => Place::Unresolved("an unknown instruction"),
        Arch::Riscv64 | Arch::Riscv32 if matches!(reloc.kind, 24 | 25) => {
            match high_part(image, reloc) {
                // The low part is of what the high part is of: the place, or a word of the global offset table.
                Ok(high) => {
                    kind = fold(arch, if high.kind == 23 { reloc.kind } else { high.kind });
                    resolve(image, function, high.referent, high.addend)
                }
                Err(why) => Place::Unresolved(why),
            }
        }
        _ => resolve(image, function, reloc.referent, addend),
    };
    let field = field(arch, reloc.kind).map(|(size, mask)| (inside, size, mask));
    // Pages and upper parts become addresses with what a lower part says, which is compared by itself.
    let begun = match arch {
        Arch::AArch64 => matches!(reloc.kind, 275 | 276),
        Arch::Riscv64 | Arch::Riscv32 => matches!(reloc.kind, 20 | 23 | 26),
        Arch::X86_64 | Arch::I386 | Arch::Arm => false,
    };
    let access = if begun { Some(0) } else { insn.access.map(u64::from) };
    Reference { at: insn.at, kind, place, access, field }
}

/// RISC-V: the low part of an address names the instruction that makes the high part, whose relocation says of what.
fn high_part<'i>(image: &'i Image, reloc: &Reloc) -> Result<&'i Reloc, &'static str> {
    let nothing = "a low part of nothing";
    let Referent::Symbol(label) = reloc.referent else { return Err(nothing) };
    let label = &image.symbols[label];
    let Home::Section(section) = label.home else { return Err(nothing) };
    if reloc.addend != 0 {
        return Err("a low part of a place behind its high part");
    }
    let high = image.sections[section].relocs_in(label.value, label.value + 1);
    high.iter().find(|r| matches!(r.kind, 20..=23)).ok_or("a low part without its high part")
}

/// A relocation of a word between instructions: a literal pool.
fn in_data(image: &Image, function: usize, code: &Code, base: u64, reloc: &Reloc) -> Reference {
    let at = base.wrapping_add(reloc.offset);
    let field = field(image.arch, reloc.kind).map(|(size, mask)| (0, size, mask));
    let mut addend = reloc.addend;
    let mut place = None;
    if image.arch == Arch::Arm && crate::objects::addend::is_distance(image.arch, reloc.kind) {
        match added_to_counter(code, at, image) {
            Some(counter) => addend = addend.wrapping_add(counter.wrapping_sub(at) as i64),
            None => place = Some(Place::Unresolved("a distance in a literal pool")),
        }
    }
    let place = place.unwrap_or_else(|| resolve(image, function, reloc.referent, addend));
    Reference { at, kind: fold(image.arch, reloc.kind), place, access: None, field }
}

/// ARM: the value of the program counter that the word of a literal pool is added to: `ldr r3, [pc, #n]; add r3, pc`.
/// None where the word is loaded in several places or added in none.
fn added_to_counter(code: &Code, literal: u64, image: &Image) -> Option<u64> {
    let decoder = crate::code::decoder(image.arch);
    let mut found = None;
    for stretch in &code.stretches {
        for (n, load) in stretch.insns.iter().enumerate() {
            if load.relative != Some(Relative::Access(literal)) {
                continue;
            }
            let text = |insn: &Insn| decoder.text(&crate::code::bytes_of(image, stretch.section, insn), insn);
            let loads = text(load);
            let register = loads.split_once(' ')?.1.split(',').next()?.trim().to_owned();
            let uses = |insn: &&Insn| {
                insn.pinned && text(insn).split(|c: char| !c.is_alphanumeric()).any(|word| word == register)
            };
            let add = stretch.insns[n + 1..].iter().take(96).find(uses)?;
            let counter = add.at.wrapping_add(if add.thumb { 4 } else { 8 });
            if found.replace(counter).is_some() {
                return None;
            }
        }
    }
    found
}

/// What an instruction names by itself: the assembler or the linker filled it in.
fn without_relocation(image: &Image, function: usize, section: usize, insn: &Insn) -> Option<Reference> {
    let place = |address: u64| match image.linked {
        true => at_address(image, function, address),
        false => {
            let offset = address as i64;
            match image.sections[section].exec {
                true => code_place(image, function, section, offset),
                false => Place::Unresolved("code outside code"),
            }
        }
    };
    let (kind, place) = match (insn.target, insn.relative) {
        (Some(target), _) => (BRANCH, place(target)),
        (None, Some(Relative::Access(to) | Relative::Address(to))) => (NEARBY, place(to)),
        (None, Some(Relative::Page(_))) => (NEARBY, Place::Unresolved("an address made in two steps")),
        (None, None) => return None,
    };
    Some(Reference { at: insn.at, kind, place, access: insn.access.map(u64::from), field: None })
}

/// Functions of the C library and of compilers that do not return, by their specification.
pub const NEVER_RETURN: &[&str] = &[
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "__stack_chk_fail",
    "__stack_chk_fail_local",
    "__assert_fail",
    "__assert",
    "__assert_perror_fail",
    "__fortify_fail",
    "__chk_fail",
    "_Unwind_Resume",
    "__cxa_throw",
    "__cxa_rethrow",
    "pthread_exit",
    "thrd_exit",
    "err",
    "errx",
    "verr",
    "verrx",
];
