//! Moves of lanes inside vectors of 128, 256 and 512 bits, as SSE4, AVX, AVX2 and AVX-512 have them: broadcasts, blends,
//! permutations, extensions, halves. (The instructions that AVX took over from SSE work on each 128 bits by themselves:
//! [`by_halves`].)

use super::packed::{Shuffle, clamp, per_lane, shuffle_both};
use crate::bits::{join, lanes, leading_zeros, popcount, replace_bits};
use crate::domain::{BitOp, Domain, Ext};

/// A function of 128 bits applied to each 128 bits.
pub fn by_halves<D: Domain>(
    d: &mut D,
    a: &D::Bv,
    b: &D::Bv,
    mut f: impl FnMut(&mut D, &D::Bv, &D::Bv) -> D::Bv,
) -> D::Bv {
    if d.width(a) <= 128 {
        return f(d, a, b);
    }
    let (xs, ys) = (lanes(d, a, 128), lanes(d, b, 128));
    let out: Vec<D::Bv> = xs.iter().zip(&ys).map(|(x, y)| f(d, x, y)).collect();
    join(d, &out)
}

/// What an immediate makes of two vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mix {
    /// Lanes of so many bits of the second where the immediate has a bit set, the others of the first.
    Blend(u32),
    /// Halves of 128 bits of either, or zeros.
    Halves,
    /// Bytes of each 128 bits of the first above those of the second, shifted right.
    Align,
    /// Lanes of the first below lanes of the second, of so many bits (`shufps`).
    Both(u32),
    /// One lane of 32 bits of the second in a place of the first, and zeros (`insertps`).
    InsertFloat,
    /// The second, of so many bits, in a part of the first.
    Insert(u32),
    /// Lanes of so many bits of the first above those of the second, shifted right (`valignd`).
    AlignLanes(u32),
    /// Parts of 128 bits of the first below parts of the second (`vshufi64x2`).
    Quarters,
}

impl Mix {
    /// The result.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, b: &D::Bv, code: u8) -> D::Bv {
        let bit = |i: usize| code >> (i % 8) & 1 == 1;
        match self {
            Mix::Blend(w) => {
                let (xs, ys) = (lanes(d, a, w), lanes(d, b, w));
                let pick = |i: usize| if bit(i) { ys[i].clone() } else { xs[i].clone() };
                let out: Vec<D::Bv> = (0..xs.len()).map(pick).collect();
                join(d, &out)
            }
            Mix::Halves => {
                let mut all = lanes(d, a, 128);
                all.extend(lanes(d, b, 128));
                let zero = d.num(128, 0);
                let half = |code: u8| match code & 8 {
                    0 => all[usize::from(code & 3)].clone(),
                    _ => zero.clone(),
                };
                let (low, high) = (half(code), half(code >> 4));
                d.concat(&high, &low)
            }
            Mix::Align => by_halves(d, a, b, |d, a, b| {
                let wide = d.concat(a, b);
                let zeros = d.num(256, 0);
                let wide = d.concat(&zeros, &wide);
                let lo = u32::from(code.min(32)) * 8;
                d.extract(lo + 127, lo, &wide)
            }),
            Mix::Both(w) => {
                let mut half = 0;
                by_halves(d, a, b, |d, a, b| {
                    // Each half has bits of its own where lanes are of 64 bits.
                    let code = if w == 64 { code >> (2 * half) } else { code };
                    half += 1;
                    shuffle_both(d, w, a, b, code)
                })
            }
            Mix::InsertFloat => {
                let from = lanes(d, b, 32);
                let lane = from[usize::from(code >> 6) % from.len()].clone();
                let mixed = replace_bits(d, a, &lane, u32::from(code >> 4 & 3) * 32);
                let (mut out, zero) = (lanes(d, &mixed, 32), d.num(32, 0));
                for (i, lane) in out.iter_mut().enumerate() {
                    if bit(i) && i < 4 {
                        *lane = zero.clone();
                    }
                }
                join(d, &out)
            }
            Mix::Insert(w) => {
                let parts = d.width(a) / w;
                replace_bits(d, a, b, u32::from(code) % parts * w)
            }
            Mix::AlignLanes(w) => {
                let mut all = lanes(d, b, w);
                let count = all.len();
                all.extend(lanes(d, a, w));
                let first = usize::from(code) % count;
                join(d, &all[first..first + count])
            }
            Mix::Quarters => {
                let (xs, ys) = (lanes(d, a, 128), lanes(d, b, 128));
                let count = xs.len();
                let bits = count.trailing_zeros() as usize;
                let pick = |i: usize| {
                    let from = if i < count / 2 { &xs } else { &ys };
                    from[usize::from(code) >> (bits * i) & (count - 1)].clone()
                };
                let out: Vec<D::Bv> = (0..count).map(pick).collect();
                join(d, &out)
            }
        }
    }
}

