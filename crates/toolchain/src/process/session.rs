//! A running job seen from plumb: collects its output, enforces the output limits, listens for cancellation.

use super::client::{socket_pair, submit};
use super::outcome::{Clock, Finished, Outcome, SpawnError, Stream, Usage};
use super::pipes::{Capture, memory_file, open_stdin};
use super::request::request;
use super::spec::Spec;
use super::sys;
use super::wire::{Cause, REPORT_MAX, Report, Step};
use crate::cancel::Cancel;
use crate::sandbox::Enforcement;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};
use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long after its deadlines a supervisor may take to report before plumb gives it up.
const GRACE: Duration = Duration::from_secs(20);

/// How often a job is handed over again.
const ATTEMPTS: u32 = 3;

/// The descriptors of a job on their way to its supervisor: request, standard input, output, error.
#[derive(Debug)]
struct Handed {
    fds: [OwnedFd; 4],
    attempts: u32,
}

impl Handed {
    /// Gives them to the spawner, and returns plumb's end of a new job socket.
    fn submit(&self) -> Result<OwnedFd, SpawnError> {
        let (ours, theirs) = socket_pair()?;
        let [request, stdin, stdout, stderr] = &self.fds;
        submit(&[request.as_fd(), stdin.as_fd(), stdout.as_fd(), stderr.as_fd(), theirs.as_fd()])?;
        Ok(ours)
    }
}

/// A running job. Dropping it kills the job with all its descendants.
#[derive(Debug)]
pub struct Session {
    program: PathBuf,
    cwd: PathBuf,
    job: OwnedFd,
    /// What the job was handed, kept until its supervisor says that it has it.
    pending: Option<Handed>,
    stdin: Option<OwnedFd>,
    stdout: Capture,
    stderr: Capture,
    cancel: Option<Cancel>,
    /// When plumb stops waiting for the supervisor.
    backstop: Option<Instant>,
    /// What plumb itself decided.
    decided: Option<Outcome>,
    failed: Option<SpawnError>,
    sandbox: Option<Enforcement>,
    ended: Option<(Outcome, Usage)>,
}

impl std::fmt::Debug for Capture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.bytes.len())
    }
}

/// What a [`Session::read`] brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// These bytes of standard output.
    Data(Vec<u8>),
    /// The deadline passed with nothing to read; the job still runs.
    TimedOut,
    /// Standard output has ended; see [`Session::finish`] for why.
    Ended,
}

impl Session {
    /// Starts a job. For one that just runs to its end, use [`run`](super::run).
    pub fn start(spec: &Spec) -> Result<Self, SpawnError> {
        let cancelled = spec.cancel.as_ref().is_some_and(Cancel::is_cancelled);
        if cancelled || crate::stop::requested() {
            return Err(SpawnError::Cancelled);
        }
        let request = request(spec)?;
        let bytes = postcard::to_stdvec(&request).map_err(|e| SpawnError::Runner(e.to_string()))?;
        let request_file = memory_file("plumb-request", &bytes)?;
        let (their_stdin, stdin) = open_stdin(&spec.stdin)?;
        let (stdout, their_stdout) = Capture::new(spec.limits.stdout)?;
        let (stderr, their_stderr) = Capture::new(spec.limits.stderr)?;
        let handed = Handed { fds: [request_file, their_stdin, their_stdout, their_stderr], attempts: 0 };
        let path = |bytes: Vec<u8>| PathBuf::from(OsStr::from_bytes(&bytes));
        Ok(Session {
            program: path(request.program),
            cwd: path(request.cwd),
            job: handed.submit()?,
            pending: Some(handed),
            stdin,
            stdout,
            stderr,
            cancel: spec.cancel.clone(),
            backstop: spec
                .limits
                .wall
                .and_then(|wall| Instant::now().checked_add(wall.saturating_add(GRACE))),
            decided: None,
            failed: None,
            sandbox: None,
            ended: None,
        })
    }

    /// Waits for the end of the job and gives all that is known of it.
    #[must_use]
    pub fn finish(mut self) -> Finished {
        self.stdin = None;
        while self.ended.is_none() {
            self.turn(None, false);
        }
        // What was written before the end is in the pipes; whoever else still holds them is not waited for.
        while self.stdout.read() {}
        while self.stderr.read() {}
        self.check_output();
        let (reported, usage) = self.ended.unwrap_or((Outcome::Cancelled, Usage::default()));
        let outcome = match (self.failed, self.decided) {
            (Some(error), _) => Outcome::SpawnFailed(error),
            (None, Some(decided)) => decided,
            (None, None) => reported,
        };
        Finished {
            outcome,
            stdout: self.stdout.bytes,
            stderr: self.stderr.bytes,
            usage,
            sandbox: self.sandbox,
        }
    }

