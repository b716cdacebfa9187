//! What a reduction writes down, so that it goes on after a `kill -9` where it stood.
//!
//! The file holds the original and a fingerprint of all that decides the result, the state at the beginning of the present
//! pass, and behind that a record of 17 bytes for every answer of the test. The engine is a function of its state and
//! of answers: taken up again it asks nothing twice, and ends with the same result. A record cut short by the kill is
//! left out.

use crate::Case;
use crate::case::Key;
use crate::engine::Schedule;
use crate::engine::filter::{Evidence, FILTERS};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first bytes of the file, with the version of its format.
const MAGIC: &[u8] = b"plumb-reduce 2\n";

/// The last byte of a record.
const SHOWN: u8 = 2;

/// Names and texts of a case.
type Files = Vec<(String, Vec<u8>)>;

/// What was under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// See [`Journal::create`].
    pub fingerprint: Vec<u8>,
    original: Files,
    files: Files,
    /// Where the schedule stood.
    pub schedule: Schedule,
    /// The pass that was about to run.
    pub pass: usize,
    /// What the early filters had seen.
    pub evidence: [Evidence; FILTERS],
    /// All answers of the test.
    #[serde(skip)]
    pub answers: Vec<(Key, bool)>,
    /// Cases that the user was shown since then.
    #[serde(skip)]
    pub shown: Vec<Key>,
    /// Bytes of the journal up to its last whole record.
    #[serde(skip)]
    length: u64,
}

impl State {
    /// The case at the beginning of the pass.
    pub fn case(&self) -> Case {
        Case::new(self.files.iter().cloned())
    }

    /// The case at the very beginning.
    pub fn original(&self) -> Case {
        Case::new(self.original.iter().cloned())
    }

    /// Might the user have been shown this case?
    pub fn has_shown(&self, case: &Case) -> bool {
        let key = case.key();
        key == self.original().key() || key == self.case().key() || self.shown.contains(&key)
    }
}

/// A journal being written.
pub struct Journal {
    path: PathBuf,
    fingerprint: Vec<u8>,
    original: Files,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    file: Option<fs::File>,
    /// The records of all answers.
    answers: Vec<u8>,
    error: Option<io::Error>,
    closed: bool,
}

impl Inner {
    fn append(&mut self, record: [u8; 17]) {
        let Some(file) = self.file.as_mut() else { return };
        if let Err(error) = file.write_all(&record) {
            // A record cut short would put those behind it out of step.
            self.file = None;
            self.error.get_or_insert(error);
        }
    }
}

fn record(key: Key, tag: u8) -> [u8; 17] {
    let mut record = [tag; 17];
    record[..16].copy_from_slice(&key);
    record
}

fn files(case: &Case) -> Files {
    case.files.iter().map(|file| (file.name.clone(), file.text.to_vec())).collect()
}

impl Journal {
    /// A journal at this path, which is written when there is something to say. The fingerprint stands for all that
    /// decides the result beside the original: the test, the passes, the version.
    pub fn create(path: &Path, fingerprint: Vec<u8>, original: &Case) -> Journal {
        Journal { path: path.to_owned(), fingerprint, original: files(original), inner: Mutex::default() }
    }

    /// Goes on with a journal that [`Journal::read`] has read.
    pub fn resume(path: &Path, state: &State) -> io::Result<Journal> {
        let mut file = fs::OpenOptions::new().write(true).open(path)?;
        file.set_len(state.length)?;
        file.seek(SeekFrom::End(0))?;
        let journal = Journal::create(path, state.fingerprint.clone(), &state.original());
        let mut inner = journal.inner();
        inner.file = Some(file);
        for (key, interesting) in &state.answers {
            inner.answers.extend(record(*key, u8::from(*interesting)));
        }
        drop(inner);
        Ok(journal)
    }

    /// What a journal at this path says, if there is one that can be read.
    pub fn read(path: &Path) -> io::Result<Option<State>> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Ok(None) };
        let Ok((mut state, records)) = postcard::take_from_bytes::<State>(rest) else { return Ok(None) };
        state.length = (bytes.len() - records.len() % 17) as u64;
        for record in records.chunks_exact(17) {
            let mut key = [0; 16];
            key.copy_from_slice(&record[..16]);
            match record[16] {
                SHOWN => state.shown.push(key),
                answer => state.answers.push((key, answer == 1)),
            }
        }
        Ok(Some(state))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new_path(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        name.into()
    }

    /// Writes the state down, in place of what was there.
    pub fn state(&self, case: &Case, schedule: &Schedule, pass: usize, evidence: [Evidence; FILTERS]) {
        let state = State {
            fingerprint: self.fingerprint.clone(),
            original: self.original.clone(),
            files: files(case),
            schedule: schedule.clone(),
            pass,
            evidence,
            answers: Vec::new(),
            shown: Vec::new(),
            length: 0,
        };
        let mut inner = self.inner();
        if inner.closed {
            return;
        }
        let write = || {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(postcard::to_stdvec(&state).map_err(io::Error::other)?);
            bytes.extend_from_slice(&inner.answers);
            let path = self.new_path();
            let mut file = fs::File::create(&path)?;
            file.write_all(&bytes)?;
            fs::rename(&path, &self.path)?;
            Ok(file)
        };
        match write() {
            Ok(file) => inner.file = Some(file),
            Err(error) => {
                inner.error.get_or_insert(error);
            }
        }
    }

    /// Writes an answer of the test down.
    pub fn answer(&self, key: Key, interesting: bool) {
        let record = record(key, u8::from(interesting));
        let mut inner = self.inner();
        inner.answers.extend(record);
        inner.append(record);
    }

    /// Writes down that the user is about to be shown a case.
    pub fn shown(&self, case: &Case) {
        self.inner().append(record(case.key(), SHOWN));
    }

    /// The first error of writing, if there was one: then a kill loses more than it should.
    pub fn error(&self) -> Option<String> {
        self.inner().error.as_ref().map(ToString::to_string)
    }

    /// Removes it: there is nothing left to take up.
    pub fn finish(&self) -> io::Result<()> {
        let mut inner = self.inner();
        inner.closed = true;
        inner.file = None;
        discard(&self.path)
    }
}

/// Removes a journal and what a kill may have left beside it.
pub fn discard(path: &Path) -> io::Result<()> {
    let mut new = path.to_owned().into_os_string();
    new.push(".new");
    for path in [path, Path::new(&new)] {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}
