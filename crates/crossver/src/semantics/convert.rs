//! A function of an image as the program that the semantics takes: instructions in blocks, references by name.

use super::kept::Kept;
use super::names::Names;
use super::names::plain;
use super::rely;
use crate::code::cfg::{Graph, Targets};
use crate::code::{Flow, Insn, bytes_of};
use crate::equality::Function;
use crate::equality::verdict::{Assumption, Lack};
use crate::objects::addend::field;
use crate::objects::{Arch, Image, Reloc};
use crate::places::{FunctionTargets, NEARBY, NEVER_RETURN, Place, Reference, resolve, table};
use iced_x86::{Decoder, DecoderOptions};
use langs::machine_code::x86::{SYSV, split_atomic, with_frame};
use langs::machine_code::{self, Decoded, aarch64, riscv};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Longest format string that is looked at, in bytes.
const LONGEST_FORMAT: u64 = 4096;

/// Most words of a jump table.
const LONGEST_TABLE: usize = 1 << 16;

/// Relocations, folded, by what they put in place.
const GOTPCREL: u32 = 9;
const GOTTPOFF: u32 = 22;
const TPOFF32: u32 = 23;
const PLAIN: [u32; 4] = [1, 2, 10, 11];
/// That of i386: a whole address.
const I386_ADDRESS: u32 = 1;
/// Those of AArch64: words of the global offset table; pages of addresses and places in them, whatever is accessed there.
const ADR_GOT_PAGE: u32 = 311;
const LD64_GOT_LO12: u32 = 312;
const ADDRESSES: [u32; 9] = [NEARBY, 274, 275, 277, 278, 284, 285, 286, 299];
/// Those of RISC-V: words of the global offset table, high and low; high and low parts of addresses. Entries of tables: whole
/// addresses, and distances, of which a second one takes the table's address away.
const RISCV_GOT: u32 = 20;
const RISCV_ADDRESSES: [u32; 6] = [23, 24, 25, 26, 27, 28];
const RISCV_WHOLE: &[u32] = &[2];
const RISCV_DISTANCE: &[u32] = &[35, 39];

/// Where blocks begin: by stretch and instruction.
type Starts = HashMap<(usize, usize), usize>;

/// Where an instruction came from: what is cut out to be run.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The section.
    pub section: usize,
    /// Its address, or its offset in the section.
    pub at: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where in it the displacement of its memory operand lies, and how long that is.
    pub displacement: Option<(usize, usize)>,
    /// Where in it the immediate operand lies, and how long that is.
    pub immediate: Option<(usize, usize)>,
    /// Section and address of the function that it calls, whose body stands behind it.
    pub calls: Option<(usize, u64)>,
}

/// A function with where its instructions came from; none of an instruction that was put in front.
pub struct Converted {
    /// As the semantics takes it.
    pub function: machine_code::Function,
    /// By instruction.
    pub origins: Vec<Option<Origin>>,
    /// The functions of its file that it calls by name.
    pub callees: BTreeMap<String, usize>,
    /// How many bodies that stand in the place of calls have frames of their own.
    pub bodies: i32,
}

struct Converter<'n, 'a> {
    names: &'n mut Names<'a>,
    old: bool,
    image: &'a Image,
    index: usize,
    function: Function,
    starts: Starts,
    tables: Vec<(Place, machine_code::JumpTable)>,
    origins: Vec<Option<Origin>>,
    callees: BTreeMap<String, usize>,
    /// What functions of the file keep of registers.
    kept: &'n [Kept],
    /// Calls of functions of the file: by instruction, which.
    own_calls: Vec<(usize, usize)>,
}

