//! Asks a command line who it is, and has it prove that it compiles.

use super::compile::{Compilation, CompileOutcome, Product};
use super::target::{DataModel, Runner, Target};
use super::{Compiler, Family, Version};
use crate::process::{Clock, Finished, Limits, Outcome, SpawnError, Spec, Stream, find_program, run};
use crate::scratch::{Scratch, ScratchRoot};
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

/// Why a command line is no usable compiler.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("compiler `{command}`: {problem}")]
pub struct CompilerError {
    /// The command line.
    pub command: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a compiler.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The command line cannot be split into words.
    #[error("the command line is not well quoted: {0}")]
    Quoting(String),
    /// It does not start.
    #[error(transparent)]
    Start(#[from] SpawnError),
    /// It ran out of time.
    #[error("it did not finish {doing} in time: is it waiting for something?")]
    NeverEnds {
        /// What it was asked to do.
        doing: &'static str,
    },
    /// It writes without end.
    #[error("it writes without end when {doing}")]
    Floods {
        /// What it was asked to do.
        doing: &'static str,
    },
    /// It needs more memory or processes than a trivial program takes.
    #[error("it exhausted its {what} on a trivial program: {line}")]
    Exhausts {
        /// What it ran out of.
        what: &'static str,
        /// Its own words.
        line: String,
    },
    /// It failed on a trivial program.
    #[error("it does not compile a trivial program: {line}")]
    Refuses {
        /// The first error it gave.
        line: String,
    },
    /// It crashed on a trivial program.
    #[error("it crashes on a trivial program: {signature}")]
    Crashes {
        /// The crash.
        signature: String,
    },
    /// It claims success without writing the output file.
    #[error("it claims success but wrote no output file: is it a compiler?")]
    WritesNothing,
    /// What it compiled does not do what the program says.
    #[error("its translation of a trivial program misbehaves: {found}")]
    Misbehaves {
        /// What was seen.
        found: String,
    },
    /// plumb could not prepare the question.
    #[error("cannot prepare a trivial program for it: {0}")]
    Scratch(String),
    /// plumb is stopping.
    #[error("cancelled")]
    Cancelled,
}

/// The first call of some drivers builds their runtime, which takes long.
const PATIENCE: Duration = Duration::from_secs(120);
const QUESTION: &str = "plumb.pointer __SIZEOF_POINTER__\nplumb.int __SIZEOF_INT__\nplumb.long __SIZEOF_LONG__\n\
    plumb.longdouble __SIZEOF_LONG_DOUBLE__\nplumb.order __BYTE_ORDER__\nplumb.big __ORDER_BIG_ENDIAN__\n\
    plumb.unsigned __CHAR_UNSIGNED__\nplumb.narrow __i386__\n";
const TRIVIAL: &str = "int printf(const char *, ...);\nstatic int twice(int n) { return 2 * n; }\n\
    int main(void) { printf(\"plumb %d\\n\", twice(21)); return 7; }\n";

fn limits() -> Limits {
    // Drivers with everything in one process reserve much more than they use.
    let address_space = Some(64 << 30);
    Limits { stdout: 1 << 20, stderr: 1 << 20, address_space, ..Limits::within(PATIENCE) }
}

impl Compiler {
    /// Finds out who a command line is: family and version by `--version`, target and data model by its own
    /// predefined macros, and whether it works by compiling and, where possible, running a trivial program.
    pub fn identify(command: &str, scratch: &ScratchRoot) -> Result<Compiler, CompilerError> {
        let fail = |problem| CompilerError { command: command.trim().to_owned(), problem };
        let words = shell_words::split(command).map_err(|e| fail(Problem::Quoting(e.to_string())))?;
        Self::identify_words(words, scratch, PATIENCE).map_err(fail)
    }

