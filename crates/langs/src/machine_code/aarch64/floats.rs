//! Instructions of AArch64 on floating-point numbers: operations that are known by the names that all languages call them.

use super::super::state::{Code, Machine};
use super::exec::flags;
use super::insn::{Float, Op, Sign};
use crate::domain::{Domain, Ext, Res};
use crate::floats::{FloatPred, float_compare};
use crate::operation::{Arithmetic, Conversion, Operation};
use crate::x86::float::{format, multiply_add, square_root};

impl Code<'_> {
    pub(super) fn floating<D: Domain>(
        &self,
        d: &mut D,
        m: &mut Machine<D>,
        (i, op): (usize, &Op),
    ) -> Res<()> {
        let (to, value) = match *op {
            Op::Float { bits, float, to, a, b } => {
                let (a, b) = (self.low_bits(d, m, (i, a), bits)?, self.low_bits(d, m, (i, b), bits)?);
                let arithmetic = match float {
                    Float::Add => Arithmetic::Add,
                    Float::Sub => Arithmetic::Sub,
                    Float::Mul | Float::NegMul => Arithmetic::Mul,
                    Float::Div => Arithmetic::Div,
                };
                let value = d.float_arithmetic(arithmetic, format(bits), &a, &b);
                (to, if float == Float::NegMul { with_sign(d, &value, Sign::Negate) } else { value })
            }
            Op::FloatSign { bits, sign, to, a } => {
                let a = self.low_bits(d, m, (i, a), bits)?;
                (to, with_sign(d, &a, sign))
            }
            Op::FloatNumber { to, number } => (to, d.num(64, u128::from(number))),
            Op::VectorNumber { to, half } => (to, d.num(128, u128::from(half) << 64 | u128::from(half))),
            Op::FloatFused { bits, to, a, b, sum, product, added } => {
                let (a, b) = (self.low_bits(d, m, (i, a), bits)?, self.low_bits(d, m, (i, b), bits)?);
                let sum = self.low_bits(d, m, (i, sum), bits)?;
                let (a, sum) = (with_sign(d, &a, product), with_sign(d, &sum, added));
                (to, multiply_add(d, &a, &b, &sum))
            }
            Op::MoveBits { bits, to, a } => (to, self.low_bits(d, m, (i, a), bits)?),
            Op::FloatCompare { bits, a, b } => {
                let a = self.low_bits(d, m, (i, a), bits)?;
                let b = match b {
                    Some(b) => self.low_bits(d, m, (i, b), bits)?,
                    None => d.num(bits, 0),
                };
                let kind = format(bits);
                let less = float_compare(d, FloatPred::Olt, kind, &a, &b);
                let equal = float_compare(d, FloatPred::Oeq, kind, &a, &b);
                let unordered = float_compare(d, FloatPred::Uno, kind, &a, &b);
                let carry = d.not(&less);
                m.flags = flags(d, [carry, equal, less, unordered]);
                return Ok(());
            }
            Op::FloatSelect { bits, to, a, b, condition } => {
                let holds = self.holds(d, m, (i, condition))?;
                let (a, b) = (self.low_bits(d, m, (i, a), bits)?, self.low_bits(d, m, (i, b), bits)?);
                (to, d.ite(&holds, &a, &b))
            }
            Op::FloatRoot { bits, to, a } => {
                let a = self.low_bits(d, m, (i, a), bits)?;
                (to, square_root(d, a))
            }
            Op::FloatFormat { from, into, to, a } => {
                let a = self.low_bits(d, m, (i, a), from)?;
                let conversion = Conversion::Format { from: format(from), to: format(into) };
                (to, d.operation(&Operation::Convert(conversion), &[a], into))
            }
            Op::FromInteger { signed, bits, into, to, a } => {
                let a = self.low_bits(d, m, (i, a), bits)?;
                let conversion = Conversion::FromInt { signed, bits, to: format(into) };
                (to, d.operation(&Operation::Convert(conversion), &[a], into))
            }
            Op::ToInteger { from, signed, bits, to, a } => {
                let a = self.low_bits(d, m, (i, a), from)?;
                let conversion = Conversion::ToInt { from: format(from), signed, bits };
                (to, d.operation(&Operation::Convert(conversion), &[a], bits))
            }
            _ => return Err(self.f.unsupported(i, "this form of the instruction")),
        };
        self.give(d, m, (i, to), &value)
    }
}

/// A number with its sign changed, or not.
fn with_sign<D: Domain>(d: &mut D, a: &D::Bv, sign: Sign) -> D::Bv {
    let width = d.width(a);
    if sign == Sign::Same {
        return a.clone();
    }
    let top = d.num(width, 1 << (width - 1));
    match sign {
        Sign::Negate => d.bv_xor(a, &top),
        _ => {
            let rest = d.bv_not(&top);
            d.bv_and(a, &rest)
        }
    }
}
