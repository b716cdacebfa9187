//! Directories as rows, and rows as directories.

use super::rows::FileRow;
use crate::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path};

/// Of a finding that somebody else may have brought: the compilers of its campaign, which the campaign's owner named, as JSON.
pub const COMPILERS: &str = "campaign-compilers.json";

/// Whether a file is what this machine wrote of a campaign, and nobody else may bring.
pub fn is_of_campaign(file: &FileRow) -> bool {
    Path::new(&file.name).file_name().is_some_and(|name| name == COMPILERS)
}

/// Copies the directory of a finding.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    write_files(to, &read_files(from)?)
}

/// All files beneath a directory, in the order of their names.
pub fn read_files(dir: &Path) -> Result<Vec<FileRow>, Error> {
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

/// Writes files beneath a directory.
pub fn write_files(dir: &Path, files: &[FileRow]) -> Result<(), Error> {
    files.iter().try_for_each(|file| write(dir, file))
}

fn write(dir: &Path, file: &FileRow) -> Result<(), Error> {
    let name = Path::new(&file.name);
    // What is in the store was written by others: it stays in its directory.
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(Error::File {
            action: "write",
            path: name.to_owned(),
            why: "it leaves the directory that it is for".to_owned(),
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
