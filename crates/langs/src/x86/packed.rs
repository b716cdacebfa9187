//! Integer vector operations.
//!
//! To add one, add a line to [`PACKED`] (and the operation here, if it is new): every language that has x86 instructions
//! takes them from there, and the test `every_opcode_on_this_processor` compares them with the processor.

use super::flags::{Each, Flags};
use super::rearrange::numbered;
use crate::bits::{join, lanes, min_max};
use crate::domain::{BitOp, CmpOp, Domain, Ext};

/// An operation on two vectors of 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packed {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Complement of the first, and.
    Andn,
    /// Lane by lane; lanes of so many bits.
    Lanes(Lane, u32),
    /// Interleave the low halves.
    UnpackLow(u32),
    /// Interleave the high halves.
    UnpackHigh(u32),
    /// Narrow with saturation: source lane width, signed result.
    Pack(u32, bool),
    /// Bytes of the first by the numbers in the second, zero where that has its upper bit set.
    ShuffleBytes,
    /// In each 64 bits, the sum of the distances between unsigned bytes.
    SumOfDifferences,
    /// The upper half of the second below the upper half of the first.
    HighToLow,
    /// Sums or differences of neighbouring lanes, of the first and then of the second: lane width, difference, saturating.
    Neighbours(u32, bool, bool),
}

/// An operation on two lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Lower half of the product.
    MulLow,
    /// Upper half of the product; signed or not.
    MulHigh(bool),
    /// Product of the unsigned lower halves.
    MulEven,
    /// Sum of the products of the signed halves.
    MulAddHalves,
    /// Equality, as a mask.
    CmpEq,
    /// Signed greater, as a mask.
    CmpGt,
    /// Minimum or maximum: signed, maximum.
    MinMax(bool, bool),
    /// Saturating sum or difference: signed, difference.
    Saturating(bool, bool),
    /// Rounded average, unsigned.
    Average,
    /// Product of the signed lower halves.
    MulEvenSigned,
    /// Upper bits of the product of signed lanes, rounded (`pmulhrsw`).
    MulRounded,
    /// Saturating sum of the products of unsigned and signed halves.
    MulAddBytes,
    /// The first with the sign of the second, zero where that is.
    Sign,
}

const fn lane(op: Lane, width: u32) -> Packed {
    Packed::Lanes(op, width)
}

const SIGNED: bool = true;
const MAX: bool = true;
const MINUS: bool = true;

