//! `<math.h>` for `double` and `float`: exact functions are computed here, the others by the host's libm.
//!
//! `errno` follows glibc: `EDOM` for a NaN from numbers, `ERANGE` for an infinity from finite numbers and for
//! results that underflow.

use super::{Args, Entry, double, errnos, int, set_errno, single, store_int};
use crate::class::Class;
use crate::mem::Ptr;
use crate::stop::{Res, unsupported};
use crate::vm::{Slot, Vm};
use std::ffi::c_int;

/// The host's libm, safe to call: pure functions of numbers, but for `errno` and flags of this thread.
mod host {
    use std::ffi::c_int;
    #[link(name = "m")]
    unsafe extern "C" {
        pub safe fn sin(x: f64) -> f64;
        pub safe fn sinf(x: f32) -> f32;
        pub safe fn cos(x: f64) -> f64;
        pub safe fn cosf(x: f32) -> f32;
        pub safe fn tan(x: f64) -> f64;
        pub safe fn tanf(x: f32) -> f32;
        pub safe fn asin(x: f64) -> f64;
        pub safe fn asinf(x: f32) -> f32;
        pub safe fn acos(x: f64) -> f64;
        pub safe fn acosf(x: f32) -> f32;
        pub safe fn atan(x: f64) -> f64;
        pub safe fn atanf(x: f32) -> f32;
        pub safe fn sinh(x: f64) -> f64;
        pub safe fn sinhf(x: f32) -> f32;
        pub safe fn cosh(x: f64) -> f64;
        pub safe fn coshf(x: f32) -> f32;
        pub safe fn tanh(x: f64) -> f64;
        pub safe fn tanhf(x: f32) -> f32;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn asinhf(x: f32) -> f32;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn acoshf(x: f32) -> f32;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn atanhf(x: f32) -> f32;
        pub safe fn exp(x: f64) -> f64;
        pub safe fn expf(x: f32) -> f32;
        pub safe fn exp2(x: f64) -> f64;
        pub safe fn exp2f(x: f32) -> f32;
        pub safe fn exp10(x: f64) -> f64;
        pub safe fn exp10f(x: f32) -> f32;
        pub safe fn expm1(x: f64) -> f64;
        pub safe fn expm1f(x: f32) -> f32;
        pub safe fn log(x: f64) -> f64;
        pub safe fn logf(x: f32) -> f32;
        pub safe fn log2(x: f64) -> f64;
        pub safe fn log2f(x: f32) -> f32;
        pub safe fn log10(x: f64) -> f64;
        pub safe fn log10f(x: f32) -> f32;
        pub safe fn log1p(x: f64) -> f64;
        pub safe fn log1pf(x: f32) -> f32;
        pub safe fn cbrt(x: f64) -> f64;
        pub safe fn cbrtf(x: f32) -> f32;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erff(x: f32) -> f32;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn erfcf(x: f32) -> f32;
        pub safe fn tgamma(x: f64) -> f64;
        pub safe fn tgammaf(x: f32) -> f32;
        pub safe fn j0(x: f64) -> f64;
        pub safe fn j0f(x: f32) -> f32;
        pub safe fn j1(x: f64) -> f64;
        pub safe fn j1f(x: f32) -> f32;
        pub safe fn y0(x: f64) -> f64;
        pub safe fn y0f(x: f32) -> f32;
        pub safe fn y1(x: f64) -> f64;
        pub safe fn y1f(x: f32) -> f32;
        pub safe fn pow(x: f64, y: f64) -> f64;
        pub safe fn powf(x: f32, y: f32) -> f32;
        pub safe fn atan2(x: f64, y: f64) -> f64;
        pub safe fn atan2f(x: f32, y: f32) -> f32;
        pub safe fn hypot(x: f64, y: f64) -> f64;
        pub safe fn hypotf(x: f32, y: f32) -> f32;
        pub safe fn remainder(x: f64, y: f64) -> f64;
        pub safe fn remainderf(x: f32, y: f32) -> f32;
        pub safe fn fdim(x: f64, y: f64) -> f64;
        pub safe fn fdimf(x: f32, y: f32) -> f32;
        pub safe fn fmax(x: f64, y: f64) -> f64;
        pub safe fn fmaxf(x: f32, y: f32) -> f32;
        pub safe fn fmin(x: f64, y: f64) -> f64;
        pub safe fn fminf(x: f32, y: f32) -> f32;
        pub safe fn nextafter(x: f64, y: f64) -> f64;
        pub safe fn nextafterf(x: f32, y: f32) -> f32;
        pub safe fn ilogb(x: f64) -> c_int;
        pub safe fn ilogbf(x: f32) -> c_int;
        pub safe fn logb(x: f64) -> f64;
        pub safe fn logbf(x: f32) -> f32;
        pub safe fn scalbn(x: f64, n: c_int) -> f64;
        pub safe fn scalbnf(x: f32, n: c_int) -> f32;
        pub safe fn jn(n: c_int, x: f64) -> f64;
        pub safe fn yn(n: c_int, x: f64) -> f64;
        pub fn lgamma_r(x: f64, sign: *mut c_int) -> f64;
        pub fn lgammaf_r(x: f32, sign: *mut c_int) -> f32;
        pub fn remquo(x: f64, y: f64, q: *mut c_int) -> f64;
        pub fn remquof(x: f32, y: f32, q: *mut c_int) -> f32;
    }
}

