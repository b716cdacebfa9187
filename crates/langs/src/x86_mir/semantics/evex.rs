//! The opcodes of AVX-512. Most are those of AVX at one more width, so they are made of its lines ([`derive`]): a `Z` with
//! the width behind the mnemonic, then the operands; `b` where a number in memory stands for all lanes; `k` or `kz` where a
//! mask chooses lanes and the others are kept or become zero. What AVX has not is listed here. Where LLVM lacks a
//! combination, the name means nothing and does no harm.

use super::table::{Evex, Form, Masking, Opcode, Sem};
use crate::domain::BitOp;
use crate::x86::float::Convert;
use crate::x86::hardware::Hardware;
use crate::x86::masks::{MaskOp, Question};
use crate::x86::packed::{Lane, LaneShift, Packed, Shuffle};
use crate::x86::rearrange::{Alone, Arrange, Mix, Narrow};

/// How widths are written in names.
type Sizes = &'static [(&'static str, u32)];

const EVERY: Sizes = &[("Z128", 128), ("Z256", 256), ("Z", 512)];
const LONG: Sizes = &[("Z256", 256), ("Z", 512)];
const WHOLE: Sizes = &[("Z", 512)];
/// One number in the lowest bits of a register, or what there is on 128 bits alone; two ways to write it.
const LOW: Sizes = &[("Z", 128)];
const SHORT: Sizes = &[("Z128", 128)];

/// How an operation of AVX is encoded by AVX-512.
#[derive(Clone, Copy)]
struct Shape {
    sizes: Sizes,
    /// What it does.
    sem: Sem,
    /// Bits of its lanes, as the meaning has them.
    width: u32,
    /// Bits of a lane as a mask counts them; zero where there is no mask.
    lane: u32,
    /// Bits of a number in memory that stands for all lanes, if one can.
    spread: u32,
}

/// The bits of a number in memory that stands for all lanes: there are none for bytes and words.
fn spread(lane: u32) -> u32 {
    if lane >= 32 { lane } else { 0 }
}

impl Shape {
    /// Lanes of this width at every width of vectors.
    fn lanes(sem: Sem, lane: u32) -> Shape {
        Shape { sizes: EVERY, sem, width: lane, lane, spread: spread(lane) }
    }

    fn without_mask(sem: Sem, width: u32, sizes: Sizes) -> Shape {
        Shape { sizes, sem, width, lane: 0, spread: 0 }
    }

    /// What an integer operation becomes; the lanes of bitwise ones are in their names.
    fn of_packed(packed: Packed, name: &str) -> Option<Shape> {
        let same = Sem::Packed(packed);
        Some(match packed {
            Packed::And | Packed::Or | Packed::Xor | Packed::Andn => {
                Shape::lanes(same, if name.contains("PS") { 32 } else { 64 })
            }
            Packed::Lanes(Lane::Sign, _) | Packed::Neighbours(..) => return None,
            Packed::Lanes(Lane::CmpEq, w) => Shape::lanes(Sem::Ask(Question::Equal), w),
            Packed::Lanes(Lane::CmpGt, w) => Shape::lanes(Sem::Ask(Question::Greater), w),
            Packed::Lanes(Lane::MulAddHalves, w) => Shape { spread: 0, ..Shape::lanes(same, w) },
            Packed::UnpackLow(w) if name.starts_with("VMOV") => Shape::without_mask(same, w, LOW),
            Packed::HighToLow => Shape::without_mask(same, 64, LOW),
            Packed::Lanes(_, w) | Packed::UnpackLow(w) | Packed::UnpackHigh(w) => Shape::lanes(same, w),
            Packed::Pack(w, _) => Shape { lane: w / 2, ..Shape::lanes(same, w) },
            Packed::ShuffleBytes => Shape::lanes(same, 8),
            Packed::SumOfDifferences => Shape::without_mask(same, 64, EVERY),
        })
    }

    fn of_hardware(hardware: Hardware, w: u32) -> Option<Shape> {
        let same = Sem::Hardware(hardware);
        Some(match hardware {
            Hardware::Low(_) | Hardware::RootLow | Hardware::ConvertLow(_) => {
                Shape { sizes: LOW, spread: 0, ..Shape::lanes(same, w) }
            }
            Hardware::MaskLow => {
                Shape { sizes: LOW, spread: 0, ..Shape::lanes(Sem::Ask(Question::Floats), w) }
            }
            Hardware::CarrylessProduct => Shape::without_mask(same, w, EVERY),
            Hardware::Named2(name, _) if name.starts_with("aes") => Shape::without_mask(same, w, EVERY),
            _ => return None,
        })
    }

