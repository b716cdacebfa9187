//! Where one item after the other is answered: the files of the last job are kept, and the process that has read them.

use super::{ANSWER, damaged, part, reduction};
use crate::commands::workers::{Work, Worker};
use crate::commands::{diff, prove};
use campaign::Error;
use campaign::store::{FileRow, Item, JobId, Store, write_files};
use campaign::toolchain::scratch::ScratchRoot;
use campaign::toolchain::stop;
use equiv::Ending;
use std::path::Path;

/// What came of an item here.
pub enum Answered {
    /// These files.
    Done(Vec<FileRow>),
    /// This machine cannot answer its job, and others may: why.
    NotHere(String),
    /// It is to be tried again, by whoever takes it next: this process stops, or had not what it took.
    Again(String),
    /// Nobody waits for it any more.
    Unwanted,
}

/// A thread's desk.
pub struct Desk<'s> {
    store: &'s Store,
    prove: Kept<prove::Pair>,
    diff: Kept<diff::Pairs>,
    /// Of whose reduction candidates are tested.
    pub tests: part::Tests,
}

/// The last job of a kind.
struct Kept<W: Work>(Option<Open<W>>);

struct Open<W: Work> {
    id: JobId,
    job: W::Job,
    worker: Option<Worker<W>>,
    _files: ScratchRoot,
}

impl<'s> Desk<'s> {
    /// With nothing on it but what somebody left there.
    pub fn new(store: &'s Store, tests: part::Tests) -> Desk<'s> {
        Desk { store, prove: Kept(None), diff: Kept(None), tests }
    }

    /// Answers an item.
    pub fn answer(&mut self, item: &Item) -> Result<Answered, Error> {
        match item.kind.as_str() {
            prove::Pair::COMMAND => self.prove.answer(self.store, item),
            diff::Pairs::COMMAND => self.diff.answer(self.store, item),
            reduction::KIND => reduction::answer(self.store, item),
            part::KIND => self.tests.answer(self.store, item),
            kind => Ok(Answered::NotHere(format!("`{kind}` is nothing that this plumb does"))),
        }
    }
}

impl<W: Work> Kept<W> {
    fn answer(&mut self, store: &Store, item: &Item) -> Result<Answered, Error> {
        let mut open = match self.0.take().filter(|open| open.id == item.job) {
            Some(open) => open,
            None => Open::of(store, item)?,
        };
        let task: W::Task = serde_json::from_str(&item.input).map_err(|error| damaged(&error))?;
        let worker = match open.worker.take() {
            Some(worker) => worker,
            None => Worker::start(&open.job)?.0,
        };
        let (answer, worker) = worker.answer(&task);
        open.worker = worker;
        self.0 = Some(open);
        match W::ending(&answer) {
            _ if stop::requested() => return Ok(Answered::Again("stopped".to_owned())),
            Some(ending @ (Ending::Stopped | Ending::Killed | Ending::NotStarted { .. })) => {
                return Ok(Answered::Again(ending.to_string()));
            }
            Some(_) | None => {}
        }
        let bytes = serde_json::to_vec(&answer).map_err(|error| damaged(&error))?;
        Ok(Answered::Done(vec![FileRow { name: ANSWER.to_owned(), executable: false, bytes }]))
    }
}

impl<W: Work> Open<W> {
    /// Brings the files of an item's job to this machine.
    fn of(store: &Store, item: &Item) -> Result<Open<W>, Error> {
        let mut job: W::Job = serde_json::from_str(&item.spec).map_err(|error| damaged(&error))?;
        let files = ScratchRoot::new().map_err(|error| Error::file("make", std::env::temp_dir(), &error))?;
        write_files(files.path(), &store.job_files(item.job, "")?)?;
        for path in W::files(&mut job) {
            *path = inside(files.path(), path);
        }
        Ok(Open { id: item.job, job, worker: None, _files: files })
    }
}

/// A file of a job, which was written by others: in its directory and nowhere else.
fn inside(dir: &Path, name: &Path) -> std::path::PathBuf {
    let parts = name.components().filter(|part| matches!(part, std::path::Component::Normal(_)));
    parts.fold(dir.to_owned(), |path, part| path.join(part))
}
