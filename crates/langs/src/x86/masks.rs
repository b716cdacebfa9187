//! What AVX-512 adds to vectors: masks with a bit for each lane, what is computed of them, and logic of three inputs.

use super::flags::{Each, Flags};
use super::float::{comparison, format};
use super::packed::mask;
use crate::bits::{join, lanes};
use crate::domain::{BitOp, CmpOp, Domain, Ext};
use crate::floats::float_compare;

/// Bits of a mask register.
pub const MASK_BITS: u32 = 64;

/// An operation on masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MaskOp {
    /// A bitwise operation.
    Bits(BitOp),
    /// Complement of the first, and.
    Andn,
    /// Complement of an exclusive or.
    Xnor,
    /// Complement.
    Not,
    /// Sum.
    Add,
    /// Shift to the left, or to the right, by an immediate.
    Shift(bool),
    /// The lower half of the first above that of the second.
    Unpack,
    /// A copy, zeros above it.
    Copy,
    /// All bits zero, or one.
    All(bool),
}

impl MaskOp {
    /// How many masks it takes.
    pub fn inputs(self) -> usize {
        match self {
            MaskOp::All(_) => 0,
            MaskOp::Not | MaskOp::Shift(_) | MaskOp::Copy => 1,
            MaskOp::Bits(_) | MaskOp::Andn | MaskOp::Xnor | MaskOp::Add | MaskOp::Unpack => 2,
        }
    }

    /// The result of so many bits for inputs of so many, the last of which is repeated where there are fewer.
    pub fn value<D: Domain>(self, d: &mut D, w: u32, (a, b): (&D::Bv, &D::Bv), code: u8) -> D::Bv {
        match self {
            MaskOp::Bits(op) => d.bin(op, a, b),
            MaskOp::Andn => {
                let a = d.bv_not(a);
                d.bv_and(&a, b)
            }
            MaskOp::Xnor => {
                let differ = d.bv_xor(a, b);
                d.bv_not(&differ)
            }
            MaskOp::Not => d.bv_not(a),
            MaskOp::Add => d.add(a, b),
            MaskOp::Shift(left) => {
                if u32::from(code) >= w {
                    return d.num(w, 0);
                }
                let count = d.num(w, u128::from(code));
                d.bin(if left { BitOp::Shl } else { BitOp::Lshr }, a, &count)
            }
            MaskOp::Unpack => {
                let (high, low) = (d.zfit(a, w / 2), d.zfit(b, w / 2));
                d.concat(&high, &low)
            }
            MaskOp::Copy => a.clone(),
            MaskOp::All(ones) => d.signed(w, if ones { -1 } else { 0 }),
        }
    }
}

/// The flags of `kortest`: of a disjunction, whether it is zero and whether it is all ones; or of `ktest`, as of `ptest`.
pub fn mask_flags<D: Domain>(d: &mut D, a: &D::Bv, b: &D::Bv, both: bool) -> Flags<D> {
    let not = d.bv_not(a);
    let (zero, rest) = if both {
        (d.bv_and(a, b), d.bv_and(&not, b))
    } else {
        let any = d.bv_or(a, b);
        let none = d.bv_not(&any);
        (any, none)
    };
    let no = d.bool(false);
    Flags::Each(Box::new(Each {
        carry: Some(d.is_zero(&rest)),
        parity: Some(no.clone()),
        zero: Some(d.is_zero(&zero)),
        sign: Some(no.clone()),
        overflow: Some(no),
    }))
}

/// What a mask tells of lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether they are equal.
    Equal,
    /// Whether the first is greater, signed.
    Greater,
    /// A comparison that an immediate tells: signed or not.
    Integers(bool),
    /// A comparison of floating-point numbers that an immediate tells.
    Floats,
    /// Whether a conjunction has a bit set.
    Common,
    /// Whether it has none.
    NoneCommon,
}

impl Question {
    /// Whether an immediate comes behind the inputs.
    pub fn has_code(self) -> bool {
        matches!(self, Question::Integers(_) | Question::Floats)
    }

    fn holds<D: Domain>(self, d: &mut D, x: &D::Bv, y: &D::Bv, code: u8) -> Option<D::Bool> {
        Some(match self {
            Question::Equal => d.eq(x, y),
            Question::Greater => d.cmp(CmpOp::Slt, y, x),
            Question::Common | Question::NoneCommon => {
                let both = d.bv_and(x, y);
                let none = d.is_zero(&both);
                if self == Question::Common { d.not(&none) } else { none }
            }
            Question::Floats => {
                let pred = comparison(i64::from(code))?;
                let kind = format(d.width(x));
                float_compare(d, pred, kind, x, y)
            }
            Question::Integers(signed) => {
                let below = if signed { CmpOp::Slt } else { CmpOp::Ult };
                let yes = match code & 3 {
                    0 => d.eq(x, y),
                    1 => d.cmp(below, x, y),
                    2 => {
                        let above = d.cmp(below, y, x);
                        d.not(&above)
                    }
                    _ => d.bool(false),
                };
                if code & 4 == 0 { yes } else { d.not(&yes) }
            }
        })
    }

    /// The answers for lanes of so many bits; none where the immediate stands for no comparison.
    pub fn value<D: Domain>(self, d: &mut D, w: u32, (a, b): (&D::Bv, &D::Bv), code: u8) -> Option<D::Bv> {
        let mut out = Vec::new();
        for (x, y) in lanes(d, a, w).iter().zip(&lanes(d, b, w)) {
            let holds = self.holds(d, x, y, code)?;
            let (one, zero) = (d.num(1, 1), d.num(1, 0));
            out.push(d.ite(&holds, &one, &zero));
        }
        Some(join(d, &out))
    }
}

