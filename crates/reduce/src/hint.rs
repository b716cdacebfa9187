//! Proposed edits as patches of text.

use std::ops::Range;

/// One replacement of bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Patch {
    /// Which file of the [`crate::Case`].
    pub file: usize,
    /// The bytes that go.
    pub span: Range<usize>,
    /// What comes instead; empty for a deletion.
    pub with: Vec<u8>,
}

impl Patch {
    /// A deletion.
    pub fn cut(file: usize, span: Range<usize>) -> Patch {
        Patch { file, span, with: Vec::new() }
    }
}

/// Patches that only make sense together: a parameter at its definition and the arguments at all calls, say. They do not
/// overlap. The engine may apply several hints of a pass at once; of hints whose patches overlap it applies the outer
/// deletion, or else the first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Hint {
    /// The patches, in the order of files and places.
    pub patches: Vec<Patch>,
}

impl Hint {
    /// A hint of one deletion.
    pub fn cut(file: usize, span: Range<usize>) -> Hint {
        Hint { patches: vec![Patch::cut(file, span)] }
    }

    /// A hint of one replacement.
    pub fn put(file: usize, span: Range<usize>, with: impl Into<Vec<u8>>) -> Hint {
        Hint { patches: vec![Patch { file, span, with: with.into() }] }
    }
}
