//! Instructions of AArch64 as data.
//!
//! General registers are numbered as the machine has them; [`SP`] is the stack pointer and [`ZERO`] reads as zero and forgets
//! what is written. Vectors are numbered from [`VECTOR`] on.

/// The stack pointer.
pub const SP: u8 = 31;
/// The first vector.
pub const VECTOR: u8 = 32;
/// The register that is zero.
pub const ZERO: u8 = 255;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insn {
    /// Its word.
    pub word: u32,
    /// What it is; none if that is not modelled.
    pub op: Option<Op>,
}

/// How a register is shifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// To the left.
    Lsl,
    /// To the right, zeros coming in.
    Lsr,
    /// To the right, the sign coming in.
    Asr,
    /// Around.
    Ror,
}

/// A register of which so many low bits are extended, and then shifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extended {
    /// The register.
    pub register: u8,
    /// How many bits of it.
    pub bits: u32,
    /// Whether the highest is the sign.
    pub signed: bool,
    /// By how many bits the result is shifted to the left.
    pub left: u32,
}

/// The last operand of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A number.
    Number(u64),
    /// A register, shifted.
    Shifted(u8, Shift, u32),
    /// A register, extended.
    Extended(Extended),
}

/// A bitwise operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// And.
    And,
    /// Or.
    Or,
    /// Exclusive or.
    Xor,
}

/// What a wide move keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveWide {
    /// The number alone.
    Zero,
    /// The number alone, inverted.
    Not,
    /// All other bits.
    Keep,
}

/// What a bit field is put into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Copies of its sign.
    Signed,
    /// Zeros.
    Unsigned,
    /// What the register holds.
    Insert,
}

/// What becomes of the second register of a selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Other {
    /// It is as it is.
    Same,
    /// It is increased by one.
    Increment,
    /// It is inverted.
    Invert,
    /// It is negated.
    Negate,
}

/// An operation on one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum One {
    /// Bits the other way around.
    ReverseBits,
    /// Bytes the other way around in pieces of so many bits.
    ReverseBytes(u32),
    /// Leading zeros.
    LeadingZeros,
    /// Leading bits like the sign, but for itself.
    LeadingSigns,
}

/// An operation on two registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Two {
    /// A quotient; of nothing where the divisor is zero.
    Divide {
        /// Whether operands are signed.
        signed: bool,
    },
    /// A shift by a register, which counts modulo the width.
    Shift(Shift),
}

/// Where memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The base.
    pub base: u8,
    /// What is added to it.
    pub index: Index,
    /// What becomes of the base.
    pub writeback: Writeback,
}

/// What is added to the base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// A number.
    Number(i64),
    /// A register.
    Register(Extended),
}

/// Whether an access moves its base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writeback {
    /// It stays.
    None,
    /// It moves by the index before the access.
    Before,
    /// It moves by the index, which is not part of the address.
    After,
}

/// What an access of memory does with what it loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It stores.
    Store,
    /// It loads, and fills up with zeros.
    Load,
    /// It loads, and extends the sign to so many bits.
    LoadSigned(u32),
}

/// An operation on floating-point numbers.
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
    /// Negated product.
    NegMul,
}

/// What becomes of one floating-point number without rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// It is copied.
    Same,
    /// Its sign is cleared.
    Absolute,
    /// Its sign is inverted.
    Negate,
}

