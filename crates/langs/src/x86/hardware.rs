//! Instructions that C has as intrinsics, one for one, and that LLVM keeps as such: both languages have them with the same
//! operands in the same order. What they compute stands here once: exactly where lanes are moved and compared, by name
//! where proofs need no more than that equal operands give equal results.
//!
//! To add one: a variant with its meaning, a line of the intrinsics in [`crate::llvm_ir`] and one of the opcodes in
//! [`crate::x86_mir`].

use super::float::{Convert, Float, format, masks, rounding, square_root};
use super::masks::{dot_product, ternary};
use super::packed::per_lane;
use super::rearrange::{Mix, permute, permute_two};
use crate::assumption::Assumption;
use crate::bits::{join, lanes, replace_bits};
use crate::domain::{Domain, Ext};
use crate::operation::Operation;

/// An instruction on one to three vectors, or on two integers, and maybe an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hardware {
    /// A function of one vector, and maybe of an immediate, 128 bits by 128 bits, known by name alone.
    Named1(&'static str, bool),
    /// One of two vectors.
    Named2(&'static str, bool),
    /// One of two vectors and the register `xmm0`.
    Named3(&'static str),
    /// The product without carries of two halves that an immediate chooses (`pclmulqdq`).
    CarrylessProduct,
    /// The checksum CRC-32C carried on by a number of this width.
    Checksum(u32),
    /// An estimate of a function of each lane, known by name alone.
    Estimate(&'static str),
    /// An estimate of a function of the second vector's lowest lane; above it the lanes of the first, as with all that are `Low`.
    EstimateLow(&'static str),
    /// Arithmetic on the lowest lanes of both.
    Low(Float),
    /// The square root of the second vector's lowest lane.
    RootLow,
    /// The second vector's lowest lane, or a number, converted.
    ConvertLow(Convert),
    /// The second vector's lowest lane rounded as an immediate says.
    RoundLow,
    /// Each lane rounded as an immediate says.
    Round,
    /// The mask of a comparison of the lowest lanes of both, which an immediate tells.
    MaskLow,
    /// Masks of comparisons of lanes, which an immediate tells.
    Masks,
    /// Sums or differences of neighbours, those of the first vector below those of the second.
    Neighbours(Float),
    /// Differences of even lanes, sums of odd ones.
    Alternating,
    /// Lanes converted.
    Convert(Convert),
    /// Two vectors mixed as an immediate says.
    Mixed(Mix),
    /// Lanes of the first vector by the numbers in the second: of all, or of each 128 bits.
    Chosen(bool),
    /// Bits of a table, the immediate, that three vectors choose.
    Ternary,
    /// Lanes of two vectors by numbers: those are the first input, or between the two.
    ChosenOfTwo(bool),
    /// Sums of products of parts of this width on top of lanes: saturating or not.
    DotProduct(u32, bool),
}

impl Hardware {
    /// How many vectors or numbers it takes, without an immediate and without `xmm0`.
    pub fn inputs(self) -> usize {
        match self {
            Hardware::Named1(..) | Hardware::Estimate(_) | Hardware::Round | Hardware::Convert(_) => 1,
            Hardware::Named2(..)
            | Hardware::Named3(_)
            | Hardware::CarrylessProduct
            | Hardware::Checksum(_)
            | Hardware::EstimateLow(_)
            | Hardware::Low(_)
            | Hardware::RootLow
            | Hardware::ConvertLow(_)
            | Hardware::RoundLow
            | Hardware::MaskLow
            | Hardware::Masks
            | Hardware::Neighbours(_)
            | Hardware::Alternating
            | Hardware::Mixed(_)
            | Hardware::Chosen(_) => 2,
            Hardware::Ternary | Hardware::ChosenOfTwo(_) | Hardware::DotProduct(..) => 3,
        }
    }

    /// Whether an immediate comes behind them.
    pub fn has_code(self) -> bool {
        match self {
            Hardware::Named1(_, code) | Hardware::Named2(_, code) => code,
            Hardware::CarrylessProduct
            | Hardware::RoundLow
            | Hardware::Round
            | Hardware::MaskLow
            | Hardware::Masks
            | Hardware::Ternary
            | Hardware::Mixed(_) => true,
            _ => false,
        }
    }

    /// How many bits of its last input an opcode reads, of vectors of so many bits with lanes of `lane`.
    pub fn last_width(self, lane: u32, vector: u32) -> u32 {
        match self {
            Hardware::EstimateLow(_)
            | Hardware::Low(_)
            | Hardware::RootLow
            | Hardware::RoundLow
            | Hardware::MaskLow => lane,
            Hardware::ConvertLow(convert) => convert.from(),
            Hardware::Checksum(width) => width,
            _ => vector,
        }
    }

    /// Whether there is an instruction that does the same to vectors of 256 bits.
    pub fn has_wide_form(self) -> bool {
        !matches!(
            self,
            Hardware::Named3(_)
                | Hardware::Checksum(_)
                | Hardware::EstimateLow(_)
                | Hardware::Low(_)
                | Hardware::RootLow
                | Hardware::ConvertLow(_)
                | Hardware::RoundLow
                | Hardware::MaskLow
        )
    }

    /// What a verdict takes for granted that rests on its result.
    pub fn assumption(self) -> Option<Assumption> {
        match self {
            Hardware::Named1(..)
            | Hardware::Named2(..)
            | Hardware::Named3(_)
            | Hardware::CarrylessProduct
            | Hardware::Checksum(_)
            | Hardware::Estimate(_)
            | Hardware::EstimateLow(_) => Some(Assumption::InstructionsByName),
            Hardware::Low(Float::Min | Float::Max)
            | Hardware::MaskLow
            | Hardware::Masks
            | Hardware::Mixed(_)
            | Hardware::Ternary
            | Hardware::ChosenOfTwo(_)
            | Hardware::DotProduct(..)
            | Hardware::Chosen(_) => None,
            _ => Some(Assumption::FloatsByName),
        }
    }

    /// The result for the inputs, of which the last may be as narrow as [`Hardware::last_width`] says, and an immediate.
    /// `lane` is the width of a lane of the result in bits. None where the immediate stands for nothing known.
    pub fn value<D: Domain>(self, d: &mut D, lane: u32, inputs: &[D::Bv], code: u8) -> Option<D::Bv> {
        let first = inputs.first()?;
        let last = inputs.get(1).unwrap_or(first);
        let width = d.width(first);
        Some(match self {
            Hardware::Named1(name, coded) => blocks(d, name, &inputs[..1], coded.then_some(code)),
            Hardware::Named2(name, coded) => blocks(d, name, &inputs[..2], coded.then_some(code)),
            Hardware::Named3(name) => blocks(d, name, inputs, None),
            Hardware::CarrylessProduct => {
                let mut out = Vec::new();
                for (a, b) in lanes(d, first, 128).iter().zip(&lanes(d, last, 128)) {
                    let (x, y) = (half(d, a, code & 1 != 0), half(d, b, code & 16 != 0));
                    let (x, y) = d.in_order(&x, &y);
                    out.push(d.operation(&Operation::Instruction("pclmulqdq".to_owned()), &[x, y], 128));
                }
                join(d, &out)
            }
            Hardware::Checksum(from) => {
                let (sum, data) = (d.zfit(first, 32), d.zfit(last, from));
                let sum =
                    d.operation(&Operation::Instruction(format!("crc32 of {from} bits")), &[sum, data], 32);
                d.zfit(&sum, width)
            }
            Hardware::Estimate(name) => per_lane(d, lane, first, first, |d, x, _| estimate(d, name, x)),
            Hardware::EstimateLow(name) => on_lowest(d, lane, first, last, |d, _, x| estimate(d, name, x)),
            Hardware::Low(float) => on_lowest(d, lane, first, last, |d, a, b| float.value(d, a, b)),
            Hardware::RootLow => on_lowest(d, lane, first, last, |d, _, x| square_root(d, x.clone())),
            Hardware::ConvertLow(convert) => {
                let from = d.zfit(last, convert.from());
                let converted = convert.value(d, lane, from);
                replace_bits(d, first, &converted, 0)
            }
            Hardware::RoundLow => {
                let operation = rounding(lane, code)?;
                on_lowest(d, lane, first, last, |d, _, x| {
                    d.operation(&operation, std::slice::from_ref(x), lane)
                })
            }
            Hardware::Round => {
                let operation = rounding(lane, code)?;
                per_lane(d, lane, first, first, |d, x, _| {
                    d.operation(&operation, std::slice::from_ref(x), lane)
                })
            }
            Hardware::MaskLow => {
                let (a, b) = (d.zfit(first, lane), d.zfit(last, lane));
                let mask = masks(d, lane, &a, &b, i64::from(code))?;
                replace_bits(d, first, &mask, 0)
            }
            Hardware::Masks => masks(d, lane, first, last, i64::from(code))?,
            Hardware::Neighbours(float) => {
                let mut out = Vec::new();
                for (a, b) in lanes(d, first, 128).iter().zip(&lanes(d, last, 128)) {
                    for of in [a, b] {
                        for pair in lanes(d, of, lane).chunks_exact(2) {
                            out.push(float.value(d, &pair[0], &pair[1]));
                        }
                    }
                }
                join(d, &out)
            }
            Hardware::Alternating => {
                let (a, b) = (lanes(d, first, lane), lanes(d, last, lane));
                let mut out = Vec::new();
                for (n, (a, b)) in a.iter().zip(&b).enumerate() {
                    let float = if n % 2 == 0 { Float::Sub } else { Float::Add };
                    out.push(float.value(d, a, b));
                }
                join(d, &out)
            }
            Hardware::Mixed(mix) => mix.value(d, first, last, code),
            Hardware::Chosen(all) => permute(d, lane, all, first, last),
            Hardware::Convert(convert) => convert.lanes(d, lane, first),
            Hardware::Ternary => ternary(d, [first, last, inputs.get(2)?], code),
            Hardware::ChosenOfTwo(true) => permute_two(d, lane, last, first, inputs.get(2)?),
            Hardware::ChosenOfTwo(false) => permute_two(d, lane, first, last, inputs.get(2)?),
            Hardware::DotProduct(from, saturating) => {
                dot_product(d, from, saturating, [first, last, inputs.get(2)?])
            }
        })
    }
}

/// A function that is known by name alone, of each 128 bits of the inputs and of an immediate.
fn blocks<D: Domain>(d: &mut D, name: &str, inputs: &[D::Bv], code: Option<u8>) -> D::Bv {
    let operation = Operation::Instruction(name.to_owned());
    let split: Vec<Vec<D::Bv>> = inputs.iter().map(|input| lanes(d, input, 128)).collect();
    let mut out = Vec::new();
    for n in 0..split[0].len() {
        let mut args: Vec<D::Bv> = split.iter().filter_map(|input| input.get(n).cloned()).collect();
        args.extend(code.map(|code| d.num(8, u128::from(code))));
        out.push(d.operation(&operation, &args, 128));
    }
    join(d, &out)
}

/// The upper or the lower half of 128 bits.
fn half<D: Domain>(d: &mut D, a: &D::Bv, upper: bool) -> D::Bv {
    if upper { d.extract(127, 64, a) } else { d.extract(63, 0, a) }
}

fn estimate<D: Domain>(d: &mut D, name: &str, x: &D::Bv) -> D::Bv {
    let width = d.width(x);
    d.operation(&Operation::Instruction(format!("{name} {}", format(width))), std::slice::from_ref(x), width)
}

/// What a function makes of the lowest lanes of two vectors, below the others of the first.
fn on_lowest<D: Domain>(
    d: &mut D,
    lane: u32,
    a: &D::Bv,
    b: &D::Bv,
    f: impl Fn(&mut D, &D::Bv, &D::Bv) -> D::Bv,
) -> D::Bv {
    let (x, y) = (d.zfit(a, lane), d.zfit(b, lane));
    let low = f(d, &x, &y);
    replace_bits(d, a, &low, 0)
}
