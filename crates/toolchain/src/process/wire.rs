//! The messages between plumb, its spawner and the supervisors.
//!
//! A request is written to a memory file, since an environment may be larger than a socket message; reports are
//! single messages on the job socket.

use super::watch::Watch;
use crate::sandbox::{Enforcement, Sandbox};
use serde::{Deserialize, Serialize};

/// The first byte of a control message: a job, with its five descriptors.
pub(super) const JOB: u8 = b'J';
/// The first byte of a control message: a directory to remove when plumb is gone.
pub(super) const REMOVE: u8 = b'R';
/// The first byte of a control message: a directory that is removed already.
pub(super) const FORGET: u8 = b'F';
/// What a spawner says when it is ready. Carries the protocol version.
pub(super) const HELLO: &[u8] = b"plumb-spawner 1";
/// Descriptors of a job message: request, standard input, output, error, job socket.
pub(super) const JOB_FDS: usize = 5;
/// The longest report.
pub(super) const REPORT_MAX: usize = 1024;

/// What a supervisor must run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub program: Vec<u8>,
    pub argv: Vec<Vec<u8>>,
    pub env: Vec<Vec<u8>>,
    pub cwd: Vec<u8>,
    pub wall_ns: Option<u64>,
    pub cpu_ns: Option<u64>,
    pub address_space: Option<u64>,
    pub stack: Option<u64>,
    pub file_size: Option<u64>,
    pub processes: Option<u32>,
    pub sandbox: Option<Sandbox>,
    pub fixed_addresses: bool,
    pub watch: Option<Watch>,
}

/// The step between fork and exec that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Step {
    Request,
    Fork,
    Session,
    Streams,
    Directory,
    Limits,
    Sandbox,
    Exec,
    Supervisor,
}

/// Why the supervisor ended the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Cause {
    /// The command ended by itself.
    Natural,
    Wall,
    Cpu,
    Processes,
    /// plumb asked, or died.
    Asked,
}

/// What a supervisor tells plumb, in this order: one `Started`, at most one `Sandboxed`, at most one `Failed`, one `Ended`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Report {
    /// The supervisor has the job; from here on it is never handed over again.
    Started,
    Sandboxed(Enforcement),
    Failed {
        step: Step,
        errno: i32,
        text: String,
    },
    Ended {
        cause: Cause,
        status: i32,
        user_ns: u64,
        system_ns: u64,
        wall_ns: u64,
        max_rss: u64,
    },
}