/// Every operation by its mnemonic.
pub const PACKED: &[(&str, Packed)] = &[
    ("PAND", Packed::And),
    ("POR", Packed::Or),
    ("PXOR", Packed::Xor),
    ("PANDN", Packed::Andn),
    ("ANDPS", Packed::And),
    ("ANDPD", Packed::And),
    ("ORPS", Packed::Or),
    ("ORPD", Packed::Or),
    ("XORPS", Packed::Xor),
    ("XORPD", Packed::Xor),
    ("ANDNPS", Packed::Andn),
    ("ANDNPD", Packed::Andn),
    ("PADDB", lane(Lane::Add, 8)),
    ("PADDW", lane(Lane::Add, 16)),
    ("PADDD", lane(Lane::Add, 32)),
    ("PADDQ", lane(Lane::Add, 64)),
    ("PSUBB", lane(Lane::Sub, 8)),
    ("PSUBW", lane(Lane::Sub, 16)),
    ("PSUBD", lane(Lane::Sub, 32)),
    ("PSUBQ", lane(Lane::Sub, 64)),
    ("PMULLW", lane(Lane::MulLow, 16)),
    ("PMULHW", lane(Lane::MulHigh(SIGNED), 16)),
    ("PMULHUW", lane(Lane::MulHigh(!SIGNED), 16)),
    ("PMULUDQ", lane(Lane::MulEven, 64)),
    ("PMADDWD", lane(Lane::MulAddHalves, 32)),
    ("PCMPEQB", lane(Lane::CmpEq, 8)),
    ("PCMPEQW", lane(Lane::CmpEq, 16)),
    ("PCMPEQD", lane(Lane::CmpEq, 32)),
    ("PCMPGTB", lane(Lane::CmpGt, 8)),
    ("PCMPGTW", lane(Lane::CmpGt, 16)),
    ("PCMPGTD", lane(Lane::CmpGt, 32)),
    ("PMINUB", lane(Lane::MinMax(!SIGNED, !MAX), 8)),
    ("PMAXUB", lane(Lane::MinMax(!SIGNED, MAX), 8)),
    ("PMINSW", lane(Lane::MinMax(SIGNED, !MAX), 16)),
    ("PMAXSW", lane(Lane::MinMax(SIGNED, MAX), 16)),
    ("PADDSB", lane(Lane::Saturating(SIGNED, !MINUS), 8)),
    ("PADDSW", lane(Lane::Saturating(SIGNED, !MINUS), 16)),
    ("PADDUSB", lane(Lane::Saturating(!SIGNED, !MINUS), 8)),
    ("PADDUSW", lane(Lane::Saturating(!SIGNED, !MINUS), 16)),
    ("PSUBSB", lane(Lane::Saturating(SIGNED, MINUS), 8)),
    ("PSUBSW", lane(Lane::Saturating(SIGNED, MINUS), 16)),
    ("PSUBUSB", lane(Lane::Saturating(!SIGNED, MINUS), 8)),
    ("PSUBUSW", lane(Lane::Saturating(!SIGNED, MINUS), 16)),
    ("PSADBW", Packed::SumOfDifferences),
    ("PAVGB", lane(Lane::Average, 8)),
    ("PAVGW", lane(Lane::Average, 16)),
    ("PUNPCKLBW", Packed::UnpackLow(8)),
    ("PUNPCKLWD", Packed::UnpackLow(16)),
    ("PUNPCKLDQ", Packed::UnpackLow(32)),
    ("PUNPCKLQDQ", Packed::UnpackLow(64)),
    ("PUNPCKHBW", Packed::UnpackHigh(8)),
    ("PUNPCKHWD", Packed::UnpackHigh(16)),
    ("PUNPCKHDQ", Packed::UnpackHigh(32)),
    ("PUNPCKHQDQ", Packed::UnpackHigh(64)),
    ("UNPCKLPS", Packed::UnpackLow(32)),
    ("UNPCKHPS", Packed::UnpackHigh(32)),
    ("UNPCKLPD", Packed::UnpackLow(64)),
    ("UNPCKHPD", Packed::UnpackHigh(64)),
    ("PACKSSWB", Packed::Pack(16, SIGNED)),
    ("PACKSSDW", Packed::Pack(32, SIGNED)),
    ("PACKUSWB", Packed::Pack(16, !SIGNED)),
    // SSSE3 and SSE4.
    ("PMULDQ", lane(Lane::MulEvenSigned, 64)),
    ("PMULHRSW", lane(Lane::MulRounded, 16)),
    ("PMADDUBSW", lane(Lane::MulAddBytes, 16)),
    ("PSIGNB", lane(Lane::Sign, 8)),
    ("PSIGNW", lane(Lane::Sign, 16)),
    ("PSIGND", lane(Lane::Sign, 32)),
    ("PHADDW", Packed::Neighbours(16, !MINUS, false)),
    ("PHADDD", Packed::Neighbours(32, !MINUS, false)),
    ("PHADDSW", Packed::Neighbours(16, !MINUS, true)),
    ("PHSUBW", Packed::Neighbours(16, MINUS, false)),
    ("PHSUBD", Packed::Neighbours(32, MINUS, false)),
    ("PHSUBSW", Packed::Neighbours(16, MINUS, true)),
    ("PSHUFB", Packed::ShuffleBytes),
    ("PACKUSDW", Packed::Pack(32, !SIGNED)),
    ("PMULLD", lane(Lane::MulLow, 32)),
    ("PCMPEQQ", lane(Lane::CmpEq, 64)),
    ("PCMPGTQ", lane(Lane::CmpGt, 64)),
    ("PMINSB", lane(Lane::MinMax(SIGNED, !MAX), 8)),
    ("PMAXSB", lane(Lane::MinMax(SIGNED, MAX), 8)),
    ("PMINUW", lane(Lane::MinMax(!SIGNED, !MAX), 16)),
    ("PMAXUW", lane(Lane::MinMax(!SIGNED, MAX), 16)),
    ("PMINSD", lane(Lane::MinMax(SIGNED, !MAX), 32)),
    ("PMAXSD", lane(Lane::MinMax(SIGNED, MAX), 32)),
    ("PMINUD", lane(Lane::MinMax(!SIGNED, !MAX), 32)),
    ("PMAXUD", lane(Lane::MinMax(!SIGNED, MAX), 32)),
];

