//! Arithmetic that the host has no single instruction for: 128-bit integers, conversions with range checks, soft
//! floats (half, x87 extended, quad), classification.

use super::Slot;
use crate::bytecode::{SoftOp, WideOp};
use crate::class::Scalar;
use crate::stop::{Res, undefined};
use crate::ub::Ub;
use csyntax::soft::Format;
use csyntax::tree::{FloatClass, QuietRel};
use csyntax::with_format;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

fn join(s: Slot) -> u128 {
    u128::from(s.lo) | u128::from(s.hi) << 64
}

/// A register of these bits.
pub(super) fn split(v: u128) -> Slot {
    Slot { lo: v as u64, hi: (v >> 64) as u64 }
}

fn flag(b: bool) -> Slot {
    Slot { lo: u64::from(b), hi: 0 }
}

/// 128-bit integer operations.
pub fn wide(op: WideOp, signed: bool, a: Slot, b: Slot) -> Res<Slot> {
    let (x, y) = (join(a), join(b));
    let (sx, sy) = (x as i128, y as i128);
    let over = |v: Option<i128>| match v {
        Some(v) => Ok(split(v as u128)),
        None => undefined(Ub::SignedOverflow, format!("{sx} and {sy}: the result does not fit 128 bits")),
    };
    let zero = || undefined(Ub::DivisionByZero, format!("{x} is divided by zero"));
    let fits = || undefined(Ub::DivisionOverflow, "the quotient does not fit 128 bits");
    // Shift counts arrive as 64-bit values.
    let count = b.lo;
    let bad = || undefined(Ub::ShiftCount, format!("a 128-bit value is shifted by {}", count as i64));
    Ok(match op {
        WideOp::Add if signed => return over(sx.checked_add(sy)),
        WideOp::Sub if signed => return over(sx.checked_sub(sy)),
        WideOp::Mul if signed => return over(sx.checked_mul(sy)),
        WideOp::Neg if signed => return over(sx.checked_neg()),
        WideOp::Add => split(x.wrapping_add(y)),
        WideOp::Sub => split(x.wrapping_sub(y)),
        WideOp::Mul => split(x.wrapping_mul(y)),
        WideOp::Neg => split(x.wrapping_neg()),
        WideOp::Div | WideOp::Rem if y == 0 => return zero(),
        WideOp::Div if signed => match sx.checked_div(sy) {
            Some(v) => split(v as u128),
            None => return fits(),
        },
        WideOp::Rem if signed => match sx.checked_rem(sy) {
            Some(v) => split(v as u128),
            None => return fits(),
        },
        WideOp::Div => split(x / y),
        WideOp::Rem => split(x % y),
        WideOp::And => split(x & y),
        WideOp::Or => split(x | y),
        WideOp::Xor => split(x ^ y),
        WideOp::Not => split(!x),
        WideOp::Shl | WideOp::Shr if count >= 128 => return bad(),
        WideOp::Shl if signed => {
            if sx < 0 || sx > i128::MAX >> count {
                return undefined(Ub::ShiftOverflow, format!("{sx} << {count} does not fit 128 bits"));
            }
            split(x << count)
        }
        WideOp::Shl => split(x << count),
        WideOp::Shr if signed => split((sx >> count) as u128),
        WideOp::Shr => split(x >> count),
        WideOp::Eq => flag(x == y),
        WideOp::Ne => flag(x != y),
        WideOp::Lt => flag(if signed { sx < sy } else { x < y }),
        WideOp::Le => flag(if signed { sx <= sy } else { x <= y }),
        WideOp::Bool => flag(x != 0),
    })
}

/// An exact integer of up to 129 bits: sign and magnitude.
#[derive(Copy, Clone)]
struct Exact {
    negative: bool,
    magnitude: u128,
}

fn exact(scalar: Scalar, s: Slot) -> Exact {
    let value = match scalar {
        wide if wide.is_wide() && wide.signed() => join(s) as i128,
        wide if wide.is_wide() => return Exact { negative: false, magnitude: join(s) },
        s2 if s2.signed() => i128::from(s.lo as i64),
        _ => i128::from(s.lo),
    };
    Exact { negative: value < 0, magnitude: value.unsigned_abs() }
}