/// Converts a function of one side.
pub fn function(names: &mut Names<'_>, old: bool, index: usize, kept: &[Kept]) -> Result<Converted, Lack> {
    let image = names.side(old).image;
    let Some(abi) = super::abi(image) else {
        return Err(Lack { what: "another machine".to_owned(), place: String::new() });
    };
    let function = Function::of(image, index);
    let graph =
        Graph::of(&function.code, &FunctionTargets::of(image, index, &function.code, &function.references));
    let starts = graph.blocks.iter().enumerate().map(|(n, b)| ((b.stretch, b.first), n)).collect();
    let mut converter = Converter {
        names,
        old,
        image,
        index,
        function,
        starts,
        tables: Vec::new(),
        origins: Vec::new(),
        callees: BTreeMap::new(),
        kept,
        own_calls: Vec::new(),
    };
    let mut out = machine_code::Function {
        abi,
        name: image.functions[index].name.clone(),
        insns: Vec::new(),
        blocks: Vec::new(),
        tables: Vec::new(),
        constants: Vec::new(),
        bodies: Vec::new(),
        long_constants: Vec::new(),
        read_only: Vec::new(),
        begins: Vec::new(),
    };
    for block in &graph.blocks {
        let first = out.insns.len();
        for n in block.first..block.end {
            let insn = converter.insn(block.stretch, n)?;
            out.insns.extend(converter.whole(insn));
        }
        let falls = converter.falls(block, out.insns.last_mut());
        out.blocks.push(machine_code::Block { first, end: out.insns.len(), falls });
    }
    out.tables = std::mem::take(&mut converter.tables).into_iter().map(|(_, table)| table).collect();
    converter.keep(&mut out);
    let (mut origins, callees) = (converter.origins, converter.callees);
    if enter_once(&mut out) {
        origins.insert(0, None);
    }
    Ok(Converted { function: out, origins, callees, bodies: 0 })
}

/// Puts a block of its own before a first block that is jumped to; whether there was need.
fn enter_once(f: &mut machine_code::Function) -> bool {
    let falls = f.blocks.iter().any(|b| b.falls == Some(0));
    let jumps = f.insns.iter().any(|insn| insn.target == Some(machine_code::Target::Block(0)));
    if !falls && !jumps && !f.tables.iter().any(|table| table.entries.contains(&0)) {
        return false;
    }
    let insn = machine_code::Insn::plain(0, (f.abi.nothing)());
    f.insns.insert(0, insn);
    for block in &mut f.blocks {
        (block.first, block.end) = (block.first + 1, block.end + 1);
        block.falls = block.falls.map(|n| n + 1);
    }
    for insn in &mut f.insns {
        if let Some(machine_code::Target::Block(n)) = &mut insn.target {
            *n += 1;
        }
    }
    f.tables.iter_mut().flat_map(|table| &mut table.entries).for_each(|n| *n += 1);
    f.blocks.insert(0, machine_code::Block { first: 0, end: 1, falls: Some(1) });
    true
}

/// How many arguments a constant string asks for, read as a format; none where they are numbered.
fn conversions(text: &[u8]) -> Option<usize> {
    let (mut count, mut rest) = (0, text);
    while let Some(at) = rest.iter().position(|b| *b == b'%') {
        rest = &rest[at + 1..];
        let plain = |b: &u8| b"-+ #0123456789.*".contains(b);
        let flags = rest.iter().take_while(|b| plain(b)).count();
        count += rest[..flags].iter().filter(|b| **b == b'*').count();
        // Numbered arguments may leave some out.
        if rest.get(flags) == Some(&b'$') {
            return None;
        }
        count += usize::from(rest.get(flags) != Some(&b'%'));
        rest = rest.get(flags + 1..).unwrap_or_default();
    }
    Some(count)
}

impl Converter<'_, '_> {
    /// Notes what callees of the file keep beside what the convention says, and what that takes for granted where the
    /// function relies on it.
    fn keep(&mut self, out: &mut machine_code::Function) {
        for &(insn, callee) in &self.own_calls {
            out.insns[insn].keeps = self.kept.get(callee).map_or(0, |kept| kept.registers);
        }
        // On other machines than x86-64 what a function relies on is not looked for: what rests on a definition that another
        // file may replace is not taken.
        let relied = if std::ptr::eq(out.abi, &SYSV) { rely::on(out) } else { BTreeMap::new() };
        for &(insn, callee) in &self.own_calls {
            let Some(kept) = self.kept.get(callee).filter(|kept| !kept.through.is_empty()) else { continue };
            if relied.get(&insn).is_none_or(|registers| *registers == 0) {
                out.insns[insn].keeps = 0;
                continue;
            }
            for n in &kept.through {
                let name = self.image.functions[*n].name.clone();
                self.names.assumptions.insert(Assumption::OwnDefinition(name));
            }
        }
    }