impl Packed {
    /// The result.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, b: &D::Bv) -> D::Bv {
        match self {
            Packed::And => d.bin(BitOp::And, a, b),
            Packed::Or => d.bin(BitOp::Or, a, b),
            Packed::Xor => d.bin(BitOp::Xor, a, b),
            Packed::Andn => {
                let a = d.bv_not(a);
                d.bin(BitOp::And, &a, b)
            }
            Packed::Lanes(op, w) => per_lane(d, w, a, b, |d, x, y| op.value(d, w, x, y)),
            Packed::UnpackLow(w) | Packed::UnpackHigh(w) => {
                let (xs, ys) = (lanes(d, a, w), lanes(d, b, w));
                let half = xs.len() / 2;
                let first = if matches!(self, Packed::UnpackLow(_)) { 0 } else { half };
                let out: Vec<D::Bv> =
                    (first..first + half).flat_map(|i| [xs[i].clone(), ys[i].clone()]).collect();
                join(d, &out)
            }
            Packed::Pack(w, signed) => {
                let mut all = lanes(d, a, w);
                all.extend(lanes(d, b, w));
                let out: Vec<D::Bv> = all
                    .iter()
                    .map(|x| {
                        let wide = d.sfit(x, w + 1);
                        clamp(d, &wide, w / 2, signed)
                    })
                    .collect();
                join(d, &out)
            }
            Packed::SumOfDifferences => per_lane(d, 64, a, b, |d, x, y| {
                let (xs, ys) = (lanes(d, x, 8), lanes(d, y, 8));
                let mut sum = d.num(64, 0);
                for (x, y) in xs.iter().zip(&ys) {
                    let below = d.ult(x, y);
                    let (up, down) = (d.sub(y, x), d.sub(x, y));
                    let distance = d.ite(&below, &up, &down);
                    let distance = d.zfit(&distance, 64);
                    sum = d.add(&sum, &distance);
                }
                sum
            }),
            Packed::HighToLow => {
                let (low, high) = (d.extract(127, 64, b), d.extract(127, 64, a));
                d.concat(&high, &low)
            }
            Packed::Neighbours(w, minus, saturating) => {
                let mut all = lanes(d, a, w);
                all.extend(lanes(d, b, w));
                let op = if minus { BitOp::Sub } else { BitOp::Add };
                let mut out: Vec<D::Bv> = Vec::new();
                for pair in all.chunks_exact(2) {
                    let wide = if saturating { w + 2 } else { w };
                    let (x, y) = (d.sfit(&pair[0], wide), d.sfit(&pair[1], wide));
                    let exact = d.bin(op, &x, &y);
                    out.push(if saturating { clamp(d, &exact, w, SIGNED) } else { exact });
                }
                join(d, &out)
            }
            Packed::ShuffleBytes => {
                let bytes = lanes(d, a, 8);
                let out: Vec<D::Bv> = lanes(d, b, 8).iter().map(|n| byte(d, &bytes, n)).collect();
                join(d, &out)
            }
        }
    }
}

/// The byte of sixteen that a number of 8 bits stands for, zero where the upper bit is set: the term that LLVM IR's
/// intrinsic is too, as a solver does not see in seconds that a shift gives the same.
fn byte<D: Domain>(d: &mut D, bytes: &[D::Bv], n: &D::Bv) -> D::Bv {
    let place = d.zfit(n, 4);
    let chosen = numbered(d, &place, bytes);
    let (none, zero) = (d.sign(n), d.num(8, 0));
    d.ite(&none, &zero, &chosen)
}

