//! Verdicts: what can be said of a pair of programs, and what comes with it.

use super::{Certificate, Counterexample, Premise, Reason, Stated, state};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smt::tactic::Stats;

/// The answer about a pair of programs. Never a Boolean. `A` is what an assumption is: the engine's own
/// [`Premise`], until the languages say what it means to people.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    rename_all = "kebab-case",
    bound(serialize = "A: Ord + Serialize", deserialize = "A: Ord + Deserialize<'de>")
)]
pub enum Verdict<A = Premise> {
    /// Related for all inputs.
    Proved(Certificate),
    /// Related for all inputs, if what is assumed holds.
    Conditional {
        /// What that is.
        assumptions: Stated<A>,
        /// The proof.
        certificate: Certificate,
    },
    /// Related on all runs that pass no point more often than this.
    Bounded {
        /// The bound.
        passes: u32,
        /// Why there is no proof.
        why: Box<Reason>,
    },
    /// Different.
    Refuted(Box<Counterexample>),
    /// Neither proved nor refuted.
    Unknown(Box<Reason>),
    /// A program does something that its semantics does not model.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: String,
    },
}

/// The verdicts without what comes with them: stable names, in the order in which they are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// [`Verdict::Proved`]
    Proved,
    /// [`Verdict::Conditional`]
    Conditional,
    /// [`Verdict::Bounded`]
    Bounded,
    /// [`Verdict::Refuted`]
    Refuted,
    /// [`Verdict::Unknown`]
    Unknown,
    /// [`Verdict::Unsupported`]
    Unsupported,
}

impl VerdictKind {
    /// Every verdict.
    pub const ALL: [VerdictKind; 6] = [
        VerdictKind::Proved,
        VerdictKind::Conditional,
        VerdictKind::Bounded,
        VerdictKind::Refuted,
        VerdictKind::Unknown,
        VerdictKind::Unsupported,
    ];

    /// The verdict's stable name.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Proved => "proved",
            VerdictKind::Conditional => "conditional",
            VerdictKind::Bounded => "bounded",
            VerdictKind::Refuted => "refuted",
            VerdictKind::Unknown => "unknown",
            VerdictKind::Unsupported => "unsupported",
        }
    }
}

impl<A: Ord> Verdict<A> {
    /// Which verdict it is.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Proved(_) => VerdictKind::Proved,
            Verdict::Conditional { .. } => VerdictKind::Conditional,
            Verdict::Bounded { .. } => VerdictKind::Bounded,
            Verdict::Refuted(_) => VerdictKind::Refuted,
            Verdict::Unknown(_) => VerdictKind::Unknown,
            Verdict::Unsupported { .. } => VerdictKind::Unsupported,
        }
    }

    /// The proof, where there is one.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Verdict::Proved(certificate) | Verdict::Conditional { certificate, .. } => Some(certificate),
            Verdict::Bounded { .. }
            | Verdict::Refuted(_)
            | Verdict::Unknown(_)
            | Verdict::Unsupported { .. } => None,
        }
    }

    /// The same with other words for what is assumed, and with further assumptions: a proof that rests on any is a
    /// conditional one.
    pub fn resting_on<B: Ord>(self, words: impl Fn(A) -> B, more: Stated<B>) -> Verdict<B> {
        let (mut assumptions, certificate) = match self {
            Verdict::Proved(certificate) => (Stated::new(), certificate),
            Verdict::Conditional { assumptions, certificate } => {
                let mut all = Stated::new();
                state(&mut all, assumptions.into_iter().map(|(a, of)| (words(a), of)));
                (all, certificate)
            }
            Verdict::Bounded { passes, why } => return Verdict::Bounded { passes, why },
            Verdict::Refuted(found) => return Verdict::Refuted(found),
            Verdict::Unknown(why) => return Verdict::Unknown(why),
            Verdict::Unsupported { what, place } => return Verdict::Unsupported { what, place },
        };
        state(&mut assumptions, more);
        if assumptions.is_empty() {
            Verdict::Proved(certificate)
        } else {
            Verdict::Conditional { assumptions, certificate }
        }
    }
}

/// A verdict with what it cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "A: Ord + Serialize", deserialize = "A: Ord + Deserialize<'de>"))]
pub struct Report<A = Premise> {
    /// The answer.
    pub verdict: Verdict<A>,
    /// Solver effort.
    pub stats: Stats,
    /// Wall-clock time.
    pub time: std::time::Duration,
}