    fn lack(&self, insn: &Insn, what: &str) -> Lack {
        let f = &self.image.functions[self.index];
        let start = self.image.sections[f.section].address.wrapping_add(f.start);
        Lack { what: what.to_owned(), place: format!("{}+{:#x}", f.name, insn.at.wrapping_sub(start)) }
    }

    /// The block behind one; a call with nothing behind it does not return.
    fn falls(
        &mut self,
        block: &crate::code::cfg::Block,
        last: Option<&mut machine_code::Insn>,
    ) -> Option<usize> {
        let stretch = &self.function.code.stretches[block.stretch];
        let end = stretch.insns.get(block.end.checked_sub(1)?)?;
        let last = last?;
        if last.endless || end.ends() {
            return None;
        }
        let adjacent = stretch.insns.get(block.end).is_some_and(|next| next.at == end.end());
        let next = self.starts.get(&(block.stretch, block.end)).copied().filter(|_| adjacent);
        if let (None, Some(machine_code::Target::Function(name))) = (next, &last.target) {
            self.names.assumptions.insert(Assumption::DoesNotReturn(name.clone()));
            last.endless = true;
        }
        next
    }

    /// An instruction; an atomic one as what other threads see of it, and what it does.
    fn whole(&mut self, insn: machine_code::Insn) -> Vec<machine_code::Insn> {
        let Decoded::X86(decoded) = insn.decoded else { return vec![insn] };
        let Some((event, plain)) = split_atomic(&decoded) else { return vec![insn] };
        let of = |decoded| machine_code::Insn { decoded: Decoded::X86(decoded), ..insn.clone() };
        // Cut out, the two are one.
        self.origins.extend(plain.map(|_| None));
        [event].into_iter().chain(plain).map(of).collect()
    }

    fn insn(&mut self, stretch: usize, n: usize) -> Result<machine_code::Insn, Lack> {
        let s = &self.function.code.stretches[stretch];
        let insn = s.insns[n];
        let bytes = bytes_of(self.image, s.section, &insn);
        let start = s.insns[0].at;
        let (decoded, origin) = match self.image.arch {
            Arch::AArch64 => self.aarch64(s.section, &insn, &bytes)?,
            Arch::Riscv64 => self.riscv(s.section, &insn, &bytes),
            _ => self.x86(s.section, &insn, &bytes)?,
        };
        let displacement = origin.displacement.map(|(at, _)| at);
        self.origins.push(Some(origin));
        let mut out = machine_code::Insn::plain(insn.at.wrapping_sub(start), decoded);
        let list = self.function.references.get(stretch).cloned().unwrap_or_default();
        for reference in list.iter().filter(|r| r.at == insn.at) {
            if matches!(insn.flow, Flow::Jump | Flow::Call) {
                self.target(&mut out, stretch, &insn, reference)?;
                continue;
            }
            let text = self.text(&reference.place);
            // Data that no section tells of as strings may be anything.
            out.conversions = text.as_ref().filter(|(_, told)| *told).and_then(|(text, _)| conversions(text));
            out.text = text.map(|(text, _)| text);
            let at = reference.field.map(|(inside, ..)| inside as usize);
            let memory = match &out.decoded {
                Decoded::X86(_) => at.is_none() || displacement.is_some() && at == displacement,
                Decoded::AArch64(decoded) => decoded.bytes().is_some(),
                Decoded::RiscV(decoded) => decoded.bytes().is_some(),
            };
            let found = match out.decoded {
                Decoded::X86(_) => self.reference(&insn, reference, memory)?,
                Decoded::AArch64(decoded) => self.aarch64_reference(&insn, reference, decoded.bytes())?,
                Decoded::RiscV(decoded) => self.riscv_reference(&insn, reference, decoded.bytes())?,
            };
            let place = if memory { &mut out.memory } else { &mut out.immediate };
            if place.replace(found).is_some() {
                return Err(self.lack(&insn, "two references in one operand"));
            }
        }
        let leaves = matches!(insn.flow, Flow::Call | Flow::IndirectCall | Flow::IndirectJump)
            || matches!(out.target, Some(machine_code::Target::Function(_)));
        if leaves && self.image.arch == Arch::I386 {
            return Err(self.lack(&insn, "a call, or a jump by an address, of i386"));
        }
        Ok(out)
    }

