//! Machine code as neutral instruction records. Decoders are libraries: iced-x86, and Capstone for the rest.
//!
//! Addresses are those of a linked file, and offsets of the section in others.

mod aarch64;
mod arm;
mod capstone;
pub mod cfg;
mod riscv;
mod x86;

use crate::objects::{Arch, Image, Mode};
use std::cell::RefCell;

/// Where execution goes behind an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flow {
    /// To the next one.
    Next,
    /// To a known place.
    Jump,
    /// To a place that a register or memory holds.
    IndirectJump,
    /// Into a known function, and then to the next one.
    Call,
    /// Into a function that a register or memory holds, and then to the next one.
    IndirectCall,
    /// Back to the caller.
    Return,
    /// Nowhere: the processor stops the program.
    Trap,
}

/// A place that an instruction names relative to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relative {
    /// It reads or writes memory there, and nowhere else.
    Access(u64),
    /// It makes the address, or accesses memory at a distance from it.
    Address(u64),
    /// It makes the address of the page.
    Page(u64),
}

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Insn {
    /// Where it is.
    pub at: u64,
    /// Its length in bytes.
    pub len: u8,
    /// Its mnemonic, as the decoder numbers it; 0 where it could not be decoded.
    pub opcode: u16,
    /// Where execution goes.
    pub flow: Flow,
    /// Whether the flow is only taken under a condition.
    pub conditional: bool,
    /// Where a jump or call leads, as far as the instruction alone tells.
    pub target: Option<u64>,
    /// A place in reach of the program counter that it names.
    pub relative: Option<Relative>,
    /// Whether it does nothing.
    pub nop: bool,
    /// Whether what it computes depends on where it is, in a way that [`Insn::relative`] does not tell.
    pub pinned: bool,
    /// Bytes of memory that it accesses at the displacement itself, no register added; none where it does otherwise.
    pub access: Option<u8>,
    /// Whether it is Thumb.
    pub thumb: bool,
}

impl Insn {
    /// A record that goes to the next instruction and names no place.
    #[must_use]
    pub fn plain(at: u64, len: u8, opcode: u16) -> Insn {
        Insn {
            at,
            len,
            opcode,
            flow: Flow::Next,
            conditional: false,
            target: None,
            relative: None,
            nop: false,
            pinned: false,
            access: None,
            thumb: false,
        }
    }

    /// The address behind it.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.at.wrapping_add(u64::from(self.len))
    }

    /// Whether the decoder knew it.
    #[must_use]
    pub fn known(&self) -> bool {
        self.opcode != 0
    }

    /// Whether execution never goes on behind it.
    #[must_use]
    pub fn ends(&self) -> bool {
        match self.flow {
            Flow::Next | Flow::Call | Flow::IndirectCall => false,
            Flow::Jump | Flow::IndirectJump | Flow::Return | Flow::Trap => !self.conditional,
        }
    }
}

/// The registers of an instruction, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registers {
    /// Read, also as part of an address.
    pub reads: Vec<String>,
    /// Written.
    pub writes: Vec<String>,
}

/// What this crate asks of a decoder library.
pub trait Decoder {
    /// Appends the instructions of a stretch of code. Every byte belongs to one; what cannot be decoded is an
    /// instruction without an opcode, as short as the machine has them.
    fn decode(&self, bytes: &[u8], at: u64, thumb: bool, out: &mut Vec<Insn>);

    /// The instruction's text without the places it names: equal texts mean equal effects, up to those places.
    fn key(&self, bytes: &[u8], insn: &Insn) -> Option<String>;

    /// The instruction as assembly text.
    fn text(&self, bytes: &[u8], insn: &Insn) -> String;

    /// Its mnemonic.
    fn mnemonic(&self, bytes: &[u8], insn: &Insn) -> String;

    /// The registers it reads and writes, where the library tells.
    fn registers(&self, bytes: &[u8], insn: &Insn) -> Option<Registers>;
}

