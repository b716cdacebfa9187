//! Bit-vector values of any width: the constants of terms and the values of models.
//!
//! Up to 128 bits the value sits in a `u128`; wider ones use a big integer. Every operation is
//! the SMT-LIB one (division by zero gives all ones, remainder by zero the dividend; shifting by
//! the width or more gives zeros, or copies of the sign).

use num_bigint::BigUint;
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector value with its width in bits (at least 1).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bv {
    width: u32,
    val: Val,
}

/// Invariant: `Small` exactly when the width is at most 128; bits above the width are zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Val {
    Small(u128),
    Big(BigUint),
}

fn mask128(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

fn big_mask(width: u32) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

impl Bv {
    /// The value `v mod 2^width`.
    pub fn new(width: u32, v: u128) -> Bv {
        assert!(width > 0, "a bit-vector has at least one bit");
        let val = if width <= 128 { Val::Small(v & mask128(width)) } else { Val::Big(BigUint::from(v)) };
        Bv { width, val }
    }

    /// The value of a signed number, sign-extended or truncated to `width`.
    pub fn from_i128(width: u32, v: i128) -> Bv {
        if v >= 0 || width <= 128 {
            return Bv::new(width, v as u128);
        }
        Bv::new(width, v.unsigned_abs()).neg()
    }

    /// The value `v mod 2^width` of a big number.
    pub fn from_big(width: u32, v: BigUint) -> Bv {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 128 {
            let mut digits = v.iter_u64_digits();
            let lo = digits.next().unwrap_or(0);
            let hi = digits.next().unwrap_or(0);
            return Bv::new(width, u128::from(lo) | u128::from(hi) << 64);
        }
        Bv { width, val: Val::Big(if v.bits() > u64::from(width) { v & big_mask(width) } else { v }) }
    }

    /// Zero.
    pub fn zero(width: u32) -> Bv {
        Bv::new(width, 0)
    }

    /// One.
    pub fn one(width: u32) -> Bv {
        Bv::new(width, 1)
    }

    /// All bits set.
    pub fn ones(width: u32) -> Bv {
        Bv::zero(width).not()
    }

    /// Only bit `i` set.
    pub fn bit_at(width: u32, i: u32) -> Bv {
        Bv::one(width).shl_by(i)
    }

    /// The low `n` bits set (`n` at most the width).
    pub fn low_ones(width: u32, n: u32) -> Bv {
        if n == 0 { Bv::zero(width) } else { Bv::ones(width).lshr_by(width - n) }
    }

    /// The width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value as a big number.
    pub fn to_big(&self) -> BigUint {
        match &self.val {
            Val::Small(v) => BigUint::from(*v),
            Val::Big(b) => b.clone(),
        }
    }

    /// The unsigned value, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.val {
            Val::Small(v) => Some(*v),
            Val::Big(b) if b.bits() <= 128 => {
                let mut d = b.iter_u64_digits();
                let lo = d.next().unwrap_or(0);
                Some(u128::from(lo) | u128::from(d.next().unwrap_or(0)) << 64)
            }
            Val::Big(_) => None,
        }
    }

    /// The unsigned value, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|v| u64::try_from(v).ok())
    }

    /// The value read as two's complement, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        if self.sign() {
            let m = self.neg().to_u128()?;
            (m <= 1 << 127).then(|| (m as i128).wrapping_neg())
        } else {
            self.to_u128().and_then(|v| i128::try_from(v).ok())
        }
    }

    /// Bit `i`, the least significant being 0.
    pub fn bit(&self, i: u32) -> bool {
        match &self.val {
            Val::Small(v) => i < 128 && v >> i & 1 == 1,
            Val::Big(b) => b.bit(u64::from(i)),
        }
    }

    /// The most significant bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Is every bit zero?
    pub fn is_zero(&self) -> bool {
        match &self.val {
            Val::Small(v) => *v == 0,
            Val::Big(b) => b.bits() == 0,
        }
    }

    /// Is it the number one?
    pub fn is_one(&self) -> bool {
        self.to_u128() == Some(1)
    }

    /// Is every bit one?
    pub fn is_ones(&self) -> bool {
        *self == Bv::ones(self.width)
    }

    /// Number of zero bits below the lowest one bit; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        match &self.val {
            Val::Small(v) => v.trailing_zeros().min(self.width),
            Val::Big(b) => b.trailing_zeros().map_or(self.width, |n| n as u32),
        }
    }

    /// Number of zero bits above the highest one bit; the width for zero.
    pub fn leading_zeros(&self) -> u32 {
        match &self.val {
            Val::Small(v) => self.width - (128 - v.leading_zeros()),
            Val::Big(b) => self.width - b.bits() as u32,
        }
    }

    /// `Some(k)` when the value is `2^k`.
    pub fn power_of_two(&self) -> Option<u32> {
        let k = self.trailing_zeros();
        (!self.is_zero() && k + self.leading_zeros() + 1 == self.width).then_some(k)
    }

    fn zip(
        &self,
        o: &Bv,
        small: impl FnOnce(u128, u128) -> u128,
        big: impl FnOnce(&BigUint, &BigUint) -> BigUint,
    ) -> Bv {
        assert_eq!(self.width, o.width, "operands of different widths");
        match (&self.val, &o.val) {
            (Val::Small(a), Val::Small(b)) => Bv::new(self.width, small(*a, *b)),
            (Val::Big(a), Val::Big(b)) => Bv::from_big(self.width, big(a, b)),
            (Val::Small(_), Val::Big(_)) | (Val::Big(_), Val::Small(_)) => {
                unreachable!("equal widths share a representation")
            }
        }
    }

    /// Sum, modulo `2^width`.
    pub fn add(&self, o: &Bv) -> Bv {
        self.zip(o, u128::wrapping_add, |a, b| a + b)
    }

    /// Difference, modulo `2^width`.
    pub fn sub(&self, o: &Bv) -> Bv {
        self.add(&o.neg())
    }

    /// Two's complement negation.
    pub fn neg(&self) -> Bv {
        match &self.val {
            Val::Small(v) => Bv::new(self.width, v.wrapping_neg()),
            Val::Big(b) => Bv::from_big(self.width, (BigUint::from(1u8) << self.width) - b),
        }
    }

    /// Product, modulo `2^width`.
    pub fn mul(&self, o: &Bv) -> Bv {
        self.zip(o, u128::wrapping_mul, |a, b| a * b)
    }

    /// Unsigned quotient; all ones when dividing by zero.
    pub fn udiv(&self, o: &Bv) -> Bv {
        if o.is_zero() {
            return Bv::ones(self.width);
        }
        self.zip(o, |a, b| a / b, |a, b| a / b)
    }

    /// Unsigned remainder; the dividend when dividing by zero.
    pub fn urem(&self, o: &Bv) -> Bv {
        if o.is_zero() {
            return self.clone();
        }
        self.zip(o, |a, b| a % b, |a, b| a % b)
    }

    fn abs(&self) -> Bv {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, rounding to zero (SMT-LIB `bvsdiv`).
    pub fn sdiv(&self, o: &Bv) -> Bv {
        let q = self.abs().udiv(&o.abs());
        if self.sign() == o.sign() { q } else { q.neg() }
    }

    /// Signed remainder with the dividend's sign (SMT-LIB `bvsrem`).
    pub fn srem(&self, o: &Bv) -> Bv {
        let r = self.abs().urem(&o.abs());
        if self.sign() { r.neg() } else { r }
    }

    /// Bitwise complement.
    #[allow(clippy::should_implement_trait)]
    pub fn not(&self) -> Bv {
        match &self.val {
            Val::Small(v) => Bv::new(self.width, !v),
            Val::Big(b) => Bv::from_big(self.width, b ^ big_mask(self.width)),
        }
    }

    /// Bitwise and.
    pub fn and(&self, o: &Bv) -> Bv {
        self.zip(o, |a, b| a & b, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, o: &Bv) -> Bv {
        self.zip(o, |a, b| a | b, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, o: &Bv) -> Bv {
        self.zip(o, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// Left shift by a known amount; zero from the width on.
    pub fn shl_by(&self, n: u32) -> Bv {
        if n >= self.width {
            return Bv::zero(self.width);
        }
        match &self.val {
            Val::Small(v) => Bv::new(self.width, v << n),
            Val::Big(b) => Bv::from_big(self.width, b << n),
        }
    }

    /// Logical right shift by a known amount; zero from the width on.
    pub fn lshr_by(&self, n: u32) -> Bv {
        if n >= self.width {
            return Bv::zero(self.width);
        }
        match &self.val {
            Val::Small(v) => Bv::new(self.width, v >> n),
            Val::Big(b) => Bv::from_big(self.width, b >> n),
        }
    }

    /// Arithmetic right shift by a known amount; copies of the sign from the width on.
    pub fn ashr_by(&self, n: u32) -> Bv {
        let n = n.min(self.width);
        if self.sign() { self.not().lshr_by(n).not() } else { self.lshr_by(n) }
    }

    /// A shift amount as a number, clamped to the width (which shifts everything out).
    pub fn shift_amount(&self, width: u32) -> u32 {
        self.to_u128().map_or(width, |v| v.min(u128::from(width)) as u32)
    }

    /// Left shift (SMT-LIB `bvshl`).
    pub fn shl(&self, o: &Bv) -> Bv {
        self.shl_by(o.shift_amount(self.width))
    }

    /// Logical right shift (SMT-LIB `bvlshr`).
    pub fn lshr(&self, o: &Bv) -> Bv {
        self.lshr_by(o.shift_amount(self.width))
    }

    /// Arithmetic right shift (SMT-LIB `bvashr`).
    pub fn ashr(&self, o: &Bv) -> Bv {
        self.ashr_by(o.shift_amount(self.width))
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&self, hi: u32, lo: u32) -> Bv {
        assert!(lo <= hi && hi < self.width, "extract [{hi}:{lo}] of {} bits", self.width);
        let width = hi - lo + 1;
        match &self.val {
            Val::Small(v) => Bv::new(width, v >> lo),
            Val::Big(b) => Bv::from_big(width, b >> lo),
        }
    }

    /// `self` as the upper bits, `low` as the lower.
    pub fn concat(&self, low: &Bv) -> Bv {
        let width = self.width + low.width;
        self.zext(width).shl_by(low.width).or(&low.zext(width))
    }

    /// Zero extension to `width` (not below the present width).
    pub fn zext(&self, width: u32) -> Bv {
        assert!(width >= self.width, "zero extension from {} to {width}", self.width);
        Bv::from_big_or_small(width, self)
    }

    fn from_big_or_small(width: u32, v: &Bv) -> Bv {
        match &v.val {
            Val::Small(s) => Bv::new(width, *s),
            Val::Big(b) => Bv::from_big(width, b.clone()),
        }
    }

    /// Sign extension to `width` (not below the present width).
    pub fn sext(&self, width: u32) -> Bv {
        let z = self.zext(width);
        if self.sign() && width > self.width { z.or(&Bv::ones(width).shl_by(self.width)) } else { z }
    }

    /// The low `width` bits.
    pub fn trunc(&self, width: u32) -> Bv {
        self.extract(width - 1, 0)
    }

    /// Unsigned order.
    pub fn ucmp(&self, o: &Bv) -> Ordering {
        assert_eq!(self.width, o.width, "operands of different widths");
        self.val.cmp(&o.val)
    }

    /// Two's complement order.
    pub fn scmp(&self, o: &Bv) -> Ordering {
        match (self.sign(), o.sign()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (true, true) | (false, false) => self.ucmp(o),
        }
    }

    /// The least signed value, `100…0`.
    pub fn smin(width: u32) -> Bv {
        Bv::bit_at(width, width - 1)
    }

    /// The greatest signed value, `011…1`.
    pub fn smax(width: u32) -> Bv {
        Bv::smin(width).not()
    }

    /// Number of one bits.
    pub fn count_ones(&self) -> u32 {
        match &self.val {
            Val::Small(v) => v.count_ones(),
            Val::Big(b) => b.count_ones() as u32,
        }
    }
}

/// As text: the width, `:`, and the value in hexadecimal (`32:0xff`).
impl serde::Serialize for Bv {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&format!("{}:{:#x}", self.width, self.to_big()))
    }
}

impl<'de> serde::Deserialize<'de> for Bv {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(d)?;
        parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("expected WIDTH:0xVALUE, found `{text}`")))
    }
}

