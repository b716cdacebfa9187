//! Floating-point operations, known by the names that all languages call them.

use super::flags::{Each, Flags};
use super::packed::mask;
use crate::bits::{join, lanes};
use crate::domain::{BitOp, Domain, Ext};
use crate::floats::{FloatPred, float_compare};
use crate::operation::{Arithmetic, Conversion, Format, Operation};

/// The format of a width in bits.
pub fn format(width: u32) -> Format {
    if width == 32 { Format::F32 } else { Format::F64 }
}

/// A floating-point operation on two inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Float {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Smaller, the second if unordered or equal.
    Min,
    /// Larger, the second if unordered or equal.
    Max,
}

impl Float {
    /// The arithmetic that it is, where it is known by name alone.
    pub fn arithmetic(self) -> Option<Arithmetic> {
        match self {
            Float::Add => Some(Arithmetic::Add),
            Float::Sub => Some(Arithmetic::Sub),
            Float::Mul => Some(Arithmetic::Mul),
            Float::Div => Some(Arithmetic::Div),
            Float::Min | Float::Max => None,
        }
    }

    /// The result.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, b: &D::Bv) -> D::Bv {
        let kind = format(d.width(a));
        if let Some(arithmetic) = self.arithmetic() {
            return d.float_arithmetic(arithmetic, kind, a, b);
        }
        let pred = if self == Float::Min { FloatPred::Olt } else { FloatPred::Ogt };
        let first = float_compare(d, pred, kind, a, b);
        d.ite(&first, a, b)
    }
}

/// Which of the three inputs of an instruction that multiplies and adds are multiplied, and what is negated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fused {
    /// The numbers of the factors and then of the addend, from one on, as its name has them.
    pub order: [u8; 3],
    /// Whether the product is negated.
    pub negated: bool,
    /// Whether the addend is subtracted.
    pub minus: bool,
}

impl Fused {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Fused> {
        [[1, 3, 2], [2, 1, 3], [2, 3, 1]].into_iter().flat_map(|order| {
            [false, true].into_iter().flat_map(move |negated| {
                [false, true].into_iter().map(move |minus| Fused { order, negated, minus })
            })
        })
    }

    /// The mnemonic, without the `V` before and the type behind.
    pub fn mnemonic(self) -> String {
        let [a, b, c] = self.order;
        let negated = if self.negated { "N" } else { "" };
        let sign = if self.minus { "SUB" } else { "ADD" };
        format!("F{negated}M{sign}{a}{b}{c}")
    }

    /// The result for inputs in the order of the operands.
    pub fn value<D: Domain>(self, d: &mut D, inputs: [&D::Bv; 3]) -> D::Bv {
        let [a, b, c] = self.order.map(|n| inputs[usize::from(n - 1)]);
        let a = if self.negated { negate(d, a) } else { a.clone() };
        let c = if self.minus { negate(d, c) } else { c.clone() };
        multiply_add(d, &a, b, &c)
    }

    /// The same lane by lane, of so many bits each.
    pub fn lanes<D: Domain>(self, d: &mut D, w: u32, inputs: [&D::Bv; 3]) -> D::Bv {
        let [a, b, c] = inputs.map(|input| lanes(d, input, w));
        let mut out: Vec<D::Bv> = Vec::new();
        for i in 0..a.len() {
            out.push(self.value(d, [&a[i], &b[i], &c[i]]));
        }
        join(d, &out)
    }
}

/// A number with the other sign.
fn negate<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    let sign = d.constant(smt::Bv::smin(d.width(a)));
    d.bv_xor(a, &sign)
}

/// `a * b + c`, rounded once. It depends on the factors' magnitudes, in no order, and on the sign of the product, so that
/// factors with their signs exchanged make the same term.
pub fn multiply_add<D: Domain>(d: &mut D, a: &D::Bv, b: &D::Bv, c: &D::Bv) -> D::Bv {
    let w = d.width(a);
    let (x, y) = (d.zfit(a, w - 1), d.zfit(b, w - 1));
    let (x, y) = d.in_order(&x, &y);
    let (p, q) = (d.extract(w - 1, w - 1, a), d.extract(w - 1, w - 1, b));
    let sign = d.bv_xor(&p, &q);
    d.operation(&Operation::Fused(format(w)), &[sign, x, y, c.clone()], w)
}

