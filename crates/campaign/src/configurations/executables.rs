//! What a compiler consists of: its driver, and the compiler proper where the driver names one. Two with the same hash come to
//! the same; what is linked or included is not looked at.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use toolchain::compiler::Compiler;
use toolchain::scratch::ScratchRoot;

/// A hash of a compiler's executables.
pub fn executables(compiler: &Compiler, scratch: &ScratchRoot) -> Result<String, Error> {
    let paths =
        BTreeSet::from_iter([compiler.program.clone()].into_iter().chain(compiler.proper(scratch.path())));
    let mut digest = Sha256::new();
    for path in &paths {
        let mut hashed = Sha256::new();
        let read = File::open(path).and_then(|mut file| io::copy(&mut file, &mut hashed));
        read.map_err(|error| Error::file("read", path, &error))?;
        digest.update(hashed.finalize());
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
