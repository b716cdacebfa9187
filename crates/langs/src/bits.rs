//! Bit tricks that several languages share, over any value domain.

use crate::domain::{BitOp, Domain, Ext};

/// Number of set bits, as a value of the same width. Of the widths of registers it is made as compilers make it without
/// an instruction for it, from sums of neighbours of 2, 4 and 8 bits: both sides are the same term then, where a solver
/// does not see in minutes that other sums give the same.
pub fn popcount<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    let width = d.width(a);
    if !matches!(width, 32 | 64) {
        let mut sum = d.num(width, 0);
        for i in 0..width {
            let bit = d.extract(i, i, a);
            let bit = d.zfit(&bit, width);
            sum = d.add(&sum, &bit);
        }
        return sum;
    }
    let of_bytes = |d: &mut D, byte: u128| {
        let pattern = (0..width / 8).fold(0, |p, _| p << 8 | byte);
        d.num(width, pattern)
    };
    let shifted = |d: &mut D, x: &D::Bv, by: u128| {
        let by = d.num(width, by);
        d.bin(BitOp::Lshr, x, &by)
    };
    let mask = of_bytes(d, 0x55);
    let odd = shifted(d, a, 1);
    let odd = d.bin(BitOp::And, &odd, &mask);
    let twos = d.sub(a, &odd);
    let mask = of_bytes(d, 0x33);
    let low = d.bin(BitOp::And, &twos, &mask);
    let high = shifted(d, &twos, 2);
    let high = d.bin(BitOp::And, &high, &mask);
    let fours = d.add(&low, &high);
    let high = shifted(d, &fours, 4);
    let sums = d.add(&fours, &high);
    let mask = of_bytes(d, 0x0f);
    let bytes = d.bin(BitOp::And, &sums, &mask);
    let ones = of_bytes(d, 0x01);
    let total = d.bin(BitOp::Mul, &bytes, &ones);
    shifted(d, &total, u128::from(width) - 8)
}

/// Number of zeros above the highest set bit; the width for zero.
pub fn leading_zeros<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let few = count_bits(width);
    let place = highest_set(d, a);
    let (place, top) = (d.zfit(&place, few), d.num(few, u128::from(width - 1)));
    let above = d.sub(&top, &place);
    let (zero, all) = (d.is_zero(a), d.num(few, u128::from(width)));
    let count = d.ite(&zero, &all, &above);
    d.zfit(&count, width)
}

/// Number of zeros below the lowest set bit; the width for zero.
pub fn trailing_zeros<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let few = count_bits(width);
    let below = lowest_set(d, a);
    let (zero, all) = (d.is_zero(a), d.num(few, u128::from(width)));
    let below = d.zfit(&below, few);
    let count = d.ite(&zero, &all, &below);
    d.zfit(&count, width)
}

/// How many bits a count up to the width needs, no more than the width: counts are made in these, so that parts of
/// them are the same whatever they were extended to.
fn count_bits(width: u32) -> u32 {
    (32 - width.leading_zeros()).min(width)
}

/// The name of the frame's address, in both programs.
pub const FRAME_ADDRESS: &str = "frame address";

/// Place of the highest set bit; zero for zero.
pub fn highest_set<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let few = count_bits(width - 1).max(1);
    let mut place = d.num(few, 0);
    for i in 1..width {
        let bit = d.extract(i, i, a);
        let set = d.is_set(&bit);
        let n = d.num(few, u128::from(i));
        place = d.ite(&set, &n, &place);
    }
    d.zfit(&place, width)
}

/// Place of the lowest set bit; that of the highest bit for zero.
pub fn lowest_set<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let few = count_bits(width - 1).max(1);
    let mut place = d.num(few, u128::from(width - 1));
    for i in (0..width - 1).rev() {
        let bit = d.extract(i, i, a);
        let set = d.is_set(&bit);
        let n = d.num(few, u128::from(i));
        place = d.ite(&set, &n, &place);
    }
    d.zfit(&place, width)
}

