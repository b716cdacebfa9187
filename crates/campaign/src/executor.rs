//! Who else may compile and run programs: a farm behind a trait, which knows of files and commands and nothing of compilers.

use crate::error::Error;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::time::Duration;

/// A command with its files: all that its answer depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What a machine must have to do it, as names and values.
    pub properties: BTreeMap<String, String>,
    /// The files in the directory it starts in, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The command line.
    pub argv: Vec<String>,
    /// The files that are wanted of it, as paths beneath that directory.
    pub outputs: Vec<String>,
    /// After so long it is to be ended.
    pub time: Duration,
}

/// What became of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It ended.
    Ended {
        /// Its exit code.
        code: i32,
        /// Those of the wanted files that it wrote.
        outputs: BTreeMap<String, Vec<u8>>,
    },
    /// It cannot be told what it does, and why: it ran out of time, or is too big to be sent.
    Unknown(String),
    /// plumb was stopped meanwhile.
    Stopped,
}

/// One who runs actions. Asked by many threads at once.
pub trait Executor: Debug + Send + Sync {
    /// Runs an action to its end, or tells what an equal one did earlier. What passes is tried again inside; an error
    /// ends the hunt.
    fn run(&self, action: &Action) -> Result<Ran, Error>;
}
