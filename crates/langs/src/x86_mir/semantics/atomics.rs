//! Atomic accesses: `lock`ed instructions, `xchg`, and moves that later passes must not move others across. Each is an
//! event, named as its source's is: by what is done and by the orders that its memory operand has.

use super::ints::Current;
use super::table::{Form, Sem};
use super::{Effect, Res, State, X86};
use crate::domain::Domain;
use crate::memory::atomic::{atomic_label, is_relaxed};
use crate::memory::objects::NamedObjects;
use crate::x86::alu::{Alu, Unary};
use crate::x86::bits::BitTest;
use crate::x86::flags::{Each, Flags};
use crate::x86::regs::PhysReg;
use crate::x86_mir::ast::{MachineInst, Operand, Reg};

/// An operation on memory in one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomic {
    /// `xchg`: puts a register there and what was there into a register.
    Exchange,
    /// `lock xadd`: the same with the sum.
    ExchangeAdd,
    /// `lock cmpxchg`: puts a register there if what was there is the accumulator.
    CompareExchange,
    /// A `lock`ed operation with a register or immediate.
    Alu(Alu),
    /// `lock inc` and `lock dec`.
    Unary(Unary),
    /// `lock bts` and the like: a bit of the memory operand.
    Bit(BitTest),
    /// The same with a register, which may reach beyond the operand.
    FarBit(BitTest),
}

/// How far below the end of the stack nothing is touched from outside, in bytes.
const RED_ZONE: i64 = 128;

