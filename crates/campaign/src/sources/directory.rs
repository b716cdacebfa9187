//! A directory of C files as a source: every `*.c` and `*.i` beneath it, in the order of their paths.

use super::{Failure, Kind, Program, Source};
use crate::error::Error;
use frontend::plain;
use std::fs;
use std::path::{Path, PathBuf};

/// Files above this size are not read: no compiler under test takes them in reasonable time either.
const LARGEST: u64 = 64 << 20;

pub(super) const KIND: Kind =
    Kind { word: "DIR", help: "every .c and .i file beneath a directory", open: |word, _| Some(open(word)) };

struct Directory {
    root: PathBuf,
    files: Vec<PathBuf>,
}

fn open(word: &str) -> Result<Box<dyn Source>, Error> {
    let root = PathBuf::from(word);
    fs::metadata(&root).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::Usage(format!(
            "--from {word}: no such directory; expected `builtin`, `csmith` or a directory of C files"
        )),
        _ => Error::file("read", &root, &error),
    })?;
    let files = frontend::c_files(&root)?;
    if files.is_empty() {
        return Err(Error::Usage(format!("--from {word}: the directory holds no .c or .i file")));
    }
    Ok(Box::new(Directory { root, files }))
}

impl Source for Directory {
    fn identity(&self) -> String {
        let root = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        format!("directory {} of {} files", root.display(), self.files.len())
    }

    fn count(&self) -> Option<u64> {
        Some(self.files.len() as u64)
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        let path = usize::try_from(number)
            .ok()
            .and_then(|n| self.files.get(n))
            .ok_or_else(|| Failure::None(format!("there is no file number {number}")))?;
        let unreadable = |why: String| Failure::None(format!("unreadable: {}: {why}", path.display()));
        let meta = fs::metadata(path).map_err(|error| unreadable(plain(&error)))?;
        if !meta.is_file() {
            return Err(unreadable("not a regular file".to_owned()));
        }
        if meta.len() > LARGEST {
            return Err(unreadable(format!("larger than {} MB", LARGEST >> 20)));
        }
        let text = fs::read(path).map_err(|error| unreadable(plain(&error)))?;
        Ok(Program {
            name: path.display().to_string(),
            text,
            include: path.parent().map(Path::to_owned).into_iter().collect(),
            file: Some(path.clone()),
            units: None,
        })
    }
}
