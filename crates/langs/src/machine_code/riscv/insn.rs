//! Instructions of RISC-V as data.
//!
//! General registers are numbered as the machine has them, but that `x0` is [`ZERO`], which reads as zero and forgets what is
//! written. Those of floating-point numbers are numbered from [`FLOAT`] on.

/// The register that is zero.
pub const ZERO: u8 = 255;
/// Where a call leaves the address behind it.
pub const LINK: u8 = 1;
/// The stack pointer.
pub const SP: u8 = 2;
/// The frame pointer, where a function has one.
pub const FRAME: u8 = 8;
/// The first register of floating-point numbers.
pub const FLOAT: u8 = 32;
/// The last of these.
pub const LAST: u8 = 63;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insn {
    /// Its bytes, the first the lowest: two, four, or the eight of a call or jump in two steps.
    pub word: u64,
    /// What it is; none if that is not modelled.
    pub op: Option<Op>,
}

/// The last operand of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A number.
    Number(i64),
    /// A register.
    Register(u8),
}

/// An operation on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Shift to the left, modulo the width.
    Left,
    /// Shift to the right, zeros coming in.
    Right,
    /// Shift to the right, the sign coming in.
    RightSigned,
    /// Whether the first is less.
    Less {
        /// Whether they have a sign.
        signed: bool,
    },
    /// Exclusive or.
    Xor,
    /// Or.
    Or,
    /// And.
    And,
    /// Product.
    Mul,
    /// The upper half of a product of 128 bits; whether each factor has a sign.
    MulHigh(bool, bool),
    /// Quotient; all ones where the divisor is zero.
    Quotient {
        /// Whether they have a sign.
        signed: bool,
    },
    /// Remainder; the dividend where the divisor is zero.
    Remainder {
        /// Whether they have a sign.
        signed: bool,
    },
}

/// What a branch asks of two registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// They are equal.
    Equal,
    /// The first is less.
    Less {
        /// Whether they have a sign.
        signed: bool,
    },
}

/// Where memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The base.
    pub base: u8,
    /// What is added to it.
    pub offset: i64,
}

/// Arithmetic of floating-point numbers.
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
    /// The smaller, -0 below 0; of a number and a NaN the number.
    Min,
    /// The larger, in the same way.
    Max,
    /// The first with the sign of the second.
    SignOf,
    /// The first with the opposite sign of the second.
    SignNot,
    /// The first with both signs exclusive-ored.
    SignXor,
}

/// A comparison of floating-point numbers; none holds of a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// Less or equal.
    LessEqual,
    /// Less.
    Less,
    /// Equal.
    Equal,
}

/// What an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// The processor stops the program.
    Trap,
    /// A number, added to the address of the instruction or not.
    Upper {
        /// Whether it is added to the address.
        counter: bool,
        /// Result.
        to: u8,
        /// The number.
        number: i64,
    },
    /// An operation on integers.
    Binary {
        /// Which.
        binary: Binary,
        /// Whether operands are the lower halves, and the result is one with its sign extended.
        half: bool,
        /// Result.
        to: u8,
        /// First operand.
        a: u8,
        /// Second operand.
        b: Operand,
    },
    /// It loads.
    Load {
        /// Result; one of floating-point numbers gets ones above.
        to: u8,
        /// From where.
        address: Address,
        /// How many bytes.
        bytes: u32,
        /// Whether the sign is extended.
        signed: bool,
    },
    /// It stores the low bytes of a register.
    Store {
        /// What.
        from: u8,
        /// Where to.
        address: Address,
        /// How many bytes.
        bytes: u32,
    },
    /// A jump to a known place, by an address that it makes in a register or not.
    Jump {
        /// The register; [`ZERO`] for none.
        scratch: u8,
    },
    /// A jump where a condition holds.
    JumpIf {
        /// The condition.
        condition: Condition,
        /// Whether it has to hold.
        holds: bool,
        /// First operand.
        a: u8,
        /// Second operand.
        b: u8,
    },
    /// A jump to what a register holds.
    JumpRegister(u8),
    /// A call.
    Call,
    /// A call of what a register holds.
    CallRegister(u8),
    /// A return by `ra`.
    Return,
    /// Arithmetic on floating-point numbers.
    Float {
        /// The width of the format.
        bits: u32,
        /// Which.
        float: Float,
        /// Result.
        to: u8,
        /// First operand.
        a: u8,
        /// Second operand.
        b: u8,
    },
    /// The product of two floating-point numbers and a third one, rounded once.
    Fused {
        /// The width of the format.
        bits: u32,
        /// Result.
        to: u8,
        /// First factor.
        a: u8,
        /// Second factor.
        b: u8,
        /// What is added.
        sum: u8,
        /// Whether the product is negated.
        negated: bool,
        /// Whether it is subtracted.
        minus: bool,
    },
    /// The square root.
    Root {
        /// The width of the format.
        bits: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// A comparison of floating-point numbers, as one or zero.
    FloatCompare {
        /// The width of the format.
        bits: u32,
        /// Which.
        compare: Compare,
        /// Result.
        to: u8,
        /// First operand.
        a: u8,
        /// Second operand.
        b: u8,
    },
    /// What class a floating-point number is of, as one of ten bits.
    Class {
        /// The width of the format.
        bits: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// A number in another format.
    Format {
        /// The width of its format.
        from: u32,
        /// That of the other.
        into: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// An integer as a floating-point number.
    FromInteger {
        /// Whether it has a sign.
        signed: bool,
        /// Its width.
        bits: u32,
        /// That of the format.
        into: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// A floating-point number as an integer, rounded to zero; the nearest one where it does not fit, the largest for a NaN.
    ToInteger {
        /// The width of its format.
        from: u32,
        /// Whether the integer has a sign.
        signed: bool,
        /// Its width.
        bits: u32,
        /// Result, its sign extended.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// The low bits of a register as one of the other kind.
    MoveBits {
        /// How many.
        bits: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
}

impl Insn {
    /// Bytes of an access of memory; none where it accesses none.
    #[must_use]
    pub fn bytes(&self) -> Option<u32> {
        match self.op? {
            Op::Load { bytes, .. } | Op::Store { bytes, .. } => Some(bytes),
            _ => None,
        }
    }
}
