//! The opcode table: one line a family gives LLVM's name, widths, operand forms and meaning.
//!
//! To add an opcode of a family that is here, add a line. What it computes is in the file of its family in
//! [`crate::x86`]; vectors and floating point have their lines in [`super::vectors`]. The test
//! `every_opcode_on_this_processor` compares every line with the processor, as soon as it is there.

use super::atomics::Atomic;
use super::vectors;
use crate::x86::alu::{Alu, Unary};
use crate::x86::bits::{BitTest, Bmi, Count};
use crate::x86::float::{Convert, Float, Fused};
use crate::x86::hardware::Hardware;
use crate::x86::masks::{MaskOp, Question};
use crate::x86::packed::{LaneShift, Packed};
use crate::x86::rearrange::{Alone, Arrange, Mix, Narrow};
use crate::x86::shift::Shift;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// How an instruction's operands are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Register, register.
    RR,
    /// Register, memory.
    RM,
    /// Memory, register.
    MR,
    /// Register, immediate.
    RI,
    /// Memory, immediate.
    MI,
    /// Memory or register and immediate to another register (`imul`, shuffles): memory flavour.
    RMI,
    /// One register.
    R,
    /// One memory operand.
    M,
    /// Shift of a register by `cl`.
    RCl,
    /// Shift of memory by `cl`.
    MCl,
    /// Shift of a register by one.
    R1,
    /// Shift of memory by one.
    M1,
    /// Anything else, as the operation says.
    Own,
}

