//! Counts of a campaign, from the store itself, so that a resumed hunt goes on from the true ones.

use super::{CampaignId, Fault, Store};
use crate::error::Error;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a campaign has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Programs looked at.
    pub programs: u64,
    /// Programs tested in at least one configuration.
    pub tested: u64,
    /// Programs not used, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// Pairs of program and configuration by verdict.
    pub results: BTreeMap<String, u64>,
    /// Inconclusive pairs by reason.
    pub inconclusive: BTreeMap<String, u64>,
    /// Alarms by kind.
    pub alarms: BTreeMap<String, u64>,
    /// Variants tested, by strategy; those of several strategies count for each.
    pub variants: BTreeMap<String, u64>,
    /// Alarms by the strategies whose edits they need.
    pub alarms_by_strategy: BTreeMap<String, u64>,
    /// CPU time of compilers and compiled programs.
    pub compilers: Duration,
    /// CPU time of plumb itself.
    pub plumb: Duration,
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
            Some(reason) => *self.rejected.entry(reason.clone()).or_default() += 1,
            None => {
                self.tested += 1;
                each(&mut self.variants, &row.strategies, 1);
            }
        }
        for result in &row.results {
            *self.results.entry(result.verdict.to_owned()).or_default() += 1;
            if result.verdict == "inconclusive" {
                *self.inconclusive.entry(result.why.clone()).or_default() += 1;
            }
        }
        for finding in &row.findings {
            *self.alarms.entry(finding.kind.clone()).or_default() += 1;
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
            let count = |what: &str| counts(db, campaign, what);
            totals.rejected = count(
                "SELECT rejected, count(*) FROM program WHERE campaign = ?1 AND rejected IS NOT NULL GROUP BY 1",
            )?;
            totals.results = count("SELECT verdict, count(*) FROM result WHERE campaign = ?1 GROUP BY 1")?;
            totals.inconclusive = count(
                "SELECT why, count(*) FROM result WHERE campaign = ?1 AND verdict = 'inconclusive' GROUP BY 1",
            )?;
            totals.alarms = count("SELECT kind, count(*) FROM finding WHERE campaign = ?1 GROUP BY 1")?;
            let variants = count(
                "SELECT strategies, count(*) FROM program WHERE campaign = ?1 AND rejected IS NULL GROUP BY 1",
            )?;
            for (names, variants) in variants {
                each(&mut totals.variants, &names, variants);
            }
            totals.alarms_by_strategy = count(
                "SELECT strategies, count(*) FROM finding WHERE campaign = ?1 AND strategies <> '' GROUP BY 1",
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

fn counts(db: &Connection, campaign: CampaignId, sql: &str) -> Result<BTreeMap<String, u64>, Fault> {
    let mut query = db.prepare(sql)?;
    let rows = query.query_map([campaign.0], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
