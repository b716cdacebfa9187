//! Arithmetic and logic on integers.

use super::flags::{Each, Flags};
use crate::bits;
use crate::domain::{BitOp, Domain, Ext};

/// Two-operand arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alu {
    /// Sum.
    Add,
    /// Sum with carry.
    Adc,
    /// Difference.
    Sub,
    /// Difference with borrow.
    Sbb,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise or of numbers without a bit in common, or their sum: later passes choose.
    OrDisjoint,
    /// Bitwise exclusive or.
    Xor,
    /// Signed product, lower half.
    Imul,
}

impl Alu {
    /// The result and its flags; none where the carry flag is asked for and undefined. Products have flags only where
    /// `wanted`.
    pub fn value<D: Domain>(
        self,
        d: &mut D,
        old: &Flags<D>,
        (a, b): (&D::Bv, &D::Bv),
        wanted: bool,
    ) -> Option<(D::Bv, Flags<D>)> {
        let w = d.width(a);
        let bitwise = |d: &mut D, op: BitOp| {
            let value = d.bin(op, a, b);
            (value.clone(), Flags::Logic(value))
        };
        Some(match self {
            Alu::Add => (d.add(a, b), Flags::Add(a.clone(), b.clone(), None)),
            Alu::Sub => (d.sub(a, b), Flags::Sub(a.clone(), b.clone(), None)),
            Alu::Adc => {
                let carry = old.carry(d)?;
                let c = d.bool_to_bv(&carry);
                let sum = d.add(a, b);
                let extra = d.zfit(&c, w);
                (d.add(&sum, &extra), Flags::Add(a.clone(), b.clone(), Some(c)))
            }
            Alu::Sbb => {
                let carry = old.carry(d)?;
                let c = d.bool_to_bv(&carry);
                let difference = d.sub(a, b);
                let extra = d.zfit(&c, w);
                (d.sub(&difference, &extra), Flags::Sub(a.clone(), b.clone(), Some(c)))
            }
            Alu::And => bitwise(d, BitOp::And),
            Alu::Or => bitwise(d, BitOp::Or),
            Alu::Xor => bitwise(d, BitOp::Xor),
            Alu::OrDisjoint => (d.bin(BitOp::Or, a, b), Flags::Unknown),
            Alu::Imul => {
                let value = d.bin(BitOp::Mul, a, b);
                if !wanted {
                    return Some((value, Flags::Unknown));
                }
                let over = bits::overflows(d, BitOp::Mul, a, b, true);
                (value, Flags::of_overflow(over))
            }
        })
    }
}

/// One-operand arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// Add one, carry kept.
    Inc,
    /// Subtract one, carry kept.
    Dec,
    /// Negate.
    Neg,
    /// Complement, flags kept.
    Not,
}

impl Unary {
    /// The result, and its flags where they change; those of sums only where `wanted`.
    pub fn value<D: Domain>(
        self,
        d: &mut D,
        old: &Flags<D>,
        a: &D::Bv,
        wanted: bool,
    ) -> (D::Bv, Option<Flags<D>>) {
        let w = d.width(a);
        let one = d.num(w, 1);
        let (value, flags) = match self {
            Unary::Not => return (d.bv_not(a), None),
            Unary::Neg => {
                let zero = d.num(w, 0);
                return (d.sub(&zero, a), Some(Flags::Sub(zero, a.clone(), None)));
            }
            Unary::Inc => (d.add(a, &one), Flags::Add(a.clone(), one, None)),
            Unary::Dec => (d.sub(a, &one), Flags::Sub(a.clone(), one, None)),
        };
        if !wanted {
            return (value, Some(flags));
        }
        let carry = old.carry(d);
        let each = Each { carry, ..flags.each(d) };
        (value, Some(Flags::Each(Box::new(each))))
    }
}

/// A product of two numbers in twice their width.
pub struct Product<D: Domain> {
    /// All of it.
    pub whole: D::Bv,
    /// Its lower half.
    pub low: D::Bv,
    /// Its upper half.
    pub high: D::Bv,
}

/// Multiplies, signed or not.
pub fn multiply<D: Domain>(d: &mut D, a: &D::Bv, b: &D::Bv, signed: bool) -> Product<D> {
    let w = d.width(a);
    let (x, y) = extended(d, (a, b), 2 * w, signed);
    let whole = d.bin(BitOp::Mul, &x, &y);
    let (low, high) = (d.zfit(&whole, w), d.extract(2 * w - 1, w, &whole));
    Product { whole, low, high }
}

impl<D: Domain> Product<D> {
    /// The flags: whether the upper half is no extension of the lower.
    pub fn flags(&self, d: &mut D, signed: bool) -> Flags<D> {
        let width = d.width(&self.whole);
        let back = if signed { d.sfit(&self.low, width) } else { d.zfit(&self.low, width) };
        let over = d.ne(&back, &self.whole);
        Flags::of_overflow(over)
    }
}

fn extended<D: Domain>(d: &mut D, (a, b): (&D::Bv, &D::Bv), width: u32, signed: bool) -> (D::Bv, D::Bv) {
    if signed { (d.sfit(a, width), d.sfit(b, width)) } else { (d.zfit(a, width), d.zfit(b, width)) }
}

/// A quotient with what is left.
pub struct Division<D: Domain> {
    /// The quotient.
    pub quotient: D::Bv,
    /// The remainder.
    pub remainder: D::Bv,
    /// When the processor faults: any of these.
    pub faults: Vec<D::Bool>,
}

/// Divides a number of twice the divisor's width, signed or not.
pub fn divide<D: Domain>(d: &mut D, wide: &D::Bv, b: &D::Bv, signed: bool) -> Division<D> {
    let w = d.width(b);
    let mut faults = vec![d.is_zero(b)];
    let lo = d.zfit(wide, w);
    let (q, r) = if signed { (BitOp::SDiv, BitOp::SRem) } else { (BitOp::UDiv, BitOp::URem) };
    // The usual preparation makes the wide dividend an extension of its lower half: then the narrow operation
    // is the same, and solvers like it better.
    let extended = if signed { d.sfit(&lo, 2 * w) } else { d.zfit(&lo, 2 * w) };
    let plain = d.eq(&extended, wide);
    if d.as_bool(&plain) == Some(true) {
        if signed {
            let (least, minus) = (d.constant(smt::Bv::smin(w)), d.signed(w, -1));
            let (x, y) = (d.eq(&lo, &least), d.eq(b, &minus));
            faults.push(d.and(&x, &y));
        }
        return Division { quotient: d.bin(q, &lo, b), remainder: d.bin(r, &lo, b), faults };
    }
    let divisor = if signed { d.sfit(b, 2 * w) } else { d.zfit(b, 2 * w) };
    let (quotient, remainder) = (d.bin(q, wide, &divisor), d.bin(r, wide, &divisor));
    let narrow = d.zfit(&quotient, w);
    let back = if signed { d.sfit(&narrow, 2 * w) } else { d.zfit(&narrow, 2 * w) };
    faults.push(d.ne(&back, &quotient));
    Division { quotient: narrow, remainder: d.zfit(&remainder, w), faults }
}
