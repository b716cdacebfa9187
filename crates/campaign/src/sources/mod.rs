//! Where programs come from: the built-in generator, an installed csmith, a directory of C files.
//!
//! A source maps a number to a program, always the same one, so that seed ranges can be leased, resumed and
//! repeated. To add a source: one file here with a [`SourceKind`], one line in [`SOURCES`], one case in
//! `tests/sources.rs`.

mod builtin;
mod csmith;
mod directory;
pub mod known;

use crate::configurations::Configuration;
use crate::error::Error;
use crate::units::Units;
use crate::verdict::Rejection;
use csyntax::target::Target;
use std::path::PathBuf;
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
    /// The command that writes it; `None` for files.
    pub command: Option<String>,
    /// Compiled instead of the text, and meaning the same.
    pub units: Option<Units>,
}

/// What a source may need.
pub struct Context<'a> {
    /// Generator options, as given on the command line.
    pub words: &'a [String],
    /// The configurations that the programs are for.
    pub configurations: &'a [Configuration],
    /// Their data models.
    pub models: &'a [Target],
    /// For sources that run a tool.
    pub scratch: &'a ScratchRoot,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The number gives no program, today as on any day.
    Rejected(Rejection),
    /// plumb is being stopped; ask again in the next run.
    Stopped,
}

impl Failure {
    /// The source cannot make it, and why.
    fn none(why: String) -> Failure {
        Failure::Rejected(Rejection::NoProgram(why))
    }
}

/// What opening gives: `None` when the word is another kind's.
pub type Opened = Option<Result<Box<dyn Source>, Error>>;

/// A way to get programs: the word that selects it after `--from`, and how it opens.
pub struct SourceKind {
    /// What `--from` says, for the help text.
    pub word: &'static str,
    /// One line for the help text.
    pub help: &'static str,
    /// Opens the source when the word is its own; `None` leaves it to the next kind.
    pub open: fn(&str, &Context<'_>) -> Opened,
}

/// All kinds, asked in this order; the directory takes every word that is left.
pub const SOURCES: &[SourceKind] = &[builtin::KIND, csmith::KIND, directory::KIND];

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
