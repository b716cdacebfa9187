//! Ranges of program numbers handed to workers, each for a time by the server's clock. A range that is handed out again
//! has another epoch; what its earlier holder brings is then refused.
//!
//! Nothing here waits for the server's disk, and commits of programs without findings do not either: a server that crashes
//! may forget what was committed last, within about half a second. What it forgets is the end of its log, whole
//! transactions in the order of their commits (PostgreSQL's manual, "Asynchronous Commit": recovery replays the log up to
//! the last record on the disk). So a range that is still marked as done has all that was committed before it was. What is
//! not so is what a worker remembers: programs that it brought, or was told were there, before the crash. A range is
//! therefore finished by a statement that looks itself whether its programs are there, and that nothing is left is only
//! said once it is on the disk.

use super::Postgres;
use super::connection::Session;
use crate::error::Error;
use crate::store::rows::{CampaignId, Lease, Offer};
use std::collections::BTreeSet;

/// Marks a range as done if all of its programs are there, and else gives it back for those that are missing. Rows that a
/// statement sees were committed before it commits, so that no crash takes them and leaves the mark.
const FINISH: &str = "
UPDATE lease SET done = (known.programs = count),
  holder = CASE WHEN known.programs = count THEN holder ELSE '' END,
  expires = CASE WHEN known.programs = count THEN expires ELSE '-infinity' END
FROM (SELECT count(*) AS programs FROM program WHERE campaign = $1 AND seed = ANY ($4)) AS known
WHERE campaign = $1 AND first = $2 AND epoch = $3 AND NOT done";

/// Ranges made ahead at once: so many are taken before anybody has to wait for the campaign's row.
const AHEAD: i64 = 1024;

const TAKE: &str = "
WITH free AS (
  SELECT first FROM lease
  WHERE campaign = $1 AND NOT done AND expires < now() AND first + count <= $2
  ORDER BY expires, first LIMIT $5 FOR UPDATE SKIP LOCKED
)
UPDATE lease SET epoch = epoch + 1, holder = $3, expires = now() + $4 * interval '1 second'
FROM free WHERE lease.campaign = $1 AND lease.first = free.first
RETURNING lease.first, lease.count, lease.epoch";

impl Postgres {
    /// Leases a range that is free: one never held, one given back, or one whose holder has been silent for too long.
    pub fn lease(
        &self,
        campaign: CampaignId,
        base: u64,
        total: Option<u64>,
        count: u64,
    ) -> Result<Offer, Error> {
        let total = total.and_then(|total| i64::try_from(total).ok()).unwrap_or(i64::MAX);
        let count = i64::try_from(count).unwrap_or(1).max(1);
        self.connection.run("taking a lease", |session| {
            loop {
                if let Some((first, count, epoch)) = self.take(session, campaign, total, 1)?.pop() {
                    let numbers = first..first + count;
                    let whole: Vec<u64> = numbers.map(|number| base.wrapping_add(number as u64)).collect();
                    let seeds = untested(session, campaign, &whole)?;
                    return Ok(Offer::Lease(Lease { first: first as u64, epoch, whole, seeds }));
                }
                if !ahead(session, campaign, total, count)? {
                    return open(session, campaign, total);
                }
            }
        })
    }

    /// At most `most` free ranges: where each begins, how long it is, and its epoch.
    pub(super) fn take(
        &self,
        session: &mut Session,
        campaign: CampaignId,
        total: i64,
        most: i64,
    ) -> Result<Vec<(i64, i64, i64)>, postgres::Error> {
        let statement = session.prepared(TAKE)?;
        let seconds = self.lease.as_secs_f64();
        let rows = session.query(&statement, &[&campaign.0, &total, &self.holder, &seconds, &most])?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }

    /// A sign of life.
    pub fn renew(&self, campaign: CampaignId) -> Result<(), Error> {
        let sql = "UPDATE lease SET expires = now() + $3 * interval '1 second' \
                   WHERE campaign = $1 AND holder = $2 AND NOT done AND expires > '-infinity'";
        let seconds = self.lease.as_secs_f64();
        self.connection.run("renewing leases", |session| {
            session.execute(sql, &[&campaign.0, &self.holder, &seconds]).map(|_| ())
        })
    }

    /// Says that all of a lease is tested. What the server forgot of it in a crash is free for anybody again. Of a lease
    /// that another has by now that is his to say.
    pub fn finish(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        let (first, whole) = (lease.first as i64, numbers(&lease.whole));
        self.connection.run("finishing a lease", |session| {
            let statement = session.prepared(FINISH)?;
            session.execute(&statement, &[&campaign.0, &first, &lease.epoch, &whole]).map(|_| ())
        })
    }

    /// Gives back a lease that was not finished.
    pub fn give_back(&self, campaign: CampaignId, lease: &Lease) -> Result<(), Error> {
        let sql = "UPDATE lease SET holder = '', expires = '-infinity' \
                   WHERE campaign = $1 AND first = $2 AND epoch = $3 AND NOT done";
        let first = lease.first as i64;
        self.connection.run("giving a lease back", |session| {
            session.execute(sql, &[&campaign.0, &first, &lease.epoch]).map(|_| ())
        })
    }
}

/// Makes ranges behind the last one, unless somebody did so meanwhile; false where there are no more to make.
fn ahead(
    session: &mut Session,
    campaign: CampaignId,
    total: i64,
    count: i64,
) -> Result<bool, postgres::Error> {
    let mut write = session.transaction()?;
    let next: i64 =
        write.query_one("SELECT next FROM campaign WHERE id = $1 FOR NO KEY UPDATE", &[&campaign.0])?.get(0);
    let free: bool = write
        .query_one(
            "SELECT EXISTS (SELECT FROM lease WHERE campaign = $1 AND NOT done AND expires < now() \
             AND first + count <= $2)",
            &[&campaign.0, &total],
        )?
        .get(0);
    if free || next >= total {
        return Ok(free);
    }
    let end = next.saturating_add(AHEAD.saturating_mul(count)).min(total);
    write.execute(
        "INSERT INTO lease (campaign, first, count) \
         SELECT $1::bigint, first, least($4, $3 - first) \
         FROM generate_series($2::bigint, $3::bigint - 1, $4::bigint) AS first",
        &[&campaign.0, &next, &end, &count],
    )?;
    write.execute("UPDATE campaign SET next = $2 WHERE id = $1", &[&campaign.0, &end])?;
    write.commit()?;
    Ok(true)
}

/// What to say where nothing is free.
fn open(session: &mut Session, campaign: CampaignId, total: i64) -> Result<Offer, postgres::Error> {
    let sql = "SELECT EXISTS (SELECT FROM lease WHERE campaign = $1 AND NOT done AND first + count <= $2)";
    if session.query_one(sql, &[&campaign.0, &total])?.get(0) {
        return Ok(Offer::Wait);
    }
    session.settle()?;
    Ok(Offer::Done)
}

/// Those seeds that have no row yet.
fn untested(session: &mut Session, campaign: CampaignId, seeds: &[u64]) -> Result<Vec<u64>, postgres::Error> {
    let sql = "SELECT seed FROM program WHERE campaign = $1 AND seed = ANY ($2)";
    let statement = session.prepared(sql)?;
    let rows = session.query(&statement, &[&campaign.0, &numbers(seeds)])?;
    let known: BTreeSet<u64> = rows.iter().map(|row| row.get::<_, i64>(0) as u64).collect();
    Ok(seeds.iter().copied().filter(|seed| !known.contains(seed)).collect())
}

/// Seeds as the database has them.
fn numbers(seeds: &[u64]) -> Vec<i64> {
    seeds.iter().map(|&seed| seed as i64).collect()
}