    /// How an operation of AVX, by its name there, is encoded by AVX-512, if it is.
    fn of(name: &str, op: Opcode) -> Option<Shape> {
        let (same, w) = (op.sem, op.width);
        Some(match op.sem {
            Sem::Packed(packed) => return Shape::of_packed(packed, name),
            Sem::Hardware(hardware) => return Shape::of_hardware(hardware, w),
            Sem::Mov if name.starts_with("VLDDQU") => return None,
            Sem::Mov if w == 128 => Shape { spread: 0, ..Shape::lanes(same, 32) },
            Sem::Mov if name.starts_with("VMOVLP") => Shape::without_mask(same, w, SHORT),
            Sem::MovHalf(_) => Shape::without_mask(same, w, SHORT),
            Sem::MovLow => Shape { sizes: LOW, spread: 0, ..Shape::lanes(same, w) },
            Sem::FloatMask => Shape { sizes: LOW, spread: 0, ..Shape::lanes(Sem::Ask(Question::Floats), w) },
            Sem::FloatMasks => Shape::lanes(Sem::Ask(Question::Floats), w),
            Sem::LaneShift(_) if op.form == Form::RR => Shape { spread: 0, ..Shape::lanes(same, w) },
            Sem::LaneShift(_) | Sem::ShiftEach(_) | Sem::Permute(_) => Shape::lanes(same, w),
            Sem::ByteShift(_) => Shape::without_mask(same, w, EVERY),
            Sem::Arrange(Arrange::Each(Shuffle::Dwords)) => Shape::lanes(same, 32),
            Sem::Arrange(Arrange::Each(_)) => Shape::lanes(same, 16),
            Sem::Arrange(_) => Shape::lanes(same, 64),
            Sem::Alone(Alone::Abs(w)) => Shape::lanes(same, w),
            Sem::Alone(_) | Sem::Broadcast | Sem::Extend(..) => Shape { spread: 0, ..Shape::lanes(same, w) },
            Sem::Mix(Mix::Align) => Shape::lanes(same, 8),
            Sem::Mix(Mix::Both(w)) => Shape::lanes(same, w),
            Sem::Mix(Mix::InsertFloat) => Shape::without_mask(same, w, LOW),
            Sem::FloatPacked(_) | Sem::SqrtPacked | Sem::Fused(_, true) => Shape::lanes(same, w),
            Sem::ConvertPacked(convert) => Shape { spread: convert.from(), ..Shape::lanes(same, w) },
            Sem::Mov | Sem::MovFit(_) | Sem::Float(_) | Sem::Sqrt | Sem::FloatFlags | Sem::Fused(..) => {
                Shape::without_mask(same, w, LOW)
            }
            Sem::FromInt(_) | Sem::ToInt(_) | Sem::RoundToInt(_) | Sem::FloatConvert(_) => {
                Shape::without_mask(same, w, LOW)
            }
            Sem::InsertLane | Sem::ExtractLane => Shape::without_mask(same, w, LOW),
            _ => return None,
        })
    }

    /// How many lanes a mask tells of.
    fn count(&self, vector: u32) -> u32 {
        match self.sem {
            _ if self.lane == 0 => 0,
            Sem::MovLow | Sem::Hardware(Hardware::Low(_) | Hardware::RootLow | Hardware::ConvertLow(_)) => 1,
            Sem::Ask(_) if self.sizes == LOW => 1,
            Sem::Ask(_) => vector / self.width,
            Sem::ConvertPacked(convert) => vector / self.width.max(convert.from()),
            Sem::Truncate(from, _) => vector / from,
            Sem::ExtractHalf => self.width / self.lane,
            _ => vector / self.lane,
        }
    }

