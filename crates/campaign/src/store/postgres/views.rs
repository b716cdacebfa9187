//! What views of a campaign ask for.

use super::{Postgres, named};
use crate::error::Error;
use crate::store::rows::{CampaignId, CampaignRow, ConfigurationKey, FindingMoment, FindingRow, ResultCount};
use postgres::Row;

/// What [`finding`] reads.
pub(super) const FINDING: &str = "SELECT id, seed, program, configuration, kind, signature, summary, doubt, strategies, \
                                  evidence_of FROM finding_seen";

/// A row that [`FINDING`] selects.
pub(super) fn finding(row: &Row) -> Result<FindingRow, String> {
    Ok(FindingRow {
        id: row.get(0),
        seed: row.get::<_, i64>(1) as u64,
        program: row.get(2),
        configuration: row.get(3),
        kind: named(row, 4)?,
        signature: row.get(5),
        summary: row.get(6),
        doubt: row.get(7),
        strategies: row.get(8),
        evidence_of: row.get(9),
    })
}

impl Postgres {
    /// The findings of a campaign, or of all, by campaign and seed.
    pub fn findings(&self, campaign: Option<CampaignId>) -> Result<Vec<FindingRow>, Error> {
        let one = if campaign.is_some() { "WHERE campaign = $1" } else { "" };
        self.rows(
            "reading findings",
            &format!("{FINDING} {one} ORDER BY campaign, seed, ordinal"),
            campaign,
            finding,
        )
    }

    /// How far the server's log has come; a change of another database of the server changes it, too.
    pub fn version(&self) -> Result<i64, Error> {
        let sql = "SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() \
                   ELSE pg_current_wal_lsn() END - '0/0')::bigint";
        self.connection.run("asking what is new", |client| Ok(client.query_one(sql, &[])?.get(0)))
    }

    /// All campaigns, oldest first.
    pub fn campaigns(&self) -> Result<Vec<CampaignRow>, Error> {
        self.rows("listing campaigns", "SELECT id, title, key FROM campaign ORDER BY id", None, |row| {
            Ok(CampaignRow { id: CampaignId(row.get(0)), title: row.get(1), key: row.get(2) })
        })
    }

    /// The configurations of a campaign, in order.
    pub fn configurations(&self, campaign: CampaignId) -> Result<Vec<ConfigurationKey>, Error> {
        let sql = "SELECT label, compiler, level, version, hash FROM configuration WHERE campaign = $1 ORDER BY number";
        self.rows("reading configurations", sql, Some(campaign), |row| {
            Ok(ConfigurationKey {
                label: row.get(0),
                compiler: row.get(1),
                level: row.get(2),
                version: row.get(3),
                hash: row.get(4),
            })
        })
    }

    /// When the runs of a campaign began.
    pub fn runs(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        let sql = concat!("SELECT ", millis!("begun"), " FROM run WHERE campaign = $1 ORDER BY 1");
        self.rows("reading runs", sql, Some(campaign), |row| Ok(row.get(0)))
    }

    /// When the programs of a campaign were done.
    pub fn moments(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        let sql = concat!("SELECT ", millis!("at"), " FROM program WHERE campaign = $1 ORDER BY 1");
        self.rows("reading programs", sql, Some(campaign), |row| Ok(row.get(0)))
    }

    /// The results of a campaign, counted by configuration, verdict and reason.
    pub fn results(&self, campaign: CampaignId) -> Result<Vec<ResultCount>, Error> {
        let sql = "SELECT configuration, verdict, why, about, count(*), sum(compile_us)::bigint FROM result \
                   WHERE campaign = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4";
        self.rows("counting results", sql, Some(campaign), |row: &Row| {
            Ok(ResultCount {
                configuration: usize::try_from(row.get::<_, i64>(0)).unwrap_or_default(),
                answer: named(row, 1)?,
                why: row.get(2),
                about: row.get(3),
                count: row.get::<_, i64>(4) as u64,
                compile_us: row.get::<_, i64>(5) as u64,
            })
        })
    }

    /// When the findings of all campaigns were found, oldest campaign first.
    pub fn finding_moments(&self) -> Result<Vec<FindingMoment>, Error> {
        let sql = concat!(
            "SELECT id, campaign, ",
            millis!("at"),
            " FROM finding JOIN program USING (campaign, seed) ORDER BY campaign, seed, ordinal"
        );
        self.rows("reading findings", sql, None, |row| {
            Ok(FindingMoment { id: row.get(0), campaign: CampaignId(row.get(1)), at: row.get(2) })
        })
    }
}
