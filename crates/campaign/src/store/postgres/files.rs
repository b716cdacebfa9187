//! Files of findings: rows of the store, and directories of this machine for what works on them.

use super::{Postgres, commit};
use crate::error::Error;
use crate::store::rows::{CampaignId, FileRow};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
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
        let sql = "SELECT name, executable, bytes FROM finding_file WHERE finding = $1 \
                   AND campaign = (SELECT min(campaign) FROM finding WHERE id = $1) ORDER BY name";
        let rows = self.connection.run("reading a finding", |client| client.query(sql, &[&id]))?;
        let files =
            rows.iter().map(|row| FileRow { name: row.get(0), executable: row.get(1), bytes: row.get(2) });
        let whole = self.files.join(id);
        let half = self.files.join(format!(".half-{}-{id}", std::process::id()));
        for file in files {
            write(&half, &file)?;
        }
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
        let files = read(&self.files.join(id))?;
        self.connection.durable("keeping a finding's files", |write| {
            let sql = "SELECT min(campaign) FROM finding WHERE id = $1";
            let Some(campaign) = write.query_one(sql, &[&id])?.get::<_, Option<i64>>(0) else {
                return Ok(());
            };
            for file in &files {
                commit::replace(write, CampaignId(campaign), id, file)?;
            }
            let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
            let gone =
                "DELETE FROM finding_file WHERE campaign = $1 AND finding = $2 AND NOT name = ANY ($3)";
            write.execute(gone, &[&campaign, &id, &names]).map(|_| ())
        })
    }
}

/// Copies the directory of a finding.
pub(in crate::store) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    read(from)?.iter().try_for_each(|file| write(to, file))
}

/// All files beneath a directory, in the order of their names.
pub(super) fn read(dir: &Path) -> Result<Vec<FileRow>, Error> {
    let mut files = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(next) = pending.pop() {
        let entries = fs::read_dir(&next).map_err(|error| Error::file("read", &next, &error))?;
        for entry in entries {
            let path = entry.map_err(|error| Error::file("read", &next, &error))?.path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let failed = |error: std::io::Error| Error::file("read", &path, &error);
            let mode = fs::metadata(&path).map_err(failed)?.permissions().mode();
            let name = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
            let bytes = fs::read(&path).map_err(failed)?;
            files.push(FileRow { name, executable: mode & 0o100 != 0, bytes });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Writes a file of a finding beneath a directory.
fn write(dir: &Path, file: &FileRow) -> Result<(), Error> {
    let name = Path::new(&file.name);
    // What is in the store was written by others: it stays in its directory.
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(Error::File {
            action: "write",
            path: name.to_owned(),
            why: "no file of a finding".to_owned(),
        });
    }
    let path = dir.join(name);
    let parent = path.parent().unwrap_or(dir);
    fs::create_dir_all(parent).map_err(|error| Error::file("make", parent, &error))?;
    fs::write(&path, &file.bytes).map_err(|error| Error::file("write", &path, &error))?;
    let mode = if file.executable { 0o755 } else { 0o644 };
    let set = fs::set_permissions(&path, fs::Permissions::from_mode(mode));
    set.map_err(|error| Error::file("write", &path, &error))
}
