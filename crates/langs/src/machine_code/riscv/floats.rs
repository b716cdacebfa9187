//! Instructions of RISC-V on floating-point numbers: operations that are known by the names that all languages call them,
//! and on numbers that are known exactly what the machine gives. A NaN that arithmetic gives is always the same one.

use super::super::state::Machine;
use super::exec::Here;
use super::insn::{Compare, Float, Op, ZERO};
use super::memory::boxed;
use crate::domain::{Domain, Ext, Res};
use crate::floats::{FloatPred, float_compare, is_nan};
use crate::operation::{Arithmetic, Conversion, Operation};
use crate::x86::float::{format, multiply_add, square_root};
use smt::Bv;

/// The NaN of a width.
fn nan(width: u32) -> u64 {
    if width == 32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 }
}

/// The numbers that values are, where all are known.
fn numbers<D: Domain>(d: &D, values: &[&D::Bv]) -> Option<Vec<u64>> {
    values.iter().map(|v| d.as_const(v)?.to_u64()).collect()
}

/// The bits of a double in a format that all of it fits into, or that it is rounded to.
fn bits_of(value: f64, width: u32) -> u64 {
    match width {
        _ if value.is_nan() => nan(width),
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// The number that bits of a width are.
fn number(bits: u64, width: u32) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

/// What an operation gives for single numbers, or for doubles.
fn rounded(width: u32, args: &[u64], single: fn(&[f32]) -> f32, double: fn(&[f64]) -> f64) -> u64 {
    if width == 32 {
        let list: Vec<f32> = args.iter().map(|bits| f32::from_bits(*bits as u32)).collect();
        let value = single(&list);
        if value.is_nan() { nan(32) } else { u64::from(value.to_bits()) }
    } else {
        let list: Vec<f64> = args.iter().map(|bits| f64::from_bits(*bits)).collect();
        bits_of(double(&list), 64)
    }
}

impl Here<'_> {
    /// A floating-point number of a width: of one narrower than its register, which is no number where there are not ones
    /// above it.
    fn number<D: Domain>(&self, d: &mut D, m: &Machine<D>, register: u8, width: u32) -> Res<D::Bv> {
        let whole = self.raw(d, m, register)?;
        if width == 64 {
            return Ok(whole);
        }
        let (above, low) = (d.extract(63, 32, &whole), d.trunc(&whole, 32));
        let (ones, other) = (d.num(32, u128::from(u32::MAX)), d.num(32, u128::from(nan(32))));
        let fits = d.eq(&above, &ones);
        Ok(d.ite(&fits, &low, &other))
    }

    /// Writes a floating-point number.
    fn give_number<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, to: u8, value: &D::Bv) -> Res<()> {
        let value = if d.width(value) == 32 { boxed(d, value) } else { value.clone() };
        self.give(d, m, to, &value)
    }

    pub(super) fn floating<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, op: &Op) -> Res<()> {
        let value = match *op {
            Op::Float { bits, float, a, b, .. } => {
                let (a, b) = (self.number(d, m, a, bits)?, self.number(d, m, b, bits)?);
                two(d, float, &a, &b)
            }
            Op::Fused { bits, a, b, sum, negated, minus, .. } => {
                let (a, b) = (self.number(d, m, a, bits)?, self.number(d, m, b, bits)?);
                let sum = self.number(d, m, sum, bits)?;
                let a = if negated { d.negated(&a) } else { a };
                let sum = if minus { d.negated(&sum) } else { sum };
                match numbers(d, &[&a, &b, &sum]) {
                    Some(n) => {
                        let exact =
                            rounded(bits, &n, |v| v[0].mul_add(v[1], v[2]), |v| v[0].mul_add(v[1], v[2]));
                        d.num(bits, u128::from(exact))
                    }
                    None => multiply_add(d, &a, &b, &sum),
                }
            }
            Op::Root { bits, a, .. } => {
                let a = self.number(d, m, a, bits)?;
                match numbers(d, &[&a]) {
                    Some(n) => d.num(bits, u128::from(rounded(bits, &n, |v| v[0].sqrt(), |v| v[0].sqrt()))),
                    None => square_root(d, a),
                }
            }
            Op::Format { from, into, a, .. } => {
                let a = self.number(d, m, a, from)?;
                match numbers(d, &[&a]) {
                    Some(n) => d.num(into, u128::from(bits_of(number(n[0], from), into))),
                    None => {
                        let conversion = Conversion::Format { from: format(from), to: format(into) };
                        d.operation(&Operation::Convert(conversion), &[a], into)
                    }
                }
            }
            Op::FromInteger { signed, bits, into, a, .. } => {
                let whole = self.general(d, m, a)?;
                let a = d.zfit(&whole, bits);
                match numbers(d, &[&a]) {
                    Some(n) => d.num(into, u128::from(from_integer(n[0], (signed, bits), into))),
                    None => {
                        let conversion = Conversion::FromInt { signed, bits, to: format(into) };
                        d.operation(&Operation::Convert(conversion), &[a], into)
                    }
                }
            }
            Op::MoveBits { bits, to, a } if to == ZERO || to < super::insn::FLOAT => {
                let whole = self.raw(d, m, a)?;
                let low = d.zfit(&whole, bits);
                let value = d.sfit(&low, 64);
                return self.give(d, m, to, &value);
            }
            Op::MoveBits { bits, a, .. } => {
                let whole = self.general(d, m, a)?;
                d.zfit(&whole, bits)
            }
            _ => return self.integer_of(d, m, op),
        };
        let (_, to) = super::uses::data(op);
        self.give_number(d, m, to.trailing_zeros() as u8, &value)
    }

    /// What gives an integer.
    fn integer_of<D: Domain>(&self, d: &mut D, m: &mut Machine<D>, op: &Op) -> Res<()> {
        match *op {
            Op::FloatCompare { bits, compare, to, a, b } => {
                let (a, b) = (self.number(d, m, a, bits)?, self.number(d, m, b, bits)?);
                let how = match compare {
                    Compare::LessEqual => FloatPred::Ole,
                    Compare::Less => FloatPred::Olt,
                    Compare::Equal => FloatPred::Oeq,
                };
                let holds = float_compare(d, how, format(bits), &a, &b);
                let bit = d.bool_to_bv(&holds);
                self.give(d, m, to, &bit)
            }
            Op::Class { bits, to, a } => {
                let a = self.number(d, m, a, bits)?;
                let value = class(d, &a);
                self.give(d, m, to, &value)
            }
            Op::ToInteger { from, signed, bits, to, a } => {
                let a = self.number(d, m, a, from)?;
                let value = match numbers(d, &[&a]) {
                    Some(n) => d.constant(Bv::new(bits, to_integer(number(n[0], from), signed, bits))),
                    None => {
                        let conversion = Conversion::ToInt { from: format(from), signed, bits };
                        d.operation(&Operation::Convert(conversion), &[a], bits)
                    }
                };
                let value = d.sfit(&value, 64);
                self.give(d, m, to, &value)
            }
            _ => Err(self.unsupported("this form of the instruction")),
        }
    }
}

