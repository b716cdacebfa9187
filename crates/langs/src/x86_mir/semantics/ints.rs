//! Integer instructions: operands in, what the processor computes of them, results and flags out.

use super::table::{Form, Opcode, Sem};
use super::{Res, State, X86};
use crate::assumption::Assumption;
use crate::bits;
use crate::choice::scan_of_zero;
use crate::domain::{BitOp, Domain, Ext};
use crate::memory::objects::NamedObjects;
use crate::x86::alu::{Alu, Unary, divide, multiply};
use crate::x86::bits::{BitTest, Bmi, Count};
use crate::x86::flags::{Each, Flags};
use crate::x86::regs::{PhysReg, Unit};
use crate::x86::shift::{Shift, Shifted};
use crate::x86_mir::ast::{MachineBlock, MachineInst, Operand};

/// The accumulator (or `dx`) in a width.
fn acc(n: u8, width: u32) -> PhysReg {
    PhysReg::gpr(n, width as u16)
}

const AH: PhysReg = PhysReg { unit: Unit::Gpr(0), lo: 8, width: 8 };

/// An instruction at hand: itself, its opcode, its explicit operands.
#[derive(Clone, Copy)]
pub(super) struct Current<'a> {
    /// The instruction.
    pub inst: &'a MachineInst,
    /// Its opcode.
    pub op: Opcode,
    /// Its operands that are not implicit.
    pub ex: &'a [&'a Operand],
}

