//! What triage says, and what a person decided against it.

use super::Postgres;
use crate::error::Error;
use crate::store::rows::{Decision, TriageRow};
use postgres::Row;

impl Postgres {
    /// All rows of triage.
    pub fn triaged(&self) -> Result<Vec<TriageRow>, Error> {
        let sql =
            "SELECT finding, leader, rank, known, analysis FROM triage ORDER BY rank, finding COLLATE \"C\"";
        self.rows("reading triage", sql, None, |row| Ok(triage(row)))
    }

    /// The row of triage of one finding.
    pub fn triage_of(&self, finding: &str) -> Result<Option<TriageRow>, Error> {
        let sql = "SELECT finding, leader, rank, known, analysis FROM triage WHERE finding = $1";
        let row = self.connection.run("reading triage", |client| client.query_opt(sql, &[&finding]))?;
        Ok(row.as_ref().map(triage))
    }

    /// Keeps rows of triage, all or none.
    pub fn keep_triage(&self, rows: &[TriageRow]) -> Result<(), Error> {
        self.connection.durable("keeping triage", |write| {
            for row in rows {
                write.execute(
                    "INSERT INTO triage (finding, leader, rank, known, analysis) VALUES ($1, $2, $3, $4, $5) \
                     ON CONFLICT (finding) DO UPDATE SET leader = excluded.leader, rank = excluded.rank, \
                     known = excluded.known, analysis = excluded.analysis",
                    &[&row.finding, &row.group, &(row.rank as i64), &row.known, &row.analysis],
                )?;
            }
            Ok(())
        })
    }

    /// What was decided, oldest first.
    pub fn decisions(&self) -> Result<Vec<Decision>, Error> {
        self.rows("reading decisions", "SELECT finding, other FROM decision ORDER BY number", None, |row| {
            let (one, other): (String, Option<String>) = (row.get(0), row.get(1));
            Ok(match other {
                Some(other) => Decision::Merge(one, other),
                None => Decision::Split(one),
            })
        })
    }

    /// Remembers a decision.
    pub fn decide(&self, decision: &Decision) -> Result<(), Error> {
        let (one, other) = match decision {
            Decision::Merge(one, other) => (one, Some(other)),
            Decision::Split(one) => (one, None),
        };
        self.connection.durable("keeping a decision", |write| {
            let sql = "INSERT INTO decision (finding, other) VALUES ($1, $2)";
            write.execute(sql, &[one, &other]).map(|_| ())
        })
    }
}

fn triage(row: &Row) -> TriageRow {
    TriageRow {
        finding: row.get(0),
        group: row.get(1),
        rank: row.get::<_, i64>(2) as u64,
        known: row.get(3),
        analysis: row.get(4),
    }
}
