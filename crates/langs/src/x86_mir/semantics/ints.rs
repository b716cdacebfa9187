//! Integer instructions and moves.

use super::table::{Alu, BitTest, Count, Form, Opcode, Sem, Shift, Unary};
use super::{Each, Flags, Res, State, X86};
use crate::assumption::Assumption;
use crate::bits;
use crate::cells::replace_bits;
use crate::domain::{BitOp, Domain, Ext};
use crate::x86_mir::ast::{MachineInst, Operand};
use crate::x86_mir::regs::{PhysReg, Unit};

/// The accumulator (or `dx`) in a width.
fn acc(n: u8, width: u32) -> PhysReg {
    PhysReg::gpr(n, width as u16)
}

const AH: PhysReg = PhysReg { unit: Unit::Gpr(0), lo: 8, width: 8 };

impl X86<'_> {
    pub(super) fn integer<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        op: Opcode,
        ex: &[&Operand],
    ) -> Res<()> {
        let w = op.width;
        match op.sem {
            Sem::Cmp | Sem::Test => {
                let (a, b) = match op.form {
                    Form::RR | Form::RI => {
                        (self.read(d, st, self.at(ex, 0)?, w)?, self.read(d, st, self.at(ex, 1)?, w)?)
                    }
                    Form::RM => (self.read(d, st, self.at(ex, 0)?, w)?, self.load(d, st, &ex[1..], w)?),
                    _ => (self.load(d, st, ex, w)?, self.read(d, st, self.at(ex, 5)?, w)?),
                };
                let flags = if op.sem == Sem::Cmp {
                    Flags::Sub(a, b, None)
                } else {
                    Flags::Logic(d.bin(BitOp::And, &a, &b))
                };
                self.set_flags(st, inst, flags);
                Ok(())
            }
            Sem::Alu(alu) => {
                let (a, b) = self.inputs(d, st, op, ex)?;
                let (value, flags) = self.alu(d, st, inst, alu, &a, &b)?;
                self.set_flags(st, inst, flags);
                self.output(d, st, op, ex, &value)
            }
            Sem::Unary(unary) => {
                let a = match op.form {
                    Form::M => self.load(d, st, ex, w)?,
                    _ => self.read(d, st, self.at(ex, 1)?, w)?,
                };
                let value = self.unary(d, st, inst, unary, &a)?;
                self.output(d, st, op, ex, &value)
            }
            Sem::Shift(shift) => self.shift(d, st, inst, op, shift, ex),
            Sem::MulWide(signed) => {
                let b = self.single(d, st, op, ex)?;
                let a = self.read_phys(d, st, acc(0, w))?;
                let (x, y) = if signed {
                    (d.sfit(&a, 2 * w), d.sfit(&b, 2 * w))
                } else {
                    (d.zfit(&a, 2 * w), d.zfit(&b, 2 * w))
                };
                let product = d.bin(BitOp::Mul, &x, &y);
                let (lo, hi) = (d.zfit(&product, w), d.extract(2 * w - 1, w, &product));
                if self.flags_live(inst) {
                    let back = if signed { d.sfit(&lo, 2 * w) } else { d.zfit(&lo, 2 * w) };
                    let over = d.ne(&back, &product);
                    let each = Each {
                        carry: Some(over.clone()),
                        parity: None,
                        zero: None,
                        sign: None,
                        overflow: Some(over),
                    };
                    st.flags = Flags::Each(Box::new(each));
                } else {
                    st.flags = Flags::Unknown;
                }
                if w == 8 {
                    return self.write_phys(d, st, acc(0, 16), &product);
                }
                self.write_phys(d, st, acc(0, w), &lo)?;
                self.write_phys(d, st, acc(2, w), &hi)
            }
            Sem::Divide(signed) => {
                let b = self.single(d, st, op, ex)?;
                self.divide(d, st, w, signed, &b)
            }
            Sem::SignUpper => {
                let a = self.read_phys(d, st, acc(0, w))?;
                let wide = d.sfit(&a, 2 * w);
                let hi = d.extract(2 * w - 1, w, &wide);
                self.write_phys(d, st, acc(2, w), &hi)
            }
            Sem::SignAcc => {
                let a = self.read_phys(d, st, acc(0, w / 2))?;
                let wide = d.sfit(&a, w);
                self.write_phys(d, st, acc(0, w), &wide)
            }
            Sem::Bswap => {
                let a = self.read(d, st, self.at(ex, 1)?, w)?;
                let value = bits::byte_swap(d, &a);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::BitTest(test) => self.bit_test(d, st, inst, op, test, ex),
            Sem::Count(count) => self.count(d, st, inst, op, count, ex),
            Sem::Cmov => {
                let a = self.read(d, st, self.at(ex, 1)?, w)?;
                let (b, code) = match op.form {
                    Form::RM => (self.load(d, st, &ex[2..], w)?, self.at(ex, 7)?),
                    _ => (self.read(d, st, self.at(ex, 2)?, w)?, self.at(ex, 3)?),
                };
                let cond = self.condition(d, st, code)?;
                let value = d.ite(&cond, &b, &a);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::Setcc => {
                let code = if op.form == Form::M { 5 } else { 1 };
                let cond = self.condition(d, st, self.at(ex, code)?)?;
                let bit = d.bool_to_bv(&cond);
                let value = d.zfit(&bit, 8);
                if op.form == Form::M {
                    return self.store(d, st, ex, &value);
                }
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::SetCarry => {
                let Some(carry) = st.flags.carry(d) else { return self.unsupported("undefined carry flag") };
                let (ones, zero) = (d.signed(w, -1), d.num(w, 0));
                let value = d.ite(&carry, &ones, &zero);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            _ => self.unsupported("integer instruction"),
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

    fn alu<D: Domain>(
        &self,
        d: &mut D,
        st: &State<D>,
        inst: &MachineInst,
        alu: Alu,
        a: &D::Bv,
        b: &D::Bv,
    ) -> Res<(D::Bv, Flags<D>)> {
        let w = d.width(a);
        let carry = |d: &mut D| -> Res<D::Bv> {
            match st.flags.carry(d) {
                Some(c) => Ok(d.bool_to_bv(&c)),
                None => self.unsupported("undefined carry flag"),
            }
        };
        Ok(match alu {
            Alu::Add => (d.add(a, b), Flags::Add(a.clone(), b.clone(), None)),
            Alu::Sub => (d.sub(a, b), Flags::Sub(a.clone(), b.clone(), None)),
            Alu::Adc => {
                let c = carry(d)?;
                let sum = d.add(a, b);
                let extra = d.zfit(&c, w);
                (d.add(&sum, &extra), Flags::Add(a.clone(), b.clone(), Some(c)))
            }
            Alu::Sbb => {
                let c = carry(d)?;
                let difference = d.sub(a, b);
                let extra = d.zfit(&c, w);
                (d.sub(&difference, &extra), Flags::Sub(a.clone(), b.clone(), Some(c)))
            }
            Alu::And | Alu::Or | Alu::Xor => {
                let op = match alu {
                    Alu::And => BitOp::And,
                    Alu::Or => BitOp::Or,
                    _ => BitOp::Xor,
                };
                let value = d.bin(op, a, b);
                (value.clone(), Flags::Logic(value))
            }
            Alu::OrDisjoint => {
                let common = d.bv_and(a, b);
                let disjoint = d.is_zero(&common);
                if d.as_bool(&disjoint).is_none() {
                    self.assume(Assumption::DisjointOperands);
                }
                (d.bin(BitOp::Or, a, b), Flags::Unknown)
            }
            Alu::Imul => {
                let value = d.bin(BitOp::Mul, a, b);
                if !self.flags_live(inst) {
                    return Ok((value, Flags::Unknown));
                }
                let over = bits::overflows(d, BitOp::Mul, a, b, true);
                let each = Each {
                    carry: Some(over.clone()),
                    parity: None,
                    zero: None,
                    sign: None,
                    overflow: Some(over),
                };
                (value, Flags::Each(Box::new(each)))
            }
        })
    }

    fn unary<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        unary: Unary,
        a: &D::Bv,
    ) -> Res<D::Bv> {
        let w = d.width(a);
        let one = d.num(w, 1);
        let (value, flags) = match unary {
            Unary::Not => return Ok(d.bv_not(a)),
            Unary::Neg => {
                let zero = d.num(w, 0);
                (d.sub(&zero, a), Flags::Sub(zero, a.clone(), None))
            }
            Unary::Inc => (d.add(a, &one), Flags::Add(a.clone(), one, None)),
            Unary::Dec => (d.sub(a, &one), Flags::Sub(a.clone(), one, None)),
        };
        if unary == Unary::Neg || !self.flags_live(inst) {
            self.set_flags(st, inst, flags);
            return Ok(value);
        }
        let carry = st.flags.carry(d);
        let each = Each { carry, ..flags.each(d) };
        st.flags = Flags::Each(Box::new(each));
        Ok(value)
    }

    fn divide<D: Domain>(&self, d: &mut D, st: &mut State<D>, w: u32, signed: bool, b: &D::Bv) -> Res<()> {
        let wide = if w == 8 {
            self.read_phys(d, st, acc(0, 16))?
        } else {
            let (lo, hi) = (self.read_phys(d, st, acc(0, w))?, self.read_phys(d, st, acc(2, w))?);
            d.concat(&hi, &lo)
        };
        let zero = d.is_zero(b);
        self.note_fault(d, st, &zero);
        st.flags = Flags::Unknown;
        let lo = d.zfit(&wide, w);
        // The usual preparation makes the wide dividend an extension of its lower half: then the narrow operation
        // is the same, and solvers like it better.
        let extended = if signed { d.sfit(&lo, 2 * w) } else { d.zfit(&lo, 2 * w) };
        let plain = d.eq(&extended, &wide);
        let (quotient, remainder) = if d.as_bool(&plain) == Some(true) {
            let (q, r) = if signed { (BitOp::SDiv, BitOp::SRem) } else { (BitOp::UDiv, BitOp::URem) };
            if signed {
                let (least, minus) = (d.constant(smt::Bv::smin(w)), d.signed(w, -1));
                let (x, y) = (d.eq(&lo, &least), d.eq(b, &minus));
                let over = d.and(&x, &y);
                self.note_fault(d, st, &over);
            }
            (d.bin(q, &lo, b), d.bin(r, &lo, b))
        } else {
            let (q, r) = if signed { (BitOp::SDiv, BitOp::SRem) } else { (BitOp::UDiv, BitOp::URem) };
            let divisor = if signed { d.sfit(b, 2 * w) } else { d.zfit(b, 2 * w) };
            let (quotient, remainder) = (d.bin(q, &wide, &divisor), d.bin(r, &wide, &divisor));
            let narrow = d.zfit(&quotient, w);
            let back = if signed { d.sfit(&narrow, 2 * w) } else { d.zfit(&narrow, 2 * w) };
            let over = d.ne(&back, &quotient);
            self.note_fault(d, st, &over);
            (narrow, d.zfit(&remainder, w))
        };
        self.write_phys(d, st, acc(0, w), &quotient)?;
        self.write_phys(d, st, if w == 8 { AH } else { acc(2, w) }, &remainder)
    }

    fn shift<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        op: Opcode,
        shift: Shift,
        ex: &[&Operand],
    ) -> Res<()> {
        let w = op.width;
        let double = matches!(shift, Shift::Shld | Shift::Shrd);
        let memory = matches!(op.form, Form::MI | Form::MCl | Form::M1);
        let a = if memory { self.load(d, st, ex, w)? } else { self.read(d, st, self.at(ex, 1)?, w)? };
        let second = if double { Some(self.read(d, st, self.at(ex, 2)?, w)?) } else { None };
        let amount = match op.form {
            Form::RI => self.read(d, st, self.at(ex, if double { 3 } else { 2 })?, 8)?,
            Form::MI => self.read(d, st, self.at(ex, 5)?, 8)?,
            Form::R1 | Form::M1 => d.num(8, 1),
            _ => self.read_phys(d, st, PhysReg { unit: Unit::Gpr(1), lo: 0, width: 8 })?,
        };
        // The processor takes the amount modulo 32, or modulo 64 for 64-bit operands.
        let mask = d.num(8, if w == 64 { 63 } else { 31 });
        let amount = d.bin(BitOp::And, &amount, &mask);
        // Narrow shifts may be longer than their operand: compute in 32 bits at least.
        let wide = w.max(32);
        let n = d.zfit(&amount, wide);
        let value = match shift {
            Shift::Shl => {
                let x = d.zfit(&a, wide);
                d.bin(BitOp::Shl, &x, &n)
            }
            Shift::Shr => {
                let x = d.zfit(&a, wide);
                d.bin(BitOp::Lshr, &x, &n)
            }
            Shift::Sar => {
                let x = d.sfit(&a, wide);
                d.bin(BitOp::Ashr, &x, &n)
            }
            Shift::Rol | Shift::Ror => {
                let amount = d.zfit(&amount, w);
                if shift == Shift::Rol {
                    bits::funnel_left(d, &a, &a, &amount)
                } else {
                    bits::funnel_right(d, &a, &a, &amount)
                }
            }
            Shift::Shld | Shift::Shrd => {
                let Some(b) = &second else { return self.unsupported("double shift") };
                if w == 16 && d.as_const(&amount).and_then(|n| n.to_u64()).is_none_or(|n| n > 16) {
                    return self.unsupported("16-bit double shift by more than 16");
                }
                let amount = d.zfit(&amount, w);
                if shift == Shift::Shld {
                    bits::funnel_left(d, &a, b, &amount)
                } else {
                    bits::funnel_right(d, b, &a, &amount)
                }
            }
        };
        let value = d.zfit(&value, w);
        self.shift_flags(d, st, inst, shift, &a, &amount, &value);
        self.output(d, st, op, ex, &value)
    }

    #[allow(clippy::too_many_arguments)]
    fn shift_flags<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        shift: Shift,
        a: &D::Bv,
        amount: &D::Bv,
        value: &D::Bv,
    ) {
        if !self.flags_live(inst) {
            st.flags = Flags::Unknown;
            return;
        }
        let w = d.width(a);
        let known = d.as_const(amount).and_then(|n| n.to_u64());
        if known == Some(0) {
            return;
        }
        let carry = match (shift, known) {
            (Shift::Shl | Shift::Shld, Some(n)) if n <= u64::from(w) => {
                let bit = d.extract(w - n as u32, w - n as u32, a);
                Some(d.bv_to_bool(&bit))
            }
            (Shift::Shr | Shift::Sar | Shift::Shrd, Some(n)) if n <= u64::from(w) => {
                let bit = d.extract(n as u32 - 1, n as u32 - 1, a);
                Some(d.bv_to_bool(&bit))
            }
            _ => None,
        };
        if matches!(shift, Shift::Rol | Shift::Ror) {
            // Rotations leave zero, sign and parity as they were; their carry is not modelled.
            let each = Each { carry: None, overflow: None, ..st.flags.each(d) };
            st.flags = Flags::Each(Box::new(each));
            return;
        }
        let (zero, sign, parity) = (d.is_zero(value), d.sign(value), super::flags::parity(d, value));
        let new = Each { carry, parity: Some(parity), zero: Some(zero), sign: Some(sign), overflow: None };
        if known.is_some() {
            st.flags = Flags::Each(Box::new(new));
            return;
        }
        // A count that is zero keeps the flags.
        let kept = d.is_zero(amount);
        let old = st.flags.each(d);
        let mix = |d: &mut D, o: Option<D::Bool>, n: Option<D::Bool>| match (o, n) {
            (Some(o), Some(n)) => Some(d.ite_bool(&kept, &o, &n)),
            _ => None,
        };
        let each = Each {
            carry: None,
            overflow: None,
            parity: mix(d, old.parity, new.parity),
            zero: mix(d, old.zero, new.zero),
            sign: mix(d, old.sign, new.sign),
        };
        st.flags = Flags::Each(Box::new(each));
    }

    fn bit_test<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        op: Opcode,
        test: BitTest,
        ex: &[&Operand],
    ) -> Res<()> {
        let w = op.width;
        let writes = test != BitTest::Bt;
        let (a, n) = if op.form == Form::MI {
            (self.load(d, st, ex, w)?, self.read(d, st, self.at(ex, 5)?, w)?)
        } else {
            let first = usize::from(writes);
            (self.read(d, st, self.at(ex, first)?, w)?, self.read(d, st, self.at(ex, first + 1)?, w)?)
        };
        let mask = d.num(w, u128::from(w - 1));
        let n = d.bin(BitOp::And, &n, &mask);
        let shifted = d.bin(BitOp::Lshr, &a, &n);
        let carry = d.is_set(&shifted);
        let one = d.num(w, 1);
        let bit = d.bin(BitOp::Shl, &one, &n);
        // Zero is kept; the others are undefined.
        let zero = if self.flags_live(inst) { st.flags.zero(d) } else { None };
        let each = Each { carry: Some(carry), parity: None, zero, sign: None, overflow: None };
        self.set_flags(st, inst, Flags::Each(Box::new(each)));
        let value = match test {
            BitTest::Bt => return Ok(()),
            BitTest::Bts => d.bin(BitOp::Or, &a, &bit),
            BitTest::Btr => {
                let clear = d.bv_not(&bit);
                d.bin(BitOp::And, &a, &clear)
            }
            BitTest::Btc => d.bin(BitOp::Xor, &a, &bit),
        };
        self.write(d, st, self.at(ex, 0)?, &value)
    }

    /// The source's block that a scan is in, and its number among the scans that came of that block.
    fn scan_number(&self, inst: &MachineInst) -> Option<(&str, usize)> {
        let scan =
            |i: usize| matches!(self.opcodes[i].map(|o| o.sem), Some(Sem::Count(Count::Bsf | Count::Bsr)));
        let at = self.f.insts.iter().position(|i| i.line == inst.line)?;
        let inside =
            |b: &&crate::x86_mir::ast::MachineBlock| (b.first as usize..b.end as usize).contains(&at);
        let name = self.f.blocks.iter().find(inside)?.ir_block.as_deref()?;
        let same = self.f.blocks.iter().filter(|b| b.ir_block.as_deref() == Some(name));
        let before =
            same.flat_map(|b| b.first as usize..b.end as usize).filter(|i| *i < at && scan(*i)).count();
        Some((name, before))
    }

    fn count<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        op: Opcode,
        count: Count,
        ex: &[&Operand],
    ) -> Res<()> {
        let w = op.width;
        // From LLVM 20 on, scans have the old destination as an operand.
        let scan = matches!(count, Count::Bsf | Count::Bsr);
        let extra = match op.form {
            Form::RM => ex.len() > 6,
            _ => ex.len() > 2,
        };
        let first = if scan && extra { 2 } else { 1 };
        let a = match op.form {
            Form::RM => self.load(d, st, self.tail(ex, first)?, w)?,
            _ => self.read(d, st, self.at(ex, first)?, w)?,
        };
        let zero = d.is_zero(&a);
        let mut flags =
            Each { carry: None, parity: None, zero: Some(zero.clone()), sign: None, overflow: None };
        let value = match count {
            Count::Bsf | Count::Bsr => {
                let value =
                    if count == Count::Bsf { bits::lowest_set(d, &a) } else { bits::highest_set(d, &a) };
                let old = match first {
                    2 => self.read(d, st, self.at(ex, 1)?, w)?,
                    _ => match self.scan_number(inst) {
                        Some((block, n)) => {
                            let left = d.symbol(&bits::scan_of_zero(block, n), 64);
                            d.zfit(&left, w)
                        }
                        None => d.nondet("scan of zero", w),
                    },
                };
                d.ite(&zero, &old, &value)
            }
            Count::Popcnt => {
                let no = d.bool(false);
                (flags.carry, flags.parity, flags.sign, flags.overflow) =
                    (Some(no.clone()), Some(no.clone()), Some(no.clone()), Some(no));
                bits::popcount(d, &a)
            }
            Count::Lzcnt | Count::Tzcnt => {
                let value = if count == Count::Lzcnt {
                    bits::leading_zeros(d, &a)
                } else {
                    bits::trailing_zeros(d, &a)
                };
                flags.carry = Some(zero);
                flags.zero = Some(d.is_zero(&value));
                value
            }
        };
        self.set_flags(st, inst, Flags::Each(Box::new(flags)));
        self.write(d, st, self.at(ex, 0)?, &value)
    }

    pub(super) fn moves<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        inst: &MachineInst,
        op: Opcode,
        ex: &[&Operand],
    ) -> Res<()> {
        let w = op.width;
        let aligned = {
            let name = self.m.names.text(inst.opcode);
            name.starts_with("MOVAP") || name.starts_with("MOVDQA")
        };
        match op.sem {
            Sem::Mov => match op.form {
                Form::MR | Form::MI => {
                    if aligned {
                        self.check_aligned(d, st, ex)?;
                    }
                    let value = self.read(d, st, self.at(ex, 5)?, w)?;
                    self.store(d, st, ex, &value)
                }
                Form::RM => {
                    if aligned {
                        self.check_aligned(d, st, self.tail(ex, 1)?)?;
                    }
                    let value = self.load(d, st, self.tail(ex, 1)?, w)?;
                    self.write_fit(d, st, self.at(ex, 0)?, &value)
                }
                _ => {
                    let value = self.read(d, st, self.at(ex, 1)?, w)?;
                    self.write_fit(d, st, self.at(ex, 0)?, &value)
                }
            },
            Sem::MovZextImm(from) => {
                let value = self.read(d, st, self.at(ex, 1)?, from)?;
                let value = d.zfit(&value, w);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::MovFit(from) | Sem::Movzx(from) | Sem::Movsx(from) => {
                let value = match op.form {
                    Form::RM => self.load(d, st, self.tail(ex, 1)?, from)?,
                    _ => self.read(d, st, self.at(ex, 1)?, from)?,
                };
                let value = match op.sem {
                    Sem::Movsx(_) => d.sfit(&value, w),
                    _ => d.zfit(&value, w),
                };
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::Constant(n) => {
                if self.flags_live(inst) {
                    // Zero is an exclusive or of a register with itself; the others go by several instructions.
                    let zero = d.num(w, 0);
                    st.flags = if n == 0 { Flags::Logic(zero) } else { Flags::Unknown };
                }
                let value = d.signed(w, i128::from(n));
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::Lea(_) => {
                let at = self.address(d, st, self.tail(ex, 1)?, w)?;
                self.write(d, st, self.at(ex, 0)?, &at)
            }
            Sem::Copy => self.copy(d, st, inst),
            Sem::Undefined => match ex.first() {
                Some(target) => {
                    let width = self.operand_width(target)?;
                    let value = self.undefined(d, inst, width);
                    self.write(d, st, target, &value)
                }
                None => Ok(()),
            },
            Sem::SubregToReg => {
                // The operation that made the value has cleared the rest of the register.
                let (Operand::SubReg(0, w), width) = (self.at(ex, 3)?, self.operand_width(self.at(ex, 0)?)?)
                else {
                    return self.unsupported("SUBREG_TO_REG of this form");
                };
                let source = self.at(ex, 2)?;
                let value = self.read(d, st, source, u32::from(*w))?;
                // The claim is true of instructions that write 32 bits, not of copies.
                let have = u32::from(*w);
                let cleared = have == 32 && width == 64 && !self.leaves_upper(source);
                let value = if cleared || have >= width {
                    d.zfit(&value, width)
                } else {
                    let upper = d.nondet("upper", width - have);
                    d.concat(&upper, &value)
                };
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::InsertSubreg => {
                let Operand::SubReg(lo, w) = self.at(ex, 3)? else {
                    return self.unsupported("INSERT_SUBREG of this form");
                };
                let width = self.operand_width(self.at(ex, 0)?)?;
                let old = self.read(d, st, self.at(ex, 1)?, width)?;
                let value = self.read(d, st, self.at(ex, 2)?, u32::from(*w))?;
                let value = replace_bits(d, &old, &value, u32::from(*lo));
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            Sem::ExtractSubreg => {
                let Operand::SubReg(lo, w) = self.at(ex, 2)? else {
                    return self.unsupported("EXTRACT_SUBREG of this form");
                };
                let width = self.operand_width(self.at(ex, 1)?)?;
                let value = self.read(d, st, self.at(ex, 1)?, width)?;
                let (lo, w) = (u32::from(*lo), u32::from(*w));
                let value = d.extract(lo + w - 1, lo, &value);
                self.write(d, st, self.at(ex, 0)?, &value)
            }
            _ => self.unsupported("REG_SEQUENCE"),
        }
    }

    /// Whether the instruction that made a register's value may leave bits above it.
    fn leaves_upper(&self, operand: &Operand) -> bool {
        let Operand::Reg { reg: crate::x86_mir::ast::Reg::Virtual(n), sub: None, .. } = operand else {
            return true;
        };
        let Some(def) = self.definitions.get(*n as usize).copied().flatten() else { return true };
        if self.copies_zeroed(def as usize) {
            return false;
        }
        matches!(
            self.opcodes.get(def as usize).copied().flatten().map(|o| o.sem),
            None | Some(
                Sem::Copy
                    | Sem::Phi
                    | Sem::Undefined
                    | Sem::InsertSubreg
                    | Sem::ExtractSubreg
                    | Sem::SubregToReg
                    | Sem::RegSequence
            )
        )
    }

    /// Whether an instruction copies a physical register that the last instruction to write it wrote 32 bits of.
    fn copies_zeroed(&self, index: usize) -> bool {
        use crate::x86_mir::ast::Reg;
        let Some(inst) = self.f.insts.get(index) else { return false };
        let (true, [_, Operand::Reg { reg: Reg::Physical(p), sub: None, .. }, ..]) =
            (self.m.names.text(inst.opcode) == "COPY", self.f.operands_of(inst))
        else {
            return false;
        };
        let first = self.f.blocks.iter().find(|b| (b.first as usize..b.end as usize).contains(&index));
        let first = first.map_or(index, |b| b.first as usize);
        for i in (first..index).rev() {
            let writes = self.f.operands_of(&self.f.insts[i]).iter().any(|o| {
                matches!(o, Operand::Reg { reg: Reg::Physical(q), flags, .. } if flags.def && q.unit == p.unit)
            });
            let op = self.opcodes[i];
            let call = !matches!(op, Some(o) if !matches!(o.sem, Sem::Call | Sem::TailCall));
            if call {
                return false;
            }
            if writes {
                return matches!(op, Some(o) if o.width == 32 && matches!(o.sem, Sem::Divide(_) | Sem::MulWide(_) | Sem::SignUpper));
            }
        }
        false
    }

    /// The width of a register operand, its subregister considered.
    fn operand_width(&self, operand: &Operand) -> Res<u32> {
        use crate::x86_mir::ast::Reg;
        match operand {
            Operand::Reg { sub: Some((_, w)), .. } => Ok(u32::from(*w)),
            Operand::Reg { reg: Reg::Virtual(n), .. } => self.vreg_width(*n),
            Operand::Reg { reg: Reg::Physical(p), .. } => Ok(u32::from(p.width)),
            _ => self.unsupported("operand without a width"),
        }
    }

    /// Writes a value, in a vector register below bits that are unspecified.
    pub(super) fn write_fit<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        target: &Operand,
        value: &D::Bv,
    ) -> Res<()> {
        let (have, want) = (d.width(value), self.operand_width(target)?);
        if have < want && want == 128 {
            let upper = d.nondet("upper", want - have);
            let value = d.concat(&upper, value);
            return self.write(d, st, target, &value);
        }
        self.write(d, st, target, value)
    }

    /// `COPY` between registers of one width; between vector registers and scalars in them, of the low bits.
    fn copy<D: Domain>(&self, d: &mut D, st: &mut State<D>, inst: &MachineInst) -> Res<()> {
        let operands = self.f.operands_of(inst);
        let [target, source, ..] = operands else { return self.unsupported("COPY of this form") };
        if !matches!(target, Operand::Reg { flags, .. } if flags.def) {
            // A KILL without a result only marks.
            return Ok(());
        }
        if let Operand::Reg { reg: crate::x86_mir::ast::Reg::Physical(p), .. } = source
            && p.unit == Unit::Flags
        {
            return self.unsupported("copy of the flags");
        }
        let (want, have) = (self.operand_width(target)?, self.operand_width(source)?);
        let killed = self.m.names.text(inst.opcode) == "KILL";
        if killed && want < have {
            // `$cl = KILL $rcx`: the same register, narrower.
            let value = self.read(d, st, source, have)?;
            let value = d.zfit(&value, want);
            return self.write(d, st, target, &value);
        }
        if want == have {
            let value = self.read(d, st, source, have)?;
            return self.write(d, st, target, &value);
        }
        let vector = want.max(have) == 128 && want.min(have) >= 32;
        if !vector {
            return self.unsupported(format!("copy from {have} to {want} bits"));
        }
        let value = self.read(d, st, source, have.min(want))?;
        self.write_fit(d, st, target, &value)
    }
}