impl<O: NamedObjects> X86<'_, O> {
    pub(super) fn integer<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        match c.op.sem {
            Sem::Cmp | Sem::Test => self.compare(d, st, c),
            Sem::Alu(alu) => self.alu(d, st, c, alu),
            Sem::Unary(unary) => self.unary(d, st, c, unary),
            Sem::Shift(shift) => self.shift(d, st, c, shift),
            Sem::MulWide(signed) => self.mul_wide(d, st, c, signed),
            Sem::Divide(signed) => self.divide(d, st, c, signed),
            Sem::SignUpper | Sem::SignAcc => self.extend_accumulator(d, st, c),
            Sem::Bswap => {
                let a = self.read(d, st, self.at(c.ex, 1)?, c.op.width)?;
                let value = bits::byte_swap(d, &a);
                self.write(d, st, self.at(c.ex, 0)?, &value)
            }
            Sem::MovReversed => match c.op.form {
                Form::MR => {
                    let a = self.read(d, st, self.at(c.ex, 5)?, c.op.width)?;
                    let value = bits::byte_swap(d, &a);
                    self.store(d, st, c.ex, &value)
                }
                _ => {
                    let a = self.load(d, st, self.tail(c.ex, 1)?, c.op.width)?;
                    let value = bits::byte_swap(d, &a);
                    self.write(d, st, self.at(c.ex, 0)?, &value)
                }
            },
            Sem::BitTest(test) => self.bit_test(d, st, c, test),
            Sem::Count(count) => self.count(d, st, c, count),
            Sem::Bmi(bmi) => self.bmi(d, st, c, bmi),
            Sem::Mulx(high) => self.mulx(d, st, c, high),
            Sem::Cmov | Sem::Setcc | Sem::SetCarry => self.by_condition(d, st, c),
            _ => self.unsupported("integer instruction"),
        }
    }

    fn compare<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        Current { inst, op, ex }: Current<'_>,
    ) -> Res<()> {
        let w = op.width;
        let (a, b) = match op.form {
            Form::RR | Form::RI => {
                (self.read(d, st, self.at(ex, 0)?, w)?, self.read(d, st, self.at(ex, 1)?, w)?)
            }
            Form::RM => (self.read(d, st, self.at(ex, 0)?, w)?, self.load(d, st, &ex[1..], w)?),
            _ => (self.load(d, st, ex, w)?, self.read(d, st, self.at(ex, 5)?, w)?),
        };
        let flags = match op.sem {
            Sem::Cmp => Flags::Sub(a, b, None),
            _ => Flags::Logic(d.bin(BitOp::And, &a, &b)),
        };
        self.set_flags(st, inst, flags);
        Ok(())
    }

    fn by_condition<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let (w, ex) = (c.op.width, c.ex);
        match c.op.sem {
            Sem::Cmov => {
                let a = self.read(d, st, self.at(ex, 1)?, w)?;
                let (b, code) = match c.op.form {
                    Form::RM => (self.load(d, st, &ex[2..], w)?, self.at(ex, 7)?),
                    _ => (self.read(d, st, self.at(ex, 2)?, w)?, self.at(ex, 3)?),
                };
                let cond = self.condition(d, st, code)?;
                let value = d.ite(&cond, &b, &a);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::Setcc => {
                let memory = c.op.form == Form::M;
                let cond = self.condition(d, st, self.at(ex, if memory { 5 } else { 1 })?)?;
                let bit = d.bool_to_bv(&cond);
                let value = d.zfit(&bit, 8);
                self.output(d, st, c.op, ex, &value)
            }
            _ => {
                let Some(carry) = st.flags.carry(d) else { return self.unsupported("undefined carry flag") };
                let (ones, zero) = (d.signed(w, -1), d.num(w, 0));
                let value = d.ite(&carry, &ones, &zero);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
        }
    }

    /// An operand by position.
    pub(super) fn at<'o>(&self, ex: &[&'o Operand], i: usize) -> Res<&'o Operand> {
        match ex.get(i) {
            Some(o) => Ok(o),
            None => self.unsupported("instruction with too few operands"),
        }
    }

    /// The two inputs of an instruction that writes its result.
    fn inputs<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        op: Opcode,
        ex: &[&Operand],
    ) -> Res<(D::Bv, D::Bv)> {
        let w = op.width;
        Ok(match op.form {
            Form::RM => (self.read(d, st, self.at(ex, 1)?, w)?, self.load(d, st, self.tail(ex, 2)?, w)?),
            Form::MR | Form::MI => (self.load(d, st, ex, w)?, self.read(d, st, self.at(ex, 5)?, w)?),
            Form::RMI => (self.load(d, st, self.tail(ex, 1)?, w)?, self.read(d, st, self.at(ex, 6)?, w)?),
            _ => (self.read(d, st, self.at(ex, 1)?, w)?, self.read(d, st, self.at(ex, 2)?, w)?),
        })
    }

    /// The operands from a position on.
    pub(super) fn tail<'a, 'o>(&self, ex: &'a [&'o Operand], i: usize) -> Res<&'a [&'o Operand]> {
        match ex.get(i..) {
            Some(rest) => Ok(rest),
            None => self.unsupported("instruction with too few operands"),
        }
    }

    fn output<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        op: Opcode,
        ex: &[&Operand],
        value: &D::Bv,
    ) -> Res<()> {
        match op.form {
            Form::MR | Form::MI | Form::M | Form::MCl | Form::M1 => self.store(d, st, ex, value),
            _ => self.write(d, st, self.at(ex, 0)?, value),
        }
    }

    /// The one input of an accumulator instruction.
    fn single<D: Domain>(&self, d: &mut D, st: &mut State<D>, op: Opcode, ex: &[&Operand]) -> Res<D::Bv> {
        match op.form {
            Form::M => self.load(d, st, ex, op.width),
            _ => self.read(d, st, self.at(ex, 0)?, op.width),
        }
    }

    fn condition<D: Domain>(&self, d: &mut D, st: &State<D>, code: &Operand) -> Res<D::Bool> {
        let Operand::Imm(code) = code else { return self.unsupported("condition code") };
        match u32::try_from(*code).ok().and_then(|c| st.flags.condition(d, c)) {
            Some(c) => Ok(c),
            None => self.unsupported(format!("condition {code} on undefined flags")),
        }
    }

    pub(super) fn jump_condition<D: Domain>(&self, d: &mut D, st: &State<D>, code: &Operand) -> Res<D::Bool> {
        self.condition(d, st, code)
    }

    fn alu<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, alu: Alu) -> Res<()> {
        let (a, b) = self.inputs(d, st, c.op, c.ex)?;
        if alu == Alu::OrDisjoint {
            let common = d.bv_and(&a, &b);
            let disjoint = d.is_zero(&common);
            if d.as_bool(&disjoint).is_none() {
                self.assume(Assumption::DisjointOperands);
            }
        }
        let Some((value, flags)) = alu.value(d, &st.flags, (&a, &b), self.flags_live(c.inst)) else {
            return self.unsupported("undefined carry flag");
        };
        self.set_flags(st, c.inst, flags);
        self.output(d, st, c.op, c.ex, &value)
    }

    fn unary<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, unary: Unary) -> Res<()> {
        let a = match c.op.form {
            Form::M => self.load(d, st, c.ex, c.op.width)?,
            _ => self.read(d, st, self.at(c.ex, 1)?, c.op.width)?,
        };
        let (value, flags) = unary.value(d, &st.flags, &a, self.flags_live(c.inst));
        if let Some(flags) = flags {
            self.set_flags(st, c.inst, flags);
        }
        self.output(d, st, c.op, c.ex, &value)
    }

    fn mul_wide<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, signed: bool) -> Res<()> {
        let w = c.op.width;
        let b = self.single(d, st, c.op, c.ex)?;
        let a = self.read_phys(d, st, acc(0, w))?;
        let product = multiply(d, &a, &b, signed);
        st.flags = match self.flags_live(c.inst) {
            true => product.flags(d, signed),
            false => Flags::Unknown,
        };
        if w == 8 {
            return self.write_phys(d, st, acc(0, 16), &product.whole);
        }
        self.write_phys(d, st, acc(0, w), &product.low)?;
        self.write_phys(d, st, acc(2, w), &product.high)
    }

    fn mulx<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, high: bool) -> Res<()> {
        let a = self.read_phys(d, st, acc(2, c.op.width))?;
        let place = if high { 1 } else { 2 };
        let b = match c.op.form {
            Form::RM => self.load(d, st, self.tail(c.ex, place)?, c.op.width)?,
            _ => self.read(d, st, self.at(c.ex, place)?, c.op.width)?,
        };
        let product = multiply(d, &a, &b, false);
        if !high {
            self.write(d, st, self.at(c.ex, 1)?, &product.low)?;
        }
        self.write(d, st, self.at(c.ex, 0)?, &product.high)
    }

    fn divide<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, signed: bool) -> Res<()> {
        let w = c.op.width;
        let b = self.single(d, st, c.op, c.ex)?;
        let wide = if w == 8 {
            self.read_phys(d, st, acc(0, 16))?
        } else {
            let (lo, hi) = (self.read_phys(d, st, acc(0, w))?, self.read_phys(d, st, acc(2, w))?);
            d.concat(&hi, &lo)
        };
        let division = divide(d, &wide, &b, signed);
        for fault in &division.faults {
            self.note_fault(d, st, fault);
        }
        st.flags = Flags::Unknown;
        self.write_phys(d, st, acc(0, w), &division.quotient)?;
        self.write_phys(d, st, if w == 8 { AH } else { acc(2, w) }, &division.remainder)
    }

    fn extend_accumulator<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>) -> Res<()> {
        let w = c.op.width;
        if c.op.sem == Sem::SignAcc {
            let a = self.read_phys(d, st, acc(0, w / 2))?;
            let wide = d.sfit(&a, w);
            return self.write_phys(d, st, acc(0, w), &wide);
        }
        let a = self.read_phys(d, st, acc(0, w))?;
        let wide = d.sfit(&a, 2 * w);
        let hi = d.extract(2 * w - 1, w, &wide);
        self.write_phys(d, st, acc(2, w), &hi)
    }

    fn shift<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, shift: Shift) -> Res<()> {
        let (w, ex, form) = (c.op.width, c.ex, c.op.form);
        let memory = matches!(form, Form::MI | Form::MCl | Form::M1);
        let a = if memory { self.load(d, st, ex, w)? } else { self.read(d, st, self.at(ex, 1)?, w)? };
        let double = shift.is_double();
        let second = if double { Some(self.read(d, st, self.at(ex, 2)?, w)?) } else { None };
        let amount = match form {
            Form::RI => self.read(d, st, self.at(ex, if double { 3 } else { 2 })?, 8)?,
            Form::MI => self.read(d, st, self.at(ex, 5)?, 8)?,
            Form::R1 | Form::M1 => d.num(8, 1),
            _ => self.read_phys(d, st, PhysReg::gpr(1, 8))?,
        };
        let x = Shifted::new(d, a, second, &amount);
        let Some(value) = shift.value(d, &x) else {
            return self.unsupported("16-bit double shift by more than 16");
        };
        if !self.flags_live(c.inst) {
            st.flags = Flags::Unknown;
        } else if let Some(flags) = shift.flags(d, &st.flags, &x, &value) {
            st.flags = flags;
        }
        self.output(d, st, c.op, ex, &value)
    }

    fn bit_test<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, test: BitTest) -> Res<()> {
        let (w, ex) = (c.op.width, c.ex);
        let (a, n) = if c.op.form == Form::MI {
            (self.load(d, st, ex, w)?, self.read(d, st, self.at(ex, 5)?, w)?)
        } else {
            let first = usize::from(test != BitTest::Bt);
            (self.read(d, st, self.at(ex, first)?, w)?, self.read(d, st, self.at(ex, first + 1)?, w)?)
        };
        let (set, value) = test.value(d, &a, &n);
        // Zero is kept; the others are undefined.
        let zero = if self.flags_live(c.inst) { st.flags.zero(d) } else { None };
        let each = Each { carry: Some(set), zero, ..Each::undefined() };
        self.set_flags(st, c.inst, Flags::Each(Box::new(each)));
        match value {
            Some(value) => self.write(d, st, self.at(ex, 0)?, &value),
            None => Ok(()),
        }
    }

    /// The source's block that a scan is in, and its number among the scans that came of that block.
    fn scan_number(&self, inst: &MachineInst) -> Option<(&str, usize)> {
        let scan =
            |i: usize| matches!(self.opcodes[i].map(|o| o.sem), Some(Sem::Count(Count::Bsf | Count::Bsr)));
        let at = self.f.insts.iter().position(|i| i.line == inst.line)?;
        let inside = |b: &&MachineBlock| (b.first as usize..b.end as usize).contains(&at);
        let name = self.f.blocks.iter().find(inside)?.ir_block.as_deref()?;
        let same = self.f.blocks.iter().filter(|b| b.ir_block.as_deref() == Some(name));
        let before =
            same.flat_map(|b| b.first as usize..b.end as usize).filter(|i| *i < at && scan(*i)).count();
        Some((name, before))
    }

    fn count<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, count: Count) -> Res<()> {
        let (w, ex) = (c.op.width, c.ex);
        // From LLVM 20 on, scans have the old destination as an operand.
        let extra = match c.op.form {
            Form::RM => ex.len() > 6,
            _ => ex.len() > 2,
        };
        let first = if count.is_scan() && extra { 2 } else { 1 };
        let a = match c.op.form {
            Form::RM => self.load(d, st, self.tail(ex, first)?, w)?,
            _ => self.read(d, st, self.at(ex, first)?, w)?,
        };
        // What nothing defines is something or other, as without the operand.
        let kept = match first {
            2 => Some(self.at(ex, 1)?).filter(|kept| !self.is_undefined(kept)),
            _ => None,
        };
        let left = match (count.is_scan(), kept) {
            (false, _) => None,
            (true, Some(kept)) => Some(self.read(d, st, kept, w)?),
            (true, None) => Some(match self.scan_number(c.inst) {
                Some((block, n)) => {
                    let left = d.symbol(&scan_of_zero::left(block, n), 64);
                    d.zfit(&left, w)
                }
                None => d.nondet("scan of zero", w),
            }),
        };
        let (value, flags) = count.value(d, &a, left);
        self.set_flags(st, c.inst, flags);
        self.write(d, st, self.at(ex, 0)?, &value)
    }

    fn bmi<D: Domain>(&self, d: &mut D, st: &mut State<D>, c: Current<'_>, bmi: Bmi) -> Res<()> {
        let (w, ex) = (c.op.width, c.ex);
        // The first input may be in memory, and the count or mask is behind it; of `andn`, `pdep` and
        // `pext` it is the second.
        let memory = !matches!(c.op.form, Form::RR | Form::R | Form::RI);
        let first_in_memory = memory && !matches!(bmi, Bmi::Andn | Bmi::Pdep | Bmi::Pext);
        let a = match first_in_memory {
            true => self.load(d, st, self.tail(ex, 1)?, w)?,
            false => self.read(d, st, self.at(ex, 1)?, w)?,
        };
        let b = match first_in_memory {
            _ if bmi.is_unary() => a.clone(),
            false if memory => self.load(d, st, self.tail(ex, 2)?, w)?,
            true => self.read(d, st, self.at(ex, 6)?, w)?,
            false => self.read(d, st, self.at(ex, 2)?, w)?,
        };
        let (value, flags) = bmi.value(d, &a, &b);
        if let Some(flags) = flags {
            self.set_flags(st, c.inst, flags);
        }
        self.write(d, st, self.at(ex, 0)?, &value)
    }
}
