//! The sources of a project with their options: from `compile_commands.json`, or every C file of a directory.

use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A source and how it is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub file: PathBuf,
    /// The directory the compiler runs in; plumb's own if none.
    pub directory: Option<PathBuf>,
    /// Options, without the compiler, the source, `-c` and what names outputs.
    pub options: Vec<OsString>,
}

/// Why a project cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourcesError {
    /// The system does not let something be read.
    #[error("cannot read `{}`: {why}", path.display())]
    Unreadable {
        /// What.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The file is no list of compile commands.
    #[error("`{}` is no list of compile commands: {why}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What the JSON reader says, or which entry lacks what.
        why: String,
    },
    /// There is no C file.
    #[error("`{}` holds no C file and no compile_commands.json", path.display())]
    Nothing {
        /// The directory.
        path: PathBuf,
    },
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    command: Option<String>,
}

/// The sources of a project directory.
///
/// # Errors
/// It cannot be read, or holds nothing to compile.
pub fn of_project(dir: &Path) -> Result<Vec<Source>, SourcesError> {
    for place in ["compile_commands.json", "build/compile_commands.json"] {
        let list = dir.join(place);
        if list.is_file() {
            return of_commands(&list);
        }
    }
    let mut files = Vec::new();
    gather(dir, &mut files)?;
    if files.is_empty() {
        return Err(SourcesError::Nothing { path: dir.to_owned() });
    }
    files.sort();
    let include = |path: &Path| {
        let mut word = OsString::from("-I");
        word.push(path);
        word
    };
    let source = |file: PathBuf| Source { options: vec![include(dir)], file, directory: None };
    Ok(files.into_iter().map(source).collect())
}

fn gather(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), SourcesError> {
    let unreadable =
        |error: std::io::Error| SourcesError::Unreadable { path: dir.to_owned(), why: error.to_string() };
    for entry in std::fs::read_dir(dir).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        let path = entry.path();
        if kind.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
    Ok(())
}

/// The C sources of a list of compile commands.
///
/// # Errors
/// It cannot be read, or is no such list.
pub fn of_commands(list: &Path) -> Result<Vec<Source>, SourcesError> {
    let malformed = |why: String| SourcesError::Malformed { path: list.to_owned(), why };
    let text = std::fs::read(list)
        .map_err(|error| SourcesError::Unreadable { path: list.to_owned(), why: error.to_string() })?;
    let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
    let mut sources = Vec::new();
    for entry in entries.into_iter().filter(|entry| entry.file.extension().is_some_and(|e| e == "c")) {
        let words = match (&entry.arguments, &entry.command) {
            (Some(words), _) => words.clone(),
            (None, Some(command)) => shell_words::split(command)
                .map_err(|error| malformed(format!("the command of `{}`: {error}", entry.file.display())))?,
            (None, None) => {
                return Err(malformed(format!(
                    "`{}` has neither arguments nor command",
                    entry.file.display()
                )));
            }
        };
        let base = list.parent().unwrap_or(Path::new("."));
        let directory = base.join(&entry.directory);
        let file = directory.join(&entry.file);
        let options = options(&words, &entry.file);
        sources.push(Source { file, directory: Some(directory), options });
    }
    if sources.is_empty() {
        return Err(SourcesError::Nothing { path: list.to_owned() });
    }
    Ok(sources)
}

/// Options whose next word is a file to be written.
const OUTPUTS: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ"];

/// What changes no code: dependencies, and that nothing is linked.
const WITHOUT: &[&str] = &["-c", "-MD", "-MMD", "-MP", "-MG", "-M", "-MM"];

fn options(words: &[String], file: &Path) -> Vec<OsString> {
    let mut options = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if OUTPUTS.contains(&word.as_str()) {
            words.next();
        } else if !WITHOUT.contains(&word.as_str()) && Path::new(word) != file {
            options.push(word.into());
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_and_sources_are_left_out() {
        let words =
            "cc -O2 -MD -MF x.d -DA=1 -c -o x.o x.c".split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(options(&words, Path::new("x.c")), ["-O2", "-DA=1"]);
    }
}