/// The integer of so many bits next to a number, by the mode of the environment (`cvtsd2si`, `lrint`): what it is rounded
/// to, cut; some integer where that does not fit.
pub fn nearest_integer<D: Domain>(d: &mut D, a: D::Bv, to: u32) -> D::Bv {
    let from = format(d.width(&a));
    let whole =
        d.operation(&Operation::Library("rint".to_owned(), from), std::slice::from_ref(&a), d.width(&a));
    d.operation(&Operation::Convert(Conversion::ToInt { from, signed: true, bits: to }), &[whole], to)
}

/// What an immediate of `roundsd` and its like makes of a number of a width; none where it stands for no rounding.
pub fn rounding(width: u32, code: u8) -> Option<Operation> {
    // Bit 2 stands for the mode of the environment, bit 3 for no trap where the result is another number.
    let name = match code {
        4 => "rint",
        12 => "nearbyint",
        _ => match code & 7 {
            0 => "roundeven",
            1 => "floor",
            2 => "ceil",
            3 => "trunc",
            _ => return None,
        },
    };
    // AVX-512 has in the upper bits how many bits stay behind the point.
    if code > 15 {
        return None;
    }
    Some(Operation::Library(name.to_owned(), format(width)))
}

/// The square root.
pub fn square_root<D: Domain>(d: &mut D, a: D::Bv) -> D::Bv {
    let w = d.width(&a);
    d.operation(&Operation::SquareRoot(format(w)), &[a], w)
}

/// Conversions; of vectors, lane by lane, where one side's lanes are narrower they are the lower half of its register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convert {
    /// Signed integers of this width to floating point of the opcode's width.
    FromInt(u32),
    /// Floating point of this width to signed integers of the opcode's width, truncating.
    ToInt(u32),
    /// Floating point of this width to signed integers of the opcode's width, rounded by the mode of the environment.
    Nearest(u32),
    /// Floating point of this width to that of the opcode's width.
    Format(u32),
    /// Unsigned integers of this width to floating point of the opcode's width.
    FromUnsigned(u32),
    /// Floating point of this width to unsigned integers of the opcode's width, truncating.
    ToUnsigned(u32),
}

impl Convert {
    /// The width of what is converted.
    pub fn from(self) -> u32 {
        match self {
            Convert::FromInt(w) | Convert::ToInt(w) | Convert::Nearest(w) | Convert::Format(w) => w,
            Convert::FromUnsigned(w) | Convert::ToUnsigned(w) => w,
        }
    }

    /// The result in a width.
    pub fn value<D: Domain>(self, d: &mut D, to: u32, a: D::Bv) -> D::Bv {
        let conversion = match self {
            Convert::FromInt(bits) => Conversion::FromInt { signed: true, bits, to: format(to) },
            Convert::ToInt(from) => Conversion::ToInt { from: format(from), signed: true, bits: to },
            // The result depends on the number alone, however it is come by.
            Convert::FromUnsigned(64) => return word_to_float(d, &a, format(to), to),
            Convert::FromUnsigned(_) => {
                let wide = d.zfit(&a, 64);
                return Convert::FromInt(64).value(d, to, wide);
            }
            Convert::ToUnsigned(from) => Conversion::ToInt { from: format(from), signed: false, bits: to },
            Convert::Nearest(_) => return nearest_integer(d, a, to),
            Convert::Format(from) => Conversion::Format { from: format(from), to: format(to) },
        };
        d.operation(&Operation::Convert(conversion), &[a], to)
    }

    /// The lanes of a vector converted, zeros above them.
    pub fn lanes<D: Domain>(self, d: &mut D, to: u32, a: &D::Bv) -> D::Bv {
        let mut out = Vec::new();
        for lane in lanes(d, a, self.from()) {
            out.push(self.value(d, to, lane));
        }
        let value = join(d, &out);
        let width = d.width(&value).max(128);
        d.zfit(&value, width)
    }
}

