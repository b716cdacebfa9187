//! Runs `cc -E` on a C file that has directives, with the options that change what the file means.

use crate::cancel::Cancel;
use crate::process::{Clock, Limits, Outcome, SpawnError, Spec, Stdin, Stream, find_program, run};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A preprocessor and its options.
#[derive(Debug, Clone)]
pub struct Preprocessor {
    command: Vec<OsString>,
    args: Vec<OsString>,
    line_markers: bool,
    limits: Limits,
    cancel: Option<Cancel>,
}

/// What to preprocess.
#[derive(Debug, Clone)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A text, with the directory against which its includes are looked up first.
    Text {
        /// The text.
        bytes: Arc<[u8]>,
        /// Its directory.
        dir: PathBuf,
    },
}

/// Why there is no preprocessed text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreprocessError {
    /// No preprocessor was found.
    #[error("no C preprocessor found: looked for {0} on PATH; install gcc or name one with --cc")]
    Missing(String),
    /// The command line cannot be split into words.
    #[error("`{command}` is not well quoted: {why}")]
    Quoting {
        /// The command line.
        command: String,
        /// What is wrong with it.
        why: String,
    },
    /// It could not be started.
    #[error(transparent)]
    Start(#[from] SpawnError),
    /// It found an error in the text.
    #[error("{0}")]
    Rejected(String),
    /// It ran out of time: an endless include, for example.
    #[error("the preprocessor `{command}` did not end in time")]
    TimedOut {
        /// The command line.
        command: String,
    },
    /// The result is larger than the limit.
    #[error("the preprocessed text is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// It ended in another way.
    #[error("the preprocessor `{command}` failed: {what}")]
    Failed {
        /// The command line.
        command: String,
        /// How it ended.
        what: String,
    },
    /// plumb is stopping.
    #[error("cancelled")]
    Cancelled,
}

/// Tried in this order when none is named.
const USUAL: &[&str] = &["cc", "gcc", "clang", "gcc-12", "clang-19", "tcc"];

impl Preprocessor {
    /// The usual C compiler of this machine.
    pub fn usual() -> Result<Self, PreprocessError> {
        let path = std::env::var_os("PATH");
        let exists = |name: &&&str| find_program(OsStr::new(name), path.as_deref()).is_ok();
        match USUAL.iter().find(exists) {
            Some(name) => Ok(Self::from_words(vec![name.into()])),
            None => Err(PreprocessError::Missing(USUAL.join(", "))),
        }
    }

    /// A compiler by its command line.
    pub fn named(command: &str) -> Result<Self, PreprocessError> {
        let words = shell_words::split(command)
            .map_err(|e| PreprocessError::Quoting { command: command.to_owned(), why: e.to_string() })?;
        Ok(Self::from_words(words.into_iter().map(OsString::from).collect()))
    }

    fn from_words(command: Vec<OsString>) -> Self {
        let limits = Limits { stdout: 256 << 20, stderr: 1 << 20, ..Limits::within(Duration::from_secs(60)) };
        Preprocessor { command, args: Vec::new(), line_markers: true, limits, cancel: None }
    }

