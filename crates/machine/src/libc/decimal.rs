//! Exact decimal and hexadecimal expansions of binary floating values, as printing needs them.

use crate::class::Scalar;
use crate::vm::Slot;

/// A floating value taken apart.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Parts {
    /// Infinity: negative?
    Infinite(bool),
    /// Not a number: sign bit set?
    Nan(bool),
    /// `(-1)^negative * mantissa * 2^exponent`.
    Finite {
        /// Sign bit.
        negative: bool,
        /// Integer mantissa.
        mantissa: u128,
        /// Exponent of its last bit.
        exponent: i32,
    },
}

/// Explicit mantissa bits and largest biased exponent of a format with an implicit leading bit.
fn implicit(bits: u128, width: u32, exponent_width: u32) -> Parts {
    let fraction_width = width - 1 - exponent_width;
    let negative = bits >> (width - 1) & 1 == 1;
    let fraction = bits & ((1 << fraction_width) - 1);
    let biased = (bits >> fraction_width) as i32 & ((1 << exponent_width) - 1);
    let top = (1 << exponent_width) - 1;
    let bias = (1 << (exponent_width - 1)) - 1;
    if biased == top {
        return if fraction == 0 { Parts::Infinite(negative) } else { Parts::Nan(negative) };
    }
    let mantissa = if biased == 0 { fraction } else { fraction | 1 << fraction_width };
    Parts::Finite { negative, mantissa, exponent: biased.max(1) - bias - fraction_width as i32 }
}

impl Parts {
    /// Takes a value in a register apart; `kind` must be floating.
    pub fn of(kind: Scalar, s: Slot) -> Parts {
        let wide = u128::from(s.lo) | u128::from(s.hi) << 64;
        match kind {
            Scalar::F16 => implicit(wide & 0xffff, 16, 5),
            Scalar::F32 => implicit(wide & 0xffff_ffff, 32, 8),
            Scalar::F80 => {
                let negative = s.hi >> 15 & 1 == 1;
                let biased = (s.hi & 0x7fff) as i32;
                if biased == 0x7fff {
                    return if s.lo << 1 == 0 { Parts::Infinite(negative) } else { Parts::Nan(negative) };
                }
                let exponent = biased.max(1) - 16383 - 63;
                Parts::Finite { negative, mantissa: s.lo.into(), exponent }
            }
            Scalar::F128 => implicit(wide, 128, 15),
            _ => implicit(u128::from(s.lo), 64, 11),
        }
    }
}

/// `0.d1 d2 d3 … * 10^point`, exact, without leading or trailing zeros; zero has no digits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decimal {
    /// Digits 0 to 9, most significant first.
    pub digits: Vec<u8>,
    /// Position of the decimal point after this many digits.
    pub point: i32,
}

const LIMB: u64 = 1_000_000_000;

/// Multiplies a number of base-10^9 limbs, least significant first.
fn scale(limbs: &mut Vec<u32>, by: u64) {
    let mut carry = 0u64;
    for limb in limbs.iter_mut() {
        let t = u64::from(*limb) * by + carry;
        *limb = (t % LIMB) as u32;
        carry = t / LIMB;
    }
    while carry > 0 {
        limbs.push((carry % LIMB) as u32);
        carry /= LIMB;
    }
}

