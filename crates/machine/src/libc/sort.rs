//! Table of sort.
use super::Entry;
/// The functions.
pub const TABLE: &[Entry] = &[];
