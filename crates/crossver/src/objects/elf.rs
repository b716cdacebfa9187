//! ELF as an [`Image`]: sections, symbols, relocations with their addends, what the dynamic linker binds.

use super::arch::Arch;
use super::error::{ObjectError, Problem};
use super::file::Bytes;
use super::image::{Home, Image, Kind, Mode, Referent, Reloc, Section, Symbol};
use super::{addend, imports};
use object::elf;
use object::read::elf::{ElfFile, FileHeader, SectionHeader, Sym};
use object::read::{Object, ObjectSection, ObjectSymbol, RelocationTarget};
use object::{Endianness, RelocationFlags};
use std::collections::HashMap;
use std::sync::Arc;

/// Reads an ELF file, without its functions.
pub(super) fn parse(label: &str, bytes: Bytes) -> Result<Image, ObjectError> {
    let data = bytes.get();
    if !data.starts_with(b"\x7fELF") {
        return Err(ObjectError::of(label, Problem::Foreign(looks_like(data))));
    }
    match data.get(4) {
        Some(1) => read::<elf::FileHeader32<Endianness>>(label, &bytes),
        Some(2) => read::<elf::FileHeader64<Endianness>>(label, &bytes),
        Some(_) | None => Err(ObjectError::of(label, Problem::Corrupt("the header ends early".to_owned()))),
    }
}

fn looks_like(data: &[u8]) -> &'static str {
    match data {
        [b'B', b'C', 0xc0, 0xde, ..] => "LLVM bitcode, as -flto makes it",
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => "a Mach-O file",
        [b'M', b'Z', ..] => "a Windows program",
        [0, b'a', b's', b'm', ..] => "a WebAssembly module",
        [0x64, 0x86, ..] | [0x4c, 0x01, ..] => "a COFF object",
        _ if std::str::from_utf8(data.get(..512.min(data.len())).unwrap_or_default()).is_ok() => "text",
        _ => "no object file",
    }
}

fn read<Elf: FileHeader<Endian = Endianness>>(label: &str, bytes: &Bytes) -> Result<Image, ObjectError> {
    let corrupt = |error: object::read::Error| ObjectError::of(label, Problem::Corrupt(error.to_string()));
    let data = bytes.get();
    let header = Elf::parse(data).map_err(corrupt)?;
    let endian = header.endian().map_err(corrupt)?;
    let machine = header.e_machine(endian);
    let arch = Arch::of_elf(machine, header.is_class_64()).filter(|_| header.is_little_endian());
    let Some(arch) = arch else {
        let order = if header.is_little_endian() { "" } else { ", big-endian" };
        let bits = if header.is_class_64() { 64 } else { 32 };
        let what = format!("machine {} of {bits} bits{order}", machine.0);
        return Err(ObjectError::of(label, Problem::Machine(what)));
    };
    let file = ElfFile::<Elf>::parse(data).map_err(corrupt)?;
    let kind = header.e_type(endian);
    let mut image = Image {
        label: label.to_owned(),
        bytes: bytes.clone(),
        arch,
        linked: kind != elf::ET_REL,
        fixed: kind == elf::ET_EXEC,
        sections: Vec::new(),
        symbols: Vec::new(),
        functions: Vec::new(),
        imports: HashMap::new(),
        landing: HashMap::new(),
    };
    let homes = sections(&mut image, &file, bytes).map_err(|e| e.unwrap_or_else(corrupt))?;
    let names = symbols(&mut image, &file, &homes).map_err(corrupt)?;
    relocations(&mut image, &file, &homes, &names);
    if image.linked {
        imports::bind(&mut image, &file);
    }
    super::data::index(&mut image);
    super::unwind::landing_pads(&mut image, &file);
    Ok(image)
}

/// Either an error of the reader or one of ours.
struct Failure(Result<object::read::Error, ObjectError>);

impl Failure {
    fn unwrap_or_else(self, reader: impl FnOnce(object::read::Error) -> ObjectError) -> ObjectError {
        match self.0 {
            Ok(error) => reader(error),
            Err(ours) => ours,
        }
    }
}

