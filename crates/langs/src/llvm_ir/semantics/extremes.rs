//! The greater or lesser of floating-point numbers (`llvm.maxnum`, `llvm.minimum` and the reductions by them), between IR
//! programs.
//!
//! Where the manual leaves the result open it is some function of the operands, the same on both sides: which of two zeros
//! `maxnum` and `minnum` give, what they make of a signaling NaN, and which NaN comes of NaNs.

use super::floats::of_class;
use super::{Ir, Res};
use crate::assumption::Assumption;
use crate::domain::{BitOp, Domain, Ext};
use crate::floats::{FloatPred, float_compare};
use crate::llvm_ir::intrinsics::Extreme;
use crate::llvm_ir::types::TypeId;
use crate::operation::{Format, Operation};

/// Classes of numbers as `llvm.is.fpclass` counts them.
const NAN: u64 = 3;
const SIGNALING: u64 = 1;
const ZERO: u64 = 1 << 5 | 1 << 6;

impl Ir<'_> {
    /// The format of numbers of a type, and the bits of its mantissa.
    pub(super) fn extremes_of(&self, ty: TypeId) -> Res<(Format, u32)> {
        let format = self.float_format(ty)?;
        let followed = self.checks.exact && format.has_exact_comparisons();
        let Some(mantissa) = format.mantissa().filter(|_| followed) else {
            return self.unsupported("extremes of floating-point numbers of this format");
        };
        self.assume(Assumption::FloatsByName);
        Ok((format, mantissa))
    }
}

/// One of two numbers.
pub(super) fn extreme<D: Domain>(
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