/// `__builtin_{add,sub,mul}_overflow`: whether the exact result fits, and its low bits.
pub fn overflow(op: WideOp, types: (Scalar, Scalar, Scalar, Option<u32>), a: Slot, b: Slot) -> (bool, Slot) {
    let (x, mut y) = (exact(types.0, a), exact(types.1, b));
    if op == WideOp::Sub {
        y.negative = !y.negative && y.magnitude != 0 || (y.negative && y.magnitude == 0);
    }
    let (result, carried) = if op == WideOp::Mul {
        let (magnitude, carried) = x.magnitude.overflowing_mul(y.magnitude);
        (Exact { negative: (x.negative != y.negative) && (magnitude != 0 || carried), magnitude }, carried)
    } else if x.negative == y.negative {
        let (magnitude, carried) = x.magnitude.overflowing_add(y.magnitude);
        (Exact { negative: x.negative, magnitude }, carried)
    } else if x.magnitude >= y.magnitude {
        let magnitude = x.magnitude - y.magnitude;
        (Exact { negative: x.negative && magnitude != 0, magnitude }, false)
    } else {
        (Exact { negative: y.negative, magnitude: y.magnitude - x.magnitude }, false)
    };
    let low = if result.negative { result.magnitude.wrapping_neg() } else { result.magnitude };
    let to = types.2;
    let bits = to.width();
    let fits = !carried
        && if to.signed() {
            let limit = 1u128 << (bits - 1);
            if result.negative { result.magnitude <= limit } else { result.magnitude < limit }
        } else {
            (!result.negative || result.magnitude == 0) && (bits == 128 || result.magnitude >> bits == 0)
        };
    let masked = if bits == 128 { low } else { low & ((1 << bits) - 1) };
    let (lo, hi) = super::access::canonical(to, masked);
    (!fits, Slot { lo, hi })
}

/// The format of a floating representation; everything else has long double's.
pub fn format(kind: Scalar) -> Format {
    match kind {
        Scalar::F16 => Format::Half,
        Scalar::F32 => Format::Single,
        Scalar::F64 => Format::Double,
        Scalar::F128 => Format::Quad,
        _ => Format::X87,
    }
}

/// The float in a register.
pub(super) fn from_bits<F: Float>(kind: Scalar, s: Slot) -> F {
    F::from_bits(bits(kind, s))
}

/// Bits of a float in a register.
fn bits(kind: Scalar, s: Slot) -> u128 {
    match kind {
        Scalar::F16 => u128::from(s.lo as u16),
        Scalar::F32 => u128::from(s.lo as u32),
        Scalar::F64 => u128::from(s.lo),
        Scalar::F80 => u128::from(s.lo) | u128::from(s.hi as u16) << 64,
        _ => join(s),
    }
}

/// The same by the host, which has `float` and `double`: `None` for the other formats, and for results that are no
/// numbers, whose bits the host chooses otherwise.
#[inline]
fn hosted(op: SoftOp, kind: Scalar, a: Slot, b: Slot) -> Option<Slot> {
    macro_rules! by {
        ($t:ty, $bits:ty) => {{
            let (x, y) = (<$t>::from_bits(a.lo as $bits), <$t>::from_bits(b.lo as $bits));
            let value = match op {
                SoftOp::Add => x + y,
                SoftOp::Sub => x - y,
                SoftOp::Mul => x * y,
                SoftOp::Div => x / y,
                SoftOp::Neg => return Some(Slot { lo: u64::from((-x).to_bits()), hi: 0 }),
                SoftOp::Eq => return Some(flag(x == y)),
                SoftOp::Ne => return Some(flag(x != y)),
                SoftOp::Lt => return Some(flag(x < y)),
                SoftOp::Le => return Some(flag(x <= y)),
            };
            (!value.is_nan()).then(|| Slot { lo: u64::from(value.to_bits()), hi: 0 })
        }};
    }
    match kind {
        Scalar::F64 => by!(f64, u64),
        Scalar::F32 => by!(f32, u32),
        _ => None,
    }
}

/// Operations on soft floats, rounding to nearest even as IEEE 754 has it.
pub fn soft(op: SoftOp, kind: Scalar, a: Slot, b: Slot) -> Slot {
    if let Some(value) = hosted(op, kind, a, b) {
        return value;
    }
    with_format!(format(kind), F => {
        let (x, y) = (F::from_bits(bits(kind, a)), F::from_bits(bits(kind, b)));
        match op {
            SoftOp::Add => split((x + y).value.to_bits()),
            SoftOp::Sub => split((x - y).value.to_bits()),
            SoftOp::Mul => split((x * y).value.to_bits()),
            SoftOp::Div => split((x / y).value.to_bits()),
            SoftOp::Neg => split((-x).to_bits()),
            SoftOp::Eq => flag(x.partial_cmp(&y) == Some(Ordering::Equal)),
            SoftOp::Ne => flag(x.partial_cmp(&y) != Some(Ordering::Equal)),
            SoftOp::Lt => flag(x.partial_cmp(&y) == Some(Ordering::Less)),
            SoftOp::Le => flag(matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Equal))),
        }
    })
}

