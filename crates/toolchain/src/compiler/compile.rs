//! One compilation: runs the compiler within limits and says what became of it.

use super::Compiler;
use crate::cancel::Cancel;
use crate::crash::{Crash, recognise, without_quotations};
use crate::process::{Clock, Finished, Limits, Outcome, SpawnError, Spec, Stream, Usage, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What to make of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Product {
    /// A linked program.
    Executable,
    /// An object file (`-c`).
    Object,
    /// Assembly text (`-S`).
    Assembly,
}

/// What to compile, how, and within which limits.
#[derive(Debug, Clone)]
pub struct Compilation {
    args: Vec<OsString>,
    source: PathBuf,
    output: PathBuf,
    product: Product,
    libraries: Vec<OsString>,
    limits: Limits,
    cancel: Option<Cancel>,
}

impl Compilation {
    /// Compiles `source` into the program `output`. Temporary files of the compiler go beside the output.
    pub fn new(source: impl Into<PathBuf>, output: impl Into<PathBuf>) -> Self {
        Compilation {
            args: Vec::new(),
            source: source.into(),
            output: output.into(),
            product: Product::Executable,
            libraries: Vec::new(),
            limits: Limits::default(),
            cancel: None,
        }
    }

    /// Adds an optimisation level such as `-O2`, or any other option.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds options.
    #[must_use]
    pub fn args<I, S>(mut self, args: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Adds a word after the source, such as `-lm`.
    #[must_use]
    pub fn library(mut self, library: impl Into<OsString>) -> Self {
        self.libraries.push(library.into());
        self
    }

    /// What to make.
    #[must_use]
    pub fn product(mut self, product: Product) -> Self {
        self.product = product;
        self
    }

    /// The limits of the compiler's run.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// A token that kills the compiler.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }
}

/// What became of a compilation. A limit reached is never a success and never a crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompileOutcome {
    /// The output file is there.
    Ok,
    /// The compiler refuses the program.
    Rejected {
        /// Its first error.
        line: String,
    },
    /// The compiler itself failed.
    Crashed(Crash),
    /// It ran out of time.
    TimedOut(Clock),
    /// It ran out of memory.
    OutOfMemory {
        /// How it said so.
        line: String,
    },
    /// The disk is full: nothing can be said of the compiler or the program.
    DiskFull {
        /// How it said so.
        line: String,
    },
    /// It wrote too much.
    OutputLimit(Stream),
    /// It started too many processes.
    ProcessLimit,
    /// It claims success but there is no output, or an empty one.
    NoOutput,
    /// It was cancelled.
    Cancelled,
    /// It never ran.
    NotStarted(SpawnError),
}

impl CompileOutcome {
    /// One line for people.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            CompileOutcome::Ok => "compiled".to_owned(),
            CompileOutcome::Rejected { line } => format!("rejected: {line}"),
            CompileOutcome::Crashed(crash) => format!("crashed: {}", crash.signature),
            CompileOutcome::TimedOut(Clock::Wall) => "out of time".to_owned(),
            CompileOutcome::TimedOut(Clock::Cpu) => "out of processor time".to_owned(),
            CompileOutcome::OutOfMemory { line } => format!("out of memory: {line}"),
            CompileOutcome::DiskFull { line } => format!("the disk is full: {line}"),
            CompileOutcome::OutputLimit(Stream::File) => "wrote too large a file".to_owned(),
            CompileOutcome::OutputLimit(Stream::Stdout | Stream::Stderr) => {
                "wrote too many messages".to_owned()
            }
            CompileOutcome::ProcessLimit => "started too many processes".to_owned(),
            CompileOutcome::NoOutput => "claims success but wrote no output".to_owned(),
            CompileOutcome::Cancelled => "cancelled".to_owned(),
            CompileOutcome::NotStarted(error) => error.to_string(),
        }
    }
}

/// A compilation that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// What became of it.
    pub outcome: CompileOutcome,
    /// What the compiler and all its children cost.
    pub usage: Usage,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// The command line, for the reproducer.
    pub argv: Vec<OsString>,
}

impl Compiler {
    /// The command line of a compilation.
    #[must_use]
    pub fn command_line(&self, job: &Compilation) -> Vec<OsString> {
        let mut argv: Vec<OsString> = self.command.iter().map(OsString::from).collect();
        argv.extend(job.args.iter().cloned());
        match job.product {
            Product::Executable => {}
            Product::Object => argv.push("-c".into()),
            Product::Assembly => argv.push("-S".into()),
        }
        argv.extend([job.source.clone().into(), "-o".into(), job.output.clone().into()]);
        argv.extend(job.libraries.iter().cloned());
        argv
    }

