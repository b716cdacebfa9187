//! Big files beside the database, in a [`Bucket`]: put there before the row that names them is written, and taken away after
//! the last such row.
//!
//! The table `bucket_file` tells what may be there. Its line is on the disk before the file is put; rows of files name it by a
//! foreign key; and `sweep` takes file and line away in one transaction that holds the line, if no row names it and nobody put the
//! file for a time that is longer than a commit takes. So a file that a row names is there, whoever is killed and when, and one
//! that no row names is found again.

use super::Postgres;
use crate::error::Error;
use crate::store::bucket::{Bucket, name};
use crate::store::rows::FileRow;
use postgres::Row;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The one file of a finding that its reader must not have to look for elsewhere.
const PROGRAM: &str = "program.c";
/// Files that are taken away in one transaction.
const SWEPT: i64 = 20;

/// The bucket of a store, and what goes there.
pub(super) struct Beside {
    bucket: Bucket,
    /// Bytes of the largest file that stays in the database.
    above: usize,
}

/// What is known of the bucket: nothing yet, that there is none, or which.
pub(super) type Known = Mutex<Option<Option<Arc<Beside>>>>;

/// Files as columns of rows.
#[derive(Default)]
pub(super) struct Columns {
    pub names: Vec<String>,
    pub executable: Vec<bool>,
    pub bytes: Vec<Vec<u8>>,
    pub hashes: Vec<Option<String>>,
}

impl Postgres {
    /// The store's bucket, once it is needed. Who finds a file that is in one asks again (`anew`) where there was none.
    pub(super) fn beside(&self, anew: bool) -> Result<Option<Arc<Beside>>, Error> {
        let mut known = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(beside) = &*known
            && (beside.is_some() || !anew)
        {
            return Ok(beside.clone());
        }
        let sql = "SELECT place, above, extract(epoch FROM patience)::float8 FROM bucket";
        let row = self.connection.run("asking for its bucket", |session| session.query_opt(sql, &[]))?;
        let beside = match row {
            None => None,
            Some(row) => {
                let patience = Duration::try_from_secs_f64(row.get(2)).unwrap_or_default();
                let above = usize::try_from(row.get::<_, i64>(1)).unwrap_or(usize::MAX);
                Some(Arc::new(Beside { bucket: Bucket::open(row.get(0), patience)?, above }))
            }
        };
        *known = Some(beside.clone());
        Ok(beside)
    }

    /// Files as columns, the big ones already in the bucket.
    pub(super) fn put_aside(&self, files: Vec<FileRow>) -> Result<Columns, Error> {
        let beside = if files.is_empty() { None } else { self.beside(false)? };
        let goes = |file: &FileRow| {
            beside.as_ref().filter(|beside| file.bytes.len() > beside.above && file.name != PROGRAM)
        };
        let hashes: Vec<Option<String>> =
            files.iter().map(|file| goes(file).map(|_| name(&file.bytes))).collect();
        let told: Vec<&String> = hashes.iter().flatten().collect();
        if !told.is_empty() {
            let sql = "SELECT putting($1::text[])";
            self.connection
                .durable("putting files aside", |write| write.execute(sql, &[&told]).map(|_| ()))?;
        }
        let mut columns = Columns::default();
        for (file, hash) in files.into_iter().zip(hashes) {
            let bytes = match (&hash, &beside) {
                (Some(hash), Some(beside)) => {
                    beside.bucket.put(hash, &file.bytes)?;
                    Vec::new()
                }
                _ => file.bytes,
            };
            columns.names.push(file.name);
            columns.executable.push(file.executable);
            columns.bytes.push(bytes);
            columns.hashes.push(hash);
        }
        Ok(columns)
    }

    /// A file from a row whose columns from `first` on are name, executable, bytes and hash.
    pub(super) fn file(&self, row: &Row, first: usize) -> Result<FileRow, Error> {
        let (name, executable): (String, bool) = (row.get(first), row.get(first + 1));
        let bytes = match row.get::<_, Option<String>>(first + 3) {
            None => row.get(first + 2),
            Some(hash) => match self.beside(true)? {
                Some(beside) => beside.bucket.get(&hash).map_err(|error| of(&name, error))?,
                None => {
                    let why = "has files in a bucket, and its table `bucket` no longer says where";
                    return Err(self.connection.refuse(why));
                }
            },
        };
        Ok(FileRow { name, executable, bytes })
    }

    /// Takes away what is in the bucket and no row names.
    pub(super) fn sweep(&self) -> Result<(), Error> {
        let Some(beside) = self.beside(true)? else { return Ok(()) };
        // Lines that somebody holds are being put anew.
        let loose = "DELETE FROM bucket_file WHERE hash IN (SELECT hash FROM bucket_file AS own WHERE \
                     put < now() - (SELECT grace FROM bucket) \
                     AND NOT EXISTS (SELECT FROM finding_file WHERE hash = own.hash) \
                     AND NOT EXISTS (SELECT FROM job_file WHERE hash = own.hash) \
                     AND NOT EXISTS (SELECT FROM item_file WHERE hash = own.hash) \
                     ORDER BY hash LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING hash";
        loop {
            let mut failed = None;
            let gone = self.connection.run("taking files away", |session| {
                let mut write = session.transaction()?;
                let rows = write.query(loose, &[&SWEPT])?;
                failed = rows.iter().find_map(|row| beside.bucket.remove(row.get(0)).err());
                // Lines stay as long as their files may be there.
                if failed.is_some() {
                    write.rollback()?
                } else {
                    write.commit()?
                }
                Ok(rows.len() as i64)
            })?;
            match failed {
                Some(error) => return Err(error),
                None if gone < SWEPT => return Ok(()),
                None => {}
            }
        }
    }
}

/// The same error, with the file that it is about.
fn of(name: &str, error: Error) -> Error {
    match error {
        Error::Store { path, why } => Error::Store { path, why: format!("file `{name}`: {why}") },
        other => other,
    }
}
