//! Writing to stdout and stderr. A reader that went away ends the writing, not plumb; any other failure is kept and
//! ends the command that wrote ([`check`]).

use campaign::{Error, exit};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

/// The first failure to write to stdout.
static FAILED: OnceLock<io::Error> = OnceLock::new();

/// Writes a line to stdout.
pub fn line(text: &str) {
    bytes(format!("{text}\n").as_bytes());
}

/// Writes a JSON value as one line to stdout.
pub fn json(value: &impl Serialize) {
    line(&json_text(value));
}

/// A JSON value as one line.
pub fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Writes bytes to stdout.
pub fn bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush())
        // Nobody is left to read it: `plumb ... | head` is no failure.
        && error.kind() != ErrorKind::BrokenPipe
    {
        // Only the first is told.
        let _ = FAILED.set(error);
    }
}

/// Did all writing to stdout succeed? A full disk must not pass for an answer.
pub fn check() -> Result<(), Error> {
    match FAILED.get() {
        None => Ok(()),
        Some(error) => Err(Error::file("write", "standard output", error)),
    }
}

/// A text that says that something is wrong, in red where a terminal reads standard output and colours are wanted.
pub fn alarm(text: &str) -> String {
    if !(io::stdout().is_terminal() && crate::screen::colours()) {
        return text.to_owned();
    }
    let style = anstyle::AnsiColor::Red.on_default().bold();
    format!("{style}{text}{style:#}")
}

/// Writes bytes to stderr.
pub fn error_bytes(bytes: &[u8]) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// With `--json`, why a command ended otherwise than by its last line; the same is said on stderr.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorLine {
    /// What is wrong and what to do.
    pub message: String,
    /// The exit code.
    pub exit: u8,
}

/// An [`ErrorLine`] with its type, as every command prints it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Tagged {
    /// An error.
    Error(ErrorLine),
}

/// Prints the error object.
pub fn json_error(message: &str, exit: u8) {
    json(&Tagged::Error(ErrorLine { message: message.trim_end().to_owned(), exit }));
}

/// How a command over many items ends: of several, the greatest decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Nothing wrong.
    Ok,
    /// Something is not supported.
    Unsupported,
    /// Out of budget, or unknown.
    Unknown,
    /// Something given cannot be read.
    Usage,
    /// An alarm, a difference, a refutation.
    Alarm,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Ok => exit::OK,
            Exit::Unsupported => exit::UNSUPPORTED,
            Exit::Unknown => exit::UNKNOWN,
            Exit::Usage => exit::USAGE,
            Exit::Alarm => exit::ALARM,
        }
    }
}
