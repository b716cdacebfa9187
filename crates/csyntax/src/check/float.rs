//! Floating constants: parsing and folding in the target's formats.

use crate::soft::Format;
use crate::target::{LongDouble, Target};
use crate::tree::{FloatBits, Op, Rel};
use crate::types::FloatKind;
use crate::with_format;
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

const NEAREST: Round = Round::NearestTiesToEven;

/// The representation a kind has on a target.
fn format(kind: FloatKind, target: &Target) -> Format {
    match kind {
        FloatKind::Float16 => Format::Half,
        FloatKind::Float => Format::Single,
        FloatKind::Double => Format::Double,
        FloatKind::LongDouble => match target.long_double {
            LongDouble::Double => Format::Double,
            LongDouble::X87 => Format::X87,
            LongDouble::Quad => Format::Quad,
        },
        FloatKind::Float128 => Format::Quad,
    }
}

/// Reads decimal or hexadecimal digits as C writes them (without suffix).
pub(super) fn parse(text: &str, kind: FloatKind, target: &Target) -> Option<FloatBits> {
    let format = format(kind, target);
    let hexadecimal = text.len() > 1 && text.as_bytes()[1].eq_ignore_ascii_case(&b'x');
    let bits = match format {
        Format::Double if !hexadecimal => u128::from(text.parse::<f64>().ok()?.to_bits()),
        Format::Single if !hexadecimal => u128::from(text.parse::<f32>().ok()?.to_bits()),
        Format::Half | Format::Single | Format::Double | Format::X87 | Format::Quad => {
            with_format!(format, F => F::from_str_r(text, NEAREST).ok()?.value.to_bits())
        }
    };
    Some(FloatBits { kind, bits })
}

/// An integer as floating value; `value` is sign-extended if `signed`.
pub(super) fn from_int(value: u128, signed: bool, kind: FloatKind, target: &Target) -> FloatBits {
    let bits = with_format!(format(kind, target), F => if signed {
        F::from_i128_r(value as i128, NEAREST).value.to_bits()
    } else {
        F::from_u128_r(value, NEAREST).value.to_bits()
    });
    FloatBits { kind, bits }
}

/// A floating value truncated to an integer of `width` bits; `None` if it does not fit.
pub(super) fn to_int(value: FloatBits, signed: bool, width: u32, target: &Target) -> Option<u128> {
    let mut exact = false;
    with_format!(format(value.kind, target), F => {
        let float = F::from_bits(value.bits);
        if signed {
            let result = float.to_i128_r(width as usize, Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value as u128)
        } else {
            let result = float.to_u128_r(width as usize, Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
        }
    })
}

/// Another format.
pub(super) fn convert(value: FloatBits, kind: FloatKind, target: &Target) -> FloatBits {
    let (from, to) = (format(value.kind, target), format(kind, target));
    if from == to {
        return FloatBits { kind, bits: value.bits };
    }
    let mut loses = false;
    let bits = with_format!(from, F => {
        let float = F::from_bits(value.bits);
        with_format!(to, G => {
            let result: G = FloatConvert::<G>::convert_r(float, NEAREST, &mut loses).value;
            result.to_bits()
        })
    });
    FloatBits { kind, bits }
}

/// `-a`.
pub(super) fn neg(a: FloatBits, target: &Target) -> FloatBits {
    FloatBits {
        kind: a.kind,
        bits: with_format!(format(a.kind, target), F => (-F::from_bits(a.bits)).to_bits()),
    }
}

/// Arithmetic; `None` for operators that floats do not have and for division by zero.
pub(super) fn binary(op: Op, a: FloatBits, b: FloatBits, target: &Target) -> Option<FloatBits> {
    let bits = with_format!(format(a.kind, target), F => {
        let (x, y) = (F::from_bits(a.bits), F::from_bits(b.bits));
        match op {
            Op::Add => x.add_r(y, NEAREST).value.to_bits(),
            Op::Sub => x.sub_r(y, NEAREST).value.to_bits(),
            Op::Mul => x.mul_r(y, NEAREST).value.to_bits(),
            Op::Div => x.div_r(y, NEAREST).value.to_bits(),
            Op::Rem | Op::Shl | Op::Shr | Op::And | Op::Xor | Op::Or => return None,
        }
    });
    Some(FloatBits { kind: a.kind, bits })
}

/// Comparison.
pub(super) fn compare(rel: Rel, a: FloatBits, b: FloatBits, target: &Target) -> bool {
    let order =
        with_format!(format(a.kind, target), F => F::from_bits(a.bits).partial_cmp(&F::from_bits(b.bits)));
    match rel {
        Rel::Lt => order == Some(Ordering::Less),
        Rel::Gt => order == Some(Ordering::Greater),
        Rel::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Rel::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Rel::Eq => order == Some(Ordering::Equal),
        Rel::Ne => order != Some(Ordering::Equal),
    }
}

/// Is it zero (of either sign)?
pub(super) fn is_zero(a: FloatBits, target: &Target) -> bool {
    with_format!(format(a.kind, target), F => F::from_bits(a.bits).is_zero())
}
