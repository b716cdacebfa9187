//! The bounded process runner: every external process of plumb is started, limited, watched and killed here.
//!
//! # How a job is run
//!
//! ```text
//! plumb ──(control socket)── spawner ──fork── supervisor ──fork+exec── command ── its own children
//!   └───────────(job socket, one per job)──────────┘
//! ```
//!
//! * The **spawner** (`spawner.rs`) is this same executable, started again once per plumb process and stopped
//!   before `main`. It is small and has one thread, so that forking it is cheap (however large plumb has grown)
//!   and so that any code may run between fork and exec.
//! * A **supervisor** (`supervisor.rs`) exists per job. It is the subreaper of all that the command starts, holds
//!   the limits, and ends only when every descendant is dead. When its job socket closes, because plumb dropped
//!   the job or was killed by `SIGKILL`, it kills them all.
//! * The **command** runs in a session and process group of its own, with resource limits, no core dumps, default
//!   signals and, when asked, in a [`Sandbox`](crate::sandbox::Sandbox).
//!
//! Nothing polls busily: plumb sleeps in `poll` on the pipes, the job socket and the cancel descriptors, and a
//! supervisor sleeps until a signal, a message or the next deadline.

mod child;
mod client;
mod outcome;
mod pipes;
mod request;
mod session;
mod spawner;
mod spec;
mod supervisor;
mod sys;
mod tree;
mod watch;
mod wire;

pub(crate) use client::remove_after_death;
pub use outcome::{Clock, Finished, Outcome, SpawnError, Stream, Usage};
pub(crate) use request::find_program;
pub use session::{Read, Session};
pub use spec::{Env, Limits, Spec, Stdin};
pub use watch::{Trap, WINDOWS, Watch, WatchEnd, Watched, Window};

/// Runs a command to its end and returns what happened. Never panics and never returns an error: a command that
/// could not be started is the outcome [`Outcome::SpawnFailed`].
///
/// # Examples
///
/// ```
/// use toolchain::process::{run, Outcome, Spec};
/// let done = run(&Spec::new("sh").args(["-c", "echo hello; exit 3"]));
/// assert_eq!(done.outcome, Outcome::Exited(3));
/// assert_eq!(done.stdout, b"hello\n");
/// ```
#[must_use]
pub fn run(spec: &Spec) -> Finished {
    match Session::start(spec) {
        Ok(session) => session.finish(),
        Err(error) => Finished::not_started(error),
    }
}
