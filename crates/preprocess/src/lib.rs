//! The C preprocessor: C11 translation phases 1 to 4 with the extensions of GNU C, text to text.
//!
//! [`preprocess`] does what `gcc -E` does: the same tokens, on the same lines, with the same line markers. What a
//! compiler predefines, where it looks for headers and how it answers `__has_attribute` and its kin is a value, a
//! [`Compiler`], which [`Compiler::parse`] reads from the output of [`Compiler::question`]. Files come through the
//! trait [`Host`]: there is no I/O here.
//!
//! Macro expansion follows the contexts of gcc rather than hide sets: a macro is disabled while its replacement is
//! being read, and a name met meanwhile is marked for good. Both give the results the standard fixes; where it
//! leaves a choice (C11 6.10.3.4, a name whose arguments lie beyond its replacement), this one agrees with gcc.
//!
//! Nothing here panics or runs on without end: depth, memory, output and work are bounded by [`Limits`].

mod arguments;
mod builtin;
mod compiler;
mod condition;
mod copy;
mod define;
mod directive;
mod error;
mod expand;
mod include;
mod lex;
mod names;
mod paste;
mod pragma;
mod print;
mod source;
mod state;
mod token;

pub use compiler::{Compiler, Dir};
pub use error::{Error, ErrorKind, Warning};
pub use source::{LARGEST, Source};
pub use state::{Limits, MacroOption, Options, Output, preprocess};

/// What the preprocessor asks of the world.
pub trait Host {
    /// The file at a path, made ready with [`Source::new`]; `None` if there is no such file. The path is joined
    /// from a directory and the name in the directive, byte by byte.
    fn read(&mut self, path: &[u8], trigraphs: bool) -> Result<Option<std::sync::Arc<Source>>, String>;

    /// Whether there is a file at a path.
    fn exists(&mut self, path: &[u8]) -> bool {
        matches!(self.read(path, false), Ok(Some(_)))
    }
}