    /// The opcodes of a mnemonic, the letters of its operands, and what comes behind them.
    fn emit(&self, (stem, letters, tail): (&str, &str, &str), form: Form, out: &mut Vec<(String, Opcode)>) {
        let memory = matches!(form, Form::RM | Form::RMI);
        for &(mark, vector) in self.sizes {
            let whole = matches!(self.sem, Sem::Mov) && self.lane > 0;
            let width = if whole { vector } else { self.width };
            let ask = matches!(self.sem, Sem::Ask(_));
            let lane = if ask { 1 } else { self.lane };
            let maskings: &[(&str, Masking)] = match (self.lane, self.sem, form) {
                (0, ..) => &[("", Masking::None)],
                (_, Sem::Ask(_), _) => &[("", Masking::None), ("k", Masking::Zero)],
                (_, Sem::Alone(Alone::Same), _) => &[("k", Masking::Choose)],
                (_, _, Form::MR) => &[("", Masking::None), ("k", Masking::Merge)],
                _ => &[("", Masking::None), ("k", Masking::Merge), ("kz", Masking::Zero)],
            };
            let mut all = vec![(letters.to_owned(), 0)];
            if memory && self.spread > 0 {
                all.extend(spread_letters(letters).map(|letters| (letters, self.spread)));
            }
            for (letters, spread) in &all {
                for (mask, masking) in maskings {
                    let evex = Evex { masking: *masking, lane, count: self.count(vector), spread: *spread };
                    let op = Opcode { width, form, sem: self.sem, vector, vex: true, evex: Some(evex) };
                    out.push((format!("{stem}{mark}{letters}{tail}{mask}"), op));
                }
            }
        }
    }
}

/// The letters of operands of which one is a number for all lanes: before an immediate, or in comparisons behind it.
fn spread_letters(letters: &str) -> impl Iterator<Item = String> + use<> {
    let before = letters.strip_suffix('i');
    let first = before.map_or(format!("{letters}b"), |before| format!("{before}bi"));
    std::iter::once(first).chain(before.map(|_| format!("{letters}b")))
}

/// A name's mnemonic, the letters of its operands, and what comes behind those.
fn split(name: &str) -> (&str, &str, &str) {
    let (head, tail) = name.find('_').map_or((name, ""), |at| name.split_at(at));
    let stem = head.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (stem, &head[stem.len()..], tail)
}

/// The mnemonics that one of AVX has become, and the lanes of each as a mask counts them.
fn mnemonics(stem: &str, shape: &Shape) -> Vec<(String, u32)> {
    let with =
        |list: &[(&str, u32)]| list.iter().map(|(end, lane)| (format!("{stem}{end}"), *lane)).collect();
    match (shape.sem, stem) {
        (_, "VMOVDQA") => with(&[("32", 32), ("64", 64)]),
        (_, "VMOVDQU") => with(&[("8", 8), ("16", 16), ("32", 32), ("64", 64)]),
        (Sem::Mov, _) if stem.ends_with("PD") && shape.lane > 0 => with(&[("", 64)]),
        (_, "VPAND" | "VPANDN" | "VPOR" | "VPXOR") => with(&[("D", 32), ("Q", 64)]),
        (Sem::Float(_) | Sem::FloatPacked(_), _) if stem.starts_with("VMAX") || stem.starts_with("VMIN") => {
            // A second name says that the operands may be exchanged.
            vec![(stem.to_owned(), shape.lane), (format!("{}C{}", &stem[..4], &stem[4..]), shape.lane)]
        }
        _ => with(&[("", shape.lane)]),
    }
}

/// The opcodes that one of AVX has become, which may be none.
pub(super) fn derive(name: &str, op: Opcode, out: &mut Vec<(String, Opcode)>) {
    let Some(shape) = Shape::of(name, op) else { return };
    let (stem, letters, tail) = split(name);
    if stem == "VMOVDDUP" && op.form == Form::RM {
        // From memory, 128 bits need a number alone, wider vectors all of theirs.
        Shape { sizes: SHORT, ..shape }.emit((stem, letters, tail), op.form, out);
        let sem = Sem::Alone(Alone::LowQwords);
        return Shape { sizes: LONG, sem, ..shape }.emit((stem, letters, tail), op.form, out);
    }
    for (stem, lane) in mnemonics(stem, &shape) {
        let bits = if shape.spread > 0 && shape.lane == shape.spread { lane } else { shape.spread };
        let shape = Shape { lane, spread: bits, ..shape };
        shape.emit((&stem, letters, tail), op.form, out);
        // AVX reads what is shifted, and counts, from registers alone.
        match (op.sem, op.form) {
            (Sem::LaneShift(_) | Sem::ByteShift(_), Form::RI) => {
                shape.emit((&stem, "mi", ""), Form::RMI, out)
            }
            (Sem::LaneShift(_), Form::RR) => shape.emit((&stem, "rm", ""), Form::RM, out),
            _ => {}
        }
    }
}

