//! `<math.h>` for `long double` (and builtins on quad floats): the functions with exact results, in software. The
//! transcendental ones are not known.

use super::math::{nan, powi};
use super::number::long_double;
use super::{Args, Entry, int, store_int};
use crate::class::{Class, Scalar};
use crate::mem::Ptr;
use crate::stop::{Res, unsupported};
use crate::vm::float::format;
use crate::vm::{Slot, Vm};
use csyntax::with_format;
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round, Status};

/// The functions.
pub const TABLE: &[Entry] = &[
    ("fabsl", "ee", |vm, a| one(vm, a, Unary::Abs)),
    ("floorl", "ee", |vm, a| one(vm, a, Unary::Round(Round::TowardNegative))),
    ("ceill", "ee", |vm, a| one(vm, a, Unary::Round(Round::TowardPositive))),
    ("truncl", "ee", |vm, a| one(vm, a, Unary::Round(Round::TowardZero))),
    ("rintl", "ee", |vm, a| one(vm, a, Unary::Round(Round::NearestTiesToEven))),
    ("nearbyintl", "ee", |vm, a| one(vm, a, Unary::Round(Round::NearestTiesToEven))),
    ("roundevenl", "ee", |vm, a| one(vm, a, Unary::Round(Round::NearestTiesToEven))),
    ("roundl", "ee", |vm, a| one(vm, a, Unary::Round(Round::NearestTiesToAway))),
    ("sqrtl", "ee", sqrtl),
    ("copysignl", "eee", |vm, a| two(vm, a, Binary::CopySign)),
    ("fmodl", "eee", |vm, a| two(vm, a, Binary::Fmod)),
    ("remainderl", "eee", |vm, a| two(vm, a, Binary::Remainder)),
    ("dreml", "eee", |vm, a| two(vm, a, Binary::Remainder)),
    ("fminl", "eee", |vm, a| two(vm, a, Binary::Min)),
    ("fmaxl", "eee", |vm, a| two(vm, a, Binary::Max)),
    ("fdiml", "eee", |vm, a| two(vm, a, Binary::Dim)),
    ("nextafterl", "eee", |vm, a| two(vm, a, Binary::Next)),
    ("fmal", "eeee", fmal),
    ("ldexpl", "eei", |vm, a| scale(vm, a, i64::from(a.i32(1)?))),
    ("scalbnl", "eei", |vm, a| scale(vm, a, i64::from(a.i32(1)?))),
    ("scalblnl", "eel", |vm, a| scale(vm, a, a.int(1)? as i64)),
    ("frexpl", "eep", frexpl),
    ("modfl", "eep", modfl),
    ("lrintl", "le", |vm, a| whole(vm, a, Round::NearestTiesToEven, true)),
    ("llrintl", "qe", |vm, a| whole(vm, a, Round::NearestTiesToEven, false)),
    ("lroundl", "le", |vm, a| whole(vm, a, Round::NearestTiesToAway, true)),
    ("llroundl", "qe", |vm, a| whole(vm, a, Round::NearestTiesToAway, false)),
    ("__builtin_powil", "eei", powil),
    ("nanl", "ep", |vm, a| {
        let value = constant(long_double(vm), true);
        nan(vm, a, value)
    }),
    ("__builtin_infl", "e", |vm, _| Ok(constant(long_double(vm), false))),
    ("__builtin_huge_vall", "e", |vm, _| Ok(constant(long_double(vm), false))),
    ("__isnanl", "ie", |vm, a| Ok(int((class(vm, a)? == 0).into()))),
    ("__isinfl", "ie", |vm, a| Ok(int(if class(vm, a)? == 1 { sign(vm, a)? } else { 0 }))),
    ("__finitel", "ie", |vm, a| Ok(int((class(vm, a)? > 1).into()))),
    ("finitel", "ie", |vm, a| Ok(int((class(vm, a)? > 1).into()))),
    ("__fpclassifyl", "ie", |vm, a| Ok(int(class(vm, a)?))),
    ("__builtin_fabsf128", "QQ", |_, a| Ok(apply::<Quad>(Unary::Abs, a.get(0)?))),
    ("__builtin_fabsq", "QQ", |_, a| Ok(apply::<Quad>(Unary::Abs, a.get(0)?))),
    ("__builtin_copysignf128", "QQQ", |_, a| Ok(combine::<Quad>(Binary::CopySign, a.get(0)?, a.get(1)?))),
    ("__builtin_copysignq", "QQQ", |_, a| Ok(combine::<Quad>(Binary::CopySign, a.get(0)?, a.get(1)?))),
    ("__builtin_inff128", "Q", |_, _| Ok(constant(Scalar::F128, false))),
    ("__builtin_infq", "Q", |_, _| Ok(constant(Scalar::F128, false))),
    ("__builtin_huge_valf128", "Q", |_, _| Ok(constant(Scalar::F128, false))),
    ("__builtin_huge_valq", "Q", |_, _| Ok(constant(Scalar::F128, false))),
    ("__builtin_nanf128", "Qp", |vm, a| nan(vm, a, constant(Scalar::F128, true))),
    ("__builtin_nanq", "Qp", |vm, a| nan(vm, a, constant(Scalar::F128, true))),
];

