//! Where programs come from: the built-in generator, an installed csmith, a directory of C files, a project.
//!
//! A source maps a number to a program, always the same one, so that seed ranges can be leased, resumed and
//! repeated. To add a source: one file here with a [`SourceKind`], one line in [`SOURCES`], one case in
//! `tests/sources.rs`.

mod builtin;
mod commands;
mod csmith;
mod dialect;
mod directory;
pub mod known;
mod parts;

pub use parts::Part;

use crate::configurations::Configuration;
use crate::error::Error;
use crate::units::Units;
use crate::verdict::Rejection;
use csyntax::target::Target;
use frontend::plain;
use std::fs;
use std::path::{Path, PathBuf};
use toolchain::process::Limits;
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
    /// The files it is made of, where it is made of several: each is preprocessed and compiled by itself, and the text is
    /// that of the first.
    pub parts: Vec<Part>,
    /// The configurations, by number, whose compilers do not take C that it has: it is no test of them.
    pub left_out: Vec<usize>,
}

impl Program {
    /// Is it for the configuration of this number?
    pub fn is_for(&self, configuration: usize) -> bool {
        !self.left_out.contains(&configuration)
    }
}

/// What a source may need.
pub struct Context<'a> {
    /// Generator options, as given on the command line.
    pub words: &'a [String],
    /// The configurations that the programs are for.
    pub configurations: &'a [Configuration],
    /// Their data models.
    pub models: &'a [Target],
    /// What the hunt gives a compilation.
    pub compile: &'a Limits,
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

    /// What a person should know of its programs, a line each.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// How its programs are generated, where they are by plumb.
    fn generator(&self) -> Option<&generate::Options> {
        None
    }

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

/// The program that is one file.
fn single(path: &Path) -> Result<Program, Failure> {
    let unreadable = |why: String| Failure::none(format!("cannot read `{}`: {why}", path.display()));
    let meta = fs::metadata(path).map_err(|error| unreadable(plain(&error)))?;
    if !meta.is_file() {
        return Err(unreadable("not a regular file".to_owned()));
    }
    if meta.len() > parts::LARGEST {
        return Err(unreadable(format!("larger than {} MB", parts::LARGEST >> 20)));
    }
    let text = fs::read(path).map_err(|error| unreadable(plain(&error)))?;
    Ok(Program {
        name: path.display().to_string(),
        text,
        include: path.parent().map(Path::to_owned).into_iter().collect(),
        file: Some(path.to_owned()),
        command: None,
        units: None,
        parts: Vec::new(),
        left_out: Vec::new(),
    })
}

/// The program that these files make together; it is named by the first.
fn several(files: &[Part]) -> Result<Program, Failure> {
    let first = files.first().ok_or_else(|| Failure::none("the program has no file".to_owned()))?;
    for part in files {
        single(&part.file)?;
    }
    let program = single(&first.file)?;
    let name = match files.len() {
        1 => program.name,
        2 => format!("{} with 1 file more", program.name),
        count => format!("{} with {} files more", program.name, count - 1),
    };
    Ok(Program { name, parts: files.to_vec(), ..program })
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
pub const SOURCES: &[SourceKind] = &[builtin::KIND, csmith::KIND, commands::KIND, directory::KIND];

/// Is there what `--from` names? That is seen before compilers are asked anything, which takes a while.
pub fn exists(from: &str) -> Result<(), Error> {
    if SOURCES.iter().any(|kind| kind.word == from) {
        return Ok(());
    }
    fs::metadata(from).map(|_| ()).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::Usage(format!(
            "--from {from}: no such directory; expected `builtin`, `csmith`, a directory of C files or a \
             compile_commands.json"
        )),
        _ => Error::file("read", Path::new(from), &error),
    })
}

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
