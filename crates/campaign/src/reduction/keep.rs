//! Where the result of a reduction is kept: a directory beneath the finding's, of the same form.

use super::result::Reduced;
use crate::error::Error;
use crate::findings::{Evidence, write_beneath};
use std::fs;
use std::path::Path;

/// The directory of the result beneath a finding's.
pub const REDUCED: &str = "reduced";
/// The figures, in that directory.
const RESULT: &str = "reduction.json";
/// What a reduction under way knows, in the finding's directory.
pub const JOURNAL: &str = "reduction.journal";

/// The result that is kept for the finding in this directory, if there is one.
pub fn result(dir: &Path) -> Result<Option<Reduced>, Error> {
    let path = dir.join(REDUCED).join(RESULT);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::file("read", &path, &error)),
    };
    // One that another version wrote is made again.
    let known: Option<Reduced> = serde_json::from_slice(&bytes).ok();
    Ok(known.map(|known| Reduced { directory: dir.join(REDUCED), ..known }))
}

/// Keeps a result.
pub(super) fn keep(dir: &Path, evidence: &Evidence<'_>, reduced: &Reduced) -> Result<(), Error> {
    let mut figures = serde_json::to_vec_pretty(reduced)
        .map_err(|error| Error::Internal(format!("a reduction is not JSON: {error}")))?;
    figures.push(b'\n');
    write_beneath(dir, REDUCED, evidence, &reduced.id, &[(RESULT, &figures)])
}