    /// Kills the job; [`Session::finish`] then gives [`Outcome::Cancelled`].
    pub fn kill(&mut self) {
        self.decide(Outcome::Cancelled);
    }

    /// Whether the job has ended or is being killed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ended.is_some() || self.decided.is_some()
    }

    /// Waits for standard output until `deadline` and takes what has come. Bytes taken no longer count against the
    /// output limit.
    pub fn read(&mut self, deadline: Option<Instant>) -> Read {
        loop {
            if !self.stdout.bytes.is_empty() {
                return Read::Data(std::mem::take(&mut self.stdout.bytes));
            }
            if self.stdout.fd.is_none() || self.decided.is_some() {
                return Read::Ended;
            }
            if self.ended.is_some() {
                self.stdout.read();
                if self.stdout.bytes.is_empty() {
                    return Read::Ended;
                }
                continue;
            }
            if deadline.is_some_and(|at| Instant::now() >= at) {
                return Read::TimedOut;
            }
            self.turn(deadline, false);
        }
    }

    /// Writes all of `bytes` to a piped standard input, reading output meanwhile so that neither side blocks.
    /// False when the job no longer takes input or the deadline passed.
    pub fn write(&mut self, mut bytes: &[u8], deadline: Option<Instant>) -> bool {
        while !bytes.is_empty() {
            let Some(stdin) = &self.stdin else { return false };
            if self.is_over() {
                return false;
            }
            match rustix::net::send(stdin, bytes, SendFlags::NOSIGNAL) {
                Ok(n) => bytes = &bytes[n..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    if deadline.is_some_and(|at| Instant::now() >= at) {
                        return false;
                    }
                    self.turn(deadline, true);
                }
                Err(_) => {
                    self.stdin = None;
                    return false;
                }
            }
        }
        true
    }

    /// Ends standard input.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    fn decide(&mut self, outcome: Outcome) {
        if self.decided.is_none() && self.ended.is_none() {
            self.decided = Some(outcome);
            self.backstop = Instant::now().checked_add(GRACE);
            let _ = rustix::net::send(&self.job, b"K", SendFlags::NOSIGNAL);
        }
    }

    fn check_output(&mut self) {
        let over = match (self.stdout.overflowed, self.stderr.overflowed) {
            (true, _) => Some(Stream::Stdout),
            (false, true) => Some(Stream::Stderr),
            (false, false) => None,
        };
        if let (Some(stream), None) = (over, &self.decided) {
            self.decide(Outcome::OutputLimit(stream));
            self.decided.get_or_insert(Outcome::OutputLimit(stream));
        }
    }

    /// Sleeps until something happens and takes it in.
    fn turn(&mut self, deadline: Option<Instant>, want_write: bool) {
        let wake = [deadline, self.backstop].into_iter().flatten().min();
        let events = match self.sleep(wake, want_write) {
            Ok(events) => events,
            Err(errno) => {
                let error = SpawnError::Runner(format!("cannot wait for the job: {errno}"));
                self.failed.get_or_insert(error);
                self.ended = Some((Outcome::Cancelled, Usage::default()));
                return;
            }
        };
        if events.stdout {
            self.stdout.read();
        }
        if events.stderr {
            self.stderr.read();
        }
        self.check_output();
        if events.cancel {
            self.decide(Outcome::Cancelled);
        }
        if events.job {
            self.receive();
        }
        if self.ended.is_none() && self.backstop.is_some_and(|at| Instant::now() >= at) {
            let late = "the supervisor of the job did not answer: is the machine suspended or overloaded?";
            self.ended = Some((Outcome::SpawnFailed(SpawnError::Runner(late.to_owned())), Usage::default()));
        }
    }

    fn sleep(&self, wake: Option<Instant>, want_write: bool) -> Result<Events, Errno> {
        let stop = crate::stop::fd().map_err(|e| Errno::from_io_error(&e).unwrap_or(Errno::MFILE))?;
        let listening = self.decided.is_none();
        let wanted: [Option<(BorrowedFd<'_>, PollFlags)>; 6] = [
            Some((self.job.as_fd(), PollFlags::IN)),
            self.stdout.fd.as_ref().map(|fd| (fd.as_fd(), PollFlags::IN)),
            self.stderr.fd.as_ref().map(|fd| (fd.as_fd(), PollFlags::IN)),
            listening.then_some((stop, PollFlags::IN)),
            self.cancel.as_ref().filter(|_| listening).map(|cancel| (cancel.fd(), PollFlags::IN)),
            self.stdin.as_ref().filter(|_| want_write).map(|fd| (fd.as_fd(), PollFlags::OUT)),
        ];
        let mut fds: Vec<PollFd<'_>> =
            wanted.iter().flatten().map(|(fd, flags)| PollFd::from_borrowed_fd(*fd, *flags)).collect();
        let left = wake.map(|at| at.saturating_duration_since(Instant::now()));
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Events::default()),
            Err(errno) => return Err(errno),
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let mut next = |present: &Option<_>| present.is_some() && ready.next().unwrap_or(false);
        let [job, stdout, stderr, stop, token, _] = &wanted;
        Ok(Events {
            job: next(job),
            stdout: next(stdout),
            stderr: next(stderr),
            cancel: next(stop) | next(token),
        })
    }

    /// Hands the job to a new spawner when the old one died with the job still in its queue. Never once it has
    /// started: no job runs twice.
    fn submit_again(&mut self) -> bool {
        let Some(handed) = &mut self.pending else { return false };
        handed.attempts += 1;
        if handed.attempts > ATTEMPTS || self.decided.is_some() {
            return false;
        }
        match handed.submit() {
            Ok(job) => self.job = job,
            Err(error) => {
                self.failed.get_or_insert(error);
                return false;
            }
        }
        true
    }

    fn receive(&mut self) {
        let mut buffer = [0u8; REPORT_MAX];
        let report = match rustix::net::recv(&self.job, &mut buffer, RecvFlags::DONTWAIT) {
            Ok((0, _)) | Err(Errno::CONNRESET | Errno::PIPE) => None,
            Ok((length, _)) => postcard::from_bytes::<Report>(&buffer[..length]).ok(),
            Err(_) => return,
        };
        match report {
            Some(Report::Started) => self.pending = None,
            Some(Report::Sandboxed(reached)) => self.sandbox = Some(reached),
            Some(Report::Failed { step, errno, text }) => {
                self.failed.get_or_insert(explain(step, errno, text, &self.program, &self.cwd));
            }
            Some(Report::Ended { cause, status, user_ns, system_ns, wall_ns, max_rss }) => {
                let usage = Usage {
                    user: Duration::from_nanos(user_ns),
                    system: Duration::from_nanos(system_ns),
                    wall: Duration::from_nanos(wall_ns),
                    max_rss,
                };
                self.ended = Some((judge(cause, status), usage));
            }
            None if self.submit_again() => {}
            None => {
                let lost = "the supervisor of the job was killed by someone else";
                self.ended =
                    Some((Outcome::SpawnFailed(SpawnError::Runner(lost.to_owned())), Usage::default()));
            }
        }
    }
}

