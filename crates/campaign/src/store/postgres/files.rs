//! Files of findings: rows of the store, and directories of this machine for what works on them.

use super::{Postgres, aside};
use crate::error::Error;
use crate::store::files::{COMPILERS, is_of_campaign, read_files, write_files};
use crate::store::rows::FileRow;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::PoisonError;

impl Postgres {
    /// Where files of findings lie on this machine.
    pub fn findings_dir(&self) -> PathBuf {
        self.files.clone()
    }

    /// Brings the files of a finding to this machine, once. A finding that is only counted has none.
    pub fn fetch(&self, id: &str) -> Result<(), Error> {
        let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        if fetched.contains(id) {
            return Ok(());
        }
        let sql = "SELECT name, executable, bytes, hash FROM finding_file WHERE finding = $1 \
                   AND campaign = (SELECT min(campaign) FROM finding WHERE id = $1) ORDER BY name";
        let rows = self.connection.run("reading a finding", |client| client.query(sql, &[&id]))?;
        let mut files: Vec<FileRow> = rows.iter().map(|row| self.file(row, 0)).collect::<Result<_, _>>()?;
        let sql = "SELECT compiler FROM configuration WHERE campaign = (SELECT min(campaign) FROM finding WHERE id = $1)";
        let rows = self.connection.run("reading a campaign", |client| client.query(sql, &[&id]))?;
        let compilers: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
        let bytes = serde_json::to_vec(&compilers).map_err(|error| Error::Internal(error.to_string()))?;
        files.retain(|file| !is_of_campaign(file));
        if !files.is_empty() {
            files.push(FileRow { name: COMPILERS.to_owned(), executable: false, bytes });
        }
        let whole = self.files.join(id);
        let half = self.files.join(format!(".half-{}-{id}", std::process::id()));
        write_files(&half, &files)?;
        if half.exists() {
            let _ = fs::remove_dir_all(&whole);
            // Another process may have brought the same meanwhile.
            if let Err(error) = fs::rename(&half, &whole).or_else(|error| match whole.is_dir() {
                true => fs::remove_dir_all(&half),
                false => Err(error),
            }) {
                return Err(Error::file("write", whole, &error));
            }
        }
        fetched.insert(id.to_owned());
        Ok(())
    }

    /// Puts what the directory of a finding has into the store.
    pub fn keep_files(&self, id: &str) -> Result<(), Error> {
        let mut files = read_files(&self.files.join(id))?;
        files.retain(|file| !is_of_campaign(file));
        let files = self.put_aside(files)?;
        self.connection.durable("keeping a finding's files", |write| {
            let sql = "SELECT min(campaign) FROM finding WHERE id = $1";
            let Some(campaign) = write.query_one(sql, &[&id])?.get::<_, Option<i64>>(0) else {
                return Ok(());
            };
            let aside::Columns { names, executable, bytes, hashes } = &files;
            let sql = "INSERT INTO finding_file (campaign, finding, name, executable, bytes, hash) \
                       SELECT $1, $2, of.* FROM unnest($3::text[], $4::boolean[], $5::bytea[], $6::text[]) AS of \
                       ON CONFLICT (campaign, finding, name) DO UPDATE SET executable = excluded.executable, \
                       bytes = excluded.bytes, hash = excluded.hash";
            write.execute(sql, &[&campaign, &id, names, executable, bytes, hashes])?;
            let gone =
                "DELETE FROM finding_file WHERE campaign = $1 AND finding = $2 AND NOT name = ANY ($3)";
            write.execute(gone, &[&campaign, &id, names]).map(|_| ())
        })
    }
}