    /// As [`Compiler::identify`], from words and with less patience.
    pub(super) fn identify_words(
        words: Vec<String>,
        scratch: &ScratchRoot,
        patience: Duration,
    ) -> Result<Compiler, Problem> {
        let name = words.first().filter(|word| !word.is_empty()).ok_or(SpawnError::Empty)?;
        let program = find_program(OsStr::new(name), std::env::var_os("PATH").as_deref())?;
        let dir = scratch.dir().map_err(|e| Problem::Scratch(e.to_string()))?;
        let ask = Ask { words: &words, dir: &dir, patience };
        let spoken = ask.run(&["--version"], "telling its version")?;
        let text = said(&spoken);
        let family = family(&text, &words);
        let banner = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned();
        let version = version(family, &banner);
        let target = ask.target(family, &text)?;
        let runner = Runner::for_triple(&target.triple);
        let mut compiler =
            Compiler { command: words.clone(), program, family, version, banner, target, runner };
        compiler.prove(&dir, patience)?;
        Ok(compiler)
    }

    /// Compiles and runs a trivial program. Where only the linking fails the compiler is kept, for compiling.
    fn prove(&mut self, dir: &Scratch, patience: Duration) -> Result<(), Problem> {
        let (source, executable) = (dir.file("trivial.c"), dir.file("trivial"));
        std::fs::write(&source, TRIVIAL).map_err(|e| Problem::Scratch(e.to_string()))?;
        let limits = Limits { wall: Some(patience), cpu: Some(patience), ..limits() };
        let compilation = Compilation::new(&source, &executable).limits(limits.clone());
        let doing = "compiling a trivial program";
        match self.compile(&compilation).outcome {
            CompileOutcome::Ok => {}
            linking => {
                let object =
                    Compilation::new(&source, dir.file("trivial.o")).product(Product::Object).limits(limits);
                match self.compile(&object).outcome {
                    // Without the target's libraries it still compiles.
                    CompileOutcome::Ok => {
                        self.runner = Runner::Unavailable(format!("it cannot link: {}", linking.describe()));
                        return Ok(());
                    }
                    _ => return Err(problem(linking, doing)),
                }
            }
        }
        let short = Limits { wall: Some(Duration::from_secs(30)), ..Limits::within(Duration::from_secs(30)) };
        let Some(spec) = self.run_spec(&executable, dir.path(), &short) else { return Ok(()) };
        let done = run(&spec);
        match done.outcome {
            Outcome::Exited(7) if done.stdout == b"plumb 42\n" => Ok(()),
            Outcome::Cancelled => Err(Problem::Cancelled),
            // A cross compiler's output that this kernel does not take is no fault of the compiler's.
            Outcome::SpawnFailed(error) if self.runner == Runner::Native && is_elf(&executable) => {
                self.runner = Runner::Unavailable(error.to_string());
                Ok(())
            }
            outcome => {
                let output = String::from_utf8_lossy(&done.stdout).into_owned();
                Err(Problem::Misbehaves { found: format!("{outcome:?}, standard output {output:?}") })
            }
        }
    }
}

/// Whether a file is a program of some processor's, rather than anything else.
fn is_elf(file: &Path) -> bool {
    let mut magic = [0u8; 4];
    let read =
        std::fs::File::open(file).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

fn problem(outcome: CompileOutcome, doing: &'static str) -> Problem {
    match outcome {
        CompileOutcome::Ok | CompileOutcome::NoOutput => Problem::WritesNothing,
        CompileOutcome::Rejected { line } => Problem::Refuses { line },
        CompileOutcome::Crashed(crash) => Problem::Crashes { signature: crash.signature },
        CompileOutcome::TimedOut(_) => Problem::NeverEnds { doing },
        CompileOutcome::OutOfMemory { line } => Problem::Exhausts { what: "memory", line },
        CompileOutcome::DiskFull { line } => Problem::Scratch(line),
        CompileOutcome::OutputLimit(_) => Problem::Floods { doing },
        CompileOutcome::ProcessLimit => Problem::Exhausts { what: "processes", line: String::new() },
        CompileOutcome::Cancelled => Problem::Cancelled,
        CompileOutcome::NotStarted(error) => Problem::Start(error),
    }
}

struct Ask<'a> {
    words: &'a [String],
    dir: &'a Scratch,
    patience: Duration,
}

impl Ask<'_> {
    fn run(&self, args: &[&str], doing: &'static str) -> Result<Finished, Problem> {
        let limits = Limits { wall: Some(self.patience), cpu: Some(self.patience), ..limits() };
        let spec = Spec::from_argv(self.words).args(args.iter().copied()).working_in(self.dir.path());
        let done = run(&spec.limits(limits));
        match done.outcome {
            Outcome::Exited(_) | Outcome::Signaled(_) => Ok(done),
            Outcome::TimedOut(Clock::Wall | Clock::Cpu) => Err(Problem::NeverEnds { doing }),
            Outcome::OutputLimit(Stream::Stdout | Stream::Stderr | Stream::File) => {
                Err(Problem::Floods { doing })
            }
            Outcome::ProcessLimit => Err(Problem::Exhausts { what: "processes", line: String::new() }),
            Outcome::Cancelled => Err(Problem::Cancelled),
            Outcome::SpawnFailed(error) => Err(Problem::Start(error)),
        }
    }

