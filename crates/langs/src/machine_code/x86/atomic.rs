//! Atomic instructions and fences (C11 5.1.2.4). Other threads may look at memory there and change it, so that each is an event
//! which all of memory matters to, and behind which memory is whatever the event gives. What the instruction itself does to
//! memory, registers and flags follows the event, as an instruction of its own without a lock.

use super::super::effect::Effect;
use super::super::state::{Code, Machine};
use super::table::{Op, op};
use crate::domain::{Domain, Ext, Res};
use crate::x86::flags::Flags;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Whether an instruction only keeps accesses in order: a fence, or what compilers write in its place, an atomic operation on
/// the top of the stack that leaves it as it was.
pub(super) fn is_fence(d: &Instruction) -> bool {
    let keeps = matches!(d.mnemonic(), Mnemonic::Or | Mnemonic::Add | Mnemonic::Sub | Mnemonic::Xor);
    let own = d.op0_kind() == OpKind::Memory
        && d.memory_base() == Register::RSP
        && d.memory_index() == Register::None;
    op(d.mnemonic()) == Some(Op::Fence)
        || d.has_lock_prefix() && keeps && own && matches!(d.try_immediate(1), Ok(0))
}

/// Whether an instruction is an event by itself: a fence, or the first of the two that [`split`] makes of an atomic one.
pub(crate) fn is_event(d: &Instruction) -> bool {
    d.has_lock_prefix() || op(d.mnemonic()) == Some(Op::Fence)
}

/// An atomic instruction as two: the event, and what it does, where that is anything.
#[must_use]
pub fn split(d: &Instruction) -> Option<(Instruction, Option<Instruction>)> {
    let exchanges = d.mnemonic() == Mnemonic::Xchg && d.op0_kind() == OpKind::Memory;
    if !d.has_lock_prefix() && !exchanges {
        return None;
    }
    let (mut event, mut plain) = (*d, *d);
    event.set_has_lock_prefix(true);
    plain.set_has_lock_prefix(false);
    Some((event, (!is_fence(d)).then_some(plain)))
}

impl Code<'_> {
    /// The event of an atomic instruction: what it is called, where it is, and what goes into it.
    pub(super) fn atomic<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize) -> Res<Effect<D>> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        if is_fence(ins) {
            if ins.rflags_modified() != 0 {
                m.flags = Flags::Unknown;
            }
            let nothing = d.num(64, 0);
            return Ok(Effect::Event("fence".to_owned(), nothing));
        }
        let sources = match op(ins.mnemonic()) {
            Some(Op::Alu(_) | Op::Xchg | Op::ExchangeAdd) => vec![1],
            Some(Op::Unary(_) | Op::CompareExchange) => (1..ins.op_count()).collect(),
            _ => return Err(self.f.unsupported(i, "this atomic instruction")),
        };
        if ins.segment_prefix() != Register::None {
            return Err(self.f.unsupported(i, "an atomic instruction in a segment"));
        }
        let w = self.bits(insn, 0);
        // What may not be accessed stops the program here.
        self.operand(d, m, (i, 0), w)?;
        let mut operands = self.effective(d, m, i)?;
        for source in sources {
            let value = self.operand(d, m, (i, source), w)?;
            operands = d.concat(&operands, &value);
        }
        if op(ins.mnemonic()) == Some(Op::CompareExchange) {
            let expected = self.read(d, m, i, Register::RAX)?;
            let expected = d.zfit(&expected, w);
            operands = d.concat(&operands, &expected);
        }
        let name = format!("atomic {} {w}", format!("{:?}", ins.mnemonic()).to_lowercase());
        Ok(Effect::Event(name, operands))
    }
}