/// Where sections of the file are in the image.
type Homes = HashMap<usize, usize>;

fn sections<'data, Elf: FileHeader<Endian = Endianness>>(
    image: &mut Image,
    file: &ElfFile<'data, Elf>,
    bytes: &Bytes,
) -> Result<Homes, Failure> {
    let mut homes = HashMap::new();
    let endian = file.endian();
    for section in file.sections() {
        let raw = section.elf_section_header();
        let name = String::from_utf8_lossy(section.name_bytes().map_err(|e| Failure(Ok(e)))?).into_owned();
        let flags = raw.sh_flags(endian).0;
        if name.starts_with(".gnu.lto_") && !image.sections.iter().any(|s| s.exec && s.size > 0) {
            let lto = ObjectError::of(&image.label, Problem::IntermediateCode).at(format!("section {name}"));
            return Err(Failure(Err(lto)));
        }
        let wanted = flags & elf::SHF_ALLOC.0 != 0 || raw.sh_type(endian) == elf::SHT_NOBITS;
        if !wanted {
            continue;
        }
        let size = section.size();
        let contents = match section.file_range() {
            None => None,
            Some((at, length)) => Some(bytes.part(at as usize, length as usize).ok_or_else(|| {
                let why = "its contents lie beyond the end of the file".to_owned();
                let error = ObjectError::of(&image.label, Problem::Corrupt(why));
                Failure(Err(error.at(format!("section {name}"))))
            })?),
        };
        let entry: u64 = raw.sh_entsize(endian).into();
        let relro = name.starts_with(".data.rel.ro") || name == ".got" || name == ".init_array";
        homes.insert(section.index().0, image.sections.len());
        image.sections.push(Section {
            address: if image.linked { section.address() } else { 0 },
            size,
            align: section.align(),
            bytes: contents,
            write: flags & elf::SHF_WRITE.0 != 0 && !relro,
            exec: flags & elf::SHF_EXECINSTR.0 != 0,
            merge: (flags & elf::SHF_MERGE.0 != 0 && (1..=256).contains(&entry)).then_some(entry),
            strings: flags & elf::SHF_STRINGS.0 != 0,
            tls: flags & elf::SHF_TLS.0 != 0,
            relocs: Vec::new(),
            modes: Vec::new(),
            named: Vec::new(),
            name,
        });
    }
    Ok(homes)
}

/// Where symbols of the file are in the image.
type Names = HashMap<usize, usize>;

fn symbols<Elf: FileHeader<Endian = Endianness>>(
    image: &mut Image,
    file: &ElfFile<'_, Elf>,
    homes: &Homes,
) -> Result<Names, object::read::Error> {
    let mut names = HashMap::new();
    let mut unit: Option<Arc<str>> = None;
    let mut modes: Vec<(usize, u64, Mode)> = Vec::new();
    // A shared library without its own symbols still has those that it exports.
    let all = file.symbols().map(|s| (s, true));
    let own = file.symbols().next().is_some();
    let exported = file.dynamic_symbols().filter(|_| !own).map(|s| (s, false));
    for (symbol, from_table) in all.chain(exported) {
        let raw = symbol.elf_symbol();
        let name = String::from_utf8_lossy(symbol.name_bytes()?).into_owned();
        if raw.st_type() == elf::STT_FILE {
            unit = Some(name.as_str().into());
            continue;
        }
        let Some(home) = home(&symbol, homes) else { continue };
        // What a damaged table says beyond the section's end is cut off.
        let (base, room) = match home {
            Home::Section(n) => (image.sections[n].address, image.sections[n].size),
            Home::Undefined | Home::Absolute | Home::Common => (0, u64::MAX),
        };
        if let (Home::Section(n), Some(mode)) = (home, mapping(&name, image.arch)) {
            modes.push((n, symbol.address().wrapping_sub(base), mode));
            continue;
        }
        let symbol = translate(image.arch, &symbol, raw, (name, home, base, room), unit.clone());
        if from_table {
            names.insert(symbol.0, image.symbols.len());
        }
        image.symbols.push(symbol.1);
    }
    modes.sort_by_key(|(section, at, _)| (*section, *at));
    for (section, at, mode) in modes {
        image.sections[section].modes.push((at, mode));
    }
    Ok(names)
}

