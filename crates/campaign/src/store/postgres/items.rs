//! Items handed to workers, as ranges of programs are (`leases.rs`): each for a time by the server's clock, and under another
//! epoch each time. What comes of one is written with the mark that it is done, in one transaction that waits for the disk.

use super::Postgres;
use super::aside::Columns;
use crate::error::Error;
use crate::store::backend::Shared;
use crate::store::items::{Fleet, Has, Item, Job, JobId, Outcome, Outcomes, WorkerRow};
use crate::store::parts::{PART, Part, Whole};
use crate::store::rows::{CampaignId, FileRow, Kept};
use postgres::types::ToSql;
use std::time::Duration;

/// Workers that may begin an item. One that so many did not come back from is given up, so that it does not end them all.
pub(super) const TRIES: i64 = 5;
/// The largest file of a job.
const LARGEST: usize = 256 << 20;

/// An item that a worker with this processor and so much memory can take: of a job that it did not refuse, and of which no item is a
/// part that it refused. A part is worth doing while the item that it belongs to is held as it was.
const FREE: &str = concat!(
    "FROM item JOIN job ON job.id = item.job WHERE NOT done AND expires < now() AND tries < $1 \
     AND architecture IN ('', $2) AND memory <= $3 AND NOT item.job = ANY ($4) \
     AND NOT coalesce(of_job = ANY ($4), false) AND (of_job IS NULL OR EXISTS (SELECT FROM item AS held WHERE \
     (held.job, held.number, held.epoch) = (of_job, of_number, of_epoch) AND NOT held.done AND held.expires >= now())) \
     AND version = '",
    env!("CARGO_PKG_VERSION"),
    "'"
);

const KEEP: &str = "
WITH held AS (
  SELECT FROM item WHERE job = $1 AND number = $2 AND epoch = $3 AND NOT done FOR NO KEY UPDATE
), files AS (
  INSERT INTO item_file (job, number, name, executable, bytes, hash)
  SELECT $1, $2, of.* FROM unnest($4::text[], $5::boolean[], $6::bytea[], $7::text[]) AS of WHERE EXISTS (SELECT FROM held)
), through AS (
  UPDATE item SET done = true WHERE EXISTS (SELECT FROM held) AND job = $1 AND number = $2 AND epoch = $3 RETURNING number
)
SELECT EXISTS (SELECT FROM through), set_config('synchronous_commit', CASE WHEN $8 THEN 'off' ELSE 'on' END, true),
  CASE WHEN NOT $8 THEN pg_notify('plumb', '') END";

impl Shared for Postgres {
    fn begin_job(&self, job: &Job) -> Result<JobId, Error> {
        if let Some(large) = job.files.iter().find(|file| file.bytes.len() > LARGEST) {
            let why = format!("`{}` is larger than {} MB", large.name, LARGEST >> 20);
            return Err(Error::Usage(format!(
                "{why}, the most that is shared with others; leave out --store"
            )));
        }
        let (key, memory) = (job.key(), i64::try_from(job.needs.memory).unwrap_or(i64::MAX));
        let known = "SELECT id FROM job WHERE key = $1";
        let there = self.connection.run("looking for a job", |session| session.query_opt(known, &[&key]))?;
        if let Some(row) = there {
            return Ok(JobId(row.get(0)));
        }
        let numbers: Vec<i64> = (0..).take(job.inputs.len()).collect();
        let files = self.put_aside(job.files.clone())?;
        let id = self.connection.durable("beginning a job", |write| {
            let sql = "INSERT INTO job (key, kind, version, title, spec, architecture, memory) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7) \
                       ON CONFLICT DO NOTHING RETURNING id";
            let (version, architecture) = (env!("CARGO_PKG_VERSION"), &job.needs.architecture);
            let row: [&(dyn ToSql + Sync); 7] =
                [&key, &job.kind, &version, &job.title, &job.spec, architecture, &memory];
            let new = write.query_opt(sql, &row)?;
            let Some(row) = new else {
                return Ok(write.query_one(known, &[&key])?.get::<_, i64>(0));
            };
            let id: i64 = row.get(0);
            let Columns { names, executable, bytes, hashes } = &files;
            // One by one: together they may be more than a message holds.
            for number in 0..names.len() {
                let sql = "INSERT INTO job_file (job, name, executable, bytes, hash) VALUES ($1, $2, $3, $4, $5)";
                let (name, executable) = (&names[number], &executable[number]);
                write.execute(sql, &[&id, name, executable, &bytes[number], &hashes[number]])?;
            }
            let sql = "INSERT INTO item (job, number, input) SELECT $1, of.* FROM unnest($2::bigint[], $3::text[]) AS of";
            write.execute(sql, &[&id, &numbers, &job.inputs])?;
            write.execute("SELECT pg_notify('plumb', '')", &[])?;
            Ok(id)
        })?;
        Ok(JobId(id))
    }

