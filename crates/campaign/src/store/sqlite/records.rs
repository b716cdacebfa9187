//! What is brought to other stores, and what is taken away.

use super::{Fault, Sqlite, finding};
use crate::error::Error;
use crate::store::rows::{CampaignId, Record, RecordResult};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::fs;

/// Tables whose rows belong to a campaign, those first that others do not refer to.
const OF_A_CAMPAIGN: [&str; 8] =
    ["result", "finding", "program", "lease", "part", "moment", "run", "configuration"];

impl Sqlite {
    /// At most `most` programs of a campaign in the order of their seeds, from the one behind `after`.
    pub fn records(&self, campaign: CampaignId, after: Option<u64>, most: u32) -> Result<Vec<Record>, Error> {
        let moment = match self.has_history()? {
            true => {
                "(SELECT at FROM moment WHERE moment.campaign = program.campaign AND moment.seed = program.seed)"
            }
            false => "NULL",
        };
        let sql = format!(
            "SELECT seed, name, rejected, about, detail, strategies, compilers_us, plumb_us, {moment} FROM program \
             WHERE campaign = ?1 AND (?2 IS NULL OR seed > ?2) ORDER BY seed LIMIT ?3"
        );
        let list = |db: &Connection| -> rusqlite::Result<Vec<Record>> {
            let mut query = db.prepare(&sql)?;
            let rows = query.query_map(params![campaign.0, after.map(|seed| seed as i64), most], program)?;
            let mut records: Vec<Record> = rows.collect::<rusqlite::Result<_>>()?;
            for record in &mut records {
                let key = (campaign.0, record.seed as i64);
                let mut results = db.prepare_cached(
                    "SELECT configuration, verdict, why, about, detail, compile_us, run_us FROM result \
                     WHERE campaign = ?1 AND seed = ?2 ORDER BY configuration",
                )?;
                record.results = results.query_map(key, result)?.collect::<rusqlite::Result<_>>()?;
                let mut findings = db.prepare_cached(
                    "SELECT id, seed, program, configuration, kind, signature, summary, doubt, strategies, evidence_of \
                     FROM finding WHERE campaign = ?1 AND seed = ?2 ORDER BY rowid",
                )?;
                record.findings = findings.query_map(key, finding)?.collect::<rusqlite::Result<_>>()?;
            }
            Ok(records)
        };
        list(&self.db()).map_err(|error| self.fail(Fault::Sql(error)))
    }

    /// Takes a campaign away, with the directories of its findings.
    pub fn prune(&self, campaign: CampaignId) -> Result<(), Error> {
        let gone = rows_go(&mut self.db(), campaign).map_err(|error| self.fail(error))?;
        for id in gone {
            let dir = self.findings_dir().join(id);
            if dir.exists() {
                fs::remove_dir_all(&dir).map_err(|error| Error::file("remove", &dir, &error))?;
            }
        }
        self.db().execute_batch("VACUUM").map_err(|error| self.fail(Fault::Sql(error)))
    }
}

/// Takes the rows of a campaign away, and names the findings that had a directory.
fn rows_go(db: &mut Connection, campaign: CampaignId) -> Result<Vec<String>, Fault> {
    let write = db.transaction()?;
    let own = "(SELECT id FROM finding WHERE campaign = ?1)";
    let needs = format!("SELECT campaign FROM finding WHERE campaign <> ?1 AND evidence_of IN {own} LIMIT 1");
    let needs: Option<i64> = write.query_row(&needs, [campaign.0], |row| row.get(0)).optional()?;
    if let Some(other) = needs {
        return Err(Fault::Other(Error::Usage(format!(
            "campaign {other} counts findings together with those of campaign {}; take it away first",
            campaign.0
        ))));
    }
    let gone: Vec<String> = write
        .prepare("SELECT id FROM finding WHERE campaign = ?1")?
        .query_map([campaign.0], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for table in ["triage", "decision"] {
        write.execute(&format!("DELETE FROM {table} WHERE finding IN {own}"), [campaign.0])?;
    }
    for table in OF_A_CAMPAIGN {
        write.execute(&format!("DELETE FROM {table} WHERE campaign = ?1"), [campaign.0])?;
    }
    write.execute("DELETE FROM campaign WHERE id = ?1", [campaign.0])?;
    write.commit()?;
    Ok(gone)
}

fn program(row: &Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        seed: row.get::<_, i64>(0)? as u64,
        name: row.get(1)?,
        rejected: row.get(2)?,
        about: row.get(3)?,
        detail: row.get(4)?,
        strategies: row.get(5)?,
        compilers_us: row.get::<_, i64>(6)? as u64,
        plumb_us: row.get::<_, i64>(7)? as u64,
        at: row.get(8)?,
        results: Vec::new(),
        findings: Vec::new(),
    })
}

fn result(row: &Row<'_>) -> rusqlite::Result<RecordResult> {
    Ok(RecordResult {
        configuration: row.get(0)?,
        verdict: row.get(1)?,
        why: row.get(2)?,
        about: row.get(3)?,
        detail: row.get(4)?,
        compile_us: row.get(5)?,
        run_us: row.get(6)?,
    })
}
