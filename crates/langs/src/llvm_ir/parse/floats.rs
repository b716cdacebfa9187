//! Floating-point constants: decimal and hexadecimal numbers, bits, infinities and NaNs, as older and newer versions write them.

use super::{Parser, Res};
use crate::llvm_ir::ast::ConstKind;
use crate::llvm_ir::types::{FloatKind, Type, TypeId};
use rustc_apfloat::{Float, Round, ieee};

impl Parser<'_> {
    fn float_kind(&self, ty: TypeId) -> Res<FloatKind> {
        match self.m.types.get(ty) {
            Type::Float(k) => Ok(*k),
            _ => self.error("a floating-point number here needs a floating-point type"),
        }
    }

    /// A decimal or hexadecimal number, rounded to the nearest of the type, or a number that is none: `+inf`, `-qnan`,
    /// `+nan(0x1)`, `+snan(0x1)`.
    pub(super) fn float(&mut self, ty: TypeId, text: &[u8]) -> Res<ConstKind> {
        let kind = self.float_kind(ty)?;
        let text = std::str::from_utf8(text).unwrap_or_default();
        match special(kind, text).or_else(|| nearest(kind, text)) {
            Some(bits) => Ok(ConstKind::Float(bits)),
            None => self.error(format!("this number is not a {}", kind.keyword())),
        }
    }

    /// `f0x…`: the bits of the type.
    pub(super) fn float_bits(&mut self, ty: TypeId, word: &[u8]) -> Res<ConstKind> {
        let kind = self.float_kind(ty)?;
        let digits = std::str::from_utf8(&word[3..]).unwrap_or_default();
        match u128::from_str_radix(digits, 16) {
            Ok(bits) if kind.bits() == 128 || bits >> kind.bits() == 0 => Ok(ConstKind::Float(bits)),
            _ => self.error(format!("these bits are not those of a {}", kind.keyword())),
        }
    }

    fn double_bits(&self, kind: FloatKind, value: f64) -> Res<ConstKind> {
        match kind {
            FloatKind::Double => Ok(ConstKind::Float(u128::from(value.to_bits()))),
            FloatKind::Float => Ok(ConstKind::Float(u128::from(narrow(value).to_bits()))),
            FloatKind::Half | FloatKind::BFloat => {
                let (exponent, mantissa) = if kind == FloatKind::Half { (5, 10) } else { (8, 7) };
                match short(value, exponent, mantissa) {
                    Some(bits) => Ok(ConstKind::Float(bits)),
                    None => self.error(format!("this number is not a {}", kind.keyword())),
                }
            }
            FloatKind::X86Fp80 | FloatKind::Fp128 | FloatKind::PpcFp128 => {
                self.error(format!("expected the hexadecimal form of a {}", kind.keyword()))
            }
        }
    }

    /// `0x…`: the bits of a double, or with a letter before them those of another type.
    pub(super) fn hex_float(&mut self, ty: TypeId, text: &[u8]) -> Res<ConstKind> {
        let kind = self.float_kind(ty)?;
        let (letter, digits) = match text.first() {
            Some(&l @ (b'K' | b'L' | b'M' | b'H' | b'R')) => (l, &text[1..]),
            _ => (b'D', text),
        };
        let Some(value) = std::str::from_utf8(digits).ok().and_then(|d| u128::from_str_radix(d, 16).ok())
        else {
            return self.error("bad hexadecimal floating-point number");
        };
        match (letter, kind) {
            (b'D', FloatKind::Double | FloatKind::Float | FloatKind::Half | FloatKind::BFloat) => {
                self.double_bits(kind, f64::from_bits(value as u64))
            }
            // The two words of a 128-bit number are written least word first.
            (b'L', FloatKind::Fp128) | (b'M', FloatKind::PpcFp128) => {
                Ok(ConstKind::Float(value.rotate_left(64)))
            }
            (b'K', FloatKind::X86Fp80) | (b'H', FloatKind::Half) | (b'R', FloatKind::BFloat) => {
                Ok(ConstKind::Float(value))
            }
            _ => self.error(format!("this form of number is not a {}", kind.keyword())),
        }
    }
}

/// The bits of the number of a type that is nearest to what a text says; `None` where that overflows, or is no number.
fn nearest(kind: FloatKind, text: &str) -> Option<u128> {
    fn of<F: Float>(text: &str) -> Option<u128> {
        let parsed = F::from_str_r(text.strip_prefix('+').unwrap_or(text), Round::NearestTiesToEven).ok()?;
        parsed.value.is_finite().then(|| parsed.value.to_bits())
    }
    match kind {
        FloatKind::Half => of::<ieee::Half>(text),
        FloatKind::BFloat => of::<ieee::BFloat>(text),
        FloatKind::Float => of::<ieee::Single>(text),
        FloatKind::Double => of::<ieee::Double>(text),
        FloatKind::X86Fp80 => of::<ieee::X87DoubleExtended>(text),
        FloatKind::Fp128 => of::<ieee::Quad>(text),
        FloatKind::PpcFp128 => None,
    }
}

