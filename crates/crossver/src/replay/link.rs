//! A function cut out of its object: its own bytes, with what the linker would fill in. Named objects lie where the
//! counterexample has them; read-only data, which no counterexample can choose, where this linker puts it.

use crate::objects::Referent;
use crate::places::{Place, resolve};
use crate::semantics::convert::{Converted, Origin};
use crate::semantics::names::Names;
use langs::machine_code::{Reference, Target};
use std::collections::{BTreeMap, BTreeSet};

use super::plan::{Bytes, Marks};

/// Where code is put, read-only data of the new side and of the old, stubs, tables and words that a linker makes, and what
/// is named and never met. Nothing of a counterexample lies here.
const CODE: u64 = 0x6000_0000;
const CONSTANTS: [u64; 2] = [0x6800_0000, 0x6400_0000];
const STUBS: u64 = 0x6c00_0000;
const MADE: u64 = 0x6d00_0000;
const NOWHERE: u64 = 0x6f00_0000;

/// Where read-only data of either side lies.
pub const READ_ONLY: std::ops::Range<u64> = CONSTANTS[1]..STUBS;

/// Relocations of data: an address, and how far one is from the word.
const ADDRESS: u32 = 1;
const DISTANCE: u32 = 2;

/// Most bytes of a section that are taken.
const LARGEST: u64 = 1 << 22;

/// Bytes between stubs.
const STUB: u64 = 32;

/// What functions of the library do that run themselves: `rep movsb` and `rep stosb`, `memmove` from the end where it has to, and
/// loops over strings byte by byte.
const LIBRARY: [(&str, &[u8]); 9] = [
    // mov rax, rdi; mov rcx, rdx; rep movsb; ret
    ("memcpy", &[0x48, 0x89, 0xf8, 0x48, 0x89, 0xd1, 0xf3, 0xa4, 0xc3]),
    // mov rax, rdi; mov rcx, rdx; cmp rdi, rsi; jbe 1f; lea rdi, [rdi+rcx-1]; lea rsi, [rsi+rcx-1]; std; rep movsb; cld; ret;
    // 1: rep movsb; ret
    (
        "memmove",
        &[
            0x48, 0x89, 0xf8, 0x48, 0x89, 0xd1, 0x48, 0x39, 0xf7, 0x76, 0x0f, 0x48, 0x8d, 0x7c, 0x0f, 0xff,
            0x48, 0x8d, 0x74, 0x0e, 0xff, 0xfd, 0xf3, 0xa4, 0xfc, 0xc3, 0xf3, 0xa4, 0xc3,
        ],
    ),
    // mov r8, rdi; mov eax, esi; mov rcx, rdx; rep stosb; mov rax, r8; ret
    ("memset", &[0x49, 0x89, 0xf8, 0x89, 0xf0, 0x48, 0x89, 0xd1, 0xf3, 0xaa, 0x4c, 0x89, 0xc0, 0xc3]),
    // xor eax, eax; 1: cmp byte [rdi+rax], 0; je 2f; inc rax; jmp 1b; 2: ret
    ("strlen", &[0x31, 0xc0, 0x80, 0x3c, 0x07, 0x00, 0x74, 0x05, 0x48, 0xff, 0xc0, 0xeb, 0xf5, 0xc3]),
    // mov rax, rdi; 1: mov cl, [rsi]; mov [rdi], cl; inc rsi; inc rdi; test cl, cl; jne 1b; ret
    (
        "strcpy",
        &[
            0x48, 0x89, 0xf8, 0x8a, 0x0e, 0x88, 0x0f, 0x48, 0xff, 0xc6, 0x48, 0xff, 0xc7, 0x84, 0xc9, 0x75,
            0xf2, 0xc3,
        ],
    ),
    // 1: movzx eax, byte [rdi]; movzx ecx, byte [rsi]; inc rdi; inc rsi; test eax, eax; je 2f; cmp eax, ecx; je 1b;
    // 2: sub eax, ecx; ret
    (
        "strcmp",
        &[
            0x0f, 0xb6, 0x07, 0x0f, 0xb6, 0x0e, 0x48, 0xff, 0xc7, 0x48, 0xff, 0xc6, 0x85, 0xc0, 0x74, 0x04,
            0x39, 0xc8, 0x74, 0xec, 0x29, 0xc8, 0xc3,
        ],
    ),
    // 1: xor eax, eax; test rdx, rdx; je 3f; movzx eax, byte [rdi]; movzx ecx, byte [rsi]; inc rdi; inc rsi; dec rdx;
    // test eax, eax; je 2f; cmp eax, ecx; je 1b; 2: sub eax, ecx; 3: ret
    (
        "strncmp",
        &[
            0x31, 0xc0, 0x48, 0x85, 0xd2, 0x74, 0x19, 0x0f, 0xb6, 0x07, 0x0f, 0xb6, 0x0e, 0x48, 0xff, 0xc7,
            0x48, 0xff, 0xc6, 0x48, 0xff, 0xca, 0x85, 0xc0, 0x74, 0x04, 0x39, 0xc8, 0x74, 0xe2, 0x29, 0xc8,
            0xc3,
        ],
    ),
    // 1: xor eax, eax; test rdx, rdx; je 2f; movzx eax, byte [rdi]; movzx ecx, byte [rsi]; inc rdi; inc rsi; dec rdx;
    // sub eax, ecx; je 1b; 2: ret
    ("memcmp", COMPARE),
    ("bcmp", COMPARE),
];

