//! One source compiled to an object by a compiler's command line, within limits.

use super::sources::Source;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::process::{Finished, Limits, Outcome, Spec, run};

/// A compiler as the user writes it: a command line with options, as `gcc-12 -O2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// As written.
    pub name: String,
    /// Its words.
    words: Vec<String>,
}

/// How long a compilation may take.
const LIMIT: Duration = Duration::from_secs(1800);

/// Options for both sides that keep what compilers write in objects from differing by chance, and have them tell the
/// types of functions.
const ALWAYS: &[&str] = &["-c", "-w", "-fno-lto", "-g"];

/// Options by which any object may be accessed in any way, and signed numbers may overflow.
const LANGUAGE: [&str; 3] = ["-fno-strict-aliasing", "-fwrapv", "-fno-strict-overflow"];

impl Command {
    /// Reads a command line.
    ///
    /// # Errors
    /// Its quotes do not match, or it is empty.
    pub fn parse(text: &str) -> Result<Command, String> {
        let words = shell_words::split(text).map_err(|error| error.to_string())?;
        if words.is_empty() {
            return Err("the command is empty; name a compiler, as gcc-12".to_owned());
        }
        Ok(Command { name: text.trim().to_owned(), words })
    }

    /// Compiles a source to `output`. The command's own options come last, so that they win over the source's.
    ///
    /// # Errors
    /// What the compiler says, or how it ended.
    pub fn compile(&self, source: &Source, extra: &[OsString], output: &Path) -> Result<(), String> {
        let options = self.words.iter().position(|word| word.starts_with('-')).unwrap_or(self.words.len());
        let (program, own) = self.words.split_at(options);
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let file: PathBuf =
            if source.directory.is_some() { absolute(&source.file) } else { source.file.clone() };
        // Which rules of the language hold is to be seen in the object, too.
        let told = |word: &std::ffi::OsStr| LANGUAGE.iter().any(|option| word == *option);
        let flags = source.options.iter().chain(extra).any(|word| told(word))
            || own.iter().any(|word| told(word.as_ref()));
        let argv = program
            .iter()
            .map(OsString::from)
            .chain(source.options.iter().cloned())
            .chain(extra.iter().cloned())
            .chain(own.iter().map(OsString::from))
            .chain(ALWAYS.iter().map(OsString::from))
            .chain(flags.then(|| OsString::from("-grecord-gcc-switches")))
            .chain([file.into(), "-o".into(), absolute(output).into()]);
        let _ = std::fs::remove_file(output);
        let limits = Limits { wall: Some(LIMIT * 2), cpu: Some(LIMIT), ..Limits::default() };
        let mut spec = Spec::from_argv(argv).limits(limits);
        if let Some(directory) = &source.directory {
            spec = spec.cwd(directory);
        }
        if let Some(dir) = absolute(output).parent() {
            spec = spec.env("TMPDIR", dir);
        }
        let done = run(&spec);
        match &done.outcome {
            Outcome::Exited(0) if output.is_file() => Ok(()),
            Outcome::Exited(0) => Err("claims success but wrote no object".to_owned()),
            Outcome::Exited(_) => Err(first_error(&done)),
            Outcome::Signaled(signal) => Err(format!("died of signal {signal}")),
            Outcome::TimedOut(_) => Err("ran out of time".to_owned()),
            Outcome::OutputLimit(_) => Err("wrote too much".to_owned()),
            Outcome::ProcessLimit => Err("started too many processes".to_owned()),
            Outcome::Cancelled => Err("was cancelled".to_owned()),
            Outcome::SpawnFailed(error) => Err(error.to_string()),
        }
    }
}

fn first_error(done: &Finished) -> String {
    let text = String::from_utf8_lossy(&done.stderr);
    let line = text.lines().find(|line| line.contains("error")).or_else(|| text.lines().next());
    line.map_or_else(|| "failed without a message".to_owned(), |line| line.chars().take(300).collect())
}
