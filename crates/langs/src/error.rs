//! Where and why a text could not be read.

use std::fmt;

/// A failure to read a module, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// What was expected and what was found.
    pub message: String,
}

impl ParseError {
    /// An error at byte `offset` of `source`.
    pub fn at(source: &[u8], offset: usize, message: impl Into<String>) -> Self {
        let offset = offset.min(source.len());
        let (line, column) = line_column(source, offset);
        Self { line, column, message: message.into() }
    }
}

/// Line and column (both from 1) of a byte offset.
pub fn line_column(source: &[u8], offset: usize) -> (u32, u32) {
    let before = &source[..offset.min(source.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() as u32 + 1;
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |p| p + 1);
    (line, (before.len() - start) as u32 + 1)
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
