//! What can go wrong around a campaign, as types with a cause and a place, and the exit code each deserves.

use frontend::plain;
use std::path::PathBuf;

/// Exit codes, the same for every command.
pub mod exit {
    /// Nothing wrong.
    pub const OK: u8 = 0;
    /// An alarm, a difference, a refutation.
    pub const ALARM: u8 = 1;
    /// Bad usage or unreadable input.
    pub const USAGE: u8 = 2;
    /// The program is undefined.
    pub const UNDEFINED: u8 = 3;
    /// Not supported.
    pub const UNSUPPORTED: u8 = 4;
    /// Out of budget, or unknown.
    pub const UNKNOWN: u8 = 5;
}

/// An error that ends a command.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or directory could not be used.
    #[error("cannot {action} `{}`: {why}", path.display())]
    File {
        /// What was tried, as `read`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's reason, with advice where there is any.
        why: String,
    },
    /// The user asked for something that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// An external tool is missing or did not do its work.
    #[error("{tool}: {why}")]
    Tool {
        /// Its command line.
        tool: String,
        /// What happened and what to do.
        why: String,
    },
    /// The store is not one that this plumb can use.
    #[error("store `{}`: {why}", path.display())]
    Store {
        /// The database file or directory.
        path: PathBuf,
        /// What is wrong and what to do.
        why: String,
    },
    /// The machine ran out of something; nothing committed is lost.
    #[error("{0}")]
    Resource(String),
    /// A bug of plumb.
    #[error("{0}")]
    Internal(String),
    /// A C file could not be read.
    #[error(transparent)]
    Front(#[from] frontend::Error),
    /// The text is not a C program; the diagnostics are already rendered, one a line group.
    #[error("{0}")]
    NotC(String),
}

impl Error {
    /// A file error from the system's.
    pub fn file(action: &'static str, path: impl Into<PathBuf>, error: &std::io::Error) -> Error {
        let path = path.into();
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Error::Resource(format!(
                "cannot {action} `{}`: the disk is full; free some space and run the same command again, \
                 nothing committed is lost",
                path.display()
            )),
            std::io::ErrorKind::FileTooLarge => Error::Resource(format!(
                "cannot {action} `{}`: the file would pass the file-size limit (`ulimit -f`); raise it and run \
                 the same command again, nothing committed is lost",
                path.display()
            )),
            _ => Error::File { action, path, why: plain(error) },
        }
    }

    /// The exit code of a command that ends so.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::File { .. }
            | Error::Usage(_)
            | Error::Tool { .. }
            | Error::Store { .. }
            | Error::Front(_)
            | Error::NotC(_) => exit::USAGE,
            Error::Resource(_) | Error::Internal(_) => exit::UNKNOWN,
        }
    }
}
