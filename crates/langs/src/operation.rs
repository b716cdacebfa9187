//! Operations that no semantics here models: each is the same function of its operands on both sides of a pair. Both
//! languages name them here, so that the same operation has the same name.

use crate::assumption::Assumption;
use std::fmt;

/// Formats of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// IEEE, 16 bits.
    F16,
    /// The upper half of [`Format::F32`].
    BF16,
    /// IEEE, 32 bits.
    F32,
    /// IEEE, 64 bits.
    F64,
    /// x87, 80 bits.
    F80,
    /// IEEE, 128 bits.
    F128,
    /// Two [`Format::F64`].
    PpcF128,
}

impl Format {
    /// Whether comparisons of this format are modelled by bits.
    pub fn has_exact_comparisons(self) -> bool {
        match self {
            Format::F32 | Format::F64 => true,
            Format::F16 | Format::BF16 | Format::F80 | Format::F128 | Format::PpcF128 => false,
        }
    }

    /// Bits of the mantissa, the hidden one left out, where the format is one of IEEE's.
    pub fn mantissa(self) -> Option<u32> {
        match self {
            Format::F16 => Some(10),
            Format::BF16 => Some(7),
            Format::F32 => Some(23),
            Format::F64 => Some(52),
            Format::F128 => Some(112),
            Format::F80 | Format::PpcF128 => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::F16 => "f16",
            Format::BF16 => "bf16",
            Format::F32 => "f32",
            Format::F64 => "f64",
            Format::F80 => "f80",
            Format::F128 => "f128",
            Format::PpcF128 => "ppcf128",
        })
    }
}

/// Arithmetic of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Remainder, as `fmod`.
    Rem,
}

impl Arithmetic {
    /// Whether the operands may change places. (Where both are NaN the result is some NaN either way.)
    pub fn commutes(self) -> bool {
        match self {
            Arithmetic::Add | Arithmetic::Mul => true,
            Arithmetic::Sub | Arithmetic::Div | Arithmetic::Rem => false,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Arithmetic::Add => "fadd",
            Arithmetic::Sub => "fsub",
            Arithmetic::Mul => "fmul",
            Arithmetic::Div => "fdiv",
            Arithmetic::Rem => "frem",
        }
    }
}

/// What a comparison asks that is not told by bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// Ordered and less.
    Less,
    /// Ordered and equal.
    Equal,
    /// One is no number.
    Unordered,
}

/// Conversions, by what they take and give.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// Between formats.
    Format {
        /// What is converted.
        from: Format,
        /// Into what.
        to: Format,
    },
    /// An integer becomes a number.
    FromInt {
        /// Is the integer signed?
        signed: bool,
        /// Its bits.
        bits: u32,
        /// Into what.
        to: Format,
    },
    /// A number becomes an integer.
    ToInt {
        /// What is converted.
        from: Format,
        /// Is the integer signed?
        signed: bool,
        /// Its bits.
        bits: u32,
    },
}

impl fmt::Display for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |signed: bool| if signed { "si" } else { "ui" };
        match self {
            Conversion::Format { from, to } => write!(f, "fpconv.{from}.{to}"),
            Conversion::FromInt { signed, bits, to } => write!(f, "{}tofp.i{bits}.{to}", sign(*signed)),
            Conversion::ToInt { from, signed, bits } => write!(f, "fpto{}.{from}.i{bits}", sign(*signed)),
        }
    }
}

/// An operation known by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Arithmetic of two numbers.
    Arithmetic(Arithmetic, Format),
    /// `a * b + c`, rounded once or twice; the factors are one operand, the first above the second.
    MultiplyAdd(Format),
    /// `a * b + c`, rounded once: the sign of the product, the factors without theirs, the addend.
    Fused(Format),
    /// The square root.
    SquareRoot(Format),
    /// A conversion of a value that fits.
    Convert(Conversion),
    /// Whether a number does not fit an integer.
    OutOfRange {
        /// The number's format.
        from: Format,
        /// Is the integer signed?
        signed: bool,
        /// Its bits.
        bits: u32,
    },
    /// A comparison.
    Compare(Comparison, Format),
    /// A function of the mathematical library, by its name without a suffix.
    Library(String, Format),
    /// A call of a function that only computes, by its name.
    Call(String),
    /// An output of inline assembly: its label and the output's number.
    Assembly(String, usize),
    /// An instruction that only computes, by its name.
    Instruction(String),
    /// The object that an address lies in.
    ObjectOfAnAddress,
    /// Whether address arithmetic with these flags wraps, from base and result.
    AddressWraps(u32),
    /// What an instruction of the target with fast-math flags makes of the plain result.
    Chosen {
        /// The instruction's number among those.
        number: u32,
        /// The lane of the result.
        lane: u32,
    },
}

impl Operation {
    /// What a proof assumes that rests on it.
    pub fn assumption(&self) -> Assumption {
        match self {
            Operation::Arithmetic(..)
            | Operation::MultiplyAdd(_)
            | Operation::Fused(_)
            | Operation::SquareRoot(_)
            | Operation::Convert(_)
            | Operation::OutOfRange { .. }
            | Operation::Compare(..)
            | Operation::Library(..)
            | Operation::Chosen { .. } => Assumption::FloatsByName,
            Operation::Call(_) => Assumption::PureCallsByName,
            Operation::Assembly(..) => Assumption::AssemblyByText,
            Operation::Instruction(_) => Assumption::InstructionsByName,
            Operation::ObjectOfAnAddress => Assumption::ObjectOfAnAddress,
            Operation::AddressWraps(_) => Assumption::AddressWraps,
        }
    }

    /// As solvers know it.
    pub fn symbol(&self) -> smt::Operation {
        if *self == Operation::ObjectOfAnAddress {
            return smt::Operation::object_of_an_address();
        }
        smt::Operation {
            class: self.assumption().class(),
            name: self.to_string(),
            of_ranges: false,
            commutes: self.commutes(),
        }
    }

    /// Whether the first two operands may change places.
    fn commutes(&self) -> bool {
        match self {
            Operation::Arithmetic(op, _) => op.commutes(),
            Operation::Compare(Comparison::Equal | Comparison::Unordered, _) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Arithmetic(op, format) => write!(f, "{}.{format}", op.name()),
            Operation::MultiplyAdd(format) => write!(f, "fmuladd.{format}"),
            Operation::Fused(format) => write!(f, "fma.{format}"),
            Operation::SquareRoot(format) => write!(f, "fsqrt.{format}"),
            Operation::Convert(conversion) => write!(f, "{conversion}"),
            Operation::OutOfRange { from, signed, bits } => {
                write!(f, "fpto{}.range.{from}.i{bits}", if *signed { "si" } else { "ui" })
            }
            Operation::Compare(Comparison::Less, format) => write!(f, "flt.{format}"),
            Operation::Compare(Comparison::Equal, format) => write!(f, "feq.{format}"),
            Operation::Compare(Comparison::Unordered, format) => write!(f, "funo.{format}"),
            Operation::Library(name, format) => write!(f, "library.{name}.{format}"),
            Operation::Call(name) => write!(f, "call of {name}"),
            Operation::Assembly(label, output) => write!(f, "{label} #{output}"),
            Operation::Instruction(name) => write!(f, "instruction {name}"),
            Operation::ObjectOfAnAddress => f.write_str("object of an address"),
            Operation::AddressWraps(flags) => write!(f, "gep.out.{flags}"),
            Operation::Chosen { number, lane } => write!(f, "chosen.{number}.{lane}"),
        }
    }
}
