//! Compilers: found, named, and run.
//!
//! A [`Compiler`] is a command line (`clang-19 -m32`) that has been asked who it is and has proved that it
//! translates a trivial program; see [`Compiler::identify`]. [`discover`] finds those on `PATH`.

mod compile;
mod discover;
mod identify;
mod preprocess;
mod target;

pub use compile::{Compilation, CompileOutcome, Compiled, Product};
pub use discover::{Discovery, discover};
pub use identify::{CompilerError, Problem};
pub use preprocess::{PreprocessError, Preprocessor, Source};
pub use target::{DataModel, Runner, Target};

use crate::process::{Env, Limits, Outcome, Spec, run};
use crate::sandbox::Sandbox;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Whose compiler it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The GNU compiler collection.
    Gcc,
    /// Clang.
    Clang,
    /// `zig cc`, which is clang with other defaults.
    ZigCc,
    /// The tiny C compiler.
    Tcc,
    /// The portable C compiler.
    Pcc,
    /// Any other: it is run all the same.
    Unknown,
}

impl Family {
    /// A stable lower-case name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Family::Gcc => "gcc",
            Family::Clang => "clang",
            Family::ZigCc => "zig-cc",
            Family::Tcc => "tcc",
            Family::Pcc => "pcc",
            Family::Unknown => "unknown",
        }
    }

    /// Whether `-O` levels change what this compiler does; where they do not, one level is enough.
    #[must_use]
    pub fn optimises(self) -> bool {
        match self {
            Family::Gcc | Family::Clang | Family::ZigCc | Family::Pcc | Family::Unknown => true,
            Family::Tcc => false,
        }
    }
}

/// A version as its first three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// A compiler that works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// The command line it is run by, without the options of a single compilation.
    pub command: Vec<String>,
    /// The executable that the first word names.
    pub program: PathBuf,
    /// Whose it is.
    pub family: Family,
    /// Its version, where it tells one.
    pub version: Option<Version>,
    /// The first line of what it says of itself.
    pub banner: String,
    /// What it compiles for.
    pub target: Target,
    /// How its programs are run here.
    pub runner: Runner,
}

impl Compiler {
    /// The command line as one string, quoted where needed.
    #[must_use]
    pub fn name(&self) -> String {
        shell_words::join(&self.command)
    }

    /// Name, version and target: tells apart what behaves differently, for stores and reports.
    #[must_use]
    pub fn id(&self) -> String {
        let version = self.version.map_or_else(|| "?".to_owned(), |version| version.to_string());
        format!("{} {version} {}", self.name(), self.target.triple)
    }

    /// The compiler proper behind a driver of the GNU compilers, where the driver tells; asked in the directory `dir`.
    #[must_use]
    pub fn proper(&self, dir: &Path) -> Option<PathBuf> {
        let asked = Spec::from_argv(self.command.iter().cloned()).arg("-print-prog-name=cc1").working_in(dir);
        let said = run(&asked.limits(Limits::within(Duration::from_secs(20))));
        let path = PathBuf::from(String::from_utf8_lossy(&said.stdout).trim());
        (said.outcome == Outcome::Exited(0) && path.is_absolute() && path.is_file()).then_some(path)
    }

    /// The job that runs a program which this compiler made, confined to writing beneath `dir`, with no more of the
    /// environment than `PATH`, at the same addresses every time. `None` where such programs cannot be run here. The
    /// address-space limit is widened for emulators and dropped for sanitised programs, which reserve far more than they use.
    #[must_use]
    pub fn run_spec(&self, executable: &Path, dir: &Path, limits: &Limits) -> Option<Spec> {
        let (argv, mut limits) = self.runner.wrap(executable, limits)?;
        if self.command.iter().any(|word| is_sanitizer(word)) {
            limits.address_space = None;
        }
        let sandbox = Sandbox::writing_beneath(dir);
        let spec = Spec::from_argv(argv).cwd(dir).env_policy(Env::Clean).limits(limits);
        Some(spec.sandbox(sandbox).fixed_addresses())
    }
}

/// Whether an option makes programs reserve terabytes of address space for their shadow memory.
fn is_sanitizer(word: &str) -> bool {
    let list = word.strip_prefix("-fsanitize=").unwrap_or_default();
    list.split(',').any(|name| matches!(name, "address" | "hwaddress" | "thread" | "memory" | "leak"))
}