    /// Adds options: `-I`, `-D`, `-U`, `-std`, `-m32` and whatever else changes the text.
    #[must_use]
    pub fn args<I, S>(mut self, args: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Whether the result says where its lines come from. It does unless told otherwise.
    #[must_use]
    pub fn line_markers(mut self, keep: bool) -> Self {
        self.line_markers = keep;
        self
    }

    /// The limits of the run; `stdout` bounds the result.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// A token that kills the preprocessor.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// The words of its command line, options included.
    pub fn words(&self) -> impl Iterator<Item = &OsStr> {
        self.command.iter().chain(&self.args).map(OsString::as_os_str)
    }

    /// The file of its program, if there is one.
    pub fn program(&self) -> Option<PathBuf> {
        find_program(self.command.first()?, std::env::var_os("PATH").as_deref()).ok()
    }

    /// Preprocesses a text so that the compiler tells about itself: macro definitions and text on its standard
    /// output (`-dD`), directories on its standard error (`-v`). The messages are in English.
    pub fn describe(&self, question: &str) -> Result<(Vec<u8>, Vec<u8>), PreprocessError> {
        let mut argv: Vec<OsString> = self.words().map(OsStr::to_owned).collect();
        argv.extend(["-E", "-dD", "-v", "-x", "c", "-"].map(OsString::from));
        let stdin = Stdin::Bytes(Arc::from(question.as_bytes()));
        let command = argv.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let mut spec = Spec::from_argv(argv).stdin(stdin).limits(self.limits.clone()).env("LC_ALL", "C");
        if let Some(cancel) = &self.cancel {
            spec = spec.cancel(cancel);
        }
        let done = run(&spec);
        match done.outcome {
            Outcome::Exited(0) => Ok((done.stdout, done.stderr)),
            Outcome::Cancelled => Err(PreprocessError::Cancelled),
            Outcome::SpawnFailed(error) => Err(error.into()),
            other => Err(PreprocessError::Failed { command, what: format!("{other:?}") }),
        }
    }

    /// Preprocesses.
    pub fn run(&self, source: &Source) -> Result<Vec<u8>, PreprocessError> {
        let mut argv = self.command.clone();
        argv.extend(self.args.iter().cloned());
        argv.push("-E".into());
        if !self.line_markers {
            argv.push("-P".into());
        }
        let stdin = match source {
            Source::File(path) => {
                // Whatever it is called: `.i` would be taken as preprocessed already.
                argv.extend(["-x".into(), "c".into()]);
                argv.push(plain(path.clone().into()));
                Stdin::Null
            }
            Source::Text { bytes, dir } => {
                let mut include = OsString::from("-I");
                include.push(dir);
                argv.extend([include, "-x".into(), "c".into(), "-".into()]);
                Stdin::Bytes(Arc::clone(bytes))
            }
        };
        let command = argv.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let mut spec = Spec::from_argv(argv).stdin(stdin).limits(self.limits.clone());
        if let Some(cancel) = &self.cancel {
            spec = spec.cancel(cancel);
        }
        let done = run(&spec);
        let failed = |what: String| PreprocessError::Failed { command: command.clone(), what };
        match done.outcome {
            Outcome::Exited(0) => Ok(done.stdout),
            Outcome::Exited(code) => {
                let text = String::from_utf8_lossy(&done.stderr);
                let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
                match lines().find(|line| line.contains("error:")).or_else(|| lines().next()) {
                    Some(line) => Err(PreprocessError::Rejected(line.to_owned())),
                    None => Err(failed(format!("exit code {code} without a message"))),
                }
            }
            Outcome::Signaled(signal) => Err(failed(crate::crash::signal_name(signal))),
            Outcome::TimedOut(Clock::Wall | Clock::Cpu) => Err(PreprocessError::TimedOut { command }),
            Outcome::OutputLimit(Stream::Stdout) => {
                Err(PreprocessError::TooLarge { limit: self.limits.stdout })
            }
            Outcome::OutputLimit(Stream::Stderr) => Err(failed("it writes errors without end".to_owned())),
            Outcome::OutputLimit(Stream::File) => Err(failed("it wrote too large a file".to_owned())),
            Outcome::ProcessLimit => Err(failed("it started too many processes".to_owned())),
            Outcome::Cancelled => Err(PreprocessError::Cancelled),
            Outcome::SpawnFailed(error) => Err(error.into()),
        }
    }
}

/// A file name that no compiler takes for an option.
fn plain(path: OsString) -> OsString {
    if path.as_encoded_bytes().starts_with(b"-") {
        let mut safe = OsString::from("./");
        safe.push(path);
        return safe;
    }
    path
}
