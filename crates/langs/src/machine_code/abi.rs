//! What the machines have in common, as data: registers by number, and what the calling convention says of each.
//!
//! General registers come first, then vectors; the numbers of both are below 64, so that sets are words.

use super::function::Decoded;

/// A machine with its convention.
#[derive(Debug)]
pub struct Abi {
    /// How many general registers there are; vectors are numbered from here on.
    pub general: usize,
    /// How many registers there are.
    pub registers: usize,
    /// The number of the first vector's upper half, where vectors have one: what is above the width of a vector, in a register
    /// of its own for each. They come last.
    pub uppers: Option<usize>,
    /// How many low bits of a general register the machine has: what lies above them is zero.
    pub word: u32,
    /// The width of a vector in bits; without vectors, of a register of floating-point numbers.
    pub vector_width: u32,
    /// The stack pointer.
    pub stack: usize,
    /// The frame pointer.
    pub frame: usize,
    /// The registers of arguments in order: so many general ones, so many vectors, others.
    pub arguments: &'static [usize],
    /// How many general registers hold arguments.
    pub general_arguments: usize,
    /// How many vectors do.
    pub vector_arguments: usize,
    /// The register of arguments that counts those in vectors, where one does.
    pub counter: Option<usize>,
    /// Whether unnamed arguments are passed in vectors.
    pub unnamed_vectors: bool,
    /// The registers of results: two general ones, two vectors.
    pub results: [usize; 4],
    /// Registers whose low 64 bits the caller finds as they were, but for the stack pointer.
    pub saved: &'static [usize],
    /// Registers, as bits, that a call may leave changed.
    pub clobbered: u64,
    /// Where the caller returns to, if a register holds it: what is called with a jump has to be given it.
    pub link: Option<usize>,
    /// Whether who passes an argument extends it to 32 bits.
    pub extends: bool,
    /// Whether arguments and results fill their registers: integers by the sign of their type up to 32 bits and by their own
    /// sign from there, floating-point numbers by ones.
    pub widens: bool,
    /// Where arguments on the stack begin, from the stack pointer of the entry.
    pub incoming: i64,
    /// The flags that it has, of carry, parity, zero, sign and overflow by their places.
    pub flags: &'static [usize],
    /// Names of general registers.
    pub names: &'static [&'static str],
    /// The letters before the number of a vector.
    pub vector: &'static str,
    /// An instruction that does nothing.
    pub nothing: fn() -> Decoded,
}

impl Abi {
    /// The width of a register in bits.
    #[must_use]
    pub fn width(&self, register: usize) -> u32 {
        if register < self.general { 64 } else { self.vector_width }
    }

    /// The number of a vector's upper half, where vectors have one; otherwise its own.
    #[must_use]
    pub fn upper(&self, vector: usize) -> usize {
        self.uppers.map_or(vector, |first| first + vector - self.general)
    }

    /// The name of a register.
    #[must_use]
    pub fn name(&self, n: usize) -> String {
        match (self.names.get(n), self.uppers.filter(|first| n >= *first)) {
            (Some(name), _) => (*name).to_owned(),
            (None, Some(first)) => format!("upper half of {}{}", self.vector, n - first),
            (None, None) => format!("{}{}", self.vector, n - self.general),
        }
    }

    /// Registers that a call may leave changed in part: vectors whose low half is kept.
    pub(crate) fn half_kept(&self) -> impl Iterator<Item = usize> {
        let general = self.general;
        self.saved.iter().copied().filter(move |n| *n >= general)
    }
}

/// The registers of a set.
pub(crate) fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |n| set >> n & 1 == 1)
}