    fn target(&self, family: Family, banner: &str) -> Result<Target, Problem> {
        let mut triple = triple_in(banner);
        if triple.is_none() {
            let done = self.run(&["-dumpmachine"], "telling its target")?;
            let text = String::from_utf8_lossy(&done.stdout).trim().to_owned();
            triple = (done.outcome.success() && is_triple(&text)).then_some(text);
        }
        if triple.is_none() && family == Family::Tcc {
            triple = tcc_triple(banner);
        }
        let mut triple = triple.unwrap_or_else(|| "unknown".to_owned());
        let question = self.dir.file("question.c");
        std::fs::write(&question, QUESTION).map_err(|e| Problem::Scratch(e.to_string()))?;
        let question = question.to_string_lossy().into_owned();
        let done = self.run(&["-E", &question], "preprocessing")?;
        let answers = Answers(String::from_utf8_lossy(&done.stdout).into_owned());
        // gcc -m32 still names the triple it was built for.
        if answers.defined("narrow") && triple.starts_with("x86_64") {
            triple = triple.replacen("x86_64", "i386", 1);
        }
        let data = answers.data_model(DataModel::guess(&triple));
        Ok(Target { triple, data })
    }
}

/// The question after the preprocessor: a name that is still there was no macro.
struct Answers(String);

impl Answers {
    fn word(&self, name: &str) -> Option<&str> {
        let key = format!("plumb.{name}");
        self.0.lines().find_map(|line| {
            let mut words = line.split_ascii_whitespace();
            (words.next() == Some(&key)).then(|| words.next()).flatten()
        })
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.word(name)?.parse().ok()
    }

    fn defined(&self, name: &str) -> bool {
        self.number(name).is_some()
    }

    fn data_model(&self, guess: DataModel) -> DataModel {
        let size =
            |name| self.number(name).and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=32).contains(n));
        let Some(pointer) = size("pointer") else { return guess };
        let big_endian = match (self.number("order"), self.number("big")) {
            (Some(order), Some(big)) => order == big,
            (Some(order), None) => order == 4321,
            (None, _) => guess.big_endian,
        };
        DataModel {
            pointer,
            int: size("int").unwrap_or(guess.int),
            long: size("long").unwrap_or(guess.long),
            long_double: size("longdouble").unwrap_or(guess.long_double),
            big_endian,
            char_signed: !self.defined("unsigned"),
            stated: true,
        }
    }
}

fn said(done: &Finished) -> String {
    let bytes = if done.stdout.iter().all(u8::is_ascii_whitespace) { &done.stderr } else { &done.stdout };
    String::from_utf8_lossy(bytes).into_owned()
}

fn family(text: &str, words: &[String]) -> Family {
    let base = |word: &String| Path::new(word).file_name().map(|n| n.to_string_lossy().into_owned());
    let zig = words.iter().filter_map(base).any(|name| name == "zig" || name == "ziglang")
        && words.iter().any(|word| word == "cc");
    if zig {
        Family::ZigCc
    } else if text.contains("clang version") {
        Family::Clang
    } else if text.contains("Free Software Foundation") || text.contains("gcc version") {
        Family::Gcc
    } else if text.contains("tcc version") {
        Family::Tcc
    } else if text.contains("Portable C Compiler") || text.starts_with("pcc ") {
        Family::Pcc
    } else {
        Family::Unknown
    }
}

