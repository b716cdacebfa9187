//! Bit tests, counts and scans, and the bit manipulation of later processors (BMI1, BMI2), which code for several
//! processors holds.

use super::flags::{Each, Flags};
use crate::bits;
use crate::domain::{BitOp, CmpOp, Domain, Ext};

/// Bit tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitTest {
    /// Test.
    Bt,
    /// Test and set.
    Bts,
    /// Test and reset.
    Btr,
    /// Test and complement.
    Btc,
}

impl BitTest {
    /// Whether the bit was set, and the number with the bit changed, if it is.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, n: &D::Bv) -> (D::Bool, Option<D::Bv>) {
        let w = d.width(a);
        let mask = d.num(w, u128::from(w - 1));
        let n = d.bin(BitOp::And, n, &mask);
        let shifted = d.bin(BitOp::Lshr, a, &n);
        let set = d.is_set(&shifted);
        let one = d.num(w, 1);
        let bit = d.bin(BitOp::Shl, &one, &n);
        let value = match self {
            BitTest::Bt => None,
            BitTest::Bts => Some(d.bin(BitOp::Or, a, &bit)),
            BitTest::Btr => {
                let clear = d.bv_not(&bit);
                Some(d.bin(BitOp::And, a, &clear))
            }
            BitTest::Btc => Some(d.bin(BitOp::Xor, a, &bit)),
        };
        (set, value)
    }
}

impl BitTest {
    /// A change of bit `n` in memory, for words of `w` bits: the name of the operation, and the number that a word is combined
    /// with.
    pub fn update<D: Domain>(self, d: &mut D, w: u32, n: &D::Bv) -> (&'static str, D::Bv) {
        let (one, mask) = (d.num(w, 1), d.num(w, u128::from(w - 1)));
        let n = d.bin(BitOp::And, n, &mask);
        let bit = d.bin(BitOp::Shl, &one, &n);
        match self {
            BitTest::Bt => ("or", d.num(w, 0)),
            BitTest::Bts => ("or", bit),
            BitTest::Btr => ("and", d.bv_not(&bit)),
            BitTest::Btc => ("xor", bit),
        }
    }

    /// How many bytes from a place the word lies, of `w` bits, that has bit `n` behind it: a signed number, which a register
    /// holds.
    pub fn far<D: Domain>(d: &mut D, w: u32, n: &D::Bv) -> D::Bv {
        let n = d.sfit(n, 64);
        let (bits, bytes) =
            (d.num(64, u128::from(w.trailing_zeros())), d.num(64, u128::from(w.trailing_zeros() - 3)));
        let words = d.bin(BitOp::Ashr, &n, &bits);
        d.bin(BitOp::Shl, &words, &bytes)
    }
}

/// Bit counts and scans.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Lowest set bit; unchanged destination for zero.
    Bsf,
    /// Highest set bit; unchanged destination for zero.
    Bsr,
    /// Set bits.
    Popcnt,
    /// Leading zeros.
    Lzcnt,
    /// Trailing zeros.
    Tzcnt,
}

impl Count {
    /// Whether it leaves something or other of zero.
    pub fn is_scan(self) -> bool {
        matches!(self, Count::Bsf | Count::Bsr)
    }

    /// The result (of zero, what a scan `left`) and its flags.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, left: Option<D::Bv>) -> (D::Bv, Flags<D>) {
        let zero = d.is_zero(a);
        let mut flags = Each { zero: Some(zero.clone()), ..Each::undefined() };
        let value = match self {
            Count::Bsf | Count::Bsr => {
                let value = if self == Count::Bsf { bits::lowest_set(d, a) } else { bits::highest_set(d, a) };
                match left {
                    Some(left) => d.ite(&zero, &left, &value),
                    None => value,
                }
            }
            Count::Popcnt => {
                let no = d.bool(false);
                (flags.carry, flags.parity, flags.sign, flags.overflow) =
                    (Some(no.clone()), Some(no.clone()), Some(no.clone()), Some(no));
                bits::popcount(d, a)
            }
            Count::Lzcnt | Count::Tzcnt => {
                let value = match self == Count::Lzcnt {
                    true => bits::leading_zeros(d, a),
                    false => bits::trailing_zeros(d, a),
                };
                flags.carry = Some(zero);
                flags.zero = Some(d.is_zero(&value));
                value
            }
        };
        (value, Flags::Each(Box::new(flags)))
    }
}

