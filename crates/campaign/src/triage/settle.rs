//! Settles what bug each finding is that has no culprit: it is one of those known already, or it is reduced.
//!
//! Reducing takes thousands of compilations, so what is known is tried first ([`same`]): the detours of all known bugs
//! together, one compilation. A finding that still fails then is none of them. It is reduced under the condition that it
//! goes on failing so, that is to a bug that was not there before. Small programs come first: they take less time, and
//! what they show is known when the large ones come.

use super::analyse::{Depth, class, group_key};
use super::known::Known;
use super::model::{Analysis, Seen, parts};
use super::run::Job;
use super::same;
use super::subject::{Subject, Variation};
use crate::configurations::INPUT;
use crate::detours::Detour;
use crate::error::Error;
use crate::reduction::{self, Options};
use crate::store::FindingRow;
use std::collections::BTreeMap;
use std::fs;

/// What became of the findings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settled {
    /// Those analysed again.
    pub analysed: u64,
    /// Those left, since the time ran out.
    pub left: u64,
}

/// Known bugs by kind and compiler.
type Bugs = BTreeMap<String, Vec<Detour>>;

/// Settles these findings, those that have a culprit as far as they stand for their group.
pub(super) fn settle(job: &Job<'_>, chosen: &[&FindingRow], known: &Known) -> Result<Settled, Error> {
    let mut bugs = bugs(job, known)?;
    let open = open(job, chosen)?;
    let mut settled = Settled::default();
    for (done, row) in open.iter().enumerate() {
        if job.is_over() {
            settled.left = (open.len() - done) as u64;
            break;
        }
        if let Some(signature) = one(job, row, &mut bugs)? {
            settled.analysed += 1;
            job.observer.settled(&row.id, &signature, done + 1, open.len());
        }
    }
    Ok(settled)
}

/// Settles a finding. What it is grouped by, if that was not known before.
fn one(job: &Job<'_>, row: &FindingRow, bugs: &mut Bugs) -> Result<Option<String>, Error> {
    let mut avoid: Vec<Detour> = Vec::new();
    let had_key = job.kept(&row.id).is_some_and(|kept| group_key(&kept.signature).is_some());
    let stopped = job.options.reduce && !job.is_fully_reduced(&row.id)?;
    if stopped {
        if !had_key && let Ok(subject) = Subject::open(&job.store.findings_dir(), row, &job.workshop) {
            let class = class(&subject.facts);
            avoid = bugs.get(&class).cloned().unwrap_or_default();
            if let Some(index) = same::known(&subject, &avoid)? {
                let signature = format!("{class}: {}", avoid[index].name());
                let analysis =
                    Analysis { signature: signature.clone(), ..job.kept(&row.id).unwrap_or_default() };
                job.keep(row, &analysis)?;
                return Ok(Some(signature));
            }
        }
        reduce(job, row, &avoid)?;
    }
    if had_key || !(stopped || job.is_missing(row, Depth::Signature)) {
        return Ok(None);
    }
    let signature = job.one(row, Depth::Signature)?;
    if let Some((class, detour)) = signature.as_deref().and_then(of_signature) {
        let known = bugs.entry(class).or_default();
        if !known.contains(&detour) {
            known.push(detour);
        }
    }
    Ok(signature)
}

/// The class and the detour of a signature that has one.
fn of_signature(signature: &str) -> Option<(String, Detour)> {
    let (class, known_by) = parts(signature)?;
    Some((class.to_owned(), Detour::named(known_by)?))
}

/// What is known from before: of findings that were reduced, and of the file of known bugs.
fn bugs(job: &Job<'_>, known: &Known) -> Result<Bugs, Error> {
    let mut bugs = Bugs::new();
    let triaged = super::load(job.store)?;
    let found = triaged.iter().map(|triage| triage.analysis.signature.as_str());
    for (class, detour) in found.chain(known.signatures()).filter_map(of_signature) {
        let known = bugs.entry(class).or_default();
        if !known.contains(&detour) {
            known.push(detour);
        }
    }
    Ok(bugs)
}

/// Findings that nothing is known of to group them by, and those that stand for a group; the smallest first.
fn open<'r>(job: &Job<'_>, chosen: &[&'r FindingRow]) -> Result<Vec<&'r FindingRow>, Error> {
    let triaged = super::load(job.store)?;
    let wanted = |row: &&&FindingRow| {
        let of = triaged.iter().find(|triage| triage.finding == row.id);
        let stands = |triage: &super::Triage| triage.known.is_none() && triage.is_representative();
        !job.options.only.is_empty()
            || of.is_some_and(|triage| stands(triage) || group_key(&triage.analysis.signature).is_none())
    };
    let mut open: Vec<&FindingRow> = chosen.iter().filter(wanted).copied().collect();
    let bytes = |row: &&FindingRow| {
        let path = job.store.findings_dir().join(&row.id).join(INPUT);
        (fs::metadata(path).map_or(0, |data| data.len()), row.id.clone())
    };
    open.sort_by_cached_key(bytes);
    Ok(open)
}

/// Reduces a finding. The machine alone says what a candidate means: asking another compiler about each would take most of
/// the time. It is asked about the result; where it goes wrong too, the reduction has come upon an error of the machine, and
/// is made again with that compiler as a judge of every candidate.
fn reduce(job: &Job<'_>, row: &FindingRow, avoid: &[Detour]) -> Result<(), Error> {
    job.observer.reducing(&row.id);
    let opened = &job.workshop.opened;
    let alone = Options { references: Vec::new(), ..Options::default() };
    for (options, again) in [(alone, false), (Options::default(), true)] {
        if again && !others_differ(job, row, &options.references)? {
            break;
        }
        let (jobs, time, avoid) = (job.options.jobs, job.time_left(), avoid.to_vec());
        match reduction::reduce_finding(
            job.store,
            &row.id,
            &Options { jobs, time, avoid, again, compilers: std::sync::Arc::clone(opened), ..options },
        ) {
            Ok(_) => {}
            // A finding that cannot be reduced here is triaged as it is.
            Err(error @ (Error::Usage(_) | Error::Tool { .. })) => {
                job.observer.not_reduced(&row.id, &error.to_string());
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Does one of these compilers show the reduced finding, too, although it was right about the whole one?
fn others_differ(job: &Job<'_>, row: &FindingRow, commands: &[String]) -> Result<bool, Error> {
    let subject = Subject::open(&job.store.findings_dir(), row, &job.workshop)?;
    if !subject.reduced || !same::applies(&subject) {
        return Ok(false);
    }
    for command in commands {
        let Ok(other) = job.workshop.compiler(command) else { continue };
        if other.compiler.id() == subject.configuration.tested.compiler.id() {
            continue;
        }
        let level = if other.compiler.family.optimises() { "-O0" } else { "" };
        let variation = Variation { compiler: Some(other), ..Variation::at(level) };
        if subject.ask(&variation)?.seen == Seen::Shows {
            return Ok(true);
        }
    }
    Ok(false)
}