/// `memcmp`.
const COMPARE: &[u8] = &[
    0x31, 0xc0, 0x48, 0x85, 0xd2, 0x74, 0x13, 0x0f, 0xb6, 0x07, 0x0f, 0xb6, 0x0e, 0x48, 0xff, 0xc7, 0x48,
    0xff, 0xc6, 0x48, 0xff, 0xca, 0x29, 0xc8, 0x74, 0xe6, 0xc3,
];

/// Addresses of everything that has a name.
pub struct Linker<'n, 'a> {
    names: &'n mut Names<'a>,
    /// By name, as the counterexample has them.
    given: BTreeMap<String, u64>,
    /// What the counterexample did not meet.
    placed: BTreeMap<String, u64>,
    /// Constants, each side's where that side has them: what lies side by side there does so here, so that the end of one
    /// is met from its beginning.
    constant: [BTreeMap<String, u64>; 2],
    /// Stubs: callee by address.
    pub stubs: BTreeMap<u64, String>,
    /// Where read-only sections lie: of the old side, and by number.
    sections: BTreeMap<(bool, usize), u64>,
    /// What they hold.
    pub constants: Vec<Bytes>,
    /// Where objects in them begin and end, and words of them that hold addresses.
    pub marks: Marks,
    free: [u64; 2],
    next_stub: u64,
    next_nowhere: u64,
    made: u64,
    /// Where functions of the library lie that run themselves, and their code.
    library: BTreeMap<&'static str, (u64, &'static [u8])>,
}

/// A function at its place.
#[derive(Default)]
pub struct Linked {
    /// Code, tables, words of the global offset table.
    pub code: Vec<Bytes>,
    /// The entry.
    pub entry: u64,
    /// Where instructions lie, by index.
    pub at: Vec<u64>,
}