#[derive(Default)]
struct Events {
    job: bool,
    stdout: bool,
    stderr: bool,
    cancel: bool,
}

fn judge(cause: Cause, status: i32) -> Outcome {
    match cause {
        Cause::Wall => Outcome::TimedOut(Clock::Wall),
        Cause::Cpu => Outcome::TimedOut(Clock::Cpu),
        Cause::Processes => Outcome::ProcessLimit,
        Cause::Asked => Outcome::Cancelled,
        Cause::Natural => match sys::decode_status(status) {
            Ok(code) => Outcome::Exited(code),
            Err(libc::SIGXCPU) => Outcome::TimedOut(Clock::Cpu),
            Err(libc::SIGXFSZ) => Outcome::OutputLimit(Stream::File),
            Err(signal) => Outcome::Signaled(signal),
        },
    }
}

fn explain(step: Step, errno: i32, text: String, program: &Path, cwd: &Path) -> SpawnError {
    let why = if text.is_empty() { Errno::from_raw_os_error(errno).to_string() } else { text };
    let setup = |step| SpawnError::Setup { step, why: why.clone() };
    match step {
        Step::Request => setup("reading the request"),
        Step::Fork => setup("forking"),
        Step::Session => setup("making a session"),
        Step::Streams => setup("connecting the streams"),
        Step::Limits => setup("setting the limits"),
        Step::Directory => SpawnError::Directory { dir: cwd.to_owned(), why },
        Step::Sandbox => SpawnError::Sandbox(why),
        Step::Supervisor => SpawnError::Runner(format!("the supervisor failed: {why}")),
        Step::Exec => SpawnError::NotExecutable { program: program.to_owned(), why },
    }
}
