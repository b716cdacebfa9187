//! The intrinsics of LLVM that clang and the optimiser emit for C, by name.
//!
//! To add one: a line in [`INTRINSICS`], a variant of [`Intrinsic`] if it is a new operation, and its meaning where the
//! compiler's exhaustive matches lead (`llvm_ir/semantics/intrinsics.rs`).

use crate::domain::BitOp;
use crate::floats::FloatPred;
use crate::operation::Arithmetic;
use crate::x86::alu::Alu;
use crate::x86::bits::{BitTest, Bmi};
use crate::x86::float::{Convert, Float};
use crate::x86::hardware::Hardware;
use crate::x86::packed::{Lane, Packed};
use crate::x86::rearrange::Mix;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// What a block of memory is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// `memcpy`: of another block, which it does not overlap.
    Copy,
    /// `memmove`: of another block.
    Move,
    /// `memset`: of one byte.
    Fill,
}

impl Block {
    /// The C library's name.
    pub fn name(self) -> &'static str {
        match self {
            Block::Copy => "memcpy",
            Block::Move => "memmove",
            Block::Fill => "memset",
        }
    }
}

/// Which of two floating-point numbers is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The greater one.
    pub max: bool,
    /// NaN where either is NaN, and of zeros the one that compares so by its sign; otherwise what is no NaN, and any zero.
    pub keeps_nan: bool,
}

impl Extreme {
    /// LLVM's name.
    pub fn name(self) -> &'static str {
        match (self.max, self.keeps_nan) {
            (true, true) => "maximum",
            (false, true) => "minimum",
            (true, false) => "maxnum",
            (false, false) => "minnum",
        }
    }
}

/// What `ptest` is asked of two vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorTest {
    /// Whether they have no bit in common.
    Zero,
    /// Whether the first has all bits of the second.
    Covered,
    /// Whether neither is so.
    Neither,
}

/// What a `lock`ed instruction does to memory in one step, of which a flag is all that is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Locked {
    /// Arithmetic; the third argument is the condition code.
    Flags(Alu),
    /// A bit is changed that is counted from the place, by the second argument; it is shown where it was.
    Bit(BitTest),
    /// The same with a number that is not known, which may reach beyond the place; zero or one is shown.
    FarBit(BitTest),
}