    /// The constant string at a place, without the byte that ends it, and whether its section says that it is one; none where that
    /// is no such string.
    fn text(&self, place: &Place) -> Option<(Rc<[u8]>, bool)> {
        let Place::Data { section, offset, symbol, .. } = place else { return None };
        let home = &self.image.sections[*section];
        let start = u64::try_from(*offset).ok().filter(|start| *start < home.size)?;
        // Strings of wide characters have other sections; and what has a name may be another file's.
        let strings = home.strings && home.merge == Some(1);
        if home.exec || home.write || !strings && (home.strings || symbol.is_some()) {
            return None;
        }
        let bytes = home.read(start, (home.size - start).min(LONGEST_FORMAT))?;
        let text = &bytes[..bytes.iter().position(|b| *b == 0)?];
        let end = start + text.len() as u64 + 1;
        home.relocs_in(start.saturating_sub(7), end).is_empty().then(|| (text.into(), strings))
    }

    fn x86(&self, section: usize, insn: &Insn, bytes: &[u8]) -> Result<(Decoded, Origin), Lack> {
        let i386 = self.image.arch == Arch::I386;
        let bits = if i386 { 32 } else { 64 };
        let mut decoder = Decoder::with_ip(bits, bytes, insn.at, DecoderOptions::NONE);
        let mut decoded = decoder.decode();
        let constants = decoder.get_constant_offsets(&decoded);
        if decoded.is_invalid() {
            return Err(self.lack(insn, "an instruction that the decoder does not know"));
        }
        if i386 {
            decoded = with_frame(&decoded).map_err(|why| self.lack(insn, why))?;
        }
        let field = |has: bool, at: usize, size: usize| has.then_some((at, size));
        let origin = Origin {
            section,
            at: insn.at,
            bytes: bytes.to_vec(),
            displacement: field(
                constants.has_displacement(),
                constants.displacement_offset(),
                constants.displacement_size(),
            ),
            immediate: field(
                constants.has_immediate(),
                constants.immediate_offset(),
                constants.immediate_size(),
            ),
            calls: None,
        };
        Ok((Decoded::X86(decoded), origin))
    }

    fn aarch64(&self, section: usize, insn: &Insn, bytes: &[u8]) -> Result<(Decoded, Origin), Lack> {
        let Ok(word) = <[u8; 4]>::try_from(bytes) else {
            return Err(self.lack(insn, "an instruction that is not a word"));
        };
        let (at, bytes) = (insn.at, bytes.to_vec());
        let origin = Origin { section, at, bytes, displacement: None, immediate: None, calls: None };
        Ok((Decoded::AArch64(aarch64::decode(u32::from_le_bytes(word))), origin))
    }

    fn riscv(&self, section: usize, insn: &Insn, bytes: &[u8]) -> (Decoded, Origin) {
        let (at, whole) = (insn.at, bytes.to_vec());
        let origin = Origin { section, at, bytes: whole, displacement: None, immediate: None, calls: None };
        (Decoded::RiscV(riscv::decode(bytes)), origin)
    }

    /// What the linker fills into an instruction of RISC-V that is no jump; of one that accesses memory, so many bytes.
    fn riscv_reference(
        &mut self,
        insn: &Insn,
        reference: &Reference,
        bytes: Option<u32>,
    ) -> Result<machine_code::Reference, Lack> {
        let got = reference.kind == RISCV_GOT;
        if !got && !RISCV_ADDRESSES.contains(&reference.kind) {
            return Err(self.lack(insn, "a relocation that is not modelled"));
        }
        if let Some(n) = self.table(&reference.place).filter(|_| !got) {
            return Ok(machine_code::Reference::Table(n));
        }
        if self.leads_inside(&reference.place) {
            return Err(self.lack(insn, "a table of places in the code that is not modelled"));
        }
        let meant = self.itself(&reference.place).unwrap_or_else(|| reference.place.clone());
        let access = bytes.map(u64::from).filter(|_| !got);
        let place = self.names.place(self.old, &meant, access).map_err(|why| self.lack(insn, why))?;
        Ok(if got { machine_code::Reference::Indirect(place) } else { machine_code::Reference::Place(place) })
    }