    fn take_item(&self, has: &Has, only: &[JobId], but: &[JobId]) -> Result<Option<Item>, Error> {
        let sql = format!(
            "WITH free AS (SELECT item.job, number, kind, spec, input {FREE} AND (cardinality($5::bigint[]) = 0 OR item.job = ANY ($5) OR of_job = ANY ($5)) \
             ORDER BY expires, number, item.job LIMIT 1 FOR UPDATE OF item SKIP LOCKED) \
             UPDATE item SET epoch = epoch + 1, tries = tries + 1, holder = $6, expires = now() + $7 * interval '1 second' FROM free \
             WHERE item.job = free.job AND item.number = free.number \
             RETURNING item.job, item.number, epoch, kind, spec, item.input"
        );
        let (memory, but) = (room(has), numbers(but));
        let (only, seconds) = (numbers(only), self.lease.as_secs_f64());
        let row = self.connection.run("taking an item", |session| {
            let asked = [&TRIES as &(dyn ToSql + Sync), &has.architecture, &memory, &but];
            let more = [&only as &(dyn ToSql + Sync), &self.holder, &seconds];
            session.query_opt(&sql, &[&asked[..], &more[..]].concat())
        })?;
        Ok(row.map(|row| Item {
            job: JobId(row.get(0)),
            number: row.get::<_, i64>(1) as u64,
            epoch: row.get(2),
            kind: row.get(3),
            spec: row.get(4),
            input: row.get(5),
        }))
    }

    fn job_files(&self, job: JobId, beginning: &str) -> Result<Vec<FileRow>, Error> {
        let sql = "SELECT name, executable, bytes, hash FROM job_file WHERE job = $1 AND starts_with(name, $2) ORDER BY name";
        let rows = self.connection.run("reading a job", |client| client.query(sql, &[&job.0, &beginning]))?;
        rows.iter().map(|row| self.file(row, 0)).collect()
    }

    fn keep_item(&self, item: &Item, files: &[FileRow]) -> Result<Kept, Error> {
        let Columns { names, executable, bytes, hashes } = self.put_aside(files.to_vec())?;
        // Who handed a part out looks for itself, and often; and what is lost of one is done again.
        let (number, is_part) = (item.number as i64, item.kind.ends_with(PART));
        let kept: bool = self.connection.run("keeping an item", |session| {
            let asked: [&(dyn ToSql + Sync); 8] =
                [&item.job.0, &number, &item.epoch, &names, &executable, &bytes, &hashes, &is_part];
            Ok(session.query_one(KEEP, &asked)?.get(0))
        })?;
        Ok(if kept { Kept::New } else { Kept::Late })
    }

    fn give_back_item(&self, item: &Item, tried: bool) -> Result<(), Error> {
        let sql = "UPDATE item SET holder = '', expires = '-infinity', tries = tries - $4 \
                   WHERE job = $1 AND number = $2 AND epoch = $3 AND NOT done";
        let (number, untried) = (item.number as i64, i64::from(!tried));
        self.connection.run("giving an item back", |session| {
            session.execute(sql, &[&item.job.0, &number, &item.epoch, &untried])?;
            session.execute("SELECT pg_notify('plumb', '')", &[]).map(|_| ())
        })
    }

    fn outcomes(&self, wanted: &[(JobId, u64)]) -> Result<Outcomes, Error> {
        let jobs: Vec<i64> = wanted.iter().map(|(job, _)| job.0).collect();
        let numbers: Vec<i64> = wanted.iter().map(|(_, number)| *number as i64).collect();
        let sql = "SELECT item.job, item.number, done, item_file.name, executable, bytes, hash \
                   FROM unnest($1::bigint[], $2::bigint[]) AS wanted (job, number) JOIN item USING (job, number) \
                   LEFT JOIN item_file USING (job, number) \
                   WHERE done OR tries >= $3 AND expires < now() ORDER BY 1, 2, 4";
        let rows =
            self.connection.run("reading results", |client| client.query(sql, &[&jobs, &numbers, &TRIES]))?;
        let mut outcomes = Outcomes::new();
        for row in &rows {
            let (job, number, done): (i64, i64, bool) = (row.get(0), row.get(1), row.get(2));
            let fresh = || if done { Outcome::Done(Vec::new()) } else { Outcome::GivenUp };
            let outcome = outcomes.entry((JobId(job), number as u64)).or_insert_with(fresh);
            if let (Outcome::Done(files), Some(_)) = (outcome, row.get::<_, Option<&str>>(3)) {
                files.push(self.file(row, 3)?);
            }
        }
        Ok(outcomes)
    }

