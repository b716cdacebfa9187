//! When things happened, and what a configuration consists of: what only views of a campaign ask for.
//!
//! These tables are added to a store by the first hunt that opens it for writing. A store that no such hunt has seen has no
//! history, and views say so; nothing that a hunt decides depends on them.

use super::{Fault, Sqlite};
use crate::error::Error;
use crate::store::rows::{CampaignId, CampaignRow, ConfigurationKey, FindingMoment, ResultCount};
use rusqlite::{Connection, Row, params};
use std::time::{SystemTime, UNIX_EPOCH};

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS run (
  campaign INTEGER NOT NULL REFERENCES campaign (id),
  begun INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS moment (
  campaign INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (campaign, seed)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moment_order ON moment (campaign, at);
CREATE TABLE IF NOT EXISTS part (
  campaign INTEGER NOT NULL,
  number INTEGER NOT NULL,
  compiler TEXT NOT NULL,
  level TEXT NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (campaign, number)
) WITHOUT ROWID;
";

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Adds the tables where they are missing.
pub(super) fn prepare(db: &Connection) -> Result<(), Fault> {
    Ok(db.execute_batch(TABLES)?)
}

/// Notes that a run of a campaign begins, and what its configurations consist of.
pub(super) fn begin(db: &Connection, campaign: i64, parts: &[ConfigurationKey]) -> Result<(), Fault> {
    db.execute("INSERT INTO run (campaign, begun) VALUES (?1, ?2)", params![campaign, now()])?;
    for (number, part) in parts.iter().enumerate() {
        db.execute(
            "INSERT OR IGNORE INTO part (campaign, number, compiler, level, version) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![campaign, number as i64, part.compiler, part.level, part.version],
        )?;
    }
    Ok(())
}

/// Notes when a program was done: now where no time is given.
pub(super) fn note(db: &Connection, campaign: i64, seed: u64, at: Option<i64>) -> Result<(), Fault> {
    let sql = "INSERT OR REPLACE INTO moment (campaign, seed, at) VALUES (?1, ?2, ?3)";
    db.prepare_cached(sql)?.execute(params![campaign, seed as i64, at.unwrap_or_else(now)])?;
    Ok(())
}

impl Sqlite {
    /// A number that changes whenever another process has written to the store.
    pub fn version(&self) -> Result<i64, Error> {
        let asked = self.db().query_row("PRAGMA data_version", [], |row| row.get(0));
        asked.map_err(|error| self.fail(Fault::Sql(error)))
    }

    /// All campaigns, oldest first.
    pub fn campaigns(&self) -> Result<Vec<CampaignRow>, Error> {
        let read = |row: &Row<'_>| {
            Ok(CampaignRow { id: CampaignId(row.get(0)?), title: row.get(1)?, key: row.get(2)? })
        };
        self.rows("SELECT id, title, key FROM campaign ORDER BY id", None, read)
    }

    /// The configurations of a campaign, in order.
    pub fn configurations(&self, campaign: CampaignId) -> Result<Vec<ConfigurationKey>, Error> {
        let read = |row: &Row<'_>| {
            Ok(ConfigurationKey {
                label: row.get(0)?,
                compiler: row.get(1)?,
                level: row.get(2)?,
                version: row.get(3)?,
                hash: String::new(),
            })
        };
        if !self.has_history()? {
            let sql = "SELECT label, label, '', '' FROM configuration WHERE campaign = ?1 ORDER BY number";
            return self.rows(sql, Some(campaign), read);
        }
        let sql = "SELECT label, coalesce(compiler, label), coalesce(level, ''), coalesce(version, '') \
                   FROM configuration LEFT JOIN part USING (campaign, number) WHERE campaign = ?1 ORDER BY number";
        self.rows(sql, Some(campaign), read)
    }

    /// When the runs of a campaign began, in milliseconds since 1970.
    pub fn runs(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        self.moments_of("SELECT begun FROM run WHERE campaign = ?1 ORDER BY begun", campaign)
    }

    /// When the programs of a campaign were done, in milliseconds since 1970.
    pub fn moments(&self, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        self.moments_of("SELECT at FROM moment WHERE campaign = ?1 ORDER BY at", campaign)
    }

    fn moments_of(&self, sql: &str, campaign: CampaignId) -> Result<Vec<i64>, Error> {
        if self.has_history()? { self.rows(sql, Some(campaign), |row| row.get(0)) } else { Ok(Vec::new()) }
    }

    /// The results of a campaign, counted by configuration, verdict and reason.
    pub fn results(&self, campaign: CampaignId) -> Result<Vec<ResultCount>, Error> {
        let read = |row: &Row<'_>| {
            Ok(ResultCount {
                configuration: usize::try_from(row.get::<_, i64>(0)?).unwrap_or_default(),
                answer: super::named(row, 1)?,
                why: row.get(2)?,
                about: row.get(3)?,
                count: row.get::<_, i64>(4)? as u64,
                compile_us: row.get::<_, i64>(5)? as u64,
            })
        };
        let sql = "SELECT configuration, verdict, why, about, count(*), sum(compile_us) FROM result \
                   WHERE campaign = ?1 GROUP BY 1, 2, 3, 4";
        self.rows(sql, Some(campaign), read)
    }

    /// When the findings of all campaigns were found, oldest campaign first.
    pub fn finding_moments(&self) -> Result<Vec<FindingMoment>, Error> {
        let read = |row: &Row<'_>| {
            Ok(FindingMoment { id: row.get(0)?, campaign: CampaignId(row.get(1)?), at: row.get(2)? })
        };
        let sql = if self.has_history()? {
            "SELECT finding.id, finding.campaign, moment.at FROM finding LEFT JOIN moment USING (campaign, seed) \
             ORDER BY finding.campaign, finding.rowid"
        } else {
            "SELECT id, campaign, NULL FROM finding ORDER BY campaign, rowid"
        };
        self.rows(sql, None, read)
    }

    pub(super) fn has_history(&self) -> Result<bool, Error> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name IN ('run', 'moment', 'part')";
        let asked = self.db().query_row(sql, [], |row| row.get::<_, i64>(0));
        asked.map(|tables| tables == 3).map_err(|error| self.fail(Fault::Sql(error)))
    }

    fn rows<T>(
        &self,
        sql: &str,
        campaign: Option<CampaignId>,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let list = |db: &Connection| -> rusqlite::Result<Vec<T>> {
            let mut query = db.prepare_cached(sql)?;
            let rows = match campaign {
                Some(campaign) => query.query_map([campaign.0], read)?,
                None => query.query_map([], read)?,
            };
            rows.collect()
        };
        list(&self.db()).map_err(|error| self.fail(Fault::Sql(error)))
    }
}
