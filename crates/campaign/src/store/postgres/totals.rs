//! Counts of a campaign, as the database has them.

use super::{Postgres, named};
use crate::error::Error;
use crate::store::rows::CampaignId;
use crate::store::totals::{Totals, each, sql};
use crate::verdict::{Named, Reason};
use postgres::Row;
use std::collections::BTreeMap;
use std::time::Duration;

impl Postgres {
    /// The counts of a campaign.
    pub fn sums(&self, campaign: CampaignId) -> Result<Totals, Error> {
        let mut totals = Totals::default();
        let number = |row: &Row, column: usize| row.get::<_, i64>(column) as u64;
        for (all, unused, compilers, plumb) in
            self.rows("counting", sql::PROGRAMS, Some(campaign), |row| {
                Ok((number(row, 0), number(row, 1), number(row, 2), number(row, 3)))
            })?
        {
            totals.programs = all;
            totals.tested = all - unused;
            totals.compilers = Duration::from_micros(compilers);
            totals.plumb = Duration::from_micros(plumb);
        }
        totals.rejected = self.counts(campaign, sql::REJECTED, reason)?;
        totals.results = self.counts(campaign, sql::RESULTS, |row| named(row, 1))?;
        totals.inconclusive = self.counts(campaign, sql::INCONCLUSIVE, reason)?;
        totals.alarms = self.counts(campaign, sql::ALARMS, |row| named(row, 1))?;
        for (names, variants) in self.counts(campaign, sql::VARIANTS, |row| Ok(row.get::<_, String>(1)))? {
            each(&mut totals.variants, &names, variants);
        }
        totals.alarms_by_strategy = self.counts(campaign, sql::BY_STRATEGY, |row| Ok(row.get(1)))?;
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
