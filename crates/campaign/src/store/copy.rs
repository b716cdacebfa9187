//! Brings what one store holds to another, of either kind. What is there already is left as it is, so that the same copy
//! can be made again after an interruption, or after more was found.

use super::items::Needs;
use super::rows::{CampaignKey, CampaignRow, Kept, Record};
use super::{Store, files};
use crate::error::Error;
use std::collections::BTreeSet;

/// Programs that are in memory at once.
const PAGE: u32 = 500;

/// What was new in the other store.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Campaigns looked at.
    pub campaigns: u64,
    /// Programs that were new.
    pub programs: u64,
    /// Findings of those.
    pub findings: u64,
}

/// Copies all campaigns with their programs, findings and triage.
pub fn copy(from: &Store, to: &Store) -> Result<Copied, Error> {
    let mut copied = Copied::default();
    let work = from.work()?;
    for row in from.campaigns()? {
        let its = work.iter().find(|work| work.id == row.id);
        let its = its.map(|work| (work.words.clone(), work.needs.clone())).unwrap_or_default();
        campaign(from, to, &row, its, &mut copied)?;
    }
    to.keep_triage(&from.triaged()?)?;
    let known = to.decisions()?;
    for decision in from.decisions()?.iter().filter(|decision| !known.contains(decision)) {
        to.decide(decision)?;
    }
    Ok(copied)
}

fn campaign(
    from: &Store,
    to: &Store,
    row: &CampaignRow,
    (words, needs): (Vec<String>, Needs),
    copied: &mut Copied,
) -> Result<(), Error> {
    let CampaignRow { id, title, key } = row.clone();
    let key = CampaignKey { key, title, configurations: from.configurations(id)?, words, total: None, needs };
    let there = to.campaign(&key)?;
    copied.campaigns += 1;
    let own: BTreeSet<String> =
        from.backend.findings(Some(id))?.into_iter().map(|finding| finding.id).collect();
    let mut after = None;
    loop {
        let page = from.backend.records(id, after, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.seed);
        for record in &page {
            if toolchain::stop::requested() {
                return Ok(());
            }
            evidence(from, to, record, &own)?;
            match to.backend.add(there, record)? {
                Kept::New => {
                    copied.programs += 1;
                    copied.findings += record.findings.len() as u64;
                }
                Kept::Known | Kept::Late => {}
            }
        }
    }
}

/// Brings the files of a program's findings. A directory's findings may be counted with one of another campaign; in a
/// database, where campaigns have nothing in common, such a one has the files of that.
fn evidence(from: &Store, to: &Store, record: &Record, own: &BTreeSet<String>) -> Result<(), Error> {
    for finding in &record.findings {
        let leader = match finding.evidence_of.as_str() {
            "" => &finding.id,
            leader if to.is_shared() && !own.contains(leader) => &finding.evidence_of,
            _ => continue,
        };
        let (here, there) = (from.fetch(leader)?, to.findings_dir().join(&finding.id));
        if here.is_dir() {
            files::copy(&here, &there)?;
        }
    }
    Ok(())
}