/// The lowest bits of a number at the places where a mask has bits set, in order (`pdep`).
pub fn deposit<D: Domain>(d: &mut D, a: &D::Bv, mask: &D::Bv) -> D::Bv {
    let mut out = Vec::new();
    for (place, rank) in ranks(d, mask) {
        let moved = d.bin(BitOp::Lshr, a, &rank);
        let bit = d.zfit(&moved, 1);
        out.push(d.bin(BitOp::And, &bit, &place));
    }
    join(d, &out)
}

/// The bits of a number where a mask has bits set, in order from the lowest place on (`pext`).
pub fn gather<D: Domain>(d: &mut D, a: &D::Bv, mask: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let mut out = d.num(width, 0);
    for (i, (place, rank)) in (0..).zip(ranks(d, mask)) {
        let bit = d.extract(i, i, a);
        let bit = d.bin(BitOp::And, &bit, &place);
        let bit = d.zfit(&bit, width);
        let bit = d.bin(BitOp::Shl, &bit, &rank);
        out = d.bin(BitOp::Or, &out, &bit);
    }
    out
}

/// Each bit of a mask, and how many below it are set: a shift by that is one term, where choices bit by bit would nest.
fn ranks<D: Domain>(d: &mut D, mask: &D::Bv) -> Vec<(D::Bv, D::Bv)> {
    let width = d.width(mask);
    let (mut rank, mut all) = (d.num(width, 0), Vec::new());
    for i in 0..width {
        let place = d.extract(i, i, mask);
        let one = d.zfit(&place, width);
        let next = d.add(&rank, &one);
        all.push((place, std::mem::replace(&mut rank, next)));
    }
    all
}

/// The bytes in reverse order (a whole number of bytes).
pub fn byte_swap<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    pieces(d, a, 8)
}

/// The bits in reverse order.
pub fn bit_reverse<D: Domain>(d: &mut D, a: &D::Bv) -> D::Bv {
    pieces(d, a, 1)
}

fn pieces<D: Domain>(d: &mut D, a: &D::Bv, size: u32) -> D::Bv {
    let width = d.width(a);
    let mut out = d.extract(size - 1, 0, a);
    let mut lo = size;
    while lo + size <= width {
        let piece = d.extract(lo + size - 1, lo, a);
        out = d.concat(&out, &piece);
        lo += size;
    }
    out
}

/// Left funnel shift: the upper half of `hi:lo` shifted left by `amount` modulo the width.
pub fn funnel_left<D: Domain>(d: &mut D, hi: &D::Bv, lo: &D::Bv, amount: &D::Bv) -> D::Bv {
    let width = d.width(hi);
    let wide = d.concat(hi, lo);
    let amount = modulo_width(d, amount, width);
    let amount = d.zfit(&amount, 2 * width);
    let shifted = d.bin(BitOp::Shl, &wide, &amount);
    d.extract(2 * width - 1, width, &shifted)
}

/// Right funnel shift: the lower half of `hi:lo` shifted right by `amount` modulo the width.
pub fn funnel_right<D: Domain>(d: &mut D, hi: &D::Bv, lo: &D::Bv, amount: &D::Bv) -> D::Bv {
    let width = d.width(hi);
    let wide = d.concat(hi, lo);
    let amount = modulo_width(d, amount, width);
    let amount = d.zfit(&amount, 2 * width);
    let shifted = d.bin(BitOp::Lshr, &wide, &amount);
    d.extract(width - 1, 0, &shifted)
}

fn modulo_width<D: Domain>(d: &mut D, amount: &D::Bv, width: u32) -> D::Bv {
    let w = d.width(amount);
    if width.is_power_of_two() {
        let mask = d.num(w, u128::from(width - 1));
        return d.bin(BitOp::And, amount, &mask);
    }
    let n = d.num(w, u128::from(width));
    d.bin(BitOp::URem, amount, &n)
}

