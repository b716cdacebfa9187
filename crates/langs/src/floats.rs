//! Floating-point comparisons over any value domain, and the operations known by name alone: both programs of a pair
//! must call them the same.

use crate::domain::{CmpOp, Domain, Ext};
use crate::names::keyword_enum;
use crate::operation::{Comparison, Format, Operation};

keyword_enum! {
    /// Floating-point comparisons.
    FloatPred {
        False = "false", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole", One = "one",
        Ord = "ord", Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Une = "une",
        Uno = "uno", True = "true",
    }
}

/// The name of the rounding mode that a function runs in, an input where its operations name modes; zero is to nearest.
pub(crate) const ROUNDING_MODE: &str = "rounding mode";

/// Intrinsics that become calls of the mathematical library: operations known by name alone.
pub(crate) const LIBRARY_MATH: &[&str] = &[
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "pow",
    "fma",
];

/// A floating-point comparison, from less, equal and unordered.
pub(crate) fn float_compare<D: Domain>(
    d: &mut D,
    pred: FloatPred,
    format: Format,
    a: &D::Bv,
    b: &D::Bv,
) -> D::Bool {
    match pred {
        FloatPred::False => d.bool(false),
        FloatPred::True => d.bool(true),
        FloatPred::Olt => float_less(d, format, a, b),
        FloatPred::Ogt => float_less(d, format, b, a),
        FloatPred::Oeq => float_equal(d, format, a, b),
        FloatPred::Uno => float_unordered(d, format, a, b),
        FloatPred::Ole => or_of(d, FloatPred::Olt, FloatPred::Oeq, format, a, b),
        FloatPred::Oge => or_of(d, FloatPred::Ogt, FloatPred::Oeq, format, a, b),
        FloatPred::One => or_of(d, FloatPred::Olt, FloatPred::Ogt, format, a, b),
        FloatPred::Ueq => or_of(d, FloatPred::Oeq, FloatPred::Uno, format, a, b),
        FloatPred::Ugt => or_of(d, FloatPred::Ogt, FloatPred::Uno, format, a, b),
        FloatPred::Ult => or_of(d, FloatPred::Olt, FloatPred::Uno, format, a, b),
        FloatPred::Uge => negated(d, FloatPred::Olt, format, a, b),
        FloatPred::Ule => negated(d, FloatPred::Ogt, format, a, b),
        FloatPred::Une => negated(d, FloatPred::Oeq, format, a, b),
        FloatPred::Ord => negated(d, FloatPred::Uno, format, a, b),
    }
}

/// Exact for the IEEE formats with 32 and 64 bits: sign and magnitude compare as integers.
fn float_less<D: Domain>(d: &mut D, format: Format, a: &D::Bv, b: &D::Bv) -> D::Bool {
    if !format.has_exact_comparisons() {
        return d.predicate(&Operation::Compare(Comparison::Less, format), &[a.clone(), b.clone()]);
    }
    let width = d.width(a);
    let (sa, sb) = (d.sign(a), d.sign(b));
    let (ma, mb) = (d.extract(width - 2, 0, a), d.extract(width - 2, 0, b));
    let (up, down) = (d.cmp(CmpOp::Ult, &ma, &mb), d.cmp(CmpOp::Ult, &mb, &ma));
    let (za, zb) = (d.is_zero(&ma), d.is_zero(&mb));
    let zeros = d.and(&za, &zb);
    let nonzero = d.not(&zeros);
    let (no, not_b) = (d.bool(false), d.not(&sb));
    // a negative: below every positive b but not -0 against 0; against negative b the larger magnitude.
    let apart = d.and(&not_b, &nonzero);
    let both = d.and(&sb, &down);
    let if_negative = d.or(&apart, &both);
    let if_positive = d.ite_bool(&sb, &no, &up);
    let less = d.ite_bool(&sa, &if_negative, &if_positive);
    let unordered = float_unordered(d, format, a, b);
    let ordered = d.not(&unordered);
    d.and(&less, &ordered)
}

fn or_of<D: Domain>(d: &mut D, p: FloatPred, q: FloatPred, format: Format, a: &D::Bv, b: &D::Bv) -> D::Bool {
    let (x, y) = (float_compare(d, p, format, a, b), float_compare(d, q, format, a, b));
    d.or(&x, &y)
}

fn negated<D: Domain>(d: &mut D, p: FloatPred, format: Format, a: &D::Bv, b: &D::Bv) -> D::Bool {
    let x = float_compare(d, p, format, a, b);
    d.not(&x)
}

/// Exact for the IEEE formats with 32 and 64 bits: NaN is told by its bits.
fn float_equal<D: Domain>(d: &mut D, format: Format, a: &D::Bv, b: &D::Bv) -> D::Bool {
    if !format.has_exact_comparisons() {
        return d.predicate(&Operation::Compare(Comparison::Equal, format), &[a.clone(), b.clone()]);
    }
    let same = d.eq(a, b);
    let (na, nb) = (is_nan(d, a), is_nan(d, b));
    let nan = d.or(&na, &nb);
    let number = d.not(&nan);
    let same = d.and(&same, &number);
    // Both zeros are equal.
    let width = d.width(a);
    let (ma, mb) = (d.extract(width - 2, 0, a), d.extract(width - 2, 0, b));
    let (za, zb) = (d.is_zero(&ma), d.is_zero(&mb));
    let zeros = d.and(&za, &zb);
    d.or(&same, &zeros)
}

fn float_unordered<D: Domain>(d: &mut D, format: Format, a: &D::Bv, b: &D::Bv) -> D::Bool {
    if !format.has_exact_comparisons() {
        return d.predicate(&Operation::Compare(Comparison::Unordered, format), &[a.clone(), b.clone()]);
    }
    let (na, nb) = (is_nan(d, a), is_nan(d, b));
    d.or(&na, &nb)
}

/// Whether an IEEE number of 32 or 64 bits is not a number.
pub(crate) fn is_nan<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bool {
    let width = d.width(a);
    let infinity: u128 = if width == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 };
    let magnitude = d.extract(width - 2, 0, a);
    let infinity = d.num(width - 1, infinity);
    d.cmp(CmpOp::Ult, &infinity, &magnitude)
}