/// The version in a banner: gcc's stands after the packager's parenthesis, everyone else's comes first.
fn version(family: Family, banner: &str) -> Option<Version> {
    let text = match family {
        Family::Gcc => banner.split_once(") ").map_or(banner, |(_, rest)| rest),
        Family::Clang | Family::ZigCc | Family::Tcc | Family::Pcc | Family::Unknown => banner,
    };
    text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
        let mut numbers = word.split('.').map(|part| part.parse::<u32>().ok());
        let (major, minor) = (numbers.next()??, numbers.next()??);
        Some(Version(major, minor, numbers.next().flatten().unwrap_or(0)))
    })
}

fn is_triple(text: &str) -> bool {
    text.contains('-')
        && text.len() < 80
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// clang says `Target: ...`, pcc `... for TRIPLE`.
fn triple_in(text: &str) -> Option<String> {
    let after = |mark: &str| text.lines().find_map(|line| line.split_once(mark).map(|(_, rest)| rest.trim()));
    let word = after("Target: ").or_else(|| after(" for "))?.split_whitespace().next()?;
    is_triple(word).then(|| word.to_owned())
}

/// tcc writes `tcc version 0.9.27 (i386 Linux)`.
fn tcc_triple(banner: &str) -> Option<String> {
    let (arch, system) = banner.split_once('(')?.1.split_once(')')?.0.split_once(' ')?;
    let triple = format!("{}-{}", arch.to_lowercase(), system.trim().to_lowercase());
    is_triple(&triple).then_some(triple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banners_give_family_and_version() {
        let of = |banner: &str, rest: &str, words: &[&str]| {
            let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
            let family = family(&format!("{banner}\n{rest}"), &words);
            (family, version(family, banner))
        };
        let fsf = "Copyright (C) 2022 Free Software Foundation, Inc.";
        let debian = "gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0";
        assert_eq!(of(debian, fsf, &["gcc-12"]), (Family::Gcc, Some(Version(12, 2, 0))));
        let snapshot = "gcc (GCC) 16.0.1 20260301 (experimental)";
        assert_eq!(of(snapshot, fsf, &["gcc"]).0, Family::Gcc);
        let clang = "Debian clang version 19.1.7 (3~deb12u1)";
        assert_eq!(of(clang, "", &["clang-19"]), (Family::Clang, Some(Version(19, 1, 7))));
        assert_eq!(of("clang version 15.0.3", "", &["/x/zig", "cc"]).0, Family::ZigCc);
        assert_eq!(
            of("tcc version 0.9.27 (x86_64 Linux)", "", &["tcc"]),
            (Family::Tcc, Some(Version(0, 9, 27)))
        );
        let pcc = "Portable C Compiler 1.2.0.DEVEL 20220331 for x86_64-pc-linux-gnu";
        assert_eq!(of(pcc, "", &["pcc"]), (Family::Pcc, Some(Version(1, 2, 0))));
        assert_eq!(of("", "", &["x"]), (Family::Unknown, None));
    }

    #[test]
    fn a_development_version_of_gcc_is_read_past_its_last_parenthesis() {
        let banner = "gcc (GCC) 16.0.1 20260301 (experimental)";
        assert_eq!(version(Family::Gcc, banner), Some(Version(16, 0, 1)));
    }

    #[test]
    fn triples_are_found_and_garbage_is_not() {
        assert_eq!(triple_in("x\nTarget: aarch64-linux-gnu\n").as_deref(), Some("aarch64-linux-gnu"));
        assert_eq!(triple_in("pcc 1.2 for x86_64-pc-linux-gnu").as_deref(), Some("x86_64-pc-linux-gnu"));
        assert_eq!(triple_in("NO WARRANTY for you"), None);
        assert_eq!(tcc_triple("tcc version 0.9.27 (i386 Linux)").as_deref(), Some("i386-linux"));
    }
}
