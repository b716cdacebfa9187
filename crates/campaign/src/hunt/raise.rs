//! What becomes of an alarm: a finding of its own, evidence for one that is known, or nothing where its reproducer denies it.

use super::context::{Hunt, held};
use super::meaning::Meanings;
use super::reproduce::{Reproduced, reproduce};
use super::variant;
use crate::error::Error;
use crate::findings::{Draft, Evidence};
use crate::sources::Program;
use crate::store::FindingRow;
use std::collections::btree_map::Entry;

/// A program that was tested.
pub(super) struct Tested<'a> {
    pub seed: u64,
    pub program: &'a Program,
    pub descended: Option<&'a variant::Descended>,
    pub meanings: &'a Meanings,
}

/// What became of an alarm.
pub(super) enum Raised {
    /// It is a finding.
    Finding(Box<FindingRow>),
    /// Its own reproducer does not show it.
    Denied,
    /// plumb was stopped meanwhile.
    Stopped,
}

/// Writes a finding, unless its reproducer denies it.
pub(super) fn write(hunt: &Hunt<'_>, evidence: &Evidence<'_>) -> Result<Raised, Error> {
    let draft = Draft::write(&hunt.findings(), evidence)?;
    Ok(match reproduce(hunt, &draft, evidence.limit)? {
        Reproduced::NotDenied => Raised::Finding(Box::new(keep(hunt, draft, evidence.row())?)),
        Reproduced::Denied => Raised::Denied,
        Reproduced::Stopped => Raised::Stopped,
    })
}

/// Keeps a finding with its directory, unless there is one with its signature: then it is evidence for that, and counted.
fn keep(hunt: &Hunt<'_>, draft: Draft, mut row: FindingRow) -> Result<FindingRow, Error> {
    // Which finding stands for the others a shared store decides when it is committed.
    if row.signature.is_empty() || hunt.store.is_shared() {
        draft.keep()?;
        return Ok(row);
    }
    let mut signatures = held(&hunt.signatures);
    match signatures.entry((row.kind, row.signature.clone())) {
        Entry::Occupied(first) if *first.get() != row.id => row.evidence_of.clone_from(first.get()),
        Entry::Occupied(_) => draft.keep()?,
        Entry::Vacant(free) => {
            draft.keep()?;
            free.insert(row.id.clone());
        }
    }
    Ok(row)
}
