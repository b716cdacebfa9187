//! Object files of units that were compiled before, known by all that they are made of: most candidates of a reduction change
//! one unit of several.

use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use toolchain::compiler::{Compilation, Compiler};
use toolchain::process::Usage;

/// Object files kept at most; those that were used last stay.
const KEPT: usize = 32;

/// What tells an object file from every other one.
pub(super) type Key = [u8; 32];

/// An object file.
#[derive(Clone)]
pub(super) struct Object {
    pub bytes: Arc<[u8]>,
    /// What it took to make it.
    pub usage: Usage,
}

/// Object files.
#[derive(Default)]
pub struct Objects {
    kept: Mutex<Vec<(Key, Object)>>,
}

impl Objects {
    /// What is made of a text by a job that names no files. `None` where these do not decide all: the profile of a run, and
    /// where it is to be written.
    pub(super) fn key(compiler: &Compiler, job: &Compilation, text: &str) -> Option<Key> {
        let words = compiler.command_line(job);
        let about_profiles = |word: &OsString| word.as_bytes().starts_with(b"-fprofile");
        if words.iter().any(about_profiles) {
            return None;
        }
        let mut hash = Sha256::new();
        for part in words.iter().map(|word| word.as_bytes()).chain([text.as_bytes()]) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Some(hash.finalize().into())
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(Key, Object)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, key: &Key) -> Option<Object> {
        let mut kept = self.kept();
        let at = kept.iter().position(|(known, _)| known == key)?;
        let found = kept.remove(at);
        let object = found.1.clone();
        kept.push(found);
        Some(object)
    }

    /// Keeps a file that a compiler has written.
    pub(super) fn put(&self, key: Key, file: &Path, usage: Usage) {
        let Ok(bytes) = std::fs::read(file) else { return };
        let mut kept = self.kept();
        kept.retain(|(known, _)| *known != key);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((key, Object { bytes: bytes.into(), usage }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let objects = Objects::default();
        let file = std::env::current_exe().expect("this program");
        let key = |n: usize| [n as u8; 32];
        objects.put(key(0), &file, Usage::default());
        for n in 1..2 * KEPT {
            objects.put(key(n), &file, Usage::default());
            assert!(objects.get(&key(0)).is_some(), "after {n} others");
        }
        assert!(objects.get(&key(1)).is_none() && objects.get(&key(2 * KEPT - 1)).is_some());
        assert_eq!(objects.kept().len(), KEPT);
    }
}