/// May a nonzero result vanish by underflow, which glibc reports?
const TINY: bool = true;
const LARGE: bool = false;

macro_rules! table {
    (
        one { $($o:literal $of:literal $o64:path, $o32:path, $otiny:expr;)* }
        two { $($t:literal $tf:literal $t64:path, $t32:path, $ttiny:expr;)* }
        rest { $($entry:expr,)* }
    ) => {
        /// The functions.
        pub const TABLE: &[Entry] = &[
            $(($o, "dd", |vm, a| one(vm, a, |x| $o64(x), $otiny)), ($of, "ff", |vm, a| onef(vm, a, |x| $o32(x), $otiny)),)*
            $(($t, "ddd", |vm, a| two(vm, a, |x, y| $t64(x, y), $ttiny)), ($tf, "fff", |vm, a| twof(vm, a, |x, y| $t32(x, y), $ttiny)),)*
            $($entry,)*
        ];
    };
}

table! {
    one {
        "fabs" "fabsf" f64::abs, f32::abs, LARGE;
        "sqrt" "sqrtf" f64::sqrt, f32::sqrt, LARGE;
        "floor" "floorf" f64::floor, f32::floor, LARGE;
        "ceil" "ceilf" f64::ceil, f32::ceil, LARGE;
        "trunc" "truncf" f64::trunc, f32::trunc, LARGE;
        "rint" "rintf" f64::round_ties_even, f32::round_ties_even, LARGE;
        "nearbyint" "nearbyintf" f64::round_ties_even, f32::round_ties_even, LARGE;
        "roundeven" "roundevenf" f64::round_ties_even, f32::round_ties_even, LARGE;
        "round" "roundf" f64::round, f32::round, LARGE;
        "sin" "sinf" host::sin, host::sinf, LARGE;
        "cos" "cosf" host::cos, host::cosf, LARGE;
        "tan" "tanf" host::tan, host::tanf, LARGE;
        "asin" "asinf" host::asin, host::asinf, LARGE;
        "acos" "acosf" host::acos, host::acosf, LARGE;
        "atan" "atanf" host::atan, host::atanf, LARGE;
        "sinh" "sinhf" host::sinh, host::sinhf, LARGE;
        "cosh" "coshf" host::cosh, host::coshf, LARGE;
        "tanh" "tanhf" host::tanh, host::tanhf, LARGE;
        "asinh" "asinhf" host::asinh, host::asinhf, LARGE;
        "acosh" "acoshf" host::acosh, host::acoshf, LARGE;
        "atanh" "atanhf" host::atanh, host::atanhf, LARGE;
        "exp" "expf" host::exp, host::expf, TINY;
        "exp2" "exp2f" host::exp2, host::exp2f, TINY;
        "exp10" "exp10f" host::exp10, host::exp10f, TINY;
        "expm1" "expm1f" host::expm1, host::expm1f, LARGE;
        "log" "logf" host::log, host::logf, LARGE;
        "log2" "log2f" host::log2, host::log2f, LARGE;
        "log10" "log10f" host::log10, host::log10f, LARGE;
        "log1p" "log1pf" host::log1p, host::log1pf, LARGE;
        "cbrt" "cbrtf" host::cbrt, host::cbrtf, LARGE;
        "erf" "erff" host::erf, host::erff, LARGE;
        "erfc" "erfcf" host::erfc, host::erfcf, TINY;
        "tgamma" "tgammaf" host::tgamma, host::tgammaf, TINY;
        "j0" "j0f" host::j0, host::j0f, LARGE;
        "j1" "j1f" host::j1, host::j1f, LARGE;
        "y0" "y0f" host::y0, host::y0f, LARGE;
        "y1" "y1f" host::y1, host::y1f, LARGE;
        "logb" "logbf" host::logb, host::logbf, LARGE;
        "pow10" "pow10f" host::exp10, host::exp10f, TINY;
    }
    two {
        "copysign" "copysignf" f64::copysign, f32::copysign, LARGE;
        "fmod" "fmodf" std::ops::Rem::rem, std::ops::Rem::rem, LARGE;
        "drem" "dremf" host::remainder, host::remainderf, LARGE;
        "pow" "powf" host::pow, host::powf, TINY;
        "atan2" "atan2f" host::atan2, host::atan2f, LARGE;
        "hypot" "hypotf" host::hypot, host::hypotf, LARGE;
        "remainder" "remainderf" host::remainder, host::remainderf, LARGE;
        "fdim" "fdimf" host::fdim, host::fdimf, LARGE;
        "fmax" "fmaxf" host::fmax, host::fmaxf, LARGE;
        "fmin" "fminf" host::fmin, host::fminf, LARGE;
        "nextafter" "nextafterf" host::nextafter, host::nextafterf, LARGE;
    }
    rest {
        ("fma", "dddd", |_, a| Ok(double(a.f64(0)?.mul_add(a.f64(1)?, a.f64(2)?)))),
        ("fmaf", "ffff", |_, a| Ok(single(a.f32(0)?.mul_add(a.f32(1)?, a.f32(2)?)))),
        ("ldexp", "ddi", |vm, a| scale(vm, a, i64::from(a.i32(1)?))),
        ("ldexpf", "ffi", |vm, a| scalef(vm, a, i64::from(a.i32(1)?))),
        ("scalbn", "ddi", |vm, a| scale(vm, a, i64::from(a.i32(1)?))),
        ("scalbnf", "ffi", |vm, a| scalef(vm, a, i64::from(a.i32(1)?))),
        ("scalbln", "ddl", |vm, a| scale(vm, a, a.int(1)? as i64)),
        ("scalblnf", "ffl", |vm, a| scalef(vm, a, a.int(1)? as i64)),
        ("frexp", "ddp", frexp),
        ("frexpf", "ffp", frexpf),
        ("modf", "ddp", modf),
        ("modff", "ffp", modff),
        ("remquo", "dddp", remquo),
        ("remquof", "fffp", remquof),
        ("sincos", "vdpp", sincos),
        ("sincosf", "vfpp", sincosf),
        ("lgamma", "dd", |vm, a| lgamma(vm, a)),
        ("gamma", "dd", |vm, a| lgamma(vm, a)),
        ("lgammaf", "ff", |vm, a| lgammaf(vm, a)),
        ("jn", "did", |_, a| Ok(double(host::jn(a.i32(0)?, a.f64(1)?)))),
        ("yn", "did", |_, a| Ok(double(host::yn(a.i32(0)?, a.f64(1)?)))),
        ("ilogb", "id", |vm, a| ilogb(vm, a.f64(0)?, host::ilogb(a.f64(0)?))),
        ("ilogbf", "if", |vm, a| ilogb(vm, a.f32(0)?.into(), host::ilogbf(a.f32(0)?))),
        ("lrint", "ld", |vm, a| whole(a.f64(0)?.round_ties_even(), vm.options.target.long_bytes)),
        ("lrintf", "lf", |vm, a| whole(f64::from(a.f32(0)?).round_ties_even(), vm.options.target.long_bytes)),
        ("llrint", "qd", |_, a| whole(a.f64(0)?.round_ties_even(), 8)),
        ("llrintf", "qf", |_, a| whole(f64::from(a.f32(0)?).round_ties_even(), 8)),
        ("lround", "ld", |vm, a| whole(a.f64(0)?.round(), vm.options.target.long_bytes)),
        ("lroundf", "lf", |vm, a| whole(f64::from(a.f32(0)?).round(), vm.options.target.long_bytes)),
        ("llround", "qd", |_, a| whole(a.f64(0)?.round(), 8)),
        ("llroundf", "qf", |_, a| whole(f64::from(a.f32(0)?).round(), 8)),
        ("__builtin_iround", "id", |_, a| whole(a.f64(0)?.round(), 4)),
        ("__builtin_irint", "id", |_, a| whole(a.f64(0)?.round_ties_even(), 4)),
        ("__builtin_ifloor", "id", |_, a| whole(a.f64(0)?.floor(), 4)),
        ("__builtin_iceil", "id", |_, a| whole(a.f64(0)?.ceil(), 4)),
        ("__builtin_powi", "ddi", |_, a| Ok(double(powi(a.f64(0)?, a.i32(1)?, 1.0, |x, y| x * y, |x| 1.0 / x)))),
        ("__builtin_powif", "ffi", |_, a| Ok(single(powi(a.f32(0)?, a.i32(1)?, 1.0, |x, y| x * y, |x| 1.0 / x)))),
        ("nan", "dp", |vm, a| nan(vm, a, double(f64::from_bits(0x7ff8 << 48)))),
        ("nanf", "fp", |vm, a| nan(vm, a, single(f32::from_bits(0x7fc0_0000)))),
        ("__builtin_nans", "dp", |vm, a| nan(vm, a, double(f64::from_bits(0x7ff4 << 48)))),
        ("__builtin_nansf", "fp", |vm, a| nan(vm, a, single(f32::from_bits(0x7fa0_0000)))),
        ("__builtin_inf", "d", |_, _| Ok(double(f64::INFINITY))),
        ("__builtin_inff", "f", |_, _| Ok(single(f32::INFINITY))),
        ("__builtin_huge_val", "d", |_, _| Ok(double(f64::INFINITY))),
        ("__builtin_huge_valf", "f", |_, _| Ok(single(f32::INFINITY))),
        ("isnan", "id", |_, a| Ok(int(a.f64(0)?.is_nan().into()))),
        ("__isnan", "id", |_, a| Ok(int(a.f64(0)?.is_nan().into()))),
        ("__isnanf", "if", |_, a| Ok(int(a.f32(0)?.is_nan().into()))),
        ("isinf", "id", |_, a| Ok(int(infinite(a.f64(0)?)))),
        ("__isinf", "id", |_, a| Ok(int(infinite(a.f64(0)?)))),
        ("__isinff", "if", |_, a| Ok(int(infinite(a.f32(0)?.into())))),
        ("finite", "id", |_, a| Ok(int(a.f64(0)?.is_finite().into()))),
        ("__finite", "id", |_, a| Ok(int(a.f64(0)?.is_finite().into()))),
        ("finitef", "if", |_, a| Ok(int(a.f32(0)?.is_finite().into()))),
        ("__finitef", "if", |_, a| Ok(int(a.f32(0)?.is_finite().into()))),
        ("__signbit", "id", |_, a| Ok(int(a.f64(0)?.is_sign_negative().into()))),
        ("__signbitf", "if", |_, a| Ok(int(a.f32(0)?.is_sign_negative().into()))),
        ("__fpclassify", "id", |_, a| Ok(int(classify(a.f64(0)?.classify())))),
        ("__fpclassifyf", "if", |_, a| Ok(int(classify(a.f32(0)?.classify())))),
    }
}