/// The letters of operands, and their forms.
type Letters = &'static [(&'static str, Form)];

const PLAIN: Letters = &[("rr", Form::RR), ("rm", Form::RM)];
const CODED: Letters = &[("rri", Form::RR), ("rmi", Form::RM)];
const BY_CODE: Letters = &[("ri", Form::RI), ("mi", Form::RMI)];
const MEMORY: Letters = &[("rm", Form::RM)];
const STORED: Letters = &[("rr", Form::RR), ("mr", Form::MR)];
/// Names of LLVM 19 and of later versions.
const INSERTED: Letters = &[("rr", Form::RR), ("rm", Form::RM), ("rri", Form::RR), ("rmi", Form::RM)];
const EXTRACTED: Letters = &[("rr", Form::RI), ("mr", Form::MR), ("rri", Form::RI), ("mri", Form::MR)];
const ROUNDED: Letters = &[("r", Form::RR), ("m", Form::RM), ("rri", Form::RR), ("rmi", Form::RM)];
const OF_MASK: Letters = &[("rr", Form::RR), ("rk", Form::RR)];
const TO_MASK: Letters = &[("rr", Form::RR), ("kr", Form::RR)];
const DOT: Letters = &[("r", Form::RR), ("m", Form::RM), ("rr", Form::RR), ("rm", Form::RM)];

const SIGNED: bool = true;
const LEFT: bool = true;
const MAX: bool = true;
/// The numbers are between the vectors, or before them.
const TABLES: Sem = Sem::Hardware(Hardware::ChosenOfTwo(false));
const NUMBERS: Sem = Sem::Hardware(Hardware::ChosenOfTwo(true));

const fn dot(from: u32, saturating: bool) -> Sem {
    Sem::Hardware(Hardware::DotProduct(from, saturating))
}

const fn min_max(signed: bool, max: bool) -> Sem {
    Sem::Packed(Packed::Lanes(Lane::MinMax(signed, max), 64))
}

