//! Instructions on integers.

use super::super::facts::Known;
use super::super::function::Reference;
use super::super::state::{Code, Machine};
use super::table::Op;
use super::track;
use super::uses::forgets;
use crate::bits;
use crate::domain::{Domain, Ext, Res};
use crate::x86::alu::{Alu, divide, multiply};
use crate::x86::bits::{BitTest, Count};
use crate::x86::flags::Flags;
use crate::x86::shift::{Shift, Shifted};
use iced_x86::{Mnemonic, OpKind, Register};

/// The accumulator of a width.
fn accumulator(bits: u32) -> Register {
    match bits {
        8 => Register::AL,
        16 => Register::AX,
        32 => Register::EAX,
        _ => Register::RAX,
    }
}

/// The upper half of a product or dividend of a width.
fn upper(bits: u32) -> Register {
    match bits {
        8 => Register::AH,
        16 => Register::DX,
        32 => Register::EDX,
        _ => Register::RDX,
    }
}

impl Code<'_> {
    pub(super) fn integer<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, op: Op) -> Res<()> {
        let insn = &self.f.insns[i];
        let ins = insn.x86();
        let w = self.bits(insn, 0);
        match op {
            Op::Mov => self.mov(d, m, i, w),
            Op::Movzx | Op::Movsx => self.extend(d, m, i, (op == Op::Movsx, w)),
            Op::Lea => {
                let at = self.effective(d, m, i)?;
                self.put(d, m, (i, 0), &at)
            }
            Op::Alu(alu) => self.alu(d, m, i, (alu, w)),
            Op::Cmp | Op::Test => {
                let (a, b) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
                m.flags = match op {
                    Op::Cmp => Flags::Sub(a, b, None),
                    _ => Flags::Logic(d.bv_and(&a, &b)),
                };
                Ok(())
            }
            Op::Unary(unary) => {
                let a = self.operand(d, m, (i, 0), w)?;
                let (value, flags) = unary.value(d, &m.flags, &a, true);
                if let Some(flags) = flags {
                    m.flags = flags;
                }
                self.put(d, m, (i, 0), &value)
            }
            Op::Imul if ins.op_count() > 1 => self.product(d, m, i, w),
            Op::Imul | Op::Mul => self.wide_product(d, m, i, (op == Op::Imul, w)),
            Op::Div(signed) => self.quotient(d, m, i, (signed, w)),
            Op::Shift(shift) => self.shift(d, m, i, (shift, w)),
            Op::BitTest(test) => self.bit_test(d, m, i, (test, w)),
            Op::Count(count) => self.count(d, m, i, (count, w)),
            Op::Bmi(bmi) => {
                let last = if bmi.is_unary() { 1 } else { 2 };
                let a = self.operand(d, m, (i, 1), w)?;
                let b = self.operand(d, m, (i, last), w)?;
                let (value, flags) = bmi.value(d, &a, &b);
                if let Some(flags) = flags {
                    m.flags = flags;
                }
                self.put(d, m, (i, 0), &value)
            }
            Op::Bswap if w >= 32 => {
                let a = self.operand(d, m, (i, 0), w)?;
                let value = bits::byte_swap(d, &a);
                self.put(d, m, (i, 0), &value)
            }
            Op::Xchg => {
                let (a, b) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
                self.put(d, m, (i, 0), &b)?;
                self.put(d, m, (i, 1), &a)
            }
            Op::ExchangeAdd => self.exchange_add(d, m, i, w),
            Op::CompareExchange => self.compare_exchange(d, m, i, w),
            Op::Cmov => {
                let cond = self.condition(d, m, i)?;
                let (old, new) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
                let value = d.ite(&cond, &new, &old);
                self.put(d, m, (i, 0), &value)
            }
            Op::Set => {
                let cond = self.condition(d, m, i)?;
                let bit = d.bool_to_bv(&cond);
                let value = d.zfit(&bit, 8);
                self.put(d, m, (i, 0), &value)
            }
            Op::ExtendAcc(32) if self.extends_entry(i) => Ok(()),
            Op::ExtendAcc(from) => {
                let a = self.read(d, m, i, accumulator(from))?;
                let value = d.sfit(&a, from * 2);
                self.write(d, m, (i, accumulator(from * 2)), &value)
            }
            Op::SpreadAcc(from) => {
                let a = self.read(d, m, i, accumulator(from))?;
                let wide = d.sfit(&a, from * 2);
                let value = d.extract(from * 2 - 1, from, &wide);
                self.write(d, m, (i, upper(from)), &value)
            }
            Op::Carry(value) => {
                self.carry(d, m, value);
                Ok(())
            }
            _ => Err(self.f.unsupported(i, "this form of the instruction")),
        }
    }

    fn exchange_add<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: u32) -> Res<()> {
        let (a, b) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
        let Some((sum, flags)) = Alu::Add.value(d, &m.flags, (&a, &b), true) else {
            return Err(self.f.unsupported(i, "this form of the instruction"));
        };
        m.flags = flags;
        // The address may be made from the register, and of two equal registers the sum stays.
        if self.f.insns[i].x86().op0_kind() == OpKind::Memory {
            self.put(d, m, (i, 0), &sum)?;
            return self.put(d, m, (i, 1), &a);
        }
        self.put(d, m, (i, 1), &a)?;
        self.put(d, m, (i, 0), &sum)
    }

    fn compare_exchange<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: u32) -> Res<()> {
        let (a, b) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
        let whole = self.read(d, m, i, Register::RAX)?;
        let expected = d.zfit(&whole, w);
        let same = d.eq(&expected, &a);
        m.flags = Flags::Sub(expected, a.clone(), None);
        // The upper half of a register becomes zero only where that is written.
        let full = if w == 32 { d.zfit(&a, 64) } else { bits::replace_bits(d, &whole, &a, 0) };
        let left = d.ite(&same, &whole, &full);
        let value = d.ite(&same, &b, &a);
        let to = self.f.insns[i].x86().op0_register();
        match (to, w) {
            // The address may be made from the accumulator.
            (Register::None, _) => {
                self.put(d, m, (i, 0), &value)?;
                self.write(d, m, (i, Register::RAX), &left)
            }
            (_, 32) => {
                self.write(d, m, (i, Register::RAX), &left)?;
                let (old, new) = (self.read(d, m, i, to.full_register())?, d.zfit(&b, 64));
                let value = d.ite(&same, &new, &old);
                self.write(d, m, (i, to.full_register()), &value)
            }
            _ => {
                self.write(d, m, (i, Register::RAX), &left)?;
                self.put(d, m, (i, 0), &value)
            }
        }
    }

    fn mov<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: u32) -> Res<()> {
        let insn = &self.f.insns[i];
        if let Some(table) = self.table_read(i) {
            let value = self.table_entry(d, m, i, table)?;
            return self.put(d, m, (i, 0), &value);
        }
        if let Some(table) = track::half_read(insn, &|n| self.facts.known(i, n)) {
            // All of the label: nothing but an extension takes it.
            let value = self.table_entry(d, m, i, table)?;
            return self.write(d, m, (i, insn.x86().op0_register().full_register()), &value);
        }
        if let Some(Reference::Table(_)) = &insn.memory {
            return Err(self.f.unsupported(i, "a jump table that is read otherwise than by entries"));
        }
        if insn.x86().op_kind(0) == OpKind::Register
            && super::uses::number(insn.x86().op0_register()).is_none()
        {
            return Err(self.f.unsupported(i, "a segment or control register"));
        }
        let value = self.operand(d, m, (i, 1), w)?;
        self.put(d, m, (i, 0), &value)
    }

    /// The jump table that an instruction reads an entry of.
    fn table_read(&self, i: usize) -> Option<usize> {
        let insn = &self.f.insns[i];
        let entry = insn.x86().op_count() == 2
            && insn.x86().op0_kind() == OpKind::Register
            && insn.x86().op1_kind() == OpKind::Memory
            && matches!(insn.x86().mnemonic(), Mnemonic::Mov | Mnemonic::Movsxd)
            && insn.x86().op0_register().is_gpr64();
        entry.then(|| track::table_read(insn, &|n| self.facts.known(i, n))).flatten()
    }

    fn extend<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        (signed, w): (bool, u32),
    ) -> Res<()> {
        if let Some(table) = self.table_read(i) {
            // Distances: what is added later is the table's address, so the label stands for the sum.
            let value = self.table_entry(d, m, i, table)?;
            return self.put(d, m, (i, 0), &value);
        }
        if self.extends_entry(i) {
            let from = self.f.insns[i].x86().op1_register().full_register();
            let value = self.read_any(d, m, i, from)?;
            return self.put(d, m, (i, 0), &value);
        }
        let from = self.bits(&self.f.insns[i], 1);
        let a = self.operand(d, m, (i, 1), from)?;
        let value = if signed { d.sfit(&a, w) } else { d.zfit(&a, w) };
        self.put(d, m, (i, 0), &value)
    }

    fn alu<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, (alu, w): (Alu, u32)) -> Res<()> {
        let insn = &self.f.insns[i];
        if alu == Alu::Add && self.adds_table(i) {
            // The sum of a jump table's address and an entry: the label already.
            let ins = insn.x86();
            let entry = |r: Register| {
                track::gpr64(r).is_some_and(|n| matches!(self.facts.known(i, n), Known::Entry(_)))
            };
            let from = if entry(ins.op0_register()) { ins.op0_register() } else { ins.op1_register() };
            let value = self.read_any(d, m, i, from)?;
            m.flags = Flags::Unknown;
            return self.put(d, m, (i, 0), &value);
        }
        let (a, b) = match forgets(insn) {
            true => (d.num(w, 0), d.num(w, 0)),
            false => (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?),
        };
        let Some((value, flags)) = alu.value(d, &m.flags, (&a, &b), true) else {
            return Err(self.f.unsupported(i, "a carry that is not defined, or not modelled"));
        };
        m.flags = flags;
        self.put(d, m, (i, 0), &value)
    }

    /// Whether an instruction extends an entry of a jump table to the length of an address.
    fn extends_entry(&self, i: usize) -> bool {
        let from = track::extends(&self.f.insns[i]).map(|(from, _)| self.facts.known(i, from));
        matches!(from, Some(Known::Half(_)))
    }

    fn adds_table(&self, i: usize) -> bool {
        let ins = self.f.insns[i].x86();
        if ins.op0_kind() != OpKind::Register || ins.op1_kind() != OpKind::Register {
            return false;
        }
        let known = |r: Register| track::gpr64(r).map(|n| self.facts.known(i, n));
        matches!(
            (known(ins.op0_register()), known(ins.op1_register())),
            (Some(Known::Entry(a)), Some(Known::Table(b))) | (Some(Known::Table(a)), Some(Known::Entry(b))) if a == b
        )
    }

    fn product<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, w: u32) -> Res<()> {
        let three = self.f.insns[i].x86().op_count() == 3;
        let (first, second) = if three { (1, 2) } else { (0, 1) };
        let (a, b) = (self.operand(d, m, (i, first), w)?, self.operand(d, m, (i, second), w)?);
        let wanted = self.flags_wanted(i);
        let Some((value, flags)) = Alu::Imul.value(d, &m.flags, (&a, &b), wanted) else {
            return Err(self.f.unsupported(i, "a product that is not modelled"));
        };
        m.flags = flags;
        self.put(d, m, (i, 0), &value)
    }

    /// Whether the flags of an instruction are read before the block sets them anew: those of products are dear.
    fn flags_wanted(&self, i: usize) -> bool {
        let Some(block) = self.f.blocks.iter().find(|b| (b.first..b.end).contains(&i)) else { return true };
        for insn in &self.f.insns[i + 1..block.end] {
            if insn.x86().rflags_read() != 0 {
                return true;
            }
            if super::table::sets_all_flags(insn.x86().mnemonic()) {
                return false;
            }
        }
        true
    }

    fn wide_product<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        (signed, w): (bool, u32),
    ) -> Res<()> {
        let a = self.read(d, m, i, accumulator(w))?;
        let b = self.operand(d, m, (i, 0), w)?;
        let product = multiply(d, &a, &b, signed);
        m.flags = if self.flags_wanted(i) { product.flags(d, signed) } else { Flags::Unknown };
        self.write(d, m, (i, accumulator(w)), &product.low)?;
        self.write(d, m, (i, upper(w)), &product.high)
    }

    fn quotient<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        (signed, w): (bool, u32),
    ) -> Res<()> {
        let (high, low) = (self.read(d, m, i, upper(w))?, self.read(d, m, i, accumulator(w))?);
        let wide = d.concat(&high, &low);
        let by = self.operand(d, m, (i, 0), w)?;
        let division = divide(d, &wide, &by, signed);
        for fault in &division.faults {
            m.fault_if(d, fault);
        }
        m.flags = Flags::Unknown;
        self.write(d, m, (i, accumulator(w)), &division.quotient)?;
        self.write(d, m, (i, upper(w)), &division.remainder)
    }

    fn shift<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, (shift, w): (Shift, u32)) -> Res<()> {
        let a = self.operand(d, m, (i, 0), w)?;
        let second = if shift.is_double() { Some(self.operand(d, m, (i, 1), w)?) } else { None };
        let last = if shift.is_double() { 2 } else { 1 };
        let amount = match self.f.insns[i].x86().op_count() > last {
            true => self.operand(d, m, (i, last), 8)?,
            false => d.num(8, 1),
        };
        let shifted = Shifted::new(d, a, second, &amount);
        let Some(value) = shift.value(d, &shifted) else {
            return Err(self.f.unsupported(i, "a shift whose result is not defined"));
        };
        if let Some(flags) = shift.flags(d, &m.flags, &shifted, &value) {
            m.flags = flags;
        }
        self.put(d, m, (i, 0), &value)
    }

    fn bit_test<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        i: usize,
        (test, w): (BitTest, u32),
    ) -> Res<()> {
        let ins = self.f.insns[i].x86();
        if ins.op0_kind() == OpKind::Memory && ins.op1_kind() == OpKind::Register {
            return Err(self.f.unsupported(i, "a bit test that reaches beyond its operand"));
        }
        let (a, n) = (self.operand(d, m, (i, 0), w)?, self.operand(d, m, (i, 1), w)?);
        let (set, value) = test.value(d, &a, &n);
        let old = m.flags.each(d);
        m.flags = Flags::Each(Box::new(crate::x86::flags::Each {
            carry: Some(set),
            zero: old.zero,
            parity: None,
            sign: None,
            overflow: None,
        }));
        match value {
            Some(value) => self.put(d, m, (i, 0), &value),
            None => Ok(()),
        }
    }

    fn count<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, i: usize, (count, w): (Count, u32)) -> Res<()> {
        let a = self.operand(d, m, (i, 1), w)?;
        // A scan of zero leaves what was there; of 32 bits, processors differ in what becomes of the upper half.
        let open = self.spelling.is_some_and(|list| list.contains_key(&i));
        let left = match count.is_scan() {
            // The number of some bit: that there is one is what compilers go by.
            true if open => {
                let bits = w.trailing_zeros();
                let number = d.symbol(&format!("what a scan of zero leaves, {bits} bits"), bits);
                Some(d.zfit(&number, w))
            }
            true => Some(self.operand(d, m, (i, 0), w)?),
            false => None,
        };
        if let (true, 32) = (count.is_scan(), w) {
            let (value, flags) = count.value(d, &a, left);
            m.flags = flags;
            let zero = d.is_zero(&a);
            let (none, upper) = (d.num(32, 0), d.nondet("above a scan of zero", 32));
            let upper = d.ite(&zero, &upper, &none);
            let whole = d.concat(&upper, &value);
            return self.write(d, m, (i, self.f.insns[i].x86().op0_register().full_register()), &whole);
        }
        let (value, flags) = count.value(d, &a, left);
        m.flags = flags;
        self.put(d, m, (i, 0), &value)
    }
}