impl<'n, 'a> Linker<'n, 'a> {
    /// Puts the constants of both functions in their places.
    ///
    /// # Errors
    /// Where there is too much of them, in words.
    pub fn new(names: &'n mut Names<'a>, given: BTreeMap<String, u64>) -> Result<Linker<'n, 'a>, String> {
        let mut linker = Linker {
            names,
            given,
            placed: BTreeMap::new(),
            constant: Default::default(),
            stubs: BTreeMap::new(),
            sections: BTreeMap::new(),
            constants: Vec::new(),
            marks: Marks::default(),
            free: CONSTANTS,
            next_stub: STUBS,
            next_nowhere: NOWHERE,
            made: MADE,
            library: BTreeMap::new(),
        };
        for old in [false, true] {
            let known: Vec<((usize, i64), String)> =
                linker.names.constants(old).map(|(key, name)| (key, name.to_owned())).collect();
            for ((section, offset), name) in known {
                let at = linker.section(old, section)?.wrapping_add_signed(offset);
                linker.marks.starts.insert(at);
                linker.constant[usize::from(old)].insert(name, at);
            }
            let image = linker.names.side(old).image;
            for s in &image.symbols {
                if let crate::objects::Home::Section(n) = s.home
                    && let Some(base) = linker.sections.get(&(old, n)).copied()
                {
                    if s.size > 0 {
                        linker.marks.starts.insert(base + s.value);
                        linker.marks.ends.insert(base + s.value + s.size);
                    }
                    if !s.local {
                        linker.constant[usize::from(old)].insert(format!("@{}", s.name), base + s.value);
                    }
                }
            }
        }
        Ok(linker)
    }

    /// Where a read-only section lies; what it holds is taken along.
    fn section(&mut self, old: bool, n: usize) -> Result<u64, String> {
        if let Some(base) = self.sections.get(&(old, n)) {
            return Ok(*base);
        }
        if let Some(twin) = old.then(|| self.twin(n)).flatten() {
            let base = self.section(false, twin)?;
            self.sections.insert((old, n), base);
            return Ok(base);
        }
        let image = self.names.side(old).image;
        let section = &image.sections[n];
        let bytes = (section.size <= LARGEST).then(|| section.read(0, section.size)).flatten();
        let Some(mut bytes) = bytes.map(std::borrow::Cow::into_owned) else {
            return Err(format!("too much read-only data in {}", section.name));
        };
        let free = &mut self.free[usize::from(old)];
        let base = *free;
        *free = (base + section.size + 0x1fff) & !0xfff;
        self.sections.insert((old, n), base);
        for reloc in &section.relocs {
            // Words that hold addresses, and distances to them; those in jump tables have been followed already.
            if !matches!(reloc.kind, ADDRESS | DISTANCE) || matches!(reloc.referent, Referent::Address) {
                continue;
            }
            let place = resolve(image, usize::MAX, reloc.referent, reloc.addend);
            let Ok(address) = self.place(old, &place) else { continue };
            let (at, start) = (base + reloc.offset, reloc.offset as usize);
            let (value, length) = if reloc.kind == ADDRESS {
                self.marks.addresses.insert(at);
                (address, 8)
            } else {
                (address.wrapping_sub(at), 4)
            };
            if let Some(word) = bytes.get_mut(start..start + length) {
                word.copy_from_slice(&value.to_le_bytes()[..length]);
            }
        }
        self.constants.push((base, bytes));
        Ok(base)
    }

    /// The section of the new side that holds what one of the old side does, byte by byte.
    fn twin(&self, n: usize) -> Option<usize> {
        let (old, new) = (self.names.side(true).image, self.names.side(false).image);
        let section = &old.sections[n];
        let same = |other: &usize| {
            let other = &new.sections[*other];
            other.name == section.name
                && !other.write
                && other.size == section.size
                && section.relocs.is_empty()
                && other.relocs.is_empty()
                && section.size <= LARGEST
                && section.read(0, section.size) == other.read(0, other.size)
        };
        (0..new.sections.len()).find(same)
    }

    /// The address of a place that data refers to.
    fn place(&mut self, old: bool, place: &Place) -> Result<u64, String> {
        if let Place::Data { section, offset, .. } = place
            && !self.names.side(old).image.sections[*section].write
        {
            return Ok(self.section(old, *section)?.wrapping_add_signed(*offset));
        }
        let named = self.names.place(old, place, None)?;
        Ok(self.address(old, &named.name).wrapping_add_signed(named.offset))
    }

