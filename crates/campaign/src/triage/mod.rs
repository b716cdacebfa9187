//! From many findings to few bugs (thesis 7.2.4): what each finding is to be blamed on, which are the same bug, and in which
//! order to look at them.
//!
//! [`load`] gives what is known, for whoever shows or reports findings.

mod analyse;
mod blame;
mod distance;
mod group;
mod known;
mod model;
mod rivals;
mod run;
mod same;
mod settle;
mod subject;

pub use analyse::family;
pub use known::FILE as KNOWN;
pub use run::{Observer, Options, Report, regroup, run};
pub use subject::{Subject, Tried, Variation, Workshop};

pub use model::{
    Analysis, Broken, Cell, CompilerStage, Confidence, Culprit, Pass, PassKind, Seen, Source, Step,
    Transformation, Triage,
};

use crate::error::Error;
use crate::store::{FindingRow, Store, TriageRow};
use std::collections::BTreeMap;
use std::path::Path;

/// What triage has others do: plumb's own commands, which are above this crate.
pub trait Tools: Sync {
    /// Proves or refutes that one file of LLVM IR means what another does, in this function or all; what is refuted.
    fn prove(&self, before: &Path, after: &Path, function: Option<&str>) -> Result<Option<Broken>, Error>;
}

/// What triage says of the store's findings, the bugs to look at first first, and of each bug the finding that stands for it
/// first. Findings that were not triaged are not listed.
pub fn load(store: &Store) -> Result<Vec<Triage>, Error> {
    let counted = members(&store.findings()?);
    let rows = store.triaged()?;
    let mut members: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &rows {
        *members.entry(&row.group).or_default() += counted.get(row.finding.as_str()).copied().unwrap_or(1);
    }
    let all: Result<Vec<Triage>, Error> =
        rows.iter().map(|row| of_row(row, members.get(row.group.as_str()).copied().unwrap_or(1))).collect();
    let mut all = all?;
    all.sort_by_cached_key(|triage| (triage.rank, !triage.is_representative(), triage.finding.clone()));
    Ok(all)
}

/// For each finding with a directory: itself and those that a hunt counted as the same.
fn members(findings: &[FindingRow]) -> BTreeMap<String, u64> {
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    for row in findings {
        let id = if row.evidence_of.is_empty() { &row.id } else { &row.evidence_of };
        *counted.entry(id.clone()).or_default() += 1;
    }
    counted
}

fn of_row(row: &TriageRow, members: u64) -> Result<Triage, Error> {
    let analysis = serde_json::from_str(&row.analysis).map_err(|error| {
        let id = &row.finding;
        Error::Internal(format!(
            "what triage kept of `{id}` cannot be read ({error}); run `plumb triage --again`"
        ))
    })?;
    Ok(Triage {
        finding: row.finding.clone(),
        group: row.group.clone(),
        members,
        rank: row.rank,
        known: row.known.clone(),
        analysis,
    })
}
