//! Counts of a campaign, from the store itself, so that a resumed hunt goes on from the true ones.

use super::Store;
use super::rows::{CampaignId, FindingRow, ProgramRow, RowVerdict};
use crate::error::Error;
use crate::verdict::{Answer, FindingKind, InconclusiveKind, Named, Reason, RejectionKind};
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
    pub fn add(&mut self, row: &ProgramRow) {
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
        let mut totals = self.backend.sums(campaign)?;
        totals.leaders = self.triaged()?.into_iter().map(|row| (row.finding, row.group)).collect();
        for row in self.backend.findings(Some(campaign))? {
            totals.bug(row.kind, &row);
        }
        Ok(totals)
    }
}

/// Adds to the count of each name of a list.
pub(super) fn each(counts: &mut BTreeMap<String, u64>, names: &str, count: u64) {
    for name in names.split(',').filter(|name| !name.is_empty()) {
        *counts.entry(name.to_owned()).or_default() += count;
    }
}

/// What databases are asked when a campaign, their first parameter, is counted: a count, and what it is the count of.
pub(super) mod sql {
    /// All programs, those not used, and microseconds of compilers and of plumb.
    pub const PROGRAMS: &str = "SELECT count(*), count(rejected), CAST(coalesce(sum(compilers_us), 0) AS bigint), \
                                CAST(coalesce(sum(plumb_us), 0) AS bigint) FROM program WHERE campaign = $1";
    /// Programs not used, by why.
    pub const REJECTED: &str = "SELECT count(*), rejected, about FROM program WHERE campaign = $1 \
                                AND rejected IS NOT NULL GROUP BY 2, 3";
    /// Results by verdict.
    pub const RESULTS: &str = "SELECT count(*), verdict FROM result WHERE campaign = $1 GROUP BY 2";
    /// Inconclusive results, by why.
    pub const INCONCLUSIVE: &str = "SELECT count(*), why, about FROM result WHERE campaign = $1 \
                                    AND verdict = 'inconclusive' GROUP BY 2, 3";
    /// Findings by kind.
    pub const ALARMS: &str = "SELECT count(*), kind FROM finding WHERE campaign = $1 GROUP BY 2";
    /// Programs used, by the strategies that made them.
    pub const VARIANTS: &str = "SELECT count(*), strategies FROM program WHERE campaign = $1 \
                                AND rejected IS NULL GROUP BY 2";
    /// Findings by strategies.
    pub const BY_STRATEGY: &str = "SELECT count(*), strategies FROM finding WHERE campaign = $1 \
                                   AND strategies <> '' GROUP BY 2";
}
