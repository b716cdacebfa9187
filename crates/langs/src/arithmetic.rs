//! Floating-point operations on numbers that are known: what IEEE arithmetic that rounds to nearest gives, as C and LLVM
//! take it outside of functions that change the environment.
//!
//! Left to be known by name are results that are no number (which one is up to the machine), numbers so small that modes
//! of the processor may flush them to zero where the mode is not told, arithmetic in formats other than `float` and
//! `double`, and what does not fit.

use crate::operation::{Arithmetic, Comparison, Conversion, Format, Operation};
use smt::Bv;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// What arithmetic gives for numbers of which the smallest are not flushed to zero; none for what is no number.
pub(crate) fn exactly(op: Arithmetic, format: Format, a: &Bv, b: &Bv) -> Option<Bv> {
    match format {
        Format::F32 => {
            let bits =
                |v: &Bv| Some(f32::from_bits(u32::try_from(v.to_u64()?).ok()?)).filter(|v| !v.is_nan());
            let exact = of_operands(op, bits(a)?, bits(b)?);
            (!exact.is_nan()).then(|| Bv::new(32, u128::from(exact.to_bits())))
        }
        Format::F64 => {
            let bits = |v: &Bv| Some(f64::from_bits(v.to_u64()?)).filter(|v| !v.is_nan());
            let exact = of_operands(op, bits(a)?, bits(b)?);
            (!exact.is_nan()).then(|| Bv::new(64, u128::from(exact.to_bits())))
        }
        Format::F16 | Format::BF16 | Format::F80 | Format::F128 | Format::PpcF128 => None,
    }
}

/// Whether bits are those of a number so small that it may be flushed to zero.
pub(crate) fn is_subnormal(format: Format, v: &Bv) -> bool {
    match (format, v.to_u64()) {
        (Format::F32, Some(bits)) => {
            u32::try_from(bits).is_ok_and(|bits| f32::from_bits(bits).is_subnormal())
        }
        (Format::F64, Some(bits)) => f64::from_bits(bits).is_subnormal(),
        (Format::F16 | Format::BF16 | Format::F80 | Format::F128 | Format::PpcF128, _) | (_, None) => false,
    }
}

fn of_operands<F>(op: Arithmetic, a: F, b: F) -> F
where
    F: Add<Output = F> + Sub<Output = F> + Mul<Output = F> + Div<Output = F> + Rem<Output = F>,
{
    match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
        Arithmetic::Rem => a % b,
    }
}

/// What an operation gives for numbers; none where it is known by name alone.
pub(crate) fn evaluate(operation: &Operation, args: &[Bv], width: u32) -> Option<Bv> {
    match (operation, args) {
        (Operation::Arithmetic(op, Format::F32), [a, b]) => {
            of_single(of_operands(*op, single(a)?, single(b)?))
        }
        (Operation::Arithmetic(op, Format::F64), [a, b]) => {
            of_double(of_operands(*op, double(a)?, double(b)?))
        }
        (Operation::Fused(Format::F32), [sign, a, b, c]) => {
            let (a, b) = (single(&sign.concat(a))?, single(&Bv::zero(1).concat(b))?);
            of_single(a.mul_add(b, single(c)?))
        }
        (Operation::Fused(Format::F64), [sign, a, b, c]) => {
            let (a, b) = (double(&sign.concat(a))?, double(&Bv::zero(1).concat(b))?);
            of_double(a.mul_add(b, double(c)?))
        }
        (Operation::SquareRoot(Format::F32), [a]) => of_single(single(a)?.sqrt()),
        (Operation::SquareRoot(Format::F64), [a]) => of_double(double(a)?.sqrt()),
        (Operation::Library(name, Format::F32), [a]) => of_single(whole(name, f64::from(single(a)?))? as f32),
        (Operation::Library(name, Format::F64), [a]) => of_double(whole(name, double(a)?)?),
        (Operation::Convert(conversion), [a]) => convert(*conversion, a, width),
        (Operation::OutOfRange { from, signed, bits: bits @ 1..=64 }, [a]) => {
            let fits = integer(number(*from, a)?, *signed, *bits).is_some();
            Some(Bv::new(1, u128::from(!fits)))
        }
        (Operation::Compare(what, format @ (Format::F32 | Format::F64)), [a, b]) => {
            let (a, b) = (number(*format, a)?, number(*format, b)?);
            let holds = match what {
                Comparison::Less => a < b,
                Comparison::Equal => a == b,
                Comparison::Unordered => false,
            };
            Some(Bv::new(1, u128::from(holds)))
        }
        (
            Operation::Arithmetic(..)
            | Operation::MultiplyAdd(_)
            | Operation::Fused(_)
            | Operation::SquareRoot(_)
            | Operation::Convert(_)
            | Operation::OutOfRange { .. }
            | Operation::Compare(..)
            | Operation::Library(..)
            | Operation::Call(_)
            | Operation::Assembly(..)
            | Operation::Instruction(_)
            | Operation::ObjectOfAnAddress
            | Operation::AddressWraps(_)
            | Operation::Chosen { .. },
            _,
        ) => None,
    }
}

