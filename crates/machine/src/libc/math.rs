//! Table of math.
use super::Entry;
/// The functions.
pub const TABLE: &[Entry] = &[];
