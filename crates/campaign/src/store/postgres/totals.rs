//! Counts of a campaign, as the database has them.

use super::{Postgres, named};
use crate::error::Error;
use crate::store::rows::CampaignId;
use crate::store::totals::{Totals, each};
use crate::verdict::{Named, Reason};
use postgres::Row;
use std::collections::BTreeMap;
use std::time::Duration;

impl Postgres {
    /// The counts of a campaign.
    pub fn sums(&self, campaign: CampaignId) -> Result<Totals, Error> {
        let mut totals = Totals::default();
        let sql = "SELECT count(*), count(rejected), coalesce(sum(compilers_us), 0)::bigint, \
                   coalesce(sum(plumb_us), 0)::bigint FROM program WHERE campaign = $1";
        let number = |row: &Row, column: usize| row.get::<_, i64>(column) as u64;
        for (all, unused, compilers, plumb) in self.rows("counting", sql, Some(campaign), |row| {
            Ok((number(row, 0), number(row, 1), number(row, 2), number(row, 3)))
        })? {
            totals.programs = all;
            totals.tested = all - unused;
            totals.compilers = Duration::from_micros(compilers);
            totals.plumb = Duration::from_micros(plumb);
        }
        let rejected = "SELECT count(*), rejected, about FROM program WHERE campaign = $1 AND rejected IS NOT NULL \
                        GROUP BY 2, 3";
        totals.rejected = self.counts(campaign, rejected, reason)?;
        let results = "SELECT count(*), verdict FROM result WHERE campaign = $1 GROUP BY 2";
        totals.results = self.counts(campaign, results, |row| named(row, 1))?;
        let inconclusive = "SELECT count(*), why, about FROM result WHERE campaign = $1 AND verdict = 'inconclusive' \
                            GROUP BY 2, 3";
        totals.inconclusive = self.counts(campaign, inconclusive, reason)?;
        let alarms = "SELECT count(*), kind FROM finding WHERE campaign = $1 GROUP BY 2";
        totals.alarms = self.counts(campaign, alarms, |row| named(row, 1))?;
        let strategies = |row: &Row| Ok(row.get::<_, String>(1));
        let variants =
            "SELECT count(*), strategies FROM program WHERE campaign = $1 AND rejected IS NULL GROUP BY 2";
        for (names, variants) in self.counts(campaign, variants, strategies)? {
            each(&mut totals.variants, &names, variants);
        }
        let by =
            "SELECT count(*), strategies FROM finding WHERE campaign = $1 AND strategies <> '' GROUP BY 2";
        totals.alarms_by_strategy = self.counts(campaign, by, strategies)?;
        Ok(totals)
    }

    /// The counts in the first column of what `sql` selects, by what `key` makes of the others.
    fn counts<K: Ord>(
        &self,
        campaign: CampaignId,
        sql: &str,
        key: impl Fn(&Row) -> Result<K, String>,
    ) -> Result<BTreeMap<K, u64>, Error> {
        let read = |row: &Row| Ok((key(row)?, row.get::<_, i64>(0) as u64));
        Ok(self.rows("counting", sql, Some(campaign), read)?.into_iter().collect())
    }
}

/// A reason that is stored as its name and what it is about.
fn reason<K: Named>(row: &Row) -> Result<Reason<K>, String> {
    Ok(Reason { kind: named(row, 1)?, about: row.get(2) })
}
