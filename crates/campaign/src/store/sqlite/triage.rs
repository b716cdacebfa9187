//! What triage says, a row a finding, and what a person decided against it. The text of an analysis is the caller's.

use super::{Fault, Sqlite};
use crate::error::Error;
use crate::store::rows::{Decision, TriageRow};
use rusqlite::{Connection, Row, params};

impl Sqlite {
    /// All rows of triage.
    pub fn triaged(&self) -> Result<Vec<TriageRow>, Error> {
        let sql = "SELECT finding, leader, rank, known, analysis FROM triage ORDER BY rank, finding";
        self.select(sql, [], triage)
    }

    /// The row of triage of one finding.
    pub fn triage_of(&self, finding: &str) -> Result<Option<TriageRow>, Error> {
        let sql = "SELECT finding, leader, rank, known, analysis FROM triage WHERE finding = ?1";
        Ok(self.select(sql, [finding], triage)?.pop())
    }

    /// Keeps rows of triage, all or none.
    pub fn keep_triage(&self, rows: &[TriageRow]) -> Result<(), Error> {
        let write = |db: &mut Connection| -> Result<(), Fault> {
            let write = db.transaction()?;
            for row in rows {
                write.execute(
                    "INSERT OR REPLACE INTO triage (finding, leader, rank, known, analysis) VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![row.finding, row.group, row.rank as i64, row.known, row.analysis],
                )?;
            }
            Ok(write.commit()?)
        };
        write(&mut self.db()).map_err(|error| self.fail(error))
    }

    /// What was decided, oldest first.
    pub fn decisions(&self) -> Result<Vec<Decision>, Error> {
        let read = |row: &Row<'_>| {
            let (one, other): (String, Option<String>) = (row.get(0)?, row.get(1)?);
            Ok(match other {
                Some(other) => Decision::Merge(one, other),
                None => Decision::Split(one),
            })
        };
        self.select("SELECT finding, other FROM decision ORDER BY number", [], read)
    }

    /// Remembers a decision.
    pub fn decide(&self, decision: &Decision) -> Result<(), Error> {
        let (one, other) = match decision {
            Decision::Merge(one, other) => (one, Some(other)),
            Decision::Split(one) => (one, None),
        };
        let done =
            self.db().execute("INSERT INTO decision (finding, other) VALUES (?1, ?2)", params![one, other]);
        done.map(|_| ()).map_err(|error| self.fail(Fault::Sql(error)))
    }

    fn select<T>(
        &self,
        sql: &str,
        with: impl rusqlite::Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let list = move |db: &Connection| -> Result<Vec<T>, Fault> {
            let mut query = db.prepare(sql)?;
            let rows = query.query_map(with, read)?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        list(&self.db()).map_err(|error| self.fail(error))
    }
}

fn triage(row: &Row<'_>) -> rusqlite::Result<TriageRow> {
    Ok(TriageRow {
        finding: row.get(0)?,
        group: row.get(1)?,
        rank: row.get::<_, i64>(2)? as u64,
        known: row.get(3)?,
        analysis: row.get(4)?,
    })
}