/// Whether a bit of a mask is set.
pub fn chosen<D: Domain>(d: &mut D, bits: &D::Bv, lane: u32) -> D::Bool {
    let bit = d.extract(lane, lane, bits);
    d.is_set(&bit)
}

/// The first of so many lanes of a value where a mask has a bit set, else of another; above them the value's.
pub fn masked<D: Domain>(
    d: &mut D,
    (lane, count): (u32, u32),
    bits: &D::Bv,
    new: &D::Bv,
    old: &D::Bv,
) -> D::Bv {
    let mut out = Vec::new();
    for i in 0..count {
        let (low, high) = (i * lane, i * lane + lane - 1);
        let (x, y) = (d.extract(high, low, new), d.extract(high, low, old));
        let yes = chosen(d, bits, i);
        out.push(d.ite(&yes, &x, &y));
    }
    let low = join(d, &out);
    let (have, want) = (lane * count, d.width(new));
    if have == want {
        return low;
    }
    let above = d.extract(want - 1, have, new);
    d.concat(&above, &low)
}

/// Lanes of ones where a mask has a bit set, else of zeros.
pub fn to_lanes<D: Domain>(d: &mut D, w: u32, count: u32, bits: &D::Bv) -> D::Bv {
    let mut out = Vec::new();
    for i in 0..count {
        let yes = chosen(d, bits, i);
        out.push(mask(d, &yes, w));
    }
    join(d, &out)
}

/// The bits of a table of eight that three inputs choose, the first as the upper bit of its number (`vpternlogd`).
pub fn ternary<D: Domain>(d: &mut D, inputs: [&D::Bv; 3], table: u8) -> D::Bv {
    tabled(d, &inputs, d.width(inputs[0]), table)
}

/// The same of fewer inputs and a table of as many bits as they choose among: by what it has where one of them is set and
/// where it is not, so that the usual tables make the terms that are usually written for them.
fn tabled<D: Domain>(d: &mut D, inputs: &[&D::Bv], w: u32, table: u8) -> D::Bv {
    let count = inputs.len();
    let Some(at) = (0..count).min_by_key(|at| difficulty(table, count, *at)) else {
        return d.signed(w, -i128::from(table & 1));
    };
    let (unset, set) = (half(table, count, at, false), half(table, count, at, true));
    let (first, ones) = (inputs[at], all_ones(count - 1));
    let rest: Vec<&D::Bv> = (0..count).filter(|i| *i != at).map(|i| inputs[i]).collect();
    let low = tabled(d, &rest, w, unset);
    if unset == set {
        return low;
    }
    if set == !unset & ones {
        return d.bv_xor(first, &low);
    }
    let (high, not) = (tabled(d, &rest, w, set), d.bv_not(first));
    if set == ones {
        return d.bv_or(first, &low);
    }
    if unset == ones {
        return d.bv_or(&not, &high);
    }
    let (high, low) = (d.bv_and(first, &high), d.bv_and(&not, &low));
    d.bv_or(&high, &low)
}

/// A table of ones for so many inputs.
fn all_ones(count: usize) -> u8 {
    ((1u16 << (1 << count)) - 1) as u8
}

/// What is left of a table for so many inputs where one of them is set or not.
fn half(table: u8, count: usize, at: usize, set: bool) -> u8 {
    let place = count - 1 - at;
    let row = |r: usize| r >> place << (place + 1) | usize::from(set) << place | r & ((1 << place) - 1);
    (0..1usize << (count - 1)).fold(0, |out, r| out | (table >> row(r) & 1) << r)
}

/// How large a term becomes that is made of a table by one of its inputs: least where that does not matter, more where it is
/// one of a sum, of a conjunction or disjunction, or chooses between two of the others.
fn difficulty(table: u8, count: usize, at: usize) -> u32 {
    let (unset, set, ones) =
        (half(table, count, at, false), half(table, count, at, true), all_ones(count - 1));
    let plain =
        |t: u8| (0..count - 1).filter(move |i| half(t, count - 1, *i, false) != half(t, count - 1, *i, true));
    match () {
        () if unset == set => 0,
        () if set == !unset & ones => 1,
        () if [0, ones].contains(&set) || [0, ones].contains(&unset) => 2,
        () if plain(unset).count() < 2 && plain(set).count() < 2 => 3,
        () => 4,
    }
}

/// Sums of four products of unsigned by signed bytes, or of two of signed words, on top of a number of 32 bits; saturating
/// or not (`vpdpbusd`, `vpdpwssd`).
pub fn dot_product<D: Domain>(d: &mut D, from: u32, saturating: bool, [sum, a, b]: [&D::Bv; 3]) -> D::Bv {
    let mut out = Vec::new();
    let wide = if saturating { 36 } else { 32 };
    let (sums, xs, ys) = (lanes(d, sum, 32), lanes(d, a, 32), lanes(d, b, 32));
    for i in 0..sums.len() {
        let mut total = d.sfit(&sums[i], wide);
        for (x, y) in lanes(d, &xs[i], from).iter().zip(&lanes(d, &ys[i], from)) {
            let x = if from == 8 { d.zfit(x, wide) } else { d.sfit(x, wide) };
            let y = d.sfit(y, wide);
            let product = d.mul(&x, &y);
            total = d.add(&total, &product);
        }
        out.push(if saturating { super::packed::clamp(d, &total, 32, true) } else { total });
    }
    join(d, &out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Bv, Concrete};

    #[test]
    fn every_table_gives_its_bits() {
        let mut d = Concrete::new(0);
        let inputs = [0xf0, 0xcc, 0xaa].map(|n| Bv::new(8, n));
        for table in 0..=255 {
            let value = ternary(&mut d, [&inputs[0], &inputs[1], &inputs[2]], table);
            assert_eq!(value.to_u64(), Some(u64::from(table)));
        }
    }
}
