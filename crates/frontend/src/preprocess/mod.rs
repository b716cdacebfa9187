//! Preprocessing of C files: whether it is needed, and by whom it is done.
//!
//! Plumb's own preprocessor (the crate `preprocess`) does in about a millisecond what costs a compiler's driver and
//! front end more than ten. It is given the compiler's own macros and directories, which are asked for once
//! ([`facts`]). What it leaves to the compiler, and compilers other than gcc and clang, go to `cc -E`.

mod disk;
mod facts;

use ::preprocess::{ErrorKind, MacroOption, Options, preprocess};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::time::{SystemTime, UNIX_EPOCH};
use toolchain::compiler::{PreprocessError, Preprocessor, Source};

/// Who preprocesses.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// Plumb itself, and the compiler where plumb cannot.
    #[default]
    Builtin,
    /// The compiler: `cc -E`.
    Compiler,
}

impl std::str::FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        match text {
            "builtin" => Ok(Choice::Builtin),
            "cc" => Ok(Choice::Compiler),
            _ => Err(format!("`{text}` is no preprocessor; there are builtin and cc")),
        }
    }
}

/// A preprocessed text.
pub struct Preprocessed {
    /// The text, with line markers.
    pub text: Vec<u8>,
    /// What the user should know about how it came to be.
    pub note: Option<String>,
}

/// Preprocesses with the macros and headers of a compiler, named by its command line, or of the usual one.
pub fn run(
    choice: Choice,
    compiler: Option<&str>,
    options: &[OsString],
    source: &Source,
) -> Result<Preprocessed, PreprocessError> {
    let found = match compiler {
        Some(command) => Preprocessor::named(command),
        None => Preprocessor::usual(),
    };
    let own = |cc: &::preprocess::Compiler, line: &CommandLine| builtin(cc, line, source);
    let line = CommandLine::split(options);
    let cpp = match found {
        Err(PreprocessError::Missing(looked_for)) if choice == Choice::Builtin && !line.is_foreign() => {
            let plain = ::preprocess::Compiler::without_compiler();
            let note = format!(
                "no C compiler found (looked for {looked_for}): preprocessing as gcc 12 would for x86-64 Linux, with \
                 the headers in /usr/include"
            );
            return match own(&plain, &line) {
                Some(text) => Ok(Preprocessed { text: text?, note: Some(note) }),
                None => Err(PreprocessError::Missing(looked_for)),
            };
        }
        found => found?,
    };
    if choice == Choice::Builtin
        && let Some(facts) = facts::of(&cpp, &line.for_compiler)
        && let Some(text) = own(&facts, &line)
    {
        return Ok(Preprocessed { text: text?, note: None });
    }
    let text = cpp.args(options.iter().cloned()).run(source)?;
    Ok(Preprocessed { text, note: None })
}

/// Whether the headers of a compiler, named by its command line, are not those that are seen here: it runs in another
/// root or a container, and sees no file but those that are there as well.
#[must_use]
pub fn is_elsewhere(compiler: &str) -> bool {
    Preprocessor::named(compiler).is_ok_and(|cpp| facts::is_elsewhere(&cpp))
}

/// Options, split into those that plumb's preprocessor takes and those that only the compiler understands.
#[derive(Default)]
struct CommandLine {
    own: Options,
    for_compiler: Vec<OsString>,
}

impl CommandLine {
    /// Does it ask for another machine than the one whose macros are known?
    fn is_foreign(&self) -> bool {
        self.for_compiler.iter().any(|word| word.as_bytes().starts_with(b"-m") && word != "-m64")
    }

    fn split(words: &[OsString]) -> CommandLine {
        let mut line = CommandLine::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let bytes = word.as_bytes();
            let mut value = |flag: usize| -> Option<String> {
                let joined = &bytes[flag..];
                let value = if joined.is_empty() { words.next()?.as_bytes() } else { joined };
                String::from_utf8(value.to_vec()).ok()
            };
            let own = match bytes {
                b"-include" => value(8).map(|file| line.own.forced.push(file)),
                [b'-', b'I', ..] => value(2).map(|dir| line.own.include.push(dir)),
                [b'-', b'D', ..] => value(2).map(|text| line.own.macros.push(MacroOption::Define(text))),
                [b'-', b'U', ..] => value(2).map(|name| line.own.macros.push(MacroOption::Undefine(name))),
                _ => None,
            };
            if own.is_none() {
                line.for_compiler.push(word.clone());
            }
        }
        line
    }
}

