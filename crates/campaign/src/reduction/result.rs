//! What a reduction of a finding came to, as it is kept beside it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A finding's reduction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reduced {
    /// The finding.
    pub id: String,
    /// The directory of the result, which has the files of a finding.
    pub directory: PathBuf,
    /// Tokens of the finding's program.
    pub tokens_before: usize,
    /// Bytes of the finding's program.
    pub bytes_before: usize,
    /// Tokens that are left.
    pub tokens: usize,
    /// Bytes that are left.
    pub bytes: usize,
    /// Lines that are left.
    pub lines: usize,
    /// The configuration that shows it: the finding's, with as few options as do.
    pub configuration: String,
    /// Options of the finding's configuration that it does not need.
    pub options_removed: Vec<String>,
    /// Configurations that were right all the way.
    pub references: Vec<String>,
    /// What was done, in order.
    pub steps: Vec<Step>,
    /// Candidates that were tested.
    pub tests: u64,
    /// Of these, those that other workers of a store tested.
    #[serde(default)]
    pub tests_elsewhere: u64,
    /// Seconds that the last run of the reduction took.
    pub seconds: f64,
    /// Whether it was stopped before everything was tried; the next call goes on.
    pub stopped: bool,
    /// The version of plumb.
    pub plumb: String,
}

/// A part of a reduction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// What was shrunk: `edits`, `choices`, `options`, or `syntax and text`.
    pub what: String,
    /// Tokens of the program afterwards.
    pub tokens: usize,
    /// Bytes of the program afterwards.
    pub bytes: usize,
    /// Candidates tested.
    pub tests: u64,
    /// Seconds it took.
    pub seconds: f64,
}
