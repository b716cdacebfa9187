//! Compilers opened once each, for a command that asks many findings about the same few: each is tried with a dozen small programs
//! when it is opened, and hashing one reads hundreds of megabytes.

use super::{Tested, executables, open};
use crate::error::Error;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use toolchain::scratch::ScratchRoot;

/// Compilers by their command lines. To be kept for one command, or one item, and no longer: a compiler may change.
#[derive(Default, Debug)]
pub struct Opened(Mutex<BTreeMap<String, Known>>);

#[derive(Clone, Debug)]
struct Known {
    tested: Arc<Tested>,
    /// The hash of its executables, once somebody asked for it.
    hash: Option<String>,
}

impl Opened {
    /// The compiler that a command line names.
    pub fn open(&self, command: &str, scratch: &ScratchRoot) -> Result<Arc<Tested>, Error> {
        Ok(self.known(command, scratch)?.tested)
    }

    /// The hash of its executables.
    pub fn hash(&self, command: &str, scratch: &ScratchRoot) -> Result<String, Error> {
        let Known { tested, hash } = self.known(command, scratch)?;
        if let Some(hash) = hash {
            return Ok(hash);
        }
        let hash = executables(&tested.compiler, scratch)?;
        self.all().insert(command.to_owned(), Known { tested, hash: Some(hash.clone()) });
        Ok(hash)
    }

    fn known(&self, command: &str, scratch: &ScratchRoot) -> Result<Known, Error> {
        // Not held while a compiler is opened, which takes long.
        let there = self.all().get(command).cloned();
        if let Some(known) = there {
            return Ok(known);
        }
        let known = Known { tested: Arc::new(open(command, scratch)?), hash: None };
        Ok(self.all().entry(command.to_owned()).or_insert(known).clone())
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