thread_local! {
    static DECODERS: RefCell<Vec<(Arch, std::rc::Rc<dyn Decoder>)>> = const { RefCell::new(Vec::new()) };
}

/// The decoder of a machine; each thread has its own.
#[must_use]
pub fn decoder(arch: Arch) -> std::rc::Rc<dyn Decoder> {
    DECODERS.with_borrow_mut(|known| {
        if let Some((_, decoder)) = known.iter().find(|(a, _)| *a == arch) {
            return decoder.clone();
        }
        let made: std::rc::Rc<dyn Decoder> = match arch {
            Arch::X86_64 => std::rc::Rc::new(x86::X86 { bits: 64 }),
            Arch::I386 => std::rc::Rc::new(x86::X86 { bits: 32 }),
            Arch::AArch64 => std::rc::Rc::new(aarch64::decoder()),
            Arch::Arm => std::rc::Rc::new(arm::decoder()),
            Arch::Riscv64 | Arch::Riscv32 => std::rc::Rc::new(riscv::decoder(arch)),
        };
        known.push((arch, made.clone()));
        made
    })
}

/// A stretch of a function: instructions, and data between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The section.
    pub section: usize,
    /// The address of the first byte.
    pub start: u64,
    /// The address behind the last byte.
    pub end: u64,
    /// The instructions in order.
    pub insns: Vec<Insn>,
    /// Data between them: first and last address.
    pub data: Vec<(u64, u64)>,
}

impl Stretch {
    /// The instruction at an address.
    #[must_use]
    pub fn at(&self, address: u64) -> Option<usize> {
        self.insns.binary_search_by_key(&address, |insn| insn.at).ok()
    }
}

/// A function's code: the entry's stretch first, then its cold parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// The stretches.
    pub stretches: Vec<Stretch>,
}

impl Code {
    /// Decodes a function of an image.
    #[must_use]
    pub fn of(image: &Image, function: usize) -> Code {
        let Some(f) = image.functions.get(function) else { return Code { stretches: Vec::new() } };
        let thumb = f.thumb;
        let stretches = f.ranges().map(|range| stretch(image, range, thumb)).collect();
        Code { stretches }
    }

    /// All instructions.
    pub fn insns(&self) -> impl Iterator<Item = &Insn> {
        self.stretches.iter().flat_map(|s| &s.insns)
    }

    /// The stretch and index of the instruction at an address of a section.
    #[must_use]
    pub fn find(&self, section: usize, address: u64) -> Option<(usize, usize)> {
        let holds = |s: &Stretch| s.section == section && s.start <= address && address < s.end;
        let n = self.stretches.iter().position(holds)?;
        Some((n, self.stretches[n].at(address)?))
    }
}

fn stretch(image: &Image, (section, start, end): (usize, u64, u64), thumb: bool) -> Stretch {
    let home = &image.sections[section];
    let base = home.address;
    let address = |offset: u64| base.wrapping_add(offset);
    let mut out =
        Stretch { section, start: address(start), end: address(end), insns: Vec::new(), data: Vec::new() };
    let decoder = decoder(image.arch);
    let mut at = start;
    while at < end {
        let (mode, next) = home.mode_at(at);
        let next = next.min(end).max(at + 1);
        let bytes = home.read(at, next - at).unwrap_or_default();
        match mode {
            Some(Mode::Data) => out.data.push((address(at), address(next))),
            Some(Mode::Thumb) => decoder.decode(&bytes, address(at), true, &mut out.insns),
            Some(Mode::Code) => decoder.decode(&bytes, address(at), false, &mut out.insns),
            None => decoder.decode(&bytes, address(at), thumb, &mut out.insns),
        }
        at = next;
    }
    out
}

/// The bytes of an instruction.
#[must_use]
pub fn bytes_of<'a>(image: &'a Image, section: usize, insn: &Insn) -> std::borrow::Cow<'a, [u8]> {
    let home = &image.sections[section];
    home.read(insn.at.wrapping_sub(home.address), u64::from(insn.len)).unwrap_or_default()
}
