//! One finding: its facts, its program, how that became small, and what is to blame.

use super::model::{FindingView, Reduction, Text};
use super::{Known, line};
use crate::configurations::INPUT;
use crate::error::Error;
use crate::findings;
use crate::reduction::{self, REDUCED};
use crate::store::{FindingRow, Store};
use crate::triage::Triage;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of a program that are shown.
const LONGEST: u64 = 256 << 10;
/// Other findings of the same bug that are shown.
const OTHERS: usize = 10;

/// The finding of this identity; `None` where there is none.
pub fn finding(store: &Store, id: &str) -> Result<Option<FindingView>, Error> {
    let known = Known::of(store)?;
    let Some((row, moment)) = known.each(None).find(|(row, _)| row.id == id) else { return Ok(None) };
    let key = known.grouping.key(row);
    let same = |other: &FindingRow| known.grouping.key(other) == key;
    let Some(bug) = known.grouping.views(known.each(None).filter(|(row, _)| same(row))).pop() else {
        return Ok(None);
    };
    let others = known.each(None).filter(|(other, _)| same(other) && other.id != id);
    let directory = store.fetch(&row.id)?;
    let (facts, trouble) = match findings::read(&directory) {
        Ok(facts) => (Some(facts), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let counted_for = known.rows.iter().find(|other| other.id == row.evidence_of);
    let triage = known.grouping.triage(id).or_else(|| known.grouping.triage(&row.evidence_of));
    let mut view = FindingView {
        line: line(&known.grouping, row, moment),
        trouble: if counted_for.is_some() { None } else { trouble },
        facts,
        counted_for: counted_for.map(|other| other.id.clone()),
        others: others.take(OTHERS).map(|(row, moment)| line(&known.grouping, row, moment)).collect(),
        source: text(&directory, INPUT),
        reduced: text(&directory.join(REDUCED), INPUT),
        reduction: curve(&directory),
        blame: triage.map(blame).unwrap_or_default(),
        levels: triage.map(|triage| triage.analysis.levels.clone()).unwrap_or_default(),
        bug,
        report: None,
        directory,
    };
    view.report = super::preview::preview(&view);
    Ok(Some(view))
}

/// What is known of the culprit, line by line.
fn blame(triage: &Triage) -> Vec<String> {
    let analysis = &triage.analysis;
    let mut lines: Vec<String> = analysis.culprit.iter().map(ToString::to_string).collect();
    let construct = analysis.construct();
    lines.extend(construct.map(|detour| format!("gone where each {} is {}", detour.name(), detour.taken())));
    if analysis.confidence.runs > 0 {
        lines.push(format!(
            "{} of {} repeated runs agree",
            analysis.confidence.agreed, analysis.confidence.runs
        ));
    }
    lines.extend(analysis.stage.map(|stage| format!("where: {}", stage.text())));
    if !analysis.versions_affected.is_empty() {
        lines.push(format!("shows in {}", analysis.versions_affected.join(", ")));
    }
    let proof = analysis.proof.as_ref();
    lines.extend(proof.map(|broken| format!("the pass breaks `{}`: {}", broken.function, broken.input)));
    lines.extend(analysis.notes.iter().map(|note| format!("not known: {note}")));
    lines.retain(|line| !line.is_empty());
    lines
}

/// A file of a finding, if it is there.
fn text(directory: &Path, name: &str) -> Option<Text> {
    let file = File::open(directory.join(name)).ok()?;
    let bytes = file.metadata().ok()?.len();
    let mut start = Vec::new();
    file.take(LONGEST).read_to_end(&mut start).ok()?;
    Some(Text {
        name: name.to_owned(),
        bytes,
        text: String::from_utf8_lossy(&start).into_owned(),
        cut: bytes > LONGEST,
    })
}

/// The sizes of a program while it was reduced; none where it was not.
fn curve(directory: &Path) -> Vec<Reduction> {
    let Ok(Some(reduced)) = reduction::result(directory) else { return Vec::new() };
    let mut curve = vec![Reduction { seconds: 0.0, bytes: reduced.bytes_before as u64 }];
    let mut seconds = 0.0;
    for step in &reduced.steps {
        seconds += step.seconds;
        curve.push(Reduction { seconds, bytes: step.bytes as u64 });
    }
    curve
}
