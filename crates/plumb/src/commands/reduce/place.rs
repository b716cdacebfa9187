//! Where a reduction reads and writes: the files, their originals, the journal.

use campaign::Error;
use reduce::journal::{self, Journal, State};
use reduce::{Case, File};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The files of a reduction.
pub struct Place {
    /// The name under which the test finds a file, where it is read, and where it is written.
    files: Vec<(String, PathBuf, PathBuf)>,
    in_place: bool,
    journal: PathBuf,
}

impl Place {
    /// The files named, and the output if there is one.
    pub fn new(inputs: &[PathBuf], output: Option<&Path>) -> Result<Place, Error> {
        let mut files: Vec<(String, PathBuf, PathBuf)> = Vec::new();
        for input in inputs {
            // What a link points to is what is to become small.
            let path = fs::canonicalize(input).map_err(|error| Error::file("read", input, &error))?;
            let name = name(input)?;
            if files.iter().any(|(other, ..)| *other == name) {
                let why = format!("two files would be `{name}` in the directory of the test");
                return Err(Error::Usage(why));
            }
            let target = match output {
                None => path.clone(),
                Some(output) if inputs.len() == 1 => output.to_owned(),
                Some(output) => output.join(&name),
            };
            files.push((name, path, target));
        }
        let Some((_, _, first)) = files.first() else {
            return Err(Error::Usage("name a file".to_owned()));
        };
        let journal = beside(first, ".journal");
        Ok(Place { in_place: output.is_none(), journal, files })
    }

    /// The path of the journal.
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// The directory a file was given in.
    pub fn home(&self, name: &str) -> Option<&Path> {
        self.files.iter().find(|(known, ..)| known == name)?.1.parent()
    }

    /// The case as it is to be read.
    pub fn read(&self) -> Result<Case, Error> {
        self.load(|(_, source, _)| source)
    }

    /// The case as it was written last.
    fn written(&self) -> Result<Case, Error> {
        self.load(|(_, _, target)| target)
    }

    fn load(&self, path: impl Fn(&(String, PathBuf, PathBuf)) -> &PathBuf) -> Result<Case, Error> {
        let mut files = Vec::new();
        for file in &self.files {
            let text = fs::read(path(file)).map_err(|error| Error::file("read", path(file), &error))?;
            files.push((file.0.clone(), text));
        }
        Ok(Case::new(files))
    }

    /// A reduction to take up again: one of this original, with this test, whose result nobody has touched since.
    pub fn resumable(&self, fingerprint: &[u8]) -> Result<Option<State>, Error> {
        let state =
            Journal::read(&self.journal).map_err(|error| Error::file("read", &self.journal, &error))?;
        let Some(state) = state else { return Ok(None) };
        let same_test = state.fingerprint == fingerprint;
        let untouched = match self.in_place {
            true => state.has_shown(&self.read()?),
            false => state.original().key() == self.read()?.key(),
        };
        let why = match (same_test, untouched) {
            (true, true) => return Ok(Some(state)),
            (false, _) => "it is of another test or other options",
            (true, false) => "the files have changed since",
        };
        eprintln!("plumb: note: `{}` is not taken up: {why}", self.journal.display());
        Ok(None)
    }

    /// Goes on with a journal.
    pub fn resume(&self, state: &State) -> Result<Journal, Error> {
        for (_, _, target) in &self.files {
            let _ = fs::remove_file(beside(target, ".new"));
        }
        Journal::resume(&self.journal, state).map_err(|error| Error::file("write", &self.journal, &error))
    }

    /// Prepares the output: originals are kept, directories made.
    pub fn begin(&self, original: &Case, fingerprint: Vec<u8>) -> Result<Journal, Error> {
        for (file, (_, _, target)) in original.files.iter().zip(&self.files) {
            if self.in_place {
                keep(target, &file.text)?;
            } else if let Some(parent) = target.parent().filter(|p| !p.as_os_str().is_empty()) {
                fs::create_dir_all(parent).map_err(|error| Error::file("make", parent, &error))?;
            }
        }
        journal::discard(&self.journal).map_err(|error| Error::file("remove", &self.journal, &error))?;
        let journal = Journal::create(&self.journal, fingerprint, original);
        if !self.in_place {
            self.write(original)?;
        }
        Ok(journal)
    }

    /// Writes a case, each file at once or not at all.
    pub fn write(&self, case: &Case) -> Result<(), Error> {
        for (file, (_, source, target)) in case.files.iter().zip(&self.files) {
            replace(file, source, target).map_err(|error| Error::file("write", target, &error))?;
        }
        Ok(())
    }

    /// The case as it stands where it is written, if it is all there.
    pub fn present(&self) -> Option<Case> {
        self.written().ok()
    }

    /// Where the first file is written.
    pub fn target(&self) -> &Path {
        &self.files[0].2
    }

    /// Whether the originals were replaced.
    pub fn in_place(&self) -> bool {
        self.in_place
    }
}

/// The name of a file in the test's directory: the path as given, if it goes nowhere above, else its last part.
fn name(input: &Path) -> Result<String, Error> {
    let plain = input.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let path = if plain { Some(input) } else { input.file_name().map(Path::new) };
    let parts = path.into_iter().flat_map(Path::components).filter(|part| *part != Component::CurDir);
    let path: PathBuf = parts.collect();
    match path.to_str().filter(|name| !name.is_empty()) {
        Some(name) => Ok(name.to_owned()),
        None => Err(Error::Usage(format!("`{}` is no name of a file that can be used", input.display()))),
    }
}

/// A path beside another one.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.to_owned().into();
    name.push(ending);
    name.into()
}

/// Keeps the original: as FILE.orig, or FILE.orig.1 and so on if that is another text.
fn keep(target: &Path, text: &[u8]) -> Result<(), Error> {
    let mut number = 0;
    loop {
        let path = match number {
            0 => beside(target, ".orig"),
            n => beside(target, &format!(".orig.{n}")),
        };
        match fs::read(&path) {
            Ok(old) if old == text => return Ok(()),
            Ok(_) => number += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return fs::copy(target, &path)
                    .map(|_| ())
                    .map_err(|error| Error::file("write", path, &error));
            }
            Err(error) => return Err(Error::file("read", path, &error)),
        }
    }
}

/// Writes a file beside its place and moves it there, with the permissions of the original.
fn replace(file: &File, source: &Path, target: &Path) -> io::Result<()> {
    let fresh = beside(target, ".new");
    fs::write(&fresh, &file.text)?;
    if let Ok(meta) = fs::metadata(source) {
        fs::set_permissions(&fresh, meta.permissions())?;
    }
    fs::rename(&fresh, target)
}
