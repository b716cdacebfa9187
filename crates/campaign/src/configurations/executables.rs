//! What a compiler consists of: its driver, and the compiler proper where the driver names one. Two with the same hash come to
//! the same; what is linked or included is not looked at.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use toolchain::compiler::Compiler;
use toolchain::scratch::ScratchRoot;

/// A hash of a compiler's executables.
pub fn executables(compiler: &Compiler, scratch: &ScratchRoot) -> Result<String, Error> {
    let paths =
        BTreeSet::from_iter([compiler.program.clone()].into_iter().chain(compiler.proper(scratch.path())));
    let mut digest = Sha256::new();
    for path in &paths {
        let hashed = hash_of_file(path).map_err(|error| Error::file("read", path, &error))?;
        digest.update(hashed);
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
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
