//! Findings that are taken for one bug.

use super::model::GroupView;
use crate::error::Error;
use crate::store::{ConfigurationKey, FindingMoment, FindingRow, Store};
use crate::verdict::Named;
use std::collections::{BTreeMap, BTreeSet};

/// Which findings are the same bug.
#[derive(Default)]
pub struct Grouping {
    /// The key of each finding's group.
    keys: BTreeMap<String, String>,
}

impl Grouping {
    /// Groups findings by what tells their bug from others: kind and signature, and where there is no signature the compiler.
    pub(super) fn of(
        _store: &Store,
        rows: &[FindingRow],
        configurations: &[ConfigurationKey],
    ) -> Result<Grouping, Error> {
        let keys = rows.iter().map(|row| (row.id.clone(), by_signature(row, configurations))).collect();
        Ok(Grouping { keys })
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
            if !group.configurations.contains(&row.configuration) {
                group.configurations.push(row.configuration.clone());
            }
        }
        groups
    }

    /// A group that has no finding yet; it will be represented by this one.
    fn begin(&self, row: &FindingRow) -> GroupView {
        GroupView {
            key: self.key(row).to_owned(),
            kind: row.kind,
            title: row.summary.clone(),
            culprit: None,
            known: None,
            representative: row.id.clone(),
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
