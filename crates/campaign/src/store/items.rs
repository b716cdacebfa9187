//! Items: work of many machines beside programs of hunts. A job is a set of items with what they have in common; an item is a
//! pure function of what the store holds of both, and comes to files. They are leased as ranges of programs are: with epochs,
//! until a time by the server's clock, and what comes of one is written once.

use super::Store;
use super::backend::Shared;
use super::rows::{CampaignId, FileRow, Kept};
use crate::error::Error;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::time::Duration;

/// A job in a store.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(pub(super) i64);

/// What a worker must have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The processor, as Rust names it; empty for any.
    pub architecture: String,
    /// Bytes of memory for one item, or one program.
    pub memory: u64,
}

/// What a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Has {
    /// How its machine is called.
    pub host: String,
    /// The processor, as Rust names it.
    pub architecture: String,
    /// Bytes of memory for all that it does at once.
    pub memory: u64,
    /// How much it does at once.
    pub jobs: u64,
}

impl Has {
    /// Whether that is enough.
    pub fn fits(&self, needs: &Needs) -> bool {
        self.memory / self.jobs.max(1) >= needs.memory
            && (needs.architecture.is_empty() || needs.architecture == self.architecture)
    }
}

/// A set of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Who answers it.
    pub kind: String,
    /// For people.
    pub title: String,
    /// What its items have in common, as JSON.
    pub spec: String,
    /// What a worker must have.
    pub needs: Needs,
    /// Files that items are about.
    pub files: Vec<FileRow>,
    /// What is asked, an item each, as JSON.
    pub inputs: Vec<String>,
}

impl Job {
    /// A hash of all that its results depend on.
    pub fn key(&self) -> String {
        let mut digest = Sha256::new();
        let mut add = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        for text in [env!("CARGO_PKG_VERSION"), &self.kind, &self.spec, &self.needs.architecture] {
            add(text.as_bytes());
        }
        for file in &self.files {
            add(file.name.as_bytes());
            add(&file.bytes);
        }
        add(b"items");
        self.inputs.iter().for_each(|input| add(input.as_bytes()));
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// An item that a worker holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its job.
    pub job: JobId,
    /// Its place in the job.
    pub number: u64,
    /// How often it was handed out before.
    pub(super) epoch: i64,
    /// Who answers it.
    pub kind: String,
    /// What its job's items have in common.
    pub spec: String,
    /// What is asked.
    pub input: String,
}

/// What came of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// These files.
    Done(Vec<FileRow>),
    /// As many workers as may try it ended before it was done.
    GivenUp,
}

/// What came of items, by job and number.
pub type Outcomes = BTreeMap<(JobId, u64), Outcome>;

/// A worker as a store lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerRow {
    /// How its machine is called.
    pub host: String,
    /// Its processor.
    pub architecture: String,
    /// How much it does at once.
    pub jobs: u64,
    /// Seconds since it was last heard of, by the server's clock.
    pub silent: f64,
    /// What it works on.
    pub doing: String,
    /// How it ended; `None` while it works, and of one that was killed.
    pub words: Option<String>,
}

/// How a fleet does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fleet {
    /// How often ranges of a campaign were handed out.
    pub leases: u64,
    /// How often of these again, after a worker was silent, stopped or died.
    pub leases_again: u64,
    /// Processes that were heard of in the last minute and have not ended.
    pub workers: u64,
    /// Items that are to be done.
    pub items_open: u64,
    /// Items that are done.
    pub items_done: u64,
}

impl Store {
    pub(super) fn shared(&self) -> Result<&dyn Shared, Error> {
        let why = "a directory is for one process; name a database, as postgres://USER@HOST/DATABASE";
        self.backend.shared().ok_or_else(|| Error::Usage(format!("`{}`: {why}", self.place.display())))
    }

    /// Finds the job that is the same, or begins it.
    pub fn begin_job(&self, job: &Job) -> Result<JobId, Error> {
        self.shared()?.begin_job(job)
    }

    /// Leases an item that a worker with this can do: of some jobs, or where none is named of any; but of none of those.
    pub fn take_item(&self, has: &Has, only: &[JobId], but: &[JobId]) -> Result<Option<Item>, Error> {
        self.shared()?.take_item(has, only, but)
    }

    /// The files of a job whose names begin so.
    pub fn job_files(&self, job: JobId, beginning: &str) -> Result<Vec<FileRow>, Error> {
        self.shared()?.job_files(job, beginning)
    }

    /// Keeps what came of an item, unless somebody else has it by now.
    pub fn keep_item(&self, item: &Item, files: &[FileRow]) -> Result<Kept, Error> {
        self.shared()?.keep_item(item, files)
    }

    /// Gives back an item that was not done; was it tried?
    pub fn give_back_item(&self, item: &Item, tried: bool) -> Result<(), Error> {
        self.shared()?.give_back_item(item, tried)
    }

    /// What came of some items, of those that are done.
    pub fn outcomes(&self, wanted: &[(JobId, u64)]) -> Result<Outcomes, Error> {
        self.shared()?.outcomes(wanted)
    }

    /// A sign of life: items that this process holds last on.
    pub fn renew_items(&self) -> Result<(), Error> {
        self.shared()?.renew_items()
    }

    /// Whether there are items that a worker with this can take, but of these jobs, and whether others hold some.
    pub fn items(&self, has: &Has, but: &[JobId]) -> Result<(bool, bool), Error> {
        self.shared()?.items(has, but)
    }

    /// Waits until there may be something new, or for so long: work that was begun, or an item that is done. Says whether
    /// there may be.
    pub fn wait(&self, most: Duration) -> bool {
        match self.backend.shared() {
            Some(shared) => shared.wait(most),
            None => {
                std::thread::sleep(most);
                false
            }
        }
    }

    /// Says that this process works, what it has, and what it does.
    pub fn sign_in(&self, has: &Has, doing: &str) -> Result<(), Error> {
        self.shared()?.sign_in(has, doing)
    }

    /// Says how this process ended.
    pub fn last_words(&self, words: &str) -> Result<(), Error> {
        self.shared()?.last_words(words)
    }

    /// Who works, or worked, on what the store has; nobody in a directory.
    pub fn workers(&self) -> Result<Vec<WorkerRow>, Error> {
        self.backend.shared().map_or_else(|| Ok(Vec::new()), Shared::workers)
    }

    /// How those do who work on a campaign; `None` in a directory.
    pub fn fleet(&self, campaign: CampaignId) -> Result<Option<Fleet>, Error> {
        self.backend.shared().map(|shared| shared.fleet(campaign)).transpose()
    }

    /// Takes away jobs that were begun so long ago, and workers that were not heard of since; how many jobs.
    pub fn prune_jobs(&self, age: Duration, dry: bool) -> Result<u64, Error> {
        self.backend.shared().map_or(Ok(0), |shared| shared.prune_jobs(age, dry))
    }
}
