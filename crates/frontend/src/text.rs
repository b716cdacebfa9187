//! A C file named by the user: read, and preprocessed where it needs that.

use crate::error::{Error, Unusable};
use crate::options::Options;
use crate::preprocess;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use toolchain::compiler::{PreprocessError, Source};

/// Larger inputs are refused before they are read: spans are 32 bits wide.
const LARGEST: u64 = 1 << 30;

/// A file's preprocessed text.
pub struct Text {
    /// The name it was given by.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
    /// What the user should know about how it came to be.
    pub note: Option<String>,
}

/// Reads a file, or standard input for `-`. With any options given, or where the text needs it, it is preprocessed with
/// the macros and headers of the usual compiler of this machine.
pub fn read(path: &Path, options: &Options) -> Result<Text, Error> {
    let name = path.display().to_string();
    let unusable = |why| Error::Unusable { path: path.to_owned(), why };
    let (bytes, source) = if name == "-" {
        let bytes = take(std::io::stdin().lock(), path)?;
        let source = Source::Text { bytes: Arc::from(bytes.as_slice()), dir: ".".into() };
        (bytes, source)
    } else {
        let meta = fs::metadata(path).map_err(|error| Error::unreadable(path, &error))?;
        if meta.is_dir() {
            return Err(unusable(Unusable::Directory));
        }
        if meta.len() > LARGEST {
            return Err(unusable(Unusable::TooLarge));
        }
        let file = fs::File::open(path).map_err(|error| Error::unreadable(path, &error))?;
        (take(file, path)?, Source::File(path.to_owned()))
    };
    if bytes.len() as u64 > LARGEST {
        return Err(unusable(Unusable::TooLarge));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(unusable(Unusable::Empty));
    }
    if bytes.contains(&0) {
        return Err(unusable(Unusable::Binary));
    }
    let words = options.words();
    if words.is_empty() && !preprocess::is_needed(&bytes) {
        return Ok(Text { name, bytes, note: None });
    }
    match preprocess::run(options.preprocessor, None, &words, &source) {
        Ok(done) => Ok(Text { name, bytes: done.text, note: done.note }),
        Err(PreprocessError::Rejected(message)) => Err(Error::Directive(message)),
        Err(error) => Err(Error::Preprocessor { path: path.to_owned(), error }),
    }
}

fn take(from: impl Read, path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| Error::unreadable(path, &error))?;
    Ok(bytes)
}
