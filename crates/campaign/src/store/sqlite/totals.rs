//! Counts of a campaign, as the database has them.

use super::{Fault, Sqlite, named};
use crate::error::Error;
use crate::store::rows::CampaignId;
use crate::store::totals::{Totals, each, sql};
use crate::verdict::{Named, Reason};
use rusqlite::{Connection, Row};
use std::collections::BTreeMap;
use std::time::Duration;

impl Sqlite {
    /// The counts of a campaign.
    pub fn sums(&self, campaign: CampaignId) -> Result<Totals, Error> {
        let read = |db: &Connection| -> Result<Totals, Fault> {
            let mut totals = Totals::default();
            let (all, unused, compilers, plumb): (i64, i64, i64, i64) =
                db.query_row(sql::PROGRAMS, [campaign.0], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                })?;
            totals.programs = all as u64;
            totals.tested = (all - unused) as u64;
            totals.compilers = Duration::from_micros(compilers as u64);
            totals.plumb = Duration::from_micros(plumb as u64);
            totals.rejected = counts(db, campaign, sql::REJECTED, reason)?;
            totals.results = counts(db, campaign, sql::RESULTS, |row| named(row, 1))?;
            totals.inconclusive = counts(db, campaign, sql::INCONCLUSIVE, reason)?;
            totals.alarms = counts(db, campaign, sql::ALARMS, |row| named(row, 1))?;
            for (names, variants) in counts(db, campaign, sql::VARIANTS, |row| row.get::<_, String>(1))? {
                each(&mut totals.variants, &names, variants);
            }
            totals.alarms_by_strategy = counts(db, campaign, sql::BY_STRATEGY, |row| row.get(1))?;
            Ok(totals)
        };
        read(&self.db()).map_err(|error| self.fail(error))
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