/// Lanes of `size` bits, lowest first.
pub fn lanes<D: Domain>(d: &mut D, a: &D::Bv, size: u32) -> Vec<D::Bv> {
    let width = d.width(a);
    (0..width / size).map(|i| d.extract((i + 1) * size - 1, i * size, a)).collect()
}

/// Lanes put together, lowest first; at least one.
pub fn join<D: Domain>(d: &mut D, lanes: &[D::Bv]) -> D::Bv {
    let mut out = lanes[0].clone();
    for lane in &lanes[1..] {
        out = d.concat(lane, &out);
    }
    out
}

/// The larger or smaller of two.
pub fn min_max<D: Domain>(d: &mut D, a: &D::Bv, b: &D::Bv, signed: bool, max: bool) -> D::Bv {
    let op = if signed { crate::domain::CmpOp::Slt } else { crate::domain::CmpOp::Ult };
    let less = d.cmp(op, a, b);
    if max { d.ite(&less, b, a) } else { d.ite(&less, a, b) }
}

/// Whether a signed or unsigned sum, difference or product leaves the width.
pub fn overflows<D: Domain>(d: &mut D, op: BitOp, a: &D::Bv, b: &D::Bv, signed: bool) -> D::Bool {
    let width = d.width(a);
    if op == BitOp::Add {
        // What is known of the bits may tell.
        let (x, y) = (d.zfit(a, width + 1), d.zfit(b, width + 1));
        let sum = d.add(&x, &y);
        let above = d.extract(width, width - u32::from(signed), &sum);
        if d.as_const(&above).is_some_and(|v| v.is_zero()) {
            return d.bool(false);
        }
    }
    if !signed && op == BitOp::Add {
        let sum = d.add(a, b);
        return d.cmp(crate::domain::CmpOp::Ult, &sum, a);
    }
    if !signed && op == BitOp::Sub {
        return d.cmp(crate::domain::CmpOp::Ult, a, b);
    }
    let wide = if op == BitOp::Mul { 2 * width } else { width + 1 };
    let (x, y) = if signed { (d.sfit(a, wide), d.sfit(b, wide)) } else { (d.zfit(a, wide), d.zfit(b, wide)) };
    let exact = d.bin(op, &x, &y);
    let narrow = d.extract(width - 1, 0, &exact);
    let back = if signed { d.sfit(&narrow, wide) } else { d.zfit(&narrow, wide) };
    d.ne(&exact, &back)
}

/// A product of more than 64 bits from 64-bit parts, as processors make it: equal to the plain one, and a form in
/// which both meet.
pub fn wide_mul<D: Domain>(d: &mut D, a: &D::Bv, b: &D::Bv) -> D::Bv {
    let width = d.width(a);
    let (a, b) = (d.zfit(a, 128), d.zfit(b, 128));
    let (al, ah) = (d.extract(63, 0, &a), d.extract(127, 64, &a));
    let (bl, bh) = (d.extract(63, 0, &b), d.extract(127, 64, &b));
    let (x, y) = (d.zfit(&al, 128), d.zfit(&bl, 128));
    let low = d.bin(BitOp::Mul, &x, &y);
    let (p, q) = (d.bin(BitOp::Mul, &al, &bh), d.bin(BitOp::Mul, &ah, &bl));
    let (lo, hi) = (d.extract(63, 0, &low), d.extract(127, 64, &low));
    let cross = d.add(&p, &q);
    let hi = d.add(&hi, &cross);
    let product = d.concat(&hi, &lo);
    d.zfit(&product, width)
}

/// `value` over `old` from bit `lo` on.
pub fn replace_bits<D: Domain>(d: &mut D, old: &D::Bv, value: &D::Bv, lo: u32) -> D::Bv {
    let (total, width) = (d.width(old), d.width(value));
    let mut out = value.clone();
    if lo > 0 {
        let below = d.extract(lo - 1, 0, old);
        out = d.concat(&out, &below);
    }
    if lo + width < total {
        let above = d.extract(total - 1, lo + width, old);
        out = d.concat(&above, &out);
    }
    out
}
