//! What compilers consist of: pinned by hash when a campaign of many machines begins, and watched while a hunt goes on. A
//! compiler that is upgraded under a hunt ends it before anything that the new one said is kept.

use crate::configurations::Configuration;
use crate::error::Error;
use crate::store::CampaignKey;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use toolchain::scratch::ScratchRoot;

/// What tells a file from the one that was there before: device, inode, size, and when it was written.
type Mark = (u64, u64, u64, i64, i64);

/// The executables of a hunt's compilers, as they were.
pub(super) struct Pins(BTreeMap<PathBuf, Option<Mark>>);

impl Pins {
    /// Of these configurations; none where nobody asks.
    pub fn of(configurations: &[Configuration], wanted: bool) -> Pins {
        let programs = configurations.iter().map(|one| one.tested.compiler.program.clone());
        Pins(programs.filter(|_| wanted).map(|path| (path.clone(), mark(&path))).collect())
    }

    /// An error where an executable is another one by now.
    pub fn check(&self) -> Result<(), Error> {
        match self.0.iter().find(|(path, before)| mark(path) != **before) {
            None => Ok(()),
            Some((path, _)) => Err(Error::Tool {
                tool: path.display().to_string(),
                why: "it was changed during the hunt; nothing that the new one said was kept. With the new one the same \
                      command begins another campaign"
                    .to_owned(),
            }),
        }
    }
}

fn mark(path: &Path) -> Option<Mark> {
    let meta = fs::metadata(path).ok()?;
    Some((meta.dev(), meta.ino(), meta.size(), meta.mtime(), meta.mtime_nsec()))
}

/// Adds to the key what the executables of each compiler consist of: the driver, and the compiler proper where the driver
/// names one.
pub(super) fn hash(
    configurations: &[Configuration],
    scratch: &ScratchRoot,
    key: &mut CampaignKey,
) -> Result<(), Error> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for (configuration, row) in configurations.iter().zip(&mut key.configurations) {
        let name = &configuration.tested.name;
        if !known.contains_key(name) {
            known.insert(name.clone(), of(configuration, scratch)?);
        }
        row.hash.clone_from(&known[name]);
    }
    Ok(())
}

/// The hash of a file, of which a part at a time is in memory: compilers have hundreds of megabytes.
fn hash_of_file(path: &Path) -> io::Result<[u8; 32]> {
    let (mut file, mut hash, mut part) = (File::open(path)?, Sha256::new(), Vec::new());
    while file.by_ref().take(1 << 20).read_to_end(&mut part)? > 0 {
        hash.update(&part);
        part.clear();
    }
    Ok(hash.finalize().into())
}

fn of(configuration: &Configuration, scratch: &ScratchRoot) -> Result<String, Error> {
    let compiler = &configuration.tested.compiler;
    let paths =
        BTreeSet::from_iter([compiler.program.clone()].into_iter().chain(compiler.proper(scratch.path())));
    let mut digest = Sha256::new();
    for path in &paths {
        let hashed = hash_of_file(path).map_err(|error| Error::file("read", path, &error))?;
        digest.update(hashed);
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
