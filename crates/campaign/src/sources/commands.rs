//! A `compile_commands.json` as a source: the compilation database of a project, as CMake, Meson and Bear write it. Each
//! file that defines `main` is a program, together with all files that do not.
//!
//! Of a command only what says what the text means is taken: `-I`, `-isystem`, `-iquote`, `-D`, `-U`, `-include` and
//! `-std`. Levels, warnings and targets are the campaign's.

use super::parts::{Look, Part, look};
use super::{Context, Failure, Program, Source, SourceKind, several};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use frontend::plain;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What the file is called by those who write it.
const NAME: &str = "compile_commands.json";

pub(super) const KIND: SourceKind = SourceKind {
    word: "compile_commands.json",
    help: "the programs of a project by its compilation database",
    open: |word, context| Path::new(word).file_name().is_some_and(|n| n == NAME).then(|| open(word, context)),
};

/// An entry of the database.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

struct Commands {
    programs: Vec<Vec<Part>>,
    /// Of the database and of what its files hold.
    contents: u64,
}

fn open(word: &str, context: &Context<'_>) -> Result<Box<dyn Source>, Error> {
    let wrong = |why: String| Error::Usage(format!("--from {word}: {why}"));
    if let Some(option) = context.words.first() {
        return Err(Error::Usage(format!(
            "{option}: it shapes generated programs, and --from {word} has none; leave it out"
        )));
    }
    let bytes = fs::read(word).map_err(|error| wrong(plain(&error)))?;
    let entries: Vec<Entry> = serde_json::from_slice(&bytes).map_err(|error| {
        wrong(format!("not a compilation database, which is a list of commands: {error}"))
    })?;
    let mut seen = BTreeSet::new();
    let mut parts = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let file = entry.directory.join(&entry.file);
        // Of a file that is compiled twice, for a library and a program, say, the first command counts.
        if file.extension().is_none_or(|e| e != "c" && e != "i") || !seen.insert(file.clone()) {
            continue;
        }
        let command = words(entry).map_err(|why| wrong(format!("command {}: {why}", number + 1)))?;
        parts.push(Part { file, words: meaningful(&entry.directory, &command) });
    }
    if parts.is_empty() {
        return Err(wrong("it names no .c or .i file".to_owned()));
    }
    let contents = contents(&bytes, &parts);
    let (mains, others): (Vec<_>, Vec<_>) =
        parts.into_iter().map(|part| (look(&part.file), part)).partition(|(Look { main, .. }, _)| *main);
    if mains.is_empty() {
        return Err(wrong("none of its files defines main, so there is no program to run".to_owned()));
    }
    let included: BTreeSet<&PathBuf> =
        mains.iter().chain(&others).flat_map(|(look, _)| &look.included).collect();
    let rest = || others.iter().map(|(_, part)| part).filter(|part| !included.contains(&part.file)).cloned();
    let whole = |main: &Part| [main.clone()].into_iter().chain(rest()).collect();
    let programs = mains.iter().map(|(_, main)| whole(main)).collect();
    Ok(Box::new(Commands { programs, contents }))
}

fn words(entry: &Entry) -> Result<Vec<String>, String> {
    match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => Ok(arguments.clone()),
        (None, Some(command)) => {
            shell_words::split(command).map_err(|_| format!("`{command}` is not well quoted"))
        }
        (None, None) => Err("it has neither `arguments` nor `command`".to_owned()),
    }
}

/// The options that say what the text means, directories as seen from everywhere.
fn meaningful(directory: &Path, words: &[String]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let options = ["-isystem", "-iquote", "-include", "-I", "-D", "-U"];
        if word.starts_with("-std=") {
            kept.push(OsString::from(word));
            continue;
        }
        let Some(option) = options.into_iter().find(|option| word.starts_with(option)) else { continue };
        let value = match &word[option.len()..] {
            "" => words.next().map(String::as_str).unwrap_or_default(),
            joined => joined,
        };
        match option {
            "-D" | "-U" => kept.push(OsString::from(format!("{option}{value}"))),
            // What is looked up where the compiler runs, or on its path.
            "-include" => {
                let here = directory.join(value);
                let file = if here.exists() { here.into_os_string() } else { OsString::from(value) };
                kept.extend([OsString::from(option), file]);
            }
            // Without line markers of the system's own the order of directories is all there is to these.
            _ => {
                let mut joined = OsString::from("-I");
                joined.push(directory.join(value));
                kept.push(joined);
            }
        }
    }
    kept
}

/// Tells one state of the project from another.
fn contents(database: &[u8], parts: &[Part]) -> u64 {
    let mut hash = Fingerprint::default();
    hash.add(database);
    for part in parts {
        hash.add(part.file.as_os_str().as_bytes()).add(&[0]);
        hash.add(&fs::read(&part.file).unwrap_or_default()).add(&[0]);
    }
    hash.value()
}

impl Source for Commands {
    fn identity(&self) -> String {
        let files: BTreeSet<&PathBuf> = self.programs.iter().flatten().map(|part| &part.file).collect();
        format!("{} programs of {} files, contents {:016x}", self.programs.len(), files.len(), self.contents)
    }

    fn count(&self) -> Option<u64> {
        Some(self.programs.len() as u64)
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        let parts = usize::try_from(number).ok().and_then(|number| self.programs.get(number));
        let parts = parts.ok_or_else(|| Failure::none(format!("there is no program number {number}")))?;
        several(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_what_a_text_means_is_taken() {
        let words = "cc -O2 -Wall -Iinc -I /abs -DA=1 -D B -UC -std=c11 -isystem sys -include missing.h -o x.o -c x.c";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let kept = meaningful(Path::new("/build"), &words);
        let wanted = [
            "-I/build/inc",
            "-I/abs",
            "-DA=1",
            "-DB",
            "-UC",
            "-std=c11",
            "-I/build/sys",
            "-include",
            "missing.h",
        ];
        assert_eq!(kept, wanted);
    }
}