/// What an opcode means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sem {
    /// Arithmetic that writes its result.
    Alu(Alu),
    /// `cmp`: flags of a difference.
    Cmp,
    /// `test`: flags of a conjunction.
    Test,
    /// One-operand arithmetic.
    Unary(Unary),
    /// A shift.
    Shift(Shift),
    /// Bit manipulation of later processors.
    Bmi(Bmi),
    /// Product with `dx`, flags kept: the upper half alone, or both.
    Mulx(bool),
    /// A copy between registers, memory and immediates of one width.
    Mov,
    /// An immediate of this width, zero-extended.
    MovZextImm(u32),
    /// Zero extension from a width.
    Movzx(u32),
    /// Sign extension from a width.
    Movsx(u32),
    /// Zero or minus one.
    Constant(i8),
    /// The address itself; the width addresses are computed in.
    Lea(u32),
    /// Choice by a condition.
    Cmov,
    /// A condition as a byte.
    Setcc,
    /// Minus one if carry, else zero.
    SetCarry,
    /// Product of the accumulator; signed or not.
    MulWide(bool),
    /// Quotient and remainder of the accumulator; signed or not.
    Divide(bool),
    /// Sign of the accumulator into its upper half.
    SignUpper,
    /// Sign extension of the accumulator's lower half.
    SignAcc,
    /// Reversed bytes.
    Bswap,
    /// A copy to or from memory with reversed bytes.
    MovReversed,
    /// Bit test.
    BitTest(BitTest),
    /// Bit count.
    Count(Count),
    /// Packed operation.
    Packed(Packed),
    /// Scalar floating point of this width.
    Float(Float),
    /// Packed floating point of this width.
    FloatPacked(Float),
    /// An instruction that intrinsics stand for.
    Hardware(Hardware),
    /// Square root.
    Sqrt,
    /// Square roots of lanes.
    SqrtPacked,
    /// Rounding to an integer as an immediate says.
    Round,
    /// A product and a sum, rounded once; of lanes or not.
    Fused(Fused, bool),
    /// Flags of a floating-point comparison.
    FloatFlags,
    /// Floating-point comparison by an immediate, as a mask.
    FloatMask,
    /// Packed floating-point comparison by an immediate, as masks.
    FloatMasks,
    /// Conversion from a signed integer of this width.
    FromInt(u32),
    /// Truncating conversion to a signed integer of this width.
    ToInt(u32),
    /// Conversion to a signed integer of this width, rounded by the mode.
    RoundToInt(u32),
    /// Conversion from an unsigned integer of this width.
    FromUnsigned(u32),
    /// Truncating conversion to an unsigned integer of this width.
    ToUnsigned(u32),
    /// Conversion between formats, from this width.
    FloatConvert(u32),
    /// Lane-wise conversion.
    ConvertPacked(Convert),
    /// Move whose upper bits become zero (or are cut).
    MovFit(u32),
    /// The low lane of the second over the first.
    MovLow,
    /// Lane shift.
    LaneShift(LaneShift),
    /// Whole-register byte shift; left or right.
    ByteShift(bool),
    /// Lanes of one vector arranged by an immediate.
    Arrange(Arrange),
    /// Two vectors mixed by an immediate.
    Mix(Mix),
    /// What is made of one vector alone.
    Alone(Alone),
    /// A lane of the operation's width as often as it fits.
    Broadcast,
    /// Lanes extended from this width; signed or not.
    Extend(u32, bool),
    /// Lanes blended by the signs of a mask's.
    BlendBy,
    /// Lanes by the numbers in a vector: of all, or of each 128 bits.
    Permute(bool),
    /// Lanes shifted by those of a vector.
    ShiftEach(LaneShift),
    /// A lane of the operation's width put into a vector.
    InsertLane,
    /// A lane of the operation's width taken out.
    ExtractLane,
    /// The half of 128 bits that an immediate tells.
    ExtractHalf,
    /// 64 bits from this one on, loaded or stored.
    MovHalf(u32),
    /// Lanes loaded or stored where a mask's have their sign set.
    MaskedMove,
    /// Flags of a conjunction of vectors (`ptest`).
    TestVector,
    /// Sign bits of lanes as a mask.
    MoveMask,
    /// An operation on masks.
    Mask(MaskOp),
    /// Flags of a disjunction of masks, or of a conjunction.
    MaskFlags(bool),
    /// What lanes answer, as a mask.
    Ask(Question),
    /// Lanes of ones or zeros by a mask.
    SpreadMask,
    /// The sign bits of lanes as a mask.
    SignMask,
    /// Lanes rotated by an immediate: to the left or the right.
    Rotate(bool),
    /// Lanes rotated by those of a vector.
    RotateEach(bool),
    /// Lanes made narrower, from this width.
    Truncate(u32, Narrow),
    /// `COPY`, `KILL` with operands.
    Copy,
    /// `PHI`, evaluated on the edge.
    Phi,
    /// `IMPLICIT_DEF`.
    Undefined,
    /// `SUBREG_TO_REG`.
    SubregToReg,
    /// `INSERT_SUBREG`.
    InsertSubreg,
    /// `EXTRACT_SUBREG`.
    ExtractSubreg,
    /// `REG_SEQUENCE`.
    RegSequence,
    /// No effect on what is modelled.
    Nothing,
    /// Start of a call's outgoing arguments.
    CallBegin,
    /// Their end.
    CallEnd,
    /// A full memory fence.
    Fence,
    /// The same by an update of the own stack that changes nothing.
    StackFence,
    /// The call that finds a thread-local variable, or where those of the module begin.
    ThreadLocal(bool),
    /// An operation on memory in one step.
    Atomic(Atomic),
    /// Inline assembly.
    Assembly,
    /// Vector registers into the save area of a variadic function.
    SaveVectors,
    /// `rep movs` of elements of so many bytes.
    RepeatCopy(u64),
    /// `rep stos` of elements of so many bytes.
    RepeatFill(u64),
    /// Call.
    Call,
    /// Tail call.
    TailCall,
    /// Return.
    Return,
    /// Jump.
    Jump,
    /// Conditional jump.
    JumpIf,
    /// Jump to an address.
    JumpIndirect,
    /// Trap.
    Trap,
}

/// A family of operations, by what runs them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Integers in registers and memory.
    Integer,
    /// Moves, extensions, copies.
    Moves,
    /// Integer vectors.
    Vector,
    /// Masks, and what only AVX-512 does to vectors.
    Lanes,
    /// Floating point, scalar or vector.
    Floating,
    /// Jumps, calls, returns.
    Control,
    /// Anything else.
    Other,
}

