//! One instruction of AArch64: what it does to the machine, and where execution goes on.
//!
//! The flags are kept as other machines have them, with a borrow as the carry of differences: AArch64's carry flag is the
//! opposite.

use super::super::effect::Effect;
use super::super::facts::is_bookkeeping;
use super::super::function::Target;
use super::super::state::{Code, Machine};
use super::insn::{Insn, Op, SP, VECTOR, ZERO};
use super::uses::data;
use crate::domain::{Domain, Ext, Res};
use crate::x86::flags::{Each, Flags};

/// Conditions by their number, as [`Flags::condition`] counts them; those from 14 on always hold.
const CONDITIONS: [u32; 14] = [4, 5, 3, 2, 8, 9, 0, 1, 7, 6, 13, 12, 15, 14];

/// The width of an operation.
pub(super) fn width(wide: bool) -> u32 {
    if wide { 64 } else { 32 }
}

impl Code<'_> {
    /// Runs an instruction of AArch64.
    pub(crate) fn exec_aarch64<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, insn): (usize, &Insn),
    ) -> Res<Effect<D>> {
        let Some(op) = &insn.op else {
            return Err(self.f.unsupported(i, &format!("the instruction {:#010x}", insn.word)));
        };
        if is_bookkeeping(self.f, self.facts, i) {
            let (_, writes) = data(op);
            for n in super::super::abi::members(writes) {
                m.registers[n] = None;
            }
            return Ok(Effect::Next);
        }
        let to_block = match &self.f.insns[i].target {
            Some(Target::Block(to)) => Some(*to),
            Some(Target::Function(_)) | None => None,
        };
        let nowhere = || self.f.unsupported(i, "a jump to an unknown place");
        match *op {
            Op::Nothing => {}
            Op::Trap => return Ok(Effect::Trap),
            Op::Jump | Op::Call => {
                return match (&self.f.insns[i].target, op) {
                    (Some(Target::Block(to)), Op::Jump) => Ok(Effect::Jump(*to)),
                    (Some(Target::Function(_)), _) => Ok(Effect::Call(None)),
                    _ => Err(nowhere()),
                };
            }
            Op::JumpRegister(a) | Op::CallRegister(a) => {
                let to = self.general(d, m, (i, a), true)?;
                return Ok(Effect::Call(Some(to)));
            }
            Op::Return => {
                return match self.facts.stack(i) {
                    Some(0) => Ok(Effect::Return),
                    _ => Err(self.f.unsupported(i, "a return with a frame on the stack")),
                };
            }
            Op::JumpIf(condition) => {
                let to = to_block.ok_or_else(nowhere)?;
                return Ok(Effect::JumpIf(self.holds(d, m, (i, condition))?, to));
            }
            Op::JumpIfZero { wide, zero, a } => {
                let to = to_block.ok_or_else(nowhere)?;
                let value = self.general(d, m, (i, a), wide)?;
                let is_zero = d.is_zero(&value);
                return Ok(Effect::JumpIf(if zero { is_zero } else { d.not(&is_zero) }, to));
            }
            Op::JumpIfBit { set, a, bit } => {
                let to = to_block.ok_or_else(nowhere)?;
                let value = self.general(d, m, (i, a), true)?;
                let bit = d.extract(bit, bit, &value);
                let is_set = d.is_set(&bit);
                return Ok(Effect::JumpIf(if set { is_set } else { d.not(&is_set) }, to));
            }
            Op::Memory { .. } | Op::Pair { .. } | Op::Address { .. } => self.memory(d, m, (i, op))?,
            Op::Float { .. }
            | Op::FloatSign { .. }
            | Op::FloatNumber { .. }
            | Op::VectorNumber { .. }
            | Op::FloatFused { .. }
            | Op::MoveBits { .. }
            | Op::FloatCompare { .. }
            | Op::FloatSelect { .. }
            | Op::FloatRoot { .. }
            | Op::FloatFormat { .. }
            | Op::FromInteger { .. }
            | Op::ToInteger { .. } => self.floating(d, m, (i, op))?,
            _ => self.integers(d, m, (i, op))?,
        }
        Ok(Effect::Next)
    }

    /// What a general register holds, or its lower half.
    pub(super) fn general<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (i, register): (usize, u8),
        wide: bool,
    ) -> Res<D::Bv> {
        if register == ZERO {
            return Ok(d.num(width(wide), 0));
        }
        let n = usize::from(register);
        if register < VECTOR && self.facts.frame(i, n).is_some() {
            let whole = self.frame_register(d, i, n)?;
            return Ok(d.zfit(&whole, width(wide)));
        }
        match m.registers.get(n).cloned().flatten() {
            Some(whole) => Ok(d.zfit(&whole, width(wide))),
            None => Err(self
                .f
                .unsupported(i, &format!("register {} before anything is known of it", self.f.abi.name(n)))),
        }
    }

    /// Writes a general register or a vector; what lies above the value becomes zero.
    pub(super) fn give<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, register): (usize, u8),
        value: &D::Bv,
    ) -> Res<()> {
        match register {
            ZERO => {}
            SP => return Err(self.f.unsupported(i, "a stack pointer that is not constant")),
            _ => {
                let n = usize::from(register);
                m.registers[n] = Some(d.zfit(value, self.f.abi.width(n)));
            }
        }
        Ok(())
    }

    /// Whether a condition of the flags holds.
    pub(super) fn holds<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (i, condition): (usize, u32),
    ) -> Res<D::Bool> {
        let Some(code) = CONDITIONS.get(condition as usize) else { return Ok(d.bool(true)) };
        let holds = m.flags.condition(d, *code);
        holds.ok_or_else(|| self.f.unsupported(i, "a flag of which nothing is known"))
    }
}

/// Flags from carry (as AArch64 has it), zero, sign and overflow.
pub(super) fn flags<D: Domain>(d: &mut D, [carry, zero, sign, overflow]: [D::Bool; 4]) -> Flags<D> {
    Flags::Each(Box::new(Each {
        carry: Some(d.not(&carry)),
        parity: None,
        zero: Some(zero),
        sign: Some(sign),
        overflow: Some(overflow),
    }))
}
