//! Arithmetic that can be undefined, out of the loop's way.

use crate::stop::{Res, undefined};
use crate::ub::Ub;

#[cold]
#[inline(never)]
pub(super) fn overflow<T>(a: i128, b: i128, op: &str, bits: u32) -> Res<T> {
    undefined(Ub::SignedOverflow, format!("{a} {op} {b} does not fit a signed {bits}-bit integer"))
}

#[cold]
#[inline(never)]
pub(super) fn bad_division<T>(a: i128, b: i128) -> Res<T> {
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

#[inline(always)]
pub(super) fn count(n: u64, width: u64) -> Res<()> {
    if n < width { Ok(()) } else { bad_count(n, width) }
}

#[cold]
pub(super) fn bad_count<T>(n: u64, width: u64) -> Res<T> {
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
pub(super) fn bad_shift<T>(a: i64, n: u64, width: u64) -> Res<T> {
    undefined(Ub::ShiftOverflow, format!("{a} << {n} does not fit a signed {width}-bit integer"))
}