/// What an immediate makes of one vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrange {
    /// Lanes of each 128 bits.
    Each(Shuffle),
    /// Lanes of 64 bits of each 128, by bits of their own (`vpermilpd`).
    Qwords,
    /// Lanes of 64 bits of each 256 (`vpermq`).
    AllQwords,
}

impl Arrange {
    /// The result.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv, code: u8) -> D::Bv {
        match self {
            Arrange::Each(shuffle) => by_halves(d, a, a, |d, a, _| shuffle.value(d, a, code)),
            Arrange::Qwords => {
                let xs = lanes(d, a, 64);
                let pick = |i: usize| xs[i / 2 * 2 + usize::from(code >> i & 1)].clone();
                let out: Vec<D::Bv> = (0..xs.len()).map(pick).collect();
                join(d, &out)
            }
            Arrange::AllQwords => {
                let xs = lanes(d, a, 64);
                let pick = |i: usize| xs[i / 4 * 4 + usize::from(code >> (2 * (i % 4)) & 3)].clone();
                let out: Vec<D::Bv> = (0..xs.len()).map(pick).collect();
                join(d, &out)
            }
        }
    }
}

/// What is made of one vector without an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alone {
    /// The lowest 64 bits of each 128, twice (`movddup`).
    LowQwords,
    /// Each even lane of 32 bits, twice (`movsldup`).
    Even,
    /// Each odd lane of 32 bits, twice (`movshdup`).
    Odd,
    /// Magnitudes of lanes of so many bits.
    Abs(u32),
    /// Numbers of set bits of lanes of so many bits.
    SetBits(u32),
    /// Zeros above the highest set bit, of lanes of so many bits.
    LeadingZeros(u32),
    /// The vector itself.
    Same,
}

impl Alone {
    /// The result.
    pub fn value<D: Domain>(self, d: &mut D, a: &D::Bv) -> D::Bv {
        let (w, odd) = match self {
            Alone::LowQwords => (64, 0),
            Alone::Even => (32, 0),
            Alone::Odd => (32, 1),
            Alone::Abs(w) => {
                return per_lane(d, w, a, a, |d, x, _| {
                    let zero = d.num(w, 0);
                    let (negated, negative) = (d.sub(&zero, x), d.sign(x));
                    d.ite(&negative, &negated, x)
                });
            }
            Alone::SetBits(w) => return per_lane(d, w, a, a, |d, x, _| popcount(d, x)),
            Alone::LeadingZeros(w) => return per_lane(d, w, a, a, |d, x, _| leading_zeros(d, x)),
            Alone::Same => return a.clone(),
        };
        let xs = lanes(d, a, w);
        let out: Vec<D::Bv> = (0..xs.len()).map(|i| xs[i / 2 * 2 + odd].clone()).collect();
        join(d, &out)
    }
}

/// A lane as often as it fits.
pub fn broadcast<D: Domain>(d: &mut D, lane: &D::Bv, total: u32) -> D::Bv {
    let out = vec![lane.clone(); (total / d.width(lane)) as usize];
    join(d, &out)
}

/// The lanes of a vector extended.
pub fn extend<D: Domain>(d: &mut D, (from, to): (u32, u32), signed: bool, a: &D::Bv) -> D::Bv {
    let extended = |d: &mut D, lane: &D::Bv| if signed { d.sfit(lane, to) } else { d.zfit(lane, to) };
    let out: Vec<D::Bv> = lanes(d, a, from).iter().map(|lane| extended(d, lane)).collect();
    join(d, &out)
}