    /// Compiles. An output file left by an earlier run is removed first, so that one found after is new.
    #[must_use]
    pub fn compile(&self, job: &Compilation) -> Compiled {
        let argv = self.command_line(job);
        let _ = std::fs::remove_file(&job.output);
        let mut spec = Spec::from_argv(argv.iter().cloned()).limits(job.limits.clone());
        if let Some(dir) = job.output.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            spec = spec.env("TMPDIR", std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()));
        }
        if let Some(cancel) = &job.cancel {
            spec = spec.cancel(cancel);
        }
        let done = run(&spec);
        let outcome = judge(&done, &job.output);
        if outcome != CompileOutcome::Ok {
            let _ = std::fs::remove_file(&job.output);
        }
        Compiled { outcome, usage: done.usage, stderr: done.stderr, argv }
    }
}

fn judge(done: &Finished, output: &Path) -> CompileOutcome {
    let (exit, signal) = match &done.outcome {
        Outcome::Exited(0) => {
            let written = std::fs::metadata(output).is_ok_and(|meta| meta.is_file() && meta.len() > 0);
            return if written { CompileOutcome::Ok } else { CompileOutcome::NoOutput };
        }
        Outcome::Exited(code) => (Some(*code), None),
        Outcome::Signaled(signal) => (None, Some(*signal)),
        Outcome::TimedOut(clock) => return CompileOutcome::TimedOut(*clock),
        Outcome::OutputLimit(stream) => return CompileOutcome::OutputLimit(*stream),
        Outcome::ProcessLimit => return CompileOutcome::ProcessLimit,
        Outcome::Cancelled => return CompileOutcome::Cancelled,
        Outcome::SpawnFailed(error) => return CompileOutcome::NotStarted(error.clone()),
    };
    let mut text = without_quotations(&String::from_utf8_lossy(&done.stderr));
    // Where plumb put the file says nothing to anybody.
    if let Some(dir) = output.parent().filter(|dir| dir.is_absolute()) {
        text = text.replace(&format!("{}/", dir.display()), "");
    }
    if let Some(limited) = limited(&text, signal) {
        return limited;
    }
    match recognise(&done.stderr, exit, signal) {
        Some(crash) => CompileOutcome::Crashed(crash),
        None => CompileOutcome::Rejected { line: first_error(&text, exit) },
    }
}

/// How compilers and drivers say that a limit was reached, which may look like a crash otherwise.
const MEMORY: &[&str] = &[
    "out of memory",
    "virtual memory exhausted",
    "Cannot allocate memory",
    "std::bad_alloc",
    "memory exhausted",
    "Killed signal terminated program",
    "unable to execute command: Killed",
];

/// How they say that the disk is full.
const DISK: &[&str] = &["No space left on device", "Disk quota exceeded", "file system is full"];

fn limited(text: &str, signal: Option<i32>) -> Option<CompileOutcome> {
    if text.contains("CPU time limit exceeded") {
        return Some(CompileOutcome::TimedOut(Clock::Cpu));
    }
    if text.contains("File size limit exceeded") {
        return Some(CompileOutcome::OutputLimit(Stream::File));
    }
    let line_with =
        |words: &[&str]| text.lines().find(|line| words.iter().any(|w| line.contains(w))).map(trim);
    if let Some(line) = line_with(DISK) {
        return Some(CompileOutcome::DiskFull { line });
    }
    if let Some(line) = line_with(MEMORY) {
        return Some(CompileOutcome::OutOfMemory { line });
    }
    // The kernel kills by this signal when memory is gone; no compiler raises it itself.
    (signal == Some(libc::SIGKILL))
        .then(|| CompileOutcome::OutOfMemory { line: "killed by the system".to_owned() })
}

/// Lines that only sum up what earlier ones say.
const SUMMARIES: &[&str] = &[
    "ld returned",
    "linker command failed",
    "errors generated",
    "error generated",
    "ccom terminated with status",
];

fn first_error(text: &str, exit: Option<i32>) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let holds = |line: &str, marks: &[&str]| marks.iter().any(|mark| line.contains(mark));
    let is_error = |line: &&str| {
        holds(line, &["error:", "Error:", "undefined reference", "cannot find", "undefined symbol"])
            && !holds(line, SUMMARIES)
    };
    // pcc has no word for errors: `program.c, line 76: _Atomic not supported`.
    let plain = |line: &&str| !holds(line, &["warning:"]) && !holds(line, SUMMARIES);
    match lines().find(is_error).or_else(|| lines().find(plain)).or_else(|| lines().next()) {
        Some(line) => trim(line),
        None => format!("exit code {} without a message", exit.unwrap_or(-1)),
    }
}

fn trim(line: &str) -> String {
    line.trim().chars().take(400).collect()
}