/// What AVX has not: mnemonics, operands, width, meaning, lanes as a mask counts them. Where the mask is as wide as numbers
/// are that stand for all lanes, the lines of one lane width differ by no more than that.
const OWN: &[(&[&str], Letters, u32, Sem, u32)] = &[
    (&["VPMINSQ"], PLAIN, 64, min_max(SIGNED, !MAX), 64),
    (&["VPMAXSQ"], PLAIN, 64, min_max(SIGNED, MAX), 64),
    (&["VPMINUQ"], PLAIN, 64, min_max(!SIGNED, !MAX), 64),
    (&["VPMAXUQ"], PLAIN, 64, min_max(!SIGNED, MAX), 64),
    (&["VPMULLQ"], PLAIN, 64, Sem::Packed(Packed::Lanes(Lane::MulLow, 64)), 64),
    (&["VPABSQ"], PLAIN, 64, Sem::Alone(Alone::Abs(64)), 64),
    (&["VPOPCNTB"], PLAIN, 8, Sem::Alone(Alone::SetBits(8)), 8),
    (&["VPOPCNTW"], PLAIN, 16, Sem::Alone(Alone::SetBits(16)), 16),
    (&["VPOPCNTD"], PLAIN, 32, Sem::Alone(Alone::SetBits(32)), 32),
    (&["VPOPCNTQ"], PLAIN, 64, Sem::Alone(Alone::SetBits(64)), 64),
    (&["VPLZCNTD"], PLAIN, 32, Sem::Alone(Alone::LeadingZeros(32)), 32),
    (&["VPLZCNTQ"], PLAIN, 64, Sem::Alone(Alone::LeadingZeros(64)), 64),
    (&["VPSRAQ"], BY_CODE, 64, Sem::LaneShift(LaneShift::Arith), 64),
    (&["VPSLLVW"], PLAIN, 16, Sem::ShiftEach(LaneShift::Left), 16),
    (&["VPSRLVW"], PLAIN, 16, Sem::ShiftEach(LaneShift::Right), 16),
    (&["VPSRAVW"], PLAIN, 16, Sem::ShiftEach(LaneShift::Arith), 16),
    (&["VPSRAVQ"], PLAIN, 64, Sem::ShiftEach(LaneShift::Arith), 64),
    (&["VPROLD"], BY_CODE, 32, Sem::Rotate(LEFT), 32),
    (&["VPROLQ"], BY_CODE, 64, Sem::Rotate(LEFT), 64),
    (&["VPRORD"], BY_CODE, 32, Sem::Rotate(!LEFT), 32),
    (&["VPRORQ"], BY_CODE, 64, Sem::Rotate(!LEFT), 64),
    (&["VPROLVD"], PLAIN, 32, Sem::RotateEach(LEFT), 32),
    (&["VPROLVQ"], PLAIN, 64, Sem::RotateEach(LEFT), 64),
    (&["VPRORVD"], PLAIN, 32, Sem::RotateEach(!LEFT), 32),
    (&["VPRORVQ"], PLAIN, 64, Sem::RotateEach(!LEFT), 64),
    (&["VPTERNLOGD"], CODED, 32, Sem::Hardware(Hardware::Ternary), 32),
    (&["VPTERNLOGQ"], CODED, 64, Sem::Hardware(Hardware::Ternary), 64),
    (&["VPERMB"], PLAIN, 8, Sem::Permute(true), 8),
    (&["VPERMW"], PLAIN, 16, Sem::Permute(true), 16),
    (&["VPERMT2B"], PLAIN, 8, TABLES, 8),
    (&["VPERMT2W"], PLAIN, 16, TABLES, 16),
    (&["VPERMT2D", "VPERMT2PS"], PLAIN, 32, TABLES, 32),
    (&["VPERMT2Q", "VPERMT2PD"], PLAIN, 64, TABLES, 64),
    (&["VPERMI2B"], PLAIN, 8, NUMBERS, 8),
    (&["VPERMI2W"], PLAIN, 16, NUMBERS, 16),
    (&["VPERMI2D", "VPERMI2PS"], PLAIN, 32, NUMBERS, 32),
    (&["VPERMI2Q", "VPERMI2PD"], PLAIN, 64, NUMBERS, 64),
    (&["VALIGND"], CODED, 32, Sem::Mix(Mix::AlignLanes(32)), 32),
    (&["VALIGNQ"], CODED, 64, Sem::Mix(Mix::AlignLanes(64)), 64),
    (&["VPCMPB"], CODED, 8, Sem::Ask(Question::Integers(SIGNED)), 8),
    (&["VPCMPW"], CODED, 16, Sem::Ask(Question::Integers(SIGNED)), 16),
    (&["VPCMPD"], CODED, 32, Sem::Ask(Question::Integers(SIGNED)), 32),
    (&["VPCMPQ"], CODED, 64, Sem::Ask(Question::Integers(SIGNED)), 64),
    (&["VPCMPUB"], CODED, 8, Sem::Ask(Question::Integers(!SIGNED)), 8),
    (&["VPCMPUW"], CODED, 16, Sem::Ask(Question::Integers(!SIGNED)), 16),
    (&["VPCMPUD"], CODED, 32, Sem::Ask(Question::Integers(!SIGNED)), 32),
    (&["VPCMPUQ"], CODED, 64, Sem::Ask(Question::Integers(!SIGNED)), 64),
    (&["VPTESTMB"], PLAIN, 8, Sem::Ask(Question::Common), 8),
    (&["VPTESTMW"], PLAIN, 16, Sem::Ask(Question::Common), 16),
    (&["VPTESTMD"], PLAIN, 32, Sem::Ask(Question::Common), 32),
    (&["VPTESTMQ"], PLAIN, 64, Sem::Ask(Question::Common), 64),
    (&["VPTESTNMB"], PLAIN, 8, Sem::Ask(Question::NoneCommon), 8),
    (&["VPTESTNMW"], PLAIN, 16, Sem::Ask(Question::NoneCommon), 16),
    (&["VPTESTNMD"], PLAIN, 32, Sem::Ask(Question::NoneCommon), 32),
    (&["VPTESTNMQ"], PLAIN, 64, Sem::Ask(Question::NoneCommon), 64),
    (&["VPBLENDMB"], PLAIN, 8, Sem::Alone(Alone::Same), 8),
    (&["VPBLENDMW"], PLAIN, 16, Sem::Alone(Alone::Same), 16),
    (&["VPBLENDMD", "VBLENDMPS"], PLAIN, 32, Sem::Alone(Alone::Same), 32),
    (&["VPBLENDMQ", "VBLENDMPD"], PLAIN, 64, Sem::Alone(Alone::Same), 64),
    (&["VPMOVM2B"], OF_MASK, 8, Sem::SpreadMask, 0),
    (&["VPMOVM2W"], OF_MASK, 16, Sem::SpreadMask, 0),
    (&["VPMOVM2D"], OF_MASK, 32, Sem::SpreadMask, 0),
    (&["VPMOVM2Q"], OF_MASK, 64, Sem::SpreadMask, 0),
    (&["VPMOVB2M"], TO_MASK, 8, Sem::SignMask, 0),
    (&["VPMOVW2M"], TO_MASK, 16, Sem::SignMask, 0),
    (&["VPMOVD2M"], TO_MASK, 32, Sem::SignMask, 0),
    (&["VPMOVQ2M"], TO_MASK, 64, Sem::SignMask, 0),
    (&["VCVTQQ2PD"], PLAIN, 64, Sem::ConvertPacked(Convert::FromInt(64)), 64),
    (&["VCVTQQ2PS"], PLAIN, 32, Sem::ConvertPacked(Convert::FromInt(64)), 32),
    (&["VCVTUDQ2PS"], PLAIN, 32, Sem::ConvertPacked(Convert::FromUnsigned(32)), 32),
    (&["VCVTUDQ2PD"], PLAIN, 64, Sem::ConvertPacked(Convert::FromUnsigned(32)), 64),
    (&["VCVTUQQ2PD"], PLAIN, 64, Sem::ConvertPacked(Convert::FromUnsigned(64)), 64),
    (&["VCVTUQQ2PS"], PLAIN, 32, Sem::ConvertPacked(Convert::FromUnsigned(64)), 32),
    (&["VCVTTPS2QQ"], PLAIN, 64, Sem::ConvertPacked(Convert::ToInt(32)), 64),
    (&["VCVTTPD2QQ"], PLAIN, 64, Sem::ConvertPacked(Convert::ToInt(64)), 64),
    (&["VCVTTPS2UDQ"], PLAIN, 32, Sem::ConvertPacked(Convert::ToUnsigned(32)), 32),
    (&["VCVTTPD2UDQ"], PLAIN, 32, Sem::ConvertPacked(Convert::ToUnsigned(64)), 32),
    (&["VCVTTPS2UQQ"], PLAIN, 64, Sem::ConvertPacked(Convert::ToUnsigned(32)), 64),
    (&["VCVTTPD2UQQ"], PLAIN, 64, Sem::ConvertPacked(Convert::ToUnsigned(64)), 64),
    (&["VPDPBUSD"], DOT, 32, dot(8, false), 32),
    (&["VPDPBUSDS"], DOT, 32, dot(8, true), 32),
    (&["VPDPWSSD"], DOT, 32, dot(16, false), 32),
    (&["VPDPWSSDS"], DOT, 32, dot(16, true), 32),
    (&["VRNDSCALEPS"], CODED, 32, Sem::Hardware(Hardware::Round), 32),
    (&["VRNDSCALEPD"], CODED, 64, Sem::Hardware(Hardware::Round), 64),
];