/// Sets `errno` as glibc does after a computation.
fn settle(vm: &mut Vm<'_>, result: f64, least: f64, inputs: &[f64], tiny: bool) -> Res<()> {
    if result.is_nan() {
        if inputs.iter().all(|x| !x.is_nan()) {
            set_errno(vm, errnos::EDOM)?;
        }
    } else if inputs.iter().all(|x| x.is_finite()) {
        let vanished = tiny && result.abs() < least && inputs.iter().all(|x| *x != 0.0);
        if result.is_infinite() || vanished {
            set_errno(vm, errnos::ERANGE)?;
        }
    }
    Ok(())
}

const LEAST: f64 = f64::MIN_POSITIVE;
const LEAST_SINGLE: f64 = f32::MIN_POSITIVE as f64;

fn one(vm: &mut Vm<'_>, args: &Args<'_>, f: fn(f64) -> f64, tiny: bool) -> Res<Slot> {
    let x = args.f64(0)?;
    let r = f(x);
    settle(vm, r, LEAST, &[x], tiny)?;
    Ok(double(r))
}

fn onef(vm: &mut Vm<'_>, args: &Args<'_>, f: fn(f32) -> f32, tiny: bool) -> Res<Slot> {
    let x = args.f32(0)?;
    let r = f(x);
    settle(vm, r.into(), LEAST_SINGLE, &[x.into()], tiny)?;
    Ok(single(r))
}

