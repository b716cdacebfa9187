//! Shared by the machine's tests: preprocess a C file, ask the machine, ask real compilers, all bounded in time.
#![allow(dead_code)]

use csyntax::source::{Diagnostic, Place, Severity};
use csyntax::target::Target;
use machine::{Exit, Options, Verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a program does, as the machine or a compiled binary says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It ends with this status after writing this.
    Ends(Exit, String),
    /// It is undefined: stable name and line of its own file.
    Undefined(String, u32),
    /// The machine does not know something.
    Unsupported(String, u32),
    /// Not a program, out of budget, or the compiler refused it.
    Other(String),
}

/// `tests/machine/SUB` of the repository.
pub fn programs(sub: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/machine").join(sub)
}

/// The C files of a directory, in order of their names.
pub fn c_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("directory entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

/// File name without `.c`.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A fresh path for a file that a test makes.
pub fn scratch(suffix: &str) -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{n}{suffix}", std::process::id()))
}

/// Runs a command for at most ten seconds.
fn bounded(words: &[&str]) -> std::process::Output {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "10"]).args(words).stdin(Stdio::null());
    command.output().unwrap_or_else(|e| panic!("{words:?}: {e}"))
}

/// Does this compiler, called so, make programs that run here?
pub fn works(words: &[&str]) -> bool {
    let out = scratch("");
    let out_name = out.to_string_lossy().into_owned();
    let source = scratch(".c");
    std::fs::write(&source, "#include <stdio.h>\nint main(void) { return 0; }\n").expect("scratch file");
    let source_name = source.to_string_lossy().into_owned();
    let mut all: Vec<&str> = words.to_vec();
    all.extend([source_name.as_str(), "-o", &out_name]);
    let found = bounded(&["sh", "-c", &format!("command -v {}", words[0])]).status.success();
    let ok = found && bounded(&all).status.success() && bounded(&[&out_name]).status.success();
    let _ = std::fs::remove_file(out);
    let _ = std::fs::remove_file(source);
    ok
}

/// The data models that can be compared with binaries here; says on stderr what is left out.
pub fn targets() -> &'static [(Target, &'static str)] {
    static TARGETS: OnceLock<Vec<(Target, &'static str)>> = OnceLock::new();
    TARGETS.get_or_init(|| {
        let mut all = vec![(Target::LP64, "-m64")];
        if works(&["gcc", "-m32"]) {
            all.push((Target::ILP32, "-m32"));
        } else {
            eprintln!("gcc -m32 makes no programs here: the ILP32 half of this test is left out");
        }
        all
    })
}

/// The compilers compared with, `gcc` first.
pub fn compilers() -> &'static [&'static str] {
    static FOUND: OnceLock<Vec<&'static str>> = OnceLock::new();
    FOUND.get_or_init(|| {
        assert!(works(&["gcc"]), "gcc is needed to compare the machine with");
        let mut all = vec!["gcc"];
        if works(&["clang-19"]) {
            all.push("clang-19");
        } else {
            eprintln!("clang-19 is not here: compared with gcc alone");
        }
        all
    })
}

/// Preprocesses a file; line markers keep its places.
pub fn preprocess(path: &Path, model: &str) -> Vec<u8> {
    let out = bounded(&["gcc", "-E", model, "-std=gnu17", &path.to_string_lossy()]);
    assert!(out.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&out.stderr));
    out.stdout
}

/// The answer to a text that is refused.
fn refused(by: &str, why: &Diagnostic, place: &Place) -> Answer {
    match why.severity {
        Severity::Unsupported => Answer::Unsupported(why.message.clone(), place.line),
        Severity::Error | Severity::Warning => Answer::Other(format!("{by}, {place}: {}", why.message)),
    }
}

/// Asks the machine about preprocessed text.
pub fn ask_machine(text: &[u8], name: &str, target: &Target) -> Answer {
    let options =
        Options { target: target.clone(), max_steps: 200_000_000, max_memory: 1 << 26, ..Options::default() };
    let parsed = csyntax::parse::parse(text, name);
    let place = |s: csyntax::source::Span| parsed.source.place(s.lo);
    if let Some(d) = parsed.diagnostics.iter().find(|d| d.severity.refuses()) {
        return refused("syntax", d, &place(d.span));
    }
    let checked = csyntax::check::check(&parsed.ast, target);
    let Some(unit) = checked.unit else {
        let first = checked.diagnostics.iter().find(|d| d.severity.refuses());
        return match first {
            Some(d) => refused("check", d, &place(d.span)),
            None => Answer::Other("no unit, and no error that says why".into()),
        };
    };
    match machine::judge(&unit, &options).verdict {
        Verdict::Defined(o) => Answer::Ends(o.exit, String::from_utf8_lossy(&o.stdout).into_owned()),
        Verdict::Undefined { ub, span, .. } => Answer::Undefined(ub.name().into(), place(span).line),
        Verdict::Unsupported { what, span } => Answer::Unsupported(what, place(span).line),
        Verdict::Exhausted(budget) => Answer::Other(format!("out of {budget:?}")),
    }
}

/// Compiles a file and runs what comes out.
pub fn ask_compiler(compiler: &str, flags: &[&str], path: &Path) -> Answer {
    use std::os::unix::process::ExitStatusExt;
    let out = scratch("");
    let (name, source) = (out.to_string_lossy().into_owned(), path.to_string_lossy().into_owned());
    let mut words = vec![compiler, "-w", "-std=gnu17"];
    words.extend(flags);
    words.extend([source.as_str(), "-o", &name, "-lm"]);
    let compiled = bounded(&words);
    if !compiled.status.success() {
        return Answer::Other(format!("{words:?}: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let run = bounded(&[&name]);
    let _ = std::fs::remove_file(out);
    let exit = match (run.status.code(), run.status.signal()) {
        // `timeout` reports a signal of its child as 128 + number, or dies of it too.
        (Some(code @ 129..=159), _) => Exit::Signal(code - 128),
        (Some(code), _) => Exit::Code(code as u8),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => return Answer::Other("no exit status".into()),
    };
    Answer::Ends(exit, String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Is the file for this data model? A first line `// target: lp64` binds it to one.
pub fn applies(text: &str, target: &Target) -> bool {
    match text.lines().find_map(|l| l.strip_prefix("// target: ")) {
        Some(only) => only.trim() == target.name,
        None => true,
    }
}

/// Applies `f` to every file on two threads and gives the complaints in order of the files.
pub fn each(files: &[PathBuf], f: impl Fn(&Path) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(f(path));
        }
        found
    };
    let mut all: Vec<String> = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut mine = work();
        mine.extend(other.join().expect("a worker panicked"));
        mine
    });
    all.sort();
    all
}

/// SplitMix64: small, and good enough to choose tests.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below this one, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// One of these.
    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}