    /// The address of a name, on a side.
    fn address(&mut self, old: bool, name: &str) -> u64 {
        let own = self.constant[usize::from(old)].get(name);
        // What is a constant of the other side alone has its place there.
        let constant = own.or_else(|| self.constant[usize::from(!old)].get(name));
        if let Some(at) = constant.or_else(|| self.placed.get(name)).or_else(|| self.given.get(name)) {
            return *at;
        }
        let at = self.next_nowhere;
        self.next_nowhere += 0x1000;
        self.placed.insert(name.to_owned(), at);
        at
    }

    /// The stub of a callee.
    pub fn stub(&mut self, name: &str) -> u64 {
        let key = format!("@{name}");
        let known = self.given.get(&key).or_else(|| self.placed.get(&key)).copied();
        let at = known.filter(|at| *at < NOWHERE).unwrap_or_else(|| {
            self.next_stub += STUB;
            self.next_stub
        });
        self.placed.insert(key, at);
        self.stubs.insert(at, name.to_owned());
        at
    }

    /// Where a function of the library lies that runs itself.
    fn library(&mut self, name: &str) -> Result<u64, String> {
        let Some((name, code)) = LIBRARY.iter().find(|(known, _)| *known == name) else {
            return Err(format!("{name} in the place of its call"));
        };
        if let Some((at, _)) = self.library.get(name) {
            return Ok(*at);
        }
        let at = self.made;
        self.made += (code.len() as u64 + 0x3f) & !0x3f;
        self.library.insert(name, (at, code));
        Ok(at)
    }

    /// Puts a function in its place; some calls of the library lead to what the library does.
    ///
    /// # Errors
    /// Where something cannot be filled in, in words.
    pub fn link(
        &mut self,
        old: bool,
        (cut, spelled): (&Converted, &BTreeSet<usize>),
    ) -> Result<Linked, String> {
        let mut out = Linked { at: self.addresses(old, cut), ..Linked::default() };
        out.entry = cut.origins.iter().zip(&out.at).find(|(o, _)| o.is_some()).map_or(0, |(_, at)| *at);
        let tables = self.tables(cut, &mut out);
        for (n, origin) in cut.origins.iter().enumerate() {
            let Some(origin) = origin else { continue };
            let mut bytes = origin.bytes.clone();
            self.fill((old, cut, n, spelled.contains(&n)), (&mut bytes, origin), (&mut out, &tables))?;
            out.code.push((out.at[n], bytes));
        }
        out.code.extend(self.library.values().map(|(at, code)| (*at, code.to_vec())));
        Ok(out)
    }

    fn addresses(&self, old: bool, cut: &Converted) -> Vec<u64> {
        let image = self.names.side(old).image;
        let mut bases: BTreeMap<usize, u64> = BTreeMap::new();
        let mut free = CODE;
        for origin in cut.origins.iter().flatten() {
            bases.entry(origin.section).or_insert_with(|| {
                let base = free;
                free = (free + image.sections[origin.section].size + 0x1fff) & !0xfff;
                base
            });
        }
        let at = |o: &Origin| bases[&o.section] + (o.at - image.sections[o.section].address);
        cut.origins.iter().map(|origin| origin.as_ref().map_or(0, at)).collect()
    }

    /// Jump tables; their addresses.
    fn tables(&mut self, cut: &Converted, out: &mut Linked) -> Vec<u64> {
        let mut found = Vec::new();
        for table in &cut.function.tables {
            let at = self.made;
            let mut bytes = Vec::new();
            for block in &table.entries {
                let to = block_at(cut, &out.at, *block);
                match table.width {
                    8 => bytes.extend(to.to_le_bytes()),
                    _ => bytes.extend((to.wrapping_sub(at) as u32).to_le_bytes()),
                }
            }
            self.made += (bytes.len() as u64 + 0x3f) & !0x3f;
            out.code.push((at, bytes));
            found.push(at);
        }
        found
    }