/// The same where no number in memory stands for all lanes, or where not every width is there.
const ODD: &[(&[&str], Letters, Shape)] = &[
    (&["VPSRAQ"], PLAIN, odd(EVERY, Sem::LaneShift(LaneShift::Arith), 64, 64)),
    (&["VPERMQ", "VPERMPD"], BY_CODE, wide(Sem::Arrange(Arrange::AllQwords), 64)),
    (&["VPERMD", "VPERMPS"], PLAIN, wide(Sem::Permute(true), 32)),
    (&["VPERMQ", "VPERMPD"], PLAIN, wide(Sem::Permute(true), 64)),
    (&["VSHUFF32X4", "VSHUFI32X4"], CODED, wide(Sem::Mix(Mix::Quarters), 32)),
    (&["VSHUFF64X2", "VSHUFI64X2"], CODED, wide(Sem::Mix(Mix::Quarters), 64)),
    (&["VINSERTF32", "VINSERTI32"], INSERTED, odd(LONG, Sem::Mix(Mix::Insert(128)), 128, 32)),
    (&["VINSERTF64", "VINSERTI64"], INSERTED, odd(LONG, Sem::Mix(Mix::Insert(128)), 128, 64)),
    (&["VINSERTF32", "VINSERTI32"], INSERTED, odd(WHOLE, Sem::Mix(Mix::Insert(256)), 256, 32)),
    (&["VINSERTF64", "VINSERTI64"], INSERTED, odd(WHOLE, Sem::Mix(Mix::Insert(256)), 256, 64)),
    (&["VEXTRACTF32", "VEXTRACTI32"], EXTRACTED, odd(LONG, Sem::ExtractHalf, 128, 32)),
    (&["VEXTRACTF64", "VEXTRACTI64"], EXTRACTED, odd(LONG, Sem::ExtractHalf, 128, 64)),
    (&["VEXTRACTF32", "VEXTRACTI32"], EXTRACTED, odd(WHOLE, Sem::ExtractHalf, 256, 32)),
    (&["VEXTRACTF64", "VEXTRACTI64"], EXTRACTED, odd(WHOLE, Sem::ExtractHalf, 256, 64)),
    (&["VBROADCASTF32", "VBROADCASTI32"], MEMORY, odd(LONG, Sem::Broadcast, 128, 32)),
    (&["VBROADCASTF64", "VBROADCASTI64"], MEMORY, odd(LONG, Sem::Broadcast, 128, 64)),
    (&["VBROADCASTF32", "VBROADCASTI32"], MEMORY, odd(WHOLE, Sem::Broadcast, 256, 32)),
    (&["VBROADCASTF64", "VBROADCASTI64"], MEMORY, odd(WHOLE, Sem::Broadcast, 256, 64)),
    (&["VBROADCASTF32X2"], PLAIN, odd(LONG, Sem::Broadcast, 64, 32)),
    (&["VBROADCASTI32X2"], PLAIN, odd(EVERY, Sem::Broadcast, 64, 32)),
    (&["VBROADCASTSD"], PLAIN, odd(LONG, Sem::Broadcast, 64, 64)),
    (&["VPBROADCASTBr"], PLAIN, odd(EVERY, Sem::Broadcast, 8, 8)),
    (&["VPBROADCASTWr"], PLAIN, odd(EVERY, Sem::Broadcast, 16, 16)),
    (&["VPBROADCASTDr"], PLAIN, odd(EVERY, Sem::Broadcast, 32, 32)),
    (&["VPBROADCASTQr"], PLAIN, odd(EVERY, Sem::Broadcast, 64, 64)),
    (&["VRNDSCALESS"], ROUNDED, odd(LOW, Sem::Round, 32, 0)),
    (&["VRNDSCALESD"], ROUNDED, odd(LOW, Sem::Round, 64, 0)),
    (&["VCVTUSI2SS"], PLAIN, odd(LOW, Sem::FromUnsigned(32), 32, 0)),
    (&["VCVTUSI2SD"], PLAIN, odd(LOW, Sem::FromUnsigned(32), 64, 0)),
    (&["VCVTUSI642SS"], PLAIN, odd(LOW, Sem::FromUnsigned(64), 32, 0)),
    (&["VCVTUSI642SD"], PLAIN, odd(LOW, Sem::FromUnsigned(64), 64, 0)),
    (&["VCVTTSS2USI"], PLAIN, odd(LOW, Sem::ToUnsigned(32), 32, 0)),
    (&["VCVTTSD2USI"], PLAIN, odd(LOW, Sem::ToUnsigned(32), 64, 0)),
    (&["VCVTTSS2USI64"], PLAIN, odd(LOW, Sem::ToUnsigned(64), 32, 0)),
    (&["VCVTTSD2USI64"], PLAIN, odd(LOW, Sem::ToUnsigned(64), 64, 0)),
];

