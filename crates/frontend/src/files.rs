//! The C files beneath a directory.

use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Every `.c` and `.i` file beneath a directory in the order of their paths, or the file itself.
pub fn c_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let meta = fs::metadata(path).map_err(|error| Error::unreadable(path, &error))?;
    if !meta.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut pending = vec![path.to_owned()];
    while let Some(dir) = pending.pop() {
        let entries = fs::read_dir(&dir).map_err(|error| Error::unreadable(&dir, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::unreadable(&dir, &error))?;
            let path = entry.path();
            // Links are followed for files but not for directories, so that a loop cannot be walked.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
