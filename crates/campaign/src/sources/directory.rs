//! A directory of C files as a source: every `*.c` and `*.i` beneath it, in the order of their paths.

use super::{Context, Failure, Program, Source, SourceKind};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use frontend::plain;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Files above this size are not read: no compiler under test takes them in reasonable time either.
const LARGEST: u64 = 64 << 20;

pub(super) const KIND: SourceKind = SourceKind {
    word: "DIR",
    help: "every .c and .i file beneath a directory",
    open: |word, context| Some(open(word, context)),
};

struct Directory {
    files: Vec<PathBuf>,
    /// Of the names beneath the directory and of what the files hold.
    contents: u64,
}

fn open(word: &str, context: &Context<'_>) -> Result<Box<dyn Source>, Error> {
    if let Some(option) = context.words.first() {
        return Err(Error::Usage(format!(
            "{option}: it shapes generated programs, and --from {word} has none; leave it out"
        )));
    }
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
    let contents = contents(&root, &files);
    Ok(Box::new(Directory { files, contents }))
}

/// Tells one state of the files from another, wherever they lie.
fn contents(root: &Path, files: &[PathBuf]) -> u64 {
    let mut hash = Fingerprint::default();
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(path);
        hash.add(name.as_os_str().as_bytes()).add(&[0]);
        // A file that cannot be used is none of the programs; that it cannot is found again with each.
        let usable = fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
        if let Some(text) = usable.then(|| fs::read(path).ok()).flatten() {
            hash.add(&text.len().to_le_bytes()).add(&text);
        }
    }
    hash.value()
}

impl Source for Directory {
    fn identity(&self) -> String {
        format!("{} files, contents {:016x}", self.files.len(), self.contents)
    }

    fn count(&self) -> Option<u64> {
        Some(self.files.len() as u64)
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        let path = usize::try_from(number)
            .ok()
            .and_then(|n| self.files.get(n))
            .ok_or_else(|| Failure::none(format!("there is no file number {number}")))?;
        let unreadable = |why: String| Failure::none(format!("cannot read `{}`: {why}", path.display()));
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
            command: None,
            units: None,
        })
    }
}
