//! What instructions compute of values as registers have them: integers extended to 64 bits, floating point as its bits.
//! What happens where that is undefined stays out of the loop's way.

use crate::stop::{Res, undefined};
use crate::ub::Ub;

macro_rules! checked {
    ($($name:ident = $t:ty, $f:ident, $sign:literal;)*) => {$(
        #[inline(always)]
        pub(super) fn $name(a: u64, b: u64) -> Res<u64> {
            let (a, b) = (a as $t, b as $t);
            match a.$f(b) {
                Some(v) => Ok(v as i64 as u64),
                None => overflow(a.into(), b.into(), $sign, <$t>::BITS),
            }
        }
    )*};
}

checked! {
    add_i32 = i32, checked_add, "+";
    sub_i32 = i32, checked_sub, "-";
    mul_i32 = i32, checked_mul, "*";
    add_i64 = i64, checked_add, "+";
    sub_i64 = i64, checked_sub, "-";
    mul_i64 = i64, checked_mul, "*";
}

macro_rules! divided {
    ($($name:ident = $t:ty, $f:ident;)*) => {$(
        #[inline(always)]
        pub(super) fn $name(a: u64, b: u64) -> Res<u64> {
            let (a, b) = (a as $t, b as $t);
            match a.$f(b) {
                Some(v) => Ok(v as i64 as u64),
                None => bad_division(a.into(), b.into()),
            }
        }
    )*};
}

divided! {
    div_i32 = i32, checked_div;
    rem_i32 = i32, checked_rem;
    div_i64 = i64, checked_div;
    rem_i64 = i64, checked_rem;
    div_u64 = u64, checked_div;
    rem_u64 = u64, checked_rem;
}

#[inline(always)]
pub(super) fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
pub(super) fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline(always)]
pub(super) fn of_f64(value: f64) -> u64 {
    value.to_bits()
}

#[inline(always)]
pub(super) fn of_f32(value: f32) -> u64 {
    value.to_bits().into()
}

#[cold]
#[inline(never)]
fn overflow<T>(a: i128, b: i128, op: &str, bits: u32) -> Res<T> {
    undefined(Ub::SignedOverflow, format!("{a} {op} {b} does not fit a signed {bits}-bit integer"))
}

#[cold]
#[inline(never)]
fn bad_division<T>(a: i128, b: i128) -> Res<T> {
    if b == 0 {
        undefined(Ub::DivisionByZero, format!("{a} is divided by zero"))
    } else {
        undefined(Ub::DivisionOverflow, format!("{a} / {b} does not fit"))
    }
}

#[cold]
#[inline(never)]
pub(super) fn bad_index<T>(i: u64, count: u64) -> Res<T> {
    undefined(Ub::OutOfBounds, format!("index {} of an array of {count} element(s)", i as i64))
}

/// The index of a row of a variable-length array is below its length.
#[inline(never)]
pub(super) fn index_within(i: u64, n: u64) -> Res<()> {
    if i < n { Ok(()) } else { bad_index(i, n) }
}

/// How far a value of `width` bits is shifted.
#[inline(always)]
pub(super) fn count(n: u64, width: u64) -> Res<u64> {
    if n < width { Ok(n) } else { bad_count(n, width) }
}

#[cold]
fn bad_count<T>(n: u64, width: u64) -> Res<T> {
    undefined(Ub::ShiftCount, format!("a {width}-bit value is shifted by {}", n as i64))
}

/// `a << n` of a signed type: as gcc and clang define it for values whose result bits are representable
/// (C11 6.5.7p4 makes the rest undefined).
#[inline(always)]
pub(super) fn shl_signed(a: i64, n: u64, width: u64) -> Res<u64> {
    count(n, width)?;
    let max = if width == 32 { i64::from(i32::MAX) } else { i64::MAX };
    if a < 0 || a > max >> n {
        return bad_shift(a, n, width);
    }
    Ok((a << n) as u64)
}

#[cold]
fn bad_shift<T>(a: i64, n: u64, width: u64) -> Res<T> {
    undefined(Ub::ShiftOverflow, format!("{a} << {n} does not fit a signed {width}-bit integer"))
}