impl<O: NamedObjects> X86<'_, O> {
    /// The order of an instruction's access where that orders others beside it.
    pub(super) fn ordering(&self, inst: &MachineInst) -> Option<&str> {
        let orders = self.f.mem_of(inst).iter().map(|m| m.orders.as_str());
        orders.into_iter().find(|o| !o.is_empty() && !is_relaxed(o))
    }

    /// Whether an instruction computes with what an atomic event found, and with its own operands, behind the event.
    pub(crate) fn is_update(&self, index: usize) -> bool {
        matches!(self.opcodes.get(index), Some(Some(op)) if matches!(op.sem, Sem::Atomic(_)))
    }

    /// Whether it only stores: the memory operand of an `xchg` that a store became says so.
    pub(crate) fn only_stores(&self, index: usize) -> bool {
        self.f.insts.get(index).is_some_and(|i| self.f.mem_of(i).iter().all(|m| m.store && !m.load))
    }

    /// The event of an instruction that works on memory in one step.
    pub(super) fn atomic<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        c: Current<'_>,
        (atomic, index): (Atomic, usize),
    ) -> Res<Effect<D>> {
        let [access] = self.f.mem_of(c.inst) else {
            return self.unsupported("atomic operation on no memory");
        };
        let (w, bytes) = (c.op.width, c.op.width / 8);
        let place = self.place_of_update(c)?;
        let mut at = self.address(d, st, place, 64)?;
        if let Atomic::FarBit(_) = atomic {
            let number = self.operand_of_update(d, st, c, atomic)?;
            let bytes = BitTest::far(d, w, &number);
            at = d.add(&at, &bytes);
        }
        self.check_access(d, st, (place, &at), bytes, true);
        let store = self.only_stores(index);
        let what = match atomic {
            Atomic::Exchange if store => "store",
            _ if store || !access.load => return self.unsupported("atomic operation that does not load"),
            Atomic::Exchange => "xchg",
            Atomic::ExchangeAdd | Atomic::Alu(Alu::Add | Alu::Sub) => "add",
            Atomic::Unary(Unary::Inc | Unary::Dec) => "add",
            Atomic::CompareExchange => "cmpxchg",
            // Which of them, the bit says below.
            Atomic::Bit(_) | Atomic::FarBit(_) => "",
            Atomic::Alu(Alu::And) => "and",
            Atomic::Alu(Alu::Or) => "or",
            Atomic::Alu(Alu::Xor) => "xor",
            Atomic::Alu(_) | Atomic::Unary(_) => return self.unsupported("atomic operation of this kind"),
        };
        let operand = self.operand_of_update(d, st, c, atomic)?;
        let (what, operand) = match atomic {
            Atomic::Bit(test) | Atomic::FarBit(test) => test.update(d, w, &operand),
            _ => (what, operand),
        };
        let mut args = vec![at];
        match atomic {
            Atomic::CompareExchange => {
                args.extend([self.accumulator(d, st, w)?, operand]);
            }
            Atomic::Alu(Alu::Sub) | Atomic::Unary(Unary::Dec) => {
                let zero = d.num(w, 0);
                args.push(d.sub(&zero, &operand));
            }
            _ => args.push(operand),
        }
        if store {
            // What it gives is nobody's business: the source has no such value.
            let left = d.nondet("exchanged", w);
            self.write(d, st, self.at(c.ex, 0)?, &left)?;
        }
        let label = atomic_label(what, bytes, &access.orders, access.volatile);
        Ok(Effect::Assembly { label, args })
    }

    /// That a `lock`ed `or` is of zero and of the function's own stack, no farther below its end than signal handlers leave
    /// alone: then it is but a fence.
    pub(super) fn changes_nothing(&self, ex: &[&Operand]) -> Res<()> {
        let none = |o: &Operand| matches!(o, Operand::Reg { reg: Reg::None, .. });
        let end = |o: &Operand| matches!(o, Operand::Reg { reg: Reg::Physical(r), .. } if *r == PhysReg::gpr(4, 64));
        match ex {
            [base, Operand::Imm(1), index, Operand::Imm(at), segment, Operand::Imm(0)]
                if end(base) && none(index) && none(segment) && (-RED_ZONE..=0).contains(at) =>
            {
                Ok(())
            }
            _ => self.unsupported("locked operation that may change memory"),
        }
    }

    fn accumulator<D: Domain>(&self, d: &mut D, st: &State<D>, width: u32) -> Res<D::Bv> {
        self.read_phys(d, st, PhysReg::gpr(0, width as u16))
    }

    /// The memory operand.
    fn place_of_update<'a, 'o>(&self, c: Current<'a>) -> Res<&'a [&'o Operand]>
    where
        'a: 'o,
    {
        let first = match c.op.form {
            Form::RM => 2,
            _ => 0,
        };
        self.tail(c.ex, first)
    }

    /// What memory is changed with.
    fn operand_of_update<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        c: Current<'_>,
        atomic: Atomic,
    ) -> Res<D::Bv> {
        let w = c.op.width;
        match atomic {
            Atomic::Unary(_) => Ok(d.num(w, 1)),
            _ if c.op.form == Form::RM => self.read(d, st, self.at(c.ex, 1)?, w),
            _ => self.read(d, st, self.at(c.ex, 5)?, w),
        }
    }

    /// What an update leaves in registers and flags, given what it found in memory.
    pub(super) fn finish_update<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (c, atomic): (Current<'_>, Atomic),
        found: &D::Bv,
    ) -> Res<()> {
        let wanted = self.flags_live(c.inst);
        let flags = match atomic {
            Atomic::Exchange => return self.write(d, st, self.at(c.ex, 0)?, found),
            Atomic::CompareExchange => {
                let accumulator = PhysReg::gpr(0, c.op.width as u16);
                let expected = st.expected.take();
                self.write_phys(d, st, accumulator, found)?;
                match expected {
                    Some(expected) => Flags::Sub(expected, found.clone(), None),
                    None => return self.unsupported("cmpxchg without what it expects"),
                }
            }
            Atomic::ExchangeAdd => {
                let operand = self.operand_of_update(d, st, c, atomic)?;
                self.write(d, st, self.at(c.ex, 0)?, found)?;
                Flags::Add(found.clone(), operand, None)
            }
            Atomic::Alu(alu) => {
                let operand = self.operand_of_update(d, st, c, atomic)?;
                match alu.value(d, &Flags::Unknown, (found, &operand), wanted) {
                    Some((_, flags)) => flags,
                    None => return self.unsupported("undefined carry flag"),
                }
            }
            Atomic::Bit(test) | Atomic::FarBit(test) => {
                let n = self.operand_of_update(d, st, c, atomic)?;
                let (set, _) = test.value(d, found, &n);
                Flags::Each(Box::new(Each { carry: Some(set), ..Each::undefined() }))
            }
            Atomic::Unary(unary) => {
                let (_, flags) = unary.value(d, &Flags::Unknown, found, wanted);
                flags.unwrap_or(Flags::Unknown)
            }
        };
        self.set_flags(st, c.inst, flags);
        Ok(())
    }
}