impl Sem {
    /// The family.
    pub fn family(self) -> Family {
        match self {
            Sem::Alu(_)
            | Sem::Cmp
            | Sem::Test
            | Sem::Unary(_)
            | Sem::Shift(_)
            | Sem::Bmi(_)
            | Sem::Mulx(_) => Family::Integer,
            Sem::MulWide(_) | Sem::Divide(_) | Sem::SignUpper | Sem::SignAcc | Sem::Bswap => Family::Integer,
            Sem::MovReversed => Family::Integer,
            Sem::BitTest(_) | Sem::Count(_) | Sem::Cmov | Sem::Setcc | Sem::SetCarry => Family::Integer,
            Sem::Mov | Sem::MovZextImm(_) | Sem::Movzx(_) | Sem::Movsx(_) | Sem::Constant(_) => Family::Moves,
            Sem::Lea(_) | Sem::MovFit(_) | Sem::Copy | Sem::Undefined | Sem::SubregToReg => Family::Moves,
            Sem::InsertSubreg | Sem::ExtractSubreg | Sem::RegSequence => Family::Moves,
            Sem::Packed(_) | Sem::MovLow | Sem::LaneShift(_) | Sem::ByteShift(_) | Sem::Arrange(_) => {
                Family::Vector
            }
            Sem::Mix(_) | Sem::Alone(_) | Sem::Broadcast | Sem::Extend(..) | Sem::BlendBy => Family::Vector,
            Sem::Permute(_) | Sem::ShiftEach(_) | Sem::InsertLane | Sem::ExtractLane => Family::Vector,
            Sem::ExtractHalf | Sem::MovHalf(_) | Sem::TestVector | Sem::MoveMask | Sem::MaskedMove => {
                Family::Vector
            }
            Sem::Mask(_) | Sem::MaskFlags(_) | Sem::Ask(_) | Sem::SpreadMask | Sem::SignMask => Family::Lanes,
            Sem::Rotate(_) | Sem::RotateEach(_) | Sem::Truncate(..) => Family::Lanes,
            Sem::Float(_) | Sem::FloatPacked(_) | Sem::Sqrt | Sem::FloatFlags | Sem::FloatMask => {
                Family::Floating
            }
            Sem::FloatMasks | Sem::FromInt(_) | Sem::ToInt(_) | Sem::RoundToInt(_) | Sem::FloatConvert(_) => {
                Family::Floating
            }
            Sem::Hardware(_) | Sem::FromUnsigned(_) | Sem::ToUnsigned(_) => Family::Floating,
            Sem::ConvertPacked(_) | Sem::SqrtPacked | Sem::Round | Sem::Fused(..) => Family::Floating,
            Sem::Call | Sem::TailCall | Sem::Return | Sem::Jump | Sem::JumpIf => Family::Control,
            Sem::JumpIndirect | Sem::Trap => Family::Control,
            Sem::Phi
            | Sem::Nothing
            | Sem::CallBegin
            | Sem::CallEnd
            | Sem::Fence
            | Sem::StackFence
            | Sem::Assembly => Family::Other,
            Sem::SaveVectors | Sem::RepeatCopy(_) | Sem::RepeatFill(_) | Sem::Atomic(_) => Family::Other,
            Sem::ThreadLocal(_) => Family::Other,
        }
    }
}

/// What lanes become that a mask leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masking {
    /// There is no mask.
    None,
    /// What an input has there.
    Merge,
    /// Zero.
    Zero,
    /// What the first input has there, which is not one of the operation.
    Choose,
}

/// What the encoding of AVX-512 adds to an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evex {
    /// What lanes become that the mask leaves out.
    pub masking: Masking,
    /// Bits of a lane of the result, as the mask counts them.
    pub lane: u32,
    /// How many lanes the mask tells of.
    pub count: u32,
    /// Bits of a number in memory that stands for all lanes of an input; zero where the input is read whole.
    pub spread: u32,
}

/// An opcode of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opcode {
    /// Operation width in bits (0 where it does not matter).
    pub width: u32,
    /// Operand form.
    pub form: Form,
    /// Meaning.
    pub sem: Sem,
    /// Bits of the vectors that it works on, if any.
    pub vector: u32,
    /// Whether it is encoded as AVX has it: operands in memory need no alignment, what lies above the result becomes zero.
    pub vex: bool,
    /// What it has of AVX-512's encoding.
    pub evex: Option<Evex>,
}

impl Opcode {
    /// Whether it has a mask for its lanes.
    pub fn is_masked(&self) -> bool {
        self.evex.is_some_and(|evex| evex.masking != Masking::None)
    }
}

