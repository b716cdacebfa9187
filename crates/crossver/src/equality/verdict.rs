//! What is said of a pair of functions: verdicts, how they came about, what they take for granted. No text decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer about a pair of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// They do the same, if the functions that they call do.
    Proved(How),
    /// They do the same, if these hold as well.
    Conditional(How, Vec<Assumption>),
    /// Nothing is known.
    Unknown(Why),
    /// The code holds what is not read.
    Unsupported(Lack),
}

/// A verdict without what comes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// [`Verdict::Proved`].
    Proved,
    /// [`Verdict::Conditional`].
    Conditional,
    /// [`Verdict::Unknown`].
    Unknown,
    /// [`Verdict::Unsupported`].
    Unsupported,
    /// They do not do the same: both have been run.
    Different,
}

impl VerdictKind {
    /// The verdict's stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Proved => "proved",
            VerdictKind::Conditional => "conditional",
            VerdictKind::Unknown => "unknown",
            VerdictKind::Unsupported => "unsupported",
            VerdictKind::Different => "different",
        }
    }
}

/// How two functions were found to do the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The same bytes, but for references, which mean the same.
    Identical,
    /// The same instructions on every path, wherever blocks lie.
    SameBlocks,
    /// For all inputs, by what the instructions mean.
    Proof,
}

impl How {
    /// Its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            How::Identical => "identical",
            How::SameBlocks => "same-blocks",
            How::Proof => "proof",
        }
    }
}

/// What a verdict takes for granted and no object file shows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// An address computed from a local object's address points into that object.
    StaysInObject,
    /// A read-only object without a name ends where the next one that is referred to begins, or the string that the other side
    /// has there.
    EndsAtNext,
    /// A call does not return, since the code behind it belongs to something else.
    DoesNotReturn(String),
    /// A call of a global function that its own file defines goes there.
    OwnDefinition(String),
    /// Execution never reaches the end of the function's bytes.
    NeverRunsOff,
    /// Without types, what a function gives is in the first registers alone.
    ResultByRegisters,
    /// Volatile accesses are not told from others.
    NothingVolatile,
    /// Pointers from elsewhere do not lead into the frame.
    FrameApart,
    /// Pointers into an object of the frame stay in it, and where it lies changes nothing.
    FrameObjects,
    /// Objects of the frame hold the same on both sides before they are written.
    FrameContents,
    /// Memory that `malloc` gives is none that was there before.
    FreshMemory,
    /// Functions of the library that only read leave memory as it was.
    LibraryReads,
    /// `memcpy`, `memset`, `strcpy` and their like, what compares strings and what tells where `errno` lies are the library's.
    LibraryCopies,
    /// What a search for a bit finds in zero matters nowhere.
    ScanOfZero,
    /// What follows a format string is what its conversions ask for.
    FormatStrings,
    /// What is called by an address is of a type of a function that debug information has, and where a variable holds the
    /// address, of the variable's.
    PointersByType,
    /// Vectors that a variadic function is passed without a name are doubles, as in C without extensions.
    UnnamedDoubles,
    /// The new code accesses no memory that the old does not and that may not be accessed.
    NoNewFault,
    /// What pointers to different types lead to lies apart; what pointers to one type lead to is the same object, or lies apart.
    TypesApart,
    /// What C leaves to the machine about numbers is the same on both.
    MachineNumbers,
    /// What is called by an address, or gives what is not known, gives both machines the same.
    ResultsAcross,
    /// What the semantics of instructions takes for granted.
    Semantics(&'static str),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::StaysInObject => {
                write!(f, "an address made from a local object's address stays in that object")
            }
            Assumption::EndsAtNext => write!(
                f,
                "a read-only object without a name ends where the next one that is referred to begins, or a string that the other side has there"
            ),
            Assumption::DoesNotReturn(name) => write!(f, "`{name}` does not return"),
            Assumption::OwnDefinition(name) => write!(f, "calls of `{name}` go to the one in the same file"),
            Assumption::PointersByType => {
                write!(
                    f,
                    "what is called by an address is of a function type that debug information has, by a variable's of that \
                     which the variable leads to"
                )
            }
            Assumption::NeverRunsOff => write!(f, "execution never runs off the end of the function"),
            Assumption::ResultByRegisters => {
                write!(f, "the function, whose types are not known, gives one result, in a register")
            }
            Assumption::NothingVolatile => write!(f, "no memory that the function accesses is volatile"),
            Assumption::FrameApart => {
                write!(f, "no pointer that the function is given or loads leads into its own frame")
            }
            Assumption::FrameObjects => {
                write!(
                    f,
                    "an address made from that of an object of the frame stays in it, wherever that lies"
                )
            }
            Assumption::FrameContents => {
                write!(f, "objects of the frame hold the same bytes on both sides before they are written")
            }
            Assumption::LibraryReads => {
                write!(f, "`strlen` and its like are the library's, and leave memory as it was")
            }
            Assumption::LibraryCopies => {
                write!(
                    f,
                    "`memcpy`, `memset`, `strcpy` and their like, what compares strings and what tells where `errno` lies are the library's"
                )
            }
            Assumption::ScanOfZero => {
                write!(f, "nothing rests on what a search for a bit finds in 0, which C leaves open")
            }
            Assumption::FreshMemory => {
                write!(f, "no pointer from before leads into memory that `malloc` and its like give")
            }
            Assumption::FormatStrings => {
                write!(f, "as many unnamed arguments follow a format string as it has conversions")
            }
            Assumption::UnnamedDoubles => {
                write!(f, "what is passed to `...` in vector registers is no longer than a double")
            }
            Assumption::NoNewFault => write!(f, "memory that the new code accesses may be accessed"),
            Assumption::TypesApart => write!(
                f,
                "what pointers to different types lead to lies apart, and of one type what is not the same"
            ),
            Assumption::MachineNumbers => write!(
                f,
                "bits of NaNs, and conversions of numbers to integers that cannot hold them, are the same on both machines"
            ),
            Assumption::ResultsAcross => {
                write!(f, "callees of unknown types leave the same in registers of results on both machines")
            }
            Assumption::Semantics(what) => f.write_str(what),
        }
    }
}