fn two(vm: &mut Vm<'_>, args: &Args<'_>, f: fn(f64, f64) -> f64, tiny: bool) -> Res<Slot> {
    let (x, y) = (args.f64(0)?, args.f64(1)?);
    let r = f(x, y);
    settle(vm, r, LEAST, &[x, y], tiny)?;
    Ok(double(r))
}

fn twof(vm: &mut Vm<'_>, args: &Args<'_>, f: fn(f32, f32) -> f32, tiny: bool) -> Res<Slot> {
    let (x, y) = (args.f32(0)?, args.f32(1)?);
    let r = f(x, y);
    settle(vm, r.into(), LEAST_SINGLE, &[x.into(), y.into()], tiny)?;
    Ok(single(r))
}

/// Exponents beyond this do the same.
fn exponent(n: i64) -> c_int {
    n.clamp(-100_000, 100_000) as c_int
}

fn scale(vm: &mut Vm<'_>, args: &Args<'_>, n: i64) -> Res<Slot> {
    let x = args.f64(0)?;
    let r = host::scalbn(x, exponent(n));
    settle(vm, r, f64::from_bits(1), &[x], TINY)?;
    Ok(double(r))
}

fn scalef(vm: &mut Vm<'_>, args: &Args<'_>, n: i64) -> Res<Slot> {
    let x = args.f32(0)?;
    let r = host::scalbnf(x, exponent(n));
    settle(vm, r.into(), f32::from_bits(1).into(), &[x.into()], TINY)?;
    Ok(single(r))
}

