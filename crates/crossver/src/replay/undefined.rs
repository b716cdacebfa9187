//! Arithmetic in a run that C leaves undefined: signed numbers that overflow, shifts that go further than the number is wide,
//! searches for a bit in zero, and conversions to integers that cannot hold the number. Machine code does not say what is
//! signed; how a sum is used does: it is extended with its sign, compared as signed, divided or shifted as signed.

use super::plan::SidePlan;
use super::steps::{Step, instructions};
use iced_x86::{ConditionCode, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The overflow flag, and the zero flag.
const OVERFLOW: u64 = 1 << 11;
const ZERO: u64 = 1 << 6;

/// What a run does that C leaves undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Undefined {
    /// A sum of signed numbers that their type does not hold, used as a signed number.
    Overflow,
    /// A shift by as many bits as the number has, or more.
    Shift,
    /// A search for a bit in zero, whose result is used.
    Search,
    /// A number made an integer whose type does not hold it.
    Conversion,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Undefined::Overflow => "a signed number that overflows",
            Undefined::Shift => "a shift by more than the number is wide",
            Undefined::Search => "a search for a bit in zero",
            Undefined::Conversion => "a number that no integer of the type holds",
        };
        write!(f, "C leaves open what becomes on this input of {what}")
    }
}

/// What a run of a side does that C leaves undefined, the first such thing; where signed numbers `wraps`, overflow is none.
pub(super) fn undefined(side: &SidePlan, steps: &[Step], wraps: bool) -> Option<Undefined> {
    let mut reader = Reader {
        wraps,
        code: instructions(side),
        factory: InstructionInfoFactory::new(),
        registers: 0,
        memory: BTreeSet::new(),
        compared: false,
        scanned: Scanned::default(),
    };
    steps.windows(2).find_map(|two| reader.step(&two[0], &two[1]))
}

struct Reader {
    wraps: bool,
    code: BTreeMap<u64, Instruction>,
    factory: InstructionInfoFactory,
    /// Registers, as bits, and words of memory that hold what overflowed as a signed number.
    registers: u16,
    memory: BTreeSet<u64>,
    /// Whether flags are of a comparison with such a number.
    compared: bool,
    scanned: Scanned,
}

/// Registers, as bits, with what a search for a bit left that found none; and registers that were written and not read since,
/// where a search leaves what was meant.
#[derive(Default)]
struct Scanned {
    left: u16,
    filled: u16,
}

impl Scanned {
    /// Goes over an instruction that reads and writes these registers. Whether it uses what a search left.
    fn step(&mut self, d: &Instruction, (step, next): (&Step, &Step), (reads, writes): (u16, u16)) -> bool {
        let bit = |register: Register| general(register).map_or(0, |n| 1u16 << n);
        if matches!(d.mnemonic(), Mnemonic::Bsf | Mnemonic::Bsr) {
            let to = bit(d.op0_register());
            let searched = if d.op1_kind() == OpKind::Register { bit(d.op1_register()) } else { reads & !to };
            // The zero flag says that there is no bit.
            let open = next.flags & ZERO != 0 && (self.filled & to == 0 || searched & to != 0);
            let used = self.left & searched & !to != 0 || searched == to && self.left & to != 0;
            self.filled &= !(to | searched);
            self.left = if open { self.left | to } else { self.left & !to };
            return used;
        }
        let copies =
            d.op_count() == 2 && d.op0_kind() == OpKind::Register && d.op1_kind() == OpKind::Register;
        let conditional = d.condition_code() != ConditionCode::None;
        if copies && (d.mnemonic() == Mnemonic::Mov || conditional) {
            let (to, from) = (bit(d.op0_register()), bit(d.op1_register()));
            let held = |at: &Step, register: Register| general(register).map(|n| at.registers[n]);
            let taken = !conditional || held(next, d.op0_register()) == held(step, d.op1_register());
            let open = if taken { self.left & from != 0 } else { self.left & to != 0 };
            self.left = if open { self.left | to } else { self.left & !to };
            self.filled = (self.filled & !from) | to;
            return false;
        }
        let used = self.left & reads != 0;
        self.filled = (self.filled & !reads) | writes;
        self.left &= !writes;
        used
    }
}

fn general(register: Register) -> Option<usize> {
    register.full_register().is_gpr64().then(|| register.full_register().number())
}

/// A part of a register, as a signed number.
fn signed(whole: u64, bytes: usize) -> i128 {
    match bytes {
        4 => i128::from(whole as u32 as i32),
        _ => i128::from(whole as i64),
    }
}