/// Why nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The code differs, and what instructions mean is not modelled yet.
    NotModelledYet(Difference),
    /// The code differs, and no proof was found.
    Open(OpenProof),
}

/// Why nothing is known, without what comes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhyKind {
    /// The code differs, and what instructions mean is not modelled yet.
    NotModelledYet,
    /// No proof was found.
    NoProof,
    /// Looking for a proof took what it may take of work.
    OutOfBudget,
    /// The semantics shows a difference, and no processor has shown it.
    DifferenceNotReplayed,
    /// A local function differs on inputs of its own, and none of its callers is shown to pass such.
    DifferenceNotReached,
    /// Looking for a proof took too long.
    OutOfTime,
    /// The worker reached its limit of memory.
    OutOfMemory,
    /// The worker ended without an answer.
    WorkerEnded,
    /// The comparison was stopped.
    Stopped,
}

impl WhyKind {
    /// Its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WhyKind::NotModelledYet => "not-modelled-yet",
            WhyKind::NoProof => "no-proof",
            WhyKind::OutOfBudget => "out-of-budget",
            WhyKind::DifferenceNotReplayed => "difference-not-replayed",
            WhyKind::DifferenceNotReached => "difference-not-reached",
            WhyKind::OutOfTime => "out-of-time",
            WhyKind::OutOfMemory => "out-of-memory",
            WhyKind::WorkerEnded => "worker-ended",
            WhyKind::Stopped => "stopped",
        }
    }

    /// Whether it may not hold another time.
    #[must_use]
    pub fn is_ending(self) -> bool {
        match self {
            WhyKind::OutOfTime | WhyKind::OutOfMemory | WhyKind::WorkerEnded | WhyKind::Stopped => true,
            WhyKind::NotModelledYet
            | WhyKind::NoProof
            | WhyKind::OutOfBudget
            | WhyKind::DifferenceNotReplayed
            | WhyKind::DifferenceNotReached => false,
        }
    }
}

