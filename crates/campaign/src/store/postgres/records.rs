//! What is brought to other stores, and what is taken away.

use super::Postgres;
use super::views::{FINDING, finding};
use crate::error::Error;
use crate::store::rows::{CampaignId, Record, RecordResult};
use postgres::Row;
use std::collections::BTreeMap;

impl Postgres {
    /// At most `most` programs of a campaign in the order of their seeds, from the one behind `after`.
    pub fn records(&self, campaign: CampaignId, after: Option<u64>, most: u32) -> Result<Vec<Record>, Error> {
        let programs = concat!(
            "SELECT seed, name, rejected, about, detail, strategies, compilers_us, plumb_us, ",
            millis!("at"),
            " FROM program WHERE campaign = $1 AND ($2::bigint IS NULL OR seed > $2) ORDER BY seed LIMIT $3"
        );
        let results = "SELECT seed, configuration, verdict, why, about, detail, compile_us, run_us FROM result \
                       WHERE campaign = $1 AND seed = ANY ($2) ORDER BY seed, configuration";
        let findings = format!("{FINDING} WHERE campaign = $1 AND seed = ANY ($2) ORDER BY seed, ordinal");
        let (after, most) = (after.map(|seed| seed as i64), i64::from(most));
        let (programs, results, findings) = self.connection.run("reading programs", |client| {
            let programs = client.query(programs, &[&campaign.0, &after, &most])?;
            let seeds: Vec<i64> = programs.iter().map(|row| row.get(0)).collect();
            let results = client.query(results, &[&campaign.0, &seeds])?;
            Ok((programs, results, client.query(&findings, &[&campaign.0, &seeds])?))
        })?;
        let mut records: BTreeMap<i64, Record> = programs.iter().map(program).collect();
        for row in &results {
            records.entry(row.get(0)).and_modify(|record| record.results.push(result(row)));
        }
        for row in &findings {
            let finding = finding(row).map_err(|why| self.connection.refuse(&why))?;
            records.entry(row.get(1)).and_modify(|record| record.findings.push(finding));
        }
        Ok(records.into_values().collect())
    }

    /// Takes a campaign away, unless somebody works on it.
    pub fn prune(&self, campaign: CampaignId) -> Result<(), Error> {
        // A bucket that this plumb cannot use is noticed before.
        self.beside(true)?;
        let worked_on =
            "SELECT EXISTS (SELECT FROM lease WHERE campaign = $1 AND NOT done AND expires > now())";
        let own = "finding IN (SELECT id FROM finding WHERE campaign = $1) \
                   AND finding NOT IN (SELECT id FROM finding WHERE campaign <> $1)";
        let gone = self.connection.durable("taking a campaign away", |write| {
            if write.query_one(worked_on, &[&campaign.0])?.get(0) {
                return Ok(false);
            }
            // As long as it takes: there may be millions of rows.
            write.batch_execute("SET LOCAL statement_timeout = 0")?;
            write.execute(&format!("DELETE FROM triage WHERE {own}"), &[&campaign.0])?;
            write.execute(&format!("DELETE FROM decision WHERE {own}"), &[&campaign.0])?;
            // Leases first: what others bring from now on is late. Tables that name others before those.
            for table in ["lease", "finding", "result", "program"] {
                write.execute(&format!("DELETE FROM {table} WHERE campaign = $1"), &[&campaign.0])?;
            }
            write.execute("DELETE FROM campaign WHERE id = $1", &[&campaign.0])?;
            Ok(true)
        })?;
        if gone {
            return self.sweep();
        }
        let why = format!("campaign {} is worked on; stop its workers first", campaign.0);
        Err(Error::Usage(why))
    }
}

fn program(row: &Row) -> (i64, Record) {
    let record = Record {
        seed: row.get::<_, i64>(0) as u64,
        name: row.get(1),
        rejected: row.get(2),
        about: row.get(3),
        detail: row.get(4),
        strategies: row.get(5),
        compilers_us: row.get::<_, i64>(6) as u64,
        plumb_us: row.get::<_, i64>(7) as u64,
        at: row.get(8),
        results: Vec::new(),
        findings: Vec::new(),
    };
    (row.get(0), record)
}

fn result(row: &Row) -> RecordResult {
    RecordResult {
        configuration: row.get(1),
        verdict: row.get(2),
        why: row.get(3),
        about: row.get(4),
        detail: row.get(5),
        compile_us: row.get(6),
        run_us: row.get(7),
    }
}
