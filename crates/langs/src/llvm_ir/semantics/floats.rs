//! Floating point: operations known by name, the same names the x86 semantics uses.

use super::math_choices::leave;
use super::{Ir, Res, Scalar, Side, Value};
use crate::assumption::Assumption;
use crate::domain::{BitOp, Domain, Ext};
use crate::floats::{FloatPred, float_compare};
use crate::llvm_ir::ast::{CastOp, Flags};
use crate::llvm_ir::types::{FloatKind, Type, TypeId};
use crate::operation::{Arithmetic, Conversion, Format, Operation};
use crate::x86::float::word_to_float;

impl From<FloatKind> for Format {
    fn from(kind: FloatKind) -> Format {
        match kind {
            FloatKind::Half => Format::F16,
            FloatKind::BFloat => Format::BF16,
            FloatKind::Float => Format::F32,
            FloatKind::Double => Format::F64,
            FloatKind::X86Fp80 => Format::F80,
            FloatKind::Fp128 => Format::F128,
            FloatKind::PpcFp128 => Format::PpcF128,
        }
    }
}

impl Ir<'_> {
    pub(super) fn float_format(&self, ty: TypeId) -> Res<Format> {
        match self.m.types.resolve(ty) {
            Type::Float(k) => Ok((*k).into()),
            _ => self.unsupported("floating-point operation on this type"),
        }
    }

    pub(super) fn float_binary<D: Domain>(
        &self,
        d: &mut D,
        (op, flags): (Arithmetic, Flags),
        ty: TypeId,
        x: &Scalar<D>,
        y: &Scalar<D>,
    ) -> Res<Scalar<D>> {
        self.math_freedoms(d, flags)?;
        let format = self.float_format(ty)?;
        // What the target makes of numbers by choice is no number.
        let plain = self.side == Side::Source || leave(flags) == 0;
        let number = if plain { self.of_numbers(d, op, format, (&x.bits, &y.bits)) } else { None };
        let unchanged = || self.unchanged(d, op, format, (&x.bits, &y.bits));
        let bits = match number.or_else(unchanged) {
            Some(bits) => bits,
            None => {
                self.assume(Assumption::FloatsByName);
                let bits = match self.has_usual_numbers(format) {
                    true => d.float_arithmetic(op, format, &x.bits, &y.bits),
                    false => d.named_arithmetic(op, format, &x.bits, &y.bits),
                };
                self.quiet(d, (op, format), (&x.bits, &y.bits), bits)
            }
        };
        let flagged = self.math_poison(d, flags, format, &[&x.bits, &y.bits, &bits])?;
        let poison = d.or(&x.poison, &y.poison);
        let poison = d.or(&poison, &flagged);
        Ok(Scalar::with_poison(d, bits, poison))
    }

    /// `a * b + c`, rounded once or twice: one operation known by name alone, which does not mind the order of its
    /// factors.
    pub(super) fn multiply_add<D: Domain>(
        &self,
        d: &mut D,
        ty: TypeId,
        a: &Value<D>,
        b: &Value<D>,
        c: &Value<D>,
    ) -> Res<Value<D>> {
        let operation = Operation::MultiplyAdd(self.float_format(ty)?);
        self.assume(Assumption::FloatsByName);
        self.of_lanes(d, &[a, b, c], |d, lane| {
            let (first, second) = d.in_order(&lane[0], &lane[1]);
            let factors = d.concat(&first, &second);
            let width = d.width(&lane[2]);
            d.operation(&operation, &[factors, lane[2].clone()], width)
        })
    }

    /// Flipping the sign bit is exact.
    pub(super) fn fneg<D: Domain>(&self, d: &mut D, flags: Flags, ty: TypeId, v: &Value<D>) -> Res<Value<D>> {
        self.math_freedoms(d, flags)?;
        let format = self.float_format(ty)?;
        self.lanes(d, v, v, &mut |d, x, _| {
            let bits = d.negated(&x.bits);
            let flagged = self.math_poison(d, flags, format, &[&x.bits])?;
            let poison = d.or(&x.poison, &flagged);
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }

    pub(super) fn fcmp<D: Domain>(
        &self,
        d: &mut D,
        (pred, flags): (FloatPred, Flags),
        ty: TypeId,
        a: &Value<D>,
        b: &Value<D>,
    ) -> Res<Value<D>> {
        self.math_freedoms(d, flags)?;
        let format = self.float_format(ty)?;
        self.lanes(d, a, b, &mut |d, x, y| {
            let (a, b) = (self.compared_as(d, format, &x.bits)?, self.compared_as(d, format, &y.bits)?);
            let holds = float_compare(d, pred, format, &a, &b);
            let bits = d.bool_to_bv(&holds);
            let flagged = self.math_poison(d, flags, format, &[&x.bits, &y.bits])?;
            let poison = d.or(&x.poison, &y.poison);
            let poison = d.or(&poison, &flagged);
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }

    pub(super) fn float_cast<D: Domain>(
        &self,
        d: &mut D,
        (op, flags): (CastOp, Flags),
        v: &Value<D>,
        from: TypeId,
        to: TypeId,
    ) -> Res<Value<D>> {
        self.math_freedoms(d, flags)?;
        let width = self.scalar_bits(to)?;
        let given = self.scalar_bits(from)?;
        self.assume(Assumption::FloatsByName);
        self.lanes(d, v, v, &mut |d, x, _| {
            let mut poison = x.poison.clone();
            if flags.has(Flags::NNEG) {
                let negative = d.sign(&x.bits);
                poison = d.or(&poison, &negative);
            }
            let bits = match op {
                CastOp::FpTrunc | CastOp::FpExt => {
                    let conversion =
                        Conversion::Format { from: self.float_format(from)?, to: self.float_format(to)? };
                    d.operation(&Operation::Convert(conversion), std::slice::from_ref(&x.bits), width)
                }
                CastOp::SiToFp | CastOp::UiToFp => {
                    let to = self.float_format(to)?;
                    // Where the sign makes a difference the result is poison.
                    let signed = op == CastOp::SiToFp || flags.has(Flags::NNEG);
                    if !signed && self.spelled_out(given, to) {
                        word_to_float(d, &x.bits, to, width)
                    } else {
                        int_to_float(d, &x.bits, to, width, signed)
                    }
                }
                CastOp::FpToSi | CastOp::FpToUi => {
                    let (from, signed) = (self.float_format(from)?, op == CastOp::FpToSi);
                    // Values that do not fit are poison; which values those are is known by name alone.
                    let range = Operation::OutOfRange { from, signed, bits: width };
                    let out = d.predicate(&range, std::slice::from_ref(&x.bits));
                    poison = d.or(&poison, &out);
                    if !signed && width > 63 && self.spelled_out(width, from) {
                        float_to_word(d, &x.bits, from)
                    } else {
                        float_to_int(d, &x.bits, from, width, signed)
                    }
                }
                CastOp::Trunc
                | CastOp::ZExt
                | CastOp::SExt
                | CastOp::PtrToInt
                | CastOp::PtrToAddr
                | CastOp::IntToPtr
                | CastOp::BitCast
                | CastOp::AddrSpaceCast => return self.unsupported("cast"),
            };
            if flags.any_math() {
                for (ty, number) in [(from, &x.bits), (to, &bits)] {
                    let Ok(format) = self.float_format(ty) else { continue };
                    let flagged = self.math_poison(d, flags, format, &[number])?;
                    poison = d.or(&poison, &flagged);
                }
            }
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }
}

impl Ir<'_> {
    /// `llvm.is.fpclass`: whether numbers are of one of the classes of a mask, by their bits.
    pub(super) fn fp_class<D: Domain>(
        &self,
        d: &mut D,
        ty: TypeId,
        v: &Value<D>,
        classes: &D::Bv,
    ) -> Res<Value<D>> {
        let Some(mantissa) = self.float_format(ty)?.mantissa() else {
            return self.unsupported("classes of this format");
        };
        let Some(classes) = d.as_const(classes).and_then(|c| c.to_u64()) else {
            return self.unsupported("classes that are no constant");
        };
        self.lanes(d, v, v, &mut |d, x, _| {
            let holds = of_class(d, &x.bits, mantissa, classes);
            let bits = d.bool_to_bv(&holds);
            Ok(Scalar::with_poison(d, bits, x.poison.clone()))
        })
    }

    /// Whether a conversion between unsigned words and this format is spelled out by the conversions that the processor
    /// has: against machine code. The equations are those of IEEE arithmetic that rounds to nearest, as C assumes.
    fn spelled_out(&self, bits: u32, format: Format) -> bool {
        !self.checks.exact && bits == 64 && format.has_exact_comparisons()
    }
}

/// Whether an IEEE number with so many bits of mantissa is of one of the classes. Bits of the mask: signaling and quiet
/// NaN; negative infinity, normal and subnormal numbers and zero; positive zero and so on to infinity.
pub(super) fn of_class<D: Domain>(d: &mut D, bits: &D::Bv, mantissa: u32, classes: u64) -> D::Bool {
    let width = d.width(bits);
    let magnitude = d.extract(width - 2, 0, bits);
    let negative = d.sign(bits);
    let exponents = (1u128 << (width - 1 - mantissa)) - 1;
    // Magnitudes of the classes from zero to quiet NaN begin where the one before ends.
    let (least, infinity) = (1u128 << mantissa, exponents << mantissa);
    let begins = [0, 1, least, infinity, infinity + 1, infinity + (1 << (mantissa - 1))];
    // The bits of each: of negative and of positive numbers.
    let wanted = [(5, 6), (4, 7), (3, 8), (2, 9), (0, 0), (1, 1)];
    let mut holds = d.bool(false);
    let mut n = 0;
    while n < wanted.len() {
        let is_in = |k: usize| (classes >> wanted[k].0 & 1 == 1, classes >> wanted[k].1 & 1 == 1);
        let (neg, pos) = is_in(n);
        // Neighbours that are wanted of the same signs are one range.
        let mut end = n + 1;
        while end < wanted.len() && is_in(end) == (neg, pos) {
            end += 1;
        }
        if neg || pos {
            let low = d.num(width - 1, begins[n]);
            let below = d.cmp(crate::domain::CmpOp::Ult, &magnitude, &low);
            let mut inside = d.not(&below);
            if let Some(next) = begins.get(end) {
                let high = d.num(width - 1, *next);
                let under = d.cmp(crate::domain::CmpOp::Ult, &magnitude, &high);
                inside = d.and(&inside, &under);
            }
            if neg != pos {
                let sign = if neg { negative.clone() } else { d.not(&negative) };
                inside = d.and(&inside, &sign);
            }
            holds = d.or(&holds, &inside);
        }
        n = end;
    }
    holds
}

/// Conversion to an unsigned word of a number that fits: the signed conversion gives the upper bit alone for those
/// that do not fit it, and what is left of them does.
fn float_to_word<D: Domain>(d: &mut D, bits: &D::Bv, from: Format) -> D::Bv {
    let signed = Operation::Convert(Conversion::ToInt { from, signed: true, bits: 64 });
    let limit = if from == Format::F64 { d.num(64, 0x43e0_0000_0000_0000) } else { d.num(32, 0x5f00_0000) };
    let rest = d.float_arithmetic(Arithmetic::Sub, from, bits, &limit);
    let (whole, rest) =
        (d.operation(&signed, std::slice::from_ref(bits), 64), d.operation(&signed, &[rest], 64));
    let places = d.num(64, 63);
    let mask = d.bin(BitOp::Ashr, &whole, &places);
    let rest = d.bv_and(&rest, &mask);
    d.bin(BitOp::Or, &whole, &rest)
}

/// Bits of the hardware's signed conversion that an integer of so many bits goes through; none for wide ones.
fn hardware_width(bits: u32, signed: bool) -> Option<u32> {
    match if signed { bits } else { bits + 1 } {
        0..=32 => Some(32),
        33..=64 => Some(64),
        _ => None,
    }
}

/// Conversion to an integer of a number that fits: narrow results come from the hardware's conversions to 32 and 64
/// bits, which agree on what fits.
fn float_to_int<D: Domain>(d: &mut D, bits: &D::Bv, from: Format, width: u32, signed: bool) -> D::Bv {
    let args = std::slice::from_ref(bits);
    match hardware_width(width, signed) {
        Some(wide) => {
            let conversion = Conversion::ToInt { from, signed: true, bits: wide };
            let wide = d.operation(&Operation::Convert(conversion), args, wide);
            d.zfit(&wide, width)
        }
        None => {
            let conversion = Conversion::ToInt { from, signed, bits: width };
            d.operation(&Operation::Convert(conversion), args, width)
        }
    }
}

/// Conversion from an integer, by way of the hardware's 32- or 64-bit signed conversions: the result depends on
/// the number alone, so narrower integers are widened first.
fn int_to_float<D: Domain>(d: &mut D, bits: &D::Bv, to: Format, width: u32, signed: bool) -> D::Bv {
    let from = d.width(bits);
    let Some(wide) = hardware_width(from, signed) else {
        let mut convert = |signed: bool| {
            let conversion = Operation::Convert(Conversion::FromInt { signed, bits: from, to });
            d.operation(&conversion, std::slice::from_ref(bits), width)
        };
        if signed {
            return convert(true);
        }
        // A number that has no sign bit set is the same with a sign.
        let (plain, same) = (convert(false), convert(true));
        let large = d.sign(bits);
        return d.ite(&large, &plain, &same);
    };
    let bits = if signed { d.sfit(bits, wide) } else { d.zfit(bits, wide) };
    let conversion = Conversion::FromInt { signed: true, bits: wide, to };
    d.operation(&Operation::Convert(conversion), &[bits], width)
}