impl Lane {
    fn value<D: Domain>(self, d: &mut D, w: u32, x: &D::Bv, y: &D::Bv) -> D::Bv {
        match self {
            Lane::Add => d.add(x, y),
            Lane::Sub => d.sub(x, y),
            Lane::MulLow => d.mul(x, y),
            Lane::MulHigh(signed) => {
                let (x, y) = widened(d, (x, y), 2 * w, signed);
                let product = d.mul(&x, &y);
                d.extract(2 * w - 1, w, &product)
            }
            Lane::MulEven => {
                let (x, y) = (d.zfit(x, w / 2), d.zfit(y, w / 2));
                let (x, y) = (d.zfit(&x, w), d.zfit(&y, w));
                d.mul(&x, &y)
            }
            Lane::MulAddHalves => {
                let half = |d: &mut D, v: &D::Bv, lo: u32| {
                    let part = d.extract(lo + w / 2 - 1, lo, v);
                    d.sfit(&part, w)
                };
                let (x0, y0, x1, y1) = (half(d, x, 0), half(d, y, 0), half(d, x, w / 2), half(d, y, w / 2));
                let (p, q) = (d.mul(&x0, &y0), d.mul(&x1, &y1));
                d.add(&p, &q)
            }
            Lane::CmpEq => {
                let c = d.eq(x, y);
                mask(d, &c, w)
            }
            Lane::CmpGt => {
                let c = d.cmp(CmpOp::Slt, y, x);
                mask(d, &c, w)
            }
            Lane::MinMax(signed, max) => min_max(d, x, y, signed, max),
            Lane::Saturating(signed, minus) => {
                let (x, y) = widened(d, (x, y), w + 2, signed);
                let exact = d.bin(if minus { BitOp::Sub } else { BitOp::Add }, &x, &y);
                clamp(d, &exact, w, signed)
            }
            Lane::MulEvenSigned => {
                let (x, y) = (d.zfit(x, w / 2), d.zfit(y, w / 2));
                let (x, y) = (d.sfit(&x, w), d.sfit(&y, w));
                d.mul(&x, &y)
            }
            Lane::MulRounded => {
                let (x, y) = widened(d, (x, y), 2 * w, SIGNED);
                let product = d.mul(&x, &y);
                let half = d.extract(2 * w - 1, w - 2, &product);
                let sum = d.add_num(&half, 1);
                d.extract(w, 1, &sum)
            }
            Lane::MulAddBytes => {
                let (xs, ys) = (lanes(d, x, w / 2), lanes(d, y, w / 2));
                let mut sum = d.num(2 * w, 0);
                for (x, y) in xs.iter().zip(&ys) {
                    let (x, y) = (d.zfit(x, 2 * w), d.sfit(y, 2 * w));
                    let product = d.mul(&x, &y);
                    sum = d.add(&sum, &product);
                }
                clamp(d, &sum, w, SIGNED)
            }
            Lane::Sign => {
                let zero = d.num(w, 0);
                let negated = d.sub(&zero, x);
                let (negative, none) = (d.sign(y), d.is_zero(y));
                let signed = d.ite(&negative, &negated, x);
                d.ite(&none, &zero, &signed)
            }
            Lane::Average => {
                let (x, y) = (d.zfit(x, w + 1), d.zfit(y, w + 1));
                let sum = d.add(&x, &y);
                let sum = d.add_num(&sum, 1);
                d.extract(w, 1, &sum)
            }
        }
    }
}

fn widened<D: Domain>(d: &mut D, (x, y): (&D::Bv, &D::Bv), width: u32, signed: bool) -> (D::Bv, D::Bv) {
    if signed { (d.sfit(x, width), d.sfit(y, width)) } else { (d.zfit(x, width), d.zfit(y, width)) }
}

/// A truth value as a mask of so many bits.
pub fn mask<D: Domain>(d: &mut D, c: &D::Bool, w: u32) -> D::Bv {
    let (ones, zero) = (d.signed(w, -1), d.num(w, 0));
    d.ite(c, &ones, &zero)
}

/// Two vectors lane by lane.
pub fn per_lane<D: Domain>(
    d: &mut D,
    w: u32,
    a: &D::Bv,
    b: &D::Bv,
    mut f: impl FnMut(&mut D, &D::Bv, &D::Bv) -> D::Bv,
) -> D::Bv {
    let (xs, ys) = (lanes(d, a, w), lanes(d, b, w));
    let out: Vec<D::Bv> = xs.iter().zip(&ys).map(|(x, y)| f(d, x, y)).collect();
    join(d, &out)
}

/// The nearest value of a width to a signed number of a larger one.
pub(super) fn clamp<D: Domain>(d: &mut D, exact: &D::Bv, w: u32, signed: bool) -> D::Bv {
    let wide = d.width(exact);
    let (low, high) = if signed {
        (d.signed(wide, -(1i128 << (w - 1))), d.signed(wide, (1i128 << (w - 1)) - 1))
    } else {
        (d.num(wide, 0), d.num(wide, (1u128 << w) - 1))
    };
    let under = d.cmp(CmpOp::Slt, exact, &low);
    let over = d.cmp(CmpOp::Slt, &high, exact);
    let value = d.ite(&over, &high, exact);
    let value = d.ite(&under, &low, &value);
    d.zfit(&value, w)
}

/// Lane-wise shifts by an immediate or a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneShift {
    /// Left.
    Left,
    /// Logical right.
    Right,
    /// Arithmetic right.
    Arith,
}

