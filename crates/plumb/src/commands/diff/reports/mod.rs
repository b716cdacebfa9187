//! What a comparison found as one file: for code hosts and editors, for a comment beside a change, for a browser.

mod markdown;
mod page;
mod sarif;

use super::json::FileLine;
use crate::args::Diff;
use campaign::Error;
use crossver::buckets::Rules;
use crossver::equality::verdict::{VerdictKind, WhyKind};
use crossver::report::{FunctionReport, LoneReport};
use std::collections::BTreeMap;
use std::path::Path;

/// Something that was told, and whether that was known (`--baseline`).
pub struct Item<T> {
    /// What.
    pub what: T,
    /// The file as it was given.
    pub file: String,
    /// Whether it was known.
    pub known: bool,
}

/// All that is not proved.
#[derive(Default)]
pub struct Open {
    /// Pairs of functions.
    pub functions: Vec<Item<FunctionReport>>,
    /// Functions of one side alone.
    pub lone: Vec<Item<LoneReport>>,
    /// Objects, with their first difference.
    pub objects: Vec<Item<(String, String)>>,
    /// Files that were not compared.
    pub files: Vec<FileLine>,
}

/// What reports show beside what is open.
pub struct Summary<'a> {
    /// What was compared, in words.
    pub title: String,
    /// Pairs by verdict.
    pub verdicts: &'a BTreeMap<VerdictKind, u64>,
    /// Different pairs by bucket.
    pub buckets: &'a BTreeMap<String, u64>,
    /// What buckets mean.
    pub rules: &'a Rules,
    /// Counts in words.
    pub text: String,
}

impl Summary<'_> {
    fn pairs(&self) -> u64 {
        self.verdicts.values().sum()
    }

    /// A share of all pairs, in percent.
    fn share(&self, n: u64) -> String {
        format!("{:.1} %", 100.0 * n as f64 / self.pairs().max(1) as f64)
    }
}

/// Whether any report is asked for.
pub fn wanted(args: &Diff) -> bool {
    args.sarif.is_some() || args.markdown.is_some() || args.html.is_some()
}

/// Writes the reports that are asked for.
pub fn write(args: &Diff, summary: &Summary<'_>, open: &Open) -> Result<(), Error> {
    let put = |path: &Path, text: String| {
        std::fs::write(path, text).map_err(|error| Error::file("write", path, &error))
    };
    if let Some(path) = &args.sarif {
        let log = sarif::log(args.baseline.is_some(), summary, open);
        let text = serde_json::to_string_pretty(&log);
        put(path, text.map_err(|error| Error::Internal(format!("the SARIF log: {error}")))? + "\n")?;
    }
    if let Some(path) = &args.markdown {
        put(path, markdown::text(summary, open))?;
    }
    if let Some(path) = &args.html {
        put(path, page::page(summary, open))?;
    }
    Ok(())
}

/// The bucket of a difference, or why nothing is known.
fn reason(f: &FunctionReport) -> &str {
    f.bucket.as_deref().or(f.why.map(WhyKind::name)).unwrap_or_else(|| f.verdict.name())
}