/// What an intrinsic does. `bool`s called signed tell signed from unsigned operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// Tells tools or the optimiser something.
    Nothing,
    /// Where a stack object's contents begin or end to matter.
    Lifetime,
    /// `va_start`.
    VaStart,
    /// `va_copy`.
    VaCopy,
    /// Copies or fills memory.
    Block(Block),
    /// Ends the program.
    Trap,
    /// Is undefined if its argument is false.
    Assume,
    /// Its first argument.
    Expect,
    /// Whether the optimiser knows its argument.
    IsConstant,
    /// How many bytes its object has behind an address, if that is known: the least, null has none, what runs may find out.
    ObjectSize,
    /// Whether a number is of some classes.
    FpClass,
    /// Sum, difference or product with whether it overflows: signed.
    Overflowing(BitOp, bool),
    /// Sum or difference with a carry, which is the first argument and comes first: x86's.
    Carrying(BitOp),
    /// Sum or difference, at the limit where it overflows: signed.
    Saturating(BitOp, bool),
    /// Minimum or maximum: signed, maximum.
    MinMax(bool, bool),
    /// Magnitude; the second argument says that the least number's is poison.
    Abs,
    /// Zeros above the highest or below the lowest set bit; the second argument says that those of zero are poison.
    Zeros {
        /// Those above.
        leading: bool,
    },
    /// The first lane that is set, or how many lanes there are; the second argument says that the latter
    /// gives poison.
    FirstLane,
    /// Number of set bits.
    Popcount,
    /// Bytes in reverse order.
    ByteSwap,
    /// Bits in reverse order.
    BitReverse,
    /// Half of two numbers shifted as one, modulo the width.
    Funnel {
        /// To the left, the upper half.
        left: bool,
    },
    /// Less, equal or more, as -1, 0 or 1: signed.
    ThreeWay(bool),
    /// All lanes of a vector by an operation.
    Reduce(BitOp),
    /// The least or greatest of a vector's lanes: signed, maximum.
    ReduceMinMax(bool, bool),
    /// The greater or lesser of floating-point numbers.
    FloatExtreme(Extreme),
    /// That of a vector's lanes.
    ReduceFloatExtreme(Extreme),
    /// Arithmetic in a rounding mode.
    Constrained(Arithmetic),
    /// Magnitude of a floating-point number.
    FloatAbs,
    /// Product and sum, rounded once or twice.
    MultiplyAdd,
    /// Square root.
    SquareRoot,
    /// The first with the sign of the second.
    CopySign,
    /// A function of the mathematical library, known by name alone.
    Library(&'static str),
    /// The frame's address.
    FrameAddress,
    /// A pointer at the distance that lies in a table.
    LoadRelative,
    /// A vector read from where it need not be aligned.
    LoadVector,
    /// Bitwise and of a pointer and a mask.
    PointerMask,
    /// The sign bits of a vector's lanes as a mask.
    MoveMask,
    /// A vector instruction of the processor, on each 128 bits.
    Packed(Packed),
    /// One on floating-point lanes.
    PackedFloat(Float),
    /// An instruction of the processor on whole vectors or numbers, and maybe an immediate.
    Hardware(Hardware),
    /// Whether a comparison of the lowest lanes holds, as a number.
    CompareLow(FloatPred),
    /// The lowest lane as an integer, without what it has behind the point.
    TruncateLow,
    /// The address by which a thread's own variables are found.
    ThreadPointer,
    /// The address that the function, or one further out that led to its call, returns to.
    ReturnAddress,
    /// The integer next to a number, or to the first lane of some, by the mode of the environment.
    NearestInteger,
    /// Where the stack ends.
    StackSave,
    /// Moves the end of the stack there.
    StackRestore,
    /// Loads the lanes that a mask chooses: by the signs of numbers.
    MaskedLoad(bool),
    /// Stores them.
    MaskedStore(bool),
    /// Keeps the guard of a stack protector in its slot.
    KeepGuard,
    /// Lanes shifted, by the low 64 bits of the second argument or lane by lane; too far leaves zeros or signs.
    PackedShift(BitOp, bool),
    /// The mean of unsigned lanes, rounded up.
    PackedMean,
    /// Sums or differences of neighbouring lanes, of the first argument and then of the second in each 128 bits.
    PackedNeighbours {
        /// Which of the two.
        op: BitOp,
        /// Whether results that do not fit become the nearest that does.
        saturating: bool,
    },
    /// Bytes of the first argument, chosen by those of the second in each 128 bits; zero where that is negative.
    PackedChoice,
    /// Sums of two products of unsigned by signed bytes, saturating.
    PackedMultiplyAdd,
    /// Lanes with the sign of others; zero where those are.
    PackedSign,
    /// Shifted, and the nearest number where that is too large: signed.
    SaturatingShift(bool),
    /// Bits moved by a mask, as BMI does it.
    Bits(Bmi),
    /// Lanes of the second where the third's have their sign set, the others of the first.
    PackedBlend,
    /// Whether a conjunction of vectors is zero; whether that with the first's complement is; whether neither is.
    VectorTest(VectorTest),
    /// `vtestps` and `vtestpd`, which ask of the lanes' top bits alone.
    SignTest(VectorTest),
    /// Known, and not modelled, under this name.
    Refused(&'static str),
    /// An update of memory by the processor in one step.
    Locked(Locked),
    /// Nothing, but between IR programs a side effect that must stay.
    SideEffect,
    /// Not in the table.
    Unknown,
}

impl Intrinsic {
    /// Whether it may write to memory.
    pub fn writes(self) -> bool {
        use Intrinsic::*;
        matches!(
            self,
            Block(_) | MaskedStore(_) | Locked(_) | VaStart | VaCopy | KeepGuard | Refused(_) | Unknown
        )
    }
}

const SIGNED: bool = true;
const MAX: bool = true;
const EACH: bool = true;
const BY_SIGNS: bool = true;
const KEEPS_NAN: bool = true;
const CODE: bool = true;
const ALL: bool = true;

const fn extreme(max: bool, keeps_nan: bool) -> Extreme {
    Extreme { max, keeps_nan }
}

/// Every intrinsic: its name behind `llvm.` up to the types of an overloaded one, the least number of arguments, what
/// it does.
pub const INTRINSICS: &[(&str, usize, Intrinsic)] = &[
    ("dbg", 0, Intrinsic::Nothing),
    ("experimental.noalias", 0, Intrinsic::Nothing),
    ("donothing", 0, Intrinsic::Nothing),
    ("prefetch", 0, Intrinsic::Nothing),
    ("sideeffect", 0, Intrinsic::SideEffect),
    ("x86.sse2.pause", 0, Intrinsic::SideEffect),
    ("x86.avx.vzeroupper", 0, Intrinsic::SideEffect),
    ("pseudoprobe", 0, Intrinsic::Nothing),
    ("va_end", 0, Intrinsic::Nothing),
    ("lifetime", 0, Intrinsic::Lifetime),
    ("va_start", 1, Intrinsic::VaStart),
    ("va_copy", 2, Intrinsic::VaCopy),
    ("memcpy", 4, Intrinsic::Block(Block::Copy)),
    ("memcpy.inline", 4, Intrinsic::Block(Block::Copy)),
    ("memmove", 4, Intrinsic::Block(Block::Move)),
    ("memset", 4, Intrinsic::Block(Block::Fill)),
    ("memset.inline", 4, Intrinsic::Block(Block::Fill)),
    ("trap", 0, Intrinsic::Trap),
    ("ubsantrap", 0, Intrinsic::Trap),
    ("assume", 1, Intrinsic::Assume),
    ("expect", 1, Intrinsic::Expect),
    ("threadlocal.address", 1, Intrinsic::Expect),
    ("is.constant", 1, Intrinsic::IsConstant),
    ("is.fpclass", 2, Intrinsic::FpClass),
    ("sadd.with.overflow", 2, Intrinsic::Overflowing(BitOp::Add, SIGNED)),
    ("uadd.with.overflow", 2, Intrinsic::Overflowing(BitOp::Add, !SIGNED)),
    ("ssub.with.overflow", 2, Intrinsic::Overflowing(BitOp::Sub, SIGNED)),
    ("usub.with.overflow", 2, Intrinsic::Overflowing(BitOp::Sub, !SIGNED)),
    ("smul.with.overflow", 2, Intrinsic::Overflowing(BitOp::Mul, SIGNED)),
    ("umul.with.overflow", 2, Intrinsic::Overflowing(BitOp::Mul, !SIGNED)),
    ("sadd.sat", 2, Intrinsic::Saturating(BitOp::Add, SIGNED)),
    ("uadd.sat", 2, Intrinsic::Saturating(BitOp::Add, !SIGNED)),
    ("ssub.sat", 2, Intrinsic::Saturating(BitOp::Sub, SIGNED)),
    ("usub.sat", 2, Intrinsic::Saturating(BitOp::Sub, !SIGNED)),
    ("smin", 2, Intrinsic::MinMax(SIGNED, !MAX)),
    ("smax", 2, Intrinsic::MinMax(SIGNED, MAX)),
    ("umin", 2, Intrinsic::MinMax(!SIGNED, !MAX)),
    ("umax", 2, Intrinsic::MinMax(!SIGNED, MAX)),
    ("abs", 2, Intrinsic::Abs),
    ("ctlz", 2, Intrinsic::Zeros { leading: true }),
    ("cttz", 2, Intrinsic::Zeros { leading: false }),
    ("experimental.cttz.elts", 2, Intrinsic::FirstLane),
    ("ctpop", 1, Intrinsic::Popcount),
    ("bswap", 1, Intrinsic::ByteSwap),
    ("bitreverse", 1, Intrinsic::BitReverse),
    ("fshl", 3, Intrinsic::Funnel { left: true }),
    ("fshr", 3, Intrinsic::Funnel { left: false }),
    ("scmp", 2, Intrinsic::ThreeWay(SIGNED)),
    ("ucmp", 2, Intrinsic::ThreeWay(!SIGNED)),
    ("vector.reduce.add", 1, Intrinsic::Reduce(BitOp::Add)),
    ("vector.reduce.mul", 1, Intrinsic::Reduce(BitOp::Mul)),
    ("vector.reduce.and", 1, Intrinsic::Reduce(BitOp::And)),
    ("vector.reduce.or", 1, Intrinsic::Reduce(BitOp::Or)),
    ("vector.reduce.xor", 1, Intrinsic::Reduce(BitOp::Xor)),
    ("vector.reduce.smin", 1, Intrinsic::ReduceMinMax(SIGNED, !MAX)),
    ("vector.reduce.smax", 1, Intrinsic::ReduceMinMax(SIGNED, MAX)),
    ("vector.reduce.umin", 1, Intrinsic::ReduceMinMax(!SIGNED, !MAX)),
    ("vector.reduce.umax", 1, Intrinsic::ReduceMinMax(!SIGNED, MAX)),
    ("maxnum", 2, Intrinsic::FloatExtreme(extreme(MAX, !KEEPS_NAN))),
    ("minnum", 2, Intrinsic::FloatExtreme(extreme(!MAX, !KEEPS_NAN))),
    ("maximum", 2, Intrinsic::FloatExtreme(extreme(MAX, KEEPS_NAN))),
    ("minimum", 2, Intrinsic::FloatExtreme(extreme(!MAX, KEEPS_NAN))),
    ("vector.reduce.fmax", 1, Intrinsic::ReduceFloatExtreme(extreme(MAX, !KEEPS_NAN))),
    ("vector.reduce.fmin", 1, Intrinsic::ReduceFloatExtreme(extreme(!MAX, !KEEPS_NAN))),
    ("vector.reduce.fmaximum", 1, Intrinsic::ReduceFloatExtreme(extreme(MAX, KEEPS_NAN))),
    ("vector.reduce.fminimum", 1, Intrinsic::ReduceFloatExtreme(extreme(!MAX, KEEPS_NAN))),
    ("experimental.constrained.fadd", 4, Intrinsic::Constrained(Arithmetic::Add)),
    ("experimental.constrained.fsub", 4, Intrinsic::Constrained(Arithmetic::Sub)),
    ("experimental.constrained.fmul", 4, Intrinsic::Constrained(Arithmetic::Mul)),
    ("experimental.constrained.fdiv", 4, Intrinsic::Constrained(Arithmetic::Div)),
    ("fabs", 1, Intrinsic::FloatAbs),
    ("fmuladd", 3, Intrinsic::MultiplyAdd),
    ("sqrt", 1, Intrinsic::SquareRoot),
    ("copysign", 2, Intrinsic::CopySign),
    ("floor", 1, Intrinsic::Library("floor")),
    ("ceil", 1, Intrinsic::Library("ceil")),
    ("trunc", 1, Intrinsic::Library("trunc")),
    ("rint", 1, Intrinsic::Library("rint")),
    ("nearbyint", 1, Intrinsic::Library("nearbyint")),
    ("round", 1, Intrinsic::Library("round")),
    ("roundeven", 1, Intrinsic::Library("roundeven")),
    ("exp", 1, Intrinsic::Library("exp")),
    ("exp2", 1, Intrinsic::Library("exp2")),
    ("exp10", 1, Intrinsic::Library("exp10")),
    ("log", 1, Intrinsic::Library("log")),
    ("log2", 1, Intrinsic::Library("log2")),
    ("log10", 1, Intrinsic::Library("log10")),
    ("sin", 1, Intrinsic::Library("sin")),
    ("cos", 1, Intrinsic::Library("cos")),
    ("tan", 1, Intrinsic::Library("tan")),
    ("pow", 2, Intrinsic::Library("pow")),
    ("fma", 3, Intrinsic::Library("fma")),
    ("frameaddress", 1, Intrinsic::FrameAddress),
    ("load.relative", 2, Intrinsic::LoadRelative),
    ("x86.sse3.ldu.dq", 1, Intrinsic::LoadVector),
    ("x86.avx.ldu.dq", 1, Intrinsic::LoadVector),
    ("ptrmask", 2, Intrinsic::PointerMask),
    ("thread.pointer", 0, Intrinsic::ThreadPointer),
    ("lrint", 1, Intrinsic::NearestInteger),
    ("llrint", 1, Intrinsic::NearestInteger),
    ("x86.addcarry", 3, Intrinsic::Carrying(BitOp::Add)),
    ("x86.subborrow", 3, Intrinsic::Carrying(BitOp::Sub)),
    ("x86.sse.cvtss2si", 1, Intrinsic::NearestInteger),
    ("x86.sse.cvtss2si64", 1, Intrinsic::NearestInteger),
    ("x86.sse2.cvtsd2si", 1, Intrinsic::NearestInteger),
    ("x86.sse2.cvtsd2si64", 1, Intrinsic::NearestInteger),
    ("x86.atomic.add.cc", 3, Intrinsic::Locked(Locked::Flags(Alu::Add))),
    ("x86.atomic.sub.cc", 3, Intrinsic::Locked(Locked::Flags(Alu::Sub))),
    ("x86.atomic.and.cc", 3, Intrinsic::Locked(Locked::Flags(Alu::And))),
    ("x86.atomic.or.cc", 3, Intrinsic::Locked(Locked::Flags(Alu::Or))),
    ("x86.atomic.xor.cc", 3, Intrinsic::Locked(Locked::Flags(Alu::Xor))),
    ("x86.atomic.bts", 2, Intrinsic::Locked(Locked::Bit(BitTest::Bts))),
    ("x86.atomic.btr", 2, Intrinsic::Locked(Locked::Bit(BitTest::Btr))),
    ("x86.atomic.btc", 2, Intrinsic::Locked(Locked::Bit(BitTest::Btc))),
    ("x86.atomic.bts.rm", 2, Intrinsic::Locked(Locked::FarBit(BitTest::Bts))),
    ("x86.atomic.btr.rm", 2, Intrinsic::Locked(Locked::FarBit(BitTest::Btr))),
    ("x86.atomic.btc.rm", 2, Intrinsic::Locked(Locked::FarBit(BitTest::Btc))),
    ("x86.aesni.aesenc", 2, Intrinsic::Hardware(Hardware::Named2("aesenc", !CODE))),
    ("x86.aesni.aesenclast", 2, Intrinsic::Hardware(Hardware::Named2("aesenclast", !CODE))),
    ("x86.aesni.aesdec", 2, Intrinsic::Hardware(Hardware::Named2("aesdec", !CODE))),
    ("x86.aesni.aesdeclast", 2, Intrinsic::Hardware(Hardware::Named2("aesdeclast", !CODE))),
    ("x86.aesni.aesimc", 1, Intrinsic::Hardware(Hardware::Named1("aesimc", !CODE))),
    ("x86.aesni.aeskeygenassist", 2, Intrinsic::Hardware(Hardware::Named1("aeskeygenassist", CODE))),
    ("x86.pclmulqdq", 3, Intrinsic::Hardware(Hardware::CarrylessProduct)),
    ("x86.sha1msg1", 2, Intrinsic::Hardware(Hardware::Named2("sha1msg1", !CODE))),
    ("x86.sha1msg2", 2, Intrinsic::Hardware(Hardware::Named2("sha1msg2", !CODE))),
    ("x86.sha1nexte", 2, Intrinsic::Hardware(Hardware::Named2("sha1nexte", !CODE))),
    ("x86.sha256msg1", 2, Intrinsic::Hardware(Hardware::Named2("sha256msg1", !CODE))),
    ("x86.sha256msg2", 2, Intrinsic::Hardware(Hardware::Named2("sha256msg2", !CODE))),
    ("x86.sha1rnds4", 3, Intrinsic::Hardware(Hardware::Named2("sha1rnds4", CODE))),
    ("x86.sha256rnds2", 3, Intrinsic::Hardware(Hardware::Named3("sha256rnds2"))),
    ("x86.sse42.crc32.32.8", 2, Intrinsic::Hardware(Hardware::Checksum(8))),
    ("x86.sse42.crc32.32.16", 2, Intrinsic::Hardware(Hardware::Checksum(16))),
    ("x86.sse42.crc32.32.32", 2, Intrinsic::Hardware(Hardware::Checksum(32))),
    ("x86.sse42.crc32.64.8", 2, Intrinsic::Hardware(Hardware::Checksum(8))),
    ("x86.sse42.crc32.64.64", 2, Intrinsic::Hardware(Hardware::Checksum(64))),
    ("x86.sse.rcp.ps", 1, Intrinsic::Hardware(Hardware::Estimate("rcp"))),
    ("x86.sse.rcp.ss", 1, Intrinsic::Hardware(Hardware::EstimateLow("rcp"))),
    ("x86.sse.rsqrt.ps", 1, Intrinsic::Hardware(Hardware::Estimate("rsqrt"))),
    ("x86.sse.rsqrt.ss", 1, Intrinsic::Hardware(Hardware::EstimateLow("rsqrt"))),
    ("x86.avx.rcp.ps", 1, Intrinsic::Hardware(Hardware::Estimate("rcp"))),
    ("x86.avx.rsqrt.ps", 1, Intrinsic::Hardware(Hardware::Estimate("rsqrt"))),
    ("x86.sse.min.ss", 2, Intrinsic::Hardware(Hardware::Low(Float::Min))),
    ("x86.sse.max.ss", 2, Intrinsic::Hardware(Hardware::Low(Float::Max))),
    ("x86.sse.cmp.ss", 3, Intrinsic::Hardware(Hardware::MaskLow)),
    ("x86.sse2.min.sd", 2, Intrinsic::Hardware(Hardware::Low(Float::Min))),
    ("x86.sse2.max.sd", 2, Intrinsic::Hardware(Hardware::Low(Float::Max))),
    ("x86.sse2.cmp.sd", 3, Intrinsic::Hardware(Hardware::MaskLow)),
    ("x86.sse.cmp.ps", 3, Intrinsic::Hardware(Hardware::Masks)),
    ("x86.sse2.cmp.pd", 3, Intrinsic::Hardware(Hardware::Masks)),
    ("x86.avx.cmp", 3, Intrinsic::Hardware(Hardware::Masks)),
    ("x86.sse41.round.ss", 3, Intrinsic::Hardware(Hardware::RoundLow)),
    ("x86.sse41.round.sd", 3, Intrinsic::Hardware(Hardware::RoundLow)),
    ("x86.sse41.round.ps", 2, Intrinsic::Hardware(Hardware::Round)),
    ("x86.sse41.round.pd", 2, Intrinsic::Hardware(Hardware::Round)),
    ("x86.avx.round", 2, Intrinsic::Hardware(Hardware::Round)),
    ("x86.sse3.hadd", 2, Intrinsic::Hardware(Hardware::Neighbours(Float::Add))),
    ("x86.sse3.hsub", 2, Intrinsic::Hardware(Hardware::Neighbours(Float::Sub))),
    ("x86.sse3.addsub", 2, Intrinsic::Hardware(Hardware::Alternating)),
    ("x86.avx.hadd", 2, Intrinsic::Hardware(Hardware::Neighbours(Float::Add))),
    ("x86.avx.hsub", 2, Intrinsic::Hardware(Hardware::Neighbours(Float::Sub))),
    ("x86.avx.addsub", 2, Intrinsic::Hardware(Hardware::Alternating)),
    ("x86.sse2.cvtps2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::Nearest(32)))),
    ("x86.sse2.cvtpd2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::Nearest(64)))),
    ("x86.avx.cvt.ps2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::Nearest(32)))),
    ("x86.avx.cvt.pd2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::Nearest(64)))),
    ("x86.sse2.cvttps2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::ToInt(32)))),
    ("x86.sse2.cvttpd2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::ToInt(64)))),
    ("x86.avx.cvtt.ps2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::ToInt(32)))),
    ("x86.avx.cvtt.pd2dq", 1, Intrinsic::Hardware(Hardware::Convert(Convert::ToInt(64)))),
    ("x86.sse2.cvtpd2ps", 1, Intrinsic::Hardware(Hardware::Convert(Convert::Format(64)))),
    ("x86.avx.cvt.pd2.ps", 1, Intrinsic::Hardware(Hardware::Convert(Convert::Format(64)))),
    ("x86.sse41.insertps", 3, Intrinsic::Hardware(Hardware::Mixed(Mix::InsertFloat))),
    ("x86.avx.vpermilvar", 2, Intrinsic::Hardware(Hardware::Chosen(!ALL))),
    ("x86.avx2.permd", 2, Intrinsic::Hardware(Hardware::Chosen(ALL))),
    ("x86.avx2.permps", 2, Intrinsic::Hardware(Hardware::Chosen(ALL))),
    ("x86.sse2.cvtsd2ss", 2, Intrinsic::Hardware(Hardware::ConvertLow(Convert::Format(64)))),
    ("x86.sse.cvttss2si", 1, Intrinsic::TruncateLow),
    ("x86.sse.cvttss2si64", 1, Intrinsic::TruncateLow),
    ("x86.sse2.cvttsd2si", 1, Intrinsic::TruncateLow),
    ("x86.sse2.cvttsd2si64", 1, Intrinsic::TruncateLow),
    ("x86.sse.comieq.ss", 2, Intrinsic::CompareLow(FloatPred::Oeq)),
    ("x86.sse.comineq.ss", 2, Intrinsic::CompareLow(FloatPred::Une)),
    ("x86.sse.comilt.ss", 2, Intrinsic::CompareLow(FloatPred::Olt)),
    ("x86.sse.comile.ss", 2, Intrinsic::CompareLow(FloatPred::Ole)),
    ("x86.sse.comigt.ss", 2, Intrinsic::CompareLow(FloatPred::Ogt)),
    ("x86.sse.comige.ss", 2, Intrinsic::CompareLow(FloatPred::Oge)),
    ("x86.sse.ucomieq.ss", 2, Intrinsic::CompareLow(FloatPred::Oeq)),
    ("x86.sse.ucomineq.ss", 2, Intrinsic::CompareLow(FloatPred::Une)),
    ("x86.sse.ucomilt.ss", 2, Intrinsic::CompareLow(FloatPred::Olt)),
    ("x86.sse.ucomile.ss", 2, Intrinsic::CompareLow(FloatPred::Ole)),
    ("x86.sse.ucomigt.ss", 2, Intrinsic::CompareLow(FloatPred::Ogt)),
    ("x86.sse.ucomige.ss", 2, Intrinsic::CompareLow(FloatPred::Oge)),
    ("x86.sse2.comieq.sd", 2, Intrinsic::CompareLow(FloatPred::Oeq)),
    ("x86.sse2.comineq.sd", 2, Intrinsic::CompareLow(FloatPred::Une)),
    ("x86.sse2.comilt.sd", 2, Intrinsic::CompareLow(FloatPred::Olt)),
    ("x86.sse2.comile.sd", 2, Intrinsic::CompareLow(FloatPred::Ole)),
    ("x86.sse2.comigt.sd", 2, Intrinsic::CompareLow(FloatPred::Ogt)),
    ("x86.sse2.comige.sd", 2, Intrinsic::CompareLow(FloatPred::Oge)),
    ("x86.sse2.ucomieq.sd", 2, Intrinsic::CompareLow(FloatPred::Oeq)),
    ("x86.sse2.ucomineq.sd", 2, Intrinsic::CompareLow(FloatPred::Une)),
    ("x86.sse2.ucomilt.sd", 2, Intrinsic::CompareLow(FloatPred::Olt)),
    ("x86.sse2.ucomile.sd", 2, Intrinsic::CompareLow(FloatPred::Ole)),
    ("x86.sse2.ucomigt.sd", 2, Intrinsic::CompareLow(FloatPred::Ogt)),
    ("x86.sse2.ucomige.sd", 2, Intrinsic::CompareLow(FloatPred::Oge)),
    ("x86.ssse3.pmul.hr.sw.128", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulRounded, 16))),
    ("x86.avx2.pmul.hr.sw", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulRounded, 16))),
    ("masked.load", 3, Intrinsic::MaskedLoad(!BY_SIGNS)),
    ("masked.store", 3, Intrinsic::MaskedStore(!BY_SIGNS)),
    ("x86.avx.maskload", 2, Intrinsic::MaskedLoad(BY_SIGNS)),
    ("x86.avx.maskstore", 3, Intrinsic::MaskedStore(BY_SIGNS)),
    ("x86.avx2.maskload", 2, Intrinsic::MaskedLoad(BY_SIGNS)),
    ("x86.avx2.maskstore", 3, Intrinsic::MaskedStore(BY_SIGNS)),
    ("stackprotector", 2, Intrinsic::KeepGuard),
    ("stackguard", 0, Intrinsic::Refused("guard of a stack protector that lies elsewhere")),
    ("x86.sse2.packuswb.128", 2, Intrinsic::Packed(Packed::Pack(16, !SIGNED))),
    ("x86.sse2.packsswb.128", 2, Intrinsic::Packed(Packed::Pack(16, SIGNED))),
    ("x86.sse2.packssdw.128", 2, Intrinsic::Packed(Packed::Pack(32, SIGNED))),
    ("x86.sse41.packusdw", 2, Intrinsic::Packed(Packed::Pack(32, !SIGNED))),
    ("x86.avx2.packuswb", 2, Intrinsic::Packed(Packed::Pack(16, !SIGNED))),
    ("x86.avx2.packsswb", 2, Intrinsic::Packed(Packed::Pack(16, SIGNED))),
    ("x86.avx2.packssdw", 2, Intrinsic::Packed(Packed::Pack(32, SIGNED))),
    ("x86.avx2.packusdw", 2, Intrinsic::Packed(Packed::Pack(32, !SIGNED))),
    ("x86.sse2.pmadd.wd", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulAddHalves, 32))),
    ("x86.avx2.pmadd.wd", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulAddHalves, 32))),
    ("x86.sse2.pmulh.w", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulHigh(SIGNED), 16))),
    ("x86.avx2.pmulh.w", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulHigh(SIGNED), 16))),
    ("x86.sse2.pmulhu.w", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulHigh(!SIGNED), 16))),
    ("x86.avx2.pmulhu.w", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulHigh(!SIGNED), 16))),
    ("x86.sse2.psad.bw", 2, Intrinsic::Packed(Packed::SumOfDifferences)),
    ("x86.avx2.psad.bw", 2, Intrinsic::Packed(Packed::SumOfDifferences)),
    ("x86.sse.min.ps", 2, Intrinsic::PackedFloat(Float::Min)),
    ("x86.sse.max.ps", 2, Intrinsic::PackedFloat(Float::Max)),
    ("x86.sse2.min.pd", 2, Intrinsic::PackedFloat(Float::Min)),
    ("x86.sse2.max.pd", 2, Intrinsic::PackedFloat(Float::Max)),
    ("x86.sse2.pmovmskb.128", 1, Intrinsic::MoveMask),
    ("x86.sse.movmsk.ps", 1, Intrinsic::MoveMask),
    ("x86.sse2.movmsk.pd", 1, Intrinsic::MoveMask),
    ("x86.sse2.psrl", 2, Intrinsic::PackedShift(BitOp::Lshr, !EACH)),
    ("x86.sse2.psrli", 2, Intrinsic::PackedShift(BitOp::Lshr, !EACH)),
    ("x86.avx2.psrl", 2, Intrinsic::PackedShift(BitOp::Lshr, !EACH)),
    ("x86.avx2.psrli", 2, Intrinsic::PackedShift(BitOp::Lshr, !EACH)),
    ("x86.avx2.psrlv", 2, Intrinsic::PackedShift(BitOp::Lshr, EACH)),
    ("x86.sse2.psll", 2, Intrinsic::PackedShift(BitOp::Shl, !EACH)),
    ("x86.sse2.pslli", 2, Intrinsic::PackedShift(BitOp::Shl, !EACH)),
    ("x86.avx2.psll", 2, Intrinsic::PackedShift(BitOp::Shl, !EACH)),
    ("x86.avx2.pslli", 2, Intrinsic::PackedShift(BitOp::Shl, !EACH)),
    ("x86.avx2.psllv", 2, Intrinsic::PackedShift(BitOp::Shl, EACH)),
    ("x86.sse2.psra", 2, Intrinsic::PackedShift(BitOp::Ashr, !EACH)),
    ("x86.sse2.psrai", 2, Intrinsic::PackedShift(BitOp::Ashr, !EACH)),
    ("x86.avx2.psra", 2, Intrinsic::PackedShift(BitOp::Ashr, !EACH)),
    ("x86.avx2.psrai", 2, Intrinsic::PackedShift(BitOp::Ashr, !EACH)),
    ("x86.avx2.psrav", 2, Intrinsic::PackedShift(BitOp::Ashr, EACH)),
    ("x86.sse2.pavg", 2, Intrinsic::PackedMean),
    ("x86.avx2.pavg", 2, Intrinsic::PackedMean),
    ("x86.avx512.pavg", 2, Intrinsic::PackedMean),
    ("x86.ssse3.phadd.w.128", 2, Intrinsic::PackedNeighbours { op: BitOp::Add, saturating: false }),
    ("x86.ssse3.phadd.d.128", 2, Intrinsic::PackedNeighbours { op: BitOp::Add, saturating: false }),
    ("x86.ssse3.phadd.sw.128", 2, Intrinsic::PackedNeighbours { op: BitOp::Add, saturating: true }),
    ("x86.ssse3.phsub.w.128", 2, Intrinsic::PackedNeighbours { op: BitOp::Sub, saturating: false }),
    ("x86.ssse3.phsub.d.128", 2, Intrinsic::PackedNeighbours { op: BitOp::Sub, saturating: false }),
    ("x86.ssse3.phsub.sw.128", 2, Intrinsic::PackedNeighbours { op: BitOp::Sub, saturating: true }),
    ("x86.avx2.phadd.w", 2, Intrinsic::PackedNeighbours { op: BitOp::Add, saturating: false }),
    ("x86.avx2.phadd.d", 2, Intrinsic::PackedNeighbours { op: BitOp::Add, saturating: false }),
    ("x86.avx2.phadd.sw", 2, Intrinsic::PackedNeighbours { op: BitOp::Add, saturating: true }),
    ("x86.avx2.phsub.w", 2, Intrinsic::PackedNeighbours { op: BitOp::Sub, saturating: false }),
    ("x86.avx2.phsub.d", 2, Intrinsic::PackedNeighbours { op: BitOp::Sub, saturating: false }),
    ("x86.avx2.phsub.sw", 2, Intrinsic::PackedNeighbours { op: BitOp::Sub, saturating: true }),
    ("x86.ssse3.pshuf.b.128", 2, Intrinsic::PackedChoice),
    ("x86.avx2.pshuf.b", 2, Intrinsic::PackedChoice),
    ("x86.avx512.pshuf.b.512", 2, Intrinsic::PackedChoice),
    ("x86.ssse3.pmadd.ub.sw.128", 2, Intrinsic::PackedMultiplyAdd),
    ("x86.avx2.pmadd.ub.sw", 2, Intrinsic::PackedMultiplyAdd),
    ("x86.avx512.pmaddubs.w.512", 2, Intrinsic::PackedMultiplyAdd),
    ("x86.ssse3.psign", 2, Intrinsic::PackedSign),
    ("x86.avx2.psign", 2, Intrinsic::PackedSign),
    ("sshl.sat", 2, Intrinsic::SaturatingShift(SIGNED)),
    ("ushl.sat", 2, Intrinsic::SaturatingShift(!SIGNED)),
    ("x86.bmi.pdep", 2, Intrinsic::Bits(Bmi::Pdep)),
    ("x86.bmi.pext", 2, Intrinsic::Bits(Bmi::Pext)),
    ("x86.bmi.bextr", 2, Intrinsic::Bits(Bmi::Bextr)),
    ("x86.bmi.bzhi", 2, Intrinsic::Bits(Bmi::Bzhi)),
    ("x86.sse41.pblendvb", 3, Intrinsic::PackedBlend),
    ("x86.sse41.blendvps", 3, Intrinsic::PackedBlend),
    ("x86.sse41.blendvpd", 3, Intrinsic::PackedBlend),
    ("x86.avx2.pblendvb", 3, Intrinsic::PackedBlend),
    ("x86.avx.blendv", 3, Intrinsic::PackedBlend),
    ("x86.sse41.ptestz", 2, Intrinsic::VectorTest(VectorTest::Zero)),
    ("x86.sse41.ptestc", 2, Intrinsic::VectorTest(VectorTest::Covered)),
    ("x86.sse41.ptestnzc", 2, Intrinsic::VectorTest(VectorTest::Neither)),
    ("x86.avx.ptestz", 2, Intrinsic::VectorTest(VectorTest::Zero)),
    ("x86.avx.ptestc", 2, Intrinsic::VectorTest(VectorTest::Covered)),
    ("x86.avx.ptestnzc", 2, Intrinsic::VectorTest(VectorTest::Neither)),
    ("x86.avx.vtestz", 2, Intrinsic::SignTest(VectorTest::Zero)),
    ("x86.avx.vtestc", 2, Intrinsic::SignTest(VectorTest::Covered)),
    ("x86.avx.vtestnzc", 2, Intrinsic::SignTest(VectorTest::Neither)),
    ("x86.avx2.pmovmskb", 1, Intrinsic::MoveMask),
    ("x86.avx.movmsk", 1, Intrinsic::MoveMask),
    ("x86.avx.min", 2, Intrinsic::PackedFloat(Float::Min)),
    ("x86.avx.max", 2, Intrinsic::PackedFloat(Float::Max)),
    ("x86.avx512.pternlog", 4, Intrinsic::Hardware(Hardware::Ternary)),
    ("x86.avx512.vpermi2var", 3, Intrinsic::Hardware(Hardware::ChosenOfTwo(false))),
    ("x86.avx512.permvar", 2, Intrinsic::Hardware(Hardware::Chosen(ALL))),
    ("x86.avx512.vpermilvar", 2, Intrinsic::Hardware(Hardware::Chosen(!ALL))),
    ("x86.avx512.vpdpbusd", 3, Intrinsic::Hardware(Hardware::DotProduct(8, false))),
    ("x86.avx512.vpdpbusds", 3, Intrinsic::Hardware(Hardware::DotProduct(8, true))),
    ("x86.avx512.vpdpwssd", 3, Intrinsic::Hardware(Hardware::DotProduct(16, false))),
    ("x86.avx512.vpdpwssds", 3, Intrinsic::Hardware(Hardware::DotProduct(16, true))),
    ("x86.avx512.psllv", 2, Intrinsic::PackedShift(BitOp::Shl, EACH)),
    ("x86.avx512.psrlv", 2, Intrinsic::PackedShift(BitOp::Lshr, EACH)),
    ("x86.avx512.psrav", 2, Intrinsic::PackedShift(BitOp::Ashr, EACH)),
    ("x86.avx512.psll", 2, Intrinsic::PackedShift(BitOp::Shl, !EACH)),
    ("x86.avx512.pslli", 2, Intrinsic::PackedShift(BitOp::Shl, !EACH)),
    ("x86.avx512.psrl", 2, Intrinsic::PackedShift(BitOp::Lshr, !EACH)),
    ("x86.avx512.psrli", 2, Intrinsic::PackedShift(BitOp::Lshr, !EACH)),
    ("x86.avx512.psra", 2, Intrinsic::PackedShift(BitOp::Ashr, !EACH)),
    ("x86.avx512.psrai", 2, Intrinsic::PackedShift(BitOp::Ashr, !EACH)),
    ("x86.avx512.packuswb", 2, Intrinsic::Packed(Packed::Pack(16, !SIGNED))),
    ("x86.avx512.packsswb", 2, Intrinsic::Packed(Packed::Pack(16, SIGNED))),
    ("x86.avx512.packssdw", 2, Intrinsic::Packed(Packed::Pack(32, SIGNED))),
    ("x86.avx512.packusdw", 2, Intrinsic::Packed(Packed::Pack(32, !SIGNED))),
    ("x86.avx512.pmaddw.d", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulAddHalves, 32))),
    ("x86.avx512.pmulh.w", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulHigh(SIGNED), 16))),
    ("x86.avx512.pmulhu.w", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulHigh(!SIGNED), 16))),
    ("x86.avx512.pmul.hr.sw", 2, Intrinsic::Packed(Packed::Lanes(Lane::MulRounded, 16))),
    ("x86.avx512.psad.bw", 2, Intrinsic::Packed(Packed::SumOfDifferences)),
    ("experimental.vector.reduce.add", 1, Intrinsic::Reduce(BitOp::Add)),
    ("experimental.vector.reduce.mul", 1, Intrinsic::Reduce(BitOp::Mul)),
    ("experimental.vector.reduce.and", 1, Intrinsic::Reduce(BitOp::And)),
    ("experimental.vector.reduce.or", 1, Intrinsic::Reduce(BitOp::Or)),
    ("experimental.vector.reduce.xor", 1, Intrinsic::Reduce(BitOp::Xor)),
    ("experimental.vector.reduce.smin", 1, Intrinsic::ReduceMinMax(SIGNED, !MAX)),
    ("experimental.vector.reduce.smax", 1, Intrinsic::ReduceMinMax(SIGNED, MAX)),
    ("experimental.vector.reduce.umin", 1, Intrinsic::ReduceMinMax(!SIGNED, !MAX)),
    ("experimental.vector.reduce.umax", 1, Intrinsic::ReduceMinMax(!SIGNED, MAX)),
    ("objectsize", 4, Intrinsic::ObjectSize),
    ("returnaddress", 1, Intrinsic::ReturnAddress),
    ("stacksave", 0, Intrinsic::StackSave),
    ("stackrestore", 1, Intrinsic::StackRestore),
];

