//! What it takes to run both functions of a pair on the inputs of a counterexample: memory, code, registers, answers of
//! what they call, and what of it all counts. It goes from the process that proves to the one that runs.

use super::features::Feature;
use crate::semantics::kinds::Kinds;
use langs::machine_code::Piece;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Bytes of a page.
pub(super) const PAGE: u64 = 4096;

/// Where the stack begins, from the top; the runs of a pair differ in that.
pub const STACK: std::ops::Range<u64> = 0x6e00_0000..0x6e20_0000;

/// Bytes at an address.
pub type Bytes = (u64, Vec<u8>);

/// What is known of read-only data beside what it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// Where objects begin, and what is referred to.
    pub starts: BTreeSet<u64>,
    /// Where objects end that have a size.
    pub ends: BTreeSet<u64>,
    /// Words that hold addresses.
    pub addresses: BTreeSet<u64>,
}

/// What stands in for a callee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stub {
    /// Where it lies.
    pub at: u64,
    /// The callee's name, or its address.
    pub name: String,
    /// Whether a file under comparison defines it, so that the other side may have its body in place of a call.
    pub own: bool,
    /// What it is passed and gives, where its types are known.
    pub types: Option<StubTypes>,
}

/// How a callee of known types is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StubTypes {
    /// Arguments: register (vectors from 16 on) and bits.
    pub arguments: Vec<(usize, u32)>,
    /// Arguments on the stack: bytes above the return address, and how many.
    pub stack: Vec<(u64, u64)>,
    /// Results: register and bits.
    pub results: Vec<(usize, u32)>,
}

/// What a callee gives back: registers rax, rdx, and both words of xmm0 and xmm1; changed bytes of memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The registers.
    pub registers: [u64; 6],
    /// Bits of them that the callee's types say something about.
    pub known: [u64; 6],
    /// Bytes.
    pub changes: Vec<(u64, u8)>,
}

/// A call in the code of a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// The address that it returns to; 0 of a jump out of the function.
    pub returns: u64,
    /// The callee's name; none where a register or memory holds its address.
    pub callee: Option<String>,
    /// Registers that are set for nothing but this call, beyond what types say.
    pub meant: Vec<(usize, u32)>,
    /// Whether the callee cannot know of the place for the result.
    pub hides_place: bool,
    /// Whether it does not return.
    #[serde(default)]
    pub endless: bool,
}

/// A side's own part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SidePlan {
    /// Code, jump tables, words of the global offset table.
    pub code: Vec<Bytes>,
    /// Where the function begins.
    pub entry: u64,
    /// Registers, as bits, that the stubs leave alone; by stub. The last bit is there where it gives what it is passed first.
    pub keeps: Vec<u64>,
    /// Objects of the frame: name, place from the stack pointer at the entry, bytes.
    pub objects: Vec<(String, i64, u64)>,
    /// Its calls.
    pub sites: Vec<Site>,
    /// Instructions by address.
    pub text: BTreeMap<u64, Placed>,
}

/// An instruction as it lies in its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Placed {
    /// The section's name.
    pub section: String,
    /// Bytes from the section's start; in a linked file, the address.
    pub at: u64,
    /// Bytes from the start of the function, or of its part that lies elsewhere.
    pub offset: u64,
    /// The instruction.
    pub instruction: String,
    /// File and line of the source, where debug information has them.
    pub line: Option<String>,
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{:#x} {}", self.offset, self.instruction)?;
        self.line.iter().try_for_each(|line| write!(f, " ({line})"))
    }
}

/// Why no input stands for one of both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doubt {
    /// A local object that one side alone has: what it holds, no input can say for both.
    Alone(String),
    /// An object that begins where another ends: apart, an address is not both.
    Border(String),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Alone(name) => write!(f, "one side alone has the object `{name}`"),
            Doubt::Border(name) => {
                write!(f, "the object `{name}` begins where another ends, and either may be meant")
            }
        }
    }
}

/// How to run both sides of a counterexample.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Pages of memory that both share, whose changes count.
    pub pages: Vec<u64>,
    /// What memory holds where nothing else is said.
    pub fill: u8,
    /// What it holds elsewhere.
    pub bytes: Vec<Bytes>,
    /// Read-only data.
    pub constants: Vec<Bytes>,
    /// What is known of that.
    pub marks: Marks,
    /// What stands in for callees.
    pub stubs: Vec<Stub>,
    /// What callees give back, call by call.
    pub answers: Vec<Answer>,
    /// General registers, then two words of each vector: value, and the bits of it that are given.
    pub registers: Vec<(u64, u64)>,
    /// Arguments on the stack: bytes above the return address, and the byte.
    pub stack: Vec<(u64, u8)>,
    /// The place that the caller has for the result.
    pub place: Option<std::ops::Range<u64>>,
    /// What the segment register `fs` leads to; 0 where nothing does.
    pub thread: u64,
    /// What the function gives: register and bits.
    pub results: Vec<(usize, u32)>,
    /// The types of what it accesses; none where any object may be accessed in any way.
    pub kinds: Option<Kinds>,
    /// Why a difference is not certain, whatever the runs say.
    pub doubt: Option<Doubt>,
    /// Inputs in words.
    pub inputs: Vec<(String, String)>,
    /// What the code of both has not in common.
    pub differing: Vec<Feature>,
    /// The old and the new function.
    pub sides: [SidePlan; 2],
}

impl Plan {
    /// What a byte of memory holds before the function runs; none where there is no memory.
    pub(super) fn byte(&self, at: u64) -> Option<u8> {
        let page = at / PAGE * PAGE;
        let held = self.bytes.iter().find(|(start, _)| *start == page);
        let held = held.and_then(|(_, bytes)| bytes.get((at % PAGE) as usize)).copied();
        held.or_else(|| self.pages.contains(&page).then_some(self.fill))
    }

    /// Has a byte of memory hold a value before the function runs.
    pub(super) fn set_byte(&mut self, at: u64, value: u8) {
        let page = at / PAGE * PAGE;
        let n = self.bytes.iter().position(|(start, _)| *start == page).unwrap_or_else(|| {
            self.bytes.push((page, vec![self.fill; PAGE as usize]));
            self.bytes.len() - 1
        });
        if let Some(place) = self.bytes[n].1.get_mut((at % PAGE) as usize) {
            *place = value;
        }
    }
}

/// The pieces that conventions name, as plans have them.
pub fn pieces(list: &[Piece]) -> Vec<(usize, u32)> {
    list.iter().map(|p| (p.register, p.bits)).collect()
}