impl LaneShift {
    /// What it does to a lane.
    pub fn operation(self) -> BitOp {
        match self {
            LaneShift::Left => BitOp::Shl,
            LaneShift::Right => BitOp::Lshr,
            LaneShift::Arith => BitOp::Ashr,
        }
    }

    /// The lanes of so many bits, shifted.
    pub fn value<D: Domain>(self, d: &mut D, w: u32, a: &D::Bv, count: &D::Bv) -> D::Bv {
        // Counts beyond the lane give zeros or signs, as the domain's shifts do, but must not be cut first.
        let width = d.width(count);
        let limit = d.num(width, u128::from(w.min(255)));
        let far = d.cmp(CmpOp::Ult, &limit, count);
        let count = d.ite(&far, &limit, count);
        let count = d.zfit(&count, w);
        let op = self.operation();
        let out: Vec<D::Bv> = lanes(d, a, w).iter().map(|lane| d.bin(op, lane, &count)).collect();
        join(d, &out)
    }
}

/// A vector shifted as a whole, by so many bytes.
pub fn byte_shift<D: Domain>(d: &mut D, a: &D::Bv, bytes: u8, left: bool) -> D::Bv {
    let amount = d.num(128, u128::from(bytes.min(16)) * 8);
    d.bin(if left { BitOp::Shl } else { BitOp::Lshr }, a, &amount)
}

/// Lane shuffles by an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shuffle {
    /// `pshufd`.
    Dwords,
    /// `pshuflw`.
    LowWords,
    /// `pshufhw`.
    HighWords,
}

impl Shuffle {
    /// The result.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, code: u8) -> D::Bv {
        let pick = |i: usize| (code >> (2 * i) & 3) as usize;
        let out: Vec<D::Bv> = match self {
            Shuffle::Dwords => {
                let xs = lanes(d, a, 32);
                (0..4).map(|i| xs[pick(i)].clone()).collect()
            }
            Shuffle::LowWords => {
                let xs = lanes(d, a, 16);
                (0..8).map(|i| xs[if i < 4 { pick(i) } else { i }].clone()).collect()
            }
            Shuffle::HighWords => {
                let xs = lanes(d, a, 16);
                (0..8).map(|i| xs[if i < 4 { i } else { 4 + pick(i - 4) }].clone()).collect()
            }
        };
        join(d, &out)
    }
}

/// `shufps`, `shufpd`: lanes of the first below lanes of the second.
pub fn shuffle_both<D: Domain>(d: &mut D, w: u32, a: &D::Bv, b: &D::Bv, code: u8) -> D::Bv {
    let (xs, ys) = (lanes(d, a, w), lanes(d, b, w));
    let code = usize::from(code);
    let out: Vec<D::Bv> = if w == 32 {
        [&xs[code & 3], &xs[code >> 2 & 3], &ys[code >> 4 & 3], &ys[code >> 6 & 3]].map(Clone::clone).to_vec()
    } else {
        [&xs[code & 1], &ys[code >> 1 & 1]].map(Clone::clone).to_vec()
    };
    join(d, &out)
}

/// Flags of a conjunction (`ptest`): of whole vectors, or of the signs of lanes (`vtestps`) where these have so many bits.
pub fn test_flags<D: Domain>(d: &mut D, lane: Option<u32>, a: &D::Bv, b: &D::Bv) -> Flags<D> {
    let (a, b) = match lane {
        Some(w) => (signs(d, w, a), signs(d, w, b)),
        None => (a.clone(), b.clone()),
    };
    let (both, not) = (d.bv_and(&a, &b), d.bv_not(&a));
    let rest = d.bv_and(&not, &b);
    let no = d.bool(false);
    Flags::Each(Box::new(Each {
        carry: Some(d.is_zero(&rest)),
        parity: Some(no.clone()),
        zero: Some(d.is_zero(&both)),
        sign: Some(no.clone()),
        overflow: Some(no),
    }))
}

/// The sign bits of lanes, as a mask of 32 bits or more.
pub fn signs<D: Domain>(d: &mut D, w: u32, a: &D::Bv) -> D::Bv {
    let signs: Vec<D::Bv> = lanes(d, a, w).iter().map(|lane| d.extract(w - 1, w - 1, lane)).collect();
    let mask = join(d, &signs);
    d.zfit(&mask, 32.max(signs.len() as u32))
}