/// Lanes of the second where the mask's lanes have their sign set, the others of the first.
pub fn blend_by<D: Domain>(d: &mut D, w: u32, a: &D::Bv, b: &D::Bv, mask: &D::Bv) -> D::Bv {
    let (xs, ys, masks) = (lanes(d, a, w), lanes(d, b, w), lanes(d, mask, w));
    let mut out = Vec::new();
    for (i, m) in masks.iter().enumerate() {
        let second = d.sign(m);
        out.push(d.ite(&second, &ys[i], &xs[i]));
    }
    join(d, &out)
}

/// Lanes by the numbers in another vector: of all, or of each 128 bits (of lanes of 64 bits there, by bit 1).
pub fn permute<D: Domain>(d: &mut D, w: u32, all: bool, a: &D::Bv, numbers: &D::Bv) -> D::Bv {
    let (xs, ns) = (lanes(d, a, w), lanes(d, numbers, w));
    let among = if all { xs.len() } else { (128 / w) as usize };
    let bits = among.trailing_zeros();
    let lo = u32::from(!all && w == 64);
    let mut out = Vec::new();
    for (i, n) in ns.iter().enumerate() {
        let first = i / among * among;
        let n = d.extract(lo + bits - 1, lo, n);
        out.push(numbered(d, &n, &xs[first..first + among]));
    }
    join(d, &out)
}

/// The lane that a number of just enough bits stands for.
pub(super) fn numbered<D: Domain>(d: &mut D, n: &D::Bv, lanes: &[D::Bv]) -> D::Bv {
    let bits = d.width(n);
    let mut chosen = lanes[0].clone();
    for (k, lane) in lanes.iter().enumerate().skip(1) {
        let number = d.num(bits, k as u128);
        let here = d.eq(n, &number);
        chosen = d.ite(&here, lane, &chosen);
    }
    chosen
}

/// Lanes of two vectors by the numbers in a third: those of the first, then those of the second (`vpermt2d`).
pub fn permute_two<D: Domain>(d: &mut D, w: u32, a: &D::Bv, numbers: &D::Bv, b: &D::Bv) -> D::Bv {
    let mut all = lanes(d, a, w);
    all.extend(lanes(d, b, w));
    let bits = all.len().trailing_zeros();
    let mut out = Vec::new();
    for n in lanes(d, numbers, w) {
        let n = d.zfit(&n, bits);
        out.push(numbered(d, &n, &all));
    }
    join(d, &out)
}

/// Lanes rotated to the left, or to the right, by the numbers in another vector's.
pub fn rotate_each<D: Domain>(d: &mut D, left: bool, w: u32, a: &D::Bv, counts: &D::Bv) -> D::Bv {
    let modulo = d.num(w, u128::from(w) - 1);
    let (there, back) = if left { (BitOp::Shl, BitOp::Lshr) } else { (BitOp::Lshr, BitOp::Shl) };
    per_lane(d, w, a, counts, |d, x, n| {
        let n = d.bv_and(n, &modulo);
        let zero = d.num(w, 0);
        let rest = d.sub(&zero, &n);
        let rest = d.bv_and(&rest, &modulo);
        let (one, other) = (d.bin(there, x, &n), d.bin(back, x, &rest));
        d.bv_or(&one, &other)
    })
}

/// How lanes are made narrower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Narrow {
    /// The lower bits.
    Cut,
    /// The nearest signed number.
    Signed,
    /// The nearest unsigned number to an unsigned one.
    Unsigned,
}

/// The lanes of a vector made narrower.
pub fn truncate<D: Domain>(d: &mut D, (from, to): (u32, u32), narrow: Narrow, a: &D::Bv) -> D::Bv {
    let mut out = Vec::new();
    for lane in lanes(d, a, from) {
        out.push(match narrow {
            Narrow::Cut => d.zfit(&lane, to),
            Narrow::Signed => clamp(d, &lane, to, true),
            Narrow::Unsigned => {
                // A bit more, so that the number is not taken to be negative.
                let wide = d.zfit(&lane, from + 1);
                clamp(d, &wide, to, false)
            }
        });
    }
    join(d, &out)
}

/// Lanes shifted by the numbers in another vector's; too far leaves zeros or signs.
pub fn shift_each<D: Domain>(d: &mut D, op: BitOp, w: u32, a: &D::Bv, counts: &D::Bv) -> D::Bv {
    per_lane(d, w, a, counts, |d, x, n| d.bin(op, x, n))
}
