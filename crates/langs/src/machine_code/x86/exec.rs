//! One instruction: what it does to the machine, and where execution goes on.

use super::super::effect::Effect;
use super::super::facts::is_bookkeeping;
use super::super::function::Target;
use super::super::state::{Code, Machine};
use super::table::{Op, op};
use super::track::{RBP, RSP, distance};
use crate::domain::{Domain, Res};
use crate::x86::flags::{Each, Flags};
use iced_x86::{ConditionCode, OpKind, Register};

impl Code<'_> {
    /// Runs an instruction of x86-64.
    pub(crate) fn exec_x86<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) -> Res<Effect<D>> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        let Some(op) = op(ins.mnemonic()) else {
            return Err(self
                .f
                .unsupported(i, &format!("`{}`", format!("{:?}", ins.mnemonic()).to_lowercase())));
        };
        if super::atomic::is_event(ins) {
            return self.atomic(d, m, i);
        }
        if is_bookkeeping(self.f, self.facts, i) {
            if ins.rflags_modified() != 0 {
                m.flags = Flags::Unknown;
            }
            if ins.op0_register() == Register::RBP {
                m.registers[RBP] = None;
            }
            return Ok(Effect::Next);
        }
        match op {
            Op::Jcc | Op::Jmp | Op::Call | Op::Ret | Op::Trap => self.control(d, m, i, op),
            Op::Push | Op::Pop | Op::Leave => self.stack(d, m, i, op).map(|()| Effect::Next),
            Op::Stos(_) | Op::Movs(_) => self.string(d, m, i),
            Op::MovLane(64) if ins.is_string_instruction() => self.string(d, m, i),
            // The same name as that of a comparison of doubles.
            Op::FloatMasks(..) if ins.is_string_instruction() => {
                Err(self.f.unsupported(i, "a comparison of strings"))
            }
            Op::Nothing | Op::Fence => Ok(Effect::Next),
            Op::Mov
            | Op::Movzx
            | Op::Movsx
            | Op::Lea
            | Op::Alu(_)
            | Op::Cmp
            | Op::Test
            | Op::Unary(_)
            | Op::Imul
            | Op::Mul
            | Op::Div(_)
            | Op::Shift(_)
            | Op::BitTest(_)
            | Op::Count(_)
            | Op::Bmi(_)
            | Op::Bswap
            | Op::Xchg
            | Op::ExchangeAdd
            | Op::CompareExchange
            | Op::Cmov
            | Op::Set
            | Op::ExtendAcc(_)
            | Op::SpreadAcc(_)
            | Op::Carry(_) => self.integer(d, m, i, op).map(|()| Effect::Next),
            Op::MovLane(_)
            | Op::MovBits(_)
            | Op::MovHigh
            | Op::MovLow
            | Op::LowToHigh
            | Op::HighToLow
            | Op::Packed(_)
            | Op::LaneShift(..)
            | Op::ByteShift(_)
            | Op::ShiftEach(..)
            | Op::Arrange(_)
            | Op::Mix(_)
            | Op::Alone(_)
            | Op::Broadcast(_)
            | Op::BlendBy(_)
            | Op::Permute(..)
            | Op::ExtractHalf
            | Op::TestVector(_)
            | Op::ClearVectors(_)
            | Op::Hardware(..)
            | Op::Signs(_)
            | Op::Insert(_)
            | Op::Extract(_)
            | Op::Float(..)
            | Op::FloatPacked(..)
            | Op::Sqrt(_)
            | Op::SqrtPacked(_)
            | Op::Fused(..)
            | Op::FloatCompare(_)
            | Op::FloatMasks(..)
            | Op::Convert(..)
            | Op::FromInt(_)
            | Op::ToInt(_)
            | Op::ConvertLanes(..)
            | Op::Extend(..) => self.vector(d, m, i, op).map(|()| Effect::Next),
        }
    }

    /// The condition of an instruction.
    pub(crate) fn condition<D: Domain>(&self, d: &mut D, m: &Machine<D>, i: usize) -> Res<D::Bool> {
        let code = self.f.insns[i].x86().condition_code();
        let known = code != ConditionCode::None;
        let holds = known.then(|| m.flags.condition(d, code as u32 - 1)).flatten();
        holds.ok_or_else(|| self.f.unsupported(i, "a flag that is not defined, or not modelled"))
    }

    fn control<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<Effect<D>> {
        let insn = &self.f.insns[i];
        match (op, &insn.target) {
            (Op::Trap, _) => Ok(Effect::Trap),
            (Op::Ret, _) => match self.facts.frame(i, RSP) {
                Some(0) if insn.x86().op_count() == 0 => Ok(Effect::Return),
                _ => Err(self.f.unsupported(i, "a return with a frame on the stack")),
            },
            (Op::Jcc, Some(Target::Block(to))) => Ok(Effect::JumpIf(self.condition(d, m, i)?, *to)),
            (Op::Jmp, Some(Target::Block(to))) => Ok(Effect::Jump(*to)),
            (Op::Jmp | Op::Call, Some(Target::Function(_))) => Ok(Effect::Call(None)),
            (Op::Jmp, None) if self.facts.table(i).is_some() => self.jump_by_table(d, m, i),
            (Op::Jmp | Op::Call, None)
                if insn.x86().op_count() == 1 && insn.x86().op0_kind() != OpKind::NearBranch64 =>
            {
                let to = self.operand(d, m, (i, 0), 64)?;
                Ok(Effect::Call(Some(to)))
            }
            _ => Err(self.f.unsupported(i, "a jump to an unknown place")),
        }
    }

    fn jump_by_table<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) -> Res<Effect<D>> {
        let table = self.facts.table(i).unwrap_or_default();
        let insn = &self.f.insns[i];
        let to = match insn.x86().op0_kind() {
            OpKind::Memory => self.table_entry(d, m, i, table)?,
            _ => self.read_any(d, m, i, insn.x86().op0_register())?,
        };
        Ok(self.among_entries(d, &to, table))
    }

    /// An entry of a jump table, as a label; zero behind its end.
    pub(crate) fn table_entry<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        table: usize,
    ) -> Res<D::Bv> {
        let ins = self.f.insns[i].x86();
        let width = self.f.tables[table].width;
        let whole = distance(&self.f.insns[i], &|n| self.facts.known(i, n));
        let other = || self.f.unsupported(i, "a jump table that is read otherwise than by entries");
        let half = ins.op_count() > 0 && ins.op0_kind() == OpKind::Register && ins.op0_register().is_gpr32();
        if half && width != 4 {
            return Err(other());
        }
        let (index, step) = match whole {
            Some(register) => (self.read(d, m, i, register)?, width),
            None if ins.memory_index_scale() == width && ins.memory_index() != Register::None => {
                (self.read(d, m, i, ins.memory_index())?, 1)
            }
            None => return Err(other()),
        };
        Ok(self.entry_of(d, (&index, step), table))
    }

    fn stack<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let ins = self.f.insns[i].x86();
        let Some(sp) = self.facts.frame(i, RSP) else {
            return Err(self.f.unsupported(i, "an unknown stack"));
        };
        match op {
            Op::Push => {
                let size = i64::from(self.f.abi.word / 8);
                if i64::from(ins.stack_pointer_increment()) != -size {
                    return Err(self.f.unsupported(i, "a push of 16 bits"));
                }
                let value = match ins.op0_kind() {
                    // What nobody set may be anything: it is pushed for the room alone.
                    OpKind::Register => match self.read(d, m, i, ins.op0_register()) {
                        Ok(value) => value,
                        Err(_) if self.facts.frame(i, ins.op0_register().number()).is_none() => {
                            d.nondet("pushed", self.f.abi.word)
                        }
                        Err(e) => return Err(e),
                    },
                    _ => self.operand(d, m, (i, 0), self.f.abi.word)?,
                };
                self.store_frame(d, m, (i, sp - size), &value)
            }
            Op::Pop => {
                let size = u64::from(self.f.abi.word / 8);
                if i64::from(ins.stack_pointer_increment()) != size as i64 {
                    return Err(self.f.unsupported(i, "a pop of 16 bits"));
                }
                let value = self.load_frame(d, m, (i, sp), size)?;
                self.put(d, m, (i, 0), &value)
            }
            _ => {
                let Some(at) = self.facts.frame(i, RBP) else {
                    return Err(self.f.unsupported(i, "an unknown frame"));
                };
                let value = self.load_frame(d, m, (i, at), 8)?;
                m.registers[RBP] = Some(value);
                Ok(())
            }
        }
    }

    /// The carry flag set, cleared or complemented, the others as they were.
    pub(crate) fn carry<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, value: Option<bool>) {
        let old = m.flags.each(d);
        let carry = match (value, old.carry) {
            (Some(value), _) => Some(d.bool(value)),
            (None, old) => old.map(|c| d.not(&c)),
        };
        m.flags = Flags::Each(Box::new(Each { carry, ..m.flags.each(d) }));
    }
}
