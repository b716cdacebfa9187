//! `plumb findings`

use crate::args::Findings;
use crate::output;
use campaign::store::{FindingRow, Store};
use campaign::verdict::{FindingKind, Named};
use campaign::{Error, exit};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// A finding.
    Finding {
        /// As the store lists it.
        #[serde(flatten)]
        row: FindingRow,
        /// Where the rest is.
        directory: PathBuf,
    },
    /// The last line.
    Summary {
        /// How many findings were listed.
        findings: usize,
    },
}

/// Runs the command.
pub fn run(args: &Findings) -> Result<u8, Error> {
    let wanted = args.kind.as_deref().map(kind).transpose()?;
    let store = Store::read(&args.store)?;
    let mut rows = store.findings()?;
    rows.retain(|row| wanted.is_none_or(|kind| row.kind == kind));
    let findings = rows.len();
    for row in rows {
        if args.json {
            let directory = store.findings_dir().join(&row.id);
            output::json(&Line::Finding { row, directory });
            continue;
        }
        output::line(&format!("{}  {}  {}\n    {}", row.id, row.configuration, row.program, row.summary));
        if let Some(doubt) = &row.doubt {
            output::line(&format!("    doubtful: {doubt}"));
        }
    }
    if args.json {
        output::json(&Line::Summary { findings });
    } else if findings == 0 {
        output::line("no findings");
    } else {
        output::line(&format!("{findings} findings; explain one with `plumb show ID`"));
    }
    Ok(if findings == 0 { exit::OK } else { exit::ALARM })
}

fn kind(name: &str) -> Result<FindingKind, Error> {
    FindingKind::of_name(name).ok_or_else(|| {
        let known: Vec<&str> = FindingKind::ALL.iter().map(|kind| kind.name()).collect();
        Error::Usage(format!("--kind {name}: expected one of {}", known.join(", ")))
    })
}
