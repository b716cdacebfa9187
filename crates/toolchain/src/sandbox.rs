//! Confinement of generated programs with Landlock: no writing outside their directories, no TCP, no signals to
//! and no abstract sockets of processes outside.
//!
//! The kernel may lack all or part of this, so what was really enforced is reported with every job as an
//! [`Enforcement`], never assumed.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The newest Landlock interface that the rules below are written for. A kernel with an older one enforces its
/// part and is reported as [`Enforcement::Partial`].
const WANTED: ABI = ABI::V6;

/// What a confined command may do: read everything, write only beneath the named directories.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sandbox {
    writable: Vec<OsString>,
    network: bool,
    required: bool,
}

/// How far the kernel enforced a [`Sandbox`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Enforcement {
    /// All that was asked.
    Enforced,
    /// File writes are confined; some newer part (truncation, TCP, signals) is not.
    Partial,
    /// Nothing: the kernel has no Landlock or it is switched off.
    Unavailable,
}

/// What this kernel enforces of a sandbox, found by running a command in one. For a word to the user beforehand;
/// what counts is the report that comes with each job.
#[must_use]
pub fn available() -> Enforcement {
    let done = crate::process::run(&crate::process::Spec::new("true").sandbox(Sandbox::read_only()));
    done.sandbox.unwrap_or(Enforcement::Unavailable)
}

impl Sandbox {
    /// A sandbox in which nothing may be written but `/dev/null` and what lies beneath `dir`.
    pub fn writing_beneath(dir: impl AsRef<Path>) -> Self {
        Sandbox { writable: vec![dir.as_ref().into()], network: false, required: false }
    }

    /// A sandbox in which nothing may be written but `/dev/null`.
    #[must_use]
    pub fn read_only() -> Self {
        Sandbox::default()
    }

    /// Allows writing beneath one more directory.
    #[must_use]
    pub fn and_beneath(mut self, dir: impl AsRef<Path>) -> Self {
        self.writable.push(dir.as_ref().into());
        self
    }

    /// Leaves the network reachable.
    #[must_use]
    pub fn with_network(mut self) -> Self {
        self.network = true;
        self
    }

    /// Refuses to run the command at all where the kernel cannot confine its writing.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Confines the calling process for good. Called by the child between fork and exec.
    pub(crate) fn enter(&self) -> Result<Enforcement, String> {
        let status = self.restrict().map_err(|error| error.to_string())?;
        match status {
            Enforcement::Unavailable if self.required => Err("this kernel has no Landlock".to_owned()),
            reached => Ok(reached),
        }
    }

    fn restrict(&self) -> Result<Enforcement, Box<dyn std::error::Error>> {
        let writing = AccessFs::from_write(WANTED);
        let mut ruleset =
            Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(writing)?;
        if !self.network {
            ruleset = ruleset.handle_access(AccessNet::from_all(WANTED))?;
        }
        let mut ruleset = ruleset.scope(Scope::from_all(WANTED))?.create()?;
        for dir in &self.writable {
            ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(PathBuf::from(dir))?, writing))?;
        }
        let null = writing & AccessFs::from_file(WANTED);
        ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new("/dev/null")?, null))?;
        Ok(match ruleset.restrict_self()?.ruleset {
            RulesetStatus::FullyEnforced => Enforcement::Enforced,
            RulesetStatus::PartiallyEnforced => Enforcement::Partial,
            RulesetStatus::NotEnforced => Enforcement::Unavailable,
        })
    }
}
