//! Floating-point operations on numbers that are known: what IEEE arithmetic that rounds to nearest gives, as C and LLVM
//! take it outside of functions that change the environment.
//!
//! Left to be known by name are results that are no number (which one is up to the machine), numbers so small that modes
//! of the processor may flush them to zero, formats other than `float` and `double`, and what does not fit.

use crate::operation::{Arithmetic, Comparison, Conversion, Format, Operation};
use smt::Bv;

/// What an operation gives for numbers; none where it is known by name alone.
pub(crate) fn evaluate(operation: &Operation, args: &[Bv], width: u32) -> Option<Bv> {
    match (operation, args) {
        (Operation::Arithmetic(op, Format::F32), [a, b]) => {
            let (a, b) = (single(a)?, single(b)?);
            let exact = match op {
                Arithmetic::Add => a + b,
                Arithmetic::Sub => a - b,
                Arithmetic::Mul => a * b,
                Arithmetic::Div => a / b,
                Arithmetic::Rem => a % b,
            };
            of_single(exact)
        }
        (Operation::Arithmetic(op, Format::F64), [a, b]) => {
            let (a, b) = (double(a)?, double(b)?);
            let exact = match op {
                Arithmetic::Add => a + b,
                Arithmetic::Sub => a - b,
                Arithmetic::Mul => a * b,
                Arithmetic::Div => a / b,
                Arithmetic::Rem => a % b,
            };
            of_double(exact)
        }
        (Operation::SquareRoot(Format::F32), [a]) => of_single(single(a)?.sqrt()),
        (Operation::SquareRoot(Format::F64), [a]) => of_double(double(a)?.sqrt()),
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
            | Operation::SquareRoot(_)
            | Operation::Convert(_)
            | Operation::OutOfRange { .. }
            | Operation::Compare(..)
            | Operation::Library(..)
            | Operation::Call(_)
            | Operation::Assembly(..)
            | Operation::ObjectOfAnAddress
            | Operation::AddressWraps(_),
            _,
        ) => None,
    }
}

fn convert(conversion: Conversion, a: &Bv, width: u32) -> Option<Bv> {
    match conversion {
        Conversion::Format { from: Format::F32, to: Format::F64 } => of_double(f64::from(single(a)?)),
        Conversion::Format { from: Format::F64, to: Format::F32 } => of_single(double(a)? as f32),
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
        Format::F16 | Format::BF16 | Format::F80 | Format::F128 | Format::PpcF128 => None,
    }
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
        let from = Operation::Convert(Conversion::FromInt { signed: true, bits: 32, to: Format::F32 });
        assert_eq!(evaluate(&from, &[Bv::new(32, 0xffff_ffff)], 32), Some(f32s(-1.0)));
    }
}