fn parse(text: &str) -> Option<Bv> {
    let (w, v) = text.split_once(":0x")?;
    let w: u32 = w.parse().ok().filter(|w| (1..=1 << 20).contains(w))?;
    let v = BigUint::parse_bytes(v.as_bytes(), 16)?;
    (v.bits() <= u64::from(w)).then(|| Bv::from_big(w, v))
}

impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_big())
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}:{}", self.to_big(), self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_and_wide_agree() {
        // The same operation at 100 bits and, zero-extended, at 300 bits truncated again.
        let xs: [u128; 6] = [0, 1, 0xdead_beef, u128::MAX >> 28, 1 << 99, 0x1234_5678_9abc_def0_1234];
        for &a in &xs {
            for &b in &xs {
                let (na, nb) = (Bv::new(100, a), Bv::new(100, b));
                let (wa, wb) = (na.zext(300), nb.zext(300));
                assert_eq!(na.add(&nb), wa.add(&wb).trunc(100));
                assert_eq!(na.sub(&nb), wa.sub(&wb).trunc(100));
                assert_eq!(na.mul(&nb), wa.mul(&wb).trunc(100));
                assert_eq!(na.ucmp(&nb), wa.ucmp(&wb));
                let (sa, sb) = (na.sext(300), nb.sext(300));
                assert_eq!(na.scmp(&nb), sa.scmp(&sb));
                if b != 0 {
                    assert_eq!(na.udiv(&nb), wa.udiv(&wb).trunc(100));
                    assert_eq!(na.sdiv(&nb), sa.sdiv(&sb).trunc(100));
                    assert_eq!(na.srem(&nb), sa.srem(&sb).trunc(100));
                }
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(Bv::from_i128(200, -1), Bv::ones(200));
        assert_eq!(Bv::from_i128(8, -128).to_i128(), Some(-128));
        assert_eq!(Bv::smin(8).sdiv(&Bv::ones(8)), Bv::smin(8));
        assert_eq!(Bv::new(8, 5).sdiv(&Bv::zero(8)), Bv::ones(8));
        assert_eq!(Bv::new(8, 0x80).ashr_by(9), Bv::ones(8));
        assert_eq!(Bv::bit_at(200, 150).power_of_two(), Some(150));
        assert_eq!(Bv::new(4, 9).concat(&Bv::new(200, 3)).extract(203, 200), Bv::new(4, 9));
        assert_eq!(Bv::zero(129).neg(), Bv::zero(129));
    }
}
