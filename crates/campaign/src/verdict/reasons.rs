//! Why a program is not used, and why a test decides nothing: what is counted, and the particulars.

use super::names::{Named, named};
use machine::{Budget, Ub};
use serde::{Serialize, Serializer};
use std::fmt;
use toolchain::crash::normalise;

named! {
    /// Why a program is not used.
    RejectionKind {
        Undefined "undefined" "undefined behaviour";
        Unsupported "unsupported" "the abstract machine does not support something it uses";
        Exhausted "exhausted" "it runs out of a budget of the abstract machine";
        AddressDependent "address-dependent" "its behaviour depends on where objects lie";
        OrderDependent "order-dependent" "its behaviour depends on an order of evaluation that C leaves open";
        NotC "not-c" "it is not a C program";
        NotPreprocessed "not-preprocessed" "it cannot be preprocessed";
        NoProgram "no-program" "the source gives no program";
        SeedNotUsed "seed-not-used" "its seed is not used";
        WrongVariant "wrong-variant" "the variant means something else than its seed: please report it";
        Internal "internal" "plumb failed: please report it";
    }
}

named! {
    /// Why a test decides nothing.
    InconclusiveKind {
        CompilerRefused "compiler-refused" "the compiler refuses the program";
        CompilerMemory "compiler-out-of-memory" "the compiler ran out of memory";
        CompilerDisk "compiler-disk-full" "the disk was full while compiling";
        CompilerOutput "compiler-output-limit" "the compiler wrote too much";
        CompilerProcesses "compiler-process-limit" "the compiler started too many processes";
        CompilerNotStarted "compiler-not-started" "the compiler does not start";
        CompilerTime "compiler-out-of-time" "compiling ran out of time";
        Cancelled "cancelled" "plumb was stopped";
        RunTime "run-out-of-time" "the compiled program ran out of time";
        RunOutput "run-output-limit" "the compiled program wrote too much";
        RunProcesses "run-process-limit" "the compiled program started too many processes";
        NothingToCompare "nothing-to-compare" "there is nothing to compare it with";
        NoMajority "no-majority" "the compilers disagree without a majority";
        NoOracle "no-oracle" "no oracle could judge it";
        NotRepeated "not-repeated" "an alarm was not seen again when repeated";
        ReproducerDenies "reproducer-denies" "the reproducer of an alarm does not show it";
    }
}

/// What is counted: a kind, and what of where it has several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reason<K> {
    /// Which.
    pub kind: K,
    /// Of what: the name of a rule or budget, or a message without what changes from program to program. May be empty.
    pub about: String,
}

impl<K: Named> fmt::Display for Reason<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.about.as_str() {
            "" => f.write_str(self.kind.name()),
            about => write!(f, "{}: {about}", self.kind.name()),
        }
    }
}

impl<K: Named> Serialize for Reason<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why a program is not used: it has no single meaning, or none that the machine can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// It is undefined.
    Undefined {
        /// By which rule.
        ub: Ub,
        /// Where, and what happened.
        at: String,
    },
    /// The machine does not support something it uses.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        at: String,
    },
    /// It runs out of a budget of the machine.
    Exhausted(Budget),
    /// It prints addresses or decides by them.
    AddressDependent,
    /// It has effects in an order that C leaves open.
    OrderDependent,
    /// It is not C: the first error.
    NotC(String),
    /// It cannot be preprocessed: why.
    NotPreprocessed(String),
    /// The source has no program for the number: why.
    NoProgram(String),
    /// A variant was to be made of a program that is not used itself.
    SeedNotUsed {
        /// Why not.
        because: RejectionKind,
        /// Particulars.
        detail: String,
    },
    /// A variant that means something else than its seed, a bug of plumb: how, and its edits.
    WrongVariant(String),
    /// plumb failed: its words.
    Internal(String),
}

/// Whose limit a [`Rejection`] comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The program has no portable meaning.
    Program,
    /// The machine does not support it.
    Unsupported,
    /// The machine's budget ran out.
    Budget,
}