/// Conversion from an unsigned word. To `double` both halves become numbers by their place below an exponent, and
/// only their sum is rounded. To `float` a word with its upper bit set is halved, the bit lost kept in the one above, so
/// that it is rounded as the whole would be, and doubled again.
pub fn word_to_float<D: Domain>(d: &mut D, bits: &D::Bv, to: Format, width: u32) -> D::Bv {
    if to == Format::F64 {
        let half = |d: &mut D, lo: u32, exponent: u128| {
            let (half, high) = (d.extract(lo + 31, lo, bits), d.num(32, exponent));
            let (placed, whole) = (d.concat(&high, &half), d.num(64, exponent << 32));
            d.float_arithmetic(Arithmetic::Sub, to, &placed, &whole)
        };
        let (low, high) = (half(d, 0, 0x4330_0000), half(d, 32, 0x4530_0000));
        return d.float_arithmetic(Arithmetic::Add, to, &high, &low);
    }
    let signed = Operation::Convert(Conversion::FromInt { signed: true, bits: 64, to });
    let one = d.num(64, 1);
    let (shifted, lost) = (d.bin(BitOp::Lshr, bits, &one), d.bv_and(bits, &one));
    let halved = d.bin(BitOp::Or, &shifted, &lost);
    let halved = d.operation(&signed, &[halved], width);
    let doubled = d.float_arithmetic(Arithmetic::Add, to, &halved, &halved);
    let plain = d.operation(&signed, std::slice::from_ref(bits), width);
    let large = d.sign(bits);
    d.ite(&large, &doubled, &plain)
}

/// The flags of a comparison.
pub fn compare<D: Domain>(d: &mut D, a: &D::Bv, b: &D::Bv) -> Flags<D> {
    let kind = format(d.width(a));
    let unordered = float_compare(d, FloatPred::Uno, kind, a, b);
    let less = float_compare(d, FloatPred::Ult, kind, a, b);
    let equal = float_compare(d, FloatPred::Ueq, kind, a, b);
    let no = d.bool(false);
    Flags::Each(Box::new(Each {
        carry: Some(less),
        parity: Some(unordered),
        zero: Some(equal),
        sign: Some(no.clone()),
        overflow: Some(no),
    }))
}

/// Which comparisons the immediate of `cmpsd` and its like stands for, in order: the first eight, and with three operands all,
/// each a second time with another say about what is no number, which sets flags that nothing here reads.
const COMPARISONS: [FloatPred; 16] = [
    FloatPred::Oeq,
    FloatPred::Olt,
    FloatPred::Ole,
    FloatPred::Uno,
    FloatPred::Une,
    FloatPred::Uge,
    FloatPred::Ugt,
    FloatPred::Ord,
    FloatPred::Ueq,
    FloatPred::Ult,
    FloatPred::Ule,
    FloatPred::False,
    FloatPred::One,
    FloatPred::Oge,
    FloatPred::Ogt,
    FloatPred::True,
];

/// The comparison that an immediate stands for, if it does for one.
pub fn comparison(code: i64) -> Option<FloatPred> {
    let code = usize::try_from(code).ok().filter(|code| *code < 2 * COMPARISONS.len())?;
    Some(COMPARISONS[code % COMPARISONS.len()])
}

/// Lanes of so many bits compared, as masks; none where the immediate stands for no comparison.
pub fn masks<D: Domain>(d: &mut D, w: u32, a: &D::Bv, b: &D::Bv, code: i64) -> Option<D::Bv> {
    let pred = comparison(code)?;
    let (xs, ys) = (lanes(d, a, w), lanes(d, b, w));
    let mut out: Vec<D::Bv> = Vec::new();
    for (x, y) in xs.iter().zip(&ys) {
        let holds = float_compare(d, pred, format(w), x, y);
        out.push(mask(d, &holds, w));
    }
    Some(join(d, &out))
}