fn convert(conversion: Conversion, a: &Bv, width: u32) -> Option<Bv> {
    match conversion {
        Conversion::Format { from: Format::F32, to: Format::F64 } => of_double(f64::from(single(a)?)),
        Conversion::Format { from: Format::F64, to: Format::F32 } => of_single(double(a)? as f32),
        Conversion::Format { from: from @ (Format::F16 | Format::BF16), to: Format::F32 } => {
            of_single(number(from, a)? as f32)
        }
        Conversion::Format { from: from @ (Format::F16 | Format::BF16), to: Format::F64 } => {
            of_double(number(from, a)?)
        }
        Conversion::Format { from: from @ (Format::F32 | Format::F64), to: Format::F128 } => {
            quadruple(number(from, a)?)
        }
        Conversion::Format { .. } => None,
        Conversion::FromInt { signed, bits, to } => {
            if bits > 64 || a.width() != bits {
                return None;
            }
            let whole = i128::from(a.to_u64()?);
            let negative = signed && a.bit(bits - 1);
            let value = if negative { whole - (1i128 << bits) } else { whole };
            match to {
                Format::F32 => of_single(value as f32),
                Format::F64 => of_double(value as f64),
                Format::F16 | Format::BF16 | Format::F80 | Format::F128 | Format::PpcF128 => None,
            }
        }
        Conversion::ToInt { bits: 65.., .. } => None,
        Conversion::ToInt { from, signed, bits } => {
            let value = integer(number(from, a)?, signed, bits).filter(|_| bits == width)?;
            Some(Bv::new(width, value as u128))
        }
    }
}

/// A number rounded to a whole one by a function of the mathematical library; none for functions that do something else.
/// A `float` gives what is a `float` again.
fn whole(name: &str, value: f64) -> Option<f64> {
    match name {
        "floor" => Some(value.floor()),
        "ceil" => Some(value.ceil()),
        "trunc" => Some(value.trunc()),
        "round" => Some(value.round()),
        "rint" | "nearbyint" | "roundeven" => Some(value.round_ties_even()),
        _ => None,
    }
}

/// The integer of so many bits that a number is cut to; none where it does not fit.
fn integer(value: f64, signed: bool, bits: u32) -> Option<i128> {
    // What is too large for 128 bits saturates, and is out of range all the same.
    let (whole, one) = (value.trunc() as i128, 1i128);
    let range = if signed { -(one << (bits - 1))..one << (bits - 1) } else { 0..one << bits };
    range.contains(&whole).then_some(whole)
}

/// A number that is neither NaN nor subnormal.
fn number(format: Format, bits: &Bv) -> Option<f64> {
    match format {
        Format::F32 => single(bits).map(f64::from),
        Format::F64 => double(bits),
        Format::F16 => half(bits),
        Format::BF16 => {
            let above = bits.to_u64().filter(|_| bits.width() == 16)?;
            single(&Bv::new(32, u128::from(above) << 16)).map(f64::from)
        }
        Format::F80 | Format::F128 | Format::PpcF128 => None,
    }
}