fn store_double(vm: &mut Vm<'_>, p: Ptr, x: f64) -> Res<()> {
    store_int(vm, p, x.to_bits() as i64, 8, Class::Double)
}

fn store_single(vm: &mut Vm<'_>, p: Ptr, x: f32) -> Res<()> {
    store_int(vm, p, x.to_bits().into(), 4, Class::Float)
}

/// Fraction in [0.5, 1) and exponent.
fn split(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let power = host::ilogb(x) + 1;
    (host::scalbn(x, -power), power)
}

fn frexp(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (fraction, power) = split(args.f64(0)?);
    store_int(vm, args.ptr(1)?, power.into(), 4, Class::Int)?;
    Ok(double(fraction))
}

fn frexpf(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (fraction, power) = split(args.f32(0)?.into());
    store_int(vm, args.ptr(1)?, power.into(), 4, Class::Int)?;
    Ok(single(fraction as f32))
}

fn modf(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let x = args.f64(0)?;
    store_double(vm, args.ptr(1)?, x.trunc())?;
    let rest = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    Ok(double(rest.copysign(x)))
}

fn modff(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let x = args.f32(0)?;
    store_single(vm, args.ptr(1)?, x.trunc())?;
    let rest = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    Ok(single(rest.copysign(x)))
}

fn remquo(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (x, y) = (args.f64(0)?, args.f64(1)?);
    let mut quotient = 0;
    // SAFETY: the pointer is to a local.
    let r = unsafe { host::remquo(x, y, &mut quotient) };
    settle(vm, r, LEAST, &[x, y], LARGE)?;
    store_int(vm, args.ptr(2)?, quotient.into(), 4, Class::Int)?;
    Ok(double(r))
}

