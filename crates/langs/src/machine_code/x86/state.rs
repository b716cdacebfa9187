//! The machine while a block runs: registers, flags, slots, memory, and whether an access or a division has failed.

use super::escape::Escapes;
use super::facts::Facts;
use super::flow::number;
use super::frame::Frame;
use super::function::Function;
use crate::bits::replace_bits;
use crate::domain::{Domain, Ext, Res};
use crate::memory::access::AccessCheck;
use crate::x86::flags::Flags;
use iced_x86::Register;

/// What a run of a function is about.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub f: &'a Function,
    pub facts: &'a Facts,
    pub frame: &'a Frame,
    pub access: AccessCheck,
    /// Where pointers that are not made from an object's address are taken not to lead into it: which those are. None
    /// where nothing is taken for granted.
    pub apart: Option<&'a Escapes>,
}

/// The machine.
pub struct Machine<D: Domain> {
    /// General registers, then vectors; none where what they hold is not data.
    pub registers: Vec<Option<D::Bv>>,
    /// The status flags.
    pub flags: Flags<D>,
    /// Memory.
    pub mem: D::Mem,
    /// Which bytes of it may be accessed; none where all may.
    pub perm: Option<D::Mem>,
    /// Stack slots.
    pub slots: Vec<D::Bv>,
    /// Whether the processor has stopped the program.
    pub fault: D::Bool,
}

impl<D: Domain> Clone for Machine<D> {
    fn clone(&self) -> Self {
        Machine {
            registers: self.registers.clone(),
            flags: self.flags.clone(),
            mem: self.mem.clone(),
            perm: self.perm.clone(),
            slots: self.slots.clone(),
            fault: self.fault.clone(),
        }
    }
}

impl<D: Domain> Machine<D> {
    /// A machine that holds nothing.
    pub fn new(d: &mut D, mem: D::Mem, perm: Option<D::Mem>) -> Machine<D> {
        Machine {
            registers: vec![None; 32],
            flags: Flags::Unknown,
            mem,
            perm,
            slots: Vec::new(),
            fault: d.bool(false),
        }
    }

    /// The program ends with a fault where this holds.
    pub(crate) fn fault_if(&mut self, d: &mut D, when: &D::Bool) {
        self.fault = d.or(&self.fault, when);
    }
}

/// Whether a register is the second byte of another.
fn is_high(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

impl Code<'_> {
    /// Reads a register.
    pub(crate) fn read<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        i: usize,
        register: Register,
    ) -> Res<D::Bv> {
        if number(register).is_some_and(|n| n < 16 && self.facts.known(i, n).is_code()) {
            return Err(self.f.unsupported(i, "what a jump table holds as data"));
        }
        self.read_any(d, m, i, register)
    }

    /// As [`Code::read`], also what came from a jump table.
    pub(crate) fn read_any<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        i: usize,
        register: Register,
    ) -> Res<D::Bv> {
        let Some(n) = number(register) else {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        };
        if n < 16 && self.facts.frame(i, n).is_some() {
            let whole = self.frame_register(d, i, n)?;
            return Ok(d.zfit(&whole, register.size() as u32 * 8));
        }
        let Some(whole) = m.registers[n].clone() else {
            return Err(self.f.unsupported(i, &format!("{register:?} before anything is known of it")));
        };
        let width = register.size() as u32 * 8;
        if width > d.width(&whole) {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        }
        let low = if is_high(register) { 8 } else { 0 };
        Ok(d.extract(low + width - 1, low, &whole))
    }

    /// The address that a register holds, which points into the frame.
    fn frame_register<D: Domain>(&self, d: &mut D, i: usize, n: usize) -> Res<D::Bv> {
        let at = self.facts.frame(i, n).unwrap_or_default();
        self.frame_address(d, i, at)
    }

    /// An address in the frame as data: of an object.
    pub(crate) fn frame_address<D: Domain>(&self, d: &mut D, i: usize, at: i64) -> Res<D::Bv> {
        match self.frame.object(at) {
            Some((object, delta)) => Ok(self.frame.address(d, object, delta)),
            None => {
                Err(self.f.unsupported(i, "the address of a part of the frame that no object is known in"))
            }
        }
    }

    /// Writes a register: of 32 bits the rest becomes zero, of fewer it stays; of vectors it stays.
    pub(crate) fn write<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, register): (usize, Register),
        value: &D::Bv,
    ) -> Res<()> {
        let Some(n) = number(register) else {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        };
        let width = register.size() as u32 * 8;
        if width > 128 {
            return Err(self.f.unsupported(i, &format!("register {register:?}")));
        }
        let value = d.zfit(value, width);
        let whole = match (n < 16, width) {
            (true, 64) | (false, 128) => value,
            (true, 32) => d.zfit(&value, 64),
            _ => {
                let Some(old) = m.registers[n].clone() else {
                    return Err(self
                        .f
                        .unsupported(i, &format!("{register:?} before anything is known of it")));
                };
                replace_bits(d, &old, &value, if is_high(register) { 8 } else { 0 })
            }
        };
        m.registers[n] = Some(whole);
        Ok(())
    }
}

/// Runs one instruction without memory, jumps or stack on a machine: what the processor is compared with.
///
/// # Errors
/// Where the instruction is not modelled.
pub fn run_one<D: Domain>(
    d: &mut D,
    m: &mut Machine<D>,
    insn: &iced_x86::Instruction,
) -> Result<(), crate::domain::Unsupported> {
    let insn = super::function::Insn {
        offset: 0,
        decoded: *insn,
        memory: None,
        immediate: None,
        target: None,
        endless: false,
        keeps: 0,
    };
    let block = super::function::Block { first: 0, end: 1, falls: None };
    let f = Function { name: "one".into(), insns: vec![insn], blocks: vec![block], tables: Vec::new() };
    let facts = Facts::of(&f)?;
    let code = Code { f: &f, facts: &facts, frame: &Frame::default(), access: AccessCheck::Off, apart: None };
    code.exec(d, m, 0).map(|_| ())
}
