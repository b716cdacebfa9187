//! Reports of pairs of files that were compared before, by the contents of both.

use crate::report::FileReport;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Goes into every key: what the same bytes are reported as may change with it.
const FORMAT: &str = concat!("diff 40 ", env!("CARGO_PKG_VERSION"));

/// A directory of reports.
#[derive(Debug, Clone)]
pub struct Cache {
    dir: PathBuf,
}

impl Cache {
    /// The user's: `$XDG_CACHE_HOME/plumb/diff`, or beneath `~/.cache`. None where neither is known.
    #[must_use]
    pub fn of_user() -> Option<Cache> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
        Some(Cache { dir: root.join("plumb").join("diff") })
    }

    /// In this directory.
    #[must_use]
    pub fn beneath(dir: &Path) -> Cache {
        Cache { dir: dir.to_owned() }
    }

    /// The key of two contents that are compared with these limits.
    #[must_use]
    pub fn key(old: &[u8], new: &[u8], limits: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(FORMAT.as_bytes());
        hash.update((limits.len() as u64).to_le_bytes());
        hash.update(limits.as_bytes());
        // The length keeps the two apart.
        hash.update((old.len() as u64).to_le_bytes());
        hash.update(old);
        hash.update(new);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The report kept under a key. A damaged one counts as none.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<FileReport> {
        serde_json::from_slice(&std::fs::read(self.path(key)).ok()?).ok()
    }

    /// Keeps a report. What cannot be written is compared again next time.
    pub fn put(&self, key: &str, report: &FileReport) {
        let path = self.path(key);
        let Some(dir) = path.parent() else { return };
        let Ok(text) = serde_json::to_vec(report) else { return };
        let part = path.with_extension(format!("{}.part", std::process::id()));
        let written = std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(&part, text))
            .and_then(|()| std::fs::rename(&part, &path));
        if written.is_err() {
            let _ = std::fs::remove_file(&part);
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.dir.join(key.get(..2).unwrap_or("xx")).join(format!("{key}.json"))
    }
}