/// Name pattern: `#` stands for each width of the line.
pub(super) type Line = (&'static str, &'static [u32], Form, Sem);

const W: &[u32] = &[8, 16, 32, 64];
const W3: &[u32] = &[16, 32, 64];
const W2: &[u32] = &[32, 64];
const D: &[u32] = &[64];
const S: &[u32] = &[32];
const N: &[u32] = &[0];

/// Lines for an arithmetic operation in all its forms.
macro_rules! alu {
    ($name:literal, $sem:expr) => {
        [
            (concat!($name, "#rr"), W, Form::RR, $sem),
            (concat!($name, "#rm"), W, Form::RM, $sem),
            (concat!($name, "#mr"), W, Form::MR, $sem),
            (concat!($name, "#ri"), W, Form::RI, $sem),
            (concat!($name, "#ri8"), W3, Form::RI, $sem),
            (concat!($name, "#ri32"), D, Form::RI, $sem),
            (concat!($name, "#mi"), W, Form::MI, $sem),
            (concat!($name, "#mi8"), W3, Form::MI, $sem),
            (concat!($name, "#mi32"), D, Form::MI, $sem),
        ]
    };
}

macro_rules! shift {
    ($name:literal, $sem:expr) => {
        [
            (concat!($name, "#ri"), W, Form::RI, $sem),
            (concat!($name, "#mi"), W, Form::MI, $sem),
            (concat!($name, "#rCL"), W, Form::RCl, $sem),
            (concat!($name, "#mCL"), W, Form::MCl, $sem),
            (concat!($name, "#r1"), W, Form::R1, $sem),
            (concat!($name, "#m1"), W, Form::M1, $sem),
        ]
    };
}

macro_rules! unary {
    ($name:literal, $sem:expr) => {
        [(concat!($name, "#r"), W, Form::R, $sem), (concat!($name, "#m"), W, Form::M, $sem)]
    };
}

/// Lines for a `lock`ed operation of a register or immediate with memory.
macro_rules! locked {
    ($name:literal, $alu:expr) => {
        [
            (concat!("LOCK_", $name, "#mr"), W, Form::MR, Sem::Atomic(Atomic::Alu($alu))),
            (concat!("LOCK_", $name, "#mi"), &[8, 16, 32], Form::MI, Sem::Atomic(Atomic::Alu($alu))),
            (concat!("LOCK_", $name, "#mi8"), W3, Form::MI, Sem::Atomic(Atomic::Alu($alu))),
            (concat!("LOCK_", $name, "#mi32"), D, Form::MI, Sem::Atomic(Atomic::Alu($alu))),
        ]
    };
}