/// What an instruction is. `wide` is of 64 bits, other operations on general registers are of 32 and clear the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// It does nothing.
    Nothing,
    /// The processor stops the program.
    Trap,
    /// Sum or difference.
    AddSub {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Whether it subtracts.
        sub: bool,
        /// Whether it sets the flags.
        flags: bool,
        /// Result.
        to: u8,
        /// First operand.
        a: u8,
        /// Second operand.
        b: Operand,
    },
    /// Sum or difference with the carry flag.
    Carry {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Whether it subtracts.
        sub: bool,
        /// Whether it sets the flags.
        flags: bool,
        /// Result.
        to: u8,
        /// Operands.
        a: u8,
        /// Second operand.
        b: u8,
    },
    /// A bitwise operation.
    Logic {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Which.
        logic: Logic,
        /// Whether the second operand is inverted.
        invert: bool,
        /// Whether it sets the flags.
        flags: bool,
        /// Result.
        to: u8,
        /// First operand.
        a: u8,
        /// Second operand.
        b: Operand,
    },
    /// A number of 16 bits, shifted.
    MoveWide {
        /// Whether the result has 64 bits.
        wide: bool,
        /// What else there is.
        kind: MoveWide,
        /// Result.
        to: u8,
        /// The number.
        number: u64,
        /// By how many bits it is shifted.
        left: u32,
    },
    /// A field of bits, moved.
    Field {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Into what.
        kind: Field,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
        /// By how many bits it is turned to the right.
        right: u32,
        /// The number of the highest bit of the field.
        top: u32,
    },
    /// The middle of two registers.
    Extract {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Result.
        to: u8,
        /// The upper one.
        a: u8,
        /// The lower one.
        b: u8,
        /// The number of the lowest bit.
        low: u32,
    },
    /// One of two registers.
    Select {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Result.
        to: u8,
        /// Where the condition holds.
        a: u8,
        /// Where it does not.
        b: u8,
        /// The condition.
        condition: u32,
        /// What becomes of the latter.
        other: Other,
    },
    /// Flags of a comparison where a condition holds, and others where not.
    CompareIf {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Whether it subtracts.
        sub: bool,
        /// First operand.
        a: u8,
        /// Second operand.
        b: Operand,
        /// The condition.
        condition: u32,
        /// The other flags: negative, zero, carry, overflow from the highest bit on.
        flags: u32,
    },
    /// An operation on one register.
    One {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Which.
        one: One,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// An operation on two registers.
    Two {
        /// Whether operands have 64 bits.
        wide: bool,
        /// Which.
        two: Two,
        /// Result.
        to: u8,
        /// First operand.
        a: u8,
        /// Second operand.
        b: u8,
    },
    /// A product, added to a register or subtracted from it.
    MulAdd {
        /// Whether the result has 64 bits.
        wide: bool,
        /// Whether factors have 32 bits and are extended so.
        narrow: Option<bool>,
        /// Whether the product is subtracted.
        sub: bool,
        /// Result.
        to: u8,
        /// First factor.
        a: u8,
        /// Second factor.
        b: u8,
        /// What it is added to.
        sum: u8,
    },
    /// The upper half of a product of 128 bits.
    MulHigh {
        /// Whether factors are signed.
        signed: bool,
        /// Result.
        to: u8,
        /// First factor.
        a: u8,
        /// Second factor.
        b: u8,
    },
    /// The address of a place near by, or of its page.
    Address {
        /// Whether of the page.
        page: bool,
        /// Result.
        to: u8,
    },
    /// An access of memory by one register.
    Memory {
        /// What it does.
        access: Access,
        /// Bytes.
        bytes: u32,
        /// The register.
        register: u8,
        /// Where.
        address: Address,
    },
    /// An access of memory by two registers.
    Pair {
        /// What it does.
        access: Access,
        /// Bytes of one of them.
        bytes: u32,
        /// The registers.
        registers: (u8, u8),
        /// Where.
        address: Address,
    },
    /// A jump inside or out of the function.
    Jump,
    /// A jump under a condition of the flags.
    JumpIf(u32),
    /// A jump where a register is zero, or is not.
    JumpIfZero {
        /// Whether the register has 64 bits.
        wide: bool,
        /// Whether it has to be zero.
        zero: bool,
        /// The register.
        a: u8,
    },
    /// A jump where a bit is set, or is not.
    JumpIfBit {
        /// Whether it has to be set.
        set: bool,
        /// The register.
        a: u8,
        /// The number of the bit.
        bit: u32,
    },
    /// A call.
    Call,
    /// A call of what a register holds.
    CallRegister(u8),
    /// A jump to what a register holds.
    JumpRegister(u8),
    /// A return by x30.
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
    /// A floating-point number, its sign changed or not.
    FloatSign {
        /// The width of the format.
        bits: u32,
        /// What becomes of the sign.
        sign: Sign,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// A number for the low bits of a vector, which is zero above.
    FloatNumber {
        /// Result.
        to: u8,
        /// The bits.
        number: u64,
    },
    /// A number for both halves of a vector.
    VectorNumber {
        /// Result.
        to: u8,
        /// The bits of a half.
        half: u64,
    },
    /// The product of two floating-point numbers, or its negation, and a third one or its negation, rounded once.
    FloatFused {
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
        /// What becomes of the product.
        product: Sign,
        /// What becomes of what is added.
        added: Sign,
    },
    /// The low bits of a register or vector, to the other kind.
    MoveBits {
        /// How many.
        bits: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// Flags of a comparison of floating-point numbers.
    FloatCompare {
        /// The width of the format.
        bits: u32,
        /// First operand.
        a: u8,
        /// Second operand; none for zero.
        b: Option<u8>,
    },
    /// One of two floating-point numbers.
    FloatSelect {
        /// The width of the format.
        bits: u32,
        /// Result.
        to: u8,
        /// Where the condition holds.
        a: u8,
        /// Where it does not.
        b: u8,
        /// The condition.
        condition: u32,
    },
    /// The square root.
    FloatRoot {
        /// The width of the format.
        bits: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
    /// A number in another format.
    FloatFormat {
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
    /// A floating-point number as an integer, rounded to zero.
    ToInteger {
        /// The width of its format.
        from: u32,
        /// Whether the integer has a sign.
        signed: bool,
        /// Its width.
        bits: u32,
        /// Result.
        to: u8,
        /// Operand.
        a: u8,
    },
}

impl Insn {
    /// Bytes of one register of an access of memory; none where it accesses none.
    #[must_use]
    pub fn bytes(&self) -> Option<u32> {
        match self.op? {
            Op::Memory { bytes, .. } | Op::Pair { bytes, .. } => Some(bytes),
            _ => None,
        }
    }
}
