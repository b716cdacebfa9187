//! One instruction of RISC-V: what it does to the machine, and where execution goes on.

use super::super::effect::Effect;
use super::super::facts::{Known, is_bookkeeping};
use super::super::function::Target;
use super::super::state::{Code, Machine};
use super::insn::{Condition, FLOAT, Insn, Op, SP, ZERO};
use super::uses::data;
use crate::domain::{CmpOp, Domain, Ext, Res, Unsupported};

/// An instruction of a function that is run.
#[derive(Clone, Copy)]
pub(super) struct Here<'c> {
    pub code: &'c Code<'c>,
    /// Its index.
    pub i: usize,
}

/// Runs an instruction.
pub(in super::super) fn run<D: Domain>(
    code: &Code<'_>,
    d: &mut D,
    m: &mut Machine<D>,
    (i, insn): (usize, &Insn),
) -> Res<Effect<D>> {
    let here = Here { code, i };
    let Some(op) = &insn.op else {
        return Err(here.unsupported(&format!("the instruction {:#06x}", insn.word)));
    };
    let (_, writes) = data(op);
    if is_bookkeeping(code.f, code.facts, i) {
        for n in super::super::abi::members(writes) {
            m.registers[n] = None;
        }
        return Ok(Effect::Next);
    }
    match *op {
        Op::Trap => Ok(Effect::Trap),
        Op::Jump { .. }
        | Op::JumpIf { .. }
        | Op::JumpRegister(_)
        | Op::Call
        | Op::CallRegister(_)
        | Op::Return => here.control(d, m, op),
        Op::Upper { .. } | Op::Load { .. } | Op::Store { .. } => here.memory(d, m, op).map(|()| Effect::Next),
        Op::Binary { .. } => here.integers(d, m, op).map(|()| Effect::Next),
        Op::Float { .. }
        | Op::Fused { .. }
        | Op::Root { .. }
        | Op::FloatCompare { .. }
        | Op::Class { .. }
        | Op::Format { .. }
        | Op::FromInteger { .. }
        | Op::ToInteger { .. }
        | Op::MoveBits { .. } => here.floating(d, m, op).map(|()| Effect::Next),
    }
}

impl Here<'_> {
    pub(super) fn unsupported(&self, what: &str) -> Unsupported {
        self.code.f.unsupported(self.i, what)
    }

    /// Jumps, calls and returns.
    fn control<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, op: &Op) -> Res<Effect<D>> {
        let target = self.code.f.insns[self.i].target.as_ref();
        let nowhere = || self.unsupported("a jump to an unknown place");
        match (*op, target) {
            (Op::JumpIf { condition, holds, a, b }, Some(Target::Block(to))) => {
                let (a, b) = (self.general(d, m, a)?, self.general(d, m, b)?);
                let how = match condition {
                    Condition::Equal => CmpOp::Eq,
                    Condition::Less { signed: true } => CmpOp::Slt,
                    Condition::Less { signed: false } => CmpOp::Ult,
                };
                let condition = d.cmp(how, &a, &b);
                Ok(Effect::JumpIf(if holds { condition } else { d.not(&condition) }, *to))
            }
            (Op::Jump { scratch }, Some(target)) => {
                if scratch != ZERO {
                    m.registers[usize::from(scratch)] = None;
                }
                match target {
                    Target::Block(to) => Ok(Effect::Jump(*to)),
                    Target::Function(_) => {
                        self.show_data_alone(m);
                        Ok(Effect::Call(None))
                    }
                }
            }
            (Op::Call, Some(Target::Function(_))) => {
                self.show_data_alone(m);
                Ok(Effect::Call(None))
            }
            (Op::JumpRegister(a), None) => match self.code.facts.table(self.i) {
                Some(table) => self.jump_by_table(d, m, (a, table)),
                None => self.call_register(d, m, a),
            },
            (Op::CallRegister(a), None) => self.call_register(d, m, a),
            (Op::Return, None) => match self.code.facts.stack(self.i) {
                Some(0) => {
                    self.show_data_alone(m);
                    Ok(Effect::Return)
                }
                _ => Err(self.unsupported("a return with a frame on the stack")),
            },
            _ => Err(nowhere()),
        }
    }

    fn call_register<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, a: u8) -> Res<Effect<D>> {
        let to = self.general(d, m, a)?;
        self.show_data_alone(m);
        Ok(Effect::Call(Some(to)))
    }

    /// Takes from registers what stands for places in the code: a callee or caller finds no data there that is known.
    fn show_data_alone<D: Domain>(&self, m: &mut Machine<D>) {
        for n in (1..usize::from(FLOAT)).filter(|n| self.code.facts.known(self.i, *n).is_code()) {
            m.registers[n] = None;
        }
    }

    fn jump_by_table<D: Domain>(
        &self,
        d: &mut D,
        m: &Machine<D>,
        (register, table): (u8, usize),
    ) -> Res<Effect<D>> {
        let Some(to) = m.registers[usize::from(register)].clone() else {
            return Err(self.unsupported("a jump to an unknown place"));
        };
        Ok(self.code.among_entries(d, &to, table))
    }

    /// What is known of a general register.
    pub(super) fn known(&self, register: u8) -> Known {
        match register {
            ZERO => Known::Number(0),
            FLOAT.. => Known::Top,
            _ => self.code.facts.known(self.i, usize::from(register)),
        }
    }

    /// What a general register holds as data.
    pub(super) fn general<D: Domain>(&self, d: &mut D, m: &Machine<D>, register: u8) -> Res<D::Bv> {
        match self.known(register) {
            Known::Frame(at) => self.code.frame_address(d, self.i, at),
            known if known.is_code() => {
                Err(self.unsupported("a jump table that is read otherwise than by entries"))
            }
            _ => self.raw(d, m, register),
        }
    }

    /// What any register holds.
    pub(super) fn raw<D: Domain>(&self, d: &mut D, m: &Machine<D>, register: u8) -> Res<D::Bv> {
        if register == ZERO {
            return Ok(d.num(64, 0));
        }
        let n = usize::from(register);
        m.registers.get(n).cloned().flatten().ok_or_else(|| {
            self.unsupported(&format!("register {} before anything is known of it", self.code.f.abi.name(n)))
        })
    }

    /// Writes a register of either kind.
    pub(super) fn give<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        register: u8,
        value: &D::Bv,
    ) -> Res<()> {
        match register {
            ZERO => {}
            SP => return Err(self.unsupported("a stack pointer that is not constant")),
            _ => m.registers[usize::from(register)] = Some(d.zfit(value, 64)),
        }
        Ok(())
    }
}
