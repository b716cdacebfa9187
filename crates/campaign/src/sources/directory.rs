//! A directory of C files as a source: every `*.c` and `*.i` beneath it, in the order of their paths. A directory that
//! holds several files, of which exactly one defines `main`, is one program; in any other each file is one.

use super::parts::{LARGEST, Part, look};
use super::{Context, Failure, Program, Source, SourceKind, several, single};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub(super) const KIND: SourceKind = SourceKind {
    word: "DIR",
    help: "every .c and .i file beneath a directory; one with several files and one `main` is one program",
    open: |word, context| Some(open(word, context)),
};

struct Directory {
    /// The files of each program.
    programs: Vec<Vec<PathBuf>>,
    files: usize,
    /// Of the names beneath the directory and of what the files hold.
    contents: u64,
}

fn open(word: &str, context: &Context<'_>) -> Result<Box<dyn Source>, Error> {
    if let Some(option) = context.words.first() {
        return Err(Error::Usage(format!(
            "{option}: it shapes generated programs, and --from {word} has none; leave it out"
        )));
    }
    let root = PathBuf::from(word);
    let files = frontend::c_files(&root)?;
    if files.is_empty() {
        return Err(Error::Usage(format!("--from {word}: the directory holds no .c or .i file")));
    }
    let contents = contents(&root, &files);
    Ok(Box::new(Directory { programs: programs(&files), files: files.len(), contents }))
}

/// Puts the files together that are one program, in the order of their first files' paths.
fn programs(files: &[PathBuf]) -> Vec<Vec<PathBuf>> {
    let mut by_directory: BTreeMap<&Path, Vec<&PathBuf>> = BTreeMap::new();
    for file in files {
        by_directory.entry(file.parent().unwrap_or(Path::new(""))).or_default().push(file);
    }
    let mut programs: Vec<Vec<PathBuf>> = Vec::new();
    for all in by_directory.into_values() {
        let looks: Vec<_> = all.iter().map(|file| look(file)).collect();
        let included = |file: &PathBuf| looks.iter().any(|look| look.included.contains(file));
        if all.len() > 1 && looks.iter().filter(|look| look.main).count() == 1 {
            programs.push(all.into_iter().filter(|file| !included(file)).cloned().collect());
        } else {
            programs.extend(all.into_iter().map(|file| vec![file.clone()]));
        }
    }
    programs.sort();
    programs
}

/// Tells one state of the files from another, wherever they lie.
fn contents(root: &Path, files: &[PathBuf]) -> u64 {
    let mut hash = Fingerprint::default();
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(path);
        hash.add(name.as_os_str().as_bytes()).add(&[0]);
        // A file that cannot be used is none of the programs; that it cannot is found again with each.
        let usable = fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
        if let Some(text) = usable.then(|| fs::read(path).ok()).flatten() {
            hash.add(&text.len().to_le_bytes()).add(&text);
        }
    }
    hash.value()
}

impl Source for Directory {
    fn identity(&self) -> String {
        match self.programs.len() {
            all if all == self.files => format!("{all} files, contents {:016x}", self.contents),
            some => format!("{some} programs of {} files, contents {:016x}", self.files, self.contents),
        }
    }

    fn count(&self) -> Option<u64> {
        Some(self.programs.len() as u64)
    }

    fn program(&self, number: u64) -> Result<Program, Failure> {
        let files = usize::try_from(number)
            .ok()
            .and_then(|n| self.programs.get(n))
            .ok_or_else(|| Failure::none(format!("there is no program number {number}")))?;
        match &files[..] {
            [file] => single(file),
            several_files => {
                let part = |file: &PathBuf| Part { file: file.clone(), words: Vec::new() };
                several(&several_files.iter().map(part).collect::<Vec<_>>())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_main_in_a_directory_is_one_program() {
        let dir = tempfile::tempdir().expect("a directory");
        let put = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("beneath")).expect("made");
            fs::write(&path, text).expect("written");
            path
        };
        let main = "int main(void) { return 0; }";
        let (a, b) = (put("a.c", main), put("b.c", main));
        let helper = put("c.c", "int x;");
        let (m, n) = (
            put("p/m.c", "#include \"text.c\"\nint main(void) { return f(); }"),
            put("p/n.c", "int f(void);"),
        );
        let text = put("p/text.c", "int f(void) { return 1; }");
        let files = frontend::c_files(dir.path()).expect("readable");
        assert!(files.contains(&text));
        assert_eq!(programs(&files), [vec![a], vec![b], vec![helper], vec![m, n]]);
    }
}