impl Intrinsic {
    /// The intrinsic of a name, and its least number of arguments; none where the name is no intrinsic's.
    pub fn of(name: &str) -> Option<(Intrinsic, usize)> {
        static TABLE: OnceLock<FxHashMap<&str, (Intrinsic, usize)>> = OnceLock::new();
        let table = TABLE
            .get_or_init(|| INTRINSICS.iter().map(|(name, args, what)| (*name, (*what, *args))).collect());
        let mut stem = name.strip_prefix("llvm.")?;
        // The types of an overloaded one are behind its name.
        loop {
            if let Some(found) = table.get(stem) {
                return Some(*found);
            }
            match stem.rsplit_once('.') {
                Some((shorter, _)) => stem = shorter,
                None => return Some((Intrinsic::Unknown, 0)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_behind_a_name_do_not_matter_and_longer_names_win() {
        let of = |name| Intrinsic::of(name).map(|found| found.0);
        assert_eq!(of("llvm.ctlz.v4i32"), Some(Intrinsic::Zeros { leading: true }));
        assert_eq!(of("llvm.memcpy.inline.p0.p0.i64"), Some(Intrinsic::Block(Block::Copy)));
        assert_eq!(of("llvm.experimental.noalias.scope.decl"), Some(Intrinsic::Nothing));
        assert_eq!(of("llvm.vector.reduce.fadd.v4f32"), Some(Intrinsic::Unknown));
        assert_eq!(of("memcpy"), None);
    }

    #[test]
    fn every_function_of_the_mathematical_library_is_one_of_machine_code_too() {
        for (name, _, what) in INTRINSICS {
            if let Intrinsic::Library(function) = what {
                assert!(name == function && crate::floats::LIBRARY_MATH.contains(function), "{name}");
            }
        }
    }
}