/// An operation on two numbers of one width.
fn two<D: Domain>(d: &mut D, float: Float, a: &D::Bv, b: &D::Bv) -> D::Bv {
    let width = d.width(a);
    type Of<T> = fn(&[T]) -> T;
    let (arithmetic, single, double): (_, Of<f32>, Of<f64>) = match float {
        Float::Add => (Arithmetic::Add, |v| v[0] + v[1], |v| v[0] + v[1]),
        Float::Sub => (Arithmetic::Sub, |v| v[0] - v[1], |v| v[0] - v[1]),
        Float::Mul => (Arithmetic::Mul, |v| v[0] * v[1], |v| v[0] * v[1]),
        Float::Div => (Arithmetic::Div, |v| v[0] / v[1], |v| v[0] / v[1]),
        Float::Min | Float::Max => return least(d, float == Float::Max, a, b),
        Float::SignOf | Float::SignNot | Float::SignXor => {
            let (sign, own) = (d.extract(width - 1, width - 1, b), d.extract(width - 1, width - 1, a));
            let sign = match float {
                Float::SignNot => d.bv_not(&sign),
                Float::SignXor => d.bv_xor(&sign, &own),
                _ => sign,
            };
            let rest = d.trunc(a, width - 1);
            return d.concat(&sign, &rest);
        }
    };
    match numbers(d, &[a, b]) {
        Some(n) => d.num(width, u128::from(rounded(width, &n, single, double))),
        None => d.float_arithmetic(arithmetic, format(width), a, b),
    }
}

