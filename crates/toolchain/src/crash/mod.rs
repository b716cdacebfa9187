//! Crash signatures: recognises that a compiler has failed itself, rather than refused a program, and names the
//! failure so that the same one gets the same name again.
//!
//! # Adding a compiler family
//!
//! Write one file with a unit struct that implements [`Recogniser`], add it to [`RECOGNISERS`], and add texts in
//! the compiler's format with the signatures expected of them to `tests/crashes/`. A recogniser looks at the text
//! of standard error only; signals and exit codes are dealt with by [`recognise`] for all of them.

mod assembler;
mod clang;
mod gcc;
mod normal;
mod small;

pub use normal::normalise;

/// What kind of failure it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrashKind {
    /// The compiler found itself in a state that it says is impossible.
    InternalError,
    /// An assertion of the compiler failed.
    Assertion,
    /// A place marked unreachable was reached.
    Unreachable,
    /// The back end could not translate its input.
    Backend,
    /// The compiler was killed by a signal that it raised itself.
    Signal,
    /// The assembler refused what the compiler wrote.
    BadAssembly,
}

impl CrashKind {
    /// A stable name for reports and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CrashKind::InternalError => "internal-error",
            CrashKind::Assertion => "assertion",
            CrashKind::Unreachable => "unreachable",
            CrashKind::Backend => "backend",
            CrashKind::Signal => "signal",
            CrashKind::BadAssembly => "bad-assembly",
        }
    }
}

/// A recognised failure of a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crash {
    /// What kind of failure.
    pub kind: CrashKind,
    /// Short and stable: free of addresses, directories, line numbers and names from the program compiled.
    pub signature: String,
    /// The line that gave it away, as the compiler wrote it.
    pub line: String,
}

/// Knows how compilers of one family report their own failures.
///
/// `recognise` gets all of standard error as text and returns the most telling failure in it, or `None` where it
/// shows no failure of the compiler itself. It must not take a diagnostic about the program for a crash: every
/// false crash is a false alarm. Build the signature from what stays the same when the same defect is hit by
/// another program, on another machine, in a neighbouring version.
pub trait Recogniser: Sync {
    /// The family's name, which starts its signatures.
    fn name(&self) -> &'static str;
    /// An extended regular expression, case not minded, for a line of every text that it recognises: reproducers, which
    /// are shell scripts, look for it with `grep -E`.
    fn marks(&self) -> &'static str;
    /// The most telling failure in the text.
    fn recognise(&self, text: &str) -> Option<Crash>;
}

/// All recognisers, tried in this order. A text seldom fits two: the formats differ.
pub const RECOGNISERS: &[&dyn Recogniser] = &[&gcc::Gcc, &clang::Clang, &small::Small, &assembler::Assembler];

/// The marks of all recognisers as one extended regular expression.
#[must_use]
pub fn marks() -> String {
    RECOGNISERS.iter().map(|recogniser| recogniser.marks()).collect::<Vec<_>>().join("|")
}

/// What pcc says when it gives up on a program that it has refused thirty times over, in the words of a crash.
pub const GIVES_UP: &str = "compiler error: too many errors";

/// The crash that standard error and the way of ending show, if any. `signal` is the signal that ended the driver
/// itself.
#[must_use]
pub fn recognise(stderr: &[u8], exit: Option<i32>, signal: Option<i32>) -> Option<Crash> {
    let text = without_quotations(&String::from_utf8_lossy(stderr));
    if let Some(crash) = RECOGNISERS.iter().find_map(|recogniser| recogniser.recognise(&text)) {
        return Some(crash);
    }
    // A shell between plumb and the compiler turns a signal into 128 + signal.
    let signal = signal.or(exit.filter(|code| (129..=128 + 64).contains(code)).map(|code| code - 128))?;
    let signature = format!("signal: {}", signal_name(signal));
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    Some(Crash { kind: CrashKind::Signal, signature, line })
}

/// The text without the source lines that compilers quote in their diagnostics (`  12 | text`): a program may hold
/// any words, those of a crash too.
pub(crate) fn without_quotations(text: &str) -> String {
    let quoted = |line: &&str| {
        let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        !(line.starts_with(' ') && rest.trim_start().starts_with('|'))
    };
    text.lines().filter(quoted).flat_map(|line| [line, "\n"]).collect()
}

/// The usual name of a signal.
#[must_use]
pub fn signal_name(signal: i32) -> String {
    let known = match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGSYS => "SIGSYS",
        other => return format!("signal {other}"),
    };
    known.to_owned()
}