    /// Whether the data at a place begins with a place in the function's own code.
    fn leads_inside(&self, place: &Place) -> bool {
        let Place::Data { section, offset, .. } = place else { return false };
        let Ok(start) = u64::try_from(*offset) else { return false };
        let relocs = self.image.sections[*section].relocs_in(start, start + 8);
        let place = |r: &Reloc| resolve(self.image, self.index, r.referent, r.addend);
        relocs.iter().map(place).any(|p| matches!(p, Place::Own { .. }) && self.itself(&p).is_none())
    }

    /// Whether words of a table of RISC-V are what they seem: addresses, or distances from the table itself.
    fn are_entries(&self, (section, start): (usize, u64), width: u64, count: usize) -> bool {
        let home = &self.image.sections[section];
        let kinds = if width == 8 { RISCV_WHOLE } else { RISCV_DISTANCE };
        (start..).step_by(width as usize).take(count).all(|at| {
            let relocs = home.relocs_in(at, at + width);
            let alike = relocs.len() == kinds.len()
                && relocs.iter().zip(kinds).all(|(r, kind)| r.kind == *kind && r.offset == at);
            let from = relocs.get(1).map(|r| resolve(self.image, self.index, r.referent, r.addend));
            let from_start = match from {
                Some(Place::Data { section: s, offset, .. }) => s == section && offset == start as i64,
                Some(_) => false,
                None => true,
            };
            alike && from_start
        })
    }

    /// What the linker fills into an instruction of AArch64 that is no jump; of one that accesses memory, so many bytes.
    fn aarch64_reference(
        &mut self,
        insn: &Insn,
        reference: &Reference,
        bytes: Option<u32>,
    ) -> Result<machine_code::Reference, Lack> {
        let meant = self.itself(&reference.place).unwrap_or_else(|| reference.place.clone());
        let access = bytes.map(u64::from);
        let place = self.names.place(self.old, &meant, access).map_err(|why| self.lack(insn, why))?;
        match reference.kind {
            ADR_GOT_PAGE | LD64_GOT_LO12 => Ok(machine_code::Reference::Indirect(place)),
            kind if ADDRESSES.contains(&kind) => Ok(machine_code::Reference::Place(place)),
            _ => Err(self.lack(insn, "a relocation that is not modelled")),
        }
    }

    fn target(
        &mut self,
        out: &mut machine_code::Insn,
        stretch: usize,
        insn: &Insn,
        reference: &Reference,
    ) -> Result<(), Lack> {
        let name = match &reference.place {
            // A function that calls itself.
            place @ Place::Own { .. } if insn.flow == Flow::Call && self.itself(place).is_some() => {
                let itself = Place::Function { function: self.index, offset: 0 };
                self.names.place(self.old, &itself, None).map_err(|why| self.lack(insn, why))?
            }
            Place::Own { section, address } => {
                let found = self.function.code.find(*section, *address);
                let block = found.and_then(|place| self.starts.get(&place).copied());
                let Some(block) = block else { return Err(self.lack(insn, "a jump into a block")) };
                out.target = Some(machine_code::Target::Block(block));
                return Ok(());
            }
            place => self.names.place(self.old, place, None).map_err(|why| self.lack(insn, why))?,
        };
        let callee = match self.itself(&reference.place).as_ref().unwrap_or(&reference.place) {
            Place::Function { function, .. } => Some(*function),
            _ => None,
        };
        self.own_calls.extend(callee.map(|n| (self.origins.len() - 1, n)));
        if name.offset != 0 {
            return Err(self.lack(insn, "a jump into the middle of a function"));
        }
        let called = name.name.trim_start_matches('@').to_owned();
        if let Some(n) = callee.filter(|n| *n != self.index) {
            self.callees.insert(called.clone(), n);
        }
        let graph =
            FunctionTargets::of(self.image, self.index, &self.function.code, &self.function.references);
        let own = graph.endless(stretch, insn);
        let plain = plain(&called);
        let seems = [true, false].iter().any(|old| self.names.side(*old).endless.contains(plain));
        out.endless = insn.flow == Flow::Call && (own || seems);
        if out.endless && !NEVER_RETURN.contains(&called.as_str()) {
            self.names.assumptions.insert(Assumption::DoesNotReturn(called.clone()));
        }
        out.target = Some(machine_code::Target::Function(called));
        Ok(())
    }

