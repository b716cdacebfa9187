//! What to run and within which limits: the description of one job.

use super::watch::Watch;
use crate::cancel::Cancel;
use crate::sandbox::Sandbox;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Bounds on a job. `None` means unbounded; the default bounds everything that a runaway process can exhaust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Elapsed time from start to end.
    pub wall: Option<Duration>,
    /// User plus system time of the command and all its descendants together.
    pub cpu: Option<Duration>,
    /// Bytes of address space of each process (`RLIMIT_AS`). Leave unset for sanitised programs, which reserve
    /// terabytes.
    pub address_space: Option<u64>,
    /// Bytes of stack of each process (`RLIMIT_STACK`); unset leaves the inherited limit.
    pub stack: Option<u64>,
    /// Bytes kept of standard output. One more ends the job with [`Outcome::OutputLimit`](super::Outcome).
    pub stdout: usize,
    /// Bytes kept of standard error. One more ends the job with [`Outcome::OutputLimit`](super::Outcome).
    pub stderr: usize,
    /// Bytes of the largest file that any process of the job may write (`RLIMIT_FSIZE`).
    pub file_size: Option<u64>,
    /// Processes of the job alive at once, the command included. Sampled, so that a burst may pass it briefly.
    pub processes: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            wall: Some(Duration::from_secs(60)),
            cpu: Some(Duration::from_secs(60)),
            address_space: Some(4 << 30),
            stack: None,
            stdout: 8 << 20,
            stderr: 8 << 20,
            file_size: Some(256 << 20),
            processes: Some(64),
        }
    }
}

impl Limits {
    /// The default limits with both clocks set to the same time.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Limits { wall: Some(time), cpu: Some(time), ..Limits::default() }
    }
}

/// The environment a command sees.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Env {
    /// plumb's own environment in the C locale, so that messages can be recognised.
    #[default]
    Inherit,
    /// Only `PATH` and the C locale: what a generated program gets.
    Clean,
}

/// Where a command reads its standard input from.
#[derive(Debug, Clone, Default)]
pub enum Stdin {
    /// Nothing: reading ends at once.
    #[default]
    Null,
    /// These bytes.
    Bytes(Arc<[u8]>),
    /// The content of a file.
    File(PathBuf),
    /// What [`Session::write`](super::Session::write) is given; for interactive tools such as solvers.
    Piped,
}

/// One job: the command line, its surroundings and its limits.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    pub(crate) argv: Vec<OsString>,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) env: Env,
    pub(crate) vars: BTreeMap<OsString, Option<OsString>>,
    pub(crate) stdin: Stdin,
    pub(crate) limits: Limits,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) fixed_addresses: bool,
    pub(crate) watch: Option<Watch>,
    pub(crate) cancel: Option<Cancel>,
}

impl Spec {
    /// A job that runs `program`, looked up on `PATH` unless it has a slash.
    pub fn new(program: impl Into<OsString>) -> Self {
        Spec { argv: vec![program.into()], ..Spec::default() }
    }

    /// A job from a whole command line.
    pub fn from_argv<I, S>(argv: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        Spec { argv: argv.into_iter().map(Into::into).collect(), ..Spec::default() }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.argv.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<I, S>(mut self, args: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        self.argv.extend(args.into_iter().map(Into::into));
        self
    }

    /// The directory the command starts in; plumb's own by default.
    #[must_use]
    pub fn cwd(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cwd = Some(dir.into());
        self
    }

    /// Starts the command in a directory and has it put its temporary files there too, so that whoever removes the directory
    /// leaves nothing behind, even of a command that was killed.
    #[must_use]
    pub fn working_in(self, dir: &Path) -> Self {
        let temporary = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        self.cwd(dir).env("TMPDIR", temporary)
    }

    /// Which environment the command starts from.
    #[must_use]
    pub fn env_policy(mut self, env: Env) -> Self {
        self.env = env;
        self
    }

    /// Sets one variable over the environment policy.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.vars.insert(name.into(), Some(value.into()));
        self
    }

    /// Removes one variable that the environment policy would give.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.vars.insert(name.into(), None);
        self
    }

    /// What the command reads.
    #[must_use]
    pub fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = stdin;
        self
    }

    /// The limits of the job.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Confines the command.
    #[must_use]
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = Some(sandbox);
        self
    }

    /// Has the kernel lay the command out at the same addresses every time, so that what depends on addresses by
    /// mistake happens again when run again. Where the kernel refuses, it is not done.
    #[must_use]
    pub fn fixed_addresses(mut self) -> Self {
        self.fixed_addresses = true;
        self
    }

    /// Runs the command, a native program of x86-64, under a tracer that notes its accesses to some of its memory; what
    /// the tracer saw is on standard output in place of what the command writes (see [`Watched::read`](super::Watched)).
    #[must_use]
    pub fn watch(mut self, watch: Watch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// A token whose cancellation kills the job. The global [`stop`](crate::stop) kills it in any case.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// The command line.
    #[must_use]
    pub fn argv(&self) -> &[OsString] {
        &self.argv
    }

    /// The environment as `NAME=value` strings in name order.
    pub(crate) fn environment(&self) -> Vec<Vec<u8>> {
        let mut vars: BTreeMap<OsString, OsString> = match self.env {
            Env::Inherit => std::env::vars_os().collect(),
            Env::Clean => std::env::var_os("PATH").map(|path| ("PATH".into(), path)).into_iter().collect(),
        };
        vars.remove(OsStr::new("LANGUAGE"));
        vars.insert("LC_ALL".into(), "C".into());
        for (name, value) in &self.vars {
            match value {
                Some(value) => vars.insert(name.clone(), value.clone()),
                None => vars.remove(name),
            };
        }
        let join = |(name, value): (OsString, OsString)| {
            let mut entry = name.into_encoded_bytes();
            entry.push(b'=');
            entry.extend(value.into_encoded_bytes());
            entry
        };
        vars.into_iter().map(join).collect()
    }
}