fn translate<'data, Elf: FileHeader<Endian = Endianness>>(
    arch: Arch,
    symbol: &object::read::elf::ElfSymbol<'data, '_, Elf>,
    raw: &Elf::Sym,
    (name, home, base, room): (String, Home, u64, u64),
    unit: Option<Arc<str>>,
) -> (usize, Symbol) {
    let kind = match raw.st_type() {
        elf::STT_FUNC | elf::STT_GNU_IFUNC => Kind::Function,
        elf::STT_OBJECT | elf::STT_COMMON => Kind::Object,
        elf::STT_TLS => Kind::Tls,
        elf::STT_SECTION => Kind::Section,
        _ => Kind::Label,
    };
    let mut value = symbol.address().wrapping_sub(base);
    let thumb = arch == Arch::Arm && kind == Kind::Function && value & 1 == 1;
    if thumb {
        value &= !1;
    }
    let local = raw.st_bind() == elf::STB_LOCAL;
    let weak = raw.st_bind() == elf::STB_WEAK;
    let name = match name.split_once('@') {
        Some((plain, _)) if !plain.is_empty() => plain.to_owned(),
        Some(_) | None => name,
    };
    let size = symbol.size().min(room.saturating_sub(value));
    (symbol.index().0, Symbol { name, home, value, size, kind, local, weak, thumb, unit })
}

/// Where a symbol is; nothing where that is a section that is not loaded.
fn home<'data, S: ObjectSymbol<'data>>(symbol: &S, homes: &Homes) -> Option<Home> {
    match symbol.section() {
        object::SymbolSection::Undefined => Some(Home::Undefined),
        object::SymbolSection::Common => Some(Home::Common),
        object::SymbolSection::Section(n) => homes.get(&n.0).map(|n| Home::Section(*n)),
        _ => Some(Home::Absolute),
    }
}

/// The mapping symbols of ARM and RISC-V: `$a`, `$t`, `$d`, `$x`, also with a suffix.
fn mapping(name: &str, arch: Arch) -> Option<Mode> {
    let mode = match name.as_bytes().get(..2)? {
        b"$a" if arch == Arch::Arm => Mode::Code,
        b"$t" if arch == Arch::Arm => Mode::Thumb,
        b"$x" if !arch.is_x86() && arch != Arch::Arm => Mode::Code,
        b"$d" if !arch.is_x86() => Mode::Data,
        _ => return None,
    };
    // RISC-V names the instruction set behind `$x`.
    let rest = name.as_bytes().get(2);
    (rest.is_none_or(|b| *b == b'.') || (arch.is_riscv() && mode == Mode::Code)).then_some(mode)
}

fn relocations<Elf: FileHeader<Endian = Endianness>>(
    image: &mut Image,
    file: &ElfFile<'_, Elf>,
    homes: &Homes,
    names: &Names,
) {
    // Those of a linked file that were kept name what is already filled in; only objects need theirs.
    if image.linked {
        return;
    }
    for section in file.sections() {
        let Some(&n) = homes.get(&section.index().0) else { continue };
        let mut relocs = Vec::new();
        for (offset, reloc) in section.relocations() {
            let RelocationFlags::Elf { r_type } = reloc.flags() else { continue };
            let referent = match reloc.target() {
                RelocationTarget::Symbol(symbol) => names.get(&symbol.0).map(|s| Referent::Symbol(*s)),
                _ => None,
            };
            // Relocations without a symbol are hints to the linker, or absolute.
            if addend::is_hint(image.arch, r_type.0) {
                continue;
            }
            let referent = referent.unwrap_or(Referent::Address);
            let addend = match reloc.has_implicit_addend() {
                true => addend::implicit(image.arch, r_type.0, &image.sections[n], offset),
                false => reloc.addend(),
            };
            relocs.push(Reloc { offset, kind: r_type.0, referent, addend });
        }
        relocs.sort_by_key(|r| r.offset);
        image.sections[n].relocs = relocs;
    }
}