impl Rejection {
    /// What is counted.
    pub fn reason(&self) -> Reason<RejectionKind> {
        let (kind, about) = match self {
            Rejection::Undefined { ub, .. } => (RejectionKind::Undefined, ub.name().to_owned()),
            Rejection::Unsupported { what, .. } => (RejectionKind::Unsupported, normalise(what)),
            Rejection::Exhausted(budget) => (RejectionKind::Exhausted, budget.name().to_owned()),
            Rejection::AddressDependent => (RejectionKind::AddressDependent, String::new()),
            Rejection::OrderDependent => (RejectionKind::OrderDependent, String::new()),
            Rejection::NotC(_) => (RejectionKind::NotC, String::new()),
            Rejection::NotPreprocessed(text) => (RejectionKind::NotPreprocessed, first_error(text)),
            Rejection::NoProgram(_) => (RejectionKind::NoProgram, String::new()),
            Rejection::SeedNotUsed { because, .. } => (RejectionKind::SeedNotUsed, because.name().to_owned()),
            Rejection::WrongVariant(_) => (RejectionKind::WrongVariant, String::new()),
            Rejection::Internal(_) => (RejectionKind::Internal, String::new()),
        };
        Reason { kind, about }
    }

    /// Place and particulars, for people.
    pub fn detail(&self) -> &str {
        match self {
            Rejection::Undefined { at, .. } | Rejection::Unsupported { at, .. } => at,
            Rejection::SeedNotUsed { detail, .. } => detail,
            Rejection::NotC(text)
            | Rejection::NotPreprocessed(text)
            | Rejection::NoProgram(text)
            | Rejection::WrongVariant(text)
            | Rejection::Internal(text) => text,
            Rejection::AddressDependent | Rejection::OrderDependent => self.reason().kind.text(),
            Rejection::Exhausted(_) => "",
        }
    }

    /// Whether the reason is a limit of the machine rather than a fault of the program.
    pub fn limit(&self) -> Limit {
        self.reason().kind.limit()
    }
}

impl RejectionKind {
    /// Whose limit it comes from.
    pub fn limit(self) -> Limit {
        match self {
            RejectionKind::Unsupported => Limit::Unsupported,
            RejectionKind::Exhausted => Limit::Budget,
            RejectionKind::Undefined
            | RejectionKind::AddressDependent
            | RejectionKind::OrderDependent
            | RejectionKind::NotC
            | RejectionKind::NotPreprocessed
            | RejectionKind::NoProgram
            | RejectionKind::SeedNotUsed
            | RejectionKind::WrongVariant
            | RejectionKind::Internal => Limit::Program,
        }
    }
}

/// The first error in what a compiler said, without its place and what changes from program to program.
fn first_error(said: &str) -> String {
    said.lines().find_map(|line| Some(normalise(line.split_once("error: ")?.1.trim()))).unwrap_or_default()
}

/// Why a test decides nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inconclusive {
    /// What is counted.
    pub reason: Reason<InconclusiveKind>,
    /// Particulars, for people; may be empty.
    pub detail: String,
}

impl Inconclusive {
    /// One that needs no particulars.
    pub fn plain(kind: InconclusiveKind) -> Inconclusive {
        Inconclusive { reason: Reason { kind, about: String::new() }, detail: String::new() }
    }

    /// One with a message, counted by the message without what changes from program to program.
    pub fn said(kind: InconclusiveKind, message: &str) -> Inconclusive {
        Inconclusive { reason: Reason { kind, about: normalise(message) }, detail: message.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_preprocessed_is_counted_by_the_first_error() {
        let said = "a.c:1:10: fatal error: csmith.h: No such file or directory\ncompilation terminated.";
        let reason = Rejection::NotPreprocessed(said.to_owned()).reason();
        assert!(reason.about.contains("csmith.h: No such file"), "{}", reason.about);
        assert_eq!(Rejection::NotPreprocessed("nothing".to_owned()).reason().about, "");
    }

    #[test]
    fn names_lead_back() {
        for kind in RejectionKind::ALL {
            assert_eq!(RejectionKind::of_name(kind.name()), Some(*kind));
        }
        for kind in InconclusiveKind::ALL {
            assert_eq!(InconclusiveKind::of_name(kind.name()), Some(*kind));
        }
        assert_eq!(RejectionKind::of_name("wrong"), None);
    }

    #[test]
    fn messages_are_counted_without_what_changes() {
        let one = |line: u32, name: &str| {
            let message = format!("program.c:{line}:7: error: '{name}' undeclared");
            Inconclusive::said(InconclusiveKind::CompilerRefused, &message).reason
        };
        assert_eq!(one(3, "a"), one(400, "g_12"));
    }
}