const GROUPS: &[&[Line]] = &[
    &locked!("ADD", Alu::Add),
    &locked!("SUB", Alu::Sub),
    &locked!("AND", Alu::And),
    &locked!("OR", Alu::Or),
    &locked!("XOR", Alu::Xor),
    &[
        ("LOCK_INC#m", W, Form::M, Sem::Atomic(Atomic::Unary(Unary::Inc))),
        ("LOCK_DEC#m", W, Form::M, Sem::Atomic(Atomic::Unary(Unary::Dec))),
        ("LOCK_BTS#m", W3, Form::MI, Sem::Atomic(Atomic::Bit(BitTest::Bts))),
        ("LOCK_BTR#m", W3, Form::MI, Sem::Atomic(Atomic::Bit(BitTest::Btr))),
        ("LOCK_BTC#m", W3, Form::MI, Sem::Atomic(Atomic::Bit(BitTest::Btc))),
        ("LOCK_BTS_RM#rm", W3, Form::MR, Sem::Atomic(Atomic::FarBit(BitTest::Bts))),
        ("LOCK_BTR_RM#rm", W3, Form::MR, Sem::Atomic(Atomic::FarBit(BitTest::Btr))),
        ("LOCK_BTC_RM#rm", W3, Form::MR, Sem::Atomic(Atomic::FarBit(BitTest::Btc))),
        ("LXADD#", W, Form::RM, Sem::Atomic(Atomic::ExchangeAdd)),
        ("XCHG#rm", W, Form::RM, Sem::Atomic(Atomic::Exchange)),
        ("LCMPXCHG#", W, Form::MR, Sem::Atomic(Atomic::CompareExchange)),
    ],
    &alu!("ADD", Sem::Alu(Alu::Add)),
    &alu!("ADC", Sem::Alu(Alu::Adc)),
    &alu!("SUB", Sem::Alu(Alu::Sub)),
    &alu!("SBB", Sem::Alu(Alu::Sbb)),
    &alu!("AND", Sem::Alu(Alu::And)),
    &alu!("OR", Sem::Alu(Alu::Or)),
    &alu!("XOR", Sem::Alu(Alu::Xor)),
    &alu!("CMP", Sem::Cmp),
    &alu!("TEST", Sem::Test),
    &unary!("INC", Sem::Unary(Unary::Inc)),
    &unary!("DEC", Sem::Unary(Unary::Dec)),
    &unary!("NEG", Sem::Unary(Unary::Neg)),
    &unary!("NOT", Sem::Unary(Unary::Not)),
    &shift!("SHL", Sem::Shift(Shift::Shl)),
    &shift!("SHR", Sem::Shift(Shift::Shr)),
    &shift!("SAR", Sem::Shift(Shift::Sar)),
    &shift!("ROL", Sem::Shift(Shift::Rol)),
    &shift!("ROR", Sem::Shift(Shift::Ror)),
    &[
        ("ADD#rr_DB", W, Form::RR, Sem::Alu(Alu::OrDisjoint)),
        ("ADD#ri_DB", W, Form::RI, Sem::Alu(Alu::OrDisjoint)),
        ("ADD#ri8_DB", W3, Form::RI, Sem::Alu(Alu::OrDisjoint)),
        ("ADD#ri32_DB", D, Form::RI, Sem::Alu(Alu::OrDisjoint)),
        ("XOR8rr_NOREX", &[8], Form::RR, Sem::Alu(Alu::Xor)),
        ("IMUL#rr", W3, Form::RR, Sem::Alu(Alu::Imul)),
        ("IMUL#rm", W3, Form::RM, Sem::Alu(Alu::Imul)),
        ("IMUL#rri", W3, Form::RI, Sem::Alu(Alu::Imul)),
        ("IMUL#rri8", W3, Form::RI, Sem::Alu(Alu::Imul)),
        ("IMUL#rri32", D, Form::RI, Sem::Alu(Alu::Imul)),
        ("IMUL#rmi", W3, Form::RMI, Sem::Alu(Alu::Imul)),
        ("IMUL#rmi8", W3, Form::RMI, Sem::Alu(Alu::Imul)),
        ("IMUL#rmi32", D, Form::RMI, Sem::Alu(Alu::Imul)),
        ("SHLD#rri8", W3, Form::RI, Sem::Shift(Shift::Shld)),
        ("SHRD#rri8", W3, Form::RI, Sem::Shift(Shift::Shrd)),
        ("SHLD#rrCL", W3, Form::RCl, Sem::Shift(Shift::Shld)),
        ("SHRD#rrCL", W3, Form::RCl, Sem::Shift(Shift::Shrd)),
        ("MUL#r", W, Form::R, Sem::MulWide(false)),
        ("MUL#m", W, Form::M, Sem::MulWide(false)),
        ("IMUL#r", W, Form::R, Sem::MulWide(true)),
        ("IMUL#m", W, Form::M, Sem::MulWide(true)),
        ("DIV#r", W, Form::R, Sem::Divide(false)),
        ("DIV#m", W, Form::M, Sem::Divide(false)),
        ("IDIV#r", W, Form::R, Sem::Divide(true)),
        ("IDIV#m", W, Form::M, Sem::Divide(true)),
        ("CWD", &[16], Form::Own, Sem::SignUpper),
        ("CDQ", S, Form::Own, Sem::SignUpper),
        ("CQO", D, Form::Own, Sem::SignUpper),
        ("CBW", &[16], Form::Own, Sem::SignAcc),
        ("CWDE", S, Form::Own, Sem::SignAcc),
        ("CDQE", D, Form::Own, Sem::SignAcc),
    ],
    &[
        ("MOV#rr", W, Form::RR, Sem::Mov),
        ("MOV#rm", W, Form::RM, Sem::Mov),
        ("MOV#mr", W, Form::MR, Sem::Mov),
        ("MOV#ri", W, Form::RI, Sem::Mov),
        ("MOV#mi", W, Form::MI, Sem::Mov),
        ("MOV#ri32", D, Form::RI, Sem::Mov),
        ("MOV#mi32", D, Form::MI, Sem::Mov),
        ("MOV8mr_NOREX", &[8], Form::MR, Sem::Mov),
        ("MOV8rm_NOREX", &[8], Form::RM, Sem::Mov),
        ("MOV8rr_NOREX", &[8], Form::RR, Sem::Mov),
        ("MOV32ri64", D, Form::RI, Sem::MovZextImm(32)),
        ("MOV32ImmSExti8", S, Form::RI, Sem::Mov),
        ("MOV64ImmSExti8", D, Form::RI, Sem::Mov),
        ("MOV#r0", W2, Form::Own, Sem::Constant(0)),
        ("MOV#r1", W2, Form::Own, Sem::Constant(1)),
        ("MOV#r_1", W2, Form::Own, Sem::Constant(-1)),
        ("MOVZX#rr8", W3, Form::RR, Sem::Movzx(8)),
        ("MOVZX#rm8", W3, Form::RM, Sem::Movzx(8)),
        ("MOVZX#rr16", W2, Form::RR, Sem::Movzx(16)),
        ("MOVZX#rm16", W2, Form::RM, Sem::Movzx(16)),
        ("MOVZX32rr8_NOREX", S, Form::RR, Sem::Movzx(8)),
        ("MOVZX32rm8_NOREX", S, Form::RM, Sem::Movzx(8)),
        ("MOVSX#rr8", W3, Form::RR, Sem::Movsx(8)),
        ("MOVSX#rm8", W3, Form::RM, Sem::Movsx(8)),
        ("MOVSX#rr16", W2, Form::RR, Sem::Movsx(16)),
        ("MOVSX#rm16", W2, Form::RM, Sem::Movsx(16)),
        ("MOVSX#rr32", D, Form::RR, Sem::Movsx(32)),
        ("MOVSX#rm32", D, Form::RM, Sem::Movsx(32)),
        ("LEA64r", D, Form::RM, Sem::Lea(64)),
        ("LEA32r", S, Form::RM, Sem::Lea(32)),
        ("LEA64_32r", S, Form::RM, Sem::Lea(64)),
        ("LEA16r", &[16], Form::RM, Sem::Lea(32)),
        ("CMOV#rr", W3, Form::RR, Sem::Cmov),
        ("CMOV#rm", W3, Form::RM, Sem::Cmov),
        ("SETCCr", &[8], Form::R, Sem::Setcc),
        ("SETCCm", &[8], Form::M, Sem::Setcc),
        ("SETB_C#r", W2, Form::Own, Sem::SetCarry),
        ("BSWAP#r", W2, Form::R, Sem::Bswap),
        ("BT#rr", W3, Form::RR, Sem::BitTest(BitTest::Bt)),
        ("BT#ri8", W3, Form::RI, Sem::BitTest(BitTest::Bt)),
        ("BT#mi8", W3, Form::MI, Sem::BitTest(BitTest::Bt)),
        ("BTS#rr", W3, Form::RR, Sem::BitTest(BitTest::Bts)),
        ("BTS#ri8", W3, Form::RI, Sem::BitTest(BitTest::Bts)),
        ("BTR#rr", W3, Form::RR, Sem::BitTest(BitTest::Btr)),
        ("BTR#ri8", W3, Form::RI, Sem::BitTest(BitTest::Btr)),
        ("BTC#rr", W3, Form::RR, Sem::BitTest(BitTest::Btc)),
        ("BTC#ri8", W3, Form::RI, Sem::BitTest(BitTest::Btc)),
        ("BSF#rr", W3, Form::RR, Sem::Count(Count::Bsf)),
        ("BSF#rm", W3, Form::RM, Sem::Count(Count::Bsf)),
        ("BSR#rr", W3, Form::RR, Sem::Count(Count::Bsr)),
        ("BSR#rm", W3, Form::RM, Sem::Count(Count::Bsr)),
        ("POPCNT#rr", W3, Form::RR, Sem::Count(Count::Popcnt)),
        ("POPCNT#rm", W3, Form::RM, Sem::Count(Count::Popcnt)),
        ("LZCNT#rr", W3, Form::RR, Sem::Count(Count::Lzcnt)),
        ("LZCNT#rm", W3, Form::RM, Sem::Count(Count::Lzcnt)),
        ("TZCNT#rr", W3, Form::RR, Sem::Count(Count::Tzcnt)),
        ("TZCNT#rm", W3, Form::RM, Sem::Count(Count::Tzcnt)),
        ("SHLX#rr", W2, Form::RR, Sem::Bmi(Bmi::Shlx)),
        ("SHRX#rr", W2, Form::RR, Sem::Bmi(Bmi::Shrx)),
        ("SARX#rr", W2, Form::RR, Sem::Bmi(Bmi::Sarx)),
        ("BZHI#rr", W2, Form::RR, Sem::Bmi(Bmi::Bzhi)),
        ("ANDN#rr", W2, Form::RR, Sem::Bmi(Bmi::Andn)),
        ("RORX#ri", W2, Form::RI, Sem::Bmi(Bmi::Rorx)),
        ("BLSR#rr", W2, Form::R, Sem::Bmi(Bmi::Blsr)),
        ("BLSI#rr", W2, Form::R, Sem::Bmi(Bmi::Blsi)),
        ("BLSMSK#rr", W2, Form::R, Sem::Bmi(Bmi::Blsmsk)),
        ("MULX#rr", W2, Form::Own, Sem::Mulx(false)),
        ("MULX#Hrr", W2, Form::Own, Sem::Mulx(true)),
        ("SHLX#rm", W2, Form::Own, Sem::Bmi(Bmi::Shlx)),
        ("SHRX#rm", W2, Form::Own, Sem::Bmi(Bmi::Shrx)),
        ("SARX#rm", W2, Form::Own, Sem::Bmi(Bmi::Sarx)),
        ("BZHI#rm", W2, Form::Own, Sem::Bmi(Bmi::Bzhi)),
        ("ANDN#rm", W2, Form::RM, Sem::Bmi(Bmi::Andn)),
        ("RORX#mi", W2, Form::Own, Sem::Bmi(Bmi::Rorx)),
        ("BLSR#rm", W2, Form::Own, Sem::Bmi(Bmi::Blsr)),
        ("BLSI#rm", W2, Form::Own, Sem::Bmi(Bmi::Blsi)),
        ("BLSMSK#rm", W2, Form::Own, Sem::Bmi(Bmi::Blsmsk)),
        ("MULX#rm", W2, Form::RM, Sem::Mulx(false)),
        ("MULX#Hrm", W2, Form::RM, Sem::Mulx(true)),
        ("PDEP#rr", W2, Form::RR, Sem::Bmi(Bmi::Pdep)),
        ("PEXT#rr", W2, Form::RR, Sem::Bmi(Bmi::Pext)),
        ("BEXTR#rr", W2, Form::RR, Sem::Bmi(Bmi::Bextr)),
        ("PDEP#rm", W2, Form::RM, Sem::Bmi(Bmi::Pdep)),
        ("PEXT#rm", W2, Form::RM, Sem::Bmi(Bmi::Pext)),
        ("BEXTR#rm", W2, Form::Own, Sem::Bmi(Bmi::Bextr)),
        ("MOVBE#rm", W3, Form::RM, Sem::MovReversed),
        ("MOVBE#mr", W3, Form::MR, Sem::MovReversed),
    ],
    &[
        ("COPY", N, Form::Own, Sem::Copy),
        ("PHI", N, Form::Own, Sem::Phi),
        ("IMPLICIT_DEF", N, Form::Own, Sem::Undefined),
        ("SUBREG_TO_REG", N, Form::Own, Sem::SubregToReg),
        ("INSERT_SUBREG", N, Form::Own, Sem::InsertSubreg),
        ("EXTRACT_SUBREG", N, Form::Own, Sem::ExtractSubreg),
        ("REG_SEQUENCE", N, Form::Own, Sem::RegSequence),
        ("KILL", N, Form::Own, Sem::Copy),
        ("DBG_VALUE", N, Form::Own, Sem::Nothing),
        ("DBG_INSTR_REF", N, Form::Own, Sem::Nothing),
        ("DBG_PHI", N, Form::Own, Sem::Nothing),
        ("DBG_LABEL", N, Form::Own, Sem::Nothing),
        ("CFI_INSTRUCTION", N, Form::Own, Sem::Nothing),
        ("LIFETIME_START", N, Form::Own, Sem::Nothing),
        ("LIFETIME_END", N, Form::Own, Sem::Nothing),
        ("ADJCALLSTACKDOWN64", N, Form::Own, Sem::CallBegin),
        ("ADJCALLSTACKUP64", N, Form::Own, Sem::CallEnd),
        ("TLS_addr64", D, Form::M, Sem::ThreadLocal(false)),
        ("TLS_base_addr64", D, Form::M, Sem::ThreadLocal(true)),
        ("MFENCE", N, Form::Own, Sem::Fence),
        // A `lock`ed update of the stack by nothing, which some processors do faster.
        ("OR32mi8Locked", D, Form::MI, Sem::StackFence),
        ("MEMBARRIER", N, Form::Own, Sem::Nothing),
        ("INLINEASM", N, Form::Own, Sem::Assembly),
        ("VASTART_SAVE_XMM_REGS", N, Form::Own, Sem::SaveVectors),
        ("REP_MOVSB_64", N, Form::Own, Sem::RepeatCopy(1)),
        ("REP_MOVSW_64", N, Form::Own, Sem::RepeatCopy(2)),
        ("REP_MOVSD_64", N, Form::Own, Sem::RepeatCopy(4)),
        ("REP_MOVSQ_64", N, Form::Own, Sem::RepeatCopy(8)),
        ("REP_STOSB_64", N, Form::Own, Sem::RepeatFill(1)),
        ("REP_STOSW_64", N, Form::Own, Sem::RepeatFill(2)),
        ("REP_STOSD_64", N, Form::Own, Sem::RepeatFill(4)),
        ("REP_STOSQ_64", N, Form::Own, Sem::RepeatFill(8)),
        ("PREFETCHT0", N, Form::M, Sem::Nothing),
        ("PREFETCHT1", N, Form::M, Sem::Nothing),
        ("PREFETCHT2", N, Form::M, Sem::Nothing),
        ("PREFETCHNTA", N, Form::M, Sem::Nothing),
        ("PREFETCHW", N, Form::M, Sem::Nothing),
        ("CALL64pcrel32", N, Form::R, Sem::Call),
        ("CALL64r", N, Form::R, Sem::Call),
        ("CALL64m", N, Form::M, Sem::Call),
        ("TCRETURNdi64", N, Form::R, Sem::TailCall),
        ("TCRETURNri64", N, Form::R, Sem::TailCall),
        ("TCRETURNmi64", N, Form::M, Sem::TailCall),
        ("RET", N, Form::Own, Sem::Return),
        ("RET64", N, Form::Own, Sem::Return),
        ("JMP_1", N, Form::Own, Sem::Jump),
        ("JCC_1", N, Form::Own, Sem::JumpIf),
        ("JMP64r", N, Form::R, Sem::JumpIndirect),
        ("JMP64m", N, Form::M, Sem::JumpIndirect),
        ("TRAP", N, Form::Own, Sem::Trap),
    ],
];

fn table() -> &'static FxHashMap<String, Opcode> {
    static TABLE: OnceLock<FxHashMap<String, Opcode>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = FxHashMap::default();
        for line in GROUPS.iter().copied().flatten() {
            let (pattern, widths, form, sem) = *line;
            for &width in widths {
                let name = pattern.replace('#', &width.to_string());
                table.insert(name, Opcode { width, form, sem, vector: 128, vex: false, evex: None });
            }
        }
        table.extend(vectors::opcodes());
        table
    })
}

/// The meaning of an opcode, if the table has it.
pub fn opcode(name: &str) -> Option<Opcode> {
    table().get(name).copied()
}

/// Every opcode of the table, by name.
pub fn opcodes() -> Vec<(&'static str, Opcode)> {
    let mut all: Vec<_> = table().iter().map(|(name, op)| (name.as_str(), *op)).collect();
    all.sort_by_key(|(name, _)| *name);
    all
}
