//! A function as a reader of object files hands it over: instructions in blocks, and names instead of addresses.

use super::abi::Abi;
use super::{aarch64, riscv, x86};
use crate::domain::Unsupported;
use iced_x86::Instruction;
use std::rc::Rc;

/// A place that has a name, the same in both programs of a pair where it is the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The object or function.
    pub name: String,
    /// Bytes from its start.
    pub offset: i64,
    /// The size of the object in bytes, where it is known and no linker can change it.
    pub size: Option<u64>,
    /// What read-only memory holds from this place on, where that is known.
    pub holds: Option<Rc<[u8]>>,
    /// Whether the address of the object or function is null in no program: it is none that a linker may leave out.
    pub never_null: bool,
}

/// A part of a read-only object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Held {
    /// Bytes.
    Bytes(Rc<[u8]>),
    /// The address of a place.
    Address(Place),
}

impl Held {
    /// How many bytes it is.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Held::Bytes(bytes) => bytes.len() as u64,
            Held::Address(_) => 8,
        }
    }
}

/// A read-only object that holds known things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// The name of its first byte, the same in both programs of a pair.
    pub name: String,
    /// What it holds: bytes from the first, apart, in order.
    pub holds: Vec<(u64, Held)>,
    /// Whether it shares no byte with another one of its function of which the same is said.
    pub alone: bool,
}

impl Constant {
    /// Whether the two may share bytes. Linkers lay strings into the ends of others, and what is referred to may be a part of
    /// an object; but bytes hold one thing.
    #[must_use]
    pub fn may_overlap(&self, other: &Constant) -> bool {
        let (a, b) = (self.pattern(), other.pattern());
        let fits = |a: &[Option<u8>], b: &[Option<u8>]| {
            a.iter().zip(b).all(|two| !matches!(two, (Some(x), Some(y)) if x != y))
        };
        (0..a.len()).any(|at| fits(&a[at..], &b)) || (1..b.len()).any(|at| fits(&b[at..], &a))
    }

    /// The bytes that are known.
    fn pattern(&self) -> Vec<Option<u8>> {
        let mut out = vec![None; usize::try_from(self.bytes()).unwrap_or(0)];
        for (at, held) in &self.holds {
            if let Held::Bytes(bytes) = held {
                out.iter_mut().skip(*at as usize).zip(bytes.iter()).for_each(|(to, byte)| *to = Some(*byte));
            }
        }
        out
    }

    /// How many bytes there are up to the end of the last that is known.
    pub fn bytes(&self) -> u64 {
        self.holds.last().map_or(0, |(at, held)| at + held.bytes())
    }
}

/// What the linker fills into an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reference {
    /// The address of a place.
    Place(Place),
    /// The address of a word that holds the address of a place (of the global offset table).
    Indirect(Place),
    /// How far a thread-local variable lies from the thread pointer.
    ThreadOffset(Place),
    /// The address of a word that holds a [`Reference::ThreadOffset`].
    IndirectThreadOffset(Place),
    /// The address of a jump table, by its number.
    Table(usize),
}

/// Where a direct jump or call leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// To a block of the function.
    Block(usize),
    /// Out of the function, to the start of another.
    Function(String),
}

/// An instruction of one of the machines.
#[derive(Clone, Copy, Debug)]
pub enum Decoded {
    /// x86-64.
    X86(Instruction),
    /// AArch64.
    AArch64(aarch64::Insn),
    /// RISC-V.
    RiscV(riscv::Insn),
}