impl Decimal {
    /// The exact value of `mantissa * 2^exponent`.
    pub fn exact(mantissa: u128, exponent: i32) -> Decimal {
        if mantissa == 0 {
            return Decimal::default();
        }
        let zeros = mantissa.trailing_zeros();
        let (mut rest, exponent) = (mantissa >> zeros, exponent + zeros as i32);
        let mut limbs = Vec::new();
        while rest > 0 {
            limbs.push((rest % u128::from(LIMB)) as u32);
            rest /= u128::from(LIMB);
        }
        // For negative exponents multiply by 5 each and shift the point: 2^-k = 5^k / 10^k.
        let (base, chunk) = if exponent < 0 { (5u64, 13) } else { (2, 30) };
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            let now = left.min(chunk);
            scale(&mut limbs, base.pow(now));
            left -= now;
        }
        let mut digits = Vec::with_capacity(limbs.len() * 9);
        for limb in limbs.iter().rev() {
            let mut unit = (LIMB / 10) as u32;
            while unit > 0 {
                digits.push((limb / unit % 10) as u8);
                unit /= 10;
            }
        }
        let lead = digits.iter().take_while(|d| **d == 0).count();
        digits.drain(..lead);
        let point = digits.len() as i32 + exponent.min(0);
        let mut decimal = Decimal { digits, point };
        decimal.trim();
        decimal
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    /// Rounds to `keep` digits, to nearest and ties to even; `keep` may be negative.
    pub fn round(&mut self, keep: i64) {
        if keep >= self.digits.len() as i64 {
            return;
        }
        if keep < 0 {
            *self = Decimal::default();
            return;
        }
        let keep = keep as usize;
        let next = self.digits[keep];
        let more = self.digits.len() > keep + 1;
        let odd = keep > 0 && self.digits[keep - 1] % 2 == 1;
        let up = next > 5 || next == 5 && (more || odd);
        self.digits.truncate(keep);
        if up {
            let mut at = keep;
            loop {
                if at == 0 {
                    self.digits.insert(0, 1);
                    self.point += 1;
                    break;
                }
                at -= 1;
                if self.digits[at] < 9 {
                    self.digits[at] += 1;
                    break;
                }
                self.digits[at] = 0;
            }
        }
        self.trim();
    }

    /// The digit at a decimal position: 0 is the first after the point, -1 the units.
    pub fn at(&self, position: i64) -> u8 {
        let index = position + i64::from(self.point);
        usize::try_from(index).ok().and_then(|i| self.digits.get(i)).map_or(b'0', |d| b'0' + d)
    }
}

/// Hexadecimal form: leading digit, fraction digits, binary exponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hex {
    /// The digit before the point.
    pub lead: u8,
    /// Digits after it (values 0 to 15).
    pub fraction: Vec<u8>,
    /// Power of two.
    pub exponent: i32,
}

impl Hex {
    /// The form `%a` gives a finite value of a kind: x87 values show four bits before the point, others one.
    pub fn of(kind: Scalar, mantissa: u128, exponent: i32) -> Hex {
        let (width, digits) = match kind {
            Scalar::F80 => (64, 15),
            Scalar::F128 => (112, 28),
            _ => (52, 13),
        };
        // `%a` sees `double` for the narrower kinds, which hold no subnormals of it.
        let (mantissa, exponent) = match kind {
            Scalar::F16 | Scalar::F32 if mantissa > 0 => {
                let shift = mantissa.leading_zeros() - (127 - 52);
                (mantissa << shift, exponent - shift as i32)
            }
            _ => (mantissa, exponent),
        };
        let whole = 4 * digits;
        let lead = (mantissa >> whole) as u8;
        let fraction = (0..digits).rev().map(|n| (mantissa >> (4 * n)) as u8 & 15).collect();
        let exponent = if mantissa == 0 { 0 } else { exponent + whole };
        debug_assert!(width <= whole + 4);
        Hex { lead, fraction, exponent }
    }

    /// Drops trailing zeros of the fraction.
    pub fn shorten(&mut self) {
        while self.fraction.last() == Some(&0) {
            self.fraction.pop();
        }
    }

    /// Rounds the fraction to `keep` digits, to nearest and ties to even.
    pub fn round(&mut self, keep: usize) {
        if keep >= self.fraction.len() {
            return;
        }
        let next = self.fraction[keep];
        let more = self.fraction[keep + 1..].iter().any(|d| *d != 0);
        let last = if keep == 0 { self.lead } else { self.fraction[keep - 1] };
        let up = next > 8 || next == 8 && (more || last % 2 == 1);
        self.fraction.truncate(keep);
        if !up {
            return;
        }
        for digit in self.fraction.iter_mut().rev() {
            if *digit < 15 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        if self.lead < 15 {
            self.lead += 1;
        } else {
            self.lead = 1;
            self.exponent += 4;
        }
    }
}