const fn odd(sizes: Sizes, sem: Sem, width: u32, lane: u32) -> Shape {
    Shape { sizes, sem, width, lane, spread: 0 }
}

const fn wide(sem: Sem, lane: u32) -> Shape {
    Shape { sizes: LONG, sem, width: lane, lane, spread: lane }
}

/// How the parts of a vector are written behind the lanes of a mask, in LLVM 19 and later.
fn parts(stem: &str, shape: &Shape) -> Vec<String> {
    let cut = ["VINSERT", "VEXTRACT", "VBROADCAST"].iter().any(|s| stem.starts_with(s));
    if !cut || !(stem.ends_with("32") || stem.ends_with("64")) {
        return vec![stem.to_owned()];
    }
    let count = shape.width / shape.lane;
    vec![format!("{stem}x{count}"), format!("{stem}X{count}")]
}

/// How LLVM writes narrowing moves: behind `VPMOV`, how numbers that do not fit are treated, and the letters of both widths.
const NARROWER: [(&str, u32, u32); 6] =
    [("WB", 16, 8), ("DB", 32, 8), ("DW", 32, 16), ("QB", 64, 8), ("QW", 64, 16), ("QD", 64, 32)];

/// Operations on masks, by the mnemonic without the letter of the width.
const MASKS: &[(&str, &str, MaskOp)] = &[
    ("KAND", "rr", MaskOp::Bits(BitOp::And)),
    ("KOR", "rr", MaskOp::Bits(BitOp::Or)),
    ("KXOR", "rr", MaskOp::Bits(BitOp::Xor)),
    ("KANDN", "rr", MaskOp::Andn),
    ("KXNOR", "rr", MaskOp::Xnor),
    ("KNOT", "rr", MaskOp::Not),
    ("KADD", "rr", MaskOp::Add),
    ("KSHIFTL", "ri", MaskOp::Shift(LEFT)),
    ("KSHIFTR", "ri", MaskOp::Shift(!LEFT)),
    ("KMOV", "kk", MaskOp::Copy),
    ("KMOV", "kr", MaskOp::Copy),
    ("KMOV", "rk", MaskOp::Copy),
    ("KMOV", "km", MaskOp::Copy),
    ("KMOV", "mk", MaskOp::Copy),
    ("KSET0", "", MaskOp::All(false)),
    ("KSET1", "", MaskOp::All(true)),
];