    fn fill(
        &mut self,
        (old, cut, n, spelled): (bool, &Converted, usize, bool),
        (bytes, origin): (&mut Vec<u8>, &Origin),
        (out, tables): (&mut Linked, &[u64]),
    ) -> Result<(), String> {
        let insn = &cut.function.insns[n];
        if let Some(callee) = origin.calls {
            let same = |o: &&Option<Origin>| o.as_ref().is_some_and(|o| (o.section, o.at) == callee);
            let to = cut.origins.iter().position(|o| same(&o)).and_then(|n| out.at.get(n)).copied();
            let Some(to) = to else { return Err("a function that was put in place of its call".to_owned()) };
            let length = bytes.len();
            let end = out.at[n] + length as u64;
            return put(bytes, Some((length.saturating_sub(4), 4)), to.wrapping_sub(end) as i64);
        }
        let end = out.at[n] + bytes.len() as u64;
        if let Some(target) = &insn.target {
            // Of a call in the place of a jump, what is cut out is the jump.
            let short = bytes.len() == 2 || insn.x86().is_jmp_short() || insn.x86().is_jcc_short();
            let to = match target {
                // Within reach of a byte is what lies beside it.
                Target::Block(_) if short => return Ok(()),
                Target::Block(block) => block_at(cut, &out.at, *block),
                Target::Function(_) if short => return Err("a short jump out of the function".to_owned()),
                Target::Function(name) if spelled => self.library(name)?,
                Target::Function(name) => self.stub(name),
            };
            return put(bytes, Some((origin.bytes.len().saturating_sub(4), 4)), to.wrapping_sub(end) as i64);
        }
        if let Some(reference) = &insn.memory {
            let at = self.reference(old, reference, (out, tables))?;
            let value =
                if insn.x86().is_ip_rel_memory_operand() { at.wrapping_sub(end) as i64 } else { at as i64 };
            put(bytes, origin.displacement, value)?;
        }
        if let Some(reference) = &insn.immediate {
            let at = self.reference(old, reference, (out, tables))?;
            put(bytes, origin.immediate, at as i64)?;
        }
        Ok(())
    }

    fn reference(
        &mut self,
        old: bool,
        reference: &Reference,
        (out, tables): (&mut Linked, &[u64]),
    ) -> Result<u64, String> {
        match reference {
            Reference::Place(place) => Ok(self.address(old, &place.name).wrapping_add_signed(place.offset)),
            Reference::Indirect(place) => {
                let to = self.address(old, &place.name).wrapping_add_signed(place.offset);
                let at = self.made;
                self.made += 8;
                out.code.push((at, to.to_le_bytes().to_vec()));
                Ok(at)
            }
            Reference::Table(n) => tables.get(*n).copied().ok_or_else(|| "a jump table".to_owned()),
            Reference::ThreadOffset(_) | Reference::IndirectThreadOffset(_) => {
                Err("a thread-local variable".to_owned())
            }
        }
    }
}

/// Where a block lies.
fn block_at(cut: &Converted, at: &[u64], block: usize) -> u64 {
    let first = cut.function.blocks.get(block).map_or(0, |b| b.first);
    at.get(first..).and_then(|rest| rest.iter().find(|at| **at != 0)).copied().unwrap_or(0)
}

/// Fills a field of an instruction.
fn put(bytes: &mut [u8], field: Option<(usize, usize)>, value: i64) -> Result<(), String> {
    let Some((at, size)) = field else {
        return Err("a place in an instruction that is not known".to_owned());
    };
    let fits = match size {
        4 => i32::try_from(value).is_ok(),
        8 => true,
        _ => false,
    };
    match bytes.get_mut(at..at + size) {
        Some(place) if fits => {
            place.copy_from_slice(&value.to_le_bytes()[..size]);
            Ok(())
        }
        _ => Err("an address that does not fit its place".to_owned()),
    }
}