impl Reader {
    fn step(&mut self, step: &Step, next: &Step) -> Option<Undefined> {
        let d = *self.code.get(&step.at)?;
        let place = |r: Register| Some(step.registers[general(r)?]);
        let mut read = false;
        let (mut stored, mut written, mut needed) = (Vec::new(), 0u16, passed(&d));
        let info = self.factory.info(&d).clone();
        let memory_registers: Vec<Register> =
            info.used_memory().iter().flat_map(|m| [m.base(), m.index()]).collect();
        for used in info.used_registers() {
            let Some(n) = general(used.register()) else { continue };
            let access = used.access();
            let of_value = d.mnemonic() == Mnemonic::Lea || !memory_registers.contains(&used.register());
            if !matches!(access, OpAccess::Write | OpAccess::CondWrite) {
                needed |= 1 << n;
                read |= of_value && self.registers >> n & 1 == 1;
            }
            if !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess) {
                written |= 1 << n;
            }
        }
        for used in info.used_memory() {
            let held = |r: Register| if r.is_segment_register() { Some(0) } else { place(r) };
            let Some(at) = used.virtual_address(0, |r, _, _| held(r)) else { continue };
            if !matches!(used.access(), OpAccess::Write | OpAccess::CondWrite) {
                read |= self.memory.contains(&at);
            }
            if !matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess) {
                stored.push(at);
            }
        }
        let searched = self.scanned.step(&d, (step, next), (needed, written)).then_some(Undefined::Search);
        let found = self.uses(&d, read, next).or_else(|| shifts_too_far(&d, step)).or(searched);
        let carries = read && carries(d.mnemonic()) || !self.wraps && self.overflows(&d, step, next);
        for n in (0..16).filter(|n| written >> n & 1 == 1) {
            self.registers = self.registers & !(1 << n) | u16::from(carries) << n;
        }
        for at in stored {
            match carries {
                true => self.memory.insert(at),
                false => self.memory.remove(&at),
            };
        }
        if d.rflags_modified() != 0 {
            self.compared = read && matches!(d.mnemonic(), Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Sub);
        }
        found
    }

    /// Whether an instruction uses what overflowed as a signed number, or converts what does not fit.
    fn uses(&self, d: &Instruction, read: bool, next: &Step) -> Option<Undefined> {
        let extends = matches!(
            d.mnemonic(),
            Mnemonic::Cdqe
                | Mnemonic::Movsxd
                | Mnemonic::Cdq
                | Mnemonic::Cqo
                | Mnemonic::Sar
                | Mnemonic::Idiv
                | Mnemonic::Cvtsi2sd
                | Mnemonic::Cvtsi2ss
        );
        let compares = matches!(
            d.condition_code(),
            ConditionCode::l
                | ConditionCode::ge
                | ConditionCode::le
                | ConditionCode::g
                | ConditionCode::s
                | ConditionCode::ns
        );
        if read && extends || self.compared && compares {
            return Some(Undefined::Overflow);
        }
        if matches!(d.mnemonic(), Mnemonic::Cvttsd2si | Mnemonic::Cvttss2si) {
            let held = next.registers[general(d.op0_register())?];
            let none = if d.op0_register().is_gpr32() { held as u32 == 1 << 31 } else { held == 1 << 63 };
            return none.then_some(Undefined::Conversion);
        }
        None
    }

    /// Whether the result of an instruction, taken as signed, is another than the number.
    fn overflows(&self, d: &Instruction, step: &Step, next: &Step) -> bool {
        let bytes = match d.op0_kind() {
            _ if d.op_count() == 0 => 0,
            OpKind::Register => d.op0_register().size(),
            _ => d.memory_size().size(),
        };
        if bytes != 4 && bytes != 8 {
            return false;
        }
        match d.mnemonic() {
            Mnemonic::Add
            | Mnemonic::Sub
            | Mnemonic::Imul
            | Mnemonic::Neg
            | Mnemonic::Inc
            | Mnemonic::Dec => next.flags & OVERFLOW != 0,
            Mnemonic::Lea if bytes == 4 => {
                let part = |r: Register| general(r).map_or(0, |n| signed(step.registers[n], 4));
                let sum = part(d.memory_base())
                    + part(d.memory_index()) * d.memory_index_scale() as i128
                    + i128::from(d.memory_displacement64() as i64);
                i32::try_from(sum).is_err()
            }
            _ => false,
        }
    }
}

/// The registers, as bits, that matter to what an instruction leads to: results of a return, arguments of a call.
fn passed(d: &Instruction) -> u16 {
    let all: &[Register] = match d.mnemonic() {
        Mnemonic::Ret => &[Register::RAX],
        Mnemonic::Call => {
            &[Register::RDI, Register::RSI, Register::RDX, Register::RCX, Register::R8, Register::R9]
        }
        _ => &[],
    };
    all.iter().fold(0, |set, r| set | 1 << r.number())
}

/// Whether a number is shifted further than it is wide (C17, 6.5.7p3), or a bit is asked for that it has not. What is narrower
/// than an `int` is shifted as one.
fn shifts_too_far(d: &Instruction, step: &Step) -> Option<Undefined> {
    let by = match d.mnemonic() {
        Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar => 1,
        Mnemonic::Bt | Mnemonic::Bts | Mnemonic::Btr | Mnemonic::Btc if d.op0_kind() == OpKind::Register => 1,
        Mnemonic::Shlx | Mnemonic::Shrx | Mnemonic::Sarx => 2,
        _ => return None,
    };
    let number = (d.op_kind(by) == OpKind::Register).then(|| general(d.op_register(by))).flatten()?;
    let bytes =
        if d.op0_kind() == OpKind::Register { d.op0_register().size() } else { d.memory_size().size() };
    let bits = 8 * bytes.max(4) as u64;
    let count = step.registers[number] & u64::from(u32::MAX);
    (count >= bits).then_some(Undefined::Shift)
}

/// Whether what an instruction makes of such a number is one.
fn carries(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Mov
            | Mnemonic::Add
            | Mnemonic::Sub
            | Mnemonic::Imul
            | Mnemonic::Neg
            | Mnemonic::Inc
            | Mnemonic::Dec
            | Mnemonic::Lea
            | Mnemonic::Push
            | Mnemonic::Pop
    )
}
