//! The registry of x86 instructions in machine code: a line each. Integer vectors are those of
//! [`crate::x86::packed::PACKED`], by name, and need no line here; what AVX took over from SSE has the line of that, and
//! sums of products have the names of [`Fused`].

use crate::x86::alu::{Alu, Unary};
use crate::x86::bits::{BitTest, Bmi, Count};
use crate::x86::float::{Convert, Float, Fused};
use crate::x86::hardware::Hardware;
use crate::x86::packed::{LaneShift, PACKED, Packed, Shuffle};
use crate::x86::rearrange::{Alone, Arrange, Mix};
use crate::x86::shift::Shift;
use iced_x86::Mnemonic;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What an instruction does. Widths come from its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Nothing that a program can see.
    Nothing,
    /// Accesses of memory stay on their side of it.
    Fence,
    /// Copies; between vectors and memory whole vectors.
    Mov,
    /// Zero extension.
    Movzx,
    /// Sign extension.
    Movsx,
    /// The address of the memory operand.
    Lea,
    /// Two-operand arithmetic.
    Alu(Alu),
    /// A difference's flags.
    Cmp,
    /// A conjunction's flags.
    Test,
    /// One-operand arithmetic.
    Unary(Unary),
    /// Signed product of one, two or three operands.
    Imul,
    /// Unsigned product.
    Mul,
    /// Quotient and remainder; signed or not.
    Div(bool),
    /// Shifts and rotations.
    Shift(Shift),
    /// Bit tests.
    BitTest(BitTest),
    /// Bit scans and counts.
    Count(Count),
    /// Bit manipulation of later processors.
    Bmi(Bmi),
    /// Bytes in reverse order.
    Bswap,
    /// The operands change places.
    Xchg,
    /// The operands change places, and the first becomes their sum.
    ExchangeAdd,
    /// The second operand into the first, if that is what the accumulator holds; into the accumulator otherwise.
    CompareExchange,
    /// Copies under a condition.
    Cmov,
    /// A condition as a byte.
    Set,
    /// Jumps under a condition.
    Jcc,
    /// Jumps.
    Jmp,
    /// Calls.
    Call,
    /// Returns.
    Ret,
    /// Onto the stack.
    Push,
    /// From the stack.
    Pop,
    /// Takes the frame down.
    Leave,
    /// Sign extension of the accumulator in itself, from so many bits.
    ExtendAcc(u32),
    /// The sign of the accumulator of so many bits into `rdx`.
    SpreadAcc(u32),
    /// Ends the program.
    Trap,
    /// Sets, clears or complements the carry flag.
    Carry(Option<bool>),
    /// `stos`: so many bytes an element.
    Stos(u32),
    /// `movs`: so many bytes an element.
    Movs(u32),
    /// The low lane of so many bits, the rest kept between registers and cleared from memory.
    MovLane(u32),
    /// So many bits between general and vector registers and memory, zeros above.
    MovBits(u32),
    /// The upper half: from memory or to it.
    MovHigh,
    /// The lower half: from memory or to it, the rest kept.
    MovLow,
    /// The lower half of the second into the upper half.
    LowToHigh,
    /// The upper half of the second into the lower half.
    HighToLow,
    /// Integer vectors.
    Packed(Packed),
    /// Lane shifts.
    LaneShift(LaneShift, u32),
    /// The whole vector shifted by bytes; left.
    ByteShift(bool),
    /// Lane shifts, each by a count of its own.
    ShiftEach(LaneShift, u32),
    /// Lanes of one vector, as an immediate says.
    Arrange(Arrange),
    /// Two vectors mixed, as an immediate says.
    Mix(Mix),
    /// What is made of one vector.
    Alone(Alone),
    /// The lowest lane of so many bits in all places.
    Broadcast(u32),
    /// Lanes of so many bits of either vector, by the signs of a third one.
    BlendBy(u32),
    /// Lanes of so many bits by the numbers in another vector: of all, or of each 128 bits.
    Permute(u32, bool),
    /// A half of 256 bits.
    ExtractHalf,
    /// Flags of a conjunction of vectors: of whole ones, or of the signs of lanes of so many bits.
    TestVector(Option<u32>),
    /// Zeros in the upper halves of all vectors of 256 bits, or in all of them.
    ClearVectors(bool),
    /// An instruction that intrinsics stand for, on two or three vectors, with lanes of so many bits in the result.
    Hardware(Hardware, u32),
    /// Sign bits of lanes.
    Signs(u32),
    /// A lane from a general register or memory.
    Insert(u32),
    /// A lane to a general register.
    Extract(u32),
    /// Arithmetic of the lowest lane of so many bits.
    Float(Float, u32),
    /// Arithmetic of all lanes.
    FloatPacked(Float, u32),
    /// Square root of the lowest lane.
    Sqrt(u32),
    /// Square roots of all lanes.
    SqrtPacked(u32),
    /// A product and a sum, rounded once, of lanes of so many bits: all of them, or the lowest.
    Fused(Fused, u32, bool),
    /// Flags of a comparison.
    FloatCompare(u32),
    /// Masks of comparisons by an immediate: lanes of so many bits, all of them.
    FloatMasks(u32, bool),
    /// Conversion of the lowest lane to so many bits.
    Convert(Convert, u32),
    /// Conversion of an integer of the operand's width.
    FromInt(u32),
    /// Conversion to an integer of the operand's width.
    ToInt(u32),
    /// Conversion lane by lane.
    ConvertLanes(Convert, u32),
    /// Lanes of so many bits extended to so many; signed.
    Extend(u32, u32, bool),
}