/// A number of 16 bits, ten of them mantissa.
fn half(bits: &Bv) -> Option<f64> {
    let bits = bits.to_u64().filter(|_| bits.width() == 16)?;
    let (negative, exponent, mantissa) = (bits >> 15 == 1, bits >> 10 & 0x1f, bits & 0x3ff);
    let magnitude = match (exponent, mantissa) {
        (0, 0) => 0.0,
        (0x1f, 0) => f64::INFINITY,
        (0 | 0x1f, _) => return None,
        _ => f64::from_bits((exponent + 1023 - 15) << 52 | mantissa << 42),
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// The same number with 128 bits.
fn quadruple(v: f64) -> Option<Bv> {
    let bits = v.to_bits();
    let (sign, exponent, mantissa) = (bits >> 63, bits >> 52 & 0x7ff, u128::from(bits << 12 >> 12));
    let exponent = match exponent {
        0 if mantissa == 0 => 0,
        0x7ff if mantissa == 0 => 0x7fff,
        0 | 0x7ff => return None,
        e => e + 0x3fff - 0x3ff,
    };
    Some(Bv::new(128, u128::from(sign) << 127 | u128::from(exponent) << 112 | mantissa << 60))
}

fn single(bits: &Bv) -> Option<f32> {
    let bits = u32::try_from(bits.to_u64().filter(|_| bits.width() == 32)?).ok()?;
    Some(f32::from_bits(bits)).filter(|v| !v.is_nan() && !v.is_subnormal())
}

fn double(bits: &Bv) -> Option<f64> {
    let bits = bits.to_u64().filter(|_| bits.width() == 64)?;
    Some(f64::from_bits(bits)).filter(|v| !v.is_nan() && !v.is_subnormal())
}

fn of_single(v: f32) -> Option<Bv> {
    (!v.is_nan() && !v.is_subnormal()).then(|| Bv::new(32, u128::from(v.to_bits())))
}

fn of_double(v: f64) -> Option<Bv> {
    (!v.is_nan() && !v.is_subnormal()).then(|| Bv::new(64, u128::from(v.to_bits())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32s(v: f32) -> Bv {
        Bv::new(32, u128::from(v.to_bits()))
    }

    #[test]
    fn the_smallest_numbers_count_where_they_are_not_flushed() {
        let (least, two) = (f32s(f32::MIN_POSITIVE), f32s(2.0));
        let halved = exactly(Arithmetic::Div, Format::F32, &least, &two).expect("a number");
        assert!(is_subnormal(Format::F32, &halved) && !is_subnormal(Format::F32, &least));
        assert_eq!(exactly(Arithmetic::Div, Format::F32, &f32s(0.0), &f32s(0.0)), None);
    }

    #[test]
    fn numbers_are_computed_and_what_the_machine_decides_is_not() {
        let add = Operation::Arithmetic(Arithmetic::Add, Format::F32);
        assert_eq!(evaluate(&add, &[f32s(1.5), f32s(2.25)], 32), Some(f32s(3.75)));
        assert_eq!(evaluate(&add, &[f32s(f32::INFINITY), f32s(f32::NEG_INFINITY)], 32), None);
        assert_eq!(evaluate(&add, &[f32s(1e-40), f32s(1.0)], 32), None);
        let to = |signed, bits| Operation::Convert(Conversion::ToInt { from: Format::F32, signed, bits });
        assert_eq!(evaluate(&to(true, 32), &[f32s(-3.9)], 32), Some(Bv::new(32, 0xffff_fffd)));
        assert_eq!(evaluate(&to(true, 32), &[f32s(3e9)], 32), None);
        let out = Operation::OutOfRange { from: Format::F32, signed: false, bits: 8 };
        assert_eq!(evaluate(&out, &[f32s(255.5)], 1), Some(Bv::new(1, 0)));
        assert_eq!(evaluate(&out, &[f32s(-1.0)], 1), Some(Bv::new(1, 1)));
        assert_eq!(evaluate(&out, &[f32s(-0.5)], 1), Some(Bv::new(1, 0)));
        let halves = |signed| Operation::Convert(Conversion::ToInt { from: Format::F16, signed, bits: 32 });
        assert_eq!(evaluate(&halves(true), &[Bv::new(16, 0xc500)], 32), Some(Bv::new(32, 0xffff_fffb)));
        assert_eq!(evaluate(&halves(false), &[Bv::new(16, 0xb400)], 32), Some(Bv::new(32, 0)));
        let wide = Operation::Convert(Conversion::Format { from: Format::F32, to: Format::F128 });
        assert_eq!(evaluate(&wide, &[f32s(-2.0)], 128), Some(Bv::new(128, 0xc << 124)));
        let from = Operation::Convert(Conversion::FromInt { signed: true, bits: 32, to: Format::F32 });
        assert_eq!(evaluate(&from, &[Bv::new(32, 0xffff_ffff)], 32), Some(f32s(-1.0)));
    }
}
