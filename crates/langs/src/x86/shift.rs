//! Shifts and rotations.

use super::flags::{Each, Flags, parity};
use crate::bits;
use crate::domain::{BitOp, Domain, Ext};

/// Shifts and rotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// Left.
    Shl,
    /// Logical right.
    Shr,
    /// Arithmetic right.
    Sar,
    /// Rotate left.
    Rol,
    /// Rotate right.
    Ror,
    /// Double left.
    Shld,
    /// Double right.
    Shrd,
}

/// A number and the amount it is shifted by, in 8 bits and as the processor takes it.
pub struct Shifted<D: Domain> {
    /// The number.
    pub a: D::Bv,
    /// What double shifts shift in.
    pub second: Option<D::Bv>,
    /// The amount.
    pub amount: D::Bv,
}

impl<D: Domain> Shifted<D> {
    /// The processor takes the amount modulo 32, or modulo 64 for 64-bit operands.
    pub fn new(d: &mut D, a: D::Bv, second: Option<D::Bv>, amount: &D::Bv) -> Shifted<D> {
        let mask = d.num(8, if d.width(&a) == 64 { 63 } else { 31 });
        let amount = d.bin(BitOp::And, amount, &mask);
        Shifted { a, second, amount }
    }
}

impl Shift {
    /// Whether it has a second number.
    pub fn is_double(self) -> bool {
        matches!(self, Shift::Shld | Shift::Shrd)
    }

    /// The result; none where the processor leaves it undefined (16-bit double shifts by more than 16).
    pub fn value<D: Domain>(self, d: &mut D, x: &Shifted<D>) -> Option<D::Bv> {
        let w = d.width(&x.a);
        // Narrow shifts may be longer than their operand: compute in 32 bits at least.
        let wide = w.max(32);
        let n = d.zfit(&x.amount, wide);
        let plain = |d: &mut D, op: BitOp| {
            let a = if op == BitOp::Ashr { d.sfit(&x.a, wide) } else { d.zfit(&x.a, wide) };
            let value = d.bin(op, &a, &n);
            d.zfit(&value, w)
        };
        Some(match self {
            Shift::Shl => plain(d, BitOp::Shl),
            Shift::Shr => plain(d, BitOp::Lshr),
            Shift::Sar => plain(d, BitOp::Ashr),
            Shift::Rol | Shift::Ror => {
                let amount = d.zfit(&x.amount, w);
                match self == Shift::Rol {
                    true => bits::funnel_left(d, &x.a, &x.a, &amount),
                    false => bits::funnel_right(d, &x.a, &x.a, &amount),
                }
            }
            Shift::Shld | Shift::Shrd => {
                let b = x.second.as_ref()?;
                if w == 16 && d.as_const(&x.amount).and_then(|n| n.to_u64()).is_none_or(|n| n > 16) {
                    return None;
                }
                let amount = d.zfit(&x.amount, w);
                match self == Shift::Shld {
                    true => bits::funnel_left(d, &x.a, b, &amount),
                    false => bits::funnel_right(d, b, &x.a, &amount),
                }
            }
        })
    }

    /// The last bit shifted out, where the amount is a number.
    fn carry<D: Domain>(self, d: &mut D, a: &D::Bv, amount: Option<u64>) -> Option<D::Bool> {
        let w = d.width(a);
        let n = amount.filter(|n| *n <= u64::from(w))? as u32;
        let place = match self {
            Shift::Shl | Shift::Shld => w - n,
            Shift::Shr | Shift::Sar | Shift::Shrd => n - 1,
            Shift::Rol | Shift::Ror => return None,
        };
        let bit = d.extract(place, place, a);
        Some(d.bv_to_bool(&bit))
    }

    /// The flags behind it, from those before; none where they stay as they were.
    pub fn flags<D: Domain>(
        self,
        d: &mut D,
        old: &Flags<D>,
        x: &Shifted<D>,
        value: &D::Bv,
    ) -> Option<Flags<D>> {
        let known = d.as_const(&x.amount).and_then(|n| n.to_u64());
        if known == Some(0) {
            return None;
        }
        if matches!(self, Shift::Rol | Shift::Ror) {
            // Rotations leave zero, sign and parity as they were; their carry is not modelled.
            let each = Each { carry: None, overflow: None, ..old.each(d) };
            return Some(Flags::Each(Box::new(each)));
        }
        let carry = self.carry(d, &x.a, known);
        let (zero, sign, parity) = (d.is_zero(value), d.sign(value), parity(d, value));
        let new = Each { carry, parity: Some(parity), zero: Some(zero), sign: Some(sign), overflow: None };
        if known.is_some() {
            return Some(Flags::Each(Box::new(new)));
        }
        // A count that is zero keeps the flags.
        let kept = d.is_zero(&x.amount);
        let old = old.each(d);
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
        Some(Flags::Each(Box::new(each)))
    }
}