    fn reference(
        &mut self,
        insn: &Insn,
        reference: &Reference,
        memory: bool,
    ) -> Result<machine_code::Reference, Lack> {
        if self.image.arch == Arch::I386 {
            return self.i386_reference(insn, reference, memory);
        }
        if let Some(n) = self.table(&reference.place) {
            return Ok(machine_code::Reference::Table(n));
        }
        let access = reference.access.filter(|_| memory && reference.kind != GOTPCREL);
        let tls =
            matches!(&reference.place, Place::Data { section, .. } if self.image.sections[*section].tls);
        let meant = self.itself(&reference.place).unwrap_or_else(|| reference.place.clone());
        let mut place = self.names.place(self.old, &meant, access).map_err(|why| self.lack(insn, why))?;
        match reference.kind {
            GOTPCREL => Ok(machine_code::Reference::Indirect(place)),
            GOTTPOFF => Ok(machine_code::Reference::IndirectThreadOffset(place)),
            TPOFF32 => {
                place.holds = None;
                Ok(machine_code::Reference::ThreadOffset(place))
            }
            kind if (kind == NEARBY || PLAIN.contains(&kind)) && !tls => {
                Ok(machine_code::Reference::Place(place))
            }
            _ => Err(self.lack(insn, "a relocation that is not modelled")),
        }
    }

    /// What the linker fills into an instruction of i386 that is no jump: an address.
    fn i386_reference(
        &mut self,
        insn: &Insn,
        reference: &Reference,
        memory: bool,
    ) -> Result<machine_code::Reference, Lack> {
        if reference.kind != I386_ADDRESS || self.leads_inside(&reference.place) {
            return Err(self.lack(insn, "a relocation that is not modelled"));
        }
        let meant = self.itself(&reference.place).unwrap_or_else(|| reference.place.clone());
        let access = reference.access.filter(|_| memory);
        let place = self.names.place(self.old, &meant, access).map_err(|why| self.lack(insn, why))?;
        Ok(machine_code::Reference::Place(place))
    }

    /// The function, where a place in its code is its start.
    fn itself(&self, place: &Place) -> Option<Place> {
        let f = &self.image.functions[self.index];
        let entry = self.image.sections[f.section].address.wrapping_add(f.start);
        let whole = Place::Own { section: f.section, address: entry };
        (*place == whole).then_some(Place::Function { function: self.index, offset: 0 })
    }

    /// The number of a jump table, where a place is the start of one.
    fn table(&mut self, place: &Place) -> Option<usize> {
        if let Some(n) = self.tables.iter().position(|(known, _)| known == place) {
            return Some(n);
        }
        let Place::Data { section, offset, .. } = place else { return None };
        let start = u64::try_from(*offset).ok()?;
        let home = &self.image.sections[*section];
        let first = home.relocs_in(start, start + 1).first()?;
        let (width, _) = field(self.image.arch, first.kind)?;
        let words = (start..home.size).step_by(usize::from(width.max(1))).take(LONGEST_TABLE);
        let words = words.take_while(|at| !home.relocs_in(*at, *at + 1).is_empty()).count();
        let mut entries = Vec::new();
        for (section, address) in table(self.image, self.index, place) {
            let at = self.function.code.find(section, address).and_then(|at| self.starts.get(&at));
            let Some(at) = at else { break };
            entries.push(*at);
        }
        // Where words go on behind those that are places in the function, or something refers to one of them, another
        // table begins, of this function or the next. That is all that tells where this one ends, so that a jump by what lies
        // behind it is no error.
        let referred = &self.names.side(self.old).referred[*section];
        let last = start + entries.len() as u64 * u64::from(width);
        let behind = &referred[referred.partition_point(|at| *at <= start)..];
        let other = behind.iter().find(|at| **at <= last && (**at - start) % u64::from(width) == 0);
        let may_go_on = match other {
            Some(other) => {
                let kept = usize::try_from((other - start) / u64::from(width)).ok()?;
                entries.truncate(kept);
                kept < words
            }
            // Without one nobody knows how long the table is.
            None if entries.len() < words => return None,
            None => false,
        };
        let riscv = self.image.arch.is_riscv();
        if entries.is_empty() || riscv && !self.are_entries((*section, start), width.into(), entries.len()) {
            return None;
        }
        self.tables
            .push((place.clone(), machine_code::JumpTable { width: u32::from(width), entries, may_go_on }));
        Some(self.tables.len() - 1)
    }
}
