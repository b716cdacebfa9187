//! Freedoms of the source that the target resolves. Where the source leaves something open (the bits of poison, an
//! undefined value, which of two equal forms a computation has), any way to settle it that the source allows may be
//! taken in a proof of refinement, also one that is picked in view of the target. Picked well, both programs have equal
//! values where the source leaves them open, and relations between them are not lost.
//!
//! Each freedom is a file here: what is open, why it may be settled so, and how the text of the target tells which way
//! helps. Nothing here knows a language: sources implement [`Source`], targets [`Target`], and the semantics of the source
//! asks what was chosen ([`Choices`]) where the freedom arises. A choice that does not fit the target only loses a proof.
//!
//! To add a choice: a file with a [`Choice`] and the function that makes it, a line in [`CHOICES`], a field of
//! [`Choices`], and a pair under `tests/equiv/equivalent` that is not proved without it; a test removes every choice in
//! turn from its pair.

pub mod exact_quotient;
pub mod extreme;
pub mod fused;
pub mod library_call;
pub mod nonnegative;
pub mod open_phi;
pub mod scan_of_zero;
pub mod shift_amount;

use rustc_hash::{FxHashMap, FxHashSet};

/// A freedom of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// What the source leaves open.
    pub open: &'static str,
    /// What it is taken to be.
    pub taken: &'static str,
    /// A file under `tests/equiv` with a function that is not proved without it.
    pub pair: &'static str,
}

/// Every choice.
pub const CHOICES: &[Choice] = &[
    exact_quotient::CHOICE,
    extreme::CHOICE,
    fused::CHOICE,
    library_call::CHOICE,
    nonnegative::CHOICE,
    open_phi::CHOICE,
    scan_of_zero::CHOICE,
    shift_amount::CHOICE,
];

/// A value of the source, by its number.
pub type ValueId = u32;

/// A block of the source, by its number.
pub type BlockNumber = u32;

/// How many extensions from each width a block has, in bits.
pub type Extensions = FxHashMap<u32, u32>;

/// The extensions of a block of the source.
#[derive(Clone, Debug, Default)]
pub struct SourceExtensions {
    /// The block's name.
    pub block: String,
    /// Sign extensions.
    pub sign: Extensions,
    /// Zero extensions of numbers promised not to be negative: the width in bits, and the result.
    pub nonnegative: Vec<(u32, ValueId)>,
}

/// The extensions that a block of the source has become.
#[derive(Clone, Debug, Default)]
pub struct TargetExtensions {
    /// Zero extensions.
    pub zero: Extensions,
    /// Sign extensions.
    pub sign: Extensions,
}

/// A call of a library function that selection may have made an operation of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LibraryCall {
    /// Its result.
    pub result: Option<ValueId>,
    /// How many arguments it has.
    pub arguments: usize,
    /// The third argument, where it is a number.
    pub length: Option<u64>,
    /// Whether it is declared to write no memory.
    pub only_reads: bool,
    /// Whether its result is only asked to be zero or not.
    pub compared_with_zero: bool,
}

/// A value of the source that is open where control comes from a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenEdge {
    /// The PHI.
    pub value: ValueId,
    /// The block.
    pub from: BlockNumber,
    /// The block's name.
    pub from_name: String,
}

/// What choices ask of a source function.
pub trait Source {
    /// The extensions of each block.
    fn extensions(&self) -> Vec<SourceExtensions>;
    /// The calls of functions of these names.
    fn calls_of(&self, names: &[&str]) -> Vec<LibraryCall>;
    /// The predecessors for which a PHI has undef or poison.
    fn open_edges(&self, value: ValueId) -> Vec<OpenEdge>;
}

/// What choices ask of a target function.
pub trait Target {
    /// Whether it divides by instructions for that.
    fn divides(&self) -> bool;
    /// Whether it has instructions that count zeros (and say what of zero), and such that scan for a bit (and do not).
    fn counts_and_scans(&self) -> (bool, bool);
    /// Whether it multiplies and adds in one instruction.
    fn fuses(&self) -> bool;
    /// The extensions of blocks, by the name of the source's block.
    fn extensions(&self) -> FxHashMap<&str, TargetExtensions>;
    /// How many calls of functions of these names there are.
    fn calls_of(&self, names: &[&str]) -> usize;
    /// The instruction that leaves a register undefined which a PHI has for what comes from a block of the source: its
    /// place, the register, and the width in bits.
    fn undefined_on_edge(&self, register: u32, from: &str) -> Option<(u32, u32, u32)>;
}

/// What is chosen for one pair.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// How exact quotients are computed.
    pub quotients: exact_quotient::Quotients,
    /// How the greater or lesser of two numbers comes about.
    pub extremes: extreme::Extremes,
    /// How products and sums are computed that may be one operation.
    pub sums: fused::Sums,
    /// Calls that are operations.
    pub calls: library_call::Operations,
    /// Zero extensions whose poison has the bits of a sign extension.
    pub sign_extended: FxHashSet<ValueId>,
    /// What PHIs have where they are open.
    pub open: open_phi::OpenValues,
    /// What the poison of a scan of zero is.
    pub zeros: scan_of_zero::OfZero,
    /// What a shift by too much is.
    pub shifts: shift_amount::TooFar,
}

/// Which choices may be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Allowed {
    without: Option<&'static str>,
}

impl Allowed {
    /// All of them.
    pub const ALL: Allowed = Allowed { without: None };

    /// All but one, to see what needs it.
    pub fn without(choice: &Choice) -> Allowed {
        Allowed { without: Some(choice.name) }
    }

    /// Whether a choice may be made.
    pub fn allows(self, choice: &Choice) -> bool {
        self.without != Some(choice.name)
    }
}

impl Choices {
    /// What is chosen of the source in view of a target; the PHIs' values come later ([`open_phi::choose`]).
    pub fn of(source: &impl Source, target: &impl Target, allowed: Allowed) -> Choices {
        let mut out = Choices::none();
        if allowed.allows(&exact_quotient::CHOICE) {
            out.quotients = exact_quotient::choose(target);
        }
        if allowed.allows(&extreme::CHOICE) {
            out.extremes = extreme::Extremes::Compared;
        }
        if allowed.allows(&fused::CHOICE) {
            out.sums = fused::choose(target);
        }
        if allowed.allows(&library_call::CHOICE) {
            out.calls = library_call::choose(source, target);
        }
        if allowed.allows(&nonnegative::CHOICE) {
            out.sign_extended = nonnegative::choose(source, target);
        }
        if allowed.allows(&scan_of_zero::CHOICE) {
            out.zeros = scan_of_zero::choose(target);
        }
        if allowed.allows(&shift_amount::CHOICE) {
            out.shifts = shift_amount::TooFar::Modulo;
        }
        out
    }

    /// None is made: what is open has the bits that its operation gives.
    pub fn none() -> Choices {
        Choices {
            quotients: exact_quotient::Quotients::Divided,
            zeros: scan_of_zero::OfZero::Width,
            shifts: shift_amount::TooFar::Plain,
            ..Choices::default()
        }
    }
}
