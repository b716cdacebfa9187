//! Candidates of a reduction that others test: parts of the item that the reduction is (`store/parts.rs`), handed out in batches by
//! who holds it, and tested by whoever has the same compilers. An answer is known by the content of its candidate.
//!
//! Who tests opens the finding itself, from the files that the item's job has; all that comes with a batch are texts, and which of
//! the finding's options of the compiler are left. So a worker can have others run nothing but what the owner's finding runs.

use super::Options;
use super::reopen::Reopened;
use super::session::{OPTIONS, Session, case_of};
use crate::error::Error;
use crate::store::{FileRow, Item, Part, Store};
use reduce::case::Key;
use reduce::engine::{Elsewhere, Standing};
use reduce::{Answer, Case};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;
use toolchain::{Cancel, stop};

/// The answers to a batch, among the files that a part comes to.
pub const ANSWERS: &str = "answers";
/// How often it is kept how far a reduction is, for whoever goes on after this process is killed.
const KEEP: Duration = Duration::from_secs(5);

/// Candidates: the options of the compiler, the text, and whether the case says the options itself.
type Batch = Vec<(String, Vec<u8>, bool)>;

/// A case that is tested with other options than the present ones.
pub(super) fn with_options(case: &Case, options: &str) -> Case {
    let mut case = case.clone();
    case.files.push(Arc::new(reduce::File::new(OPTIONS, options.as_bytes())));
    case
}

fn encoded<T: serde::Serialize>(what: &T) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(what).map_err(|error| Error::Internal(format!("candidates: {error}")))
}

/// The item that a reduction is, with the store that has it.
#[derive(Copy, Clone)]
pub struct Shared<'s> {
    /// The store.
    pub store: &'s Store,
    /// The item.
    pub item: &'s Item,
}

impl Shared<'_> {
    /// Keeps what the journal at this path says, now and then, until told to end.
    pub(super) fn keep_journal(&self, path: &Path, end: &Receiver<()>) {
        let mut kept = None;
        while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(KEEP) {
            self.keep(path, &mut kept);
        }
        // Whoever goes on loses nothing.
        if stop::requested() {
            self.keep(path, &mut kept);
        }
    }

    fn keep(&self, path: &Path, kept: &mut Option<Vec<u8>>) {
        let Ok(bytes) = std::fs::read(path) else { return };
        // A store that is away is the trouble of who has something to lose by it.
        if kept.as_ref() != Some(&bytes) && self.store.keep_state(self.item, &bytes).is_ok() {
            *kept = Some(bytes);
        }
    }
}

/// Others, as the engine asks them.
pub(super) struct Others<'s> {
    pub shared: Shared<'s>,
    /// What a test must agree with, and the options of the compiler.
    pub fingerprint: String,
    pub level: String,
}

impl Elsewhere for Others<'_> {
    fn hand_out(&self, batches: &[Vec<Arc<Case>>], wake: bool) -> Option<Vec<u64>> {
        let Shared { store, item } = self.shared;
        let candidate = |case: &Arc<Case>| match &case.files[..] {
            [program, options] if options.name == OPTIONS => {
                (String::from_utf8_lossy(&options.text).into_owned(), program.text.to_vec(), true)
            }
            files => {
                let text = files.first().map_or_else(Vec::new, |file| file.text.to_vec());
                (self.level.clone(), text, false)
            }
        };
        let batch = |cases: &Vec<Arc<Case>>| -> Batch { cases.iter().map(candidate).collect() };
        let files: Vec<Vec<u8>> =
            batches.iter().map(|cases| encoded(&batch(cases)).ok()).collect::<Option<_>>()?;
        store.hand_out(item, &self.fingerprint, &files, wake).ok()?
    }

    fn look(&self, batches: &[u64]) -> Option<Vec<(u64, Standing)>> {
        let Shared { store, item } = self.shared;
        let mut gone = Vec::new();
        let mut standings = Vec::new();
        for (number, part) in store.parts(item, batches).ok()? {
            standings.push(match part {
                Part::Free => (number, Standing::Free),
                Part::Held => (number, Standing::Held),
                Part::Done(files) => {
                    gone.push(number);
                    let file = files.iter().find(|file| file.name == ANSWERS);
                    let answers: Option<Vec<(Key, bool)>> =
                        file.and_then(|file| postcard::from_bytes(&file.bytes).ok());
                    (number, Standing::Answered(answers.unwrap_or_default()))
                }
                Part::GivenUp => {
                    gone.push(number);
                    (number, Standing::Answered(Vec::new()))
                }
            });
        }
        if !gone.is_empty() {
            self.withdraw(&gone)?;
        }
        Some(standings)
    }

    fn withdraw(&self, batches: &[u64]) -> Option<()> {
        let Shared { store, item } = self.shared;
        store.withdraw(item, batches).ok()?.then_some(())
    }
}

/// Who tests candidates of a reduction that another holds.
pub struct Tester {
    session: Session,
}

impl Tester {
    /// Opens the finding in this directory, and sees that it shows here.
    pub fn open(dir: &Path, options: &Options) -> Result<Tester, Error> {
        Ok(Tester {
            session: Session::begin(Reopened::open(dir, &options.compilers)?, options, &stop::requested)?,
        })
    }

    /// Whether the test is the one that a reduction with this fingerprint asks.
    pub fn agrees(&self, fingerprint: &str) -> bool {
        self.session.test_fingerprint() == fingerprint
    }

    /// Tests a batch. `None` if that was cancelled. An error says that it is no batch of this reduction.
    pub fn test(&mut self, batch: &[u8], cancel: &Cancel) -> Result<Option<Vec<FileRow>>, Error> {
        let no_batch = |why: String| Error::Internal(format!("candidates of a reduction: {why}"));
        let batch: Batch = postcard::from_bytes(batch).map_err(|error| no_batch(error.to_string()))?;
        let mut answers: Vec<(Key, bool)> = Vec::with_capacity(batch.len());
        for (level, text, says) in batch {
            if !self.session.may_have(&level) {
                return Err(no_batch(format!("`{level}` is not of the finding")));
            }
            let program = case_of(&text);
            let case = if says { with_options(&program, &level) } else { program.clone() };
            self.session.subject.configuration.level = level;
            let answer = self.session.test().ask(0, &program, cancel);
            if cancel.is_cancelled() || stop::requested() {
                return Ok(None);
            }
            match answer {
                Answer::Interesting => answers.push((case.key(), true)),
                Answer::Not(_) => answers.push((case.key(), false)),
                Answer::Unresolved(_) => {}
            }
        }
        let file = FileRow { name: ANSWERS.to_owned(), executable: false, bytes: encoded(&answers)? };
        Ok(Some(vec![file]))
    }
}
