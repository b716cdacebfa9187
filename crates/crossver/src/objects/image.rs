//! An object file as functions, data and symbolic references: what the rest of this crate looks at.

use super::arch::Arch;
use super::error::ObjectError;
use super::file::Bytes;
use super::functions;
use super::{elf, functions::Function};
use std::collections::HashMap;

/// How bytes of a section are meant, as ARM's mapping symbols tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Instructions; of 32 bits on ARM.
    Code,
    /// Instructions of Thumb.
    Thumb,
    /// Data.
    Data,
}

/// A section that is loaded.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Its address in a linked file, 0 in others.
    pub address: u64,
    /// Its length in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
    /// Its contents; none where they are zero and not in the file.
    pub bytes: Option<Bytes>,
    /// Whether it can be written at run time. What is only written by the dynamic linker counts as not.
    pub write: bool,
    /// Whether it holds code.
    pub exec: bool,
    /// Whether the linker merges equal entries; the bytes of an entry.
    pub merge: Option<u64>,
    /// Whether entries end with a zero of that many bytes.
    pub strings: bool,
    /// Whether it is the image of thread-local storage.
    pub tls: bool,
    /// What the linker fills in, by offset.
    pub relocs: Vec<Reloc>,
    /// Where the meaning of the bytes changes, by offset.
    pub modes: Vec<(u64, Mode)>,
    /// Named objects and functions that begin here, by offset.
    pub named: Vec<usize>,
}

impl Section {
    /// The bytes at an offset; nothing where the range lies outside. Sections without contents read as zeros.
    #[must_use]
    pub fn read(&self, offset: u64, length: u64) -> Option<std::borrow::Cow<'_, [u8]>> {
        let end = offset.checked_add(length).filter(|end| *end <= self.size)?;
        match &self.bytes {
            Some(bytes) => bytes.get().get(offset as usize..end as usize).map(Into::into),
            // Only what somebody asks for is made, and nobody asks for more than an object.
            None => (length <= 1 << 24).then(|| vec![0; length as usize].into()),
        }
    }

    /// The relocations in a range of offsets.
    #[must_use]
    pub fn relocs_in(&self, start: u64, end: u64) -> &[Reloc] {
        let from = self.relocs.partition_point(|r| r.offset < start);
        let to = self.relocs.partition_point(|r| r.offset < end);
        self.relocs.get(from..to).unwrap_or_default()
    }

    /// How the byte at an offset is meant, and where that changes next.
    #[must_use]
    pub fn mode_at(&self, offset: u64) -> (Option<Mode>, u64) {
        let after = self.modes.partition_point(|(at, _)| *at <= offset);
        let mode = after.checked_sub(1).and_then(|n| self.modes.get(n)).map(|(_, mode)| *mode);
        (mode, self.modes.get(after).map_or(self.size, |(at, _)| *at))
    }
}

/// What a relocation refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referent {
    /// A symbol by its index.
    Symbol(usize),
    /// An address of a linked file.
    Address,
}

/// A place that the linker fills in.
#[derive(Debug, Clone, Copy)]
pub struct Reloc {
    /// Where, in bytes from the section's start.
    pub offset: u64,
    /// The machine's number for the kind of relocation.
    pub kind: u32,
    /// What it refers to.
    pub referent: Referent,
    /// What is added; taken from the place itself where the format has it there.
    pub addend: i64,
}

/// Where a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// In another file.
    Undefined,
    /// Nowhere: a number.
    Absolute,
    /// Laid out by the linker, of zeros.
    Common,
    /// In a section, by its index.
    Section(usize),
}

/// What a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A function, also one chosen when the program is loaded.
    Function,
    /// An object.
    Object,
    /// A thread-local object.
    Tls,
    /// A section.
    Section,
    /// A place without a type: a label.
    Label,
}

