//! Multiplication and division of floating complex values beyond the textbook formulas: infinities come back from
//! NaNs (C11 G.5.1), and division scales its operands (Baudin and Smith, "A robust complex division", as gcc's run-time
//! library has it since version 12).

use super::Slot;
use super::float::{convert, format, from_bits, split};
use crate::class::Scalar;
use crate::stop::Res;
use csyntax::with_format;
use rustc_apfloat::Float;

/// 1 or 0 with the sign of `x`: is it infinite?
fn boxed<F: Float>(x: F) -> F {
    let one = F::from_u128(u128::from(x.is_infinite())).value;
    one.copy_sign(x)
}

fn quiet<F: Float>(x: F) -> F {
    if x.is_nan() { F::ZERO.copy_sign(x) } else { x }
}

fn mul<F: Float>(x: F, y: F) -> F {
    (x * y).value
}

fn div<F: Float>(x: F, y: F) -> F {
    (x / y).value
}

fn add<F: Float>(x: F, y: F) -> F {
    (x + y).value
}

fn sub<F: Float>(x: F, y: F) -> F {
    (x - y).value
}

fn multiply<F: Float>([mut a, mut b, mut c, mut d]: [F; 4]) -> [F; 2] {
    let (ac, bd, ad, bc) = (mul(a, c), mul(b, d), mul(a, d), mul(b, c));
    let (x, y) = (sub(ac, bd), add(ad, bc));
    if !(x.is_nan() && y.is_nan()) {
        return [x, y];
    }
    let mut infinite = false;
    if a.is_infinite() || b.is_infinite() {
        (a, b, c, d) = (boxed(a), boxed(b), quiet(c), quiet(d));
        infinite = true;
    }
    if c.is_infinite() || d.is_infinite() {
        (a, b, c, d) = (quiet(a), quiet(b), boxed(c), boxed(d));
        infinite = true;
    }
    if !infinite && [ac, bd, ad, bc].iter().any(|v| v.is_infinite()) {
        (a, b, c, d) = (quiet(a), quiet(b), quiet(c), quiet(d));
        infinite = true;
    }
    if !infinite {
        return [x, y];
    }
    let re = sub(mul(a, c), mul(b, d));
    let im = add(mul(a, d), mul(b, c));
    [mul(F::INFINITY, re), mul(F::INFINITY, im)]
}

/// The quotient where the format itself is the widest at hand; the operands come back scaled.
fn divide_scaled<F: Float>([mut a, mut b, mut c, mut d]: [F; 4]) -> ([F; 2], [F; 4]) {
    let power = |n: i32| F::from_u128(1).value.scalbn(n);
    let digits = F::PRECISION as i32 - 1;
    let (big, least) = (F::largest().scalbn(-1), F::smallest_normalized());
    let (tiny, grow) = (power(-digits), power(digits));
    let medium = mul(big, tiny);
    let swapped = c.abs() < d.abs();
    let most = |c: F, d: F| if swapped { d.abs() } else { c.abs() };
    if most(c, d) >= big {
        let two = F::from_u128(2).value;
        [a, b, c, d] = [a, b, c, d].map(|v| div(v, two));
    }
    let m = most(c, d);
    let small = |u: F, v: F| u.abs() < least && v.abs() < medium && m < medium;
    if m < tiny || small(a, b) || small(b, a) {
        [a, b, c, d] = [a, b, c, d].map(|v| mul(v, grow));
    }
    let (high, low) = if swapped { (d, c) } else { (c, d) };
    let ratio = div(low, high);
    let denominator = add(mul(low, ratio), high);
    // `v * low / high`, in the order that keeps a subnormal ratio from losing digits.
    let part = |v: F| if ratio.abs() > least { mul(v, ratio) } else { mul(low, div(v, high)) };
    let (x, y) =
        if swapped { (add(part(a), b), sub(part(b), a)) } else { (add(a, part(b)), sub(b, part(a))) };
    ([div(x, denominator), div(y, denominator)], [a, b, c, d])
}

/// Infinities and zeros that the formulas turned into NaNs.
fn recover<F: Float>([x, y]: [F; 2], [mut a, mut b, mut c, mut d]: [F; 4]) -> [F; 2] {
    if !(x.is_nan() && y.is_nan()) {
        return [x, y];
    }
    let with = |scale: F, [a, b, c, d]: [F; 4]| {
        let re = add(mul(a, c), mul(b, d));
        let im = sub(mul(b, c), mul(a, d));
        [mul(scale, re), mul(scale, im)]
    };
    if c.is_zero() && d.is_zero() && !(a.is_nan() && b.is_nan()) {
        let infinity = F::INFINITY.copy_sign(c);
        [mul(infinity, a), mul(infinity, b)]
    } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
        (a, b) = (boxed(a), boxed(b));
        with(F::INFINITY, [a, b, c, d])
    } else if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
        (c, d) = (boxed(c), boxed(d));
        with(F::ZERO, [a, b, c, d])
    } else {
        [x, y]
    }
}

/// The quotient by the textbook formula in a wider format.
fn divide_wide<F: Float>([a, b, c, d]: [F; 4]) -> [F; 2] {
    let denominator = add(mul(c, c), mul(d, d));
    let x = add(mul(a, c), mul(b, d));
    let y = sub(mul(b, c), mul(a, d));
    [div(x, denominator), div(y, denominator)]
}

fn through(kind: Scalar, wide: Scalar, v: [Slot; 4]) -> Res<[Slot; 2]> {
    let mut w = [Slot::default(); 4];
    for (to, from) in w.iter_mut().zip(v) {
        *to = convert(kind, wide, from)?;
    }
    let [x, y] = with_format!(format(wide), F => {
        divide_wide(w.map(|s| from_bits::<F>(wide, s))).map(|r| split(r.to_bits()))
    });
    let (x, y) = (convert(wide, kind, x)?, convert(wide, kind, y)?);
    Ok(with_format!(format(kind), F => {
        recover([x, y].map(|s| from_bits::<F>(kind, s)), v.map(|s| from_bits::<F>(kind, s)))
            .map(|r| split(r.to_bits()))
    }))
}

/// `(a + bi) * (c + di)` or `(a + bi) / (c + di)`; gives both parts.
pub fn complex(divide: bool, kind: Scalar, v: [Slot; 4]) -> Res<[Slot; 2]> {
    match kind {
        Scalar::F16 if divide => return through(kind, Scalar::F32, v),
        Scalar::F32 if divide => return through(kind, Scalar::F64, v),
        _ => {}
    }
    Ok(with_format!(format(kind), F => {
        let v = v.map(|s| from_bits::<F>(kind, s));
        let result = if divide {
            let (quotient, scaled) = divide_scaled(v);
            recover(quotient, scaled)
        } else {
            multiply(v)
        };
        result.map(|r| split(r.to_bits()))
    }))
}
