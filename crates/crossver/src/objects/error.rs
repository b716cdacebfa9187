//! What can be wrong with an object file: one type, with the file and the place in it.

use std::fmt;
use std::path::PathBuf;

/// An object file that cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectError {
    /// The file, with the archive member in parentheses where there is one.
    pub file: String,
    /// Where in it: a section, a symbol, an offset; empty for the whole file.
    pub place: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with an object file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The system does not let it be read; the system's reason.
    Unreadable(String),
    /// It has no bytes.
    Empty,
    /// It is no ELF file and no archive; what it looks like.
    Foreign(&'static str),
    /// It is ELF for a machine or byte order that is not known here; as the header says it.
    Machine(String),
    /// Its tables lie outside the file or contradict each other; the reader's reason.
    Corrupt(String),
    /// It has no symbols, so that no function can be told from another.
    Stripped,
    /// It holds intermediate code of link-time optimisation and no machine code.
    IntermediateCode,
    /// It holds code, or is an archive, and no function is found in it.
    NoFunctions,
    /// The two sides are for different machines; the other one's.
    MachinesDiffer(&'static str),
}

impl ObjectError {
    /// An error about a whole file.
    pub fn of(file: impl Into<String>, problem: Problem) -> ObjectError {
        ObjectError { file: file.into(), place: String::new(), problem }
    }

    /// The same error with its place.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> ObjectError {
        self.place = place.into();
        self
    }

    /// An error of the system's about a file.
    pub fn unreadable(path: impl Into<PathBuf>, error: &std::io::Error) -> ObjectError {
        ObjectError::of(path.into().display().to_string(), Problem::Unreadable(error.to_string()))
    }
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.file)?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        write!(f, ": ")?;
        match &self.problem {
            Problem::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Problem::Empty => write!(f, "the file is empty; expected an ELF object, program or archive"),
            Problem::Foreign(what) => write!(f, "{what}; expected an ELF object, program or archive"),
            Problem::Machine(what) => {
                write!(f, "is for {what}; compared are little-endian x86-64, i386, AArch64, ARM and RISC-V")
            }
            Problem::Corrupt(why) => write!(f, "is damaged: {why}"),
            Problem::Stripped => write!(f, "has no symbols; compare the file as it was before `strip`"),
            Problem::IntermediateCode => {
                write!(f, "holds intermediate code and no machine code; compile with -fno-lto")
            }
            Problem::NoFunctions => write!(f, "holds no function"),
            Problem::MachinesDiffer(other) => write!(f, "is not for {other}, as the other side is"),
        }
    }
}

impl std::error::Error for ObjectError {}
