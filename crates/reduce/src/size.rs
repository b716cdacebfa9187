//! How large a case is.

use serde::{Deserialize, Serialize};

/// The measure of a reduction: fewer tokens are better, then fewer bytes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Size {
    /// Tokens of all files, without comments.
    pub tokens: usize,
    /// Bytes of all files.
    pub bytes: usize,
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} tokens, {} bytes", self.tokens, self.bytes)
    }
}