fn remquof(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (x, y) = (args.f32(0)?, args.f32(1)?);
    let mut quotient = 0;
    // SAFETY: the pointer is to a local.
    let r = unsafe { host::remquof(x, y, &mut quotient) };
    settle(vm, r.into(), LEAST_SINGLE, &[x.into(), y.into()], LARGE)?;
    store_int(vm, args.ptr(2)?, quotient.into(), 4, Class::Int)?;
    Ok(single(r))
}

fn sincos(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let x = args.f64(0)?;
    settle(vm, host::sin(x), LEAST, &[x], LARGE)?;
    store_double(vm, args.ptr(1)?, host::sin(x))?;
    store_double(vm, args.ptr(2)?, host::cos(x))?;
    Ok(int(0))
}

fn sincosf(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let x = args.f32(0)?;
    settle(vm, host::sinf(x).into(), LEAST, &[x.into()], LARGE)?;
    store_single(vm, args.ptr(1)?, host::sinf(x))?;
    store_single(vm, args.ptr(2)?, host::cosf(x))?;
    Ok(int(0))
}

fn lgamma(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let x = args.f64(0)?;
    let mut sign = 0;
    // SAFETY: the pointer is to a local.
    let r = unsafe { host::lgamma_r(x, &mut sign) };
    settle(vm, r, LEAST, &[x], LARGE)?;
    Ok(double(r))
}

fn lgammaf(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let x = args.f32(0)?;
    let mut sign = 0;
    // SAFETY: the pointer is to a local.
    let r = unsafe { host::lgammaf_r(x, &mut sign) };
    settle(vm, r.into(), LEAST_SINGLE, &[x.into()], LARGE)?;
    Ok(single(r))
}

fn ilogb(vm: &mut Vm<'_>, x: f64, r: c_int) -> Res<Slot> {
    if x == 0.0 || !x.is_finite() {
        set_errno(vm, errnos::EDOM)?;
    }
    Ok(int(r.into()))
}

/// A rounded value as an integer; out of range the result is unspecified.
fn whole(x: f64, bytes: u8) -> Res<Slot> {
    let limit = if bytes == 4 { 2_147_483_648.0 } else { 9_223_372_036_854_775_808.0 };
    if x >= -limit && x < limit {
        return Ok(int(x as i64));
    }
    unsupported("rounding to an integer type that does not hold the value (an unspecified result)")
}

/// `x` to the power `n` by squaring, in the order of libgcc.
pub fn powi<T: Copy>(x: T, n: i32, unit: T, mul: fn(T, T) -> T, invert: fn(T) -> T) -> T {
    let mut left = n.unsigned_abs();
    let mut base = x;
    let mut result = if left % 2 == 1 { x } else { unit };
    while left > 1 {
        left >>= 1;
        base = mul(base, base);
        if left % 2 == 1 {
            result = mul(result, base);
        }
    }
    if n < 0 { invert(result) } else { result }
}

/// Quiet or signalling NaN without payload.
pub fn nan(vm: &mut Vm<'_>, args: &Args<'_>, value: Slot) -> Res<Slot> {
    if vm.mem.read_str(args.ptr(0)?)?.is_empty() {
        return Ok(value);
    }
    unsupported("a NaN with a payload")
}

fn infinite(x: f64) -> i64 {
    if x.is_infinite() { x.signum() as i64 } else { 0 }
}

/// The classes by glibc's numbers.
fn classify(class: std::num::FpCategory) -> i64 {
    use std::num::FpCategory;
    match class {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => 4,
    }
}
