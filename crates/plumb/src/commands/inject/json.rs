//! The lines of `plumb inject --json` as types: `docs/schema/inject.json` is generated from here.

use crossver::cause::Cause;
use crossver::equality::verdict::{VerdictKind, WhyKind};
use crossver::inject::{Fault, FaultKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A line of `plumb inject --json`.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A fault.
    Fault(Box<FaultLine>),
    /// Counts: the last line.
    Summary(SummaryLine),
}

/// What became of a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOutcome {
    /// Both functions were run and differ.
    Different,
    /// They are not called equivalent; no run shows why.
    Open,
    /// They are called equivalent, and do the same in all runs: the fault is none.
    Equivalent,
    /// They are called equivalent, and no run says anything.
    NotRun,
    /// They are called equivalent, and a run tells them apart.
    Missed,
}

impl FaultOutcome {
    /// The outcome's stable name.
    pub fn name(self) -> &'static str {
        match self {
            FaultOutcome::Different => "different",
            FaultOutcome::Open => "open",
            FaultOutcome::Equivalent => "equivalent",
            FaultOutcome::NotRun => "not-run",
            FaultOutcome::Missed => "missed",
        }
    }
}

/// Which instruction is blamed for a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Blame {
    /// The faulty one.
    Right,
    /// Another one.
    Wrong,
    /// None.
    None,
}

impl Blame {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Blame::Right => "right",
            Blame::Wrong => "wrong",
            Blame::None => "none",
        }
    }
}

/// A fault, and what the validator says of it.
#[derive(Serialize, JsonSchema)]
pub struct FaultLine {
    /// Its number; the same number, seed, object and kinds make the same fault.
    pub number: u64,
    /// What was done.
    pub fault: Fault,
    /// The faulty object (`--output`).
    pub file: Option<String>,
    /// What became of it (`--diff`).
    pub outcome: Option<FaultOutcome>,
    /// The validator's verdict.
    pub verdict: Option<VerdictKind>,
    /// Why nothing is known, by a stable name.
    pub why: Option<WhyKind>,
    /// The bucket of a difference.
    pub bucket: Option<String>,
    /// The instructions to blame for a difference.
    pub cause: Option<Cause>,
    /// Whether the faulty instruction is blamed; none where there is no difference, or the fault is none in an instruction.
    pub blame: Option<Blame>,
    /// What differs, or why nothing is known, in words.
    pub text: Option<String>,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// Random states that both functions were run from, at most.
    pub states: Option<u64>,
    /// Milliseconds that the proof took, or looking for one.
    pub ms: Option<f64>,
}

/// Counts over all faults: the last line.
#[derive(Serialize, JsonSchema)]
pub struct SummaryLine {
    /// Faults that were asked for.
    pub asked: u64,
    /// Faults that were put in.
    pub faults: u64,
    /// By outcome.
    pub outcomes: BTreeMap<FaultOutcome, u64>,
    /// By kind, and then by outcome.
    pub kinds: BTreeMap<FaultKind, BTreeMap<FaultOutcome, u64>>,
    /// Differences by bucket.
    pub buckets: BTreeMap<String, u64>,
    /// Differences by which instruction is blamed.
    pub blames: BTreeMap<Blame, u64>,
    /// Faults of which nothing is known, by reason.
    pub why: BTreeMap<String, u64>,
    /// Seconds that everything took by the clock.
    pub seconds: f64,
}