/// The smaller of two numbers or the larger one, -0 below 0; of a number and a NaN the number.
fn least<D: Domain>(d: &mut D, largest: bool, a: &D::Bv, b: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let (x, y) = if largest { (b, a) } else { (a, b) };
    let less = float_compare(d, FloatPred::Olt, format(width), x, y);
    // Of numbers that are equal, but perhaps for signs of zeros, that with the sign is the smaller one.
    let equal = float_compare(d, FloatPred::Oeq, format(width), a, b);
    let sign = d.sign(x);
    let signed = d.and(&equal, &sign);
    let first = d.or(&less, &signed);
    let chosen = d.ite(&first, a, b);
    let (no_first, no_second) = (is_nan(d, a), is_nan(d, b));
    let none = d.num(width, u128::from(nan(width)));
    let other = d.ite(&no_second, &none, b);
    let chosen = d.ite(&no_second, a, &chosen);
    d.ite(&no_first, &other, &chosen)
}

/// The class of a number as one of ten bits: -infinity, negative ones, those that are subnormal, -0, 0, and upwards to
/// infinity; a signalling NaN, a quiet one.
fn class<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let mantissa = if width == 32 { 23 } else { 52 };
    let exponent = d.extract(width - 2, mantissa, a);
    let fraction = d.extract(mantissa - 1, 0, a);
    let most = d.signed(width - 1 - mantissa, -1);
    let (small, large) = (d.is_zero(&exponent), d.eq(&exponent, &most));
    let (whole, negative, quiet) =
        (d.is_zero(&fraction), d.sign(a), d.extract(mantissa - 1, mantissa - 1, a));
    let quiet = d.is_set(&quiet);
    let bit = |d: &mut D, n: u32| d.num(64, 1 << n);
    let of_sign = |d: &mut D, minus: u32, plus: u32| {
        let (minus, plus) = (bit(d, minus), bit(d, plus));
        d.ite(&negative, &minus, &plus)
    };
    let (infinite, normal) = (of_sign(d, 0, 7), of_sign(d, 1, 6));
    let (subnormal, zero) = (of_sign(d, 2, 5), of_sign(d, 3, 4));
    let (signals, silent) = (bit(d, 8), bit(d, 9));
    let no_number = d.ite(&quiet, &silent, &signals);
    let above = d.ite(&whole, &infinite, &no_number);
    let below = d.ite(&whole, &zero, &subnormal);
    let inside = d.ite(&small, &below, &normal);
    d.ite(&large, &above, &inside)
}

/// An integer of so many bits as a number of a format, rounded once.
fn from_integer(bits: u64, (signed, width): (bool, u32), into: u32) -> u64 {
    let value = match (signed, width) {
        (true, 32) => i128::from(bits as u32 as i32),
        (true, _) => i128::from(bits as i64),
        (false, _) => i128::from(bits),
    };
    if into == 32 { u64::from((value as f32).to_bits()) } else { (value as f64).to_bits() }
}

/// The integer that a number is cut to: the nearest where it does not fit, the largest for a NaN.
fn to_integer(value: f64, signed: bool, bits: u32) -> u128 {
    let one = 1i128;
    let (least, most) =
        if signed { (-(one << (bits - 1)), (one << (bits - 1)) - 1) } else { (0, (one << bits) - 1) };
    // What is too large for 128 bits saturates as well.
    let whole = if value.is_nan() { most } else { (value.trunc() as i128).clamp(least, most) };
    whole as u128
}