/// Bit manipulation of later processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bmi {
    /// Left shift, flags kept.
    Shlx,
    /// Logical right shift, flags kept.
    Shrx,
    /// Arithmetic right shift, flags kept.
    Sarx,
    /// Rotate right, flags kept.
    Rorx,
    /// Complement of the first, and.
    Andn,
    /// Clears the bits from an index on.
    Bzhi,
    /// Clears the lowest set bit.
    Blsr,
    /// Keeps only the lowest set bit.
    Blsi,
    /// Mask up to the lowest set bit.
    Blsmsk,
    /// Low bits to the places of a mask, flags kept.
    Pdep,
    /// The bits at the places of a mask, put together, flags kept.
    Pext,
    /// Bits from an index on, so many; both are bytes of the second.
    Bextr,
}

impl Bmi {
    /// Whether it has one input.
    pub fn is_unary(self) -> bool {
        matches!(self, Bmi::Blsr | Bmi::Blsi | Bmi::Blsmsk)
    }

    /// The result, and its flags where they change.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, b: &D::Bv) -> (D::Bv, Option<Flags<D>>) {
        let w = d.width(a);
        let (one, zero) = (d.num(w, 1), d.num(w, 0));
        let below = d.sub(a, &one);
        let shift = |d: &mut D, op: BitOp| {
            let mask = d.num(w, u128::from(w - 1));
            let n = d.bv_and(b, &mask);
            d.bin(op, a, &n)
        };
        let (value, carry) = match self {
            Bmi::Shlx => return (shift(d, BitOp::Shl), None),
            Bmi::Shrx => return (shift(d, BitOp::Lshr), None),
            Bmi::Sarx => return (shift(d, BitOp::Ashr), None),
            Bmi::Rorx => return (bits::funnel_right(d, a, a, b), None),
            Bmi::Pdep => return (bits::deposit(d, a, b), None),
            Bmi::Pext => return (bits::gather(d, a, b), None),
            Bmi::Bextr => {
                let (from, length) = (d.zfit(b, 8), d.extract(15, 8, b));
                let room = w + 8;
                let (wide, from) = (d.zfit(a, room), d.zfit(&from, room));
                let moved = d.bin(BitOp::Lshr, &wide, &from);
                let moved = d.zfit(&moved, w);
                let length = d.zfit(&length, w);
                let (all, ones) = (d.num(w, u128::from(w)), d.signed(w, -1));
                let inside = d.cmp(CmpOp::Ult, &length, &all);
                let bit = d.bin(BitOp::Shl, &one, &length);
                let mask = d.sub(&bit, &one);
                let mask = d.ite(&inside, &mask, &ones);
                let value = d.bv_and(&moved, &mask);
                let no = d.bool(false);
                let each = Each {
                    carry: Some(no.clone()),
                    parity: None,
                    zero: Some(d.is_zero(&value)),
                    sign: None,
                    overflow: Some(no),
                };
                return (value, Some(Flags::Each(Box::new(each))));
            }
            Bmi::Andn => {
                let not = d.bv_not(a);
                (d.bv_and(&not, b), d.bool(false))
            }
            Bmi::Bzhi => {
                let low = d.zfit(b, 8);
                let index = d.zfit(&low, w);
                let limit = d.num(w, u128::from(w));
                let inside = d.cmp(CmpOp::Ult, &index, &limit);
                let bit = d.bin(BitOp::Shl, &one, &index);
                let mask = d.sub(&bit, &one);
                let cut = d.bv_and(a, &mask);
                (d.ite(&inside, &cut, a), d.not(&inside))
            }
            Bmi::Blsr => (d.bv_and(a, &below), d.is_zero(a)),
            Bmi::Blsmsk => (d.bv_xor(a, &below), d.is_zero(a)),
            Bmi::Blsi => {
                let negated = d.sub(&zero, a);
                (d.bv_and(a, &negated), d.ne(a, &zero))
            }
        };
        let each = Each {
            carry: Some(carry),
            parity: None,
            zero: Some(d.is_zero(&value)),
            sign: Some(d.sign(&value)),
            overflow: Some(d.bool(false)),
        };
        (value, Some(Flags::Each(Box::new(each))))
    }
}