#[derive(Copy, Clone)]
enum Unary {
    Abs,
    Round(Round),
}

#[derive(Copy, Clone)]
enum Binary {
    CopySign,
    Fmod,
    Remainder,
    Min,
    Max,
    Dim,
    Next,
}

fn take<F: Float>(s: Slot) -> F {
    let wide = u128::from(s.lo) | u128::from(s.hi) << 64;
    F::from_bits(if F::BITS >= 128 { wide } else { wide & ((1 << F::BITS) - 1) })
}

fn give<F: Float>(x: F) -> Slot {
    let bits = x.to_bits();
    Slot { lo: bits as u64, hi: (bits >> 64) as u64 }
}

fn constant(kind: Scalar, nan: bool) -> Slot {
    with_format!(format(kind), F => give(if nan { F::qnan(None) } else { F::INFINITY }))
}

fn apply<F: Float>(op: Unary, s: Slot) -> Slot {
    let x = take::<F>(s);
    give(match op {
        Unary::Abs => x.abs(),
        // A zero keeps the sign of what was rounded to it.
        Unary::Round(how) => x.round_to_integral(how).value.copy_sign(x),
    })
}

fn combine<F: Float>(op: Binary, a: Slot, b: Slot) -> Slot {
    let (x, y) = (take::<F>(a), take::<F>(b));
    give(match op {
        Binary::CopySign => x.copy_sign(y),
        Binary::Fmod => x.c_fmod(y).value,
        Binary::Remainder => x.ieee_rem(y).value,
        Binary::Min => x.min(y),
        Binary::Max => x.max(y),
        Binary::Dim if x.is_nan() => x,
        Binary::Dim if y.is_nan() => y,
        Binary::Dim if x > y => (x - y).value,
        Binary::Dim => F::ZERO,
        Binary::Next if x.is_nan() => x,
        Binary::Next if y.is_nan() || x == y => y,
        Binary::Next if x < y => x.next_up().value,
        Binary::Next => x.next_down().value,
    })
}

fn one(vm: &mut Vm<'_>, args: &Args<'_>, op: Unary) -> Res<Slot> {
    let s = args.get(0)?;
    Ok(with_format!(format(long_double(vm)), F => apply::<F>(op, s)))
}

fn two(vm: &mut Vm<'_>, args: &Args<'_>, op: Binary) -> Res<Slot> {
    let (a, b) = (args.get(0)?, args.get(1)?);
    Ok(with_format!(format(long_double(vm)), F => combine::<F>(op, a, b)))
}

fn fmal(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (a, b, c) = (args.get(0)?, args.get(1)?, args.get(2)?);
    Ok(
        with_format!(format(long_double(vm)), F => give(take::<F>(a).mul_add(take::<F>(b), take::<F>(c)).value)),
    )
}

fn scale(vm: &mut Vm<'_>, args: &Args<'_>, n: i64) -> Res<Slot> {
    let (s, n) = (args.get(0)?, n.clamp(-100_000, 100_000) as i32);
    Ok(with_format!(format(long_double(vm)), F => give(take::<F>(s).scalbn(n))))
}