/// A symbol.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// Its name, without a version.
    pub name: String,
    /// Where it is.
    pub home: Home,
    /// Bytes from the start of its section, or its value.
    pub value: u64,
    /// Bytes; 0 where unknown.
    pub size: u64,
    /// What it names.
    pub kind: Kind,
    /// Whether other files cannot see it.
    pub local: bool,
    /// Whether another definition takes precedence.
    pub weak: bool,
    /// Whether it is a function of Thumb.
    pub thumb: bool,
    /// The source file that the symbol table names before it.
    pub unit: Option<std::sync::Arc<str>>,
}

/// An object file, a program or a shared library.
#[derive(Debug)]
pub struct Image {
    /// How messages name it.
    pub label: String,
    /// The whole file, for its debug information.
    pub bytes: Bytes,
    /// The machine.
    pub arch: Arch,
    /// Whether addresses are laid out: a program or a shared library.
    pub linked: bool,
    /// Whether addresses are final, so that numbers may be addresses.
    pub fixed: bool,
    /// The sections that are loaded.
    pub sections: Vec<Section>,
    /// The symbols.
    pub symbols: Vec<Symbol>,
    /// The functions, by section and offset.
    pub functions: Vec<Function>,
    /// Addresses of stubs and slots of the dynamic linker, with the symbol they stand for.
    pub imports: HashMap<u64, String>,
    /// Offsets from which unwinding finds landing pads: functions by section and start.
    pub landing: HashMap<(usize, u64), (usize, u64)>,
}

impl Image {
    /// Reads one object.
    ///
    /// # Errors
    /// It is damaged, foreign or stripped, or has no functions.
    pub fn parse(label: &str, bytes: Bytes) -> Result<Image, ObjectError> {
        let mut image = elf::parse(label, bytes)?;
        functions::find(&mut image)?;
        Ok(image)
    }

    /// The section and offset of an address of a linked file.
    #[must_use]
    pub fn locate(&self, address: u64) -> Option<(usize, u64)> {
        let inside = |s: &Section| !s.tls && address >= s.address && address - s.address < s.size;
        let at = self.sections.iter().position(inside)?;
        Some((at, address - self.sections[at].address))
    }

    /// The function whose code, its cold parts included, holds an offset of a section.
    #[must_use]
    pub fn function_at(&self, section: usize, offset: u64) -> Option<usize> {
        let of = |f: &Function| (f.section, f.start);
        let after = self.functions.partition_point(|f| of(f) <= (section, offset));
        let holds = |n: &usize| {
            let f = &self.functions[*n];
            f.section == section && f.start <= offset && offset < f.end
        };
        let near = after.checked_sub(1).filter(holds);
        near.or_else(|| self.fragment_at(section, offset))
    }

    fn fragment_at(&self, section: usize, offset: u64) -> Option<usize> {
        self.functions.iter().position(|f| {
            f.fragments.iter().any(|p| p.section == section && p.start <= offset && offset < p.end)
        })
    }

    /// The named object that covers an offset, or begins there.
    #[must_use]
    pub fn object_at(&self, section: usize, offset: u64) -> Option<usize> {
        let named = &self.sections.get(section)?.named;
        let after = named.partition_point(|n| self.symbols[*n].value <= offset);
        // Objects may lie in one another (merged globals): the outermost that covers it is found a few before.
        let covers = |n: &&usize| {
            let s = &self.symbols[**n];
            s.value <= offset && (offset < s.value + s.size || offset == s.value)
        };
        named.get(after.saturating_sub(8)..after)?.iter().find(covers).copied()
    }

    /// Whether the functions of both, compared, would be for one machine.
    ///
    /// # Errors
    /// They are not.
    pub fn same_machine(&self, other: &Image) -> Result<(), ObjectError> {
        let modelled = [Arch::X86_64, Arch::AArch64, Arch::Riscv64];
        if self.arch == other.arch || [self, other].iter().all(|i| modelled.contains(&i.arch) && !i.linked) {
            return Ok(());
        }
        let problem = super::error::Problem::MachinesDiffer(self.arch.name());
        Err(ObjectError::of(&other.label, problem))
    }
}
