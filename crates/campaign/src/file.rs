//! A C file named by the user: read, preprocessed where it needs that, and given to the machine.

use crate::diagnostics;
use crate::error::Error;
use crate::front::{self, Answer, Refusal};
use crate::preprocess;
use machine::Options;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use toolchain::compiler::{PreprocessError, Source};

/// Larger inputs are refused before they are read: spans are 32 bits wide.
const LARGEST: u64 = 1 << 30;
/// Diagnostics printed for one file.
const MOST: usize = 20;

/// A file's preprocessed text.
pub struct Text {
    /// The name it was given by.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
    /// What the user should know about how it came to be.
    pub note: Option<String>,
}

/// Reads a file, or standard input for `-`. Options for the preprocessor are as `cc` takes them; with any given, or
/// where the text needs it, it is preprocessed with the macros and headers of the usual compiler of this machine.
pub fn read(path: &Path, options: &[OsString], preprocessor: preprocess::Choice) -> Result<Text, Error> {
    let name = path.display().to_string();
    let (bytes, source) = if name == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(|error| Error::file("read", path, &error))?;
        let source = Source::Text { bytes: Arc::from(bytes.as_slice()), dir: ".".into() };
        (bytes, source)
    } else {
        let meta = fs::metadata(path).map_err(|error| Error::file("read", path, &error))?;
        if meta.is_dir() {
            return Err(refuse(path, "it is a directory; name a C file"));
        }
        if meta.len() > LARGEST {
            return Err(refuse(path, "it is larger than 1 GiB"));
        }
        let file = fs::File::open(path).map_err(|error| Error::file("read", path, &error))?;
        let mut bytes = Vec::new();
        let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(|error| Error::file("read", path, &error))?;
        (bytes, Source::File(path.to_owned()))
    };
    if bytes.len() as u64 > LARGEST {
        return Err(refuse(path, "it is larger than 1 GiB"));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(refuse(path, "it is empty; expected a C program"));
    }
    if bytes.contains(&0) {
        return Err(refuse(path, "it is a binary file (it holds a zero byte); expected C source"));
    }
    if options.is_empty() && !preprocess::is_needed(&bytes) {
        return Ok(Text { name, bytes, note: None });
    }
    match preprocess::run(preprocessor, None, options, &source) {
        Ok(done) => Ok(Text { name, bytes: done.text, note: done.note }),
        Err(PreprocessError::Rejected(message)) => Err(Error::NotC(message)),
        Err(error) => Err(refuse(path, &format!("it cannot be preprocessed: {error}"))),
    }
}

fn refuse(path: &Path, why: &str) -> Error {
    Error::File { action: "use", path: path.to_owned(), why: why.to_owned() }
}

/// Gives the text its meaning. Its warnings are in the answer; an error lists what is wrong with the text.
pub fn meaning(text: &Text, options: &Options) -> Result<Answer, Error> {
    match front::meaning(&text.bytes, &text.name, options) {
        Ok(answer) => Ok(answer),
        Err(Refusal::NotC { diagnostics, source }) => {
            let errors: Vec<_> = diagnostics.into_iter().filter(|d| d.severity.refuses()).collect();
            let rendered = diagnostics::render(&errors, &source, &text.bytes, MOST);
            Err(Error::NotC(rendered.trim_end().to_owned()))
        }
        Err(Refusal::Internal(said)) => Err(Error::Internal(format!(
            "plumb failed on `{}`: {said}; please report it with the file",
            text.name
        ))),
    }
}