/// Classification builtins.
pub fn classify(class: FloatClass, kind: Scalar, a: Slot) -> i32 {
    with_format!(format(kind), F => {
        let x = F::from_bits(bits(kind, a));
        match class {
            FloatClass::IsNan => i32::from(x.is_nan()),
            FloatClass::IsInf => i32::from(x.is_infinite()),
            FloatClass::IsInfSign => i32::from(x.is_infinite()) * if x.is_negative() { -1 } else { 1 },
            FloatClass::IsFinite => i32::from(x.is_finite()),
            FloatClass::IsNormal => i32::from(x.is_normal()),
            FloatClass::SignBit => i32::from(x.is_negative()),
        }
    })
}

/// Quiet comparisons.
pub fn quiet(rel: QuietRel, kind: Scalar, a: Slot, b: Slot) -> bool {
    let order = with_format!(format(kind), F => F::from_bits(bits(kind, a)).partial_cmp(&F::from_bits(bits(kind, b))));
    match rel {
        QuietRel::Less => order == Some(Ordering::Less),
        QuietRel::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        QuietRel::Greater => order == Some(Ordering::Greater),
        QuietRel::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        QuietRel::LessGreater => matches!(order, Some(Ordering::Less | Ordering::Greater)),
        QuietRel::Unordered => order.is_none(),
    }
}

/// Conversions between scalars that are not a single host operation.
pub fn convert(from: Scalar, to: Scalar, a: Slot) -> Res<Slot> {
    if from.is_float() {
        let raw = bits(from, a);
        return with_format!(format(from), F => {
            let x = F::from_bits(raw);
            if to.is_float() {
                Ok(float_to_float(x, to))
            } else if to == Scalar::Bool {
                Ok(flag(!x.is_zero()))
            } else {
                float_to_int(x, to)
            }
        });
    }
    if to.is_float() {
        let value = exact(from, a);
        return Ok(with_format!(format(to), F => {
            let x = F::from_u128_r(value.magnitude, Round::NearestTiesToEven).value;
            split(if value.negative { -x } else { x }.to_bits())
        }));
    }
    let raw = match from {
        wide if wide.is_wide() => join(a),
        s if s.signed() => a.lo as i64 as i128 as u128,
        _ => u128::from(a.lo),
    };
    if to == Scalar::Bool {
        return Ok(flag(raw != 0));
    }
    let width = to.width();
    let masked = if width >= 128 { raw } else { raw & ((1 << width) - 1) };
    let (lo, hi) = super::access::canonical(to, masked);
    Ok(Slot { lo, hi })
}

fn float_to_float<F>(x: F, to: Scalar) -> Slot
where
    F: Float + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<Quad>,
    F: FloatConvert<X87DoubleExtended>,
{
    let mut lost = false;
    split(match to {
        Scalar::F16 => FloatConvert::<Half>::convert(x, &mut lost).value.to_bits(),
        Scalar::F32 => FloatConvert::<Single>::convert(x, &mut lost).value.to_bits(),
        Scalar::F64 => FloatConvert::<Double>::convert(x, &mut lost).value.to_bits(),
        Scalar::F128 => FloatConvert::<Quad>::convert(x, &mut lost).value.to_bits(),
        _ => FloatConvert::<X87DoubleExtended>::convert(x, &mut lost).value.to_bits(),
    })
}

fn float_to_int<F: Float>(x: F, to: Scalar) -> Res<Slot> {
    let width = to.width() as usize;
    let mut exact = false;
    let (raw, status) = if to.signed() {
        let r = x.to_i128_r(width, Round::TowardZero, &mut exact);
        (r.value as u128, r.status)
    } else {
        let r = x.to_u128_r(width, Round::TowardZero, &mut exact);
        (r.value, r.status)
    };
    if status.contains(Status::INVALID_OP) {
        return undefined(Ub::FloatToIntRange, format!("{x} does not fit the integer type"));
    }
    let masked = if width >= 128 { raw } else { raw & ((1 << width) - 1) };
    let (lo, hi) = super::access::canonical(to, masked);
    Ok(Slot { lo, hi })
}

/// A float register as a host `f64`, for printing and mathematics of `float` and `double`.
pub fn to_f64(kind: Scalar, a: Slot) -> f64 {
    match kind {
        Scalar::F64 => f64::from_bits(a.lo),
        Scalar::F32 => f64::from(f32::from_bits(a.lo as u32)),
        _ => match convert(kind, Scalar::F64, a) {
            Ok(s) => f64::from_bits(s.lo),
            Err(_) => f64::NAN,
        },
    }
}
