//! Machine functions as `.mir` files hold them.

use crate::error::ParseError;
use crate::names::{Name, Names};
use crate::x86::regs::PhysReg;

/// A `.mir` file.
#[derive(Clone, Debug, Default)]
pub struct MirModule {
    /// All names: opcodes, classes, globals, flags.
    pub names: Names,
    /// The text of the program that the functions were made of, if the file has it.
    pub source: Option<Embedded>,
    /// The functions.
    pub functions: Vec<MachineFunction>,
    /// Functions that could not be read, with the reason.
    pub damaged: Vec<(String, ParseError)>,
}

/// A program in a machine program's file.
#[derive(Clone, Debug, Default)]
pub struct Embedded {
    /// Its text, without the indent that it has in the file.
    pub text: String,
    /// How many lines of the file come before.
    pub line: u32,
    /// Its indent, in columns.
    pub indent: u32,
}

/// A machine function.
#[derive(Clone, Debug)]
pub struct MachineFunction {
    /// Its name.
    pub name: String,
    /// Register classes of virtual registers by number; none where the file says nothing.
    pub vregs: Vec<Option<Name>>,
    /// Live-in physical registers and the virtual registers that copy them.
    pub live_ins: Vec<(PhysReg, Option<u32>)>,
    /// Fixed frame objects: incoming stack arguments.
    pub fixed: Vec<FrameObject>,
    /// Frame objects.
    pub stack: Vec<FrameObject>,
    /// The constant pool.
    pub constants: Vec<PoolConstant>,
    /// Jump tables: block numbers.
    pub jump_tables: Vec<Vec<u32>>,
    /// Whether the entries of jump tables are offsets from the table.
    pub relative_tables: bool,
    /// Whether it asks for its frame's address: the frame pointer then holds that from the prologue on.
    pub frame_address_taken: bool,
    /// Blocks in layout order.
    pub blocks: Vec<MachineBlock>,
    /// Instructions of all blocks.
    pub insts: Vec<MachineInst>,
    /// Operands of all instructions.
    pub operands: Vec<Operand>,
    /// Memory operands of all instructions.
    pub mem_operands: Vec<MemOperand>,
    /// First line of the function in the file.
    pub line: u32,
}

/// A frame object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameObject {
    /// Its number.
    pub id: u32,
    /// The `alloca` it stands for, if the file names it.
    pub name: String,
    /// Offset from the stack pointer at entry past the return address (meaningful for fixed objects).
    pub offset: i64,
    /// Bytes; none for variable-sized objects.
    pub size: Option<u64>,
    /// Alignment in bytes.
    pub align: u64,
}

/// A constant-pool entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolConstant {
    /// Its number.
    pub id: u32,
    /// The constant as typed LLVM IR text.
    pub value: String,
    /// Alignment in bytes.
    pub align: u64,
}

/// A machine basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineBlock {
    /// Its number.
    pub number: u32,
    /// Its name, if any.
    pub name: String,
    /// The IR block it came from, without `%ir-block.`.
    pub ir_block: Option<String>,
    /// Successors by block number.
    pub successors: Vec<u32>,
    /// Whether its address is taken or it is a landing pad.
    pub special: bool,
    /// First instruction.
    pub first: u32,
    /// One past the last instruction.
    pub end: u32,
}

/// A machine instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineInst {
    /// Opcode name.
    pub opcode: Name,
    /// First operand in [`MachineFunction::operands`].
    pub first: u32,
    /// Number of operands; defined ones written before `=` come first.
    pub count: u16,
    /// How many operands stand before `=`.
    pub defs: u16,
    /// First memory operand.
    pub mem: u32,
    /// Number of memory operands.
    pub mem_count: u16,
    /// Line in the file.
    pub line: u32,
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reg {
    /// `$noreg`.
    None,
    /// `%n`.
    Virtual(u32),
    /// `$name`.
    Physical(PhysReg),
}

/// How a register operand is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RegFlags {
    /// `implicit` or `implicit-def`.
    pub implicit: bool,
    /// Written by the instruction.
    pub def: bool,
    /// `undef`: its value does not matter.
    pub undef: bool,
    /// `dead`: written but never read.
    pub dead: bool,
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register, or the part of it a subregister index names.
    Reg {
        /// The register.
        reg: Reg,
        /// Subregister: lowest bit and width.
        sub: Option<(u16, u16)>,
        /// Flags.
        flags: RegFlags,
    },
    /// An integer.
    Imm(i64),
    /// A basic block by number.
    Block(u32),
    /// `%stack.n`.
    Stack(u32),
    /// `%fixed-stack.n`.
    Fixed(u32),
    /// `%const.n + offset`.
    Pool(u32, i64),
    /// `%jump-table.n`.
    JumpTable(u32),
    /// `@name + offset`, with its target flag.
    Global(Name, i64, Option<Name>),
    /// `&name + offset`.
    External(Name, i64),
    /// `<mcsymbol name>`.
    Symbol(Name),
    /// `%subreg.name`: lowest bit and width.
    SubReg(u16, u16),
    /// A register mask, by its name.
    Mask(Name),
    /// `blockaddress(…)`, predicates, metadata and anything else, by its text.
    Other(Name),
}

/// A memory operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemOperand {
    /// Reads.
    pub load: bool,
    /// Writes.
    pub store: bool,
    /// `volatile`.
    pub volatile: bool,
    /// Has an atomic ordering.
    pub atomic: bool,
    /// Which: its words, one for each case of a `cmpxchg`, the scope before.
    pub orders: String,
    /// `invariant`: nothing ever writes what is read.
    pub invariant: bool,
    /// Bits accessed, if known.
    pub bits: Option<u64>,
    /// What is accessed: `%ir.x + 4`, `constant-pool`, `stack`, or nothing.
    pub base: String,
}

impl MemOperand {
    /// Whether the world sees the access. Of volatile stores it sees those of the source, which name its pointer: one to a
    /// frame object by its number is the selector's own, as that of a stack protector's guard.
    pub fn is_seen(&self) -> bool {
        let own = self.store && self.base.starts_with("%stack.");
        self.atomic || (self.volatile && !own)
    }
}

impl MachineFunction {
    /// The operands of an instruction.
    pub fn operands_of(&self, inst: &MachineInst) -> &[Operand] {
        let first = inst.first as usize;
        self.operands.get(first..first + inst.count as usize).unwrap_or(&[])
    }

    /// The memory operands of an instruction.
    pub fn mem_of(&self, inst: &MachineInst) -> &[MemOperand] {
        let first = inst.mem as usize;
        self.mem_operands.get(first..first + inst.mem_count as usize).unwrap_or(&[])
    }

    /// The instructions of a block by its index in [`MachineFunction::blocks`].
    pub fn block_insts(&self, index: usize) -> &[MachineInst] {
        match self.blocks.get(index) {
            Some(b) => self.insts.get(b.first as usize..b.end as usize).unwrap_or(&[]),
            None => &[],
        }
    }

    /// The index of the block with a number.
    pub fn block_index(&self, number: u32) -> Option<usize> {
        match self.blocks.get(number as usize) {
            Some(b) if b.number == number => Some(number as usize),
            _ => self.blocks.iter().position(|b| b.number == number),
        }
    }
}