/// Preprocesses with plumb's own preprocessor. `None` if it leaves the text to the compiler.
fn builtin(
    facts: &::preprocess::Compiler,
    line: &CommandLine,
    source: &Source,
) -> Option<Result<Vec<u8>, PreprocessError>> {
    let mut options = line.own.clone();
    let bytes = match source {
        Source::File(path) => {
            options.name = plain_name(path.as_os_str())?.into_owned();
            std::fs::read(path).ok()?
        }
        Source::Text { bytes, dir } => {
            options.name = "<stdin>".to_owned();
            options.include.push(dir.to_str()?.to_owned());
            bytes.to_vec()
        }
    };
    options.time = now();
    let done = preprocess(facts.source(bytes), &options, facts, &mut disk::Disk);
    match done {
        Ok(output) => Some(Ok(output.text)),
        Err(error) => match error.kind {
            ErrorKind::Unhandled => None,
            ErrorKind::Rejected | ErrorKind::Limit => Some(Err(PreprocessError::Rejected(error.rendered()))),
        },
    }
}

/// A file name as it is given to compilers: never one that they take for an option.
fn plain_name(name: &OsStr) -> Option<Cow<'_, str>> {
    let name = name.to_str()?;
    Some(if name.starts_with('-') { Cow::Owned(format!("./{name}")) } else { Cow::Borrowed(name) })
}

/// The time for `__DATE__`: fixed by SOURCE_DATE_EPOCH, or the clock's.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    fixed.unwrap_or_else(clock)
}

/// Whether `cc -E` could change what the text means: it has a directive, a predefined macro (`__INT_MAX__`), a
/// comment or a continued line. Line markers and pragmas are what a preprocessor leaves.
pub fn is_needed(text: &[u8]) -> bool {
    // A text that begins with a line marker has been through a preprocessor.
    if text.starts_with(b"# 1 \"") || text.starts_with(b"# 0 \"") {
        return false;
    }
    text.split(|b| *b == b'\n').any(|line| {
        let line = line.trim_ascii();
        match line.strip_prefix(b"#") {
            Some(rest) => is_directive(rest.trim_ascii_start()),
            None => line.ends_with(b"\\") || has_comment(line) || has_macro(line),
        }
    })
}

fn is_directive(rest: &[u8]) -> bool {
    let word: &[u8] = rest.split(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default();
    !(word.is_empty() || word == b"pragma" || word == b"ident" || word[0].is_ascii_digit())
}

fn has_comment(line: &[u8]) -> bool {
    line.windows(2).any(|pair| pair == b"//" || pair == b"/*")
}

/// An identifier `__NAME__`, or one of the few predefined names without underscores.
fn has_macro(line: &[u8]) -> bool {
    const PLAIN: &[&[u8]] = &[b"linux", b"unix", b"i386", b"__COUNTER__"];
    line.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).any(|word| {
        (word.len() > 4 && word.starts_with(b"__") && word.ends_with(b"__")) || PLAIN.contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_in_another_root_reads_its_own_headers() {
        use std::os::unix::fs::PermissionsExt;
        let root = toolchain::scratch::ScratchRoot::new().unwrap();
        let dir = root.dir().unwrap();
        let wrapper = dir.path().join("cc");
        let script = "#!/bin/sh\n\
            case \"$*\" in *-dD*) gcc \"$@\" 2>\"$0.said\"; sed s,/usr/lib,/elsewhere, \"$0.said\" >&2; exit;; esac\n\
            echo 'int seen_there;'\n";
        std::fs::write(&wrapper, script).unwrap();
        std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
        let command = wrapper.to_str().unwrap();
        assert!(is_elsewhere(command) && !is_elsewhere("gcc"));
        let source = Source::Text { bytes: (*b"#include <stddef.h>\n").into(), dir: ".".into() };
        let done = run(Choice::Builtin, Some(command), &[], &source).unwrap();
        assert_eq!(done.text, b"int seen_there;\n");
    }

    #[test]
    fn preprocessed_text_is_left_alone() {
        assert!(!is_needed(b"# 1 \"x.c\"\n#pragma GCC poison\nint main(void) { return 0; }\n"));
    }

    #[test]
    fn what_the_preprocessor_changes_is_seen() {
        for text in
            ["#include <stdio.h>", "  # define X", "int x = __INT_MAX__;", "a \\\nb", "/* c */", "// c"]
        {
            assert!(is_needed(text.as_bytes()), "{text}");
        }
    }
}
