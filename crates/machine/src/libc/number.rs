//! Table of number.
use super::Entry;
/// The functions.
pub const TABLE: &[Entry] = &[];
