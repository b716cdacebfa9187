//! Table of math_long.
use super::Entry;
/// The functions.
pub const TABLE: &[Entry] = &[];
