//! Parts of items, through functions of the database (`migrations/V4__parts.sql`), as a worker may begin no jobs itself.

use super::Postgres;
use super::items::TRIES;
use crate::error::Error;
use crate::store::items::{Item, JobId};
use crate::store::parts::{Part, Whole};

impl Postgres {
    pub fn hand_out(
        &self,
        item: &Item,
        about: &str,
        files: &[Vec<u8>],
        tell: bool,
    ) -> Result<Option<Vec<u64>>, Error> {
        let (sql, number) =
            ("SELECT part_number FROM hand_out($1, $2, $3, $4, $5) ORDER BY 1", item.number as i64);
        let numbers: Vec<u64> = self.connection.run("handing parts out", |session| {
            let rows = session.query(sql, &[&item.job.0, &number, &item.epoch, &about, &files])?;
            if tell {
                session.execute("SELECT pg_notify('plumb', '')", &[])?;
            }
            Ok(rows.iter().map(|row| row.get::<_, i64>(0) as u64).collect())
        })?;
        Ok((!numbers.is_empty()).then_some(numbers))
    }

    pub fn parts(&self, item: &Item, numbers: &[u64]) -> Result<Vec<(u64, Part)>, Error> {
        let numbers: Vec<i64> = numbers.iter().map(|number| *number as i64).collect();
        let sql = "SELECT item.number, done, expires >= now(), tries >= $5, item_file.name, executable, bytes, hash \
                   FROM job JOIN item ON item.job = id LEFT JOIN item_file ON (item_file.job, item_file.number) = (id, item.number) \
                   WHERE of_job = $1 AND of_number = $2 AND of_epoch = $3 AND item.number = ANY ($4) ORDER BY 1, 5";
        let rows = self.connection.run("looking at parts", |session| {
            session.query(sql, &[&item.job.0, &(item.number as i64), &item.epoch, &numbers, &TRIES])
        })?;
        let mut parts: Vec<(u64, Part)> = Vec::new();
        for row in &rows {
            let number = row.get::<_, i64>(0) as u64;
            if parts.last().is_none_or(|(last, _)| *last != number) {
                let part = match (row.get(1), row.get(2), row.get(3)) {
                    (true, _, _) => Part::Done(Vec::new()),
                    (false, true, _) => Part::Held,
                    (false, false, true) => Part::GivenUp,
                    (false, false, false) => Part::Free,
                };
                parts.push((number, part));
            }
            if let (Some((_, Part::Done(files))), Some(_)) = (parts.last_mut(), row.get::<_, Option<&str>>(4))
            {
                files.push(self.file(row, 4)?);
            }
        }
        Ok(parts)
    }

    pub fn withdraw(&self, item: &Item, numbers: &[u64]) -> Result<bool, Error> {
        let numbers: Vec<i64> = numbers.iter().map(|number| *number as i64).collect();
        let number = item.number as i64;
        self.connection.run("withdrawing parts", |session| {
            let sql = "SELECT withdraw($1, $2, $3, $4)";
            Ok(session.query_one(sql, &[&item.job.0, &number, &item.epoch, &numbers])?.get(0))
        })
    }

    pub fn whole(&self, part: &Item) -> Result<Option<(Whole, Vec<u8>)>, Error> {
        let sql = "SELECT of_job, of.input, bytes FROM job JOIN item AS of ON (of.job, of.number) = (of_job, of_number) \
                   JOIN job_file ON job_file.job = job.id AND name = $2 WHERE job.id = $1";
        let name = format!("part/{}/", part.number);
        let row =
            self.connection.run("reading a part", |session| session.query_opt(sql, &[&part.job.0, &name]))?;
        Ok(row.map(|row| (Whole { job: JobId(row.get(0)), input: row.get(1) }, row.get(2))))
    }

    pub fn holds(&self, item: &Item) -> Result<bool, Error> {
        let sql =
            "SELECT EXISTS (SELECT FROM item WHERE job = $1 AND number = $2 AND epoch = $3 AND NOT done)";
        let number = item.number as i64;
        self.connection.run("looking at an item", |session| {
            Ok(session.query_one(sql, &[&item.job.0, &number, &item.epoch])?.get(0))
        })
    }

    pub fn keep_state(&self, item: &Item, state: &[u8]) -> Result<bool, Error> {
        let (sql, number) = ("SELECT keep_state($1, $2, $3, $4)", item.number as i64);
        self.connection.run("keeping a state", |session| {
            Ok(session.query_one(sql, &[&item.job.0, &number, &item.epoch, &state])?.get(0))
        })
    }
}