    fn renew_items(&self) -> Result<(), Error> {
        let sql = "UPDATE item SET expires = now() + $2 * interval '1 second' \
                   WHERE holder = $1 AND NOT done AND expires > '-infinity'";
        let seconds = self.lease.as_secs_f64();
        self.connection
            .run("renewing items", |session| session.execute(sql, &[&self.holder, &seconds]).map(|_| ()))
    }

    fn items(&self, has: &Has, but: &[JobId]) -> Result<(bool, bool), Error> {
        let sql = format!(
            "SELECT EXISTS (SELECT {FREE}), \
             EXISTS (SELECT FROM item WHERE NOT done AND expires >= now() AND NOT job = ANY ($4))"
        );
        let (memory, but) = (room(has), numbers(but));
        let row = self.connection.run("looking for items", |session| {
            session.query_one(&sql, &[&TRIES, &has.architecture, &memory, &but])
        })?;
        Ok((row.get(0), row.get(1)))
    }

    fn hand_out(
        &self,
        item: &Item,
        about: &str,
        files: &[Vec<u8>],
        tell: bool,
    ) -> Result<Option<Vec<u64>>, Error> {
        Postgres::hand_out(self, item, about, files, tell)
    }

    fn parts(&self, item: &Item, numbers: &[u64]) -> Result<Vec<(u64, Part)>, Error> {
        Postgres::parts(self, item, numbers)
    }

    fn withdraw(&self, item: &Item, numbers: &[u64]) -> Result<bool, Error> {
        Postgres::withdraw(self, item, numbers)
    }

    fn whole(&self, part: &Item) -> Result<Option<(Whole, Vec<u8>)>, Error> {
        Postgres::whole(self, part)
    }

    fn holds(&self, item: &Item) -> Result<bool, Error> {
        Postgres::holds(self, item)
    }

    fn keep_state(&self, item: &Item, state: &[u8]) -> Result<bool, Error> {
        Postgres::keep_state(self, item, state)
    }

    fn wait(&self, most: Duration) -> bool {
        Postgres::wait(self, most)
    }

    fn sign_in(&self, has: &Has, doing: &str) -> Result<(), Error> {
        Postgres::sign_in(self, has, doing)
    }

    fn last_words(&self, words: &str) -> Result<(), Error> {
        Postgres::last_words(self, words)
    }

    fn workers(&self) -> Result<Vec<WorkerRow>, Error> {
        Postgres::workers(self)
    }

    fn fleet(&self, campaign: CampaignId) -> Result<Fleet, Error> {
        Postgres::fleet(self, campaign)
    }

    fn prune_jobs(&self, age: Duration, dry: bool) -> Result<u64, Error> {
        let old = "FROM job WHERE begun < now() - $1 * interval '1 second' AND NOT EXISTS \
                   (SELECT FROM item WHERE item.job = job.id AND NOT done AND expires > now())";
        let seconds = age.as_secs_f64();
        if dry {
            let sql = format!("SELECT count(*) {old}");
            let row = self.connection.run("counting jobs", |client| client.query_one(&sql, &[&seconds]))?;
            return Ok(row.get::<_, i64>(0) as u64);
        }
        self.beside(true)?;
        let gone = self.connection.durable("taking jobs away", |write| {
            let silent = "DELETE FROM worker WHERE seen < now() - $1 * interval '1 second'";
            write.execute(silent, &[&seconds])?;
            write.execute(&format!("DELETE {old}"), &[&seconds])
        })?;
        self.sweep()?;
        Ok(gone)
    }
}

fn numbers(jobs: &[JobId]) -> Vec<i64> {
    jobs.iter().map(|job| job.0).collect()
}

/// Memory for one item.
fn room(has: &Has) -> i64 {
    i64::try_from(has.memory / has.jobs.max(1)).unwrap_or(i64::MAX)
}
