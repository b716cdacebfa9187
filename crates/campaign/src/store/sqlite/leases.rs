//! Ranges of program numbers handed to workers.

use super::{Fault, Sqlite};
use crate::error::Error;
use crate::store::rows::{CampaignId, Lease, Offer};
use rusqlite::{Connection, OptionalExtension, params};

impl Sqlite {
    /// Leases the next range of at most `count` programs among the first `total`: one that a killed hunt left open,
    /// else the one behind the last. Done when all are leased or done: this process has them all. Program 0 has the seed `base`.
    pub fn lease(
        &self,
        campaign: CampaignId,
        base: u64,
        total: Option<u64>,
        count: u64,
    ) -> Result<Offer, Error> {
        let take = |db: &mut Connection| -> Result<Offer, Fault> {
            let write = db.transaction()?;
            let free = first_free(&write, campaign)?;
            let limit = [free.end, total].into_iter().flatten().min().unwrap_or(u64::MAX);
            if limit <= free.start {
                return Ok(Offer::Done);
            }
            let end = limit.min(free.start.saturating_add(count));
            write.execute(
                "INSERT INTO lease (campaign, first, count, done) VALUES (?1, ?2, ?3, 0)",
                params![campaign.0, free.start as i64, (end - free.start) as i64],
            )?;
            let whole: Vec<u64> = (free.start..end).map(|number| base.wrapping_add(number)).collect();
            let seeds = untested(&write, campaign, whole.iter().copied())?;
            write.commit()?;
            Ok(Offer::Lease(Lease { first: free.start, epoch: 0, whole, seeds }))
        };
        take(&mut self.db()).map_err(|error| self.fail(error))
    }

    /// Says that all of a lease is tested.
    pub fn finish(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        self.change(campaign, lease, "UPDATE lease SET done = 1 WHERE campaign = ?1 AND first = ?2")
    }

    /// Gives back a lease that was not finished.
    pub fn give_back(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        self.change(campaign, lease, "DELETE FROM lease WHERE campaign = ?1 AND first = ?2 AND done = 0")
    }

    fn change(&self, campaign: CampaignId, lease: &Lease, sql: &str) -> Result<(), Error> {
        let done = self.db().execute(sql, params![campaign.0, lease.first as i64]);
        done.map(|_| ()).map_err(|error| self.fail(Fault::Sql(error)))
    }
}

/// A stretch of numbers that no lease covers; without an end it goes on for ever.
struct Free {
    start: u64,
    end: Option<u64>,
}

fn first_free(db: &Connection, campaign: CampaignId) -> Result<Free, Fault> {
    let mut query = db.prepare_cached("SELECT first, count FROM lease WHERE campaign = ?1 ORDER BY first")?;
    let mut rows = query.query([campaign.0])?;
    let mut next = 0;
    while let Some(row) = rows.next()? {
        let (start, count) = (row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64);
        if start > next {
            return Ok(Free { start: next, end: Some(start) });
        }
        next = next.max(start + count);
    }
    Ok(Free { start: next, end: None })
}

/// Those seeds that have no row yet.
fn untested(
    db: &Connection,
    campaign: CampaignId,
    seeds: impl Iterator<Item = u64>,
) -> Result<Vec<u64>, Fault> {
    let mut query = db.prepare_cached("SELECT 1 FROM program WHERE campaign = ?1 AND seed = ?2")?;
    let mut missing = Vec::new();
    for seed in seeds {
        let known: Option<i64> =
            query.query_row(params![campaign.0, seed as i64], |row| row.get(0)).optional()?;
        if known.is_none() {
            missing.push(seed);
        }
    }
    Ok(missing)
}