/// The bits of an infinity or a NaN.
fn special(kind: FloatKind, text: &str) -> Option<u128> {
    // Bits of exponent and fraction, and the one before the fraction where a type has it.
    let (exponent, fraction, whole) = match kind {
        FloatKind::Half => (5, 10, 0),
        FloatKind::BFloat => (8, 7, 0),
        FloatKind::Float => (8, 23, 0),
        FloatKind::Double => (11, 52, 0),
        FloatKind::X86Fp80 => (15, 63, 1),
        FloatKind::Fp128 => (15, 112, 0),
        FloatKind::PpcFp128 => return None,
    };
    let (negative, name) = match text.as_bytes().first()? {
        b'+' => (0, &text[1..]),
        b'-' => (1, &text[1..]),
        _ => return None,
    };
    let quiet = 1_u128 << (fraction - 1);
    let payload = |text: &str| u128::from_str_radix(text.strip_suffix(')')?.strip_prefix("0x")?, 16).ok();
    let fraction_bits = match name.split_once('(') {
        None if name == "inf" => 0,
        None if name == "qnan" => quiet,
        Some(("nan", rest)) => payload(rest).filter(|bits| bits >> fraction == 0)? | quiet,
        Some(("snan", rest)) => payload(rest).filter(|bits| (1..quiet).contains(bits))?,
        _ => return None,
    };
    let above = (negative << exponent | ((1 << exponent) - 1)) << whole | whole;
    Some(above << fraction | fraction_bits)
}

/// The bits of a number in an IEEE format with so many bits of exponent and mantissa; none where it has no such number.
fn short(value: f64, exponent: u32, mantissa: u32) -> Option<u128> {
    let bits = value.to_bits();
    let (sign, biased) = (bits >> 63 << (exponent + mantissa), (bits >> 52 & 0x7ff) as i32);
    let fraction = bits & ((1 << 52) - 1);
    // The upper bits, if those below are zero.
    let upper = |bits: u64, below: u32| (below < 64 && bits >> below << below == bits).then(|| bits >> below);
    let spare = 52 - mantissa;
    let magnitude = if biased == 0x7ff {
        ((1 << exponent) - 1) << mantissa | upper(fraction, spare)?
    } else if value == 0.0 {
        0
    } else {
        let bias = (1 << (exponent - 1)) - 1;
        let (power, significand) = (biased - 1023, 1 << 52 | fraction);
        match u32::try_from(power + bias) {
            Ok(field) if field > 2 * bias as u32 => return None,
            Ok(field @ 1..) => {
                u64::from(field) << mantissa | (upper(significand, spare)? & ((1 << mantissa) - 1))
            }
            Ok(0) | Err(_) => upper(significand, spare + u32::try_from(1 - bias - power).ok()?)?,
        }
    };
    Some(u128::from(sign | magnitude))
}

/// The float whose value a double written for it has; NaN payloads keep their upper bits.
fn narrow(value: f64) -> f32 {
    if !value.is_nan() {
        return value as f32;
    }
    let bits = value.to_bits();
    f32::from_bits(((bits >> 32) as u32 & 0x8000_0000) | 0x7f80_0000 | ((bits >> 29) as u32 & 0x007f_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_their_type() {
        let cases = [
            (FloatKind::Half, "9.997550e-02", 0x2e66),
            (FloatKind::Float, "1.000000e-01", 0x3dcc_cccd),
            (FloatKind::Double, "-1.5e+00", 0xbff8_0000_0000_0000),
            (FloatKind::Double, "0x1.8p3", 0x4028_0000_0000_0000),
            (FloatKind::Double, "-0x1p-1", 0xbfe0_0000_0000_0000),
            (FloatKind::X86Fp80, "1.0", 0x3fff_8000_0000_0000_0000),
            (FloatKind::Fp128, "+2.0", 0x4000 << 112),
        ];
        for (kind, text, bits) in cases {
            assert_eq!(nearest(kind, text), Some(bits), "{text}");
        }
        assert_eq!(nearest(FloatKind::Half, "1.0e+10"), None);
    }

    #[test]
    fn infinities_and_nans_have_their_bits() {
        let cases = [
            (FloatKind::Double, "+inf", Some(0x7ff0_0000_0000_0000)),
            (FloatKind::Float, "-qnan", Some(0xffc0_0000)),
            (FloatKind::Double, "+nan(0x3)", Some(0x7ff8_0000_0000_0003)),
            (FloatKind::Float, "-snan(0x1)", Some(0xff80_0001)),
            (FloatKind::X86Fp80, "-inf", Some(0xffff_8000_0000_0000_0000)),
            (FloatKind::X86Fp80, "+qnan", Some(0x7fff_c000_0000_0000_0000)),
            (FloatKind::Half, "+snan(0x0)", None),
            (FloatKind::Half, "+nan(0x10000)", None),
            (FloatKind::Half, "inf", None),
        ];
        for (kind, text, bits) in cases {
            assert_eq!(special(kind, text), bits, "{text}");
        }
    }
}
