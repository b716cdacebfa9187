//! One finding: its facts, its program, how that became small, and what is to blame.

use super::model::{FindingView, Reduction, Text};
use super::{Known, line};
use crate::configurations::INPUT;
use crate::error::Error;
use crate::findings;
use crate::store::{FindingRow, Store};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of a program that are shown.
const LONGEST: u64 = 256 << 10;
/// Other findings of the same bug that are shown.
const OTHERS: usize = 10;
/// What the reduced program is called in a finding's directory.
const REDUCED: &str = "reduced.c";
/// The sizes of a program while it was reduced, a JSON object a line, in a finding's directory.
const REDUCTION: &str = "reduction.jsonl";

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
    let directory = store.findings_dir().join(&row.id);
    let (facts, trouble) = match findings::read(&directory) {
        Ok(facts) => (Some(facts), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let source = text(&directory, INPUT);
    Ok(Some(FindingView {
        line: line(&known.grouping, row, moment),
        facts,
        trouble,
        others: others.take(OTHERS).map(|(row, moment)| line(&known.grouping, row, moment)).collect(),
        reduced: text(&directory, REDUCED),
        reduction: reduction(&directory),
        source,
        blame: bug.culprit.iter().cloned().collect(),
        bug,
        report: None,
        directory,
    }))
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

/// The sizes of a program while it was reduced; lines of a file that is still being written may be half.
fn reduction(directory: &Path) -> Vec<Reduction> {
    let text = std::fs::read_to_string(directory.join(REDUCTION)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
