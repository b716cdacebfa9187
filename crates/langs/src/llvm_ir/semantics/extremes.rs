//! The greater or lesser of floating-point numbers (`llvm.maxnum`, `llvm.minimum` and the reductions by them).
//!
//! Before selection `maxnum` and `minnum` are what the instructions for them give where that is open
//! ([`crate::choice::extreme`]). Between IR programs it is some function of the operands, the same on both sides: which of two zeros
//! `maxnum` and `minnum` give, what they make of a signaling NaN, and which NaN comes of NaNs.

use super::floats::of_class;
use super::{Ir, Res, Scalar, Value};
use crate::assumption::Assumption;
use crate::choice::extreme::{Extremes, compared};
use crate::domain::{BitOp, Domain, Ext};
use crate::floats::{FloatPred, float_compare};
use crate::llvm_ir::ast::Flags;
use crate::llvm_ir::intrinsics::Extreme;
use crate::llvm_ir::types::TypeId;
use crate::operation::{Format, Operation};

/// Classes of numbers as `llvm.is.fpclass` counts them.
const NAN: u64 = 3;
const SIGNALING: u64 = 1;
const ZERO: u64 = 1 << 5 | 1 << 6;

impl Ir<'_> {
    /// The format of numbers of a type, and the bits of its mantissa.
    fn extremes_of(&self, ty: TypeId) -> Res<(Format, u32)> {
        let format = self.float_format(ty)?;
        let Some(mantissa) = format.mantissa().filter(|_| format.has_exact_comparisons()) else {
            return self.unsupported("extremes of floating-point numbers of this format");
        };
        Ok((format, mantissa))
    }

    /// The greater or lesser of the lanes of two values.
    pub(super) fn extreme_of_lanes<D: Domain>(
        &self,
        d: &mut D,
        (which, flags): (Extreme, Flags),
        args: &[Value<D>],
        ty: TypeId,
    ) -> Res<Value<D>> {
        let of = self.extremes_of(ty)?;
        self.lanes(d, &args[0], &args[1], &mut |d, x, y| {
            let poison = d.or(&x.poison, &y.poison);
            let bits = if self.checks.exact {
                self.assume(Assumption::FloatsByName);
                extreme(d, which, of, &x.bits, &y.bits)
            } else {
                self.selected_extreme(d, (which, flags), of, (&x.bits, &y.bits))?
            };
            Ok(Scalar::with_poison(d, bits, poison))
        })
    }

    /// The greatest or least of the lanes of a value.
    pub(super) fn extreme_of_all<D: Domain>(
        &self,
        d: &mut D,
        which: Extreme,
        value: &Value<D>,
        ty: TypeId,
    ) -> Res<Value<D>> {
        if !self.checks.exact {
            return self.unsupported("extremes of the lanes of a vector before selection");
        }
        let of = self.extremes_of(ty)?;
        self.assume(Assumption::FloatsByName);
        self.reduce(d, value, |d, x, y| extreme(d, which, of, x, y))
    }

    /// One of two numbers as selection may have it. A run on numbers ends where selection may choose another.
    fn selected_extreme<D: Domain>(
        &self,
        d: &mut D,
        (which, flags): (Extreme, Flags),
        (format, mantissa): (Format, u32),
        (a, b): (&D::Bv, &D::Bv),
    ) -> Res<D::Bv> {
        if which.keeps_nan {
            return self.unsupported("extremes that keep NaN before selection");
        }
        let probe = d.nondet("probe", 1);
        if d.as_const(&probe).is_some() {
            let open = [a, b].map(|x| of_class(d, x, mantissa, NAN | ZERO));
            if open.iter().any(|open| d.as_bool(open) != Some(false)) {
                return self.unsupported("extremes of zeros or NaNs");
            }
        }
        if self.choices.extremes == Extremes::ByName {
            return Ok(extreme(d, which, (format, mantissa), a, b));
        }
        let no_nan = flags.has(Flags::NNAN) || flags.has(Flags::FAST);
        let second = of_class(d, b, mantissa, NAN);
        let in_order = no_nan || d.as_bool(&second) == Some(false);
        Ok(compared(d, (which.max, format), (a, b), in_order))
    }
}

/// One of two numbers.
fn extreme<D: Domain>(
    d: &mut D,
    which: Extreme,
    (format, mantissa): (Format, u32),
    a: &D::Bv,
    b: &D::Bv,
) -> D::Bv {
    let width = d.width(a);
    let by_name = |what: &str| Operation::Library(format!("llvm.{} {what}", which.name()), format);
    let operands = [a.clone(), b.clone()];
    let less = float_compare(d, FloatPred::Olt, format, a, b);
    let (lesser, greater) = (d.ite(&less, a, b), d.ite(&less, b, a));
    let mut out = if which.max { greater } else { lesser };
    let (zero_a, zero_b) = (of_class(d, a, mantissa, ZERO), of_class(d, b, mantissa, ZERO));
    let zeros = d.and(&zero_a, &zero_b);
    if d.as_bool(&zeros) != Some(false) {
        let zero = if which.keeps_nan {
            d.bin(if which.max { BitOp::And } else { BitOp::Or }, a, b)
        } else {
            let first = d.predicate(&by_name("of zeros"), &operands);
            d.ite(&first, a, b)
        };
        out = d.ite(&zeros, &zero, &out);
    }
    let (nan_a, nan_b) = (of_class(d, a, mantissa, NAN), of_class(d, b, mantissa, NAN));
    let open = if which.keeps_nan {
        d.or(&nan_a, &nan_b)
    } else {
        out = d.ite(&nan_a, b, &out);
        out = d.ite(&nan_b, a, &out);
        let both = d.and(&nan_a, &nan_b);
        let (x, y) = (of_class(d, a, mantissa, SIGNALING), of_class(d, b, mantissa, SIGNALING));
        let any = d.or(&x, &y);
        d.or(&any, &both)
    };
    if d.as_bool(&open) == Some(false) {
        return out;
    }
    let some = d.operation(&by_name("of NaNs"), &operands, width);
    d.ite(&open, &some, &out)
}
