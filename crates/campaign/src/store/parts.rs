//! Parts of an item: what the worker that holds it hands to others meanwhile, as candidates of a reduction. They are items, too,
//! leased and kept as all items are (`items.rs`), of a job beneath theirs; they go when the item is done, handed out anew or lost, so
//! that nobody works for one who is gone.

use super::Store;
use super::items::{Item, JobId};
use super::rows::FileRow;
use crate::error::Error;

/// How the kind of a job of parts ends; what comes before is the kind of the item that they are parts of.
pub const PART: &str = "-part";

/// How a part stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nobody has it.
    Free,
    /// Somebody works on it.
    Held,
    /// What came of it.
    Done(Vec<FileRow>),
    /// As many workers as may try it ended before it was done.
    GivenUp,
}

/// What a part belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The job of the item that it is a part of.
    pub job: JobId,
    /// What is asked of that item.
    pub input: String,
}

impl Store {
    /// Hands out parts of an item that this process holds, with what they have in common and a file each; their numbers, or none if
    /// the item is no longer held. Those who wait are told, if that is asked for.
    pub fn hand_out(
        &self,
        item: &Item,
        about: &str,
        files: &[Vec<u8>],
        tell: bool,
    ) -> Result<Option<Vec<u64>>, Error> {
        self.shared()?.hand_out(item, about, files, tell)
    }

    /// How parts of an item stand; those that are gone are left out.
    pub fn parts(&self, item: &Item, numbers: &[u64]) -> Result<Vec<(u64, Part)>, Error> {
        self.shared()?.parts(item, numbers)
    }

    /// Takes parts of an item away; was it held still?
    pub fn withdraw(&self, item: &Item, numbers: &[u64]) -> Result<bool, Error> {
        self.shared()?.withdraw(item, numbers)
    }

    /// What an item is a part of, and its file.
    pub fn whole(&self, part: &Item) -> Result<Option<(Whole, Vec<u8>)>, Error> {
        self.shared()?.whole(part)
    }

    /// Whether this process holds an item still, and somebody waits for it.
    pub fn holds(&self, item: &Item) -> Result<bool, Error> {
        self.shared()?.holds(item)
    }

    /// Keeps how far an item that this process holds is, for who may hold it next; was it held still?
    pub fn keep_state(&self, item: &Item, state: &[u8]) -> Result<bool, Error> {
        self.shared()?.keep_state(item, state)
    }

    /// How far who held an item before had come, if that was kept.
    pub fn state(&self, item: &Item) -> Result<Option<Vec<u8>>, Error> {
        let name = format!("state/{}", item.number);
        let files = self.shared()?.job_files(item.job, &name)?;
        Ok(files.into_iter().find(|file| file.name == name).map(|file| file.bytes))
    }
}
