//! Ranges of program numbers handed to workers, each for a time by the server's clock. A range that is handed out again
//! has another epoch; what its earlier holder brings is then refused.
//!
//! Nothing here waits for the server's disk, and commits of programs without findings do not either: a server that crashes
//! may forget what was committed last, within about half a second. What it forgets is the end of its log, whole
//! transactions in the order of their commits (PostgreSQL's manual, "Asynchronous Commit": recovery replays the log up to
//! the last record on the disk). Programs of a range that are brought together, and that the range is through with them, are
//! one transaction (`commit.rs`): kept or forgotten together. So a range that is still marked as done has all that was committed before it was. What is
//! not so is what a worker remembers: programs that it brought, or was told were there, before the crash. A range is
//! therefore finished by a statement that looks itself whether its programs are there, and that nothing is left is only
//! said once it is on the disk.

use super::Postgres;
use super::connection::Session;
use crate::error::Error;
use crate::store::rows::{CampaignId, Lease, Offer};
use postgres::Row;
use postgres::types::ToSql;

/// Ranges made ahead at once: so many are taken before anybody has to wait for the campaign's row.
const AHEAD: i64 = 1024;

/// Hands out a range, and says which of its programs are there. One that comes while this is being done is tested twice, and
/// kept once. Seeds are numbers without a sign, which the database has as numbers with one. Each is looked
/// for by itself: so no plan can be one that reads all programs of a campaign.
const TAKE: &str = "
WITH free AS (
  SELECT first FROM lease
  WHERE campaign = $1 AND NOT done AND expires < now() AND first + count <= $2
  ORDER BY expires, first LIMIT 1 FOR UPDATE SKIP LOCKED
), taken AS (
  UPDATE lease SET epoch = epoch + 1, holder = $3, expires = now() + $4 * interval '1 second'
  FROM free WHERE lease.campaign = $1 AND lease.first = free.first
  RETURNING lease.first, lease.count, lease.epoch
)
SELECT first, count, epoch, ARRAY(
  SELECT seed FROM (
    SELECT (mod($5::bigint::numeric + number + 9223372036854775808, 18446744073709551616) - 9223372036854775808)::bigint AS seed
    FROM generate_series(first, first + count - 1) AS number) AS whole
  WHERE (SELECT true FROM program WHERE campaign = $1 AND program.seed = whole.seed))
FROM taken";

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
        let (first, seconds) = (base as i64, self.lease.as_secs_f64());
        self.connection.run("taking a lease", |session| {
            loop {
                let statement = session.prepared(TAKE)?;
                let asked: [&(dyn ToSql + Sync); 5] = [&campaign.0, &total, &self.holder, &seconds, &first];
                if let Some(row) = session.query_opt(&statement, &asked)? {
                    return Ok(Offer::Lease(offered(base, &row)));
                }
                if !ahead(session, campaign, total, count)? {
                    return open(session, campaign, total);
                }
            }
        })
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

/// A range as [`TAKE`] gives it.
fn offered(base: u64, row: &Row) -> Lease {
    let (first, count): (i64, i64) = (row.get(0), row.get(1));
    let known: Vec<i64> = row.get(3);
    let whole: Vec<u64> = (first..first + count).map(|number| base.wrapping_add(number as u64)).collect();
    let seeds = whole.iter().copied().filter(|seed| !known.contains(&(*seed as i64))).collect();
    Lease { first: first as u64, epoch: row.get(2), whole, seeds }
}