/// A proof that was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenProof {
    /// Why.
    pub kind: WhyKind,
    /// What stayed open.
    pub text: String,
    /// The first difference that the cheap way met.
    pub difference: Difference,
}

impl Why {
    /// The reason alone.
    #[must_use]
    pub fn kind(&self) -> WhyKind {
        match self {
            Why::NotModelledYet(_) => WhyKind::NotModelledYet,
            Why::Open(open) => open.kind,
        }
    }

    /// The first difference that was met.
    #[must_use]
    pub fn difference(&self) -> &Difference {
        match self {
            Why::NotModelledYet(difference) => difference,
            Why::Open(open) => &open.difference,
        }
    }

    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Why::NotModelledYet(difference) => difference.to_string(),
            Why::Open(open) => format!("{}: {}", open.difference, open.text),
        }
    }
}

/// What is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// What.
    pub what: String,
    /// Where, as function and offset.
    pub place: String,
}

/// The first difference between two functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Instructions: both texts.
    Instruction {
        /// Bytes from the old function's start, and the instruction.
        old: String,
        /// The same of the new function.
        new: String,
    },
    /// References mean different things; both names.
    Name(String),
    /// References into the middle of another function.
    Interior,
    /// Read-only data differs.
    Contents(String),
    /// Objects lie differently in a section that is reached by distances from an anchor.
    Layout(String),
    /// A reference that cannot be said to mean anything.
    Unresolved(&'static str),
    /// Landing pads are entered by tables that were not compared.
    LandingPads,
    /// A jump through a table that was not found.
    JumpTable,
    /// One side ends where the other goes on.
    Shape,
    /// Comparing took more steps than the functions have instructions to justify.
    TooLong,
    /// They are for two machines.
    Machines,
}

impl Difference {
    /// Its stable name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Difference::Instruction { .. } => "instruction",
            Difference::Name(_) => "reference",
            Difference::Interior => "interior",
            Difference::Contents(_) => "contents",
            Difference::Layout(_) => "layout",
            Difference::Unresolved(_) => "unresolved",
            Difference::LandingPads => "landing-pads",
            Difference::JumpTable => "jump-table",
            Difference::Shape => "shape",
            Difference::TooLong => "too-long",
            Difference::Machines => "machines",
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Instruction { old, new } => write!(f, "{old} | {new}"),
            Difference::Name(names) => write!(f, "refers to {names}"),
            Difference::Interior => write!(f, "refers to the middle of another function"),
            Difference::Contents(what) => write!(f, "read-only data differs: {what}"),
            Difference::Layout(section) => write!(f, "objects lie differently in {section}"),
            Difference::Unresolved(what) => write!(f, "holds {what}"),
            Difference::LandingPads => write!(f, "landing pads are not compared"),
            Difference::JumpTable => write!(f, "a jump whose table was not found"),
            Difference::Shape => write!(f, "one side ends where the other goes on"),
            Difference::TooLong => write!(f, "too many ways through both to compare"),
            Difference::Machines => write!(f, "the code is for two machines"),
        }
    }
}

impl Verdict {
    /// The verdict alone.
    #[must_use]
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Proved(_) => VerdictKind::Proved,
            Verdict::Conditional(..) => VerdictKind::Conditional,
            Verdict::Unknown(_) => VerdictKind::Unknown,
            Verdict::Unsupported(_) => VerdictKind::Unsupported,
        }
    }

    /// How it was proved.
    #[must_use]
    pub fn how(&self) -> Option<How> {
        match self {
            Verdict::Proved(how) | Verdict::Conditional(how, _) => Some(*how),
            Verdict::Unknown(_) | Verdict::Unsupported(_) => None,
        }
    }
}