/// Registers of all zeros or ones.
const CONSTANTS: &[(&str, u32, i8)] = &[
    ("AVX512_FsFLD0SS", 32, 0),
    ("AVX512_FsFLD0SD", 64, 0),
    ("AVX512_128_SET0", 128, 0),
    ("AVX512_256_SET0", 256, 0),
    ("AVX512_512_SET0", 512, 0),
    ("AVX512_512_SETALLONES", 512, -1),
];

/// The opcodes that are AVX-512's alone.
pub(super) fn own(out: &mut Vec<(String, Opcode)>) {
    for (stems, letters, width, sem, lane) in OWN {
        let own = Shape { lane: *lane, ..Shape::lanes(*sem, *width) };
        let own = match sem {
            Sem::ConvertPacked(convert) => Shape { spread: convert.from(), ..own },
            _ => own,
        };
        for stem in *stems {
            letters.iter().for_each(|(letters, form)| own.emit((stem, letters, ""), *form, out));
        }
    }
    for (stems, letters, shape) in ODD {
        for stem in stems.iter().flat_map(|stem| parts(stem, shape)) {
            letters.iter().for_each(|(letters, form)| shape.emit((&stem, letters, ""), *form, out));
        }
    }
    let ways = [("", Narrow::Cut), ("S", Narrow::Signed), ("US", Narrow::Unsigned)];
    for (way, narrow) in ways {
        for (name, from, to) in NARROWER {
            let shape = odd(EVERY, Sem::Truncate(from, narrow), to, to);
            let stem = format!("VPMOV{way}{name}");
            STORED.iter().for_each(|(letters, form)| shape.emit((&stem, letters, ""), *form, out));
        }
    }
    let plain = |width: u32, form: Form, sem: Sem| {
        let vector = width.max(128);
        Opcode { width, form, sem, vector, vex: true, evex: None }
    };
    for (letter, width) in [("B", 8), ("W", 16), ("D", 32), ("Q", 64)] {
        for (stem, letters, op) in MASKS {
            let form = match *letters {
                "km" => Form::RM,
                "mk" => Form::MR,
                "ri" => Form::RI,
                _ => Form::RR,
            };
            out.push((format!("{stem}{letter}{letters}"), plain(width, form, Sem::Mask(*op))));
            // Later versions say that the registers are masks.
            if !stem.starts_with("KMOV") {
                let letters = letters.replace('r', "k");
                out.push((format!("{stem}{letter}{letters}"), plain(width, form, Sem::Mask(*op))));
            }
        }
        for letters in ["rr", "kk"] {
            for (stem, both) in [("KORTEST", false), ("KTEST", true)] {
                let op = plain(width, Form::RR, Sem::MaskFlags(both));
                out.push((format!("{stem}{letter}{letters}"), op));
            }
        }
    }
    for (widths, width) in [("BW", 16), ("WD", 32), ("DQ", 64)] {
        for letters in ["rr", "kk"] {
            let op = plain(width, Form::RR, Sem::Mask(MaskOp::Unpack));
            out.push((format!("KUNPCK{widths}{letters}"), op));
        }
    }
    for (name, width, n) in CONSTANTS {
        out.push(((*name).to_owned(), plain(*width, Form::Own, Sem::Constant(*n))));
    }
}
