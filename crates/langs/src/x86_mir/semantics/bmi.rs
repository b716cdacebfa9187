//! The bit manipulation instructions of later processors (BMI1, BMI2), which code for several processors holds.

use super::table::{Bmi, Form, Opcode};
use super::{Each, Flags, Res, State, X86};
use crate::bits;
use crate::domain::{BitOp, CmpOp, Domain, Ext};
use crate::x86_mir::ast::{MachineInst, Operand};
use crate::x86_mir::regs::{PhysReg, Unit};

impl X86<'_> {
    pub(super) fn bmi<D: Domain>(
        &self,
        d: &mut D,
        st: &mut State<D>,
        (inst, op, bmi): (&MachineInst, Opcode, Bmi),
        ex: &[&Operand],
    ) -> Res<()> {
        let w = op.width;
        if matches!(bmi, Bmi::Mulx | Bmi::MulxHigh) {
            return self.mulx(d, st, w, bmi == Bmi::MulxHigh, ex);
        }
        // The first input may be in memory, and the count or mask is behind it; of `andn` it is the second.
        let memory = op.form != Form::RR && op.form != Form::R && op.form != Form::RI;
        let first_in_memory = memory && bmi != Bmi::Andn;
        let a = match first_in_memory {
            true => self.load(d, st, self.tail(ex, 1)?, w)?,
            false => self.read(d, st, self.at(ex, 1)?, w)?,
        };
        let b = match (bmi, first_in_memory) {
            (Bmi::Blsr | Bmi::Blsi | Bmi::Blsmsk, _) => a.clone(),
            (Bmi::Andn, _) if memory => self.load(d, st, self.tail(ex, 2)?, w)?,
            (_, true) => self.read(d, st, self.at(ex, 6)?, w)?,
            (_, false) => self.read(d, st, self.at(ex, 2)?, w)?,
        };
        let (one, zero) = (d.num(w, 1), d.num(w, 0));
        let below = d.sub(&a, &one);
        let shift = |d: &mut D, op: BitOp| {
            let mask = d.num(w, u128::from(w - 1));
            let n = d.bv_and(&b, &mask);
            d.bin(op, &a, &n)
        };
        let (value, carry) = match bmi {
            Bmi::Mulx | Bmi::MulxHigh => return self.unsupported("mulx"),
            Bmi::Shlx => (shift(d, BitOp::Shl), None),
            Bmi::Shrx => (shift(d, BitOp::Lshr), None),
            Bmi::Sarx => (shift(d, BitOp::Ashr), None),
            Bmi::Rorx => (bits::funnel_right(d, &a, &a, &b), None),
            Bmi::Andn => {
                let not = d.bv_not(&a);
                let value = d.bv_and(&not, &b);
                self.set_flags(st, inst, Flags::Logic(value.clone()));
                (value, None)
            }
            Bmi::Bzhi => {
                let low = d.zfit(&b, 8);
                let index = d.zfit(&low, w);
                let limit = d.num(w, u128::from(w));
                let inside = d.cmp(CmpOp::Ult, &index, &limit);
                let bit = d.bin(BitOp::Shl, &one, &index);
                let mask = d.sub(&bit, &one);
                let cut = d.bv_and(&a, &mask);
                (d.ite(&inside, &cut, &a), Some(d.not(&inside)))
            }
            Bmi::Blsr => (d.bv_and(&a, &below), Some(d.is_zero(&a))),
            Bmi::Blsmsk => (d.bv_xor(&a, &below), Some(d.is_zero(&a))),
            Bmi::Blsi => {
                let negated = d.sub(&zero, &a);
                (d.bv_and(&a, &negated), Some(d.ne(&a, &zero)))
            }
        };
        if let Some(carry) = carry {
            let each = Each {
                carry: Some(carry),
                parity: None,
                zero: Some(d.is_zero(&value)),
                sign: Some(d.sign(&value)),
                overflow: Some(d.bool(false)),
            };
            self.set_flags(st, inst, Flags::Each(Box::new(each)));
        }
        self.write(d, st, self.at(ex, 0)?, &value)
    }

    fn mulx<D: Domain>(&self, d: &mut D, st: &mut State<D>, w: u32, high: bool, ex: &[&Operand]) -> Res<()> {
        let dx = PhysReg { unit: Unit::Gpr(2), lo: 0, width: w as u16 };
        let a = self.read_phys(d, st, dx)?;
        let b = self.read(d, st, self.at(ex, if high { 1 } else { 2 })?, w)?;
        let (a, b) = (d.zfit(&a, 2 * w), d.zfit(&b, 2 * w));
        let product = d.bin(BitOp::Mul, &a, &b);
        let (hi, lo) = (d.extract(2 * w - 1, w, &product), d.zfit(&product, w));
        if !high {
            self.write(d, st, self.at(ex, 1)?, &lo)?;
        }
        self.write(d, st, self.at(ex, 0)?, &hi)
    }
}
