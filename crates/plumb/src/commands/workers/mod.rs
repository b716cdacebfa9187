//! Work in processes of their own: plumb started again within limits, so that a function that crashes it or takes all
//! memory costs no other's verdict. Prover and comparison of machine code share this.

mod pool;
mod progress;
mod serve;

pub use pool::Worker;
pub use progress::Progress;
pub use serve::run;

use equiv::Ending;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use std::time::Duration;

/// The exit code of a worker that asked for more memory than it may have. (No exit code of plumb for people.)
const OUT_OF_MEMORY: u8 = 77;

/// What workers may take.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// CPU time for one task.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// A kind of work. One JSON line in, one JSON line out: first a job and its listing, then tasks and their answers.
pub trait Work: Sized {
    /// The hidden command that serves it.
    const COMMAND: &'static str;
    /// What to read.
    type Job: Serialize + DeserializeOwned + Clone;
    /// What was read, or why it cannot be.
    type Listing: Serialize + DeserializeOwned;
    /// What to answer.
    type Task: Serialize + DeserializeOwned;
    /// The answer.
    type Answer: Serialize + DeserializeOwned;

    /// What a worker may take.
    fn allowance(job: &Self::Job) -> Allowance;
    /// What is worked on, for messages.
    fn name(job: &Self::Job) -> String;
    /// Reads what tasks are about; in the worker, as is answering.
    fn read(job: &Self::Job) -> Result<(Self, Self::Listing), String>;
    /// What is said of what cannot be read.
    fn unreadable(why: String) -> Self::Listing;
    /// Answers a task.
    fn answer(&self, job: &Self::Job, task: &Self::Task) -> Self::Answer;
    /// The answer where a worker ended, or a part of it; after this time, if it had begun.
    fn ended(ending: Ending, time: Option<Duration>) -> Self::Answer;
    /// The files that a job names, so that other machines can have them elsewhere.
    fn files(job: &mut Self::Job) -> Vec<&mut PathBuf>;
    /// How the worker ended, where an answer says no more than that.
    fn ending(answer: &Self::Answer) -> Option<&Ending>;
    /// Where an answer keeps what memory the worker took at most, and takes now, in bytes.
    fn memory(answer: &mut Self::Answer) -> (&mut u64, &mut u64);
}