use Mnemonic as M;

/// Every instruction by its mnemonic.
pub const TABLE: &[(Mnemonic, Op)] = &[
    (M::Nop, Op::Nothing),
    (M::Endbr64, Op::Nothing),
    (M::Pause, Op::Nothing),
    (M::Prefetcht0, Op::Nothing),
    (M::Prefetcht1, Op::Nothing),
    (M::Prefetcht2, Op::Nothing),
    (M::Prefetchnta, Op::Nothing),
    (M::Prefetchw, Op::Nothing),
    (M::Mfence, Op::Fence),
    (M::Sfence, Op::Fence),
    (M::Lfence, Op::Fence),
    (M::Mov, Op::Mov),
    (M::Movzx, Op::Movzx),
    (M::Movsx, Op::Movsx),
    (M::Movsxd, Op::Movsx),
    (M::Lea, Op::Lea),
    (M::Add, Op::Alu(Alu::Add)),
    (M::Adc, Op::Alu(Alu::Adc)),
    (M::Sub, Op::Alu(Alu::Sub)),
    (M::Sbb, Op::Alu(Alu::Sbb)),
    (M::And, Op::Alu(Alu::And)),
    (M::Or, Op::Alu(Alu::Or)),
    (M::Xor, Op::Alu(Alu::Xor)),
    (M::Cmp, Op::Cmp),
    (M::Test, Op::Test),
    (M::Inc, Op::Unary(Unary::Inc)),
    (M::Dec, Op::Unary(Unary::Dec)),
    (M::Neg, Op::Unary(Unary::Neg)),
    (M::Not, Op::Unary(Unary::Not)),
    (M::Imul, Op::Imul),
    (M::Mul, Op::Mul),
    (M::Div, Op::Div(false)),
    (M::Idiv, Op::Div(true)),
    (M::Shl, Op::Shift(Shift::Shl)),
    (M::Sal, Op::Shift(Shift::Shl)),
    (M::Shr, Op::Shift(Shift::Shr)),
    (M::Sar, Op::Shift(Shift::Sar)),
    (M::Rol, Op::Shift(Shift::Rol)),
    (M::Ror, Op::Shift(Shift::Ror)),
    (M::Shld, Op::Shift(Shift::Shld)),
    (M::Shrd, Op::Shift(Shift::Shrd)),
    (M::Bt, Op::BitTest(BitTest::Bt)),
    (M::Bts, Op::BitTest(BitTest::Bts)),
    (M::Btr, Op::BitTest(BitTest::Btr)),
    (M::Btc, Op::BitTest(BitTest::Btc)),
    (M::Bsf, Op::Count(Count::Bsf)),
    (M::Bsr, Op::Count(Count::Bsr)),
    (M::Popcnt, Op::Count(Count::Popcnt)),
    (M::Lzcnt, Op::Count(Count::Lzcnt)),
    (M::Tzcnt, Op::Count(Count::Tzcnt)),
    (M::Shlx, Op::Bmi(Bmi::Shlx)),
    (M::Shrx, Op::Bmi(Bmi::Shrx)),
    (M::Sarx, Op::Bmi(Bmi::Sarx)),
    (M::Rorx, Op::Bmi(Bmi::Rorx)),
    (M::Andn, Op::Bmi(Bmi::Andn)),
    (M::Bzhi, Op::Bmi(Bmi::Bzhi)),
    (M::Blsr, Op::Bmi(Bmi::Blsr)),
    (M::Blsi, Op::Bmi(Bmi::Blsi)),
    (M::Blsmsk, Op::Bmi(Bmi::Blsmsk)),
    (M::Bswap, Op::Bswap),
    (M::Xchg, Op::Xchg),
    (M::Xadd, Op::ExchangeAdd),
    (M::Cmpxchg, Op::CompareExchange),
    (M::Cmovo, Op::Cmov),
    (M::Cmovno, Op::Cmov),
    (M::Cmovb, Op::Cmov),
    (M::Cmovae, Op::Cmov),
    (M::Cmove, Op::Cmov),
    (M::Cmovne, Op::Cmov),
    (M::Cmovbe, Op::Cmov),
    (M::Cmova, Op::Cmov),
    (M::Cmovs, Op::Cmov),
    (M::Cmovns, Op::Cmov),
    (M::Cmovp, Op::Cmov),
    (M::Cmovnp, Op::Cmov),
    (M::Cmovl, Op::Cmov),
    (M::Cmovge, Op::Cmov),
    (M::Cmovle, Op::Cmov),
    (M::Cmovg, Op::Cmov),
    (M::Seto, Op::Set),
    (M::Setno, Op::Set),
    (M::Setb, Op::Set),
    (M::Setae, Op::Set),
    (M::Sete, Op::Set),
    (M::Setne, Op::Set),
    (M::Setbe, Op::Set),
    (M::Seta, Op::Set),
    (M::Sets, Op::Set),
    (M::Setns, Op::Set),
    (M::Setp, Op::Set),
    (M::Setnp, Op::Set),
    (M::Setl, Op::Set),
    (M::Setge, Op::Set),
    (M::Setle, Op::Set),
    (M::Setg, Op::Set),
    (M::Jo, Op::Jcc),
    (M::Jno, Op::Jcc),
    (M::Jb, Op::Jcc),
    (M::Jae, Op::Jcc),
    (M::Je, Op::Jcc),
    (M::Jne, Op::Jcc),
    (M::Jbe, Op::Jcc),
    (M::Ja, Op::Jcc),
    (M::Js, Op::Jcc),
    (M::Jns, Op::Jcc),
    (M::Jp, Op::Jcc),
    (M::Jnp, Op::Jcc),
    (M::Jl, Op::Jcc),
    (M::Jge, Op::Jcc),
    (M::Jle, Op::Jcc),
    (M::Jg, Op::Jcc),
    (M::Jmp, Op::Jmp),
    (M::Call, Op::Call),
    (M::Ret, Op::Ret),
    (M::Push, Op::Push),
    (M::Pop, Op::Pop),
    (M::Leave, Op::Leave),
    (M::Cbw, Op::ExtendAcc(8)),
    (M::Cwde, Op::ExtendAcc(16)),
    (M::Cdqe, Op::ExtendAcc(32)),
    (M::Cwd, Op::SpreadAcc(16)),
    (M::Cdq, Op::SpreadAcc(32)),
    (M::Cqo, Op::SpreadAcc(64)),
    (M::Ud2, Op::Trap),
    (M::Stc, Op::Carry(Some(true))),
    (M::Clc, Op::Carry(Some(false))),
    (M::Cmc, Op::Carry(None)),
    (M::Stosb, Op::Stos(1)),
    (M::Stosw, Op::Stos(2)),
    (M::Stosd, Op::Stos(4)),
    (M::Stosq, Op::Stos(8)),
    (M::Movsb, Op::Movs(1)),
    (M::Movsw, Op::Movs(2)),
    (M::Movsq, Op::Movs(8)),
    (M::Movaps, Op::Mov),
    (M::Movups, Op::Mov),
    (M::Movapd, Op::Mov),
    (M::Movupd, Op::Mov),
    (M::Movdqa, Op::Mov),
    (M::Movdqu, Op::Mov),
    (M::Lddqu, Op::Mov),
    (M::Movss, Op::MovLane(32)),
    (M::Movsd, Op::MovLane(64)),
    (M::Movd, Op::MovBits(32)),
    (M::Movq, Op::MovBits(64)),
    (M::Movhps, Op::MovHigh),
    (M::Movhpd, Op::MovHigh),
    (M::Movlps, Op::MovLow),
    (M::Movlpd, Op::MovLow),
    (M::Movlhps, Op::LowToHigh),
    (M::Movhlps, Op::HighToLow),
    (M::Psllw, Op::LaneShift(LaneShift::Left, 16)),
    (M::Pslld, Op::LaneShift(LaneShift::Left, 32)),
    (M::Psllq, Op::LaneShift(LaneShift::Left, 64)),
    (M::Psrlw, Op::LaneShift(LaneShift::Right, 16)),
    (M::Psrld, Op::LaneShift(LaneShift::Right, 32)),
    (M::Psrlq, Op::LaneShift(LaneShift::Right, 64)),
    (M::Psraw, Op::LaneShift(LaneShift::Arith, 16)),
    (M::Psrad, Op::LaneShift(LaneShift::Arith, 32)),
    (M::Pslldq, Op::ByteShift(true)),
    (M::Psrldq, Op::ByteShift(false)),
    (M::Pshufd, Op::Arrange(Arrange::Each(Shuffle::Dwords))),
    (M::Pshuflw, Op::Arrange(Arrange::Each(Shuffle::LowWords))),
    (M::Pshufhw, Op::Arrange(Arrange::Each(Shuffle::HighWords))),
    (M::Shufps, Op::Mix(Mix::Both(32))),
    (M::Shufpd, Op::Mix(Mix::Both(64))),
    (M::Pmovmskb, Op::Signs(8)),
    (M::Movmskps, Op::Signs(32)),
    (M::Movmskpd, Op::Signs(64)),
    (M::Pinsrb, Op::Insert(8)),
    (M::Pinsrw, Op::Insert(16)),
    (M::Pinsrd, Op::Insert(32)),
    (M::Pinsrq, Op::Insert(64)),
    (M::Pextrb, Op::Extract(8)),
    (M::Pextrw, Op::Extract(16)),
    (M::Pextrd, Op::Extract(32)),
    (M::Pextrq, Op::Extract(64)),
    (M::Addss, Op::Float(Float::Add, 32)),
    (M::Addsd, Op::Float(Float::Add, 64)),
    (M::Subss, Op::Float(Float::Sub, 32)),
    (M::Subsd, Op::Float(Float::Sub, 64)),
    (M::Mulss, Op::Float(Float::Mul, 32)),
    (M::Mulsd, Op::Float(Float::Mul, 64)),
    (M::Divss, Op::Float(Float::Div, 32)),
    (M::Divsd, Op::Float(Float::Div, 64)),
    (M::Minss, Op::Float(Float::Min, 32)),
    (M::Minsd, Op::Float(Float::Min, 64)),
    (M::Maxss, Op::Float(Float::Max, 32)),
    (M::Maxsd, Op::Float(Float::Max, 64)),
    (M::Addps, Op::FloatPacked(Float::Add, 32)),
    (M::Addpd, Op::FloatPacked(Float::Add, 64)),
    (M::Subps, Op::FloatPacked(Float::Sub, 32)),
    (M::Subpd, Op::FloatPacked(Float::Sub, 64)),
    (M::Mulps, Op::FloatPacked(Float::Mul, 32)),
    (M::Mulpd, Op::FloatPacked(Float::Mul, 64)),
    (M::Divps, Op::FloatPacked(Float::Div, 32)),
    (M::Divpd, Op::FloatPacked(Float::Div, 64)),
    (M::Minps, Op::FloatPacked(Float::Min, 32)),
    (M::Minpd, Op::FloatPacked(Float::Min, 64)),
    (M::Maxps, Op::FloatPacked(Float::Max, 32)),
    (M::Maxpd, Op::FloatPacked(Float::Max, 64)),
    (M::Sqrtss, Op::Sqrt(32)),
    (M::Sqrtsd, Op::Sqrt(64)),
    (M::Ucomiss, Op::FloatCompare(32)),
    (M::Ucomisd, Op::FloatCompare(64)),
    (M::Comiss, Op::FloatCompare(32)),
    (M::Comisd, Op::FloatCompare(64)),
    (M::Cmpps, Op::FloatMasks(32, true)),
    (M::Cmppd, Op::FloatMasks(64, true)),
    (M::Cmpss, Op::FloatMasks(32, false)),
    (M::Cmpsd, Op::FloatMasks(64, false)),
    (M::Cvtss2sd, Op::Convert(Convert::Format(32), 64)),
    (M::Cvtsd2ss, Op::Convert(Convert::Format(64), 32)),
    (M::Cvtsi2ss, Op::FromInt(32)),
    (M::Cvtsi2sd, Op::FromInt(64)),
    (M::Cvttss2si, Op::ToInt(32)),
    (M::Cvttsd2si, Op::ToInt(64)),
    (M::Cvtdq2ps, Op::ConvertLanes(Convert::FromInt(32), 32)),
    (M::Cvtdq2pd, Op::ConvertLanes(Convert::FromInt(32), 64)),
    (M::Cvttps2dq, Op::ConvertLanes(Convert::ToInt(32), 32)),
    (M::Cvtps2pd, Op::ConvertLanes(Convert::Format(32), 64)),
    (M::Cvtpd2ps, Op::ConvertLanes(Convert::Format(64), 32)),
    (M::Pmovzxbw, Op::Extend(8, 16, false)),
    (M::Pmovzxbd, Op::Extend(8, 32, false)),
    (M::Pmovzxbq, Op::Extend(8, 64, false)),
    (M::Pmovzxwd, Op::Extend(16, 32, false)),
    (M::Pmovzxwq, Op::Extend(16, 64, false)),
    (M::Pmovzxdq, Op::Extend(32, 64, false)),
    (M::Pmovsxbw, Op::Extend(8, 16, true)),
    (M::Pmovsxbd, Op::Extend(8, 32, true)),
    (M::Pmovsxbq, Op::Extend(8, 64, true)),
    (M::Pmovsxwd, Op::Extend(16, 32, true)),
    (M::Pmovsxwq, Op::Extend(16, 64, true)),
    (M::Pmovsxdq, Op::Extend(32, 64, true)),
    (M::Movddup, Op::Alone(Alone::LowQwords)),
    (M::Movsldup, Op::Alone(Alone::Even)),
    (M::Movshdup, Op::Alone(Alone::Odd)),
    (M::Pabsb, Op::Alone(Alone::Abs(8))),
    (M::Pabsw, Op::Alone(Alone::Abs(16))),
    (M::Pabsd, Op::Alone(Alone::Abs(32))),
    (M::Pblendw, Op::Mix(Mix::Blend(16))),
    (M::Blendps, Op::Mix(Mix::Blend(32))),
    (M::Blendpd, Op::Mix(Mix::Blend(64))),
    (M::Palignr, Op::Mix(Mix::Align)),
    (M::Insertps, Op::Mix(Mix::InsertFloat)),
    (M::Pblendvb, Op::BlendBy(8)),
    (M::Blendvps, Op::BlendBy(32)),
    (M::Blendvpd, Op::BlendBy(64)),
    (M::Ptest, Op::TestVector(None)),
    (M::Sqrtps, Op::SqrtPacked(32)),
    (M::Sqrtpd, Op::SqrtPacked(64)),
    (M::Roundss, Op::Hardware(Hardware::RoundLow, 32)),
    (M::Roundsd, Op::Hardware(Hardware::RoundLow, 64)),
    (M::Pclmulqdq, Op::Hardware(Hardware::CarrylessProduct, 128)),
    (M::Aesenc, Op::Hardware(Hardware::Named2("aesenc", false), 128)),
    (M::Aesenclast, Op::Hardware(Hardware::Named2("aesenclast", false), 128)),
    (M::Aesdec, Op::Hardware(Hardware::Named2("aesdec", false), 128)),
    (M::Aesdeclast, Op::Hardware(Hardware::Named2("aesdeclast", false), 128)),
    (M::Cvttpd2dq, Op::ConvertLanes(Convert::ToInt(64), 32)),
    // What AVX has alone.
    (M::Vzeroupper, Op::ClearVectors(false)),
    (M::Vzeroall, Op::ClearVectors(true)),
    (M::Vtestps, Op::TestVector(Some(32))),
    (M::Vtestpd, Op::TestVector(Some(64))),
    (M::Vbroadcastss, Op::Broadcast(32)),
    (M::Vbroadcastsd, Op::Broadcast(64)),
    (M::Vbroadcastf128, Op::Broadcast(128)),
    (M::Vbroadcasti128, Op::Broadcast(128)),
    (M::Vpbroadcastb, Op::Broadcast(8)),
    (M::Vpbroadcastw, Op::Broadcast(16)),
    (M::Vpbroadcastd, Op::Broadcast(32)),
    (M::Vpbroadcastq, Op::Broadcast(64)),
    (M::Vpblendd, Op::Mix(Mix::Blend(32))),
    (M::Vperm2f128, Op::Mix(Mix::Halves)),
    (M::Vperm2i128, Op::Mix(Mix::Halves)),
    (M::Vinsertf128, Op::Mix(Mix::Insert(128))),
    (M::Vinserti128, Op::Mix(Mix::Insert(128))),
    (M::Vextractf128, Op::ExtractHalf),
    (M::Vextracti128, Op::ExtractHalf),
    (M::Vpermq, Op::Arrange(Arrange::AllQwords)),
    (M::Vpermpd, Op::Arrange(Arrange::AllQwords)),
    (M::Vpermd, Op::Permute(32, true)),
    (M::Vpermps, Op::Permute(32, true)),
    (M::Vpermilps, Op::Permute(32, false)),
    (M::Vpermilpd, Op::Permute(64, false)),
    (M::Vpsllvd, Op::ShiftEach(LaneShift::Left, 32)),
    (M::Vpsllvq, Op::ShiftEach(LaneShift::Left, 64)),
    (M::Vpsrlvd, Op::ShiftEach(LaneShift::Right, 32)),
    (M::Vpsrlvq, Op::ShiftEach(LaneShift::Right, 64)),
    (M::Vpsravd, Op::ShiftEach(LaneShift::Arith, 32)),
    // What AVX-512 calls otherwise, without a mask.
    (M::Vmovdqa32, Op::Mov),
    (M::Vmovdqa64, Op::Mov),
    (M::Vmovdqu8, Op::Mov),
    (M::Vmovdqu16, Op::Mov),
    (M::Vmovdqu32, Op::Mov),
    (M::Vmovdqu64, Op::Mov),
    (M::Vpternlogd, Op::Hardware(Hardware::Ternary, 32)),
    (M::Vpternlogq, Op::Hardware(Hardware::Ternary, 64)),
    (M::Vpandd, Op::Packed(Packed::And)),
    (M::Vpandq, Op::Packed(Packed::And)),
    (M::Vpandnd, Op::Packed(Packed::Andn)),
    (M::Vpandnq, Op::Packed(Packed::Andn)),
    (M::Vpord, Op::Packed(Packed::Or)),
    (M::Vporq, Op::Packed(Packed::Or)),
    (M::Vpxord, Op::Packed(Packed::Xor)),
    (M::Vpxorq, Op::Packed(Packed::Xor)),
];

