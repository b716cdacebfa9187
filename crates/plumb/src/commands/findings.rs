//! `plumb findings`

use crate::args::Findings;
use crate::output;
use campaign::store::{FindingRow, Store};
use campaign::verdict::{FindingKind, Named};
use campaign::{Error, exit};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A finding.
    Finding {
        /// As the store lists it.
        #[serde(flatten)]
        row: Box<FindingRow>,
        /// Where the rest is.
        directory: PathBuf,
        /// Alarms that show it: itself, and those that were only counted.
        count: u64,
    },
    /// The last line.
    Summary {
        /// How many findings were listed.
        findings: usize,
        /// How many alarms they are.
        alarms: u64,
    },
}

/// Runs the command.
pub fn run(args: &Findings) -> Result<u8, Error> {
    let wanted = args.kind.as_deref().map(kind).transpose()?;
    let store = Store::read(&args.store)?;
    let mut rows = store.findings()?;
    rows.retain(|row| wanted.is_none_or(|kind| row.kind == kind));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for row in &rows {
        let of = if row.evidence_of.is_empty() { &row.id } else { &row.evidence_of };
        *counts.entry(of.clone()).or_default() += 1;
    }
    rows.retain(|row| row.evidence_of.is_empty());
    let findings = rows.len();
    let alarms = counts.values().sum();
    for row in rows {
        let count = counts.get(&row.id).copied().unwrap_or(1);
        if args.json {
            let directory = store.directory(&row.id);
            output::json(&Line::Finding { row: Box::new(row), directory, count });
            continue;
        }
        let times = if count > 1 { format!("  ({count} times)") } else { String::new() };
        let summary = &row.summary;
        let id = output::alarm(&row.id);
        output::line(&format!("{id}  {}  {}{times}\n    {summary}", row.configuration, row.program));
        if let Some(doubt) = &row.doubt {
            output::line(&format!("    doubtful: {doubt}"));
        }
    }
    if args.json {
        output::json(&Line::Summary { findings, alarms });
    } else if findings == 0 {
        output::line("no findings");
    } else {
        output::line(&format!(
            "{findings} findings; explain one with `plumb show ID`, group them with `plumb triage`"
        ));
    }
    Ok(if findings == 0 { exit::OK } else { exit::ALARM })
}

fn kind(name: &str) -> Result<FindingKind, Error> {
    FindingKind::of_name(name).ok_or_else(|| {
        let known: Vec<&str> = FindingKind::ALL.iter().map(|kind| kind.name()).collect();
        Error::Usage(format!("--kind {name}: expected one of {}", known.join(", ")))
    })
}
