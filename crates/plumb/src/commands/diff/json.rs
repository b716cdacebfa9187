//! The lines of `plumb diff --json` as types: `docs/schema/diff.json` is generated from here.

use crossver::equality::verdict::VerdictKind;
use crossver::report::{FunctionReport, LoneReport};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A line of `plumb diff --json`.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A pair of functions.
    Function(Box<FunctionReport>),
    /// A function that one side alone has.
    Only(LoneReport),
    /// An object whose initial contents differ, or could not be compared.
    Object(ObjectLine),
    /// A file that was not compared.
    File(FileLine),
    /// Counts over all files: the last line.
    Summary(Box<SummaryLine>),
}

/// An object of both sides.
#[derive(Serialize, JsonSchema)]
pub struct ObjectLine {
    /// The file as it was given.
    pub file: String,
    /// Its name.
    pub object: String,
    /// The verdict.
    pub verdict: VerdictKind,
    /// The difference in words.
    pub text: String,
}

/// Why a file was not compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileVerdict {
    /// It cannot be read.
    Unreadable,
    /// One of the compilers refused it.
    NotCompiled,
}

/// A file that was not compared.
#[derive(Clone, Serialize, JsonSchema)]
pub struct FileLine {
    /// The file as it was given.
    pub file: String,
    /// Why, by a stable name.
    pub verdict: FileVerdict,
    /// Why, in words.
    pub why: String,
}

/// Objects with initial contents.
#[derive(Serialize, JsonSchema)]
pub struct ObjectCounts {
    /// With the same contents on both sides.
    pub same: u64,
    /// With others, or not compared.
    pub open: u64,
}

/// Counts over all files.
#[derive(Serialize, JsonSchema)]
pub struct SummaryLine {
    /// Files that were given.
    pub files: u64,
    /// Files of them that were not compared.
    pub files_failed: u64,
    /// Pairs of functions.
    pub functions: u64,
    /// Pairs that only a proof can decide and that are not in the sample; they are in no other count.
    pub skipped: u64,
    /// Pairs by verdict.
    pub verdicts: BTreeMap<VerdictKind, u64>,
    /// Proved and conditional pairs by how that was shown.
    pub how: BTreeMap<String, u64>,
    /// Unknown pairs by reason.
    pub why: BTreeMap<String, u64>,
    /// Pairs by how they were found.
    pub by: BTreeMap<String, u64>,
    /// Unknown pairs by their first difference.
    pub differences: BTreeMap<String, u64>,
    /// Different pairs by bucket.
    pub buckets: BTreeMap<String, u64>,
    /// Functions that the old side alone has.
    pub only_old: u64,
    /// Functions that the new side alone has.
    pub only_new: u64,
    /// Named objects of both sides.
    pub objects: ObjectCounts,
    /// Instructions of all functions of both sides.
    pub instructions: u64,
    /// Instructions of these that the decoder does not know.
    pub instructions_unknown: u64,
    /// Instructions of these whose meaning is not modelled.
    pub instructions_not_modelled: u64,
    /// Pairs for which a proof was looked for.
    pub proofs: u64,
    /// Milliseconds that took, on average.
    pub mean_ms: f64,
    /// Seconds that everything took by the clock.
    pub seconds: f64,
    /// `--opcodes`: mnemonics of functions that stay open, with how often they occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opcodes: Option<BTreeMap<String, u64>>,
    /// `--opcodes`: mnemonics whose meaning is not modelled, with how often they occur in all functions of both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_modelled: Option<BTreeMap<String, u64>>,
}