/// A mnemonic as it is written.
fn name(mnemonic: Mnemonic) -> String {
    format!("{mnemonic:?}").to_uppercase()
}

static INDEX: LazyLock<FxHashMap<Mnemonic, Op>> = LazyLock::new(|| {
    let mut named: FxHashMap<String, Op> =
        PACKED.iter().map(|(n, p)| ((*n).to_owned(), Op::Packed(*p))).collect();
    named.extend(TABLE.iter().map(|(m, op)| (name(*m), *op)));
    for fused in Fused::all() {
        for (letters, width, all) in
            [("SS", 32, false), ("SD", 64, false), ("PS", 32, true), ("PD", 64, true)]
        {
            named.insert(format!("V{}{letters}", fused.mnemonic()), Op::Fused(fused, width, all));
        }
    }
    let of = |m: Mnemonic| {
        let name = name(m);
        let own = named.get(&name);
        own.or_else(|| name.strip_prefix('V').and_then(|sse| named.get(sse)))
    };
    Mnemonic::values().filter_map(|m| Some((m, *of(m)?))).collect()
});

/// What an instruction does, by its mnemonic; none where that is not modelled.
#[must_use]
pub fn op(mnemonic: Mnemonic) -> Option<Op> {
    INDEX.get(&mnemonic).copied()
}

/// Whether an instruction sets all flags (or leaves them undefined) whatever its operands.
pub(crate) fn sets_all_flags(mnemonic: Mnemonic) -> bool {
    match op(mnemonic) {
        Some(
            Op::Alu(_)
            | Op::Cmp
            | Op::Test
            | Op::Imul
            | Op::Mul
            | Op::Div(_)
            | Op::FloatCompare(_)
            | Op::Count(_),
        ) => true,
        Some(Op::Unary(u)) => u == Unary::Neg,
        _ => false,
    }
}
