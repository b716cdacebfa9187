//! Counts of a campaign, from the store itself, so that a resumed hunt goes on from the true ones.

use super::{CampaignId, Fault, FindingRow, RowVerdict, Store, named};
use crate::error::Error;
use crate::verdict::{Answer, FindingKind, InconclusiveKind, Named, Reason, RejectionKind};
use rusqlite::{Connection, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What a campaign has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Programs looked at.
    pub programs: u64,
    /// Programs tested in at least one configuration.
    pub tested: u64,
    /// Programs not used, by reason.
    pub rejected: BTreeMap<Reason<RejectionKind>, u64>,
    /// Pairs of program and configuration by verdict.
    pub results: BTreeMap<Answer, u64>,
    /// Inconclusive pairs by reason.
    pub inconclusive: BTreeMap<Reason<InconclusiveKind>, u64>,
    /// Alarms by kind.
    pub alarms: BTreeMap<FindingKind, u64>,
    /// Variants tested, by strategy; those of several strategies count for each.
    pub variants: BTreeMap<String, u64>,
    /// Alarms by the strategies whose edits they need.
    pub alarms_by_strategy: BTreeMap<String, u64>,
    /// CPU time of compilers and compiled programs.
    pub compilers: Duration,
    /// CPU time of plumb itself.
    pub plumb: Duration,
    /// What stands for each distinct bug.
    bugs: BTreeSet<String>,
    /// What stands for the group of a finding that was triaged.
    leaders: BTreeMap<String, String>,
}

impl Totals {
    /// All rejected programs.
    pub fn all_rejected(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// All alarms.
    pub fn all_alarms(&self) -> u64 {
        self.alarms.values().sum()
    }

    /// Distinct bugs among the alarms, as far as is known: groups of triage; of what was not triaged signatures, and of
    /// what has none the program that shows it.
    pub fn distinct(&self) -> u64 {
        self.bugs.len() as u64
    }

    fn bug(&mut self, kind: FindingKind, row: &FindingRow) {
        let id = if row.evidence_of.is_empty() { &row.id } else { &row.evidence_of };
        let bug = match self.leaders.get(id) {
            Some(leader) => leader.clone(),
            None if row.signature.is_empty() => format!("{} {}", kind.name(), row.seed),
            None => id.clone(),
        };
        self.bugs.insert(bug);
    }

    /// All inconclusive pairs.
    pub fn all_inconclusive(&self) -> u64 {
        self.inconclusive.values().sum()
    }

    /// plumb's part of all CPU time, in percent.
    pub fn own_share(&self) -> f64 {
        let all = (self.compilers + self.plumb).as_secs_f64();
        if all > 0.0 { 100.0 * self.plumb.as_secs_f64() / all } else { 0.0 }
    }

    /// Adds what became of one program.
    pub fn add(&mut self, row: &super::ProgramRow) {
        self.programs += 1;
        match &row.rejected {
            Some(rejection) => *self.rejected.entry(rejection.reason()).or_default() += 1,
            None => {
                self.tested += 1;
                each(&mut self.variants, &row.strategies, 1);
            }
        }
        for result in &row.results {
            let answer = match &result.verdict {
                RowVerdict::Pass => Answer::Pass,
                RowVerdict::Alarm => Answer::Alarm,
                RowVerdict::Rejected(_) => Answer::Rejected,
                RowVerdict::Inconclusive(why) => {
                    *self.inconclusive.entry(why.reason.clone()).or_default() += 1;
                    Answer::Inconclusive
                }
            };
            *self.results.entry(answer).or_default() += 1;
        }
        for finding in &row.findings {
            *self.alarms.entry(finding.kind).or_default() += 1;
            self.bug(finding.kind, finding);
            if !finding.strategies.is_empty() {
                *self.alarms_by_strategy.entry(finding.strategies.clone()).or_default() += 1;
            }
        }
        self.compilers += Duration::from_micros(row.compilers_us);
        self.plumb += Duration::from_micros(row.plumb_us);
    }
}

impl Store {
    /// The counts of a campaign.
    pub fn totals(&self, campaign: CampaignId) -> Result<Totals, Error> {
        let mut totals = self.sums(campaign)?;
        totals.leaders = self.triaged()?.into_iter().map(|row| (row.finding, row.group)).collect();
        for row in self.findings_of(Some(campaign))? {
            totals.bug(row.kind, &row);
        }
        Ok(totals)
    }

    fn sums(&self, campaign: CampaignId) -> Result<Totals, Error> {
        let read = |db: &Connection| -> Result<Totals, Fault> {
            let mut totals = Totals::default();
            let (all, unused, compilers, plumb): (i64, i64, i64, i64) = db.query_row(
                "SELECT count(*), count(rejected), coalesce(sum(compilers_us), 0), coalesce(sum(plumb_us), 0) \
                 FROM program WHERE campaign = ?1",
                [campaign.0],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )?;
            totals.programs = all as u64;
            totals.tested = (all - unused) as u64;
            totals.compilers = Duration::from_micros(compilers as u64);
            totals.plumb = Duration::from_micros(plumb as u64);
            let count = |what: &str| counts(db, campaign, what, |row| row.get::<_, String>(1));
            totals.rejected = counts(
                db,
                campaign,
                "SELECT count(*), rejected, about FROM program WHERE campaign = ?1 AND rejected IS NOT NULL \
                 GROUP BY 2, 3",
                reason,
            )?;
            let results = "SELECT count(*), verdict FROM result WHERE campaign = ?1 GROUP BY 2";
            totals.results = counts(db, campaign, results, |row| named(row, 1))?;
            totals.inconclusive = counts(
                db,
                campaign,
                "SELECT count(*), why, about FROM result WHERE campaign = ?1 AND verdict = 'inconclusive' \
                 GROUP BY 2, 3",
                reason,
            )?;
            let alarms = "SELECT count(*), kind FROM finding WHERE campaign = ?1 GROUP BY 2";
            totals.alarms = counts(db, campaign, alarms, |row| named(row, 1))?;
            let variants = count(
                "SELECT count(*), strategies FROM program WHERE campaign = ?1 AND rejected IS NULL GROUP BY 2",
            )?;
            for (names, variants) in variants {
                each(&mut totals.variants, &names, variants);
            }
            totals.alarms_by_strategy = count(
                "SELECT count(*), strategies FROM finding WHERE campaign = ?1 AND strategies <> '' GROUP BY 2",
            )?;
            Ok(totals)
        };
        read(&self.db()).map_err(|error| self.fail(error))
    }
}

/// Adds to the count of each name of a list.
fn each(counts: &mut BTreeMap<String, u64>, names: &str, count: u64) {
    for name in names.split(',').filter(|name| !name.is_empty()) {
        *counts.entry(name.to_owned()).or_default() += count;
    }
}

/// A reason that is stored as its name and what it is about.
fn reason<K: Named>(row: &Row<'_>) -> rusqlite::Result<Reason<K>> {
    Ok(Reason { kind: named(row, 1)?, about: row.get(2)? })
}

/// The counts in the first column of what `sql` selects, by what `key` makes of the others.
fn counts<K: Ord>(
    db: &Connection,
    campaign: CampaignId,
    sql: &str,
    key: impl Fn(&Row<'_>) -> rusqlite::Result<K>,
) -> Result<BTreeMap<K, u64>, Fault> {
    let mut query = db.prepare(sql)?;
    let rows = query.query_map([campaign.0], |row| Ok((key(row)?, row.get::<_, i64>(0)? as u64)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