fn frexpl(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let s = args.get(0)?;
    let (fraction, power) = with_format!(format(long_double(vm)), F => {
        let x = take::<F>(s);
        let mut power = 0;
        if x.is_finite_non_zero() {
            let fraction = x.frexp(&mut power);
            (give(fraction), power)
        } else {
            (s, 0)
        }
    });
    store_int(vm, args.ptr(1)?, power.into(), 4, Class::Int)?;
    Ok(fraction)
}

fn store(vm: &mut Vm<'_>, p: Ptr, s: Slot) -> Res<()> {
    let (bytes, align) = (long_double(vm).bytes(8), u64::from(vm.options.target.long_double_align));
    vm.mem.access(p, u64::from(vm.options.target.long_double_bytes), 1)?;
    let index = vm.mem.access(p, bytes, align)?;
    vm.mem.store_wide(
        index,
        bytes as usize,
        Class::LongDouble as u8,
        u128::from(s.lo) | u128::from(s.hi) << 64,
    )
}

fn modfl(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let s = args.get(0)?;
    let (whole, rest) = with_format!(format(long_double(vm)), F => {
        let x = take::<F>(s);
        let whole = x.round_to_integral(Round::TowardZero).value.copy_sign(x);
        let rest = if x.is_infinite() { F::ZERO } else { (x - whole).value };
        (give(whole), give(rest.copy_sign(x)))
    });
    store(vm, args.ptr(1)?, whole)?;
    Ok(rest)
}

fn whole(vm: &mut Vm<'_>, args: &Args<'_>, how: Round, long: bool) -> Res<Slot> {
    let s = args.get(0)?;
    let bits = if long { 8 * usize::from(vm.options.target.long_bytes) } else { 64 };
    let mut exact = false;
    let r = with_format!(format(long_double(vm)), F => take::<F>(s).to_i128_r(bits, how, &mut exact));
    if r.status.contains(Status::INVALID_OP) {
        return unsupported(
            "rounding to an integer type that does not hold the value (an unspecified result)",
        );
    }
    Ok(int(r.value as i64))
}

fn powil(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let (s, n) = (args.get(0)?, args.i32(1)?);
    Ok(with_format!(format(long_double(vm)), F => {
        let unit = F::from_u128(1).value;
        give(powi(take::<F>(s), n, unit, |x, y| (x * y).value, |x| (F::from_u128(1).value / x).value))
    }))
}

fn sign(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<i64> {
    let s = args.get(0)?;
    Ok(with_format!(format(long_double(vm)), F => if take::<F>(s).is_negative() { -1 } else { 1 }))
}

/// The class by glibc's numbers.
fn class(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<i64> {
    let s = args.get(0)?;
    Ok(with_format!(format(long_double(vm)), F => {
        let x = take::<F>(s);
        if x.is_nan() {
            0
        } else if x.is_infinite() {
            1
        } else if x.is_zero() {
            2
        } else if x.is_denormal() {
            3
        } else {
            4
        }
    }))
}

/// Correctly rounded: the integer root of the mantissa, widened to twice its bits.
fn sqrtl(vm: &mut Vm<'_>, args: &Args<'_>) -> Res<Slot> {
    let s = args.get(0)?;
    match long_double(vm) {
        Scalar::F80 => {}
        Scalar::F64 => return Ok(super::double(f64::from_bits(s.lo).sqrt())),
        _ => return unsupported("the square root of a quad float"),
    }
    let x = take::<X87DoubleExtended>(s);
    if x.is_nan() || x.is_zero() || x.is_pos_infinity() {
        return Ok(s);
    }
    if x.is_negative() {
        super::set_errno(vm, super::errnos::EDOM)?;
        return Ok(give(-X87DoubleExtended::qnan(None)));
    }
    let super::decimal::Parts::Finite { mantissa, exponent, .. } = super::decimal::Parts::of(Scalar::F80, s)
    else {
        return Ok(s);
    };
    let lead = mantissa.leading_zeros() - 64;
    let (mantissa, exponent) = (mantissa << lead, exponent - lead as i32);
    // mantissa * 2^exponent = wide * 2^even with `even` even and a 64-bit root.
    let shift = if exponent % 2 == 0 { 64 } else { 63 };
    let wide = mantissa << shift;
    let root = wide.isqrt();
    let rounded = if wide - root * root > root { root + 1 } else { root };
    let value = X87DoubleExtended::from_u128(rounded).value.scalbn((exponent - shift) / 2);
    Ok(give(value))
}