impl Decoded {
    /// Whether the registry of its machine has the instruction. (Some of its forms may be refused all the same: the place in a
    /// function decides.)
    #[must_use]
    pub fn is_modelled(&self) -> bool {
        match self {
            Decoded::X86(insn) => x86::is_modelled(insn),
            Decoded::AArch64(insn) => insn.op.is_some(),
            Decoded::RiscV(insn) => insn.op.is_some(),
        }
    }
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Insn {
    /// Bytes from the function's start, for messages.
    pub offset: u64,
    /// As decoded.
    pub decoded: Decoded,
    /// Stands for the displacement of the memory operand.
    pub memory: Option<Reference>,
    /// Stands for the immediate operand.
    pub immediate: Option<Reference>,
    /// Where a direct jump or call leads.
    pub target: Option<Target>,
    /// Whether a call does not return.
    pub endless: bool,
    /// Registers, as bits (vectors from 16 on), that a call leaves as they were beside those that the convention keeps.
    pub keeps: u64,
    /// Whether a call leaves memory as it was, as its callee's code and that of what this calls say.
    pub reads_only: bool,
    /// Where it gives the address of a constant string: how many conversions that has, read as a format.
    pub conversions: Option<usize>,
    /// The same string, without the byte that ends it.
    pub text: Option<Rc<[u8]>>,
}

/// A table of places in the function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JumpTable {
    /// Bytes of an entry: 4 for distances from the table, 8 for addresses.
    pub width: u32,
    /// The blocks that the entries lead to, in order.
    pub entries: Vec<usize>,
    /// Whether its end is told by the start of another table alone: what lies behind may be its own as well.
    pub may_go_on: bool,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The first instruction.
    pub first: usize,
    /// The instruction behind the last.
    pub end: usize,
    /// Where execution goes on behind the last instruction if that does not jump; none where that is out of the code.
    pub falls: Option<usize>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The machine that it is for.
    pub abi: &'static Abi,
    /// Its name.
    pub name: String,
    /// Instructions, block by block.
    pub insns: Vec<Insn>,
    /// Blocks; the entry is the first.
    pub blocks: Vec<Block>,
    /// Jump tables.
    pub tables: Vec<JumpTable>,
    /// The blocks at which bodies begin that stand in the place of calls.
    pub bodies: Vec<usize>,
    /// Read-only objects that either program of the pair refers to: the same ones in both, in the same order.
    pub constants: Vec<Constant>,
    /// Longer ones, of which only what is read at a known distance from the first byte is known.
    pub long_constants: Vec<Constant>,
    /// Read-only memory that it refers to: the name of a place, and the bytes from there to the end of its object.
    pub read_only: Vec<(String, u64)>,
    /// Where objects of the frame begin anew, that share their places with others on either side: before which instruction, and
    /// their offsets. What they hold then is anybody's.
    pub begins: Vec<(usize, i64)>,
}

impl Insn {
    /// An instruction without references that goes to the next one.
    #[must_use]
    pub fn plain(offset: u64, decoded: Decoded) -> Insn {
        let (memory, immediate, target, conversions, text) = (None, None, None, None, None);
        let (endless, keeps, reads_only) = (false, 0, false);
        Insn { offset, decoded, memory, immediate, target, endless, keeps, reads_only, conversions, text }
    }

    /// The instruction of x86-64; one that is not valid where it is of another machine.
    #[must_use]
    pub fn x86(&self) -> &Instruction {
        static INVALID: std::sync::LazyLock<Instruction> = std::sync::LazyLock::new(Instruction::default);
        match &self.decoded {
            Decoded::X86(insn) => insn,
            Decoded::AArch64(_) | Decoded::RiscV(_) => &INVALID,
        }
    }
}

impl Function {
    /// Whether it writes or reads the stack beside its own return address, so that pointers could meet what it has there.
    #[must_use]
    pub fn has_frame(&self) -> bool {
        self.insns.iter().any(|insn| match &insn.decoded {
            Decoded::X86(insn) => x86::uses::uses_frame(insn),
            Decoded::AArch64(insn) => aarch64::uses::uses_frame(insn),
            Decoded::RiscV(insn) => riscv::uses::uses_frame(insn),
        })
    }

    /// Whether it calls what a register or memory holds the address of.
    #[must_use]
    pub fn calls_by_address(&self) -> bool {
        use super::uses::{Control, control};
        let call = |i: usize| matches!(control(self, i), Control::Call | Control::IndirectJump);
        (0..self.insns.len()).any(|i| call(i) && self.insns[i].target.is_none())
    }

    /// Whether it has vectors in registers and calls functions, so that it may pass some.
    #[must_use]
    pub fn may_pass_vectors(&self) -> bool {
        let vectors = !0u64 << self.abi.general;
        let vector = |i: usize| {
            let uses = super::uses::uses(self, i);
            (uses.reads | uses.writes) & vectors != 0
        };
        let calls = |i: usize| super::uses::control(self, i) == super::uses::Control::Call;
        (0..self.insns.len()).any(vector) && (0..self.insns.len()).any(calls)
    }

    /// Whether an instruction gives a vector as its result.
    #[must_use]
    pub fn makes_vectors(&self) -> bool {
        (0..self.insns.len()).any(|i| super::uses::uses(self, i).named >> self.abi.general != 0)
    }

    /// What is not read, at an instruction.
    pub(crate) fn unsupported(&self, insn: usize, what: &str) -> Unsupported {
        match self.insns.get(insn) {
            Some(i) => Unsupported::new(format!("{what} at {}+{:#x}", self.name, i.offset)),
            None => Unsupported::new(format!("{what} in {}", self.name)),
        }
    }
}
