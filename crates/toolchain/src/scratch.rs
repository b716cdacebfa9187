//! Temporary directories that do not outlive plumb.
//!
//! A plumb process has one [`ScratchRoot`], held by a file lock, in which all its temporary directories lie. They
//! are removed when dropped; after a `kill -9` the spawner removes the root, and should that be killed too, the
//! next plumb finds the lock free and removes it.

use crate::process::remove_after_death;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the directory of all roots of a user is called, before the user's number.
const HOME: &str = "plumb-scratch-";
/// The file whose lock says that the root's owner lives.
const LOCK: &str = ".lock";
/// The file whose lock keeps creation and sweeping apart.
const GATE: &str = ".gate";

/// The directory that holds all temporary directories of this process.
#[derive(Debug, Clone)]
pub struct ScratchRoot(Arc<Root>);

#[derive(Debug)]
struct Root {
    path: PathBuf,
    /// Open for as long as the lock is to be held.
    _lock: File,
    next: AtomicU64,
}

impl ScratchRoot {
    /// Makes a root beneath the system's temporary directory, and removes what killed plumbs left there.
    pub fn new() -> io::Result<Self> {
        Self::beneath(&std::env::temp_dir())
    }

    /// Makes a root beneath `parent`, and removes what killed plumbs left there.
    pub fn beneath(parent: &Path) -> io::Result<Self> {
        let (home, _gate) = enter(parent)?;
        sweep(&home);
        let stamp = std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_nanos());
        let path = home.join(format!("{}-{stamp:x}", std::process::id()));
        private_dir(&path)?;
        let held = lock(&path.join(LOCK), FlockOperation::NonBlockingLockExclusive)?;
        // Best effort: without a spawner to tell, the next plumb still sweeps.
        let _ = remove_after_death(&path, true);
        Ok(ScratchRoot(Arc::new(Root { path, _lock: held, next: AtomicU64::new(0) })))
    }

    /// A new empty directory, removed when dropped. It keeps the root alive.
    pub fn dir(&self) -> io::Result<Scratch> {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let path = self.0.path.join(number.to_string());
        private_dir(&path)?;
        Ok(Scratch { path, _root: self.clone() })
    }

    /// Where the root is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        remove_root(&self.path);
        let _ = remove_after_death(&self.path, false);
    }
}

/// Removes a root, and the directory of all roots if it was the last one.
pub(crate) fn remove_root(path: &Path) {
    remove_tree(path);
    let Some(home) = path.parent() else { return };
    // Whoever holds the gate is about to make a root there.
    let Ok(_gate) = lock(&home.join(GATE), FlockOperation::NonBlockingLockExclusive) else { return };
    let is_gate = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() == GATE);
    if fs::read_dir(home).is_ok_and(|mut entries| entries.all(is_gate)) {
        let _ = fs::remove_file(home.join(GATE));
        let _ = fs::remove_dir(home);
    }
}

/// A temporary directory; removed with all it holds when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _root: ScratchRoot,
}

impl Scratch {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path of this name inside.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove_tree(&self.path);
    }
}

/// The text with files of scratch directories named as they are inside of these: what a compiler says is then the same in
/// every process. A path is taken to begin behind the last white space, quote, bracket, `=` or `,` before it.
pub fn inside(text: &str) -> String {
    let mut rest = text;
    let mut done = String::with_capacity(text.len());
    while let Some(at) = rest.find(HOME) {
        let begin = rest[..at].rfind(|c: char| c.is_whitespace() || "'\"`‘“()[]<>=,".contains(c));
        let begin =
            begin.map_or(0, |before| before + rest[before..].chars().next().map_or(0, char::len_utf8));
        // The user, the process, the directory; then the file.
        match rest[at + HOME.len()..].splitn(4, '/').collect::<Vec<_>>()[..] {
            [user, process, directory, file]
                if [user, process, directory].iter().all(|part| is_number(part)) =>
            {
                done.push_str(&rest[..begin]);
                rest = file;
            }
            _ => {
                done.push_str(&rest[..at + HOME.len()]);
                rest = &rest[at + HOME.len()..];
            }
        }
    }
    done + rest
}

/// Is it made of hexadecimal digits and what sets them apart, as names of roots and of the directories in them are?
fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn private_dir(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}

/// The directory of all roots of this user beneath `parent`. Refuses one that somebody else could have prepared.
fn home(parent: &Path) -> io::Result<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let home = parent.join(format!("{HOME}{user}"));
    match private_dir(&home) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => {
            let text = format!("cannot make the scratch directory `{}`: {error}", home.display());
            return Err(io::Error::new(error.kind(), text));
        }
    }
    let meta = match fs::symlink_metadata(&home) {
        Ok(meta) => meta,
        // Removed as empty by another plumb just now.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(home),
        Err(error) => return Err(error),
    };
    if !meta.is_dir() || meta.uid() != user || meta.mode() & 0o022 != 0 {
        let text =
            format!("`{}` is not a private directory of this user: remove it or set TMPDIR", home.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(fs::canonicalize(&home).unwrap_or(home))
}

/// The directory of all roots, with its gate held.
fn enter(parent: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let home = home(parent)?;
        let path = home.join(GATE);
        let gate = match lock(&path, FlockOperation::LockExclusive) {
            Ok(gate) => gate,
            // The directory was removed, as empty, since the line before.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        // A gate removed while this process waited for it guards nothing.
        let held = gate.metadata()?;
        if fs::metadata(&path).is_ok_and(|now| (now.dev(), now.ino()) == (held.dev(), held.ino())) {
            return Ok((home, gate));
        }
    }
}

fn lock(path: &Path, operation: FlockOperation) -> io::Result<File> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)?;
    loop {
        match flock(&file, operation) {
            Ok(()) => return Ok(file),
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// Removes the roots whose owners are gone. Called with the gate held, so that no root is half made.
fn sweep(home: &Path) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir())
            && lock(&path.join(LOCK), FlockOperation::NonBlockingLockExclusive).is_ok()
        {
            remove_tree(&path);
        }
    }
}

/// Removes a directory and all in it, also where its owner took away its own permissions.
pub(crate) fn remove_tree(path: &Path) {
    if fs::remove_dir_all(path).is_ok() || fs::symlink_metadata(path).is_err() {
        return;
    }
    let mut work = vec![path.to_owned()];
    while let Some(dir) = work.pop() {
        let _ = fs::set_permissions(&dir, fs::Permissions::from_mode(0o700));
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                work.push(entry.path());
            }
        }
    }
    let _ = fs::remove_dir_all(path);
}

#[cfg(test)]
mod tests {
    #[test]
    fn files_of_scratch_directories_are_named_without_them() {
        let said = "/tmp/plumb-scratch-0/81-18fa0c/7/a.c:1: bad\nin '/x y/plumb-scratch-10/1/2/b.c', see /tmp/plumb-scratch-0";
        assert_eq!(super::inside(said), "a.c:1: bad\nin '/x b.c', see /tmp/plumb-scratch-0");
        assert_eq!(super::inside("“/t/plumb-scratch-1/2/3/c.o”, a.c"), "“c.o”, a.c");
        assert_eq!(super::inside("no path"), "no path");
    }
}
