//! Table of scan.
use super::Entry;
/// The functions.
pub const TABLE: &[Entry] = &[];
