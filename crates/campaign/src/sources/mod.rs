//! Where programs come from: the built-in generator, an installed csmith, a directory of C files.
//!
//! A source maps a number to a program, always the same one, so that seed ranges can be leased, resumed and
//! repeated. To add a source: one file here with a [`Kind`], one line in [`SOURCES`], one case in
//! `tests/sources.rs`.

mod builtin;
mod csmith;
mod directory;
pub mod known;

use crate::configurations::Configuration;
use crate::error::Error;
use crate::units::Units;
use csyntax::target::Target;
use std::path::PathBuf;
use toolchain::compiler::Family;
use toolchain::scratch::ScratchRoot;

/// One program as a source gives it, before any preprocessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What it is called in messages: `seed 7` or a path.
    pub name: String,
    /// C text.
    pub text: Vec<u8>,
    /// Directories its `#include` lines need.
    pub include: Vec<PathBuf>,
    /// The file it was read from.
    pub file: Option<PathBuf>,
    /// Compiled instead of the text, and meaning the same.
    pub units: Option<Units>,
}

/// What a source may need.
pub struct Context<'a> {
    /// Generator options, as given on the command line.
    pub generator: &'a generate::Options,
    /// For sources that run a tool.
    pub scratch: &'a ScratchRoot,
}

/// The generator's options with what these compilers know: `__int128` where all have it, shuffles of vectors only
/// where none is too old for them; programs of many sizes. What the command line says stays.
pub fn fitted(
    options: &generate::Options,
    configurations: &[Configuration],
    models: &[Target],
) -> generate::Options {
    use generate::Switch;
    let mut fitted = options.clone();
    if !options.said(Switch::Int128) && models.iter().all(|m| m.int128) {
        fitted.set(Switch::Int128, true);
    }
    let size = generate::Limit::Tokens;
    if !options.said(Switch::VarySize) && options.limit(size) == generate::Options::default().limit(size) {
        fitted.set(Switch::VarySize, true);
    }
    let shuffles = |c: &Configuration| match c.tested.compiler.family {
        Family::Gcc => c.tested.compiler.version.is_some_and(|v| v.0 >= 12),
        Family::Clang | Family::ZigCc => true,
        Family::Tcc | Family::Pcc | Family::Unknown => false,
    };
    if !options.said(Switch::ShuffleVector) && !configurations.iter().all(shuffles) {
        fitted.set(Switch::ShuffleVector, false);
    }
    fitted
}

/// A stream of programs, addressed by number.
pub trait Source: Send + Sync {
    /// Names the source and everything its programs depend on: two campaigns with the same description and seed
    /// see the same programs.
    fn identity(&self) -> String;

    /// How many programs there are; `None` when they never end.
    fn count(&self) -> Option<u64>;

    /// The program of this number, below [`Source::count`]. An error is counted as a rejected program.
    fn program(&self, number: u64) -> Result<Program, Failure>;
}

/// Why a source has no program for a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The number gives no program, today as on any day.
    #[error("{0}")]
    None(String),
    /// plumb is being stopped; ask again in the next run.
    #[error("stopped")]
    Stopped,
}

/// What opening gives: `None` when the word is another kind's.
pub type Opened = Option<Result<Box<dyn Source>, Error>>;

/// A way to get programs: the word that selects it after `--from`, and how it opens.
pub struct Kind {
    /// What `--from` says, for the help text.
    pub word: &'static str,
    /// One line for the help text.
    pub help: &'static str,
    /// Opens the source when the word is its own; `None` leaves it to the next kind.
    pub open: fn(&str, &Context<'_>) -> Opened,
}

/// All kinds, asked in this order; the directory takes every word that is left.
pub const SOURCES: &[Kind] = &[builtin::KIND, csmith::KIND, directory::KIND];

/// Opens what `--from` names.
pub fn open(from: &str, context: &Context<'_>) -> Result<Box<dyn Source>, Error> {
    for kind in SOURCES {
        if let Some(opened) = (kind.open)(from, context) {
            return opened;
        }
    }
    let known: Vec<&str> = SOURCES.iter().map(|kind| kind.word).collect();
    Err(Error::Usage(format!("--from {from}: expected one of {}", known.join(", "))))
}
