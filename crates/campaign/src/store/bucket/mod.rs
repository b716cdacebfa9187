//! Where big files of a shared store lie, if not in its database: a directory that all machines share, or an S3-like bucket (a
//! crate's feature, as it brings an HTTP client with it). A file is named by its SHA-256 and compared with it when it comes back,
//! so that what is wrong with a bucket is an error and never an answer. Knows nothing of findings or databases.

#[cfg(feature = "s3")]
mod s3;

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An open bucket.
pub(super) struct Bucket {
    /// As it was named; no secret is in it.
    place: String,
    kind: Kind,
}

enum Kind {
    Directory(PathBuf),
    #[cfg(feature = "s3")]
    Objects(s3::Objects),
}

/// Why a bucket did not do what it was to do.
enum Trouble {
    /// There is no such file.
    Missing,
    /// It may be better later: what was tried, and the reason.
    Passing(&'static str, String),
}

impl Bucket {
    /// The bucket `file:///DIRECTORY` or `s3://NAME/PREFIX?region=R&endpoint=URL`, which may be away for `patience` before that is
    /// an error. A directory must be there: one that is made where another machine's is not mounted would keep files from all
    /// others.
    pub fn open(place: &str, patience: Duration) -> Result<Bucket, Error> {
        let kind = if let Some(path) = place.strip_prefix("file://").filter(|path| path.starts_with('/')) {
            Kind::Directory(PathBuf::from(path))
        } else if place.starts_with("s3://") {
            objects(place, patience)?
        } else {
            return Err(Error::Usage(
                "the store's bucket is none: expected `file:///DIRECTORY` or `s3://NAME/PREFIX`".to_owned(),
            ));
        };
        Ok(Bucket { place: place.to_owned(), kind })
    }

    /// Puts bytes there under their hash, and says it. What is there already is written anew: whoever takes files away goes by
    /// when they were put there last.
    pub fn put(&self, hash: &str, bytes: &[u8]) -> Result<(), Error> {
        let put = match &self.kind {
            Kind::Directory(dir) => put_file(dir, hash, bytes),
            #[cfg(feature = "s3")]
            Kind::Objects(objects) => objects.put(hash, bytes),
        };
        put.map_err(|trouble| self.explain(hash, trouble))
    }

    /// The bytes of this hash.
    pub fn get(&self, hash: &str) -> Result<Vec<u8>, Error> {
        let got = match &self.kind {
            Kind::Directory(dir) => fs::read(dir.join(hash)).map_err(|error| trouble(dir, "read", &error)),
            #[cfg(feature = "s3")]
            Kind::Objects(objects) => objects.get(hash),
        };
        let bytes = got.map_err(|trouble| self.explain(hash, trouble))?;
        if name(&bytes) == hash {
            return Ok(bytes);
        }
        let why =
            format!("`{hash}` in its bucket `{}` is not what was put there, by its SHA-256", self.place);
        Err(Error::Store { path: PathBuf::from(&self.place), why })
    }

    /// Takes a file away; one that is not there is no trouble.
    pub fn remove(&self, hash: &str) -> Result<(), Error> {
        let removed = match &self.kind {
            Kind::Directory(dir) => {
                fs::remove_file(dir.join(hash)).map_err(|error| trouble(dir, "remove", &error))
            }
            #[cfg(feature = "s3")]
            Kind::Objects(objects) => objects.remove(hash),
        };
        match removed {
            Ok(()) | Err(Trouble::Missing) => Ok(()),
            Err(trouble) => Err(self.explain(hash, trouble)),
        }
    }

    fn explain(&self, hash: &str, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Missing => Error::Store {
                path: PathBuf::from(&self.place),
                why: format!(
                    "`{hash}` is not there; the store's rows name it, so the bucket has lost it or is another"
                ),
            },
            Trouble::Passing(what, why) => Error::Resource(format!(
                "bucket `{}`: cannot {what} `{hash}`: {why}; run the same command again when it is well, nothing \
                 committed is lost",
                self.place
            )),
        }
    }
}

/// What bytes are called in a bucket.
pub(super) fn name(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(feature = "s3")]
fn objects(place: &str, patience: Duration) -> Result<Kind, Error> {
    s3::Objects::open(place, patience).map(Kind::Objects)
}

#[cfg(not(feature = "s3"))]
fn objects(place: &str, _patience: Duration) -> Result<Kind, Error> {
    let why = "the store has big files in a bucket, and this plumb was built without that; build it with \
               `cargo build --release -p plumb --features s3`";
    Err(Error::Tool { tool: place.to_owned(), why: why.to_owned() })
}

/// Writes a file beside its place and moves it there when it is on the disk: nobody sees half of one.
fn put_file(dir: &Path, hash: &str, bytes: &[u8]) -> Result<(), Trouble> {
    let half = dir.join(format!(".half-{}-{hash}", unique()));
    let written = fs::File::create(&half).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&half, dir.join(hash))
    });
    if written.is_err() {
        let _ = fs::remove_file(&half);
    }
    // A directory that is not there is not a file that is lost.
    written
        .map_err(|error| Trouble::Passing("write", format!("{}: {}", dir.display(), frontend::plain(&error))))
}

fn trouble(dir: &Path, what: &'static str, error: &std::io::Error) -> Trouble {
    match error.kind() {
        ErrorKind::NotFound if dir.is_dir() => Trouble::Missing,
        _ => Trouble::Passing(what, format!("{}: {}", dir.display(), frontend::plain(error))),
    }
}

/// A name that no other thread of any machine has.
fn unique() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::{Bucket, name};
    use crate::error::Error;
    use std::fs;
    use std::time::Duration;

    fn open(place: &str) -> Result<Bucket, Error> {
        Bucket::open(place, Duration::from_secs(1))
    }

    #[test]
    fn what_comes_back_is_what_was_put() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let bucket = open(&format!("file://{}", dir.path().display())).expect("a directory");
        let hash = name(b"text");
        for _ in 0..2 {
            bucket.put(&hash, b"text").expect("written");
            assert_eq!(bucket.get(&hash).expect("read"), b"text");
        }
        fs::write(dir.path().join(&hash), "tExt").expect("writable");
        let said = bucket.get(&hash).expect_err("damaged").to_string();
        assert!(said.contains("is not what was put there") && said.contains(&hash), "{said}");
        for _ in 0..2 {
            bucket.remove(&hash).expect("gone");
        }
        let said = bucket.get(&hash).expect_err("gone").to_string();
        assert!(said.contains("is not there"), "{said}");
        assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 0, "nothing is left");
    }

    #[test]
    fn a_directory_that_is_away_is_no_lost_file() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let away = open(&format!("file://{}/away", dir.path().display())).expect("a name");
        let hash = name(b"text");
        for error in [away.put(&hash, b"text"), away.get(&hash).map(|_| ()), away.remove(&hash)] {
            assert!(matches!(error, Err(Error::Resource(_))), "{error:?}");
        }
    }

    #[test]
    fn places_that_are_none_are_refused_and_not_repeated() {
        for bad in ["", "file://", "file://host/dir", "http://key:hush@host", "/tmp"] {
            let said = open(bad).err().expect(bad).to_string();
            assert!(said.contains("expected") && !said.contains("hush"), "{said}");
        }
    }
}
