//! Findings that are taken for one bug: by triage where it looked at them, by what the hunt knows of them elsewhere.

use super::model::GroupView;
use crate::error::Error;
use crate::store::{ConfigurationKey, FindingMoment, FindingRow, Store};
use crate::triage::{self, Triage};
use crate::verdict::Named;
use std::collections::{BTreeMap, BTreeSet};

/// Which findings are the same bug.
#[derive(Default)]
pub struct Grouping {
    /// The key of each finding's group.
    keys: BTreeMap<String, String>,
    /// What triage says, by finding.
    triaged: BTreeMap<String, Triage>,
}

impl Grouping {
    /// Groups findings as triage does. One that it has not looked at is the bug that the hunt counted it for, or has one with
    /// those of its kind and signature, and where there is no signature with those of its compiler.
    pub(super) fn of(
        store: &Store,
        rows: &[FindingRow],
        configurations: &[ConfigurationKey],
    ) -> Result<Grouping, Error> {
        let all = triage::load(store)?.into_iter();
        let triaged: BTreeMap<String, Triage> = all.map(|triage| (triage.finding.clone(), triage)).collect();
        let by_id: BTreeMap<&str, &FindingRow> = rows.iter().map(|row| (row.id.as_str(), row)).collect();
        let key = |row: &FindingRow| {
            let leader = by_id.get(row.evidence_of.as_str()).copied().unwrap_or(row);
            let known = triaged.get(&row.id).or_else(|| triaged.get(&leader.id));
            known.map_or_else(|| by_signature(leader, configurations), |triage| triage.group.clone())
        };
        let keys = rows.iter().map(|row| (row.id.clone(), key(row))).collect();
        Ok(Grouping { keys, triaged })
    }

    /// What triage says of a finding.
    pub(super) fn triage(&self, id: &str) -> Option<&Triage> {
        self.triaged.get(id)
    }

    /// The key of a finding's group.
    pub fn key<'a>(&'a self, row: &'a FindingRow) -> &'a str {
        self.keys.get(&row.id).unwrap_or(&row.id)
    }

    /// How many distinct bugs there are among findings.
    pub(super) fn bugs<'a>(&'a self, rows: impl Iterator<Item = &'a FindingRow>) -> u64 {
        rows.map(|row| self.key(row)).collect::<BTreeSet<_>>().len() as u64
    }

    /// The groups of findings, in the order in which they are to be looked at.
    pub(super) fn views<'a>(
        &self,
        found: impl Iterator<Item = (&'a FindingRow, &'a FindingMoment)>,
    ) -> Vec<GroupView> {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut groups: Vec<GroupView> = Vec::new();
        for (row, moment) in found {
            let place = *places.entry(self.key(row).to_owned()).or_insert_with(|| {
                groups.push(self.begin(row));
                groups.len() - 1
            });
            let group = &mut groups[place];
            group.findings += 1;
            group.first = [group.first, moment.at].into_iter().flatten().min();
            group.last = group.last.max(moment.at);
            // A finding that is only counted has no directory to look at.
            if group.representative.is_empty() && row.evidence_of.is_empty() {
                group.representative.clone_from(&row.id);
                group.title.clone_from(&row.summary);
            }
            if !group.configurations.contains(&row.configuration) {
                group.configurations.push(row.configuration.clone());
            }
        }
        for group in groups.iter_mut().filter(|group| group.representative.is_empty()) {
            group.representative.clone_from(&group.key);
        }
        // Those that triage did not rank stay in the order in which they were found, before known bugs and the others.
        groups.sort_by_key(|group| self.triaged.get(&group.key).map_or(0, |triage| triage.rank));
        groups
    }

    /// A group that has no finding yet.
    fn begin(&self, row: &FindingRow) -> GroupView {
        let key = self.key(row);
        let triage = self.triaged.get(key);
        let culprit = triage.and_then(|triage| triage.analysis.culprit.as_ref()).map(ToString::to_string);
        let culprit = culprit.filter(|text| !text.is_empty());
        let construct = || triage.and_then(|triage| triage.analysis.construct()).map(|d| d.name().to_owned());
        GroupView {
            key: key.to_owned(),
            kind: row.kind,
            title: row.summary.clone(),
            culprit: culprit.or_else(construct),
            known: triage.and_then(|triage| triage.known.clone()),
            // Triage has said which finding stands for the group.
            representative: triage.map(|triage| triage.group.clone()).unwrap_or_default(),
            findings: 0,
            configurations: Vec::new(),
            first: None,
            last: None,
        }
    }
}

fn by_signature(row: &FindingRow, configurations: &[ConfigurationKey]) -> String {
    match row.signature.as_str() {
        "" => {
            let of = configurations.iter().find(|key| key.label == row.configuration);
            format!("{}: {}", row.kind.name(), of.map_or(&row.configuration, |key| &key.compiler))
        }
        signature => format!("{}: {signature}", row.kind.name()),
    }
}
