//! Why there is no program: the file cannot be used, the preprocessor stops, or the text is not C.

use crate::diagnostics;
use csyntax::source::{Diagnostic, SourceMap, Span};
use std::path::PathBuf;
use toolchain::compiler::PreprocessError;

/// Diagnostics shown for one text.
const MOST: usize = 20;

/// Why a file gives no program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system does not let it be read: its reason, without the number.
    #[error("cannot read `{}`: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// It cannot hold a C program.
    #[error("cannot use `{}`: {why}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        why: Unusable,
    },
    /// The preprocessor found an error in it, shown as compilers do.
    #[error("{0}")]
    Directive(String),
    /// The preprocessor could not do its work.
    #[error("cannot use `{}`: it cannot be preprocessed: {error}", path.display())]
    Preprocessor {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: PreprocessError,
    },
}

/// What a file is that cannot hold a C program.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unusable {
    /// A directory.
    #[error("it is a directory; name a C file")]
    Directory,
    /// Spans are 32 bits wide.
    #[error("it is larger than 1 GiB")]
    TooLarge,
    /// White space alone.
    #[error("it is empty; expected a C program")]
    Empty,
    /// It holds a zero byte.
    #[error("it is a binary file (it holds a zero byte); expected C source")]
    Binary,
}

impl Error {
    /// The system's refusal to let a file be read.
    pub fn unreadable(path: impl Into<PathBuf>, error: &std::io::Error) -> Error {
        Error::Unreadable { path: path.into(), why: plain(error) }
    }
}

/// The system's message without its number.
pub fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

/// A text with what is wrong with it.
#[derive(Clone, Debug)]
pub struct Refused {
    /// What the parser and checker say, in order, warnings too.
    pub diagnostics: Vec<Diagnostic>,
    /// Turns their spans into places.
    pub source: SourceMap,
}

impl Refused {
    /// The errors as a compiler prints them, with carets under their places in the text.
    pub fn render(&self, text: &[u8]) -> String {
        let errors: Vec<Diagnostic> =
            self.diagnostics.iter().filter(|d| d.severity.refuses()).cloned().collect();
        diagnostics::render(&errors, &self.source, text, MOST).trim_end().to_owned()
    }

    /// The first error with its place, on one line.
    pub fn first(&self) -> String {
        let error = self.diagnostics.iter().find(|d| d.severity.refuses());
        error.map(|d| at(&self.source, d.span, &d.message)).unwrap_or_default()
    }
}

/// `file:line:column: text`.
fn at(source: &SourceMap, span: Span, text: &str) -> String {
    format!("{}: {text}", source.place(span.lo))
}
