//! What became of a job: one enum for every way it can end, and what it cost.

use crate::crash::signal_name;
use crate::sandbox::Enforcement;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Which of the two time limits was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Elapsed time.
    Wall,
    /// User plus system time of the whole job.
    Cpu,
}

/// Which output grew beyond its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file written by the job.
    File,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It exited with this code.
    Exited(i32),
    /// A signal that plumb did not send ended it.
    Signaled(i32),
    /// It ran out of time and was killed.
    TimedOut(Clock),
    /// It wrote too much and was killed.
    OutputLimit(Stream),
    /// It had too many processes at once and was killed.
    ProcessLimit,
    /// It was cancelled, by its token or because plumb is stopping.
    Cancelled,
    /// It never ran.
    SpawnFailed(SpawnError),
}

impl Outcome {
    /// Whether the command exited with code 0.
    #[must_use]
    pub fn success(&self) -> bool {
        matches!(self, Outcome::Exited(0))
    }

    /// What it did, for people: `exited with status 3`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Outcome::Exited(code) => format!("exited with status {code}"),
            Outcome::Signaled(signal) => format!("was ended by signal {signal} ({})", signal_name(*signal)),
            Outcome::TimedOut(Clock::Wall) => "ran out of time".to_owned(),
            Outcome::TimedOut(Clock::Cpu) => "ran out of processor time".to_owned(),
            Outcome::OutputLimit(Stream::Stdout | Stream::Stderr) => "wrote too much".to_owned(),
            Outcome::OutputLimit(Stream::File) => "wrote too large a file".to_owned(),
            Outcome::ProcessLimit => "started too many processes".to_owned(),
            Outcome::Cancelled => "was cancelled".to_owned(),
            Outcome::SpawnFailed(error) => format!("did not start: {error}"),
        }
    }
}

/// What a job cost: the command and all its descendants together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// User time.
    pub user: Duration,
    /// System time.
    pub system: Duration,
    /// Elapsed time, as the supervisor saw it.
    pub wall: Duration,
    /// The largest resident set of any one process, in bytes.
    pub max_rss: u64,
}

impl Usage {
    /// User plus system time.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.user + self.system
    }
}

/// A finished job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// What it wrote to standard output, never more than the limit.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, never more than the limit.
    pub stderr: Vec<u8>,
    /// What it cost.
    pub usage: Usage,
    /// How far the sandbox was enforced, where one was asked for.
    pub sandbox: Option<Enforcement>,
}

impl Finished {
    pub(crate) fn not_started(error: SpawnError) -> Self {
        let outcome = match error {
            SpawnError::Cancelled => Outcome::Cancelled,
            other => Outcome::SpawnFailed(other),
        };
        Finished { outcome, stdout: Vec::new(), stderr: Vec::new(), usage: Usage::default(), sandbox: None }
    }
}

/// Why a command never ran.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    /// The command line has no words.
    #[error("the command line is empty: name a program to run")]
    Empty,
    /// An argument or a variable holds a NUL byte.
    #[error("`{0:?}` holds a NUL byte, which no command line can carry")]
    Nul(OsString),
    /// No such program on `PATH` or at the path given.
    #[error("`{}`: no such program {}", program.display(), where_looked(program))]
    NotFound {
        /// The program as it was named.
        program: OsString,
    },
    /// The program exists but may not or cannot be executed.
    #[error("`{}` cannot be executed: {why}", program.display())]
    NotExecutable {
        /// The path of the program.
        program: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The working directory is not usable.
    #[error("cannot start in directory `{}`: {why}", dir.display())]
    Directory {
        /// The directory.
        dir: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The file meant as standard input is not readable.
    #[error("cannot read `{}` as standard input: {why}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The sandbox was required and this kernel cannot give it.
    #[error("the sandbox is required but cannot be enforced: {0}")]
    Sandbox(String),
    /// A step between fork and exec failed.
    #[error("cannot prepare the process ({step}): {why}")]
    Setup {
        /// What was being done.
        step: &'static str,
        /// The system's reason.
        why: String,
    },
    /// The spawner or supervisor itself failed.
    #[error("the process runner failed: {0}")]
    Runner(String),
    /// Cancelled before it started.
    #[error("cancelled before it started")]
    Cancelled,
}

fn where_looked(program: &OsString) -> &'static str {
    if program.as_encoded_bytes().contains(&b'/') { "at that path" } else { "on PATH" }
}
